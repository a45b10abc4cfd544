#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Tests the output of the front command and the exit statuses of `sgpu run`.
# usage: check_front.sh SGPU
set -u
sgpu=$1
failures=0

# check STATUS TEXT ARGUMENT...: checks sgpu's exit status and a part of its output
check() {
   status=$1 text=$2
   shift 2
   # Print each command first, so that the log of a run that times out shows which one hung.
   echo "sgpu $*"
   output=$("$sgpu" "$@" 2>&1)
   found=$?
   case $output in
   *"$text"*) ;;
   *)
      echo "sgpu $*: no '$text' in: $output"
      failures=$((failures + 1))
      ;;
   esac
   [ $found -eq "$status" ] || {
      echo "sgpu $*: status $found, expected $status"
      failures=$((failures + 1))
   }
}

check 0 'usage: sgpu [--limit S] COMMAND' --help
for command in setup build run env doctor info test piglit bench trace retrace capture \
               replay decode diff reduce inspect; do
   check 0 "usage: sgpu $command" $command --help
done
check 0 '(Mesa 25.' --version
check 1 "no command 'nonsense'" nonsense
check 1 "no option '--nonsense'" run --nonsense

check 0 LIBGL_DRIVERS_PATH= env

# Commands that do not wait for a build, by this command or by ninja.
folder=$(mktemp -d)
cp "$(command -v sleep)" "$folder/ninja"
busy() {
   (cd "$folder" && exec "$@") &
   pid=$!
   # Until it runs, and has its lock.
   sleep 1
   echo "sgpu env, during $1"
   output=$(SGPU_NO_BUILD='' SGPU_BUILD="$folder" timeout 10 "$sgpu" env 2>&1)
   found=$?
   kill $pid
   case $found,$output in
   0,*'another build is running'*LIBGL_DRIVERS_PATH=*) ;;
   *)
      echo "status $found: $output"
      failures=$((failures + 1))
      ;;
   esac
}
busy flock -F .lock sleep 20
busy ./ninja 20
rm -rf "$folder"

unset WAYLAND_DISPLAY EGL_PLATFORM
picture=$(mktemp)
for display in ${DISPLAY:-none} none; do
   [ "$display" != none ] || unset DISPLAY
   check 0 '' run -- true
   check 3 '' run -- sh -c 'exit 3'
   check 143 '' run -- sh -c 'kill -TERM $$'
   check 127 nosuchprogram run -- nosuchprogram
done
check 0 '1 frame, the last one' run --frames 1 --screenshot "$picture" glxgears
check 0 '3 frames' run --frames 3 glxgears
check 3 'failed with status 3' run --screenshot "$picture" sh -c 'exit 3'
check 143 'died of signal 15' run --frames 1 sh -c 'kill -TERM $$'
check 127 'cannot run nosuchprogram' run --frames 1 nosuchprogram
check 1 'without showing anything' run --screenshot "$picture" true
check 1 'cannot write' run --frames 1 --screenshot /nonexistent/x.png glxgears
rm -f "$picture"

GALLIUM_DRIVER=llvmpipe
export GALLIUM_DRIVER
check 0 'OpenGL renderer' run glxinfo -B

[ $failures -eq 0 ]
