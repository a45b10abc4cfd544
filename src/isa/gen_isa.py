#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Generates the code that depends on encodings and opcodes from sgpu_isa.py,
# sgpu_opcodes.py and sgpu_scalar.py, one file per template in templates/:
#
#    sgpu_isa.h        enums, the unpacked instruction, types of the info tables, helpers
#    sgpu_isa_info.c   the info tables
#    sgpu_isa_pack.c   conversion of instructions to words and back
#    sgpu_isa_expr.h   the opcodes' expressions as a function of one lane or quad
#    sgpu_scalar.h     the opcodes as scalar operations, for timing models: types
#    sgpu_scalar.c     the opcodes as scalar operations: tables
#    isa.md            the reference; docs/isa.md is a copy of it
#
# Usage: gen_isa.py --out DIR     all of them
#        gen_isa.py --docs        docs/isa.md

import argparse
import os
import re
import sys

import sgpu_isa as isa
import sgpu_scalar
from sgpu_opcodes import LATENCY, OPCODES, RESERVED

OUTPUTS = ['sgpu_isa.h', 'sgpu_isa_info.c', 'sgpu_isa_pack.c', 'sgpu_isa_expr.h', 'sgpu_scalar.h',
           'sgpu_scalar.c', 'isa.md']

TYPES = {'-': 'NONE', 'f': 'FLOAT', 'i': 'INT', 'u': 'UINT', 'p': 'PRED', 'a': 'ADDR',
         'd': 'DOUBLE', 'l': 'INT64', 'q': 'UINT64'}
WIDE = 'dlq'
SOURCES = ['src0', 'src1', 'src2']
KINDS = ['COMP', 'SCAL', 'SCALV', 'DOT', 'VEC', 'PAIR', 'QUAD', 'CTL', 'TEX', 'MEM', 'IMG', 'IPA',
         'WARP', 'PIXEL']
# Flags in the info table. The last two are derived from other columns.
FLAGS = ['VP1', 'ZMUL', 'EFFECT', 'WMASK', 'OPTADDR', 'OPTDST', 'ATOMIC', 'NOGUARD', 'PS', 'QUAD',
         'GS', 'CS', 'TC', 'PATCH', 'PRIM', 'INORDER', 'ENDS', 'SAT', 'DST']


def field_masks(fields, word):
    """Returns a mask of the bits that the fields cover in a 32-bit word. Fields must not
    overlap."""
    mask = 0
    for name, (first, size) in fields.items():
        if first // 32 != word:
            continue
        bits = ((1 << size) - 1) << (first % 32)
        assert first % 32 + size <= 32, name
        assert mask & bits == 0, name
        mask |= bits
    return mask


def check_tables():
    without = lambda *names: {k: v for k, v in isa.FIELDS.items() if k not in names}
    for word in range(4):
        assert field_masks(without('payload'), word) == 0xffffffff
    assert field_masks(without('src2', 'rsvd1'), 3) == 0xffffffff
    assert field_masks(isa.SRC_FIELDS, 0) == (1 << isa.FIELDS['src0'][1]) - 1
    for fields in list(isa.PAYLOADS.values()) + list(isa.MODS.values()):
        field_masks(fields, 0)
    assert set(isa.TEX_OPS) == {o.name for o in OPCODES.values() if o.kind == 'TEX'}
    placed = [name for _, _, _, names in isa.MEM_PLACES for name in names]
    assert sorted(placed) == sorted(o.name for o in OPCODES.values() if o.kind == 'MEM')
    codes = {o.code for o in OPCODES.values()}
    kept = {c for first, last, _, _ in RESERVED for c in range(first, last + 1)}
    assert not codes & kept and codes | kept == set(range(512))
    assert set(sgpu_scalar.TABLE) <= set(OPCODES)
    assert [row[0] for row in isa.REDUCTIONS] == [row[0] for row in isa.WIDE_REDUCTIONS]
    known = {'cond', 'Z', 'uint32_t', 'int32_t'}
    for o in OPCODES.values():
        assert o.kind in KINDS and o.unit in LATENCY and o.mod in isa.MODS
        assert (o.expr is None) == (o.kind in ('CTL', 'TEX', 'MEM', 'IMG', 'IPA', 'WARP', 'PIXEL'))
        for text in exprs(o):
            for word in re.findall(r'\b[A-Za-z_]\w*', re.sub(r'\b\d[\w.]*', '', text)):
                assert word in known or word.startswith('sgpu_') or word in variables(o), \
                    (o.name, word)


