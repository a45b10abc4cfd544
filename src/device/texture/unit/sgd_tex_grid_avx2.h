/* SPDX-License-Identifier: MIT */
/*
 * Texture unit: formats of 8-bit channels with AVX2. Filters "straight" warps, i.e. warps of 8x4
 * pixels in which all pixels of a column have the same x and all pixels of a row have the same y,
 * as is typical of rectangles parallel to the screen. Only eight columns and four rows must be
 * wrapped. Lines of texels are loaded as vectors and permuted, and each line is filtered along x
 * once for all rows that read it.
 *
 * Vectors of columns are in the order 0 1 4 5 2 3 6 7, so that interleaving the column pairs of two
 * rows yields eight lanes.
 */
#ifndef SGD_TEX_GRID_AVX2_H
#define SGD_TEX_GRID_AVX2_H

#include "texture/unit/sgd_tex_shift_avx2.h"

#define SGD_T8_LINES 8
#define SGD_T8_LOADS 3

/* The texels of a line that the warp's eight columns of pixels read. They are the same for all
 * lines.
 */
struct sgd_t8_columns {
   /* Number of loads, of eight texels each, that cover all columns. If it is 0, each texel must be
    * loaded separately, from the byte offset in `place`.
    */
   unsigned loads;
   /* byte offset of the first load in a line */
   uint32_t start;
   /* for each load, a mask of the elements that are inside the level; only set for the linear
    * layout
    */
   __m256i exist[SGD_T8_LOADS];
   /* For the first and the second texel of each column: `place` is the index of the element in a
    * load, and the sign bits of `after` are set for columns that read the second or the third load.
    */
   __m256i place[2], after[2][SGD_T8_LOADS - 1];
};

/* Lines of texels that the four rows of the warp read. */
struct sgd_t8_lines {
   unsigned count;
   uint32_t offset[SGD_T8_LINES]; /* byte offset of each line */
   /* indices of the first lines that the four rows read, followed by the indices of their second
    * lines
    */
   uint32_t place[8];
};

/* Returns true if the warp is straight, i.e. if x depends only on the column and y only on the row.
 */
static ALWAYS_INLINE bool
sgd_t8_is_grid(const struct sgd_t8 *b)
{
   struct sgd_t8_straight at;
   return b->straight < 0 ? sgd_t8_straight(&at, b->x.s, b->y.s) : b->straight;
}

/* Returns the x coordinates of the warp's eight columns of pixels. */
static ALWAYS_INLINE __m256
sgd_t8_grid_x(const struct sgd_t8 *b)
{
   return _mm256_castpd_ps(_mm256_unpacklo_pd(_mm256_castps_pd(_mm256_loadu_ps(b->x.s)),
                                              _mm256_castps_pd(_mm256_loadu_ps(b->x.s + 8))));
}

/* Returns the y coordinates of the warp's four rows of pixels, duplicated in both halves of the
 * vector.
 */
static ALWAYS_INLINE __m256
sgd_t8_grid_y(const struct sgd_t8 *b)
{
   const __m128 y = _mm_shuffle_ps(_mm_loadu_ps(b->y.s), _mm_loadu_ps(b->y.s + 16), 0x88);
   return _mm256_set_m128(y, y);
}

/* -- columns --------------------------------------------------------------------- */

/* Sets the sign bit of each word whose position `place` is in load n + 1, where load 0 is the
 * first.
 */
static ALWAYS_INLINE __m256i
sgd_t8_in_load(__m256i place, unsigned n)
{
   return _mm256_slli_epi32(place, 28 - (int)n);
}

static ALWAYS_INLINE bool
sgd_t8_any_sign(__m256i v)
{
   return _mm256_movemask_ps(_mm256_castsi256_ps(v));
}

/* Finds the texels that the columns read. i is the index of each column's first texel. If `both` is
 * set, `step` is -1 for columns that also read the next texel, and 0 for all other columns.
 */
