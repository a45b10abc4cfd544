/* SPDX-License-Identifier: MIT */
/*
 * Parameters of the engine from those of the configuration.
 */
#include <inttypes.h>
#include <stdio.h>

#include "sgt_config.h"
#include "sgt_config_chip.h"
#include "sgt_engine.h"
#include "sgt_nv20.h"
#include "sgt_sm_params.h"
#include "util/macros.h"

static_assert((int)SGT_CHOICE_FETCH_SPLIT_GRID == SGT_SPLIT_GRID &&
                 (int)SGT_CHOICE_FETCH_BOX_COVERAGE == SGT_SLICE_BOX_COVERAGE &&
                 (int)SGT_CHOICE_ISSUE_SELECT_CRITICAL == SGT_SELECT_CRITICAL &&
                 (int)SGT_CHOICE_BREAKING_RULE_EXACT == SGT_BREAK_EXACT &&
                 (int)SGT_CHOICE_MEMORY_MODEL_DRAM == SGT_MEMORY_DRAM,
              "choices are in the order of the engine's enums");

static void
put_dram(const struct sgt_config *c, struct sgt_dram_params *d)
{
   *d = (struct sgt_dram_params){
      .core_mhz = c->v.dram.core_mhz,
      .memory_mhz = c->v.dram.memory_mhz,
      .channels = c->v.dram.channels,
      .banks = c->v.dram.banks,
      .row_bytes = c->v.dram.row_bytes,
      .interleave = c->v.dram.interleave,
      .bus_bytes = c->v.dram.bus_bytes,
      .queue = c->v.dram.queue,
      .hit_limit = c->v.dram.hit_limit,
      .t_cas = c->v.dram.t_cas,
      .t_rcd = c->v.dram.t_rcd,
      .t_rp = c->v.dram.t_rp,
      .t_ras = c->v.dram.t_ras,
      .t_wr = c->v.dram.t_wr,
      .t_turn = c->v.dram.t_turn,
      .ahead = c->v.dram.ahead,
      .write_queue = c->v.dram.write_queue,
      .latency = c->v.dram.latency,
      .depth_bytes = c->v.dram.depth_bytes,
      .color_bytes = c->v.dram.color_bytes,
      .color_read_always = c->v.dram.color_read_always,
      .texture_bytes = c->v.dram.texture_bytes,
   };
}

bool
sgt_config_engine(const struct sgt_config *c, struct sgt_engine_params *p, char *error,
                  size_t error_size)
{
   const uint64_t candidates = c->v.issue.candidates ? c->v.issue.candidates
                                                     : c->v.issue.window * c->v.issue.accelerators;

   if (candidates > SGT_MAX_CANDIDATES) {
      snprintf(error, error_size,
               "issue.window x issue.accelerators = %" PRIu64 " candidate buffers: expected %u or "
               "less",
               candidates, SGT_MAX_CANDIDATES);
      return false;
   }
   sgt_engine_params_init(p);
   p->entry_rate = c->v.fetch.rate;
   p->split = c->v.fetch.split;
   p->slice_width = c->v.fetch.slice_width;
   p->slice_height = c->v.fetch.slice_height;
   p->slice_aligned = c->v.fetch.aligned;
   p->split_transfers = c->v.fetch.transfers;
   p->slice_box = c->v.fetch.box;
   p->drop_empty = c->v.fetch.drop_empty;

   p->in_order = c->v.issue.order == SGT_CHOICE_ISSUE_ORDER_IN_ORDER;
   p->issue_rate = c->v.issue.rate;
   p->select = c->v.issue.select;
   p->accelerators = c->v.issue.accelerators;
   p->candidates = candidates;
   p->destinations = c->v.issue.destinations;
   p->sources = c->v.issue.sources;
   p->breaking = c->v.breaking.rule;

   p->setup = c->v.accelerator.setup;
   p->span = c->v.accelerator.span;
   p->depth = c->v.accelerator.depth;
   p->pixel_rate = c->v.accelerator.pixels;
   p->clear_rate = c->v.accelerator.clear;
   p->copy_rate = c->v.accelerator.copy;
   p->transfer_setup = c->v.accelerator.transfer_setup;

   p->memory = c->v.memory.model;
   put_dram(c, &p->dram);

   p->seed = c->v.run.seed;
   p->interval = c->v.run.interval;
   p->max_cycles = c->v.run.max_cycles;
   return sgt_engine_params_check(p, error, error_size);
}

bool
sgt_config_check(const struct sgt_config *c, char *error, size_t error_size)
{
   struct sgt_engine_params engine;
   struct sgt_nv20_params nv20;
   struct sgt_chip_params chip;

   if (c->v.chip.model == SGT_CHOICE_CHIP_MODEL_NV20)
      return sgt_config_nv20(c, &nv20, error, error_size);
   if (c->v.chip.model == SGT_CHOICE_CHIP_MODEL_G80)
      return sgt_config_chip(c, &chip, error, error_size);
   return sgt_config_engine(c, &engine, error, error_size);
}
