# usage: sgpu bench [WORKLOAD...] [OPTION...]
#        sgpu bench instructions [CAPTURE...] [OPTION...]
#        sgpu bench workers [OPTION...] CAPTURE...
#        sgpu bench sim [OPTION...] FILE.sgcap...
#
# Measures workloads on sgpu, and on llvmpipe and softpipe of the system's Mesa.
# The drivers run in turn in one X server.  Prints the ratios of their frames per
# second: the median over the pairs of runs, with a 95 % confidence interval.
#
# WORKLOAD: glxgears, es2gears, glmark2:SCENE, glmark2-es2:SCENE, a scene with
#           options in glmark2's syntax (glmark2:bump:bump-render=height),
#           compute:NAME, micro:NAME, program:NAME, FILE.trace (a GL trace, whose
#           last frame is repeated), cold:FILE.trace (the trace is replayed once,
#           with empty caches; this measures the reciprocal of the longest frame
#           time, and how much longer the whole replay takes than one that draws
#           nothing), or a group:
#
#   scenes     glxgears and all scenes of glmark2
#   micro      parts of the device, one at a time, and starts of processes
#              (build/src/tools/bench/sgpu-micro lists them); checks the picture
#              first; also prints how close sgpu is to limits: bytes relative to
#              a copy by all processors, lanes with a pixel, busy workers
#   compute    particles, blur, reduction, matrix, scan; checks the results first
#   programs   webgl (a page in Chromium: SGPU_PAGE=FILE.html, or one of
#              tests/programs), gtk, qt, weston, mpv, atlantis; programs that
#              are not installed are skipped
#   traces     the *.trace files of a folder (--traces)
#   all        all of these; traces only if their folder is given
#
#           default: glxgears and the glmark2 scenes build, texture, shading
#           and bump
#
#   --against LIST   drivers to compare with: llvmpipe, softpipe (default: both),
#                    swiftshader (program:webgl only), another build folder of
#                    sgpu (with a slash in its name), or NAME=VALUE: sgpu with this
#                    environment variable, for example SGPU_DISPATCH=ooo+split
#   --pairs N        number of runs of each driver (default 15)
#   --seconds S      time to measure in each run, after a warm-up (default 2)
#   --limit S        time limit for the rest of a run in seconds (default 300); after it, the run
#                    is ended and the stacks of its threads are printed
#   --traces DIR     folder of the group traces (default: SGPU_TRACES)
#   --json F         write all measurements as JSON
#   --plot F         write a plot of the ratios, F.svg or F.png
#   --profile        print sgpu's time by hardware block (perf) instead
#
# If a driver does not run a workload, or draws a wrong picture, there is no ratio.  The
# interval of a median needs at least 6 pairs; that of a geometric mean is a bootstrap over
# pairs.  The exit status is 1 if sgpu does not run a workload, and 2 if no driver runs it.
# It is also 2 if a workload is missing on this machine; then nothing is measured.
#
# instructions counts the instructions of one frame of captures, which do not depend on the
# load of the machine.  One worker replays the capture under Valgrind; the second of two
# loops is counted, by hardware block.  Needs no X server.
#
#   CAPTURE          a file, or the name of a capture in tests/captures or tests/frames;
#                    default: the captures in tests/captures/instructions.json
#   --against BUILD/ also count with another build folder, and print the differences
#   --functions N    also print the N functions with most instructions
#   --level v2|v3    host level (default: v3; Valgrind does not support AVX-512)
#   --check          compare with the figures in tests/captures/instructions.json; the
#                    exit status is 1 if a capture takes more instructions
#   --update         write the figures to that file
#   --json F         write all figures as JSON
#
# workers simulates a machine with more processors: workers that take turns on one
# processor replay captures, and the device's scheduler arranges their work in virtual
# time.  Shared caches and memory bandwidth are not simulated.  Prints the milliseconds
# per frame, the speedup, and the percentages of the workers' time in which they work
# and wait for the lock.
#
#   --workers LIST   numbers of workers (default 1,2,4,8,16,32)
#   --rounds N       measure all numbers N times, in turn (default 3)
#   --loops N        loops of a replay (default 6)
#   --slow N         half of the workers are N times slower, as in hybrid processors
#   --json F, --plot F
#
# sim measures the speed of a timing model instead, with options of sgpu sim: simulated
# cycles per second of CPU time, on one thread.  With --verify, also measures with
# verification.  With --config g80, measures the Tesla chip, and its memory.

case ${1:-} in
-h | --help) print_help bench; exit ;;
instructions)
   shift
   case ${1:-} in
   -h | --help) print_help bench; exit ;;
   esac
   need_setup bench
   need_build
   exec "$python" "$front/bench_instructions.py" --build "$build" "$@"
   ;;
workers)
   shift
   case ${1:-} in
   '' | -h | --help) print_help bench; exit ;;
   esac
   need_setup bench
   need_build
   exec "$python" "$front/bench_workers.py" --build "$build" "$@"
   ;;
sim)
   shift
   need_build
   exec "$build/src/tools/sim/sgpu-sim" --bench "$@"
   ;;
esac

# end_bench STATUS: ends bench.py, which ends the programs that it measures, and exits.
end_bench() {
   kill $bench 2>/dev/null || :
   wait $bench || :
   exit "$1"
}

need_setup build run bench
need_build
print_env >/dev/null # reports errors before the X server starts
unset DISPLAY WAYLAND_DISPLAY EGL_PLATFORM
start_xvfb
status=0
# Runs in the background, because a shell handles signals only after a command in the foreground
# has ended.
"$python" "$front/bench.py" --build "$build" --environment "$(print_env)" "$@" &
bench=$!
trap 'end_bench 129' HUP
trap 'end_bench 130' INT
trap 'end_bench 143' TERM
wait $bench || status=$?
exit $status