static ALWAYS_INLINE void
sgd_t8_columns_init(struct sgd_t8_columns *c, const struct sgd_t8 *b, __m256i i, __m256i step,
                    bool both, bool tiled)
{
   const __m256i last = _mm256_set1_epi32((int32_t)b->x.last);
   const __m256i next = both ? _mm256_sub_epi32(i, step) : i;
   const __m256i beyond = both ? _mm256_cmpgt_epi32(next, last) : _mm256_setzero_si256();

   /* The minimum x is in the first or the last column, unless the texture repeats between them. */
   const __m256i end = _mm256_shuffle_epi32(_mm256_permute4x64_epi64(i, 0xff), 0xff);
   const __m256i least = _mm256_min_epu32(_mm256_broadcastd_epi32(_mm256_castsi256_si128(i)), end);
   const __m256i start = tiled ? _mm256_slli_epi32(_mm256_srli_epi32(least, 3), 3) : least;
   const __m256i place0 = _mm256_sub_epi32(i, start);
   const __m256i place1 = both ? _mm256_sub_epi32(next, start) : place0;
   const __m256i places = both ? _mm256_or_si256(place0, place1) : place0;
   for (unsigned n = 0; n < SGD_T8_LOADS - 1; n++) {
      c->after[0][n] = sgd_t8_in_load(place0, n);
      c->after[1][n] = both ? sgd_t8_in_load(place1, n) : c->after[0][n];
   }
   /* The three loads only cover positions below 24. Positions 24 to 31 would select both the second
    * and the third load.
    */
   const __m256i fourth = _mm256_and_si256(c->after[1][0], c->after[1][1]);
   __m256i bad = _mm256_or_si256(_mm256_srli_epi32(places, 5), _mm256_srai_epi32(fourth, 31));
   if (both)
      bad = _mm256_or_si256(bad, beyond);
   c->loads = sgd_t8_any_sign(sgd_t8_in_load(places, 1))   ? 3
              : sgd_t8_any_sign(sgd_t8_in_load(places, 0)) ? 2
                                                           : 1;
   const uint32_t texel = (uint32_t)_mm_cvtsi128_si32(_mm256_castsi256_si128(start));
   if (tiled) {
      /* Tiled loads return their pairs of texels in this order. */
      const __m256i order = _mm256_setr_epi32(0, 1, 4, 5, 2, 3, 6, 7);
      c->start = texel * (SGPU_TILE_ELEMENTS / 8 * 4);
      c->place[0] = _mm256_permutevar8x32_epi32(order, place0);
      c->place[1] = both ? _mm256_permutevar8x32_epi32(order, place1) : c->place[0];
   } else {
      const __m256i number = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
      const __m256i left = _mm256_sub_epi32(_mm256_sub_epi32(last, start), number);
      c->start = texel * 4;
      c->place[0] = place0;
      c->place[1] = place1;
      for (int32_t n = 0; n < SGD_T8_LOADS; n++)
         c->exist[n] = _mm256_cmpgt_epi32(left, _mm256_set1_epi32(8 * n - 1));
   }
   if (!_mm256_testz_si256(bad, bad)) {
      __m256i second = _mm256_min_epu32(next, last);
      if (b->x.repeat)
         second = _mm256_andnot_si256(beyond, second);
      c->loads = 0;
      c->place[0] = sgd_t8_column(i, tiled);
      c->place[1] = both ? sgd_t8_column(second, tiled) : c->place[0];
   }
}

/* Loads eight texels of a line. If the layout is tiled, all eight are in the same micro tile. */
static ALWAYS_INLINE __m256i
sgd_t8_load_line(const uint8_t *at, __m256i exist, bool tiled)
{
   if (tiled)
      return _mm256_blend_epi32(sgd_t8_load(at), sgd_t8_load(at + 24), 0xcc);
   return _mm256_maskload_epi32((const int *)at, exist);
}

/* Loads the first texel of each column from a line and, if `both` is set, the second texel. `loads`
 * is a compile-time constant.
 */
static ALWAYS_INLINE void
sgd_t8_columns_fetch(const struct sgd_t8_columns *c, const struct sgd_t8 *b, const uint8_t *line,
                     unsigned loads, bool both, bool tiled, __m256i t[2])
{
   if (!loads) {
      t[0] = t[1] = sgd_t8_fetch(line, b->gather, c->place[0]);
      if (both)
         t[1] = sgd_t8_fetch(line, b->gather, c->place[1]);
      return;
   }
   const uint8_t *at = line + c->start;
   const __m256i texels = sgd_t8_load_line(at, c->exist[0], tiled);
   t[0] = t[1] = _mm256_permutevar8x32_epi32(texels, c->place[0]);
   if (both)
      t[1] = _mm256_permutevar8x32_epi32(texels, c->place[1]);
   for (unsigned n = 1; n < loads; n++) {
      at += tiled ? SGPU_TILE_ELEMENTS * 4 : 32;
      const __m256i more = sgd_t8_load_line(at, c->exist[n], tiled);
      t[0] = sgd_t8_select(c->after[0][n - 1], t[0],
                           _mm256_permutevar8x32_epi32(more, c->place[0]));
      if (both)
         t[1] = sgd_t8_select(c->after[1][n - 1], t[1],
                              _mm256_permutevar8x32_epi32(more, c->place[1]));
      else
         t[1] = t[0];
   }
}

