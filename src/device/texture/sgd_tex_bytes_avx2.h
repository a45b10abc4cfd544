/* SPDX-License-Identifier: MIT */
/*
 * Texture unit, formats of 8-bit channels: sgd_tex_bytes.h with AVX2, eight lanes at a time.
 * Wrapping, addresses, texels and filter follow each other in registers.
 *
 * A tiled offset has the bits of x and y at fixed places (sgpu_layout.h): x in bits 2, 4, 5
 * and from 7 on, y in bits 3 and 6 and as rows of tiles of `pitch` bytes.
 */
#ifndef SGD_TEX_BYTES_AVX2_H
#define SGD_TEX_BYTES_AVX2_H

#include <immintrin.h>

#include "texture/sgd_tex_bytes.h"

#define SGD_T8 8

/* Constants of an axis. */
struct sgd_t8_axis {
   const float *s;
   const struct sgd_tex_axis *taps;
   bool repeat;
   float scale, low, high; /* coordinate to texels, and their limits */
   uint32_t last;          /* texel, and its offset */
   uint32_t last_offset;
};

/* The operation, by value: results could overwrite the caller's, for all that the compiler
 * knows.  Fields are copied one by one, since loads of several have to wait for their stores.
 */
struct sgd_t8 {
   struct sgd_t8_axis x, y;
   const uint8_t *base;
   bool gather;
   uint32_t pitch, layer_stride;
   const int32_t *z;
   const uint32_t (*words)[SGD_WARP];
   uint32_t active;
   float scale[4];
   uint32_t *dst[4];
};

/* Offsets in bytes of both texels of an axis, and the weight of the second in 1/256. */
struct sgd_t8_taps {
   __m256i first, second, weight;
};

static ALWAYS_INLINE __m256i
sgd_t8_load(const void *p)
{
   return _mm256_loadu_si256((const __m256i *)p);
}

/* -- wrapping ------------------------------------------------------------------ */

/* `unit`: steps in a texel. */
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

/* Coordinates in steps, in the limits: a NaN is the lower one, since the instructions return
 * their second operand for it.
 */
