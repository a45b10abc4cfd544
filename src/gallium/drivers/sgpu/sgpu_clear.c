/* SPDX-License-Identifier: MIT */
/* Clears of the framebuffer, surfaces, textures and buffers. */
#include "sgpu_context.h"

#include "pipe/p_defines.h"
#include "util/format/u_format.h"
#include "util/u_inlines.h"
#include "util/u_pack_color.h"

#include "sgpu_copy.h"
#include "sgpu_formats_pipe.h"

static void
note_fast_clear(struct sgpu_context *ctx, struct pipe_surface *surf)
{
   const uint32_t level = 1u << surf->u.tex.level;

   sgpu_resource_note_fast_clear(sgpu_resource(surf->texture), level);
   for (unsigned i = 0; i < ctx->num_fast_clears; i++) {
      if (ctx->fast_clears[i].res == surf->texture) {
         ctx->fast_clears[i].levels |= level;
         return;
      }
   }
   struct sgpu_fast_clear *fresh = &ctx->fast_clears[ctx->num_fast_clears++];
   fresh->res = NULL;
   fresh->levels = level;
   pipe_resource_reference(&fresh->res, surf->texture);
}

/* Parameters of a surface clear. */
struct clear_value {
   unsigned buffers; /* PIPE_CLEAR_* bits of the aspects to clear */
   union pipe_color_union color;
   double depth;
   uint8_t stencil;
   bool conditional; /* true if the clear depends on the render condition */
};

static void
clear_surface(struct sgpu_context *ctx, struct sgpu_resource *res,
              const struct SGPU_SURFACE *surface, const struct SGPU_RECT *rect,
              const struct clear_value *value)
{
   sgpu_context_reserve(ctx, SGPU_PREDICATE_LENGTH + SGPU_CLEAR_SURFACE_LENGTH);
   const bool conditional = value->conditional && sgpu_condition(ctx);
   sgpu_cs_use(&ctx->cs, res->storage, true);
   sgpu_display_note(res, true);

   sgpu_pack(sgpu_cs_get(&ctx->cs, SGPU_CLEAR_SURFACE_LENGTH), CLEAR_SURFACE, cfg) {
      cfg.conditional = conditional;
      cfg.color = (value->buffers & PIPE_CLEAR_COLOR) != 0;
      cfg.depth = (value->buffers & PIPE_CLEAR_DEPTH) != 0;
      cfg.stencil = (value->buffers & PIPE_CLEAR_STENCIL) != 0;
      cfg.stencil_value = value->stencil;
      cfg.surface = *surface;
      cfg.color_0 = value->color.ui[0];
      cfg.color_1 = value->color.ui[1];
      cfg.color_2 = value->color.ui[2];
      cfg.color_3 = value->color.ui[3];
      cfg.depth_value = value->depth;
      cfg.rect = *rect;
   }
   sgpu_context_work_done(ctx);
}

void
sgpu_clear_rect(struct sgpu_context *ctx, struct sgpu_resource *res,
                const struct SGPU_SURFACE *surface, const struct SGPU_RECT *rect,
                const union pipe_color_union *color, bool conditional)
{
   clear_surface(ctx, res, surface, rect,
                 &(struct clear_value){
                    .buffers = PIPE_CLEAR_COLOR0,
                    .color = *color,
                    .conditional = conditional,
                 });
}

/* Clears the layers that a CLEAR packet leaves out.  Like a draw, CLEAR only writes as many layers
 * as the attachment with the fewest layers has, but an OpenGL clear must clear all layers of each
 * attachment (GL 4.6, section 9.8).
 */
