/* SPDX-License-Identifier: MIT */
/*
 * Copy engine: blits, which can scale, mirror, convert, resolve and blend. Depth and stencil are
 * handled here, and colors in sgd_blit_color.c.
 *
 * The center of destination pixel x is mapped to the source position source.x0 + (x + 0.5 -
 * destination.x0) * (source width / destination width). Nearest filters use the texel that contains
 * this position, and linear filters use the four texels around it. Texels outside the source
 * surface are clamped to its edge (GL 4.6, section 18.3.1).
 */
#include <string.h>

#include "pixel/rop/sgd_codec.h"
#include "pixel/rop/sgd_depth_format.h"
#include "common/sgd_rop_state.h"
#include "common/sgd_tile_meta.h"
#include "common/sgd_worker.h"
#include "util/macros.h"
#include "util/u_math.h"
#include "xfer/sgd_blit.h"
#include "xfer/sgd_element.h"

/* Loads the depth/stencil element at (x, y, z) of the source. The coordinates are clamped to its
 * edges.
 */
static uint64_t
zs_fetch(const struct sgd_blit *b, int32_t x, int32_t y, int32_t z, unsigned sample)
{
   const struct sgd_surface *s = b->src;
   uint64_t element = 0;

   x = CLAMP(x, 0, s->width - 1);
   y = CLAMP(y, 0, s->height - 1);
   z = CLAMP(z, 0, s->layers - 1);
   const uint8_t *value = sgd_left_out(s, x, y, z);
   if (!value)
      value = sgd_surface_element(s, x, y, z, s->samples > 1 ? sample : 0);
   memcpy(&element, value, b->zs_src.bytes);
   return element;
}

static uint32_t
stored_depth(const struct sgd_zs_format *f, uint64_t element)
{
   return (element >> f->depth_shift) & sgd_depth_max(f);
}

static double
depth_of(const struct sgd_zs_format *f, uint64_t element)
{
   const uint32_t stored = stored_depth(f, element);
   return f->is_float ? (double)sgpu_fp_in(sgpu_bits2f(stored)) : (double)stored / sgd_depth_max(f);
}

static double
lerp_depth(double a, double b, double t)
{
   return a + (b - a) * t;
}

static double
linear_depth(const struct sgd_blit *b, double sx, double sy, double sz, unsigned sample)
{
   const bool flat = b->step_z == 1.0;
   const int32_t x = sgd_floor_to_int(sx - 0.5), y = sgd_floor_to_int(sy - 0.5);
   const int32_t z = sgd_floor_to_int(flat ? sz : sz - 0.5);
   const double fx = sx - 0.5 - x, fy = sy - 0.5 - y, fz = sz - 0.5 - z;
   double d[2];

   for (int i = 0; i < (flat ? 1 : 2); i++) {
      double row[2];
      for (int j = 0; j < 2; j++) {
         row[j] = lerp_depth(depth_of(&b->zs_src, zs_fetch(b, x, y + j, z + i, sample)),
                             depth_of(&b->zs_src, zs_fetch(b, x + 1, y + j, z + i, sample)), fx);
      }
      d[i] = lerp_depth(row[0], row[1], fy);
   }
   return flat ? d[0] : lerp_depth(d[0], d[1], fz);
}

/* Only depth can be filtered. Stencil is always taken from the nearest texel. */
static void
zs_pixel(const struct sgd_blit *b, double sx, double sy, double sz, uint32_t x, uint32_t y,
         uint32_t layer, unsigned sample)
{
   const struct sgd_zs_format *fs = &b->zs_src, *fd = &b->zs_dst;
   const uint64_t in = zs_fetch(b, sgd_floor_to_int(sx), sgd_floor_to_int(sy), sgd_floor_to_int(sz),
                                sample);
   uint64_t out = 0, value = 0, mask = 0;
   uint8_t *p = sgd_surface_element(b->dst, x, y, layer, sample);

   memcpy(&out, p, fd->bytes);
   if (b->p->depth && fs->has_depth && fd->has_depth) {
      if (!b->linear && fs->is_float == fd->is_float && fs->depth_bits == fd->depth_bits) {
         value |= (uint64_t)stored_depth(fs, in) << fd->depth_shift;
         mask |= (uint64_t)sgd_depth_max(fd) << fd->depth_shift;
      } else {
         const double z = b->linear ? linear_depth(b, sx, sy, sz, sample) : depth_of(fs, in);
         uint64_t m;
         value |= sgd_zs_element(fd, z, 0, true, false, &m);
         mask |= m;
      }
   }
   if (b->p->stencil && fs->has_stencil && fd->has_stencil) {
      value |= ((in >> fs->stencil_shift) & 0xff) << fd->stencil_shift;
      mask |= (uint64_t)0xff << fd->stencil_shift;
   }
   out = (out & ~mask) | value;
   memcpy(p, &out, fd->bytes);
}

