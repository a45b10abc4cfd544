# SPDX-License-Identifier: MIT
#
# The opcodes, one row each. sgpu_isa.py describes the encoding.
#
# Columns of a row:
#   name    mnemonic
#   code    the 9-bit opcode
#   kind    how components are treated:
#             COMP  per component: expr over a, b, c
#             SCAL  a scalar from scalar sources (the swizzle repeats one
#                   component), replicated over the result: expr over a, b, c
#             SCALV a vector from scalars: dict of an expr over a, b, c per
#                   component
#             DOT   a scalar from whole vectors, replicated: expr over
#                   ax..aw, bx..bw
#             VEC   a vector from whole vectors: dict of an expr per component
#             PAIR  per component pair, xy and zw: expr over a, b, c. A 64-bit
#                   source has two positions, low word first; a 32-bit source
#                   uses the first position of the pair. A 64-bit result writes
#                   whole pairs; a 32-bit result can be written to any component
#                   of its pair
#             QUAD  per component, over the 2x2 quad (lanes 0 1 / 2 3): expr over
#                   q0..q2, the values of a in these lanes; row0 and row1, the
#                   values in the left and right lane of the same row; col0 and
#                   col1, the values in the upper and lower lane of the same column
#             CTL, TEX, MEM, IMG, IPA   no expression: the description defines the
#                   semantics. For IPA, src0 is an input, per component, and src1
#                   is the place of interpolation
#             WARP  per component, over the active lanes of the warp; no expression. With 64-bit
#                   operands, per component pair, as PAIR
#             PIXEL no sources, reads the lane's pixel; no expression
#   dst     type of the result: f, u, i; with 64 bits: d double, l signed, q
#           unsigned; p for predicates, a for the address register, - for none
#   srcs    a type letter per source: f, u, i, d, l, q. Only float and double sources
#           can have the abs and neg modifiers (but see fmod). These change only the
#           sign bit, which is in the high word of a double.
#   unit    functional unit: VEC, SFU, TEX, LS or CTL; also the scheduler's
#           latency class (see LATENCY)
#   expr    C code that uses the functions of sgpu_fp.h, sgpu_fp64.h, sgpu_int.h and
#           sgpu_int64.h; `cond` is the comparison. Z(f) is the function f, or its
#           variant fz if the instruction's zmul bit is set.
#   flags   vp1      in the base profile
#           sat      may saturate          (default: all float results)
#           zmul     has the zmul bit
#           fmod     sources can have modifiers, which change only the sign bit
#                    (SEL: all sources except for the first)
#           effect   must not be removed
#           wmask    has a write mask and no result
#           optaddr  src0, an address, may be absent and then counts as 0
#           optdst   the destination may be absent
#           atomic   src1 is the data operand of an operation in ATOMICS
#           noguard  can't have a guard
#           ps       pixel programs only
#           gs       geometry programs only
#           cs       compute programs only
#           tc       tessellation control programs only
#           patch    tessellation programs only
#           prim     tessellation and geometry programs only
#           quad     reads other lanes of the quad: pixel and compute programs only
#           inorder  the compiler's scheduler must not move it
#           ends     ends a basic block
#   mod, payload   meaning of the `mod` field and of word 3

from dataclasses import dataclass
from typing import Any

import sgpu_opcodes_wide as wide

# Latency of each unit in cycles, from issue to use, for the scheduler and as the default of the
# timing model.
LATENCY = {'VEC': 4, 'SFU': 8, 'TEX': 100, 'LS': 20, 'CTL': 1}


@dataclass(frozen=True)
class Op:
    name: str
    code: int
    kind: str
    dst: str
    srcs: str
    unit: str
    expr: Any
    flags: frozenset
    mod: str
    payload: str
    desc: str

    def takes_mods(self, s):
        """Returns whether source s can have the neg and abs modifiers."""
        if 'fmod' in self.flags:
            return not (self.name == 'SEL' and s == 0)
        return self.srcs[s] in 'fd'

    def takes_sat(self):
        return 'sat' in self.flags or (self.dst == 'f' and self.kind != 'TEX')

    def is_double(self):
        """Returns whether the operation computes with doubles, which are not flushed to zero."""
        return 'd' in self.dst + self.srcs

    def is_scalar(self, s):
        """Returns whether source s is a scalar, whose swizzle must repeat one component."""
        return (self.kind in ('SCAL', 'SCALV') or (self.kind == 'MEM' and s == 0) or
                (self.name == 'IPAS' and s == 1))


OPCODES = {}


def op(name, code, kind, dst, srcs, unit, expr, desc, flags='', mod='none',
       payload=None):
    assert name not in OPCODES and len(name) <= 8
    assert all(o.code != code for o in OPCODES.values()), name
    assert 0 <= code < 512
    assert payload is None or len(srcs) <= 2
    OPCODES[name] = Op(name, code, kind, dst, srcs, unit, expr,
                       frozenset(flags.split()), mod, payload, desc)


