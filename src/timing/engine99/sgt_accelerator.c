/* SPDX-License-Identifier: MIT */
/*
 * Model of an accelerator with DRAM. All times are in cycles of the accelerator's clock.
 */
#include "engine99/sgt_accelerator.h"

#include <assert.h>
#include <stdlib.h>

#include "kernel/sgt_dump.h"
#include "engine99/sgt_perfect.h"
#include "util/bitscan.h"
#include "util/macros.h"

/* Number of DRAM requests per block, and number of lanes per request. A request accesses
 * SGT_DRAM_BURST bytes, and a pixel has 4 bytes.
 */
#define BURSTS (SGT_BLOCK_BYTES / SGT_DRAM_BURST)
#define LANES (32 / BURSTS)

static bool
is_copy(const struct sgt_item *item)
{
   return item->kind == SGT_ITEM_COPY || item->kind == SGT_ITEM_DIRECT;
}

/* Appends the addresses of the DRAM requests for the covered lanes of a block to a list. `stream`
 * selects the depth or color surface. Returns the new number of list elements.
 */
static uint32_t
accelerator_append(const struct sgt_accelerator *a, uint64_t *list, uint32_t num,
                   const struct sgt_pixel_block *b, uint32_t set, enum sgt_stream stream)
{
   const uint64_t address = sgt_address(a->addresses, set, b->layer, stream, b->x, b->y);
   for (unsigned i = 0; i < BURSTS; i++)
      if (b->mask >> (i * LANES) & ((1u << LANES) - 1))
         list[num++] = address + i * SGT_DRAM_BURST;
   return num;
}

/* Stores the addresses that a block writes to memory in `list`. Returns the number of addresses,
 * which is at most 2 * BURSTS.
 */
static uint32_t
find_writes(const struct sgt_accelerator *a, const struct sgt_pixel_block *b, uint64_t *list)
{
   const struct sgt_dram_params *p = &a->params->dram;
   const uint32_t set = a->item->destination.set;
   uint32_t num = 0;
   if (p->depth_bytes && sgt_item_is_primitive(a->item))
      num = accelerator_append(a, list, num, b, set, SGT_STREAM_DEPTH);
   if (p->color_bytes)
      num = accelerator_append(a, list, num, b, set, SGT_STREAM_COLOR);
   return num;
}

/* Appends the addresses of the texels that a block reads. Texels are stored after all surfaces, in
 * the order of the blocks that read them. They therefore cause as many DRAM row misses as the other
 * streams.
 */
static uint32_t
append_texels(struct sgt_accelerator *a, uint32_t num, const struct sgt_pixel_block *b)
{
   const uint64_t bytes = (uint64_t)a->params->dram.texture_bytes * util_bitcount(b->mask);
   const uint64_t place = sgt_address(a->addresses, a->item->destination.set, b->layer,
                                      SGT_STREAM_COLOR, b->x, b->y);
   const uint64_t texels = a->addresses->end +
                           place * DIV_ROUND_UP(a->params->dram.texture_bytes, 4);
   for (uint64_t at = 0; at < bytes; at += SGT_DRAM_BURST)
      a->reads[num++] = texels + at;
   return num;
}

/* Fills a->reads with the addresses that a block reads. */
static void
find_reads(struct sgt_accelerator *a, const struct sgt_pixel_block *b)
{
   const struct sgt_dram_params *p = &a->params->dram;
   const struct sgt_item *item = a->item;
   uint32_t num = 0;
   if (sgt_item_is_primitive(item)) {
      if (p->depth_bytes)
         num = accelerator_append(a, a->reads, num, b, item->destination.set, SGT_STREAM_DEPTH);
      if (p->color_bytes && (p->color_read_always || a->trace->operations[item->operation].blends))
         num = accelerator_append(a, a->reads, num, b, item->destination.set, SGT_STREAM_COLOR);
      num = append_texels(a, num, b);
   } else if (is_copy(item) && p->color_bytes) {
      const uint32_t set = item->num_sources ? a->trace->sources[item->first_source].set
                                             : item->destination.set;
      num = accelerator_append(a, a->reads, num, b, set, SGT_STREAM_COLOR);
   }
   assert(num <= ARRAY_SIZE(a->reads));
   a->read = 0;
   a->num_reads = num;
}

