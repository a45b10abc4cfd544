/* SPDX-License-Identifier: MIT */
/*
 * Coarse and fine raster: walk the tiles of primitives and the blocks of tiles.
 */
#include "chip_raster/sgt_raster.h"

#include "kernel/sgt_dump.h"
#include "kernel/sgt_stats.h"
#include "util/bitscan.h"
#include "util/macros.h"

const char *const sgt_raster_states[SGT_RASTER_STATES] = { "busy", "full", "empty" };

/* Starts to walk the row of tiles that contains block `i`. `end` is the index after the last block
 * of the primitive.
 */
static void
begin_row(struct sgt_coarse *c, uint32_t i, uint32_t end)
{
   const struct sgt_block *blocks = c->plan->trace->blocks;
   const uint32_t row = i < end ? blocks[i].y >> SGT_TILE_LOG2 : 0;
   for (unsigned r = 0; r < SGT_TILE_ROWS; r++) {
      const uint32_t y = (row << SGT_TILE_LOG2) + 4 * r;
      c->at[r] = i;
      while (i < end && blocks[i].y == y)
         i++;
      c->end[r] = i;
   }
   c->next_row = i;
}

/* Generates the next tile of the primitive `item`. Returns false if there are no more tiles. */
static bool
next_tile(struct sgt_coarse *c, const struct sgt_item *item, struct sgt_raster_tile *tile)
{
   const struct sgt_block *blocks = c->plan->trace->blocks;
   uint32_t column = UINT32_MAX;
   for (;;) {
      for (unsigned r = 0; r < SGT_TILE_ROWS; r++)
         if (c->at[r] < c->end[r])
            column = MIN2(column, blocks[c->at[r]].x >> SGT_TILE_LOG2);
      if (column != UINT32_MAX)
         break;
      if (c->next_row == item->first_block + item->num_blocks)
         return false;
      begin_row(c, c->next_row, item->first_block + item->num_blocks);
   }
   for (unsigned r = 0; r < SGT_TILE_ROWS; r++) {
      while (c->at[r] < c->end[r] && blocks[c->at[r]].x >> SGT_TILE_LOG2 == column)
         tile->blocks[tile->num++] = c->at[r]++;
   }
   return true;
}

static void
count_tile(struct sgt_coarse *c, const struct sgt_raster_tile *tile)
{
   uint32_t pixels = 0;
   for (unsigned i = 0; i < tile->num; i++)
      pixels += util_bitcount(c->plan->trace->blocks[tile->blocks[i]].mask);
   c->counters.tiles++;
   c->counters.blocks += tile->num;
   c->counters.pixels += pixels;
   c->counters.full_tiles += pixels == 1 << 2 * SGT_TILE_LOG2;
   c->tiles_of_item++;
   c->counters.max_tiles = MAX2(c->counters.max_tiles, c->tiles_of_item);
}

static uint64_t
coarse_tick(struct sgt_unit *unit, uint64_t now)
{
   struct sgt_coarse *c = container_of(unit, struct sgt_coarse, unit);
   enum sgt_raster_state gap = SGT_RASTER_EMPTY;
   const struct sgt_raster_item *message;
   uint32_t tiles = 0;
   bool busy = false;
   while (tiles < c->rate && (message = sgt_channel_peek(c->items, now))) {
      if (!sgt_channel_can_send(c->tiles, now)) {
         gap = SGT_RASTER_FULL;
         break;
      }
      busy = true;
      struct sgt_raster_tile tile = { .number = message->number, .ends = message->ends };
      if (message->ends) {
         sgt_channel_send(c->tiles, now, &tile);
         sgt_channel_take(c->items, now);
         c->counters.operations++;
         continue;
      }
      const struct sgt_item *item = &c->plan->trace->items[message->number];
      if (!c->walking) {
         c->walking = true;
         c->tiles_of_item = 0;
         begin_row(c, item->first_block, item->first_block + item->num_blocks);
         c->counters.primitives++;
         c->counters.empty += !item->num_blocks;
         tiles += !item->num_blocks;
      }
      if (next_tile(c, item, &tile)) {
         sgt_channel_send(c->tiles, now, &tile);
         count_tile(c, &tile);
         tiles++;
         /* Finish the primitive in the same cycle as its last tile. */
         bool more = c->next_row < item->first_block + item->num_blocks;
         for (unsigned r = 0; r < SGT_TILE_ROWS; r++)
            more |= c->at[r] < c->end[r];
         if (more)
            continue;
      }
      c->walking = false;
      sgt_channel_take(c->items, now);
   }
   const bool more = sgt_channel_peek(c->items, now) && gap == SGT_RASTER_EMPTY;
   sgt_unit_states_put(&c->states, unit, now, busy ? SGT_RASTER_BUSY : gap, gap);
   return more ? now + unit->clock->period : SGT_NEVER;
}

