/* SPDX-License-Identifier: MIT */
/*
 * Texture unit: formats of 8-bit channels with AVX2. Bilinear filtering of warps whose footprint is
 * a box of up to 4x4, 8x4 or 4x8 texels, which is typical of magnified textures. The texels of the
 * box are stored in one or two 16-byte tables per channel, so that a single shuffle instruction
 * looks up 32 lanes.
 *
 * The order of the lanes is the one that pack instructions produce and unpack instructions undo.
 */
#ifndef SGD_TEX_BOX_AVX2_H
#define SGD_TEX_BOX_AVX2_H

#include "texture/unit/sgd_tex_lanes_avx2.h"

/* Returns a vector with four elements: the minimum elements of a, of b, of c and of d. */
static ALWAYS_INLINE __m128i
sgd_t8_least(__m256i a, __m256i b, __m256i c, __m256i d)
{
   const __m256i ab = _mm256_min_epi32(_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b));
   const __m256i cd = _mm256_min_epi32(_mm256_unpacklo_epi32(c, d), _mm256_unpackhi_epi32(c, d));
   const __m256i all = _mm256_min_epi32(_mm256_unpacklo_epi64(ab, cd),
                                        _mm256_unpackhi_epi64(ab, cd));
   return _mm_min_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
}

static ALWAYS_INLINE __m256i
sgd_t8_least4(const __m256i v[4])
{
   return _mm256_min_epi32(_mm256_min_epi32(v[0], v[1]), _mm256_min_epi32(v[2], v[3]));
}

static ALWAYS_INLINE __m256i
sgd_t8_most4(const __m256i v[4])
{
   return _mm256_max_epi32(_mm256_max_epi32(v[0], v[1]), _mm256_max_epi32(v[2], v[3]));
}

/* Wraps texel indices from -1 to last + 1. Other indices yield an arbitrary index inside the level.
 */
static ALWAYS_INLINE __m256i
sgd_t8_wrap_near(const struct sgd_t8_axis *a, __m256i i)
{
   const __m256i last = _mm256_set1_epi32((int32_t)a->last);
   const __m256i in = _mm256_min_epu32(i, last);
   if (!a->repeat)
      return in;
   return _mm256_andnot_si256(_mm256_cmpeq_epi32(_mm256_sub_epi32(i, last), _mm256_set1_epi32(1)),
                              in);
}

/* Converts 32 coordinates to 16-bit distances from `origin`. All distances must be below 2^15. */
static ALWAYS_INLINE void
sgd_t8_pack(const __m256i fixed[4], int32_t origin, __m256i out[2])
{
   const __m256i o = _mm256_set1_epi32(origin);
   for (unsigned k = 0; k < 2; k++)
      out[k] = _mm256_packs_epi32(_mm256_sub_epi32(fixed[2 * k], o),
                                  _mm256_sub_epi32(fixed[2 * k + 1], o));
}

/* Loads the box of 4x4 texels that starts at texel (i, j). The table of each channel consists of
 * four rows of four bytes, and is duplicated in both halves of the vector.
 */
static ALWAYS_INLINE void
sgd_t8_box_load(const struct sgd_t8 *b, int32_t i, int32_t j, bool tiled, __m256i table[4])
{
   const __m256i across = _mm256_setr_epi32(0, 1, 2, 3, 0, 1, 2, 3);
   const __m256i down = _mm256_setr_epi32(0, 0, 0, 0, 2, 2, 2, 2);
   const __m256i x = sgd_t8_wrap_near(&b->x, _mm256_add_epi32(_mm256_set1_epi32(i), across));
   const __m256i column = sgd_t8_column(x, tiled);
   const __m256i planes = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
   __m256i rows[2];
   for (int32_t k = 0; k < 2; k++) {
      const __m256i y = sgd_t8_wrap_near(&b->y, _mm256_add_epi32(_mm256_set1_epi32(j + k), down));
      const __m256i offset = _mm256_add_epi32(column, sgd_t8_row(y, b->pitch, tiled));
      const __m256i texels = sgd_t8_signed(sgd_t8_fetch(b->base, b->gather, offset));
      rows[k] = _mm256_shuffle_epi8(texels, planes);
   }
   const __m256i rg = _mm256_unpacklo_epi32(rows[0], rows[1]);
   const __m256i ba = _mm256_unpackhi_epi32(rows[0], rows[1]);
   table[0] = _mm256_permute4x64_epi64(rg, 0x88);
   table[1] = _mm256_permute4x64_epi64(rg, 0xdd);
   table[2] = _mm256_permute4x64_epi64(ba, 0x88);
   table[3] = _mm256_permute4x64_epi64(ba, 0xdd);
}

