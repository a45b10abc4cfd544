/* SPDX-License-Identifier: MIT */
/*
 * ROP: registers the statistics.
 */
#include "chip_rop/sgt_rop.h"

static void
add_path(const struct sgt_rop *rop, const struct sgt_rop_path *path, struct sgt_stats *s,
         const char *unit)
{
   sgt_rop_path_stats_register(&path->stats, rop->stats.cycles, s, unit);
   sgt_cache_register(&path->cache, s, unit);
}

void
sgt_rop_register(const struct sgt_rop *rop, struct sgt_stats *s, const char *unit,
                 const char *depth_unit, const char *color_unit)
{
   sgt_rop_stats_register(&rop->stats, s, unit);
   add_path(rop, &rop->paths[SGT_ROP_PATH_DEPTH], s, depth_unit);
   add_path(rop, &rop->paths[SGT_ROP_PATH_COLOR], s, color_unit);
}