bool
sgt_coarse_init(struct sgt_coarse *c, struct sgt_sched *sched, const struct sgt_clock *clock,
                const struct sgt_raster_params *params, const struct sgt_plan *plan)
{
   *c = (struct sgt_coarse){
      .unit = { .name = "coarse", .clock = clock, .tick = coarse_tick },
      .rate = params->coarse,
      .plan = plan,
      .states.gap = SGT_RASTER_EMPTY,
   };
   return sgt_sched_add(sched, &c->unit, 0);
}

static uint64_t
fine_tick(struct sgt_unit *unit, uint64_t now)
{
   struct sgt_fine *f = container_of(unit, struct sgt_fine, unit);
   enum sgt_raster_state gap = SGT_RASTER_EMPTY;
   const struct sgt_raster_tile *tile;
   uint32_t blocks = 0;
   bool busy = false;
   while ((tile = sgt_channel_peek(f->tiles, now))) {
      if (tile->ends || f->done < tile->num) {
         if (!tile->ends && blocks == f->rate)
            break;
         if (!sgt_channel_can_send(f->blocks, now)) {
            gap = SGT_RASTER_FULL;
            break;
         }
      }
      busy = true;
      if (tile->ends) {
         sgt_channel_send(f->blocks, now,
                          &(struct sgt_raster_block){ .number = tile->number, .ends = true });
         f->counters.operations++;
      } else {
         const uint32_t number = tile->blocks[f->done++];
         const uint32_t mask = f->plan->trace->blocks[number].mask;
         const uint32_t pairs = (mask | mask >> 1) & 0x55555555;
         sgt_channel_send(f->blocks, now,
                          &(struct sgt_raster_block){ number, tile->number, false });
         blocks++;
         f->counters.blocks++;
         f->counters.pixels += util_bitcount(mask);
         f->counters.quads += util_bitcount((pairs | pairs >> 2) & 0x11111111);
         f->counters.full_blocks += mask == UINT32_MAX;
         if (f->done < tile->num)
            continue;
         f->counters.tiles++;
         f->done = 0;
      }
      sgt_channel_take(f->tiles, now);
   }
   const bool more = tile && gap == SGT_RASTER_EMPTY;
   sgt_unit_states_put(&f->states, unit, now, busy ? SGT_RASTER_BUSY : gap, gap);
   return more ? now + unit->clock->period : SGT_NEVER;
}

bool
sgt_fine_init(struct sgt_fine *f, struct sgt_sched *sched, const struct sgt_clock *clock,
              const struct sgt_raster_params *params, const struct sgt_plan *plan)
{
   *f = (struct sgt_fine){
      .unit = { .name = "fine", .clock = clock, .tick = fine_tick },
      .rate = params->fine,
      .plan = plan,
      .states.gap = SGT_RASTER_EMPTY,
   };
   return sgt_sched_add(sched, &f->unit, 0);
}

void
sgt_coarse_register(struct sgt_coarse *c, uint64_t cycles, struct sgt_stats *stats)
{
   sgt_unit_states_finish(&c->states, &c->unit, cycles);
   sgt_coarse_counters_register(&c->counters, c->states.count, cycles, stats);
}

void
sgt_fine_register(struct sgt_fine *f, uint64_t cycles, struct sgt_stats *stats)
{
   sgt_unit_states_finish(&f->states, &f->unit, cycles);
   sgt_fine_counters_register(&f->counters, f->states.count, cycles, stats);
}

void
sgt_coarse_dump(const struct sgt_coarse *c, struct sgt_dump *d)
{
   sgt_dump_unit(d, c->unit.clock, "coarse", SGT_DUMP_ONLY);
   sgt_dump_state(d, "", sgt_raster_states[c->states.gap]);
   sgt_dump_channel(d, "primitives", c->items);
   sgt_dump_queue(d, "tiles of a primitive that have gone on", c->tiles_of_item, 0);
}

void
sgt_fine_dump(const struct sgt_fine *f, struct sgt_dump *d)
{
   sgt_dump_unit(d, f->unit.clock, "fine", SGT_DUMP_ONLY);
   sgt_dump_state(d, "", sgt_raster_states[f->states.gap]);
   sgt_dump_channel(d, "tiles", f->tiles);
   sgt_dump_queue(d, "blocks of a tile that have gone on", f->done, 0);
}
