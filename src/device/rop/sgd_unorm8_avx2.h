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

/* The byte of each word that begins at bit `shift`, as a number. */
static ALWAYS_INLINE __m256
sgd_v8_unit_of_byte(__m256i word, unsigned shift)
{
   const __m256i b = _mm256_and_si256(_mm256_srl_epi32(word, _mm_cvtsi32_si128(shift)),
                                      _mm256_set1_epi32(0xff));
   return _mm256_mul_ps(_mm256_cvtepi32_ps(b), _mm256_set1_ps(1.0f / 255.0f));
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
   const __m256i bytes = _mm256_packus_epi16(_mm256_packs_epi32(i0, i1),
                                             _mm256_packs_epi32(i2, i3));
   /* Within each half: four of byte 0, four of byte 1, ... to four words. */
   const __m256i order = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
   return _mm256_shuffle_epi8(bytes, order);
}

static ALWAYS_INLINE __m256i
sgd_v8_read(const struct sgd_quad_memory *m, unsigned l, bool block)
{
   const __m128i *const *p = (const __m128i *const *)&m->quad[l / 4];
   if (block)
      return _mm256_loadu_si256((const __m256i *)p[0]);
   return _mm256_loadu2_m128i(p[1], p[0]);
}

static ALWAYS_INLINE void
sgd_v8_write(const struct sgd_quad_memory *m, unsigned l, bool block, __m256i word)
{
   __m128i *const *p = (__m128i *const *)&m->quad[l / 4];
   if (block)
      _mm256_storeu_si256((__m256i *)p[0], word);
   else
      _mm256_storeu2_m128i(p[1], p[0], word);
}

/* old with the lanes and bits of word that may change. */
static ALWAYS_INLINE __m256i
sgd_v8_merge(const struct sgd_unorm8 *u, __m256i old, __m256i word, uint32_t lanes, unsigned l)
{
   const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
   const __m256i on = _mm256_and_si256(_mm256_set1_epi32(lanes >> l), bit);
   const __m256i m = _mm256_and_si256(_mm256_cmpeq_epi32(on, bit), _mm256_set1_epi32(u->bits));
   return _mm256_or_si256(_mm256_and_si256(m, word), _mm256_andnot_si256(m, old));
}

/* Factors of source alpha a: itself, and 1 - a. */
struct sgd_v8_alpha {
   __m256 a, rest;
};

/* The component of source `src` in the byte at bit `shift`.  Factors of 0 and 1 and terms that
 * are 0 are left out, which changes no bit of numbers in [0, 1].
 */
