/* SPDX-License-Identifier: MIT */
/*
 * Texture unit: formats of 8-bit channels with AVX2. Filters straight warps (see
 * sgd_tex_grid_avx2.h) of tiled textures in which neighboring pixels read neighboring texels, as is
 * typical of images at their original size. These warps read 8x4 or 9x5 texels at an arbitrary
 * position, without wrapping.
 *
 * A micro tile has quads of 2x2 texels in lane order. Two vectors, i.e. four quads of a row, are
 * two rows of the warp. If a warp starts in the middle of a quad of texels, each of its quads is
 * assembled from two or four quads of texels.
 */
#ifndef SGD_TEX_SHIFT_AVX2_H
#define SGD_TEX_SHIFT_AVX2_H

#include "texture/unit/sgd_tex_lanes_avx2.h"
#include "texture/unit/sgd_tex_taps_avx2.h"

/* Size in bytes of a quad, of a row of quads in a micro tile, and of a micro tile. */
#define SGD_T8_QUAD 16
#define SGD_T8_QUAD_ROW 64
#define SGD_T8_TILE (SGPU_TILE_ELEMENTS * 4)

/* Warps cover a block of 16x16 pixels before they continue with the next block. The blocks form
 * bands in a screen tile of 64x64 pixels. While the texels of a block are read, the texels of the
 * next block are prefetched. This is useful if texels have about the same positions as pixels.
 */
#define SGD_T8_AHEAD (2 * SGD_T8_TILE)
#define SGD_T8_BAND 4 /* height of a band of blocks, in rows of micro tiles */

/* Returns the distance in bytes from the texels of the block that contains texel (x, y) to those of
 * the next block.
 */
static ALWAYS_INLINE uint32_t
sgd_t8_next_block(int32_t x, int32_t y, uint32_t pitch)
{
   const bool right = (x & 48) != 48, below = (y & 48) != 48;
   /* The last block of a band is followed by the first block of the next band, or of the next
    * screen tile.
    */
   const uint32_t next = SGD_T8_BAND * (below ? pitch : -3 * pitch);
   return right ? SGD_T8_AHEAD : next - (below ? 3 * SGD_T8_AHEAD : -SGD_T8_AHEAD);
}

/* Coordinates of a straight warp, which are less than 2^23. x contains the coordinate of each
 * column, in the order of sgd_tex_grid_avx2.h. y contains the coordinate of each row, duplicated in
 * both halves.
 */
struct sgd_t8_straight {
   __m256 x, y;
};

/* Returns true if x depends only on the lane's column and y only on its row, bit for bit. */
static ALWAYS_INLINE bool
sgd_t8_straight(struct sgd_t8_straight *s, const float *x, const float *y)
{
   const __m256i x0 = sgd_t8_load(x), x1 = sgd_t8_load(x + 8);
   const __m256i columns = _mm256_unpacklo_epi64(x0, x1);
   const __m256i lower = _mm256_or_si256(_mm256_xor_si256(x0, sgd_t8_load(x + 16)),
                                         _mm256_xor_si256(x1, sgd_t8_load(x + 24)));
   const __m256i pairs = _mm256_xor_si256(columns, _mm256_unpackhi_epi64(x0, x1));
   const __m256i bad_x = _mm256_or_si256(lower, pairs);
   if (!_mm256_testz_si256(bad_x, bad_x))
      return false;
   const __m256i y0 = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)y));
   const __m256i y2 = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(y + 16)));
   const __m256i upper_rows = _mm256_or_si256(_mm256_xor_si256(y0, sgd_t8_load(y)),
                                              _mm256_xor_si256(y0, sgd_t8_load(y + 8)));
   const __m256i lower_rows = _mm256_or_si256(_mm256_xor_si256(y2, sgd_t8_load(y + 16)),
                                              _mm256_xor_si256(y2, sgd_t8_load(y + 24)));
   const __m256 left = _mm256_shuffle_ps(_mm256_castsi256_ps(y0), _mm256_castsi256_ps(y2), 0x88);
   const __m256 right = _mm256_shuffle_ps(_mm256_castsi256_ps(y0), _mm256_castsi256_ps(y2), 0xdd);
   const __m256i in_quads = _mm256_castps_si256(_mm256_xor_ps(left, right));
   const __m256i bad_y = _mm256_or_si256(_mm256_or_si256(upper_rows, lower_rows), in_quads);
   s->x = _mm256_castsi256_ps(columns);
   s->y = left;
   return _mm256_testz_si256(bad_y, bad_y);
}

