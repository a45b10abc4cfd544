/* SPDX-License-Identifier: MIT */
/*
 * Transform feedback: records primitives of the last stage in the batch's arena.
 */
#include "geometry/front/sgd_xfb_record.h"

#include <string.h>

#include "geometry/front/sgd_front.h"
#include "util/macros.h"

/* Approximate size in bytes of the vertices in a chunk. */
#define CHUNK_BYTES 8192

static struct sgd_xfb_chunk *
chunk_for(struct sgd_front *f, struct sgd_xfb_list *list, unsigned n, unsigned words)
{
   struct sgd_xfb_chunk *chunk = list->last;

   if (chunk && chunk->count + n <= chunk->capacity)
      return chunk;

   const unsigned capacity = MAX2(CHUNK_BYTES / (n * words * 4), 1) * n;
   chunk = sgd_front_alloc(f, sizeof(*chunk) + (size_t)capacity * words * 4);
   if (!chunk)
      return NULL;
   chunk->next = NULL;
   chunk->count = 0;
   chunk->capacity = capacity;
   if (list->last)
      list->last->next = chunk;
   else
      list->first = chunk;
   list->last = chunk;
   return chunk;
}

static void
record(struct sgd_front *f, unsigned stream, const struct sgd_vertex *const *v, unsigned n)
{
   const struct sgd_xfb_state *st = &f->state->xfb;
   struct sgd_xfb_records *records = &f->batch->xfb;
   const unsigned words = st->stream[stream].words;

   /* Later stages count the primitives that they generate. */
   if (!f->second)
      f->batch->stats.generated[stream]++;
   if (!words)
      return;
   struct sgd_xfb_chunk *chunk = chunk_for(f, &records->stream[stream], n, words);
   if (!chunk)
      return;

   uint32_t *dst = chunk->data + (size_t)chunk->count * words;
   for (unsigned i = 0; i < n; i++, dst += words)
      memcpy(dst, sgd_vertex_xfb(f, v[i]) + st->stream[stream].first, words * 4);
   chunk->count += n;
   records->stream[stream].prims++;
   records->vertices = n;
}

void
sgd_xfb_point(struct sgd_front *f, unsigned stream, const struct sgd_vertex *v)
{
   record(f, stream, &v, 1);
}

void
sgd_xfb_line(struct sgd_front *f, unsigned stream, const struct sgd_vertex *v0,
             const struct sgd_vertex *v1)
{
   const struct sgd_vertex *v[2] = { v0, v1 };

   record(f, stream, v, 2);
}

void
sgd_xfb_triangle(struct sgd_front *f, unsigned stream, const struct sgd_vertex *v0,
                 const struct sgd_vertex *v1, const struct sgd_vertex *v2, unsigned corner)
{
   const struct sgd_vertex *v[5] = { v0, v1, v2, v0, v1 };

   /* Rotate the triangle so that the provoking vertex is the first or the last vertex. */
   record(f, stream, v + (f->state->rast.flatshade_first ? corner : (corner + 1) % 3), 3);
}