def exprs(o):
    if o.expr is None:
        return []
    return list(o.expr.values()) if isinstance(o.expr, dict) else [o.expr]


def variables(o):
    names = 'abc'[:len(o.srcs)]
    if o.kind in ('COMP', 'SCAL', 'SCALV', 'PAIR'):
        return set(names)
    if o.kind in ('DOT', 'VEC'):
        return {n + c for n in names for c in 'xyzw'}
    return {'q0', 'q1', 'q2', 'q3', 'row0', 'row1', 'col0', 'col1'}


def reads(o, s):
    """Returns, for each component of the result, a mask of the (swizzled) positions of source s
    that the component depends on. sgpu_src_read_positions() handles the sources of TEX and IMG,
    which depend on the target, and the data of atomic operations."""
    if o.kind in ('COMP', 'QUAD') or (o.kind == 'WARP' and o.dst not in WIDE):
        return [1, 2, 4, 8]
    if o.kind == 'SCAL':
        return [1] * 4
    if o.kind in ('PAIR', 'WARP'):
        return [3, 3, 12, 12] if o.srcs[s] in WIDE else [1, 1, 4, 4]
    if o.kind == 'MEM' and not (s == 1 and 'atomic' in o.flags):
        return [1] * 4 if s == 0 else [1, 2, 4, 8]
    if o.kind == 'IPA':
        return [1, 2, 4, 8] if s == 0 else [1 if o.is_scalar(s) else 3] * 4
    if o.kind in ('CTL', 'TEX', 'MEM', 'IMG'):
        return [0] * 4
    name = 'abc'[s]
    masks = []
    for c in 'xyzw':
        text = o.expr[c] if isinstance(o.expr, dict) else o.expr
        if o.kind == 'SCALV':
            masks.append(1 if re.search(rf'\b{name}\b', text) else 0)
        else:
            found = re.findall(rf'\b{name}([xyzw])\b', text)
            masks.append(sum({1 << 'xyzw'.index(f) for f in found}))
    return masks


def scalar(o):
    """Returns how a scalar machine executes the operation: the way, and the parsed steps."""
    def place(op):
        return next(name for name, _, _, names in isa.MEM_PLACES if op.name in names)
    way, steps = sgpu_scalar.recipe(o, reads, place)
    parsed = [sgpu_scalar.parse(s, way) for s in steps]
    # Copying the result to several components may need an additional temporary.
    assert way == 'EACH' or sgpu_scalar.inners(parsed) < sgpu_scalar.INNERS or o.dst in WIDE
    return way, parsed


