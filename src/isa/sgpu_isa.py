# SPDX-License-Identifier: MIT
#
# The instruction set, as data: encoding, register files, modifiers.  The
# opcodes are in sgpu_opcodes.py.  Everything that knows an encoding is
# generated from these two files: C enums and the info table, packer and
# unpacker, disassembler, assembler, the interpreter's cases, the test oracle
# and docs/isa.md.

from dataclasses import dataclass, field

# ---------------------------------------------------------------------------
# Encoding.  An instruction is 128 bits: word 0 says what is done and where the
# result goes, words 1 to 3 are one source operand each.  Operations with at
# most two sources may use the whole of word 3 as a payload (branch target,
# texture descriptor, memory offset).  No field ever moves: an operation that
# has no use for a field leaves it zero, and decoding refuses it otherwise.
#
# name -> (first bit, size)
FIELDS = {
    # word 0
    'opcode':      (0, 9),
    'sat':         (9, 1),     # clamp the float result to [0, 1], NaN to 0
    'zmul':        (10, 1),    # 0 times anything is 0
    'guard':       (11, 1),    # only lanes whose predicate holds take part
    'guard_not':   (12, 1),
    'guard_reg':   (13, 2),    # P0..P3
    'guard_comp':  (15, 2),
    'dst_file':    (17, 3),
    'dst_index':   (20, 8),
    'dst_mask':    (28, 4),    # bit 0 = x
    # word 1
    'src0':        (32, 26),
    'dst_rel':     (58, 1),    # dst index + A0.comp
    'dst_relcomp': (59, 2),
    'rsvd0':       (61, 3),
    # word 2
    'src1':        (64, 26),
    'mod':         (90, 6),    # per class of operation, see MODS
    # word 3: a source ...
    'src2':        (96, 26),
    'rsvd1':       (122, 6),
    # ... or a payload, see PAYLOADS
    'payload':     (96, 32),
}

# Inside a source operand.
SRC_FIELDS = {
    'file':    (0, 3),
    'index':   (3, 10),
    'swizzle': (13, 8),    # two bits a component, x in the lowest
    'neg':     (21, 1),    # after abs
    'abs':     (22, 1),
    'rel':     (23, 1),    # index + A0.comp
    'relcomp': (24, 2),
}

# Register files.  Letters are those of the text form.
FILES = [
    # name,      code, letter, src,   dst,   size, what
    ('TEMP',     0, 'R',  True,  True,  256,  'temporaries, (0,0,0,0) at the start'),
    ('INPUT',    1, 'v',  True,  False, 32,   'vertex attributes or interpolated varyings'),
    ('OUTPUT',   2, 'o',  False, True,  64,   'results, (0,0,0,1) at the start of a vertex program'),
    ('CONST',    3, 'c',  True,  False, 1024, 'constant bank 0, then the program\'s literals; out of range reads (0,0,0,0)'),
    ('SYS',      4, 's',  True,  False, 32,   'system values, see SYSVALS'),
    ('ADDR',     5, 'A',  True,  True,  1,    'address register, four integers'),
    ('PRED',     6, 'P',  False, True,  4,    'predicates, four flags each'),
    ('NONE',     7, '',   True,  True,  1,    'no operand: reads are refused, results are dropped'),
]

# Meaning of the `mod` field by class.
#   cond: bits 0..2 a comparison
#   res:  bits 0 resource index is relative to A0, 1..2 its component,
#         bit 3 texel offsets come from src1.zw as integers (TG4 alone),
#         bits 4..5 zero
MODS = {
    'none': {},
    'cond': {'cond': (0, 3)},
    'res':  {'urel': (0, 1), 'urelcomp': (1, 2), 'oreg': (3, 1)},
}

CONDS = ['F', 'LT', 'EQ', 'LE', 'GT', 'NE', 'GE', 'T']   # NE is true for NaN

# Word 3 as a payload.
PAYLOADS = {
    'branch':  {'target': (0, 24)},      # instruction number in this program
    'tex':     {'unit': (0, 8), 'sampler': (8, 5), 'target': (13, 4),
                'shadow': (17, 1), 'gcomp': (18, 2),
                'offx': (20, 4), 'offy': (24, 4), 'offz': (28, 4)},  # signed
    'mem':     {'unit': (0, 8), 'offset': (8, 24)},    # bank or binding; bytes, unsigned
}

TEX_TARGETS = ['BUFFER', '1D', '2D', '3D', 'CUBE', 'RECT', '1D_ARRAY',
               '2D_ARRAY', 'CUBE_ARRAY', '2D_MS', '2D_MS_ARRAY']

# System values: name, stages, type, meaning.
SYSVALS = [
    ('VERTEX_ID',    'v',  'u', 'x: index of the vertex, base vertex included'),
    ('INSTANCE_ID',  'v',  'u', 'x: instance, counted from 0 (base instance not included)'),
    ('BASE_VERTEX',  'v',  'u', 'x: base vertex (0 for non-indexed draws)  y: first vertex  z: base instance  w: draw number'),
    ('POSITION',     'p',  'f', 'window x, y of the pixel centre, depth z, and 1/w of clip space'),
    ('FACE',         'p',  'u', 'x: ~0 for front facing, 0 for back facing'),
    ('POINT_COORD',  'p',  'f', 'x, y: position in the point sprite, (0,0,0,1) for others'),
    ('PRIMITIVE_ID', 'gp', 'u', 'x: number of the primitive in its draw and instance'),
    ('HELPER',       'p',  'u', 'x: ~0 for a lane without a pixel of its own'),
    ('SAMPLE_ID',    'p',  'u', 'x: number of the sample'),
    ('SAMPLE_MASK',  'p',  'u', 'x: coverage of this pixel'),
    ('SAMPLE_POS',   'p',  'f', 'x, y: position of the sample in the pixel'),
    ('LAYER',        'p',  'u', 'x: layer  y: viewport'),
    ('LANE',         'vp', 'u', 'x: lane in the warp, 0 to 31'),
]

# Vertex program outputs.  0 to 14 are the paper's (Lindholm 2001, Table 1).
VS_OUTPUTS = (['HPOS', 'COL0', 'COL1', 'BFC0', 'BFC1', 'FOGC', 'PSIZ'] +
              [f'TEX{i}' for i in range(8)] +
              ['EDGE',      # 15  x: edge flag
               'CLIP0',     # 16  clip distances 0..3
               'CLIP1',     # 17  clip distances 4..7
               'LAYER',     # 18  x: layer  y: viewport index
               'RSVD19'] +
              [f'GEN{i}' for i in range(32)])    # 20..51
# Vertex program inputs of the base profile, NV_vertex_program's names.
VP1_INPUTS = ['OPOS', 'WGHT', 'NRML', 'COL0', 'COL1', 'FOGC', None, None,
              'TEX0', 'TEX1', 'TEX2', 'TEX3', 'TEX4', 'TEX5', 'TEX6', 'TEX7']
# Pixel program outputs.
PS_OUTPUTS = [f'COLR{i}' for i in range(8)] + ['DEPR', 'STEN', 'SMASK']

# The base profile's limits (Lindholm 2001, sections 3.4 to 3.6).
VP1 = dict(instructions=128, inputs=16, constants=96, temps=12, outputs=15)
