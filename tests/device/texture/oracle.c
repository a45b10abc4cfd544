/* SPDX-License-Identifier: MIT */
/*
 * Tests of the texture unit: the scalar oracle, in double precision, by GL 4.6, sections 8.14 to
 * 8.23. It shares only Mesa's unpacking of formats with the device.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "texture.h"

struct place {
   const struct tex *t;
   const struct SGPU_SAMPLER *s;
   const struct sgd_tex_op *op;
   unsigned level;
   int size[3];
   int layer;
   double ref;
};

static bool
is_cube(const struct sgd_tex_op *op)
{
   return op->target == SGPU_TEX_TARGET_CUBE || op->target == SGPU_TEX_TARGET_CUBE_ARRAY;
}

static unsigned
dims_of(const struct sgd_tex_op *op)
{
   const struct sgpu_tex_target_info *info = &sgpu_tex_target_infos[op->target];
   return is_cube(op) ? 2 : info->coords - info->array;
}

static int
floor_mod(int a, int n)
{
   const int r = a % n;
   return r < 0 ? r + n : r;
}

static int
mirror(int i)
{
   return i >= 0 ? i : -1 - i;
}

/* Returns the index of the wrapped texel (table 8.20), or -1 for the border. */
static int
wrap(enum sgpu_wrap mode, int i, int n)
{
   switch (mode) {
   case SGPU_WRAP_REPEAT:
      return floor_mod(i, n);
   case SGPU_WRAP_MIRROR_REPEAT:
      return n - 1 - mirror(floor_mod(i, 2 * n) - n);
   case SGPU_WRAP_CLAMP_TO_EDGE:
      return i < 0 ? 0 : i >= n ? n - 1 : i;
   case SGPU_WRAP_MIRROR_CLAMP_TO_EDGE:
      i = mirror(i);
      return i >= n ? n - 1 : i;
   case SGPU_WRAP_CLAMP:
   case SGPU_WRAP_CLAMP_TO_BORDER:
      return i < 0 || i >= n ? -1 : i;
   default:
      i = mirror(i);
      return i >= n ? -1 : i;
   }
}

static double
number(const struct tex *t, uint32_t bits)
{
   const struct util_format_description *f = t->texture.fdesc;
   const bool depth = util_format_has_depth(f);
   if (!depth && (util_format_is_pure_uint(f->format) || util_format_has_stencil(f)))
      return bits;
   if (!depth && util_format_is_pure_sint(f->format))
      return (int32_t)bits;
   float v;
   memcpy(&v, &bits, 4);
   return v;
}

static void
border(const struct place *p, double rgba[4])
{
   const uint32_t b[4] = { p->s->border_0, p->s->border_1, p->s->border_2, p->s->border_3 };
   const struct util_format_description *f = p->t->texture.fdesc;
   for (unsigned c = 0; c < 4; c++) {
      rgba[c] = number(p->t, b[c]);
      if (util_format_is_snorm(f->format))
         rgba[c] = fmax(-1, fmin(1, rgba[c]));
      else if (util_format_is_unorm(f->format) || util_format_is_srgb(f->format) ||
               (util_format_has_depth(f) && !util_format_is_float(f->format)))
         rgba[c] = fmax(0, fmin(1, rgba[c]));
      if (f->colorspace != UTIL_FORMAT_COLORSPACE_ZS && f->swizzle[c] == PIPE_SWIZZLE_0)
         rgba[c] = 0;
      if (f->colorspace != UTIL_FORMAT_COLORSPACE_ZS && f->swizzle[c] == PIPE_SWIZZLE_1)
         rgba[c] = 1;
   }
   if (f->colorspace == UTIL_FORMAT_COLORSPACE_ZS)
      rgba[1] = rgba[2] = 0, rgba[3] = 1;
}

