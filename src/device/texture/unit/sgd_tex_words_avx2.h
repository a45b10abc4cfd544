/* SPDX-License-Identifier: MIT */
/*
 * Texture unit: texels as 32-bit words with AVX2, eight lanes at a time. Loads words, and decodes,
 * interpolates and scales their channels, for the paths `word` and `volume` and for TXF.
 */
#ifndef SGD_TEX_WORDS_AVX2_H
#define SGD_TEX_WORDS_AVX2_H

#include "texture/unit/sgd_tex_lanes_avx2.h"

/* -- texels -------------------------------------------------------------------- */

/* Addresses of the texels of a level. */
struct sgd_t8_surface {
   const uint8_t *base;
   bool gather, tiled;
   unsigned size_log2; /* log2 of the size of a texel in bytes */
   uint32_t pitch, slice;
};

static ALWAYS_INLINE struct sgd_t8_surface
sgd_t8_surface_of(const struct sgd_tex_unit *u, const struct sgd_tex_level *level)
{
   return (struct sgd_t8_surface){
      .base = level->base,
      .gather = u->gather,
      .tiled = u->tiled,
      .size_log2 = (unsigned)__builtin_ctz(u->bpe),
      .pitch = level->pitch,
      .slice = (uint32_t)level->layer_stride,
   };
}

/* Returns the byte offsets of texels along axis n (0 to 2). */
static ALWAYS_INLINE __m256i
sgd_t8_offset(const struct sgd_t8_surface *s, unsigned n, __m256i i)
{
   const __m128i size = _mm_cvtsi32_si128((int32_t)s->size_log2);
   const __m256i pitch = _mm256_set1_epi32((int32_t)s->pitch);
   if (n == 0)
      return _mm256_sll_epi32(_mm256_srli_epi32(sgd_t8_column(i, s->tiled), 2), size);
   if (n == 2)
      return _mm256_mullo_epi32(i, _mm256_set1_epi32((int32_t)s->slice));
   if (!s->tiled)
      return _mm256_mullo_epi32(i, pitch);
   return _mm256_add_epi32(_mm256_mullo_epi32(_mm256_srli_epi32(i, 2), pitch),
                           _mm256_sll_epi32(sgd_t8_pick(0, 2, 16, 18, i), size));
}

static ALWAYS_INLINE uint32_t
sgd_t8_load_word(const uint8_t *at, unsigned size_log2)
{
   uint32_t word = 0;
   memcpy(&word, at, size_log2 == 0 ? 1 : size_log2 == 1 ? 2 : 4);
   return word;
}

/* Loads four words at the given byte offsets. `size_log2` is a compile-time constant. */
static ALWAYS_INLINE __m128i
sgd_t8_four_words(const uint8_t *base, unsigned size_log2, const uint32_t o[4])
{
   return _mm_setr_epi32((int32_t)sgd_t8_load_word(base + o[0], size_log2),
                         (int32_t)sgd_t8_load_word(base + o[1], size_log2),
                         (int32_t)sgd_t8_load_word(base + o[2], size_log2),
                         (int32_t)sgd_t8_load_word(base + o[3], size_log2));
}

/* Loads eight words at the given byte offsets. `size_log2` is a compile-time constant. */
static ALWAYS_INLINE __m256i
sgd_t8_eight_words(const struct sgd_t8_surface *s, const uint8_t *base, unsigned size_log2,
                   __m256i offsets)
{
   if (size_log2 >= 2)
      return sgd_t8_fetch(base, s->gather, offsets);
   _Alignas(32) uint32_t o[SGD_T8];
   _mm256_store_si256((__m256i *)o, offsets);
   __asm__("" : "+m"(o));
   return _mm256_set_m128i(sgd_t8_four_words(base, size_log2, o + 4),
                           sgd_t8_four_words(base, size_log2, o));
}

/* -- channels ------------------------------------------------------------------ */

/* Shifts and mask that extract a channel from a word. `half` is the shift that converts the
 * channel's code to a half float.
 */
struct sgd_t8_place {
   __m128i shift, up, down, half;
   __m256i mask;
};

static ALWAYS_INLINE struct sgd_t8_place
sgd_t8_place_of(const struct sgd_tex_unit *u, unsigned c)
{
   const int32_t shift = u->word_shift[c], bits = u->word_bits[c];
   return (struct sgd_t8_place){
      .shift = _mm_cvtsi32_si128(shift),
      .up = _mm_cvtsi32_si128(32 - shift - bits),
      .down = _mm_cvtsi32_si128(32 - bits),
      .half = _mm_cvtsi32_si128(bits < 15 ? 15 - bits : 0),
      .mask = _mm256_srl_epi32(_mm256_set1_epi32(-1), _mm_cvtsi32_si128(32 - bits)),
   };
}

static ALWAYS_INLINE __m256i
sgd_t8_code(const struct sgd_t8_place *p, __m256i word)
{
   return _mm256_and_si256(_mm256_srl_epi32(word, p->shift), p->mask);
}

