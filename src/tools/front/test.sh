# usage: sgpu test [--times | --write-times] [SUITE...]
#
# Builds and runs the tests of the given suites (isa, device, compiler, driver, run, docs,
# ...).  Without SUITE, runs all tests that need only one build and few packages.  The last
# line has the counts.  The lines before it list the tests that failed, the tests or parts of
# tests that were skipped ("skipped"), the suites of which no test ran ("not run"), the
# tests that took more than twice their time in tests/times.txt ("slow"), and the tests that
# were not selected ("left out").  The exit status is 0 only if a test passed and none failed.
# If CI is set, a suite of which no test ran counts as a failure.
#
#   --times        print a table with the seconds of each build and of the tests of each suite
#   --write-times  write the times of the tests to tests/times.txt
#
# `sgpu test more` runs the tests that are left out without SUITE.  These are tests that
# need large packages (a browser, plots, another compiler), and the following suites, which
# have separate build folders next to build/:
#
#   asan      the tests of isa, device, captures, timing and compiler, in a debug build with
#             AddressSanitizer and UndefinedBehaviorSanitizer
#   tsan      the tests of whole devices, with ThreadSanitizer
#   aarch64   the tests of isa, device, captures and compiler, and the recorded cycles of the
#             timing models, cross-compiled and run by qemu-user; without the tests of the
#             suite `any-host`
#   piglit    the profile ci of sgpu piglit
#
# These suites run only if they are named, because they build all of Mesa again:
#
#   asan-driver  programs, gears and glmark2 on a debug build of driver and Mesa with
#             AddressSanitizer and UndefinedBehaviorSanitizer
#   tsan-driver  two threads that draw with shared textures, on a build of driver and Mesa
#             with ThreadSanitizer

suites='' extra='' all='' times=''
for arg; do
   case $arg in
   -h | --help) print_help test; exit ;;
   --times | --write-times) times=$arg ;;
   -*) die "test has no option '$arg'" ;;
   more) suites="$suites more" extra="$extra asan tsan aarch64 piglit" ;;
   aarch64 | asan | tsan | piglit | asan-driver | tsan-driver) extra="$extra $arg" ;;
   *) suites="$suites $arg" ;;
   esac
done
[ -n "$suites$extra" ] || all=1

# File for test_summary.py with a line for each run of tests: NAME STATUS LOG SUITES SECONDS.  The
# seconds are those of the build.
runs=$(mktemp)
trap 'rm -f "$runs"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
add_run() {
   printf '%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "${4:-}" "${seconds:-}" >>"$runs"
}

# absent SUITE REASON: records that a suite cannot run on this machine.
absent() {
   say "suite $1: not run, for $2"
   add_run "$1" absent "$2"
}

# have PROGRAM...: returns whether all these programs are installed.
have() {
   for program; do
      command -v "$program" >/dev/null || return 1
   done
}

# A command prefix to run Meson with, and a factor for the time limits of tests.  The limits are
# meant for tests that hang, not for slow or busy machines.
wrapper='' factor=3

# run_tests NAME FOLDER SUITE...: runs Meson's tests in a folder that has been built.  Without
# SUITE, runs all tests of this project except those of the suite `more`.  -SUITE leaves out the
# tests of a suite.
run_tests() {
   name=$1 folder=$2
   shift 2
   log=$folder/meson-logs/testlog.json
   rm -f "$log"
   chosen='' ran=''
   for suite; do
      case $suite in
      -*) chosen="$chosen --no-suite sgpu:${suite#-}" ;;
      *) chosen="$chosen --suite sgpu:$suite" ran="$ran $suite" ;;
      esac
   done
   status=0
   # shellcheck disable=SC2086
   $wrapper meson test -C "$folder" --no-rebuild --print-errorlogs \
      --timeout-multiplier $factor ${chosen:---suite sgpu --no-suite sgpu:more} \
      </dev/null || status=$?
   add_run "$name" $status "$log" "$ran"
}

# timed_build FOLDER TARGET...: builds, and sets $seconds to the time that it took.
timed_build() {
   folder=$1
   shift
   start=$(date +%s)
   status=0
   SGPU_BUILD=$folder SGPU_MESON_OPTIONS=$options "$top/sgpu" build "$@" || status=$?
   seconds=$(($(date +%s) - start))
   return $status
}

# run_extra NAME SUITE...: builds and runs tests in a separate build folder.  $options contains the
# options for its first configuration.
run_extra() {
   name=$1
   shift
   say "suite $name, in $build-$name"
   # First configure the folder, to find out which programs the tests need, and then build these.
   if timed_build "$build-$name" build.ninja &&
      targets=$("$python" "$front/test_targets.py" "$build-$name" "$@") &&
      configured=$seconds &&
      # shellcheck disable=SC2086
      timed_build "$build-$name" $targets; then
      seconds=$((configured + seconds))
      run_tests "$name" "$build-$name" "$@"
   else
      add_run "$name" unbuilt -
   fi
}

