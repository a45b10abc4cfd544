/* SPDX-License-Identifier: MIT */
/*
 * Texture unit: bilinear filters of tiled levels of 8-bit channels, for hosts with fast gathers.
 * Each lane's four texels are loaded by gathers, SGD_TN lanes at a time, from texels of one, two or
 * four bytes. The footprint needs no common shape. Channels are filtered as 16-bit integers, after
 * each block of four texels has been transposed to channels.
 */
#ifndef SGD_TEX_TAPS_AVX2_H
#define SGD_TEX_TAPS_AVX2_H

#include "texture/unit/sgd_tex_vector_avx2.h"

/* An axis of a level. `end` is the offset of the last texel. */
struct sgd_tn_axis {
   sgd_tn_float scale, low, high;
   sgd_tn_int last, end;
   bool repeat;
};

/* A level. Offsets are those of texels of 4 bytes, until the texels are loaded. */
struct sgd_tn_level {
   const uint8_t *base;
   struct sgd_tn_axis x, y;
   sgd_tn_int pitch;
   __m128i below; /* distance to the next row, by the low bits of y */
};

/* Returns true if the filters can read a layer of the view, with normalized coordinates and wrap
 * modes that sgd_tex_fast_wraps() accepts.
 */
static ALWAYS_INLINE bool
sgd_tn_can_read(const struct sgd_tex_unit *u)
{
   return u->gather && u->taps;
}

/* Returns true if the filters can read the view with this sampler. */
static ALWAYS_INLINE bool
sgd_tn_can_sample(const struct sgd_tex_unit *u, const struct SGPU_SAMPLER *s)
{
   return sgd_tn_can_read(u) && !s->unnormalized && SGD_TEX_FAST_WRAPS >> s->wrap_s & 1 &&
          SGD_TEX_FAST_WRAPS >> s->wrap_t & 1;
}

/* Returns log2(4 / size of a texel in bytes). */
static ALWAYS_INLINE unsigned
sgd_tn_shift(const struct sgd_tex_unit *u)
{
   return u->bpe == 4 ? 0 : u->bpe == 2 ? 1 : 2;
}

/* -- addresses ----------------------------------------------------------------- */

static ALWAYS_INLINE sgd_tn_int
sgd_tn_column(sgd_tn_int x)
{
   const __m256i low = _mm256_setr_epi32(0, 4, 16, 20, 32, 36, 48, 52);
   const sgd_tn_int tile = SGD_TN_INT(slli_epi32)(SGD_TN_BITS(andnot)(sgd_tn_word(SGD_TAPS_7), x),
                                                  4);
   return SGD_TN_INT(add_epi32)(tile, sgd_tn_look_up(low, x));
}

static ALWAYS_INLINE sgd_tn_int
sgd_tn_row(sgd_tn_int y, sgd_tn_int pitch)
{
   const sgd_tn_int tile = SGD_TN_INT(mullo_epi32)(SGD_TN_INT(srli_epi32)(y, 2), pitch);
   return SGD_TN_INT(add_epi32)(tile, sgd_tn_pick(_mm_setr_epi32(0, 8, 64, 72), y));
}

static ALWAYS_INLINE void
sgd_tn_axis_init(struct sgd_tn_axis *a, const struct sgd_tex_taps_axis *from, bool repeat)
{
   const uint32_t *low = &sgd_tex_taps_words[repeat ? SGD_TAPS_LOW_REPEAT : SGD_TAPS_LOW];
   a->scale = SGD_TN_INT(set1_ps)(from->size);
   a->low = SGD_TN_FLOATS(sgd_tn_set((int32_t)*low));
   a->high = SGD_TN_INT(set1_ps)(from->high);
   a->last = sgd_tn_set(from->last);
   a->end = sgd_tn_set(from->end);
   a->repeat = repeat;
}

