# SPDX-License-Identifier: MIT
"""Modules inside of a part of the tree, and the arrows that are allowed between
them: a module may include headers of, and use functions and data of, the modules
that its row names.  check_arrows.py reads this.
"""

# src/device ------------------------------------------------------------------

# Each folder is a module; 'public' are the headers at the top, 'common' the draw's state, and
# the types that several modules share.  Every module may use both.
#
# From the bottom to the top.  Dispatch calls the engines only through struct sgd_arch_ops, so no
# row of it names one.
DEVICE_ARROWS = {
    'common': ['control/arena'],
    'control/arena': [],
    'control/memory': [],
    'observe/records': ['shader/grid'],
    # Samples of threads: what their workers execute.
    'observe/profile': ['shader/program', 'texture/unit'],
    'control/sched': ['observe/records', 'observe/profile'],

    # Ranges of work: batches of a draw, chunks of a grid; buffers of transform feedback.
    'geometry/cut': [],
    'shader/grid': [],
    'geometry/xfb': [],

    'texture/unit': ['observe/records'],
    'pixel/rop': [],
    'xfer': ['pixel/rop'],
    'shader/atomic': [],
    'texture/image': ['texture/unit', 'pixel/rop', 'shader/atomic', 'observe/records'],

    # Decoded programs, the translator to machine code, and the interpreter, which runs both.
    'shader/program': ['texture/unit'],
    'shader/translate': ['shader/program'],
    'shader/interp': ['shader/program', 'texture/unit', 'texture/image', 'shader/atomic',
                      'observe/records'],
    'shader/compute': ['shader/program', 'shader/interp', 'shader/grid', 'observe/records'],

    # The front end: `front` is the context of its stages, `pipeline` runs them.
    'geometry/front': ['control/arena', 'geometry/cut'],
    'geometry/outputs': ['geometry/front'],
    'geometry/setup': ['geometry/front', 'observe/records'],
    'geometry/clip': ['geometry/front', 'geometry/outputs', 'geometry/setup'],
    'geometry/ia': ['geometry/cut', 'geometry/front', 'geometry/clip'],
    'geometry/vertex': ['geometry/front', 'geometry/outputs', 'shader/interp', 'observe/records'],
    'geometry/tess': ['geometry/cut', 'geometry/front', 'geometry/outputs', 'geometry/clip',
                      'shader/interp', 'observe/records'],
    'geometry/gs': ['geometry/cut', 'geometry/front', 'geometry/outputs', 'geometry/clip',
                    'shader/interp'],
    'geometry/pipeline': ['geometry/front', 'geometry/ia', 'geometry/outputs', 'geometry/vertex',
                          'geometry/tess', 'geometry/gs', 'geometry/clip', 'geometry/setup'],

    'pixel/shading': ['observe/records', 'pixel/rop', 'shader/interp'],
    'pixel/raster': ['observe/records', 'pixel/shading', 'pixel/rop', 'xfer'],

    # The engines' part of a shadow, and the table of the engines' entry points.
    'observe/replay': ['pixel/rop', 'xfer'],
    'entry': ['geometry/pipeline', 'pixel/raster', 'xfer', 'observe/replay', 'shader/interp',
              'shader/compute'],

    'control/dispatch': ['observe/records', 'control/sched', 'control/memory', 'control/arena',
                         'geometry/cut', 'geometry/xfb', 'shader/grid'],
    'control/plan': ['geometry/setup', 'pixel/rop'],
    'control/cp': ['observe/profile', 'control/plan', 'control/dispatch', 'control/sched',
                   'control/memory',
                   'control/arena', 'shader/program', 'shader/translate', 'texture/unit',
                   'texture/image', 'pixel/rop', 'geometry/cut', 'geometry/xfb', 'shader/grid'],
    'control/core': ['observe/profile', 'control/cp', 'control/dispatch', 'control/sched',
                     'control/memory', 'entry',
                     'shader/translate'],
    'observe/shadow': ['control/core', 'control/memory', 'observe/replay'],
}

# src/compiler ----------------------------------------------------------------

