#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Checks that GCC vectorizes every lane loop over src/isa/sgpu_fp.h at each x86-64 level: it must
# report all loops of fp_lanes_hw.c and fp_lanes_soft.c as vectorized, and they must contain no
# scalar floating-point instructions.  Run from the root of the repository:
#
#    tests/isa/fp_vectorise.sh [compiler]

CC=${1:-gcc}
FLAGS="-std=c11 -O3 -ffp-contract=off -fno-math-errno -fno-trapping-math -Isrc/isa -Itests/isa"
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

want=$(grep -c '^   X(' tests/isa/fp_lanes.h)
status=0
for level in 2 3 4; do
   for flush in hw soft; do
      rm -f "$dir/info"   # GCC appends to the file
      $CC $FLAGS -march=x86-64-v$level -fopt-info-vec="$dir/info" -S -o "$dir/out.s" \
         tests/isa/fp_lanes_$flush.c || exit 1
      got=$(grep -c 'loop vectorized' "$dir/info")
      # Count scalar arithmetic, conversions and comparisons inside of the functions lanes_*.
      scalar=$(awk '/^[a-z_]/ { in_lanes = /^lanes_/ }
                    in_lanes && /^\tv?(u?comi|cmp[a-z]*|add|sub|mul|div|sqrt|min|max|round|rndscale|cvt[a-z0-9]*)s[sd][lq]?\t/' \
               "$dir/out.s" | wc -l)
      result=ok
      if [ "$got" -ne "$want" ] || [ "$scalar" -ne 0 ]; then
         result=FAIL
         status=1
      fi
      echo "x86-64-v$level $flush: $got of $want loops vectorised," \
           "$scalar scalar instructions: $result"
   done
done
exit $status
