/* SPDX-License-Identifier: MIT */
/*
 * Texture unit: `word` views, i.e. depth with and without comparison, and other formats that have
 * all channels in a single word. Decodes eight lanes at a time, channel by channel. Results are the
 * same as those of sgd_tex_filter.c. Compiled once for each x86-64 level of the host CPU.
 */
#include "texture/unit/sgd_tex_exec.h"

#ifdef __AVX2__
#include "texture/unit/sgd_tex_window_avx2.h"
#include "texture/unit/sgd_tex_words_avx2.h"

#define VECTORS (SGD_WARP / SGD_T8)

/* The words that each lane reads, indexed by tap (see sgd_tex_fetch_block()), and the coordinates
 * of a linear filter.
 */
struct taps {
   __m256i t[VECTORS][4];
   __m256i x[VECTORS], y[VECTORS];
   bool one_row; /* set if the level has a single row, so that both rows of taps are the same */
};

/* -- texels -------------------------------------------------------------------- */

static ALWAYS_INLINE int16_t
load_half(const uint8_t *at)
{
   int16_t half;
   memcpy(&half, at, 2);
   return half;
}

/* Loads the words at the given byte offsets. For 2-byte texels, the high half of each word is 0. */
static ALWAYS_INLINE __m256i
fetch(const struct sgd_t8 *b, unsigned bpe, __m256i offset)
{
   const uint8_t *base = b->base;
   uint32_t o[SGD_T8];
   if (bpe != 2)
      return sgd_t8_fetch(base, b->gather, offset);
   _mm256_storeu_si256((__m256i *)o, offset);
   return _mm256_cvtepu16_epi32(_mm_setr_epi16(load_half(base + o[0]), load_half(base + o[1]),
                                               load_half(base + o[2]), load_half(base + o[3]),
                                               load_half(base + o[4]), load_half(base + o[5]),
                                               load_half(base + o[6]), load_half(base + o[7])));
}

/* Returns the byte offset of the layer that each of the eight lanes starting at l reads. */
static ALWAYS_INLINE __m256i
layers(const struct sgd_t8 *b, unsigned l)
{
   if (!b->z)
      return _mm256_setzero_si256();
   return _mm256_mullo_epi32(sgd_t8_load(b->z + l), _mm256_set1_epi32((int32_t)b->layer_stride));
}

static ALWAYS_INLINE void
fetch_lanes(const struct sgd_t8 *b, const struct sgd_tex_unit *u, struct taps *t)
{
   const unsigned bpe = u->bpe;
   for (unsigned k = 0; k < VECTORS; k++) {
      const struct sgd_t8_taps x = sgd_t8_linear(&b->x, t->x[k], b->pitch, u->tiled, false);
      const struct sgd_t8_taps y = sgd_t8_linear(&b->y, t->y[k], b->pitch, u->tiled, true);
      const __m256i z = layers(b, k * SGD_T8);
      const __m256i x0 = _mm256_add_epi32(sgd_t8_in_bytes(bpe, x.first), z);
      const __m256i x1 = _mm256_add_epi32(sgd_t8_in_bytes(bpe, x.second), z);
      const __m256i y0 = sgd_t8_in_bytes(bpe, y.first), y1 = sgd_t8_in_bytes(bpe, y.second);
      t->t[k][0] = fetch(b, bpe, _mm256_add_epi32(y0, x0));
      t->t[k][1] = fetch(b, bpe, _mm256_add_epi32(y0, x1));
      if (t->one_row) {
         t->t[k][2] = t->t[k][0];
         t->t[k][3] = t->t[k][1];
         continue;
      }
      t->t[k][2] = fetch(b, bpe, _mm256_add_epi32(y1, x0));
      t->t[k][3] = fetch(b, bpe, _mm256_add_epi32(y1, x1));
   }
}