/* Starts an iteration over the 8x4 pixel blocks of a slice. For primitives, these are blocks in the
 * trace. For transfers, they are all blocks in the rectangle and layers of the slice.
 */
static void
begin_blocks(struct sgt_accelerator *a)
{
   const struct sgt_slice *slice = a->command.slice;
   const struct sgt_rect *cut = &slice->cut;
   if (sgt_item_is_primitive(a->item)) {
      uint32_t low = a->item->first_block, high = low + a->item->num_blocks;
      a->end = high;
      while (low < high) {
         const uint32_t middle = low + (high - low) / 2;
         if (a->trace->blocks[middle].y + 4 <= cut->y0)
            low = middle + 1;
         else
            high = middle;
      }
      a->next = low;
      return;
   }
   a->next = 0;
   const struct sgt_region *r = &a->item->destination;
   const int64_t width = (int64_t)cut->x1 - cut->x0, height = (int64_t)cut->y1 - cut->y0;
   const int64_t layers = r->last_layer - r->first_layer + 1;
   if (width > 0 && height > 0 && width * height * layers == slice->pixels) {
      a->columns = (cut->x1 + 7) / 8 - cut->x0 / 8;
      a->rows = (cut->y1 + 3) / 4 - cut->y0 / 4;
      a->end = a->columns * a->rows * layers;
   } else {
      /* The rectangle is only a placeholder for the whole memory, so treat the pixels as a linear
       * sequence of blocks.
       */
      a->columns = 0;
      a->end = (slice->pixels + 31) / 32;
   }
}

/* Advances to the next block that contains pixels, and returns it in *b. Returns false if there are
 * no more blocks.
 */
static bool
next_block(struct sgt_accelerator *a, struct sgt_pixel_block *b)
{
   const struct sgt_slice *slice = a->command.slice;
   const struct sgt_rect *cut = &slice->cut;
   while (a->next < a->end) {
      const uint32_t i = a->next++;
      if (sgt_item_is_primitive(a->item)) {
         const struct sgt_block *block = &a->trace->blocks[i];
         if (block->y >= cut->y1) {
            a->next = a->end;
            return false;
         }
         /* If the item has only one slice, the slice contains all pixels of its blocks. */
         const uint32_t mask = slice->count == 1
                                  ? block->mask
                                  : sgt_block_cut(block->mask, block->x, block->y, cut);
         *b = (struct sgt_pixel_block){ block->x, block->y, a->item->layer, mask, 0 };
      } else if (a->columns) {
         const uint32_t x = (cut->x0 / 8 + i % a->columns) * 8;
         const uint32_t y = (cut->y0 / 4 + i / a->columns % a->rows) * 4;
         const uint32_t layer = a->item->destination.first_layer + i / a->columns / a->rows;
         *b = (struct sgt_pixel_block){ x, y, layer, sgt_block_cut(~0u, x, y, cut), 0 };
      } else {
         const uint32_t left = slice->pixels - i * 32;
         *b = (struct sgt_pixel_block){ i * 8, 0, a->item->destination.first_layer,
                                        left >= 32 ? ~0u : (1u << left) - 1, 0 };
      }
      if (b->mask)
         return true;
   }
   return false;
}

static void
take_responses(struct sgt_accelerator *a, uint64_t now)
{
   const struct sgt_dram_response *response;
   while ((response = sgt_channel_peek(&a->port->responses, now))) {
      if (response->write)
         a->open_writes--;
      else
         a->ring[response->id].reads--;
      sgt_channel_take(&a->port->responses, now);
   }
}

