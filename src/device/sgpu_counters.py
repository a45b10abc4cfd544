# SPDX-License-Identifier: MIT
#
# The device's counters: name, unit and meaning.  gen_counters.py generates enum sgpu_counter
# (SGPU_COUNTER_<NAME>) and the table of counter infos from them, which GALLIUM_HUD, driver
# queries and the tools read.  A counter whose name ends in _max is a maximum; others are sums.

from sgpu_paths import COUNTERS as PATH_COUNTERS

# Counters that each worker counts in a separate array.  The values are sums of these arrays.
WORKER_COUNTERS = [
    ('packets', 'packets', 'packets that were decoded'),
    ('draws', 'draws', 'draw packets'),
    ('batches', 'batches', 'batches: ranges of primitives that ran through the front end'),
    ('vertices', 'vertices', 'vertices that the input assembler fetched'),
    ('vertex_warps', 'warps', 'vertex warps that were run'),
    ('geometry_warps', 'warps', 'geometry warps that were run'),
    ('grids', 'grids', 'grid packets'),
    ('groups', 'groups', 'workgroups that were run'),
    ('invocations', 'invocations', 'compute invocations that were run'),
    ('compute_warps', 'warps', 'compute warps that were run'),
    ('primitives', 'primitives', 'primitives that were assembled'),
    ('primitives_culled', 'primitives', 'primitives that clipping or culling dropped'),
    ('primitives_clipped', 'primitives', 'primitives that a clip plane cut'),
    ('slices', 'slices', 'parts of primitives, one for each tile that a primitive touches'),
    ('tile_entries', 'entries', 'tile lists that were rasterized'),
    ('quads', 'quads', 'quads of 2x2 pixels with coverage'),
    ('pixels', 'pixels', 'pixels that primitives cover'),
    ('zs_tested', 'pixels', 'pixels whose depth or stencil was tested'),
    ('zs_passed', 'pixels', 'pixels that passed the depth and stencil tests'),
    ('pixel_warps', 'warps', 'pixel warps that were run'),
    ('pixel_lanes', 'lanes', 'lanes of pixel warps that had a pixel'),
    ('fragments_waited', 'fragments', 'fragments that passed their tests and whose '
     'shading was deferred (policy ooo+split+break)'),
    ('fragments_saved', 'fragments', 'deferred fragments that were never shaded, because '
     'later fragments cover them'),
    ('instructions', 'instructions', 'warp instructions that were issued'),
    ('native_warps', 'warps', 'warps whose programs were translated to machine code'),
    ('native_instructions', 'instructions', 'warp instructions that machine code '
     'of the translator executed itself or through the interpreter'),
    ('texture_ops', 'operations', 'texture instructions of warps'),
    ('tiles_cleared', 'tiles', 'tiles of surfaces that were cleared in their metadata only'),
    ('tiles_expanded', 'tiles', 'tiles whose elements were stored after a clear in the metadata'),
    ('zcull_slices', 'primitives', 'parts of primitives in a tile that zcull dropped'),
    ('zcull_blocks', 'blocks', 'blocks of 16x16 pixels of primitives that zcull dropped'),
    ('stencil_blocks', 'blocks', 'blocks of 16x16 pixels of triangles whose stencil was tested at once'),
    ('color_writes', 'pixels', 'pixels that were stored to colour surfaces'),
    ('transfers', 'entries', 'parts of clears, copies, blits and fills, one per tile'),
]

# Counters that are changed with the scheduler's lock held.  stall_raw to stall_inorder are in
# the order of enum sgpu_dependence.
DISPATCH_COUNTERS = [
    ('submissions', 'submissions', 'command streams that were executed'),
    ('operations', 'operations', 'operations that were issued: draws, grids, transfers, query '
     'results'),
    ('entries', 'entries', 'tile entries that were issued: parts of batches and transfers'),
    ('stall_order', 'entries', 'tile entries that waited for an earlier entry of their tile'),
    ('stall_tile', 'entries', 'first tile entries of a tile that waited for an operation'),
    ('stall_depend', 'operations', 'operations that waited for earlier ones, for these reasons'),
    ('stall_raw', 'operations', 'operations that waited to read what an earlier one writes'),
    ('stall_waw', 'operations', 'operations that waited to write what an earlier one writes'),
    ('stall_war', 'operations', 'operations that waited to write what an earlier one reads'),
    ('stall_xfb', 'operations', 'operations that waited because of transform feedback\'s memory'),
    ('stall_predicate', 'operations', 'operations that waited for a predicate'),
    ('stall_query', 'operations', 'timestamps and query results that waited for earlier work'),
    ('stall_inorder', 'operations', 'operations that waited because of policy inorder'),
    ('overtakes', 'operations', 'operations that ended before an earlier one'),
    ('window_operations', 'operations', 'operations in flight, summed whenever one is issued'),
    ('window_operations_max', 'operations', 'maximum number of operations in flight'),
    ('window_entries', 'entries', 'tile entries in queues, summed whenever one is issued'),
    ('window_entries_max', 'entries', 'maximum number of tile entries in queues'),
    ('busy_ns', 'ns', 'time in which workers were busy, summed over workers'),
    ('idle_ns', 'ns', 'time in which workers were idle, summed over workers'),
    ('busy_max', 'workers', 'maximum number of busy workers'),
    ('engine_ns', 'ns', 'time in which raster engines were occupied, summed over engines'),
    ('engines_max', 'engines', 'maximum number of occupied raster engines'),
] + PATH_COUNTERS

# Counters of the translator.
TRANSLATOR_COUNTERS = [
    ('programs_translated', 'programs', 'programs that were translated to machine code'),
    ('regions_translated', 'regions', 'parts of these programs without control flow'),
    ('translated_bytes', 'bytes', 'size of the machine code with its constants'),
    ('translate_ns', 'ns', 'time that translation took'),
]

COUNTERS = WORKER_COUNTERS + DISPATCH_COUNTERS + TRANSLATOR_COUNTERS
