/* SPDX-License-Identifier: MIT */
/* Implements copies and blits between resources, and generates mipmaps with blits. */
#include "sgpu_context.h"

#include "pipe/p_defines.h"
#include "util/format/u_format.h"
#include "util/u_inlines.h"
#include "util/u_surface.h"

#include "sgpu_copy.h"
#include "sgpu_formats_pipe.h"

static void
sgpu_resource_copy_region(struct pipe_context *pctx, struct pipe_resource *pdst, unsigned dst_level,
                          unsigned dstx, unsigned dsty, unsigned dstz, struct pipe_resource *psrc,
                          unsigned src_level, const struct pipe_box *src_box)
{
   struct sgpu_context *ctx = sgpu_context(pctx);
   struct sgpu_resource *dst = sgpu_resource(pdst), *src = sgpu_resource(psrc);

   if (pdst->target == PIPE_BUFFER) {
      struct sgpu_buffer *from = sgpu_resource_storage(src);
      sgpu_copy_buffer(ctx, dst, dstx, from, src_box->x, src_box->width);
      sgpu_buffer_reference(&from, NULL);
      return;
   }
   sgpu_samples_resolve(ctx);

   /* If the formats differ or are compressed, copy through raw views, because a block of one format
    * may be a pixel of the other format.
    */
   bool raw = dst->layout.format != src->layout.format || dst->layout.block_width > 1 ||
              dst->layout.block_height > 1;
   struct sgpu_copy_view to, from;

   if (!sgpu_copy_view_init(&to, dst, dst_level, dstz, src_box->depth, raw) ||
       !sgpu_copy_view_init(&from, src, src_level, src_box->z, src_box->depth, raw))
      return;

   struct SGPU_RECT area = sgpu_copy_rect(&from, src_box);
   struct SGPU_RECT rect = {
      .x0 = dstx / to.block_width,
      .y0 = dsty / to.block_height,
   };
   rect.x1 = rect.x0 + area.x1 - area.x0;
   rect.y1 = rect.y0 + area.y1 - area.y0;

   sgpu_display_refresh(ctx, src);
   sgpu_display_refresh(ctx, dst);
   sgpu_copy_reserve(ctx);
   sgpu_cs_use(&ctx->cs, src->storage, false);
   sgpu_cs_use(&ctx->cs, dst->storage, true);
   sgpu_display_note(dst, true);
   sgpu_copy_emit(ctx, &to.surface, &rect, &from.surface, area.x0, area.y0, src_box->depth, 0);
   sgpu_context_work_done(ctx);
}

/* Fills in the surface descriptor of a blit's source or destination, which consists of `layers`
 * layers of one level, starting at layer `first`.  `format` must have the same block size as the
 * format of the resource.  Returns false if the resource doesn't have these layers.
 */
static bool
blit_surface(const struct sgpu_resource *res, enum pipe_format format, unsigned level,
             unsigned first, unsigned layers, struct SGPU_SURFACE *surface)
{
   if (util_format_is_depth_or_stencil(format))
      format = res->b.b.format;
   return sgpu_layout_fill_surface(&res->layout, res->storage->address,
                                   sgpu_format_from_pipe(format), level, first, layers, surface);
}

static struct SGPU_RECT
box_rect(const struct pipe_box *box)
{
   return (struct SGPU_RECT){ box->x, box->y, box->x + box->width, box->y + box->height };
}

static void
swap(int32_t *a, int32_t *b)
{
   int32_t t = *a;
   *a = *b;
   *b = t;
}

/* If the destination rectangle is mirrored, mirrors the source rectangle instead. */
static void
unmirror(struct SGPU_RECT *dst, struct SGPU_RECT *src)
{
   if (dst->x1 < dst->x0) {
      swap(&dst->x0, &dst->x1);
      swap(&src->x0, &src->x1);
   }
   if (dst->y1 < dst->y0) {
      swap(&dst->y0, &dst->y1);
      swap(&src->y0, &src->y1);
   }
}

