# SPDX-License-Identifier: MIT
"""Parameters of the execution unit of US 8,564,604.

The patent has no figures but the sixteen threads, two arbiters, queues of four and two contexts;
its switches are the claims that the experiment turns off.
"""

from params_base import ASSUMED, IN_CHIP, PAPER, Limit, Section, Struct, key, powers

SILENT = 'the text has no figure'

MAX_THREADS = Limit('SGT_EU_MAX_THREADS', 64)
MAX_QUEUE = Limit('SGT_EU_MAX_QUEUE', 16)
MAX_FIFO = Limit('SGT_EU_MAX_FIFO', 64)
MAX_OUTPUT = Limit('SGT_EU_MAX_OUTPUT', 64)
MAX_ACCESSES = Limit('SGT_EU_MAX_ACCESSES', 256)
MAX_ALUS = Limit('SGT_EU_MAX_ALUS', 4)
MAX_CONTEXTS = Limit('SGT_EU_MAX_CONTEXTS', 16)
MAX_VERSIONS = Limit('SGT_EU_MAX_VERSIONS', 16)

STRUCTS = [
    Struct('chip.eu', 'sgt_eu_params', 'An execution unit.', checked=True,
           limits=[MAX_THREADS, MAX_QUEUE, MAX_FIFO, MAX_OUTPUT, MAX_ACCESSES, MAX_ALUS]),
    Struct('chip.eu.constants', 'sgt_eu_const_params', 'Its constant cache.',
           limits=[MAX_CONTEXTS, MAX_VERSIONS]),
]


def eu(*row, **names):
    return key(*row, IN_CHIP, 'via', **names)


