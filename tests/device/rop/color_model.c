/* SPDX-License-Identifier: MIT */
/*
 * A model of colour formats and blending: see color_model.h.
 */
#include "color_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/macros.h"

bool
model_format(struct model_format *f, enum pipe_format format)
{
   const struct util_format_description *desc = util_format_description(format);

   memset(f, 0, sizeof(*f));
   f->bytes = desc->block.bits / 8;
   f->is_int = util_format_is_pure_integer(format);
   f->is_float = true;
   memcpy(f->from, desc->swizzle, 4);

   if (format == PIPE_FORMAT_R11G11B10_FLOAT) {
      f->channels = 3;
      for (unsigned i = 0; i < 3; i++)
         f->channel[i] = (struct model_channel){ i, 11 * i, i < 2 ? 11 : 10, MODEL_FLOAT };
      return true;
   }
   if (desc->layout != UTIL_FORMAT_LAYOUT_PLAIN)
      return false;

   f->channels = desc->nr_channels;
   f->is_float = false;
   for (unsigned i = 0; i < f->channels; i++) {
      const struct util_format_channel_description *d = &desc->channel[i];
      struct model_channel *c = &f->channel[i];
      c->comp = -1;
      c->shift = d->shift;
      c->size = d->size;
      c->is_signed = d->type == UTIL_FORMAT_TYPE_SIGNED;
      if (d->type == UTIL_FORMAT_TYPE_VOID)
         continue;
      for (int k = 3; k >= 0; k--) {
         if (desc->swizzle[k] == i)
            c->comp = k;
      }
      c->srgb = desc->colorspace == UTIL_FORMAT_COLORSPACE_SRGB && c->comp < 3;
      if (d->type == UTIL_FORMAT_TYPE_FLOAT)
         c->kind = MODEL_FLOAT;
      else if (d->normalized)
         c->kind = c->is_signed ? MODEL_SNORM : MODEL_UNORM;
      else
         c->kind = f->is_int ? MODEL_INT : MODEL_OTHER;
      f->normalized |= d->normalized;
      f->is_signed |= c->is_signed;
      f->is_float |= c->kind == MODEL_FLOAT;
      if (c->kind == MODEL_OTHER)
         return false;
   }
   f->logic = (f->normalized || f->is_int) && desc->colorspace == UTIL_FORMAT_COLORSPACE_RGB;
   return true;
}

uint64_t
model_bits(const uint8_t *element, unsigned shift, unsigned size)
{
   uint64_t v = 0;
   for (unsigned i = 0; i < size; i++) {
      const unsigned b = shift + i;
      v |= (uint64_t)(element[b / 8] >> (b % 8) & 1) << i;
   }
   return v;
}

static int64_t
extend(uint64_t bits, unsigned size)
{
   return (int64_t)(bits << (64 - size)) >> (64 - size);
}

/* Decodes a float of 64, 32, 16, 11 or 10 bits. Floats of 11 and 10 bits have no sign. */
static double
float_of(uint64_t bits, unsigned size)
{
   if (size == 64) {
      double d;
      memcpy(&d, &bits, 8);
      return d;
   }
   if (size == 32) {
      const uint32_t u = bits;
      float x;
      memcpy(&x, &u, 4);
      /* The device flushes subnormal numbers, independent of the host's mode. */
      return fabs((double)x) < 0x1p-126 ? copysign(0.0, x) : x;
   }
   const unsigned mantissa = size == 16 ? 10 : size - 5;
   const double sign = size == 16 && bits >> 15 ? -1.0 : 1.0;
   const unsigned e = bits >> mantissa & 31;
   const double m = (double)(bits & ((1u << mantissa) - 1)) / (1u << mantissa);
   if (e == 31)
      return m != 0.0 ? NAN : sign * INFINITY;
   return sign * (e ? ldexp(1.0 + m, (int)e - 15) : ldexp(m, -14));
}