static void
take_command(struct sgt_accelerator *a, uint64_t now, uint64_t cycle)
{
   const struct sgt_command *command = sgt_channel_peek(&a->commands, now);
   if (!command)
      return;
   assert(!a->active);
   a->command = *command;
   sgt_channel_take(&a->commands, now);
   a->active = true;
   a->item = &a->trace->items[a->command.slice->item];
   a->rate = sgt_slice_rate(a->params, a->item);
   a->begin = a->free_at = cycle + sgt_slice_setup(a->params, a->item, a->command.slice);
   a->pixels = 0;
   a->read = a->num_reads = 0;
   begin_blocks(a);
}

/* Prefetches blocks into the ring until one of them has reads to send. Returns true if a block was
 * added.
 */
static bool
read_ahead(struct sgt_accelerator *a, uint64_t cycle)
{
   bool progress = false;
   while (cycle >= a->begin && a->read == a->num_reads && a->num < a->params->dram.ahead) {
      const uint32_t slot = (a->first + a->num) % a->params->dram.ahead;
      struct sgt_pixel_block *b = &a->ring[slot];
      if (!next_block(a, b))
         break;
      find_reads(a, b);
      b->reads = a->num_reads;
      a->num++;
      progress = true;
   }
   return progress;
}

/* Processes the oldest block in the ring. If its reads are done and there is space for its writes,
 * it enters the pipeline. When it leaves the pipeline, its writes are queued. Returns true if the
 * block entered or left the pipeline.
 */
static bool
accelerator_shade(struct sgt_accelerator *a, uint64_t cycle)
{
   const struct sgt_dram_params *p = &a->params->dram;
   if (cycle < a->free_at || !a->num)
      return false;
   struct sgt_pixel_block *b = &a->ring[a->first];
   uint64_t list[2 * BURSTS];
   const uint32_t num = find_writes(a, b, list);
   if (a->working) {
      for (uint32_t i = 0; i < num; i++)
         a->writes[(a->first_write + a->num_writes++) % p->write_queue] = list[i];
      a->first = (a->first + 1) % p->ahead;
      a->num--;
      a->working = false;
      return true;
   }
   if (b->reads || a->num_writes + a->open_writes + num > p->write_queue)
      return false;
   sgt_account_memory(a->account, a->item->operation, a->free_at, cycle - a->free_at);
   const uint64_t before = (a->pixels + a->rate - 1) / a->rate;
   a->pixels += util_bitcount(b->mask);
   a->free_at = cycle + (a->pixels + a->rate - 1) / a->rate - before;
   a->working = true;
   return true;
}

/* Sends one memory request. Writes have priority over reads if the write queue is at least half
 * full.
 */
static void
send_request(struct sgt_accelerator *a, uint64_t now)
{
   const struct sgt_dram_params *p = &a->params->dram;
   const bool reads = a->read < a->num_reads;
   if ((!reads && !a->num_writes) || !sgt_channel_can_send(&a->port->requests, now))
      return;
   struct sgt_dram_request request;
   if (a->num_writes && (!reads || a->num_writes >= p->write_queue / 2)) {
      request = (struct sgt_dram_request){ .address = a->writes[a->first_write], .write = true };
      a->first_write = (a->first_write + 1) % p->write_queue;
      a->num_writes--;
      a->open_writes++;
   } else {
      /* Unsent reads always belong to the youngest block in the ring. */
      request = (struct sgt_dram_request){ .address = a->reads[a->read++],
                                           .id = (a->first + a->num - 1) % p->ahead };
   }
   sgt_channel_send(&a->port->requests, now, &request);
}

/* Returns true if all blocks of the slice have been drawn and written to memory. */
static bool
is_drained(const struct sgt_accelerator *a)
{
   return !a->num && a->next == a->end && !a->num_writes && !a->open_writes;
}