static void
clear_deeper_layers(struct sgpu_context *ctx, const struct SGPU_RECT *rect,
                    const struct clear_value *value)
{
   const struct pipe_framebuffer_state *fb = &ctx->framebuffer;
   unsigned layers = UINT_MAX;

   for (unsigned i = 0; i <= fb->nr_cbufs; i++) {
      struct pipe_surface *surf = i < fb->nr_cbufs ? fb->cbufs[i] : fb->zsbuf;
      if (surf)
         layers = MIN2(layers, sgpu_surface(surf)->desc.layers);
   }
   for (unsigned i = 0; i <= fb->nr_cbufs; i++) {
      const bool color = i < fb->nr_cbufs;
      struct pipe_surface *surf = color ? fb->cbufs[i] : fb->zsbuf;
      struct clear_value own = *value;

      own.buffers &= color ? PIPE_CLEAR_COLOR0 << i : PIPE_CLEAR_DEPTHSTENCIL;
      if (!surf || !own.buffers || sgpu_surface(surf)->desc.layers == layers)
         continue;
      struct SGPU_SURFACE desc = sgpu_surface(surf)->desc;
      desc.first_layer += layers;
      desc.layers -= layers;
      clear_surface(ctx, sgpu_resource(surf->texture), &desc, rect, &own);
   }
}

static void
sgpu_clear(struct pipe_context *pctx, unsigned buffers, const struct pipe_scissor_state *scissor,
           const union pipe_color_union *color, double depth, unsigned stencil)
{
   struct sgpu_context *ctx = sgpu_context(pctx);
   const struct pipe_framebuffer_state *fb = &ctx->framebuffer;
   struct SGPU_RECT rect = { .x1 = fb->width, .y1 = fb->height };
   unsigned colors = 0;

   if (scissor) {
      rect.x0 = scissor->minx;
      rect.y0 = scissor->miny;
      rect.x1 = MIN2(scissor->maxx, fb->width);
      rect.y1 = MIN2(scissor->maxy, fb->height);
      if (rect.x0 >= rect.x1 || rect.y0 >= rect.y1)
         return;
   }
   for (unsigned i = 0; i < fb->nr_cbufs; i++) {
      if ((buffers & PIPE_CLEAR_COLOR0 << i) && fb->cbufs[i])
         colors |= 1u << i;
   }
   bool zs = fb->zsbuf != NULL;

   sgpu_samples_load(ctx);
   sgpu_refresh_framebuffer(ctx);
   if (ctx->num_fast_clears + fb->nr_cbufs + zs > SGPU_MAX_FAST_CLEARS)
      sgpu_context_flush(ctx, "many surfaces are cleared");
   sgpu_context_reserve(ctx, SGPU_FRAMEBUFFER_WORDS + SGPU_PREDICATE_LENGTH + SGPU_CLEAR_LENGTH);
   if (ctx->dirty & SGPU_DIRTY_FRAMEBUFFER)
      sgpu_emit_framebuffer(ctx);

   for (unsigned i = 0; i < fb->nr_cbufs; i++) {
      if ((colors & 1u << i) && (ctx->fast_clear & PIPE_CLEAR_COLOR0 << i))
         note_fast_clear(ctx, fb->cbufs[i]);
   }
   if (zs && (buffers & ctx->fast_clear & PIPE_CLEAR_DEPTHSTENCIL))
      note_fast_clear(ctx, fb->zsbuf);

   const bool conditional = sgpu_condition(ctx);
   sgpu_pack(sgpu_cs_get(&ctx->cs, SGPU_CLEAR_LENGTH), CLEAR, cfg) {
      cfg.conditional = conditional;
      cfg.colors = colors;
      cfg.depth = zs && (buffers & PIPE_CLEAR_DEPTH);
      cfg.stencil = zs && (buffers & PIPE_CLEAR_STENCIL);
      cfg.stencil_value = stencil & 0xff;
      if (colors) {
         cfg.color_0 = color->ui[0];
         cfg.color_1 = color->ui[1];
         cfg.color_2 = color->ui[2];
         cfg.color_3 = color->ui[3];
      }
      cfg.depth_value = depth;
      cfg.rect = rect;
   }
   ctx->clears_in_stream++;
   sgpu_context_work_done(ctx);

   struct clear_value value = {
      .buffers = buffers, .depth = depth, .stencil = stencil & 0xff, .conditional = true
   };
   if (colors)
      value.color = *color;
   clear_deeper_layers(ctx, &rect, &value);
}

