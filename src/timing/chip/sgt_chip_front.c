/* SPDX-License-Identifier: MIT */
/*
 * Creates the units of a chip's front end, and connects them.
 */
#include "chip/sgt_chip_front.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/sgt_stats.h"
#include "util/macros.h"

/* Capacity of the channels that only need room for the messages of one cycle, while the messages of
 * the previous cycle are still in transit.
 */
#define SHORT 4

static bool
front_make(struct sgt_chip_front *f, struct sgt_channel *c, struct sgt_unit *from,
           struct sgt_unit *to, uint32_t bytes, uint32_t capacity, uint32_t cycles)
{
   const uint64_t delay = cycles * f->ia.unit.clock->period;
   return sgt_channel_init(c, f->sched, from, to, bytes, capacity, delay);
}

bool
sgt_chip_front_init(struct sgt_chip_front *f, struct sgt_sched *sched,
                    const struct sgt_clock *clock, const struct sgt_chip_front_params *params,
                    const struct sgt_trace *trace, const struct sgt_work *work, char *error,
                    size_t error_size)
{
   const struct sgt_raster_params *r = &params->raster;
   *f = (struct sgt_chip_front){ .params = *params, .sched = sched };
   if (!sgt_plan_init(&f->plan, trace, work, error, error_size))
      return false;
   if (!sgt_dist_init(&f->dist, sched, clock, &params->dist, params->ia.operations, &f->plan, error,
                      error_size)) {
      sgt_chip_front_finish(f);
      return false;
   }
   f->launch = calloc(f->dist.num_sms, sizeof(*f->launch));
   f->done = calloc(f->dist.num_sms, sizeof(*f->done));
   f->outputs = calloc(params->dist.tpcs, sizeof(*f->outputs));
   f->written = calloc(params->dist.tpcs, sizeof(*f->written));
   bool ok = f->launch && f->done && f->outputs && f->written &&
             sgt_ia_init(&f->ia, sched, clock, &params->ia, &f->plan) &&
             sgt_setup_init(&f->setup, sched, clock, r, &f->plan) &&
             sgt_coarse_init(&f->coarse, sched, clock, r, &f->plan) &&
             sgt_zcull_init(&f->zcull, sched, clock, r, &f->plan) &&
             sgt_fine_init(&f->fine, sched, clock, r, &f->plan) &&
             front_make(f, &f->orders, &f->ia.unit, &f->dist.unit, sizeof(struct sgt_dist_order),
                        SHORT, 1) &&
             front_make(f, &f->ended, &f->dist.unit, &f->ia.unit, sizeof(struct sgt_front_ended),
                        params->ia.operations + 1, 1) &&
             front_make(f, &f->setup_work, &f->dist.unit, &f->setup.unit,
                        sizeof(struct sgt_setup_work), SHORT, 1) &&
             front_make(f, &f->items, &f->setup.unit, &f->coarse.unit,
                        sizeof(struct sgt_raster_item),
                        r->setup_queue + r->setup * r->setup_latency, r->setup_latency) &&
             front_make(f, &f->tiles, &f->coarse.unit, &f->zcull.unit,
                        sizeof(struct sgt_raster_tile),
                        r->zcull_queue + r->coarse * r->zcull_latency, r->zcull_latency) &&
             front_make(f, &f->left, &f->zcull.unit, &f->fine.unit, sizeof(struct sgt_raster_tile),
                        r->fine_queue + r->zcull * r->fine_latency, r->fine_latency);
   if (!ok) {
      snprintf(error, error_size, "out of memory");
      sgt_chip_front_finish(f);
      return false;
   }
   f->ia.orders = f->dist.orders = &f->orders;
   f->ia.ended[0] = f->dist.ended = &f->ended;
   f->dist.setup = f->setup.work = &f->setup_work;
   f->setup.items = f->coarse.items = &f->items;
   f->coarse.tiles = f->zcull.tiles = &f->tiles;
   f->zcull.left = f->fine.tiles = &f->left;
   return true;
}

void
sgt_chip_front_finish(struct sgt_chip_front *f)
{
   struct sgt_channel *channels[] = { &f->orders,         &f->ended,      &f->transfers,
                                      &f->transfer_ended, &f->setup_work, &f->items,
                                      &f->tiles,          &f->left,       &f->blocks,
                                      &f->releases,       &f->late };
   for (unsigned i = 0; i < ARRAY_SIZE(channels); i++)
      sgt_channel_finish(channels[i]);
   for (uint32_t i = 0; f->launch && f->done && i < f->dist.num_sms; i++) {
      sgt_channel_finish(&f->launch[i]);
      sgt_channel_finish(&f->done[i]);
   }
   for (uint32_t i = 0; f->outputs && f->written && i < f->dist.params.tpcs; i++) {
      sgt_channel_finish(&f->outputs[i]);
      sgt_channel_finish(&f->written[i]);
   }
   free(f->launch);
   free(f->done);
   free(f->outputs);
   free(f->written);
   sgt_dist_finish(&f->dist);
   sgt_ia_finish(&f->ia);
   sgt_plan_finish(&f->plan);
   f->launch = f->done = f->outputs = f->written = NULL;
}

bool
sgt_chip_front_connect_sm(struct sgt_chip_front *f, uint32_t sm, struct sgt_unit *unit)
{
   f->dist.launch[sm] = &f->launch[sm];
   f->dist.done[sm] = &f->done[sm];
   return front_make(f, &f->launch[sm], &f->dist.unit, unit, sizeof(struct sgt_sm_launch), SHORT,
                     1) &&
          front_make(f, &f->done[sm], unit, &f->dist.unit, sizeof(struct sgt_sm_done),
                     f->dist.params.sm_warps + 1, 1);
}

