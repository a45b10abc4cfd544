/* SPDX-License-Identifier: MIT */
/*
 * Texture unit: `wide` views, with sRGB texels and texels of 2, 8 and 16 bytes. Each texel is
 * converted to a vector of four floats. If the footprint of the warp is small, each of its texels
 * is decoded once. Otherwise the texels of each lane are decoded separately. Then the lanes load
 * decoded texels. Results are the same as those of sgd_tex_filter.c. Compiled once for each x86-64
 * level of the host CPU.
 */
/* Texels are stored as 128-bit vectors. A wider load would stall on two such stores. */
#if defined(__AVX512F__) && !defined(__clang__)
#pragma GCC target("prefer-vector-width=256")
#endif

#include "texture/unit/sgd_tex_bytes.h"

#ifdef __AVX2__
#include "texture/unit/sgd_tex_box_avx2.h"

/* Maximum width and height of a footprint, and maximum number of its texels. The latter equals the
 * number of texels that the filters of a warp read.
 */
#define MAX_SIDE 16
#define MAX_TEXELS (4 * SGD_WARP)

/* Distance in bytes from a texel to the next texel in its row, and to the texel below it. */
#define TEXEL 16
#define ROW (MAX_SIDE * TEXEL)

/* Decoded texels. `place` is the byte offset of each lane's first texel. */
struct window {
   _Alignas(64) uint8_t texel[MAX_SIDE][ROW];
   _Alignas(32) uint32_t place[SGD_WARP];
};

/* Inputs for decoding texels. This is a copy on the stack, since the compiler must assume that
 * stores of texels alias the original.
 */
struct source {
   const uint8_t *base;
   const float *table[4];
   __m128i shift, mask;
};

static ALWAYS_INLINE struct source
source_of(const struct sgd_tex_unit *u, const uint8_t *base)
{
   return (struct source){
      .base = base,
      .table = { u->table[0], u->table[1], u->table[2], u->table[3] },
      .shift = _mm_loadu_si128((const __m128i *)u->wide_shift),
      .mask = _mm_loadu_si128((const __m128i *)u->wide_mask),
   };
}

static ALWAYS_INLINE __m128
decode(const struct source *s, enum sgd_tex_wide wide, uint32_t offset)
{
   const uint8_t *at = s->base + offset;
   if (wide == SGD_TEX_WIDE_TABLES)
      return _mm_setr_ps(s->table[0][at[0]], s->table[1][at[1]], s->table[2][at[2]],
                         s->table[3][at[3]]);
   if (wide == SGD_TEX_WIDE_PACKED) {
      uint16_t word;
      memcpy(&word, at, 2);
      const __m128i channels = _mm_srlv_epi32(_mm_set1_epi32(word), s->shift);
      return _mm_cvtepi32_ps(_mm_and_si128(channels, s->mask));
   }
   if (wide == SGD_TEX_WIDE_FLOATS)
      return _mm_loadu_ps((const float *)at);
   const __m128i eight = _mm_loadl_epi64((const __m128i *)at);
   if (wide == SGD_TEX_WIDE_HALVES)
      return _mm_cvtph_ps(eight);
   if (wide == SGD_TEX_WIDE_CODES)
      return _mm_cvtepi32_ps(_mm_cvtepu16_epi32(eight));
   if (wide == SGD_TEX_WIDE_SIGNED)
      return _mm_cvtepi32_ps(_mm_max_epi32(_mm_cvtepi16_epi32(eight), _mm_set1_epi32(-0x7fff)));
   return _mm_castsi128_ps(eight);
}

