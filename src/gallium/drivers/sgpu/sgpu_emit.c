/* SPDX-License-Identifier: MIT */
/* Writes the packets of dirty state.  Space for all packets is reserved first, so that a stream
 * never ends between a draw and its state.
 */
#include "sgpu_context.h"

#include "util/u_inlines.h"

/* Maximum number of words in all state packets of a draw. */
#define STATE_WORDS                                                                                \
   (SGPU_FRAMEBUFFER_WORDS + PIPE_MAX_VIEWPORTS * (SGPU_VIEWPORT_LENGTH + SGPU_SCISSOR_LENGTH) +   \
    SGPU_RASTERIZER_LENGTH + SGPU_DEPTH_STENCIL_LENGTH + SGPU_DEPTH_BOUNDS_LENGTH +                \
    SGPU_STENCIL_REF_LENGTH + SGPU_BLEND_LENGTH + PIPE_MAX_COLOR_BUFS * SGPU_BLEND_TARGET_LENGTH + \
    SGPU_BLEND_COLOR_LENGTH + SGPU_SAMPLE_MASK_LENGTH + SGPU_COVERAGE_LENGTH +                     \
    SGPU_POLYGON_STIPPLE_LENGTH + SGPU_VERTEX_ELEMENTS_LENGTH +                                    \
    PIPE_MAX_ATTRIBS * SGPU_VERTEX_ELEMENT_LENGTH + SGPU_VERTEX_BUFFERS_LENGTH +                   \
    PIPE_MAX_ATTRIBS * SGPU_VERTEX_BUFFER_LENGTH + SGPU_CLIP_PLANES_LENGTH +                       \
    SGPU_TESS_LEVELS_LENGTH + SGPU_CLOCK_LENGTH + SGPU_XFB_WORDS + SGPU_WINDOW_RECTANGLES_LENGTH + \
    PIPE_MAX_WINDOW_RECTANGLES * SGPU_WINDOW_RECTANGLE_LENGTH +                                    \
    SGPU_NUM_DRAW_STAGES * SGPU_STAGE_WORDS)

static_assert(STATE_WORDS + SGPU_UPDATE_WORDS + SGPU_HANDLE_WORDS + SGPU_MAX_VIEWS * 32 <=
                 SGPU_CS_WORDS,
              "a stream holds any draw");

static void
emit_words(struct sgpu_context *ctx, const uint32_t *packed, unsigned words)
{
   memcpy(sgpu_cs_get(&ctx->cs, words), packed, words * 4);
}

/* Writes the descriptor of a surface.  Returns true if the surface can be fast cleared.  Surfaces
 * that are also sampled are never fast cleared, because sampling them would need a resolve each
 * time.
 */
static bool
use_surface(struct sgpu_context *ctx, struct pipe_surface *surf, uint32_t *out)
{
   struct sgpu_resource *res = sgpu_resource(surf->texture);
   struct SGPU_SURFACE desc = sgpu_surface(surf)->desc;

   sgpu_cs_use(&ctx->cs, res->storage, true);
   sgpu_display_note(res, true);
   desc.fast_clear = desc.metadata && !p_atomic_read(&res->sampled);
   SGPU_SURFACE_pack(out, &desc);
   return desc.fast_clear;
}

void
sgpu_emit_framebuffer(struct sgpu_context *ctx)
{
   const struct pipe_framebuffer_state *fb = &ctx->framebuffer;
   unsigned surfaces = fb->nr_cbufs + (fb->zsbuf != NULL);
   uint32_t *out = sgpu_cs_get(&ctx->cs, SGPU_FRAMEBUFFER_length(surfaces));

   sgpu_pack(out, FRAMEBUFFER, cfg) {
      cfg.tail_count = surfaces;
      cfg.colors = fb->nr_cbufs;
      cfg.depth = fb->zsbuf != NULL;
      /* The device uses these sizes if the framebuffer has no attachments. */
      cfg.width = fb->width;
      cfg.height = fb->height;
      cfg.layers = fb->layers;
      cfg.samples_log2 = util_logbase2(MAX2(fb->samples, 1));
   }
   ctx->fast_clear = 0;
   for (unsigned i = 0; i < fb->nr_cbufs; i++) {
      uint32_t *tail = SGPU_FRAMEBUFFER_tail(out, i);
      if (!fb->cbufs[i])
         sgpu_pack(tail, SURFACE, cfg)
            ;
      else if (use_surface(ctx, fb->cbufs[i], tail))
         ctx->fast_clear |= PIPE_CLEAR_COLOR0 << i;
   }
   if (fb->zsbuf && use_surface(ctx, fb->zsbuf, SGPU_FRAMEBUFFER_tail(out, fb->nr_cbufs)))
      ctx->fast_clear |= PIPE_CLEAR_DEPTHSTENCIL;
   ctx->dirty &= ~SGPU_DIRTY_FRAMEBUFFER;
}