F0 = '0.0f'
F1 = '1.0f'

op('NOP', 0x000, 'CTL', '-', '', 'CTL', None, 'Does nothing.', 'noguard')

# -- base profile (Lindholm 2001, Table 2) -----------------------------------
op('ARL', 0x001, 'COMP', 'a', 'f', 'VEC', 'sgpu_f2i(sgpu_ffloor(a))',
   'Address register load: the largest integer not above the source. The base '
   'profile has only A0.x.', 'vp1')
op('MOV', 0x002, 'COMP', 'u', 'u', 'VEC', 'a',
   'Move. It copies all bits without flushing; source modifiers change only the '
   'sign bit.', 'vp1 fmod sat')
op('MUL', 0x003, 'COMP', 'f', 'ff', 'VEC', 'Z(sgpu_fmul)(a, b)', 'Product.', 'vp1 zmul')
op('ADD', 0x004, 'COMP', 'f', 'ff', 'VEC', 'sgpu_fadd(a, b)', 'Sum.', 'vp1')
op('MAD', 0x005, 'COMP', 'f', 'fff', 'VEC', 'Z(sgpu_fmad)(a, b, c)',
   'Product and sum, rounded twice.', 'vp1 zmul')
op('DP3', 0x006, 'DOT', 'f', 'ff', 'VEC',
   'Z(sgpu_fdp3)(ax, ay, az, bx, by, bz)',
   'Three-component dot product, (x + y) + z.', 'vp1 zmul')
op('DP4', 0x007, 'DOT', 'f', 'ff', 'VEC',
   'Z(sgpu_fdp4)(ax, ay, az, aw, bx, by, bz, bw)',
   'Four-component dot product, ((x + y) + z) + w.', 'vp1 zmul')
op('DST', 0x008, 'VEC', 'f', 'ff', 'VEC',
   dict(x=F1, y='Z(sgpu_fmul)(ay, by)', z='sgpu_fflush(az)', w='sgpu_fflush(bw)'),
   'Distance vector: (1, a.y*b.y, a.z, b.w).', 'vp1 zmul')
op('MIN', 0x009, 'COMP', 'f', 'ff', 'VEC', 'sgpu_fmin(a, b)',
   'Minimum. The minimum of a number and a NaN is the number; -0 is less than +0.', 'vp1')
op('MAX', 0x00a, 'COMP', 'f', 'ff', 'VEC', 'sgpu_fmax(a, b)',
   'Maximum. The maximum of a number and a NaN is the number; +0 is more than -0.', 'vp1')
op('SLT', 0x00b, 'COMP', 'f', 'ff', 'VEC', 'sgpu_fslt(a, b)',
   '1.0 if a < b, else 0.0.', 'vp1')
op('SGE', 0x00c, 'COMP', 'f', 'ff', 'VEC', 'sgpu_fsge(a, b)',
   '1.0 if a >= b, else 0.0.', 'vp1')
op('RCP', 0x00d, 'SCAL', 'f', 'f', 'SFU', 'sgpu_frcp(a)', 'Reciprocal.', 'vp1')
op('RSQ', 0x00e, 'SCAL', 'f', 'f', 'SFU', 'sgpu_frsq(a)',
   'Reciprocal square root of abs(a).', 'vp1')
op('EXP', 0x00f, 'SCALV', 'f', 'f', 'SFU',
   dict(x='sgpu_fexp_x(a)', y='sgpu_fexp_y(a)', z='sgpu_fexp_z(a)', w=F1),
   'Exponential, base 2, with partial results: (2^floor(a), a - floor(a), '
   '2^a, 1).', 'vp1')
op('LOG', 0x010, 'SCALV', 'f', 'f', 'SFU',
   dict(x='sgpu_flog_x(a)', y='sgpu_flog_y(a)', z='sgpu_flog_z(a)', w=F1),
   'Logarithm, base 2, of abs(a), with partial results: (exponent, mantissa '
   'in [1, 2), log2(abs(a)), 1); for 0 (-inf, 1, -inf, 1).', 'vp1')
op('LIT', 0x011, 'VEC', 'f', 'f', 'SFU',
   dict(x=F1, y='sgpu_flit_y(ax)', z='sgpu_flit_z(ax, ay, aw)', w=F1),
   'Lighting coefficients: (1, max(x, 0), x > 0 ? max(y, 0)^clamp(w, -128, '
   '128) : 0, 1); 0^0 is 1.', 'vp1')