/* Returns a bitmask of the components of the destination that the blit sets to 0 or 1, and stores
 * their values in *color.  Mesa asks for such constants if the source's base format lacks a
 * component, but its storage has the component.
 */
static unsigned
find_constants(const struct pipe_blit_info *info, union pipe_color_union *color)
{
   const struct util_format_description *desc = util_format_description(info->dst.format);
   const bool integer = util_format_is_pure_integer(info->dst.format);
   unsigned found = 0;

   memset(color, 0, sizeof *color);
   if (!info->swizzle_enable || util_format_is_depth_or_stencil(info->dst.format))
      return 0;
   u_foreach_bit(i, info->mask & util_format_colormask(desc)) {
      if (info->swizzle[i] == i)
         continue;
      if (info->swizzle[i] <= PIPE_SWIZZLE_W) {
         sgpu_missing("blit that exchanges components");
         continue;
      }
      if (info->swizzle[i] == PIPE_SWIZZLE_1 && integer)
         color->ui[i] = 1;
      else if (info->swizzle[i] == PIPE_SWIZZLE_1)
         color->f[i] = 1.0f;
      found |= 1u << i;
   }
   return found;
}

/* Clears the pixels that the blit writes.  The blit must not overwrite the components that should
 * keep the color.
 */
static void
fill_destination(struct sgpu_context *ctx, const struct pipe_blit_info *info,
                 const struct SGPU_SURFACE *surface, const union pipe_color_union *color)
{
   struct SGPU_RECT rect = box_rect(&info->dst.box), unused = { 0 };

   unmirror(&rect, &unused);
   if (info->scissor_enable) {
      rect.x0 = MAX2(rect.x0, (int32_t)info->scissor.minx);
      rect.y0 = MAX2(rect.y0, (int32_t)info->scissor.miny);
      rect.x1 = MIN2(rect.x1, (int32_t)info->scissor.maxx);
      rect.y1 = MIN2(rect.y1, (int32_t)info->scissor.maxy);
   }
   if (rect.x0 < rect.x1 && rect.y0 < rect.y1)
      sgpu_clear_rect(ctx, sgpu_resource(info->dst.resource), surface, &rect, color,
                      info->render_condition_enable);
}

static void sgpu_blit(struct pipe_context *pctx, const struct pipe_blit_info *wanted);

/* Returns true if window rectangles can drop pixels of the blit. */
static bool
has_window_rects(const struct pipe_blit_info *info)
{
   return info->window_rectangle_include || info->num_window_rectangles;
}

/* Adds a coordinate to a sorted array without duplicates, unless it is outside of the range that
 * the array's first and last elements have.
 */
static void
add_coordinate(uint16_t *sorted, unsigned *count, unsigned value)
{
   unsigned n = 0;

   while (n < *count && sorted[n] < value)
      n++;
   if (n == 0 || n == *count || sorted[n] == value)
      return;
   memmove(&sorted[n + 1], &sorted[n], (*count - n) * sizeof(*sorted));
   sorted[n] = value;
   (*count)++;
}

static bool
is_kept(const struct pipe_blit_info *info, unsigned x, unsigned y)
{
   bool inside = false;

   for (unsigned i = 0; i < info->num_window_rectangles; i++) {
      const struct pipe_scissor_state *r = &info->window_rectangles[i];
      inside |= x >= r->minx && x < r->maxx && y >= r->miny && y < r->maxy;
   }
   return inside == info->window_rectangle_include;
}

/* Returns the destination's pixels that the blit can write, without window rectangles. */
static struct pipe_scissor_state
blit_bounds(const struct pipe_blit_info *info)
{
   const struct pipe_box *box = &info->dst.box;
   const int x0 = MIN2(box->x, box->x + box->width), x1 = MAX2(box->x, box->x + box->width);
   const int y0 = MIN2(box->y, box->y + box->height), y1 = MAX2(box->y, box->y + box->height);
   struct pipe_scissor_state all = {
      .minx = CLAMP(x0, 0, UINT16_MAX),
      .miny = CLAMP(y0, 0, UINT16_MAX),
      .maxx = CLAMP(x1, 0, UINT16_MAX),
      .maxy = CLAMP(y1, 0, UINT16_MAX),
   };

   if (info->scissor_enable) {
      all.minx = MAX2(all.minx, info->scissor.minx);
      all.miny = MAX2(all.miny, info->scissor.miny);
      all.maxx = MIN2(all.maxx, info->scissor.maxx);
      all.maxy = MIN2(all.maxy, info->scissor.maxy);
   }
   return all;
}