static bool
is_swizzled(const struct pipe_viewport_state *v)
{
   return v->swizzle_x != PIPE_VIEWPORT_SWIZZLE_POSITIVE_X ||
          v->swizzle_y != PIPE_VIEWPORT_SWIZZLE_POSITIVE_Y ||
          v->swizzle_z != PIPE_VIEWPORT_SWIZZLE_POSITIVE_Z ||
          v->swizzle_w != PIPE_VIEWPORT_SWIZZLE_POSITIVE_W;
}

/* Gallium's codes of swizzles are those of the device. */
static_assert(PIPE_VIEWPORT_SWIZZLE_POSITIVE_X == (int)SGPU_VIEWPORT_AXIS_X &&
                 PIPE_VIEWPORT_SWIZZLE_NEGATIVE_X == (int)SGPU_VIEWPORT_AXIS_NEGATIVE_X &&
                 PIPE_VIEWPORT_SWIZZLE_POSITIVE_Y == (int)SGPU_VIEWPORT_AXIS_Y &&
                 PIPE_VIEWPORT_SWIZZLE_NEGATIVE_W == (int)SGPU_VIEWPORT_AXIS_NEGATIVE_W,
              "");

static void
emit_viewports(struct sgpu_context *ctx)
{
   for (unsigned i = 0; i < ctx->num_viewports; i++) {
      const struct pipe_viewport_state *v = &ctx->viewport[i];

      sgpu_pack(sgpu_cs_get(&ctx->cs, SGPU_VIEWPORT_LENGTH), VIEWPORT, cfg) {
         cfg.index = i;
         cfg.scale_x = v->scale[0];
         cfg.scale_y = v->scale[1];
         cfg.scale_z = v->scale[2];
         cfg.translate_x = v->translate[0];
         cfg.translate_y = v->translate[1];
         cfg.translate_z = v->translate[2];
         if (is_swizzled(v)) {
            cfg.swizzle = true;
            cfg.swizzle_x = (enum sgpu_viewport_axis)v->swizzle_x;
            cfg.swizzle_y = (enum sgpu_viewport_axis)v->swizzle_y;
            cfg.swizzle_z = (enum sgpu_viewport_axis)v->swizzle_z;
            cfg.swizzle_w = (enum sgpu_viewport_axis)v->swizzle_w;
         }
      }
   }
}

static void
emit_scissors(struct sgpu_context *ctx)
{
   for (unsigned i = 0; i < ctx->num_scissors; i++) {
      sgpu_pack(sgpu_cs_get(&ctx->cs, SGPU_SCISSOR_LENGTH), SCISSOR, cfg) {
         cfg.index = i;
         cfg.x0 = ctx->scissor[i].minx;
         cfg.y0 = ctx->scissor[i].miny;
         cfg.x1 = ctx->scissor[i].maxx;
         cfg.y1 = ctx->scissor[i].maxy;
      }
   }
}

/* Writes the window rectangles.  Few applications have any, and streams begin without, so the packet
 * is only written if there are some, or if the stream already contains one.
 */
