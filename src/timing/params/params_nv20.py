# SPDX-License-Identifier: MIT
"""Parameters of the vertex engine of 2001 (Lindholm, Kilgard, Moreton)."""

from params_base import (ASSUMED, DERIVED, IN_NV20, PAPER, Limit, Section, Struct, key, link,
                         other)

MAX_THREADS = Limit('SGT_NV20_MAX_THREADS', 64)
MAX_BUFFERS = Limit('SGT_NV20_MAX_BUFFERS', 64)
MAX_LATENCY = Limit('SGT_NV20_MAX_LATENCY', 64)
MAX_FIFO = Limit('SGT_NV20_MAX_FIFO', 4096)

STRUCTS = [
    Struct('nv20', 'sgt_nv20_params', 'The vertex engine of 2001.',
           limits=[MAX_THREADS, MAX_BUFFERS, MAX_LATENCY, MAX_FIFO], members=[
               other('uint64_t', 'shuffle',
                     'seed of a random order of units, or 0 for the normal order'),
               link('max_cycles', 'run.max_cycles',
                    'number of cycles after which the run fails, or 0 for no limit'),
           ]),
]


def row(*values, **names):
    return key(*values, IN_NV20, 'nv20', **names)


SECTIONS = [
    Section('nv20', 'The vertex engine of 2001: attribute buffer, input buffers, multi-threaded '
                    'core and output buffers.', [
        row('threads', '', 6, (1, MAX_THREADS), ASSUMED,
            'the paper gives no number (4.3); as many as the latency',
            'Number of vertices that the core processes at once.'),
        row('latency', 'cycles', 6, (1, MAX_LATENCY), ASSUMED,
            'the paper gives no number, the same for all instructions (3.7.2, 4.3)',
            'Time from the issue of an instruction to the next one of its thread.'),
        row('select', '', 'oldest',
            [('rotate', 'the next thread after the latest one that issued'),
             ('oldest', 'the thread with the oldest vertex')],
            ASSUMED, 'the paper does not say; rotation may lose a cycle for six vertices',
            'Which thread issues if several can.',
            enum='sgt_nv20_select SGT_NV20'),
        row('input_buffers', '', 8, (1, MAX_BUFFERS), ASSUMED,
            'a number of them (4.2); those of the threads and two that are filled meanwhile',
            'Number of input buffers, which are filled and read in turn.'),
        row('output_buffers', '', 8, (1, MAX_BUFFERS), ASSUMED,
            'the paper gives no number (4.3); as the input buffers',
            'Number of output buffers. A vertex occupies one from its start on.'),
        row('push_out', '', 1, bool, PAPER, '4.2',
            'A write first moves the attribute that it replaces to the input buffer, out of turn.'),
        row('dirty_bits', '', 1, bool, PAPER, '4.2',
            'Only attributes that changed since the input buffer was last filled are moved.',
            member='dirty'),
        row('flush', '', 1, bool, DERIVED,
            'one program and one bank of constants, loaded before the vertices (3.4)',
            'A vertex with a different program starts only when the core is empty.'),
        row('host_fifo', 'writes', 16, (1, MAX_FIFO), ASSUMED, 'hides the way from the host',
            'Number of writes of attributes in the FIFO between the host and the attribute '
            'buffer.'),
        row('host_clocks', 'cycles', 1, (1, 65536), ASSUMED, 'a vector of four a clock',
            'Time that the host takes to write an attribute.'),
        row('next_fifo', 'vertices', 4, (1, MAX_FIFO), ASSUMED, 'hides the way to the next stage',
            'Number of vertices in the FIFO between the output buffers and the next stage.'),
        row('next_clocks', 'cycles', 1, (1, 65536), ASSUMED,
            'primitive assembly is no part of the paper',
            'Time that the next stage takes for a vertex.'),
    ], at='nv20'),
]
