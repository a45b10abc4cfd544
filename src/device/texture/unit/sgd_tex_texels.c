/* SPDX-License-Identifier: MIT */
/*
 * Texture unit: fetches of single texels (TXF) whose lanes all read the same level. Results are the
 * same as those of sgd_tex_query.c. Compiled once for each x86-64 level of the host CPU.
 */
#include "texture/unit/sgd_tex_exec.h"

#ifdef __AVX2__
#include "texture/unit/sgd_tex_words_avx2.h"

#define VECTORS (SGD_WARP / SGD_T8)

/* Maximum size of an axis, so that adding a texel offset to a coordinate can't move a texel from
 * one end of the range of integers to the other.
 */
#define MAX_SIZE (1u << 30)

/* Finds the byte offsets of all lanes' texels. Returns false if an active lane reads outside the
 * level.
 */
static ALWAYS_INLINE bool
locate(const struct sgd_tex_unit *u, const struct sgd_tex_op *op, const struct sgd_source *src0,
       const struct sgd_tex_level *level, const struct sgd_t8_surface *s, uint32_t active,
       __m256i at[VECTORS])
{
   const struct sgpu_tex_target_info *target = &sgpu_tex_target_infos[op->target];
   const unsigned dims = target->coords - (target->array ? 1 : 0);
   const bool buffer = u->type == SGPU_TEXTURE_TYPE_BUFFER;
   const uint64_t size[3] = { buffer ? u->size : (uint64_t)level->width, (uint64_t)level->height,
                              (uint64_t)level->depth };
   __m256i out = _mm256_setzero_si256();

   for (unsigned k = 0; k < VECTORS; k++)
      at[k] = _mm256_setzero_si256();
   for (unsigned a = 0; a < target->coords; a++) {
      const bool layer = a >= dims;
      const uint64_t n = layer ? u->num_layers : size[a];
      const __m256i by = _mm256_set1_epi32(layer ? 0 : op->offset[a]);
      const __m256i last = _mm256_set1_epi32((int32_t)(n - 1));
      if (n > MAX_SIZE)
         return false;
      for (unsigned k = 0; k < VECTORS; k++) {
         const __m256i on = sgd_t8_active(active, k * SGD_T8);
         const __m256i p = _mm256_and_si256(on,
                                            _mm256_add_epi32(sgd_t8_load(src0->c[a] + k * SGD_T8),
                                                             by));
         const __m256i in = _mm256_min_epu32(p, last);
         out = _mm256_or_si256(out, _mm256_xor_si256(p, in));
         at[k] = _mm256_add_epi32(at[k], sgd_t8_offset(s, layer ? 2 : a, in));
      }
   }
   return _mm256_testz_si256(out, out);
}

static ALWAYS_INLINE __m128
sixteen_bytes(const uint8_t *at)
{
   return _mm_loadu_ps((const float *)(const void *)at);
}

/* Loads the words in the mask `need`. words[w] contains word w of each texel. */
static ALWAYS_INLINE void
load_words(const struct sgd_t8_surface *s, unsigned need, const __m256i at[VECTORS],
           __m256i words[4][VECTORS])
{
   const uint8_t *base = s->base;
   if (need & (need - 1) && s->size_log2 == 4) {
      for (unsigned k = 0; k < VECTORS; k++) {
         _Alignas(32) uint32_t o[SGD_T8];
         __m256 p[4], c[4];
         _mm256_store_si256((__m256i *)o, at[k]);
         for (unsigned n = 0; n < 4; n++)
            p[n] = _mm256_set_m128(sixteen_bytes(base + o[n + 4]), sixteen_bytes(base + o[n]));
         sgd_t8_transpose(p, c);
         for (unsigned w = 0; w < 4; w++)
            words[w][k] = _mm256_castps_si256(c[w]);
      }
      return;
   }
   for (unsigned k = 0; k < VECTORS && s->size_log2 < 2; k++)
      words[0][k] = s->size_log2 == 0 ? sgd_t8_eight_words(s, base, 0, at[k])
                                      : sgd_t8_eight_words(s, base, 1, at[k]);
   for (unsigned w = 0; w < 4 && s->size_log2 >= 2; w++) {
      if (!(need >> w & 1))
         continue;
      for (unsigned k = 0; k < VECTORS; k++)
         words[w][k] = sgd_t8_eight_words(s, base + 4 * w, 2, at[k]);
   }
}

/* Stores channel c of fetched words. `form` is a compile-time constant. */
static ALWAYS_INLINE void
store_channel(const struct sgd_t8 *to, const struct sgd_tex_unit *u, const __m256i w[VECTORS],
              unsigned c, enum sgd_tex_word form)
{
   const struct sgd_t8_scaling s = sgd_t8_scaling_of(u, c, !u->integer);
   const struct sgd_t8_place p = sgd_t8_place_of(u, c);
   for (unsigned k = 0; k < VECTORS; k++) {
      __m256 v = sgd_t8_decode(&p, form, w[k]);
      /* Floats are copied, even if they are NaN. */
      if (form != SGD_TEX_WORD_FLOATS && form != SGD_TEX_WORD_UINT && form != SGD_TEX_WORD_SINT)
         v = sgd_t8_scaled(&s, form, v);
      sgd_t8_store(to, c, k * SGD_T8, v, false);
   }
}

bool
sgd_tex_fetch_words(const struct sgd_tex_unit *u, const struct sgd_tex_op *op,
                    const struct sgd_source *src0, const struct sgd_source *src1, uint32_t active,
                    struct sgd_vec *dst)
{
   const struct sgpu_tex_target_info *target = &sgpu_tex_target_infos[op->target];
   const uint32_t n = target->levels ? src1->c[0][__builtin_ctz(active | 1u << 31)] : 0;
   __m256i at[VECTORS], words[4][VECTORS], others = _mm256_setzero_si256();
   struct sgd_t8 to;

   if (!u->texels || target->samples || n >= u->num_levels)
      return false;
   for (unsigned k = 0; target->levels && k < VECTORS; k++) {
      const __m256i level = sgd_t8_load(src1->c[0] + k * SGD_T8);
      const __m256i other = _mm256_xor_si256(level, _mm256_set1_epi32((int32_t)n));
      others = _mm256_or_si256(others, _mm256_and_si256(other, sgd_t8_active(active, k * SGD_T8)));
   }
   const struct sgd_t8_surface s = sgd_t8_surface_of(u, &u->level[n]);
   if (!_mm256_testz_si256(others, others) || !locate(u, op, src0, &u->level[n], &s, active, at))
      return false;
   to.active = active;
   sgd_tex_set_places(to.dst, u, op->mask, dst);
   unsigned need = 0;
   for (unsigned c = 0; c < 4; c++)
      need |= to.dst[c] ? 1u << u->word_index[c] : 0;
   load_words(&s, need, at, words);
   for (unsigned c = 0; c < 4; c++) {
      if (!to.dst[c])
         continue;
      SGD_T8_EACH_FORM(u->word_form[c], store_channel, &to, u, words[u->word_index[c]], c)
   }
   sgd_tex_store_others(u, op->mask, active, dst);
   return true;
}
#endif
