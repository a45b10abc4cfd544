#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Captures a program that draws to memory.  The capture must have its pictures as frames, and give
# them again.
# usage: check_capture.sh SGPU SGPU-CAP PROGRAM
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
SGPU_CAPTURE=$folder/o.sgcap "$1" run -- "$3"
result=$("$2" replay "$folder/o.sgcap" | tail -n 1)
echo "$result"
case $result in
*', 0 pictures'*) exit 1 ;;
*', 0 of '*' hashes differ'*) ;;
*) exit 1 ;;
esac
