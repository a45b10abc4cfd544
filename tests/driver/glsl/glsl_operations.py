# SPDX-License-Identifier: MIT
"""The operations of random GLSL programs, and the types and functions that they need."""
SCALARS = {'i': 'int', 'u': 'uint', 'b': 'bool', 'f': 'float', 'd': 'double', 'l': 'int64_t',
           'k': 'uint64_t'}
VECTORS = {'i': 'ivec', 'u': 'uvec', 'b': 'bvec', 'f': 'vec', 'd': 'dvec', 'l': 'i64vec',
           'k': 'u64vec'}
# Number of integer bits and of fraction bits of variables, and of bits that the type can hold.
BITS = {'f': (8, 2, 23), 'd': (20, 3, 50)}

# Some operations are missing because Mesa's GLSL compiler or llvmpipe computes them wrongly: shifts
# of 64-bit vectors by constant vectors (folded with other components), min() and max() of 64-bit
# values with constants (the compiler crashes), and ldexp() of the double 0 (0.5 in llvmpipe).

# Operations by base type of the result.  A letter in braces is an operand with that base type and
# with the same number of components, or a scalar if it is a capital letter.  T is the name of the
# type.
OPS = {
    'u': ['({u} + {u})', '({u} - {u})', '({u} * {u})', '({u} & {u})', '({u} | {u})',
          '({u} ^ {u})', '(~{u})', '({u} << ({u} & 31u))', '({u} >> ({u} & 31u))',
          '({u} / ({u} | 1u))', '({u} % ({u} | 1u))', '({u} / ({u} % 7u + 1u))', '({u} / 10u)',
          '({u} % 24u)', '({u} * 8u)', '({u} + {U})', '({u} >> ({U} & 31u))', 'min({u}, {u})',
          'max({u}, {u})', 'clamp({u}, {u} >> 8, T(0xfffffffu))', 'mix({u}, {u}, {b})',
          'bitfieldReverse({u})', 'T(bitCount({u}))', 'T(findLSB({u}))', 'T(findMSB({u}))',
          'T(findMSB({i}))', 'bitfieldExtract({u}, int({U} & 15u), int({U} & 15u))',
          'bitfieldInsert({u}, {u}, int({U} & 15u), int({U} % 17u))', 'T({i})', 'T({b})',
          'T(abs({f}))', 'T({k})', 'T({l})', 'T(abs({d}))', '(-{u})', '({u} & 0xffu)',
          '({u} >> 16u)', '({u} << 3u)'],
    'i': ['({i} + {i})', '({i} - {i})', '({i} * {i})', '({i} & {i})', '({i} | {i})',
          '({i} ^ {i})', '(~{i})', '(-{i})', '({i} << ({i} & 31))', '({i} >> ({u} & 31u))',
          '({i} / (({i} & 0xfff) + 1))', '(({i} & 0x7fffffff) % (({i} & 0xff) + 1))',
          '({i} / 3)', '({i} / 8)', '({i} / -5)', 'abs({i})', 'sign({i})', 'min({i}, {i})',
          'max({i}, {i})', 'clamp({i}, -{N}, {N})', 'mix({i}, {i}, {b})', 'bitCount({i})',
          'findLSB({u})', 'findMSB({i})', 'findMSB({u})',
          'bitfieldExtract({i}, int({U} & 15u), int({U} & 15u))', 'T({u})', 'T({b})', 'T({f})',
          'T({l})', 'T({k})', 'T({d})', '(({i} << 24) >> 24)', '({i} >> 31)'],
    'l': ['({l} + {l})', '({l} - {l})', '({l} * {l})', '({l} & {l})', '({l} | {l})',
          '({l} ^ {l})', '(~{l})', '(-{l})', '({l} << ({I} & 63))', '({l} >> ({U} & 63u))',
          '({l} / ((T({i}) & T(0xfffffff)) + T(1)))', 'abs({l})', 'sign({l})',
          'mix({l}, {l}, {b})', 'T({i})', 'T({u})', 'T({k})', 'T({d})', 'T({f})',
          '(({l} >> 1 & T(0x7fffffffffffffffL)) % (T({u}) + T(1)))'],
    'k': ['({k} + {k})', '({k} - {k})', '({k} * {k})', '({k} & {k})', '({k} | {k})',
          '({k} ^ {k})', '(~{k})', '({k} << ({I} & 63))', '({k} >> ({U} & 63u))',
          '({k} / ({k} | T(1)))', '({k} % ({k} | T(1)))', '({k} / T(10))',
          'mix({k}, {k}, {b})', 'T({i})', 'T({u})', 'T({l})', 'T({b})',
          '({k} / (T({u}) + T(1)))', 'T(abs({d}))'],
    'b': ['mix({b}, {b}, {b})', 'T({u})', 'T({i})', 'T({f})'],
}
SCALAR_OPS = {
    'u': ['({b} ? {u} : {u})', 'packHalf2x16(abs({f2}))', 'unpackUint2x32({k}).x',
          'unpackUint2x32({k}).y', 'unpackDouble2x32({d} + 0.125lf).y', 'nz({f})'],
    'i': ['({b} ? {i} : {i})', 'unpackInt2x32({l}).y', 'floatBitsToInt({f} + 0.125)'],
    'l': ['({b} ? {l} : {l})', 'packInt2x32({i2})', 'doubleBitsToInt64({d} + 0.0625lf)'],
    'k': ['({b} ? {k} : {k})', 'packUint2x32({u2})', 'doubleBitsToUint64({d} + 0.0625lf)'],
    'b': ['({b} && {b})', '({b} || {b})', '({b} ^^ {b})', '(!{b})', '({b} ? {b} : {b})',
          'any({b3})', 'all({b2})', '({u3} == {u3})', '({f2} != {f2})', '(({u} & 1u) != 0u)'],
}
for compared in 'uiflkd':
    SCALAR_OPS['b'] += ['({%s} %s {%s})' % (compared, op, compared)
                        for op in (('<', '>=') if compared in 'dlk' else ('<', '<=', '==', '!='))]
