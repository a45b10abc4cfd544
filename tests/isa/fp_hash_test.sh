#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Tests that the arithmetic gives the same bits on every host: fp_accuracy must print the hashes
# of the list.  `fp_accuracy hash` writes the list.
#
#    fp_hash_test.sh LIST FP_ACCURACY [OPTION...]
#
# MESON_EXE_WRAPPER: command that runs programs of a cross build.
set -eu

list=$1
shift
${MESON_EXE_WRAPPER:-} "$@" hash | diff "$list" -
