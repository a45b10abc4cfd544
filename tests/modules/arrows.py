# SPDX-License-Identifier: MIT
"""Modules inside of a part of the tree, and the arrows that are allowed between
them: a module may include headers of, and use functions and data of, the modules
that its row names.  check_arrows.py reads this.
"""

# src/device ------------------------------------------------------------------

# Module of a file: the longest prefix of its path counts.  '' are the files at the
# top: the draw's state, and the types that several modules share.
DEVICE_FILES = {
    '': 'state',
    'texture/': 'texture',
    'rop/': 'rop',
    'xfer/': 'xfer',
    'image/': 'image',
    'shader/': 'shader',
    'shader/sgd_atomic.': 'atomics',
    # Works on decoded programs, and is called by what executes them.
    'translate/': 'shader',
    'compute/': 'compute',
    'compute/sgd_compute.': 'groups',
    # The front end.  front/ is its context; the entry point runs the stages.
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
    # Shadows of memory; the part that the engines run.
    'shadow/': 'shadow',
    'shadow/sgd_replay.': 'replay',
    # The table of the engines' entry points.
    'sgd_arch_ops.': 'engines',
    # Records of observers.  What makes them in the engines is in the observed level alone.
    'observe/': 'observe',
    'arena/': 'arena',
    'plan/': 'plan',
    'memory/': 'memory',
    'sched/': 'sched',
    'dispatch/': 'dispatch',
    'cp/': 'cp',
    'core/': 'core',
}

# From the bottom to the top.  Every module may use `state`.  Dispatch calls the
# engines through struct sgd_arch_ops alone, so no row of it names one.
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

# src/timing ------------------------------------------------------------------

# Folder = module.  Parts of a chip are chip_*; names of other folders are unlike those of
# src/device.
TIMING_FILES = {
    'kernel/': 'kernel',
    'params/': 'params',
    'trace/': 'trace',
    'dram/': 'dram',
    'engine99/': 'engine99',
    'nv20/': 'nv20',
    'chip_memory/': 'chip_memory',
    'chip_rop/': 'chip_rop',
    'chip_sm/': 'chip_sm',
    'chip_eu/': 'chip_eu',
    'chip_texture/': 'chip_texture',
    'chip_front/': 'chip_front',
    'chip_raster/': 'chip_raster',
    'chip/': 'chip',
    'proof/': 'proof',
    'config/': 'config',
    'report/': 'report',
    'live/': 'live',
    'sample/': 'sample',
}

# From the bottom to the top.  Every module may use `kernel`.  Headers of params/ and stats/ that
# the build generates are no files of the tree: any module may include them.
TIMING_ARROWS = {
    'kernel': [],
    'params': [],
    'trace': [],
    # The engines of 1999 and 2001.
    'dram': ['params', 'trace'],
    'engine99': ['params', 'trace', 'dram'],
    'nv20': ['trace'],
    # The chip of 2008.  Units meet through channels, so a part uses what another one has for its
    # neighbours: messages, ports, states.
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
    {
        'folder': 'src/timing',
        'files': TIMING_FILES,
        'arrows': TIMING_ARROWS,
        'base': 'kernel',
        'symbols': r'sgt_\w+',
        'suffix': None,
        # Includes name the folder.
        'bare': r'sgt_\w+\.h',
    },
]
