#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The arithmetic gives the same bits on every host: the hashes that fp_accuracy
# prints are those of the list, which `fp_accuracy hash` made.
#
#    fp_hash_test.sh LIST FP_ACCURACY [OPTION...]
#
# MESON_EXE_WRAPPER: what runs programs of a cross build.
set -eu

list=$1
shift
${MESON_EXE_WRAPPER:-} "$@" hash | diff "$list" -
