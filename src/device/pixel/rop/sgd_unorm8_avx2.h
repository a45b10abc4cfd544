/* SPDX-License-Identifier: MIT */
/*
 * ROP: AVX2 version of sgd_unorm8.h. It processes eight lanes at a time.
 */
#ifndef SGD_UNORM8_AVX2_H
#define SGD_UNORM8_AVX2_H

#include <immintrin.h>

#include "util/macros.h"

#define SGD_V8 8

static ALWAYS_INLINE __m256
sgd_v8_load(const uint32_t *p)
{
   return _mm256_loadu_ps((const float *)p);
}

/* Clamps x to [0, 1]. NaN becomes 0, because both instructions return their second operand if one
 * of the operands is NaN.
 */
static ALWAYS_INLINE __m256
sgd_v8_unit(__m256 x)
{
   return _mm256_max_ps(_mm256_min_ps(_mm256_set1_ps(1.0f), x), _mm256_setzero_ps());
}

/* Converts byte n of each word to a float in [0, 1]. */
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

/* Packs four integers per lane into a word of four bytes, with unsigned saturation. */
static ALWAYS_INLINE __m256i
sgd_v8_pack(__m256i i0, __m256i i1, __m256i i2, __m256i i3)
{
   const __m256i bytes = _mm256_packus_epi16(_mm256_packs_epi32(i0, i1),
                                             _mm256_packs_epi32(i2, i3));
   /* Each 128-bit half has four bytes of component 0, followed by four bytes of component 1 and so
    * on. Transpose them to four words.
    */
   const __m256i order = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
   return _mm256_shuffle_epi8(bytes, order);
}

/* Converts four floats per lane to a word of four bytes. Floats may be slightly above 1. Negative
 * numbers and NaN become 0, because they convert to negative integers.
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

/* Like sgd_v8_words(), but byte 3 of each word is a constant. */
static ALWAYS_INLINE __m256i
sgd_v8_words_of_three(__m256 b0, __m256 b1, __m256 b2, unsigned byte3)
{
   const __m256 scale = _mm256_set1_ps(255.0f);
   const __m256i i0 = _mm256_cvtps_epi32(_mm256_mul_ps(b0, scale));
   const __m256i i1 = _mm256_cvtps_epi32(_mm256_mul_ps(b1, scale));
   const __m256i i2 = _mm256_cvtps_epi32(_mm256_mul_ps(b2, scale));
   return sgd_v8_pack(i0, i1, i2, _mm256_set1_epi32((int)byte3));
}

/* Converts the colours of a warp, without blending. */
static ALWAYS_INLINE void
sgd_v8_pack_words(const struct sgd_codec *codec, const struct sgd_vec *color,
                  uint32_t word[SGD_WARP])
{
   const uint8_t *comp = codec->byte_comp;
   const __m256i ones = _mm256_set1_epi32((int)codec->ones);
   const __m256 one = _mm256_set1_ps(1.0f);

   for (unsigned l = 0; l < SGD_WARP; l += SGD_V8) {
      const __m256i w = sgd_v8_words(_mm256_min_ps(one, sgd_v8_load(color->c[comp[0]] + l)),
                                     _mm256_min_ps(one, sgd_v8_load(color->c[comp[1]] + l)),
                                     _mm256_min_ps(one, sgd_v8_load(color->c[comp[2]] + l)),
                                     _mm256_min_ps(one, sgd_v8_load(color->c[comp[3]] + l)));
      _mm256_storeu_si256((__m256i *)(word + l), _mm256_or_si256(w, ones));
   }
}

/* Location of a group's words in memory. If the group is a block, its words are contiguous,
 * starting at `block`. Otherwise, `quads` has the address of each quad, up to the last quad that
 * has lanes.
 */
struct sgd_v8_memory {
   uint8_t *block;
   struct sgd_quad_memory quads;
};