static void
emit_window_rects(struct sgpu_context *ctx)
{
   const unsigned count = ctx->num_window_rects;

   if (!count && !ctx->window_rects_inclusive && !ctx->window_rects_emitted)
      return;
   uint32_t *out = sgpu_cs_get(&ctx->cs, SGPU_WINDOW_RECTANGLES_length(count));
   sgpu_pack(out, WINDOW_RECTANGLES, cfg) {
      cfg.tail_count = count;
      cfg.inclusive = ctx->window_rects_inclusive;
   }
   for (unsigned i = 0; i < count; i++) {
      sgpu_pack(SGPU_WINDOW_RECTANGLES_tail(out, i), WINDOW_RECTANGLE, cfg) {
         cfg.x0 = ctx->window_rects[i].minx;
         cfg.y0 = ctx->window_rects[i].miny;
         cfg.x1 = ctx->window_rects[i].maxx;
         cfg.y1 = ctx->window_rects[i].maxy;
      }
   }
   ctx->window_rects_emitted = true;
}

/* Writes the clip planes, but only if the rasterizer state enables any of them, which is rare. */
static void
emit_clip_planes(struct sgpu_context *ctx)
{
   if (!ctx->rasterizer->state.clip_planes || ctx->clip_emitted)
      return;
   sgpu_pack(sgpu_cs_get(&ctx->cs, SGPU_CLIP_PLANES_LENGTH), CLIP_PLANES, cfg) {
      STATIC_ASSERT(sizeof(cfg.plane) == sizeof(ctx->clip.ucp));
      memcpy(cfg.plane, ctx->clip.ucp, sizeof(cfg.plane));
   }
   ctx->clip_emitted = true;
}

/* Writes the default tessellation levels, which only matter if there is an evaluation shader. */
static void
emit_tess_levels(struct sgpu_context *ctx)
{
   if (!ctx->stage[SGPU_TES].shader)
      return;
   sgpu_pack(sgpu_cs_get(&ctx->cs, SGPU_TESS_LEVELS_LENGTH), TESS_LEVELS, cfg) {
      memcpy(cfg.outer, ctx->tess_outer, sizeof(cfg.outer));
      memcpy(cfg.inner, ctx->tess_inner, sizeof(cfg.inner));
   }
}

static void
emit_depth_stencil(struct sgpu_context *ctx)
{
   const struct sgpu_depth_stencil *ds = ctx->depth_stencil;

   emit_words(ctx, ds->packed, SGPU_DEPTH_STENCIL_LENGTH);
   if (ds->bounds_test)
      emit_words(ctx, ds->bounds, SGPU_DEPTH_BOUNDS_LENGTH);
}

static void
emit_stencil_ref(struct sgpu_context *ctx)
{
   sgpu_pack(sgpu_cs_get(&ctx->cs, SGPU_STENCIL_REF_LENGTH), STENCIL_REF, cfg) {
      cfg.front = ctx->stencil_ref.ref_value[0];
      cfg.back = ctx->stencil_ref.ref_value[1];
   }
}

static void
emit_blend(struct sgpu_context *ctx)
{
   emit_words(ctx, ctx->blend->packed, ARRAY_SIZE(ctx->blend->packed));
}

static void
emit_blend_color(struct sgpu_context *ctx)
{
   sgpu_pack(sgpu_cs_get(&ctx->cs, SGPU_BLEND_COLOR_LENGTH), BLEND_COLOR, cfg) {
      cfg.r = ctx->blend_color.color[0];
      cfg.g = ctx->blend_color.color[1];
      cfg.b = ctx->blend_color.color[2];
      cfg.a = ctx->blend_color.color[3];
   }
}

static void
emit_sample_mask(struct sgpu_context *ctx)
{
   sgpu_pack(sgpu_cs_get(&ctx->cs, SGPU_SAMPLE_MASK_LENGTH), SAMPLE_MASK, cfg) {
      cfg.mask = ctx->sample_mask;
   }
   /* Few applications change the state in COVERAGE.  Only write the packet if the state differs
    * from the default, or if the stream already contains a COVERAGE packet.
    */
   if (!ctx->rasterizer->conservative && !ctx->own_locations && !ctx->coverage_emitted)
      return;
   sgpu_pack(sgpu_cs_get(&ctx->cs, SGPU_COVERAGE_LENGTH), COVERAGE, cfg) {
      cfg.conservative = ctx->rasterizer->conservative;
      cfg.locations = ctx->own_locations;
      for (unsigned s = 0; s < ARRAY_SIZE(ctx->sample_locations); s++)
         cfg.location[s / 4] |= (uint32_t)ctx->sample_locations[s] << 8 * (s % 4);
   }
   ctx->coverage_emitted = true;
}