/* Computes the 4-bit table index of each lane's texel. With two tables, sets bit 7 of the index for
 * the table that doesn't contain the texel, so that the shuffle of this table returns 0.
 */
static ALWAYS_INLINE void
sgd_t8_places(__m256i ix, __m256i iy, unsigned tables, __m256i place[2])
{
   const __m256i three = _mm256_set1_epi8(3), other = _mm256_set1_epi8((char)0x80);
   if (tables == 1) {
      place[0] = _mm256_add_epi8(_mm256_slli_epi16(iy, 2), ix);
      return;
   }
   const __m256i row = _mm256_slli_epi16(_mm256_and_si256(iy, three), 2);
   const __m256i p = _mm256_or_si256(row, _mm256_and_si256(ix, three));
   const __m256i second = _mm256_cmpgt_epi8(_mm256_or_si256(ix, iy), three);
   place[0] = _mm256_or_si256(p, _mm256_and_si256(second, other));
   place[1] = _mm256_or_si256(p, _mm256_andnot_si256(second, other));
}

static ALWAYS_INLINE __m256i
sgd_t8_look_up(const __m256i table[2][4], unsigned r, const __m256i place[2], unsigned tables)
{
   const __m256i first = _mm256_shuffle_epi8(table[0][r], place[0]);
   if (tables == 1)
      return first;
   return _mm256_or_si256(first, _mm256_shuffle_epi8(table[1][r], place[1]));
}

/* Filters all lanes. x and y are sgd_t8_fixed() coordinates inside a box of texels that starts at
 * texel (i, j). With two tables, the box consists of two boxes of 4x4 texels. The second one is to
 * the right of the first if `right` is set, and below it otherwise.
 */
static ALWAYS_INLINE void
sgd_t8_box_filter(const struct sgd_t8 *b, const __m256i x[4], const __m256i y[4], int32_t i,
                  int32_t j, unsigned tables, bool right, bool tiled)
{
   const __m256i none = _mm256_setzero_si256();
   __m256i table[2][4], x16[2], y16[2];
   sgd_t8_box_load(b, i, j, tiled, table[0]);
   if (tables == 2)
      sgd_t8_box_load(b, right ? i + 4 : i, right ? j : j + 4, tiled, table[1]);
   sgd_t8_pack(x, i * 256, x16);
   sgd_t8_pack(y, j * 256, y16);

   const __m256i byte = _mm256_set1_epi16(255);
   const __m256i ix = _mm256_packus_epi16(_mm256_srli_epi16(x16[0], 8),
                                          _mm256_srli_epi16(x16[1], 8));
   const __m256i iy = _mm256_packus_epi16(_mm256_srli_epi16(y16[0], 8),
                                          _mm256_srli_epi16(y16[1], 8));
   const __m256i fx = _mm256_packus_epi16(_mm256_and_si256(x16[0], byte),
                                          _mm256_and_si256(x16[1], byte));
   const __m256i whole = _mm256_cmpeq_epi8(fx, none);
   /* Weights 256 - f and f. 256 doesn't fit in a byte, so if f is 0, use the first texel twice with
    * weights 255 and 1.
    */
   const __m256i f1 = _mm256_sub_epi8(fx, whole), f0 = _mm256_sub_epi8(none, f1);
   const __m256i wx0 = _mm256_unpacklo_epi8(f0, f1), wx1 = _mm256_unpackhi_epi8(f0, f1);

   /* The second row can be below the box, but then its weight is 0. */
   const __m256i one = _mm256_set1_epi8(1);
   const __m256i ix1 = _mm256_add_epi8(ix, _mm256_add_epi8(one, whole));
   const __m256i iy1 = _mm256_add_epi8(iy, one);
   __m256i place[4][2];
   sgd_t8_places(ix, iy, tables, place[0]);
   sgd_t8_places(ix1, iy, tables, place[1]);
   sgd_t8_places(ix, iy1, tables, place[2]);
   sgd_t8_places(ix1, iy1, tables, place[3]);

   __m256i wy[4];
   for (unsigned k = 0; k < 2; k++) {
      const __m256i g1 = _mm256_and_si256(y16[k], byte);
      const __m256i g0 = _mm256_sub_epi16(_mm256_set1_epi16(256), g1);
      wy[2 * k] = _mm256_unpacklo_epi16(g0, g1);
      wy[2 * k + 1] = _mm256_unpackhi_epi16(g0, g1);
   }

   for (unsigned r = 0; r < 4; r++) {
      if (!b->dst[r])
         continue;
      const __m256i t0 = sgd_t8_look_up(table, r, place[0], tables);
      const __m256i t1 = sgd_t8_look_up(table, r, place[1], tables);
      const __m256i t2 = sgd_t8_look_up(table, r, place[2], tables);
      const __m256i t3 = sgd_t8_look_up(table, r, place[3], tables);
      const __m256i upper[2] = { _mm256_maddubs_epi16(wx0, _mm256_unpacklo_epi8(t0, t1)),
                                 _mm256_maddubs_epi16(wx1, _mm256_unpackhi_epi8(t0, t1)) };
      const __m256i lower[2] = { _mm256_maddubs_epi16(wx0, _mm256_unpacklo_epi8(t2, t3)),
                                 _mm256_maddubs_epi16(wx1, _mm256_unpackhi_epi8(t2, t3)) };
      for (unsigned k = 0; k < 4; k++) {
         const __m256i rows = k & 1 ? _mm256_unpackhi_epi16(upper[k / 2], lower[k / 2])
                                    : _mm256_unpacklo_epi16(upper[k / 2], lower[k / 2]);
         sgd_t8_store(b, r, 8 * k, sgd_t8_raised(_mm256_madd_epi16(rows, wy[k]), b->scale), false);
      }
   }
}

