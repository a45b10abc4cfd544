/* SPDX-License-Identifier: MIT */
/*
 * All scenes.
 */
#include "scene.h"

const struct scene_info *const scene_lists[] = {
   scenes_geometry,     scenes_lines,   scenes_depth,     scenes_blend,
   scenes_programs,     scenes_samples, scenes_transfers, scenes_textures,
   scenes_order,        scenes_stages,  scenes_compute,   scenes_fetch,
   scenes_tessellation, scenes_wide,    scenes_states,    NULL,
};
