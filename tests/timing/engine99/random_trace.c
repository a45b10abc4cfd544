/* SPDX-License-Identifier: MIT */
/*
 * Random traces and parameters.
 */
#include "random_trace.h"

#include "util/bitscan.h"
#include "util/macros.h"

static uint32_t
below(struct sgt_random *r, uint32_t n)
{
   return sgt_random_below(r, n);
}

static struct sgt_region
random_region(struct sgt_random *r)
{
   const uint32_t layer = below(r, 4) ? 0 : below(r, 2);
   const uint32_t size = below(r, 6) ? 8 : RANDOM_SCREEN;
   const int32_t x = below(r, RANDOM_SCREEN), y = below(r, RANDOM_SCREEN);
   const int32_t x1 = x + below(r, size), y1 = y + below(r, size);
   return (struct sgt_region){
      .set = below(r, 3) ? 0 : below(r, RANDOM_SETS),
      .first_layer = layer,
      .last_layer = layer + (below(r, 8) == 0),
      /* Rectangles may be empty. */
      .rect = { x, y, MIN2(x1, RANDOM_SCREEN), MIN2(y1, RANDOM_SCREEN) },
   };
}

/* Adds coverage of a primitive's box, full or with holes.  Some boxes have none. */
static void
add_blocks(struct random_trace *t, struct sgt_item *item, struct sgt_random *r)
{
   const struct sgt_rect *box = &item->destination.rect;
   const uint32_t holes = below(r, 3);
   item->first_block = t->trace.num_blocks;
   for (int32_t y = box->y0 & ~3; y < box->y1; y += 4) {
      uint32_t rows = 0;
      for (int32_t x = box->x0 & ~7; x < box->x1; x += 8) {
         uint32_t mask = sgt_block_cut(~0u, x, y, box);
         for (uint32_t i = 0; i < holes; i++)
            mask &= sgt_random_next(r);
         if (!mask)
            continue;
         t->blocks[t->trace.num_blocks++] = (struct sgt_block){
            .x = x, .y = y, .mask = mask, .values = SGT_NO_VALUES
         };
         item->num_blocks++;
         item->pixels += util_bitcount(mask);
         for (unsigned row = 0; row < 4; row++)
            rows |= (sgt_block_row(mask, row) != 0) << row;
      }
      item->spans += util_bitcount(rows);
   }
}

static void
add_item(struct random_trace *t, struct sgt_random *r)
{
   struct sgt_item *item = &t->items[t->trace.num_items++];
   *item = (struct sgt_item){
      .operation = below(r, RANDOM_OPERATIONS),
      .kind = below(r, 3) ? SGT_ITEM_TRIANGLE : below(r, SGT_ITEM_KINDS),
      .destination = random_region(r),
      .first_source = t->trace.num_sources,
   };
   if (below(r, 4) == 0)
      item->num_sources = 1 + below(r, RANDOM_MAX_SOURCES);
   for (uint32_t i = 0; i < item->num_sources; i++)
      t->sources[t->trace.num_sources++] = random_region(r);
   if (sgt_item_is_primitive(item)) {
      add_blocks(t, item, r);
      return;
   }
   const struct sgt_rect *box = &item->destination.rect;
   item->pixels = (box->x1 - box->x0) * (box->y1 - box->y0) *
                  (item->destination.last_layer - item->destination.first_layer + 1);
}

void
random_trace_make(struct random_trace *t, struct sgt_random *r)
{
   t->trace = (struct sgt_trace){
      .operations = t->operations,
      .items = t->items,
      .sources = t->sources,
      .blocks = t->blocks,
      .sets_meet = t->sets_meet,
      .num_operations = RANDOM_OPERATIONS,
      .num_sets = RANDOM_SETS,
      .width = RANDOM_SCREEN,
      .height = RANDOM_SCREEN,
   };
   for (uint32_t i = 0; i < RANDOM_OPERATIONS; i++) {
      t->operations[i] = (struct sgt_operation){
         .ordinal = i,
         .blends = below(r, 3) == 0,
         .order = below(r, 3) ? SGT_ORDER_LOWEST : below(r, 5),
         .order_key = below(r, 2),
      };
   }
   /* Each set shares memory with itself, and sometimes with other sets. */
   for (uint32_t i = 0; i < RANDOM_SETS; i++)
      t->sets_meet[i] = 1u << i;
   if (below(r, 2)) {
      const uint32_t a = below(r, RANDOM_SETS), b = below(r, RANDOM_SETS);
      t->sets_meet[a] |= 1u << b;
      t->sets_meet[b] |= 1u << a;
   }
   const uint32_t num = 1 + below(r, below(r, 4) ? 12 : RANDOM_MAX_ITEMS);
   for (uint32_t i = 0; i < num; i++)
      add_item(t, r);
}

void
random_params_make(struct sgt_engine_params *p, struct sgt_random *r)
{
   sgt_engine_params_init(p);
   p->entry_rate = below(r, 3) ? 1 : 1 + below(r, 3);
   p->issue_rate = below(r, 3) ? 1 : 1 + below(r, 3);
   p->split = below(r, 2) ? SGT_SPLIT_NONE : below(r, 3);
   p->slice_width = 4 + below(r, 12);
   p->slice_height = 1 + below(r, 12);
   p->slice_aligned = below(r, 2);
   p->split_transfers = below(r, 2);
   p->slice_box = below(r, 2);
   p->drop_empty = below(r, 2);
   p->order = below(r, 4) ? SGT_ISSUE_ORDER_OUT_OF_ORDER : SGT_ISSUE_ORDER_IN_ORDER;
   p->select = below(r, 3);
   p->accelerators = 1 + below(r, 6);
   p->candidates = 1 + below(r, 12);
   p->destinations = below(r, 3) ? 0 : 1 + below(r, p->accelerators + p->candidates);
   p->sources = below(r, 3) ? 0 : 1 + below(r, 8);
   p->breaking = below(r, 3);
   p->setup = below(r, 4);
   p->span = below(r, 3);
   p->depth = below(r, 4);
   p->pixel_rate = 1 + below(r, 8);
   p->clear_rate = 1 + below(r, 64);
   p->copy_rate = 1 + below(r, 64);
   p->seed = sgt_random_next(r);
   p->interval = 1 + below(r, 100);
}

void
random_dram_make(struct sgt_dram_params *p, struct sgt_random *r)
{
   sgt_dram_params_init(p);
   p->core_mhz = 1 + below(r, 300);
   p->memory_mhz = 1 + below(r, 300);
   p->channels = 1 + below(r, 5);
   p->banks = 1 + below(r, 5);
   p->interleave = 32 << below(r, 3);
   p->row_bytes = p->interleave * (1 + below(r, 8));
   p->bus_bytes = 1 + below(r, 32);
   p->queue = 1 + below(r, 8);
   p->hit_limit = below(r, 10);
   p->t_cas = 1 + below(r, 6);
   p->t_rcd = 1 + below(r, 6);
   p->t_rp = 1 + below(r, 6);
   p->t_ras = below(r, 20);
   p->t_wr = below(r, 6);
   p->t_turn = below(r, 4);
   p->ahead = 1 + below(r, 6);
   p->write_queue = 8 + below(r, 10);
   p->latency = 1 + below(r, 6);
   p->depth_bytes = below(r, 4) ? 4 : 0;
   p->color_bytes = below(r, 4) ? 4 : 0;
   p->color_read_always = below(r, 2);
   p->texture_bytes = below(r, 2) ? 0 : below(r, 65);
}
