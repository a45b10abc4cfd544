#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Generates the interpreter's handlers from the opcode table: one function per
# operation, condition and zmul bit. Common operations also have variants with
# broadcast constants or modifiers as sources.
#
#    sgd_handlers.h            indices and prototypes
#    sgd_handlers_float.c, sgd_handlers_int.c, sgd_handlers_set.c, sgd_handlers_pair.c
#    sgd_handlers_table.c      table of the functions by index
#    sgd_variants.c            table that the decoder selects handlers from, for all host levels
#
#    gen_interp.py --isa DIR --out DIR

import argparse
import os
import re
import sys

# Sets of sources (letters) that can be broadcast constants, by number of sources and operation. If
# two sources are constants and no variant supports both, one of them is expanded to all lanes. The
# decoder moves the constant of a commutative operation to the second source.
CONST_SETS = {
    1: {'MOV': ['a']},
    2: {'MUL': ['b'], 'ADD': ['b'], 'DP2': ['b'], 'DP3': ['b'], 'DP4': ['b'],
        'DPH': ['a', 'b'], 'MIN': ['b'], 'MAX': ['b'], 'SLT': ['a', 'b'],
        'SGE': ['a', 'b'], 'SEQ': ['b'], 'SNE': ['b'], 'FSET': ['a', 'b'],
        'FSETP': ['a', 'b'], 'ISET': ['a', 'b'], 'ISETP': ['a', 'b'],
        'USET': ['a', 'b'], 'USETP': ['a', 'b'], 'IADD': ['b'],
        'ISUB': ['a', 'b'], 'IMUL': ['b'], 'AND': ['b'], 'OR': ['b'],
        'XOR': ['b'], 'SHL': ['b'], 'SHR': ['b'], 'ASHR': ['b'],
        'IMIN': ['b'], 'IMAX': ['b'], 'UMIN': ['b'], 'UMAX': ['b']},
    3: {'MAD': ['b', 'c', 'bc'], 'SEL': ['b', 'c', 'bc'], 'IMAD': ['b', 'c', 'bc']},
}
# Operations that have a variant with source modifiers.
MODS = ('MOV MUL ADD MAD DP2 DP3 DP4 DPH MIN MAX SLT SGE SEQ SNE FSET FSETP '
        'SEL FRC FLR').split()
# Operations that have a variant with saturation.
SAT = 'MOV MUL ADD MAD'.split()
COMMUTES = ('MUL ADD MAD DP2 DP3 DP4 MIN MAX SEQ SNE IADD IMUL IMAD AND OR XOR '
            'IMIN IMAX UMIN UMAX').split()
# Conditions that are left after the decoder has replaced GT and GE with LT and LE.
CONDS = ['F', 'LT', 'EQ', 'LE', 'NE', 'T']

WIDE = 'dlq'
C_TYPES = {'f': 'float', 'i': 'int32_t', 'u': 'uint32_t',
           'd': 'double', 'l': 'int64_t', 'q': 'uint64_t'}
C_IN = {'f': 'sgpu_bits2f({})', 'i': '(int32_t){}', 'u': '{}',
        'd': 'sgpu_bits2d({})', 'l': '(int64_t){}', 'q': '{}'}


