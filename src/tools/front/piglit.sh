# usage: sgpu piglit PROFILE [OPTION...]
#
# Runs tests of piglit on sgpu and compares the results with the lists of
# piglit-profiles/: the exit status is 0 only if every result is the expected one.
# docs/piglit.md describes the lists and their form.
#
# PROFILE: daily (minutes), ci (at most 12 minutes on two cores), full, window
#          (window systems), gl33, gl21 (tests of these versions), or one of
#          piglit's own: sanity, quick_gl, quick_shader, ...
#
#   --jobs N         tests at a time (default: one per processor)
#   --shard I/N      only the I-th of N parts
#   --tests REGEX    only the tests that match
#   --group NAME     only the tests that the list piglit-profiles/NAME.txt chooses
#   --minutes N      stop after about N minutes; the same command then continues,
#                    as it does after Ctrl-C
#   --isolate        a process for each test: without it, one runs a few tens of shader
#                    tests, and those that do not pass run again by themselves
#   --fresh          delete the results in the results folder first
#   --resume         continue even if the driver was built again
#   --again          only run the tests again that have results other than pass
#                    and skip (after a build, with --resume)
#   --timeout S      seconds for a test (default 60)
#   --results DIR    the folder for the results
#                    (default: build/piglit/PROFILE)
#   --compare LIST   run the same on llvmpipe, softpipe or both (LIST is
#                    llvmpipe,softpipe), and write a report side by side
#   --reference F    the same with results.csv of another run; NAME=F gives it
#                    a name, and several of the same name are one
#   --driver NAME    run on llvmpipe or softpipe instead of sgpu
#
# Left in the results folder: results.csv (a row per test and subtest),
# unexpected.txt, output.txt (what these tests said), compare.txt, and
# witnesses.txt (a test for each entry of the lists, see docs/piglit.md).

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
