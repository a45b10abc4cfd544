/* SPDX-License-Identifier: MIT */
/*
 * Converts the event records of the device to operations of a trace.
 */
#include "trace/sgt_events.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/sgt_array.h"
#include "trace/sgt_events_regions.h"
#include "trace/sgt_hash.h"
#include "util/macros.h"
#include "util/u_math.h"

const struct sgpu_event_head *
sgt_chunk_record(const struct sgt_chunk *chunk, uint64_t at, const char **error)
{
   static const uint8_t words[SGPU_EVENT_COUNT] = {
      [SGPU_EVENT_OPERATION] = sizeof(struct sgpu_event_operation) / 4,
      [SGPU_EVENT_REGION] = sizeof(struct sgpu_event_region) / 4,
      [SGPU_EVENT_TARGET] = sizeof(struct sgpu_event_target) / 4,
      [SGPU_EVENT_CONSTANTS] = sizeof(struct sgpu_event_constants) / 4,
      [SGPU_EVENT_PRIMITIVE] = sizeof(struct sgpu_event_primitive) / 4,
      [SGPU_EVENT_BLOCK] = sizeof(struct sgpu_event_block) / 4,
      [SGPU_EVENT_VALUES] = sizeof(struct sgpu_event_values) / 4,
      [SGPU_EVENT_WARP] = sizeof(struct sgpu_event_warp) / 4,
      [SGPU_EVENT_RUN] = sizeof(struct sgpu_event_run) / 4,
      [SGPU_EVENT_ACCESS] = sizeof(struct sgpu_event_access) / 4,
      [SGPU_EVENT_QUAD] = sizeof(struct sgpu_event_quad) / 4,
      [SGPU_EVENT_FETCH] = sizeof(struct sgpu_event_fetch) / 4,
   };

   if (at >= chunk->num_words)
      return NULL;
   const struct sgpu_event_head *head = (const struct sgpu_event_head *)(chunk->words + at);
   if (head->type < SGPU_EVENT_COUNT && head->words >= words[head->type] &&
       head->words <= chunk->num_words - at)
      return head;
   *error = "the record of an event is unknown or incomplete";
   return NULL;
}

static const struct sgpu_event_head *
record_at(struct sgt_events *e, const struct sgt_chunk *chunk, uint64_t at)
{
   return sgt_chunk_record(chunk, at, &e->error);
}

/* -- draws ---------------------------------------------------------------------------------- */

/* All chunks of device events that belong to the same batch of a draw. */
struct batch {
   const struct sgt_chunk *prims;
   const struct sgt_chunk *const *tiles;
   unsigned num_tiles;
};

static int
compare_chunks(const void *a, const void *b)
{
   const struct sgt_chunk *p = *(const struct sgt_chunk *const *)a;
   const struct sgt_chunk *q = *(const struct sgt_chunk *const *)b;
   const uint64_t x[3] = { (uint64_t)p->batch << 32 | p->part, p->kind,
                           (uint64_t)p->layer << 32 | (uint64_t)p->ty << 16 | p->tx };
   const uint64_t y[3] = { (uint64_t)q->batch << 32 | q->part, q->kind,
                           (uint64_t)q->layer << 32 | (uint64_t)q->ty << 16 | q->tx };

   for (unsigned i = 0; i < 2; i++) {
      if (x[i] != y[i])
         return x[i] < y[i] ? -1 : 1;
   }
   return x[2] < y[2] ? -1 : x[2] > y[2];
}

/* qsort() callback for chunks with warp records. Chunks of batches come before chunks of tiles.
 * Chunks of the same kind are sorted by workgroup, batch and tile.
 */
static int
compare_warps(const void *a, const void *b)
{
   const struct sgt_chunk *p = *(const struct sgt_chunk *const *)a;
   const struct sgt_chunk *q = *(const struct sgt_chunk *const *)b;

   if (p->kind != q->kind)
      return p->kind < q->kind ? -1 : 1;
   if (p->group != q->group)
      return p->group < q->group ? -1 : 1;
   return compare_chunks(a, b);
}

static bool
is_warps(const struct sgt_chunk *chunk)
{
   return chunk->kind >= SGPU_CHUNK_WARPS_BATCH;
}

