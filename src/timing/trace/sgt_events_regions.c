/* SPDX-License-Identifier: MIT */
/*
 * Converts the regions and targets of an operation from the device's records.
 */
#include "trace/sgt_events_regions.h"

#include "trace/sgt_hash.h"
#include "util/macros.h"
#include "util/u_math.h"

#define UNIT 64 /* granularity of buffer regions in bytes */

struct sgt_region
sgt_events_buffer(struct sgt_trace_builder *b, uint64_t begin, uint64_t end, uint64_t bo_begin,
                  uint64_t bo_end)
{
   const struct sgt_piece piece = { .begin = bo_begin, .end = bo_end };

   return (struct sgt_region){
      .set = sgt_trace_builder_set(b, &piece, 1),
      .rect = {
         .x0 = (begin - bo_begin) / UNIT,
         .x1 = DIV_ROUND_UP(end - bo_begin, UNIT),
         .y1 = 1,
      },
   };
}

static struct sgt_piece
piece_of(const struct sgpu_event_region *r, unsigned level, uint32_t width, uint32_t height)
{
   if (!r->storage)
      return (struct sgt_piece){ .begin = r->bo_begin, .end = r->bo_end };

   const uint64_t grid[2] = {
      r->origin,
      (uint64_t)r->pitch << 32 | (uint64_t)r->bpe << 8 |
         (r->flags & SGPU_EVENT_REGION_TILED ? 1 : 0),
   };
   return (struct sgt_piece){
      .begin = r->begin,
      .end = r->end,
      .storage = r->storage,
      .grid = r->flags & SGPU_EVENT_REGION_WHOLE ? 0 : XXH64(grid, sizeof(grid), 0) | 1,
      .level = level,
      .width = width,
      .height = height,
   };
}

unsigned
sgt_events_sources(struct sgt_events *e, const struct sgpu_event_region *r, unsigned count,
                   struct sgt_region *sources)
{
   unsigned num = 0;

   for (unsigned i = 0; i < count; i++) {
      if (r[i].flags & SGPU_EVENT_REGION_WRITE)
         continue;
      if (!r[i].storage) {
         if (num < SGT_EVENTS_REGIONS)
            sources[num++] = sgt_events_buffer(e->builder, r[i].begin, r[i].end, r[i].bo_begin,
                                               r[i].bo_end);
         continue;
      }
      for (unsigned level = 0; level < 16; level++) {
         if (!(r[i].levels >> level & 1) || num >= SGT_EVENTS_REGIONS)
            continue;
         const struct sgt_piece piece = piece_of(&r[i], level, 0, 0);
         sources[num++] = (struct sgt_region){
            .set = sgt_trace_builder_set(e->builder, &piece, 1),
            .first_layer = r[i].first_layer,
            .last_layer = r[i].last_layer,
            .rect = piece.grid ? (struct sgt_rect){ r[i].x0, r[i].y0, r[i].x1, r[i].y1 }
                               : SGT_RECT_ALL,
         };
      }
   }
   if (num == SGT_EVENTS_REGIONS)
      e->error = "an operation has too many regions";
   return num;
}

bool
sgt_events_destination(struct sgt_events *e, const struct sgpu_event_operation *op,
                       const struct sgpu_event_region *r, unsigned count, struct sgt_region *out)
{
   struct sgt_piece pieces[16];
   const struct sgpu_event_region *first = NULL;
   bool layers = true; /* true while all regions have the same layers */
   unsigned num = 0;

   for (unsigned i = 0; i < count; i++) {
      if (!(r[i].flags & SGPU_EVENT_REGION_WRITE))
         continue;
      first = first ? first : &r[i];
      layers &= r[i].first_layer == first->first_layer && r[i].last_layer == first->last_layer;
      if (num == ARRAY_SIZE(pieces)) {
         e->error = "an operation writes too many regions";
         break;
      }
      pieces[num++] = piece_of(&r[i], util_logbase2(MAX2(r[i].levels, 1)), op->width, op->height);
   }
   if (!num)
      pieces[0] = (struct sgt_piece){ 0 }; /* an empty piece */
   *out = (struct sgt_region){
      .set = sgt_trace_builder_set(e->builder, pieces, MAX2(num, 1)),
      .first_layer = first && layers ? first->first_layer : 0,
      .last_layer = first && layers ? first->last_layer : SGT_ALL_LAYERS,
      .rect = { op->x0, op->y0, op->x1, op->y1 },
   };
   if (num == 1 && !first->storage)
      *out = sgt_events_buffer(e->builder, first->begin, first->end, first->bo_begin,
                               first->bo_end);
   return num != 0;
}

static_assert(
   SGT_TARGET_DEPTH == SGPU_EVENT_TARGET_DEPTH && SGT_TARGET_STENCIL == SGPU_EVENT_TARGET_STENCIL &&
      SGT_TARGET_READ == SGPU_EVENT_TARGET_READ && SGT_TARGET_WRITE == SGPU_EVENT_TARGET_WRITE &&
      SGT_TARGET_BLEND == SGPU_EVENT_TARGET_BLEND && SGT_TARGET_EARLY == SGPU_EVENT_TARGET_EARLY &&
      SGT_TARGET_TILED == SGPU_EVENT_TARGET_TILED && SGT_TARGET_BUFFER == SGPU_EVENT_TARGET_BUFFER,
   "flags of targets are those of the records");

uint64_t
sgt_events_targets(struct sgt_events *e, const struct sgt_chunk *chunk, uint64_t at)
{
   const struct sgpu_event_head *head;

   for (; (head = sgt_chunk_record(chunk, at, &e->error)) && head->type == SGPU_EVENT_TARGET;
        at += head->words) {
      const struct sgpu_event_target *r = (const struct sgpu_event_target *)head;
      if (!r->samples || !r->bytes) {
         e->error = "a target has no samples, or elements without bytes";
         break;
      }
      const struct sgt_target target = {
         .origin = r->origin,
         .layer_stride = r->layer_stride,
         .sample_stride = r->sample_stride,
         .pitch = r->pitch,
         .width = r->width,
         .height = r->height,
         .x0 = r->x0,
         .y0 = r->y0,
         .x1 = r->x1,
         .y1 = r->y1,
         .layers = r->layers,
         .samples = r->samples,
         .bytes = r->bytes,
         .slot = r->slot,
         .flags = r->flags,
      };
      sgt_trace_builder_target(e->builder, &target);
   }
   return at;
}
