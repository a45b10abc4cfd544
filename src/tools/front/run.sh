# usage: sgpu run [OPTION...] [--] PROGRAM [ARGUMENT...]
#
# Runs an unmodified OpenGL or OpenGL ES program on sgpu.  If there is no display,
# starts an X server for it.  The exit status is that of the program.
#
#   --screenshot F.png   write a picture of the program's window, and end the
#                        program, after N frames (--frames), or after 60 frames
#                        or 10 seconds from the first one, whichever is sooner
#   --frames N           end the program after N frames
#   --require            end with an error if the program, or a process that it
#                        starts, uses OpenGL of something else, or if nothing is
#                        drawn; the default where the variable CI is set
#   --no-require         don't; the default where SGPU_REQUIRE is 0
#
# With --screenshot or --frames, the program always gets a separate X server.

picture='' frames='' require=${SGPU_REQUIRE:-${CI:-}}
# CI=false is common, too.
case $require in
false | 0 | no) require='' ;;
esac
while [ $# -gt 0 ]; do
   case $1 in
   --screenshot | --frames)
      [ $# -ge 2 ] || die "$1 needs an argument"
      case $1 in
      --screenshot) picture=$2 ;;
      --frames)
         frames=$2
         case $frames in
         '' | *[!0-9]* | 0) die "--frames needs a positive number" ;;
         esac
         ;;
      esac
      shift
      ;;
   --require) require=1 ;;
   --no-require) require='' ;;
   -h | --help) print_help run; exit ;;
   --) shift; break ;;
   -*) die "run has no option '$1'" ;;
   *) break ;;
   esac
   shift
done
[ $# -gt 0 ] || { print_help run >&2; exit 2; }

need_setup build run
need_driver
export_env

if [ -n "$require" ]; then
   required=$build/src/tools/require/sgpu-require
   [ -x "$required" ] || die "$required is missing: ./sgpu build"
else
   required=''
fi

if [ -n "$picture$frames" ]; then
   if [ -n "$frames" ]; then
      limit="-f $frames"
   else
      limit="-f 60 -s 10"
   fi
   # A Wayland session would take the windows away from the X server.
   unset WAYLAND_DISPLAY
   start_xvfb
   # shellcheck disable=SC2086
   ${required:+"$required"} "$build/src/tools/screenshot/sgpu-shot" $limit \
      ${picture:+-o "$picture"} "$@" &
   child=$!
   trap 'kill $child; wait $child; exit 130' INT TERM HUP
   status=0
   wait $child || status=$?
   exit $status
fi

case ${DISPLAY:-}${WAYLAND_DISPLAY:-}${EGL_PLATFORM:-} in
'') start_xvfb ;;
*) exec ${required:+"$required" --} "$@" ;;
esac
status=0
${required:+"$required" --} "$@" || status=$?
exit $status
