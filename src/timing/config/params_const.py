# SPDX-License-Identifier: MIT
"""Parameters of the constant cache with contexts and versions (US 8,564,604), for params.py."""

from params_base import ASSUMED, DERIVED, EXTERNAL, IN_CHIP, PAPER, Section, key


def row(name, unit, default, values, source, place, text):
    return key(name, unit, default, values, source, place, text, when=IN_CHIP, paper='via')


SECTIONS = [
    Section('constants', 'The constant cache of an execution unit: a header table of contexts, a '
            'mapping table of changed lines, a FIFO that delivers.', [
        row('contexts', 'entries', 6, (1, 16), DERIVED,
            'constant cache: at least two contexts, of pixel, vertex and geometry shaders',
            'Contexts of constants that the header table has.'),
        row('versions', 'versions', 2, (1, 16), PAPER,
            'constant cache: the previous version or the altered one',
            'Versions of a context that threads have at a time; 1: a change waits until they have '
            'ended.'),
        row('lines', 'lines', 128, (1, 4096), EXTERNAL,
            'GPGPU-Sim, configuration of a Quadro FX 5600: 8 KB',
            'Lines of 64 bytes that the header table divides.'),
        row('mapping', 'entries', 16, (0, 64), ASSUMED, 'the patent gives no size',
            'Entries of the mapping table, each with a line of its own; 0: as with one version.'),
        row('fifo', 'constants', 8, (1, 64), ASSUMED,
            'constant cache: varying sizes; half of the 16 threads',
            'Constants in the FIFO: found and not read by the data path.'),
        row('misses', 'lines', 8, (1, 64), ASSUMED, 'as the FIFO',
            'Lines that are on their way from memory.'),
        row('latency', 'cycles', 2, (1, 255), ASSUMED, 'a look-up of the tables and one of the storage',
            'Cycles from a request that hits until the constant is ready.'),
    ]),
]
