/* SPDX-License-Identifier: MIT */
/*
 * Parameters of a chip's front from those of the configuration.
 */
#include "sgt_chip_front.h"
#include "sgt_config.h"

#include "util/macros.h"

static_assert((int)SGT_CHOICE_DISTRIBUTION_TURN_FREE == SGT_DIST_FREE &&
                 (int)SGT_CHOICE_DISTRIBUTION_BALANCE_DYNAMIC == SGT_DIST_DYNAMIC &&
                 (int)SGT_CHOICE_DISTRIBUTION_PREFER_VERTEX == SGT_DIST_VERTEX,
              "choices are in the order of the model's enums");

bool
sgt_config_front(const struct sgt_config *c, struct sgt_chip_front_params *p, char *error,
                 size_t error_size)
{
   sgt_chip_front_params_init(p);
   p->ia = (struct sgt_ia_params){
      .operations = c->v.front.operations,
      .command = c->v.front.command,
      .flush = c->v.front.flush,
      .primitives = c->v.front.primitives,
      .attributes = c->v.front.attributes,
      .fetch_lines = c->v.front.fetch_lines,
      .fetch_open = c->v.front.fetch_open,
      .ahead = c->v.front.ahead,
   };
   p->raster = (struct sgt_raster_params){
      .setup = c->v.raster.setup,
      .setup_latency = c->v.raster.setup_latency,
      .setup_queue = c->v.raster.setup_queue,
      .coarse = c->v.raster.coarse,
      .zcull = c->v.raster.zcull,
      .zcull_latency = c->v.raster.zcull_latency,
      .zcull_queue = c->v.raster.zcull_queue,
      .fine = c->v.raster.fine,
      .fine_latency = c->v.raster.fine_latency,
      .fine_queue = c->v.raster.fine_queue,
      .block_queue = c->v.raster.block_queue,
      .early_queue = c->v.raster.early_queue,
      .early_rate = c->v.raster.early_rate,
      .release_queue = c->v.raster.release_queue,
   };
   struct sgt_dist_params *d = &p->dist;
   d->tpcs = c->v.chip.tpcs;
   d->tpc_sms = c->v.chip.tpc_sms;
   d->turn = c->v.distribution.turn;
   d->vertex_rate = c->v.distribution.vertex_rate;
   d->grid_rate = c->v.distribution.grid_rate;
   d->pixel_rate = c->v.distribution.pixel_rate;
   d->reorder = c->v.distribution.reorder;
   d->tile = c->v.distribution.tile;
   d->tile_skew = c->v.distribution.tile_skew;
   d->pixel_queue = c->v.distribution.pixel_queue;
   d->pixel_order = c->v.distribution.pixel_order;
   d->balance = c->v.distribution.balance;
   d->prefer = c->v.distribution.prefer;
   d->vertex_limit = c->v.distribution.vertex_limit;
   d->pixel_limit = c->v.distribution.pixel_limit;
   d->inputs_shared = c->v.distribution.inputs_shared;
   d->sm_registers = c->v.distribution.registers;
   d->sm_shared = c->v.distribution.shared;
   return sgt_chip_front_params_check(p, error, error_size);
}