# Uses the linker mold if it is installed.  It links the large programs with sanitizers in a fifth
# of the time.  mold 1.10 starts RELRO with .tbss, after the text.  Without separate-code, if the
# text ends in the last bytes of a page, RELRO would start in a page that is not mapped, and the
# loader would end the program.
fast_links() {
   if have mold && gcc -fuse-ld=mold -E - </dev/null >/dev/null 2>&1; then
      export CC_LD=mold CXX_LD=mold LDFLAGS=-Wl,-z,separate-code
   fi
}

# run_logged NAME LOG COMMAND...: runs a command that runs tests and writes their results to LOG,
# in Meson's format.
run_logged() {
   name=$1 log=$2
   shift 2
   say "suite $name"
   mkdir -p "${log%/*}"
   rm -f "$log"
   status=0 seconds=
   "$@" </dev/null || status=$?
   add_run "$name" $status "$log"
}

need_setup build test
# Each test sets the environment variables that it needs.
unset DISPLAY WAYLAND_DISPLAY LIBGL_DRIVERS_PATH GALLIUM_DRIVER

options=${SGPU_MESON_OPTIONS:-}
if [ -n "$suites$all" ]; then
   need_setup run
   case " $suites " in
   *' more '*) need_setup more || : ;; # without a program, its tests are skipped, or fail in CI
   esac
   if timed_build "$build" products meson-test-prereq; then
      # shellcheck disable=SC2086
      run_tests - "$build" $suites
   else
      add_run - unbuilt -
   fi
fi

factor=5
for name in $extra; do
   seconds=
   unset CC_LD CXX_LD LDFLAGS
   case $name in
   aarch64)
      options="--cross-file $top/build-sysroot/cross.ini --cross-file $front/aarch64.ini
         -Dmodules=isa,device,capture,timing,compiler,gallium -Doptimization=1"
      if [ "$(uname -m)" = aarch64 ]; then
         say 'suite aarch64: not needed, since the other suites run on aarch64'
      elif need_setup aarch64 &&
         have aarch64-linux-gnu-gcc aarch64-linux-gnu-g++ qemu-aarch64; then
         run_extra aarch64 isa device captures compiler driver host -any-host
      else
         absent aarch64 'the cross compiler or qemu-aarch64 could not be installed'
      fi
      ;;
   asan)
      options='--buildtype=debug -Doptimization=1 -Dc_args=-g1 -Dcpp_args=-g1 -Dmodules=isa,device,capture,timing,compiler
         -Dlevels=v2,v3 -Db_sanitize=address -Dubsan=true'
      fast_links
      export ASAN_OPTIONS=detect_stack_use_after_return=1
      export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
      run_extra asan isa device captures timing compiler -more
      ;;
   tsan)
      options='-Doptimization=1 -Db_ndebug=false -Dmodules=isa,device,timing
         -Dlevels=v2,v3 -Db_sanitize=thread'
      fast_links
      export TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1
      # The runtime of ThreadSanitizer supports at most 28 random bits in addresses.
      if setarch -R true 2>/dev/null; then
         wrapper='setarch -R'
      elif [ "$(cat /proc/sys/vm/mmap_rnd_bits)" -gt 28 ]; then
         absent tsan 'addresses have more than 28 random bits (vm.mmap_rnd_bits) and setarch is not permitted'
         continue
      fi
      run_extra tsan threads
      wrapper=''
      ;;
   piglit)
      need_setup piglit || :
      version=$(dpkg-query -W -f '${Version}' piglit 2>/dev/null || :)
      if ! have piglit wflinfo; then
         absent piglit 'piglit could not be installed'
      elif [ -n "${version##*git20220119*}" ]; then
         absent piglit "the lists expect Debian 12's piglit, not version $version"
      else
         run_logged piglit "$build/piglit/ci/testlog.json" \
            "$top/sgpu" piglit ci --fresh
      fi
      ;;
   asan-driver | tsan-driver)
      # If programs are missing, their tests are reported as skipped.
      [ "$name" = tsan-driver ] || need_setup bench || :
      log=$build-$name/sgpu-testlog.json
      SGPU_TESTLOG=$log run_logged "$name" "$log" \
         "$top/tests/driver/${name%-driver}.sh"
      ;;
   esac
done

[ -z "$all" ] || "$python" "$front/test_targets.py" "$build" --left-out >>"$runs"
"$python" "$front/test_summary.py" $times --known "$top/tests/times.txt" "$runs"
