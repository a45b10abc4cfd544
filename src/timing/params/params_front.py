# SPDX-License-Identifier: MIT
"""Parameters of a chip's front end: host interface, input assembler, distribution, raster."""

from params_base import (ASSUMED, DERIVED, EXTERNAL, IN_CHIP, PAPER, Limit, Section, Struct, key,
                         link, powers)

ATTILA = 'ATTILA bGPU.ini'

MAX_TPCS = Limit('SGT_MAX_TPCS', 64)
MAX_TPC_SMS = Limit('SGT_MAX_TPC_SMS', 8)
MAX_SM_WARPS = Limit('SGT_MAX_SM_WARPS', 128)
MAX_SM_GROUPS = Limit('SGT_MAX_SM_GROUPS', 32)

STRUCTS = [
    Struct('chip.front', 'sgt_chip_front_params',
           'The front end, from the host interface to fine raster.'),
    Struct('chip.front.ia', 'sgt_ia_params', 'Host interface and input assembler.'),
    Struct('chip.front.dist', 'sgt_dist_params', 'Work distribution.',
           limits=[MAX_TPCS, MAX_TPC_SMS, MAX_SM_WARPS, MAX_SM_GROUPS], members=[
               link('sm_warps', 'sm.warps', 'maximum number of warps in a core', (1, MAX_SM_WARPS),
                    'warps'),
               link('sm_threads', 'sm.threads', 'maximum number of threads in a core',
                    (32, 32 * MAX_SM_WARPS),
                    'threads'),
               link('sm_groups', 'sm.groups', 'maximum number of workgroups in a core',
                    (1, MAX_SM_GROUPS),
                    'groups'),
           ]),
    Struct('chip.front.raster', 'sgt_raster_params', 'Setup, coarse raster, zcull, fine raster.'),
]


def row(*values, **names):
    return key(*values, IN_CHIP, 'g80', **names)


FRONT = Section(
    'front', 'The host interface takes operations in order, and the input assembler reads the '
             'inputs of vertex warps.', [
        row('operations', 'operations', 16, (1, 4096), ASSUMED, 'multiple logical streams',
            'Maximum number of operations that have started and not ended.'),
        row('command', 'cycles', 8, (1, 65536), ASSUMED, 'the paper does not say',
            'Number of cycles of the host interface for each operation.'),
        row('flush', 'cycles', 64, (0, 65536), ASSUMED, 'the paper does not say',
            'Number of cycles that a barrier takes after the chip is idle.'),
        row('primitives', 'primitives/cycle', 1, (1, 64), PAPER, 'Command processing',
            'Number of primitives that the input assembler handles in a cycle.'),
        row('attributes', 'scalars/cycle', 8, (1, 1024), PAPER, 'Command processing',
            'Number of scalar attributes that the input assembler handles in a cycle.'),
        row('fetch_lines', 'lines/cycle', 1, (1, 16), ASSUMED, 'twice the scalars',
            'Number of lines (64 bytes) that the input assembler requests in a cycle.'),
        row('fetch_open', 'lines', 64, (1, 4096), ASSUMED, 'hides the latency of memory',
            'Maximum number of lines that the input assembler has requested and not received.'),
        row('ahead', 'warps', 16, (1, 4096), ASSUMED, 'hides the latency of memory',
            'Maximum number of vertex warps in the input assembler.'),
    ], at='chip.front.ia')

