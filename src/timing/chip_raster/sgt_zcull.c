/* SPDX-License-Identifier: MIT */
/*
 * Zcull: drops the hidden blocks of tiles.
 */
#include "chip_raster/sgt_zcull.h"

#include "kernel/sgt_dump.h"
#include "kernel/sgt_stats.h"
#include "util/bitscan.h"
#include "util/macros.h"

/* Returns a copy of the tile that only contains the blocks that are not culled. */
static struct sgt_raster_tile
zcull_cull(struct sgt_zcull *z, const struct sgt_raster_tile *tile)
{
   const struct sgt_trace *t = z->plan->trace;
   struct sgt_raster_tile left = { .number = tile->number };
   for (unsigned i = 0; i < tile->num; i++) {
      const uint32_t block = tile->blocks[i];
      const uint32_t pixels = util_bitcount(t->blocks[block].mask);
      z->counters.pixels += pixels;
      if (sgt_block_zculled(t, block))
         z->counters.pixels_dropped += pixels;
      else
         left.blocks[left.num++] = block;
   }
   z->counters.tiles++;
   z->counters.blocks += tile->num;
   z->counters.blocks_dropped += tile->num - left.num;
   z->counters.tiles_dropped += !left.num;
   z->counters.tiles_cut += left.num && left.num < tile->num;
   return left;
}

static uint64_t
zcull_tick(struct sgt_unit *unit, uint64_t now)
{
   struct sgt_zcull *z = container_of(unit, struct sgt_zcull, unit);
   enum sgt_zcull_state gap = SGT_ZCULL_EMPTY, state = SGT_ZCULL_EMPTY;
   const struct sgt_raster_tile *tile = NULL;
   for (uint32_t tiles = 0; tiles < z->rate && (tile = sgt_channel_peek(z->tiles, now));) {
      if (!sgt_channel_can_send(z->left, now)) {
         gap = SGT_ZCULL_FULL;
         break;
      }
      struct sgt_raster_tile left = *tile;
      if (!tile->ends) {
         left = zcull_cull(z, tile);
         tiles++;
      }
      if (left.ends || left.num) {
         sgt_channel_send(z->left, now, &left);
         state = SGT_ZCULL_PASSED;
      } else if (state == SGT_ZCULL_EMPTY) {
         state = SGT_ZCULL_DROPPED;
      }
      sgt_channel_take(z->tiles, now);
   }
   if (state == SGT_ZCULL_EMPTY)
      state = gap;
   const bool more = sgt_channel_peek(z->tiles, now) && gap == SGT_ZCULL_EMPTY;
   sgt_unit_states_put(&z->states, unit, now, state, gap);
   return more ? now + unit->clock->period : SGT_NEVER;
}

bool
sgt_zcull_init(struct sgt_zcull *z, struct sgt_sched *sched, const struct sgt_clock *clock,
               const struct sgt_raster_params *params, const struct sgt_plan *plan)
{
   *z = (struct sgt_zcull){
      .unit = { .name = "zcull", .clock = clock, .tick = zcull_tick },
      .rate = params->zcull,
      .plan = plan,
      .states.gap = SGT_ZCULL_EMPTY,
   };
   return sgt_sched_add(sched, &z->unit, 0);
}

void
sgt_zcull_register(struct sgt_zcull *z, uint64_t cycles, struct sgt_stats *stats)
{
   sgt_unit_states_finish(&z->states, &z->unit, cycles);
   sgt_zcull_counters_register(&z->counters, z->states.count, cycles, stats);
}

void
sgt_zcull_dump(const struct sgt_zcull *z, struct sgt_dump *d)
{
   sgt_dump_unit(d, z->unit.clock, "zcull", SGT_DUMP_ONLY);
   sgt_dump_state(d, "", sgt_zcull_counters_states_names[z->states.gap]);
   sgt_dump_channel(d, "tiles", z->tiles);
}
