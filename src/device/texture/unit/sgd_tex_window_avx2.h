/* SPDX-License-Identifier: MIT */
/*
 * Texture unit: formats of 8-bit channels with AVX2. Bilinear filtering of warps whose footprint is
 * a window, i.e. a rectangle of texels of a tiled level, which is typical of mipmaps. The window is
 * copied such that the four texels of each lane's filter are 16 contiguous bytes, i.e. a single
 * load. The copy reads groups of four columns and two rows, which are 32 bytes of a micro tile, and
 * stores each texel twice.
 *
 * Windows can extend beyond the edges of a level with wrap mode REPEAT.
 */
#ifndef SGD_TEX_WINDOW_AVX2_H
#define SGD_TEX_WINDOW_AVX2_H

#include "texture/unit/sgd_tex_box_avx2.h"

#define SGD_T8_WINDOW_COLUMNS 32
#define SGD_T8_WINDOW_PAIRS 16 /* number of pairs of rows */
#define SGD_T8_WINDOW_PITCH (SGD_T8_WINDOW_COLUMNS * 8)
/* Maximum number of groups of texels for which a copy is faster than single loads. A group has four
 * columns and two rows of texels.
 */
#define SGD_T8_WINDOW_GROUPS 40
#define SGD_T8_SINGLE_GROUPS 56 /* limit for filters of a single level */

/* A rectangle of texels that was copied, and the position in it from which each of the 32 lanes
 * reads.
 */
struct sgd_t8_window {
   /* Texels converted by sgd_t8_signed(). Column x of row y contains the texels (x, y) and (x, y +
    * 1).
    */
   _Alignas(64) uint8_t at[2 * SGD_T8_WINDOW_PAIRS - 1][SGD_T8_WINDOW_PITCH];
   /* For each lane, the byte offset of its texels, and its coordinates relative to the window in
    * units of 1/256 texel. The low bytes of the coordinates are the filter weights. The order of
    * the lanes is the one in which instructions pack 32-bit words to 16 bits.
    */
   uint16_t place[SGD_WARP];
   __m256i x[SGD_WARP / 16], y[SGD_WARP / 16];
   bool whole; /* set if the weight along x is 0 in any lane */
};

/* A mipmap level in memory. */
struct sgd_t8_level {
   const uint8_t *base;
   uint32_t pitch;
   int32_t width, height;
   bool repeat_x, repeat_y; /* true for wrap mode REPEAT, false for CLAMP_TO_EDGE */
};

/* First and last groups of 4x2 texels in a window, along x and y. They can be outside the level. */
struct sgd_t8_groups {
   /* indices of the first group in x, the last in x, the first in y, and the last in y */
   __m128i ends;
   bool inside;
   bool small; /* set if the window has at most SGD_T8_SMALL_WIDTH by SGD_T8_SMALL_HEIGHT groups */
};

/* Size of small windows in groups of 4x2 texels. All small windows are copied at this size, since
 * loops with a variable, small number of iterations cause branch mispredictions.
 */
#define SGD_T8_SMALL_WIDTH 3
#define SGD_T8_SMALL_HEIGHT 4
/* Windows that are not small, but have at most this height in groups, are copied at this height. */
#define SGD_T8_TALL_HEIGHT 6

/* Converts coordinates along an axis to units of 1/256 texel from the edge, which are the
 * coordinates of sgd_t8_fixed() plus 128. Wrap modes are selected with limits and masks instead of
 * branches: REPEAT has no upper limit, and CLAMP_TO_EDGE keeps the integer part of the coordinate.
 */
static ALWAYS_INLINE void
sgd_t8_steps(const float *s, bool repeat, bool normalized, int32_t size, __m256i out[4])
{
   const float n = (float)size;
   const __m256 scale = _mm256_set1_ps((normalized ? n : 1.0f) * 256.0f);
   const __m256 low = _mm256_set1_ps(repeat ? 0.0f : 128.0f);
   const __m256 high = _mm256_set1_ps(repeat ? __builtin_inff() : (n - 0.5f) * 256.0f);
   const __m256 period = _mm256_castsi256_ps(_mm256_set1_epi32(repeat ? -1 : 0));
   for (unsigned k = 0; k < 4; k++) {
      const __m256 c = _mm256_loadu_ps(s + k * SGD_T8);
      const __m256 v = _mm256_sub_ps(c, _mm256_and_ps(_mm256_floor_ps(c), period));
      /* NaN becomes the lower limit, since the instruction returns its second operand. */
      const __m256 u = _mm256_max_ps(_mm256_mul_ps(v, scale), low);
      out[k] = _mm256_cvtps_epi32(_mm256_min_ps(u, high));
   }
}

