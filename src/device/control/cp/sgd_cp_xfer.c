/* SPDX-License-Identifier: MIT */
/*
 * Command processor: creates copy engine operations, which are clears, copies, blits, fills and
 * resolves.
 */
#include <stdlib.h>
#include <string.h>

#include "pixel/rop/sgd_codec.h"
#include "pixel/rop/sgd_depth_format.h"
#include "control/cp/sgd_cp_work.h"
#include "util/macros.h"

static struct sgd_node *
xfer_node(struct sgd_cp *cp, enum sgd_xfer_kind kind)
{
   struct sgd_node *node = sgd_node_create(cp->dispatch, SGD_NODE_XFER, cp->sub);
   if (!node)
      return NULL;
   node->xfer = calloc(1, sizeof(*node->xfer));
   if (!node->xfer) {
      sgd_node_destroy(node);
      return NULL;
   }
   node->xfer->kind = kind;
   return node;
}

/* Clips a rectangle to a surface of width x height pixels. */
static struct SGPU_RECT
clip(struct SGPU_RECT r, int32_t width, int32_t height)
{
   return (struct SGPU_RECT){
      .x0 = CLAMP(r.x0, 0, width),
      .y0 = CLAMP(r.y0, 0, height),
      .x1 = CLAMP(r.x1, 0, width),
      .y1 = CLAMP(r.y1, 0, height),
   };
}

/* Adds an operation whose only target is the surface `dst`. Returns NULL, or an error message. */
static const char *
add_to_surface(struct sgd_cp *cp, struct sgd_node *node, const struct sgd_surface *dst)
{
   struct sgd_tile_array_key key;
   memset(&key, 0, sizeof(key));
   sgd_tile_array_key_surface(&key, 0, dst);
   key.width = dst->width;
   key.height = dst->height;
   const struct sgd_part part = { .rect = node->xfer->rect, .layers = node->xfer->layers };
   sgd_cp_access_surface(node, dst, &part, SGD_ACCESS_WRITE | SGD_ACCESS_TARGET);
   return sgd_cp_add(cp, node, &key, dst->layers);
}

/* Returns true if clears and blits can access individual pixels of the surface. */
static bool
has_pixels(const struct sgd_surface *s)
{
   if (util_format_is_depth_or_stencil(s->pformat))
      return sgd_zs_format(s->pformat).bytes != 0;
   return sgd_codec(s->pformat).path != SGD_CODEC_NONE;
}

/* Returns true if blits can read individual texels of the surface, which may be compressed. */
static bool
has_texels(const struct sgd_surface *s)
{
   return has_pixels(s) || (util_format_is_compressed(s->pformat) && s->samples == 1 &&
                            util_format_fetch_rgba_func(s->pformat));
}

const char *
sgd_cp_clear(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_CLEAR p;
   const char *error = SGPU_CLEAR_unpack(in, &p);
   if (error)
      return error;
   if (!cp->have_framebuffer)
      return "no FRAMEBUFFER";

   const struct sgd_state *st = &cp->cur;
   struct sgd_node *node = xfer_node(cp, SGD_XFER_CLEAR);
   if (!node)
      return "out of memory";
   struct sgd_xfer *x = node->xfer;
   const uint32_t value[4] = { p.color_0, p.color_1, p.color_2, p.color_3 };
   memcpy(x->u.clear.color, st->color, sizeof(st->color));
   memcpy(x->u.clear.color_value, value, sizeof(value));
   x->u.clear.zs = st->zs;
   x->u.clear.depth = p.depth_value;
   x->u.clear.stencil = p.stencil_value;
   for (unsigned i = 0; i < st->num_colors; i++)
      x->u.clear.colors |= st->color[i].valid ? p.colors & (1 << i) : 0;
   x->u.clear.clear_depth = p.depth && st->zs.valid && util_format_has_depth(st->zs.desc);
   x->u.clear.clear_stencil = p.stencil && st->zs.valid && util_format_has_stencil(st->zs.desc);
   x->rect = clip(p.rect, st->fb_width, st->fb_height);
   x->layers = st->fb_layers;

   const struct sgd_part part = { .rect = x->rect, .layers = x->layers };
   for (unsigned i = 0; i < st->num_colors; i++) {
      if (x->u.clear.colors & (1 << i))
         sgd_cp_access_surface(node, &st->color[i], &part, SGD_ACCESS_WRITE | SGD_ACCESS_TARGET);
   }
   if (x->u.clear.clear_depth || x->u.clear.clear_stencil)
      sgd_cp_access_surface(node, &st->zs, &part, SGD_ACCESS_WRITE | SGD_ACCESS_TARGET);
   sgd_cp_condition(cp, node, p.conditional);
   return sgd_cp_add(cp, node, &cp->key, st->fb_layers);
}