static ALWAYS_INLINE void
sgd_tn_level_init(struct sgd_tn_level *n, const struct sgd_tex_level *level, bool repeat_x,
                  bool repeat_y)
{
   n->base = level->base;
   n->pitch = sgd_tn_set(level->taps_pitch);
   n->below = _mm_setr_epi32(8, 56, 8, level->taps_pitch - 72);
   sgd_tn_axis_init(&n->x, &level->taps[0], repeat_x);
   sgd_tn_axis_init(&n->y, &level->taps[1], repeat_y);
}

/* Reduces coordinates to one repetition of the texture, if it repeats. */
static ALWAYS_INLINE sgd_tn_float
sgd_tn_fraction(bool repeat, sgd_tn_float s)
{
   return repeat ? SGD_TN_INT(sub_ps)(s, sgd_tn_floor(s)) : s;
}

/* Converts coordinates to units of 1/256 texel, relative to the center of the first texel. NaN
 * becomes the lower limit, since the instructions return their second operand.
 */
static ALWAYS_INLINE sgd_tn_int
sgd_tn_fixed(const struct sgd_tn_axis *a, sgd_tn_float s)
{
   sgd_tn_float v = SGD_TN_INT(max_ps)(SGD_TN_INT(mul_ps)(s, a->scale), a->low);
   if (!a->repeat)
      v = SGD_TN_INT(min_ps)(v, a->high);
   return SGD_TN_INT(sub_epi32)(SGD_TN_INT(cvtps_epi32)(v), sgd_tn_word(SGD_TAPS_128));
}

/* Offsets of the columns and rows that lanes read, and weights 256 - f and f: in bytes along x, and
 * in 16 bits along y.
 */
struct sgd_tn_taps {
   sgd_tn_int x0, x1, y0, y1, wx, wy;
};

/* Finds the texels at coordinates that sgd_tn_fraction() returned. */
static ALWAYS_INLINE void
sgd_tn_find(const struct sgd_tn_level *n, sgd_tn_float s, sgd_tn_float t, struct sgd_tn_taps *to)
{
   const sgd_tn_int byte = sgd_tn_word(SGD_TAPS_255), whole = sgd_tn_word(SGD_TAPS_256);
   const sgd_tn_int x = sgd_tn_fixed(&n->x, s), y = sgd_tn_fixed(&n->y, t);
   /* An index of -1, in a texture that repeats, becomes the last texel. */
   const sgd_tn_int i = SGD_TN_INT(min_epu32)(SGD_TN_INT(srai_epi32)(x, 8), n->x.last);
   const sgd_tn_int j = SGD_TN_INT(min_epu32)(SGD_TN_INT(srai_epi32)(y, 8), n->y.last);
   const sgd_tn_int fx = SGD_TN_BITS(and)(x, byte), fy = SGD_TN_BITS(and)(y, byte);

   /* The last texel is followed by the first one. In textures that do not repeat, the weight is 0
    * there. If the weight along x is 0, the first column is read twice with weights 255 and 1, since
    * 256 does not fit in a byte. Bits between those of x are set to 1, so that carries propagate.
    */
   const sgd_tn_int x0 = sgd_tn_column(i), y0 = sgd_tn_row(j, n->pitch);
   sgd_tn_int x1 = SGD_TN_INT(add_epi32)(x0, sgd_tn_word(SGD_TAPS_NEXT));
   x1 = SGD_TN_BITS(andnot)(sgd_tn_word(SGD_TAPS_BETWEEN), x1);
   const sgd_tn_int y1 = SGD_TN_INT(add_epi32)(y0, sgd_tn_pick(n->below, j));
   const sgd_tn_int f = SGD_TN_INT(max_epu32)(fx, sgd_tn_word(SGD_TAPS_1));
   to->x0 = x0;
   to->x1 = sgd_tn_if_zero(fx, x0, sgd_tn_unless_equal(x0, n->x.end, x1));
   to->y0 = y0;
   to->y1 = sgd_tn_unless_equal(y0, n->y.end, y1);
   to->wx = SGD_TN_INT(add_epi32)(SGD_TN_INT(sub_epi32)(SGD_TN_INT(slli_epi32)(f, 8), f), whole);
   to->wy = SGD_TN_INT(add_epi32)(SGD_TN_INT(sub_epi32)(SGD_TN_INT(slli_epi32)(fy, 16), fy), whole);
}

