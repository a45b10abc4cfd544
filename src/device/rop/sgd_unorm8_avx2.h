/* SPDX-License-Identifier: MIT */
/*
 * ROP: sgd_unorm8.h with AVX2, eight lanes at a time.
 */
#ifndef SGD_UNORM8_AVX2_H
#define SGD_UNORM8_AVX2_H

#include <immintrin.h>

#define SGD_V8 8

static ALWAYS_INLINE __m256
sgd_v8_load(const uint32_t *p)
{
   return _mm256_loadu_ps((const float *)p);
}

/* To [0, 1]; NaN gives 0.  Both instructions return their second operand where
 * one is NaN.
 */
static ALWAYS_INLINE __m256
sgd_v8_unit(__m256 x)
{
   return _mm256_max_ps(_mm256_min_ps(_mm256_set1_ps(1.0f), x), _mm256_setzero_ps());
}

/* Byte `n` of each word, as a number. */
static ALWAYS_INLINE __m256
sgd_v8_unit_of_byte(__m256i word, unsigned n)
{
   __m256i b;

   if (n == 0)
      b = _mm256_and_si256(word, _mm256_set1_epi32(0xff));
   else if (n == 3)
      b = _mm256_srli_epi32(word, 24);
   else
      b = _mm256_shuffle_epi8(word, _mm256_broadcastsi128_si256(
                                       _mm_setr_epi8(n, -1, -1, -1, n + 4, -1, -1, -1, n + 8, -1,
                                                     -1, -1, n + 12, -1, -1, -1)));
   return _mm256_mul_ps(_mm256_cvtepi32_ps(b), _mm256_set1_ps(1.0f / 255.0f));
}

/* Words of four integers each, with saturation to bytes. */
static ALWAYS_INLINE __m256i
sgd_v8_pack(__m256i i0, __m256i i1, __m256i i2, __m256i i3)
{
   const __m256i bytes = _mm256_packus_epi16(_mm256_packs_epi32(i0, i1),
                                             _mm256_packs_epi32(i2, i3));
   /* Within each half: four of byte 0, four of byte 1, ... to four words. */
   const __m256i order = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
   return _mm256_shuffle_epi8(bytes, order);
}

/* Words of the bytes b0 to b3, of numbers up to 1 and a little above; below 0
 * and NaN count as 0: they convert to negative integers.
 */
static ALWAYS_INLINE __m256i
sgd_v8_words(__m256 b0, __m256 b1, __m256 b2, __m256 b3)
{
   const __m256 scale = _mm256_set1_ps(255.0f);
   const __m256i i0 = _mm256_cvtps_epi32(_mm256_mul_ps(b0, scale));
   const __m256i i1 = _mm256_cvtps_epi32(_mm256_mul_ps(b1, scale));
   const __m256i i2 = _mm256_cvtps_epi32(_mm256_mul_ps(b2, scale));
   const __m256i i3 = _mm256_cvtps_epi32(_mm256_mul_ps(b3, scale));
   return sgd_v8_pack(i0, i1, i2, i3);
}

/* The same with 255 for byte 3. */
static ALWAYS_INLINE __m256i
sgd_v8_padded_words(__m256 b0, __m256 b1, __m256 b2)
{
   const __m256 scale = _mm256_set1_ps(255.0f);
   const __m256i i0 = _mm256_cvtps_epi32(_mm256_mul_ps(b0, scale));
   const __m256i i1 = _mm256_cvtps_epi32(_mm256_mul_ps(b1, scale));
   const __m256i i2 = _mm256_cvtps_epi32(_mm256_mul_ps(b2, scale));
   return sgd_v8_pack(i0, i1, i2, _mm256_set1_epi32(255));
}

/* Where the words of a group are: a block is one run, others are placed. */
struct sgd_v8_memory {
   uint8_t *block;
   struct sgd_quad_memory quads;
};

static ALWAYS_INLINE void
sgd_v8_place(struct sgd_v8_memory *m, const struct sgd_unorm8 *u, uint32_t lanes, bool block)
{
   if (block)
      m->block = sgd_block_memory(u->surface, u->quads, 4);
   else
      sgd_place_quads(&m->quads, u->surface, u->quads, lanes, 4);
}

static ALWAYS_INLINE __m256i
sgd_v8_read(const struct sgd_v8_memory *m, unsigned l, bool block)
{
   const __m128i *const *p = (const __m128i *const *)&m->quads.quad[l / 4];
   if (block)
      return _mm256_loadu_si256((const __m256i *)(m->block + l * 4));
   return _mm256_loadu2_m128i(p[1], p[0]);
}

