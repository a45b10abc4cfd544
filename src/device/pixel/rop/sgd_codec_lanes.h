/* SPDX-License-Identifier: MIT */
/*
 * ROP and copy engine: converts the colours of a warp between [component][lane] and elements in
 * lane order.
 *
 * Normalized channels are round(x * max), where the product is rounded to float. Ties round to even
 * in paths UNORM8 and UNORM, and away from zero in path FIXED. x must be in the format's range.
 * Half floats are converted by sgpu_f2h(). Quads with no lane in `lanes` may be left unconverted.
 */
#ifndef SGD_CODEC_LANES_H
#define SGD_CODEC_LANES_H

#include <string.h>

#include "pixel/rop/sgd_codec_channels.h"
#include "common/sgd_lanes.h"
#include "common/sgd_rop_state.h"
#include "sgpu_fp.h"
#include "util/compiler.h"

/* Adding SGD_TO_INT to a float x rounds x to the nearest integer, which is then in the low bits of
 * the sum.
 */
#define SGD_TO_INT 0x1.8p23f
#define SGD_TO_INT_BITS 0x4b400000u

/* -- unorm channels --------------------------------------------------------- */

static ALWAYS_INLINE void
sgd_words_of_unorm(const struct sgd_codec *codec, const struct sgd_color *restrict color,
                   uint32_t word[restrict SGD_WARP])
{
   for (unsigned l = 0; l < SGD_WARP; l++)
      word[l] = 0;
   for (unsigned i = 0; i < codec->channels; i++) {
      const unsigned shift = codec->shift[i];
      const uint32_t max = (1u << codec->size[i]) - 1;
      const float scale = (float)(int32_t)max;
      if (codec->comp[i] == SGD_COMP_NONE) {
         for (unsigned l = 0; l < SGD_WARP; l++)
            word[l] |= max << shift;
         continue;
      }
      const float *restrict x = color->c[codec->comp[i]];
      for (unsigned l = 0; l < SGD_WARP; l++) {
         const float y = sgpu_fp_raw_add(sgpu_fp_raw_mul(x[l], scale), SGD_TO_INT);
         word[l] |= (sgpu_f2bits(y) - SGD_TO_INT_BITS) << shift;
      }
   }
}

static ALWAYS_INLINE void
sgd_unorm_of_words(const struct sgd_codec *codec, const uint32_t word[restrict SGD_WARP],
                   struct sgd_color *restrict color)
{
   for (unsigned c = 0; c < 4; c++) {
      float *restrict x = color->c[c];
      if (codec->from[c] >= SGD_FROM_ZERO) {
         const float k = codec->from[c] == SGD_FROM_ONE ? 1.0f : 0.0f;
         for (unsigned l = 0; l < SGD_WARP; l++)
            x[l] = k;
         continue;
      }
      const unsigned i = codec->from[c], shift = codec->shift[i];
      const uint32_t max = (1u << codec->size[i]) - 1;
      const float scale = 1.0f / (float)(int32_t)max;
      for (unsigned l = 0; l < SGD_WARP; l++)
         x[l] = (float)(int32_t)((word[l] >> shift) & max) * scale;
   }
}

static inline void
sgd_pack_unorm(const struct sgd_codec *codec, const struct sgd_color *restrict color,
               struct sgd_elements *restrict e)
{
   _Alignas(64) uint32_t word[SGD_WARP];

   sgd_words_of_unorm(codec, color, word);
   if (codec->bytes == 4) {
      memcpy(e->b, word, sizeof(word));
   } else if (codec->bytes == 2) {
      for (unsigned l = 0; l < SGD_WARP; l++)
         ((uint16_t *)e->b)[l] = word[l];
   } else {
      for (unsigned l = 0; l < SGD_WARP; l++)
         e->b[l] = word[l];
   }
}

static inline void
sgd_unpack_unorm(const struct sgd_codec *codec, const struct sgd_elements *restrict e,
                 struct sgd_color *restrict color)
{
   _Alignas(64) uint32_t word[SGD_WARP];