/* -- filters ------------------------------------------------------------------- */

/* Loads the texels at offsets, with the channels of each block of four side by side. 128 is
 * subtracted from each byte, so that sums of two bytes with weights that add up to 256 fit in 16
 * bits. Channels that are not in the texel are undefined.
 */
static ALWAYS_INLINE sgd_tn_int
sgd_tn_load(const struct sgd_tn_level *n, unsigned shift, sgd_tn_int offset)
{
   const sgd_tn_int planes = SGD_TN_BLOCKS(
      _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
   sgd_tn_int t;
   if (!shift) {
      t = sgd_tn_gather(n->base, offset);
   } else {
      const sgd_tn_int at = SGD_TN_INT(srli_epi32)(offset, (int)shift);
      const sgd_tn_int byte = SGD_TN_BITS(and)(at, sgd_tn_set(3));
      t = sgd_tn_gather(n->base, SGD_TN_BITS(xor)(at, byte));
      t = SGD_TN_INT(srlv_epi32)(t, SGD_TN_INT(slli_epi32)(byte, 3));
   }
   return SGD_TN_BITS(xor)(SGD_TN_INT(shuffle_epi8)(t, planes), sgd_tn_word(SGD_TAPS_SIGNS));
}

/* Loads and filters texels. p[c] is channel c of all lanes, as 24-bit integers minus 2^23. `shift`
 * (see sgd_tn_shift()) is a compile-time constant.
 */
static ALWAYS_INLINE void
sgd_tn_filter(const struct sgd_tn_level *n, unsigned shift, const struct sgd_tn_taps *at,
              sgd_tn_int p[4])
{
   const sgd_tn_int pairs = SGD_TN_BLOCKS(
      _mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 0, 1, 4, 5, 8, 9, 12, 13));
   const sgd_tn_int t0 = sgd_tn_load(n, shift, SGD_TN_INT(add_epi32)(at->y0, at->x0));
   const sgd_tn_int t1 = sgd_tn_load(n, shift, SGD_TN_INT(add_epi32)(at->y0, at->x1));
   const sgd_tn_int t2 = sgd_tn_load(n, shift, SGD_TN_INT(add_epi32)(at->y1, at->x0));
   const sgd_tn_int t3 = sgd_tn_load(n, shift, SGD_TN_INT(add_epi32)(at->y1, at->x1));
   const sgd_tn_int wx = SGD_TN_INT(shuffle_epi8)(at->wx, pairs), wy = at->wy;
   const sgd_tn_int upper0 = SGD_TN_INT(maddubs_epi16)(wx, SGD_TN_INT(unpacklo_epi8)(t0, t1));
   const sgd_tn_int lower0 = SGD_TN_INT(maddubs_epi16)(wx, SGD_TN_INT(unpacklo_epi8)(t2, t3));
   p[0] = SGD_TN_INT(madd_epi16)(SGD_TN_INT(unpacklo_epi16)(upper0, lower0), wy);
   p[1] = SGD_TN_INT(madd_epi16)(SGD_TN_INT(unpackhi_epi16)(upper0, lower0), wy);
   const sgd_tn_int upper1 = SGD_TN_INT(maddubs_epi16)(wx, SGD_TN_INT(unpackhi_epi8)(t0, t1));
   const sgd_tn_int lower1 = SGD_TN_INT(maddubs_epi16)(wx, SGD_TN_INT(unpackhi_epi8)(t2, t3));
   p[2] = SGD_TN_INT(madd_epi16)(SGD_TN_INT(unpacklo_epi16)(upper1, lower1), wy);
   p[3] = SGD_TN_INT(madd_epi16)(SGD_TN_INT(unpackhi_epi16)(upper1, lower1), wy);
}

/* -- results ------------------------------------------------------------------- */

