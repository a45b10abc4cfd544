/* SPDX-License-Identifier: MIT */
/*
 * ROP and copy engine: converts formats whose channels are half floats, words, sRGB bytes, or
 * fixed-point numbers or integers of up to 16 bits.
 *
 * Arrays of channels go through one intermediate form: a word per channel, in the order of memory.
 * Narrow channels are widened to it by loops over all channels of a warp. Then sgd_deal() gives
 * each channel a row of lanes, which is a transposition. sgd_collect() is its inverse.
 */
#ifndef SGD_CODEC_CHANNELS_H
#define SGD_CODEC_CHANNELS_H

#include <string.h>

#include "pixel/rop/sgd_codec.h"
#include "common/sgd_lanes.h"
#include "common/sgd_rop_state.h"
#include "common/sgd_transpose.h"
#include "sgpu_fp.h"
#include "util/compiler.h"
#include "util/format_srgb.h"

struct sgd_color {
   _Alignas(64) float c[4][SGD_WARP];
};

struct sgd_elements {
   _Alignas(64) uint8_t b[SGD_WARP * 16];
};

/* -- rows of lanes ------------------------------------------------------------ */

/* Copies word i of each lane to row[i], for i < n. */
static ALWAYS_INLINE void
sgd_deal(uint32_t *const row[4], const uint32_t *restrict words, unsigned n)
{
   if (n == 1) {
      memcpy(row[0], words, SGD_WARP * sizeof(*words));
   } else if (n == 2) {
      for (unsigned l = 0; l < SGD_WARP; l++)
         row[0][l] = words[2 * l];
      for (unsigned l = 0; l < SGD_WARP; l++)
         row[1][l] = words[2 * l + 1];
   } else {
#if defined(__AVX2__)
      for (unsigned l = 0; l < SGD_WARP; l += 8) {
         sgd_row_pair m[4];
         for (unsigned i = 0; i < 4; i++) {
            const __m128i *const p = (const __m128i *)(words + 4 * (l + i));
            m[i] = (sgd_row_pair)_mm256_loadu2_m128i(p + 4, p);
         }
         sgd_transpose4_pair(m, m);
         for (unsigned i = 0; i < 4; i++)
            memcpy(row[i] + l, &m[i], sizeof(m[i]));
      }
#else
      for (unsigned l = 0; l < SGD_WARP; l += 4) {
         sgd_row m[4];
         memcpy(m, words + 4 * l, sizeof(m));
         sgd_transpose4(m, m);
         for (unsigned i = 0; i < 4; i++)
            memcpy(row[i] + l, &m[i], sizeof(m[i]));
      }
#endif
   }
}

/* Copies row[i] to word i of each lane, for i < n. */
static ALWAYS_INLINE void
sgd_collect(uint32_t *restrict words, const uint32_t *const row[4], unsigned n)
{
   if (n == 1) {
      memcpy(words, row[0], SGD_WARP * sizeof(*words));
   } else if (n == 2) {
      const uint32_t *restrict a = row[0], *restrict b = row[1];
      for (unsigned l = 0; l < SGD_WARP; l++) {
         words[2 * l] = a[l];
         words[2 * l + 1] = b[l];
      }
   } else {
#if defined(__AVX2__)
      for (unsigned l = 0; l < SGD_WARP; l += 8) {
         sgd_row_pair m[4];
         for (unsigned i = 0; i < 4; i++)
            memcpy(&m[i], row[i] + l, sizeof(m[i]));
         sgd_transpose4_pair(m, m);
         for (unsigned i = 0; i < 4; i++) {
            __m128i *const p = (__m128i *)(words + 4 * (l + i));
            _mm256_storeu2_m128i(p + 4, p, (__m256i)m[i]);
         }
      }
#else
      for (unsigned l = 0; l < SGD_WARP; l += 4) {
         sgd_row m[4];
         for (unsigned i = 0; i < 4; i++)
            memcpy(&m[i], row[i] + l, sizeof(m[i]));
         sgd_transpose4(m, m);
         memcpy(words + 4 * l, m, sizeof(m));
      }
#endif
   }
}

