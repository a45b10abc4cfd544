# usage: sgpu doctor [--here] [--json] [--ways WAY,...] [PROGRAM]
#
# Says which OpenGL a program gets here, and by `sgpu run`, by each way (GLX, EGL's
# platforms, OSMesa); which loader, vendor library and driver win; which trap is in
# the way, and what to do.  With PROGRAM, also looks at the program's file.
#
#   --here   only the environment as it is
#   --json   as JSON
#   --ways   only these: glx, egl-x11, egl-default, egl-surfaceless, egl-device,
#            egl-gbm, egl-wayland, osmesa, or none
#
# The exit status is 0 if a program that is started by `sgpu run` (with --here: one
# that is started from this shell) draws on sgpu.

case ${1:-} in
-h | --help) print_help doctor; exit ;;
esac

need_build_unless_busy
doctor=$build/src/tools/doctor/sgpu-doctor
[ -x "$doctor" ] || die "$doctor is missing: ./sgpu build"
set -f
# One argument for each line of print_env.
IFS='
'
# shellcheck disable=SC2046,SC2086
exec "$doctor" $(print_env | sed 's/^/--set\
/') "$@"
