/* SPDX-License-Identifier: MIT */
/*
 * Writes the packets of state that has changed.  Space for all of them is
 * reserved beforehand, so that no stream ends between a state and its draw.
 */
#include "sgpu_context.h"

#include "util/u_inlines.h"

#include "sgpu_link.h"

/* Everything at once. */
#define STATE_WORDS                                                                            \
   (SGPU_FRAMEBUFFER_WORDS +                                                                   \
    PIPE_MAX_VIEWPORTS * (SGPU_VIEWPORT_LENGTH + SGPU_SCISSOR_LENGTH) +                        \
    SGPU_RASTERIZER_LENGTH + SGPU_DEPTH_STENCIL_LENGTH + SGPU_STENCIL_REF_LENGTH +             \
    SGPU_BLEND_LENGTH + PIPE_MAX_COLOR_BUFS * SGPU_BLEND_TARGET_LENGTH +                       \
    SGPU_BLEND_COLOR_LENGTH + SGPU_SAMPLE_MASK_LENGTH + SGPU_POLYGON_STIPPLE_LENGTH +          \
    SGPU_VERTEX_ELEMENTS_LENGTH + PIPE_MAX_ATTRIBS * SGPU_VERTEX_ELEMENT_LENGTH +              \
    SGPU_VERTEX_BUFFERS_LENGTH + SGPU_MAX_VERTEX_BUFFERS * SGPU_VERTEX_BUFFER_LENGTH +         \
    SGPU_VARYINGS_LENGTH + SGPU_MAX_VARYINGS * SGPU_VARYING_LENGTH + SGPU_STREAM_WORDS +       \
    SGPU_CLIP_PLANES_LENGTH +                                                                  \
    SGPU_STAGE_INPUTS_LENGTH + SGPU_MAX_INPUTS * SGPU_STAGE_INPUT_LENGTH +                     \
    SGPU_NUM_STAGES *                                                                          \
       (SGPU_SHADER_LENGTH + SGPU_STAGE_BANKS * SGPU_CONSTANTS_LENGTH + SGPU_TEXTURES_LENGTH + \
        SGPU_STAGE_SAMPLERS * SGPU_TEXTURE_LENGTH + SGPU_SAMPLERS_LENGTH +                       \
        SGPU_STAGE_SAMPLERS * SGPU_SAMPLER_LENGTH))

static const enum sgpu_stage stage_code[SGPU_NUM_STAGES] = {
   [SGPU_VS] = SGPU_STAGE_VERTEX,
   [SGPU_GS] = SGPU_STAGE_GEOMETRY,
   [SGPU_FS] = SGPU_STAGE_PIXEL,
};

static void
emit_words(struct sgpu_context *ctx, const uint32_t *packed, unsigned words)
{
   memcpy(sgpu_cs_get(&ctx->cs, words), packed, words * 4);
}

/* Returns whether clears of the surface may be fast: not of what is sampled,
 * which would have to be resolved each time.
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
      /* of framebuffers without attachments */
      cfg.width = fb->width;
      cfg.height = fb->height;
      cfg.layers = fb->layers;
      cfg.samples_log2 = util_logbase2(MAX2(fb->samples, 1));
   }
   ctx->fast_clear = 0;
   for (unsigned i = 0; i < fb->nr_cbufs; i++) {
      uint32_t *tail = SGPU_FRAMEBUFFER_tail(out, i);
      if (!fb->cbufs[i])
         sgpu_pack(tail, SURFACE, cfg);
      else if (use_surface(ctx, fb->cbufs[i], tail))
         ctx->fast_clear |= PIPE_CLEAR_COLOR0 << i;
   }
   if (fb->zsbuf && use_surface(ctx, fb->zsbuf, SGPU_FRAMEBUFFER_tail(out, fb->nr_cbufs)))
      ctx->fast_clear |= PIPE_CLEAR_DEPTHSTENCIL;
   ctx->dirty &= ~SGPU_DIRTY_FRAMEBUFFER;
}

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

static void
emit_clip_planes(struct sgpu_context *ctx)
{
   sgpu_pack(sgpu_cs_get(&ctx->cs, SGPU_CLIP_PLANES_LENGTH), CLIP_PLANES, cfg) {
      STATIC_ASSERT(sizeof(cfg.plane) == sizeof(ctx->clip.ucp));
      memcpy(cfg.plane, ctx->clip.ucp, sizeof(cfg.plane));
   }
   ctx->clip_emitted = true;
}

/* Flat shading makes the colours flat that the pixel program reads. */
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
   unsigned count = ctx->num_vertex_buffers;
   uint32_t *out = sgpu_cs_get(&ctx->cs, SGPU_VERTEX_BUFFERS_length(count));

   sgpu_pack(out, VERTEX_BUFFERS, cfg) {
      cfg.tail_count = count;
   }
   for (unsigned i = 0; i < count; i++) {
      const struct pipe_vertex_buffer *vb = &ctx->vertex_buffers[i];
      struct pipe_resource *res = vb->buffer.resource;

      sgpu_pack(SGPU_VERTEX_BUFFERS_tail(out, i), VERTEX_BUFFER, cfg) {
         if (res && vb->buffer_offset < res->width0) {
            cfg.address = sgpu_resource_address(&ctx->cs, sgpu_resource(res),
                                                vb->buffer_offset, false);
            cfg.size = res->width0 - vb->buffer_offset;
            cfg.stride = vb->stride;
         }
      }
   }
}