/* Loads all taps from a window (sgd_tex_window_avx2.h). */
static ALWAYS_INLINE void
take_window(const struct sgd_t8_window *w, struct taps *t)
{
   for (unsigned k = 0; k < VECTORS; k++) {
      const uint16_t *place = w->place + (k / 2) * 16 + (k & 1) * 4;
      __m256 p[4], c[4];
      for (unsigned n = 0; n < 4; n++) {
         const __m128i low = _mm_loadu_si128((const __m128i *)(w->at[0] + place[n]));
         const __m128i high = _mm_loadu_si128((const __m128i *)(w->at[0] + place[n + 8]));
         const __m256i both = _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
         p[n] = _mm256_castsi256_ps(sgd_t8_signed(both));
      }
      /* Windows store the two texels of a column next to each other, but taps are in row order. */
      sgd_t8_transpose(p, c);
      t->t[k][0] = _mm256_castps_si256(c[0]);
      t->t[k][1] = _mm256_castps_si256(c[2]);
      t->t[k][2] = _mm256_castps_si256(c[1]);
      t->t[k][3] = _mm256_castps_si256(c[3]);
   }
}

/* Fetches all taps through a window. Returns false without doing anything if the texels don't fit
 * in a window. For float formats the window must be exact, since a texel with weight 0 must not be
 * replaced with a texel that could be an infinity.
 */
static ATTRIBUTE_NOINLINE bool
fetch_window(const struct sgd_t8 *b, const struct sgd_tex_unit *u, struct taps *t)
{
   const struct sgd_t8_level n = sgd_t8_level_of(b);
   const bool exact = u->word == SGD_TEX_WORD_FLOATS || u->word == SGD_TEX_WORD_HALVES;
   struct sgd_t8_window w;
   const struct sgd_t8_box box = sgd_t8_find_box(t->x, t->y);
   if (!sgd_t8_window_fill(&n, t->x, t->y, &box, true, exact, &w)) {
      __m256i x[VECTORS], y[VECTORS];
      if (exact || !sgd_t8_is_across(&n, &box))
         return false;
      const struct sgd_t8_box folded = sgd_t8_fold_box(&n, t->x, t->y, x, y);
      if (!sgd_t8_window_fill(&n, x, y, &folded, true, false, &w))
         return false;
   }
   take_window(&w, t);
   return true;
}

static ALWAYS_INLINE void
fetch_linear(const struct sgd_t8 *b, const struct sgd_tex_unit *u, struct taps *t)
{
   for (unsigned k = 0; k < VECTORS; k++) {
      t->x[k] = sgd_t8_fixed(&b->x, _mm256_loadu_ps(b->x.s + k * SGD_T8));
      t->y[k] = sgd_t8_fixed(&b->y, _mm256_loadu_ps(b->y.s + k * SGD_T8));
   }
   if (unlikely(b->active != ~0u)) {
      sgd_t8_move_inactive(b->active, t->x);
      sgd_t8_move_inactive(b->active, t->y);
   }
   /* Windows are faster than single loads. They have not been compared with gathers, so they are
    * not used on hosts with fast gathers.
    */
   if (u->bpe == 4 && u->tiled && !b->z && !b->gather && !t->one_row && fetch_window(b, u, t))
      return;
   fetch_lanes(b, u, t);
}

static ALWAYS_INLINE void
fetch_nearest(const struct sgd_t8 *b, const struct sgd_tex_unit *u, struct taps *t)
{
   for (unsigned k = 0; k < VECTORS; k++) {
      const __m256i i = sgd_t8_nearest(&b->x, _mm256_loadu_ps(b->x.s + k * SGD_T8));
      const __m256i j = sgd_t8_nearest(&b->y, _mm256_loadu_ps(b->y.s + k * SGD_T8));
      const __m256i words = _mm256_add_epi32(sgd_t8_column(i, u->tiled),
                                             sgd_t8_row(j, b->pitch, u->tiled));
      const __m256i offset = _mm256_add_epi32(sgd_t8_in_bytes(u->bpe, words),
                                              layers(b, k * SGD_T8));
      t->t[k][0] = fetch(b, u->bpe, offset);
   }
}

/* -- channels ------------------------------------------------------------------ */

