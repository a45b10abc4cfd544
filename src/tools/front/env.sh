# usage: sgpu env [PROGRAM ARGUMENT...]
#
# Prints shell commands that set the environment for running programs on sgpu:
#
#   eval "$(./sgpu env)"
#   glxgears
#
# Does not wait for a build that is running.

case ${1:-} in
-h | --help) print_help env; exit ;;
?*) die "env takes no arguments" ;;
esac

need_build_unless_busy
print_exports
