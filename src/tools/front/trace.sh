# usage: sgpu trace [OPTION...] [--] PROGRAM [ARGUMENT...]
#
# Runs a program on sgpu and records its GL calls for `sgpu retrace`, until the
# program ends or is interrupted (Ctrl-C).  If there is no display, starts an X
# server for it.
#
#   -o F.trace       the file to write (default: PROGRAM.trace in this folder)
#   --frames A-B     record only these frames, counted from 0: end the program
#                    after them, and leave out calls that they do not need; if
#                    apitrace cannot do that without changing the frames, the
#                    file also contains the earlier frames
#   --seconds S      end the program S seconds after its first frame; useful with
#                    --frames for programs that may stop drawing
#   --api glx|egl    the program's API, if the tool detects the wrong one
#   --pack           compress the file more (Brotli), which takes longer
#   --force          replace the file if it exists
#
# With --frames or --seconds, the program always gets a separate X server.
#
# Exit status: 0 if the file was written; 2 if it was not written, or if it contains
# all frames because the requested ones could not be selected.

output='' frames='' seconds='' api='' flags=''
while [ $# -gt 0 ]; do
   case $1 in
   -o | --frames | --seconds | --api)
      [ $# -ge 2 ] || die "$1 needs an argument"
      case $1 in
      -o) output=$2 ;;
      --frames) frames=$2 ;;
      --seconds) seconds=$2 ;;
      --api) api=$2 ;;
      esac
      shift
      ;;
   --pack | --force) flags="$flags $1" ;;
   -h | --help) print_help trace; exit ;;
   --) shift; break ;;
   -*) die "trace has no option '$1'" ;;
   *) break ;;
   esac
   shift
done
[ $# -gt 0 ] || { print_help trace >&2; exit 2; }

need_setup build run trace
need_build
environment=$(print_env)
if [ -n "$frames$seconds" ]; then
   # A Wayland session would take the windows away from the X server.
   unset WAYLAND_DISPLAY EGL_PLATFORM
   start_xvfb
elif [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}${EGL_PLATFORM:-}" ]; then
   start_xvfb
fi
# Ctrl-C interrupts the program and the recorder, not this script.
trap : INT
status=0
# shellcheck disable=SC2086
"$python" "$front/gl_trace.py" --environment "$environment" \
   --shot "$build/src/tools/screenshot/sgpu-shot" ${output:+--output "$output"} \
   ${frames:+--frames "$frames"} ${seconds:+--seconds "$seconds"} \
   ${api:+--api "$api"} $flags -- "$@" || status=$?
exit $status
