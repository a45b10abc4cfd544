/* SPDX-License-Identifier: MIT */
/*
 * State that is set by value or binding: framebuffer, viewport, buffers,
 * views, samplers.
 */
#include "sgpu_context.h"

#include "pipe/p_defines.h"
#include "util/u_framebuffer.h"
#include "util/u_helpers.h"
#include "util/u_inlines.h"
#include "util/u_upload_mgr.h"

#include "sgpu_isa.h"

static int
stage_index(enum pipe_shader_type shader)
{
   switch (shader) {
   case PIPE_SHADER_VERTEX: return SGPU_VS;
   case PIPE_SHADER_GEOMETRY: return SGPU_GS;
   case PIPE_SHADER_FRAGMENT: return SGPU_FS;
   default: return -1;
   }
}

static void
sgpu_set_blend_color(struct pipe_context *pctx, const struct pipe_blend_color *color)
{
   struct sgpu_context *ctx = sgpu_context(pctx);
   ctx->blend_color = *color;
   ctx->dirty |= SGPU_DIRTY_BLEND_COLOR;
}

static void
sgpu_set_stencil_ref(struct pipe_context *pctx, const struct pipe_stencil_ref ref)
{
   struct sgpu_context *ctx = sgpu_context(pctx);
   ctx->stencil_ref = ref;
   ctx->dirty |= SGPU_DIRTY_STENCIL_REF;
}

static void
sgpu_set_sample_mask(struct pipe_context *pctx, unsigned mask)
{
   struct sgpu_context *ctx = sgpu_context(pctx);
   ctx->sample_mask = mask;
   ctx->dirty |= SGPU_DIRTY_SAMPLE_MASK;
}

static void
sgpu_set_min_samples(struct pipe_context *pctx, unsigned min_samples)
{
   struct sgpu_context *ctx = sgpu_context(pctx);
   ctx->min_samples = min_samples;
   ctx->dirty |= SGPU_DIRTY_SHADER << SGPU_FS;
}

static void
sgpu_get_sample_position(struct pipe_context *pctx, unsigned samples, unsigned index, float *out)
{
   const uint8_t *at = sgpu_sample_position(MAX2(samples, 1), index);

   out[0] = at[0] / 16.0f;
   out[1] = at[1] / 16.0f;
}

static void
sgpu_set_clip_state(struct pipe_context *pctx, const struct pipe_clip_state *clip)
{
   struct sgpu_context *ctx = sgpu_context(pctx);
   ctx->clip = *clip;
   ctx->clip_emitted = false;
   ctx->dirty |= SGPU_DIRTY_CLIP_PLANES;
}

static void
sgpu_set_polygon_stipple(struct pipe_context *pctx, const struct pipe_poly_stipple *stipple)
{
   struct sgpu_context *ctx = sgpu_context(pctx);
   ctx->poly_stipple = *stipple;
   ctx->dirty |= SGPU_DIRTY_POLY_STIPPLE;
}

static void
sgpu_set_scissor_states(struct pipe_context *pctx, unsigned start, unsigned count,
                        const struct pipe_scissor_state *scissor)
{
   struct sgpu_context *ctx = sgpu_context(pctx);

   memcpy(ctx->scissor + start, scissor, count * sizeof *scissor);
   ctx->num_scissors = MAX2(ctx->num_scissors, start + count);
   ctx->dirty |= SGPU_DIRTY_SCISSOR;
}

static void
sgpu_set_viewport_states(struct pipe_context *pctx, unsigned start, unsigned count,
                         const struct pipe_viewport_state *viewport)
{
   struct sgpu_context *ctx = sgpu_context(pctx);

   memcpy(ctx->viewport + start, viewport, count * sizeof *viewport);
   ctx->num_viewports = MAX2(ctx->num_viewports, start + count);
   ctx->dirty |= SGPU_DIRTY_VIEWPORT;
}

static void
sgpu_set_framebuffer_state(struct pipe_context *pctx, const struct pipe_framebuffer_state *fb)
{
   struct sgpu_context *ctx = sgpu_context(pctx);
   util_copy_framebuffer_state(&ctx->framebuffer, fb);
   ctx->dirty |= SGPU_DIRTY_FRAMEBUFFER;
}

static void
sgpu_set_constant_buffer(struct pipe_context *pctx, enum pipe_shader_type shader, uint index,
                         bool take_ownership, const struct pipe_constant_buffer *cb)
{
   struct sgpu_context *ctx = sgpu_context(pctx);
   int s = stage_index(shader);

   if (s < 0 || index >= SGPU_STAGE_BANKS) {
      if (take_ownership && cb && cb->buffer) {
         struct pipe_resource *buffer = cb->buffer;
         pipe_resource_reference(&buffer, NULL);
      }
      return;
   }

   struct sgpu_stage_state *stage = &ctx->stage[s];
   struct pipe_constant_buffer *bank = &stage->constants[index];
   util_copy_constant_buffer(bank, cb, take_ownership);
   if (bank->user_buffer) {
      pipe_resource_reference(&bank->buffer, NULL);
      u_upload_data(pctx->const_uploader, 0, bank->buffer_size, 64, bank->user_buffer,
                    &bank->buffer_offset, &bank->buffer);
      bank->user_buffer = NULL;
   }
   stage->dirty_constants |= 1u << index;
   if (bank->buffer)
      stage->bound_constants |= 1u << index;
   else
      stage->bound_constants &= ~(1u << index);
   ctx->dirty |= SGPU_DIRTY_CONSTANTS << s;
}

