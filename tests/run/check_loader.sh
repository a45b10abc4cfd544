#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Runs a command with one of the two loaders.  Skipped if the system's loaders can't load the driver
# (Mesa 23.1 and newer).
# usage: check_loader.sh system|glvnd COMMAND...
set -eu
top=$(dirname "$(realpath "$0")")/../..
build=${SGPU_BUILD:-$top/build}
. "$top/src/tools/front/common.sh"
unset SGPU_LOADER
if [ "$1" = system ] && [ "$(loader)" != system ]; then
   echo "the system's loaders load no driver of another build"
   exit 77
fi
export SGPU_LOADER="$1"
shift
exec "$@"
