# SPDX-License-Identifier: MIT
"""Parameters of a chip's front: host interface, input assembler, distribution, raster."""

from params_base import (ASSUMED, DERIVED, EXTERNAL, IN_CHIP, PAPER, Limit, Section, Struct, key,
                         link, powers)

ATTILA = 'ATTILA bGPU.ini'

MAX_TPCS = Limit('SGT_MAX_TPCS', 64)
MAX_TPC_SMS = Limit('SGT_MAX_TPC_SMS', 8)
MAX_SM_WARPS = Limit('SGT_MAX_SM_WARPS', 128)
MAX_SM_GROUPS = Limit('SGT_MAX_SM_GROUPS', 32)

STRUCTS = [
    Struct('chip.front', 'sgt_chip_front_params', 'Host interface to fine raster.'),
    Struct('chip.front.ia', 'sgt_ia_params', 'Host interface and input assembler.'),
    Struct('chip.front.dist', 'sgt_dist_params', 'Work distribution.',
           limits=[MAX_TPCS, MAX_TPC_SMS, MAX_SM_WARPS, MAX_SM_GROUPS], members=[
               link('sm_warps', 'sm.warps', 'warps of a core', (1, MAX_SM_WARPS), 'warps'),
               link('sm_threads', 'sm.threads', 'threads of a core', (32, 32 * MAX_SM_WARPS),
                    'threads'),
               link('sm_groups', 'sm.groups', 'workgroups of a core', (1, MAX_SM_GROUPS),
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
            'Operations that have begun and not ended.'),
        row('command', 'cycles', 8, (1, 65536), ASSUMED, 'the paper does not say',
            'Cycles of the host interface for an operation.'),
        row('flush', 'cycles', 64, (0, 65536), ASSUMED, 'the paper does not say',
            'Cycles of a barrier after the chip is idle.'),
        row('primitives', 'primitives/cycle', 1, (1, 64), PAPER, 'Command processing',
            'Primitives of the input assembler in a cycle.'),
        row('attributes', 'scalars/cycle', 8, (1, 1024), PAPER, 'Command processing',
            'Scalar attributes of the input assembler in a cycle.'),
        row('fetch_lines', 'lines/cycle', 1, (1, 16), ASSUMED, 'twice the scalars',
            'Lines of 64 bytes that are requested in a cycle.'),
        row('fetch_open', 'lines', 64, (1, 4096), ASSUMED, 'hides the latency of memory',
            'Lines that are under way.'),
        row('ahead', 'warps', 16, (1, 4096), ASSUMED, 'hides the latency of memory',
            'Vertex warps whose inputs are under way.'),
    ], at='chip.front.ia')

DISTRIBUTION = Section(
    'distribution', 'Work distribution gives warps to the SMs and keeps outputs in order.', [
        row('turn', '', 'free',
            [('strict', 'a TPC that has no room is waited for'),
             ('free', 'the next TPC that has room')],
            ASSUMED, 'Command processing: round robin', 'Round robin of vertices and grids.',
            enum='sgt_dist_turn SGT_DIST'),
        row('vertex_rate', 'warps/cycle', 1, (1, 64), ASSUMED, 'a port',
            'Vertex, tessellation and geometry warps that start in a cycle.'),
        row('grid_rate', 'warps/cycle', 1, (1, 64), ASSUMED, 'a port',
            'Warps of grids that start in a cycle.'),
        row('pixel_rate', 'warps/cycle', 4, (1, 64), DERIVED, 'above fine raster: 2 warps',
            'Pixel warps that go to the queues of TPCs in a cycle.'),
        row('reorder', 'warps', 64, (1, 65536), ASSUMED, 'Rasterization: original order',
            'Warps before pixel warps whose outputs are kept.'),
        row('tile', 'pixels', 64, powers(64, 4096), DERIVED,
            'the quads of a warp lie in such a tile',
            'Width and height of tiles, each of a TPC; a power of 2.'),
        row('tile_skew', 'TPCs', 3, (0, 64), ASSUMED, 'neighbours are of different TPCs',
            'TPCs that a row of tiles begins further than the one above.'),
        row('pixel_queue', 'warps', 16, (1, 4096), ASSUMED, 'the paper does not say',
            'Pixel warps that wait for a TPC.'),
        row('pixel_order', 'warps', 64, (1, 4096), ASSUMED, 'above the warps of two SMs',
            'Pixel warps of a TPC that have started and are not written.'),
        row('balance', '', 'dynamic',
            [('static', 'a kind never has more than its limit'),
             ('dynamic', 'it has, while the other kind has nothing to do')],
            PAPER, 'SM controller: static and dynamic', 'Balance of vertices and pixels.',
            enum='sgt_dist_balance SGT_DIST'),
        row('prefer', '', 'pixel', [('pixel', 'pixels'), ('vertex', 'vertices')],
            ASSUMED, 'pixels empty the chip', 'What starts first on a TPC.',
            enum='sgt_dist_prefer SGT_DIST'),
        row('vertex_limit', 'warps', 12, (1, MAX_SM_WARPS), ASSUMED, 'half of a SM',
            'Vertex, tessellation and geometry warps of a SM.'),
        row('pixel_limit', 'warps', 20, (1, MAX_SM_WARPS), ASSUMED, 'vertices go on',
            'Pixel warps of a SM.'),
        row('inputs_shared', '', 1, bool, PAPER, 'Streaming multiprocessor',
            'Inputs of vertices and primitives take shared memory.'),
        row('registers', 'registers', 16384, (32, 2 ** 20), EXTERNAL,
            'GPGPU-Sim QuadroFX5600', 'Registers of 32 bits of a SM.', member='sm_registers'),
        row('shared', 'bytes', 16384, (0, 2 ** 20), PAPER, 'Streaming multiprocessor',
            'Shared memory of a SM.', member='sm_shared'),
    ], at='chip.front.dist')

RASTER = Section(
    'raster', 'Setup, coarse raster, zcull and fine raster.', [
        row('setup', 'primitives/cycle', 1, (1, 64), DERIVED, 'the rate of the input assembler',
            'Primitives of setup in a cycle.'),
        row('setup_latency', 'cycles', 10, (1, 1024), EXTERNAL, ATTILA,
            'Cycles from setup to coarse raster.'),
        row('setup_queue', 'primitives', 32, (1, 65536), EXTERNAL, ATTILA,
            'Primitives that wait for coarse raster.'),
        row('coarse', 'tiles/cycle', 1, (1, 64), ASSUMED, 'the rate of zcull',
            'Tiles of 16x16 pixels of coarse raster in a cycle.'),
        row('zcull', 'tiles/cycle', 1, (1, 64), PAPER, 'Rasterization: 256 pixels',
            'Tiles of zcull in a cycle.'),
        row('zcull_latency', 'cycles', 5, (1, 1024), EXTERNAL, ATTILA,
            'Cycles from coarse raster to zcull.'),
        row('zcull_queue', 'tiles', 16, (1, 65536), ASSUMED, 'the paper does not say',
            'Tiles that wait for zcull.'),
        row('fine', 'blocks/cycle', 2, (1, 64), DERIVED, 'six ROPs test 48 pixels',
            'Blocks of 8x4 pixels of fine raster in a cycle.'),
        row('fine_latency', 'cycles', 4, (1, 1024), ASSUMED, 'the paper does not say',
            'Cycles from zcull to fine raster.'),
        row('fine_queue', 'tiles', 16, (1, 65536), ASSUMED, 'the paper does not say',
            'Tiles that wait for fine raster.'),
        row('block_queue', 'blocks', 16, (1, 65536), ASSUMED, 'the paper does not say',
            'Blocks that wait for early tests.'),
        row('early_queue', 'blocks', 256, (1, 65536), EXTERNAL, ATTILA,
            'Blocks whose early tests are under way.'),
        row('early_rate', 'lines/cycle', 4, (1, 64), DERIVED, 'six ROPs test 48 pixels',
            'Lines of 64 bytes of depths that are sent to ROPs in a cycle.'),
        row('release_queue', 'warps', 16, (1, 65536), ASSUMED, 'the paper does not say',
            'Pixel warps on the way to the distribution.'),
    ], at='chip.front.raster')

SECTIONS = [FRONT, DISTRIBUTION, RASTER]
