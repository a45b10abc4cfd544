# SPDX-License-Identifier: MIT
"""Translator: the supported vector instructions of x86-64, in VEX encoding (Intel SDM 2A,
section 2.3), and how 16 lanes of AVX-512 have the same effect (section 2.7). The encoder and the
extraction of pieces use this table.

Columns: name, form, prefix (pp), map, opcode, effect on NaNs, W, opcode extension, and whether
the operation commutes.

Forms, with the result d, sources a, b, c and an immediate i; b of RVM and a of RM may be memory:
   RVM   op d, a, b        RVMI  op d, a, b, i      RVMR  op d, a, b, c
   RM    op d, a           RMI   op d, a, i
   VMI   op d, a, i        with an opcode extension
   MRI   op d, a, i        the result is in r/m

Effect on NaNs, for sources that differ only in the payload and sign of NaNs:
   blind   results also differ only in the payload and sign of NaNs
   exact   results are the same
   data    like blind for the first two sources, but the third source must be the same
   bits    results can be completely different

Commutes: whether the two sources can be swapped
   no, yes
   but_nan   yes, but the payload and sign of a NaN depend on their order
"""

from dataclasses import dataclass, replace

PREFIX = {'': 0, '66': 1, 'f3': 2, 'f2': 3}
MAPS = {'0f': 1, '0f38': 2, '0f3a': 3}


@dataclass(frozen=True)
class X86Op:
    name: str
    form: str
    pp: int
    map: int
    opcode: int
    w: int
    nan: str
    commutes: str
    ext: int
    code: int
    wide: str = 'no'
    wide_w: int = 0
    wide_opcode: int = 0

    @property
    def num_srcs(self):
        return {'RVM': 2, 'RVMI': 2, 'RVMR': 3, 'RM': 1, 'RMI': 1, 'VMI': 1, 'MRI': 1}[self.form]

    @property
    def has_imm(self):
        return self.form.endswith('I')


OPS = {}


def row(name, form, prefix, table, opcode, nan='bits', w=0, ext=0, commutes='no'):
    OPS[name] = X86Op(name, form, PREFIX[prefix], MAPS[table], opcode, w, nan, commutes, ext,
                      len(OPS))


# arithmetic in single and in double precision
for base, opcode, commutes in (('add', 0x58, 'but_nan'), ('mul', 0x59, 'but_nan'),
                               ('sub', 0x5c, 'no'), ('div', 0x5e, 'no'), ('min', 0x5d, 'no'),
                               ('max', 0x5f, 'no')):
    row(f'v{base}ps', 'RVM', '', '0f', opcode, 'blind', commutes=commutes)
    row(f'v{base}pd', 'RVM', '66', '0f', opcode, 'blind', commutes=commutes)
row('vsqrtps', 'RM', '', '0f', 0x51, 'blind')
row('vsqrtpd', 'RM', '66', '0f', 0x51, 'blind')
row('vroundps', 'RMI', '66', '0f3a', 0x08, 'blind')
row('vroundpd', 'RMI', '66', '0f3a', 0x09, 'blind')
row('vcmpps', 'RVMI', '', '0f', 0xc2, 'exact')
row('vcmppd', 'RVMI', '66', '0f', 0xc2, 'exact')
row('vcvtdq2ps', 'RM', '', '0f', 0x5b, 'bits')
row('vcvttps2dq', 'RM', 'f3', '0f', 0x5b, 'exact')
row('vcvtps2dq', 'RM', '66', '0f', 0x5b, 'exact')
row('vcvtps2pd', 'RM', '', '0f', 0x5a, 'blind')
row('vcvtpd2ps', 'RM', '66', '0f', 0x5a, 'blind')
row('vcvtdq2pd', 'RM', 'f3', '0f', 0xe6, 'bits')
row('vcvttpd2dq', 'RM', '66', '0f', 0xe6, 'exact')
# blind, since a NaN's bits still are a NaN after this operation with any other source
row('vpor', 'RVM', '66', '0f', 0xeb, 'blind', commutes='yes')
for name, opcode in (('vpand', 0xdb), ('vpxor', 0xef), ('vpaddd', 0xfe), ('vpaddq', 0xd4),
                     ('vpaddb', 0xfc), ('vpaddw', 0xfd), ('vpcmpeqd', 0x76), ('vpcmpeqb', 0x74),
                     ('vpmuludq', 0xf4), ('vpmaddwd', 0xf5), ('vpminsw', 0xea)):
    row(name, 'RVM', '66', '0f', opcode, commutes='yes')