static bool
holds(enum sgpu_compare f, double ref, double d)
{
   switch (f) {
   case SGPU_COMPARE_NEVER:
      return false;
   case SGPU_COMPARE_LESS:
      return ref < d;
   case SGPU_COMPARE_EQUAL:
      return ref == d;
   case SGPU_COMPARE_LEQUAL:
      return ref <= d;
   case SGPU_COMPARE_GREATER:
      return ref > d;
   case SGPU_COMPARE_NOTEQUAL:
      return ref != d;
   case SGPU_COMPARE_GEQUAL:
      return ref >= d;
   default:
      return true;
   }
}

/* Reads a texel with any indices, after wrapping, before the view's swizzle. */
static void
texel(const struct place *p, const int i[3], double rgba[4])
{
   const unsigned dims = dims_of(p->op);
   const enum sgpu_wrap modes[3] = { p->s->wrap_s, p->s->wrap_t, p->s->wrap_r };
   int at[3] = { 0 };
   bool out = false;
   for (unsigned a = 0; a < dims; a++) {
      at[a] = wrap(modes[a], i[a], p->size[a]);
      out |= at[a] < 0;
   }
   if (out) {
      border(p, rgba);
   } else {
      uint32_t bits[4];
      tex_texel(p->t, p->level, dims == 3 ? at[2] : p->layer, 0, at[0], at[1], bits);
      for (unsigned c = 0; c < 4; c++)
         rgba[c] = number(p->t, bits[c]);
   }
   if (p->op->shadow && p->s->compare_enable) {
      const struct util_format_description *f = p->t->texture.fdesc;
      double ref = p->ref;
      if (!util_format_is_float(f->format))
         ref = fmax(0, fmin(1, ref));
      const double r = holds(p->s->compare, (float)ref, (float)rgba[0]) ? 1 : 0;
      rgba[0] = rgba[1] = rgba[2] = r;
      rgba[3] = 1;
   }
}

/* Returns the scaled coordinate of axis a. GL_CLAMP and mirrored clamps change it before the
 * filter.
 */
static double
scaled(const struct place *p, unsigned a, double s)
{
   const enum sgpu_wrap modes[3] = { p->s->wrap_s, p->s->wrap_t, p->s->wrap_r };
   const double n = p->size[a];
   double u = p->s->unnormalized ? s : s * n;
   if (modes[a] == SGPU_WRAP_CLAMP)
      u = fmax(0, fmin(n, u));
   if (modes[a] == SGPU_WRAP_MIRROR_CLAMP)
      u = fmin(n, fabs(u));
   if (modes[a] == SGPU_WRAP_MIRROR_CLAMP_TO_BORDER || modes[a] == SGPU_WRAP_MIRROR_CLAMP_TO_EDGE)
      u = fabs(u);
   return u;
}

/* Finds the face and the coordinates on it (table 8.19). */
static void
cube_face(const double r[3], int *face, double st[2])
{
   const double a[3] = { fabs(r[0]), fabs(r[1]), fabs(r[2]) };
   double sc, tc, ma;
   if (a[0] >= a[1] && a[0] >= a[2]) {
      *face = r[0] < 0;
      ma = a[0];
      sc = r[0] < 0 ? r[2] : -r[2];
      tc = -r[1];
   } else if (a[1] >= a[2]) {
      *face = 2 + (r[1] < 0);
      ma = a[1];
      sc = r[0];
      tc = r[1] < 0 ? -r[2] : r[2];
   } else {
      *face = 4 + (r[2] < 0);
      ma = a[2];
      sc = r[2] < 0 ? -r[0] : r[0];
      tc = -r[1];
   }
   st[0] = 0.5 * (sc / ma + 1);
   st[1] = 0.5 * (tc / ma + 1);
}

/* Returns the direction of a point on a face. */
static void
face_direction(int face, double sc, double tc, double r[3])
{
   const double table[6][3] = {
      { 1, -tc, -sc }, { -1, -tc, sc }, { sc, 1, tc },
      { sc, -1, -tc }, { sc, -tc, 1 },  { -sc, -tc, -1 },
   };
   memcpy(r, table[face], sizeof(table[face]));
}

/* Reads a texel of a seamless cube. Beyond an edge, it is the texel that the direction of its
 * centre hits. Returns false at a corner, where there is none.
 */
