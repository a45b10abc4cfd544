/* SPDX-License-Identifier: MIT */
#include "draw_numbers.h"

#include "pipe/p_context.h"
#include "pipe/p_state.h"
#include "sgpu/sgpu_public.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_vbuf.h"

void __real_u_vbuf_draw_vbo(struct pipe_context *pipe, const struct pipe_draw_info *info,
                            unsigned drawid_offset, const struct pipe_draw_indirect_info *indirect,
                            const struct pipe_draw_start_count_bias *draws, unsigned num_draws);
void __wrap_u_vbuf_draw_vbo(struct pipe_context *pipe, const struct pipe_draw_info *info,
                            unsigned drawid_offset, const struct pipe_draw_indirect_info *indirect,
                            const struct pipe_draw_start_count_bias *draws, unsigned num_draws);

/* Copies `count` words from a buffer.  Returns false if the words are not inside the buffer. */
static bool
read_words(struct pipe_context *pipe, struct pipe_resource *buffer, uint64_t offset, unsigned count,
           uint32_t *out)
{
   if (offset + count * 4 > buffer->width0)
      return false;
   memset(out, 0, count * 4);
   pipe_buffer_read(pipe, buffer, offset, count * 4, out);
   return true;
}

static void
read_recorded(struct pipe_context *pipe, const struct pipe_draw_info *info,
              struct pipe_stream_output_target *target, draw_numbers_func draw, void *data)
{
   struct pipe_draw_start_count_bias parameters = { .count = 0 };
   unsigned stride;
   const uint64_t bytes = sgpu_xfb_written(pipe, target, &stride);

   parameters.count = stride ? bytes / stride : 0;
   if (parameters.count && info->instance_count)
      draw(data, info, 0, &parameters);
}

void
draw_numbers_read(struct pipe_context *pipe, const struct pipe_draw_info *info,
                  unsigned drawid_offset, const struct pipe_draw_indirect_info *indirect,
                  draw_numbers_func draw, void *data)
{
   struct pipe_draw_info one = *info;
   uint32_t count = indirect->draw_count;

   one.take_index_buffer_ownership = false;
   if (indirect->count_from_stream_output) {
      read_recorded(pipe, &one, indirect->count_from_stream_output, draw, data);
      return;
   }
   if (indirect->indirect_draw_count) {
      uint32_t limit;
      if (!read_words(pipe, indirect->indirect_draw_count, indirect->indirect_draw_count_offset, 1,
                      &limit))
         return;
      count = MIN2(count, limit);
   }
   for (unsigned i = 0; i < count; i++) {
      uint32_t word[5];

      if (!read_words(pipe, indirect->buffer, indirect->offset + (uint64_t)i * indirect->stride,
                      info->index_size ? 5 : 4, word))
         break;
      const struct pipe_draw_start_count_bias parameters = {
         .count = word[0],
         .start = word[2],
         .index_bias = info->index_size ? word[3] : 0,
      };
      one.instance_count = word[1];
      one.start_instance = word[info->index_size ? 4 : 3];
      if (parameters.count && one.instance_count)
         draw(data, &one, drawid_offset + i, &parameters);
   }
}

void
draw_numbers_release_indices(const struct pipe_draw_info *info)
{
   if (info->index_size && !info->has_user_indices && info->take_index_buffer_ownership) {
      struct pipe_resource *buffer = info->index.resource;
      pipe_resource_reference(&buffer, NULL);
   }
}

static void
draw_arrays_of_program(void *pipe, const struct pipe_draw_info *info, unsigned drawid_offset,
                       const struct pipe_draw_start_count_bias *draw)
{
   __real_u_vbuf_draw_vbo(pipe, info, drawid_offset, NULL, draw, 1);
}

/* Draws whose vertices u_vbuf copies, because they are in the program's memory.  It must know which
 * vertices these are.
 */
void
__wrap_u_vbuf_draw_vbo(struct pipe_context *pipe, const struct pipe_draw_info *info,
                       unsigned drawid_offset, const struct pipe_draw_indirect_info *indirect,
                       const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   if (!indirect) {
      __real_u_vbuf_draw_vbo(pipe, info, drawid_offset, NULL, draws, num_draws);
      return;
   }
   draw_numbers_read(pipe, info, drawid_offset, indirect, draw_arrays_of_program, pipe);
   draw_numbers_release_indices(info);
}
