# SPDX-License-Identifier: MIT
#
# The instruction set as data: encoding, register files, modifiers. The opcodes
# are in sgpu_opcodes.py. All code that depends on the encoding is generated
# from these two files: C enums and the info table, packer and unpacker,
# disassembler, assembler, the interpreter's cases, the test oracle and
# docs/isa.md.

import os
import xml.etree.ElementTree as ET

# Must be incremented when the meaning of an existing program may change. Program files contain this
# version number.
VERSION = 1

# ---------------------------------------------------------------------------
# Encoding. An instruction has 128 bits: word 0 has the operation and the
# destination, words 1 to 3 have one source operand each. Operations with at
# most two sources may use the whole of word 3 as a payload (branch target,
# texture descriptor, memory offset). A field has the same place in all
# operations. A field that an operation does not use must be zero, and so must
# a field whose enabling bit is clear (guard_*, dst_relcomp, relcomp, urelcomp);
# decoders refuse other values. An optional source that is absent has file NONE,
# and its other fields are zero. Every instruction has exactly one encoding.
#
# name -> (first bit, size)
FIELDS = {
    # word 0
    'opcode':      (0, 9),
    'sat':         (9, 1),     # clamp the float result to [0, 1]; NaN becomes 0
    'zmul':        (10, 1),    # 0 * anything = 0
    'guard':       (11, 1),    # execute only in lanes whose predicate is true
    'guard_not':   (12, 1),
    'guard_reg':   (13, 2),    # P0..P3
    'guard_comp':  (15, 2),
    'dst_file':    (17, 3),
    'dst_index':   (20, 8),
    'dst_mask':    (28, 4),    # bit 0 is x
    # word 1
    'src0':        (32, 26),
    'dst_rel':     (58, 1),    # add A0.comp to dst_index
    'dst_relcomp': (59, 2),
    'rsvd0':       (61, 3),
    # word 2
    'src1':        (64, 26),
    'mod':         (90, 6),    # meaning depends on the class of the operation, see MODS
    # word 3: a source
    'src2':        (96, 26),
    'rsvd1':       (122, 6),
    # or word 3: a payload, see PAYLOADS
    'payload':     (96, 32),
}

# Fields of a source operand. The index is unsigned. With `rel`, it is a signed offset (-512 to 511)
# that is added to A0. The index of a destination is always unsigned.
SRC_FIELDS = {
    'file':    (0, 3),
    'index':   (3, 10),
    'swizzle': (13, 8),    # two bits per component, x in the lowest
    'neg':     (21, 1),    # applied after abs
    'abs':     (22, 1),
    'rel':     (23, 1),    # add A0.comp to the index
    'relcomp': (24, 2),
}

# Register files, and the letters that name them in the text form.
FILES = [
    # name,      code, letter, src,   dst,   size, what
    ('TEMP',     0, 'R',  True,  True,  256,  'temporaries, (0,0,0,0) at the start'),
    ('INPUT',    1, 'v',  True,  False, 32,   'vertex attributes or interpolated varyings'),
    ('OUTPUT',   2, 'o',  False, True,  64,   'results, (0,0,0,1) at the start'),
    ('CONST',    3, 'c',  True,  False, 1024,
     'constant bank 0, then the program\'s literals; out of range reads (0,0,0,0)'),
    ('SYS',      4, 's',  True,  False, 32,   'system values'),
    ('ADDR',     5, 'A',  True,  True,  1,    'address register, four integers'),
    ('PRED',     6, 'P',  False, True,  4,    'predicates, four flags each'),
    ('NONE',     7, '',   True,  True,  1,
     'no operand: an absent source or destination'),
]
# Register files that allow relative addressing.
REL_FILES = {'TEMP', 'INPUT', 'OUTPUT', 'CONST'}