const char *
sgd_cp_clear_surface(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_CLEAR_SURFACE p;
   struct sgd_surface dst;
   const char *error = SGPU_CLEAR_SURFACE_unpack(in, &p);
   if (!error)
      error = sgd_cp_surface(cp, &p.surface, &dst);
   if (error)
      return error;
   if (!dst.valid)
      return "CLEAR SURFACE: no surface";
   if (!has_pixels(&dst))
      return "CLEAR SURFACE: Format cannot be cleared";

   struct sgd_node *node = xfer_node(cp, SGD_XFER_CLEAR);
   if (!node)
      return "out of memory";
   struct sgd_xfer *x = node->xfer;
   const uint32_t value[4] = { p.color_0, p.color_1, p.color_2, p.color_3 };
   memcpy(x->u.clear.color_value, value, sizeof(value));
   x->u.clear.depth = p.depth_value;
   x->u.clear.stencil = p.stencil_value;
   if (util_format_is_depth_or_stencil(dst.pformat)) {
      x->u.clear.zs = dst;
      x->u.clear.clear_depth = p.depth && util_format_has_depth(dst.desc);
      x->u.clear.clear_stencil = p.stencil && util_format_has_stencil(dst.desc);
   } else {
      x->u.clear.color[0] = dst;
      x->u.clear.colors = p.color;
   }
   x->rect = clip(p.rect, dst.width, dst.height);
   x->layers = dst.layers;
   sgd_cp_condition(cp, node, p.conditional);
   return add_to_surface(cp, node, &dst);
}

static const char *
surfaces(struct sgd_cp *cp, const struct SGPU_SURFACE *source, struct sgd_surface *src,
         const struct SGPU_SURFACE *destination, struct sgd_surface *dst)
{
   const char *error = sgd_cp_surface(cp, source, src);

   return error ? error : sgd_cp_surface(cp, destination, dst);
}

/* Clips a copy to both surfaces in one dimension. On return, the copy writes the destination pixels
 * *begin to *end - 1. *shift is added to the index of a destination element to get the index of the
 * source element. Returns false if the copy would start in the middle of a compressed block.
 */
static bool
copy_range(int32_t first, int32_t last, uint32_t source, int32_t dst_size, int32_t dst_block,
           int32_t src_size, uint32_t src_block, int32_t *begin, int32_t *end, int32_t *shift)
{
   if (first % dst_block || source % src_block)
      return false;

   /* Compute in elements, because a block of a compressed surface can be copied to a pixel of
    * another surface.
    */
   const int64_t from = first / dst_block, offset = source / src_block - from;
   const int64_t dst_end = DIV_ROUND_UP(dst_size, dst_block);
   const int64_t src_end = DIV_ROUND_UP(src_size, (int32_t)src_block);
   const int64_t lo = MAX2(from, 0);
   const int64_t hi = MIN3(DIV_ROUND_UP((int64_t)last, dst_block), dst_end, src_end - offset);

   *begin = *end = *shift = 0;
   if (lo < hi) {
      *begin = lo * dst_block;
      *end = MIN2(hi * dst_block, dst_size);
      *shift = offset;
   }
   return true;
}

