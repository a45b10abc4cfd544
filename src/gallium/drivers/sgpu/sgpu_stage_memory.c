/* SPDX-License-Identifier: MIT */
/* Storage buffers and images, which shaders can read and write.  The device orders draws and grids
 * by the memory that they read and write.  The driver only binds the memory and records whether the
 * stream writes to it, because mappings must wait for writes.
 */
#include "sgpu_context.h"

#include "util/format/u_format.h"
#include "util/u_inlines.h"

static uint32_t
bits(unsigned start, unsigned count)
{
   return (uint32_t)BITFIELD64_MASK(count) << start;
}

/*
 * Bindings
 */

static void
sgpu_set_shader_buffers(struct pipe_context *pctx, enum pipe_shader_type shader, unsigned start,
                        unsigned count, const struct pipe_shader_buffer *buffers, unsigned writable)
{
   struct sgpu_context *ctx = sgpu_context(pctx);
   const int s = sgpu_stage_index(shader);

   if (s < 0 || !count)
      return;
   assert(start + count <= SGPU_STAGE_BUFFERS);
   struct sgpu_stage_state *stage = &ctx->stage[s];

   for (unsigned i = 0; i < count; i++) {
      struct pipe_shader_buffer *dst = &stage->buffers[start + i];
      const struct pipe_shader_buffer *src = buffers ? &buffers[i] : NULL;

      pipe_resource_reference(&dst->buffer, src ? src->buffer : NULL);
      dst->buffer_offset = src ? src->buffer_offset : 0;
      dst->buffer_size = src ? src->buffer_size : 0;
      if (dst->buffer)
         stage->bound_buffers |= 1u << (start + i);
      else
         stage->bound_buffers &= ~(1u << (start + i));
   }
   stage->writable_buffers &= ~bits(start, count);
   stage->writable_buffers |= writable << start & bits(start, count);
   stage->dirty_buffers |= bits(start, count);
   sgpu_stage_dirty(ctx, s, SGPU_DIRTY_STAGE_BUFFERS);
}

static void
set_image(struct sgpu_context *ctx, enum sgpu_stage_index s, unsigned n,
          const struct pipe_image_view *view)
{
   struct sgpu_stage_state *stage = &ctx->stage[s];

   util_copy_image_view(&stage->images[n], view);
   if (stage->images[n].resource) {
      stage->bound_images |= 1u << n;
      /* Disable fast clears, because image loads don't read the metadata that marks cleared tiles.
       */
      if (view->resource->target != PIPE_BUFFER)
         p_atomic_set(&sgpu_resource(view->resource)->sampled, true);
   } else {
      stage->bound_images &= ~(1u << n);
   }
}

static void
sgpu_set_shader_images(struct pipe_context *pctx, enum pipe_shader_type shader, unsigned start,
                       unsigned count, unsigned unbind_trailing,
                       const struct pipe_image_view *images)
{
   struct sgpu_context *ctx = sgpu_context(pctx);
   const int s = sgpu_stage_index(shader);

   if (s < 0 || !(count + unbind_trailing))
      return;
   assert(start + count + unbind_trailing <= SGPU_STAGE_IMAGES);
   for (unsigned i = 0; i < count; i++)
      set_image(ctx, s, start + i, images ? &images[i] : NULL);
   for (unsigned i = 0; i < unbind_trailing; i++)
      set_image(ctx, s, start + count + i, NULL);
   ctx->stage[s].dirty_images |= bits(start, count + unbind_trailing);
   sgpu_stage_dirty(ctx, s, SGPU_DIRTY_STAGE_IMAGES);
}

void
sgpu_stage_memory_rebind(struct sgpu_context *ctx, const struct pipe_resource *res)
{
   for (unsigned s = 0; s < SGPU_NUM_STAGES; s++) {
      struct sgpu_stage_state *stage = &ctx->stage[s];

      u_foreach_bit64(i, stage->bound_buffers) {
         if (stage->buffers[i].buffer == res) {
            stage->dirty_buffers |= 1u << i;
            sgpu_stage_dirty(ctx, s, SGPU_DIRTY_STAGE_BUFFERS);
         }
      }
      u_foreach_bit64(i, stage->bound_images) {
         if (stage->images[i].resource == res) {
            stage->dirty_images |= 1u << i;
            sgpu_stage_dirty(ctx, s, SGPU_DIRTY_STAGE_IMAGES);
         }
      }
   }
}

void
sgpu_stage_memory_fini(struct sgpu_context *ctx)
{
   for (unsigned s = 0; s < SGPU_NUM_STAGES; s++) {
      for (unsigned i = 0; i < SGPU_STAGE_BUFFERS; i++)
         pipe_resource_reference(&ctx->stage[s].buffers[i].buffer, NULL);
      for (unsigned i = 0; i < SGPU_STAGE_IMAGES; i++)
         pipe_resource_reference(&ctx->stage[s].images[i].resource, NULL);
   }
}

void
sgpu_stage_memory_init(struct pipe_context *pctx)
{
   pctx->set_shader_buffers = sgpu_set_shader_buffers;
   pctx->set_shader_images = sgpu_set_shader_images;
}

/* Returns a bitmask of the buffers that the shader writes.  It may contain buffers that Mesa has
 * not declared writable.
 */
static uint32_t
buffers_written(const struct sgpu_stage_state *stage)
{
   const struct sgpu_shader_state *shader = stage->shader;

   return shader && shader->compiled ? shader->compiled->program.info.buffers_written : 0;
}

