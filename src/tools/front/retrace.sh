# usage: sgpu retrace F.trace [OPTION...]
#
# Replays a trace that `sgpu trace` or apitrace has recorded.  It runs on sgpu, in
# a separate X server.
#
#   --list           only print the frames and their calls
#   --frames A-B     only these frames, counted from 0 (default: all)
#   --calls SET      take pictures at these calls instead of at frames; SET has
#                    apitrace's syntax: 1234, 1000-2000/draw, */rendertarget
#   --snapshots DIR  write a PNG of each picture: DIR/frame-N.png or call-N.png
#   --hash           print an MD5 of the pixels of each frame
#   --settings       check that the frames do not depend on settings: replay with
#                    1, 2 and 4 threads, each dispatch policy, a shuffling
#                    scheduler, with and without a shader cache, and at each host
#                    level
#   --compare DIR    compare with the pictures in DIR that have the same names
#   --against NAME   compare with llvmpipe or softpipe of the system's Mesa
#   --within N       tolerance: maximum difference of a colour component, of 255
#   --share P        minimum percentage of pixels that are within the tolerance
#                    (defaults of both: 0 and 100 with --compare, 2 and 99.9 with
#                    --against)
#   --differences DIR  folder for pictures of the differences (default:
#                    differences/ in DIR of --snapshots, or else retrace/F/ in
#                    the build folder, which is emptied first)
#   --loop N         repeat the last frame N times, and print the frames per
#                    second and the median, minimum and maximum time
#   --times          with --loop: also print the time of each repetition, in ms
#   --driver NAME    replay on llvmpipe or softpipe instead of sgpu
#   --timeout S      time limit for a replay in seconds (default 600)
#
# Exit status: 0, 1 if pictures differ, or 2 after an error.

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
