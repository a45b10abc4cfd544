/* SPDX-License-Identifier: MIT */
/*
 * Parameters of a whole chip from those of the configuration.
 */
#include "sgt_config_chip.h"

#include "sgt_config_memory.h"
#include "util/macros.h"

static_assert((int)SGT_CHOICE_CHIP_CORE_SM == SGT_CORE_SM &&
                 (int)SGT_CHOICE_CHIP_CORE_EU == SGT_CORE_EU,
              "choices are in the order of the enum");

bool
sgt_config_chip(const struct sgt_config *c, struct sgt_chip_params *p, char *error,
                size_t error_size)
{
   sgt_chip_params_init(p);
   if (!sgt_config_front(c, &p->front, error, error_size) ||
       !sgt_config_sm(c, &p->sm, error, error_size) ||
       !sgt_config_eu(c, &p->eu, error, error_size) ||
       !sgt_config_texture(c, &p->tex, error, error_size) ||
       !sgt_config_memory(c, &p->memory, error, error_size) ||
       !sgt_config_rop(c, p->memory.xbar.partitions, &p->rop, error, error_size))
      return false;
   p->core_mhz = c->v.chip.core_mhz;
   p->sp_mhz = c->v.chip.sp_mhz;
   p->tex_cycles = c->v.chip.tex_cycles;
   p->rop_cycles = c->v.chip.rop_cycles;
   p->output = (struct sgt_output_params){
      .warps = c->v.distribution.pixel_order,
      .rate = c->v.chip.output_rate,
   };
   p->transfer = (struct sgt_transfer_params){
      .rate = c->v.chip.transfer_rate,
      .reads = c->v.chip.transfer_reads,
      .writes = c->v.chip.transfer_writes,
      .fast_clear = c->v.rop.fast_clear,
   };
   p->core = c->v.chip.core;
   const struct sgt_core_params core = sgt_chip_core_params(p);
   const struct sgt_core_room room = sgt_core_room(&core);
   p->front.dist.sm_warps = room.warps;
   p->front.dist.sm_threads = room.threads;
   p->front.dist.sm_groups = MIN2(room.groups, SGT_MAX_SM_GROUPS);
   p->max_cycles = c->v.run.max_cycles;
   return sgt_chip_params_check(p, error, error_size);
}