# Meaning of the `mod` field for each class of operations.
#   cond: bits 0..2: a comparison
#   res:  bit 0: the resource index is relative, so A0.comp is added to `unit` and
#         to `sampler`; bits 1..2: the component of A0; bit 3: texel offsets are
#         integers in src1.zw (TG4 only); bits 4..5: zero
MODS = {
    'none': {},
    'cond': {'cond': (0, 3)},
    'res':  {'urel': (0, 1), 'urelcomp': (1, 2), 'oreg': (3, 1)},
}

CONDS = ['F', 'LT', 'EQ', 'LE', 'GT', 'NE', 'GE', 'T']   # NE is true for NaN

# Fields of word 3 if it is a payload.
PAYLOADS = {
    'branch':  {'target': (0, 24)},      # index of an instruction in this program
    'tex':     {'unit': (0, 8), 'sampler': (8, 5), 'target': (13, 4),
                'shadow': (17, 1), 'gcomp': (18, 2),
                'offx': (20, 4), 'offy': (24, 4), 'offz': (28, 4)},  # signed
    # bank or binding index; unsigned offset in bytes
    'mem':     {'unit': (0, 8), 'offset': (8, 24)},
    'vertex_stream': {'unit': (0, 2)},
    'fetch':   {'unit': (0, 4)},         # index of a render target
    'atomic':  {'unit': (0, 8), 'aop': (8, 4), 'offset': (12, 20)},
    'image':   {'unit': (0, 8), 'target': (8, 4), 'aop': (12, 4)},
    'reduce':  {'op': (0, 4), 'cluster': (4, 3)},   # cluster: log2 of the number of lanes
}

# Byte-addressed memory: name in the text form, key in LIMITS for the number of bindings (None if it
# has no bindings), description of a binding, and operations.
MEM_PLACES = [
    ('cb',  'banks',         'constant bank',  ['LDC']),
    ('l',   None,            '',               ['LDL', 'STL']),
    ('buf', 'buffers',       'storage buffer', ['LDB', 'STB', 'ATB', 'SZB', 'ATBW']),
    ('sh',  None,            '',               ['LDS', 'STS', 'ATS', 'ATSW']),
    ('va',  'vertex_inputs', 'vertex input',   ['LDV']),
    ('vo',  'vertex_outputs', 'vertex output', ['LDO']),
    ('pa',  None,            '',               ['LDP', 'STP']),
]

# Atomic operations in the order of their codes: name, and how the new value is computed from the
# old value and src1.x (data).
ATOMICS = [
    ('ADD',  'old + data'),
    ('IMIN', 'the signed minimum'),
    ('UMIN', 'the unsigned minimum'),
    ('IMAX', 'the signed maximum'),
    ('UMAX', 'the unsigned maximum'),
    ('AND',  'old & data'),
    ('OR',   'old | data'),
    ('XOR',  'old ^ data'),
    ('EXCH', 'data'),
    ('CAS',  'src1.y if old is src1.x, else old'),
    ('FADD', 'sgpu_fadd(old, data)'),
    ('INCW', 'old + 1, or 0 where old >= data (unsigned)'),
    ('DECW', 'old - 1, or data where old is 0 or old > data (unsigned)'),
    ('FMIN', 'sgpu_fmin(old, data)'),
    ('FMAX', 'sgpu_fmax(old, data)'),
]

# Number of atomic operations that also have 64 bits. They are the first of ATOMICS.
NUM_WIDE_ATOMICS = 10

# Operations of the reduce payload: name, type, identity, and expression over a (the result so far)
# and b, for the opcodes on 32-bit values.
REDUCTIONS = [
    ('IADD', 'u', '0', 'a + b'),
    ('IMUL', 'u', '1', 'a * b'),
    ('FADD', 'f', '0', 'sgpu_fadd(a, b)'),
    ('FMUL', 'f', '0x3f800000', 'sgpu_fmul(a, b)'),
    ('IMIN', 'i', '0x7fffffff', '(a < b ? a : b)'),
    ('UMIN', 'u', '0xffffffff', '(a < b ? a : b)'),
    ('FMIN', 'f', '0x7f800000', 'sgpu_fmin(a, b)'),
    ('IMAX', 'i', '0x80000000', '(a > b ? a : b)'),
    ('UMAX', 'u', '0', '(a > b ? a : b)'),
    ('FMAX', 'f', '0xff800000', 'sgpu_fmax(a, b)'),
    ('AND', 'u', '0xffffffff', 'a & b'),
    ('OR', 'u', '0', 'a | b'),
    ('XOR', 'u', '0', 'a ^ b'),
]