   if (codec->bytes == 4) {
      memcpy(word, e->b, sizeof(word));
   } else if (codec->bytes == 2) {
      for (unsigned l = 0; l < SGD_WARP; l++)
         word[l] = ((const uint16_t *)e->b)[l];
   } else {
      for (unsigned l = 0; l < SGD_WARP; l++)
         word[l] = e->b[l];
   }
   sgd_unorm_of_words(codec, word, color);
}

/* -- small floats ------------------------------------------------------------- */

/* Converts x to an unsigned float with a 5-bit exponent and a (size - 5)-bit mantissa, by
 * truncation. Negative numbers become 0, and numbers that are too large become the largest finite
 * number (EXT_packed_float, section 2.1.B).
 */
static ALWAYS_INLINE uint32_t
sgd_small_of_float(float x, unsigned size)
{
   const unsigned mantissa = size - 5;
   const int32_t u = (int32_t)sgpu_f2bits(x), inf = 31 << mantissa, largest = inf - 1;
   /* Numbers below 2^-14 become subnormals. `few` is their mantissa, in units of 2^(-14 -
    * mantissa).
    */
   const uint32_t low = sgpu_fp_mask(u < 113 << 23);
   const float tiny = sgpu_bits2f((uint32_t)u & low & sgpu_fp_mask(u > 0));
   const int32_t few = (int32_t)(tiny * (float)(int32_t)(1u << (14 + mantissa)));
   /* The subtraction can wrap for negative numbers, but sgpu_fp_pick() discards the result in that
    * case.
    */
   const int32_t normal = (int32_t)((uint32_t)u - (112u << 23)) >> (23 - mantissa);
   int32_t r = sgpu_fp_pick(low, few, normal < largest ? normal : largest);
   r = sgpu_fp_pick(sgpu_fp_mask(u == (int32_t)SGPU_FP_INF_BITS), inf, r);
   return sgpu_fp_pick(sgpu_fp_mask(x != x), inf | 1, r);
}

static ALWAYS_INLINE float
sgd_float_of_small(uint32_t v, unsigned size)
{
   const unsigned mantissa = size - 5;
   const uint32_t e = v >> mantissa;
   const float few = (float)(int32_t)v * (1.0f / (float)(int32_t)(1u << (14 + mantissa)));
   uint32_t u = (v << (23 - mantissa)) + (112u << 23);
   u = sgpu_fp_pick(sgpu_fp_mask(e == 0), sgpu_f2bits(few), u);
   u = sgpu_fp_pick(sgpu_fp_mask(v == 31u << mantissa), SGPU_FP_INF_BITS, u);
   return sgpu_bits2f(sgpu_fp_pick(sgpu_fp_mask(v > 31u << mantissa), SGPU_FP_NAN_BITS, u));
}

static inline void
sgd_pack_small(const struct sgd_color *restrict color, struct sgd_elements *restrict e)
{
   uint32_t *restrict out = (uint32_t *)e->b;

   for (unsigned l = 0; l < SGD_WARP; l++)
      out[l] = sgd_small_of_float(color->c[0][l], 11) |
               sgd_small_of_float(color->c[1][l], 11) << 11 |
               sgd_small_of_float(color->c[2][l], 10) << 22;
}

static inline void
sgd_unpack_small(const struct sgd_elements *restrict e, struct sgd_color *restrict color)
{
   const uint32_t *restrict in = (const uint32_t *)e->b;

   for (unsigned l = 0; l < SGD_WARP; l++) {
      color->c[0][l] = sgd_float_of_small(in[l] & 0x7ff, 11);
      color->c[1][l] = sgd_float_of_small(in[l] >> 11 & 0x7ff, 11);
      color->c[2][l] = sgd_float_of_small(in[l] >> 22, 10);
      color->c[3][l] = 1.0f;
   }
}

/* -- any format ---------------------------------------------------------------- */

/* Converts the colours of a warp to elements of the format. The components must be integers, or
 * floats within the format's range.
 */
