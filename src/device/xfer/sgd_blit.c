/* SPDX-License-Identifier: MIT */
/*
 * Copy engine: blits, which scale, mirror, convert, resolve and blend.
 *
 * The centre of a destination pixel maps to
 *    source.x0 + (x + 0.5 - destination.x0) * (source width / destination width)
 * and to the texel that contains it, or to the four around it; texels outside
 * the source surface are those of its edge (GL 4.6, 18.3.1).
 */
#include "sgd_depth_format.h"
#include "sgd_element.h"
#include "sgd_worker.h"
#include "util/macros.h"

union texel {
   float f[4];
   uint32_t u[4];
   int32_t i[4];
};

struct blit {
   const struct sgd_surface *src, *dst;
   const struct SGPU_BLIT *p;
   double step_x, step_y, step_z;
   struct sgd_zs_format zs_src, zs_dst;
   bool is_int, linear;
   /* A texel of a compressed source's block; NULL: the source has pixels. */
   util_format_fetch_rgba_func_ptr decode;
};

/* Largest integer not above v, which is held within what surfaces can have. */
static int32_t
floor_to_int(double v)
{
   v = CLAMP(v, -0x1p30, 0x1p30);
   const int32_t i = (int32_t)v;
   return i - (v < (double)i);
}

static void
decode_texel(const struct blit *b, uint32_t x, uint32_t y, uint32_t z, union texel *out)
{
   const struct sgd_surface *s = b->src;
   const uint32_t bw = s->desc->block.width, bh = s->desc->block.height;
   b->decode(out, sgd_surface_element(s, x / bw, y / bh, z, 0), x % bw, y % bh);
}

/* One texel of the source as four channels: the mean of its samples where the
 * format is not integer and the destination has one, else its first.
 */
static void
fetch(const struct blit *b, int32_t x, int32_t y, int32_t z, unsigned sample, union texel *out)
{
   const struct sgd_surface *s = b->src;
   x = CLAMP(x, 0, s->width - 1);
   y = CLAMP(y, 0, s->height - 1);
   z = CLAMP(z, 0, s->layers - 1);

   if (b->decode) {
      decode_texel(b, x, y, z, out);
      return;
   }
   if (b->is_int || s->samples == 1 || b->dst->samples > 1) {
      util_format_unpack_rgba(s->pformat, out,
                              sgd_surface_element(s, x, y, z, s->samples > 1 ? sample : 0), 1);
      return;
   }
   float sum[4] = { 0.0f };
   for (unsigned i = 0; i < s->samples; i++) {
      union texel t;
      util_format_unpack_rgba(s->pformat, &t, sgd_surface_element(s, x, y, z, i), 1);
      for (unsigned c = 0; c < 4; c++)
         sum[c] = sgpu_fadd(sum[c], t.f[c]);
   }
   for (unsigned c = 0; c < 4; c++)
      out->f[c] = sgpu_fmul(sum[c], 1.0f / s->samples);
}

static float
lerp(float a, float b, float t)
{
   return sgpu_fadd(a, sgpu_fmul(sgpu_fsub(b, a), t));
}

static void
fetch_linear(const struct blit *b, double sx, double sy, int32_t z, union texel *out)
{
   const int32_t x = floor_to_int(sx - 0.5), y = floor_to_int(sy - 0.5);
   const float fx = (float)(sx - 0.5 - x), fy = (float)(sy - 0.5 - y);
   union texel t[4];

   fetch(b, x, y, z, 0, &t[0]);
   fetch(b, x + 1, y, z, 0, &t[1]);
   fetch(b, x, y + 1, z, 0, &t[2]);
   fetch(b, x + 1, y + 1, z, 0, &t[3]);
   for (unsigned c = 0; c < 4; c++)
      out->f[c] = lerp(lerp(t[0].f[c], t[1].f[c], fx), lerp(t[2].f[c], t[3].f[c], fx), fy);
}