/* Sets row[i] to the component that channel i is stored for, or to zeros. */
static ALWAYS_INLINE void
sgd_source_rows(const uint32_t *row[4], const struct sgd_codec *codec,
                const uint32_t (*c)[SGD_WARP])
{
   static const uint32_t zeros[SGD_WARP];

   for (unsigned i = 0; i < codec->channels; i++)
      row[i] = codec->comp[i] != SGD_COMP_NONE ? c[codec->comp[i]] : zeros;
}

/* Sets row[i] to the first component that reads channel i, or to `unused`. */
static ALWAYS_INLINE void
sgd_target_rows(uint32_t *row[4], const struct sgd_codec *codec, uint32_t (*c)[SGD_WARP],
                uint32_t unused[SGD_WARP])
{
   for (unsigned i = 0; i < 4; i++)
      row[i] = unused;
   for (int k = 3; k >= 0; k--) {
      if (codec->from[k] < SGD_FROM_ZERO)
         row[codec->from[k]] = c[k];
   }
}

/* Sets the components that sgd_target_rows() has left: constants, and further components that read
 * the same channel.
 */
static ALWAYS_INLINE void
sgd_fill_components(const struct sgd_codec *codec, uint32_t (*c)[SGD_WARP], uint32_t *const row[4])
{
   const uint32_t one = codec->is_int ? 1 : SGPU_FP_ONE_BITS;

   for (unsigned k = 0; k < 4; k++) {
      if (codec->from[k] < SGD_FROM_ZERO) {
         if (row[codec->from[k]] != c[k])
            memcpy(c[k], row[codec->from[k]], sizeof(c[k]));
         continue;
      }
      const uint32_t value = codec->from[k] == SGD_FROM_ONE ? one : 0;
      for (unsigned l = 0; l < SGD_WARP; l++)
         c[k][l] = value;
   }
}

/* -- half floats and words ---------------------------------------------------- */

/* Both functions are sgpu_h2f() and sgpu_f2h() for an array, whose length is a multiple of 8. The
 * instructions of F16C ignore the flushing of subnormals, and only differ for NaN.
 */
static ALWAYS_INLINE void
sgd_floats_of_halves(uint32_t *restrict f, const uint16_t *restrict h, unsigned count)
{
#if defined(__AVX2__) && defined(__F16C__)
   const __m256 nan = _mm256_castsi256_ps(_mm256_set1_epi32(SGPU_FP_NAN_BITS));
   for (unsigned i = 0; i < count; i += 8) {
      const __m256 x = _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(h + i)));
      const __m256 y = _mm256_blendv_ps(x, nan, _mm256_cmp_ps(x, x, _CMP_UNORD_Q));
      _mm256_storeu_ps((float *)(f + i), y);
   }
#else
   for (unsigned i = 0; i < count; i++)
      f[i] = sgpu_f2bits(sgpu_h2f(h[i]));
#endif
}

static ALWAYS_INLINE void
sgd_halves_of_floats(uint16_t *restrict h, const uint32_t *restrict f, unsigned count)
{
#if defined(__AVX2__) && defined(__F16C__)
   const __m256 nan = _mm256_castsi256_ps(_mm256_set1_epi32(SGPU_FP_NAN_BITS));
   for (unsigned i = 0; i < count; i += 8) {
      const __m256 x = _mm256_loadu_ps((const float *)(f + i));
      const __m256 y = _mm256_blendv_ps(x, nan, _mm256_cmp_ps(x, x, _CMP_UNORD_Q));
      _mm_storeu_si128((__m128i *)(h + i), _mm256_cvtps_ph(y, _MM_FROUND_TO_NEAREST_INT));
   }
#else
   for (unsigned i = 0; i < count; i++)
      h[i] = sgpu_f2h(sgpu_bits2f(f[i]));
#endif
}