/* Byte addresses of three rows of 2x2 texel quads, starting at the warp's first row, and byte
 * offsets of the quads in a row.
 */
struct sgd_t8_shift {
   const uint8_t *row[3];
   const size_t *quad;
   /* distance in bytes to the texels of the next 16x16 block, for prefetching */
   ptrdiff_t ahead;
   /* `down` is set if texel rows increase from one row of the warp to the next */
   bool odd_x, odd_y, down;
};

/* Converts normalized coordinates to fixed-point steps as sgd_t8_reduce() does. `unit` is the
 * number of steps per texel.
 */
static ALWAYS_INLINE __m256
sgd_t8_shift_reduce(__m256 s, int32_t size, bool repeat, float unit, float margin)
{
   const __m256 n = _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_set1_epi32(size)),
                                  _mm256_set1_ps(unit));
   if (repeat) {
      s = _mm256_sub_ps(s, _mm256_floor_ps(s));
      return _mm256_max_ps(_mm256_mul_ps(s, n), _mm256_setzero_ps());
   }
   const __m256 low = _mm256_set1_ps(margin * unit);
   return _mm256_min_ps(_mm256_max_ps(_mm256_mul_ps(s, n), low), _mm256_sub_ps(n, low));
}

/* Initializes *s. Returns false unless the texels at columns i and rows j, and the `more` texels
 * after them, are adjacent and inside the level.
 */
static ALWAYS_INLINE bool
sgd_t8_shift_init(struct sgd_t8_shift *s, const struct sgd_tex_level *level, __m256i i, __m256i j,
                  int32_t more)
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
   /* Negate the differences if texel rows decrease from one row of the warp to the next. */
   const __m256i grown = _mm256_sign_epi32(dj, _mm256_shuffle_epi32(dj, 0x55));
   const __m256i bad = _mm256_or_si256(_mm256_xor_si256(di, columns),
                                       _mm256_xor_si256(grown, rows));
   if (!_mm256_testz_si256(bad, bad))
      return false;

   const int32_t x = _mm_cvtsi128_si32(_mm256_castsi256_si128(i));
   const int32_t y = _mm_cvtsi128_si32(_mm256_castsi256_si128(j));
   s->down = !_mm256_movemask_ps(_mm256_castsi256_ps(dj));
   const int32_t top = s->down ? y : y - 3;
   if (unlikely(x < 0 || top < 0 || x + 7 + more >= level->width ||
                top + 3 + more >= level->height))
      return false;
   s->odd_x = x & 1;
   s->odd_y = y & 1;
   s->quad = quads[x >> 1 & 3];
   const uint8_t *first = level->base + (uint32_t)(x >> 3) * SGD_T8_TILE;
   const uint32_t pitch = level->pitch, tile = (uint32_t)(y >> 2) * pitch;
   s->ahead = s->down ? (int32_t)sgd_t8_next_block(x, y, pitch) : SGD_T8_AHEAD;
   /* The next row of quads is in the same micro tile or in the next one. */
   const bool second = y & 2;
   s->row[0] = first + (tile + (second ? SGD_T8_QUAD_ROW : 0));
   if (s->down) {
      s->row[1] = first + (tile + (second ? pitch : SGD_T8_QUAD_ROW));
      s->row[2] = first + (tile + pitch + (second ? SGD_T8_QUAD_ROW : 0));
   } else {
      s->row[1] = first + (tile - (second ? 0 : pitch - SGD_T8_QUAD_ROW));
      s->row[2] = first + (tile - pitch + (second ? SGD_T8_QUAD_ROW : 0));
   }
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

