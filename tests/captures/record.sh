#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Records the captures of this folder and their texts again, if a change of
# packets or instructions has made the old ones unreadable.  Needs the packages of
# bench (./sgpu setup bench).
#
# usage: record.sh [NAME...]
set -eu

here=$(dirname -- "$(readlink -f -- "$0")")
sgpu=$here/../../sgpu
scenes=${SGPU_BUILD:-$here/../../build}/tests/traces/gl_scenes

# record NAME THREADS POLICY FRAMES PROGRAM...
record() {
   name=$1 threads=$2 policy=$3 frames=$4
   shift 4
   case " $wanted " in
   *" $name "* | "  ") ;;
   *) return 0 ;;
   esac
   SGPU_THREADS=$threads SGPU_DISPATCH=$policy "$sgpu" capture --level 19 --force \
      -o "$here/$name.sgcap" --frames "$frames" -- "$@" >/dev/null
   # A capture without pictures is only for tests of the tools, and has no text.
   [ "$frames" = 0- ] || "$sgpu" decode "$here/$name.sgcap" | xz -9 >"$here/$name.txt.xz"
}

wanted="$*"
record gears 2 ooo+split 5-6 glxgears
record gears-inorder 1 inorder 5-6 glxgears
record es2gears 2 ooo+split 3 es2gears_x11
record build 1 inorder 5 glmark2 -s 400x300 -b build
record build-strips 2 ooo+split 5 glmark2 -s 400x300 -b build:use-vbo=false
record texture 2 ooo+split 5 glmark2 -s 400x300 -b texture:texture-filter=mipmap
record shadow 2 ooo+split 5 glmark2 -s 400x300 -b shadow
record effect2d 2 ooo+split 5 glmark2 -s 400x300 -b effect2d:kernel=1,1,1\;1,1,1\;1,1,1
record jellyfish 2 ooo+split 5 glmark2 -s 400x300 -b jellyfish
record desktop 2 ooo+split 5 glmark2 -s 400x300 -b desktop:effect=blur:windows=2
record ideas 2 ooo+split 30 glmark2 -s 400x300 -b ideas
record indirect 2 ooo+split 0- "$here/../../build/tests/driver/driver_indirect"
record pulsar 2 ooo+split 10 glmark2 -s 400x300 -b pulsar
# A program of several phases, for sampled simulation.
record ../timing/sample/phases 1 inorder 0- glmark2 -s 64x48 -b pulsar:quads=3:duration=0.06 \
   -b effect2d:duration=0.04 -b build:model=cube:duration=0.04
record samples8 2 ooo+split 3 "$scenes" samples8
record window 1 inorder 3 "$scenes" window
record feedback 2 ooo+split 3-4 "$scenes" feedback
record geometry 2 ooo+split 3 "$scenes" geometry
record queries 1 inorder 3 "$scenes" queries
record carried 2 ooo+split 3-4 "$scenes" carried
record indirect-captured 2 ooo+split 3 "$scenes" indirect
record grids 2 ooo+split 3 "$scenes" grids
record stores 1 inorder 3 "$scenes" stores
record patches 2 ooo+split 3 "$scenes" patches
record handles 2 ooo+split 3 "$scenes" handles