/* -- lines ------------------------------------------------------------------------- */

/* Finds the lines of texels that the rows read. j is the index of each row's first line, and
 * `weight` the weight of its second line. Both are duplicated in the two halves of the vector.
 */
static ALWAYS_INLINE void
sgd_t8_lines_init(struct sgd_t8_lines *n, const struct sgd_t8 *b, __m256i j, __m256i weight,
                  bool tiled)
{
   const __m256i number = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
   const __m256i none = _mm256_setzero_si256();
   const __m256i last = _mm256_set1_epi32((int32_t)b->y.last);
   const __m256i positive = _mm256_cmpgt_epi32(weight, none);
   /* First lines are in the low half, second lines in the high half. */
   const __m256i v = _mm256_sub_epi32(j, _mm256_blend_epi32(none, positive, 0xf0));
   const __m256i beyond = _mm256_cmpgt_epi32(v, last);
   const __m256i least = _mm256_min_epu32(_mm256_permutevar8x32_epi32(v, none),
                                          _mm256_permutevar8x32_epi32(v, _mm256_set1_epi32(3)));
   const __m256i place = _mm256_sub_epi32(v, least);
   const bool single = _mm256_testz_si256(weight, weight);
   const bool near = !single && _mm256_testz_si256(_mm256_or_si256(place, beyond),
                                                   _mm256_set1_epi32(~(SGD_T8_LINES - 1)));
   if (near) {
      __m128i most = _mm256_extracti128_si256(place, 1);
      most = _mm_max_epi32(most, _mm_shuffle_epi32(most, 0x4e));
      most = _mm_max_epi32(most, _mm_shuffle_epi32(most, 0xb1));
      n->count = (uint32_t)_mm_cvtsi128_si32(most) + 1;
   } else {
      n->count = single ? 4 : 8;
   }
   const __m256i end = b->y.repeat ? none : last;
   const __m256i y = near ? _mm256_add_epi32(least, number) : _mm256_blendv_epi8(v, end, beyond);
   _mm256_storeu_si256((__m256i *)n->offset, sgd_t8_row(y, b->pitch, tiled));
   /* If all second lines have weight 0, use the first lines instead. */
   const __m256i lines = single ? _mm256_and_si256(number, _mm256_set1_epi32(3)) : number;
   _mm256_storeu_si256((__m256i *)n->place, near ? place : lines);
}

/* -- filters ----------------------------------------------------------------------- */

/* Returns the texels of all columns on four lines, in the order of the lanes. `loads` is a
 * compile-time constant.
 */
static ALWAYS_INLINE void
sgd_t8_grid_words(const struct sgd_t8_columns *c, const struct sgd_t8 *b, const uint32_t line[4],
                  unsigned loads, bool tiled, __m256i w[4])
{
   for (unsigned r = 0; r < 4; r += 2) {
      __m256i upper[2], lower[2];
      sgd_t8_columns_fetch(c, b, b->base + line[r], loads, false, tiled, upper);
      sgd_t8_columns_fetch(c, b, b->base + line[r + 1], loads, false, tiled, lower);
      w[r] = _mm256_unpacklo_epi64(upper[0], lower[0]);
      w[r + 1] = _mm256_unpackhi_epi64(upper[0], lower[0]);
   }
}

