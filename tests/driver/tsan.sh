#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: tests/driver/tsan.sh [ROUND...]
#
# Runs two threads with shared textures (threads.c) under ThreadSanitizer.  The build folder is
# build-tsan-driver.  Mesa is instrumented, too, because its locks order many of the driver's
# accesses.  The first build takes as long as a build of Mesa.  ROUND: values of SGPU_DEBUG; each
# is one run (default: notc).  The exit status is 0 if no race was reported.  SGPU_TESTLOG is the
# name of a file for the results, with one JSON object per line as `meson test` writes it.
set -eu

top=$(cd "$(dirname "$0")/../.." && pwd)
dri=src/gallium/targets/dri
export SGPU_BUILD="${SGPU_BUILD:-$top/build}-tsan-driver"
[ $# -gt 0 ] || set -- notc

SGPU_MESON_OPTIONS='-Doptimization=1 -Db_sanitize=thread -Dc_args=-g1
   -Dcpp_args=-g1' \
   "$top/sgpu" build $dri/sgpu_dri.so $dri/swrast_dri.so \
   $dri/kms_swrast_dri.so tests/driver/driver_threads

# The sanitizer's runtime does not support every address layout, so disable randomization.
wrapper=''
! setarch -R true 2>/dev/null || wrapper='setarch -R'

export EGL_PLATFORM=surfaceless SGPU_NO_BUILD=1
export TSAN_OPTIONS="suppressions=$top/tests/driver/tsan.supp:second_deadlock_stack=1:history_size=7"
status=0
for round; do
   result=OK
   # The runtime calls Mesa's exit handlers at the very end, when EGL has already unloaded the
   # driver.  Preloading keeps the driver loaded.
   SGPU_DEBUG=$round "$top/sgpu" run -- $wrapper sh -c \
      'LD_PRELOAD=$LIBGL_DRIVERS_PATH/swrast_dri.so exec "$1"' \
      sh "$SGPU_BUILD/tests/driver/driver_threads" || result=FAIL
   [ $result = OK ] || status=1
   [ -z "${SGPU_TESTLOG:-}" ] ||
      printf '{"name": "threads %s", "result": "%s"}\n' "$round" $result \
         >>"$SGPU_TESTLOG"
done
exit $status