/* Computes the distances of 32 coordinates from *origin, the coordinate of the first lane in
 * `lanes`, as 16-bit numbers that saturate at 128 texels. Lanes that are not in `lanes` get 0. If
 * the texture repeats, `period` is its size in units of 1/256 texel, and distances are the shortest
 * ones modulo `period`. Otherwise, `period` is 0.
 */
static ALWAYS_INLINE void
sgd_t8_near(const __m256i v[4], uint32_t lanes, int32_t period, __m256i *origin, __m256i out[2])
{
   __m256i o = _mm256_broadcastd_epi32(_mm256_castsi256_si128(v[0])), d[4];
   if (lanes != ~0u) {
      int32_t all[SGD_WARP];
      for (unsigned k = 0; k < 4; k++)
         _mm256_storeu_si256((__m256i *)(all + k * SGD_T8), v[k]);
      o = _mm256_set1_epi32(all[__builtin_ctz(lanes)]);
   }
   for (unsigned k = 0; k < 4; k++) {
      d[k] = _mm256_sub_epi32(v[k], o);
      if (period) {
         const __m256i all = _mm256_set1_epi32(period), half = _mm256_set1_epi32(period / 2);
         const __m256i after = _mm256_cmpgt_epi32(d[k], half);
         const __m256i before = _mm256_cmpgt_epi32(_mm256_set1_epi32(-(period / 2)), d[k]);
         d[k] = _mm256_sub_epi32(d[k], _mm256_and_si256(after, all));
         d[k] = _mm256_add_epi32(d[k], _mm256_and_si256(before, all));
      }
      if (lanes != ~0u)
         d[k] = _mm256_and_si256(d[k], sgd_t8_active(lanes, k * SGD_T8));
   }
   out[0] = _mm256_packs_epi32(d[0], d[1]);
   out[1] = _mm256_packs_epi32(d[2], d[3]);
   *origin = o;
}

/* Returns four words: the minimum of x, the inverted bits of the maximum of x, and the same for y.
 */
static ALWAYS_INLINE __m128i
sgd_t8_ends16(const __m256i x[2], const __m256i y[2])
{
   const __m256i ones = _mm256_set1_epi32(-1);
   const __m256i x0 = _mm256_min_epi16(x[0], x[1]), y0 = _mm256_min_epi16(y[0], y[1]);
   const __m256i x1 = _mm256_xor_si256(_mm256_max_epi16(x[0], x[1]), ones);
   const __m256i y1 = _mm256_xor_si256(_mm256_max_epi16(y[0], y[1]), ones);
   const __m256i xx = _mm256_min_epi16(_mm256_unpacklo_epi16(x0, x1),
                                       _mm256_unpackhi_epi16(x0, x1));
   const __m256i yy = _mm256_min_epi16(_mm256_unpacklo_epi16(y0, y1),
                                       _mm256_unpackhi_epi16(y0, y1));
   const __m256i xy = _mm256_min_epi16(_mm256_unpacklo_epi32(xx, yy),
                                       _mm256_unpackhi_epi32(xx, yy));
   const __m128i half = _mm_min_epi16(_mm256_castsi256_si128(xy), _mm256_extracti128_si256(xy, 1));
   return _mm_min_epi16(half, _mm_unpackhi_epi64(half, half));
}

/* Returns true if the texture repeats inside a group of 4x2 texels, i.e. if its size isn't a
 * multiple of the group size.
 */
static ALWAYS_INLINE bool
sgd_t8_splits_groups(const struct sgd_t8_level *n)
{
   return (n->repeat_x && (n->width & 3)) || (n->repeat_y && (n->height & 1));
}

/* Finds the groups of a window. x and y are the results of sgd_t8_near() for 32 lanes. `origin`
 * contains the origin of x twice, followed by the origin of y twice. Returns false if the texels
 * don't fit in a window.
 */
