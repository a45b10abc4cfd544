/* SPDX-License-Identifier: MIT */
/*
 * Texture unit: formats of 8-bit channels with AVX2, eight lanes at a time. Helpers shared by the
 * paths of sgd_tex_bytes_avx2.h, which convert coordinates to byte offsets, and integers to
 * results.
 *
 * In a tiled offset, the bits of x and y have fixed positions (see sgpu_layout.h): x is in bits 2,
 * 4, 5 and in the bits from 7 upwards. y is in bits 3 and 6, and selects the row of micro tiles,
 * which are `pitch` bytes apart.
 */
#ifndef SGD_TEX_LANES_AVX2_H
#define SGD_TEX_LANES_AVX2_H

#include <immintrin.h>

#include "texture/unit/sgd_tex_bytes.h"

#define SGD_T8 8

/* Constants for one texture axis. `scale` converts a coordinate to fixed-point steps, which are
 * clamped to [low, high].
 */
struct sgd_t8_axis {
   const float *s;
   const struct sgd_tex_axis *taps;
   bool repeat;
   float scale, low, high;
   uint32_t last; /* index of the last texel */
};

/* Local copy of struct sgd_tex_bytes. The compiler must assume that stores of results alias the
 * caller's struct, but not this copy. Members are copied one by one, because a vector load of
 * several members would stall on the stores of the members.
 */
struct sgd_t8 {
   struct sgd_t8_axis x, y;
   int straight; /* see sgd_tex_bytes.straight */
   const uint8_t *base;
   bool gather;
   uint32_t pitch, layer_stride;
   const int32_t *z;
   const uint32_t (*words)[SGD_WARP];
   uint32_t active;
   /* scale factor of all channels, multiplied by the unit of the filter's integer results */
   float scale;
   uint32_t *dst[4];
};

static ALWAYS_INLINE __m256i
sgd_t8_load(const void *p)
{
   return _mm256_loadu_si256((const __m256i *)p);
}

/* -- wrapping ------------------------------------------------------------------ */

/* Initializes an axis. `unit` is the number of fixed-point steps per texel, and `margin` the
 * minimum distance of coordinates from the edges in texels.
 */
static ALWAYS_INLINE void
sgd_t8_axis_init(struct sgd_t8_axis *a, const struct sgd_tex_bytes_axis *from, float unit,
                 float margin)
{
   const float n = (float)from->size;
   a->s = from->s;
   a->taps = from->taps;
   a->repeat = from->repeat;
   a->scale = (from->normalized ? n : 1.0f) * unit;
   a->low = from->repeat ? 0.0f : margin * unit;
   a->high = (n - margin) * unit;
   a->last = (uint32_t)from->size - 1;
}

/* Converts coordinates to fixed-point steps and clamps them. NaN becomes the lower limit, since min
 * and max instructions return their second operand for NaN.
 */
static ALWAYS_INLINE __m256
sgd_t8_reduce(const struct sgd_t8_axis *a, __m256 s)
{
   if (a->repeat) {
      s = _mm256_sub_ps(s, _mm256_floor_ps(s));
      return _mm256_max_ps(_mm256_mul_ps(s, _mm256_set1_ps(a->scale)), _mm256_setzero_ps());
   }
   s = _mm256_max_ps(_mm256_mul_ps(s, _mm256_set1_ps(a->scale)), _mm256_set1_ps(a->low));
   return _mm256_min_ps(s, _mm256_set1_ps(a->high));
}

/* Converts the coordinates of a linear filter to units of 1/256 texel, relative to the center of
 * the first texel. With wrap mode REPEAT, the minimum is -128.
 */
static ALWAYS_INLINE __m256i
sgd_t8_fixed(const struct sgd_t8_axis *a, __m256 s)
{
   return _mm256_sub_epi32(_mm256_cvtps_epi32(sgd_t8_reduce(a, s)), _mm256_set1_epi32(128));
}

/* Returns the index of the first texel that a linear filter reads. An index of -1, which only
 * occurs with wrap mode REPEAT, becomes the last texel because of the unsigned minimum.
 */
static ALWAYS_INLINE __m256i
sgd_t8_first(const struct sgd_t8_axis *a, __m256i fixed)
{
   return _mm256_min_epu32(_mm256_srai_epi32(fixed, 8), _mm256_set1_epi32((int32_t)a->last));
}

/* Returns the index of the texel that a nearest filter reads. */
static ALWAYS_INLINE __m256i
sgd_t8_nearest(const struct sgd_t8_axis *a, __m256 s)
{
   return _mm256_min_epu32(_mm256_cvttps_epi32(sgd_t8_reduce(a, s)),
                           _mm256_set1_epi32((int32_t)a->last));
}