for name, opcode in (('vpandn', 0xdf), ('vpsubd', 0xfa), ('vpsubq', 0xfb), ('vpcmpgtd', 0x66),
                     ('vpunpckldq', 0x62), ('vpunpckhdq', 0x6a), ('vpunpcklqdq', 0x6c),
                     ('vpunpckhqdq', 0x6d), ('vpackssdw', 0x6b)):
    row(name, 'RVM', '66', '0f', opcode)
for name, opcode in (('vpmulld', 0x40), ('vpmuldq', 0x28), ('vpminsd', 0x39), ('vpminud', 0x3b),
                     ('vpmaxsd', 0x3d), ('vpmaxud', 0x3f)):
    row(name, 'RVM', '66', '0f38', opcode, commutes='yes')
for name, opcode in (('vpsllvd', 0x47), ('vpsrlvd', 0x45), ('vpsravd', 0x46), ('vpshufb', 0x00),
                     ('vpermd', 0x36), ('vpackusdw', 0x2b)):
    row(name, 'RVM', '66', '0f38', opcode)
for name, opcode, ext in (('vpsrld', 0x72, 2), ('vpsrad', 0x72, 4), ('vpslld', 0x72, 6),
                          ('vpsrlq', 0x73, 2), ('vpsllq', 0x73, 6), ('vpsrlw', 0x71, 2),
                          ('vpsllw', 0x71, 6)):
    row(name, 'VMI', '66', '0f', opcode, ext=ext)
row('vpblendvb', 'RVMR', '66', '0f3a', 0x4c, 'data')
row('vblendvps', 'RVMR', '66', '0f3a', 0x4a, 'data')
row('vblendvpd', 'RVMR', '66', '0f3a', 0x4b, 'bits')
row('vpblendd', 'RVMI', '66', '0f3a', 0x02, 'blind')
row('vpblendw', 'RVMI', '66', '0f3a', 0x0e)
row('vpshufd', 'RMI', '66', '0f', 0x70, 'blind')
row('vshufps', 'RVMI', '', '0f', 0xc6, 'blind')
row('vpermilps', 'RMI', '66', '0f3a', 0x04, 'blind')
row('vpermq', 'RMI', '66', '0f3a', 0x00, 'bits', w=1)
row('vpermpd', 'RMI', '66', '0f3a', 0x01, 'bits', w=1)
row('vperm2i128', 'RVMI', '66', '0f3a', 0x46)
row('vperm2f128', 'RVMI', '66', '0f3a', 0x06)
row('vextractf128', 'MRI', '66', '0f3a', 0x19)
row('vextracti128', 'MRI', '66', '0f3a', 0x39)
row('vinsertf128', 'RVMI', '66', '0f3a', 0x18)
row('vinserti128', 'RVMI', '66', '0f3a', 0x38)
row('vpsignd', 'RVM', '66', '0f38', 0x0a)
row('vpabsd', 'RM', '66', '0f38', 0x1e)
row('vcvtph2ps', 'RM', '66', '0f38', 0x13, 'bits')