static inline void
sgd_codec_pack(const struct sgd_codec *codec, const uint32_t (*c)[SGD_WARP], struct sgd_elements *e,
               uint32_t lanes)
{
   switch (codec->path) {
   case SGD_CODEC_UNORM8:
   case SGD_CODEC_UNORM:
      sgd_pack_unorm(codec, (const struct sgd_color *)c, e);
      break;
   case SGD_CODEC_FIXED:
      sgd_pack_fixed(codec, c, e);
      break;
   case SGD_CODEC_SRGB8:
      sgd_pack_srgb8(codec, (const struct sgd_color *)c, e);
      break;
   case SGD_CODEC_HALF:
      sgd_pack_channels(codec, c, e, true);
      break;
   case SGD_CODEC_WORDS:
      sgd_pack_channels(codec, c, e, false);
      break;
   case SGD_CODEC_SMALL:
      sgd_pack_small((const struct sgd_color *)c, e);
      break;
   default:
      for (unsigned q = 0; q < SGD_QUADS; q++) {
         uint32_t pixel[4][4];
         if (!(lanes & sgd_quad_lanes(q)))
            continue;
         for (unsigned i = 0; i < 4; i++) {
            for (unsigned k = 0; k < 4; k++)
               pixel[i][k] = c[k][q * 4 + i];
         }
         util_format_pack_rgba(codec->pformat, e->b + q * 4 * codec->bytes, pixel, 4);
      }
      break;
   }
}

static inline void
sgd_codec_unpack(const struct sgd_codec *codec, const struct sgd_elements *e,
                 uint32_t (*c)[SGD_WARP], uint32_t lanes)
{
   switch (codec->path) {
   case SGD_CODEC_UNORM8:
   case SGD_CODEC_UNORM:
      sgd_unpack_unorm(codec, e, (struct sgd_color *)c);
      break;
   case SGD_CODEC_FIXED:
      sgd_unpack_fixed(codec, e, c);
      break;
   case SGD_CODEC_SRGB8:
      sgd_unpack_srgb8(codec, e, (struct sgd_color *)c);
      break;
   case SGD_CODEC_HALF:
      sgd_unpack_channels(codec, e, c, true);
      break;
   case SGD_CODEC_WORDS:
      sgd_unpack_channels(codec, e, c, false);
      break;
   case SGD_CODEC_SMALL:
      sgd_unpack_small(e, (struct sgd_color *)c);
      break;
   default:
      for (unsigned q = 0; q < SGD_QUADS; q++) {
         uint32_t pixel[4][4] = { { 0 } };
         if (lanes & sgd_quad_lanes(q))
            util_format_unpack_rgba(codec->pformat, pixel, e->b + q * 4 * codec->bytes, 4);
         for (unsigned i = 0; i < 4; i++) {
            for (unsigned k = 0; k < 4; k++)
               c[k][q * 4 + i] = pixel[i][k];
         }
      }
      /* The most negative integer unpacks to less than -1, so clamp (OpenGL 4.6, section 2.3.5.1).
       */
      if (codec->normalized && codec->is_signed) {
         for (unsigned k = 0; k < 4; k++) {
            for (unsigned l = 0; l < SGD_WARP; l++)
               c[k][l] = sgpu_f2bits(sgpu_fmax(sgpu_bits2f(c[k][l]), -1.0f));
         }
      }
      break;
   }
}

/* Clamps the colours of a warp to the format's range. NaN becomes 0 in normalized formats. */
static inline void
sgd_codec_clamp(const struct sgd_codec *codec, const uint32_t (*in)[SGD_WARP],
                struct sgd_color *restrict out)
{
   for (unsigned c = 0; c < 4; c++) {
      const uint32_t *restrict u = in[c];
      float *restrict f = out->c[c];
      if (codec->normalized && !codec->is_signed) {
         for (unsigned l = 0; l < SGD_WARP; l++)
            f[l] = sgpu_fsat(sgpu_bits2f(u[l]));
      } else if (codec->normalized) {
         for (unsigned l = 0; l < SGD_WARP; l++) {
            const float x = sgpu_bits2f(u[l]);
            const float y = sgpu_bits2f(u[l] & sgpu_fp_mask(x == x));
            f[l] = sgpu_fmax(sgpu_fmin(y, 1.0f), -1.0f);
         }
      } else {
         memcpy(f, u, SGD_WARP * sizeof(*u));
      }
   }
}

#endif