static void
emit_poly_stipple(struct sgpu_context *ctx)
{
   sgpu_pack(sgpu_cs_get(&ctx->cs, SGPU_POLYGON_STIPPLE_LENGTH), POLYGON_STIPPLE, cfg) {
      memcpy(cfg.row, ctx->poly_stipple.stipple, sizeof cfg.row);
   }
}

/* Writes the rasterizer state.  For flat shading, adds the mask of the pixel shader inputs that are
 * colors.
 */
static void
emit_rasterizer(struct sgpu_context *ctx)
{
   const struct sgpu_rasterizer *rast = ctx->rasterizer;
   uint32_t flat = rast->flatshade ? ctx->stage[SGPU_FS].shader->flat_inputs : 0;

   if (flat) {
      struct SGPU_RASTERIZER state = rast->state;
      state.force_flat = flat;
      SGPU_RASTERIZER_pack(sgpu_cs_get(&ctx->cs, SGPU_RASTERIZER_LENGTH), &state);
   } else {
      emit_words(ctx, rast->packed, SGPU_RASTERIZER_LENGTH);
   }
}

static void
emit_vertex_elements(struct sgpu_context *ctx)
{
   const struct sgpu_vertex_elements *ve = ctx->elements;
   const struct sgpu_shader_state *vs = ctx->stage[SGPU_VS].shader;
   unsigned available = ve ? MIN2(ve->count, vs->num_elements) : 0;
   unsigned used[PIPE_MAX_ATTRIBS], count = 0;

   for (unsigned i = 0; i < available; i++) {
      if (vs->element_used[i])
         used[count++] = i;
   }

   uint32_t *out = sgpu_cs_get(&ctx->cs, SGPU_VERTEX_ELEMENTS_length(count));
   sgpu_pack(out, VERTEX_ELEMENTS, cfg) {
      cfg.tail_count = count;
   }
   for (unsigned n = 0; n < count; n++) {
      uint32_t *tail = SGPU_VERTEX_ELEMENTS_tail(out, n);
      for (unsigned w = 0; w < SGPU_VERTEX_ELEMENT_LENGTH; w++)
         tail[w] = ve->packed[used[n]][w] | vs->element_input[used[n]][w];
   }
}

static void
emit_vertex_buffers(struct sgpu_context *ctx)
{
   const struct sgpu_vertex_elements *ve = ctx->elements;
   const unsigned count = ve ? ve->num_sources : 0;
   uint32_t *out = sgpu_cs_get(&ctx->cs, SGPU_VERTEX_BUFFERS_length(count));

   sgpu_pack(out, VERTEX_BUFFERS, cfg) {
      cfg.tail_count = count;
   }
   for (unsigned i = 0; i < count; i++) {
      const struct pipe_vertex_buffer *vb = &ctx->vertex_buffers[ve->sources[i].buffer];
      struct pipe_resource *res = vb->buffer.resource;

      sgpu_pack(SGPU_VERTEX_BUFFERS_tail(out, i), VERTEX_BUFFER, cfg) {
         if (res && vb->buffer_offset < res->width0) {
            cfg.address = sgpu_resource_address(&ctx->cs, sgpu_resource(res), vb->buffer_offset,
                                                false);
            cfg.size = res->width0 - vb->buffer_offset;
            cfg.stride = ve->sources[i].stride;
         }
      }
   }
}

void
sgpu_refresh_framebuffer(struct sgpu_context *ctx)
{
   const struct pipe_framebuffer_state *fb = &ctx->framebuffer;

   for (unsigned i = 0; (ctx->dirty & SGPU_DIRTY_FRAMEBUFFER) && i < fb->nr_cbufs; i++) {
      if (fb->cbufs[i])
         sgpu_display_refresh(ctx, sgpu_resource(fb->cbufs[i]->texture));
   }
}

