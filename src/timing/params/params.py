# SPDX-License-Identifier: MIT
"""Parameters of the timing models. The parser, --list-params and docs are generated from this.

params_base.py describes the format of a row. Each unit of a chip has a separate table in
params_*.py. SECTIONS includes all tables.
"""

from params_base import (ASSUMED, DERIVED, EXTERNAL, IN_CHIP, PAPER, PAPERS, SOURCES,  # noqa: F401
                         Limit, Section, Struct, key, link, other)
import params_eu
import params_front
import params_memory
import params_nv20
import params_sm
import params_texrop

IN_DRAM = ('memory.model', ['dram'])
IN_GRID = ('fetch.split', ['grid'])
IN_SPLIT = ('fetch.split', ['height', 'grid'])
PARTS = 'data sheets of SDRAM of 1999 (PC100, CL 3)'

MAX_ACCELERATORS = Limit('SGT_MAX_ACCELERATORS', 1024)
MAX_CANDIDATES = Limit('SGT_MAX_CANDIDATES', 8192)
MAX_CHANNELS = Limit('SGT_DRAM_MAX_CHANNELS', 64)
MAX_BANKS = Limit('SGT_DRAM_MAX_BANKS', 64)
BURST = Limit('SGT_DRAM_BURST', 32, 'size of a request in bytes')

SHUFFLE = [
    other('bool', 'shuffle',
          'units run in a random order in each cycle, which must not change the number of cycles'),
    other('uint64_t', 'shuffle_seed', 'seed of this order'),
    link('max_cycles', 'run.max_cycles',
         'number of cycles after which the run fails, or 0 for no limit'),
]

STRUCTS = [
    Struct('run', 'sgt_run_params', 'Parameters of a run of any model.'),
    Struct('engine', 'sgt_engine_params', 'The dispatch engine of 1999.', checked=True,
           limits=[MAX_ACCELERATORS, MAX_CANDIDATES], members=[
               link('seed', 'run.seed', 'seed of random selection'),
               link('interval', 'run.interval',
                    'length of an interval of the time series in cycles'),
               *SHUFFLE,
               other('uint32_t', 'drop_hazard',
                     'only for tests of the audit: kind of dependence that is ignored (enum '
                     'sgt_state RAW, WAW, WAR, or CONFLICT), or 0 for none'),
           ]),
    Struct('engine.dram', 'sgt_dram_params', 'Banked DRAM.', checked=True,
           limits=[MAX_CHANNELS, MAX_BANKS, BURST]),
    *params_nv20.STRUCTS,
    Struct('chip', 'sgt_chip_params', 'The unified chip of 2008.', checked=True,
           includes=['params/sgt_chip_fault.h'], members=[
               *SHUFFLE,
               other('const struct sgt_chip_observer *', 'observer', 'observer of events, or NULL'),
               other('enum sgt_chip_fault', 'fault',
                     'fault that is injected for tests of --verify'),
           ]),
    Struct('chip.output', 'sgt_output_params', 'Pixel outputs of a cluster.', members=[
        link('warps', 'distribution.pixel_order', 'maximum number of warps in the unit',
             key='pixel_order'),
    ]),
    Struct('chip.transfer', 'sgt_transfer_params', 'The transfer unit.', members=[
        link('fast_clear', 'rop.fast_clear',
             'clears of whole tiled surfaces only change the state of tiles'),
    ]),
    *params_front.STRUCTS,
    *params_sm.STRUCTS,
    *params_eu.STRUCTS,
    *params_texrop.STRUCTS,
    *params_memory.STRUCTS,
]
# Enums that several structures use. Each has a separate header.
APART = ['sgt_const_scope', 'sgt_core_kind']
# For each enum: enumerators that are not choices of a parameter.
EXTRA = {
    'sgt_cache_writes': [
        ('SGT_CACHE_BACK_BYTES',
         'as BACK, with a mask of valid bytes: a sector is fetched only if it is read'),
    ],
    'sgt_core_kind': [('SGT_CORE_KINDS', '')],
}