static void
emit_shader(struct sgpu_context *ctx, enum sgpu_stage_index s)
{
   const struct sgpu_shader_state *shader = ctx->stage[s].shader;
   const bool per_sample = s == SGPU_FS && ctx->min_samples > 1;

   if (!shader) {
      sgpu_pack(sgpu_cs_get(&ctx->cs, SGPU_SHADER_LENGTH), SHADER, cfg) {
         cfg.stage = stage_code[s];
      }
      return;
   }
   if (shader->code)
      sgpu_cs_use(&ctx->cs, shader->code, false);
   emit_words(ctx, shader->packed[per_sample], SGPU_SHADER_LENGTH);
}

static void
emit_constants(struct sgpu_context *ctx, enum sgpu_stage_index s)
{
   u_foreach_bit(bank, ctx->stage[s].dirty_constants) {
      const struct pipe_constant_buffer *cb = &ctx->stage[s].constants[bank];

      sgpu_pack(sgpu_cs_get(&ctx->cs, SGPU_CONSTANTS_LENGTH), CONSTANTS, cfg) {
         cfg.stage = stage_code[s];
         cfg.bank = bank;
         if (cb->buffer && cb->buffer_offset < cb->buffer->width0) {
            cfg.size = MIN2(cb->buffer_size, cb->buffer->width0 - cb->buffer_offset);
            cfg.address = sgpu_resource_address(&ctx->cs, sgpu_resource(cb->buffer),
                                                cb->buffer_offset, false);
         }
      }
   }
   ctx->stage[s].dirty_constants = 0;
}

static void
emit_texture(struct sgpu_context *ctx, const struct sgpu_sampler_view *view, uint32_t *out)
{
   struct sgpu_resource *res = sgpu_resource(view->base.texture);

   if (view->base.target == PIPE_BUFFER && view->desc.valid) {
      struct SGPU_TEXTURE desc = view->desc;
      desc.address = sgpu_resource_address(&ctx->cs, res, view->base.u.buf.offset, false);
      SGPU_TEXTURE_pack(out, &desc);
      return;
   }
   if (view->base.target != PIPE_BUFFER)
      sgpu_cs_use(&ctx->cs, res->storage, false);
   memcpy(out, view->packed, SGPU_TEXTURE_LENGTH * 4);
}

static void
emit_textures(struct sgpu_context *ctx, enum sgpu_stage_index s)
{
   const struct sgpu_stage_state *stage = &ctx->stage[s];
   uint32_t *out = sgpu_cs_get(&ctx->cs, SGPU_TEXTURES_length(stage->num_views));

   sgpu_pack(out, TEXTURES, cfg) {
      cfg.stage = stage_code[s];
      cfg.tail_count = stage->num_views;
   }
   for (unsigned i = 0; i < stage->num_views; i++) {
      uint32_t *tail = SGPU_TEXTURES_tail(out, i);
      struct pipe_sampler_view *view = stage->views[i];

      if (view)
         emit_texture(ctx, sgpu_sampler_view(view), tail);
      else
         sgpu_pack(tail, TEXTURE, cfg);
   }
}

