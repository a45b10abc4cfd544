# usage: sgpu perf-diff [OPTION...] A [B]      (--help lists the options)
#
# Two runs of the chip model: what became slower, by draw and by cause.

need_build
exec "$python" "$top/src/tools/sim/perf_diff.py" --tool "$build/src/tools/sim/sgpu-sim" "$@"
