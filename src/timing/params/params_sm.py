# SPDX-License-Identifier: MIT
"""Parameters of the streaming multiprocessors."""

from params_base import ASSUMED, DERIVED, EXTERNAL, IN_CHIP, PAPER, Limit, Section, Struct
from params_base import key as any_key

GPGPU_SIM = 'GPGPU-Sim, QuadroFX5600'
WONG = 'Wong, Microbenchmarking the GT200'

MAX_WARPS = Limit('SGT_SM_MAX_WARPS', 32)
MAX_ACCESSES = Limit('SGT_SM_MAX_ACCESSES', 64)
MAX_BUFFER = Limit('SGT_SM_MAX_BUFFER', 64)
MAX_CACHE = Limit('SGT_SM_MAX_CACHE', 16777216, 'maximum size of a cache in bytes')
LEVELS = Limit('SGT_SM_LEVELS', 4, 'number of priorities; 0 is the highest')

STRUCTS = [
    Struct('chip.sm', 'sgt_sm_params', 'A streaming multiprocessor.', checked=True,
           limits=[MAX_WARPS, MAX_ACCESSES, MAX_BUFFER, MAX_CACHE, LEVELS],
           arrays={'level_class': 'SGT_SM_CLASSES'},
           includes=['params/sgt_sm_class.h']),
]


def key(*row, **names):
    return any_key(*row, IN_CHIP, 'g80', **names)


