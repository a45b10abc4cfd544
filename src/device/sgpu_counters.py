# SPDX-License-Identifier: MIT
#
# The device's counters: name, unit, meaning.  Generates enum sgpu_counter
# (SGPU_COUNTER_<NAME>), the info table, and the list in docs.  Workers count
# in their own arrays, which are summed.

COUNTERS = [
    ('submissions', 'submissions', 'command streams executed'),
    ('packets', 'packets', 'packets decoded'),
    ('draws', 'draws', 'draw packets'),
    ('batches', 'batches', 'runs of primitives through the front end'),
    ('vertices', 'vertices', 'vertices fetched by the input assembler'),
    ('vertex_warps', 'warps', 'vertex warps run'),
    ('geometry_warps', 'warps', 'geometry warps run'),
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
    ('texture_ops', 'operations', 'warp texture instructions'),
    ('tiles_cleared', 'tiles', 'tiles of surfaces cleared by their metadata alone'),
    ('tiles_expanded', 'tiles', 'tiles whose elements were stored after such a clear'),
    ('zcull_slices', 'primitives', 'primitives times tiles that the depth ranges rejected'),
    ('zcull_blocks', 'blocks', 'blocks of 16x16 pixels of primitives that they rejected'),
    ('color_writes', 'pixels', 'pixels stored to colour surfaces'),
    ('transfers', 'operations', 'clears, copies, blits, fills'),
    ('stall_order', 'entries', 'tile entries that waited for an earlier entry of their tile'),
    ('stall_depend', 'nodes', 'operations that waited for a surface'),
    ('busy_ns', 'ns', 'time in which workers worked, summed'),
    ('idle_ns', 'ns', 'time in which workers slept or spun, summed'),
    ('busy_max', 'workers', 'most workers busy at once'),
    ('overtakes', 'nodes', 'operations that ended before an earlier one'),
]