const char *
sgd_cp_copy_surface(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_COPY_SURFACE p;
   struct sgd_surface src, dst;
   const char *error = SGPU_COPY_SURFACE_unpack(in, &p);
   if (!error)
      error = surfaces(cp, &p.source, &src, &p.destination, &dst);
   if (error)
      return error;
   if (!src.valid || !dst.valid)
      return "COPY SURFACE: no surface";
   if (src.bpe != dst.bpe || src.samples != dst.samples)
      return "COPY SURFACE: elements or samples differ in size";
   if (p.layers > src.layers || p.layers > dst.layers)
      return "COPY SURFACE: more layers than a surface has";

   const struct util_format_description *sd = src.desc, *dd = dst.desc;
   struct SGPU_RECT r;
   int32_t shift_x, shift_y;
   if (!copy_range(p.rect.x0, p.rect.x1, p.source_x, dst.width, dd->block.width, src.width,
                   sd->block.width, &r.x0, &r.x1, &shift_x) ||
       !copy_range(p.rect.y0, p.rect.y1, p.source_y, dst.height, dd->block.height, src.height,
                   sd->block.height, &r.y0, &r.y1, &shift_y))
      return "COPY SURFACE: not whole blocks";
   const bool same_place = !shift_x && !shift_y && dd->block.width == 1 && dd->block.height == 1;
   if (p.contents && (p.layers > 1 || src.storage == dst.storage || !same_place))
      return "COPY SURFACE: Contents of several layers, of the source or at another place";

   struct sgd_node *node = xfer_node(cp, SGD_XFER_COPY_SURFACE);
   if (!node)
      return "out of memory";
   node->xfer->u.copy.src = src;
   node->xfer->u.copy.dst = dst;
   node->xfer->u.copy.shift_x = shift_x;
   node->xfer->u.copy.shift_y = shift_y;
   node->xfer->u.copy.contents = src.meta && src.samples == 1 ? p.contents : 0;
   node->xfer->rect = r;
   node->xfer->layers = p.layers;
   const struct sgd_part part = {
      .rect = {
         .x0 = (r.x0 / (int)dd->block.width + shift_x) * (int)sd->block.width,
         .y0 = (r.y0 / (int)dd->block.height + shift_y) * (int)sd->block.height,
         .x1 = (DIV_ROUND_UP(r.x1, (int)dd->block.width) + shift_x) * (int)sd->block.width,
         .y1 = (DIV_ROUND_UP(r.y1, (int)dd->block.height) + shift_y) * (int)sd->block.height,
      },
      .layers = p.layers,
   };
   if (same_place && src.storage != dst.storage)
      node->followed = &node->xfer->u.copy.src;
   sgd_cp_access_surface(node, &src, &part,
                         node->xfer->u.copy.contents ? SGD_ACCESS_WRITE : SGD_ACCESS_READ);
   return add_to_surface(cp, node, &dst);
}

const char *
sgd_cp_blit(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_BLIT p;
   struct sgd_surface src, dst;
   const char *error = SGPU_BLIT_unpack(in, &p);
   if (!error)
      error = surfaces(cp, &p.source, &src, &p.destination, &dst);
   if (error)
      return error;
   if (!src.valid || !dst.valid)
      return "BLIT: no surface";
   if (!has_texels(&src) || !has_pixels(&dst))
      return "BLIT: a format cannot be converted";
   if (util_format_is_depth_or_stencil(src.pformat) !=
          util_format_is_depth_or_stencil(dst.pformat) ||
       util_format_is_pure_integer(src.pformat) != util_format_is_pure_integer(dst.pformat))
      return "BLIT: formats of different kinds";
   if (src.samples > 1 && dst.samples > 1 && src.samples != dst.samples)
      return "BLIT: surfaces of different numbers of samples";
   if (p.layers > dst.layers)
      return "BLIT: more layers than the destination has";

   struct SGPU_RECT r = p.destination_rect;
   if (r.x1 < r.x0 || r.y1 < r.y0)
      return "BLIT: the destination is mirrored; mirror the source";
   r = clip(r, dst.width, dst.height);
   if (p.scissor) {
      r.x0 = MAX2(r.x0, p.scissor_rect.x0);
      r.y0 = MAX2(r.y0, p.scissor_rect.y0);
      r.x1 = MIN2(r.x1, p.scissor_rect.x1);
      r.y1 = MIN2(r.y1, p.scissor_rect.y1);
   }

   struct sgd_node *node = xfer_node(cp, SGD_XFER_BLIT);
   if (!node)
      return "out of memory";
   node->xfer->u.blit.src = src;
   node->xfer->u.blit.dst = dst;
   node->xfer->u.blit.packet = p;
   sgd_cp_condition(cp, node, p.conditional);
   node->xfer->rect = r;
   node->xfer->layers = p.layers;
   const struct sgd_part part = sgd_cp_blit_source(node->xfer);
   sgd_cp_access_surface(node, &src, &part, SGD_ACCESS_READ);
   return add_to_surface(cp, node, &dst);
}

