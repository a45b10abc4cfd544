# SPDX-License-Identifier: MIT
"""Parameters of a chip's memory: the network, the level 2 caches and the GDDR3 channels."""

from params_base import (ASSUMED, DERIVED, EXTERNAL, IN_CHIP, PAPER, Limit, Section, Struct, other,
                         powers)
from params_base import key as base_key

SIMULATOR = "GPGPU-Sim's Quadro FX 5600"
CAMPING = 'Ruetsch, Micikevicius, Optimizing Matrix Transpose in CUDA (2009)'
SHEET = 'data sheet of HYB18H512321AF (Qimonda, GDDR3)'

MAX_PORTS = Limit('SGT_SWITCH_MAX_PORTS', 256, 'maximum number of inputs, and of outputs')
MAX_MESSAGES = Limit('SGT_SWITCH_MAX_QUEUE', 64)
MAX_WAYS = Limit('SGT_CACHE_MAX_WAYS', 64)
MAX_BANKS = Limit('SGT_GDDR_MAX_BANKS', 16)
MAX_CLOCKS = Limit('SGT_GDDR_MAX_CLOCKS', 255)
MAX_QUEUE = Limit('SGT_GDDR_MAX_QUEUE', 64, 'positions are bits of a 64-bit mask')

STRUCTS = [
    Struct('chip.memory', 'sgt_memory_params', 'Memory of a chip.'),
    Struct('chip.memory.xbar', 'sgt_xbar_params', 'The interconnection network.',
           limits=[MAX_PORTS, MAX_MESSAGES], members=[
               other('uint32_t', 'clients', 'number of clients of memory, which the chip numbers',
                     1,
                     (1, MAX_PORTS)),
           ]),
    Struct('chip.memory.partition', 'sgt_partition_params', 'A partition of the memory.',
           members=[
               other('uint32_t', 'uncached',
                     'number of clients, from the first one on, whose reads and writes bypass the '
                     'cache; their atomics do not'),
           ]),
    Struct('chip.memory.partition.l2', 'sgt_cache_params',
           'A cache. The defaults are those of the level 2 cache.', checked=True,
           limits=[MAX_WAYS]),
    Struct('chip.memory.partition.gddr', 'sgt_gddr_params', 'A channel of GDDR3.', checked=True,
           limits=[MAX_BANKS, MAX_QUEUE, MAX_CLOCKS]),
]


def key(*row, **names):
    return base_key(*row, IN_CHIP, 'g80', **names)