/* Stores the texels at columns i and lines j as results, without filtering. */
static ALWAYS_INLINE void
sgd_t8_grid_texels(const struct sgd_t8 *b, __m256i i, __m256i j, float unit, bool tiled)
{
   struct sgd_t8_columns c;
   _Alignas(16) uint32_t line[4];
   __m256i w[4];
   sgd_t8_columns_init(&c, b, i, _mm256_setzero_si256(), false, tiled);
   _mm_store_si128((__m128i *)line, _mm256_castsi256_si128(sgd_t8_row(j, b->pitch, tiled)));
   switch (c.loads) {
   case 0:
      sgd_t8_grid_words(&c, b, line, 0, tiled, w);
      break;
   case 1:
      sgd_t8_grid_words(&c, b, line, 1, tiled, w);
      break;
   case 2:
      sgd_t8_grid_words(&c, b, line, 2, tiled, w);
      break;
   default:
      sgd_t8_grid_words(&c, b, line, 3, tiled, w);
      break;
   }
   sgd_t8_put_texels(b, w, unit);
}

static ALWAYS_INLINE void
sgd_t8_grid_nearest(const struct sgd_t8 *b, bool tiled)
{
   sgd_t8_grid_texels(b, sgd_t8_nearest(&b->x, sgd_t8_grid_x(b)),
                      sgd_t8_nearest(&b->y, sgd_t8_grid_y(b)), 1.0f, tiled);
}

/* Interpolates between lines a and b with the weights w. Each line has four columns. Returns RGBA
 * of columns 0 and 2 in out[0] and of columns 1 and 3 in out[1], as 24-bit integers minus 2^23.
 */
static ALWAYS_INLINE void
sgd_t8_mix_lines(__m256i a, __m256i b, __m256i w, __m256i out[2])
{
   out[0] = _mm256_madd_epi16(_mm256_unpacklo_epi16(a, b), w);
   out[1] = _mm256_madd_epi16(_mm256_unpackhi_epi16(a, b), w);
}

/* Filters all lines along x. */
static ALWAYS_INLINE void
sgd_t8_grid_lines(const struct sgd_t8_columns *c, const struct sgd_t8 *b,
                  const struct sgd_t8_lines *n, __m256i w0, __m256i w1, unsigned loads, bool both,
                  bool tiled, __m256i line[SGD_T8_LINES][2])
{
   for (unsigned k = 0; k < n->count; k++) {
      __m256i t[2];
      sgd_t8_columns_fetch(c, b, b->base + n->offset[k], loads, both, tiled, t);
      t[0] = sgd_t8_signed(t[0]);
      t[1] = sgd_t8_signed(t[1]);
      line[k][0] = _mm256_maddubs_epi16(w0, _mm256_unpacklo_epi8(t[0], t[1]));
      line[k][1] = _mm256_maddubs_epi16(w1, _mm256_unpackhi_epi8(t[0], t[1]));
   }
}

/* Interpolates between filtered lines and stores the results of all rows. `full` is set if all
 * lanes are active.
 */
static ALWAYS_INLINE void
sgd_t8_grid_rows(const struct sgd_t8 *b, const __m256i line[SGD_T8_LINES][2],
                 const uint32_t place[8], const uint32_t w[4], bool full)
{
   for (unsigned r = 0; r < 4; r += 2) {
      const __m256i *first0 = line[place[r]], *second0 = line[place[r + 4]];
      const __m256i *first1 = line[place[r + 1]], *second1 = line[place[r + 5]];
      const __m256i w0 = _mm256_set1_epi32((int32_t)w[r]);
      const __m256i w1 = _mm256_set1_epi32((int32_t)w[r + 1]);
      for (unsigned h = 0; h < 2; h++) {
         /* transpose the RGBA values of eight pixels to one vector per channel */
         __m256i p[4], c[4];
         sgd_t8_mix_lines(first0[h], second0[h], w0, p);
         sgd_t8_mix_lines(first1[h], second1[h], w1, p + 2);
         const __m256i rg0 = _mm256_unpacklo_epi32(p[0], p[1]);
         const __m256i ba0 = _mm256_unpackhi_epi32(p[0], p[1]);
         const __m256i rg1 = _mm256_unpacklo_epi32(p[2], p[3]);
         const __m256i ba1 = _mm256_unpackhi_epi32(p[2], p[3]);
         c[0] = _mm256_unpacklo_epi64(rg0, rg1);
         c[1] = _mm256_unpackhi_epi64(rg0, rg1);
         c[2] = _mm256_unpacklo_epi64(ba0, ba1);
         c[3] = _mm256_unpackhi_epi64(ba0, ba1);
         for (unsigned k = 0; k < 4; k++) {
            if (b->dst[k])
               sgd_t8_store(b, k, 8 * (r + h), sgd_t8_raised(c[k], b->scale), full);
         }
      }
   }
}