static void
blit_zs(const struct sgd_blit *b, const struct SGPU_RECT *rect, uint32_t layer)
{
   for (int32_t y = rect->y0; y < rect->y1; y++) {
      const double sy = sgd_blit_y(b, y);
      for (int32_t x = rect->x0; x < rect->x1; x++) {
         for (unsigned sample = 0; sample < b->dst->samples; sample++)
            zs_pixel(b, sgd_blit_x(b, x), sy, b->source_z, x, y, layer, sample);
      }
   }
}

/* Repeats the mask of an element up to the end of the array. */
static void
repeat_bits(struct sgd_blit *b)
{
   const unsigned bytes = b->dst->bpe;

   for (unsigned i = bytes; i < sizeof(b->bits) && util_is_power_of_two_nonzero(bytes); i++)
      b->bits[i] = b->bits[i - bytes];
}

/* Sets the mask of the bits that a raw blit of depth and stencil overwrites. */
static void
zs_bits(struct sgd_blit *b)
{
   const struct sgd_zs_format *f = &b->zs_dst;
   uint64_t mask = 0;

   if (b->p->depth && f->has_depth)
      mask |= (uint64_t)sgd_depth_max(f) << f->depth_shift;
   if (b->p->stencil && f->has_stencil)
      mask |= (uint64_t)0xff << f->stencil_shift;
   memcpy(b->bits, &mask, sizeof(mask));
   b->whole = mask == ~(uint64_t)0 >> (64 - 8 * f->bytes);
   repeat_bits(b);
}

/* Returns true if each destination pixel is one texel: no filter, no mean of samples, no blending.
 */
static bool
is_copy(const struct sgd_blit *b)
{
   return !b->linear && !b->decode && !b->p->blend &&
          (b->is_int || b->src->samples == 1 || b->dst->samples > 1);
}

/* Returns true if the format has a channel that is stored for no component. */
static bool
unused_channel(const struct sgd_codec *codec)
{
   for (unsigned i = 0; i < codec->channels; i++) {
      if (codec->comp[i] == SGD_COMP_NONE)
         return true;
   }
   return !codec->channels;
}

/* Returns true if elements can be copied as they are. Floats can't, since NaNs become canonical,
 * nor signed normalized formats, whose most negative integer changes.
 */
static bool
is_raw(const struct sgd_blit *b)
{
   return b->src->pformat == b->dst->pformat && is_copy(b) && !unused_channel(&b->from) &&
          (b->is_int || b->from.path == SGD_CODEC_UNORM8 || b->from.path == SGD_CODEC_UNORM);
}

void
sgd_blit_rect(struct sgd_worker *worker, const struct sgd_xfer *xfer, const struct SGPU_RECT *rect,
              unsigned layer)
{
   const struct SGPU_BLIT *p = &xfer->u.blit.packet;
   const struct SGPU_RECT *d = &p->destination_rect, *s = &p->source_rect;
   const enum pipe_format from = xfer->u.blit.src.pformat, to = xfer->u.blit.dst.pformat;
   struct sgd_blit b = {
      .src = &xfer->u.blit.src,
      .dst = &xfer->u.blit.dst,
      .p = p,
      .step_x = sgd_blit_step(d->x0, d->x1, s->x0, s->x1),
      .step_y = sgd_blit_step(d->y0, d->y1, s->y0, s->y1),
      .step_z = sgd_blit_step(0, p->layers, p->source_z0, p->source_z1),
      .is_int = util_format_is_pure_integer(from),
      .linear = p->filter == SGPU_FILTER_LINEAR && !util_format_is_pure_integer(from),
   };
   b.source_z = sgd_blit_place(layer, 0, p->source_z0, b.step_z);

   if (util_format_is_depth_or_stencil(from)) {
      b.zs_src = sgd_zs_format(from);
      b.zs_dst = sgd_zs_format(to);
      b.raw = from == to && !b.linear;
      if (b.raw) {
         zs_bits(&b);
         sgd_blit_colors(&b, rect, layer);
      } else {
         blit_zs(&b, rect, layer);
      }
   } else {
      b.from = sgd_codec(from);
      if (util_format_is_compressed(from))
         b.decode = util_format_fetch_rgba_func(from);
      b.to = sgd_codec(to);
      b.whole = sgd_codec_bits(&b.to, p->mask, b.bits);
      repeat_bits(&b);
      b.raw = is_raw(&b);
      b.swaps = is_copy(&b) && b.from.path == SGD_CODEC_UNORM8 && b.to.path == SGD_CODEC_UNORM8;
      b.bytes = b.from.path == SGD_CODEC_UNORM8 && from == to && b.src->samples > 1 &&
                b.dst->samples == 1 && !b.linear && p->mask == 0xf && !p->blend;
      b.floats = (b.from.path == SGD_CODEC_HALF || b.from.path == SGD_CODEC_WORDS) && from == to &&
                 !b.is_int && !unused_channel(&b.from) && b.src->samples > 1 &&
                 b.dst->samples == 1 && !b.linear && b.whole && !p->blend;
      b.box = sgd_blit_is_box(&b);
      sgd_blit_colors(&b, rect, layer);
   }
}