/* Expands to a case that calls function(arguments, SGD_TEX_WIDE_W). */
#define WIDE_CASE(W, function, ...)            \
   case SGD_TEX_WIDE_##W:                      \
      function(__VA_ARGS__, SGD_TEX_WIDE_##W); \
      break;
#define EACH_WIDE(wide, ...)            \
   switch ((enum sgd_tex_wide)(wide)) { \
      WIDE_CASE(TABLES, __VA_ARGS__)    \
      WIDE_CASE(PACKED, __VA_ARGS__)    \
      WIDE_CASE(HALVES, __VA_ARGS__)    \
      WIDE_CASE(CODES, __VA_ARGS__)     \
      WIDE_CASE(SIGNED, __VA_ARGS__)    \
      WIDE_CASE(PAIRS, __VA_ARGS__)     \
      WIDE_CASE(FLOATS, __VA_ARGS__)    \
   case SGD_TEX_WIDE_NONE:              \
      break;                            \
   }

/* Decodes the texels at the byte offsets row[r] + column[c]. */
static ALWAYS_INLINE void
decode_rows_of(const struct source *s, const uint32_t *row, unsigned rows, const uint32_t *column,
               unsigned columns, uint8_t *out, enum sgd_tex_wide wide)
{
   for (unsigned r = 0; r < rows; r++) {
      for (unsigned c = 0; c < columns; c++)
         _mm_store_ps((float *)(out + r * ROW + c * TEXEL), decode(s, wide, row[r] + column[c]));
   }
}

static ATTRIBUTE_NOINLINE void
decode_rows(const struct sgd_tex_unit *u, const uint8_t *base, const uint32_t *row, unsigned rows,
            const uint32_t *column, unsigned columns, uint8_t *out)
{
   const struct source s = source_of(u, base);
   EACH_WIDE(u->wide, decode_rows_of, &s, row, rows, column, columns, out)
}

/* -- offsets ------------------------------------------------------------------- */

/* Computes the byte offsets of the wrapped texels n to n + 15 along an axis. `row` is true for the
 * y axis.
 */
static ALWAYS_INLINE void
side_offsets(const struct sgd_tex_unit *u, const struct sgd_t8_axis *a, int32_t n, uint32_t pitch,
             bool row, uint32_t out[MAX_SIDE])
{
   const __m256i number = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
   for (int32_t k = 0; k < MAX_SIDE; k += SGD_T8) {
      const __m256i i = sgd_t8_wrap_near(a, _mm256_add_epi32(number, _mm256_set1_epi32(n + k)));
      const __m256i at = row ? sgd_t8_row(i, pitch, u->tiled) : sgd_t8_column(i, u->tiled);
      _mm256_store_si256((__m256i *)(out + k), sgd_t8_in_bytes(u->bpe, at));
   }
}

/* Decodes the texels of linear filters at coordinates x and y, in units of 1/256 texel, each texel
 * once. Returns false without doing anything unless the texels form a box of at most `most` texels.
 */
static ALWAYS_INLINE bool
fetch_box(const struct sgd_tex_unit *u, const struct sgd_t8 *b, const __m256i x[4],
          const __m256i y[4], uint32_t most, struct window *w)
{
   const struct sgd_t8_box box = sgd_t8_find_box(x, y);
   const uint32_t columns = (uint32_t)(box.width >> 8) + 2;
   const uint32_t rows = (uint32_t)(box.height >> 8) + 2;
   _Alignas(32) uint32_t row[MAX_SIDE], column[MAX_SIDE];
   if (columns > MAX_SIDE || rows > MAX_SIDE || columns * rows > most)
      return false;
   side_offsets(u, &b->x, box.i, b->pitch, false, column);
   side_offsets(u, &b->y, box.j, b->pitch, true, row);
   decode_rows(u, b->base, row, rows, column, columns, w->texel[0]);
   for (unsigned k = 0; k < 4; k++) {
      const __m256i i = _mm256_sub_epi32(_mm256_srai_epi32(x[k], 8), _mm256_set1_epi32(box.i));
      const __m256i j = _mm256_sub_epi32(_mm256_srai_epi32(y[k], 8), _mm256_set1_epi32(box.j));
      const __m256i place = _mm256_add_epi32(_mm256_slli_epi32(j, 8), _mm256_slli_epi32(i, 4));
      _mm256_store_si256((__m256i *)(w->place + SGD_T8 * k), place);
   }
   return true;
}

static_assert(TEXEL == 1 << 4 && ROW == 1 << 8, "places are shifted");

/* -- filters ------------------------------------------------------------------- */

static ALWAYS_INLINE __m256
two_texels(const uint8_t *low, const uint8_t *high)
{
   return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps((const float *)low)),
                               _mm_load_ps((const float *)high), 1);
}

/* Returns a + f * (b - a). */
static ALWAYS_INLINE __m256
mix(__m256 a, __m256 b, __m256 f)
{
   return _mm256_add_ps(a, _mm256_mul_ps(f, _mm256_sub_ps(b, a)));
}

static ALWAYS_INLINE __m256
weights(__m256i fixed)
{
   const __m256i f = _mm256_and_si256(fixed, _mm256_set1_epi32(255));
   return _mm256_mul_ps(_mm256_cvtepi32_ps(f), _mm256_set1_ps(0x1p-8f));
}

/* Filters the eight lanes starting at l, and returns their channels. PAIR(n) filters lanes n and n
 * + 4.
 */