# The same for the opcodes on 64-bit values. The names are those of REDUCTIONS, in their order.
WIDE_REDUCTIONS = [
    ('IADD', 'q', '0', 'a + b'),
    ('IMUL', 'q', '1', 'a * b'),
    ('FADD', 'd', '0', 'sgpu_dadd(a, b)'),
    ('FMUL', 'd', '0x3ff0000000000000', 'sgpu_dmul(a, b)'),
    ('IMIN', 'l', '0x7fffffffffffffff', '(a < b ? a : b)'),
    ('UMIN', 'q', '0xffffffffffffffff', '(a < b ? a : b)'),
    ('FMIN', 'd', '0x7ff0000000000000', 'sgpu_dmin(a, b)'),
    ('IMAX', 'l', '0x8000000000000000', '(a > b ? a : b)'),
    ('UMAX', 'q', '0', '(a > b ? a : b)'),
    ('FMAX', 'd', '0xfff0000000000000', 'sgpu_dmax(a, b)'),
    ('AND', 'q', '0xffffffffffffffff', 'a & b'),
    ('OR', 'q', '0', 'a | b'),
    ('XOR', 'q', '0', 'a ^ b'),
]

# Texture targets: name, number of coordinates in src0 (including the array layer, which is the
# last), number of offset components, and features: a array layers, l mipmap levels, m samples, s
# shadow (comparison), f filtering.
TEX_TARGET_ROWS = [
    ('BUFFER',      1, 0, ''),
    ('1D',          1, 1, 'lsf'),
    ('2D',          2, 2, 'lsf'),
    ('3D',          3, 3, 'lf'),
    ('CUBE',        3, 0, 'lsf'),
    ('RECT',        2, 2, 'sf'),
    ('1D_ARRAY',    2, 1, 'alsf'),
    ('2D_ARRAY',    3, 2, 'alsf'),
    ('CUBE_ARRAY',  4, 0, 'alsf'),
    ('2D_MS',       2, 0, 'm'),
    ('2D_MS_ARRAY', 3, 0, 'am'),
]
TEX_TARGETS = [row[0] for row in TEX_TARGET_ROWS]

# Operands of each texture operation: targets; whether it has a comparison, offsets and a sampler;
# contents of src0 (coord, level, or - for none); contents of src1 (x: the x component; level: the
# level or sample in x, if the target has levels or samples; grad: gradients). With comparison, the
# reference value is src0.w, or src1.y for cube arrays. A source without contents is absent.
FILTERED = [t for t, _, _, has in TEX_TARGET_ROWS if 'f' in has]
TEX_OPS = {
    #        targets                                  shadow offset sampler src0     src1
    'TEX':  (FILTERED,                                True,  True,  True,  'coord', '-'),
    'TXB':  (FILTERED,                                True,  True,  True,  'coord', 'x'),
    'TXL':  (FILTERED,                                True,  True,  True,  'coord', 'x'),
    'TXD':  (['1D', '2D', 'RECT', '1D_ARRAY', '2D_ARRAY'],
                                                      True,  True,  True,  'coord', 'grad'),
    'TXF':  ([t for t in TEX_TARGETS if 'CUBE' not in t],
                                                      False, True,  False, 'coord', 'level'),
    'TG4':  (['2D', 'RECT', 'CUBE', '2D_ARRAY', 'CUBE_ARRAY'],
                                                      True,  True,  True,  'coord', '-'),
    'TXQ':  (TEX_TARGETS,                             False, False, False, 'level', '-'),
    'LODQ': (FILTERED,                                False, False, True,  'coord', '-'),
    'TXQS': (['2D_MS', '2D_MS_ARRAY'],                False, False, False, '-',     '-'),
}