static ALWAYS_INLINE bool
sgd_t8_find_groups(const struct sgd_t8_level *n, const __m256i x[2], const __m256i y[2],
                   __m128i origin, struct sgd_t8_groups *g)
{
   __m128i ends = _mm_cvtepi16_epi32(sgd_t8_ends16(x, y));
   ends = _mm_xor_si128(ends, _mm_setr_epi32(0, -1, 0, -1));
   /* Compute the first and last texels. A second column with weight 0 is not read. */
   ends = _mm_add_epi32(_mm_add_epi32(ends, origin), _mm_setr_epi32(-128, 127, -128, 128));
   ends = _mm_srai_epi32(ends, 8);
   const __m128i size = _mm_setr_epi32(n->width, n->width, n->height, n->height);
   const __m128i last = _mm_sub_epi32(size, _mm_set1_epi32(1));
   g->inside = _mm_test_all_ones(_mm_cmpeq_epi32(_mm_max_epu32(ends, last), last));
   ends = _mm_srav_epi32(ends, _mm_setr_epi32(2, 2, 1, 1));
   g->ends = ends;
   const __m128i more = _mm_sub_epi32(_mm_shuffle_epi32(ends, 0xf5), ends);
   const __m128i large = _mm_cmpgt_epi32(more, _mm_setr_epi32(SGD_T8_SMALL_WIDTH - 1, INT32_MAX,
                                                              SGD_T8_SMALL_HEIGHT - 1, INT32_MAX));
   g->small = _mm_testz_si128(large, large);
   if (!g->small) {
      const int32_t width = _mm_cvtsi128_si32(more) + 1, height = _mm_extract_epi32(more, 2) + 1;
      if (width > SGD_T8_WINDOW_COLUMNS / 4 || height > SGD_T8_WINDOW_PAIRS ||
          width * height > SGD_T8_WINDOW_GROUPS)
         return false;
   }
   return likely(g->inside) || !sgd_t8_splits_groups(n);
}

/* Computes the byte offset of each lane's texels from the lane's coordinates in the window. */
static ALWAYS_INLINE void
sgd_t8_window_places(struct sgd_t8_window *w)
{
   for (unsigned k = 0; k < 2; k++) {
      const __m256i i = _mm256_and_si256(_mm256_srli_epi16(w->x[k], 5), _mm256_set1_epi16(~7));
      const __m256i j = _mm256_and_si256(w->y[k], _mm256_set1_epi16(~255));
      _mm256_storeu_si256((__m256i *)w->place + k, _mm256_or_si256(i, j));
   }
   const __m256i least = _mm256_min_epu8(w->x[0], w->x[1]);
   const __m256i zero = _mm256_cmpeq_epi8(least, _mm256_setzero_si256());
   w->whole = !_mm256_testz_si256(zero, _mm256_set1_epi16(255));
}

/* Finds the window of the lanes in `lanes`, which must not be 0, but doesn't load its texels. x and
 * y are the results of sgd_t8_steps() for all lanes. If `across` is set, lanes can be adjacent
 * across the edge at which the texture repeats. Returns false if the texels don't fit in a window.
 */
static ALWAYS_INLINE bool
sgd_t8_window_find(const struct sgd_t8_level *n, const __m256i x[4], const __m256i y[4],
                   uint32_t lanes, bool across, struct sgd_t8_groups *g, struct sgd_t8_window *w)
{
   __m256i x16[2], y16[2], x_origin, y_origin;
   sgd_t8_near(x, lanes, across && n->repeat_x ? n->width * 256 : 0, &x_origin, x16);
   sgd_t8_near(y, lanes, across && n->repeat_y ? n->height * 256 : 0, &y_origin, y16);
   const __m128i origin = _mm_blend_epi32(_mm256_castsi256_si128(x_origin),
                                          _mm256_castsi256_si128(y_origin), 0xc);
   if (!sgd_t8_find_groups(n, x16, y16, origin, g))
      return false;

   /* Positions of the origins in the window, modulo 2^16. The coordinates are modulo 2^16, too. */
   const __m128i start = _mm_sllv_epi32(g->ends, _mm_setr_epi32(10, 10, 9, 9));
   const __m128i from = _mm_sub_epi32(_mm_sub_epi32(origin, _mm_set1_epi32(128)), start);
   const __m256i left = _mm256_broadcastw_epi16(from);
   const __m256i top = _mm256_broadcastw_epi16(_mm_unpackhi_epi64(from, from));
   for (unsigned k = 0; k < 2; k++) {
      w->x[k] = _mm256_add_epi16(x16[k], left);
      w->y[k] = _mm256_add_epi16(y16[k], top);
   }
   sgd_t8_window_places(w);
   return true;
}