/* Returns a sorted array of an operation's chunks. If `warps` is true, the array contains all
 * chunks with warp records, and otherwise all other chunks except for the OPERATION chunk. Returns
 * NULL if allocation fails.
 */
static const struct sgt_chunk **
sort_chunks(const struct sgt_chunk *chunks, bool warps, unsigned *num)
{
   *num = 0;
   for (const struct sgt_chunk *c = chunks; c; c = c->next)
      *num += c->kind != SGPU_CHUNK_OPERATION && is_warps(c) == warps;
   const struct sgt_chunk **sorted = malloc((*num + 1) * sizeof(*sorted));
   if (!sorted)
      return NULL;
   *num = 0;
   for (const struct sgt_chunk *c = chunks; c; c = c->next) {
      if (c->kind != SGPU_CHUNK_OPERATION && is_warps(c) == warps)
         sorted[(*num)++] = c;
   }
   qsort(sorted, *num, sizeof(*sorted), warps ? compare_warps : compare_chunks);
   return sorted;
}

/* Updates the number of depths, shader invocations and colours per fragment that the operation
 * records, using the VALUES records of a chunk.
 */
static void
find_values(struct sgt_events *e, const struct sgt_chunk *chunk, struct sgt_operation *o)
{
   const struct sgpu_event_head *head;

   for (uint64_t at = 0; (head = record_at(e, chunk, at)); at += head->words) {
      if (head->type != SGPU_EVENT_VALUES)
         continue;
      const struct sgpu_event_values *v = (const struct sgpu_event_values *)head;
      o->depth_samples = MAX2(o->depth_samples, v->depths);
      o->color_samples = MAX2(o->color_samples, v->runs);
      o->colors = MAX2(o->colors, v->colors);
   }
}

static void
add_values(struct sgt_events *e, const struct sgpu_event_values *v)
{
   const uint32_t *words = (const uint32_t *)(v + 1);
   const uint32_t *stencil = words + v->depths * 32, *cover = stencil + v->stencils * 32;
   const uint32_t *color = cover + v->covers * 3;

   if (color + v->runs * v->colors * 4 * 32 != (const uint32_t *)v + v->words) {
      e->error = "a record of values has the wrong number of words";
      return;
   }
   sgt_trace_builder_values(e->builder, &(struct sgt_block_values){
                                           .colored = v->colored,
                                           .dropped = v->dropped,
                                           .depth = v->depths ? words : NULL,
                                           .stencil = v->stencils ? stencil : NULL,
                                           .cover = v->covers ? cover : NULL,
                                           .color = v->colors && v->colored ? color : NULL,
                                        });
}

/* Linked lists of the blocks in a batch, with one list per primitive. A link is 1 + index into
 * `block`, or 0 at the end of the list.
 */
struct lists {
   const struct sgpu_event_block **block;
   uint32_t *next, *first, *last;
   uint32_t num, num_prims;
   bool values; /* set if a VALUES record follows each block */
};

static void
lists_free(struct lists *l)
{
   free(l->block);
   free(l->next);
   free(l->first);
   free(l->last);
}

static bool
lists_make(struct sgt_events *e, struct lists *l, const struct batch *batch)
{
   const struct sgpu_event_head *head;
   uint64_t most = 1, num_values = 0;

   for (unsigned i = 0; i < batch->num_tiles; i++)
      most += batch->tiles[i]->num_words / (sizeof(struct sgpu_event_block) / 4);
   l->num = 0;
   l->num_prims = batch->prims->num_words / (sizeof(struct sgpu_event_primitive) / 4);
   l->block = malloc(most * sizeof(*l->block));
   l->next = malloc(most * sizeof(*l->next));
   l->first = calloc(l->num_prims + 1, sizeof(*l->first));
   l->last = calloc(l->num_prims + 1, sizeof(*l->last));
   if (!l->block || !l->next || !l->first || !l->last) {
      e->failed = true;
      return false;
   }
   for (unsigned i = 0; i < batch->num_tiles; i++) {
      const struct sgt_chunk *chunk = batch->tiles[i];
      for (uint64_t at = 0; (head = record_at(e, chunk, at)); at += head->words) {
         if (head->type != SGPU_EVENT_BLOCK) {
            num_values++;
            continue;
         }
         const struct sgpu_event_block *block = (const struct sgpu_event_block *)head;
         if (block->primitive >= l->num_prims) {
            e->error = "a block without a primitive";
            return false;
         }
         l->block[l->num] = block;
         l->next[l->num++] = 0;
         if (l->first[block->primitive])
            l->next[l->last[block->primitive] - 1] = l->num;
         else
            l->first[block->primitive] = l->num;
         l->last[block->primitive] = l->num;
      }
   }
   l->values = num_values != 0;
   if (num_values && num_values != l->num)
      e->error = "the numbers of blocks and of records of values differ";
   return !e->error;
}

