# SPDX-License-Identifier: MIT
"""Translator: list of the pieces, one for each component of an operation that is computed
differently.

The opcode table has the expressions. Each input of a piece is a source, a position in the
source after its swizzle (None: the position of the result's component), and the lane of the
quad that each lane of the quad reads.
"""

import re
import sys
from dataclasses import dataclass

C_TYPES = {'f': 'float', 'i': 'int32_t', 'u': 'uint32_t'}
C_IN = {'f': 'sgpu_bits2f({})', 'i': '(int32_t){}', 'u': '{}'}
# Conditions that need pieces. F and T give constants, and the decoder replaces GT and GE.
CONDS = ['LT', 'EQ', 'LE', 'NE']
KINDS = {'COMP', 'SCAL', 'SCALV', 'DOT', 'VEC', 'QUAD'}
# Names in expressions of QUAD operations, with the lane of the quad that each lane reads from.
QUAD = {'q0': (0, 0, 0, 0), 'q1': (1, 1, 1, 1), 'q2': (2, 2, 2, 2), 'q3': (3, 3, 3, 3),
        'row0': (0, 0, 2, 2), 'row1': (1, 1, 3, 3), 'col0': (0, 1, 0, 1), 'col1': (2, 3, 2, 3)}
OWN = (0, 1, 2, 3)


@dataclass(frozen=True)
class Piece:
    opcode: str
    srcs: str
    dst: str
    kind: str
    zmul: bool
    cond: str       # condition, or '' if the operation has none
    component: str  # component of the result, or '' if all are computed the same way
    expr: str

    @property
    def name(self):
        return '_'.join([self.opcode] + ['zmul'] * self.zmul + [p for p in (self.cond.lower(),
                                                                         self.component) if p])

    def inputs(self):
        """Returns the names in the expression, each with (source, position or None, lanes)."""
        if self.kind == 'QUAD':
            return [(n, (0, None, lanes)) for n, lanes in QUAD.items()
                    if re.search(rf'\b{n}\b', self.expr)]
        names = sorted(set(re.findall(r'\b[a-c][xyzw]?\b', self.expr)))
        return [(n, ('abc'.index(n[0]), 'xyzw'.index(n[1]) if len(n) > 1 else
                     None if self.kind == 'COMP' else 0, OWN)) for n in names]

    def inputs_c(self):
        for k, (name, (source, _, _)) in enumerate(self.inputs()):
            kind = self.srcs[source]
            yield C_TYPES[kind], name, C_IN[kind].format(f'S[{k}][l]')

    def result_c(self):
        text = re.sub(r'\bZ\((\w+)\)', r'\1z' if self.zmul else r'\1', self.expr)
        return f'sgpu_f2bits({text})' if self.dst == 'f' else f'(uint32_t)({text})'


def all_pieces(isa):
    """Yields the pieces of all operations without doubles and 64-bit integers, and SAT, which
    clamps a result. `isa` is the folder of sgpu_opcodes.py.
    """
    sys.path.insert(0, isa)
    from sgpu_opcodes import OPCODES

    yield Piece('SAT', 'f', 'f', 'COMP', False, '', '', 'sgpu_fsat(a)')
    for op in sorted(OPCODES.values(), key=lambda o: o.code):
        if op.kind not in KINDS or set(op.srcs + op.dst) & set('dlq'):
            continue
        exprs = op.expr if isinstance(op.expr, dict) else {'': op.expr}
        for zmul in [False, True] if 'zmul' in op.flags else [False]:
            for cond in CONDS if op.mod == 'cond' else ['']:
                for component, expr in exprs.items():
                    yield Piece(op.name, op.srcs, op.dst, op.kind, zmul, cond, component, expr)
