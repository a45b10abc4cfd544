# usage: sgpu golden record|check|list [OPTION...] DIR [-- PROGRAM [ARGUMENT...]]
#
# Golden pictures of programs; src/tools/golden has the program and its help.

case ${1:-} in
'' | -h | --help) ;;
*)
   need_setup build run
   need_driver
   need_build
   ;;
esac
SGPU_GOLDEN_BUILD=$build
SGPU_GOLDEN_TOP=$top
export SGPU_GOLDEN_BUILD SGPU_GOLDEN_TOP
exec "$python" -B "$top/src/tools/golden/golden_main.py" "$@"