static void
emit_samplers(struct sgpu_context *ctx, enum sgpu_stage_index s)
{
   const struct sgpu_stage_state *stage = &ctx->stage[s];
   uint32_t *out = sgpu_cs_get(&ctx->cs, SGPU_SAMPLERS_length(stage->num_samplers));

   sgpu_pack(out, SAMPLERS, cfg) {
      cfg.stage = stage_code[s];
      cfg.tail_count = stage->num_samplers;
   }
   for (unsigned i = 0; i < stage->num_samplers; i++) {
      uint32_t *tail = SGPU_SAMPLERS_tail(out, i);

      if (stage->samplers[i])
         memcpy(tail, stage->samplers[i]->packed, SGPU_SAMPLER_LENGTH * 4);
      else
         sgpu_pack(tail, SAMPLER, cfg);
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

static void
refresh_textures(struct sgpu_context *ctx)
{
   for (unsigned s = 0; s < SGPU_NUM_STAGES; s++) {
      for (unsigned i = 0; ctx->stage[s].shader && i < ctx->stage[s].num_views; i++) {
         if (!ctx->stage[s].views[i])
            continue;
         struct sgpu_resource *res = sgpu_resource(ctx->stage[s].views[i]->texture);
         if (ctx->dirty & SGPU_DIRTY_TEXTURES << s)
            sgpu_display_refresh(ctx, res);
         sgpu_resource_resolve(ctx, res);
      }
   }
}

bool
sgpu_emit_state(struct sgpu_context *ctx, unsigned extra_words)
{
   const struct sgpu_stage_state *vs = &ctx->stage[SGPU_VS], *fs = &ctx->stage[SGPU_FS];
   const struct sgpu_stage_state *gs = &ctx->stage[SGPU_GS];

   if (!vs->shader || !fs->shader || !vs->shader->compiled || !fs->shader->compiled ||
       (gs->shader && !gs->shader->compiled) || !ctx->rasterizer || !ctx->blend ||
       !ctx->depth_stencil)
      return false;

   if (ctx->screen->debug & SGPU_DEBUG_DIRTY)
      sgpu_context_dirty_all(ctx);
   sgpu_refresh_framebuffer(ctx);
   refresh_textures(ctx);
   sgpu_context_reserve(ctx, STATE_WORDS + extra_words);
   sgpu_link_update(ctx);

   /* What an absent stage would need waits until it is there. */
   const uint32_t later =
      gs->shader ? 0 : ctx->dirty & (SGPU_DIRTY_STAGE_INPUTS | SGPU_DIRTY_STAGE(SGPU_GS));
   const uint32_t dirty = ctx->dirty & ~later;
   if (!dirty)
      return true;

   if (dirty & SGPU_DIRTY_FRAMEBUFFER)
      sgpu_emit_framebuffer(ctx);
   if (dirty & SGPU_DIRTY_VIEWPORT)
      emit_viewports(ctx);
   if (dirty & SGPU_DIRTY_SCISSOR)
      emit_scissors(ctx);
   if (dirty & SGPU_DIRTY_RASTERIZER)
      emit_rasterizer(ctx);
   if (dirty & SGPU_DIRTY_DEPTH_STENCIL)
      emit_words(ctx, ctx->depth_stencil->packed, SGPU_DEPTH_STENCIL_LENGTH);
   if (dirty & SGPU_DIRTY_STENCIL_REF) {
      sgpu_pack(sgpu_cs_get(&ctx->cs, SGPU_STENCIL_REF_LENGTH), STENCIL_REF, cfg) {
         cfg.front = ctx->stencil_ref.ref_value[0];
         cfg.back = ctx->stencil_ref.ref_value[1];
      }
   }
   if (dirty & SGPU_DIRTY_BLEND)
      emit_words(ctx, ctx->blend->packed, ARRAY_SIZE(ctx->blend->packed));
   if (dirty & SGPU_DIRTY_BLEND_COLOR) {
      sgpu_pack(sgpu_cs_get(&ctx->cs, SGPU_BLEND_COLOR_LENGTH), BLEND_COLOR, cfg) {
         cfg.r = ctx->blend_color.color[0];
         cfg.g = ctx->blend_color.color[1];
         cfg.b = ctx->blend_color.color[2];
         cfg.a = ctx->blend_color.color[3];
      }
   }
   if (dirty & SGPU_DIRTY_SAMPLE_MASK) {
      sgpu_pack(sgpu_cs_get(&ctx->cs, SGPU_SAMPLE_MASK_LENGTH), SAMPLE_MASK, cfg) {
         cfg.mask = ctx->sample_mask;
      }
   }
   if (dirty & SGPU_DIRTY_VERTEX_ELEMENTS)
      emit_vertex_elements(ctx);
   if (dirty & SGPU_DIRTY_VERTEX_BUFFERS)
      emit_vertex_buffers(ctx);
   if (dirty & SGPU_DIRTY_POLY_STIPPLE) {
      sgpu_pack(sgpu_cs_get(&ctx->cs, SGPU_POLYGON_STIPPLE_LENGTH), POLYGON_STIPPLE, cfg) {
         memcpy(cfg.row, ctx->poly_stipple.stipple, sizeof cfg.row);
      }
   }
   for (unsigned s = 0; s < SGPU_NUM_STAGES; s++) {
      if (dirty & SGPU_DIRTY_SHADER << s)
         emit_shader(ctx, s);
      if (dirty & SGPU_DIRTY_CONSTANTS << s)
         emit_constants(ctx, s);
      if (dirty & SGPU_DIRTY_TEXTURES << s)
         emit_textures(ctx, s);
      if (dirty & SGPU_DIRTY_SAMPLERS << s)
         emit_samplers(ctx, s);
   }
   if (dirty & SGPU_DIRTY_VARYINGS)
      emit_words(ctx, ctx->link->packed, ctx->link->words);
   if (dirty & SGPU_DIRTY_STAGE_INPUTS)
      emit_words(ctx, ctx->link->inputs, ctx->link->inputs_words);

   /* Few rasterizer states have any enabled. */
   if ((dirty & (SGPU_DIRTY_CLIP_PLANES | SGPU_DIRTY_RASTERIZER)) &&
       ctx->rasterizer->state.clip_planes && !ctx->clip_emitted)
      emit_clip_planes(ctx);
   if (dirty & SGPU_DIRTY_STREAMS)
      sgpu_emit_streams(ctx);

   ctx->dirty = later;
   return true;
}