/* Initializes *t from *b. `unit` is the number of fixed-point steps per texel, `margin` the minimum
 * distance from the edges in texels, and `result_unit` the unit of the integers that the filter
 * returns.
 */
static ALWAYS_INLINE void
sgd_t8_init(struct sgd_t8 *t, const struct sgd_tex_bytes *b, float unit, float margin,
            float result_unit)
{
   sgd_t8_axis_init(&t->x, &b->axis[0], unit, margin);
   sgd_t8_axis_init(&t->y, &b->axis[1], unit, margin);
   t->straight = b->straight;
   t->base = b->level->base;
   t->gather = b->unit->gather;
   t->pitch = b->level->pitch;
   t->layer_stride = (uint32_t)b->level->layer_stride;
   t->z = b->z;
   t->words = b->words;
   t->active = b->active;
   t->scale = b->scale * result_unit;
   for (unsigned c = 0; c < 4; c++) {
      uint32_t *dst = b->dst[c];
      /* Keep the compiler from loading all pointers with one vector load, which would stall on the
       * stores of the pointers.
       */
      __asm__("" : "+r"(dst));
      t->dst[c] = dst;
   }
}

/* -- addresses ----------------------------------------------------------------- */

static ALWAYS_INLINE __m256i
sgd_t8_column(__m256i x, bool tiled)
{
   const __m256i low = _mm256_setr_epi32(0, 4, 16, 20, 32, 36, 48, 52);
   if (!tiled)
      return _mm256_slli_epi32(x, 2);
   const __m256i tile = _mm256_slli_epi32(_mm256_andnot_si256(_mm256_set1_epi32(7), x), 4);
   return _mm256_add_epi32(tile, _mm256_permutevar8x32_epi32(low, x));
}

/* Looks up one of four words by the low two bits of each index. */
static ALWAYS_INLINE __m256i
sgd_t8_pick(int32_t a, int32_t b, int32_t c, int32_t d, __m256i index)
{
   const __m256i table = _mm256_setr_epi32(a, b, c, d, a, b, c, d);
   return _mm256_castps_si256(_mm256_permutevar_ps(_mm256_castsi256_ps(table), index));
}

static ALWAYS_INLINE __m256i
sgd_t8_row(__m256i y, uint32_t pitch, bool tiled)
{
   const __m256i stride = _mm256_set1_epi32((int32_t)pitch);
   if (!tiled)
      return _mm256_mullo_epi32(y, stride);
   const __m256i tile = _mm256_mullo_epi32(_mm256_srli_epi32(y, 2), stride);
   return _mm256_add_epi32(tile, sgd_t8_pick(0, 8, 64, 72, y));
}

/* Converts byte offsets for 4-byte texels, which the functions above return, to byte offsets for
 * texels of `bpe` bytes.
 */
static ALWAYS_INLINE __m256i
sgd_t8_in_bytes(unsigned bpe, __m256i words)
{
   return bpe == 4    ? words
          : bpe == 8  ? _mm256_slli_epi32(words, 1)
          : bpe == 16 ? _mm256_slli_epi32(words, 2)
                      : _mm256_srli_epi32(words, 1);
}

/* Returns the pitch that the surface would have with 4-byte texels. */
static ALWAYS_INLINE uint32_t
sgd_t8_pitch_of_words(unsigned bpe, uint32_t pitch)
{
   return bpe == 2 ? pitch * 2 : pitch / (bpe / 4);
}

/* Wraps `second`, the offset of the texel after `first`. `last` is the offset of the last texel. */
static ALWAYS_INLINE __m256i
sgd_t8_wrap_second(const struct sgd_t8_axis *a, __m256i first, __m256i second, __m256i last)
{
   if (a->repeat)
      return _mm256_andnot_si256(_mm256_cmpeq_epi32(first, last), second);
   return _mm256_min_epu32(second, last);
}

/* Byte offsets of both texels along an axis, and the weight of the second one in units of 1/256. */
struct sgd_t8_taps {
   __m256i first, second, weight;
};

/* Finds the texels of a linear filter at sgd_t8_fixed() coordinates. `row` is true for the y axis.
 */