# -- full profile: float -----------------------------------------------------
op('SQRT', 0x020, 'SCAL', 'f', 'f', 'SFU', 'sgpu_fsqrt(a)', 'Square root.')
op('EX2', 0x021, 'SCAL', 'f', 'f', 'SFU', 'sgpu_fex2(a)', '2 to the a.')
op('LG2', 0x022, 'SCAL', 'f', 'f', 'SFU', 'sgpu_flg2(a)', 'Logarithm, base 2.')
op('SIN', 0x023, 'SCAL', 'f', 'f', 'SFU', 'sgpu_fsin(a)', 'Sine of radians.')
op('COS', 0x024, 'SCAL', 'f', 'f', 'SFU', 'sgpu_fcos(a)', 'Cosine of radians.')
op('FLR', 0x025, 'COMP', 'f', 'f', 'VEC', 'sgpu_ffloor(a)', 'Floor.')
op('CEIL', 0x026, 'COMP', 'f', 'f', 'VEC', 'sgpu_fceil(a)', 'Ceiling.')
op('TRUNC', 0x027, 'COMP', 'f', 'f', 'VEC', 'sgpu_ftrunc(a)', 'Round toward zero.')
op('ROUND', 0x028, 'COMP', 'f', 'f', 'VEC', 'sgpu_fround(a)',
   'Round to the nearest integer, ties to even.')
op('FRC', 0x029, 'COMP', 'f', 'f', 'VEC', 'sgpu_ffract(a)', 'a - floor(a).')
op('SSG', 0x02a, 'COMP', 'f', 'f', 'VEC', 'sgpu_fsign(a)',
   'Sign: -1, 1, or a zero with the sign of the source; +0 for NaN.')
op('SEQ', 0x02b, 'COMP', 'f', 'ff', 'VEC', 'sgpu_fseq(a, b)',
   '1.0 if a == b, else 0.0.')
op('SNE', 0x02c, 'COMP', 'f', 'ff', 'VEC', 'sgpu_fsne(a, b)',
   '1.0 if a != b or if either is NaN, else 0.0.')
op('DP2', 0x02d, 'DOT', 'f', 'ff', 'VEC',
   'Z(sgpu_fdp2)(ax, ay, bx, by)',
   'Two-component dot product.', 'zmul')
op('DPH', 0x02e, 'DOT', 'f', 'ff', 'VEC',
   'Z(sgpu_fdph)(ax, ay, az, bx, by, bz, bw)',
   'Homogeneous dot product: DP3 plus b.w.', 'zmul')
op('FSET', 0x030, 'COMP', 'u', 'ff', 'VEC', 'sgpu_fcmp(cond, a, b)',
   'All ones if the comparison holds, else 0.', mod='cond')
op('FSETP', 0x031, 'COMP', 'p', 'ff', 'VEC', 'sgpu_fcmp(cond, a, b)',
   'The same comparison, with a predicate as result.', mod='cond')

# -- full profile: integer and bits ------------------------------------------
op('ISET', 0x040, 'COMP', 'u', 'ii', 'VEC', 'sgpu_icmp(cond, a, b)',
   'All ones if the signed comparison holds, else 0.', mod='cond')
op('ISETP', 0x041, 'COMP', 'p', 'ii', 'VEC', 'sgpu_icmp(cond, a, b)',
   'The same comparison, with a predicate as result.', mod='cond')
op('USET', 0x042, 'COMP', 'u', 'uu', 'VEC', 'sgpu_ucmp(cond, a, b)',
   'All ones if the unsigned comparison holds, else 0.', mod='cond')
op('USETP', 0x043, 'COMP', 'p', 'uu', 'VEC', 'sgpu_ucmp(cond, a, b)',
   'The same comparison, with a predicate as result.', mod='cond')
op('SEL', 0x044, 'COMP', 'u', 'uuu', 'VEC', '(a != 0 ? b : c)',
   'b if any bit of a is set, else c. Source modifiers of b and c change only the '
   'sign bit.',
   'fmod sat')
op('ARI', 0x045, 'COMP', 'a', 'i', 'VEC', 'a', 'Address register load of an integer.')
op('IADD', 0x046, 'COMP', 'u', 'uu', 'VEC', 'a + b', 'Sum modulo 2^32.')
op('ISUB', 0x047, 'COMP', 'u', 'uu', 'VEC', 'a - b', 'Difference modulo 2^32.')
op('IMUL', 0x048, 'COMP', 'u', 'uu', 'VEC', 'a * b', 'Low half of the product.')
op('IMULH', 0x049, 'COMP', 'i', 'ii', 'VEC',
   'sgpu_imulh(a, b)', 'High half, signed.')
op('UMULH', 0x04a, 'COMP', 'u', 'uu', 'VEC',
   'sgpu_umulh(a, b)', 'High half, unsigned.')
op('IMAD', 0x04b, 'COMP', 'u', 'uuu', 'VEC', 'a * b + c', 'Product and sum modulo 2^32.')
op('IDIV', 0x04c, 'COMP', 'i', 'ii', 'SFU', 'sgpu_idiv(a, b)',
   'Quotient, rounded toward zero. Division by zero gives -1; INT_MIN / -1 gives INT_MIN.')
op('UDIV', 0x04d, 'COMP', 'u', 'uu', 'SFU', 'sgpu_udiv(a, b)',
   'Quotient. Division by zero gives all ones.')
