/* SPDX-License-Identifier: MIT */
/*
 * Texture unit: formats of 8-bit channels with AVX2. Reads texels of tiled textures, without
 * filtering, for straight warps: warps of 8x4 pixels in which all pixels of a column have the same
 * x and all pixels of a row have the same y (see sgd_tex_grid_avx2.h).
 *
 * The columns of most such warps are in one to three micro tiles. Each of the four rows of texels is
 * loaded from each of these tiles as a vector, and permuted.
 */
#ifndef SGD_TEX_STRAIGHT_AVX2_H
#define SGD_TEX_STRAIGHT_AVX2_H

#include "texture/unit/sgd_tex_lanes_avx2.h"

/* size of a micro tile in bytes */
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

/* Returns elements of b where the sign bit of `mask` is set, and elements of a elsewhere. */
static ALWAYS_INLINE __m256i
sgd_t8_select(__m256i mask, __m256i a, __m256i b)
{
   /* Keep the mask in a register. If it were in memory, the compiler would compare it with 0 again.
    */
   __asm__("" : "+x"(mask));
   return _mm256_castps_si256(
      _mm256_blendv_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b), _mm256_castsi256_ps(mask)));
}

/* Loads a row of eight texels of a micro tile, in the order 0 1 4 5 2 3 6 7. */
static ALWAYS_INLINE __m256i
sgd_t8_tile_row(const uint8_t *at)
{
   return _mm256_blend_epi32(sgd_t8_load(at), sgd_t8_load(at + 24), 0xcc);
}

/* Byte offsets of the rows that a warp reads. */
struct sgd_t8_straight_rows {
   _Alignas(16) uint32_t at[4];
};

/* Finds the rows j. Prefetches the next texels, for which `tile` contains the first column i. */
static ALWAYS_INLINE struct sgd_t8_straight_rows
sgd_t8_straight_rows(const struct sgd_tex_level *level, const uint8_t *tile, __m256i i, __m256i j)
{
   struct sgd_t8_straight_rows row;
   _mm_store_si128((__m128i *)row.at, _mm256_castsi256_si128(sgd_t8_row(j, level->pitch, true)));
   const int32_t x = _mm_cvtsi128_si32(_mm256_castsi256_si128(i));
   const int32_t y = _mm_cvtsi128_si32(_mm256_castsi256_si128(j));
   const uint8_t *ahead = tile + (int32_t)sgd_t8_next_block(x, y, level->pitch);
   __builtin_prefetch(ahead + row.at[0]);
   __builtin_prefetch(ahead + row.at[2]);
   return row;
}

/* Returns the position of each column in a sgd_t8_tile_row(). */
static ALWAYS_INLINE __m256i
sgd_t8_in_tile(__m256i i)
{
   return _mm256_permutevar8x32_epi32(_mm256_setr_epi32(0, 1, 4, 5, 2, 3, 6, 7), i);
}

/* Loads the texels of all lanes. The columns in the mask in[n] are in another micro tile, which
 * is apart[n] bytes after the first one. `count`, the number of tiles, is a compile-time constant.
 */
static ALWAYS_INLINE void
sgd_t8_straight_words(const uint8_t *tile, const struct sgd_t8_straight_rows *row, __m256i column,
                      unsigned count, const ptrdiff_t apart[], const __m256i in[], __m256i w[4])
{
   __m256i line[4];
   for (unsigned r = 0; r < 4; r++) {
      const uint8_t *at = tile + row->at[r];
      line[r] = _mm256_permutevar8x32_epi32(sgd_t8_tile_row(at), column);
      for (unsigned n = 0; n + 1 < count; n++) {
         const __m256i more = sgd_t8_tile_row(at + apart[n]);
         line[r] = sgd_t8_select(in[n], line[r], _mm256_permutevar8x32_epi32(more, column));
      }
   }
   for (unsigned r = 0; r < 4; r += 2) {
      w[r] = _mm256_unpacklo_epi64(line[r], line[r + 1]);
      w[r + 1] = _mm256_unpackhi_epi64(line[r], line[r + 1]);
   }
}