void
sgpu_emit_view(struct sgpu_context *ctx, bool multiview, unsigned view)
{
   if (likely(ctx->view.multiview == multiview && ctx->view.view == view))
      return;
   ctx->view.multiview = multiview;
   ctx->view.view = view;
   sgpu_pack(sgpu_cs_get(&ctx->cs, SGPU_VIEW_LENGTH), VIEW, cfg) {
      cfg.multiview = multiview;
      cfg.view = view;
   }
}

void
sgpu_emit_clock(struct sgpu_context *ctx, uint32_t stages)
{
   bool reads = false;

   u_foreach_bit(s, stages) {
      const struct sgpu_shader_state *shader = ctx->stage[s].shader;
      reads |= shader && shader->compiled->program.info.reads_clock;
   }
   if (!reads)
      return;
   ctx->clock++;
   sgpu_pack(sgpu_cs_get(&ctx->cs, SGPU_CLOCK_LENGTH), CLOCK, cfg)
      cfg.value = ctx->clock;
}

/* Functions that write the packets, indexed by the bit number in enum sgpu_dirty. */
#define AT(bit) [__builtin_ctz(bit)]
static void (*const emit[])(struct sgpu_context *ctx) = {
   AT(SGPU_DIRTY_FRAMEBUFFER) = sgpu_emit_framebuffer,
   AT(SGPU_DIRTY_VIEWPORT) = emit_viewports,
   AT(SGPU_DIRTY_SCISSOR) = emit_scissors,
   AT(SGPU_DIRTY_RASTERIZER) = emit_rasterizer,
   AT(SGPU_DIRTY_DEPTH_STENCIL) = emit_depth_stencil,
   AT(SGPU_DIRTY_STENCIL_REF) = emit_stencil_ref,
   AT(SGPU_DIRTY_BLEND) = emit_blend,
   AT(SGPU_DIRTY_BLEND_COLOR) = emit_blend_color,
   AT(SGPU_DIRTY_SAMPLE_MASK) = emit_sample_mask,
   AT(SGPU_DIRTY_VERTEX_ELEMENTS) = emit_vertex_elements,
   AT(SGPU_DIRTY_VERTEX_BUFFERS) = emit_vertex_buffers,
   AT(SGPU_DIRTY_POLY_STIPPLE) = emit_poly_stipple,
   AT(SGPU_DIRTY_CLIP_PLANES) = emit_clip_planes,
   AT(SGPU_DIRTY_XFB) = sgpu_emit_xfb,
   AT(SGPU_DIRTY_TESS_LEVELS) = emit_tess_levels,
   AT(SGPU_DIRTY_WINDOW_RECTS) = emit_window_rects,
};
static_assert(SGPU_DIRTY_ALL == BITFIELD_MASK(ARRAY_SIZE(emit)), "a state without a function");

bool
sgpu_emit_state(struct sgpu_context *ctx, unsigned extra_words)
{
   if (!ctx->stages_complete || !ctx->rasterizer || !ctx->blend || !ctx->depth_stencil)
      return false;

   if (ctx->screen->debug & SGPU_DEBUG_DIRTY)
      sgpu_context_dirty_all(ctx);
   sgpu_refresh_framebuffer(ctx);
   sgpu_refresh_textures(ctx, SGPU_DRAW_STAGES);
   sgpu_refresh_handles(ctx, SGPU_DRAW_STAGES);
   const unsigned update_words = sgpu_updates_prepare(ctx);
   sgpu_context_reserve_draw(ctx,
                             STATE_WORDS + update_words + sgpu_handle_words(ctx) + extra_words);
   if (!sgpu_link_update(ctx))
      return false;

   u_foreach_bit(i, ctx->dirty)
      emit[i](ctx);
   ctx->dirty = 0;
   u_foreach_bit(s, ctx->dirty_stages & SGPU_DRAW_STAGES)
      sgpu_emit_stage(ctx, s);
   ctx->dirty_stages &= ~SGPU_DRAW_STAGES;
   sgpu_emit_handles(ctx, SGPU_DRAW_STAGES);
   sgpu_emit_clock(ctx, SGPU_DRAW_STAGES);
   return true;
}