static ALWAYS_INLINE void
sgd_pack_array(uint8_t *restrict e, const uint32_t *const row[4], unsigned n, bool half)
{
   if (half) {
      _Alignas(64) uint32_t words[SGD_WARP * 4];
      sgd_collect(words, row, n);
      sgd_halves_of_floats((uint16_t *)e, words, SGD_WARP * n);
   } else {
      sgd_collect((uint32_t *)e, row, n);
   }
}

static ALWAYS_INLINE void
sgd_unpack_array(uint32_t *const row[4], const uint8_t *restrict e, unsigned n, bool half)
{
   if (half) {
      _Alignas(64) uint32_t words[SGD_WARP * 4];
      sgd_floats_of_halves(words, (const uint16_t *)e, SGD_WARP * n);
      sgd_deal(row, words, n);
   } else {
      sgd_deal(row, (const uint32_t *)e, n);
   }
}

/* Calls `function` with the number of channels as a constant. */
#define SGD_BY_CHANNELS(function, to, from, half) \
   do {                                           \
      if (codec->channels == 4)                   \
         function(to, from, 4, half);             \
      else if (codec->channels == 2)              \
         function(to, from, 2, half);             \
      else                                        \
         function(to, from, 1, half);             \
   } while (0)

/* Packs half floats if `half` is set, a compile-time constant, or words. */
static ALWAYS_INLINE void
sgd_pack_channels(const struct sgd_codec *codec, const uint32_t (*c)[SGD_WARP],
                  struct sgd_elements *e, bool half)
{
   const uint32_t *row[4];

   sgd_source_rows(row, codec, c);
   SGD_BY_CHANNELS(sgd_pack_array, e->b, row, half);
}

/* Unpacks half floats if `half` is set, a compile-time constant, or words. */
static ALWAYS_INLINE void
sgd_unpack_channels(const struct sgd_codec *codec, const struct sgd_elements *e,
                    uint32_t (*c)[SGD_WARP], bool half)
{
   _Alignas(64) uint32_t unused[SGD_WARP];
   uint32_t *row[4];

   sgd_target_rows(row, codec, c, unused);
   SGD_BY_CHANNELS(sgd_unpack_array, row, e->b, half);
   sgd_fill_components(codec, c, row);
}

#undef SGD_BY_CHANNELS

/* -- channels of up to 16 bits ------------------------------------------------- */

/* Elements of up to 64 bits. No channel is partly in `low` and partly in `high`. */
struct sgd_wide_words {
   _Alignas(64) uint32_t low[SGD_WARP], high[SGD_WARP];
};

static ALWAYS_INLINE void
sgd_load_wide(struct sgd_wide_words *restrict w, const struct sgd_elements *restrict e,
              unsigned bytes)
{
   uint32_t *const row[4] = { w->low, w->high };

   switch (bytes) {
   case 1:
      for (unsigned l = 0; l < SGD_WARP; l++)
         w->low[l] = e->b[l];
      break;
   case 2:
      for (unsigned l = 0; l < SGD_WARP; l++)
         w->low[l] = ((const uint16_t *)e->b)[l];
      break;
   case 4:
      memcpy(w->low, e->b, sizeof(w->low));
      break;
   case 8:
      sgd_deal(row, (const uint32_t *)e->b, 2);
      break;
   default:
      for (unsigned l = 0; l < SGD_WARP; l++) {
         uint64_t word = 0;
         memcpy(&word, e->b + l * bytes, bytes);
         w->low[l] = (uint32_t)word;
         w->high[l] = word >> 32;
      }
      break;
   }
}