static void
sgpu_clear_render_target(struct pipe_context *pctx, struct pipe_surface *dst,
                         const union pipe_color_union *color, unsigned x, unsigned y,
                         unsigned width, unsigned height, bool render_condition)
{
   struct clear_value value = { .buffers = PIPE_CLEAR_COLOR0,
                                .color = *color,
                                .conditional = render_condition };
   struct SGPU_RECT rect = { x, y, x + width, y + height };

   sgpu_samples_resolve(sgpu_context(pctx));
   clear_surface(sgpu_context(pctx), sgpu_resource(dst->texture), &sgpu_surface(dst)->desc, &rect,
                 &value);
}

static void
sgpu_clear_depth_stencil(struct pipe_context *pctx, struct pipe_surface *dst, unsigned flags,
                         double depth, unsigned stencil, unsigned x, unsigned y, unsigned width,
                         unsigned height, bool render_condition)
{
   struct clear_value value = {
      .buffers = flags, .depth = depth, .stencil = stencil, .conditional = render_condition
   };
   struct SGPU_RECT rect = { x, y, x + width, y + height };

   sgpu_samples_resolve(sgpu_context(pctx));
   clear_surface(sgpu_context(pctx), sgpu_resource(dst->texture), &sgpu_surface(dst)->desc, &rect,
                 &value);
}

/* Compressed textures are cleared through integer views with one pixel per block. */
static void
sgpu_clear_texture(struct pipe_context *pctx, struct pipe_resource *pres, unsigned level,
                   const struct pipe_box *box, const void *data)
{
   struct sgpu_resource *res = sgpu_resource(pres);
   const struct util_format_description *desc = util_format_description(pres->format);
   struct clear_value value = { .buffers = PIPE_CLEAR_COLOR0 };
   struct sgpu_copy_view view;
   bool raw = desc->block.width > 1 || desc->block.height > 1;

   if (!sgpu_copy_view_init(&view, res, level, box->z, box->depth, raw))
      return;

   if (util_format_is_depth_or_stencil(pres->format)) {
      value.buffers = 0;
      if (util_format_has_depth(desc)) {
         float depth;
         util_format_unpack_z_float(pres->format, &depth, data, 1);
         value.depth = depth;
         value.buffers |= PIPE_CLEAR_DEPTH;
      }
      if (util_format_has_stencil(desc)) {
         util_format_unpack_s_8uint(pres->format, &value.stencil, data, 1);
         value.buffers |= PIPE_CLEAR_STENCIL;
      }
   } else if (raw) {
      memcpy(&value.color, data, desc->block.bits / 8);
   } else {
      util_format_unpack_rgba(pres->format, value.color.ui, data, 1);
   }

   struct SGPU_RECT rect = sgpu_copy_rect(&view, box);
   sgpu_samples_resolve(sgpu_context(pctx));
   clear_surface(sgpu_context(pctx), res, &view.surface, &rect, &value);
}

static void
sgpu_clear_buffer(struct pipe_context *pctx, struct pipe_resource *pres, unsigned offset,
                  unsigned size, const void *value, int value_size)
{
   struct sgpu_context *ctx = sgpu_context(pctx);
   struct sgpu_resource *res = sgpu_resource(pres);
   uint32_t pattern[4] = { 0 };

   if (!size)
      return;
   memcpy(pattern, value, value_size);

   sgpu_context_reserve(ctx, SGPU_FILL_BUFFER_LENGTH);
   sgpu_pack(sgpu_cs_get(&ctx->cs, SGPU_FILL_BUFFER_LENGTH), FILL_BUFFER, cfg) {
      cfg.destination = sgpu_resource_address(&ctx->cs, res, offset, true);
      cfg.size = size;
      cfg.pattern_size = value_size;
      cfg.pattern_0 = pattern[0];
      cfg.pattern_1 = pattern[1];
      cfg.pattern_2 = pattern[2];
      cfg.pattern_3 = pattern[3];
   }
   util_range_add(pres, &res->b.valid_buffer_range, offset, offset + size);
   sgpu_context_work_done(ctx);
}

void
sgpu_clear_context_init(struct pipe_context *pctx)
{
   pctx->clear = sgpu_clear;
   pctx->clear_render_target = sgpu_clear_render_target;
   pctx->clear_depth_stencil = sgpu_clear_depth_stencil;
   pctx->clear_texture = sgpu_clear_texture;
   pctx->clear_buffer = sgpu_clear_buffer;
}