/* Loads the four texels of a warp in which all lanes filter the same 2x2 texels. The first of these
 * texels is at column i and line j.
 */
static ALWAYS_INLINE void
sgd_t8_same_texels(const struct sgd_t8 *b, __m256i i, __m256i j, bool tiled, uint32_t texel[4])
{
   const __m256i one = _mm256_set1_epi32(1);
   const __m256i right = sgd_t8_wrap_second(&b->x, i, _mm256_add_epi32(i, one),
                                            _mm256_set1_epi32((int32_t)b->x.last));
   const __m256i below = sgd_t8_wrap_second(&b->y, j, _mm256_add_epi32(j, one),
                                            _mm256_set1_epi32((int32_t)b->y.last));
   const __m256i x = sgd_t8_column(_mm256_blend_epi32(i, right, 0xaa), tiled);
   const __m256i y = sgd_t8_row(_mm256_blend_epi32(j, below, 0xcc), b->pitch, tiled);
   _Alignas(16) uint32_t at[4];

   _mm_store_si128((__m128i *)at, _mm256_castsi256_si128(_mm256_add_epi32(x, y)));
   for (unsigned n = 0; n < 4; n++)
      memcpy(&texel[n], b->base + at[n], 4);
}

/* Filters a warp in which all lanes have the same four texels and the same weights. The filter is
 * evaluated only once.
 */
static ALWAYS_INLINE void
sgd_t8_grid_one(const struct sgd_t8 *b, const uint32_t texel[4], __m256i fx, __m256i fy)
{
   const __m128i whole = _mm_set1_epi32(256);
   const __m128i f = _mm256_castsi256_si128(fx), g = _mm256_castsi256_si128(fy);
   const __m128i weight = _mm_mullo_epi32(_mm_blend_epi32(_mm_sub_epi32(whole, f), f, 0xa),
                                          _mm_blend_epi32(_mm_sub_epi32(whole, g), g, 0xc));
   _Alignas(16) uint32_t w[4];
   _Alignas(16) float result[4];
   __m128i sum = _mm_setzero_si128();

   _mm_store_si128((__m128i *)w, weight);
   for (unsigned n = 0; n < 4; n++) {
      const __m128i channels = _mm_cvtepu8_epi32(_mm_cvtsi32_si128((int32_t)texel[n]));
      sum = _mm_add_epi32(sum, _mm_mullo_epi32(channels, _mm_set1_epi32((int32_t)w[n])));
   }
   _mm_store_ps(result, _mm_mul_ps(_mm_cvtepi32_ps(sum), _mm_set1_ps(b->scale)));
   for (unsigned k = 0; k < 4; k++) {
      for (unsigned l = 0; l < SGD_WARP && b->dst[k]; l += SGD_T8)
         sgd_t8_store(b, k, l, _mm256_set1_ps(result[k]), false);
   }
}

/* Returns the byte weights 256 - f and f of each column's two texels. 256 doesn't fit in a byte, so
 * if f is 0 (`whole`), the weights are 255 and 1. Both texels are the same in this case.
 */
static ALWAYS_INLINE void
sgd_t8_column_weights(__m256i fx, __m256i whole, __m256i w[2])
{
   const __m256i wx = sgd_t8_byte_weights(_mm256_sub_epi32(fx, whole));
   w[0] = _mm256_unpacklo_epi32(wx, wx);
   w[1] = _mm256_unpackhi_epi32(wx, wx);
}

/* Returns the weights 256 - f and f of the first and the second line of each row. */
static ALWAYS_INLINE void
sgd_t8_row_weights(__m256i fy, uint32_t w[4])
{
   const __m256i wy = _mm256_add_epi32(_mm256_sub_epi32(_mm256_set1_epi32(256), fy),
                                       _mm256_slli_epi32(fy, 16));
   _mm_storeu_si128((__m128i *)w, _mm256_castsi256_si128(wy));
}