static bool
seamless_texel(const struct place *p, const int i[3], double rgba[4])
{
   const int n = p->size[0];
   struct place q = *p;
   int at[3] = { i[0], i[1], 0 };
   const bool out_x = i[0] < 0 || i[0] >= n, out_y = i[1] < 0 || i[1] >= n;
   if (out_x && out_y)
      return false;
   if (out_x || out_y) {
      double r[3], st[2];
      int face;
      face_direction(p->layer % 6, (2.0 * i[0] + 1) / n - 1, (2.0 * i[1] + 1) / n - 1, r);
      cube_face(r, &face, st);
      at[0] = (int)floor(st[0] * n);
      at[1] = (int)floor(st[1] * n);
      q.layer = p->layer / 6 * 6 + face;
   }
   texel(&q, at, rgba);
   return true;
}

/* Rounds a weight to 8 fractional bits. Sets *sure to false if the single precision of a device may
 * round to the other side.
 */
static double
fixed_point(double x, bool *sure)
{
   const double scaled = x * 256;
   *sure &= fabs(scaled - floor(scaled) - 0.5) > 0.004;
   return nearbyint(scaled) / 256;
}

static void
sample_level(const struct place *p, bool linear, const double st[3], double rgba[4], bool *sure)
{
   const unsigned dims = dims_of(p->op);
   int base[3] = { 0 };
   double f[3] = { 0 };
   for (unsigned a = 0; a < dims; a++) {
      const enum sgpu_wrap modes[3] = { p->s->wrap_s, p->s->wrap_t, p->s->wrap_r };
      const int n = p->size[a];
      if (!linear && (modes[a] == SGPU_WRAP_CLAMP || modes[a] == SGPU_WRAP_MIRROR_CLAMP)) {
         /* Table 8.20 of the compatibility profile: without a filter, the range of texels is
          * clamped after the offset.
          */
         double i = floor(p->s->unnormalized ? st[a] : st[a] * n) + p->op->offset[a];
         if (modes[a] == SGPU_WRAP_MIRROR_CLAMP && i < 0)
            i = -1 - i;
         base[a] = (int)fmax(0, fmin(n - 1, i));
         continue;
      }
      const double at = scaled(p, a, st[a]);
      const double u = linear ? fixed_point(at - 0.5, sure) : at;
      base[a] = (int)floor(u) + p->op->offset[a];
      f[a] = u - floor(u);
   }
   if (!linear) {
      texel(p, base, rgba);
      return;
   }
   const bool seamless = is_cube(p->op) && p->s->seamless;
   memset(rgba, 0, 4 * sizeof(*rgba));
   double corner[4] = { 0 }, corner_weight = 0;
   for (unsigned n = 0; n < 1u << dims; n++) {
      double w = 1, v[4];
      int i[3] = { base[0], base[1], base[2] };
      for (unsigned a = 0; a < dims; a++) {
         w *= n & (1 << a) ? f[a] : 1 - f[a];
         i[a] += (n >> a) & 1;
      }
      if (seamless && !seamless_texel(p, i, v)) {
         corner_weight = w;
         continue;
      }
      if (!seamless)
         texel(p, i, v);
      for (unsigned c = 0; c < 4; c++) {
         rgba[c] += w * v[c];
         corner[c] += v[c] / 3;
      }
   }
   for (unsigned c = 0; c < 4; c++)
      rgba[c] += corner_weight * corner[c];
}

static void
view_swizzle(const struct tex *t, double rgba[4])
{
   const struct SGPU_TEXTURE *d = &t->texture.desc;
   const unsigned sw[4] = { d->swizzle_x, d->swizzle_y, d->swizzle_z, d->swizzle_w };
   const double in[6] = { rgba[0], rgba[1], rgba[2], rgba[3], 0, 1 };
   for (unsigned c = 0; c < 4; c++)
      rgba[c] = in[sw[c]];
}

