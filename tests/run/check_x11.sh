#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Runs tests of windows, each in a separate process, in one X server with extra options.  A test
# fails if the driver lacks a feature that the test needs.
# usage: check_x11.sh SGPU XVFB-OPTIONS PROGRAM TEST...
set -u
sgpu=$1 program=$3
SGPU_XVFB=$2
export SGPU_XVFB
shift 3
unset DISPLAY WAYLAND_DISPLAY EGL_PLATFORM
# shellcheck disable=SC2016
exec "$sgpu" run -- sh -c '
   program=$1 failures=0
   shift
   for test; do
      said=$(timeout 60 "$program" "$test" 2>&1)
      status=$?
      [ -z "$said" ] || echo "$said"
      case $said in
      *"sgpu: missing"*) status=missing ;;
      esac
      [ "$status" = 0 ] || {
         echo "$test: failed with status $status"
         failures=$((failures + 1))
      }
   done
   [ $failures -eq 0 ]' check_x11 "$program" "$@"
