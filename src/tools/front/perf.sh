# usage: sgpu perf [OPTION...] -- PROGRAM [ARGUMENT...]
#        sgpu perf [OPTION...] FILE.sgcap
#        sgpu perf [OPTION...] --read FOLDER
#
# Says where the time of a program, or of the replay of a capture, goes: by block of
# the device and the driver, by operation (draw, transfer, grid), by shader program with the
# instructions at which machine code leaves off, by path of the texture units, and by wait.
# Samples threads of all processes that use OpenGL of sgpu, each 2.5 ms of CPU time.
#
#   --seconds S        end the program after S seconds (default: when it ends)
#   --loops N          replay the capture N times (default 20)
#   --rows N           rows of each table (default 15)
#   --json F           also write all sums as JSON; with F = -, write only them, to stdout
#   --flame F          write a flame graph: F.html (one can zoom and search), F.svg, or
#                      F.folded (lines for speedscope and flamegraph.pl)
#   --keep FOLDER      keep the files of the profiler there, in a new folder
#   --read FOLDER      read such files, and run nothing; also of programs that ran with
#                      SGPU_DEBUG=profile=FOLDER
#   --force            replace files that exist
#
# The exit status is that of the program.  docs/perf.md describes the tables.

[ $# -gt 0 ] || { print_help perf >&2; exit 2; }
case $1 in
-h | --help) print_help perf; exit ;;
esac
need_setup build run
need_build
exec "$python" "$front/perf.py" --build "$build" "$@"