static ALWAYS_INLINE void
sgd_v8_write(const struct sgd_v8_memory *m, unsigned l, bool block, __m256i word)
{
   __m128i *const *p = (__m128i *const *)&m->quads.quad[l / 4];
   if (block)
      _mm256_storeu_si256((__m256i *)(m->block + l * 4), word);
   else
      _mm256_storeu2_m128i(p[1], p[0], word);
}

/* old with the lanes and bits of word that may change. */
static ALWAYS_INLINE __m256i
sgd_v8_merge(uint32_t bits, __m256i old, __m256i word, uint32_t lanes, unsigned l)
{
   const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
   const __m256i on = _mm256_and_si256(_mm256_set1_epi32(lanes >> l), bit);
   const __m256i m = _mm256_and_si256(_mm256_cmpeq_epi32(on, bit), _mm256_set1_epi32(bits));
   return _mm256_or_si256(_mm256_and_si256(m, word), _mm256_andnot_si256(m, old));
}

/* Factors of source alpha a: itself, and 1 - a. */
struct sgd_v8_alpha {
   __m256 a, rest;
};

/* The component of source `src` in byte n.  Factors of 0 and 1 and terms that are 0 are left
 * out, which changes no bit of numbers in [0, 1].
 */
static ALWAYS_INLINE __m256
sgd_v8_form(enum sgd_blend_form form, const uint32_t *src, bool is_alpha, __m256i old, unsigned n,
            const struct sgd_v8_alpha *f)
{
   const __m256 s = sgd_v8_unit(sgd_v8_load(src)), d = sgd_v8_unit_of_byte(old, n);

   switch (form) {
   case SGD_BLEND_OVER_BY_ONE:
      if (is_alpha)
         return _mm256_add_ps(s, _mm256_mul_ps(d, f->rest));
      return _mm256_add_ps(_mm256_mul_ps(s, f->a), _mm256_mul_ps(d, f->rest));
   case SGD_BLEND_PREMULTIPLIED:
      return _mm256_add_ps(s, _mm256_mul_ps(d, f->rest));
   case SGD_BLEND_ADDITIVE:
      return _mm256_add_ps(s, d);
   case SGD_BLEND_ADDITIVE_SCALED:
      return _mm256_add_ps(_mm256_mul_ps(s, f->a), d);
   case SGD_BLEND_MODULATE:
      return _mm256_mul_ps(s, d);
   default:
      return _mm256_add_ps(_mm256_mul_ps(s, f->a), _mm256_mul_ps(d, f->rest));
   }
}

/* The colours as they are (SGD_BLEND_ANY), or with frequent blending.  `masked`: some bits stay;
 * `padded`: byte 3 has no component.
 */
static ALWAYS_INLINE void
sgd_v8_loop(const struct sgd_unorm8 *u, uint32_t lanes, enum sgd_blend_form form, bool masked,
            bool block, bool padded)
{
   const uint8_t *comp = u->plan->codec.byte_comp;
   const bool blend = form != SGD_BLEND_ANY;
   const uint32_t *c0 = u->color->c[comp[0]], *c1 = u->color->c[comp[1]];
   const uint32_t *c2 = u->color->c[comp[2]], *c3 = u->color->c[comp[3]];
   const uint32_t bits = sgd_unorm8_bits(u->plan);
   const __m256i ones = _mm256_set1_epi32(u->plan->codec.ones);
   const __m256 one = _mm256_set1_ps(1.0f);
   struct sgd_v8_memory m;

   sgd_v8_place(&m, u, lanes, block);
   for (unsigned l = 0; l < SGD_WARP; l += SGD_V8) {
      __m256i old = _mm256_setzero_si256(), w;
      __m256 b0, b1, b2, b3 = _mm256_setzero_ps();

      if (blend || masked)
         old = sgd_v8_read(&m, l, block);
      if (blend) {
         struct sgd_v8_alpha f;
         f.a = sgd_v8_unit(sgd_v8_load(u->color->c[3] + l));
         f.rest = _mm256_sub_ps(one, f.a);
         b0 = sgd_v8_form(form, c0 + l, comp[0] == 3, old, 0, &f);
         b1 = sgd_v8_form(form, c1 + l, comp[1] == 3, old, 1, &f);
         b2 = sgd_v8_form(form, c2 + l, comp[2] == 3, old, 2, &f);
         if (!padded)
            b3 = sgd_v8_form(form, c3 + l, comp[3] == 3, old, 3, &f);
      } else {
         b0 = _mm256_min_ps(one, sgd_v8_load(c0 + l));
         b1 = _mm256_min_ps(one, sgd_v8_load(c1 + l));
         b2 = _mm256_min_ps(one, sgd_v8_load(c2 + l));
         if (!padded)
            b3 = _mm256_min_ps(one, sgd_v8_load(c3 + l));
      }
      w = padded ? sgd_v8_padded_words(b0, b1, b2)
                 : _mm256_or_si256(sgd_v8_words(b0, b1, b2, b3), ones);
      if (masked)
         w = sgd_v8_merge(bits, old, w, lanes, l);
      sgd_v8_write(&m, l, block, w);
   }
}

