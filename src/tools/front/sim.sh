# usage: sgpu sim [OPTION...] FILE.sgcap      (--help lists the options)
#
# The tool sgpu-sim.  --plot and --flame are done here, from its JSON; --experiment NAME is of
# src/tools/sim/run_experiment.py.

need_build
sim=$build/src/tools/sim/sgpu-sim
plot='' flame='' json='' force='' experiment='' sample='' count=$#
while [ "$count" -gt 0 ]; do
   count=$((count - 1))
   argument=$1
   shift
   case $argument in
   --plot | --flame | --experiment)
      [ "$count" -gt 0 ] || die "sim: $argument: expected a value"
      case $argument in
      --plot) plot=$1 ;;
      --flame) flame=$1 ;;
      *) experiment=$1 ;;
      esac
      count=$((count - 1))
      shift
      continue
      ;;
   --json)
      [ "$count" -eq 0 ] || json=$1
      ;;
   --force) force=$argument ;;
   --sample) sample=1 ;;
   esac
   set -- "$@" "$argument"
done
[ -n "$plot$flame$experiment" ] || exec "$sim" "$@"
[ -z "$sample" ] || die 'sim: --sample cannot be used with --plot, --flame or --experiment'

if [ -n "$plot$experiment" ]; then
   need_setup sim
   "$python" -c 'import matplotlib' 2>/dev/null ||
      die 'plots need matplotlib: sgpu setup sim'
fi
[ -z "$experiment" ] ||
   exec "$python" "$top/src/tools/sim/run_experiment.py" "$experiment" --tool "$sim" "$@"
if [ -z "$json" ] || [ "$json" = - ]; then
   sim_dir=$(mktemp -d)
   trap 'rm -rf "$sim_dir"' EXIT
   trap 'exit 129' HUP
   trap 'exit 130' INT
   trap 'exit 143' TERM
   case $json in
   -)
      "$sim" "$@" >"$sim_dir/sim.json"
      cat "$sim_dir/sim.json"
      ;;
   *) "$sim" --json "$sim_dir/sim.json" "$@" ;;
   esac
   json=$sim_dir/sim.json
else
   "$sim" "$@"
fi
[ -z "$plot" ] ||
   "$python" "$top/src/tools/sim/sim_plot.py" "$json" "$plot" ${force:+"$force"} >&2
[ -z "$flame" ] ||
   "$python" "$top/src/tools/sim/sim_flame.py" "$json" "$flame" ${force:+"$force"} >&2
