/* SPDX-License-Identifier: MIT */
/*
 * Removes restart indices from draws of GL_FEEDBACK and GL_SELECT.
 */
#include "feedback_strips.h"

#include "main/context.h"
#include "state_tracker/st_context.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_memory.h"

/* Copies indices to `out`.  Indices outside of the buffer read as zero. */
static void
read_indices(struct feedback *f, const struct pipe_draw_info *info, uint64_t first, uint64_t count,
             uint8_t *out)
{
   const uint64_t begin = first * info->index_size;
   uint64_t bytes = count * info->index_size;

   if (info->has_user_indices) {
      memcpy(out, (const uint8_t *)info->index.user + begin, bytes);
      return;
   }
   struct pipe_resource *buffer = info->index.resource;
   const uint64_t room = begin < buffer->width0 ? buffer->width0 - begin : 0;
   memset(out, 0, bytes);
   bytes = MIN2(bytes, room);
   if (bytes)
      pipe_buffer_read(f->ctx->st->pipe, buffer, begin, bytes, out);
}

static uint32_t
load_index(const uint8_t *at, unsigned size)
{
   return size == 1 ? *at : size == 2 ? *(const uint16_t *)at : *(const uint32_t *)at;
}

/* Removes the restart indices from `count` indices of a draw, which have been copied to
 * strips->indices at position `first`.  Appends the length of each strip to strips->length.
 * Returns the number of remaining indices.
 */
static unsigned
remove_restarts(struct feedback_strips *strips, const struct pipe_draw_info *info, unsigned first,
                unsigned count)
{
   const unsigned size = info->index_size;
   uint8_t *const from = strips->indices + (size_t)first * size;
   unsigned kept = 0, begin = 0;

   for (unsigned i = 0; i <= count; i++) {
      const uint32_t index = i < count ? load_index(from + (size_t)i * size, size) : 0;

      if (i == count || index == info->restart_index) {
         if (kept > begin)
            util_dynarray_append(&strips->length, unsigned, kept - begin);
         begin = kept;
         continue;
      }
      memmove(from + (size_t)kept * size, from + (size_t)i * size, size);
      strips->min_index = MIN2(strips->min_index, index);
      strips->max_index = MAX2(strips->max_index, index);
      kept++;
   }
   return kept;
}

void
feedback_strips_fini(struct feedback_strips *strips)
{
   util_dynarray_fini(&strips->length);
   FREE(strips->indices);
   FREE(strips->end);
   FREE(strips->draws);
}

bool
feedback_strips_init(struct feedback_strips *strips, struct feedback *f,
                     const struct pipe_draw_info *info,
                     const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   const bool restart = info->index_size && info->primitive_restart;
   size_t count = 0;

   *strips = (struct feedback_strips){ .min_index = ~0u };
   util_dynarray_init(&strips->length, NULL);
   strips->draws = MALLOC(num_draws * sizeof(*draws));
   strips->end = MALLOC(num_draws * sizeof(*strips->end));
   for (unsigned i = 0; i < num_draws; i++)
      count += draws[i].count;
   if (restart)
      strips->indices = MALLOC(count * info->index_size);
   if (!strips->draws || !strips->end || (restart && !strips->indices)) {
      feedback_strips_fini(strips);
      return false;
   }

   memcpy(strips->draws, draws, num_draws * sizeof(*draws));
   unsigned first = 0;
   for (unsigned i = 0; i < num_draws; i++) {
      struct pipe_draw_start_count_bias *draw = &strips->draws[i];

      if (restart) {
         read_indices(f, info, draw->start, draw->count,
                      strips->indices + (size_t)first * info->index_size);
         draw->start = first;
         draw->count = remove_restarts(strips, info, first, draw->count);
         first += draws[i].count;
      } else if (draw->count) {
         util_dynarray_append(&strips->length, unsigned, draw->count);
      }
      strips->end[i] = util_dynarray_num_elements(&strips->length, unsigned);
   }
   return true;
}

uint32_t
feedback_strips_place(struct util_dynarray *pieces, const struct feedback_strips *strips,
                      unsigned num_draws, unsigned instances)
{
   const unsigned *length = strips->length.data;
   uint32_t at = 0;

   for (unsigned i = 0; i < num_draws; i++) {
      for (unsigned n = 0; n < instances; n++) {
         for (unsigned s = i ? strips->end[i - 1] : 0; s < strips->end[i]; s++) {
            const struct pipe_draw_start_count_bias piece = { .start = at, .count = length[s] };

            at += length[s];
            util_dynarray_append(pieces, struct pipe_draw_start_count_bias, piece);
         }
      }
   }
   return at;
}