static uint64_t
accelerator_tick(struct sgt_unit *unit, uint64_t now)
{
   struct sgt_accelerator *a = container_of(unit, struct sgt_accelerator, unit);
   const uint64_t period = unit->clock->period, cycle = now / period;
   take_responses(a, now);
   if (!a->active)
      take_command(a, now, cycle);
   if (!a->active)
      return SGT_NEVER;
   while (read_ahead(a, cycle) | accelerator_shade(a, cycle))
      ;
   send_request(a, now);

   uint64_t next = SGT_NEVER;
   if (cycle >= a->begin && is_drained(a)) {
      const uint64_t end = a->free_at + a->params->depth;
      if (cycle >= end) {
         sgt_account_memory(a->account, a->item->operation, end, cycle - end);
         sgt_channel_send(&a->tags, now, &a->command.tag);
         a->active = false;
         return SGT_NEVER;
      }
      next = end;
   } else if (a->read < a->num_reads || a->num_writes) {
      next = cycle + 1;
   }
   if (a->free_at > cycle)
      next = MIN2(next, a->free_at);
   if (a->begin > cycle)
      next = MIN2(next, a->begin);
   /* SGT_NEVER means that there is nothing to do until a response arrives, which wakes up the unit.
    */
   return next == SGT_NEVER ? next : next * period;
}

bool
sgt_accelerator_init(struct sgt_accelerator *a, struct sgt_sched *sched,
                     const struct sgt_clock *clock, struct sgt_unit *issue, struct sgt_dram *dram,
                     const struct sgt_trace *trace, const struct sgt_engine_params *params,
                     const struct sgt_addresses *addresses, struct sgt_account *account)
{
   const struct sgt_dram_params *p = &params->dram;
   *a = (struct sgt_accelerator){
      .unit = { .name = "accelerator", .clock = clock, .tick = accelerator_tick },
      .trace = trace,
      .params = params,
      .addresses = addresses,
      .account = account,
      .ring = calloc(p->ahead, sizeof(*a->ring)),
      .writes = calloc(p->write_queue, sizeof(*a->writes)),
      .port = &dram->ports[dram->num_ports],
   };
   const uint32_t max_open = p->write_queue + p->ahead * ARRAY_SIZE(a->reads);
   return a->ring && a->writes && sgt_sched_add(sched, &a->unit, 0) &&
          sgt_channel_init(&a->commands, sched, issue, &a->unit, sizeof(struct sgt_command), 2,
                           clock->period) &&
          sgt_channel_init(&a->tags, sched, &a->unit, issue, sizeof(uint32_t), 2, clock->period) &&
          sgt_dram_connect(dram, sched, &a->unit, p->latency * clock->period, max_open);
}

void
sgt_accelerator_finish(struct sgt_accelerator *a)
{
   sgt_channel_finish(&a->commands);
   sgt_channel_finish(&a->tags);
   free(a->ring);
   free(a->writes);
   a->ring = NULL;
   a->writes = NULL;
}

bool
sgt_accelerator_idle(const struct sgt_accelerator *a)
{
   return !a->active && sgt_channel_empty(&a->commands) && sgt_channel_empty(&a->tags);
}

void
sgt_accelerator_dump(const struct sgt_accelerator *a, uint32_t number, struct sgt_dump *d)
{
   sgt_dump_unit(d, a->unit.clock, "accelerator", number);
   sgt_dump_queue(d, "slices", a->active, 1);
   if (a->active)
      sgt_dump_oldest(d, a->begin * a->unit.clock->period);
   sgt_dump_queue(d, "blocks", a->num, a->params->dram.ahead);
   sgt_dump_queue(d, "reads to send", a->num_reads - a->read, 0);
   sgt_dump_queue(d, "writes to send", a->num_writes, a->params->dram.write_queue);
   sgt_dump_queue(d, "writes without a response", a->open_writes, 0);
   sgt_dump_channel(d, "commands", &a->commands);
   sgt_dump_channel(d, "responses", &a->port->responses);
}
