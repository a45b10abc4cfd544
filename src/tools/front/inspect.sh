# usage: sgpu inspect [OPTION...] -o REPORT.html FILE.sgcap      (--help lists the options)
#
# Runs the tool sgpu-cap, which writes the page.  With --config or --set, also simulates the frame,
# and inspect_timing.py adds the times to the page.

need_build
cap=$build/src/tools/capture/sgpu-cap
sim_options='' out='' config='' count=$#
# Moves the options of the simulation to $sim_options, one per line.
while [ "$count" -gt 0 ]; do
   count=$((count - 1))
   argument=$1
   shift
   case $argument in
   --config | --set)
      [ "$count" -gt 0 ] || die "inspect: $argument: expected a value"
      sim_options="$sim_options$argument
$1
"
      [ "$argument" = --set ] || config=$1
      count=$((count - 1))
      shift
      continue
      ;;
   -o)
      [ "$count" -eq 0 ] || out=$1
      ;;
   esac
   set -- "$@" "$argument"
done
[ -n "$sim_options" ] || exec "$cap" inspect "$@"
[ -n "$out" ] || die 'inspect: expected -o REPORT.html'

inspect_dir=$(mktemp -d)
trap 'rm -rf "$inspect_dir"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
"$cap" inspect "$@"
printf '%s' "$sim_options" >"$inspect_dir/options"
"$python" "$top/src/tools/sim/inspect_timing.py" --tool "$build/src/tools/sim/sgpu-sim" \
   --options "$inspect_dir/options" --name "${config:-g80}" "$out" "$@"