VECTOR_OPS = {'b': ['not({b})', 'equal({b}, {b})']}
for compared in 'uiflkd':
    VECTOR_OPS['b'] += ['%s({%s}, {%s})' % (op, compared, compared)
                        for op in ('lessThan', 'greaterThanEqual', 'equal', 'notEqual')]

# Bounds of float results (magnitude and fraction bits), computed from those of the operands.
def widest(a, *more):
    return max([a[0]] + [x[0] for x in more]), max([a[1]] + [x[1] for x in more])

def total(*bounds):
    m, f = widest(*bounds)
    return m + len(bounds) - 1, f

def product(a, b):
    return a[0] + b[0], a[1] + b[1]

FLOAT_OPS = [
    ('(% + %)', total), ('(% - %)', total), ('(% * %)', product), ('(-%)', widest),
    ('abs(%)', widest), ('min(%, %)', widest), ('max(%, %)', widest),
    ('clamp(%, min(%, T(0)), T(100))', lambda *a: (max(widest(*a)[0], 7), widest(*a)[1])),
    ('floor(%)', lambda a: (a[0] + 1, 0)), ('ceil(%)', lambda a: (a[0] + 1, 0)),
    ('trunc(%)', lambda a: (a[0], 0)), ('roundEven(%)', lambda a: (a[0] + 1, 0)),
    ('fract(%)', lambda a: (0, a[1])), ('sign(%)', lambda a: (0, 0)),
    ('step(%, %)', lambda a, b: (0, 0)), ('(% * T(0.25))', lambda a: (a[0], a[1] + 2)),
    ('(% / T(2))', lambda a: (a[0], a[1] + 1)), ('mod(%, T(8))', lambda a: (3, a[1])),
    ('mix(%, %, %)', lambda a, b, c: (max(a[0], b[0]) + c[0] + 2, max(a[1], b[1]) + c[1])),
    ('fma(%, %, %)', lambda a, b, c: (max(a[0] + b[0], c[0]) + 1, max(a[1] + b[1], c[1]))),
    ('mix(%, %, {b})', widest), ('(% * % + %)', lambda a, b, c: total(product(a, b), c)),
    ('clamp(%, T(0), T(1))', lambda a: (0, a[1])),
    ('ldexp(%, {i} & 1)', lambda a: (a[0] + 1, a[1])),
]


def type_name(base, size):
    return SCALARS[base] if size == 1 else VECTORS[base] + str(size)


def prelude(wide):
    """Returns functions that every program has: bits() returns a word that depends on all bits of
    a value, and w?() folds a float into the range of variables."""
    out = ['#version 450']
    if wide:
        out.append('#extension GL_ARB_gpu_shader_int64 : require')
    out += ['uint bits(uint x) { return x; }', 'uint bits(int x) { return uint(x); }',
            'uint bits(bool x) { return uint(x); }',
            'uint bits(float x) { return x == 0.0 ? 0u : floatBitsToUint(x); }',
            'uint nz(float x) { return bits(x); }']
    if wide:
        out += ['uint bits(uint64_t x) { uvec2 v = unpackUint2x32(x); return v.x ^ v.y * 31u; }',
                'uint bits(int64_t x) { return bits(uint64_t(x)); }',
                'uint bits(double x) { uvec2 v = unpackDouble2x32(x);'
                ' return x == 0.0lf ? 0u : v.x ^ v.y * 31u; }']
    for n in range(1, 5):
        f, i, d, l = (type_name(b, n) for b in 'fidl')
        out.append('%s wf(%s x) { return %s(%s(floor(x * 4.0)) & 2047) * 0.25 - 256.0; }'
                   % (f, f, f, i))
        if wide:
            out.append('%s wd(%s x) { return %s(%s(floor(x * 8.0lf)) & int64_t(0xffffff)) * 0.125lf'
                       ' - 1048576.0lf; }' % (d, d, d, l))
    return out