/* Any blending: factors are base + slope * operand, as in sgd_blend_unit.
 * operand: number in v of sgd_v8_blend, by component.
 */
struct sgd_v8_factor {
   uint8_t operand[4];
   float base[4], slope[4];
};

static inline void
sgd_v8_factors(struct sgd_v8_factor *f, const struct sgd_blend_term term[4], const uint8_t func[4],
               enum sgpu_blend_func negative)
{
   for (unsigned c = 0; c < 4; c++) {
      const float sign = func[c] == negative ? -1.0f : 1.0f;
      sgd_blend_line(&term[c], &f->base[c], &f->slope[c]);
      f->base[c] *= sign;
      f->slope[c] *= sign;
      f->operand[c] = c;
      switch ((enum sgd_blend_operand)term[c].operand) {
      case SGD_BLEND_CONSTANT:
      case SGD_BLEND_SRC:
         break;
      case SGD_BLEND_SRC_ALPHA:
         f->operand[c] = 3;
         break;
      case SGD_BLEND_DST:
         f->operand[c] = 4 + c;
         break;
      case SGD_BLEND_DST_ALPHA:
         f->operand[c] = 7;
         break;
      case SGD_BLEND_SRC1:
         f->operand[c] = 8 + c;
         break;
      case SGD_BLEND_SRC1_ALPHA:
         f->operand[c] = 11;
         break;
      case SGD_BLEND_SATURATE:
         f->operand[c] = 12;
         break;
      }
   }
}

static ALWAYS_INLINE __m256
sgd_v8_factor(const struct sgd_v8_factor *f, const __m256 *v, unsigned c)
{
   return _mm256_add_ps(_mm256_set1_ps(f->base[c]),
                        _mm256_mul_ps(_mm256_set1_ps(f->slope[c]), v[f->operand[c]]));
}

static __attribute__((noinline)) void
sgd_v8_blend(const struct sgd_unorm8 *u, uint32_t lanes)
{
   const struct sgd_color_plan *p = u->plan;
   const uint8_t *byte_comp = p->codec.byte_comp;
   const uint32_t bits = sgd_unorm8_bits(p);
   const bool block = u->quads->block;
   const __m256i ones = _mm256_set1_epi32(p->codec.ones);
   struct sgd_v8_factor src, dst;
   struct sgd_v8_memory m;
   __m256 v[13], r[4];

   for (unsigned c = 0; c < 4; c++)
      v[8 + c] = _mm256_setzero_ps();
   sgd_v8_factors(&src, p->src, p->func, SGPU_BLEND_FUNC_REVERSE_SUBTRACT);
   sgd_v8_factors(&dst, p->dst, p->func, SGPU_BLEND_FUNC_SUBTRACT);
   sgd_v8_place(&m, u, lanes, block);
   for (unsigned l = 0; l < SGD_WARP; l += SGD_V8) {
      const __m256i old = sgd_v8_read(&m, l, block);
      __m256 stored[4];

      for (unsigned n = 0; n < 4; n++)
         stored[n] = sgd_v8_unit_of_byte(old, n);
      for (unsigned c = 0; c < 4; c++) {
         v[c] = sgd_v8_unit(sgd_v8_load(u->color->c[c] + l));
         v[4 + c] = stored[p->codec.comp_shift[c] / 8];
      }
      for (unsigned c = 0; c < 4 && p->dual; c++)
         v[8 + c] = sgd_v8_unit(sgd_v8_load(u->second->c[c] + l));
      v[12] = _mm256_min_ps(v[3], _mm256_sub_ps(_mm256_set1_ps(1.0f), v[7]));

      for (unsigned c = 0; c < 4; c++) {
         const __m256 s = v[c], d = v[4 + c];
         if (p->func[c] == SGPU_BLEND_FUNC_MIN)
            r[c] = _mm256_min_ps(s, d);
         else if (p->func[c] == SGPU_BLEND_FUNC_MAX)
            r[c] = _mm256_max_ps(s, d);
         else
            r[c] = _mm256_add_ps(_mm256_mul_ps(s, sgd_v8_factor(&src, v, c)),
                                 _mm256_mul_ps(d, sgd_v8_factor(&dst, v, c)));
         r[c] = _mm256_min_ps(_mm256_set1_ps(1.0f), r[c]);
      }
      const __m256i w = sgd_v8_words(r[byte_comp[0]], r[byte_comp[1]], r[byte_comp[2]],
                                     r[byte_comp[3]]);
      sgd_v8_write(&m, l, block, sgd_v8_merge(bits, old, _mm256_or_si256(w, ones), lanes, l));
   }
}

