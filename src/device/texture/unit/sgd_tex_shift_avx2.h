/* SPDX-License-Identifier: MIT */
/*
 * Texture unit: formats of 8-bit channels with AVX2. Linear filters of straight
 * warps (see sgd_tex_grid_avx2.h) of tiled textures in which neighboring pixels read neighboring
 * texels, as is typical of images at their original size. These warps read 9x5 texels at an
 * arbitrary position, without wrapping.
 *
 * A micro tile has quads of 2x2 texels in lane order. Two vectors, i.e. four quads of a row, are
 * two rows of the warp. If a warp starts in the middle of a quad of texels, each of its quads is
 * assembled from two or four quads of texels.
 */
#ifndef SGD_TEX_SHIFT_AVX2_H
#define SGD_TEX_SHIFT_AVX2_H

#include "texture/unit/sgd_tex_straight_avx2.h"
#include "texture/unit/sgd_tex_taps_avx2.h"

/* Size in bytes of a quad, and of a row of quads in a micro tile. */
#define SGD_T8_QUAD 16
#define SGD_T8_QUAD_ROW 64

/* Byte addresses of three rows of 2x2 texel quads, starting at the warp's first row, and byte
 * offsets of the quads in a row.
 */
struct sgd_t8_shift {
   const uint8_t *row[3];
   const size_t *quad;
   /* distance in bytes to the texels of the next 16x16 block, for prefetching */
   ptrdiff_t ahead;
   bool odd_x, odd_y;
};

/* Initializes *s. Returns false unless the texels at columns i and rows j, and the ones after them,
 * are adjacent and inside the level.
 */
static ALWAYS_INLINE bool
sgd_t8_shift_init(struct sgd_t8_shift *s, const struct sgd_tex_level *level, __m256i i, __m256i j)
{
   static const size_t quads[4][5] = {
      { 0, 16, 32, 48, 128 },
      { 16, 32, 48, 128, 144 },
      { 32, 48, 128, 144, 160 },
      { 48, 128, 144, 160, 176 },
   };
   const __m256i columns = _mm256_setr_epi32(0, 1, 4, 5, 2, 3, 6, 7);
   const __m256i rows = _mm256_setr_epi32(0, 1, 2, 3, 0, 1, 2, 3);
   const __m256i di = _mm256_sub_epi32(i, _mm256_broadcastd_epi32(_mm256_castsi256_si128(i)));
   const __m256i dj = _mm256_sub_epi32(j, _mm256_broadcastd_epi32(_mm256_castsi256_si128(j)));
   const __m256i bad = _mm256_or_si256(_mm256_xor_si256(di, columns), _mm256_xor_si256(dj, rows));
   if (!_mm256_testz_si256(bad, bad))
      return false;

   const int32_t x = _mm_cvtsi128_si32(_mm256_castsi256_si128(i));
   const int32_t y = _mm_cvtsi128_si32(_mm256_castsi256_si128(j));
   if (unlikely(x < 0 || y < 0 || x + 8 >= level->width || y + 4 >= level->height))
      return false;
   s->odd_x = x & 1;
   s->odd_y = y & 1;
   s->quad = quads[x >> 1 & 3];
   const uint8_t *first = level->base + (uint32_t)(x >> 3) * SGD_T8_TILE;
   const uint32_t pitch = level->pitch, tile = (uint32_t)(y >> 2) * pitch;
   s->ahead = (int32_t)sgd_t8_next_block(x, y, pitch);
   /* The next row of quads is in the same micro tile or in the next one. */
   const bool second = y & 2;
   s->row[0] = first + (tile + (second ? SGD_T8_QUAD_ROW : 0));
   s->row[1] = first + (tile + (second ? pitch : SGD_T8_QUAD_ROW));
   s->row[2] = first + (tile + pitch + (second ? SGD_T8_QUAD_ROW : 0));
   return true;
}