bool
oracle_sample(const struct tex *t, const struct sgd_sampler *sampler, const struct sgd_tex_op *op,
              const double coord[4], double ref, double lod, double out[4])
{
   const struct SGPU_SAMPLER *s = &sampler->desc;
   const struct SGPU_TEXTURE *d = &t->texture.desc;
   const struct sgpu_tex_target_info *info = &sgpu_tex_target_infos[op->target];
   const unsigned last = d->last_level - d->first_level;
   const bool integer = sgpu_format_has(d->format, SGPU_FORMAT_FLAG_INTEGER);
   struct place p = { .t = t, .s = s, .op = op, .ref = ref };
   double st[3] = { coord[0], coord[1], coord[2] };
   const int layers = d->last_layer - d->first_layer + 1;

   if (is_cube(op))
      cube_face(coord, &p.layer, st);
   if (info->array) {
      const int n = is_cube(op) ? layers / 6 : layers;
      const double layer = fmax(0, fmin(n - 1, nearbyint(coord[info->coords - 1])));
      p.layer += (int)layer * (is_cube(op) ? 6 : 1);
   }

   lod = fmax(s->min_lod, fmin(s->max_lod, lod));
   enum sgpu_filter filter = s->min_filter;
   unsigned level = 0;
   double f = 0;
   bool sure = true;
   if (lod <= 0) {
      filter = s->mag_filter;
   } else if (s->mip_filter == SGPU_MIP_FILTER_NEAREST) {
      level = lod <= 0.5 ? 0 : (unsigned)(ceil(lod + 0.5) - 1);
      level = level > last ? last : level;
   } else if (s->mip_filter == SGPU_MIP_FILTER_LINEAR) {
      lod = lod >= last ? last : fixed_point(lod, &sure);
      level = (unsigned)floor(lod);
      f = lod - level;
   }

   double part[4];
   memset(out, 0, 4 * sizeof(*out));
   for (unsigned n = 0; n < (f > 0 ? 2 : 1); n++) {
      const struct sgpu_layout_level *l = &t->texture.layout.level[d->first_level + level + n];
      p.level = level + n;
      p.size[0] = (int)l->width;
      p.size[1] = (int)l->height;
      p.size[2] = (int)l->depth;
      sample_level(&p, filter == SGPU_FILTER_LINEAR && !integer, st, part, &sure);
      for (unsigned i = 0; i < 4; i++)
         out[i] += part[i] * (n ? f : 1 - f);
   }
   view_swizzle(t, out);
   return sure;
}

double
oracle_lod(const struct tex *t, const struct sgd_sampler *sampler, const struct sgd_tex_op *op,
           const double c0[4], const double c1[4], const double c2[4])
{
   const struct sgpu_layout_level *base = &t->texture.layout.level[t->texture.desc.first_level];
   const double size[3] = { base->width, base->height, base->depth };
   double x = 0, y = 0;
   if (is_cube(op)) {
      /* Project the steps to the other pixels onto the plane of the first pixel's face. */
      int face;
      double st[2];
      cube_face(c0, &face, st);
      const int m = face / 2, u = m == 0 ? 1 : 0, v = m == 2 ? 1 : 2;
      const double ma = fabs(c0[m]), sign = c0[m] < 0 ? -1 : 1;
      const double *others[2] = { c1, c2 };
      double len[2];
      for (unsigned k = 0; k < 2; k++) {
         const double dm = (others[k][m] - c0[m]) * sign;
         const double du = ((others[k][u] - c0[u]) * ma - c0[u] * dm) / (ma * ma);
         const double dv = ((others[k][v] - c0[v]) * ma - c0[v] * dm) / (ma * ma);
         len[k] = hypot(du, dv) * base->width / 2;
      }
      return log2(fmax(len[0], len[1]));
   }
   for (unsigned a = 0; a < dims_of(op); a++) {
      const double n = sampler->desc.unnormalized ? 1 : size[a];
      x += pow((c1[a] - c0[a]) * n, 2);
      y += pow((c2[a] - c0[a]) * n, 2);
   }
   return log2(sqrt(fmax(x, y)));
}