static void
add_batch(struct sgt_events *e, const struct batch *batch, const struct sgt_region *target)
{
   static const uint8_t kinds[] = {
      [SGPU_PRIM_TRIANGLE] = SGT_ITEM_TRIANGLE,
      [SGPU_PRIM_LINE] = SGT_ITEM_LINE,
      [SGPU_PRIM_POINT] = SGT_ITEM_POINT,
   };
   const bool layers = target->last_layer != SGT_ALL_LAYERS;
   const struct sgpu_event_head *head;
   struct lists l;
   uint32_t n = 0;

   if (!lists_make(e, &l, batch)) {
      lists_free(&l);
      return;
   }
   for (uint64_t at = 0; (head = record_at(e, batch->prims, at)); at += head->words, n++) {
      const struct sgpu_event_primitive *p = (const struct sgpu_event_primitive *)head;
      if (head->type != SGPU_EVENT_PRIMITIVE || p->kind >= ARRAY_SIZE(kinds)) {
         e->error = "a record of a batch is not a primitive";
         break;
      }
      struct sgt_item item = {
         .kind = kinds[p->kind],
         .front = head->flags & SGPU_EVENT_PRIMITIVE_FRONT,
         .destination = *target,
         .layer = p->layer,
      };
      item.destination.rect = (struct sgt_rect){ p->x0, p->y0, p->x1, p->y1 };
      if (layers) {
         item.destination.first_layer = target->first_layer + p->layer;
         item.destination.last_layer = item.destination.first_layer;
      }
      sgt_trace_builder_item(e->builder, &item);
      for (uint32_t i = l.first[n]; i; i = l.next[i - 1]) {
         const struct sgpu_event_block *block = l.block[i - 1];
         const struct sgpu_event_head *next = (const struct sgpu_event_head *)(block + 1);
         sgt_trace_builder_block(e->builder, block->x, block->y, block->mask,
                                 block->flags & SGPU_EVENT_BLOCK_ZCULLED);
         if (l.values)
            add_values(e, (const struct sgpu_event_values *)next);
      }
   }
   lists_free(&l);
}

static void
add_draw(struct sgt_events *e, const struct sgt_chunk *const *chunks, unsigned num,
         const struct sgt_region *target)
{
   for (unsigned i = 0; i < num;) {
      struct batch batch = { .prims = chunks[i] };
      if (chunks[i]->kind != SGPU_CHUNK_BATCH) {
         e->error = "a tile list without a batch";
         return;
      }
      batch.tiles = &chunks[++i];
      while (i < num && chunks[i]->kind == SGPU_CHUNK_TILE &&
             chunks[i]->batch == batch.prims->batch && chunks[i]->part == batch.prims->part)
         i++;
      batch.num_tiles = &chunks[i] - batch.tiles;
      add_batch(e, &batch, target);
   }
}

/* -- operations ------------------------------------------------------------------------------ */

static uint32_t
order_key(struct sgt_events *e, uint32_t set, const struct sgpu_event_operation *op)
{
   const struct sgt_order_key key = { set, op->order_masks, op->order_rule };

   if (op->order_rule == SGT_ORDER_PROGRAM)
      return 0;
   for (uint32_t i = 0; i < e->num_keys; i++) {
      if (!memcmp(&e->keys[i], &key, sizeof(key)))
         return i + 1;
   }
   if (!sgt_array_reserve(&e->keys, &e->max_keys, e->num_keys + 1, sizeof(*e->keys))) {
      e->failed = true;
      return 0;
   }
   e->keys[e->num_keys++] = key;
   return e->num_keys;
}