SECTIONS = [
    Section('sm', 'A streaming multiprocessor. Cycles are those of its scheduler, which runs at '
                  'half of the SP clock. Rates are in lanes per SP clock.', [
        key('warps', '', 24, (1, MAX_WARPS), PAPER, 'SM multithreading',
            'Maximum number of warps at a time.'),
        key('threads', '', 768, (32, 32 * MAX_WARPS), PAPER, 'SM multithreading',
            'Maximum number of threads of all warps at a time.'),
        key('groups', '', 8, (1, MAX_WARPS), EXTERNAL, f'{GPGPU_SIM}: 8 CTAs',
            'Maximum number of workgroups at a time.'),
        key('launch', 'cycles', 4, (0, 1000), ASSUMED, 'registers are set up',
            'Time from the launch of a warp to its first fetch.'),
        key('sps', 'lanes', 8, (1, 32), PAPER, 'Streaming multiprocessor',
            'Number of SP cores, which are lanes of multiply-add.'),
        key('sfus', 'lanes', 2, (1, 32), PAPER, 'Streaming multiprocessor',
            'Number of special-function units, each with one result in an SP clock.'),
        key('interp', 'samples', 4, (1, 32), PAPER, 'Special-function unit',
            'Number of samples that a special-function unit interpolates in an SP clock.'),
        key('multipliers', 'lanes', 4, (1, 32), PAPER, 'Streaming multiprocessor',
            'Number of floating-point multipliers in a special-function unit.'),
        key('dual', '', 'busy',
            [('never', 'products always use the MAD units'),
             ('busy', 'while the MAD units are busy'),
             ('first', 'whenever the SFUs are free')],
            DERIVED, '36 Gflops an SM are (8 x 2 + 2 x 4) x 1.5 GHz',
            'When products use the multipliers of the SFUs.'),
        key('alu_latency', 'cycles', 12, (1, 1000), EXTERNAL, f'{WONG}: 24 clocks',
            'Time from a multiply-add to a dependent operation.'),
        key('sfu_latency', 'cycles', 14, (1, 1000), EXTERNAL, f'{WONG}: 28 clocks',
            'Time from a special function, or a product in the SFU, to a dependent operation.'),
        key('interp_latency', 'cycles', 14, (1, 1000), ASSUMED, 'as special functions',
            'Time from an interpolation to a dependent operation.'),
        key('shared_latency', 'cycles', 18, (1, 1000), ASSUMED,
            'half as much again as the MAD units',
            'Time from an access to shared memory without conflicts to a dependent operation.'),
        key('const_latency', 'cycles', 12, (1, 1000), ASSUMED, 'as the MAD units',
            'Time from a load of one line of the constant cache to a dependent operation.'),
        key('tex_return', 'cycles', 2, (1, 1000), ASSUMED, 'a write to the register file',
            'Time from the response of the texture unit to a dependent operation.'),
        key('mem_return', 'cycles', 2, (1, 1000), ASSUMED, 'a write to the register file',
            'Time from the last response of memory to a dependent operation.'),
        key('banks', '', 0, (0, 1024), EXTERNAL, f'{WONG}: no conflicts seen',
            'Number of banks of the register file, or 0 if operands never conflict.'),
        key('bank_cycles', 'cycles', 2, (0, 16), DERIVED, 'an operation is two sets of 16 threads',
            'Time for each additional operand from the same bank.'),
        key('level_vertex', '', 2, (0, LEVELS - 1), ASSUMED, 'later stages first, work drains',
            'Priority of vertex and tessellation warps. 0 is the highest.',
            member='level_class[SGT_SM_VERTEX]'),
        key('level_geometry', '', 1, (0, LEVELS - 1), ASSUMED, 'later stages first, work drains',
            'Priority of geometry warps.', member='level_class[SGT_SM_GEOMETRY]'),
        key('level_pixel', '', 0, (0, LEVELS - 1), ASSUMED, 'later stages first, work drains',
            'Priority of pixel warps.', member='level_class[SGT_SM_PIXEL]'),
        key('level_compute', '', 2, (0, LEVELS - 1), ASSUMED, 'as vertex warps',
            'Priority of compute warps.', member='level_class[SGT_SM_COMPUTE]'),
        key('level_transfer', '', 0, (0, LEVELS - 1), ASSUMED, 'the longest latencies begin first',
            'Priority of accesses to textures and memory.'),
        key('level_sfu', '', 1, (0, LEVELS - 1), ASSUMED, 'keeps the SFUs busy in parallel with the SPs',
            'Priority of special functions and interpolations.'),
        key('level_alu', '', 2, (0, LEVELS - 1), ASSUMED, 'after what takes longer',
            'Priority of multiply-adds and control.'),
        key('level_mul', '', 3, (0, LEVELS - 1), DERIVED,
            'after multiply-adds, or the peak is out of reach', 'Priority of products.'),
        key('order', '', 'oldest',
            [('oldest', 'the warp that was launched first'),
             ('round-robin', 'the next slot after the latest one that issued'),
             ('greedy', 'the warp that issued last, or otherwise the oldest')],
            ASSUMED, 'the paper names fairness alone',
            'Which warp issues if several have the same priority.',
            enum='sgt_sm_order SGT_SM'),
        key('patience', 'cycles', 64, (0, 100000), ASSUMED, 'fairness, without a figure',
            'A warp that has been ready for this long goes first; 0 for never.'),
        key('buffer', 'operations', 8, (1, MAX_BUFFER), ASSUMED, 'two fetches',
            'Size of the instruction buffer of a warp, at least sm.fetch_width.'),
        key('fetch_width', 'operations', 4, (1, 8), ASSUMED, '32 bytes of the cache',
            'Number of operations of a fetch, which are in the same line. There is one fetch in a '
            'cycle.'),
        key('fetch_latency', 'cycles', 2, (1, 1000), ASSUMED, 'a small cache',
            'Time from a fetch to the issue.'),
        key('jump', 'cycles', 4, (1, 1000), ASSUMED, 'a third of the latency of the SPs',
            'Time from the issue of a jump to the fetch of its target.'),
        key('op_bytes', 'bytes', 8, (4, 16), EXTERNAL,
            f'{WONG}: 64-bit instructions',
            'Size of an operation in memory: 4, 8 or 16.'),
        key('icache_bytes', 'bytes', 4096, (64, MAX_CACHE), EXTERNAL,
            GPGPU_SIM,
            'Size of the instruction cache, which has lines of 64 bytes.'),
        key('icache_ways', '', 4, (1, 64), EXTERNAL, GPGPU_SIM, 'Its ways.'),
        key('const_bytes', 'bytes', 8192, (64, MAX_CACHE), EXTERNAL,
            GPGPU_SIM,
            'Size of the constant cache, which has lines of 64 bytes.'),
        key('const_ways', '', 2, (1, 64), EXTERNAL, GPGPU_SIM, 'Its ways.'),
        key('const_scope', '', 'operation',
            [('operation', 'each operation has separate constants'),
             ('program', 'operations of a program share them'),
             ('version',
              'operations of a program share the lines that did not change between them')],
            ASSUMED, 'draws differ in some of their constants',
            'Which constants an operation finds in the cache.', enum='sgt_const_scope SGT_CONST'),
        key('prologue', '', 'perspective',
            [('none', 'inputs are already interpolated'),
             ('linear', 'each component is interpolated'),
             ('perspective', 'each component is interpolated and multiplied by the reciprocal of '
                             'the interpolated 1/W')],
            PAPER, 'Special-function unit',
            'How pixel warps interpolate inputs before their programs.'),
        key('barrier', 'cycles', 2, (1, 1000), ASSUMED, 'a fast barrier',
            'Time from the last arrival at a barrier to the next operation.'),
        key('textures', 'accesses', 64, (1, MAX_ACCESSES), ASSUMED, 'more than two a warp',
            'Maximum number of texture accesses in flight.'),
        key('accesses', 'accesses', 64, (1, MAX_ACCESSES), ASSUMED, 'more than two a warp',
            'Maximum number of memory accesses in flight.'),
        key('coalesce', '', 'half',
            [('none', 'accesses of a quad'), ('half', 'accesses of 16 threads'),
             ('warp', 'accesses of the warp')],
            DERIVED, 'an instruction executes as two sets of 16 threads',
            'Which accesses of a line share a request.'),
    ], at='chip.sm'),
]