/* Loads the quads n and n + 1 of row r. */
static ALWAYS_INLINE __m256i
sgd_t8_shift_load(const struct sgd_t8_shift *s, unsigned r, unsigned n)
{
   const __m128i low = _mm_loadu_si128((const __m128i *)(s->row[r] + s->quad[n]));
   const __m128i high = _mm_loadu_si128((const __m128i *)(s->row[r] + s->quad[n + 1]));
   return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

/* Combines the second column of each quad with the first column of the next quad. The two columns
 * are swapped in the result.
 */
static ALWAYS_INLINE __m256i
sgd_t8_between(__m256i quads, __m256i next)
{
   return _mm256_blend_epi32(quads, next, 0x55);
}

static ALWAYS_INLINE void
sgd_t8_shift_ahead(const struct sgd_t8_shift *s, unsigned r)
{
   __builtin_prefetch(s->row[r] + s->quad[3] + s->ahead);
}

/* -- linear filters ---------------------------------------------------------------- */

/* Filters a row of quads along x. out[0] contains the results of the first four columns, and out[1]
 * those of the last four columns: channels 0 and 1, then channels 2 and 3. Results are 16-bit
 * numbers minus 2^15. w contains the weights of the first and the second texels. If `one` is set,
 * the second texels have weight 0, and the first texels are used instead.
 */
static ALWAYS_INLINE void
sgd_t8_shift_mix(const struct sgd_t8_shift *s, unsigned r, bool odd, bool one, const __m256i w[2],
                 __m256i out[2][2])
{
   /* shuffle masks that transpose four texels to channels, without and with swapped columns */
   const __m256i planes = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
   const __m256i exchanged = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(4, 0, 12, 8, 5, 1, 13, 9, 6, 2, 14, 10, 7, 3, 15, 11));
   sgd_t8_shift_ahead(s, r);
   for (unsigned h = 0; h < 2; h++) {
      const __m256i quads = sgd_t8_signed(sgd_t8_shift_load(s, r, 2 * h));
      const __m256i next = sgd_t8_signed(sgd_t8_shift_load(s, r, 2 * h + 1));
      const __m256i between = _mm256_shuffle_epi8(sgd_t8_between(quads, next), exchanged);
      const __m256i whole = _mm256_shuffle_epi8(odd ? next : quads, planes);
      const __m256i first = odd ? between : whole;
      const __m256i second = one ? first : odd ? whole : between;
      out[h][0] = _mm256_maddubs_epi16(w[h], _mm256_unpacklo_epi8(first, second));
      out[h][1] = _mm256_maddubs_epi16(w[h], _mm256_unpackhi_epi8(first, second));
   }
}

/* Combines the lower row of each quad with the upper row of the quad below it. */
static ALWAYS_INLINE __m256i
sgd_t8_below(__m256i quads, __m256i next)
{
   return _mm256_shuffle_epi32(_mm256_blend_epi32(quads, next, 0x55), 0xb1);
}

/* Interpolates between rows and stores the results of all lanes. w[0] contains the weights for the
 * first two rows of the warp, and w[1] those for the last two rows.
 */
static ALWAYS_INLINE void
sgd_t8_shift_rows(const struct sgd_tex_unit *u, __m256i m[3][2][2], bool odd, const __m256i w[2],
                  unsigned mask, struct sgd_vec *dst)
{
   const float scale = u->scale * 0x1p-16f;
   for (unsigned c = 0; c < 4; c += 2) {
      float *d0 = sgd_t8_place(u, c, mask, dst), *d1 = sgd_t8_place(u, c + 1, mask, dst);
      for (unsigned n = 0; n < 4; n++) {
         const unsigned k = n / 2, h = n % 2;
         const __m256i here = m[k][h][c / 2], next = m[k + 1][h][c / 2];
         const __m256i below = sgd_t8_below(here, next);
         const __m256i upper = odd ? below : here, lower = odd ? next : below;
         if (d0)
            _mm256_storeu_ps(
               d0 + 8 * n,
               sgd_t8_raised(_mm256_madd_epi16(_mm256_unpacklo_epi16(upper, lower), w[k]), scale));
         if (d1)
            _mm256_storeu_ps(
               d1 + 8 * n,
               sgd_t8_raised(_mm256_madd_epi16(_mm256_unpackhi_epi16(upper, lower), w[k]), scale));
      }
   }
}

/* Filters all lanes, or returns false if sgd_t8_shift_init() does. fx and fy are weights in units of
 * 1/256. The weights along x are either all 0 (`one`) or all greater than 0.
 */
static ALWAYS_INLINE bool
sgd_t8_shift_filter(const struct sgd_tex_unit *u, const struct sgd_tex_level *level, __m256i i,
                    __m256i j, bool one, __m256i fx, __m256i fy, unsigned mask, struct sgd_vec *dst)
{
   struct sgd_t8_shift s;
   if (!sgd_t8_shift_init(&s, level, i, j))
      return false;
   /* weights 256 - f and f */
   const __m256i whole = _mm256_set1_epi32(256);
   const __m256i f = one ? _mm256_set1_epi32(1) : fx;
   const __m256i of_x = _mm256_add_epi32(_mm256_sub_epi32(whole, f), _mm256_slli_epi32(f, 8));
   const __m256i of_y = _mm256_add_epi32(_mm256_sub_epi32(whole, fy), _mm256_slli_epi32(fy, 16));
   const __m256i wx[2] = {
      _mm256_shuffle_epi8(of_x, _mm256_set1_epi32(0x05040100)),
      _mm256_shuffle_epi8(of_x, _mm256_set1_epi32(0x0d0c0908)),
   };
   const __m256i wy[2] = { _mm256_shuffle_epi32(of_y, 0x50), _mm256_shuffle_epi32(of_y, 0xfa) };
   __m256i m[3][2][2];
   for (unsigned r = 0; r < 3; r++) {
      if (s.odd_x)
         sgd_t8_shift_mix(&s, r, true, one, wx, m[r]);
      else
         sgd_t8_shift_mix(&s, r, false, one, wx, m[r]);
   }
   if (s.odd_y)
      sgd_t8_shift_rows(u, m, true, wy, mask, dst);
   else
      sgd_t8_shift_rows(u, m, false, wy, mask, dst);
   return true;
}

/* -- operations -------------------------------------------------------------------- */