static uint32_t
images_written(const struct sgpu_stage_state *stage)
{
   const struct sgpu_shader_state *shader = stage->shader;

   return shader && shader->compiled ? shader->compiled->program.info.images_written : 0;
}

void
sgpu_stage_memory_bind_shader(struct sgpu_context *ctx, enum sgpu_stage_index s)
{
   struct sgpu_stage_state *stage = &ctx->stage[s];
   const uint32_t buffers = stage->bound_buffers & buffers_written(stage);
   const uint32_t images = stage->bound_images & images_written(stage);

   stage->dirty_buffers |= buffers;
   stage->dirty_images |= images;
   sgpu_stage_dirty(ctx, s,
                    (buffers ? SGPU_DIRTY_STAGE_BUFFERS : 0) |
                       (images ? SGPU_DIRTY_STAGE_IMAGES : 0));
}

/* The functions below write packets with the changed bindings.  A packet contains all bindings from
 * the first to the last one that has changed.
 */

static uint64_t
use_buffer(struct sgpu_context *ctx, struct pipe_resource *pres, unsigned offset, unsigned size,
           bool write)
{
   struct sgpu_resource *res = sgpu_resource(pres);

   /* Add the range to the valid range again, because the buffer may have new storage, which starts
    * with an empty valid range.
    */
   if (write)
      util_range_add(pres, &res->b.valid_buffer_range, offset, offset + size);
   return sgpu_resource_address(&ctx->cs, res, offset, write);
}

void
sgpu_emit_buffers(struct sgpu_context *ctx, enum sgpu_stage_index s)
{
   struct sgpu_stage_state *stage = &ctx->stage[s];

   if (!stage->dirty_buffers)
      return;
   const unsigned first = ffs(stage->dirty_buffers) - 1;
   const unsigned count = util_last_bit(stage->dirty_buffers) - first;
   const uint32_t written = stage->writable_buffers | buffers_written(stage);
   uint32_t *out = sgpu_cs_get(&ctx->cs, SGPU_BUFFERS_length(count));

   sgpu_pack(out, BUFFERS, cfg) {
      cfg.tail_count = count;
      cfg.stage = sgpu_stages[s].device;
      cfg.first = first;
   }
   for (unsigned i = 0; i < count; i++) {
      const struct pipe_shader_buffer *sb = &stage->buffers[first + i];

      sgpu_pack(SGPU_BUFFERS_tail(out, i), BUFFER, cfg) {
         if (sb->buffer && sb->buffer_offset < sb->buffer->width0) {
            cfg.size = MIN2(sb->buffer_size, sb->buffer->width0 - sb->buffer_offset);
            cfg.address = use_buffer(ctx, sb->buffer, sb->buffer_offset, cfg.size,
                                     written & 1u << (first + i));
         }
      }
   }
   stage->dirty_buffers = 0;
}

void
sgpu_emit_image(struct sgpu_context *ctx, const struct pipe_image_view *view, bool written,
                uint32_t *out)
{
   struct SGPU_TEXTURE desc;

   if (sgpu_describe_image(view, &desc)) {
      struct sgpu_resource *res = sgpu_resource(view->resource);

      if (view->resource->target == PIPE_BUFFER) {
         const unsigned bytes = desc.width * util_format_get_blocksize(view->format);
         desc.address = use_buffer(ctx, view->resource, view->u.buf.offset, bytes, written);
      } else {
         sgpu_cs_use(&ctx->cs, res->storage, written);
         sgpu_display_note(res, written);
      }
   } else {
      desc = (struct SGPU_TEXTURE){ 0 };
   }
   SGPU_TEXTURE_pack(out, &desc);
}

void
sgpu_emit_images(struct sgpu_context *ctx, enum sgpu_stage_index s)
{
   struct sgpu_stage_state *stage = &ctx->stage[s];

   if (!stage->dirty_images)
      return;
   const unsigned first = ffs(stage->dirty_images) - 1;
   const unsigned count = util_last_bit(stage->dirty_images) - first;
   uint32_t *out = sgpu_cs_get(&ctx->cs, SGPU_IMAGES_length(count));

   sgpu_pack(out, IMAGES, cfg) {
      cfg.tail_count = count;
      cfg.stage = sgpu_stages[s].device;
      cfg.first = first;
   }
   for (unsigned i = 0; i < count; i++) {
      const struct pipe_image_view *view = &stage->images[first + i];
      const bool written = (view->shader_access & PIPE_IMAGE_ACCESS_WRITE) ||
                           (images_written(stage) & 1u << (first + i));

      sgpu_emit_image(ctx, view, written, SGPU_IMAGES_tail(out, i));
   }
   stage->dirty_images = 0;
}

void
sgpu_refresh_images(struct sgpu_context *ctx, enum sgpu_stage_index s)
{
   const struct sgpu_stage_state *stage = &ctx->stage[s];

   u_foreach_bit64(i, stage->bound_images) {
      if (stage->images[i].resource->target == PIPE_BUFFER)
         continue;
      struct sgpu_resource *res = sgpu_resource(stage->images[i].resource);
      if (stage->dirty & SGPU_DIRTY_STAGE_IMAGES)
         sgpu_display_refresh_queued(ctx, res);
      sgpu_resource_resolve(ctx, res);
   }
}