/* Filters and stores channel c of all lanes. `kind` and `linear` are compile-time constants. */
static ALWAYS_INLINE void
channel(const struct sgd_t8 *b, const struct sgd_tex_unit *u, const struct taps *t, unsigned c,
        bool is_scaled, enum sgd_tex_word kind, bool linear)
{
   const struct sgd_t8_scaling s = sgd_t8_scaling_of(u, c, is_scaled);
   const struct sgd_t8_place p = sgd_t8_place_of(u, c);
   for (unsigned k = 0; k < VECTORS; k++) {
      const __m256i *w = t->t[k];
      __m256 v = sgd_t8_decode(&p, kind, w[0]);
      if (linear) {
         const __m256 fx = sgd_t8_fraction(t->x[k]);
         const __m256 upper = sgd_t8_lerp(v, sgd_t8_decode(&p, kind, w[1]), fx);
         __m256 lower = upper;
         if (!t->one_row)
            lower = sgd_t8_lerp(sgd_t8_decode(&p, kind, w[2]), sgd_t8_decode(&p, kind, w[3]), fx);
         v = sgd_t8_lerp(upper, lower, sgd_t8_fraction(t->y[k]));
      }
      sgd_t8_store(b, c, k * SGD_T8, sgd_t8_scaled(&s, kind, v), false);
   }
}

/* -- comparison ---------------------------------------------------------------- */