class Handler:
    """A handler. `op` is a row of the opcode table, `consts` the letters of constant sources."""

    def __init__(self, op, zmul, cond, consts, mods, sat=False):
        self.op, self.zmul, self.cond = op, zmul, cond
        self.consts, self.mods, self.sat = consts, mods, sat
        parts = [op.name]
        if zmul:
            parts.append('z')
        if cond is not None:
            parts.append(cond.lower())
        if consts:
            parts.append('k' + consts)
        if mods:
            parts.append('m')
        if sat:
            parts.append('sat')
        self.name = '_'.join(parts)

    @property
    def file(self):
        if self.op.kind == 'PAIR':
            return 'pair'
        if self.op.mod == 'cond':
            return 'set'
        return 'float' if 'f' in self.op.srcs or self.op.kind == 'QUAD' else 'int'

    def text(self, expr):
        return re.sub(r'\bZ\((\w+)\)', r'\1z' if self.zmul else r'\1', expr)

    def result(self, expr):
        """Returns the expression as uint32_t."""
        text = self.text(expr)
        if self.sat:
            text = f'sgpu_fsat({text})' if self.op.dst == 'f' else \
                f'sgpu_fsat(sgpu_bits2f({text}))'
        if self.sat or self.op.dst == 'f':
            return f'sgpu_f2bits({text})'
        if self.op.dst in WIDE:
            return f'sgpu_d2bits({text})' if self.op.dst == 'd' else f'(uint64_t)({text})'
        return f'(uint32_t)({text})'

    def value(self, s, bits):
        """Returns source s, given its bits, converted to the type that the expression uses."""
        if self.mods and self.op.takes_mods(s):
            bits = f'(({bits} & and{s}) ^ xor{s})'
        return C_IN[self.op.srcs[s]].format(bits)

    @property
    def wide_result(self):
        return self.op.dst in WIDE

    @property
    def const_mask(self):
        return sum(1 << 'abc'.index(c) for c in self.consts)

    def mod_inputs(self):
        """Copies the modifier masks to locals, since stores in the loop could alias them."""
        return [f'const uint32_t {m}{s} = i->{m}_mask[{s}];' for s in range(len(self.op.srcs))
                if self.mods and self.op.takes_mods(s) for m in ('and', 'xor')]

    def operands(self, expr):
        """Returns the operands of the expression: name, source, member of the instruction."""
        used = set(re.findall(r'\b[a-c][xyzw]?\b', expr))
        found = []
        for s in range(len(self.op.srcs)):
            letter = 'abc'[s]
            if letter in used:
                found.append((letter, s, f'i->comp[n].{letter}'))
            for p, c in enumerate('xyzw'):
                if letter + c in used:
                    found.append((letter + c, s, f'i->comp[{p}].{letter}'))
        return found

    def inputs(self, expr):
        """Returns the code before the loop over the lanes: pointers, and values of constants."""
        lines = []
        for name, s, place in self.operands(expr):
            if 'abc'[s] in self.consts:
                value = self.value(s, f'*sgd_word(m, {place})')
                lines.append(f'const {C_TYPES[self.op.srcs[s]]} {name} = {value};')
            else:
                lines.append(f'const uint32_t *{name.upper()} = sgd_lanes(m, {place});')
        return lines

    def values(self, expr):
        """Returns the code inside the loop: values of the other sources."""
        return [f'const {C_TYPES[self.op.srcs[s]]} {name} = {self.value(s, name.upper() + "[l]")};'
                for name, s, _ in self.operands(expr) if 'abc'[s] not in self.consts]

    def pair_inputs(self):
        """Returns the code before the loop in PAIR operations: pointers to the words of the pair
        at position v of each source."""
        lines = []
        for s, t in enumerate(self.op.srcs):
            letter = 'abc'[s]
            for word in range(2 if t in WIDE else 1):
                at = f'v + {word}' if word else 'v'
                lines.append(f'const uint32_t *{letter.upper()}{word} = '
                             f'sgd_lanes(m, i->comp[{at}].{letter});')
        return lines

    def pair_values(self):
        """Returns the code inside the loop in PAIR operations. Modifiers apply to the high word."""
        lines = []
        for s, t in enumerate(self.op.srcs):
            words = [f'{"ABC"[s]}{w}[l]' for w in range(2 if t in WIDE else 1)]
            if self.mods and self.op.takes_mods(s):
                words[-1] = f'({words[-1]} & and{s}) ^ xor{s}'
            bits = f'sgpu_pair({words[0]}, {words[1]})' if t in WIDE else f'({words[0]})'
            lines.append(f'const {C_TYPES[t]} {"abc"[s]} = {C_IN[t].format(bits)};')
        return lines

    def quad_names(self):
        """Returns the names in the expression of a QUAD operation. Each name has the four lanes
        of the quad that the lanes of the quad read from."""
        lanes = {'q0': [0] * 4, 'q1': [1] * 4, 'q2': [2] * 4, 'q3': [3] * 4,
                 'row0': [0, 0, 2, 2], 'row1': [1, 1, 3, 3],
                 'col0': [0, 1, 0, 1], 'col1': [2, 3, 2, 3]}
        return [(n, p) for n, p in lanes.items() if re.search(rf'\b{n}\b', self.op.expr)]


def handlers(ops, isa):
    out = []
    for op in ops:
        if op.expr is None:
            continue
        if op.kind == 'PAIR':
            mods = any(op.takes_mods(s) for s in range(len(op.srcs)))
            out += [Handler(op, False, cond, '', mods)
                    for cond in (CONDS if op.mod == 'cond' else [None])]
            continue
        subsets = [''] + CONST_SETS.get(len(op.srcs), {}).get(op.name, [])
        for zmul in ([False, True] if 'zmul' in op.flags else [False]):
            for cond in (CONDS if op.mod == 'cond' else [None]):
                plain = cond in ('F', 'T')
                for consts in ([''] if plain else subsets):
                    for mods in ([False, True] if op.name in MODS and not plain else [False]):
                        out.append(Handler(op, zmul, cond, consts, mods))
                        if op.name in SAT and not mods:
                            out.append(Handler(op, zmul, cond, consts, mods, True))
    return out


def main():
    parser = argparse.ArgumentParser(description='Generates the interpreter\'s handlers.')
    parser.add_argument('--isa', required=True, metavar='DIR', help='folder of sgpu_opcodes.py')
    parser.add_argument('--out', required=True, metavar='DIR')
    args = parser.parse_args()

    from mako.lookup import TemplateLookup

    sys.path.insert(0, args.isa)
    sys.dont_write_bytecode = True
    import sgpu_isa as isa
    from sgpu_opcodes import OPCODES

    ops = sorted(OPCODES.values(), key=lambda o: o.code)
    table = handlers(ops, isa)
    here = os.path.dirname(os.path.abspath(__file__))
    lookup = TemplateLookup([os.path.join(here, 'templates')], strict_undefined=True)
    os.makedirs(args.out, exist_ok=True)

    def write(name, template, **extra):
        text = lookup.get_template(template).render(
            table=table, isa=isa, commutes=COMMUTES, **extra)
        with open(os.path.join(args.out, name), 'w', encoding='utf-8') as f:
            f.write(text)

    write('sgd_handlers.h', 'sgd_handlers.h.mako')
    write('sgd_handlers_table.c', 'sgd_handlers_table.c.mako')
    write('sgd_variants.c', 'sgd_variants.c.mako')
    for part in ('float', 'int', 'set', 'pair'):
        write(f'sgd_handlers_{part}.c', 'sgd_handlers.c.mako', part=part)


if __name__ == '__main__':
    main()