/* Destination of the results of `lanes`. */
struct sgd_tn_results {
   float *dst[4]; /* destination of each channel; a dummy buffer for channels that aren't needed */
   float scale;   /* scale of all channels, including the filter's unit of 2^-16 */
   uint32_t lanes;
};

/* Stores the channels of the lanes from l on. */
static ALWAYS_INLINE void
sgd_tn_put(const struct sgd_tn_results *to, unsigned l, const sgd_tn_float v[4], bool full)
{
   for (unsigned r = 0; r < 4; r++) {
      if (full)
         SGD_TN_INT(storeu_ps)(to->dst[r] + l, v[r]);
      else
         sgd_tn_store_lanes(to->dst[r] + l, v[r], to->lanes >> l);
   }
}

/* Filters and stores lanes of a level. Compile-time constants are `shift`, and `full`, which is set
 * if all lanes are active.
 */
static ALWAYS_INLINE void
sgd_tn_one_level(const struct sgd_tn_results *to, const struct sgd_tn_level *a, unsigned shift,
                 const float *s, const float *t, bool full)
{
   const sgd_tn_float scale = SGD_TN_INT(set1_ps)(to->scale);
   /* The product is exact, so the result is rounded once. */
   const sgd_tn_float bias = SGD_TN_INT(set1_ps)(to->scale * 0x1p23f);
   struct sgd_tn_taps at[SGD_WARP / SGD_TN];
   /* Find all texels before loading any. Both parts are long chains of dependent instructions, which
    * overlap with those of other lanes.
    */
   for (unsigned l = 0; l < SGD_WARP; l += SGD_TN)
      sgd_tn_find(a, sgd_tn_fraction(a->x.repeat, SGD_TN_INT(loadu_ps)(s + l)),
                  sgd_tn_fraction(a->y.repeat, SGD_TN_INT(loadu_ps)(t + l)), &at[l / SGD_TN]);
   for (unsigned l = 0; l < SGD_WARP; l += SGD_TN) {
      sgd_tn_int p[4];
      sgd_tn_float v[4];
      if (!full && !(to->lanes >> l & SGD_TN_ALL))
         continue;
      sgd_tn_filter(a, shift, &at[l / SGD_TN], p);
      for (unsigned r = 0; r < 4; r++)
         v[r] = SGD_TN_INT(fmadd_ps)(SGD_TN_INT(cvtepi32_ps)(p[r]), scale, bias);
      sgd_tn_put(to, l, v, full);
   }
}

/* Returns the indices of the texels that a nearest filter reads. */
static ALWAYS_INLINE sgd_tn_int
sgd_tn_index(sgd_tn_float s, int32_t size, bool repeat)
{
   const sgd_tn_float n = SGD_TN_INT(cvtepi32_ps)(sgd_tn_set(size));
   const sgd_tn_float v = SGD_TN_INT(max_ps)(SGD_TN_INT(mul_ps)(sgd_tn_fraction(repeat, s), n),
                                             SGD_TN_FLOATS(sgd_tn_set(0)));
   /* Numbers of 2^31 and above become 0x80000000. */
   return SGD_TN_INT(min_epu32)(SGD_TN_INT(cvttps_epi32)(v), sgd_tn_set(size - 1));
}

/* Stores the texels of 4 bytes that a nearest filter reads as results of all lanes. `mask` contains
 * the components that are stored, of which no two read the same channel.
 */