/* Returns the destination of channel r, or NULL if no component of the result needs it. */
static ALWAYS_INLINE float *
sgd_t8_place(const struct sgd_tex_unit *u, unsigned r, unsigned mask, struct sgd_vec *dst)
{
   const unsigned c = u->component[r];
   if (!(mask >> c & 1))
      return NULL;
   float *d = (float *)dst->c[c];
   return d;
}

/* -- single texels ----------------------------------------------------------------- */

/* Texels of two rows of the warp. `left` and `right` contain four columns each. */
struct sgd_t8_rows {
   __m256i left, right;
};

/* Loads a row of quads, starting at the warp's first column. */
static ALWAYS_INLINE struct sgd_t8_rows
sgd_t8_shift_row(const struct sgd_t8_shift *s, unsigned r, bool odd)
{
   const __m256i left = sgd_t8_shift_load(s, r, 0), right = sgd_t8_shift_load(s, r, 2);
   if (!odd)
      return (struct sgd_t8_rows){ left, right };
   const __m256i left1 = sgd_t8_shift_load(s, r, 1), right1 = sgd_t8_shift_load(s, r, 3);
   return (struct sgd_t8_rows){
      _mm256_shuffle_epi32(sgd_t8_between(left, left1), 0xb1),
      _mm256_shuffle_epi32(sgd_t8_between(right, right1), 0xb1),
   };
}

/* Swaps the upper and lower rows of texels. */
static ALWAYS_INLINE struct sgd_t8_rows
sgd_t8_exchanged(struct sgd_t8_rows a)
{
   return (struct sgd_t8_rows){ _mm256_shuffle_epi32(a.left, 0x4e),
                                _mm256_shuffle_epi32(a.right, 0x4e) };
}

/* Returns the upper row of a and the lower row of b. */
static ALWAYS_INLINE struct sgd_t8_rows
sgd_t8_upper_lower(struct sgd_t8_rows a, struct sgd_t8_rows b)
{
   return (struct sgd_t8_rows){ _mm256_blend_epi32(a.left, b.left, 0xcc),
                                _mm256_blend_epi32(a.right, b.right, 0xcc) };
}

/* Stores texels in lane order. `upper` contains the first two rows of the warp, and `lower` the
 * last two rows.
 */
static ALWAYS_INLINE void
sgd_t8_shift_store(const struct sgd_tex_unit *u, struct sgd_t8_rows upper, struct sgd_t8_rows lower,
                   unsigned mask, struct sgd_vec *dst)
{
   const __m256i byte = _mm256_setr_epi32(~0xff, ~0xfb, ~0xf7, ~0xf3, ~0xff, ~0xfb, ~0xf7, ~0xf3);
   const __m256 scale = _mm256_set1_ps(u->scale);
   const __m256i w[4] = { upper.left, upper.right, lower.left, lower.right };
   for (int32_t r = 0; r < 4; r++) {
      float *d = sgd_t8_place(u, (unsigned)r, mask, dst);
      /* shuffle mask that moves byte r of each word to the low byte and clears the other bytes */
      const __m256i of = _mm256_add_epi32(byte, _mm256_set1_epi32(r));
      if (!d)
         continue;
      for (unsigned n = 0; n < 4; n++) {
         const __m256i v = _mm256_shuffle_epi8(w[n], of);
         _mm256_storeu_ps(d + 8 * n, _mm256_mul_ps(_mm256_cvtepi32_ps(v), scale));
      }
   }
}