SECTIONS = [
    Section('chip', 'The chip or engine that the model simulates.', [
        key('model', '', 'engine',
            [('engine', 'the dispatch engine of 1999 (sections fetch to dram)'),
             ('nv20', 'the vertex engine of 2001'),
             ('g80', 'a unified chip')],
            DERIVED, 'one key chooses the model', 'The model.'),
        key('tpcs', '', 8, (1, params_front.MAX_TPCS), PAPER, 'Figure 1',
            'Number of texture/processor clusters.', IN_CHIP, 'g80', member='front.dist.tpcs'),
        key('tpc_sms', '', 2, (1, params_front.MAX_TPC_SMS), PAPER, 'Figure 2',
            'Number of SMs in a cluster.', IN_CHIP, 'g80',
            member='front.dist.tpc_sms'),
        key('core', '', 'sm',
            [('sm', 'streaming multiprocessors (section sm)'),
             ('eu', 'execution units of US 8,564,604 (section eu)')],
            PAPER, 'Streaming multiprocessor', 'Shader cores of the clusters.', IN_CHIP, 'g80',
            enum='sgt_core_kind SGT_CORE'),
        key('core_mhz', 'MHz', 600, (1, 100000), PAPER, 'Command processing',
            'Frequency of front end, raster, texture units and ROPs.', IN_CHIP, 'g80'),
        key('sp_mhz', 'MHz', 1500, (2, 100000), PAPER, 'Streaming multiprocessor',
            'Frequency of the SPs. The warp scheduler, or an execution unit, runs at half of it.',
            IN_CHIP, 'g80'),
        key('tex_cycles', 'cycles', 2, (1, 1024), ASSUMED, 'units of a cluster',
            'Delay in core cycles between a SM and its texture unit, in each direction.', IN_CHIP,
            'g80'),
        key('rop_cycles', 'cycles', 8, (1, 1024), ASSUMED, 'the interconnection network',
            'Delay in core cycles between a ROP and its clients, in each direction.', IN_CHIP,
            'g80'),
        key('output_rate', 'lines/cycle', 1, (1, 64), ASSUMED, 'a port',
            'Number of lines (64 bytes) of depths or colours that a cluster sends to the ROPs in a '
            'cycle.', IN_CHIP,
            'g80', member='output.rate'),
        key('transfer_rate', 'lines/cycle', 6, (1, 64), DERIVED, 'one for each ROP',
            'Number of lines (64 bytes) that the transfer unit handles in a cycle.', IN_CHIP, 'g80',
            member='transfer.rate'),
        key('transfer_reads', 'lines', 256, (1, 65536), ASSUMED, 'hides the latency of memory',
            'Maximum number of lines that the transfer unit has requested and not received.',
            IN_CHIP, 'g80',
            member='transfer.reads'),
        key('transfer_writes', 'lines', 64, (1, 65536), ASSUMED, 'as the reads of a ROP',
            'Maximum number of lines that wait to be written by the transfer unit.', IN_CHIP, 'g80',
            member='transfer.writes'),
    ], at='chip'),
    Section('fetch', 'The fetch unit splits items and passes the slices to the issue unit.', [
        key('rate', 'slices/cycle', 1, (1, 64), PAPER, '3.3',
            'Maximum number of slices that enter the issue unit in a cycle.', member='entry_rate'),
        key('items', '', 'all',
            [('all', 'primitives and transfers'),
             ('primitives', 'without clears, copies and fills'),
             ('triangles', 'only triangles, as in the simulator of the paper')],
            DERIVED, '4.1: it only handles triangles', 'Items of the trace that enter the engine.'),
        key('split', '', 'none',
            [('none', 'an item is one slice'), ('height', 'slices as wide as the item'),
             ('grid', 'rectangles in both directions')],
            PAPER, '4.5 (Figures 12 to 14a have none)', 'How items that are too large are split.',
            enum='sgt_split SGT_SPLIT'),
        key('slice_height', 'pixels', 32, (1, 65536), PAPER, '4.5',
            'Height of slices; taller items are split.', IN_SPLIT),
        key('slice_width', 'pixels', 32, (1, 65536), ASSUMED, 'as the height',
            'Width of slices; wider items are split.', IN_GRID),
        key('aligned', '', 0, bool, ASSUMED, 'the paper does not say where slices begin',
            'Cuts are at multiples of the size of slices. Otherwise, they are counted from the '
            'corner of the item.', IN_SPLIT, member='slice_aligned'),
        key('transfers', '', 1, bool, ASSUMED, 'the paper has triangles alone',
            'Clears and fills are split too.', IN_SPLIT, member='split_transfers'),
        key('drop_empty', '', 0, bool, ASSUMED, 'the paper does not say',
            'Items without pixels do not enter. Slices of split items never enter without pixels.'),
        key('box', '', 'item',
            [('item', "the part of the item's box that is inside the slice"),
             ('coverage', 'the box of the covered blocks')],
            DERIVED, '3.3: the bounding box', 'Destination region of a slice.',
            member='slice_box', enum='sgt_slice_box SGT_SLICE_BOX'),
    ], at='engine'),
    Section('issue', 'The issue unit keeps slices in reservation stations and candidate buffers '
                     'until they have no dependences, and issues them to accelerators.', [
        key('order', '', 'out-of-order',
            [('in-order', 'only the oldest candidate'),
             ('out-of-order', 'any candidate without dependences')],
            PAPER, '3.2', 'Which candidates may issue.'),
        key('rate', 'slices/cycle', 1, (1, 64), PAPER, '3.3',
            'Maximum number of slices that issue in a cycle.',
            member='issue_rate'),
        key('select', '', 'random',
            [('random', 'a random one'), ('oldest', 'the first in program order'),
             ('critical', 'the one with the longest chain of dependent candidates')],
            PAPER, '3.3 (3.2 says the oldest)', 'Which candidate issues if several can.',
            enum='sgt_select SGT_SELECT'),
        key('accelerators', '', 16, (1, MAX_ACCELERATORS), PAPER, '4.4', 'Number of accelerators.'),
        key('window', '', 8, (1, 1024), PAPER, '4.4',
            'Number of candidate buffers per accelerator.'),
        key('candidates', '', 0, (0, MAX_CANDIDATES), PAPER, '4.4',
            'Number of candidate buffers, or 0 for issue.window times the accelerators.'),
        key('destinations', '', 0, (0, MAX_ACCELERATORS + MAX_CANDIDATES), PAPER, '4.4',
            'Number of destination reservation stations, or 0 for accelerators plus candidate '
            'buffers.'),
        key('sources', '', 0, (0, 4 * (MAX_ACCELERATORS + MAX_CANDIDATES)), DERIVED,
            '3.3: zero, one, or two source regions',
            'Number of source reservation stations, or 0 for twice the destination stations.'),
    ], at='engine'),
    Section('breaking', 'Breaking of dependence chains. Independent slices wait only while a '
                        'conflicting slice runs, and not for program order.', [
        key('rule', '', 'none',
            [('none', 'no breaking'),
             ('paper', 'primitives that do not blend are independent; pixels are wrong for equal '
                       'depths and unusual tests'),
             ('exact', 'items are independent if only the depth test decides their result')],
            PAPER, '4.6 (Figures 12 to 16 have none)', 'Which items are independent.',
            member='breaking', enum='sgt_breaking SGT_BREAK'),
    ], at='engine'),
    Section('accelerator', 'An accelerator takes setup + span x spans + pixels / rate + depth '
                           'cycles for a slice, but at least 1. It takes longer if pixels wait for '
                           'memory.', [
        key('pixels', 'pixels/cycle', 1, (1, 256), PAPER, '2.2',
            'Number of pixels of primitives in a cycle.', member='pixel_rate'),
        key('setup', 'cycles', 4, (0, 65536), ASSUMED, 'negligible in 4.5',
            'Number of cycles before the first pixel of a primitive.'),
        key('span', 'cycles', 0, (0, 4096), ASSUMED, 'spans overlap',
            'Number of cycles for each span in addition to those of its pixels.'),
        key('depth', 'cycles', 8, (0, 4096), DERIVED, 'stages of Figure 3',
            'Number of cycles from the last pixel until the slice retires.'),
        key('clear', 'pixels/cycle', 1, (1, 4096), ASSUMED, 'as pixels of primitives',
            'Number of pixels of clears and fills in a cycle.', member='clear_rate'),
        key('copy', 'pixels/cycle', 1, (1, 4096), ASSUMED, 'as pixels of primitives',
            'Number of pixels of copies and direct accesses in a cycle.', member='copy_rate'),
        key('transfer_setup', 'cycles', 0, (0, 65536), ASSUMED, 'nothing to interpolate',
            'Number of cycles before the first pixel of a transfer.'),
    ], at='engine'),
    Section('memory', 'The memory of the accelerators.', [
        key('model', '', 'perfect',
            [('perfect', 'ideal and multi-ported'), ('dram', 'banked DRAM with queues')],
            PAPER, '4.1', 'Model of memory.', member='memory', enum='sgt_memory_model SGT_MEMORY'),
    ], at='engine'),
    Section('dram', 'Banked DRAM, which the paper leaves for future work (4.1). Each channel has '
                    'banks, a queue and a data bus. Rows stay open, and row hits go first.', [
        key('core_mhz', 'MHz', 100, (1, 100000), ASSUMED, 'a chip of 1999',
            'Frequency of the accelerators.', IN_DRAM),
        key('memory_mhz', 'MHz', 100, (1, 100000), EXTERNAL, PARTS, 'Frequency of the channels.',
            IN_DRAM),
        key('channels', '', 16, (1, MAX_CHANNELS), ASSUMED,
            '128 bits a clock for each of 16 accelerators (4.1)', 'Number of channels.', IN_DRAM),
        key('banks', '', 4, (1, MAX_BANKS), EXTERNAL, PARTS, 'Number of banks in a channel.',
            IN_DRAM),
        key('row_bytes', 'bytes', 2048, (BURST, 1048576), EXTERNAL, PARTS,
            'Size of a row of a bank, a multiple of dram.interleave.', IN_DRAM),
        key('interleave', 'bytes', 128, (BURST, 1048576), ASSUMED, 'a block of 8x4 pixels',
            'Number of consecutive bytes on a channel, a multiple of 32.', IN_DRAM),
        key('bus_bytes', 'bytes', 16, (1, BURST), ASSUMED, 'a bus of 128 bits (1)',
            'Number of bytes that a channel transfers in a memory clock.', IN_DRAM),
        key('queue', 'requests', 16, (1, 4096), ASSUMED, 'appropriate queuing (4.1)',
            'Number of requests in the queue of a channel.', IN_DRAM),
        key('hit_limit', 'requests', 16, (0, 4096), ASSUMED, 'as the queue',
            'Number of younger row hits that may overtake the oldest request, or 0 for none.',
            IN_DRAM),
        key('t_cas', 'clocks', 3, (1, 255), EXTERNAL, PARTS,
            'Time from a column command to its first data.',
            IN_DRAM),
        key('t_rcd', 'clocks', 3, (1, 255), EXTERNAL, PARTS,
            'Time from activating a row to a column command.',
            IN_DRAM),
        key('t_rp', 'clocks', 3, (1, 255), EXTERNAL, PARTS,
            'Time from precharging a bank to activating a row.', IN_DRAM),
        key('t_ras', 'clocks', 6, (0, 255), EXTERNAL, PARTS,
            'Time from activating a row to precharging the bank.', IN_DRAM),
        key('t_wr', 'clocks', 2, (0, 255), EXTERNAL, PARTS,
            'Time from the last written data to precharging the bank.',
            IN_DRAM),
        key('t_turn', 'clocks', 1, (0, 255), EXTERNAL, PARTS,
            'Idle time of the bus between a read and a write.', IN_DRAM),
        key('ahead', 'blocks', 8, (1, 4096), ASSUMED, 'hides the latency of a row miss',
            'Number of blocks of 8x4 pixels that an accelerator prefetches.', IN_DRAM),
        key('write_queue', 'requests', 32, (8, 4096), ASSUMED, 'as the reads ahead',
            'Number of write requests that an accelerator queues.', IN_DRAM),
        key('latency', 'cycles', 4, (1, 4096), ASSUMED, 'the switch (3.3)',
            'Delay between an accelerator and a channel, in each direction.', IN_DRAM),
        key('depth_bytes', 'bytes', 4, (0, 4), PAPER, '4.1',
            'Size of the depth of a pixel, which is read and written: 0 or 4.', IN_DRAM),
        key('color_bytes', 'bytes', 4, (0, 4), PAPER, '4.1',
            'Size of the colour of a pixel, which is read and written: 0 or 4.', IN_DRAM),
        key('color_read_always', '', 1, bool, PAPER, '4.1 counts it for each pixel',
            'Colour is read even if the operation does not blend.', IN_DRAM),
        key('texture_bytes', 'bytes', 0, (0, 64), PAPER, '4.1: not counting textures',
            'Number of bytes of textures that are read for a pixel.', IN_DRAM),
    ], at='engine.dram'),
    Section('run', 'How the model runs, and what is recorded.', [
        key('seed', '', 1, (0, 2 ** 64 - 1), DERIVED, 'any number', 'Seed of random selection.'),
        key('interval', 'cycles', 100, (1, 2 ** 32 - 1), PAPER, 'Figure 14',
            'Length of an interval of the values over time.'),
        key('max_cycles', 'cycles', 0, (0, 2 ** 64 - 1), DERIVED, 'no limit in the paper',
            'Number of cycles after which a run fails, or 0 for no limit.'),
    ], at='run'),
]
SECTIONS += params_eu.SECTIONS
SECTIONS += params_front.SECTIONS
SECTIONS += params_memory.SECTIONS
SECTIONS += params_nv20.SECTIONS
SECTIONS += params_sm.SECTIONS
SECTIONS += params_texrop.SECTIONS
