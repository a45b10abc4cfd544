/* SPDX-License-Identifier: MIT */
/*
 * Copy engine: a faster path for mipmap generation with AVX2. If a linear blit halves the width and
 * the height, each pixel is the average of 2x2 texels. These form a quad, which is 16 contiguous
 * bytes in a tiled surface. The order of operations and the rounding are the same as in
 * sgd_blit_color.c, so the results are identical.
 */
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "pixel/rop/sgd_codec_lanes.h"
#include "common/sgd_tile_meta.h"
#include "util/macros.h"
#include "xfer/sgd_blit.h"

#if defined(__AVX2__)

#define QUAD 16 /* size of a quad in bytes */

/* Converts the channels of two texels to floats. */
static ALWAYS_INLINE __m256
unpack(__m128i texels)
{
   return _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(texels)),
                        _mm256_set1_ps(1.0f / 255.0f));
}

static ALWAYS_INLINE __m256
middle(__m256 a, __m256 b)
{
   return _mm256_add_ps(a, _mm256_mul_ps(_mm256_sub_ps(b, a), _mm256_set1_ps(0.5f)));
}

/* Averages two adjacent quads, and stores the two resulting pixels. */
static ALWAYS_INLINE void
mean_of_quads(uint8_t *restrict out, const uint8_t *restrict quads)
{
   const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
   const __m256i low_bytes = _mm256_set1_epi32(0x0c080400);
   const __m256i texels = _mm256_permutevar8x32_epi32(_mm256_loadu_si256((const __m256i *)quads),
                                                      order);
   const __m128i upper = _mm256_castsi256_si128(texels);
   const __m128i lower = _mm256_extracti128_si256(texels, 1);
   const __m256 mean = middle(middle(unpack(upper), unpack(_mm_srli_si128(upper, 8))),
                              middle(unpack(lower), unpack(_mm_srli_si128(lower, 8))));
   const __m256 y = _mm256_add_ps(_mm256_mul_ps(mean, _mm256_set1_ps(255.0f)),
                                  _mm256_set1_ps(SGD_TO_INT));
   const __m256i b = _mm256_shuffle_epi8(_mm256_castps_si256(y), low_bytes);
   _mm_storel_epi64((__m128i *)out,
                    _mm_unpacklo_epi32(_mm256_castsi256_si128(b), _mm256_extracti128_si256(b, 1)));
}

bool
sgd_blit_is_box(const struct sgd_blit *b)
{
   const struct sgd_surface *src = b->src, *dst = b->dst;
   const struct SGPU_BLIT *p = b->p;

   return b->linear && b->from.path == SGD_CODEC_UNORM8 && src->pformat == dst->pformat &&
          !b->from.ones && p->mask == 0xf && !p->blend && src->samples == 1 && dst->samples == 1 &&
          src->tiled && dst->tiled && b->step_x == 2.0 && b->step_y == 2.0 && b->step_z == 1.0 &&
          (p->source_rect.x0 - 2 * p->destination_rect.x0) % (2 * SGD_BLOCK_W) == 0 &&
          (p->source_rect.y0 - 2 * p->destination_rect.y0) % (2 * SGD_BLOCK_H) == 0;
}

bool
sgd_blit_box(const struct sgd_blit *b, int32_t x, int32_t y, uint32_t layer)
{
   const struct sgd_surface *src = b->src, *dst = b->dst;
   const int32_t sx = b->p->source_rect.x0 + 2 * (x - b->p->destination_rect.x0);
   const int32_t sy = b->p->source_rect.y0 + 2 * (y - b->p->destination_rect.y0);

   if (sx < 0 || sy < 0 || sx + 2 * SGD_BLOCK_W > src->width || sy + 2 * SGD_BLOCK_H > src->height)
      return false;
   const int32_t z = CLAMP(sgd_floor_to_int(b->source_z), 0, src->layers - 1);
   if (sgd_left_out(src, sx, sy, z))
      return false;
   uint8_t *out = sgd_surface_element(dst, x, y, layer, 0);
   /* Each row of quads in the destination needs one row of micro tiles in the source. A micro tile
    * has two rows of four quads.
    */
   for (unsigned row = 0; row < 2; row++) {
      const uint8_t *in = sgd_surface_element(src, sx, sy + row * SGD_BLOCK_H, z, 0);
      for (unsigned tile = 0; tile < 2; tile++, in += 8 * QUAD) {
         for (unsigned pair = 0; pair < 2; pair++, out += QUAD) {
            mean_of_quads(out, in + pair * 2 * QUAD);
            mean_of_quads(out + QUAD / 2, in + (4 + pair * 2) * QUAD);
         }
      }
   }
   return true;
}

#else

bool
sgd_blit_is_box(const struct sgd_blit *b)
{
   (void)b;
   return false;
}

bool
sgd_blit_box(const struct sgd_blit *b, int32_t x, int32_t y, uint32_t layer)
{
   (void)b, (void)x, (void)y, (void)layer;
   return false;
}

#endif