static ALWAYS_INLINE __m256
sgd_v8_form(enum sgd_blend_form form, const uint32_t *src, bool is_alpha, __m256i old,
            unsigned shift, const struct sgd_v8_alpha *f)
{
   const __m256 s = sgd_v8_unit(sgd_v8_load(src)), d = sgd_v8_unit_of_byte(old, shift);

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

/* The colours as they are (SGD_BLEND_ANY), or with frequent blending. */
static ALWAYS_INLINE void
sgd_v8_loop(const struct sgd_unorm8 *u, uint32_t lanes, enum sgd_blend_form form, bool masked,
            bool block)
{
   const uint8_t *comp = u->plan->codec.byte_comp;
   const bool blend = form != SGD_BLEND_ANY;
   const uint32_t *c0 = u->comp[comp[0]], *c1 = u->comp[comp[1]];
   const uint32_t *c2 = u->comp[comp[2]], *c3 = u->comp[comp[3]];
   const __m256i ones = _mm256_set1_epi32(u->plan->codec.ones);
   const __m256 one = _mm256_set1_ps(1.0f);
   struct sgd_quad_memory m;

   sgd_place_quads(&m, u->surface, u->quads, lanes, 4);
   for (unsigned l = 0; l < SGD_WARP; l += SGD_V8) {
      __m256i old = _mm256_setzero_si256(), w;
      if (blend || masked)
         old = sgd_v8_read(&m, l, block);
      if (blend) {
         struct sgd_v8_alpha f;
         f.a = sgd_v8_unit(sgd_v8_load(u->comp[3] + l));
         f.rest = _mm256_sub_ps(one, f.a);
         w = sgd_v8_words(sgd_v8_form(form, c0 + l, comp[0] == 3, old, 0, &f),
                          sgd_v8_form(form, c1 + l, comp[1] == 3, old, 8, &f),
                          sgd_v8_form(form, c2 + l, comp[2] == 3, old, 16, &f),
                          sgd_v8_form(form, c3 + l, comp[3] == 3, old, 24, &f));
      } else {
         w = sgd_v8_words(_mm256_min_ps(one, sgd_v8_load(c0 + l)),
                          _mm256_min_ps(one, sgd_v8_load(c1 + l)),
                          _mm256_min_ps(one, sgd_v8_load(c2 + l)),
                          _mm256_min_ps(one, sgd_v8_load(c3 + l)));
      }
      w = _mm256_or_si256(w, ones);
      if (masked)
         w = sgd_v8_merge(u, old, w, lanes, l);
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

static ALWAYS_INLINE void
sgd_v8_blend(const struct sgd_unorm8 *u, uint32_t lanes, bool block)
{
   const struct sgd_color_plan *p = u->plan;
   const uint8_t *byte_comp = p->codec.byte_comp;
   const __m256i ones = _mm256_set1_epi32(p->codec.ones);
   struct sgd_v8_factor src, dst;
   struct sgd_quad_memory m;
   __m256 v[13], r[4];

   for (unsigned c = 0; c < 4; c++)
      v[8 + c] = _mm256_setzero_ps();
   sgd_v8_factors(&src, p->src, p->func, SGPU_BLEND_FUNC_REVERSE_SUBTRACT);
   sgd_v8_factors(&dst, p->dst, p->func, SGPU_BLEND_FUNC_SUBTRACT);
   sgd_place_quads(&m, u->surface, u->quads, lanes, 4);
   for (unsigned l = 0; l < SGD_WARP; l += SGD_V8) {
      const __m256i old = sgd_v8_read(&m, l, block);
      for (unsigned c = 0; c < 4; c++) {
         v[c] = sgd_v8_unit(sgd_v8_load(u->comp[c] + l));
         v[4 + c] = sgd_v8_unit_of_byte(old, p->codec.comp_shift[c]);
      }
      for (unsigned c = 0; c < 4 && p->dual; c++)
         v[8 + c] = sgd_v8_unit(sgd_v8_load(u->second[c] + l));
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
      sgd_v8_write(&m, l, block, sgd_v8_merge(u, old, _mm256_or_si256(w, ones), lanes, l));
   }
}

static ALWAYS_INLINE void
sgd_v8_blend_form(const struct sgd_unorm8 *u, uint32_t lanes, bool block)
{
#define FORM(f)                                          \
   case SGD_BLEND_##f:                                   \
      sgd_v8_loop(u, lanes, SGD_BLEND_##f, true, block); \
      break;
   switch ((enum sgd_blend_form)u->plan->form) {
      FORM(OVER)
      FORM(OVER_BY_ONE)
      FORM(PREMULTIPLIED)
      FORM(ADDITIVE)
      FORM(ADDITIVE_SCALED)
      FORM(MODULATE)
   case SGD_BLEND_ANY:
      sgd_v8_blend(u, lanes, block);
      break;
   }
#undef FORM
}

static ALWAYS_INLINE void
sgd_v8_group(const struct sgd_unorm8 *u, uint32_t lanes, bool block)
{
   if (u->plan->blend)
      sgd_v8_blend_form(u, lanes, block);
   else if ((lanes & u->bits) != ~0u)
      sgd_v8_loop(u, lanes, SGD_BLEND_ANY, true, block);
   else
      sgd_v8_loop(u, lanes, SGD_BLEND_ANY, false, block);
}

static inline void
sgd_unorm8_group(const struct sgd_unorm8 *u, uint32_t lanes)
{
   if (u->quads->block)
      sgd_v8_group(u, lanes, true);
   else
      sgd_v8_group(u, lanes, false);
}

#endif