op('IREM', 0x04e, 'COMP', 'i', 'ii', 'SFU', 'sgpu_irem(a, b)',
   'Remainder with the sign of a. Division by zero gives a.')
op('UMOD', 0x04f, 'COMP', 'u', 'uu', 'SFU', 'sgpu_umod(a, b)',
   'Remainder. Division by zero gives a.')
op('IMOD', 0x050, 'COMP', 'i', 'ii', 'SFU', 'sgpu_imod(a, b)',
   'Modulus with the sign of b. Division by zero gives a.')
op('AND', 0x051, 'COMP', 'u', 'uu', 'VEC', 'a & b', 'Bitwise and.')
op('OR', 0x052, 'COMP', 'u', 'uu', 'VEC', 'a | b', 'Bitwise or.')
op('XOR', 0x053, 'COMP', 'u', 'uu', 'VEC', 'a ^ b', 'Bitwise exclusive or.')
op('NOT', 0x054, 'COMP', 'u', 'u', 'VEC', '~a', 'Bitwise complement.')
op('SHL', 0x055, 'COMP', 'u', 'uu', 'VEC', 'a << (b & 31)', 'Shift left by b modulo 32.')
op('SHR', 0x056, 'COMP', 'u', 'uu', 'VEC', 'a >> (b & 31)',
   'Shift right by b modulo 32, filled with zeros.')
op('ASHR', 0x057, 'COMP', 'i', 'iu', 'VEC', 'sgpu_ashr(a, b)',
   'Shift right by b modulo 32, filled with the sign.')
op('IMIN', 0x058, 'COMP', 'i', 'ii', 'VEC', '(a < b ? a : b)', 'Signed minimum.')
op('IMAX', 0x059, 'COMP', 'i', 'ii', 'VEC', '(a > b ? a : b)', 'Signed maximum.')
op('UMIN', 0x05a, 'COMP', 'u', 'uu', 'VEC', '(a < b ? a : b)', 'Unsigned minimum.')
op('UMAX', 0x05b, 'COMP', 'u', 'uu', 'VEC', '(a > b ? a : b)', 'Unsigned maximum.')
op('INEG', 0x05c, 'COMP', 'u', 'u', 'VEC', '0u - a', 'Negation modulo 2^32.')
op('IABS', 0x05d, 'COMP', 'u', 'u', 'VEC', '((a >> 31) ? 0u - a : a)',
   'Absolute value. That of INT_MIN is INT_MIN.')
op('ISSG', 0x05e, 'COMP', 'i', 'i', 'VEC', '((a > 0) - (a < 0))', 'Sign: -1, 0 or 1.')
op('UBFE', 0x05f, 'COMP', 'u', 'uuu', 'VEC', 'sgpu_ubfe(a, b, c)',
   'Bit field: c bits of a from bit b (both modulo 32), zero extended; 0 if c is 0.')
op('IBFE', 0x060, 'COMP', 'i', 'iuu', 'VEC', 'sgpu_ibfe(a, b, c)',
   'As UBFE, sign extended.')
op('BFM', 0x061, 'COMP', 'u', 'uu', 'VEC', '(((1u << (a & 31)) - 1u) << (b & 31))',
   'Mask of a bits (modulo 32) from bit b (modulo 32).')
op('BFI', 0x062, 'COMP', 'u', 'uuu', 'VEC', 'sgpu_bfi(a, b, c)',
   'Insert b, shifted left to the lowest set bit of mask a, into c at the bits of a; a = 0 '
   'gives c.')
op('BREV', 0x063, 'COMP', 'u', 'u', 'VEC', 'sgpu_brev(a)', 'Bits reversed.')
op('BCNT', 0x064, 'COMP', 'u', 'u', 'VEC', 'sgpu_bcnt(a)', 'Number of set bits.')
op('FBL', 0x065, 'COMP', 'i', 'u', 'VEC', 'sgpu_find_lsb(a)',
   'Number of the lowest set bit, -1 if there is none.')
op('FBHU', 0x066, 'COMP', 'i', 'u', 'VEC', 'sgpu_ufind_msb(a)',
   'Number of the highest set bit, -1 if there is none.')
op('FBHI', 0x067, 'COMP', 'i', 'i', 'VEC', 'sgpu_ifind_msb(a)',
   'Number of the highest bit that differs from the sign, -1 if there is none.')
op('F2I', 0x068, 'COMP', 'i', 'f', 'VEC', 'sgpu_f2i(a)',
   'To a signed integer, rounded toward zero and saturated. NaN gives 0.')
op('F2U', 0x069, 'COMP', 'u', 'f', 'VEC', 'sgpu_f2u(a)',
   'To an unsigned integer, rounded toward zero and saturated. NaN gives 0.')
op('I2F', 0x06a, 'COMP', 'f', 'i', 'VEC', 'sgpu_i2f(a)',
   'From a signed integer, rounded to nearest, ties to even.')