/* Filters a warp that reads only four texels, as in strongly magnified textures. */
static ALWAYS_INLINE void
sgd_t8_grid_same(const struct sgd_t8 *b, const uint32_t texel[4], __m256i fx, __m256i fy)
{
   static const uint32_t place[8] = { 0, 0, 0, 0, 1, 1, 1, 1 };
   const __m256i whole = _mm256_cmpeq_epi32(fx, _mm256_setzero_si256());
   __m256i line[SGD_T8_LINES][2], wx[2];
   uint32_t w[4];

   sgd_t8_column_weights(fx, whole, wx);
   for (unsigned n = 0; n < 2; n++) {
      const __m256i first = sgd_t8_signed(_mm256_set1_epi32((int32_t)texel[2 * n]));
      const __m256i next = sgd_t8_signed(_mm256_set1_epi32((int32_t)texel[2 * n + 1]));
      const __m256i second = _mm256_blendv_epi8(next, first, whole);
      line[n][0] = _mm256_maddubs_epi16(wx[0], _mm256_unpacklo_epi8(first, second));
      line[n][1] = _mm256_maddubs_epi16(wx[1], _mm256_unpackhi_epi8(first, second));
   }
   sgd_t8_row_weights(fy, w);
   if (likely(b->active == ~0u))
      sgd_t8_grid_rows(b, line, place, w, true);
   else
      sgd_t8_grid_rows(b, line, place, w, false);
}

/* Returns true if all elements of a are equal and all elements of b are equal. */
static ALWAYS_INLINE bool
sgd_t8_is_same(__m256i a, __m256i b)
{
   const __m256i a0 = _mm256_broadcastd_epi32(_mm256_castsi256_si128(a));
   const __m256i b0 = _mm256_broadcastd_epi32(_mm256_castsi256_si128(b));
   const __m256i differ = _mm256_or_si256(_mm256_xor_si256(a, a0), _mm256_xor_si256(b, b0));
   return _mm256_testz_si256(differ, differ);
}

static ALWAYS_INLINE void
sgd_t8_grid_linear(const struct sgd_t8 *b, bool tiled)
{
   const __m256i fixed_x = sgd_t8_fixed(&b->x, sgd_t8_grid_x(b));
   const __m256i fixed_y = sgd_t8_fixed(&b->y, sgd_t8_grid_y(b));
   const __m256i byte = _mm256_set1_epi32(255), none = _mm256_setzero_si256();
   const __m256i i = sgd_t8_first(&b->x, fixed_x), j = sgd_t8_first(&b->y, fixed_y);
   const __m256i fx = _mm256_and_si256(fixed_x, byte), fy = _mm256_and_si256(fixed_y, byte);
   if (sgd_t8_is_same(i, j)) {
      uint32_t texel[4];
      sgd_t8_same_texels(b, i, j, tiled, texel);
      if (sgd_t8_is_same(fx, fy))
         sgd_t8_grid_one(b, texel, fx, fy);
      else
         sgd_t8_grid_same(b, texel, fx, fy);
      return;
   }
   const bool both = !_mm256_testz_si256(fx, fx);
   if (!both && _mm256_testz_si256(fy, fy)) {
      sgd_t8_grid_texels(b, i, j, 0x1p16f, tiled);
      return;
   }

   struct sgd_t8_columns c;
   struct sgd_t8_lines n;
   const __m256i whole = _mm256_cmpeq_epi32(fx, none);
   sgd_t8_columns_init(&c, b, i, _mm256_andnot_si256(whole, _mm256_set1_epi32(-1)), true, tiled);
   sgd_t8_lines_init(&n, b, j, fy, tiled);

   __m256i line[SGD_T8_LINES][2], wx[2];
   sgd_t8_column_weights(fx, whole, wx);
   switch (c.loads) {
   case 0:
      sgd_t8_grid_lines(&c, b, &n, wx[0], wx[1], 0, both, tiled, line);
      break;
   case 1:
      sgd_t8_grid_lines(&c, b, &n, wx[0], wx[1], 1, true, tiled, line);
      break;
   case 2:
      sgd_t8_grid_lines(&c, b, &n, wx[0], wx[1], 2, true, tiled, line);
      break;
   default:
      sgd_t8_grid_lines(&c, b, &n, wx[0], wx[1], 3, true, tiled, line);
      break;
   }

   uint32_t w[4];
   sgd_t8_row_weights(fy, w);
   if (likely(b->active == ~0u))
      sgd_t8_grid_rows(b, line, n.place, w, true);
   else
      sgd_t8_grid_rows(b, line, n.place, w, false);
}

#endif