static ALWAYS_INLINE __m256
sgd_t8_reduce(const struct sgd_t8_axis *a, unsigned l)
{
   __m256 s = _mm256_loadu_ps(a->s + l);
   if (a->repeat) {
      s = _mm256_sub_ps(s, _mm256_floor_ps(s));
      return _mm256_max_ps(_mm256_mul_ps(s, _mm256_set1_ps(a->scale)), _mm256_setzero_ps());
   }
   s = _mm256_max_ps(_mm256_mul_ps(s, _mm256_set1_ps(a->scale)), _mm256_set1_ps(a->low));
   return _mm256_min_ps(s, _mm256_set1_ps(a->high));
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

/* One of four words by the lower two bits of each index. */
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

/* The texel after `first`; offsets grow with the index. */
static ALWAYS_INLINE __m256i
sgd_t8_wrap_second(const struct sgd_t8_axis *a, __m256i first, __m256i second)
{
   const __m256i last = _mm256_set1_epi32((int32_t)a->last_offset);
   if (a->repeat)
      return _mm256_andnot_si256(_mm256_cmpeq_epi32(first, last), second);
   return _mm256_min_epu32(second, last);
}

/* The weights of a wrapped axis in 1/256. */
static ALWAYS_INLINE __m256i
sgd_t8_weight(const struct sgd_tex_axis *taps, unsigned l)
{
   const __m256 f = _mm256_loadu_ps(taps->f.v + l);
   return _mm256_cvtps_epi32(_mm256_mul_ps(f, _mm256_set1_ps(256.0f)));
}

/* A linear filter's texels, by the axis: `row` for y. */
static ALWAYS_INLINE struct sgd_t8_taps
sgd_t8_linear(const struct sgd_t8_axis *a, unsigned l, uint32_t pitch, bool tiled, bool row)
{
   struct sgd_t8_taps t;
   if (!a->s) {
      const struct sgd_tex_axis *taps = a->taps;
      const __m256i i0 = sgd_t8_load(taps->i[0].v + l), i1 = sgd_t8_load(taps->i[1].v + l);
      t.first = row ? sgd_t8_row(i0, pitch, tiled) : sgd_t8_column(i0, tiled);
      t.second = row ? sgd_t8_row(i1, pitch, tiled) : sgd_t8_column(i1, tiled);
      t.weight = sgd_t8_weight(taps, l);
      return t;
   }

   const __m256i fixed = _mm256_sub_epi32(_mm256_cvtps_epi32(sgd_t8_reduce(a, l)),
                                          _mm256_set1_epi32(128));
   t.weight = _mm256_and_si256(fixed, _mm256_set1_epi32(255));
   /* Texel -1 of a period is its last, the least of large unsigned numbers. */
   const __m256i i = _mm256_min_epu32(_mm256_srai_epi32(fixed, 8),
                                      _mm256_set1_epi32((int32_t)a->last));
   if (row) {
      const int32_t step = (int32_t)(tiled ? pitch - 72 : pitch);
      t.first = sgd_t8_row(i, pitch, tiled);
      t.second = _mm256_add_epi32(t.first,
                                  tiled ? sgd_t8_pick(8, 56, 8, step, i) : _mm256_set1_epi32(step));
   } else {
      t.first = sgd_t8_column(i, tiled);
      /* The other bits are 1 in the sum, and carry. */
      t.second = _mm256_add_epi32(t.first, _mm256_set1_epi32(tiled ? 0x4b + 4 : 4));
      if (tiled)
         t.second = _mm256_andnot_si256(_mm256_set1_epi32(0x4b), t.second);
   }
   t.second = sgd_t8_wrap_second(a, t.first, t.second);
   return t;
}

static ALWAYS_INLINE __m256i
sgd_t8_nearest(const struct sgd_t8_axis *a, unsigned l, uint32_t pitch, bool tiled, bool row)
{
   const __m256i i = _mm256_min_epu32(_mm256_cvttps_epi32(sgd_t8_reduce(a, l)),
                                      _mm256_set1_epi32((int32_t)a->last));
   return row ? sgd_t8_row(i, pitch, tiled) : sgd_t8_column(i, tiled);
}

/* -- texels -------------------------------------------------------------------- */

/* One word for each offset: by a gather where that is the faster way (sgd_tex_unit). */
static ALWAYS_INLINE __m256i
sgd_t8_fetch(const uint8_t *base, bool gather, __m256i offset)
{
   if (gather) {
      const __m256i none = _mm256_setzero_si256();
      /* Offsets are unsigned; the instruction takes signed ones. */
      const __m256i index = _mm256_xor_si256(offset, _mm256_set1_epi32(INT32_MIN));
      return _mm256_mask_i32gather_epi32(none, (const int *)(base + 0x80000000u), index,
                                         _mm256_cmpeq_epi32(none, none), 1);
   }
   uint32_t o[SGD_T8], w[SGD_T8];
   _mm256_storeu_si256((__m256i *)o, offset);
   /* Loads of offsets from memory; the compiler would extract them, one shuffle each. */
   __asm__("" : "+m"(o));
   for (unsigned k = 0; k < SGD_T8; k++)
      memcpy(&w[k], base + o[k], 4);
   return _mm256_setr_epi32((int32_t)w[0], (int32_t)w[1], (int32_t)w[2], (int32_t)w[3],
                            (int32_t)w[4], (int32_t)w[5], (int32_t)w[6], (int32_t)w[7]);
}

/* -- results ------------------------------------------------------------------- */

static ALWAYS_INLINE __m256i
sgd_t8_active(uint32_t active, unsigned l)
{
   const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
   const __m256i on = _mm256_and_si256(_mm256_set1_epi32((int32_t)(active >> l)), bit);
   return _mm256_cmpeq_epi32(on, bit);
}

/* Channel r, as an integer: scaled, to its place. */
static ALWAYS_INLINE void
sgd_t8_put(const struct sgd_t8 *b, unsigned r, unsigned l, __m256i value, float unit)
{
   const __m256 v = _mm256_mul_ps(_mm256_cvtepi32_ps(value), _mm256_set1_ps(b->scale[r] * unit));
   float *d = (float *)b->dst[r] + l;
   if (likely(b->active == ~0u)) {
      _mm256_storeu_ps(d, v);
   } else {
      const __m256 on = _mm256_castsi256_ps(sgd_t8_active(b->active, l));
      _mm256_storeu_ps(d, _mm256_blendv_ps(_mm256_loadu_ps(d), v, on));
   }
}

/* -- filters ------------------------------------------------------------------- */

/* Two channels of texels a and b, mixed, as 16-bit numbers of 8 fractional bits less 2^15: in
 * bytes 0 and 2 of the words (`high`: 1 and 3).  w: the weight, twice.
 */
static ALWAYS_INLINE __m256i
sgd_t8_mix(__m256i a, __m256i b, __m256i w, bool high)
{
   const __m256i even = _mm256_set1_epi16(0xff), odd = _mm256_set1_epi16((short)0xff00);
   const __m256i bias = _mm256_set1_epi16((short)0x8000);
   const __m256i whole = high ? _mm256_and_si256(a, odd) : _mm256_slli_epi16(a, 8);
   const __m256i a8 = high ? _mm256_srli_epi16(a, 8) : _mm256_and_si256(a, even);
   const __m256i b8 = high ? _mm256_srli_epi16(b, 8) : _mm256_and_si256(b, even);
   const __m256i step = _mm256_mullo_epi16(_mm256_sub_epi16(b8, a8), w);
   return _mm256_add_epi16(_mm256_xor_si256(whole, bias), step);
}

/* Channels r and r + 2 of two mixed rows; w: the rows' weights. */
static ALWAYS_INLINE void
sgd_t8_mix_rows(const struct sgd_t8 *b, unsigned r, unsigned l, __m256i upper, __m256i lower,
                __m256i w)
{
   const __m256i bias = _mm256_set1_epi32(1 << 23);
   if (b->dst[r]) {
      const __m256i rows = _mm256_blend_epi16(upper, _mm256_slli_epi32(lower, 16), 0xaa);
      sgd_t8_put(b, r, l, _mm256_add_epi32(_mm256_madd_epi16(rows, w), bias), 0x1p-16f);
   }
   if (b->dst[r + 2]) {
      const __m256i rows = _mm256_blend_epi16(_mm256_srli_epi32(upper, 16), lower, 0xaa);
      sgd_t8_put(b, r + 2, l, _mm256_add_epi32(_mm256_madd_epi16(rows, w), bias), 0x1p-16f);
   }
}

/* Eight lanes of four texels, by tap, and the weights of the second column and row in 1/256. */
static ALWAYS_INLINE void
sgd_t8_filter(const struct sgd_t8 *b, unsigned l, const __m256i t[4], __m256i fx, __m256i fy)
{
   const __m256i wx = _mm256_or_si256(fx, _mm256_slli_epi32(fx, 16));
   /* 256 - w and w */
   const __m256i wy = _mm256_add_epi32(_mm256_sub_epi32(_mm256_set1_epi32(256), fy),
                                       _mm256_slli_epi32(fy, 16));
   if (b->dst[0] || b->dst[2])
      sgd_t8_mix_rows(b, 0, l, sgd_t8_mix(t[0], t[1], wx, false), sgd_t8_mix(t[2], t[3], wx, false),
                      wy);
   if (b->dst[1] || b->dst[3])
      sgd_t8_mix_rows(b, 1, l, sgd_t8_mix(t[0], t[1], wx, true), sgd_t8_mix(t[2], t[3], wx, true),
                      wy);
}

static ALWAYS_INLINE void
sgd_t8_loop_linear(const struct sgd_t8 *b, bool tiled)
{
   const uint8_t *base = b->base;
   const uint32_t pitch = b->pitch;
   for (unsigned l = 0; l < SGD_WARP; l += SGD_T8) {
      struct sgd_t8_taps x = sgd_t8_linear(&b->x, l, pitch, tiled, false);
      struct sgd_t8_taps y = sgd_t8_linear(&b->y, l, pitch, tiled, true);
      if (b->z) {
         const __m256i stride = _mm256_set1_epi32((int32_t)b->layer_stride);
         const __m256i z = _mm256_mullo_epi32(sgd_t8_load(b->z + l), stride);
         x.first = _mm256_add_epi32(x.first, z);
         x.second = _mm256_add_epi32(x.second, z);
      }
      const __m256i t[4] = {
         sgd_t8_fetch(base, b->gather, _mm256_add_epi32(y.first, x.first)),
         sgd_t8_fetch(base, b->gather, _mm256_add_epi32(y.first, x.second)),
         sgd_t8_fetch(base, b->gather, _mm256_add_epi32(y.second, x.first)),
         sgd_t8_fetch(base, b->gather, _mm256_add_epi32(y.second, x.second)),
      };
      sgd_t8_filter(b, l, t, x.weight, y.weight);
   }
}

/* Texels that the caller has fetched, of axes that it has wrapped. */
static void
sgd_t8_loop_words(const struct sgd_t8 *b)
{
   for (unsigned l = 0; l < SGD_WARP; l += SGD_T8) {
      const __m256i t[4] = {
         sgd_t8_load(b->words[0] + l),
         sgd_t8_load(b->words[1] + l),
         sgd_t8_load(b->words[2] + l),
         sgd_t8_load(b->words[3] + l),
      };
      sgd_t8_filter(b, l, t, sgd_t8_weight(b->x.taps, l), sgd_t8_weight(b->y.taps, l));
   }
}

static ALWAYS_INLINE void
sgd_t8_loop_nearest(const struct sgd_t8 *b, bool tiled)
{
   const uint8_t *base = b->base;
   const uint32_t pitch = b->pitch;
   for (unsigned l = 0; l < SGD_WARP; l += SGD_T8) {
      const __m256i x = sgd_t8_nearest(&b->x, l, pitch, tiled, false);
      __m256i y = sgd_t8_nearest(&b->y, l, pitch, tiled, true);
      if (b->z) {
         const __m256i stride = _mm256_set1_epi32((int32_t)b->layer_stride);
         y = _mm256_add_epi32(y, _mm256_mullo_epi32(sgd_t8_load(b->z + l), stride));
      }
      const __m256i w = sgd_t8_fetch(base, b->gather, _mm256_add_epi32(x, y));
      const __m256i byte = _mm256_set1_epi32(255);
      if (b->dst[0])
         sgd_t8_put(b, 0, l, _mm256_and_si256(w, byte), 1.0f);
      if (b->dst[1])
         sgd_t8_put(b, 1, l, _mm256_and_si256(_mm256_srli_epi32(w, 8), byte), 1.0f);
      if (b->dst[2])
         sgd_t8_put(b, 2, l, _mm256_and_si256(_mm256_srli_epi32(w, 16), byte), 1.0f);
      if (b->dst[3])
         sgd_t8_put(b, 3, l, _mm256_srli_epi32(w, 24), 1.0f);
   }
}

static ALWAYS_INLINE void
sgd_t8_init(struct sgd_t8 *t, const struct sgd_tex_bytes *b, float unit, float margin)
{
   const uint32_t pitch = b->level->pitch;
   sgd_t8_axis_init(&t->x, &b->axis[0], unit, margin);
   sgd_t8_axis_init(&t->y, &b->axis[1], unit, margin);
   const uint32_t x = t->x.last, y = t->y.last;
   if (b->unit->tiled) {
      t->x.last_offset = ((x >> 3) * SGPU_TILE_ELEMENTS + sgpu_tile_element_x(x)) * 4;
      t->y.last_offset = (y >> 2) * pitch + sgpu_tile_element_y(y) * 4;
   } else {
      t->x.last_offset = x * 4;
      t->y.last_offset = y * pitch;
   }
   t->base = b->level->base;
   t->gather = b->unit->gather;
   t->pitch = pitch;
   t->layer_stride = (uint32_t)b->level->layer_stride;
   t->z = b->z;
   t->words = b->words;
   t->active = b->active;
   for (unsigned c = 0; c < 4; c++) {
      t->scale[c] = b->scale[c];
      t->dst[c] = b->dst[c];
   }
}

static void
sgd_tex_bytes_linear(const struct sgd_tex_bytes *b)
{
   struct sgd_t8 t;
   sgd_t8_init(&t, b, 256.0f, 0.5f);
   if (b->words)
      sgd_t8_loop_words(&t);
   else if (b->unit->tiled)
      sgd_t8_loop_linear(&t, true);
   else
      sgd_t8_loop_linear(&t, false);
}

static void
sgd_tex_bytes_nearest(const struct sgd_tex_bytes *b)
{
   struct sgd_t8 t;
   sgd_t8_init(&t, b, 1.0f, 0.0f);
   if (b->unit->tiled)
      sgd_t8_loop_nearest(&t, true);
   else
      sgd_t8_loop_nearest(&t, false);
}

#endif