COMPILER_ARROWS = {
    'ir': [],
    'nir': ['ir'],
    'select': ['ir'],
    'opt': ['ir'],
    'regalloc': ['ir'],
    'encode': ['ir'],
    'compile': ['ir', 'nir', 'select', 'opt', 'regalloc', 'encode'],
}

# src/timing ------------------------------------------------------------------

# From the bottom to the top.  Every module may use `kernel`, and the headers of params/ and stats/
# that the build generates, which are not files of the tree.  Parts of a chip are chip_*.
TIMING_ARROWS = {
    'kernel': [],
    'params': [],
    'trace': [],
    # The engines of 1999 and 2001.
    'dram': ['params', 'trace'],
    'engine99': ['params', 'trace', 'dram'],
    'nv20': ['trace'],
    # The chip of 2008.  Units meet through channels, so a part uses the messages, ports and states
    # of its neighbours.
    'chip_memory': ['params', 'dram'],
    'chip_rop': ['trace', 'chip_memory'],
    'chip_sm': ['params', 'trace', 'chip_memory'],
    'chip_eu': ['trace', 'chip_memory', 'chip_sm'],
    'chip_texture': ['trace', 'chip_memory', 'chip_sm'],
    'chip_front': ['trace', 'chip_memory', 'chip_sm'],
    'chip_raster': ['chip_rop', 'chip_front'],
    'chip': ['params', 'trace', 'chip_memory', 'chip_rop', 'chip_sm', 'chip_eu', 'chip_texture',
             'chip_front', 'chip_raster'],
    # Above all models.
    'proof': ['trace', 'engine99', 'chip_memory', 'chip_rop', 'chip'],
    'config': ['params', 'engine99', 'chip_sm', 'chip_eu', 'chip'],
    'report': ['trace', 'engine99', 'chip', 'config'],
    'live': ['trace', 'chip', 'config'],
    'sample': [],
}

# src/gallium, src/capture, src/isa, src/tools --------------------------------

GALLIUM_ARROWS = {
    'winsys/sgpu': [],
    'drivers/sgpu': ['winsys/sgpu'],
    'targets/gallium': ['drivers/sgpu'],
    'targets/dri': [],
    'targets/glvnd': [],
    'targets/osmesa': ['drivers/sgpu', 'targets/gallium'],
}

ISA_ARROWS = {
    'layout': [],
    'packets': [],
}

# The programs of a folder are one module.  At the top is the assembler.
TOOLS_ARROWS = {
    'bench': [],
    'capture': [],
    'golden': [],
    'demo': [],
    'doctor': ['run'],
    'require': [],
    'run': [],
    'screenshot': [],
    'sim': ['capture'],
}

# folder: the part.  arrows: rows by folder.  base: modules that every module may use; 'public' are
# the files at the top.  symbols: names of its functions and data.  suffix: what the names of each
# host level have in addition.  bare: includes that must name their folder.
PARTS = [
    {
        'folder': 'src/device',
        'arrows': DEVICE_ARROWS,
        'base': ('public', 'common'),
        'symbols': r'sg(?:d|pu)_\w+',
        'suffix': r'_(?:v2|v3|v4)$',
        'bare': r'sgd_\w+\.h',
    },
    {
        'folder': 'src/compiler',
        'arrows': COMPILER_ARROWS,
        'base': ('public',),
        'symbols': r'sg(?:c|pu_compile)\w*',
        'bare': r'sgc_\w+\.h',
    },
    {
        'folder': 'src/gallium',
        'arrows': GALLIUM_ARROWS,
        'symbols': r'sgpu_\w+',
    },
    {
        'folder': 'src/isa',
        'arrows': ISA_ARROWS,
        'symbols': r'sgpu_\w+',
    },
    {
        'folder': 'src/capture',
        'arrows': {},
        'symbols': r'(?:sgcap|sgpu)_\w+',
    },
    {
        'folder': 'src/tools',
        'arrows': TOOLS_ARROWS,
        'symbols': r'(?:cap|sim|sgpu|bench|micro)_\w+',
    },
    {
        'folder': 'src/timing',
        'arrows': TIMING_ARROWS,
        'base': ('kernel',),
        'symbols': r'sgt_\w+',
        'bare': r'sgt_\w+\.h',
    },
]