const char *
sgd_cp_resolve_surface(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_RESOLVE_SURFACE p;
   struct sgd_surface s;
   const char *error = SGPU_RESOLVE_SURFACE_unpack(in, &p);
   if (!error)
      error = sgd_cp_surface(cp, &p.surface, &s);
   if (error || !s.valid || !s.meta)
      return error;

   struct sgd_node *node = xfer_node(cp, SGD_XFER_RESOLVE);
   if (!node)
      return "out of memory";
   node->xfer->u.resolve = s;
   node->followed = &node->xfer->u.resolve;
   node->xfer->rect = (struct SGPU_RECT){ .x1 = s.width, .y1 = s.height };
   node->xfer->layers = s.layers;
   return add_to_surface(cp, node, &s);
}

/* Adds an operation that writes a buffer. Its rectangle is a single row, in which each pixel stands
 * for SGD_XFER_SPAN bytes of the buffer.
 */
static const char *
add_to_buffer(struct sgd_cp *cp, struct sgd_node *node, const struct sgd_span *dst)
{
   struct sgd_tile_array_key key;
   memset(&key, 0, sizeof(key));
   key.surface[0].storage = dst->ptr - cp->memory->base;
   key.surface[0].format = UINT16_MAX;
   key.width = DIV_ROUND_UP(dst->size, SGD_XFER_SPAN);
   key.height = 1;
   node->xfer->rect = (struct SGPU_RECT){ .x1 = key.width, .y1 = 1 };
   node->xfer->layers = 1;
   node->xfer->u.buffer.dst = *dst;
   sgd_cp_access_buffer(cp, node, dst->ptr, dst->size, SGD_ACCESS_WRITE);
   return sgd_cp_add(cp, node, &key, 1);
}

const char *
sgd_cp_copy_buffer(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_COPY_BUFFER p;
   const char *error = SGPU_COPY_BUFFER_unpack(in, &p);
   if (error || !p.size)
      return error;
   if (!sgd_bo_list_find(&cp->sub->bos, p.source, p.size) ||
       !sgd_bo_list_find(&cp->sub->bos, p.destination, p.size))
      return "COPY BUFFER: not in a buffer of the submission";
   if (p.source < p.destination + p.size && p.destination < p.source + p.size)
      return "COPY BUFFER: source and destination overlap";

   struct sgd_node *node = xfer_node(cp, SGD_XFER_COPY_BUFFER);
   if (!node)
      return "out of memory";
   const struct sgd_span src = { cp->memory->base + p.source, p.size };
   const struct sgd_span dst = { cp->memory->base + p.destination, p.size };
   node->xfer->u.buffer.src = src;
   sgd_cp_access_buffer(cp, node, src.ptr, src.size, SGD_ACCESS_READ);
   return add_to_buffer(cp, node, &dst);
}

const char *
sgd_cp_fill_buffer(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_FILL_BUFFER p;
   const char *error = SGPU_FILL_BUFFER_unpack(in, &p);
   if (error || !p.size)
      return error;
   const unsigned n = p.pattern_size;
   if (n != 1 && n != 2 && n != 4 && n != 8 && n != 12 && n != 16)
      return "FILL BUFFER: Pattern Size is not 1, 2, 4, 8, 12 or 16";
   if (p.size % n)
      return "FILL BUFFER: Size is not a multiple of Pattern Size";
   if (!sgd_bo_list_find(&cp->sub->bos, p.destination, p.size))
      return "FILL BUFFER: not in a buffer of the submission";

   struct sgd_node *node = xfer_node(cp, SGD_XFER_FILL_BUFFER);
   if (!node)
      return "out of memory";
   const uint32_t pattern[4] = { p.pattern_0, p.pattern_1, p.pattern_2, p.pattern_3 };
   memcpy(node->xfer->u.buffer.pattern, pattern, sizeof(pattern));
   node->xfer->u.buffer.pattern_size = n;
   const struct sgd_span dst = { cp->memory->base + p.destination, p.size };
   return add_to_buffer(cp, node, &dst);
}
