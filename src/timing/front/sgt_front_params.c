/* SPDX-License-Identifier: MIT */
/*
 * Parameters of a chip's front: defaults and ranges.
 */
#include "sgt_front_params.h"

#include <inttypes.h>
#include <stdio.h>

#include "util/macros.h"

void
sgt_ia_params_init(struct sgt_ia_params *p)
{
   *p = (struct sgt_ia_params){
      .operations = 16,
      .command = 8,
      .flush = 64,
      .primitives = 1,
      .attributes = 8,
      .fetch_lines = 1,
      .fetch_open = 64,
      .ahead = 16,
   };
}

void
sgt_dist_params_init(struct sgt_dist_params *p)
{
   *p = (struct sgt_dist_params){
      .tpcs = 8,
      .tpc_sms = 2,
      .turn = SGT_DIST_FREE,
      .vertex_rate = 1,
      .grid_rate = 1,
      .pixel_rate = 4,
      .reorder = 64,
      .tile = 64,
      .tile_skew = 3,
      .pixel_queue = 16,
      .pixel_order = 64,
      .balance = SGT_DIST_DYNAMIC,
      .prefer = SGT_DIST_PIXEL,
      .vertex_limit = 12,
      .pixel_limit = 20,
      .inputs_shared = true,
      .sm_warps = 24,
      .sm_threads = 768,
      .sm_registers = 16384,
      .sm_groups = 8,
      .sm_shared = 16384,
   };
}

struct range {
   const char *name;
   uint32_t value, low, high;
};

static bool
check(const char *section, const struct range *ranges, unsigned num, char *error, size_t error_size)
{
   for (unsigned i = 0; i < num; i++) {
      if (ranges[i].value >= ranges[i].low && ranges[i].value <= ranges[i].high)
         continue;
      snprintf(error, error_size, "%s.%s: %" PRIu32 " is not from %" PRIu32 " to %" PRIu32, section,
               ranges[i].name, ranges[i].value, ranges[i].low, ranges[i].high);
      return false;
   }
   return true;
}

bool
sgt_ia_params_check(const struct sgt_ia_params *p, char *error, size_t error_size)
{
   const struct range ranges[] = {
      { "operations", p->operations, 1, 4096 }, { "command", p->command, 1, 65536 },
      { "flush", p->flush, 0, 65536 },          { "primitives", p->primitives, 1, 64 },
      { "attributes", p->attributes, 1, 1024 }, { "fetch_lines", p->fetch_lines, 1, 16 },
      { "fetch_open", p->fetch_open, 1, 4096 }, { "ahead", p->ahead, 1, 4096 },
   };
   return check("front", ranges, ARRAY_SIZE(ranges), error, error_size);
}

bool
sgt_dist_params_check(const struct sgt_dist_params *p, char *error, size_t error_size)
{
   const struct range ranges[] = {
      { "tpcs", p->tpcs, 1, SGT_MAX_TPCS },
      { "tpc_sms", p->tpc_sms, 1, SGT_MAX_TPC_SMS },
      { "vertex_rate", p->vertex_rate, 1, 64 },
      { "grid_rate", p->grid_rate, 1, 64 },
      { "pixel_rate", p->pixel_rate, 1, 64 },
      { "reorder", p->reorder, 1, 65536 },
      { "tile", p->tile, 64, 4096 }, /* 64: that of the device's warps, or their order is lost */
      { "tile_skew", p->tile_skew, 0, 64 },
      { "pixel_queue", p->pixel_queue, 1, 4096 },
      { "pixel_order", p->pixel_order, 1, 4096 },
      { "vertex_limit", p->vertex_limit, 1, SGT_MAX_SM_WARPS },
      { "pixel_limit", p->pixel_limit, 1, SGT_MAX_SM_WARPS },
      { "warps", p->sm_warps, 1, SGT_MAX_SM_WARPS },
      { "threads", p->sm_threads, 32, 32 * SGT_MAX_SM_WARPS },
      { "registers", p->sm_registers, 32, 1 << 20 },
      { "groups", p->sm_groups, 1, SGT_MAX_SM_GROUPS },
      { "shared", p->sm_shared, 0, 1 << 20 },
   };
   if (!check("distribution", ranges, ARRAY_SIZE(ranges), error, error_size))
      return false;
   if (p->tile & (p->tile - 1)) {
      snprintf(error, error_size, "distribution.tile: %" PRIu32 " is not a power of 2", p->tile);
      return false;
   }
   return true;
}
