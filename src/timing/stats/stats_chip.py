# SPDX-License-Identifier: MIT
"""Statistics of a unified chip: pixel outputs, ROP switches and the transfer unit."""

from stats_base import Stats, count, parts

TABLES = [
    Stats('sgt_output_counters', 'chip/sgt_output.h', 'Pixel outputs of a cluster.', [
        parts('states', 'cycles', 'State of the pixel output.',
              ['busy', 'rop', 'tests', 'writes', 'empty'], 'cycles', values='states',
              num='SGT_OUTPUT_STATES'),
        count('warps', 'warps', 'Pixel warps.'),
        count('late-warps', 'warps', 'Pixel warps with late tests.'),
        count('depth-requests', 'requests', 'Requests to ROPs for late tests.'),
        count('color-requests', 'requests', 'Requests to ROPs for colours.'),
        count('depth-samples', 'samples', 'Samples of late tests.', member='depth_pixels'),
        count('color-samples', 'samples', 'Samples of colours.', member='color_pixels'),
        count('latency', 'cycles',
              'Cycles of pixel warps in the pixel output until they were written, summed.'),
        count('max-warps', 'warps', 'Maximum number of pixel warps at once.'),
    ], args=['const uint64_t *states', 'uint64_t cycles']),
    Stats('sgt_rop_switch_counters', 'chip/sgt_rop_switch.h', 'The switch of a ROP.', [
        parts('states', 'cycles', 'State of the switch.', ['busy', 'full', 'empty'], 'cycles',
              values='states', num='SGT_ROP_SWITCH_STATES'),
        count('requests', 'requests', 'Requests to the ROP.'),
        count('responses', 'responses', 'Responses of the ROP.'),
        count('conflicts', 'requests',
              'Requests that waited while another one was sent, summed over cycles.'),
    ], args=['const uint64_t *states', 'uint64_t cycles']),
    Stats('sgt_transfer_counters', 'chip/sgt_transfer.h', 'The transfer unit.', [
        parts('states', 'cycles', 'State of the transfer unit.',
              ['busy', 'rop', 'reads', 'ends', 'empty'], 'cycles', values='states',
              num='SGT_TRANSFER_STATES'),
        count('transfers', 'operations', 'Clears, copies, fills and accesses by the CPU.'),
        count('flushes', 'barriers', 'Write-backs of the caches of the ROPs.'),
        count('items', 'items', 'Parts of transfers.'),
        count('fast-clears', 'requests', 'Fast clears of a surface, layer or sample.',
              member='clears'),
        count('reads', 'lines', 'Lines of 64 bytes that were read.'),
        count('writes', 'lines', 'Lines of 64 bytes that were written.'),
        count('cycles', 'cycles', 'Cycles of transfers and write-backs, summed over them.'),
    ], args=['const uint64_t *states', 'uint64_t cycles'], unit='"transfer"'),
]