SECTIONS = [
    Section('xbar', 'The interconnection network between the clients of memory and its partitions, '
                    'with a switch in each direction.', [
        key('mhz', 'MHz', 600, (1, 100000), EXTERNAL, SIMULATOR, 'Frequency of the network.'),
        key('partitions', '', 6, (1, 64), EXTERNAL, CAMPING, 'Number of memory partitions.'),
        key('interleave', 'bytes', 256, powers(64, 1048576), EXTERNAL, CAMPING,
            'Number of consecutive bytes in a partition, a power of 2.'),
        key('request_bytes', 'bytes/clock', 32, (1, 1024), ASSUMED, 'as xbar.response_bytes',
            'Number of bytes that a port transfers towards the partitions.'),
        key('response_bytes', 'bytes/clock', 32, (1, 1024), ASSUMED,
            'a power of 2 that passes the rate of a channel of DRAM',
            'Number of bytes that a port transfers towards the clients.'),
        key('header_bytes', 'bytes', 0, (0, 1024), ASSUMED, 'control has wires of its own',
            'Number of bytes of a message in addition to its data. A message takes at least one '
            'clock.'),
        key('operand_bytes', 'bytes', 4, (0, 64), DERIVED, 'atomics of 32 bits',
            'Number of bytes for a lane of an atomic, in each direction.'),
        key('queue', 'messages', 8, (1, MAX_MESSAGES), ASSUMED, 'more than there are partitions',
            'Number of messages in the queue of an input port.'),
        key('latency', 'clocks', 12, (1, 1000), ASSUMED, 'wires across the chip',
            'Time from the end of a transfer to the arrival at the receiver.'),
    ], at='chip.memory.xbar'),
    Section('l2', 'A memory partition: level 2 cache and atomics.', [
        key('mhz', 'MHz', 600, (1, 100000), EXTERNAL, SIMULATOR, 'Frequency of the partitions.'),
        key('line_bytes', 'bytes', 256, powers(64, 1024), EXTERNAL, SIMULATOR,
            'Size of a line, a power of 2. Sectors of 32 bytes are fetched.',
            member='l2.line_bytes'),
        key('sets', '', 16, powers(1, 1048576), EXTERNAL, SIMULATOR,
            'Number of sets, a power of 2.',
            member='l2.sets'),
        key('ways', '', 8, (1, MAX_WAYS), EXTERNAL, SIMULATOR, 'Number of lines in a set.',
            member='l2.ways'),
        key('replace', '', 'lru', [('lru', 'the least recently used line'),
                                   ('plru', 'approximately the least recently used line, by a tree '
                                            'of bits; l2.ways must be a power of 2')],
            ASSUMED, 'the simplest', 'Which line is replaced.',
            member='l2.replace', enum='sgt_cache_replace SGT_CACHE'),
        key('writes', '', 'through', [('through', 'writes are also sent to the DRAM'),
                                      ('back', 'written data stay in the cache until the line is '
                                               'replaced')],
            ASSUMED, 'a cache of textures', 'How writes of clients are handled.',
            member='l2.writes', enum='sgt_cache_writes SGT_CACHE'),
        key('hash', '', 0, bool, ASSUMED, 'the plain index',
            "The set is the exclusive or of all digits of the line's number. Otherwise, it is the "
            'lowest digit.', member='l2.hash'),
        key('mshrs', 'lines', 32, (1, 4096), ASSUMED, 'hides the latency of the DRAM',
            'Maximum number of lines that are being fetched.', member='l2.mshrs'),
        key('waiters', 'accesses', 8, (1, 4096), ASSUMED, 'a line by the requests of its bytes',
            'Maximum number of accesses that wait for a line.', member='l2.waiters'),
        key('loads', '', 0, bool, EXTERNAL, SIMULATOR + ': textures alone',
            'Loads and stores of programs use the cache. Atomics always do.',
            member='loads_cached'),
        key('rop', '', 0, bool, ASSUMED, 'ROPs have caches of their own',
            'Requests of the ROP use the cache.', member='rop_cached'),
        key('accesses', 'accesses', 128, (1, 65536), ASSUMED, 'hides the latency of the DRAM',
            'Maximum number of reads and atomics at a partition that are not answered.'),
        key('tag_clocks', 'clocks', 8, (1, 1000), ASSUMED, 'stages of a large cache',
            'Time from a request to the request to the DRAM that it causes.'),
        key('data_clocks', 'clocks', 8, (1, 1000), ASSUMED, 'stages of a large cache',
            'Time from a hit in the tags, or from data of the DRAM, to the response.'),
        key('atomics', 'atomics', 16, (1, 65536), ASSUMED, 'hides the latency of the DRAM',
            'Maximum number of atomics at a partition.'),
        key('atomic_clocks', 'clocks', 1, (1, 1000), ASSUMED, 'one adder, a lane a clock',
            'Time for a lane of an atomic.'),
        key('queue', 'requests', 8, (1, 1024), ASSUMED, 'as xbar.queue',
            'Number of waiting requests at a partition, for each source.'),
    ], at='chip.memory.partition'),
    Section('gddr', 'The channel of GDDR3 memory of a partition.', [
        key('mhz', 'MHz', 1080, (1, 100000), EXTERNAL, 'GeForce 8800 Ultra',
            'Frequency of the memory. Data are transferred at both edges.'),
        key('bus_bits', 'bits', 64, powers(8, 512), PAPER, 'Raster operations processor',
            'Width of the data bus, a power of 2.'),
        key('burst', 'beats', 4, powers(2, 64), EXTERNAL, SIMULATOR,
            'Number of beats of a column command, two in a clock. A command transfers 32 or 64 '
            'bytes.'),
        key('banks', '', 8, powers(1, MAX_BANKS), EXTERNAL, SIMULATOR,
            'Number of banks, a power of 2.'),
        key('row_bytes', 'bytes', 4096, powers(64, 1048576), EXTERNAL,
            '2 kB of a chip (ATTILA), two chips', 'Size of a row of a bank, a power of 2.'),
        key('hash', '', 0, bool, ASSUMED, 'the plain address',
            'The bank is the exclusive or of its address bits and those of the row. Otherwise, it '
            'is the address bits.'),
        key('close', '', 0, bool, ASSUMED, 'as FR-FCFS of GPGPU-Sim; ATTILA closes',
            'A row is closed when no request in the queue needs it.'),
        key('queue', 'bursts', 32, (2, MAX_QUEUE), DERIVED,
            '16 requests (' + SIMULATOR + ') of two bursts',
            'Number of bursts in the queue of the controller.'),
        key('hit_limit', 'bursts', 16, (0, 65536), ASSUMED, 'half the queue',
            'Number of bursts that may overtake the oldest one of their direction, or 0 for none.'),
        key('write_high', 'bursts', 16, (1, MAX_QUEUE), ASSUMED, 'half the queue',
            'Number of waiting writes at which the bus turns to writes.'),
        key('write_low', 'bursts', 4, (0, MAX_QUEUE - 1), ASSUMED, 'a quarter of gddr.write_high',
            'Number of waiting writes at which the bus turns back to reads, if reads wait.'),
        key('run_limit', 'bursts', 64, (1, 65536), ASSUMED, 'twice the queue',
            'Maximum number of bursts in one direction while the other direction waits.'),
        key('pipe', 'clocks', 16, (1, 1000), ASSUMED, 'clock crossing and pads',
            'Delay between the partition and the controller, in each direction.'),
        key('t_rcd', 'clocks', 12, (1, 255), EXTERNAL, SIMULATOR,
            'Time from activating a row to a column command.'),
        key('t_rp', 'clocks', 10, (1, 255), EXTERNAL, SIMULATOR,
            'Time from precharging a bank to activating a row.'),
        key('t_ras', 'clocks', 25, (1, 255), EXTERNAL, SIMULATOR,
            'Time from activating a row to precharging the bank.'),
        key('t_rc', 'clocks', 35, (1, 255), EXTERNAL, SIMULATOR,
            'Time from activating a row to activating another row of the same bank.'),
        key('t_rrd', 'clocks', 8, (1, 255), EXTERNAL, SIMULATOR,
            'Time from activating a row to activating a row of another bank.'),
        key('t_ccd', 'clocks', 2, (1, MAX_CLOCKS), EXTERNAL, SIMULATOR,
            'Time from a column command to the next one, not less than a burst.'),
        key('t_cl', 'clocks', 10, (1, 255), EXTERNAL, SIMULATOR,
            'Time from a read to its first data.'),
        key('t_wl', 'clocks', 7, (1, 255), EXTERNAL, SIMULATOR,
            'Time from a write to its first data.'),
        key('t_rtp', 'clocks', 2, (1, 255), DERIVED, 'a burst',
            'Time from a read to precharging the bank.'),
        key('t_rtw', 'clocks', 2, (0, 255), EXTERNAL, SHEET + ': tRTW',
            'Time from the end of read data to the start of written data.'),
        key('t_wr', 'clocks', 11, (0, 255), EXTERNAL, SIMULATOR,
            'Time from the end of written data to precharging the bank.'),
        key('t_cdlr', 'clocks', 6, (0, 255), EXTERNAL, SIMULATOR,
            'Time from the end of written data to a read.'),
        key('t_refi', 'clocks', 4212, (0, 16777216), EXTERNAL, SHEET + ': 3.9 us',
            'Time between refreshes of all banks, or 0 for no refreshes.'),
        key('t_rfc', 'clocks', 57, (1, 1000), EXTERNAL, SHEET + ': 52 ns',
            'Time from a refresh to activating a row.'),
    ], at='chip.memory.partition.gddr'),
]