/* Where all bits change, copies have code without masks, as has all of blocks. */
static ALWAYS_INLINE void
sgd_v8_quads_loop(const struct sgd_unorm8 *u, uint32_t lanes, enum sgd_blend_form form)
{
   if (form != SGD_BLEND_ANY || (lanes & sgd_unorm8_bits(u->plan)) != ~0u)
      sgd_v8_loop(u, lanes, form, true, false, false);
   else
      sgd_v8_loop(u, lanes, form, false, false, false);
}

static ALWAYS_INLINE void
sgd_v8_block_loop(const struct sgd_unorm8 *u, uint32_t lanes, enum sgd_blend_form form)
{
   if ((lanes & sgd_unorm8_bits(u->plan)) != ~0u)
      sgd_v8_loop(u, lanes, form, true, true, false);
   else if (u->plan->codec.ones == 0xff000000)
      sgd_v8_loop(u, lanes, form, false, true, true);
   else
      sgd_v8_loop(u, lanes, form, false, true, false);
}

/* Functions of their own: their stack frames and registers differ much. */
#define SGD_V8_FORM(name, form)                                                                   \
   static __attribute__((noinline)) void name##_quads(const struct sgd_unorm8 *u, uint32_t lanes) \
   {                                                                                              \
      sgd_v8_quads_loop(u, lanes, form);                                                          \
   }                                                                                              \
   static __attribute__((noinline)) void name(const struct sgd_unorm8 *u, uint32_t lanes)         \
   {                                                                                              \
      if (u->quads->block)                                                                        \
         sgd_v8_block_loop(u, lanes, form);                                                       \
      else                                                                                        \
         name##_quads(u, lanes);                                                                  \
   }
SGD_V8_FORM(sgd_v8_copy, SGD_BLEND_ANY)
SGD_V8_FORM(sgd_v8_over, SGD_BLEND_OVER)
SGD_V8_FORM(sgd_v8_over_by_one, SGD_BLEND_OVER_BY_ONE)
SGD_V8_FORM(sgd_v8_premultiplied, SGD_BLEND_PREMULTIPLIED)
SGD_V8_FORM(sgd_v8_additive, SGD_BLEND_ADDITIVE)
SGD_V8_FORM(sgd_v8_additive_scaled, SGD_BLEND_ADDITIVE_SCALED)
SGD_V8_FORM(sgd_v8_modulate, SGD_BLEND_MODULATE)
#undef SGD_V8_FORM

static ALWAYS_INLINE void
sgd_unorm8_group(const struct sgd_unorm8 *u, uint32_t lanes)
{
   if (!u->plan->blend) {
      sgd_v8_copy(u, lanes);
      return;
   }
   switch ((enum sgd_blend_form)u->plan->form) {
   case SGD_BLEND_OVER:
      sgd_v8_over(u, lanes);
      break;
   case SGD_BLEND_OVER_BY_ONE:
      sgd_v8_over_by_one(u, lanes);
      break;
   case SGD_BLEND_PREMULTIPLIED:
      sgd_v8_premultiplied(u, lanes);
      break;
   case SGD_BLEND_ADDITIVE:
      sgd_v8_additive(u, lanes);
      break;
   case SGD_BLEND_ADDITIVE_SCALED:
      sgd_v8_additive_scaled(u, lanes);
      break;
   case SGD_BLEND_MODULATE:
      sgd_v8_modulate(u, lanes);
      break;
   case SGD_BLEND_ANY:
      sgd_v8_blend(u, lanes);
      break;
   }
}

#endif