op('U2F', 0x06b, 'COMP', 'f', 'u', 'VEC', 'sgpu_u2f(a)',
   'From an unsigned integer, rounded to nearest, ties to even.')
op('PK2H', 0x06c, 'VEC', 'u', 'f', 'VEC',
   {c: '(sgpu_f2h(ax) | (sgpu_f2h(ay) << 16))' for c in 'xyzw'},
   'x and y as halves in one word, x in the low half, replicated.')
op('UP2H', 0x06d, 'SCALV', 'f', 'u', 'VEC',
   dict(x='sgpu_h2f(a)', y='sgpu_h2f(a >> 16)', z='sgpu_h2f(a)', w='sgpu_h2f(a >> 16)'),
   'The two halves of a word: (lo, hi, lo, hi).')

# -- quads -------------------------------------------------------------------
op('DDX', 0x070, 'QUAD', 'f', 'f', 'VEC', 'sgpu_fsub(q1, q0)',
   'Derivative in x of the upper row, for the whole quad: lane 1 - lane 0.', 'quad ddx')
op('DDY', 0x071, 'QUAD', 'f', 'f', 'VEC', 'sgpu_fsub(q2, q0)',
   'Derivative in y of the left column, for the whole quad: lane 2 - lane 0.', 'quad ddy')
op('DDXF', 0x072, 'QUAD', 'f', 'f', 'VEC', 'sgpu_fsub(row1, row0)',
   'Derivative in x of the lane\'s row of the quad.', 'quad ddxf')
op('DDYF', 0x073, 'QUAD', 'f', 'f', 'VEC', 'sgpu_fsub(col1, col0)',
   'Derivative in y of the lane\'s column of the quad.', 'quad ddyf')

# -- textures (operands by target: TEX_OPS in sgpu_isa.py) --------------------
TEXC = ('src0 holds the coordinates in x, y, z (array layer after the last '
        'one, rounded to nearest even; for cube arrays in w). The reference '
        'value of a comparison is src0.w, for cube arrays src1.y. ')
op('TEX', 0x080, 'TEX', 'u', 'ff', 'TEX', None,
   TEXC + 'Sample with the level of detail of the quad. src1 is absent unless '
   'the target is a cube array with comparison.', 'quad', mod='res', payload='tex')
op('TXB', 0x081, 'TEX', 'u', 'ff', 'TEX', None,
   TEXC + 'As TEX, with src1.x added to the level of detail.', 'quad', mod='res',
   payload='tex')
op('TXL', 0x082, 'TEX', 'u', 'ff', 'TEX', None,
   TEXC + 'src1.x is the level of detail.', '', mod='res', payload='tex')
op('TXD', 0x083, 'TEX', 'u', 'ff', 'TEX', None,
   TEXC + 'src1 holds the gradients (dx.x, dx.y, dy.x, dy.y); 1D and 2D '
   'targets and their arrays only.', '', mod='res', payload='tex')
op('TXF', 0x084, 'TEX', 'u', 'uu', 'TEX', None,
   'Fetch one texel. src0 has integer coordinates, src1.x the level or, for '
   'multisample targets, the sample; src1 is absent if the target has neither. '
   'Out of range gives (0,0,0,0).', '', mod='res', payload='tex')
op('TG4', 0x085, 'TEX', 'u', 'ff', 'TEX', None,
   TEXC + 'Gather one component of the four texels of bilinear filtering at the '
   'base level, in the order of GL: (0,1), (1,1), (1,0), (0,0). With the bit oreg '
   'src1.zw are integer texel offsets, and src1 takes no modifiers; in the text form, '
   'a src1 sets the bit unless it is a reference value.', '', mod='res', payload='tex')
op('TXQ', 0x086, 'TEX', 'u', 'u', 'TEX', None,
   'Size of level src0.x (absent if the target has no levels): width, '
   'height, depth or layers; w: number of levels.',
   '', mod='res', payload='tex')
op('LODQ', 0x087, 'TEX', 'f', 'f', 'TEX', None,
   'Level of detail: x is the level accessed, y the value before clamping. src0 '
   'is as for TEX, without array layer.', 'quad', mod='res', payload='tex')
op('TXQS', 0x088, 'TEX', 'u', '', 'TEX', None,
   'x: number of samples.', '', mod='res', payload='tex')

# -- memory ------------------------------------------------------------------
# Addresses are in bytes. (src0.x + offset) modulo 2^32 is rounded down to a
# multiple of 4. Component n is the word at address + 4n; each word is checked
# separately.
op('LDC', 0x0a0, 'MEM', 'u', 'u', 'LS', None,
   'Load from constant bank `unit`: the components of the mask from the words '
   'at byte src0.x + offset (+0, +4, +8, +12). Out of range gives 0. An absent '
   'src0 is 0.', 'optaddr', mod='res', payload='mem')