static ALWAYS_INLINE struct sgd_t8_taps
sgd_t8_linear(const struct sgd_t8_axis *a, __m256i fixed, uint32_t pitch, bool tiled, bool row)
{
   struct sgd_t8_taps t;
   const __m256i i = sgd_t8_first(a, fixed);
   t.weight = _mm256_and_si256(fixed, _mm256_set1_epi32(255));
   if (row) {
      const int32_t step = (int32_t)(tiled ? pitch - 72 : pitch);
      t.first = sgd_t8_row(i, pitch, tiled);
      t.second = _mm256_add_epi32(t.first,
                                  tiled ? sgd_t8_pick(8, 56, 8, step, i) : _mm256_set1_epi32(step));
   } else {
      t.first = sgd_t8_column(i, tiled);
      /* Set the bits between the bits of x to 1, so that carries propagate through them. */
      t.second = _mm256_add_epi32(t.first, _mm256_set1_epi32(tiled ? 0x4b + 4 : 4));
      if (tiled)
         t.second = _mm256_andnot_si256(_mm256_set1_epi32(0x4b), t.second);
   }
   const __m256i last = _mm256_set1_epi32((int32_t)a->last);
   t.second = sgd_t8_wrap_second(a, t.first, t.second,
                                 row ? sgd_t8_row(last, pitch, tiled) : sgd_t8_column(last, tiled));
   return t;
}

/* Returns the weights of the second texels on an axis that is already wrapped, in units of 1/256.
 */
static ALWAYS_INLINE __m256i
sgd_t8_weight(const struct sgd_tex_axis *taps, unsigned l)
{
   const __m256 f = _mm256_loadu_ps(taps->f.v + l);
   return _mm256_cvtps_epi32(_mm256_mul_ps(f, _mm256_set1_ps(256.0f)));
}

/* -- texels -------------------------------------------------------------------- */

/* Loads a word for each offset. Uses a gather instruction if `gather` is set, i.e. if gathers are
 * fast on this host.
 */
static ALWAYS_INLINE __m256i
sgd_t8_fetch(const uint8_t *base, bool gather, __m256i offset)
{
   if (gather) {
      const __m256i none = _mm256_setzero_si256();
      /* The instruction takes signed offsets, so subtract 2^31 from the unsigned offsets. */
      const __m256i index = _mm256_xor_si256(offset, _mm256_set1_epi32(INT32_MIN));
      return _mm256_mask_i32gather_epi32(none, (const int *)(base + 0x80000000u), index,
                                         _mm256_cmpeq_epi32(none, none), 1);
   }
   uint32_t o[SGD_T8], w[SGD_T8];
   _mm256_storeu_si256((__m256i *)o, offset);
   /* Make the compiler load the offsets from memory instead of extracting them with shuffles. */
   __asm__("" : "+m"(o));
   for (unsigned k = 0; k < SGD_T8; k++)
      memcpy(&w[k], base + o[k], 4);
   return _mm256_setr_epi32((int32_t)w[0], (int32_t)w[1], (int32_t)w[2], (int32_t)w[3],
                            (int32_t)w[4], (int32_t)w[5], (int32_t)w[6], (int32_t)w[7]);
}

/* -- weights of bytes ---------------------------------------------------------- */

/* Subtracts 128 from each byte, so that sums of two bytes with weights that add up to 256 fit in 16
 * bits.
 */
static ALWAYS_INLINE __m256i
sgd_t8_signed(__m256i texels)
{
   return _mm256_xor_si256(texels, _mm256_set1_epi8((char)0x80));
}

/* Returns the byte weights 256 - f and f, twice in each word. f must be between 1 and 255. */
static ALWAYS_INLINE __m256i
sgd_t8_byte_weights(__m256i f)
{
   const __m256i pair = _mm256_add_epi32(_mm256_sub_epi32(_mm256_set1_epi32(256), f),
                                         _mm256_slli_epi32(f, 8));
   return _mm256_or_si256(pair, _mm256_slli_epi32(pair, 16));
}

/* -- results ------------------------------------------------------------------- */

static ALWAYS_INLINE __m256i
sgd_t8_active(uint32_t active, unsigned l)
{
   const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
   const __m256i on = _mm256_and_si256(_mm256_set1_epi32((int32_t)(active >> l)), bit);
   return _mm256_cmpeq_epi32(on, bit);
}

/* Replaces the coordinates of inactive lanes with those of an active lane, so that inactive lanes
 * don't enlarge the footprint.
 */
static ALWAYS_INLINE void
sgd_t8_move_inactive(uint32_t active, __m256i v[SGD_WARP / SGD_T8])
{
   int32_t all[SGD_WARP];
   for (unsigned k = 0; k < SGD_WARP / SGD_T8; k++)
      _mm256_storeu_si256((__m256i *)(all + k * SGD_T8), v[k]);
   const __m256i one = _mm256_set1_epi32(all[__builtin_ctz(active | 1u << 31)]);
   for (unsigned k = 0; k < SGD_WARP / SGD_T8; k++)
      v[k] = _mm256_blendv_epi8(one, v[k], sgd_t8_active(active, k * SGD_T8));
}

