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
    '': 'interface',
    'ir/': 'ir',
    'nir/': 'nir',
    'select/': 'select',
    'opt/': 'opt',
    'regalloc/': 'regalloc',
    'encode/': 'encode',
    'compile/': 'compile',
}

COMPILER_ARROWS = {
    'ir': [],
    'nir': ['ir'],
    'select': ['ir'],
    'opt': ['ir'],
    'regalloc': ['ir'],
    'encode': ['ir'],
    'compile': ['ir', 'nir', 'select', 'opt', 'regalloc', 'encode'],
}

# src/gallium, src/capture, src/isa, src/tools --------------------------------

GALLIUM_FILES = {
    'winsys/sgpu/': 'winsys',
    'drivers/sgpu/': 'driver',
    'targets/dri/': 'dri',
}

GALLIUM_ARROWS = {
    'winsys': [],
    'driver': ['winsys'],
    'dri': ['driver', 'winsys'],
}

ISA_FILES = {
    '': 'isa',
    'layout/': 'layout',
    'packets/': 'packets',
    'tools/': 'isa tools',
}

ISA_ARROWS = {
    'layout': [],
    'packets': [],
    'isa': [],
    'isa tools': ['isa', 'layout'],
}

# The programs of a folder are one module.
TOOLS_FILES = {
    '': 'assembler',
    'bench/': 'bench',
    'capture/': 'capture',
    'screenshot/': 'screenshot',
    'sim/': 'sim',
}

TOOLS_ARROWS = {
    'assembler': [],
    'bench': [],
    'capture': [],
    'screenshot': [],
    'sim': ['capture'],
}

PARTS = [
    {
        'folder': 'src/device',
        'files': DEVICE_FILES,
        'arrows': DEVICE_ARROWS,
        'base': 'state',
        'symbols': r'sg(?:d|pu)_\w+',
        # The tables of the host levels.
        'suffix': r'_(?:v2|v3|v4)$',
    },
    {
        'folder': 'src/compiler',
        'files': COMPILER_FILES,
        'arrows': COMPILER_ARROWS,
        'base': 'interface',
        'symbols': r'sg(?:c|pu_compile)\w*',
        'suffix': None,
    },
    {
        'folder': 'src/gallium',
        'files': GALLIUM_FILES,
        'arrows': GALLIUM_ARROWS,
        'base': None,
        'symbols': r'sgpu_\w+',
        'suffix': None,
    },
    {
        'folder': 'src/isa',
        'files': ISA_FILES,
        'arrows': ISA_ARROWS,
        'base': None,
        'symbols': r'sgpu_\w+',
        'suffix': None,
    },
    {
        'folder': 'src/capture',
        'files': {'': 'capture'},
        'arrows': {'capture': []},
        'base': None,
        'symbols': r'(?:sgcap|sgpu)_\w+',
        'suffix': None,
    },
    {
        'folder': 'src/tools',
        'files': TOOLS_FILES,
        'arrows': TOOLS_ARROWS,
        'base': None,
        'symbols': r'(?:cap|sim|sgpu|bench|micro)_\w+',
        'suffix': None,
    },
]
