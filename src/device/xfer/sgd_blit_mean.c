/* SPDX-License-Identifier: MIT */
/*
 * Copy engine: resolves of float formats. The means of all channels are computed in the order of
 * memory, eight at a time. The order of the sums is that of sgd_blit_color.c, so the results are
 * identical: NaNs become canonical at the end, since a sum with any NaN is one.
 */
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "pixel/rop/sgd_codec_lanes.h"
#include "xfer/sgd_blit.h"

#if defined(__AVX2__) && defined(__F16C__)

typedef __m256 eight;

static ALWAYS_INLINE eight
load(const uint8_t *p, unsigned i, bool half)
{
   if (half)
      return _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(p + 2 * i)));
   return _mm256_loadu_ps((const float *)(p + 4 * i));
}

static ALWAYS_INLINE eight
add(eight a, eight b)
{
   return _mm256_add_ps(a, b);
}

static ALWAYS_INLINE void
store(uint8_t *p, unsigned i, bool half, eight sum, float scale)
{
   const __m256 nan = _mm256_castsi256_ps(_mm256_set1_epi32(SGPU_FP_NAN_BITS));
   const __m256 x = _mm256_mul_ps(sum, _mm256_set1_ps(scale));
   const __m256 y = _mm256_blendv_ps(x, nan, _mm256_cmp_ps(x, x, _CMP_UNORD_Q));

   if (half)
      _mm_storeu_si128((__m128i *)(p + 2 * i), _mm256_cvtps_ph(y, _MM_FROUND_TO_NEAREST_INT));
   else
      _mm256_storeu_ps((float *)(p + 4 * i), y);
}

#else

typedef struct {
   float f[8];
} eight;

static ALWAYS_INLINE eight
load(const uint8_t *p, unsigned i, bool half)
{
   eight x;

   for (unsigned k = 0; k < 8; k++)
      x.f[k] = half ? sgpu_h2f(((const uint16_t *)p)[i + k]) : ((const float *)p)[i + k];
   return x;
}

static ALWAYS_INLINE eight
add(eight a, eight b)
{
   for (unsigned k = 0; k < 8; k++)
      a.f[k] = sgpu_fp_raw_add(a.f[k], b.f[k]);
   return a;
}

static ALWAYS_INLINE void
store(uint8_t *p, unsigned i, bool half, eight sum, float scale)
{
   for (unsigned k = 0; k < 8; k++) {
      const float x = sgpu_fmul(sum.f[k], scale);
      if (half)
         ((uint16_t *)p)[i + k] = sgpu_f2h(x);
      else
         ((float *)p)[i + k] = x;
   }
}

#endif

/* These add samples in pairs, then the sums in pairs, and so on. */
static ALWAYS_INLINE eight
sum2(const uint8_t *const *plane, unsigned i, bool half)
{
   return add(load(plane[0], i, half), load(plane[1], i, half));
}

static ALWAYS_INLINE eight
sum4(const uint8_t *const *plane, unsigned i, bool half)
{
   return add(sum2(plane, i, half), sum2(plane + 2, i, half));
}

static ALWAYS_INLINE eight
sum8(const uint8_t *const *plane, unsigned i, bool half)
{
   return add(sum4(plane, i, half), sum4(plane + 4, i, half));
}

static ALWAYS_INLINE eight
sum16(const uint8_t *const *plane, unsigned i, bool half)
{
   return add(sum8(plane, i, half), sum8(plane + 8, i, half));
}

static ALWAYS_INLINE void
mean(const uint8_t *const *plane, unsigned samples, unsigned count, bool half,
     uint8_t *restrict out)
{
   const float scale = 1.0f / (float)(int)samples;

   for (unsigned i = 0; i < count; i += 8) {
      store(out, i, half,
            samples == 2   ? sum2(plane, i, half)
            : samples == 4 ? sum4(plane, i, half)
            : samples == 8 ? sum8(plane, i, half)
                           : sum16(plane, i, half),
            scale);
   }
}

#define BY_SAMPLES(half)                  \
   switch (samples) {                     \
   case 2:                                \
      mean(plane, 2, count, half, e->b);  \
      break;                              \
   case 4:                                \
      mean(plane, 4, count, half, e->b);  \
      break;                              \
   case 8:                                \
      mean(plane, 8, count, half, e->b);  \
      break;                              \
   default:                               \
      mean(plane, 16, count, half, e->b); \
      break;                              \
   }

void
sgd_blit_mean(const struct sgd_blit *b, const uint8_t *const *plane, struct sgd_elements *e)
{
   const unsigned samples = b->src->samples, count = SGD_WARP * b->from.channels;

   if (b->from.path == SGD_CODEC_HALF)
      BY_SAMPLES(true)
   else
      BY_SAMPLES(false)
}
