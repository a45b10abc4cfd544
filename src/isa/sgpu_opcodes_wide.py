# SPDX-License-Identifier: MIT
#
# The opcodes of 64-bit arithmetic, for sgpu_opcodes.py. Their kind is PAIR: the
# result has a value for each pair of components (xy, zw), computed from the pairs at
# the same positions of the sources.


def define(op):
    def double(name, code, srcs, unit, expr, desc, dst='d', **more):
        op(name, code, 'PAIR', dst, srcs, unit, expr, desc, **more)

    # -- doubles -----------------------------------------------------------------
    double('DMOV', 0x100, 'q', 'VEC', 'a',
           'Move of doubles. It copies all bits; source modifiers change only the sign bit.',
           dst='q', flags='fmod')
    double('DADD', 0x101, 'dd', 'VEC', 'sgpu_dadd(a, b)', 'Sum.')
    double('DMUL', 0x102, 'dd', 'VEC', 'sgpu_dmul(a, b)', 'Product.')
    double('DFMA', 0x103, 'ddd', 'VEC', 'sgpu_dfma(a, b, c)', 'Product and sum, rounded once.')
    double('DDIV', 0x104, 'dd', 'SFU', 'sgpu_ddiv(a, b)', 'Quotient.')
    double('DSQRT', 0x105, 'd', 'SFU', 'sgpu_dsqrt(a)', 'Square root.')
    double('DMIN', 0x106, 'dd', 'VEC', 'sgpu_dmin(a, b)',
           'Minimum. The minimum of a number and a NaN is the number; -0 is less than +0.')
    double('DMAX', 0x107, 'dd', 'VEC', 'sgpu_dmax(a, b)',
           'Maximum. The maximum of a number and a NaN is the number; +0 is more than -0.')
    double('DFLR', 0x108, 'd', 'VEC', 'sgpu_dfloor(a)', 'Floor.')
    double('DCEIL', 0x109, 'd', 'VEC', 'sgpu_dceil(a)', 'Ceiling.')
    double('DTRUNC', 0x10a, 'd', 'VEC', 'sgpu_dtrunc(a)', 'Round toward zero.')
    double('DROUND', 0x10b, 'd', 'VEC', 'sgpu_dround(a)',
           'Round to the nearest integer, ties to even.')
    double('DFRC', 0x10c, 'd', 'VEC', 'sgpu_dfract(a)', 'a - floor(a).')
    double('DSSG', 0x10d, 'd', 'VEC', 'sgpu_dsign(a)',
           'Sign: -1, 1, or a zero with the sign of the source; +0 for NaN.')
    double('DSET', 0x10e, 'dd', 'VEC', 'sgpu_dcmp(cond, a, b)',
           'All ones if the comparison holds, else 0.', dst='u', mod='cond')
    double('DSETP', 0x10f, 'dd', 'VEC', 'sgpu_dcmp(cond, a, b)',
           'The same comparison, with a predicate as result.', dst='p', mod='cond')

    # -- conversions -------------------------------------------------------------
    near = 'rounded to nearest, ties to even.'
    zero = 'rounded toward zero and saturated. NaN gives 0.'
    for name, code, src, dst, desc in (
            ('F2D', 0x110, 'f', 'd', 'Float to double.'),
            ('D2F', 0x111, 'd', 'f', 'Double to float, ' + near),
            ('I2D', 0x112, 'i', 'd', 'Signed integer to double.'),
            ('U2D', 0x113, 'u', 'd', 'Unsigned integer to double.'),
            ('D2I', 0x114, 'd', 'i', 'Double to signed integer, ' + zero),
            ('D2U', 0x115, 'd', 'u', 'Double to unsigned integer, ' + zero),
            ('L2D', 0x116, 'l', 'd', 'Signed 64-bit integer to double, ' + near),
            ('Q2D', 0x117, 'q', 'd', 'Unsigned 64-bit integer to double, ' + near),
            ('D2L', 0x118, 'd', 'l', 'Double to signed 64-bit integer, ' + zero),
            ('D2Q', 0x119, 'd', 'q', 'Double to unsigned 64-bit integer, ' + zero),
            ('L2F', 0x11a, 'l', 'f', 'Signed 64-bit integer to float, ' + near),
            ('Q2F', 0x11b, 'q', 'f', 'Unsigned 64-bit integer to float, ' + near),
            ('F2L', 0x11c, 'f', 'l', 'Float to signed 64-bit integer, ' + zero),
            ('F2Q', 0x11d, 'f', 'q', 'Float to unsigned 64-bit integer, ' + zero)):
        op(name, code, 'PAIR', dst, src, 'VEC', 'sgpu_%s(a)' % name.lower(), desc)

    # -- 64-bit integers ---------------------------------------------------------
    def integer(name, code, srcs, expr, desc, dst='q', unit='VEC', **more):
        op(name, code, 'PAIR', dst, srcs, unit, expr, desc, **more)

    integer('LADD', 0x120, 'qq', 'a + b', 'Sum modulo 2^64.')
    integer('LSUB', 0x121, 'qq', 'a - b', 'Difference modulo 2^64.')
    integer('LMUL', 0x122, 'qq', 'a * b', 'Product modulo 2^64.')
    integer('LNEG', 0x123, 'q', '0u - a', 'Negation modulo 2^64.')
    integer('LABS', 0x124, 'q', '((a >> 63) ? 0u - a : a)',
            'Absolute value. That of INT64_MIN is INT64_MIN.')
    integer('LSSG', 0x125, 'l', '((a > 0) - (a < 0))', 'Sign: -1, 0 or 1.', dst='l')
    integer('LDIV', 0x126, 'll', 'sgpu_ldiv(a, b)',
            'Quotient, rounded toward zero. Division by zero gives -1; INT64_MIN / -1 gives '
            'INT64_MIN.', dst='l', unit='SFU')
    integer('QDIV', 0x127, 'qq', 'sgpu_qdiv(a, b)',
            'Unsigned quotient. Division by zero gives all ones.', unit='SFU')
    integer('LREM', 0x128, 'll', 'sgpu_lrem(a, b)',
            'Remainder with the sign of a. Division by zero gives a.', dst='l', unit='SFU')
    integer('LMOD', 0x129, 'll', 'sgpu_lmod(a, b)',
            'Modulus with the sign of b. Division by zero gives a.', dst='l', unit='SFU')
    integer('QMOD', 0x12a, 'qq', 'sgpu_qmod(a, b)',
            'Unsigned remainder. Division by zero gives a.', unit='SFU')
    integer('LSHL', 0x12b, 'qu', 'a << (b & 63)', 'Shift left by b modulo 64.')
    integer('QSHR', 0x12c, 'qu', 'a >> (b & 63)',
            'Shift right by b modulo 64, filled with zeros.')
    integer('LASHR', 0x12d, 'lu', 'sgpu_lashr(a, b)',
            'Shift right by b modulo 64, filled with the sign.', dst='l')
    integer('LMIN', 0x12e, 'll', '(a < b ? a : b)', 'Signed minimum.', dst='l')
    integer('LMAX', 0x12f, 'll', '(a > b ? a : b)', 'Signed maximum.', dst='l')
    integer('QMIN', 0x130, 'qq', '(a < b ? a : b)', 'Unsigned minimum.')
    integer('QMAX', 0x131, 'qq', '(a > b ? a : b)', 'Unsigned maximum.')
    integer('LSET', 0x132, 'll', 'sgpu_lcmp(cond, a, b)',
            'All ones if the signed comparison holds, else 0.', dst='u', mod='cond')
    integer('LSETP', 0x133, 'll', 'sgpu_lcmp(cond, a, b)',
            'The same comparison, with a predicate as result.', dst='p', mod='cond')
    integer('QSET', 0x134, 'qq', 'sgpu_qcmp(cond, a, b)',
            'All ones if the unsigned comparison holds, else 0.', dst='u', mod='cond')
    integer('QSETP', 0x135, 'qq', 'sgpu_qcmp(cond, a, b)',
            'The same comparison, with a predicate as result.', dst='p', mod='cond')


# Reserved codes, like RESERVED in sgpu_opcodes.py.
RESERVED = [
    (0x11e, 0x11f, '64-bit conversions', 'Same operands.'),
    (0x136, 0x13f, '64-bit arithmetic', 'Same operands.'),
]