/* Blits the parts of the destination that window rectangles keep, each with its own scissor.  The
 * sides of the rectangles divide the destination in rows of cells.  Neighbors in a row are a part.
 */
static void
blit_parts(struct pipe_context *pctx, const struct pipe_blit_info *info)
{
   const struct pipe_scissor_state all = blit_bounds(info);
   uint16_t x[2 + 2 * PIPE_MAX_WINDOW_RECTANGLES] = { all.minx, all.maxx };
   uint16_t y[2 + 2 * PIPE_MAX_WINDOW_RECTANGLES] = { all.miny, all.maxy };
   unsigned columns = 2, rows = 2;
   struct pipe_blit_info part = *info;

   if (all.minx >= all.maxx || all.miny >= all.maxy)
      return;
   for (unsigned i = 0; i < info->num_window_rectangles; i++) {
      const struct pipe_scissor_state *r = &info->window_rectangles[i];
      add_coordinate(x, &columns, r->minx);
      add_coordinate(x, &columns, r->maxx);
      add_coordinate(y, &rows, r->miny);
      add_coordinate(y, &rows, r->maxy);
   }
   part.num_window_rectangles = 0;
   part.window_rectangle_include = false;
   part.scissor_enable = true;
   for (unsigned j = 0; j + 1 < rows; j++) {
      for (unsigned i = 0; i + 1 < columns; i++) {
         unsigned end = i;
         while (end + 1 < columns && is_kept(info, x[end], y[j]))
            end++;
         if (end == i)
            continue;
         part.scissor = (struct pipe_scissor_state){
            .minx = x[i], .miny = y[j], .maxx = x[end], .maxy = y[j + 1]
         };
         sgpu_blit(pctx, &part);
         i = end;
      }
   }
}

static void
sgpu_blit(struct pipe_context *pctx, const struct pipe_blit_info *wanted)
{
   struct sgpu_context *ctx = sgpu_context(pctx);
   struct pipe_blit_info plain = *wanted;
   const struct pipe_blit_info *info = &plain;
   struct sgpu_resource *dst = sgpu_resource(info->dst.resource);
   struct sgpu_resource *src = sgpu_resource(info->src.resource);
   struct SGPU_SURFACE to, from;
   /* A box that is mirrored in z has a negative depth. */
   unsigned depth = abs(info->dst.box.depth);
   const bool zs = util_format_is_depth_or_stencil(info->dst.format);

   /* The DRI loaders also blit depth buffers with only the color bits set in the mask.  Ignore
    * these blits.
    */
   if (!(info->mask & (zs ? PIPE_MASK_ZS : PIPE_MASK_RGBA)))
      return;
   sgpu_samples_resolve(ctx);
   if (unlikely(has_window_rects(info))) {
      blit_parts(pctx, info);
      return;
   }
   union pipe_color_union color;
   const unsigned constants = find_constants(info, &color);
   plain.mask &= ~constants;
   plain.swizzle_enable = false;
   /* A copy ignores the render condition, so util_try_blit_via_copy_region() must not replace a
    * blit while conditional rendering is on.
    */
   if (!constants && util_try_blit_via_copy_region(pctx, info, ctx->conditional))
      return;

   if (util_format_is_compressed(info->dst.format) ||
       !blit_surface(dst, info->dst.format, info->dst.level, info->dst.box.z, depth, &to) ||
       !blit_surface(src, info->src.format, info->src.level, 0,
                     sgpu_resource_layers(src, info->src.level), &from)) {
      sgpu_missing("blit between these formats or layers");
      return;
   }

   sgpu_display_refresh(ctx, src);
   sgpu_display_refresh(ctx, dst);
   if (constants) {
      fill_destination(ctx, info, &to, &color);
      if (!(info->mask & PIPE_MASK_RGBA))
         return;
   }
   sgpu_context_reserve(ctx, SGPU_PREDICATE_LENGTH + SGPU_BLIT_LENGTH);
   sgpu_cs_use(&ctx->cs, src->storage, false);
   sgpu_cs_use(&ctx->cs, dst->storage, true);
   sgpu_display_note(dst, true);
   const bool conditional = info->render_condition_enable && sgpu_condition(ctx);

   sgpu_pack(sgpu_cs_get(&ctx->cs, SGPU_BLIT_LENGTH), BLIT, cfg) {
      cfg.conditional = conditional;
      cfg.mask = info->mask & PIPE_MASK_RGBA;
      cfg.depth = (info->mask & PIPE_MASK_Z) != 0;
      cfg.stencil = (info->mask & PIPE_MASK_S) != 0;
      cfg.filter = info->filter == PIPE_TEX_FILTER_LINEAR ? SGPU_FILTER_LINEAR
                                                          : SGPU_FILTER_NEAREST;
      cfg.blend = info->alpha_blend;
      cfg.layers = depth;
      cfg.source = from;
      cfg.destination = to;
      cfg.source_rect = box_rect(&info->src.box);
      cfg.destination_rect = box_rect(&info->dst.box);
      unmirror(&cfg.destination_rect, &cfg.source_rect);
      cfg.scissor = info->scissor_enable;
      if (info->scissor_enable) {
         cfg.scissor_rect = (struct SGPU_RECT){ info->scissor.minx, info->scissor.miny,
                                                info->scissor.maxx, info->scissor.maxy };
      }
      cfg.source_z0 = info->src.box.z;
      cfg.source_z1 = info->src.box.z + info->src.box.depth;
   }
   sgpu_context_work_done(ctx);
}