static enum sgt_item_kind
transfer_kind(enum sgpu_operation kind)
{
   switch (kind) {
   case SGPU_OPERATION_CLEAR:
      return SGT_ITEM_CLEAR;
   case SGPU_OPERATION_COPY:
   case SGPU_OPERATION_BLIT:
   case SGPU_OPERATION_RESOLVE:
   case SGPU_OPERATION_COPY_BUFFER:
      return SGT_ITEM_COPY;
   case SGPU_OPERATION_FILL_BUFFER:
      return SGT_ITEM_FILL;
   default:
      return SGT_ITEM_DIRECT;
   }
}

const struct sgpu_event_operation *
sgt_events_operation(const struct sgt_chunk *chunk)
{
   const struct sgpu_event_operation *op = (const struct sgpu_event_operation *)chunk->words;

   if (chunk->kind != SGPU_CHUNK_OPERATION || chunk->num_words < sizeof(*op) / 4 ||
       op->type != SGPU_EVENT_OPERATION)
      return NULL;
   const uint64_t words = (sizeof(*op) + op->regions * sizeof(struct sgpu_event_region)) / 4;
   return chunk->num_words < words ? NULL : op;
}

/* Rejects operations that the models of the 1999 engine don't support: compute grids, and draws
 * whose shaders write memory. Returns true if the operation is rejected. Only the first rejected
 * operation sets an error message.
 */
static bool
events_refuse(struct sgt_events *e, const struct sgt_place *place,
              const struct sgpu_event_operation *op, const struct sgpu_event_region *r)
{
   const unsigned how = SGPU_EVENT_REGION_TARGET | SGPU_EVENT_REGION_XFB;
   bool writes = false;

   for (unsigned i = 0; i < op->regions && op->kind == SGPU_OPERATION_DRAW; i++)
      writes |= (r[i].flags & SGPU_EVENT_REGION_WRITE) && !(r[i].flags & how);
   if (!writes && op->kind != SGPU_OPERATION_GRID)
      return false;
   if (e->error)
      return true;
   if (writes)
      snprintf(e->refused, sizeof(e->refused),
               "submission %" PRIu64 ", packet %u (draw %u): a program of the draw writes memory; "
               "the engine of 1999 does not support that",
               place->submission, op->packet, place->first_draw + op->draw - 1);
   else
      snprintf(e->refused, sizeof(e->refused),
               "submission %" PRIu64 ", packet %u is a grid; the engine of 1999 has only draws "
               "and transfers",
               place->submission, op->packet);
   e->error = e->refused;
   return true;
}

static void
add_warps(struct sgt_events *e, const struct sgpu_event_operation *op, uint32_t first_item,
          const struct sgt_chunk *const *chunks, unsigned num, const struct sgt_chunk *const *warps,
          unsigned num_warps)
{
   struct sgt_batch_items *batches = malloc((num + 1) * sizeof(*batches));
   unsigned num_batches = 0;

   if (!batches) {
      e->failed = true;
      return;
   }
   for (unsigned i = 0; i < num; i++) {
      if (chunks[i]->kind != SGPU_CHUNK_BATCH)
         continue;
      batches[num_batches++] = (struct sgt_batch_items){ chunks[i]->batch, chunks[i]->part,
                                                         first_item };
      first_item += chunks[i]->num_words / (sizeof(struct sgpu_event_primitive) / 4);
   }
   sgt_warps_operation(e->warps, op, warps, num_warps, batches, num_batches);
   free(batches);
   e->error = e->error ? e->error : e->warps->error;
   e->failed |= e->warps->failed;
}

