# SPDX-License-Identifier: MIT
"""Parameters of the execution unit of US 8,564,604.

The only numbers in the patent are sixteen threads, two arbiters, queues of four instructions and
two contexts. Each parameter of type bool disables a claim of the patent.
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
    Struct('chip.eu.constants', 'sgt_eu_const_params', 'The constant cache of an execution unit.',
           limits=[MAX_CONTEXTS, MAX_VERSIONS]),
]


def eu(*row, **names):
    return key(*row, IN_CHIP, 'via', **names)


SECTIONS = [Section('eu', 'The execution unit of US 8,564,604, a shader core.', [
    eu('threads', 'threads', 16, (2, MAX_THREADS), PAPER, 'thread controller',
       'Number of threads, which is even. Half of them are in each group.'),
    eu('width', 'lanes', 32, powers(4, 32), ASSUMED, 'a warp as the device makes it; ' + SILENT,
       'Number of lanes of a thread: 4, 8, 16 or 32. A warp has 32 / width threads.'),
    eu('two_arbiters', '', 1, bool, PAPER, 'thread controller',
       'Each group of threads has a fetch arbiter. Otherwise, there is only one.'),
    eu('broadcast', '', 1, bool, PAPER, 'instruction broadcast bus',
       'A fetched instruction is delivered to all threads that need it.'),
    eu('fetch_select', '', 'oldest',
       [('oldest', 'the thread that started first'),
        ('longest', 'the thread whose latest fetch was the longest time ago')],
       PAPER, 'thread-level arbitration has both', 'Which thread an arbiter fetches for.',
       enum='sgt_eu_fetch_select SGT_EU_FETCH'),
    eu('queue', 'instructions', 4, (1, MAX_QUEUE), PAPER, 'instruction queues',
       'Number of instructions in the queue of a thread, including those that are being fetched.'),
    eu('code_sets', 'sets', 16, powers(1, 65536), ASSUMED, '4 KB; ' + SILENT,
       'Number of sets of the instruction cache, a power of 2.'),
    eu('code_ways', 'lines', 4, (1, 64), ASSUMED, '4 KB; ' + SILENT,
       'Number of lines in a set. A line has 64 bytes, which are four instructions.'),
    eu('fetch_latency', 'cycles', 3, (1, 65536), ASSUMED,
       'below the queue, which the text sizes by this latency',
       'Time from the request of an instruction that hits to the broadcast.'),
    eu('predecode', '', 1, bool, PAPER, 'instruction pre-decoder',
       'Each thread has a pre-decoder. Otherwise, an instruction first takes an ALU and then '
       'requests its operands, one kind after the other.'),
    eu('fuse', '', 1, bool, PAPER, 'combined instructions',
       'An operation and the move, output or sample of its result are executed as one '
       'instruction.'),
    eu('const_sets', 'sets', 16, powers(1, 65536), ASSUMED, '8 KB, as the constant cache of Tesla',
       'Number of sets of the constant cache, a power of 2.', member='constants.sets'),
    eu('const_ways', 'lines', 8, (1, 64), ASSUMED, '8 KB, as the constant cache of Tesla',
       'Number of lines in a set. A line has 64 bytes, which are four constants.',
       member='constants.ways'),
    eu('const_latency', 'cycles', 2, (1, 65536), ASSUMED, 'header table, then storage',
       'Time from the request of a constant that hits to its delivery by the FIFO.'),
    eu('const_fifo', 'requests', 8, (1, MAX_FIFO), ASSUMED, 'half of the threads; ' + SILENT,
       'Number of requests in the FIFO of the constant cache.'),
    eu('const_in_order', '', 0, bool, PAPER, 'a miss may not stall the remaining threads',
       'The FIFO delivers in the order of requests, so a miss blocks all later requests.'),
    eu('const_blocking', '', 0, bool, PAPER, 'a miss may not stall the remaining threads',
       'A constant miss stalls all threads.'),
    eu('const_scope', '', 'version',
       [('operation', 'each operation has separate constants'),
        ('program', 'operations of a program share them'),
        ('version', 'each program has a context, with the versions that the device has seen')],
       PAPER, 'constant cache: contexts, and altered constants',
       'Which operations share constants.',
       enum='sgt_const_scope SGT_CONST'),
    eu('contexts', 'contexts', 2, (1, MAX_CONTEXTS), PAPER, 'constant cache: at least two',
       'Number of contexts of a shader type in the header table.', member='constants.contexts'),
    eu('versions', 'versions', 2, (1, MAX_VERSIONS), PAPER,
       'constant cache: the altered and the previous one',
       'Number of versions of a context. With 1, a change waits for all threads and invalidates '
       'the context.',
       member='constants.versions'),
    eu('mapping', 'lines', 16, (0, 256), ASSUMED, SILENT,
       'Maximum number of lines (64 bytes) of a context that have several versions in the mapping '
       'table.',
       member='constants.mapping'),
    eu('attr_latency', 'cycles', 2, (1, 65536), ASSUMED, 'as constants',
       'Time from the request of an attribute to its delivery by the FIFO.'),
    eu('attr_fifo', 'requests', 8, (1, MAX_FIFO), ASSUMED, 'as constants',
       'Number of requests in the FIFO of the attribute cache.'),
    eu('attr_entries', 'inputs', 256, (0, 65536), ASSUMED, '16 inputs of each thread',
       'Number of inputs of running threads in the attribute cache, or 0 for no limit.'),
    eu('two_files', '', 1, bool, PAPER, 'common register files',
       'Each group of threads has a register file. Otherwise, there is only one.'),
    eu('banks', 'banks', 4, powers(1, 16), ASSUMED, 'the text has banks, but not how many',
       'Number of banks of a register file, a power of 2. A bank reads a register of a thread in a '
       'cycle.'),
    eu('reg_latency', 'cycles', 1, (1, 65536), ASSUMED, SILENT,
       'Time from a request to the operands, without bank conflicts.'),
    eu('alus', 'units', 2, (1, MAX_ALUS), PAPER, 'data path', 'Number of ALUs.'),
    eu('alu_interval', 'cycles', 1, (1, 65536), ASSUMED,
       'the text counts operations of one cycle; ' + SILENT,
       'Time that an ALU is busy with an instruction of a thread.'),
    eu('alu_latency', 'cycles', 4, (1, 65536), ASSUMED, 'LATENCY of sgpu_opcodes.py',
       'Time from issue to the result.'),
    eu('sfu_interval', 'cycles', 4, (1, 65536), ASSUMED,
       'a quarter of the rate of other instructions',
       'Time that an ALU is busy with a special function of a thread.'),
    eu('sfu_latency', 'cycles', 8, (1, 65536), ASSUMED, 'LATENCY of sgpu_opcodes.py',
       'Time from issue to the result of a special function.'),
    eu('interp_interval', 'cycles', 1, (1, 65536), ASSUMED, 'as an ALU',
       'Time that the interpolator is busy with an input of a thread.'),
    eu('interp_latency', 'cycles', 4, (1, 65536), ASSUMED, 'as an ALU',
       'Time from the attribute to the interpolated input.'),
    eu('jump_latency', 'cycles', 2, (1, 65536), ASSUMED, SILENT,
       'Time from the issue of a jump to the next decode of its thread.'),
    eu('output', 'entries', 8, (1, MAX_OUTPUT), ASSUMED, 'as the FIFOs',
       'Number of entries of the output buffer.'),
    eu('accesses', 'accesses', 32, (1, MAX_ACCESSES), ASSUMED, 'two for each thread',
       'Maximum number of accesses to textures and memory under way.'),
], at='chip.eu')]