def used_bits(o):
    """Returns the bits of each word that may be set in encodings of this operation."""
    used = [0, 0, 0, 0]

    def use(name, sub=None):
        first, size = isa.FIELDS[name]
        if sub:
            first, size = first + sub[0], sub[1]
        used[first // 32] |= ((1 << size) - 1) << (first % 32)

    use('opcode')
    for name in ('guard', 'guard_not', 'guard_reg', 'guard_comp'):
        if 'noguard' not in o.flags:
            use(name)
    for flag, name in ((o.takes_sat(), 'sat'), ('zmul' in o.flags, 'zmul')):
        if flag:
            use(name)
    if o.dst != '-':
        for name in ('dst_file', 'dst_index', 'dst_mask'):
            use(name)
        if o.dst not in 'pa':
            use('dst_rel')
            use('dst_relcomp')
    elif 'wmask' in o.flags:
        use('dst_mask')
    for s in range(len(o.srcs)):
        for name, sub in isa.SRC_FIELDS.items():
            if name in ('neg', 'abs') and not o.takes_mods(s):
                continue
            use(f'src{s}', sub)
    for name, sub in isa.MODS[o.mod].items():
        # Only TG4 has offsets in a register. Only TEX operations use the table.
        if name == 'oreg' and o.name != 'TG4':
            continue
        use('mod', sub)
    for name, sub in isa.PAYLOADS.get(o.payload, {}).items():
        if o.name in isa.TEX_OPS:
            _, shadow, offset, sampler, _, _ = isa.TEX_OPS[o.name]
            if (name == 'shadow' and not shadow or name == 'sampler' and not sampler or
                    name.startswith('off') and not offset or name == 'gcomp' and o.name != 'TG4'):
                continue
        if name == 'unit' and o.payload in ('mem', 'atomic') and o.mod != 'res':
            continue
        if name == 'offset' and not o.srcs or name == 'aop' and 'atomic' not in o.flags:
            continue
        use('payload', sub)
    return used


def flags(o):
    names = [f for f in FLAGS if f.lower() in o.flags and f not in ('SAT', 'DST')]
    if o.takes_sat():
        names.append('SAT')
    if o.dst != '-':
        names.append('DST')
    return names


def mask_of(o, test):
    return sum(1 << s for s in range(len(o.srcs)) if test(s))


def mem_limit(limit):
    return 'SGPU_MAX_' + limit.upper() if limit else '0'


def target_mask(names):
    return sum(1 << isa.TEX_TARGETS.index(n) for n in names)


def c_bool(value):
    return 'true' if value else 'false'


def c_names(values):
    """Returns the initializers of a table of names, with NULL for reserved entries."""
    return '\n'.join(f'   "{v}",' if v and not v.startswith('RSVD') else '   NULL,'
                     for v in values)


def sysval_names():
    return [row[0] for row in isa.SYSVALS]


def c_reads(o):
    return ', '.join('{ %d, %d, %d, %d }' % tuple(reads(o, s)) for s in range(len(o.srcs)))


# Tables for sgpu_isa_expr.h, where the expressions become C code on bit patterns.

C_TYPES = {'f': 'float', 'i': 'int32_t', 'u': 'uint32_t',
           'd': 'double', 'l': 'int64_t', 'q': 'uint64_t'}
C_IN = {'f': 'sgpu_bits2f(%s)', 'i': '(int32_t)%s', 'u': '%s',
        'd': 'sgpu_bits2d(%s)', 'l': '(int64_t)%s', 'q': '%s'}


def c_value(o, text, z=False):
    """Returns C code that evaluates an expression to uint32_t, with or without the zmul bit."""
    text = re.sub(r'\bZ\((\w+)\)', r'\1z' if z else r'\1', text)
    if o.dst in WIDE:
        return f'sgpu_d2bits({text})' if o.dst == 'd' else f'(uint64_t)({text})'
    return f'sgpu_f2bits({text})' if o.dst == 'f' else f'(uint32_t)({text})'


def c_results(o, z):
    texts = [o.expr[c] if isinstance(o.expr, dict) else o.expr for c in 'xyzw']
    return [f'r[{i}] = {c_value(o, text, z)};' for i, text in enumerate(texts)]


def c_inputs(o, position=None):
    """Returns C declarations of a, b, c for one position of the sources, or of ax, ay, ... for
    all positions."""
    lines = []
    for s, t in enumerate(o.srcs):
        letter = 'abc'[s]
        names = [(letter, position)] if position else \
            [(letter + c, str(i)) for i, c in enumerate('xyzw')]
        for name, at in names:
            if re.search(rf'\b{name}\b', ' '.join(exprs(o))):
                lines.append(f'const {C_TYPES[t]} {name} = {C_IN[t]};' % f'src[{s}][{at}]')
    return lines


def c_pair_inputs(o):
    """Returns C declarations of a, b, c for the component pair at position n of the sources."""
    return [f'const {C_TYPES[t]} {"abc"[s]} = {C_IN[t]};' %
            (f'sgpu_pair(src[{s}][n], src[{s}][n + 1])' if t in WIDE else f'src[{s}][n]')
            for s, t in enumerate(o.srcs)]


def write_if_changed(path, text):
    try:
        with open(path, encoding='utf-8') as f:
            if f.read() == text:
                return
    except FileNotFoundError:
        pass
    with open(path, 'w', encoding='utf-8') as f:
        f.write(text)


def render(lookup, name):
    context = dict(globals(), ops=sorted(OPCODES.values(), key=lambda o: o.code))
    context = {k: v for k, v in context.items() if not k.startswith('__')}
    return lookup.get_template(name + '.mako').render(**context)


def main():
    parser = argparse.ArgumentParser(description='Generates the instruction set\'s files.')
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument('--out', metavar='DIR', help='write all generated files there')
    where.add_argument('--docs', action='store_true', help='write docs/isa.md')
    args = parser.parse_args()
    try:
        from mako.lookup import TemplateLookup
    except ImportError:
        sys.exit('gen_isa.py: needs Mako (Debian: python3-mako, for /usr/bin/python3)')

    check_tables()
    here = os.path.dirname(os.path.abspath(__file__))
    lookup = TemplateLookup([os.path.join(here, 'templates')], strict_undefined=True)
    if args.docs:
        path = os.path.join(here, '..', '..', 'docs', 'isa.md')
        write_if_changed(os.path.normpath(path), render(lookup, 'isa.md'))
        return
    os.makedirs(args.out, exist_ok=True)
    for name in OUTPUTS:
        write_if_changed(os.path.join(args.out, name), render(lookup, name))


if __name__ == '__main__':
    main()
