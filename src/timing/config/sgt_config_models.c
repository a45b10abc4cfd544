/* SPDX-License-Identifier: MIT */
/*
 * Derives the parameters of the models from a configuration. Some parameters of a unit are set in
 * the section of another unit.
 */
#include "config/sgt_config.h"
#include "chip/sgt_core.h"
#include "util/macros.h"

void
sgt_config_init(struct sgt_config *c)
{
   sgt_run_params_init(&c->run);
   sgt_engine_params_init(&c->engine);
   sgt_nv20_params_init(&c->nv20);
   sgt_chip_params_init(&c->chip);
}

bool
sgt_config_engine(const struct sgt_config *c, struct sgt_engine_params *p, char *error,
                  size_t error_size)
{
   *p = c->engine;
   p->seed = c->run.seed;
   p->interval = c->run.interval;
   p->max_cycles = c->run.max_cycles;
   return sgt_engine_params_check(p, error, error_size);
}

bool
sgt_config_nv20(const struct sgt_config *c, struct sgt_nv20_params *p, char *error,
                size_t error_size)
{
   *p = c->nv20;
   p->max_cycles = c->run.max_cycles;
   return sgt_nv20_params_check(p, error, error_size);
}

bool
sgt_config_chip(const struct sgt_config *c, struct sgt_chip_params *p, char *error,
                size_t error_size)
{
   *p = c->chip;
   p->max_cycles = c->run.max_cycles;
   p->output.warps = p->front.dist.pixel_order;
   p->transfer.fast_clear = p->rop.fast_clear;
   p->rop.partitions = p->memory.xbar.partitions;
   /* Validate the parameters of both kinds of cores first, since sgt_core_room() depends on them.
    */
   if (!sgt_chip_front_params_check(&p->front, error, error_size) ||
       !sgt_sm_params_check(&p->sm, error, error_size) ||
       !sgt_eu_params_check(&p->eu, error, error_size))
      return false;
   const struct sgt_core_params core = { .kind = p->core, .sm = p->sm, .eu = p->eu };
   const struct sgt_core_room room = sgt_core_room(&core);
   p->front.dist.sm_warps = room.warps;
   p->front.dist.sm_threads = room.threads;
   p->front.dist.sm_groups = MIN2(room.groups, SGT_MAX_SM_GROUPS);
   return sgt_chip_params_check(p, error, error_size);
}

bool
sgt_config_check(const struct sgt_config *c, char *error, size_t error_size)
{
   struct sgt_engine_params engine;
   struct sgt_nv20_params nv20;
   struct sgt_chip_params chip;

   switch (c->chip.model) {
   case SGT_CHIP_MODEL_NV20:
      return sgt_config_nv20(c, &nv20, error, error_size);
   case SGT_CHIP_MODEL_G80:
      return sgt_config_chip(c, &chip, error, error_size);
   default:
      return sgt_config_engine(c, &engine, error, error_size);
   }
}
