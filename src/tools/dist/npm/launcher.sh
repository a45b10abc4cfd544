#!/bin/sh
# Runs @program@ of this machine's architecture.
here=$(dirname -- "$(readlink -f -- "$0")")
case $(uname -m) in
x86_64) machine=x64 ;;
aarch64) machine=arm64 ;;
*) machine=$(uname -m) ;;
esac
program=$here/../linux-$machine/bin/@program@
if [ ! -x "$program" ]; then
   echo "@program@: this package has no files for $machine" >&2
   exit 1
fi
exec "$program" "$@"