/* Stores channel r of the eight lanes starting at l. `full` is set if all lanes are active. */
static ALWAYS_INLINE void
sgd_t8_store(const struct sgd_t8 *b, unsigned r, unsigned l, __m256 v, bool full)
{
   float *d = (float *)b->dst[r] + l;
   if (full || likely(b->active == ~0u)) {
      _mm256_storeu_ps(d, v);
   } else {
      const __m256 on = _mm256_castsi256_ps(sgd_t8_active(b->active, l));
      _mm256_storeu_ps(d, _mm256_blendv_ps(_mm256_loadu_ps(d), v, on));
   }
}

/* Version of sgd_t8_store() for integers, which are multiplied by `scale`. */
static ALWAYS_INLINE void
sgd_t8_put(const struct sgd_t8 *b, unsigned r, unsigned l, __m256i value, float scale, bool full)
{
   sgd_t8_store(b, r, l, _mm256_mul_ps(_mm256_cvtepi32_ps(value), _mm256_set1_ps(scale)), full);
}

/* Returns (value + 2^23) * scale. The result is rounded only once, since scale * 2^23 is exact. */
static ALWAYS_INLINE __m256
sgd_t8_raised(__m256i value, float scale)
{
   return _mm256_fmadd_ps(_mm256_cvtepi32_ps(value), _mm256_set1_ps(scale),
                          _mm256_set1_ps(scale * 0x1p23f));
}

/* Transposes the channels of eight lanes. The low half of p[k] contains the four channels of lane
 * k, the high half those of lane k + 4. c[r] is channel r of all lanes.
 */
static ALWAYS_INLINE void
sgd_t8_transpose(const __m256 p[4], __m256 c[4])
{
   const __m256d rg0 = _mm256_castps_pd(_mm256_unpacklo_ps(p[0], p[1]));
   const __m256d ba0 = _mm256_castps_pd(_mm256_unpackhi_ps(p[0], p[1]));
   const __m256d rg1 = _mm256_castps_pd(_mm256_unpacklo_ps(p[2], p[3]));
   const __m256d ba1 = _mm256_castps_pd(_mm256_unpackhi_ps(p[2], p[3]));
   c[0] = _mm256_castpd_ps(_mm256_unpacklo_pd(rg0, rg1));
   c[1] = _mm256_castpd_ps(_mm256_unpackhi_pd(rg0, rg1));
   c[2] = _mm256_castpd_ps(_mm256_unpacklo_pd(ba0, ba1));
   c[3] = _mm256_castpd_ps(_mm256_unpackhi_pd(ba0, ba1));
}

/* Stores channel r of the texels as results. r is a compile-time constant. */
static ALWAYS_INLINE void
sgd_t8_put_bytes(const struct sgd_t8 *b, unsigned r, const __m256i w[SGD_WARP / SGD_T8], float unit,
                 bool full)
{
   /* shuffle mask that moves byte r of each word to the low byte and clears the other bytes */
   const __m256i byte = _mm256_add_epi32(_mm256_setr_epi32(~0xff, ~0xfb, ~0xf7, ~0xf3, ~0xff, ~0xfb,
                                                           ~0xf7, ~0xf3),
                                         _mm256_set1_epi32((int32_t)r));
   const float scale = b->scale * unit;
   if (!b->dst[r])
      return;
   for (unsigned k = 0; k < SGD_WARP / SGD_T8; k++) {
      const __m256i v = r == 3 ? _mm256_srli_epi32(w[k], 24) : _mm256_shuffle_epi8(w[k], byte);
      sgd_t8_put(b, r, k * SGD_T8, v, scale, full);
   }
}

static ALWAYS_INLINE void
sgd_t8_put_all(const struct sgd_t8 *b, const __m256i w[SGD_WARP / SGD_T8], float unit, bool full)
{
   sgd_t8_put_bytes(b, 0, w, unit, full);
   sgd_t8_put_bytes(b, 1, w, unit, full);
   sgd_t8_put_bytes(b, 2, w, unit, full);
   sgd_t8_put_bytes(b, 3, w, unit, full);
}

/* Stores all channels of texels as results, without filtering. `unit` cancels the unit of filter
 * results, which b->scale includes.
 */
static ALWAYS_INLINE void
sgd_t8_put_texels(const struct sgd_t8 *b, const __m256i w[SGD_WARP / SGD_T8], float unit)
{
   if (likely(b->active == ~0u))
      sgd_t8_put_all(b, w, unit, true);
   else
      sgd_t8_put_all(b, w, unit, false);
}

#endif