static ALWAYS_INLINE void
filter_lanes(const struct window *w, unsigned l, __m256i x, __m256i y, __m256 c[4])
{
   const __m256 fx = weights(x), fy = weights(y);
   const uint32_t *place = w->place + l;
   __m256 p[4];
#define PAIR(n)                                                                         \
   do {                                                                                 \
      const uint8_t *a = w->texel[0] + place[n], *b = w->texel[0] + place[n + 4];       \
      const __m256 by = _mm256_permute_ps(fx, 0x55 * n);                                \
      const __m256 upper = mix(two_texels(a, b), two_texels(a + TEXEL, b + TEXEL), by); \
      const __m256 lower = mix(two_texels(a + ROW, b + ROW),                            \
                               two_texels(a + ROW + TEXEL, b + ROW + TEXEL), by);       \
      p[n] = mix(upper, lower, _mm256_permute_ps(fy, 0x55 * n));                        \
   } while (0)
   PAIR(0);
   PAIR(1);
   PAIR(2);
   PAIR(3);
#undef PAIR
   sgd_t8_transpose(p, c);
}

/* Final operation on the channels before they are stored. */
enum finish {
   FINISH_MULTIPLY,
   FINISH_DIVIDE,
   FINISH_FLOATS, /* replace NaNs with the canonical NaN */
};

static ALWAYS_INLINE enum finish
finish_of(enum sgd_tex_wide wide)
{
   if (sgd_tex_wide_is_small(wide))
      return FINISH_MULTIPLY;
   return wide == SGD_TEX_WIDE_CODES || wide == SGD_TEX_WIDE_SIGNED ? FINISH_DIVIDE : FINISH_FLOATS;
}

/* Stores the channels of the eight lanes starting at l. `finish` and `full` (all lanes are active)
 * are compile-time constants.
 */
static ALWAYS_INLINE void
store_lanes(const struct sgd_t8 *b, const float *scale, enum finish finish, unsigned l,
            const __m256 c[4], bool full)
{
   const __m256 nan = _mm256_castsi256_ps(_mm256_set1_epi32(SGPU_FP_NAN_BITS));
   for (unsigned r = 0; r < 4; r++) {
      __m256 v = c[r];
      if (!b->dst[r])
         continue;
      if (finish == FINISH_FLOATS)
         v = _mm256_blendv_ps(v, nan, _mm256_cmp_ps(v, v, _CMP_UNORD_Q));
      else if (finish == FINISH_DIVIDE)
         v = _mm256_div_ps(v, _mm256_set1_ps(scale[r]));
      else
         v = _mm256_mul_ps(v, _mm256_set1_ps(scale[r]));
      sgd_t8_store(b, r, l, v, full);
   }
}

static ALWAYS_INLINE void
linear_lanes(const struct sgd_t8 *b, const float *scale, enum finish finish, const struct window *w,
             const __m256i x[4], const __m256i y[4])
{
   const bool full = b->active == ~0u;
   for (unsigned k = 0; k < 4; k++) {
      __m256 c[4];
      filter_lanes(w, k * SGD_T8, x[k], y[k], c);
      if (likely(full))
         store_lanes(b, scale, finish, k * SGD_T8, c, true);
      else
         store_lanes(b, scale, finish, k * SGD_T8, c, false);
   }
}

/* Filters texels that are decoded separately for each lane, in pairs of lanes n and n + 4. `wide` is
 * a compile-time constant.
 */
static ALWAYS_INLINE void
separate_of(const struct sgd_t8 *b, const struct sgd_tex_unit *u, const float *scale,
            const __m256i x[4], const __m256i y[4], enum sgd_tex_wide wide)
{
   const struct source s = source_of(u, b->base);
   const enum finish finish = finish_of(wide);
   const bool full = b->active == ~0u, one_row = b->y.last == 0;
   for (unsigned k = 0; k < 4; k++) {
      const struct sgd_t8_taps tx = sgd_t8_linear(&b->x, x[k], b->pitch, u->tiled, false);
      const struct sgd_t8_taps ty = sgd_t8_linear(&b->y, y[k], b->pitch, u->tiled, true);
      const __m256 fx = weights(x[k]), fy = weights(y[k]);
      _Alignas(32) uint32_t at[4][SGD_T8]; /* byte offset of each lane's taps */
      __m256 p[4], c[4];
      for (unsigned n = 0; n < 4; n++) {
         const __m256i column = n & 1 ? tx.second : tx.first, row = n & 2 ? ty.second : ty.first;
         _mm256_store_si256((__m256i *)at[n],
                            sgd_t8_in_bytes(u->bpe, _mm256_add_epi32(row, column)));
      }
#define TAP(t, n) _mm256_set_m128(decode(&s, wide, at[t][n + 4]), decode(&s, wide, at[t][n]))
#define PAIR(n)                                                  \
   do {                                                          \
      const __m256 by = _mm256_permute_ps(fx, 0x55 * n);         \
      const __m256 upper = mix(TAP(0, n), TAP(1, n), by);        \
      __m256 lower = upper;                                      \
      if (!one_row)                                              \
         lower = mix(TAP(2, n), TAP(3, n), by);                  \
      p[n] = mix(upper, lower, _mm256_permute_ps(fy, 0x55 * n)); \
   } while (0)
      PAIR(0);
      PAIR(1);
      PAIR(2);
      PAIR(3);
#undef PAIR
#undef TAP
      sgd_t8_transpose(p, c);
      if (likely(full))
         store_lanes(b, scale, finish, k * SGD_T8, c, true);
      else
         store_lanes(b, scale, finish, k * SGD_T8, c, false);
   }
}

