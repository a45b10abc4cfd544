/* SPDX-License-Identifier: MIT */
/*
 * Transform feedback: writes a batch's recorded primitives to the buffers.
 */
#include "geometry/xfb/sgd_xfb.h"

#include <string.h>

#include "common/sgd_batch.h"
#include "util/macros.h"

static bool
bound(const struct sgd_xfb_config *config, unsigned buffer)
{
   return config->buffer[buffer].counter != NULL;
}

static const char *
check_elements(const struct sgd_xfb_config *config)
{
   uint8_t streams[SGD_MAX_XFB_BUFFERS] = { 0 };
   unsigned words = 0;

   for (unsigned i = 0; i < config->num_elements; i++) {
      const struct SGPU_XFB_OUTPUT *e = &config->element[i];

      words += e->components;
      if (!e->components)
         return "XFB OUTPUTS: an element without components";
      streams[e->buffer] |= 1 << e->vertex_stream;
      if (e->first + e->components > 4)
         return "XFB OUTPUTS: components beyond the fourth";
      if (e->offset + e->components > config->stride[e->buffer])
         return "XFB OUTPUTS: an element is not inside the buffer's stride";
      if (streams[e->buffer] & (streams[e->buffer] - 1))
         return "XFB OUTPUTS: a buffer of two vertex streams";
   }
   return words > SGD_MAX_XFB_WORDS ? "XFB OUTPUTS: more than 256 components" : NULL;
}

static void
add_buffer(struct sgd_xfb_state *st, const struct sgd_xfb_config *config, unsigned buffer,
           unsigned stream)
{
   struct sgd_xfb_buffer *b = &st->buffer[buffer];

   b->first = st->num_words;
   for (unsigned i = 0; i < config->num_elements; i++) {
      const struct SGPU_XFB_OUTPUT *e = &config->element[i];
      if (e->buffer != buffer || e->vertex_stream != stream)
         continue;
      for (unsigned c = 0; c < e->components; c++) {
         st->word[st->num_words].output = e->output;
         st->word[st->num_words].comp = e->first + c;
         st->word[st->num_words].offset = e->offset + c;
         st->num_words++;
      }
   }
   b->words = st->num_words - b->first;
   if (!b->words)
      return;

   b->ptr = config->buffer[buffer].ptr;
   b->size = config->buffer[buffer].size;
   b->counter = config->buffer[buffer].counter;
   b->stride = config->stride[buffer] * 4;
   b->stream = stream;
   b->dense = b->words * 4u == b->stride;
   for (unsigned i = 0; i < b->words; i++)
      b->dense &= st->word[b->first + i].offset == i;
}

const char *
sgd_xfb_prepare(struct sgd_xfb_state *st, const struct sgd_xfb_config *config)
{
   const char *error = check_elements(config);

   memset(st, 0, sizeof(*st));
   if (error)
      return error;
   for (unsigned s = 0; s < SGPU_MAX_VERTEX_STREAMS; s++) {
      st->stream[s].first = st->num_words;
      for (unsigned b = 0; b < SGD_MAX_XFB_BUFFERS; b++) {
         if (bound(config, b) && !st->buffer[b].words)
            add_buffer(st, config, b, s);
      }
      st->stream[s].words = st->num_words - st->stream[s].first;
   }
   return NULL;
}

void
sgd_xfb_place(struct sgd_batch *batch)
{
   const struct sgd_xfb_state *st = &batch->draw->state->xfb;
   struct sgd_xfb_records *records = &batch->xfb;
   uint64_t at[SGD_MAX_XFB_BUFFERS];

   /* Find out how many primitives of each vertex stream fit in the buffers. The byte counters are
    * read only once, since their memory can change at any time.
    */
   for (unsigned s = 0; s < SGPU_MAX_VERTEX_STREAMS; s++) {
      records->stream[s].written = records->stream[s].prims;
      batch->xfb_stats.needed[s] = records->stream[s].prims;
   }
   for (unsigned i = 0; i < SGD_MAX_XFB_BUFFERS; i++) {
      const struct sgd_xfb_buffer *b = &st->buffer[i];
      if (!b->words)
         continue;

      struct sgd_xfb_list *list = &records->stream[b->stream];
      const uint64_t size = (uint64_t)b->stride * records->vertices;
      at[i] = __atomic_load_n(b->counter, __ATOMIC_RELAXED);
      const uint64_t room = list->prims && at[i] < b->size ? (b->size - at[i]) / size : 0;
      list->written = MIN2(list->written, room);
   }
   for (unsigned i = 0; i < SGD_MAX_XFB_BUFFERS; i++) {
      const struct sgd_xfb_buffer *b = &st->buffer[i];
      if (!b->words)
         continue;

      records->place[i] = at[i];
      at[i] += (uint64_t)b->stride * records->vertices * records->stream[b->stream].written;
      __atomic_store_n(b->counter, at[i], __ATOMIC_RELAXED);
   }
   for (unsigned s = 0; s < SGPU_MAX_VERTEX_STREAMS; s++)
      batch->xfb_stats.written[s] = records->stream[s].written;
}

/* Writes `count` vertices to dst. A vertex in src has `words` words, which are all recorded words
 * of the buffer's vertex stream.
 */
static void
write_vertices(const struct sgd_xfb_state *st, const struct sgd_xfb_buffer *b, uint8_t *dst,
               const uint32_t *src, unsigned words, uint32_t count)
{
   if (b->dense && b->words == words) {
      memcpy(dst, src, (size_t)count * b->stride);
      return;
   }
   src += b->first - st->stream[b->stream].first;
   for (uint32_t i = 0; i < count; i++, src += words, dst += b->stride) {
      if (b->dense) {
         memcpy(dst, src, b->stride);
         continue;
      }
      for (unsigned w = 0; w < b->words; w++)
         memcpy(dst + st->word[b->first + w].offset * 4, src + w, 4);
   }
}

void
sgd_xfb_write(const struct sgd_batch *batch)
{
   const struct sgd_xfb_state *st = &batch->draw->state->xfb;
   const struct sgd_xfb_records *records = &batch->xfb;

   for (unsigned i = 0; i < SGD_MAX_XFB_BUFFERS; i++) {
      const struct sgd_xfb_buffer *b = &st->buffer[i];
      if (!b->words)
         continue;

      const struct sgd_xfb_list *list = &records->stream[b->stream];
      uint32_t left = list->written * records->vertices;
      /* records->place[] is only valid if there are primitives to write. */
      if (!left)
         continue;
      uint8_t *dst = b->ptr + records->place[i];
      for (const struct sgd_xfb_chunk *chunk = list->first; left; chunk = chunk->next) {
         const uint32_t count = MIN2(left, chunk->count);
         write_vertices(st, b, dst, chunk->data, st->stream[b->stream].words, count);
         dst += (size_t)count * b->stride;
         left -= count;
      }
   }
}
