# usage: sgpu env [PROGRAM ARGUMENT...]
#
# Prints the environment for running programs by hand, for a shell:
#
#   eval "$(./sgpu env)"
#   glxgears
#
# If a build is under way, it does not wait for its end.

case ${1:-} in
-h | --help) print_help env; exit ;;
?*) die "env takes no arguments" ;;
esac

need_build_unless_busy
print_env | sed "s/'/'\\\\''/g; s/=/='/; s/\$/'/; s/^/export /"