/* -- copies ------------------------------------------------------------------------ */

/* Returns the indices of eight groups along an axis, starting at `first`, wrapped or clamped to the
 * `count` groups of the level. `first` is at most `count` groups outside the level. Groups beyond
 * the end of the window are also copied, but not used.
 */
static ALWAYS_INLINE __m256i
sgd_t8_groups_from(__m256i first, int32_t count, bool inside, bool repeat)
{
   const __m256i none = _mm256_setzero_si256(), last = _mm256_set1_epi32(count - 1);
   __m256i n = _mm256_add_epi32(first, _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
   if (unlikely(!inside)) {
      const __m256i all = _mm256_set1_epi32(repeat ? count : 0);
      n = _mm256_add_epi32(n, _mm256_and_si256(_mm256_cmpgt_epi32(none, n), all));
      n = _mm256_sub_epi32(n, _mm256_and_si256(_mm256_cmpgt_epi32(n, last), all));
      n = _mm256_max_epi32(n, none);
   }
   return _mm256_min_epi32(n, last);
}

/* Loads a group, i.e. four columns and two rows of texels. */
static ALWAYS_INLINE __m256i
sgd_t8_load_group(const uint8_t *at)
{
   return sgd_t8_signed(sgd_t8_load(at));
}

/* Copies a column of groups. `height` can be a compile-time constant. */
static ALWAYS_INLINE void
sgd_t8_copy_column(const uint8_t *from, const uint32_t *row, int32_t height, uint8_t *to)
{
   __m256i upper = sgd_t8_load_group(from + row[0]);
   for (int32_t r = 1; r < height; r++) {
      const __m256i lower = sgd_t8_load_group(from + row[r]);
      const __m256i odd = _mm256_blend_epi32(_mm256_shuffle_epi32(upper, 0x72),
                                             _mm256_shuffle_epi32(lower, 0x72), 0xaa);
      _mm256_store_si256((__m256i *)to, _mm256_shuffle_epi32(upper, 0xd8));
      _mm256_store_si256((__m256i *)(to + SGD_T8_WINDOW_PITCH), odd);
      to += 2 * SGD_T8_WINDOW_PITCH;
      upper = lower;
   }
   _mm256_store_si256((__m256i *)to, _mm256_shuffle_epi32(upper, 0xd8));
}

/* Copies the groups of a window that isn't small. */
static ATTRIBUTE_NOINLINE void
sgd_t8_copy_columns(const uint8_t *base, const uint32_t *column, int32_t width, const uint32_t *row,
                    int32_t height, uint8_t *to)
{
   if (height <= SGD_T8_TALL_HEIGHT) {
      for (int32_t c = 0; c < width; c++)
         sgd_t8_copy_column(base + column[c], row, SGD_T8_TALL_HEIGHT, to + c * 32);
   } else {
      for (int32_t c = 0; c < width; c++)
         sgd_t8_copy_column(base + column[c], row, height, to + c * 32);
   }
}

/* Returns the byte offsets of eight consecutive rows of groups, starting at row y. */
static ALWAYS_INLINE __m256i
sgd_t8_group_rows(const struct sgd_t8_level *n, __m256i y, bool inside)
{
   const __m256i r = sgd_t8_groups_from(y, (n->height + 1) >> 1, inside, n->repeat_y);
   const __m256i tile = _mm256_mullo_epi32(_mm256_srli_epi32(r, 1),
                                           _mm256_set1_epi32((int32_t)n->pitch));
   return _mm256_add_epi32(tile, _mm256_slli_epi32(_mm256_and_si256(r, _mm256_set1_epi32(1)), 6));
}

static ALWAYS_INLINE void
sgd_t8_window_copy(const struct sgd_t8_level *n, const struct sgd_t8_groups *g,
                   struct sgd_t8_window *w)
{
   const __m256i one = _mm256_set1_epi32(1);
   const __m256i x = sgd_t8_groups_from(_mm256_broadcastd_epi32(g->ends), (n->width + 3) >> 2,
                                        g->inside, n->repeat_x);
   const __m256i y = _mm256_broadcastd_epi32(_mm_unpackhi_epi64(g->ends, g->ends));
   const __m256i across = _mm256_add_epi32(_mm256_slli_epi32(_mm256_andnot_si256(one, x), 6),
                                           _mm256_slli_epi32(_mm256_and_si256(x, one), 5));
   _Alignas(32) uint32_t row[SGD_T8_WINDOW_PAIRS], column[SGD_T8_WINDOW_COLUMNS / 4];

   _mm256_store_si256((__m256i *)column, across);
   _mm256_store_si256((__m256i *)row, sgd_t8_group_rows(n, y, g->inside));
   if (likely(g->small)) {
      for (int32_t c = 0; c < SGD_T8_SMALL_WIDTH; c++)
         sgd_t8_copy_column(n->base + column[c], row, SGD_T8_SMALL_HEIGHT, w->at[0] + c * 32);
      return;
   }
   const __m128i more = _mm_sub_epi32(_mm_shuffle_epi32(g->ends, 0xf5), g->ends);
   const int32_t width = _mm_cvtsi128_si32(more) + 1, height = _mm_extract_epi32(more, 2) + 1;
   if (height > 8) {
      const __m256i below = _mm256_add_epi32(y, _mm256_set1_epi32(8));
      _mm256_store_si256((__m256i *)(row + 8), sgd_t8_group_rows(n, below, g->inside));
   }
   sgd_t8_copy_columns(n->base, column, width, row, height, w->at[0]);
}

/* -- windows from a bounding box of coordinates -------------------------------------- */

static ALWAYS_INLINE struct sgd_t8_level
sgd_t8_level_of(const struct sgd_t8 *b)
{
   return (struct sgd_t8_level){
      .base = b->base,
      .pitch = b->pitch,
      .width = (int32_t)b->x.last + 1,
      .height = (int32_t)b->y.last + 1,
      .repeat_x = b->x.repeat,
      .repeat_y = b->y.repeat,
   };
}

/* Finds the groups of texels that filters with coordinates in a bounding box read. `all`, a
 * compile-time constant, is set if second columns with weight 0 are also read. If `exact` is set,
 * texels with weight 0 must not be replaced with other texels. Returns false if the groups don't
 * fit in a window.
 */
static ALWAYS_INLINE bool
sgd_t8_box_groups(const struct sgd_t8_level *n, const struct sgd_t8_box *box, bool all, bool exact,
                  struct sgd_t8_groups *g)
{
   const int32_t right = box->i + ((box->width + (all ? 256 : 255)) >> 8);
   const int32_t below = box->j + ((box->height + 256) >> 8);
   const int32_t i = box->i >> 2, j = box->j >> 1;
   const int32_t width = (right >> 2) - i + 1, height = (below >> 1) - j + 1;
   if (width > SGD_T8_WINDOW_COLUMNS / 4 || height > SGD_T8_WINDOW_PAIRS ||
       width * height > SGD_T8_SINGLE_GROUPS)
      return false;
   g->ends = _mm_setr_epi32(i, right >> 2, j, below >> 1);
   g->inside = box->i >= 0 && box->j >= 0 && right < n->width && below < n->height;
   g->small = width <= SGD_T8_SMALL_WIDTH && height <= SGD_T8_SMALL_HEIGHT;
   return likely(g->inside) || (!exact && !sgd_t8_splits_groups(n));
}

/* Finds and loads the window for the sgd_t8_fixed() coordinates x and y, whose bounding box is
 * `box`. Returns false if the texels don't fit in a window.
 */
static ALWAYS_INLINE bool
sgd_t8_window_fill(const struct sgd_t8_level *n, const __m256i x[4], const __m256i y[4],
                   const struct sgd_t8_box *box, bool all, bool exact, struct sgd_t8_window *w)
{
   struct sgd_t8_groups g;
   if (!sgd_t8_box_groups(n, box, all, exact, &g))
      return false;
   sgd_t8_pack(x, (box->i >> 2) * 4 * 256, w->x);
   sgd_t8_pack(y, (box->j >> 1) * 2 * 256, w->y);
   sgd_t8_window_places(w);
   sgd_t8_window_copy(n, &g, w);
   return true;
}

/* Returns true if lanes may be on both sides of the edge at which the texture repeats. */
static ALWAYS_INLINE bool
sgd_t8_is_across(const struct sgd_t8_level *n, const struct sgd_t8_box *box)
{
   return (n->repeat_x && box->width > n->width * 128) ||
          (n->repeat_y && box->height > n->height * 128);
}

/* Moves coordinates to the repetition of the texture that is closest to the first lane. If a
 * coordinate is more than half of the texture's size away, it is moved by the texture's size.
 */
static ALWAYS_INLINE void
sgd_t8_fold(const __m256i v[4], int32_t period, __m256i out[4])
{
   const __m256i o = _mm256_broadcastd_epi32(_mm256_castsi256_si128(v[0]));
   const __m256i half = _mm256_set1_epi32(period / 2), all = _mm256_set1_epi32(period);
   for (unsigned k = 0; k < 4; k++) {
      const __m256i after = _mm256_cmpgt_epi32(_mm256_sub_epi32(v[k], o), half);
      const __m256i before = _mm256_cmpgt_epi32(_mm256_sub_epi32(o, v[k]), half);
      const __m256i less = _mm256_sub_epi32(v[k], _mm256_and_si256(after, all));
      out[k] = _mm256_add_epi32(less, _mm256_and_si256(before, all));
   }
}

/* Applies sgd_t8_fold() to both axes and returns the bounding box of the result. */
static ALWAYS_INLINE struct sgd_t8_box
sgd_t8_fold_box(const struct sgd_t8_level *n, const __m256i x[4], const __m256i y[4], __m256i fx[4],
                __m256i fy[4])
{
   sgd_t8_fold(x, n->repeat_x ? n->width * 256 : INT32_MAX, fx);
   sgd_t8_fold(y, n->repeat_y ? n->height * 256 : INT32_MAX, fy);
   return sgd_t8_find_box(fx, fy);
}

/* -- filters ----------------------------------------------------------------------- */

/* Filters the eight lanes starting at l. p[k] returns the channels of lanes k and k + 4 as 24-bit
 * integers minus 2^23. `odd` (l / 8 is odd) and `whole` (w->whole) are compile-time constants.
 */
static ALWAYS_INLINE void
sgd_t8_window_filter(const struct sgd_t8_window *w, unsigned l, bool odd, bool whole, __m256i p[4])
{
   /* shuffle mask that groups the bytes by channel: columns x and x + 1 of row y, then of row y + 1
    */
   const __m256i order = _mm256_setr_epi8(0, 8, 4, 12, 1, 9, 5, 13, 2, 10, 6, 14, 3, 11, 7, 15, 0,
                                          8, 4, 12, 1, 9, 5, 13, 2, 10, 6, 14, 3, 11, 7, 15);
   const __m256i bytes = _mm256_setr_epi8(0, 0, 0, 0, 2, 2, 2, 2, 4, 4, 4, 4, 6, 6, 6, 6, 0, 0, 0,
                                          0, 2, 2, 2, 2, 4, 4, 4, 4, 6, 6, 6, 6);
   const __m256i words = _mm256_setr_epi8(0, -1, 0, -1, 2, -1, 2, -1, 4, -1, 4, -1, 6, -1, 6, -1, 0,
                                          -1, 0, -1, 2, -1, 2, -1, 4, -1, 4, -1, 6, -1, 6, -1);
   const __m256i eight = _mm256_set1_epi8(odd ? 8 : 0);
   const uint16_t *place = w->place + (l & 16) + (odd ? 4 : 0);
   /* Weights 256 - f and f. 256 doesn't fit in a byte, so if f is 0, use the first texel twice with
    * weights 255 and 1.
    */
   __m256i wx = _mm256_shuffle_epi8(w->x[l / 16], _mm256_or_si256(bytes, eight));
   const __m256i none = _mm256_cmpeq_epi8(wx, _mm256_setzero_si256());
   const __m256i single = _mm256_and_si256(none, _mm256_set1_epi8(8));
   wx = whole ? _mm256_sub_epi8(wx, none) : wx;
   wx = _mm256_sign_epi8(wx, _mm256_set1_epi16(0x01ff));
   __m256i wy = _mm256_shuffle_epi8(w->y[l / 16], _mm256_or_si256(words, eight));
   wy = _mm256_sign_epi16(wy, _mm256_set1_epi32(0x0001ffff));
   wy = _mm256_add_epi16(wy, _mm256_set1_epi32(256));
#define PAIR(k)                                                                         \
   do {                                                                                 \
      const __m128i low = _mm_loadu_si128((const __m128i *)(w->at[0] + place[k]));      \
      const __m128i high = _mm_loadu_si128((const __m128i *)(w->at[0] + place[k + 8])); \
      const __m256i t = _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);  \
      const __m256i first = _mm256_shuffle_epi32(single, 0x55 * k);                     \
      const __m256i by = whole ? _mm256_andnot_si256(first, order) : order;             \
      const __m256i rows = _mm256_maddubs_epi16(_mm256_shuffle_epi32(wx, 0x55 * k),     \
                                                _mm256_shuffle_epi8(t, by));            \
      p[k] = _mm256_madd_epi16(rows, _mm256_shuffle_epi32(wy, 0x55 * k));               \
   } while (0)
   PAIR(0);
   PAIR(1);
   PAIR(2);
   PAIR(3);
#undef PAIR
}