static bool
sgpu_generate_mipmap(struct pipe_context *pctx, struct pipe_resource *pres, enum pipe_format format,
                     unsigned base_level, unsigned last_level, unsigned first_layer,
                     unsigned last_layer)
{
   struct pipe_screen *pscreen = pctx->screen;
   bool zs = util_format_is_depth_or_stencil(format);
   unsigned bind = zs ? PIPE_BIND_DEPTH_STENCIL : PIPE_BIND_RENDER_TARGET;

   if (!pscreen->is_format_supported(pscreen, format, pres->target, pres->nr_samples,
                                     pres->nr_storage_samples, bind))
      return false;

   struct pipe_blit_info info = {
      .dst = { .resource = pres, .format = format },
      .src = { .resource = pres, .format = format },
      .mask = zs ? PIPE_MASK_ZS : PIPE_MASK_RGBA,
      .filter = util_format_is_pure_integer(format) ? PIPE_TEX_FILTER_NEAREST
                                                    : PIPE_TEX_FILTER_LINEAR,
   };

   /* The resource of a pixmap or an EGLImage may have fewer levels than Mesa requests. */
   last_level = MIN2(last_level, pres->last_level);
   for (unsigned level = base_level + 1; level <= last_level; level++) {
      bool volume = pres->target == PIPE_TEXTURE_3D;

      info.src.level = level - 1;
      info.dst.level = level;
      u_box_3d(0, 0, volume ? 0 : first_layer, u_minify(pres->width0, level - 1),
               u_minify(pres->height0, level - 1),
               volume ? u_minify(pres->depth0, level - 1) : last_layer - first_layer + 1,
               &info.src.box);
      u_box_3d(0, 0, info.src.box.z, u_minify(pres->width0, level), u_minify(pres->height0, level),
               volume ? u_minify(pres->depth0, level) : last_layer - first_layer + 1,
               &info.dst.box);
      sgpu_blit(pctx, &info);
   }
   return true;
}

void
sgpu_blit_context_init(struct pipe_context *pctx)
{
   pctx->resource_copy_region = sgpu_resource_copy_region;
   pctx->blit = sgpu_blit;
   pctx->generate_mipmap = sgpu_generate_mipmap;
}
