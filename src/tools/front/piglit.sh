# usage: sgpu piglit PROFILE [OPTION...]
#
# Runs a profile of piglit (sanity, quick_gl, quick_shader, ...) on sgpu and
# compares with the lists piglit-profiles/PROFILE-{fails,flakes,skips}.txt;
# the exit status is 0 only if every result is the expected one.
#
#   --jobs N         tests at a time (default: one per processor)
#   --shard I/N      only the I-th of N parts
#   --tests REGEX    only the tests that match
#   --group NAME     only the tests of the group piglit-profiles/NAME.txt
#   --minutes N      stop after about N minutes; the next run with the same
#                    results folder goes on from there
#   --timeout S      seconds for a test (default 60)
#   --results DIR    where to keep the results
#                    (default: build/piglit/PROFILE)
#   --reference F    also compare with results.csv of another run or driver:
#                    tests that pass there and not here, and the reverse
#
# Left in the results folder: results.csv (a row per test and subtest),
# unexpected.txt, and piglit's own results, for `piglit summary`.

case ${1:-} in
-h | --help) print_help piglit; exit ;;
'' | -*) print_help piglit >&2; exit 2 ;;
esac

need_setup build run piglit
need_build
export_env
unset DISPLAY WAYLAND_DISPLAY EGL_PLATFORM
start_xvfb
# A driver that does not load makes piglit skip its tests in silence.
glxinfo -B | grep -q '^OpenGL renderer string: sgpu' ||
   die "programs do not run on sgpu here: try sgpu info"
status=0
"$python" "$front/piglit.py" --lists "$top/piglit-profiles" \
   --build "$build" "$@" || status=$?
exit $status
