/* SPDX-License-Identifier: MIT */
/*
 * Chunks of operations: the record, and the targets behind its regions.
 */
#include <assert.h>

#include "sgt_events.h"

static_assert(
   SGT_TARGET_DEPTH == SGPU_EVENT_TARGET_DEPTH && SGT_TARGET_STENCIL == SGPU_EVENT_TARGET_STENCIL &&
      SGT_TARGET_READ == SGPU_EVENT_TARGET_READ && SGT_TARGET_WRITE == SGPU_EVENT_TARGET_WRITE &&
      SGT_TARGET_BLEND == SGPU_EVENT_TARGET_BLEND && SGT_TARGET_EARLY == SGPU_EVENT_TARGET_EARLY &&
      SGT_TARGET_TILED == SGPU_EVENT_TARGET_TILED && SGT_TARGET_BUFFER == SGPU_EVENT_TARGET_BUFFER,
   "flags of targets are those of the records");

const struct sgpu_event_operation *
sgt_events_operation(const struct sgt_chunk *chunk)
{
   const struct sgpu_event_operation *op = (const struct sgpu_event_operation *)chunk->words;

   if (chunk->kind != SGPU_CHUNK_OPERATION || chunk->num_words < sizeof(*op) / 4 ||
       op->type != SGPU_EVENT_OPERATION)
      return NULL;
   const uint64_t words = (sizeof(*op) + op->regions * sizeof(struct sgpu_event_region)) / 4;
   if (chunk->num_words < words ||
       (chunk->num_words - words) % (sizeof(struct sgpu_event_target) / 4))
      return NULL;
   return op;
}

void
sgt_events_targets(struct sgt_events *e, const struct sgt_chunk *chunk,
                   const struct sgpu_event_target *r)
{
   const uint64_t num = (chunk->words + chunk->num_words - (const uint32_t *)r) / (sizeof(*r) / 4);

   for (uint64_t i = 0; i < num; i++) {
      if (r[i].type != SGPU_EVENT_TARGET || !r[i].samples || !r[i].bytes) {
         e->error = "a record behind the regions is no target";
         return;
      }
      const struct sgt_target target = {
         .origin = r[i].origin,
         .layer_stride = r[i].layer_stride,
         .sample_stride = r[i].sample_stride,
         .pitch = r[i].pitch,
         .width = r[i].width,
         .height = r[i].height,
         .x0 = r[i].x0,
         .y0 = r[i].y0,
         .x1 = r[i].x1,
         .y1 = r[i].y1,
         .layers = r[i].layers,
         .samples = r[i].samples,
         .bytes = r[i].bytes,
         .slot = r[i].slot,
         .flags = r[i].flags,
      };
      sgt_trace_builder_target(e->builder, &target);
   }
}
