# SPDX-License-Identifier: MIT
#
# The device's counters: name, unit and meaning.  gen_counters.py generates enum sgpu_counter
# (SGPU_COUNTER_<NAME>) and the table of counter infos from them, which GALLIUM_HUD, driver
# queries and the tools read.  A counter whose name ends in _max is a maximum; others are sums.

from sgpu_paths import COUNTERS as PATH_COUNTERS

# Counters that each worker counts in a separate array.  The values are sums of these arrays.
WORKER_COUNTERS = [
    ('packets', 'packets', 'packets decoded'),
    ('draws', 'draws', 'draw packets'),
    ('batches', 'batches', 'runs of primitives through the front end'),
    ('vertices', 'vertices', 'vertices fetched by the input assembler'),
    ('vertex_warps', 'warps', 'vertex warps run'),
    ('geometry_warps', 'warps', 'geometry warps run'),
    ('grids', 'grids', 'grid packets'),
    ('groups', 'groups', 'groups of compute invocations run'),
    ('invocations', 'invocations', 'compute invocations run'),
    ('compute_warps', 'warps', 'compute warps run'),
    ('primitives', 'primitives', 'primitives assembled'),
    ('primitives_culled', 'primitives', 'primitives dropped by clipping or culling'),
    ('primitives_clipped', 'primitives', 'primitives cut by a clip plane'),
    ('slices', 'slices', 'primitives times tiles they touch'),
    ('tile_entries', 'entries', 'tile lists rasterized'),
    ('quads', 'quads', '2x2 quads with coverage'),
    ('pixels', 'pixels', 'pixels covered'),
    ('zs_tested', 'pixels', 'pixels tested for depth and stencil'),
    ('zs_passed', 'pixels', 'pixels that passed'),
    ('pixel_warps', 'warps', 'pixel warps run'),
    ('pixel_lanes', 'lanes', 'lanes of pixel warps with a pixel'),
    ('fragments_waited', 'fragments', 'fragments that passed their tests and waited for '
     'their shading (policy ooo+split+break)'),
    ('fragments_saved', 'fragments', 'of these, fragments never shaded, since later ones cover '
     'them'),
    ('instructions', 'instructions', 'warp instructions issued'),
    ('native_warps', 'warps', 'warps run by translated programs'),
    ('native_instructions', 'instructions', 'of these instructions, those that machine code '
     'of the translator executed, or called the interpreter for'),
    ('texture_ops', 'operations', 'warp texture instructions'),
    ('tiles_cleared', 'tiles', 'tiles of surfaces cleared by their metadata alone'),
    ('tiles_expanded', 'tiles', 'tiles whose elements were stored after such a clear'),
    ('zcull_slices', 'primitives', 'primitives times tiles that the depth ranges rejected'),
    ('zcull_blocks', 'blocks', 'blocks of 16x16 pixels of primitives that they rejected'),
    ('color_writes', 'pixels', 'pixels stored to colour surfaces'),
    ('transfers', 'entries', 'parts in a tile of clears, copies, blits, fills'),
]

# Counters that are changed with the scheduler's lock held.  stall_raw to stall_inorder are in
# the order of enum sgpu_dependence.
DISPATCH_COUNTERS = [
    ('submissions', 'submissions', 'command streams executed'),
    ('operations', 'operations', 'operations issued: draws, transfers, queries'),
    ('entries', 'entries', 'tile entries issued: parts of batches and transfers in a tile'),
    ('stall_order', 'entries', 'tile entries that waited for an earlier entry of their tile'),
    ('stall_tile', 'entries', 'tile entries, first in their tile, that waited for an operation'),
    ('stall_depend', 'operations', 'operations that waited for others, by any of the following'),
    ('stall_raw', 'operations', 'operations that read what an earlier one wrote'),
    ('stall_waw', 'operations', 'operations that wrote what an earlier one wrote'),
    ('stall_war', 'operations', 'operations that wrote what an earlier one read'),
    ('stall_xfb', 'operations', 'operations that waited for transform feedback or before it'),
    ('stall_predicate', 'operations', 'operations that waited for a predicate'),
    ('stall_query', 'operations', 'timestamps and query results that waited for earlier work'),
    ('stall_inorder', 'operations', 'operations that policy inorder held back'),
    ('overtakes', 'operations', 'operations that ended before an earlier one'),
    ('window_operations', 'operations', 'operations under way, summed as each is issued'),
    ('window_operations_max', 'operations', 'most operations under way at once'),
    ('window_entries', 'entries', 'tile entries in queues, summed as each is issued'),
    ('window_entries_max', 'entries', 'most tile entries in queues at once'),
    ('busy_ns', 'ns', 'time in which workers worked, summed'),
    ('idle_ns', 'ns', 'time in which nothing ran in the place of a worker, summed'),
    ('busy_max', 'workers', 'most workers busy at once'),
    ('engine_ns', 'ns', 'time in which raster engines were occupied, summed'),
    ('engines_max', 'engines', 'most raster engines occupied at once'),
] + PATH_COUNTERS

# Counters of the translator.
TRANSLATOR_COUNTERS = [
    ('programs_translated', 'programs', 'programs translated to machine code'),
    ('regions_translated', 'regions', 'pieces of these without control flow'),
    ('translated_bytes', 'bytes', 'machine code of these, with its constants'),
    ('translate_ns', 'ns', 'time of the translator'),
]

COUNTERS = WORKER_COUNTERS + DISPATCH_COUNTERS + TRANSLATOR_COUNTERS
