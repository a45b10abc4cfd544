/* SPDX-License-Identifier: MIT */
/*
 * Implicit samples (EXT_multisampled_render_to_texture): a surface may have more samples than its
 * texture. Draws and clears write these samples, which are a resource of the surface. They are
 * resolved to the texture when the framebuffer changes, at a flush, and before other work that may
 * use the texture. Then their contents are undefined: the next draw or clear loads them from the
 * texture.
 */
#include "sgpu_context.h"

#include "util/format/u_format.h"
#include "util/u_inlines.h"

#include "sgpu_state.h"

struct pipe_surface *
sgpu_samples_create(struct pipe_surface *surf)
{
   struct pipe_screen *pscreen = surf->context->screen;
   const unsigned layers = surf->u.tex.last_layer - surf->u.tex.first_layer + 1;
   const bool zs = util_format_is_depth_or_stencil(surf->format);
   const struct pipe_resource templat = {
      .target = layers > 1 ? PIPE_TEXTURE_2D_ARRAY : PIPE_TEXTURE_2D,
      .format = surf->format,
      .width0 = surf->width,
      .height0 = surf->height,
      .depth0 = 1,
      .array_size = layers,
      .nr_samples = surf->nr_samples,
      .nr_storage_samples = surf->nr_samples,
      .bind = zs ? PIPE_BIND_DEPTH_STENCIL : PIPE_BIND_RENDER_TARGET,
   };
   const struct pipe_surface whole = {
      .format = surf->format,
      .u.tex = { .last_layer = layers - 1 },
   };
   struct pipe_resource *res = pscreen->resource_create(pscreen, &templat);

   if (!res)
      return NULL;
   struct pipe_surface *samples = surf->context->create_surface(surf->context, res, &whole);
   pipe_resource_reference(&res, NULL);
   return samples;
}

/* Copies the texture to all samples, or the samples' mean (depth, stencil and integers: the first
 * sample) to the texture.
 */
static void
copy(struct sgpu_context *ctx, struct pipe_surface *surf, bool resolve)
{
   struct pipe_surface *samples = sgpu_surface(surf)->samples;
   /* A resolve of sRGB colors is a mean of linear ones. A load keeps the bits. */
   const enum pipe_format format = resolve ? surf->format : util_format_linear(surf->format);
   const bool zs = util_format_is_depth_or_stencil(format);
   const unsigned layers = surf->u.tex.last_layer - surf->u.tex.first_layer + 1;
   struct pipe_blit_info info = {
      .mask = zs ? util_format_get_mask(format) : PIPE_MASK_RGBA,
      .filter = PIPE_TEX_FILTER_NEAREST,
   };

   info.src.resource = resolve ? samples->texture : surf->texture;
   info.dst.resource = resolve ? surf->texture : samples->texture;
   info.src.format = info.dst.format = format;
   info.src.level = resolve ? 0 : surf->u.tex.level;
   info.dst.level = resolve ? surf->u.tex.level : 0;
   u_box_3d(0, 0, resolve ? 0 : surf->u.tex.first_layer, surf->width, surf->height, layers,
            &info.src.box);
   u_box_3d(0, 0, resolve ? surf->u.tex.first_layer : 0, surf->width, surf->height, layers,
            &info.dst.box);
   ctx->base.blit(&ctx->base, &info);
}

static void
copy_all(struct sgpu_context *ctx, bool resolve)
{
   for (unsigned i = 0; i < ARRAY_SIZE(ctx->implicit); i++) {
      if (ctx->implicit[i])
         copy(ctx, ctx->implicit[i], resolve);
   }
}

void
sgpu_samples_load_all(struct sgpu_context *ctx)
{
   copy_all(ctx, false);
   ctx->implicit_loaded = true;
}

void
sgpu_samples_resolve_all(struct sgpu_context *ctx)
{
   ctx->implicit_loaded = false;
   copy_all(ctx, true);
}

/* Replaces surface i of the framebuffer, which is dropped if memory for its samples ran out. */
static void
bind(struct sgpu_context *ctx, unsigned i, struct pipe_surface **surf)
{
   const bool implicit = *surf && (*surf)->nr_samples > MAX2((*surf)->texture->nr_samples, 1);

   pipe_surface_reference(&ctx->implicit[i], NULL);
   if (!implicit)
      return;
   struct pipe_surface *samples = sgpu_surface(*surf)->samples;
   if (samples)
      pipe_surface_reference(&ctx->implicit[i], *surf);
   else
      sgpu_out_of_memory(ctx, "samples of a texture are missing");
   *surf = samples;
   ctx->has_implicit |= samples != NULL;
}

void
sgpu_samples_bind(struct sgpu_context *ctx, struct pipe_framebuffer_state *fb)
{
   sgpu_samples_resolve(ctx);
   ctx->has_implicit = false;
   for (unsigned i = 0; i < PIPE_MAX_COLOR_BUFS; i++) {
      struct pipe_surface *none = NULL;
      bind(ctx, i, i < fb->nr_cbufs ? &fb->cbufs[i] : &none);
   }
   bind(ctx, PIPE_MAX_COLOR_BUFS, &fb->zsbuf);
}

void
sgpu_samples_unbind(struct sgpu_context *ctx)
{
   for (unsigned i = 0; i < ARRAY_SIZE(ctx->implicit); i++)
      pipe_surface_reference(&ctx->implicit[i], NULL);
}