/* Decodes a channel as sgd_tex_decode() does, except for NaN. `kind` is a compile-time constant. */
static ALWAYS_INLINE __m256
sgd_t8_decode(const struct sgd_t8_place *p, enum sgd_tex_word kind, __m256i word)
{
   if (kind == SGD_TEX_WORD_FLOATS)
      return _mm256_castsi256_ps(word);
   if (kind == SGD_TEX_WORD_UINT)
      return _mm256_castsi256_ps(sgd_t8_code(p, word));
   if (kind == SGD_TEX_WORD_SINT)
      return _mm256_castsi256_ps(_mm256_sra_epi32(_mm256_sll_epi32(word, p->up), p->down));
   if (kind == SGD_TEX_WORD_LONG) {
      /* same as sgpu_u2f() */
      const __m256i low = _mm256_and_si256(word, _mm256_set1_epi32(0xffff));
      const __m256 high = _mm256_cvtepi32_ps(_mm256_srli_epi32(word, 16));
      return _mm256_add_ps(_mm256_mul_ps(high, _mm256_set1_ps(65536.0f)), _mm256_cvtepi32_ps(low));
   }
   if (kind == SGD_TEX_WORD_SIGNED) {
      const __m256i i = _mm256_sra_epi32(_mm256_sll_epi32(word, p->up), p->down);
      /* -(mask >> 1) */
      const __m256i low = _mm256_sub_epi32(_mm256_setzero_si256(), _mm256_srli_epi32(p->mask, 1));
      return _mm256_cvtepi32_ps(_mm256_max_epi32(i, low));
   }
   if (kind == SGD_TEX_WORD_CODES)
      return _mm256_cvtepi32_ps(sgd_t8_code(p, word));
   if (kind == SGD_TEX_WORD_SHARED) {
      /* The exponent has a bias of 15, and the point is left of the 9 bits. */
      const __m256i e = _mm256_add_epi32(_mm256_srli_epi32(word, 27),
                                         _mm256_set1_epi32(127 - 15 - 9));
      return _mm256_mul_ps(_mm256_cvtepi32_ps(sgd_t8_code(p, word)),
                           _mm256_castsi256_ps(_mm256_slli_epi32(e, 23)));
   }
   /* Small unsigned floats have a 5-bit exponent, like half floats. */
   const __m256i half = _mm256_sll_epi32(sgd_t8_code(p, word), p->half);
   return _mm256_cvtph_ps(
      _mm_packus_epi32(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1)));
}

/* Returns a + f * (b - a). */
static ALWAYS_INLINE __m256
sgd_t8_lerp(__m256 a, __m256 b, __m256 f)
{
   return _mm256_add_ps(a, _mm256_mul_ps(f, _mm256_sub_ps(b, a)));
}

static ALWAYS_INLINE __m256
sgd_t8_fraction(__m256i fixed)
{
   const __m256i f = _mm256_and_si256(fixed, _mm256_set1_epi32(255));
   return _mm256_mul_ps(_mm256_cvtepi32_ps(f), _mm256_set1_ps(0x1p-8f));
}

/* Factor or divisor that scales a channel. */
struct sgd_t8_scaling {
   bool divide;
   __m256 by;
};

static ALWAYS_INLINE struct sgd_t8_scaling
sgd_t8_scaling_of(const struct sgd_tex_unit *u, unsigned c, bool is_scaled)
{
   const struct sgd_tex_channel *ch = &u->channel[c];
   return (struct sgd_t8_scaling){ is_scaled && ch->divide,
                                   _mm256_set1_ps(is_scaled ? ch->scale : 1.0f) };
}

/* Scales codes. In float formats, replaces NaNs with the canonical NaN instead. */
static ALWAYS_INLINE __m256
sgd_t8_scaled(const struct sgd_t8_scaling *s, enum sgd_tex_word kind, __m256 v)
{
   const __m256 nan = _mm256_castsi256_ps(_mm256_set1_epi32(SGPU_FP_NAN_BITS));
   if (kind == SGD_TEX_WORD_FLOATS || kind == SGD_TEX_WORD_HALVES)
      return _mm256_blendv_ps(v, nan, _mm256_cmp_ps(v, v, _CMP_UNORD_Q));
   if (kind == SGD_TEX_WORD_SHARED)
      return v;
   return s->divide ? _mm256_div_ps(v, s->by) : _mm256_mul_ps(v, s->by);
}

#define SGD_T8_FORM_CASE(F, function, ...)     \
   case SGD_TEX_WORD_##F:                      \
      function(__VA_ARGS__, SGD_TEX_WORD_##F); \
      break;
/* Calls function(arguments, form) with a constant form. */
#define SGD_T8_EACH_FORM(form, ...)         \
   switch ((enum sgd_tex_word)(form)) {     \
      SGD_T8_FORM_CASE(CODES, __VA_ARGS__)  \
      SGD_T8_FORM_CASE(LONG, __VA_ARGS__)   \
      SGD_T8_FORM_CASE(SIGNED, __VA_ARGS__) \
      SGD_T8_FORM_CASE(HALVES, __VA_ARGS__) \
      SGD_T8_FORM_CASE(FLOATS, __VA_ARGS__) \
      SGD_T8_FORM_CASE(SHARED, __VA_ARGS__) \
      SGD_T8_FORM_CASE(UINT, __VA_ARGS__)   \
      SGD_T8_FORM_CASE(SINT, __VA_ARGS__)   \
   case SGD_TEX_WORD_NONE:                  \
      break;                                \
   }

#endif
