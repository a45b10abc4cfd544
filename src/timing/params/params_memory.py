# SPDX-License-Identifier: MIT
"""Parameters of a chip's memory: the network, the level 2 caches, GDDR3."""

from params_base import (ASSUMED, DERIVED, EXTERNAL, IN_CHIP, PAPER, Limit, Section, Struct, other,
                         powers)
from params_base import key as base_key

SIMULATOR = "GPGPU-Sim's Quadro FX 5600"
CAMPING = 'Ruetsch, Micikevicius, Optimizing Matrix Transpose in CUDA (2009)'
SHEET = 'data sheet of HYB18H512321AF (Qimonda, GDDR3)'

MAX_PORTS = Limit('SGT_SWITCH_MAX_PORTS', 256, 'inputs, and outputs')
MAX_MESSAGES = Limit('SGT_SWITCH_MAX_QUEUE', 64)
MAX_WAYS = Limit('SGT_CACHE_MAX_WAYS', 64)
MAX_BANKS = Limit('SGT_GDDR_MAX_BANKS', 16)
MAX_CLOCKS = Limit('SGT_GDDR_MAX_CLOCKS', 255)
MAX_QUEUE = Limit('SGT_GDDR_MAX_QUEUE', 64, 'positions are bits')

STRUCTS = [
    Struct('chip.memory', 'sgt_memory_params', 'The memory of a chip.'),
    Struct('chip.memory.xbar', 'sgt_xbar_params', 'The interconnection network.',
           limits=[MAX_PORTS, MAX_MESSAGES], members=[
               other('uint32_t', 'clients', 'clients of memory; the chip numbers them', 1,
                     (1, MAX_PORTS)),
           ]),
    Struct('chip.memory.partition', 'sgt_partition_params', 'A partition of the memory.',
           members=[
               other('uint32_t', 'uncached', 'number of clients, from the first on, whose reads '
                     'and writes do not go through the cache; their atomics do'),
           ]),
    Struct('chip.memory.partition.l2', 'sgt_cache_params', 'A cache; the defaults are those of '
           'the level 2 cache.', checked=True, limits=[MAX_WAYS]),
    Struct('chip.memory.partition.gddr', 'sgt_gddr_params', 'A channel of GDDR3.', checked=True,
           limits=[MAX_BANKS, MAX_QUEUE, MAX_CLOCKS]),
]


def key(*row, **names):
    return base_key(*row, IN_CHIP, 'g80', **names)