static ALWAYS_INLINE void
sgd_t8_shift_texels_of(const struct sgd_tex_unit *u, const struct sgd_t8_shift *s, bool odd,
                       unsigned mask, struct sgd_vec *dst)
{
   struct sgd_t8_rows upper = sgd_t8_shift_row(s, 0, odd), lower = sgd_t8_shift_row(s, 1, odd);
   if (s->down && s->odd_y) {
      const struct sgd_t8_rows below = sgd_t8_shift_row(s, 2, odd);
      upper = sgd_t8_exchanged(sgd_t8_upper_lower(lower, upper));
      lower = sgd_t8_exchanged(sgd_t8_upper_lower(below, lower));
   } else if (s->odd_y) {
      upper = sgd_t8_exchanged(upper);
      lower = sgd_t8_exchanged(lower);
   } else if (!s->down) {
      const struct sgd_t8_rows above = sgd_t8_shift_row(s, 2, odd);
      upper = sgd_t8_upper_lower(upper, lower);
      lower = sgd_t8_upper_lower(lower, above);
   }
   sgd_t8_shift_store(u, upper, lower, mask, dst);
}

static ALWAYS_INLINE void
sgd_t8_shift_texels(const struct sgd_tex_unit *u, const struct sgd_t8_shift *s, unsigned mask,
                    struct sgd_vec *dst)
{
   sgd_t8_shift_ahead(s, 0);
   sgd_t8_shift_ahead(s, 1);
   if (s->odd_x)
      sgd_t8_shift_texels_of(u, s, true, mask, dst);
   else
      sgd_t8_shift_texels_of(u, s, false, mask, dst);
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

/* Filters all lanes. fx and fy are weights in units of 1/256. The weights along x are either all 0
 * (`one`) or all greater than 0.
 */
static ALWAYS_INLINE void
sgd_t8_shift_filter(const struct sgd_tex_unit *u, const struct sgd_t8_shift *s, bool one,
                    __m256i fx, __m256i fy, unsigned mask, struct sgd_vec *dst)
{
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
      if (s->odd_x)
         sgd_t8_shift_mix(s, r, true, one, wx, m[r]);
      else
         sgd_t8_shift_mix(s, r, false, one, wx, m[r]);
   }
   if (s->odd_y)
      sgd_t8_shift_rows(u, m, true, wy, mask, dst);
   else
      sgd_t8_shift_rows(u, m, false, wy, mask, dst);
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
   struct sgd_t8_shift s;
   if (!sgd_t8_straight(&at, x, y)) {
      sgd_t8_unshifted(u, sampler, op, x, y, dst, 0);
      return;
   }
   at.x = sgd_t8_shift_reduce(at.x, level->width, plan & SGD_SAMPLER_REPEAT_S, 1.0f, 0.0f);
   at.y = sgd_t8_shift_reduce(at.y, level->height, plan & SGD_SAMPLER_REPEAT_T, 1.0f, 0.0f);
   if (!sgd_t8_shift_init(&s, level, _mm256_cvttps_epi32(at.x), _mm256_cvttps_epi32(at.y), 0)) {
      sgd_t8_unshifted(u, sampler, op, x, y, dst, 1);
      return;
   }
   sgd_t8_shift_texels(u, &s, op->mask, dst);
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
   struct sgd_t8_shift s;
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
   const bool texels = no_fx && no_fy, some_fx = !no_fx && !_mm256_testz_si256(none, none);
   if (some_fx || !sgd_t8_shift_init(&s, level, i, j, texels ? 0 : 1) || (!texels && !s.down)) {
      sgd_t8_unshifted(u, sampler, op, x, y, dst, 1);
      return;
   }
   if (texels)
      sgd_t8_shift_texels(u, &s, op->mask, dst);
   else if (no_fx)
      sgd_t8_shift_filter(u, &s, true, fx, fy, op->mask, dst);
   else
      sgd_t8_shift_filter(u, &s, false, fx, fy, op->mask, dst);
   if (op->mask & u->others)
      sgd_tex_store_constants(u, op->mask, ~0u, dst);
}

#endif
