# usage: sgpu retrace F.trace [OPTION...]
#
# Replays a trace that `sgpu trace` or apitrace recorded, on sgpu, in an X
# server of its own.
#
#   --list           print the frames and their calls, and do nothing else
#   --frames A-B     only these frames, counted from 0 (default: all)
#   --calls SET      pictures at these calls instead of frames, as apitrace
#                    names them: 1234, 1000-2000/draw, */rendertarget
#   --snapshots DIR  write a picture of each: DIR/frame-N.png or call-N.png
#   --hash           print an MD5 of each frame's pixels
#   --settings       replay with 1, 2 and 4 threads, each dispatch policy, a
#                    shuffling scheduler, shader cache and without, at each host
#                    level: the frames must stay the same
#   --compare DIR    compare with the pictures in DIR of the same names
#   --against NAME   compare with llvmpipe or softpipe of the system's Mesa
#   --within N       largest difference of a pixel, of 255, and
#   --share P        percentage of the pixels that must keep it (default: 0 and
#                    100 with --compare, 2 and 99.9 with --against)
#   --differences DIR  folder for pictures of the differences (default:
#                    differences/ in DIR of --snapshots, else retrace/F/ in
#                    the build folder, emptied first)
#   --loop N         repeat the last frame N times: frames per second, and
#                    the median, least and largest time; with
#   --times          the time of each, in ms
#   --driver NAME    replay on llvmpipe or softpipe instead of sgpu
#   --timeout S      seconds that a replay may take (default 600)
#
# Exit status: 0, or 1 if pictures differ, or 2 if something could not be done.

case ${1:-} in
-h | --help) print_help retrace; exit ;;
'') print_help retrace >&2; exit 2 ;;
esac

need_setup build run trace
need_build
print_env >/dev/null # reports errors before the X server starts
unset DISPLAY WAYLAND_DISPLAY EGL_PLATFORM
start_xvfb
status=0
"$python" "$front/gl_retrace.py" --build "$build" \
   --environment "$(print_env)" "$@" || status=$?
exit $status