/* -- one or two levels --------------------------------------------------------------- */

/* Destination of the results of `lanes`. */
struct sgd_t8_results {
   float *dst[4]; /* destination of each channel; a dummy buffer for channels that aren't needed */
   float scale;   /* scale of all channels, including the filter's unit of 2^-16 */
   uint32_t lanes;
   const float *weight; /* weight of the second level for each lane */
};

/* Filters and stores the eight lanes starting at l. b is the window of the second level, or NULL.
 * Compile-time constants are: whether b is NULL, `odd` (l / 8 is odd), `whole`, and `full` (all
 * lanes are active).
 */
static ALWAYS_INLINE void
sgd_t8_windows_mix(const struct sgd_t8_results *to, const struct sgd_t8_window *a,
                   const struct sgd_t8_window *b, unsigned l, bool odd, bool whole, bool full)
{
   const __m256 bias = _mm256_set1_ps(0x1p23f), scale = _mm256_set1_ps(to->scale);
   __m256i p[4], q[4];
   __m256 v[4], c[4], f[4];
   if (!full && !(to->lanes >> l & 0xff))
      return;
   sgd_t8_window_filter(a, l, odd, whole, p);
   if (b) {
      const __m256 weight = _mm256_loadu_ps(to->weight + l);
      f[0] = _mm256_permute_ps(weight, 0x00);
      f[1] = _mm256_permute_ps(weight, 0x55);
      f[2] = _mm256_permute_ps(weight, 0xaa);
      f[3] = _mm256_permute_ps(weight, 0xff);
      sgd_t8_window_filter(b, l, odd, whole, q);
   }
   for (unsigned k = 0; k < 4; k++) {
      const __m256 first = _mm256_cvtepi32_ps(p[k]);
      v[k] = _mm256_add_ps(first, bias);
      if (b) {
         /* The difference is exact, because both values are 24-bit integers. */
         const __m256 step = _mm256_sub_ps(_mm256_cvtepi32_ps(q[k]), first);
         v[k] = _mm256_add_ps(v[k], _mm256_mul_ps(f[k], step));
      }
      v[k] = _mm256_mul_ps(v[k], scale);
   }
   sgd_t8_transpose(v, c);
   for (unsigned r = 0; r < 4; r++) {
      float *d = to->dst[r] + l;
      if (!full) {
         const __m256 on = _mm256_castsi256_ps(sgd_t8_active(to->lanes, l));
         c[r] = _mm256_blendv_ps(_mm256_loadu_ps(d), c[r], on);
      }
      _mm256_storeu_ps(d, c[r]);
   }
}

static ALWAYS_INLINE void
sgd_t8_windows_put(const struct sgd_t8_results *to, const struct sgd_t8_window *a,
                   const struct sgd_t8_window *b, bool whole, bool full)
{
   for (unsigned l = 0; l < SGD_WARP; l += 2 * SGD_T8) {
      sgd_t8_windows_mix(to, a, b, l, false, whole, full);
      sgd_t8_windows_mix(to, a, b, l + SGD_T8, true, whole, full);
   }
}

/* Filters and stores all lanes. Only handles weights of 0 along x if they occur in a window. */
static ALWAYS_INLINE void
sgd_t8_windows_store(const struct sgd_t8_results *to, const struct sgd_t8_window *a,
                     const struct sgd_t8_window *b, bool full)
{
   if (unlikely(a->whole || (b && b->whole)))
      sgd_t8_windows_put(to, a, b, true, false);
   else
      sgd_t8_windows_put(to, a, b, false, full);
}

#endif
