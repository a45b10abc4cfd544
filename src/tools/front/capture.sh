# usage: sgpu capture [OPTION...] [--] PROGRAM [ARGUMENT...]
#
# Runs a program as sgpu run does and writes what the device is given, from the
# driver on, to a file: see sgpu replay, decode, diff, reduce, inspect.
#
#   -o F.sgcap           the file (default: PROGRAM.sgcap)
#   --frames A[-B]       of these frames, counted by presentations from 0 on;
#                        the program is ended behind the last one: it gets
#                        SIGTERM and, 3 seconds later, SIGKILL.  Without it
#                        from the start to the program's end
#   --keep-running       do not end it
#   --level N            of zstd, 1 to 19 (default 3)
#
# Programs that are run otherwise take the same from the environment:
#
#   SGPU_CAPTURE=F.sgcap[,frames=A[-B]][,level=N][,then=quit]
#   SGPU_CAPTURE=F.sgcap,trigger=FILE[,count=N]
#                        N frames (1) when FILE is there at a frame's end, which
#                        is removed then; once more: F-2.sgcap, and so on
#   SGPU_CAPTURE=F.sgcap,signal=USR2[,count=N]
#                        N frames when the process gets the signal
#   ,compare=all         compare also buffers that the driver says the CPU does
#                        not write: to find out whether it is right
#
# A program that ends or is killed leaves a file that replays up to its last
# whole submission.

output='' frames='' level='' quit=1
while [ $# -gt 0 ]; do
   case $1 in
   -o | --frames | --level)
      [ $# -ge 2 ] || die "$1 needs an argument"
      case $1 in
      -o) output=$2 ;;
      --frames) frames=$2 ;;
      --level) level=$2 ;;
      esac
      shift
      ;;
   --keep-running) quit='' ;;
   -h | --help) print_help capture; exit ;;
   --) shift; break ;;
   -*) die "capture has no option '$1'" ;;
   *) break ;;
   esac
   shift
done
[ $# -gt 0 ] || { print_help capture >&2; exit 2; }
: "${output:=$(basename -- "$1").sgcap}"
case $output in
*,*) die "the file's name must have no comma" ;;
/*) ;;
*) output=$PWD/$output ;;
esac
case $frames in
*-) quit='' ;;
'') quit='' ;;
esac

need_setup build run
need_build
SGPU_CAPTURE=$output${frames:+,frames=$frames}${level:+,level=$level}${quit:+,then=quit}
export SGPU_CAPTURE
rm -f "$output"
status=0
SGPU_NO_BUILD=1 "$top/sgpu" run -- "$@" || status=$?
# Ended by the layer.
case $quit$status in
1143 | 1137) status=0 ;;
esac
if [ -s "$output" ]; then
   say "$output: $(wc -c <"$output") bytes"
else
   say "nothing was captured: is it a program that draws with sgpu?"
   [ $status -ne 0 ] || status=1
fi
exit $status
