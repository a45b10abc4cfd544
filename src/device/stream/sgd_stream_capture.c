/* SPDX-License-Identifier: MIT */
/*
 * Stream output: primitives of the last geometry stage to the batch's arena.
 */
#include "front/sgd_front.h"

/* Of a chunk's vertices, about. */
#define CHUNK_BYTES 8192

static struct sgd_stream_chunk *
chunk_for(struct sgd_front *f, struct sgd_stream_list *list, unsigned n, unsigned words)
{
   struct sgd_stream_chunk *chunk = list->last;

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
capture(struct sgd_front *f, unsigned stream, const struct sgd_vertex *const *v, unsigned n)
{
   const struct sgd_stream_state *st = &f->state->stream;
   struct sgd_stream_capture *captured = &f->batch->capture;
   const unsigned words = st->stream[stream].words;

   /* Geometry programs' are counted where they are made. */
   if (!f->geometry)
      f->batch->stats.generated[stream]++;
   if (!words)
      return;
   struct sgd_stream_chunk *chunk = chunk_for(f, &captured->stream[stream], n, words);
   if (!chunk)
      return;

   uint32_t *dst = chunk->data + (size_t)chunk->count * words;
   for (unsigned i = 0; i < n; i++, dst += words)
      memcpy(dst, sgd_vertex_captured(f, v[i]) + st->stream[stream].first, words * 4);
   chunk->count += n;
   captured->stream[stream].prims++;
   captured->vertices = n;
}

void
sgd_stream_point(struct sgd_front *f, unsigned stream, const struct sgd_vertex *v)
{
   capture(f, stream, &v, 1);
}

void
sgd_stream_line(struct sgd_front *f, unsigned stream, const struct sgd_vertex *v0,
                const struct sgd_vertex *v1)
{
   const struct sgd_vertex *v[2] = { v0, v1 };

   capture(f, stream, v, 2);
}

void
sgd_stream_triangle(struct sgd_front *f, unsigned stream, const struct sgd_vertex *v0,
                    const struct sgd_vertex *v1, const struct sgd_vertex *v2, unsigned corner)
{
   const struct sgd_vertex *v[5] = { v0, v1, v2, v0, v1 };

   /* Turned so that the provoking vertex is the first, or the last. */
   capture(f, stream, v + (f->state->rast.flatshade_first ? corner : (corner + 1) % 3), 3);
}