op('LDL', 0x0a1, 'MEM', 'u', 'u', 'LS', None,
   'Load from the lane\'s scratch memory, as LDC.', 'optaddr', payload='mem')
op('STL', 0x0a2, 'MEM', '-', 'uu', 'LS', None,
   'Store src1 under the write mask to the lane\'s scratch memory at byte '
   'src0.x + offset. Stores out of range are dropped. An absent src0 is 0.',
   'effect wmask optaddr', payload='mem')

# Memory that other lanes can see. Helper lanes and killed lanes do not perform stores and atomic
# operations.
AT = ('Atomically replaces %s by the operation\'s value of the old one and src1.x (CAS: src1.y, '
      'if the old value is src1.x). The result is the old value, in every component of the '
      'mask; %s.')
op('LDB', 0x0a3, 'MEM', 'u', 'u', 'LS', None,
   'Load from storage buffer `unit`, as LDC.', 'optaddr', mod='res', payload='mem')
op('STB', 0x0a4, 'MEM', '-', 'uu', 'LS', None,
   'Store src1 under the write mask to storage buffer `unit` at byte src0.x + offset. Stores '
   'out of range are dropped. An absent src0 is 0.',
   'effect wmask optaddr', mod='res', payload='mem')
op('ATB', 0x0a5, 'MEM', 'u', 'uu', 'LS', None,
   AT % ('the word at byte src0.x + offset of storage buffer `unit`',
         'out of range nothing is done, and it is 0') + ' An absent src0 is 0.',
   'effect atomic optaddr optdst', mod='res', payload='atomic')
op('SZB', 0x0a6, 'MEM', 'u', '', 'LS', None,
   'Size of storage buffer `unit` in bytes, in every component of the mask.', '', mod='res',
   payload='mem')
op('LDS', 0x0a7, 'MEM', 'u', 'u', 'LS', None,
   'Load from the memory that the workgroup shares, as LDC.', 'optaddr cs', payload='mem')
op('STS', 0x0a8, 'MEM', '-', 'uu', 'LS', None,
   'Store to the memory that the workgroup shares, as STB.', 'effect wmask optaddr cs',
   payload='mem')
op('ATS', 0x0a9, 'MEM', 'u', 'uu', 'LS', None,
   AT % ('the word at byte src0.x + offset of the memory that the workgroup shares',
         'out of range nothing is done, and it is 0') + ' An absent src0 is 0.',
   'effect atomic optaddr optdst cs', payload='atomic')
ATW = ('Atomically replaces the 64-bit value at byte src0.x + offset of %s, which is rounded down to a '
       'multiple of 8, by the operation\'s value of the old one and src1.xy (CAS: src1.zw, if the '
       'old value is src1.xy). The result is the old value, in every pair of the mask; where a word '
       'of it is out of range nothing is done, and it is 0. An absent src0 is 0.')
op('ATBW', 0x0ae, 'MEM', 'q', 'uq', 'LS', None,
   ATW % 'storage buffer `unit`' + ' Nothing is done, either, if the buffer is not bound at a '
   'multiple of 8.', 'effect atomic optaddr optdst', mod='res', payload='atomic')
op('ATSW', 0x0af, 'MEM', 'q', 'uq', 'LS', None,
   ATW % 'the memory that the workgroup shares', 'effect atomic optaddr optdst cs',
   payload='atomic')

# -- images ------------------------------------------------------------------
IMG = ('src0 holds integer coordinates (array layer after the last one; faces and layers of '
       'cubes are layers of a 2D_ARRAY), and in w the sample where the target has samples. ')
op('LDI', 0x0aa, 'IMG', 'u', 'u', 'LS', None,
   IMG + 'Load a texel: floats of normalized and float formats, integers of integer formats; '
   'components that the format lacks are those of (0,0,0,1). Out of range gives 0 in the others, '
   'and (0,0,0,0) where no image of the target is bound.',
   '', mod='res', payload='image')
op('STI', 0x0ab, 'IMG', '-', 'uu', 'LS', None,
   IMG + 'Store src1 as a texel, converted as by the ROP. Stores out of range are dropped.',
   'effect', mod='res', payload='image')
op('ATI', 0x0ac, 'IMG', 'u', 'uu', 'LS', None,
   IMG + AT % ('a texel', 'out of range, or if the format is not one of R32_UINT, R32_SINT and '
               'R32_FLOAT, nothing is done, and it is 0'),
   'effect atomic optdst', mod='res', payload='image')
op('SZI', 0x0ad, 'IMG', 'u', '', 'LS', None,
   'Size of the bound level: width, height, depth or layers; w: number of samples.',
   '', mod='res', payload='image')

# -- control (Lindholm 2008, section on SIMT branching) ----------------------
# A warp has a set of active lanes and a synchronization stack. A stack entry has
# a kind (pending side, meeting, break or continue point), a target and a set of
# lanes. When no lane is active, the warp pops entries until one has lanes, and
# these continue at its target. A warp without lanes and entries ends.
op('BRA', 0x0c0, 'CTL', '-', '', 'CTL', None,
   'Branch in the lanes whose guard holds. If lanes disagree, the taken side is '
   'pushed on the synchronization stack and the other lanes continue.',
   'effect ends', payload='branch')