static double
srgb_to_linear(double x)
{
   return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
}

static double
linear_to_srgb(double x)
{
   return x < 0.0031308 ? x * 12.92 : 1.055 * pow(x, 1.0 / 2.4) - 0.055;
}

static double
channel_value(const struct model_channel *c, uint64_t bits)
{
   switch (c->kind) {
   case MODEL_UNORM: {
      const double x = (double)bits / (double)(UINT64_MAX >> (64 - c->size));
      return c->srgb ? srgb_to_linear(x) : x;
   }
   case MODEL_SNORM:
      return MAX2((double)extend(bits, c->size) / (double)(INT64_MAX >> (64 - c->size)), -1.0);
   case MODEL_FLOAT:
      return float_of(bits, c->size);
   default:
      return c->is_signed ? (double)extend(bits, c->size) : (double)bits;
   }
}

void
model_read(const struct model_format *f, const uint8_t *element, double rgba[4])
{
   for (unsigned k = 0; k < 4; k++) {
      if (f->from[k] == PIPE_SWIZZLE_1) {
         rgba[k] = 1.0;
      } else if (f->from[k] > PIPE_SWIZZLE_W) {
         rgba[k] = 0.0;
      } else {
         const struct model_channel *c = &f->channel[f->from[k]];
         rgba[k] = channel_value(c, model_bits(element, c->shift, c->size));
      }
   }
}

double
model_clamp(const struct model_format *f, double x)
{
   if (!f->normalized)
      return x;
   if (x != x)
      return 0.0;
   return CLAMP(x, f->is_signed ? -1.0 : 0.0, 1.0);
}

/* Returns the distance between neighbours of x in a float format. */
static double
float_step(unsigned size, double x)
{
   const int mantissa = size == 64 ? 52 : size == 32 ? 23 : size == 16 ? 10 : (int)size - 5;
   const int least = size >= 32 ? -126 : -14;
   int e;
   frexp(x, &e);
   return ldexp(1.0, MAX2(e - 1, least) - mantissa);
}

bool
model_may_store(const struct model_channel *c, uint64_t bits, double x, double error)
{
   switch (c->kind) {
   case MODEL_UNORM: {
      /* Mesa's sRGB conversion interpolates in a table, which adds a small error. */
      const double max = (double)(UINT64_MAX >> (64 - c->size));
      const double y = c->srgb ? linear_to_srgb(x) : x;
      const double slack = c->srgb ? 0.1 + error * max * 13.0
                                   : error * max + max * 0x1p-23 + 0x1p-16;
      return fabs((double)bits - y * max) <= 0.5 + slack;
   }
   case MODEL_SNORM: {
      const double max = (double)(INT64_MAX >> (64 - c->size));
      return fabs((double)extend(bits, c->size) - x * max) <=
             0.5 + error * max + max * 0x1p-23 + 0x1p-16;
   }
   case MODEL_FLOAT: {
      const double got = float_of(bits, c->size);
      if (c->size < 16 && bits == 0 && x - error <= 0.0)
         return true;
      if (x != x || got != got)
         return x != x && got != got;
      /* Numbers too large for the format become infinity or the largest number. */
      const double largest = c->size < 16 ? 65024.0 : c->size == 16 ? 65504.0 : 0x1.fffffep127;
      if (fabs(x) + error >= largest && fabs(got) >= largest * 0.99 && (got > 0) == (x > 0))
         return true;
      if (isinf(x) || isinf(got))
         return false;
      /* Formats without a sign round towards zero. */
      const double step = float_step(c->size, fabs(x) + error) * (c->size < 16 ? 1.0 : 0.5);
      return fabs(got - x) <= step + error;
   }
   default:
      return false;
   }
}