bool
sgt_chip_front_connect_output(struct sgt_chip_front *f, uint32_t tpc, struct sgt_unit *unit)
{
   f->dist.outputs[tpc] = &f->outputs[tpc];
   f->dist.written[tpc] = &f->written[tpc];
   return front_make(f, &f->outputs[tpc], &f->dist.unit, unit, sizeof(struct sgt_pixel_output),
                     SHORT, 1) &&
          front_make(f, &f->written[tpc], unit, &f->dist.unit, sizeof(struct sgt_pixel_written),
                     f->dist.params.pixel_order + 1, 1);
}

bool
sgt_chip_front_connect_early(struct sgt_chip_front *f, struct sgt_unit *unit)
{
   const struct sgt_raster_params *r = &f->params.raster;
   f->fine.blocks = &f->blocks;
   f->dist.releases = &f->releases;
   f->dist.late = &f->late;
   return front_make(f, &f->blocks, &f->fine.unit, unit, sizeof(struct sgt_raster_block),
                     r->block_queue + r->fine, 1) &&
          front_make(f, &f->releases, unit, &f->dist.unit, sizeof(struct sgt_raster_release),
                     r->release_queue, 1) &&
          front_make(f, &f->late, &f->dist.unit, unit, sizeof(struct sgt_late_ended),
                     f->params.ia.operations + 1, 1);
}

bool
sgt_chip_front_connect_transfer(struct sgt_chip_front *f, struct sgt_unit *unit)
{
   f->ia.transfers = &f->transfers;
   f->ia.ended[1] = &f->transfer_ended;
   return front_make(f, &f->transfers, &f->ia.unit, unit, sizeof(struct sgt_front_transfer), SHORT,
                     1) &&
          front_make(f, &f->transfer_ended, unit, &f->ia.unit, sizeof(struct sgt_front_ended),
                     SHORT, 1);
}

void
sgt_chip_front_account(struct sgt_chip_front *f, uint64_t time)
{
   sgt_unit_states_account(&f->ia.host, time);
   sgt_unit_states_account(&f->ia.assembler, time);
   for (unsigned i = 0; i < SGT_DIST_KINDS; i++)
      sgt_unit_states_account(&f->dist.states[i], time);
   sgt_unit_states_account(&f->setup.states, time);
   sgt_unit_states_account(&f->coarse.states, time);
   sgt_unit_states_account(&f->zcull.states, time);
   sgt_unit_states_account(&f->fine.states, time);
}

static bool
is_empty(const char *name, uint32_t i, const struct sgt_channel *c, char *error, size_t error_size)
{
   if (sgt_channel_empty(c))
      return true;
   snprintf(error, error_size, "the channel of %s %" PRIu32 " has %" PRIu64 " messages at the end",
            name, i, c->sent - c->taken);
   return false;
}

bool
sgt_chip_front_check_end(const struct sgt_chip_front *f, char *error, size_t error_size)
{
   const struct {
      const char *name;
      const struct sgt_channel *channel;
   } channels[] = {
      { "orders", &f->orders },       { "ended", &f->ended },
      { "transfers", &f->transfers }, { "transfer ended", &f->transfer_ended },
      { "setup", &f->setup_work },    { "items", &f->items },
      { "tiles", &f->tiles },         { "tiles left", &f->left },
      { "blocks", &f->blocks },       { "releases", &f->releases },
      { "late", &f->late },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(channels); i++)
      if (!is_empty(channels[i].name, 0, channels[i].channel, error, error_size))
         return false;
   for (uint32_t i = 0; i < f->dist.num_sms; i++)
      if (!is_empty("starts", i, &f->launch[i], error, error_size) ||
          !is_empty("ends", i, &f->done[i], error, error_size))
         return false;
   for (uint32_t i = 0; i < f->dist.params.tpcs; i++)
      if (!is_empty("pixel outputs", i, &f->outputs[i], error, error_size) ||
          !is_empty("written warps", i, &f->written[i], error, error_size))
         return false;
   if (sgt_ia_done(&f->ia) && sgt_dist_idle(&f->dist))
      return true;
   snprintf(error, error_size,
            "the chip stopped at operation %" PRIu32 " of %" PRIu32 ", with %" PRIu32
            " that had not ended",
            f->ia.next, f->plan.trace->num_operations, f->ia.num_open);
   return false;
}

void
sgt_chip_front_register(struct sgt_chip_front *f, uint64_t cycles, struct sgt_stats *stats)
{
   sgt_ia_register(&f->ia, cycles, stats);
   sgt_dist_register(&f->dist, cycles, stats);
   sgt_setup_register(&f->setup, cycles, stats);
   sgt_coarse_register(&f->coarse, cycles, stats);
   sgt_zcull_register(&f->zcull, cycles, stats);
   sgt_fine_register(&f->fine, cycles, stats);
}

void
sgt_chip_front_dump(const struct sgt_chip_front *f, struct sgt_dump *d)
{
   sgt_ia_dump(&f->ia, d);
   sgt_dist_dump(&f->dist, d);
   sgt_setup_dump(&f->setup, d);
   sgt_coarse_dump(&f->coarse, d);
   sgt_zcull_dump(&f->zcull, d);
   sgt_fine_dump(&f->fine, d);
}
