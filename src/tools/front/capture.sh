# usage: sgpu capture [OPTION...] [--] PROGRAM [ARGUMENT...]
#
# Runs a program like sgpu run, and writes the commands from the driver to the
# device to a file.  sgpu replay, decode, diff, reduce and inspect read such files.
#
#   -o F.sgcap           the file to write (default: PROGRAM.sgcap); if the
#                        program has several processes, or opens the device
#                        several times, the other files are F-2.sgcap, F-3.sgcap
#   --frames A[-B]       capture only these frames, counted by presentations
#                        from 0, and end the program after the last one, with
#                        SIGTERM and 3 seconds later SIGKILL (default: all
#                        frames until the program ends)
#   --keep-running       do not end the program
#   --level N            compression level of zstd, 1 to 19 (default 3)
#   --force              replace the file if it exists
#
# If a program is not run by this command, use these environment variables:
#
#   SGPU_CAPTURE=F.sgcap[,frames=A[-B]][,level=N][,then=quit]
#   SGPU_CAPTURE=F.sgcap,trigger=FILE[,count=N]
#                        capture N frames (default 1) if FILE exists at the end
#                        of a frame, and remove FILE; the next captures are
#                        F-2.sgcap, and so on
#   SGPU_CAPTURE=F.sgcap,signal=USR2[,count=N]
#                        capture N frames when the process gets the signal
#   ,compare=all         also compare buffers that the CPU does not write,
#                        according to the driver, to check that this is true
#
# These variables never overwrite a file.  They use the first of F.sgcap,
# F-2.sgcap, ... that does not exist.
#
# If the program is killed, its file can be replayed up to the last complete
# submission.

wrong_frames() {
   die "--frames $frames: expected A, A-, A-B or all, with A no more than B"
}

output='' frames='' level='' quit=1 force=''
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
   --force) force=1 ;;
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
*,*) die "the file name must not contain a comma" ;;
/*) ;;
*) output=$PWD/$output ;;
esac
case $frames in
'' | all) quit='' ;;
-* | *[!0-9-]* | *-*-*) wrong_frames ;;
*-) quit='' ;;
*) [ "${frames#*-}" -ge "${frames%-*}" ] || wrong_frames ;;
esac
case $level in
'' | [1-9] | 1[0-9]) ;;
*) die "--level $level: expected 1 to 19" ;;
esac
folder=$(dirname -- "$output")
if [ ! -d "$folder" ] || [ ! -w "$folder" ]; then
   die "$folder is not a writable folder: -o chooses another place"
fi
[ ! -d "$output" ] || die "$output is a folder: -o needs the name of a file"
if [ -f "$output" ]; then
   [ -n "$force" ] ||
      die "$output exists: --force replaces it, -o chooses another name"
   rm -f "$output"
fi

# file N: prints the name that the capture layer gives to file N.
file() {
   name=$(basename -- "$output")
   case $1:$name in
   1:*) echo "$output" ;;
   *.*) echo "$folder/${name%.*}-$1.${name##*.}" ;;
   *) echo "$output-$1" ;;
   esac
}
next=2
while [ -e "$(file $next)" ]; do
   next=$((next + 1))
done

need_setup build run
need_build
SGPU_CAPTURE=$output${frames:+,frames=$frames}${level:+,level=$level}${quit:+,then=quit}
export SGPU_CAPTURE
status=0
SGPU_NO_BUILD=1 "$top/sgpu" run -- "$@" || status=$?
# The capture layer has ended the program.
case $quit$status in
1143 | 1137) status=0 ;;
esac
if [ ! -e "$output" ]; then
   say "nothing was captured: does the program draw with sgpu${frames:+, and reach frame ${frames%%-*}}?"
   [ $status -ne 0 ] || status=1
   exit $status
fi
path=$output
while [ -e "$path" ]; do
   # An incomplete file is an error if the capture layer has ended the program.
   "$build/src/tools/capture/sgpu-cap" summary "$path" ||
      [ -z "$quit" ] || [ $status -ne 0 ] || status=1
   path=$(file $next)
   next=$((next + 1))
done
exit $status