DISTRIBUTION = Section(
    'distribution', 'Work distribution starts warps on the SMs and keeps their outputs in order.', [
        row('turn', '', 'free',
            [('strict', 'wait for the TPC whose turn it is'),
             ('free', 'the next TPC with free resources')],
            ASSUMED, 'Command processing: round robin',
            'Which TPC a warp of vertices or a grid starts on.',
            enum='sgt_dist_turn SGT_DIST'),
        row('vertex_rate', 'warps/cycle', 1, (1, 64), ASSUMED, 'a port',
            'Maximum number of vertex, tessellation and geometry warps that start in a cycle.'),
        row('grid_rate', 'warps/cycle', 1, (1, 64), ASSUMED, 'a port',
            'Maximum number of warps of grids that start in a cycle.'),
        row('pixel_rate', 'warps/cycle', 4, (1, 64), DERIVED, 'above fine raster: 2 warps',
            'Maximum number of pixel warps that enter the queues of TPCs in a cycle.'),
        row('reorder', 'warps', 64, (1, 65536), ASSUMED, 'Rasterization: original order',
            'Maximum number of vertex, tessellation and geometry warps whose outputs are kept '
            'until their turn.'),
        row('tile', 'pixels', 64, powers(64, 4096), DERIVED,
            'the quads of a warp lie in such a tile',
            'Width and height of the tiles that are assigned to TPCs, a power of 2.'),
        row('tile_skew', 'TPCs', 3, (0, 64), ASSUMED, 'neighbours are of different TPCs',
            'Number of TPCs by which each row of tiles is shifted.'),
        row('pixel_queue', 'warps', 16, (1, 4096), ASSUMED, 'the paper does not say',
            'Maximum number of pixel warps that wait for a TPC.'),
        row('pixel_order', 'warps', 64, (1, 4096), ASSUMED, 'above the warps of two SMs',
            'Maximum number of pixel warps of a TPC that have started and are not written.'),
        row('balance', '', 'dynamic',
            [('static', 'no kind has more warps than its limit'),
             ('dynamic', 'a kind may exceed its limit while the other kind has no work')],
            PAPER, 'SM controller: static and dynamic',
            'How the limits for vertices and pixels are applied.',
            enum='sgt_dist_balance SGT_DIST'),
        row('prefer', '', 'pixel', [('pixel', 'pixels'), ('vertex', 'vertices')],
            ASSUMED, 'pixels empty the chip', 'Which kind starts first on a TPC.',
            enum='sgt_dist_prefer SGT_DIST'),
        row('vertex_limit', 'warps', 12, (1, MAX_SM_WARPS), ASSUMED, 'half of a SM',
            'Limit of vertex, tessellation and geometry warps in a SM.'),
        row('pixel_limit', 'warps', 20, (1, MAX_SM_WARPS), ASSUMED, 'vertices can proceed',
            'Limit of pixel warps in a SM.'),
        row('inputs_shared', '', 1, bool, PAPER, 'Streaming multiprocessor',
            'Inputs of vertices and primitives occupy shared memory.'),
        row('registers', 'registers', 16384, (32, 2 ** 20), EXTERNAL,
            'GPGPU-Sim QuadroFX5600', 'Number of 32-bit registers in a SM.', member='sm_registers'),
        row('shared', 'bytes', 16384, (0, 2 ** 20), PAPER, 'Streaming multiprocessor',
            'Size of the shared memory of a SM.', member='sm_shared'),
    ], at='chip.front.dist')

RASTER = Section(
    'raster', 'Setup, coarse raster, zcull and fine raster.', [
        row('setup', 'primitives/cycle', 1, (1, 64), DERIVED, 'the rate of the input assembler',
            'Number of primitives that setup handles in a cycle.'),
        row('setup_latency', 'cycles', 10, (1, 1024), EXTERNAL, ATTILA,
            'Delay from setup to coarse raster.'),
        row('setup_queue', 'primitives', 32, (1, 65536), EXTERNAL, ATTILA,
            'Maximum number of primitives that wait for coarse raster.'),
        row('coarse', 'tiles/cycle', 1, (1, 64), ASSUMED, 'the rate of zcull',
            'Number of tiles of 16x16 pixels that coarse raster handles in a cycle.'),
        row('zcull', 'tiles/cycle', 1, (1, 64), PAPER, 'Rasterization: 256 pixels',
            'Number of tiles that zcull handles in a cycle.'),
        row('zcull_latency', 'cycles', 5, (1, 1024), EXTERNAL, ATTILA,
            'Delay from coarse raster to zcull.'),
        row('zcull_queue', 'tiles', 16, (1, 65536), ASSUMED, 'the paper does not say',
            'Maximum number of tiles that wait for zcull.'),
        row('fine', 'blocks/cycle', 2, (1, 64), DERIVED, 'six ROPs test 48 pixels',
            'Number of blocks of 8x4 pixels that fine raster handles in a cycle.'),
        row('fine_latency', 'cycles', 4, (1, 1024), ASSUMED, 'the paper does not say',
            'Delay from zcull to fine raster.'),
        row('fine_queue', 'tiles', 16, (1, 65536), ASSUMED, 'the paper does not say',
            'Maximum number of tiles that wait for fine raster.'),
        row('block_queue', 'blocks', 16, (1, 65536), ASSUMED, 'the paper does not say',
            'Maximum number of blocks that wait for early tests.'),
        row('early_queue', 'blocks', 256, (1, 65536), EXTERNAL, ATTILA,
            'Maximum number of blocks whose early tests are under way.'),
        row('early_rate', 'lines/cycle', 4, (1, 64), DERIVED, 'six ROPs test 48 pixels',
            'Number of lines (64 bytes) of depths that early tests send to the ROPs in a cycle.'),
        row('release_queue', 'warps', 16, (1, 65536), ASSUMED, 'the paper does not say',
            'Maximum number of pixel warps on their way to the distribution.'),
    ], at='chip.front.raster')

SECTIONS = [FRONT, DISTRIBUTION, RASTER]