/* Bounding box of all lanes' sgd_t8_fixed() coordinates, i.e. of the upper left texels of their
 * bilinear filters.
 */
struct sgd_t8_box {
   int32_t i, j; /* minimum column and row */
   /* distance from the edges of texel (i, j) to the maximum coordinates, in units of 1/256 texel */
   int32_t width, height;
};

static ALWAYS_INLINE struct sgd_t8_box
sgd_t8_find_box(const __m256i x[4], const __m256i y[4])
{
   const __m256i ones = _mm256_set1_epi32(-1);
   int32_t ends[4]; /* minimum of x, ~maximum of x, minimum of y, ~maximum of y */
   _mm_storeu_si128((__m128i *)ends,
                    sgd_t8_least(sgd_t8_least4(x), _mm256_xor_si256(sgd_t8_most4(x), ones),
                                 sgd_t8_least4(y), _mm256_xor_si256(sgd_t8_most4(y), ones)));
   const int32_t i = ends[0] >> 8, j = ends[2] >> 8;
   return (struct sgd_t8_box){
      .i = i,
      .j = j,
      .width = ~ends[1] - i * 256,
      .height = ~ends[3] - j * 256,
   };
}

/* Filters all lanes if their texels lie in a box of at most 8x4 or 4x8 texels. `box` is the
 * bounding box of x and y. Returns false without doing anything if the box is larger.
 */
static ALWAYS_INLINE bool
sgd_t8_box_linear(const struct sgd_t8 *b, const __m256i x[4], const __m256i y[4],
                  const struct sgd_t8_box *box, bool tiled)
{
   const int32_t i = box->i, j = box->j, width = box->width, height = box->height;
   /* maximum extent of coordinates in one box of 4x4 texels, and in two adjacent boxes, in units of
    * 1/256 texel
    */
   const int32_t four = 3 * 256, eight = 7 * 256;
   if (width <= four && height <= four)
      sgd_t8_box_filter(b, x, y, i, j, 1, false, tiled);
   else if ((width <= eight && height <= four) || (width <= four && height <= eight))
      sgd_t8_box_filter(b, x, y, i, j, 2, width > four, tiled);
   else
      return false;
   return true;
}

#endif