SECTIONS = [Section('eu', 'The execution unit of US 8,564,604, a shader core.', [
    eu('threads', 'threads', 16, (2, MAX_THREADS), PAPER, 'thread controller',
       'Threads; an even number, half of them in each group.'),
    eu('width', 'lanes', 32, powers(4, 32), ASSUMED, 'a warp as the device makes it; ' + SILENT,
       'Lanes of a thread: 4, 8, 16 or 32. A warp is 32 / width threads.'),
    eu('two_arbiters', '', 1, bool, PAPER, 'thread controller',
       'A fetch arbiter for each group of threads, instead of one.'),
    eu('broadcast', '', 1, bool, PAPER, 'instruction broadcast bus',
       'A fetched instruction goes to all threads that want it.'),
    eu('fetch_select', '', 'oldest',
       [('oldest', 'the thread that began first'),
        ('longest', 'the thread whose latest fetch is longest ago')],
       PAPER, 'thread-level arbitration has both', 'Thread that an arbiter fetches for.',
       enum='sgt_eu_fetch_select SGT_EU_FETCH'),
    eu('queue', 'instructions', 4, (1, MAX_QUEUE), PAPER, 'instruction queues',
       'Instructions that the queue of a thread holds, those on their way included.'),
    eu('code_sets', 'sets', 16, powers(1, 65536), ASSUMED, '4 KB; ' + SILENT,
       'Sets of the instruction cache; a power of 2.'),
    eu('code_ways', 'lines', 4, (1, 64), ASSUMED, '4 KB; ' + SILENT,
       'Lines of 64 bytes, four instructions, of a set.'),
    eu('fetch_latency', 'cycles', 3, (1, 65536), ASSUMED,
       'below the queue, which the text sizes by this latency',
       'From the request of an instruction that hits to the broadcast.'),
    eu('predecode', '', 1, bool, PAPER, 'instruction pre-decoder',
       'Each thread has a pre-decoder. Without, an instruction takes an ALU first and then requests '
       'its operands, kind by kind.'),
    eu('fuse', '', 1, bool, PAPER, 'combined instructions',
       'An operation and the move, output or sample of its result are one instruction.'),
    eu('const_sets', 'sets', 16, powers(1, 65536), ASSUMED, '8 KB, as field.md has for Tesla',
       'Sets of the constant cache; a power of 2.', member='constants.sets'),
    eu('const_ways', 'lines', 8, (1, 64), ASSUMED, '8 KB, as field.md has for Tesla',
       'Lines of 64 bytes, four constants, of a set.', member='constants.ways'),
    eu('const_latency', 'cycles', 2, (1, 65536), ASSUMED, 'header table, then storage',
       'From the request of a constant that hits to the end of the FIFO.'),
    eu('const_fifo', 'requests', 8, (1, MAX_FIFO), ASSUMED, 'half of the threads; ' + SILENT,
       'Requests that the FIFO of the constant cache holds.'),
    eu('const_in_order', '', 0, bool, PAPER, 'a miss may not stall the remaining threads',
       'The FIFO delivers in the order of requests: behind a miss nothing is delivered.'),
    eu('const_blocking', '', 0, bool, PAPER, 'a miss may not stall the remaining threads',
       'A constant miss stops all threads.'),
    eu('const_scope', '', 'version',
       [('operation', 'constants of each operation are its own'),
        ('program', 'operations of a program share them'),
        ('version', 'a program has a context, whose versions are those that the device saw')],
       PAPER, 'constant cache: contexts, and altered constants', 'Operations that share constants.',
       enum='sgt_const_scope SGT_CONST'),
    eu('contexts', 'contexts', 2, (1, MAX_CONTEXTS), PAPER, 'constant cache: at least two',
       'Contexts of a shader type in the header table.', member='constants.contexts'),
    eu('versions', 'versions', 2, (1, MAX_VERSIONS), PAPER,
       'constant cache: the altered and the one before',
       'Versions of a context; with 1 a change waits for the threads and empties it.',
       member='constants.versions'),
    eu('mapping', 'lines', 16, (0, 256), ASSUMED, SILENT,
       'Lines of 64 bytes of a context that the mapping table has in more than one version.',
       member='constants.mapping'),
    eu('attr_latency', 'cycles', 2, (1, 65536), ASSUMED, 'as constants',
       'From the request of an attribute to the end of its FIFO.'),
    eu('attr_fifo', 'requests', 8, (1, MAX_FIFO), ASSUMED, 'as constants',
       'Requests that the FIFO of the attribute cache holds.'),
    eu('attr_entries', 'inputs', 256, (0, 65536), ASSUMED, '16 inputs of each thread',
       'Inputs of running threads that the attribute cache holds; 0: no limit.'),
    eu('two_files', '', 1, bool, PAPER, 'common register files',
       'A register file for each group of threads, instead of one.'),
    eu('banks', 'banks', 4, powers(1, 16), ASSUMED, 'the text has banks, but not how many',
       'Banks of a register file; a power of 2. A bank reads a register of a thread a cycle.'),
    eu('reg_latency', 'cycles', 1, (1, 65536), ASSUMED, SILENT,
       'From a request to the operands, without bank conflicts.'),
    eu('alus', 'units', 2, (1, MAX_ALUS), PAPER, 'data path', 'ALUs.'),
    eu('alu_interval', 'cycles', 1, (1, 65536), ASSUMED,
       'the text counts operations of one cycle; ' + SILENT,
       'Cycles of an ALU for an instruction of a thread.'),
    eu('alu_latency', 'cycles', 4, (1, 65536), ASSUMED, 'LATENCY of sgpu_opcodes.py',
       'From issue to the result.'),
    eu('sfu_interval', 'cycles', 4, (1, 65536), ASSUMED, 'a quarter of the rate, as field.md has',
       'Cycles of an ALU for a special function of a thread.'),
    eu('sfu_latency', 'cycles', 8, (1, 65536), ASSUMED, 'LATENCY of sgpu_opcodes.py',
       'From issue to the result of a special function.'),
    eu('interp_interval', 'cycles', 1, (1, 65536), ASSUMED, 'as an ALU',
       'Cycles of the interpolator for an input of a thread.'),
    eu('interp_latency', 'cycles', 4, (1, 65536), ASSUMED, 'as an ALU',
       'From the attribute to the interpolated input.'),
    eu('jump_latency', 'cycles', 2, (1, 65536), ASSUMED, SILENT,
       'From the issue of a jump to the next decode of its thread.'),
    eu('output', 'entries', 8, (1, MAX_OUTPUT), ASSUMED, 'as the FIFOs',
       'Entries of the output buffer.'),
    eu('accesses', 'accesses', 32, (1, MAX_ACCESSES), ASSUMED, 'two for each thread',
       'Accesses to textures and memory under way.'),
], at='chip.eu')]