SECTIONS = [
    Section('xbar', 'The interconnection network between the clients of memory and its '
            'partitions: a switch each way.', [
        key('mhz', 'MHz', 600, (1, 100000), EXTERNAL, SIMULATOR, 'Clock of the network.'),
        key('partitions', '', 6, (1, 64), EXTERNAL, CAMPING, 'Partitions of the memory.'),
        key('interleave', 'bytes', 256, powers(64, 1048576), EXTERNAL, CAMPING,
            'Bytes of a partition before the next one; a power of 2.'),
        key('request_bytes', 'bytes/clock', 32, (1, 1024), ASSUMED, 'as xbar.response_bytes',
            'Bytes that a port moves toward the partitions.'),
        key('response_bytes', 'bytes/clock', 32, (1, 1024), ASSUMED,
            'a power of 2 that passes the rate of a channel of DRAM',
            'Bytes that a port moves toward the clients.'),
        key('header_bytes', 'bytes', 0, (0, 1024), ASSUMED, 'control has wires of its own',
            'Bytes of a message beside its data; a message takes a clock at least.'),
        key('operand_bytes', 'bytes', 4, (0, 64), DERIVED, 'atomics of 32 bits',
            'Bytes of a lane of an atomic, either way.'),
        key('queue', 'messages', 8, (1, MAX_MESSAGES), ASSUMED, 'more than there are partitions',
            'Messages that an input port keeps.'),
        key('latency', 'clocks', 12, (1, 1000), ASSUMED, 'wires across the chip',
            'From the end of a transfer to the receiver.'),
    ], at='chip.memory.xbar'),
    Section('l2', 'A partition of the memory: level 2 cache and atomics.', [
        key('mhz', 'MHz', 600, (1, 100000), EXTERNAL, SIMULATOR, 'Clock of the partitions.'),
        key('line_bytes', 'bytes', 256, powers(64, 1024), EXTERNAL, SIMULATOR,
            'Bytes of a line, fetched by sectors of 32; a power of 2.', member='l2.line_bytes'),
        key('sets', '', 16, powers(1, 1048576), EXTERNAL, SIMULATOR, 'Sets; a power of 2.',
            member='l2.sets'),
        key('ways', '', 8, (1, MAX_WAYS), EXTERNAL, SIMULATOR, 'Lines of a set.', member='l2.ways'),
        key('replace', '', 'lru', [('lru', 'the line whose last use is the longest ago'),
                                   ('plru', 'a tree of bits; l2.ways is a power of 2')],
            ASSUMED, 'the simplest', 'Which line loses its place.',
            member='l2.replace', enum='sgt_cache_replace SGT_CACHE'),
        key('writes', '', 'through', [('through', 'writes go on to the DRAM'),
                                      ('back', 'they stay until the line loses its place')],
            ASSUMED, 'a cache of textures', 'What writes of clients do.',
            member='l2.writes', enum='sgt_cache_writes SGT_CACHE'),
        key('hash', '', 0, bool, ASSUMED, 'the plain index',
            "The set is the exclusive or of all digits of the line's number.", member='l2.hash'),
        key('mshrs', 'lines', 32, (1, 4096), ASSUMED, 'hides the latency of the DRAM',
            'Lines with fetches under way.', member='l2.mshrs'),
        key('waiters', 'accesses', 8, (1, 4096), ASSUMED, 'a line by the requests of its bytes',
            'Accesses that wait for a line.', member='l2.waiters'),
        key('loads', '', 0, bool, EXTERNAL, SIMULATOR + ': textures alone',
            'Loads and stores of programs go through the cache; atomics always do.',
            member='loads_cached'),
        key('rop', '', 0, bool, ASSUMED, 'ROPs have caches of their own',
            'Requests of the ROP go through the cache.', member='rop_cached'),
        key('accesses', 'accesses', 128, (1, 65536), ASSUMED, 'hides the latency of the DRAM',
            'Reads and atomics at a partition without their response.'),
        key('tag_clocks', 'clocks', 8, (1, 1000), ASSUMED, 'stages of a large cache',
            'From a request to its request of the DRAM.'),
        key('data_clocks', 'clocks', 8, (1, 1000), ASSUMED, 'stages of a large cache',
            "From a hit's tags, or from data of the DRAM, to the response."),
        key('atomics', 'atomics', 16, (1, 65536), ASSUMED, 'hides the latency of the DRAM',
            'Atomics at a partition.'),
        key('atomic_clocks', 'clocks', 1, (1, 1000), ASSUMED, 'one adder, a lane a clock',
            'Clocks of a lane of an atomic.'),
        key('queue', 'requests', 8, (1, 1024), ASSUMED, 'as xbar.queue',
            'Requests at a partition that wait, of each source.'),
    ], at='chip.memory.partition'),
    Section('gddr', 'The channel of GDDR3 of a partition.', [
        key('mhz', 'MHz', 1080, (1, 100000), EXTERNAL, 'GeForce 8800 Ultra',
            'Clock of the memory; data go at both edges.'),
        key('bus_bits', 'bits', 64, powers(8, 512), PAPER, 'Raster operations processor',
            'Bits of the data bus; a power of 2.'),
        key('burst', 'beats', 4, powers(2, 64), EXTERNAL, SIMULATOR,
            'Beats of a column command, two a clock; moves 32 or 64 bytes.'),
        key('banks', '', 8, powers(1, MAX_BANKS), EXTERNAL, SIMULATOR, 'Banks; a power of 2.'),
        key('row_bytes', 'bytes', 4096, powers(64, 1048576), EXTERNAL,
            '2 kB of a chip (ATTILA), two chips', 'Bytes of a row of a bank; a power of 2.'),
        key('hash', '', 0, bool, ASSUMED, 'the plain address',
            "The bank is the exclusive or of its bits and the row's."),
        key('close', '', 0, bool, ASSUMED, 'as FR-FCFS of GPGPU-Sim; ATTILA closes',
            'A row is closed when no request in the queue is for it.'),
        key('queue', 'bursts', 32, (2, MAX_QUEUE), DERIVED,
            '16 requests (' + SIMULATOR + ') of two bursts', 'Bursts that the controller keeps.'),
        key('hit_limit', 'bursts', 16, (0, 65536), ASSUMED, 'half the queue',
            'Bursts that overtake the oldest one of their direction; 0: in order.'),
        key('write_high', 'bursts', 16, (1, MAX_QUEUE), ASSUMED, 'half the queue',
            'Waiting writes that turn the bus to writes.'),
        key('write_low', 'bursts', 4, (0, MAX_QUEUE - 1), ASSUMED, 'a quarter of gddr.write_high',
            'Waiting writes that turn it back, if reads wait.'),
        key('run_limit', 'bursts', 64, (1, 65536), ASSUMED, 'twice the queue',
            'Bursts in one direction while the other waits.'),
        key('pipe', 'clocks', 16, (1, 1000), ASSUMED, 'clock crossing and pads',
            'Between the partition and the controller, either way.'),
        key('t_rcd', 'clocks', 12, (1, 255), EXTERNAL, SIMULATOR, 'Activate to column command.'),
        key('t_rp', 'clocks', 10, (1, 255), EXTERNAL, SIMULATOR, 'Precharge to activate.'),
        key('t_ras', 'clocks', 25, (1, 255), EXTERNAL, SIMULATOR, 'Activate to precharge.'),
        key('t_rc', 'clocks', 35, (1, 255), EXTERNAL, SIMULATOR,
            'Activate to activate of the same bank.'),
        key('t_rrd', 'clocks', 8, (1, 255), EXTERNAL, SIMULATOR,
            'Activate to activate of another bank.'),
        key('t_ccd', 'clocks', 2, (1, MAX_CLOCKS), EXTERNAL, SIMULATOR,
            'Column command to column command; not less than a burst.'),
        key('t_cl', 'clocks', 10, (1, 255), EXTERNAL, SIMULATOR, 'Read to its first data.'),
        key('t_wl', 'clocks', 7, (1, 255), EXTERNAL, SIMULATOR, 'Write to its first data.'),
        key('t_rtp', 'clocks', 2, (1, 255), DERIVED, 'a burst', 'Read to precharge.'),
        key('t_rtw', 'clocks', 2, (0, 255), EXTERNAL, SHEET + ': tRTW',
            'End of read data to begin of written data.'),
        key('t_wr', 'clocks', 11, (0, 255), EXTERNAL, SIMULATOR,
            'End of written data to precharge.'),
        key('t_cdlr', 'clocks', 6, (0, 255), EXTERNAL, SIMULATOR,
            'End of written data to a read.'),
        key('t_refi', 'clocks', 4212, (0, 16777216), EXTERNAL, SHEET + ': 3.9 us',
            'Between refreshes of all banks; 0: none.'),
        key('t_rfc', 'clocks', 57, (1, 1000), EXTERNAL, SHEET + ': 52 ns',
            'Refresh to activate.'),
    ], at='chip.memory.partition.gddr'),
]