/* Fallback for warps that the functions below don't support. */
static ALWAYS_INLINE void
sgd_t8_unshifted(const struct sgd_tex_unit *u, const struct sgd_sampler *sampler,
                 const struct sgd_tex_op *op, const float *x, const float *y, struct sgd_vec *dst,
                 int straight)
{
   const struct sgd_source src0 = { { (const uint32_t *)x, (const uint32_t *)y } };
   sgd_tex_one_filter(u, sampler, op, &src0, ~0u, dst, straight);
}

/* Execute a whole operation, like sgd_tex_one_filter(). All lanes must be active, the texture must
 * be tiled, coordinates must be normalized, and no channel may be shared between components.
 */
static ATTRIBUTE_NOINLINE void
sgd_t8_shift_nearest(const struct sgd_tex_unit *u, const struct sgd_sampler *sampler,
                     const struct sgd_tex_op *op, const float *x, const float *y,
                     struct sgd_vec *dst)
{
   const struct sgd_tex_level *level = &u->level[0];
   const unsigned plan = sampler->plan;
   struct sgd_t8_straight at;
   if (sgd_tn_can_read(u)) {
      sgd_tn_nearest(u, level, plan & SGD_SAMPLER_REPEAT_S, plan & SGD_SAMPLER_REPEAT_T, x, y,
                     op->mask, dst);
      if (op->mask & u->others)
         sgd_tex_store_constants(u, op->mask, ~0u, dst);
      return;
   }
   if (!sgd_t8_straight(&at, x, y)) {
      sgd_t8_unshifted(u, sampler, op, x, y, dst, 0);
      return;
   }
   at.x = sgd_t8_shift_reduce(at.x, level->width, plan & SGD_SAMPLER_REPEAT_S, 1.0f, 0.0f);
   at.y = sgd_t8_shift_reduce(at.y, level->height, plan & SGD_SAMPLER_REPEAT_T, 1.0f, 0.0f);
   /* Coordinates of size n, by rounding or by clamping, mean the last texel. */
   const __m256i i = _mm256_min_epu32(_mm256_cvttps_epi32(at.x),
                                      _mm256_set1_epi32(level->width - 1));
   const __m256i j = _mm256_min_epu32(_mm256_cvttps_epi32(at.y),
                                      _mm256_set1_epi32(level->height - 1));
   if (!sgd_t8_straight_texels(u, level, i, j, op->mask, dst)) {
      sgd_t8_unshifted(u, sampler, op, x, y, dst, 1);
      return;
   }
   if (op->mask & u->others)
      sgd_tex_store_constants(u, op->mask, ~0u, dst);
}

static ATTRIBUTE_NOINLINE void
sgd_t8_shift_linear(const struct sgd_tex_unit *u, const struct sgd_sampler *sampler,
                    const struct sgd_tex_op *op, const float *x, const float *y,
                    struct sgd_vec *dst)
{
   const __m256i byte = _mm256_set1_epi32(255), half = _mm256_set1_epi32(128);
   const struct sgd_tex_level *level = &u->level[0];
   const unsigned plan = sampler->plan;
   struct sgd_t8_straight at;
   if (!sgd_t8_straight(&at, x, y)) {
      const struct sgd_source src0 = { { (const uint32_t *)x, (const uint32_t *)y } };
      if (sgd_tn_can_read(u))
         sgd_tex_one_taps_filter(u, sampler, op, &src0, ~0u, dst);
      else
         sgd_tex_one_filter(u, sampler, op, &src0, ~0u, dst, 0);
      return;
   }
   at.x = sgd_t8_shift_reduce(at.x, level->width, plan & SGD_SAMPLER_REPEAT_S, 256.0f, 0.5f);
   at.y = sgd_t8_shift_reduce(at.y, level->height, plan & SGD_SAMPLER_REPEAT_T, 256.0f, 0.5f);
   const __m256i x256 = _mm256_sub_epi32(_mm256_cvtps_epi32(at.x), half);
   const __m256i y256 = _mm256_sub_epi32(_mm256_cvtps_epi32(at.y), half);
   const __m256i i = _mm256_srai_epi32(x256, 8), j = _mm256_srai_epi32(y256, 8);
   const __m256i fx = _mm256_and_si256(x256, byte), fy = _mm256_and_si256(y256, byte);
   const __m256i none = _mm256_cmpeq_epi32(fx, _mm256_setzero_si256());
   const bool no_fx = _mm256_testz_si256(x256, byte), no_fy = _mm256_testz_si256(y256, byte);
   bool done;
   if (no_fx && no_fy)
      done = sgd_t8_straight_texels(u, level, i, j, op->mask, dst);
   else if (no_fx)
      done = sgd_t8_shift_filter(u, level, i, j, true, fx, fy, op->mask, dst);
   else
      done = _mm256_testz_si256(none, none) &&
             sgd_t8_shift_filter(u, level, i, j, false, fx, fy, op->mask, dst);
   if (!done)
      sgd_t8_unshifted(u, sampler, op, x, y, dst, 1);
   else if (op->mask & u->others)
      sgd_tex_store_constants(u, op->mask, ~0u, dst);
}

#endif
