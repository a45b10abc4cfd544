#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Tests sgpu asm and sgpu disasm: the listing must assemble to the same file, errors must name
# file, line and column, and files that are not programs must be refused.
#
#    tools_test.sh ASM DISASM PROGRAM.s...
#
# MESON_EXE_WRAPPER: command that runs programs of a cross build.
set -eu

asm_tool=$1
disasm_tool=$2
shift 2

asm() {
   ${MESON_EXE_WRAPPER:-} "$asm_tool" "$@"
}

disasm() {
   ${MESON_EXE_WRAPPER:-} "$disasm_tool" "$@"
}

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

fail() {
   echo "FAIL: $*" >&2
   exit 1
}

for program; do
   asm -o "$dir/a.bin" "$program"
   disasm "$dir/a.bin" >"$dir/a.s"
   asm -o "$dir/b.bin" "$dir/a.s"
   cmp "$dir/a.bin" "$dir/b.bin"
   disasm - <"$dir/b.bin" | cmp - "$dir/a.s"
   disasm --words "$dir/a.bin" | asm -o "$dir/c.bin" -
   cmp "$dir/a.bin" "$dir/c.bin"
   asm --stats "$program" | grep -q 'instructions=[1-9]' || fail "no statistics"
done

printf '!!VP1.0\nMOV R0, R12;\nEND\n' >"$dir/bad.s"
! asm -o "$dir/bad.bin" "$dir/bad.s" 2>"$dir/err" || fail "a bad program is taken"
grep -q 'bad.s:2:1: vp1: temporaries are R0 to R11' "$dir/err" || fail "message: $(cat "$dir/err")"
[ ! -e "$dir/bad.bin" ] || fail "a file is left behind"

! disasm "$dir/bad.s" 2>"$dir/err" || fail "a text is taken for a program"
grep -q 'bad.s: not a program' "$dir/err" || fail "message: $(cat "$dir/err")"
! asm "$dir/none.s" 2>/dev/null || fail "a missing file is taken"
! asm 2>/dev/null || fail "no arguments are taken"
! asm --frobnicate "$dir/a.s" 2>/dev/null || fail "an unknown option is taken"
asm --help | grep -q '^usage: sgpu asm'
disasm --help | grep -q '^usage: sgpu disasm'
