# usage: sgpu bench [WORKLOAD...] [OPTION...]
#        sgpu bench instructions [CAPTURE...] [OPTION...]
#        sgpu bench workers [OPTION...] CAPTURE...
#        sgpu bench sim [OPTION...] FILE.sgcap...
#
# Measures workloads on sgpu and on the system's llvmpipe and softpipe, of the
# same Mesa, alternately in one X server.  Prints the ratio of their frames per
# second: the median over the pairs, with a 95 % interval.
#
# WORKLOAD: glxgears, es2gears, glmark2:SCENE, glmark2-es2:SCENE, a scene with
#           options as glmark2 takes them (glmark2:bump:bump-render=height),
#           compute:NAME, micro:NAME, program:NAME, a GL trace (FILE.trace, its
#           last frame over and over), cold:FILE.trace (replayed once, with empty
#           caches: one over the seconds of its worst frame; and the time by
#           which the whole replay is longer than one that draws nothing), or
#           a group:
#
#   scenes     glxgears and all scenes of glmark2
#   micro      one part of the device at a time, and starts of processes
#              (build/src/tools/bench/sgpu-micro lists them); the picture is
#              checked first; with the limit beside sgpu's figure: bytes against
#              a copy by all processors, lanes with a pixel, workers at work
#   compute    particles, blur, reduction, matrix, scan: results are checked first
#   programs   webgl (a page in Chromium: SGPU_PAGE=FILE.html, or one of
#              tests/programs), gtk, qt, weston, mpv, atlantis; those that are
#              not installed are skipped
#   traces     the *.trace files of a folder (--traces)
#   all        all of these; traces if a folder is named
#
#           default: glxgears and the glmark2 scenes build, texture, shading
#           and bump
#
#   --against LIST   of llvmpipe, softpipe (default: both), swiftshader (program:webgl
#                    only), other build folders of sgpu, with a slash in their
#                    names, or NAME=VALUE: sgpu with this variable, like
#                    SGPU_DISPATCH=ooo+split
#   --pairs N        (default 15)
#   --seconds S      measured in each run, after a warm-up (default 2)
#   --limit S        seconds that a run may take beyond these (default 300); a run that is late
#                    ends, and the stacks of its threads are printed
#   --traces DIR     the folder of the group traces (default: SGPU_TRACES)
#   --json F         every measurement, as JSON
#   --plot F         the ratios as a plot, F.svg or F.png
#   --profile        print sgpu's time by hardware block (perf) instead
#
# A driver that does not run a workload, or draws a wrong picture, has no ratio there.  The
# interval of a median needs 6 pairs; that of a geometric mean is a bootstrap over pairs.  The
# exit status is 1 if sgpu does not run a workload, 2 if no driver does, or if one is missing
# on this machine; then nothing is measured.
#
# instructions counts the instructions of a frame of captures, which other work on the
# machine does not change: replays by one worker under Valgrind, the second of two
# loops, by hardware block.  Needs no X server.
#
#   CAPTURE          a file, or a name of tests/captures and tests/frames;
#                    default: those of tests/captures/instructions.json
#   --against BUILD/ also another build folder, and the differences
#   --functions N    also the N functions that take most
#   --level v2|v3    the host level (default: v3; Valgrind has no AVX-512)
#   --check          compare with the file; the exit status is 1 if a capture takes more
#   --update         write the figures to the file
#   --json F         every figure, as JSON
#
# workers simulates a machine with more processors: captures are replayed by workers
# that take turns on one processor, and their time is laid out by the device's own
# queues and lock.  Shared caches and memory bandwidth are not simulated.  Prints the
# milliseconds of a frame, the gain, how much of their time workers have work, and how
# much of it is waiting for the lock.
#
#   --workers LIST   (default 1,2,4,8,16,32)
#   --rounds N       of all these, in turn (default 3), of N --loops each (default 6)
#   --slow N         half of the workers take N times as long: hybrid processors
#   --json F, --plot F
#
# sim measures a timing model instead (options as of sgpu sim): simulated cycles
# per second of CPU time, on one thread; with --verify also with verification;
# with --config g80 the Tesla chip, and its memory

case ${1:-} in
-h | --help) print_help bench; exit ;;
instructions)
   shift
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

# What it measures ends with it.
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
# In the background, since a shell acts on signals only when what it waits for has ended.
"$python" "$front/bench.py" --build "$build" --environment "$(print_env)" "$@" &
bench=$!
trap 'end_bench 129' HUP
trap 'end_bench 130' INT
trap 'end_bench 143' TERM
wait $bench || status=$?
exit $status