static ATTRIBUTE_NOINLINE void
separate(const struct sgd_t8 *b, const struct sgd_tex_unit *u, const float *scale,
         const __m256i x[4], const __m256i y[4])
{
   EACH_WIDE(u->wide, separate_of, b, u, scale, x, y)
}

/* Returns the maximum number of texels of a box. Vectors of floats need no decoding, so that copying
 * them is only worth it if many lanes share them.
 */
static ALWAYS_INLINE uint32_t
most_texels(enum sgd_tex_wide wide, bool one_row)
{
   const bool floats = wide == SGD_TEX_WIDE_FLOATS || wide == SGD_TEX_WIDE_PAIRS;
   return !floats ? MAX_TEXELS : one_row ? 0 : MAX_TEXELS / 2;
}

static ALWAYS_INLINE void
linear(const struct sgd_t8 *b, const struct sgd_tex_unit *u, const float *scale)
{
   struct window w;
   __m256i x[4], y[4];
   for (unsigned k = 0; k < 4; k++) {
      x[k] = sgd_t8_fixed(&b->x, _mm256_loadu_ps(b->x.s + k * SGD_T8));
      y[k] = sgd_t8_fixed(&b->y, _mm256_loadu_ps(b->y.s + k * SGD_T8));
   }
   if (unlikely(b->active != ~0u)) {
      sgd_t8_move_inactive(b->active, x);
      sgd_t8_move_inactive(b->active, y);
   }
   if (!fetch_box(u, b, x, y, most_texels(u->wide, b->y.last == 0), &w)) {
      separate(b, u, scale, x, y);
      return;
   }
   switch (finish_of(u->wide)) {
   case FINISH_MULTIPLY:
      linear_lanes(b, scale, FINISH_MULTIPLY, &w, x, y);
      break;
   case FINISH_DIVIDE:
      linear_lanes(b, scale, FINISH_DIVIDE, &w, x, y);
      break;
   case FINISH_FLOATS:
      linear_lanes(b, scale, FINISH_FLOATS, &w, x, y);
      break;
   }
}

/* Nearest filter. Decodes the texels of lanes n and n + 4 in pairs. `wide` is a compile-time
 * constant.
 */
static ALWAYS_INLINE void
nearest_of(const struct sgd_t8 *b, const struct sgd_tex_unit *u, const float *scale,
           enum sgd_tex_wide wide)
{
   const struct source s = source_of(u, b->base);
   const enum finish finish = finish_of(wide);
   const bool full = b->active == ~0u;
   _Alignas(32) uint32_t at[SGD_WARP];
   for (unsigned k = 0; k < SGD_WARP; k += SGD_T8) {
      const __m256i i = sgd_t8_nearest(&b->x, _mm256_loadu_ps(b->x.s + k));
      const __m256i j = sgd_t8_nearest(&b->y, _mm256_loadu_ps(b->y.s + k));
      const __m256i offset = _mm256_add_epi32(sgd_t8_column(i, u->tiled),
                                              sgd_t8_row(j, b->pitch, u->tiled));
      _mm256_store_si256((__m256i *)(at + k), sgd_t8_in_bytes(u->bpe, offset));
   }
   for (unsigned l = 0; l < SGD_WARP; l += SGD_T8) {
      __m256 p[4], c[4];
      for (unsigned n = 0; n < 4; n++)
         p[n] = _mm256_set_m128(decode(&s, wide, at[l + n + 4]), decode(&s, wide, at[l + n]));
      sgd_t8_transpose(p, c);
      if (likely(full))
         store_lanes(b, scale, finish, l, c, true);
      else
         store_lanes(b, scale, finish, l, c, false);
   }
}

void
sgd_tex_wide_filter(const struct sgd_tex_bytes *from, bool is_linear, bool scaled)
{
   static const float ones[4] = { 1.0f, 1.0f, 1.0f, 1.0f };
   const struct sgd_tex_unit *u = from->unit;
   const float *scale = scaled ? u->wide_scale : ones;
   struct sgd_t8 b;

   sgd_t8_init(&b, from, is_linear ? 256.0f : 1.0f, is_linear ? 0.5f : 0.0f, 1.0f);
   b.pitch = sgd_t8_pitch_of_words(u->bpe, b.pitch);
   if (is_linear)
      linear(&b, u, scale);
   else
      EACH_WIDE(u->wide, nearest_of, &b, u, scale)
}
#endif