static void
sgpu_set_vertex_buffers(struct pipe_context *pctx, unsigned start, unsigned count,
                        unsigned unbind_trailing, bool take_ownership,
                        const struct pipe_vertex_buffer *buffers)
{
   struct sgpu_context *ctx = sgpu_context(pctx);

   util_set_vertex_buffers_count(ctx->vertex_buffers, &ctx->num_vertex_buffers, buffers, start,
                                 count, unbind_trailing, take_ownership);
   ctx->dirty |= SGPU_DIRTY_VERTEX_BUFFERS;
}

static void
sgpu_set_sampler_views(struct pipe_context *pctx, enum pipe_shader_type shader, unsigned start,
                       unsigned count, unsigned unbind_trailing, bool take_ownership,
                       struct pipe_sampler_view **views)
{
   struct sgpu_context *ctx = sgpu_context(pctx);
   int s = stage_index(shader);
   if (s < 0)
      return;

   struct sgpu_stage_state *stage = &ctx->stage[s];
   for (unsigned i = 0; i < count; i++) {
      struct pipe_sampler_view **dst = &stage->views[start + i];
      struct pipe_sampler_view *view = views ? views[i] : NULL;

      if (take_ownership) {
         pipe_sampler_view_reference(dst, NULL);
         *dst = view;
      } else {
         pipe_sampler_view_reference(dst, view);
      }
   }
   for (unsigned i = 0; i < unbind_trailing; i++)
      pipe_sampler_view_reference(&stage->views[start + count + i], NULL);

   stage->num_views = MAX2(stage->num_views, start + count);
   while (stage->num_views && !stage->views[stage->num_views - 1])
      stage->num_views--;
   ctx->dirty |= SGPU_DIRTY_TEXTURES << s;
}

static void
sgpu_bind_sampler_states(struct pipe_context *pctx, enum pipe_shader_type shader,
                         unsigned start, unsigned count, void **samplers)
{
   struct sgpu_context *ctx = sgpu_context(pctx);
   int s = stage_index(shader);
   if (s < 0)
      return;

   struct sgpu_stage_state *stage = &ctx->stage[s];
   for (unsigned i = 0; i < count; i++)
      stage->samplers[start + i] = samplers ? samplers[i] : NULL;

   stage->num_samplers = MAX2(stage->num_samplers, start + count);
   while (stage->num_samplers && !stage->samplers[stage->num_samplers - 1])
      stage->num_samplers--;
   ctx->dirty |= SGPU_DIRTY_SAMPLERS << s;
}

void
sgpu_context_rebind(struct sgpu_context *ctx, struct pipe_resource *res)
{
   for (unsigned i = 0; i < ctx->num_vertex_buffers; i++) {
      if (ctx->vertex_buffers[i].buffer.resource == res)
         ctx->dirty |= SGPU_DIRTY_VERTEX_BUFFERS;
   }
   for (unsigned i = 0; i < ctx->num_stream_targets; i++) {
      if (ctx->stream_targets[i] && ctx->stream_targets[i]->buffer == res)
         ctx->dirty |= SGPU_DIRTY_STREAMS;
   }
   for (unsigned s = 0; s < SGPU_NUM_STAGES; s++) {
      u_foreach_bit(i, ctx->stage[s].bound_constants) {
         if (ctx->stage[s].constants[i].buffer == res) {
            ctx->stage[s].dirty_constants |= 1u << i;
            ctx->dirty |= SGPU_DIRTY_CONSTANTS << s;
         }
      }
      for (unsigned i = 0; i < ctx->stage[s].num_views; i++) {
         if (ctx->stage[s].views[i] && ctx->stage[s].views[i]->texture == res)
            ctx->dirty |= SGPU_DIRTY_TEXTURES << s;
      }
   }
}

void
sgpu_bind_context_fini(struct sgpu_context *ctx)
{
   util_unreference_framebuffer_state(&ctx->framebuffer);
   for (unsigned i = 0; i < ARRAY_SIZE(ctx->vertex_buffers); i++)
      pipe_vertex_buffer_unreference(&ctx->vertex_buffers[i]);
   for (unsigned s = 0; s < SGPU_NUM_STAGES; s++) {
      for (unsigned i = 0; i < SGPU_STAGE_BANKS; i++)
         pipe_resource_reference(&ctx->stage[s].constants[i].buffer, NULL);
      for (unsigned i = 0; i < ARRAY_SIZE(ctx->stage[s].views); i++)
         pipe_sampler_view_reference(&ctx->stage[s].views[i], NULL);
   }
}

void
sgpu_bind_context_init(struct pipe_context *pctx)
{
   pctx->set_blend_color = sgpu_set_blend_color;
   pctx->set_stencil_ref = sgpu_set_stencil_ref;
   pctx->set_sample_mask = sgpu_set_sample_mask;
   pctx->set_min_samples = sgpu_set_min_samples;
   pctx->get_sample_position = sgpu_get_sample_position;
   pctx->set_clip_state = sgpu_set_clip_state;
   pctx->set_polygon_stipple = sgpu_set_polygon_stipple;
   pctx->set_scissor_states = sgpu_set_scissor_states;
   pctx->set_viewport_states = sgpu_set_viewport_states;
   pctx->set_framebuffer_state = sgpu_set_framebuffer_state;
   pctx->set_constant_buffer = sgpu_set_constant_buffer;
   pctx->set_vertex_buffers = sgpu_set_vertex_buffers;
   pctx->set_sampler_views = sgpu_set_sampler_views;
   pctx->bind_sampler_states = sgpu_bind_sampler_states;
}