/* Stores the channels of texels, which are in lane order. */
static ALWAYS_INLINE void
sgd_t8_straight_store(const struct sgd_tex_unit *u, const __m256i w[4], unsigned mask,
                      struct sgd_vec *dst)
{
   const __m256i byte = _mm256_setr_epi32(~0xff, ~0xfb, ~0xf7, ~0xf3, ~0xff, ~0xfb, ~0xf7, ~0xf3);
   const __m256 scale = _mm256_set1_ps(u->scale);
   for (int32_t r = 0; r < 4; r++) {
      const unsigned c = u->component[r];
      /* shuffle mask that moves byte r of each word to the low byte and clears the other bytes */
      const __m256i of = _mm256_add_epi32(byte, _mm256_set1_epi32(r));
      if (!(mask >> c & 1))
         continue;
      float *d = (float *)dst->c[c];
      for (unsigned n = 0; n < 4; n++) {
         const __m256i v = r == 3 ? _mm256_srli_epi32(w[n], 24) : _mm256_shuffle_epi8(w[n], of);
         _mm256_storeu_ps(d + 8 * n, _mm256_mul_ps(_mm256_cvtepi32_ps(v), scale));
      }
   }
}

/* Version of sgd_t8_straight_texels() for columns in three adjacent micro tiles. */
static ATTRIBUTE_NOINLINE bool
sgd_t8_straight_three(const struct sgd_tex_unit *u, const struct sgd_tex_level *level, __m256i i,
                      __m256i j, unsigned mask, struct sgd_vec *dst)
{
   const __m256i tile = _mm256_srli_epi32(i, 3);
   const ptrdiff_t from = _mm256_extract_epi32(tile, 0), to = _mm256_extract_epi32(tile, 7);
   const ptrdiff_t middle = (from + to) >> 1;
   const __m256i in_middle = _mm256_cmpeq_epi32(tile, _mm256_set1_epi32((int32_t)middle));
   const __m256i in_right = _mm256_cmpeq_epi32(tile, _mm256_set1_epi32((int32_t)to));
   const __m256i in_left = _mm256_cmpeq_epi32(tile, _mm256_set1_epi32((int32_t)from));
   const __m256i in = _mm256_or_si256(_mm256_or_si256(in_left, in_right), in_middle);
   if (!_mm256_testc_si256(in, _mm256_cmpeq_epi32(tile, tile)))
      return false;

   const uint8_t *base = level->base + (uint32_t)from * SGD_T8_TILE;
   const struct sgd_t8_straight_rows row = sgd_t8_straight_rows(level, base, i, j);
   const ptrdiff_t apart[2] = { (middle - from) * SGD_T8_TILE, (to - from) * SGD_T8_TILE };
   const __m256i in_other[2] = { in_middle, in_right };
   __m256i w[4];
   sgd_t8_straight_words(base, &row, sgd_t8_in_tile(i), 3, apart, in_other, w);
   sgd_t8_straight_store(u, w, mask, dst);
   return true;
}

/* Stores the texels at columns i and rows j, which are wrapped, as results. Returns false without
 * doing anything if the columns are in more than three micro tiles.
 */
static ALWAYS_INLINE bool
sgd_t8_straight_texels(const struct sgd_tex_unit *u, const struct sgd_tex_level *level, __m256i i,
                       __m256i j, unsigned mask, struct sgd_vec *dst)
{
   const __m256i tile = _mm256_srli_epi32(i, 3);
   const __m256i left = _mm256_broadcastd_epi32(_mm256_castsi256_si128(tile));
   const __m256i right = _mm256_permutevar8x32_epi32(tile, _mm256_set1_epi32(7));
   const __m256i in_right = _mm256_cmpeq_epi32(tile, right);
   const __m256i in = _mm256_or_si256(_mm256_cmpeq_epi32(tile, left), in_right);
   if (!_mm256_testc_si256(in, _mm256_cmpeq_epi32(tile, tile)))
      return sgd_t8_straight_three(u, level, i, j, mask, dst);

   const ptrdiff_t from = _mm_cvtsi128_si32(_mm256_castsi256_si128(left));
   const ptrdiff_t to = _mm_cvtsi128_si32(_mm256_castsi256_si128(right));
   const uint8_t *base = level->base + (uint32_t)from * SGD_T8_TILE;
   const struct sgd_t8_straight_rows row = sgd_t8_straight_rows(level, base, i, j);
   const __m256i column = sgd_t8_in_tile(i);
   const ptrdiff_t apart = (to - from) * SGD_T8_TILE;
   __m256i w[4];
   if (apart)
      sgd_t8_straight_words(base, &row, column, 2, &apart, &in_right, w);
   else
      sgd_t8_straight_words(base, &row, column, 1, NULL, NULL, w);
   sgd_t8_straight_store(u, w, mask, dst);
   return true;
}

#endif
