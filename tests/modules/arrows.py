# SPDX-License-Identifier: MIT
"""Modules inside of a part of the tree, and the arrows that are allowed between
them.  A module may include headers of the modules that its row names, and may use
their functions and data.  check_arrows.py reads this file.
"""

# src/device ------------------------------------------------------------------

# Module of a file, by the longest prefix of its path.  '' stands for files at the
# top: the draw's state, and types that several modules share.
DEVICE_FILES = {
    '': 'state',
    'texture/': 'texture',
    'rop/': 'rop',
    'xfer/': 'xfer',
    'image/': 'image',
    'shader/': 'shader',
    'shader/sgd_atomic.': 'atomics',
    # Works on decoded programs.  The code that executes these calls it.
    'translate/': 'shader',
    'compute/': 'compute',
    'compute/sgd_compute.': 'groups',
    # The front end.  front/ has its context; the entry point runs the stages.
    'front/': 'front',
    'front/sgd_front_run.': 'front run',
    'ia/': 'ia',
    'ia/sgd_ia_cut.': 'cut',
    'ia/sgd_ia_index.': 'cut',
    'outputs/': 'outputs',
    'vertex/': 'vertex',
    'tess/': 'tess',
    'geometry/': 'geometry',
    'clip/': 'clip',
    'setup/': 'setup',
    'xfb/': 'xfb buffers',
    'xfb/sgd_xfb_record.': 'xfb',
    # The raster engines.
    'raster/': 'raster',
    'pixel/': 'pixel',
    # Shadows of memory, and the part of them that the engines run.
    'shadow/': 'shadow',
    'shadow/sgd_replay.': 'replay',
    # The table of the engines' entry points.
    'sgd_arch_ops.': 'engines',
    # Records for observers.  Only the observed level of the engines makes them.
    'observe/': 'observe',
    'arena/': 'arena',
    'plan/': 'plan',
    'memory/': 'memory',
    'sched/': 'sched',
    'dispatch/': 'dispatch',
    'cp/': 'cp',
    'core/': 'core',
}

# Allowed targets by module, lower modules first.  Every module may use `state`.
# Dispatch calls the engines only through struct sgd_arch_ops, so its row names none.
DEVICE_ARROWS = {
    'state': ['arena'],
    'texture': ['observe'],
    'rop': [],
    'xfer': ['rop'],
    'atomics': [],
    'image': ['texture', 'rop', 'atomics', 'observe'],
    'shader': ['texture', 'image', 'atomics', 'observe'],
    'groups': [],
    'compute': ['shader', 'groups', 'observe'],

    'arena': [],
    'cut': [],
    'xfb buffers': [],
    'front': ['arena', 'cut'],
    'outputs': ['front'],
    'setup': ['front', 'observe'],
    'clip': ['front', 'outputs', 'setup'],
    'xfb': ['front'],
    'ia': ['cut', 'front', 'clip', 'xfb'],
    'vertex': ['front', 'outputs', 'shader', 'observe'],
    'tess': ['cut', 'front', 'outputs', 'clip', 'xfb', 'shader', 'observe'],
    'geometry': ['cut', 'front', 'outputs', 'clip', 'xfb', 'shader'],
    'front run': ['front', 'ia', 'outputs', 'vertex', 'tess', 'geometry', 'clip',
                  'setup'],

    'pixel': ['observe', 'rop', 'shader'],
    'raster': ['observe', 'pixel', 'rop', 'xfer'],

    'replay': ['rop', 'xfer'],

    'engines': ['front run', 'raster', 'xfer', 'replay', 'shader', 'compute'],

    'memory': [],
    'observe': [],
    'sched': ['observe'],
    'dispatch': ['observe', 'sched', 'memory', 'arena', 'cut', 'xfb buffers',
                 'groups'],
    'plan': ['rop'],
    'cp': ['plan', 'dispatch', 'sched', 'memory', 'arena', 'shader', 'texture', 'image', 'rop',
           'cut', 'xfb buffers', 'groups'],
    'core': ['cp', 'dispatch', 'sched', 'memory', 'engines', 'shader'],
    'shadow': ['core', 'memory'],
}

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