static void
color_pixel(const struct blit *b, double sx, double sy, double sz, uint32_t x, uint32_t y,
            uint32_t layer, unsigned sample)
{
   const struct sgd_surface *dst = b->dst;
   uint8_t *p = sgd_surface_element(dst, x, y, layer, sample);
   union texel t;

   if (!b->linear) {
      fetch(b, floor_to_int(sx), floor_to_int(sy), floor_to_int(sz), sample, &t);
   } else if (b->step_z == 1.0) {
      fetch_linear(b, sx, sy, floor_to_int(sz), &t);
   } else {
      const int32_t z = floor_to_int(sz - 0.5);
      const float fz = (float)(sz - 0.5 - z);
      union texel far;
      fetch_linear(b, sx, sy, z, &t);
      fetch_linear(b, sx, sy, z + 1, &far);
      for (unsigned c = 0; c < 4; c++)
         t.f[c] = lerp(t.f[c], far.f[c], fz);
   }

   if (b->p->mask != 0xf || b->p->blend) {
      union texel old;
      util_format_unpack_rgba(dst->pformat, &old, p, 1);
      if (b->p->blend) {
         for (unsigned c = 0; c < 4; c++)
            t.f[c] = sgpu_fadd(sgpu_fmul(t.f[c], c == 3 ? 1.0f : t.f[3]),
                               sgpu_fmul(old.f[c], sgpu_fsub(1.0f, t.f[3])));
      }
      for (unsigned c = 0; c < 4; c++) {
         if (!(b->p->mask & (1 << c)))
            t.u[c] = old.u[c];
      }
   }
   util_format_pack_rgba(dst->pformat, p, &t, 1);
}

/* The source's element of depth and stencil at or next to a place. */
static uint64_t
zs_fetch(const struct blit *b, int32_t x, int32_t y, int32_t z, unsigned sample)
{
   const struct sgd_surface *s = b->src;
   uint64_t element = 0;

   x = CLAMP(x, 0, s->width - 1);
   y = CLAMP(y, 0, s->height - 1);
   z = CLAMP(z, 0, s->layers - 1);
   memcpy(&element, sgd_surface_element(s, x, y, z, s->samples > 1 ? sample : 0),
          b->zs_src.bytes);
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
   return f->is_float ? (double)sgpu_bits2f(stored) : (double)stored / sgd_depth_max(f);
}

static double
lerp_depth(double a, double b, double t)
{
   return a + (b - a) * t;
}

static double
linear_depth(const struct blit *b, double sx, double sy, double sz, unsigned sample)
{
   const bool flat = b->step_z == 1.0;
   const int32_t x = floor_to_int(sx - 0.5), y = floor_to_int(sy - 0.5);
   const int32_t z = floor_to_int(flat ? sz : sz - 0.5);
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

/* Stencil is that of the nearest texel, however depth is filtered. */
static void
zs_pixel(const struct blit *b, double sx, double sy, double sz, uint32_t x, uint32_t y,
         uint32_t layer, unsigned sample)
{
   const struct sgd_zs_format *fs = &b->zs_src, *fd = &b->zs_dst;
   const uint64_t in =
      zs_fetch(b, floor_to_int(sx), floor_to_int(sy), floor_to_int(sz), sample);
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

void
sgd_blit_rect(struct sgd_worker *worker, const struct sgd_xfer *xfer, const struct SGPU_RECT *rect,
              unsigned layer)
{
   const struct SGPU_BLIT *p = &xfer->u.blit.packet;
   const struct SGPU_RECT *d = &p->destination_rect, *s = &p->source_rect;
   const bool zs = util_format_is_depth_or_stencil(xfer->u.blit.src.pformat);
   const struct blit b = {
      .src = &xfer->u.blit.src,
      .dst = &xfer->u.blit.dst,
      .p = p,
      .step_x = ((double)s->x1 - s->x0) / ((double)d->x1 - d->x0),
      .step_y = ((double)s->y1 - s->y0) / ((double)d->y1 - d->y0),
      .step_z = ((double)p->source_z1 - p->source_z0) / p->layers,
      .zs_src = sgd_zs_format(xfer->u.blit.src.pformat),
      .zs_dst = sgd_zs_format(xfer->u.blit.dst.pformat),
      .is_int = util_format_is_pure_integer(xfer->u.blit.src.pformat),
      .linear = p->filter == SGPU_FILTER_LINEAR &&
                !util_format_is_pure_integer(xfer->u.blit.src.pformat),
      .decode = util_format_is_compressed(xfer->u.blit.src.pformat)
                   ? util_format_fetch_rgba_func(xfer->u.blit.src.pformat) : NULL,
   };

   const double sz = p->source_z0 + (layer + 0.5) * b.step_z;
   for (int32_t y = rect->y0; y < rect->y1; y++) {
      const double sy = s->y0 + (y + 0.5 - d->y0) * b.step_y;
      for (int32_t x = rect->x0; x < rect->x1; x++) {
         const double sx = s->x0 + (x + 0.5 - d->x0) * b.step_x;
         for (unsigned sample = 0; sample < b.dst->samples; sample++) {
            if (zs)
               zs_pixel(&b, sx, sy, sz, x, y, layer, sample);
            else
               color_pixel(&b, sx, sy, sz, x, y, layer, sample);
         }
      }
   }
}
