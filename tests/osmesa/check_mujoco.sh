#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Compiles and runs mujoco.c.  Skipped if the package libmujoco-dev is not installed.
# usage: check_mujoco.sh SGPU INCLUDE LIBRARY
#   INCLUDE: folder with GL/osmesa.h   LIBRARY: libOSMesa.so.8
set -eu
source=$(dirname "$(realpath "$0")")/mujoco.c
if ! echo '#include <mujoco/mujoco.h>' | cc -fsyntax-only -xc - 2>/dev/null; then
   echo 'skipped: no header mujoco/mujoco.h (package libmujoco-dev)'
   exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cc -O1 -I "$2" -o "$folder/mujoco" "$source" "$3" -lmujoco
"$1" run -- "$folder/mujoco"