static double
factor(const struct model_format *f, enum sgpu_blend_factor kind, const float constant[4],
       unsigned c, const double s[4], const double s1[4], const double d[4])
{
   const double k = model_clamp(f, constant[c]), ka = model_clamp(f, constant[3]);

   switch (kind) {
   case SGPU_BLEND_FACTOR_ZERO:
      return 0.0;
   case SGPU_BLEND_FACTOR_ONE:
      return 1.0;
   case SGPU_BLEND_FACTOR_SRC_COLOR:
      return s[c];
   case SGPU_BLEND_FACTOR_INV_SRC_COLOR:
      return 1.0 - s[c];
   case SGPU_BLEND_FACTOR_SRC_ALPHA:
      return s[3];
   case SGPU_BLEND_FACTOR_INV_SRC_ALPHA:
      return 1.0 - s[3];
   case SGPU_BLEND_FACTOR_DST_COLOR:
      return d[c];
   case SGPU_BLEND_FACTOR_INV_DST_COLOR:
      return 1.0 - d[c];
   case SGPU_BLEND_FACTOR_DST_ALPHA:
      return d[3];
   case SGPU_BLEND_FACTOR_INV_DST_ALPHA:
      return 1.0 - d[3];
   case SGPU_BLEND_FACTOR_SRC_ALPHA_SATURATE:
      return c == 3 ? 1.0 : MIN2(s[3], 1.0 - d[3]);
   case SGPU_BLEND_FACTOR_CONST_COLOR:
      return k;
   case SGPU_BLEND_FACTOR_INV_CONST_COLOR:
      return 1.0 - k;
   case SGPU_BLEND_FACTOR_CONST_ALPHA:
      return ka;
   case SGPU_BLEND_FACTOR_INV_CONST_ALPHA:
      return 1.0 - ka;
   case SGPU_BLEND_FACTOR_SRC1_COLOR:
      return s1[c];
   case SGPU_BLEND_FACTOR_INV_SRC1_COLOR:
      return 1.0 - s1[c];
   case SGPU_BLEND_FACTOR_SRC1_ALPHA:
      return s1[3];
   case SGPU_BLEND_FACTOR_INV_SRC1_ALPHA:
      return 1.0 - s1[3];
   }
   abort();
}

double
model_blend(const struct model_format *f, const struct SGPU_BLEND_TARGET *t,
            const float constant[4], unsigned c, const double s[4], const double s1[4],
            const double d[4], double *error)
{
   const enum sgpu_blend_func func = c == 3 ? t->alpha_func : t->rgb_func;
   const enum sgpu_blend_factor src = c == 3 ? t->alpha_src : t->rgb_src;
   const enum sgpu_blend_factor dst = c == 3 ? t->alpha_dst : t->rgb_dst;
   const double sf = factor(f, src, constant, c, s, s1, d);
   const double df = factor(f, dst, constant, c, s, s1, d);
   /* The product with a factor that is always zero is zero, even for infinities. */
   const double a = src == SGPU_BLEND_FACTOR_ZERO ? 0.0 : s[c] * sf;
   const double b = dst == SGPU_BLEND_FACTOR_ZERO ? 0.0 : d[c] * df;
   double r = 0.0;

   switch (func) {
   case SGPU_BLEND_FUNC_ADD:
      r = a + b;
      break;
   case SGPU_BLEND_FUNC_SUBTRACT:
      r = a - b;
      break;
   case SGPU_BLEND_FUNC_REVERSE_SUBTRACT:
      r = b - a;
      break;
   case SGPU_BLEND_FUNC_MIN:
      r = MIN2(s[c], d[c]);
      break;
   case SGPU_BLEND_FUNC_MAX:
      r = MAX2(s[c], d[c]);
      break;
   }
   if (func == SGPU_BLEND_FUNC_MIN || func == SGPU_BLEND_FUNC_MAX)
      *error = fabs(r) * 0x1p-22;
   else
      *error = (fabs(s[c]) * (fabs(sf) + 1.0) + fabs(d[c]) * (fabs(df) + 1.0)) * 0x1p-21;
   return model_clamp(f, r);
}
