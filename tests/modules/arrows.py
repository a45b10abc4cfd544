# SPDX-License-Identifier: MIT
"""Modules inside of a part of the tree, and the arrows that are allowed between
them: a module may include headers of, and use functions and data of, the modules
that its row names.  check_arrows.py reads this.
"""

# src/device ------------------------------------------------------------------

# Each folder is a module.  'state' are the files at the top: the draw's state, and the
# types that several modules share.
#
# From the bottom to the top.  Every module may use `state`.  Dispatch calls the
# engines through struct sgd_arch_ops alone, so no row of it names one.
DEVICE_ARROWS = {
    'state': ['arena'],
    'arena': [],
    'memory': [],
    'observe': ['grid'],
    'sched': ['observe'],

    # Ranges of work: batches of a draw, chunks of a grid; buffers of transform feedback.
    'cut': [],
    'grid': [],
    'xfb': [],

    'texture': ['observe'],
    'rop': [],
    'xfer': ['rop'],
    'atomic': [],
    'image': ['texture', 'rop', 'atomic', 'observe'],

    # Decoded programs, what makes machine code of them, and what executes both.
    'program': ['texture'],
    'translate': ['program'],
    'shader': ['program', 'texture', 'image', 'atomic', 'observe'],
    'compute': ['program', 'shader', 'grid', 'observe'],

    # The front end: `front` is the context of its stages, `pipeline` runs them.
    'front': ['arena', 'cut'],
    'outputs': ['front'],
    'setup': ['front', 'observe'],
    'clip': ['front', 'outputs', 'setup'],
    'ia': ['cut', 'front', 'clip'],
    'vertex': ['front', 'outputs', 'shader', 'observe'],
    'tess': ['cut', 'front', 'outputs', 'clip', 'shader', 'observe'],
    'geometry': ['cut', 'front', 'outputs', 'clip', 'shader'],
    'pipeline': ['front', 'ia', 'outputs', 'vertex', 'tess', 'geometry', 'clip', 'setup'],

    'pixel': ['observe', 'rop', 'shader'],
    'raster': ['observe', 'pixel', 'rop', 'xfer'],

    # The engines' part of a shadow, and the table of the engines' entry points.
    'replay': ['rop', 'xfer'],
    'entry': ['pipeline', 'raster', 'xfer', 'replay', 'shader', 'compute'],

    'dispatch': ['observe', 'sched', 'memory', 'arena', 'cut', 'xfb', 'grid'],
    'plan': ['rop'],
    'cp': ['plan', 'dispatch', 'sched', 'memory', 'arena', 'program', 'translate', 'texture',
           'image', 'rop', 'cut', 'xfb', 'grid'],
    'core': ['cp', 'dispatch', 'sched', 'memory', 'entry', 'translate'],
    'shadow': ['core', 'memory', 'replay'],
}

# Module of a file: the longest prefix of its path counts.
DEVICE_FILES = {'': 'state', **{f'{name}/': name for name in DEVICE_ARROWS if name != 'state'}}

# src/compiler ----------------------------------------------------------------

COMPILER_FILES = {
    '': 'unlisted',
    'sgpu_compiler.h': 'interface',
    'sgc_ir.': 'representation',
    'sgc_alloc.': 'representation',
    'sgc_nir': 'lowering',
    'sgc_alu_info.': 'selection',
    'sgc_interface.': 'selection',
    'sgc_match.': 'selection',
    'sgc_operand': 'selection',
    'sgc_pattern.': 'selection',
    'sgc_plan': 'selection',
    'sgc_select': 'selection',
    # Each pass is a module: none calls another.
    'sgc_coalesce.': 'coalescing',
    'sgc_encode.': 'encoding',
    'sgc_serialize.': 'serialization',
    'sgc_opt_copy_prop.': 'copy propagation',
    'sgc_opt_dce.': 'dead code',
    'sgc_place_literals.': 'literals',
    'sgc_ra.': 'registers',
    'sgc_color.': 'registers',
    'sgc_schedule.': 'scheduling',
    'sgc_vp1.': 'base profile',
    'sgc_vp1_operands.': 'base profile operands',
    'sgc_liveness.': 'tools',
    'sgc_print.': 'tools',
    'sgc_ra_check.': 'tools',
    'sgc_spill.': 'tools',
    'sgc_validate.': 'tools',
    'sgc_compile.': 'compile',
}

PASSES = ['coalescing', 'encoding', 'copy propagation', 'dead code', 'literals', 'registers',
          'scheduling', 'base profile', 'base profile operands']

# Every module may use `representation`.
COMPILER_ARROWS = {
    'interface': [],
    'serialization': ['interface'],
    'representation': ['interface'],
    'lowering': ['interface'],
    'selection': ['interface'],
    'tools': [],
    **{name: ['tools'] for name in PASSES},
    'compile': ['interface', 'lowering', 'selection', 'tools', *PASSES],
}

PARTS = [
    {
        'folder': 'src/device',
        'files': DEVICE_FILES,
        'arrows': DEVICE_ARROWS,
        'base': 'state',
        'symbols': r'sg(?:d|pu)_\w+',
        # The table of each host level.
        'suffix': r'_(?:v2|v3|v4)$',
    },
    {
        'folder': 'src/compiler',
        'files': COMPILER_FILES,
        'arrows': COMPILER_ARROWS,
        'base': 'representation',
        'symbols': r'sg(?:c|pu_compile)\w*',
        'suffix': None,
    },
]
