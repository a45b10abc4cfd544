#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: tests/driver/asan.sh [TRACE...]
#
# Runs programs on a driver that was built with AddressSanitizer, including Mesa's part of it.
# The project's code is also built with UndefinedBehaviorSanitizer.  Assertions and Mesa's
# validation of NIR are enabled.  The build folder is build-asan-driver; the first build takes
# as long as a build of Mesa.
#
# First, the programs of tests/driver run with LeakSanitizer.  Then gears and, if glmark2 is
# installed, its scenes run for a part of a second each.  Then the TRACEs run, for at most one
# minute each; traces of EGL programs must have gles in their names.
# The exit status is 0 if no program failed and the sanitizers reported nothing.  SGPU_TESTLOG
# is the name of a file for the results, with one JSON object per line as `meson test` writes it.
set -eu

top=$(cd "$(dirname "$0")/../.." && pwd)
export SGPU_BUILD="${SGPU_BUILD:-$top/build}-asan-driver"

# All programs of tests/driver run, except for:
#   feedback   an assertion of Mesa's linker fails for a captured gl_TexCoord[n], because the
#              linker replaces it by a new varying
#   growth     measures the memory of the process, which the sanitizer changes
# lifecycle and persistent_frames run below with other arguments.  debug_words draws nothing.
left_out='feedback growth'
programs=''
for file in "$top"/tests/driver/*.c; do
   program=$(basename "$file" .c)
   case " $left_out debug_words lifecycle persistent_frames " in
   *" $program "*) ;;
   *) programs="$programs $program" ;;
   esac
done

# shellcheck disable=SC2046
SGPU_MESON_OPTIONS='--buildtype=debug -Doptimization=1 -Db_sanitize=address
   -Dubsan=true -Db_lundef=false' \
   "$top/sgpu" build products \
   $(for program in $programs lifecycle persistent_frames; do echo "tests/driver/driver_$program"; done)
export SGPU_NO_BUILD=1

# Programs without instrumentation must load the runtimes of the sanitizers first.
preload="$(cc -print-file-name=libasan.so) $(cc -print-file-name=libubsan.so)"
logs=$(mktemp -d)
mkdir "$logs/reports"
trap 'rm -rf "$logs"' EXIT
export ASAN_OPTIONS="log_path=$logs/reports/r:detect_leaks=0:detect_stack_use_after_return=1"
export UBSAN_OPTIONS="log_path=$logs/reports/r:print_stacktrace=1"
failed=0

# log NAME RESULT: writes a result to the file SGPU_TESTLOG, if it is set.
log() {
   [ -z "${SGPU_TESTLOG:-}" ] ||
      printf '{"name": "%s", "result": "%s"}\n' "$1" "$2" >>"$SGPU_TESTLOG"
}

# check NAME COMMAND...: checks that the command succeeds and the sanitizers report nothing.
check() {
   name=$1
   shift
   status=0
   "$@" >"$logs/output" 2>&1 </dev/null || status=$?
   if [ $status -eq 0 ] && [ -z "$(ls "$logs/reports")" ]; then
      echo "ok   $name"
      log "$name" OK
   else
      log "$name" FAIL
      echo "FAIL $name (exit status $status)"
      failed=$((failed + 1))
      tail -n 20 "$logs/output"
      cat "$logs"/reports/* 2>/dev/null || :
   fi
   rm -f "$logs"/reports/*
}

# Runs a program without instrumentation in a new X server.
run() {
   env -u EGL_PLATFORM -u DISPLAY -u WAYLAND_DISPLAY \
      "$top/sgpu" run "$@"
}

# Runs an instrumented program with LeakSanitizer.  The driver is preloaded, so that it stays loaded
# until the end and reports of leaks have the names of its functions.
own() {
   # shellcheck disable=SC2016
   EGL_PLATFORM=surfaceless ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=1" \
      "$top/sgpu" run -- sh -c \
      'LD_PRELOAD="$0 $LIBGL_DRIVERS_PATH/swrast_dri.so" exec "$@"' \
      "$preload" "$@"
}

tests=$SGPU_BUILD/tests/driver
for program in $programs; do
   check "$program" own "$tests/driver_$program"
done
# `fork` does not run: another thread may hold the lock of the runtime's allocator at the fork, and
# the lock then stays locked in the child (GCC 12).
for what in exit signals dlclose first; do
   check "lifecycle $what" run -- env EGL_PLATFORM=surfaceless \
      "$tests/driver_lifecycle" $what
done

check persistent_frames run -- "$tests/driver_persistent_frames" frames

for program in $left_out 'lifecycle fork'; do
   echo "skip $program"
   log "$program" SKIP
done
for program in glxgears es2gears_x11 glmark2 glmark2-es2; do
   command -v $program >/dev/null || {
      echo "skip $program: not installed"
      log "$program" SKIP
   }
done

for program in glxgears es2gears_x11; do
   check $program run --frames 30 -- env LD_PRELOAD="$preload" $program
done
for program in glmark2 glmark2-es2; do
   command -v $program >/dev/null || continue
   for scene in $($program --list-scenes | sed -n 's/^\[Scene\] *\([a-z0-9]*\).*/\1/p'); do
      check "$program $scene" run -- env LD_PRELOAD="$preload" \
         $program -s 300x200 -b "$scene:duration=0.2"
   done
done
for trace; do
   case $(basename "$trace") in
   *gles*) retrace=eglretrace ;;
   *) retrace=glretrace ;;
   esac
   check "$(basename "$trace")" run -- env LD_PRELOAD="$preload" \
      sh -c 'timeout 60 "$@" || [ $? -eq 124 ]' sh $retrace -b "$trace"
done

echo "$failed failed"
[ $failed -eq 0 ]