static ALWAYS_INLINE void
sgd_tn_nearest(const struct sgd_tex_unit *u, const struct sgd_tex_level *level, bool repeat_x,
               bool repeat_y, const float *x, const float *y, unsigned mask, struct sgd_vec *dst)
{
   const sgd_tn_int byte = SGD_TN_BLOCKS(_mm_setr_epi32(~0xff, ~0xfb, ~0xf7, ~0xf3));
   const sgd_tn_int pitch = sgd_tn_set((int32_t)level->pitch);
   const sgd_tn_float scale = SGD_TN_INT(set1_ps)(u->scale);
   sgd_tn_int w[SGD_WARP / SGD_TN];

   for (unsigned l = 0; l < SGD_WARP; l += SGD_TN) {
      const sgd_tn_int i = sgd_tn_index(SGD_TN_INT(loadu_ps)(x + l), level->width, repeat_x);
      const sgd_tn_int j = sgd_tn_index(SGD_TN_INT(loadu_ps)(y + l), level->height, repeat_y);
      const sgd_tn_int at = SGD_TN_INT(add_epi32)(sgd_tn_row(j, pitch), sgd_tn_column(i));
      w[l / SGD_TN] = sgd_tn_gather(level->base, at);
   }
   for (int32_t r = 0; r < 4; r++) {
      const unsigned c = u->component[r];
      /* shuffle mask that moves byte r of each word to the low byte and clears the other bytes */
      const sgd_tn_int of = SGD_TN_INT(add_epi32)(byte, sgd_tn_set(r));
      if (!(mask >> c & 1))
         continue;
      float *d = (float *)dst->c[c];
      for (unsigned l = 0; l < SGD_WARP; l += SGD_TN) {
         const sgd_tn_int v = SGD_TN_INT(shuffle_epi8)(w[l / SGD_TN], of);
         SGD_TN_INT(storeu_ps)(d + l, SGD_TN_INT(mul_ps)(SGD_TN_INT(cvtepi32_ps)(v), scale));
      }
   }
}

/* Interpolates between the results of two levels, and multiplies them by `scale`. The weights of
 * the second one are f.
 */
static ALWAYS_INLINE sgd_tn_float
sgd_tn_between(sgd_tn_int p, sgd_tn_int q, sgd_tn_float f)
{
   const sgd_tn_float first = SGD_TN_INT(cvtepi32_ps)(p);
   /* The difference is exact, because both values are 24-bit integers. */
   const sgd_tn_float step = SGD_TN_INT(sub_ps)(SGD_TN_INT(cvtepi32_ps)(q), first);
   const sgd_tn_float bias = SGD_TN_FLOATS(sgd_tn_word(SGD_TAPS_8388608));
   return SGD_TN_INT(add_ps)(SGD_TN_INT(add_ps)(first, bias), SGD_TN_INT(mul_ps)(f, step));
}

/* Filters two levels, of which b has the given weights, and stores the result. */
static ALWAYS_INLINE void
sgd_tn_two_levels(const struct sgd_tn_results *to, const struct sgd_tn_level *a,
                  const struct sgd_tn_level *b, unsigned shift, const float *weight, const float *s,
                  const float *t, bool full)
{
   const sgd_tn_float scale = SGD_TN_INT(set1_ps)(to->scale);
   struct sgd_tn_taps at[SGD_WARP / SGD_TN], next[SGD_WARP / SGD_TN];
   for (unsigned l = 0; l < SGD_WARP; l += SGD_TN) {
      const sgd_tn_float x = sgd_tn_fraction(a->x.repeat, SGD_TN_INT(loadu_ps)(s + l));
      const sgd_tn_float y = sgd_tn_fraction(a->y.repeat, SGD_TN_INT(loadu_ps)(t + l));
      sgd_tn_find(a, x, y, &at[l / SGD_TN]);
      sgd_tn_find(b, x, y, &next[l / SGD_TN]);
   }
   for (unsigned l = 0; l < SGD_WARP; l += SGD_TN) {
      sgd_tn_int p[4], q[4];
      sgd_tn_float v[4];
      if (!full && !(to->lanes >> l & SGD_TN_ALL))
         continue;
      const sgd_tn_float f = SGD_TN_INT(loadu_ps)(weight + l);
      sgd_tn_filter(a, shift, &at[l / SGD_TN], p);
      sgd_tn_filter(b, shift, &next[l / SGD_TN], q);
      for (unsigned r = 0; r < 4; r++)
         v[r] = SGD_TN_INT(mul_ps)(sgd_tn_between(p[r], q[r], f), scale);
      sgd_tn_put(to, l, v, full);
   }
}

#endif