# Targets that image operations support.
IMAGE_TARGETS = [t for t in TEX_TARGETS if 'CUBE' not in t]

# Letters of the stages, and their names in the packets' enum Stage.
STAGE_NAMES = {'v': 'VERTEX', 't': 'TESS CTRL', 'e': 'TESS EVAL', 'g': 'GEOMETRY', 'p': 'PIXEL',
               'c': 'COMPUTE'}


def _stages():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'packets', 'sgpu_packets.xml')
    values = ET.parse(path).getroot().findall("./enum[@name='Stage']/value")
    codes = {v.get('name'): int(v.get('value')) for v in values}
    return {letter: codes[name] for letter, name in STAGE_NAMES.items()}


STAGE_LETTERS = _stages()

# System values: name, letters of the stages that have it, type, meaning.
SYSVALS = [
    ('VERTEX_ID',    'v',  'u', 'x: index of the vertex, base vertex included'),
    ('INSTANCE_ID',  'v',  'u', 'x: instance, counted from 0 (base instance not included)'),
    ('BASE_VERTEX',  'v',  'u', 'x: base vertex (0 for non-indexed draws)  y: first vertex  '
                                'z: base instance  w: draw number'),
    ('POSITION',     'p',  'f', 'window x, y of the pixel centre (of the sample, if the program '
                                'runs per sample), depth z, and 1/w of clip space'),
    ('FACE',         'p',  'u', 'x: ~0 for a front face, 0 for a back face'),
    ('POINT_COORD',  'p',  'f', 'x, y: position in the point sprite; else (0,0,0,1)'),
    ('PRIMITIVE_ID', 'tegp', 'u', 'x: number of the primitive in its draw and instance; behind '
                                  'tessellation that of its patch'),
    ('HELPER',       'p',  'u', 'x: ~0 for a helper lane, which has no pixel'),
    ('SAMPLE_ID',    'p',  'u', 'x: number of the sample; a program that reads it, or SAMPLE_POS, '
                                'runs per sample'),
    ('SAMPLE_MASK',  'p',  'u', 'x: bit n: the primitive covers sample n, which with SHADER.Post '
                                'Depth Coverage also passes the early tests; a program that runs '
                                'per sample has the bit of its sample only; without '
                                'RASTERIZER.Multisample only bit 0 is set'),
    ('SAMPLE_POS',   'p',  'f', 'x, y: position of the sample in the pixel, from its upper left '
                                'corner'),
    ('LAYER',        'p',  'u', 'x: layer  y: viewport'),
    ('LANE',         'vtegpc', 'u', 'x: lane in the warp, 0 to 31'),
    ('INVOCATION_ID', 'tg', 'u', 'x: number of the program\'s invocation for its primitive; of a '
                                 'tessellation control program, the vertex of the patch that it '
                                 'makes'),
    ('TESS_COORD',   'e',  'f', 'x, y: position in the domain  z: 1 - x - y for triangles, else 0'),
    ('PATCH_VERTICES', 'te', 'u', 'x: vertices of the patch that the program reads'),
    ('GROUP_ID',     'c',  'u', 'x, y, z: number of the workgroup'),
    ('LOCAL_ID',     'c',  'u', 'x, y, z: number of the invocation in its workgroup'),
    ('NUM_GROUPS',   'c',  'u', 'x, y, z: workgroups of the grid'),
    ('GROUP_SIZE',   'c',  'u', 'x, y, z: invocations of a workgroup'),
    ('SUBGROUP',     'c',  'u', 'x: number of the warp in its workgroup  y: warps of the workgroup'),
    ('VIEW',         'vtegpc', 'u', 'x: VIEW.View'),
]