op('SSY', 0x0c1, 'CTL', '-', '', 'CTL', None,
   'Push a meeting point: target and active lanes.',
   'effect noguard', payload='branch')
op('SYNC', 0x0c2, 'CTL', '-', '', 'CTL', None,
   'Pop the stack: continue with the pending side, or at the meeting point.',
   'effect noguard ends')
op('PBK', 0x0c3, 'CTL', '-', '', 'CTL', None,
   'Push a break point: target and active lanes.', 'effect noguard',
   payload='branch')
op('BRK', 0x0c4, 'CTL', '-', '', 'CTL', None,
   'The lanes whose guard holds leave all entries above the innermost break point '
   'and wait there; when no lane is left above it, it is popped.', 'effect ends')
op('PCNT', 0x0c5, 'CTL', '-', '', 'CTL', None,
   'Push a continue point: target and active lanes.', 'effect noguard',
   payload='branch')
op('CONT', 0x0c6, 'CTL', '-', '', 'CTL', None,
   'As BRK, for the innermost continue point.', 'effect ends')
op('EXIT', 0x0c7, 'CTL', '-', '', 'CTL', None,
   'The lanes whose guard holds end and leave all entries. At the end of the '
   'program all lanes do so.', 'effect ends')
op('KIL', 0x0c8, 'CTL', '-', '', 'CTL', None,
   'Kill: the lanes whose guard holds discard their pixel and end.', 'effect ps')
op('DMT', 0x0c9, 'CTL', '-', '', 'CTL', None,
   'Demote: the lanes whose guard holds discard their pixel and continue as helper '
   'lanes, until no lane of the quad has a pixel.', 'effect ps')

# -- geometry and tessellation programs --------------------------------------
op('LDV', 0x0ca, 'MEM', 'u', 'u', 'LS', None,
   'Load the components of the mask of input va[unit] (linked by STAGE INPUTS) of '
   'vertex (src0.x + offset) modulo 2^32 of the primitive. Out of range gives 0. An absent '
   'src0 is 0.', 'prim optaddr', mod='res', payload='mem')
op('EMITV', 0x0cb, 'CTL', '-', '', 'CTL', None,
   'The lanes whose guard holds append a vertex with the current outputs to the strip of '
   'the vertex stream. Outputs keep their values. Vertices of a lane beyond '
   'SHADER.Max Vertices are dropped.', 'effect gs', payload='vertex_stream')
op('CUT', 0x0cc, 'CTL', '-', '', 'CTL', None,
   'The lanes whose guard holds end the strip of the vertex stream; the next vertex begins '
   'another one.',
   'effect gs', payload='vertex_stream')
op('LDO', 0x0ce, 'MEM', 'u', 'u', 'LS', None,
   'Load the components of the mask of output vo[unit] of vertex (src0.x + offset) modulo 2^32 '
   'of the patch, as the lane that makes that vertex has it now. Out of range, and for outputs '
   'that the program does not write, gives 0. An absent src0 is 0.', 'tc optaddr', mod='res',
   payload='mem')
op('LDP', 0x0cf, 'MEM', 'u', 'u', 'LS', None,
   'Load the components of the mask of output (src0.x + offset) modulo 2^32 of the patch. Out '
   'of range gives 0. An absent src0 is 0.', 'patch optaddr', payload='mem')
op('STP', 0x0d0, 'MEM', '-', 'uu', 'LS', None,
   'Store src1 under the write mask to output (src0.x + offset) modulo 2^32 of the patch. Of '
   'lanes that store the same component, the last one counts. Stores out of range are dropped. '
   'An absent src0 is 0.', 'effect wmask tc optaddr', payload='mem')

# -- compute programs --------------------------------------------------------
op('BAR', 0x0cd, 'CTL', '-', '', 'CTL', None,
   'Barrier: the warp continues when all warps of its workgroup have arrived at one, or have '
   'ended. Lanes that are not active do not arrive later.', 'effect noguard cs')

# -- subgroups ----------------------------------------------------------------
# Active lanes are the lanes that execute the instruction together because its guard is
# true for them. Helper lanes are active; lanes that have ended, or never ran, are not.
SUB = 'Per component, over the active lanes: '
op('VALL', 0x140, 'WARP', 'u', 'u', 'VEC', None,
   SUB + 'all ones if the source is nonzero in all of them, else 0.')
op('VANY', 0x141, 'WARP', 'u', 'u', 'VEC', None,
   SUB + 'all ones if the source is nonzero in any of them, else 0.')
op('VEQ', 0x142, 'WARP', 'u', 'u', 'VEC', None,
   SUB + 'all ones if the source has the same bits in all of them, else 0.')
