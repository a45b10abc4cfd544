# usage: sgpu piglit PROFILE [OPTION...]
#
# Runs piglit tests on sgpu, and compares the results with the lists of expected
# results in piglit-profiles/.  The exit status is 0 only if all results are as
# expected.  docs/piglit.md describes the lists and their format.
#
# PROFILE: daily (minutes), ci (at most 12 minutes on two cores), full, window
#          (window systems), gl33, gl21 (tests of these versions), or a profile
#          of piglit: sanity, quick_gl, quick_shader, ...
#
#   --jobs N         number of tests to run in parallel (default: one per processor)
#   --shard I/N      run only part I of N parts, counted from 1
#   --tests REGEX    run only tests with names that match
#   --group NAME     run only tests that the list piglit-profiles/NAME.txt chooses
#   --minutes N      stop after about N minutes; the same command then continues,
#                    as it does after Ctrl-C
#   --isolate        run each test in a separate process (default: a process runs up
#                    to 32 shader tests, and those that do not pass run again alone)
#   --fresh          first delete the results in the results folder
#   --resume         continue even if the driver has been built again
#   --again          only repeat tests with results other than pass and skip
#                    (together with --resume after a build)
#   --timeout S      time limit for a test in seconds (default 60)
#   --results DIR    folder for the results (default: build/piglit/PROFILE)
#   --compare LIST   also run the tests on other drivers (LIST: llvmpipe, softpipe
#                    or llvmpipe,softpipe), and write a report side by side
#   --reference F    also compare with F, the results.csv of another run; NAME=F
#                    gives it a name, and files with the same name are merged
#   --driver NAME    run on llvmpipe or softpipe instead of sgpu
#
# The results folder contains results.csv (a row per test and subtest),
# unexpected.txt, output.txt (the output of the unexpected tests), compare.txt,
# and witnesses.txt (a test for each entry of the lists, see docs/piglit.md).

case ${1:-} in
-h | --help) print_help piglit; exit ;;
'' | -*) print_help piglit >&2; exit 2 ;;
esac

need_setup build run piglit
need_build
print_env >/dev/null # reports errors before the X server starts
unset DISPLAY WAYLAND_DISPLAY EGL_PLATFORM
start_xvfb
status=0
"$python" "$front/piglit.py" --lists "$top/piglit-profiles" \
   --build "$build" --environment "$(print_env)" "$@" || status=$?
exit $status
