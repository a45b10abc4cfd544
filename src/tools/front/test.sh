# usage: sgpu test [SUITE...]
#
# Builds and runs the tests, all of them or those of the suites (isa, device,
# compiler, driver, run, docs, ...).  The last line says how it went; the exit
# status is 0 only if something ran and nothing failed.
#
# These suites have build folders of their own, beside build/; without SUITE
# they are run too:
#
#   asan      the tests of isa, device, captures and compiler, a debug build with
#             AddressSanitizer and UndefinedBehaviorSanitizer
#   tsan      those of whole devices, with ThreadSanitizer
#   aarch64   those of isa, device, captures and compiler, cross-compiled, under qemu-user;
#             skipped where there is no cross compiler and none to install
#   piglit    the profile ci of sgpu piglit; skipped where piglit is not there
#             and cannot be installed
#
# And these run only when they are named, for they build all of Mesa again:
#
#   asan-driver  programs, gears and glmark2 on a debug driver and Mesa with
#             AddressSanitizer and UndefinedBehaviorSanitizer
#   tsan-driver  two threads that draw with shared textures, with driver and
#             Mesa under ThreadSanitizer

suites='' extra=''
for arg; do
   case $arg in
   -h | --help) print_help test; exit ;;
   -*) die "test has no option '$arg'" ;;
   aarch64 | asan | tsan | piglit | asan-driver | tsan-driver) extra="$extra $arg" ;;
   *) suites="$suites --suite sgpu:$arg" ;;
   esac
done
if [ $# -eq 0 ]; then
   suites='--suite sgpu'
   extra='asan tsan aarch64 piglit'
fi

# What each folder's run gave, for the last line: NAME STATUS LOG.
summary=''
# Runs Meson.
wrapper=''

# run_tests NAME FOLDER ARGUMENT...: Meson's tests in a folder that is built.
run_tests() {
   name=$1 folder=$2
   shift 2
   log=$folder/meson-logs/testlog.json
   rm -f "$log"
   status=0
   $wrapper meson test -C "$folder" --no-rebuild --print-errorlogs "$@" \
      </dev/null || status=$?
   summary="$summary $name $status $log"
}

# run_extra NAME ARGUMENT...: the same in the suite's own folder; the options
# of its first configuration are in $options.
run_extra() {
   name=$1
   shift
   say "suite $name, in $build-$name"
   if SGPU_BUILD=$build-$name SGPU_MESON_OPTIONS=$options \
      "$top/sgpu" build meson-test-prereq; then
      run_tests "$name" "$build-$name" "$@"
   else
      summary="$summary $name unbuilt -"
   fi
}

need_setup build test
# Each test says itself what it needs of the environment.
unset DISPLAY WAYLAND_DISPLAY LIBGL_DRIVERS_PATH GALLIUM_DRIVER

if [ -n "$suites" ]; then
   need_setup run
   "$top/sgpu" build products meson-test-prereq
   # Limits are for what hangs, not for slow or busy machines.
   # shellcheck disable=SC2086
   run_tests - "$build" $suites --timeout-multiplier 3
fi

for name in $extra; do
   case $name in
   aarch64)
      options="--cross-file $front/aarch64.ini -Drooms=isa,device,capture,compiler"
      if [ "$(uname -m)" = aarch64 ]; then
         say 'suite aarch64: this is the host that it is about'
         summary="$summary aarch64 skipped -"
      elif need_setup aarch64 && command -v aarch64-linux-gnu-gcc \
         aarch64-linux-gnu-g++ qemu-aarch64 >/dev/null; then
         run_extra aarch64 --suite sgpu:isa --suite sgpu:device \
            --suite sgpu:captures --suite sgpu:compiler --timeout-multiplier 5
      else
         say 'suite aarch64: skipped, for there is no cross compiler or no' \
            'qemu-aarch64 here, and they could not be installed'
         summary="$summary aarch64 skipped -"
      fi
      ;;
   asan)
      options='--buildtype=debug -Doptimization=1 -Drooms=isa,device,capture,compiler
         -Db_sanitize=address -Dubsan=true'
      export ASAN_OPTIONS=detect_stack_use_after_return=1
      export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
      run_extra asan --suite sgpu:isa --suite sgpu:device \
         --suite sgpu:captures --suite sgpu:compiler --timeout-multiplier 5
      ;;
   tsan)
      options='-Doptimization=1 -Db_ndebug=false -Drooms=isa,device
         -Db_sanitize=thread'
      export TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1
      # Its runtime knows random addresses of 28 bits, no more.
      if setarch -R true 2>/dev/null; then
         wrapper='setarch -R'
      elif [ "$(cat /proc/sys/vm/mmap_rnd_bits)" -gt 28 ]; then
         say 'suite tsan: skipped, for addresses are too random here' \
            '(vm.mmap_rnd_bits) and setarch is not permitted'
         summary="$summary tsan skipped -"
         continue
      fi
      run_extra tsan --suite sgpu:threads --timeout-multiplier 5
      wrapper=''
      ;;
   piglit)
      if need_setup piglit && command -v piglit wflinfo >/dev/null; then
         say 'suite piglit'
         status=passed
         "$top/sgpu" piglit ci --fresh </dev/null || status=failed
         summary="$summary piglit $status -"
      else
         say 'suite piglit: skipped, for piglit is not here and could not be' \
            'installed'
         summary="$summary piglit skipped -"
      fi
      ;;
   asan-driver | tsan-driver)
      status=passed
      "$top/tests/driver/${name%-driver}.sh" </dev/null || status=failed
      summary="$summary $name $status -"
      ;;
   esac
done

# shellcheck disable=SC2086
"$python" "$front/test_summary.py" $summary