# Sample positions within a pixel for each sample count, in 1/16 pixel from the upper left corner of
# the pixel. They are the standard locations of Direct3D 10.1 and Vulkan.
SAMPLE_POSITIONS = {
    1: [(8, 8)],
    2: [(12, 12), (4, 4)],
    4: [(6, 2), (14, 6), (2, 10), (10, 14)],
    8: [(9, 5), (7, 11), (13, 9), (5, 3), (3, 13), (1, 7), (11, 15), (15, 1)],
    16: [(9, 9), (7, 5), (5, 10), (12, 7), (3, 6), (10, 13), (13, 11), (11, 3),
         (6, 14), (8, 1), (4, 2), (2, 12), (0, 8), (15, 4), (14, 15), (1, 0)],
}

# Outputs of vertex, tessellation and geometry programs. Outputs 0 to 14 are from Lindholm 2001,
# Table 1.
VS_OUTPUTS = (['HPOS', 'COL0', 'COL1', 'BFC0', 'BFC1', 'FOGC', 'PSIZ'] +
              [f'TEX{i}' for i in range(8)] +
              ['EDGE',      # 15  x: edge flag
               'CLIP0',     # 16  clip distances 0..3
               'CLIP1',     # 17  clip distances 4..7
               'LAYER',     # 18  x: layer  y: viewport index  z: mask of viewports
               'PRID'] +   # 19  x: primitive ID (geometry programs)
              [f'GEN{i}' for i in range(32)] +   # 20..51
              ['CLIPV'])    # 52  clip vertex, for distances to user clip planes
# Named per-patch outputs: the tessellation levels.
PATCH_OUTPUTS = ['TESS_OUTER', 'TESS_INNER']
# Vertex program inputs of the base profile, named as in NV_vertex_program.
VP1_INPUTS = ['OPOS', 'WGHT', 'NRML', 'COL0', 'COL1', 'FOGC', None, None,
              'TEX0', 'TEX1', 'TEX2', 'TEX3', 'TEX4', 'TEX5', 'TEX6', 'TEX7']
# Pixel program outputs.
PS_OUTPUTS = [f'COLR{i}' for i in range(8)] + ['DEPR', 'STEN', 'SMASK']


# Ranges of outputs that a relative destination can address: (first, count). The whole range counts
# as written. Writes outside of the range are dropped.
VS_OUTPUT_RUNS = [(VS_OUTPUTS.index('TEX0'), 8), (VS_OUTPUTS.index('CLIP0'), 2),
                  (VS_OUTPUTS.index('GEN0'), 32)]
PS_OUTPUT_RUNS = [(PS_OUTPUTS.index('COLR0'), 8)]

# Limits of the base profile (Lindholm 2001, sections 3.4 to 3.6).
VP1 = dict(instructions=128, inputs=16, constants=96, temps=12, outputs=15)

# Limits of all programs. A warp's synchronization stack has an entry for each open
# SSY, PBK and PCNT, and for each divergent branch whose taken side is pending. There
# can't be more than 31 pending sides, because each of them has a lane. The stack is as
# deep as the program needs. The limits are the maximum numbers of:
#   scratch          bytes per lane
#   textures, samplers, banks, buffers, images    bindings per stage
#   vertex_streams   vertex streams of a geometry program
#   vertex_inputs    outputs of a vertex that a later stage reads
#   vertex_outputs   OUTPUT registers
#   patch_vertices   vertices of a patch
#   patch_outputs    per-patch outputs: TESS_OUTER, TESS_INNER and 32 others
#   handles          bindless textures with samplers per context, which relative
#                    texture units address beyond the last unit
#   targets          targets of LDT: the color targets, then the depth-stencil target
LIMITS = dict(instructions=1 << 20, scratch=1 << 20, textures=128, samplers=32,
              banks=32, buffers=32, images=32, vertex_streams=4, vertex_inputs=64,
              vertex_outputs=64, patch_vertices=32, patch_outputs=34, handles=512,
              targets=9)

