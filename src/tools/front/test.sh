# usage: sgpu test [SUITE...]
#
# Builds and runs the tests, all of them or those of the suites (isa, device,
# compiler, driver, run, ...).  The last line says how it went; the exit
# status is 0 only if something ran and nothing failed.

suites=''
for arg; do
   case $arg in
   -h | --help) print_help test; exit ;;
   -*) die "test has no option '$arg'" ;;
   *) suites="$suites --suite sgpu:$arg" ;;
   esac
done

need_setup build run test
"$top/sgpu" build products meson-test-prereq

# Each test says itself what it needs of the environment.
unset DISPLAY WAYLAND_DISPLAY LIBGL_DRIVERS_PATH GALLIUM_DRIVER
results=$build/meson-logs/testlog.json
rm -f "$results"
status=0
# shellcheck disable=SC2086
meson test -C "$build" --no-rebuild --print-errorlogs \
   ${suites:---suite sgpu} </dev/null || status=$?
python3 "$front/test_summary.py" "$results" $status