static ALWAYS_INLINE void
sgd_v8_place(struct sgd_v8_memory *m, const struct sgd_unorm8 *u, uint32_t lanes, bool block)
{
   if (block)
      m->block = sgd_block_memory(u->surface, u->quads, 4);
   else if (lanes <= 0xffff)
      sgd_v8_place_first(&m->quads, u->surface, u->quads, lanes, 4, 4);
   else
      sgd_v8_place_first(&m->quads, u->surface, u->quads, lanes, 4, SGD_QUADS);
}

/* Returns true if there are lanes at or after lane l. Quads are filled in order, so all lanes after
 * the last set bit are unused.
 */
static ALWAYS_INLINE bool
sgd_v8_left(uint32_t lanes, unsigned l, bool block)
{
   return l < SGD_WARP && (block || lanes >> l);
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

/* Replaces the writable bits of the active lanes in `old` by the bits of `word`. */
static ALWAYS_INLINE __m256i
sgd_v8_merge(uint32_t bits, __m256i old, __m256i word, uint32_t lanes, unsigned l)
{
   const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
   const __m256i on = _mm256_and_si256(_mm256_set1_epi32(lanes >> l), bit);
   const __m256i m = _mm256_and_si256(_mm256_cmpeq_epi32(on, bit), _mm256_set1_epi32(bits));
   return _mm256_or_si256(_mm256_and_si256(m, word), _mm256_andnot_si256(m, old));
}

/* Operands of the blend factors of one component: source, destination, source alpha, destination
 * alpha, and 1 - source alpha.
 */
struct sgd_v8_operands {
   __m256 s, d, a, da, rest;
};

/* Returns x times a blend factor. Factor 1 needs no multiplication. */
static ALWAYS_INLINE __m256
sgd_v8_product(__m256 x, enum sgd_form_factor factor, const struct sgd_v8_operands *o)
{
   switch (factor) {
   case SGD_FORM_ZERO:
      return _mm256_setzero_ps();
   case SGD_FORM_ONE:
      return x;
   case SGD_FORM_SRC:
      return _mm256_mul_ps(x, o->s);
   case SGD_FORM_INV_SRC:
      return _mm256_mul_ps(x, _mm256_sub_ps(_mm256_set1_ps(1.0f), o->s));
   case SGD_FORM_SRC_ALPHA:
      return _mm256_mul_ps(x, o->a);
   case SGD_FORM_INV_SRC_ALPHA:
      return _mm256_mul_ps(x, o->rest);
   case SGD_FORM_DST:
      return _mm256_mul_ps(x, o->d);
   case SGD_FORM_DST_ALPHA:
      return _mm256_mul_ps(x, o->da);
   }
   return x;
}

/* Returns the blended sum of source and destination. Leaves out products with factor 0, because
 * adding 0 to a number in [0, 1] doesn't change it.
 */
static ALWAYS_INLINE __m256
sgd_v8_sum(enum sgd_form_factor src, enum sgd_form_factor dst, const struct sgd_v8_operands *o)
{
   if (src == SGD_FORM_ZERO)
      return sgd_v8_product(o->d, dst, o);
   if (dst == SGD_FORM_ZERO)
      return sgd_v8_product(o->s, src, o);
   return _mm256_add_ps(sgd_v8_product(o->s, src, o), sgd_v8_product(o->d, dst, o));
}

/* Blends one component with the given blend form. `src` has the source values. The destination is
 * in byte n of `old`. `o` has the operands that all components share.
 */
static ALWAYS_INLINE __m256
sgd_v8_form(enum sgd_blend_form form, const uint32_t *src, bool is_alpha, __m256i old, unsigned n,
            const struct sgd_v8_operands *o)
{
   struct sgd_v8_operands own = *o;

   own.s = sgd_v8_unit(sgd_v8_load(src));
   own.d = sgd_v8_unit_of_byte(old, n);
   switch (form) {
#define FORM(name, function, rgb_src, rgb_dst, alpha_src, alpha_dst)             \
   case SGD_BLEND_##name:                                                        \
      if (SGD_FORM_##rgb_src != SGD_FORM_##alpha_src ||                          \
          SGD_FORM_##rgb_dst != SGD_FORM_##alpha_dst) {                          \
         if (is_alpha)                                                           \
            return sgd_v8_sum(SGD_FORM_##alpha_src, SGD_FORM_##alpha_dst, &own); \
      }                                                                          \
      return sgd_v8_sum(SGD_FORM_##rgb_src, SGD_FORM_##rgb_dst, &own);
      SGD_BLEND_FORMS(FORM)
#undef FORM
   case SGD_BLEND_ANY:
      break;
   }
   return own.s;
}

/* Bits that are written in each word. ALL: all bits. PADDED: bytes 0 to 2, with byte 3 set to ones.
 * KEPT: bytes 0 to 2, with byte 3 unchanged. MASKED: sgd_unorm8_bits() of the active lanes.
 */
enum sgd_v8_change {
   SGD_V8_ALL,
   SGD_V8_PADDED,
   SGD_V8_KEPT,
   SGD_V8_MASKED,
};

/* Stores the source colours, either without blending (SGD_BLEND_ANY) or blended with a common blend
 * form.
 */
static ALWAYS_INLINE void
sgd_v8_loop(const struct sgd_unorm8 *u, uint32_t lanes, enum sgd_blend_form form,
            enum sgd_v8_change change, bool block)
{
   const uint8_t *comp = u->plan->codec.byte_comp;
   const bool blend = form != SGD_BLEND_ANY;
   const bool three = change == SGD_V8_PADDED || change == SGD_V8_KEPT;
   const uint32_t *c0 = u->color->c[comp[0]], *c1 = u->color->c[comp[1]];
   const uint32_t *c2 = u->color->c[comp[2]], *c3 = u->color->c[comp[3]];
   const uint32_t bits = sgd_unorm8_bits(u->plan);
   const __m128i alpha_shift = _mm_cvtsi32_si128(u->plan->codec.comp_shift[3]);
   const __m256i ones = _mm256_set1_epi32(u->plan->codec.ones);
   const __m256 one = _mm256_set1_ps(1.0f);
   struct sgd_v8_memory m;

   sgd_v8_place(&m, u, lanes, block);
   /* Unroll the loop, so that the offsets of all lanes are constants. */
#pragma GCC unroll 4
   for (unsigned l = 0; sgd_v8_left(lanes, l, block); l += SGD_V8) {
      __m256i old = _mm256_setzero_si256(), w;
      __m256 b0, b1, b2, b3 = _mm256_setzero_ps();

      if (blend || change == SGD_V8_KEPT || change == SGD_V8_MASKED)
         old = sgd_v8_read(&m, l, block);
      if (blend) {
         struct sgd_v8_operands o;
         o.a = sgd_v8_unit(sgd_v8_load(u->color->c[3] + l));
         o.da = sgd_v8_unit_of_byte(_mm256_srl_epi32(old, alpha_shift), 0);
         o.rest = _mm256_sub_ps(one, o.a);
         b0 = sgd_v8_form(form, c0 + l, comp[0] == 3, old, 0, &o);
         b1 = sgd_v8_form(form, c1 + l, comp[1] == 3, old, 1, &o);
         b2 = sgd_v8_form(form, c2 + l, comp[2] == 3, old, 2, &o);
         if (!three)
            b3 = sgd_v8_form(form, c3 + l, comp[3] == 3, old, 3, &o);
      } else {
         b0 = _mm256_min_ps(one, sgd_v8_load(c0 + l));
         b1 = _mm256_min_ps(one, sgd_v8_load(c1 + l));
         b2 = _mm256_min_ps(one, sgd_v8_load(c2 + l));
         if (!three)
            b3 = _mm256_min_ps(one, sgd_v8_load(c3 + l));
      }
      if (change == SGD_V8_PADDED) {
         w = sgd_v8_words_of_three(b0, b1, b2, 255);
      } else if (change == SGD_V8_KEPT) {
         const __m256i kept = _mm256_and_si256(old, _mm256_set1_epi32((int)0xff000000));
         w = _mm256_or_si256(sgd_v8_words_of_three(b0, b1, b2, 0), _mm256_or_si256(kept, ones));
      } else {
         w = _mm256_or_si256(sgd_v8_words(b0, b1, b2, b3), ones);
      }
      if (change == SGD_V8_MASKED)
         w = sgd_v8_merge(bits, old, w, lanes, l);
      sgd_v8_write(&m, l, block, w);
   }
}

/* Index of a blend operand in the array v[] of sgd_v8_blend(), for each component. v[] has four
 * components of the source, of the destination and of the second source, followed by the factor for
 * SRC_ALPHA_SATURATE.
 */
static const uint8_t sgd_v8_operand[][4] = {
   [SGD_BLEND_CONSTANT] = { 0, 1, 2, 3 },       [SGD_BLEND_SRC] = { 0, 1, 2, 3 },
   [SGD_BLEND_SRC_ALPHA] = { 3, 3, 3, 3 },      [SGD_BLEND_DST] = { 4, 5, 6, 7 },
   [SGD_BLEND_DST_ALPHA] = { 7, 7, 7, 7 },      [SGD_BLEND_SRC1] = { 8, 9, 10, 11 },
   [SGD_BLEND_SRC1_ALPHA] = { 11, 11, 11, 11 }, [SGD_BLEND_SATURATE] = { 12, 12, 12, 12 },
};

static ALWAYS_INLINE __m256
sgd_v8_factor(const struct sgd_blend_term *t, const __m256 *v, unsigned c)
{
   return _mm256_add_ps(_mm256_set1_ps(t->base),
                        _mm256_mul_ps(_mm256_set1_ps(t->slope), v[sgd_v8_operand[t->operand][c]]));
}

static __attribute__((noinline)) void
sgd_v8_blend(const struct sgd_unorm8 *u, uint32_t lanes)
{
   const struct sgd_color_plan *p = u->plan;
   const uint8_t *byte_comp = p->codec.byte_comp;
   const uint32_t bits = sgd_unorm8_bits(p);
   const bool block = u->quads->block;
   const __m256i ones = _mm256_set1_epi32(p->codec.ones);
   struct sgd_v8_memory m;
   __m256 v[13], r[4];

   for (unsigned c = 0; c < 4; c++)
      v[8 + c] = _mm256_setzero_ps();
   sgd_v8_place(&m, u, lanes, block);
   for (unsigned l = 0; sgd_v8_left(lanes, l, block); l += SGD_V8) {
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
            r[c] = _mm256_add_ps(_mm256_mul_ps(s, sgd_v8_factor(&p->src[c], v, c)),
                                 _mm256_mul_ps(d, sgd_v8_factor(&p->dst[c], v, c)));
         r[c] = _mm256_min_ps(_mm256_set1_ps(1.0f), r[c]);
      }
      const __m256i w = sgd_v8_words(r[byte_comp[0]], r[byte_comp[1]], r[byte_comp[2]],
                                     r[byte_comp[3]]);
      sgd_v8_write(&m, l, block, sgd_v8_merge(bits, old, _mm256_or_si256(w, ones), lanes, l));
   }
}

/* Calls a version of the loop without masking if all bits are written. */
static ALWAYS_INLINE void
sgd_v8_quads_loop(const struct sgd_unorm8 *u, uint32_t lanes, enum sgd_blend_form form)
{
   if (form != SGD_BLEND_ANY || (lanes & sgd_unorm8_bits(u->plan)) != ~0u)
      sgd_v8_loop(u, lanes, form, SGD_V8_MASKED, false);
   else
      sgd_v8_loop(u, lanes, form, SGD_V8_ALL, false);
}

/* Calls a version of the loop without masking if all lanes and all bits are written. There are also
 * versions that fill byte 3 with ones or leave it unchanged.
 */
static ALWAYS_INLINE void
sgd_v8_block_loop(const struct sgd_unorm8 *u, uint32_t lanes, enum sgd_blend_form form)
{
   const uint32_t bits = sgd_unorm8_bits(u->plan);

   if (lanes == ~0u && bits == ~0u && u->plan->codec.ones == 0xff000000)
      sgd_v8_loop(u, lanes, form, SGD_V8_PADDED, true);
   else if (lanes == ~0u && bits == ~0u)
      sgd_v8_loop(u, lanes, form, SGD_V8_ALL, true);
   else if (lanes == ~0u && bits == 0x00ffffff)
      sgd_v8_loop(u, lanes, form, SGD_V8_KEPT, true);
   else
      sgd_v8_loop(u, lanes, form, SGD_V8_MASKED, true);
}

/* Each form has a separate function, because stack frames and register usage differ widely between
 * forms.
 */
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
#define FORM(name, function, rgb_src, rgb_dst, alpha_src, alpha_dst) \
   SGD_V8_FORM(sgd_v8_##function, SGD_BLEND_##name)
SGD_BLEND_FORMS(FORM)
#undef FORM
#undef SGD_V8_FORM

static ALWAYS_INLINE bool
sgd_unorm8_all(const uint32_t v[SGD_WARP], uint32_t lanes, bool ones)
{
   const __m256 one = _mm256_set1_ps(1.0f), zero = _mm256_setzero_ps();
   uint32_t have = 0;

   for (unsigned l = 0; l < SGD_WARP; l += SGD_V8) {
      const __m256 x = sgd_v8_load(v + l);
      const __m256 yes = ones ? _mm256_cmp_ps(x, one, _CMP_GE_OQ)
                              : _mm256_cmp_ps(x, zero, _CMP_NGT_UQ);
      have |= (uint32_t)_mm256_movemask_ps(yes) << l;
   }
   return !(lanes & ~have);
}

/* Sets the padding bits of the active lanes to ones, and keeps all other bits. */
static __attribute__((noinline)) void
sgd_v8_pad(const struct sgd_unorm8 *u, uint32_t lanes)
{
   const uint32_t ones = u->plan->codec.ones & sgd_unorm8_bits(u->plan);
   const bool block = u->quads->block;
   struct sgd_v8_memory m;

   sgd_v8_place(&m, u, lanes, block);
   for (unsigned l = 0; sgd_v8_left(lanes, l, block); l += SGD_V8) {
      const __m256i old = sgd_v8_read(&m, l, block);
      sgd_v8_write(&m, l, block, sgd_v8_merge(ones, old, _mm256_set1_epi32(-1), lanes, l));
   }
}

static ALWAYS_INLINE void
sgd_unorm8_group(const struct sgd_unorm8 *u, uint32_t lanes)
{
   const enum sgd_unorm8_source source = sgd_unorm8_source(u, lanes);

   if (source == SGD_UNORM8_REPLACES) {
      sgd_v8_copy(u, lanes);
      return;
   }
   if (source == SGD_UNORM8_KEEPS) {
      if (u->plan->codec.ones)
         sgd_v8_pad(u, lanes);
      return;
   }
   switch ((enum sgd_blend_form)u->plan->form) {
#define FORM(name, function, rgb_src, rgb_dst, alpha_src, alpha_dst) \
   case SGD_BLEND_##name:                                            \
      sgd_v8_##function(u, lanes);                                   \
      break;
      SGD_BLEND_FORMS(FORM)
#undef FORM
   case SGD_BLEND_ANY:
      sgd_v8_blend(u, lanes);
      break;
   }
}

#endif