static ALWAYS_INLINE void
sgd_store_wide(struct sgd_elements *restrict e, const struct sgd_wide_words *restrict w,
               unsigned bytes)
{
   const uint32_t *const row[4] = { w->low, w->high };

   switch (bytes) {
   case 1:
      for (unsigned l = 0; l < SGD_WARP; l++)
         e->b[l] = w->low[l];
      break;
   case 2:
      for (unsigned l = 0; l < SGD_WARP; l++)
         ((uint16_t *)e->b)[l] = w->low[l];
      break;
   case 4:
      memcpy(e->b, w->low, sizeof(w->low));
      break;
   case 8:
      sgd_collect((uint32_t *)e->b, row, 2);
      break;
   default:
      for (unsigned l = 0; l < SGD_WARP; l++) {
         const uint64_t word = w->low[l] | (uint64_t)w->high[l] << 32;
         memcpy(e->b + l * bytes, &word, bytes);
      }
      break;
   }
}

/* Converts the colours of a warp to integers, which are clamped; to normalized channels, which
 * round half away from zero; or to scaled channels, which are clamped and truncated. Unused
 * channels become 0.
 */
static inline void
sgd_pack_fixed(const struct sgd_codec *codec, const uint32_t (*c)[SGD_WARP], struct sgd_elements *e)
{
   struct sgd_wide_words w;

   memset(&w, 0, sizeof(w));
   for (unsigned i = 0; i < codec->channels; i++) {
      const unsigned size = codec->size[i], shift = codec->shift[i] & 31;
      const uint32_t bits = (1u << size) - 1;
      const int32_t max = (1 << (size - codec->is_signed)) - 1;
      const int32_t min = codec->is_signed ? -max - 1 : 0;
      const float high = (float)max, low = (float)min;
      if (codec->comp[i] == SGD_COMP_NONE)
         continue;
      const uint32_t *restrict u = c[codec->comp[i]];
      uint32_t *restrict word = codec->shift[i] < 32 ? w.low : w.high;
      if (codec->is_int && codec->is_signed) {
         for (unsigned l = 0; l < SGD_WARP; l++) {
            const int32_t x = (int32_t)u[l] < max ? (int32_t)u[l] : max;
            word[l] |= ((uint32_t)(x > min ? x : min) & bits) << shift;
         }
      } else if (codec->is_int) {
         for (unsigned l = 0; l < SGD_WARP; l++)
            word[l] |= (u[l] < bits ? u[l] : bits) << shift;
      } else if (codec->normalized) {
         for (unsigned l = 0; l < SGD_WARP; l++) {
            const float product = sgpu_fp_raw_mul(sgpu_bits2f(u[l]), high);
            const float y = sgpu_fp_raw_add(product, product < 0.0f ? -0.5f : 0.5f);
            word[l] |= ((uint32_t)(int32_t)y & bits) << shift;
         }
      } else {
         for (unsigned l = 0; l < SGD_WARP; l++) {
            const float y = sgpu_fmin(sgpu_fmax(sgpu_bits2f(u[l]), low), high);
            word[l] |= ((uint32_t)(int32_t)y & bits) << shift;
         }
      }
   }
   sgd_store_wide(e, &w, codec->bytes);
}

