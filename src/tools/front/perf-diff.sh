# usage: sgpu perf-diff [OPTION...] A [B]      (--help lists the options)
#
# Compares two runs of the chip model: which draws became slower, and why.

need_build
exec "$python" "$top/src/tools/sim/perf_diff.py" --tool "$build/src/tools/sim/sgpu-sim" "$@"