#define COMPARE(op)                                                           \
   for (unsigned n = 0; n < count; n++)                                       \
      pass[n] = _mm256_castps_si256(_mm256_cmp_ps(ref, depth[n], _CMP_##op)); \
   break

static ALWAYS_INLINE void
compare_taps(enum sgpu_compare func, __m256 ref, const __m256 *depth, unsigned count, __m256i *pass)
{
   switch (func) {
   case SGPU_COMPARE_LESS:
      COMPARE(LT_OQ);
   case SGPU_COMPARE_EQUAL:
      COMPARE(EQ_OQ);
   case SGPU_COMPARE_LEQUAL:
      COMPARE(LE_OQ);
   case SGPU_COMPARE_GREATER:
      COMPARE(GT_OQ);
   case SGPU_COMPARE_NOTEQUAL:
      COMPARE(NEQ_UQ);
   case SGPU_COMPARE_GEQUAL:
      COMPARE(GE_OQ);
   case SGPU_COMPARE_ALWAYS:
      COMPARE(TRUE_UQ);
   default:
      COMPARE(FALSE_OQ);
   }
}

/* Returns the sum of the weights of all taps that pass the comparison, in units of 2^-16. */
static ALWAYS_INLINE __m256i
share(const __m256i pass[4], __m256i x, __m256i y)
{
   const __m256i one = _mm256_set1_epi32(256), byte = _mm256_set1_epi32(255);
   const __m256i x1 = _mm256_and_si256(x, byte), x0 = _mm256_sub_epi32(one, x1);
   const __m256i y1 = _mm256_and_si256(y, byte), y0 = _mm256_sub_epi32(one, y1);
   const __m256i upper = _mm256_add_epi32(_mm256_and_si256(pass[0], x0),
                                          _mm256_and_si256(pass[1], x1));
   const __m256i lower = _mm256_add_epi32(_mm256_and_si256(pass[2], x0),
                                          _mm256_and_si256(pass[3], x1));
   return _mm256_madd_epi16(_mm256_or_si256(upper, _mm256_slli_epi32(lower, 16)),
                            _mm256_or_si256(y0, _mm256_slli_epi32(y1, 16)));
}

/* Stores the result of a comparison to the destination of the main channel. The result has 16
 * fractional bits, so the order of the additions doesn't matter. `kind` and `linear` are
 * compile-time constants.
 */
static ALWAYS_INLINE void
compare(const struct sgd_t8 *b, const struct sgd_tex_unit *u, const struct taps *t,
        const struct sgd_tex_reference *r, enum sgd_tex_word kind, bool linear)
{
   const struct sgd_t8_place p = sgd_t8_place_of(u, u->main_channel);
   const struct sgd_t8_scaling s = sgd_t8_scaling_of(u, u->main_channel, true);
   const unsigned count = linear ? 4 : 1;
   for (unsigned k = 0; k < VECTORS; k++) {
      __m256 ref = _mm256_loadu_ps(r->v + k * SGD_T8), depth[4];
      __m256i pass[4];
      /* NaN becomes 0, since the instruction returns its second operand. */
      if (u->clamp_ref)
         ref = _mm256_min_ps(_mm256_max_ps(ref, _mm256_setzero_ps()), _mm256_set1_ps(1.0f));
      for (unsigned n = 0; n < count; n++)
         depth[n] = sgd_t8_scaled(&s, kind, sgd_t8_decode(&p, kind, t->t[k][n]));
      compare_taps(r->func, ref, depth, count, pass);
      const __m256i sum = linear ? share(pass, t->x[k], t->y[k])
                                 : _mm256_and_si256(pass[0], _mm256_set1_epi32(1 << 16));
      const __m256 v = _mm256_mul_ps(_mm256_cvtepi32_ps(sum), _mm256_set1_ps(0x1p-16f));
      sgd_t8_store(b, u->main_channel, k * SGD_T8, v, false);
   }
}

/* -- filters ------------------------------------------------------------------- */

/* If all active lanes read the same layer, adds the offset of this layer to the base address. */
static ALWAYS_INLINE void
find_layer(const struct sgd_tex_level *level, struct sgd_t8 *b)
{
   const int32_t z = b->z[__builtin_ctz(b->active | 1u << 31)];
   __m256i others = _mm256_setzero_si256();
   for (unsigned l = 0; l < SGD_WARP; l += SGD_T8) {
      const __m256i other = _mm256_xor_si256(sgd_t8_load(b->z + l), _mm256_set1_epi32(z));
      others = _mm256_or_si256(others, _mm256_and_si256(other, sgd_t8_active(b->active, l)));
   }
   if (_mm256_testz_si256(others, others)) {
      b->base += (uint64_t)z * level->layer_stride;
      b->z = NULL;
   }
}

/* Stores the channels, or the result of the comparison. `kind` and `linear` are compile-time
 * constants.
 */
static ALWAYS_INLINE void
results(const struct sgd_t8 *b, const struct sgd_tex_unit *u, const struct taps *t,
        const struct sgd_tex_reference *r, bool is_scaled, enum sgd_tex_word kind, bool linear)
{
   if (r) {
      compare(b, u, t, r, kind, linear);
      return;
   }
   for (unsigned c = 0; c < 4; c++) {
      if (b->dst[c])
         channel(b, u, t, c, is_scaled, kind, linear);
   }
}

static ALWAYS_INLINE void
all_results(const struct sgd_t8 *b, const struct sgd_tex_unit *u, const struct taps *t,
            const struct sgd_tex_reference *r, bool is_scaled, bool linear)
{
   switch ((enum sgd_tex_word)u->word) {
   case SGD_TEX_WORD_CODES:
      results(b, u, t, r, is_scaled, SGD_TEX_WORD_CODES, linear);
      break;
   case SGD_TEX_WORD_LONG:
      results(b, u, t, r, is_scaled, SGD_TEX_WORD_LONG, linear);
      break;
   case SGD_TEX_WORD_SIGNED:
      results(b, u, t, r, is_scaled, SGD_TEX_WORD_SIGNED, linear);
      break;
   case SGD_TEX_WORD_HALVES:
      results(b, u, t, r, is_scaled, SGD_TEX_WORD_HALVES, linear);
      break;
   case SGD_TEX_WORD_SHARED:
      results(b, u, t, r, is_scaled, SGD_TEX_WORD_SHARED, linear);
      break;
   default:
      results(b, u, t, r, is_scaled, SGD_TEX_WORD_FLOATS, linear);
      break;
   }
}

void
sgd_tex_word_filter(const struct sgd_tex_bytes *from, const struct sgd_tex_reference *r,
                    bool linear, bool is_scaled)
{
   const struct sgd_tex_unit *u = from->unit;
   struct sgd_t8 b;
   struct taps t;

   sgd_t8_init(&b, from, linear ? 256.0f : 1.0f, linear ? 0.5f : 0.0f, 1.0f);
   b.pitch = sgd_t8_pitch_of_words(u->bpe, b.pitch);
   if (b.z)
      find_layer(from->level, &b);
   t.one_row = b.y.last == 0;
   if (linear) {
      fetch_linear(&b, u, &t);
      all_results(&b, u, &t, r, is_scaled, true);
   } else {
      fetch_nearest(&b, u, &t);
      all_results(&b, u, &t, r, is_scaled, false);
   }
}
#endif