/* The most negative normalized integer is clamped to -1 (OpenGL 4.6, section 2.3.5.1). */
static inline void
sgd_unpack_fixed(const struct sgd_codec *codec, const struct sgd_elements *e,
                 uint32_t (*c)[SGD_WARP])
{
   const uint32_t one = codec->is_int ? 1 : SGPU_FP_ONE_BITS;
   struct sgd_wide_words w;

   sgd_load_wide(&w, e, codec->bytes);
   for (unsigned k = 0; k < 4; k++) {
      uint32_t *restrict out = c[k];
      if (codec->from[k] >= SGD_FROM_ZERO) {
         const uint32_t value = codec->from[k] == SGD_FROM_ONE ? one : 0;
         for (unsigned l = 0; l < SGD_WARP; l++)
            out[l] = value;
         continue;
      }
      const unsigned i = codec->from[k], size = codec->size[i], shift = codec->shift[i] & 31;
      const uint32_t *restrict word = codec->shift[i] < 32 ? w.low : w.high;
      const float scale = codec->normalized ? 1.0f / (float)((1 << (size - codec->is_signed)) - 1)
                                            : 1.0f;
      if (codec->is_signed) {
         for (unsigned l = 0; l < SGD_WARP; l++)
            out[l] = (uint32_t)((int32_t)(word[l] << (32 - shift - size)) >> (32 - size));
      } else {
         for (unsigned l = 0; l < SGD_WARP; l++)
            out[l] = word[l] >> shift & ((1u << size) - 1);
      }
      if (codec->is_int)
         continue;
      for (unsigned l = 0; l < SGD_WARP; l++) {
         const float x = (float)(int32_t)out[l] * scale;
         out[l] = sgpu_f2bits(codec->normalized && x < -1.0f ? -1.0f : x);
      }
   }
}

/* -- sRGB bytes ----------------------------------------------------------------- */

/* Mesa's conversions: util_format_linear_float_to_srgb_8unorm() for red, green and blue, and
 * float_to_ubyte() for alpha. Unused bytes become 0. x must be in [0, 1].
 */
static inline void
sgd_pack_srgb8(const struct sgd_codec *codec, const struct sgd_color *restrict color,
               struct sgd_elements *restrict e)
{
   const float least = sgpu_bits2f((127u - 13) << 23), most = sgpu_bits2f(0x3f7fffffu);
   uint32_t *restrict word = (uint32_t *)e->b;

   for (unsigned l = 0; l < SGD_WARP; l++)
      word[l] = 0;
   for (unsigned i = 0; i < codec->channels; i++) {
      const unsigned shift = codec->shift[i];
      if (codec->comp[i] == SGD_COMP_NONE)
         continue;
      const float *restrict x = color->c[codec->comp[i]];
      if (codec->comp[i] == 3) {
         for (unsigned l = 0; l < SGD_WARP; l++) {
            const float y = sgpu_fp_raw_add(sgpu_fp_raw_mul(x[l], 255.0f / 256.0f), 32768.0f);
            word[l] |= (sgpu_f2bits(y) & 0xff) << shift;
         }
         continue;
      }
      for (unsigned l = 0; l < SGD_WARP; l++) {
         const float above = x[l] > least ? x[l] : least;
         const uint32_t u = sgpu_f2bits(above < most ? above : most);
         const uint32_t piece =
            util_format_linear_to_srgb_helper_table[(u - ((127u - 13) << 23)) >> 20];
         const uint32_t sum = (piece >> 16 << 9) + (piece & 0xffff) * (u >> 12 & 0xff);
         word[l] |= (sum >> 16 & 0xff) << shift;
      }
   }
}

static inline void
sgd_unpack_srgb8(const struct sgd_codec *codec, const struct sgd_elements *restrict e,
                 struct sgd_color *restrict color)
{
   const uint32_t *restrict word = (const uint32_t *)e->b;

   for (unsigned k = 0; k < 4; k++) {
      float *restrict x = color->c[k];
      if (codec->from[k] >= SGD_FROM_ZERO) {
         const float value = codec->from[k] == SGD_FROM_ONE ? 1.0f : 0.0f;
         for (unsigned l = 0; l < SGD_WARP; l++)
            x[l] = value;
         continue;
      }
      const unsigned shift = codec->shift[codec->from[k]];
      if (k == 3) {
         for (unsigned l = 0; l < SGD_WARP; l++)
            x[l] = (float)(int32_t)(word[l] >> shift & 0xff) * (1.0f / 255.0f);
      } else {
         for (unsigned l = 0; l < SGD_WARP; l++)
            x[l] = util_format_srgb_8unorm_to_linear_float_table[word[l] >> shift & 0xff];
      }
   }
}

#endif
