#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Captures processes that fork.  Each process must write a separate capture that can be replayed.
# usage: check_fork.sh SGPU SGPU-CAP FORK-PROGRAM
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
SGPU_CAPTURE=$folder/f.sgcap "$1" run -- "$3" same inherited
files=0
for file in "$folder"/*.sgcap; do
   "$2" replay "$file"
   files=$((files + 1))
done
# There are two parents with two children each.
[ $files -eq 6 ] || {
   echo "$files captures, not 6" >&2
   exit 1
}
