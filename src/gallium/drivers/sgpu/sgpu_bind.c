/* SPDX-License-Identifier: MIT */
/* Setters for context state that is neither in a CSO nor specific to a shader stage, e.g. the
 * framebuffer, viewports and vertex buffers.
 */
#include "sgpu_context.h"

#include "pipe/p_defines.h"
#include "util/u_framebuffer.h"
#include "util/u_helpers.h"
#include "util/u_inlines.h"

#include "sgpu_isa.h"

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

/* Sets the sample locations.  They are the same for all pixels, because
 * sgpu_get_sample_pixel_grid() returns a grid of 1x1 pixels.
 */
static void
sgpu_set_sample_locations(struct pipe_context *pctx, size_t size, const uint8_t *locations)
{
   struct sgpu_context *ctx = sgpu_context(pctx);

   ctx->own_locations = size != 0;
   memset(ctx->sample_locations, 0x88, sizeof ctx->sample_locations);
   for (unsigned s = 0; s < MIN2(size, sizeof ctx->sample_locations); s++) {
      const unsigned y = MIN2(16 - (locations[s] >> 4), 15); /* y points up in Gallium */
      ctx->sample_locations[s] = (locations[s] & 15) | y << 4;
   }
   ctx->dirty |= SGPU_DIRTY_SAMPLE_MASK;
}

/* Nothing to do, because stored depth values don't depend on the current sample locations. */
static void
sgpu_evaluate_depth_buffer(struct pipe_context *pctx)
{
}

static void
sgpu_set_min_samples(struct pipe_context *pctx, unsigned min_samples)
{
   struct sgpu_context *ctx = sgpu_context(pctx);
   ctx->min_samples = min_samples;
   sgpu_stage_dirty(ctx, SGPU_FS, SGPU_DIRTY_STAGE_SHADER);
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
sgpu_set_tess_state(struct pipe_context *pctx, const float outer[4], const float inner[2])
{
   struct sgpu_context *ctx = sgpu_context(pctx);

   memcpy(ctx->tess_outer, outer, sizeof(ctx->tess_outer));
   memcpy(ctx->tess_inner, inner, sizeof(ctx->tess_inner));
   ctx->dirty |= SGPU_DIRTY_TESS_LEVELS;
}

static void
sgpu_set_patch_vertices(struct pipe_context *pctx, uint8_t vertices)
{
   sgpu_context(pctx)->patch_vertices = vertices;
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
sgpu_set_window_rectangles(struct pipe_context *pctx, bool include, unsigned count,
                           const struct pipe_scissor_state *rects)
{
   struct sgpu_context *ctx = sgpu_context(pctx);

   ctx->window_rects_inclusive = include;
   ctx->num_window_rects = count;
   if (count)
      memcpy(ctx->window_rects, rects, count * sizeof *rects);
   ctx->dirty |= SGPU_DIRTY_WINDOW_RECTS;
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
   struct pipe_framebuffer_state own = *fb;

   sgpu_samples_bind(ctx, &own);
   util_copy_framebuffer_state(&ctx->framebuffer, &own);
   ctx->dirty |= SGPU_DIRTY_FRAMEBUFFER;
}

static void
sgpu_set_vertex_buffers(struct pipe_context *pctx, unsigned count,
                        const struct pipe_vertex_buffer *buffers)
{
   struct sgpu_context *ctx = sgpu_context(pctx);

   util_set_vertex_buffers_count(ctx->vertex_buffers, &ctx->num_vertex_buffers, buffers, count,
                                 true);
   ctx->dirty |= SGPU_DIRTY_VERTEX_BUFFERS;
}

void
sgpu_context_rebind(struct sgpu_context *ctx, struct pipe_resource *res)
{
   for (unsigned i = 0; i < ctx->num_vertex_buffers; i++) {
      if (ctx->vertex_buffers[i].buffer.resource == res)
         ctx->dirty |= SGPU_DIRTY_VERTEX_BUFFERS;
   }
   for (unsigned i = 0; i < ctx->num_xfb_targets; i++) {
      if (ctx->xfb_targets[i] && ctx->xfb_targets[i]->buffer == res)
         ctx->dirty |= SGPU_DIRTY_XFB;
   }
   sgpu_stage_rebind(ctx, res);
}

void
sgpu_bind_context_fini(struct sgpu_context *ctx)
{
   util_unreference_framebuffer_state(&ctx->framebuffer);
   sgpu_samples_unbind(ctx);
   for (unsigned i = 0; i < ARRAY_SIZE(ctx->vertex_buffers); i++)
      pipe_vertex_buffer_unreference(&ctx->vertex_buffers[i]);
}

void
sgpu_bind_context_init(struct pipe_context *pctx)
{
   pctx->set_blend_color = sgpu_set_blend_color;
   pctx->set_stencil_ref = sgpu_set_stencil_ref;
   pctx->set_sample_mask = sgpu_set_sample_mask;
   pctx->set_sample_locations = sgpu_set_sample_locations;
   pctx->evaluate_depth_buffer = sgpu_evaluate_depth_buffer;
   pctx->set_min_samples = sgpu_set_min_samples;
   pctx->get_sample_position = sgpu_get_sample_position;
   pctx->set_clip_state = sgpu_set_clip_state;
   pctx->set_tess_state = sgpu_set_tess_state;
   pctx->set_patch_vertices = sgpu_set_patch_vertices;
   pctx->set_polygon_stipple = sgpu_set_polygon_stipple;
   pctx->set_scissor_states = sgpu_set_scissor_states;
   pctx->set_window_rectangles = sgpu_set_window_rectangles;
   pctx->set_viewport_states = sgpu_set_viewport_states;
   pctx->set_framebuffer_state = sgpu_set_framebuffer_state;
   pctx->set_vertex_buffers = sgpu_set_vertex_buffers;
}