op('VFEQ', 0x143, 'WARP', 'u', 'f', 'VEC', None,
   SUB + 'all ones if the source equals, as a float, the value of the lowest of them in '
   'each, else 0. With a NaN 0.')
op('BALLOT', 0x144, 'WARP', 'u', 'u', 'VEC', None,
   SUB + 'bit n is set if lane n is active and its source is nonzero.')
op('RDLANE', 0x145, 'WARP', 'u', 'uu', 'VEC', None,
   'Per component: the first source in the lane whose number is the second source. 0 if '
   'that lane is not active, or the number is above 31.')
op('RDFIRST', 0x146, 'WARP', 'u', 'u', 'VEC', None,
   SUB + 'the source in the lowest of them.')
RED = ('The warp is divided in clusters of 1, 2, 4, 8, 16 or 32 lanes. Per component, over the '
       'active lanes of the cluster in the order of their numbers: ')
op('RED', 0x147, 'WARP', 'u', 'u', 'VEC', None,
   RED + 'the operation of all sources.', payload='reduce')
op('SCANI', 0x148, 'WARP', 'u', 'u', 'VEC', None,
   RED + 'the operation of the sources up to the lane\'s own.', payload='reduce')
op('SCANX', 0x149, 'WARP', 'u', 'u', 'VEC', None,
   RED + 'the operation of the sources before the lane\'s own; the first of them gets the '
   'operation\'s identity.', payload='reduce')
WIDE_RED = RED.replace('component', 'component pair')
op('REDW', 0x14a, 'WARP', 'q', 'q', 'VEC', None,
   WIDE_RED + 'the operation of all sources, with 64 bits.', payload='reduce')
op('SCANIW', 0x14b, 'WARP', 'q', 'q', 'VEC', None,
   WIDE_RED + 'the operation of the sources up to the lane\'s own, with 64 bits.',
   payload='reduce')
op('SCANXW', 0x14c, 'WARP', 'q', 'q', 'VEC', None,
   WIDE_RED + 'the operation of the sources before the lane\'s own, with 64 bits; the first of '
   'them gets the operation\'s identity.', payload='reduce')
op('CLK', 0x170, 'WARP', 'u', '', 'VEC', None,
   'x: the number of instructions that the warp has issued since it was started; y: '
   'CLOCK.Value; z and w are 0. An instruction counts once for the whole warp, whatever its '
   'guard.',
   'inorder')

# -- inputs at other places than VARYING.Place --------------------------------
IPA = ('Components of the input of src0, interpolated %s. Flat and constant inputs keep their '
       'value.')
op('IPAC', 0x160, 'IPA', 'f', 'f', 'LS', None,
   IPA % 'at VARYING.Place CENTROID', 'ps')
op('IPAO', 0x161, 'IPA', 'f', 'ff', 'LS', None,
   IPA % 'at src1.xy pixels from the centre of the pixel' +
   ' Offsets have no limits; the sum of centre and offset is rounded once.', 'ps')
op('IPAS', 0x162, 'IPA', 'f', 'fu', 'LS', None,
   IPA % 'at sample src1.x' + ' Without RASTERIZER.Multisample, or if there is no such '
   'sample, the place is the centre of the pixel.', 'ps')

# -- stored pixels -------------------------------------------------------------
op('LDT', 0x163, 'PIXEL', 'u', '', 'LS', None,
   'Load what target `unit` stores at the pixel. 0 to 7 are colour targets: the values '
   'that blending takes as destination, floats (of sRGB formats linear ones) or integers, '
   'with 1 for absent alpha. 8 is the depth-stencil target: x is the depth as a float, y the '
   'stencil value as an integer, z and w are 0. Absent targets, depths and stencil values are 0. '
   'The values are those that earlier primitives have left; a program with LDT runs once for '
   'each sample.', 'ps', payload='fetch')

wide.define(op)

# Codes reserved for planned operations: first code, last code, purpose, and operand encoding.
RESERVED = [
    (0x012, 0x01f, 'more operations of the base profile', 'Same operands.'),
    (0x02f, 0x02f, 'float', 'Same operands.'),
    (0x032, 0x03f, 'float', 'Same operands.'),
    (0x06e, 0x06f, 'conversions', 'Same operands.'),
    (0x074, 0x07f, 'quads', 'Same operands.'),
    (0x089, 0x09f, 'textures', 'The tex payload.'),
    (0x0b0, 0x0bf, 'memory', 'As the operations on memory and images before.'),
    (0x0d1, 0x0df, 'calls', 'Calls take the branch payload.'),
    (0x0e0, 0x0ff, 'nothing yet', ''),
    (0x14d, 0x15f, 'subgroup operations', 'As those that there are.'),
    (0x164, 0x16f, 'nothing yet', ''),
    (0x171, 0x1ff, 'nothing yet', ''),
]
RESERVED = sorted(RESERVED + wide.RESERVED)