# How the encoder makes an operation on 16 lanes. All other operations have eight lanes only: they
# mix lanes of different 128-bit parts, or have no EVEX encoding. Halves of a vector have eight lanes
# in place of four, so that operations on numbers of 64 bits have a wide form, too.
#   same          the instruction with the same opcode, and with this W in the EVEX prefix
#   half          the same, but an operand in memory is half a vector
#   parts         VSHUFI64X2, if sgd_ir_wide.c allows it
#   table         the same, if the second source is a constant, which is then there twice
#   compare       the same, but the result is a mask register, which another instruction expands
#   blend         the mask becomes a mask register
#   byte_compare, byte_blend   the same for bytes
WIDE = {
    'same': ('vaddps vmulps vsubps vdivps vminps vmaxps vsqrtps vroundps vcvtdq2ps vcvttps2dq '
             'vcvtps2dq vpor vpand vpxor vpandn vpaddd vpsubd vpaddb vpaddw vpunpckldq vpunpckhdq '
             'vpackssdw vpackusdw vpmaddwd vpminsw vpmulld vpminsd vpminud vpmaxsd vpmaxud vpsllvd vpsrlvd vpsravd '
             'vpshufb vpsrld vpsrad vpslld vpsrlw vpsllw vpshufd vshufps vpermilps vpabsd',
             'vpaddq vpsubq vpmuludq vpmuldq vpunpcklqdq vpunpckhqdq vpsrlq vpsllq vaddpd vmulpd '
             'vsubpd vdivpd vminpd vmaxpd vsqrtpd vroundpd vcvtpd2ps vcvttpd2dq vextractf128 '
             'vextracti128'),
    'parts': ('', 'vperm2i128'),
    'half': ('vcvtps2pd vcvtdq2pd', 'vinsertf128 vinserti128'),
    'table': ('vpermd', ''),
    'compare': ('vcmpps vpcmpeqd vpcmpgtd', 'vcmppd'),
    'byte_compare': ('vpcmpeqb', ''),
    'blend': ('vblendvps', 'vblendvpd'),
    'byte_blend': ('vpblendvb', ''),
}
# VEXTRACTF64X4, VEXTRACTI64X4, VINSERTF64X4, VINSERTI64X4, VSHUFI64X2
WIDE_OPCODES = {'vextractf128': 0x1b, 'vextracti128': 0x3b, 'vinsertf128': 0x1a,
                'vinserti128': 0x3a, 'vperm2i128': 0x43}
for kind, by_w in WIDE.items():
    for wide_w, names in enumerate(by_w):
        for name in names.split():
            OPS[name] = replace(OPS[name], wide=kind, wide_w=wide_w,
                                wide_opcode=WIDE_OPCODES.get(name, OPS[name].opcode))

# Mnemonics of other instructions that have the same effect.
ALIASES = {
    'vandps': 'vpand', 'vandnps': 'vpandn', 'vorps': 'vpor', 'vxorps': 'vpxor',
    'vandpd': 'vpand', 'vandnpd': 'vpandn', 'vorpd': 'vpor', 'vxorpd': 'vpxor',
    'vunpcklpd': 'vpunpcklqdq', 'vunpckhpd': 'vpunpckhqdq',
    'vunpcklps': 'vpunpckldq', 'vunpckhps': 'vpunpckhdq',
}
# Immediates of VCMPPS and VCMPPD (SDM 2A, CMPPS), without bit 4, which selects exceptions.
COMPARISONS = {'eq': 0, 'lt': 1, 'le': 2, 'unord': 3, 'neq': 4, 'nlt': 5, 'nle': 6, 'ord': 7,
               'eq_uq': 8, 'nge': 9, 'ngt': 10, 'false': 11, 'neq_oq': 12, 'ge': 13, 'gt': 14,
               'true': 15}


def find(mnemonic):
    """Returns the operation, and the immediate that the mnemonic implies, or None."""
    for kind in 'ps', 'pd':
        if mnemonic.startswith('vcmp') and mnemonic.endswith(kind) and \
                mnemonic[4:-2] in COMPARISONS:
            return OPS['vcmp' + kind], COMPARISONS[mnemonic[4:-2]]
    op = OPS.get(ALIASES.get(mnemonic, mnemonic))
    return (op, None) if op else None
