# usage: sgpu bench [WORKLOAD...] [OPTION...]
#        sgpu bench instructions [CAPTURE...] [OPTION...]
#        sgpu bench sim [OPTION...] FILE.sgcap...
#
# Measures workloads on sgpu and on the system's llvmpipe and softpipe, of the
# same Mesa, alternately in one X server.  Prints the ratio of their frames per
# second: the median over the pairs, with a 95 % interval.
#
# WORKLOAD: glxgears, es2gears, glmark2:SCENE, glmark2-es2:SCENE, a scene with
#           options as glmark2 takes them (glmark2:bump:bump-render=height),
#           compute:particles, blur, reduction, matrix or scan (compute
#           programs, whose results are checked first), or a GL trace (FILE.trace, its last frame over and over);
#           default: glxgears and the glmark2 scenes build, texture, shading
#           and bump
#
#   --against LIST   of llvmpipe, softpipe (default: both), other build folders
#                    of sgpu, with a slash in their names, or NAME=VALUE: sgpu
#                    with this variable, like SGPU_DISPATCH=ooo+split
#   --pairs N        (default 15)
#   --seconds S      measured in each run, after a warm-up (default 2)
#   --json F         every measurement, as JSON
#   --profile        print sgpu's time by hardware block (perf) instead
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
sim)
   shift
   need_build
   exec "$build/src/tools/sim/sgpu-sim" --bench "$@"
   ;;
esac

need_setup build run bench
need_build
print_env >/dev/null # reports errors before the X server starts
unset DISPLAY WAYLAND_DISPLAY EGL_PLATFORM
start_xvfb
status=0
"$python" "$front/bench.py" --build "$build" --environment "$(print_env)" \
   "$@" || status=$?
exit $status