void
sgt_events_add(struct sgt_events *e, const struct sgt_place *place, const struct sgt_chunk *chunks)
{
   const struct sgpu_event_operation *op = NULL;
   const struct sgt_chunk *own = NULL;
   unsigned num = 0, num_warps = 0;

   for (const struct sgt_chunk *c = chunks; c; c = c->next)
      own = c->kind == SGPU_CHUNK_OPERATION ? c : own;
   op = own ? sgt_events_operation(own) : NULL;
   if (!op) {
      e->error = "an operation has no record";
      return;
   }
   if (!(op->flags & SGPU_EVENT_OPERATION_HAPPENS))
      return;
   if (!e->warps && events_refuse(e, place, op, (const struct sgpu_event_region *)(op + 1)))
      return;
   const struct sgt_chunk **sorted = sort_chunks(chunks, false, &num);
   const struct sgt_chunk **warps = sort_chunks(chunks, true, &num_warps);
   struct sgt_region *sources = malloc(SGT_EVENTS_REGIONS * sizeof(*sources));
   if (!sorted || !warps || !sources) {
      e->failed = true;
      goto out;
   }

   const struct sgpu_event_region *regions = (const struct sgpu_event_region *)(op + 1);
   struct sgt_region destination;
   const bool writes = sgt_events_destination(e, op, regions, op->regions, &destination);
   const bool draw = op->kind == SGPU_OPERATION_DRAW;
   struct sgt_operation o = {
      .submission = place->submission,
      .packet = op->packet,
      .draw = draw ? place->first_draw + op->draw - 1 : UINT32_MAX,
      .frame = place->frame,
      .blends = op->flags & SGPU_EVENT_OPERATION_READS_COLOR,
      .order = op->order_rule,
      .order_key = draw ? order_key(e, destination.set, op) : 0,
      .state = place->state,
      .samples = MAX2(op->samples, 1),
      .depth_samples = 1,
      .color_samples = 1,
   };
   for (unsigned i = 0; i < num; i++) {
      if (sorted[i]->kind == SGPU_CHUNK_TILE)
         find_values(e, sorted[i], &o);
   }
   sgt_trace_builder_operation(e->builder, &o);
   const uint64_t constants = sgt_events_targets(e, own,
                                                 (const uint32_t *)(regions + op->regions) -
                                                    own->words);
   const unsigned num_sources = sgt_events_sources(e, regions, op->regions, sources);
   if (num_sources)
      sgt_trace_builder_sources(e->builder, sources, num_sources);
   const uint32_t first_item = sgt_trace_builder_items(e->builder);
   if (draw) {
      add_draw(e, sorted, num, &destination);
   } else if (writes && op->kind != SGPU_OPERATION_GRID) {
      sgt_trace_builder_item(e->builder, &(struct sgt_item){
                                            .kind = transfer_kind(op->kind),
                                            .destination = destination,
                                         });
   }
   if (e->warps) {
      add_warps(e, op, first_item, sorted, num, warps, num_warps);
      sgt_warps_constants(e->warps, own, constants);
      e->error = e->error ? e->error : e->warps->error;
      e->failed |= e->warps->failed;
   }
out:
   free(sources);
   free(warps);
   free(sorted);
}

void
sgt_events_direct(struct sgt_events *e, const struct sgt_place *place, uint64_t begin, uint64_t end,
                  uint64_t bo_begin, uint64_t bo_end, bool write)
{
   const struct sgt_region region = sgt_events_buffer(e->builder, begin, end, bo_begin, bo_end);
   struct sgt_item item = { .kind = SGT_ITEM_DIRECT, .destination = region };

   sgt_trace_builder_operation(e->builder, &(struct sgt_operation){
                                              .submission = place->submission,
                                              .draw = UINT32_MAX,
                                              .frame = place->frame,
                                              .state = place->state,
                                              .samples = 1,
                                              .depth_samples = 1,
                                              .color_samples = 1,
                                           });
   if (e->warps)
      sgt_warps_nothing(e->warps);
   if (!write) {
      const struct sgt_piece nothing = { 0 };
      sgt_trace_builder_sources(e->builder, &region, 1);
      item.destination.set = sgt_trace_builder_set(e->builder, &nothing, 1);
   }
   sgt_trace_builder_item(e->builder, &item);
}

void
sgt_events_finish(struct sgt_events *e)
{
   sgt_trace_builder_destroy(e->builder);
   free(e->keys);
   *e = (struct sgt_events){ .warps = e->warps };
}
