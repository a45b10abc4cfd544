/* SPDX-License-Identifier: MIT */
/*
 * Shader core: scratch memory. Each lane has its own; the 32 words at the same address are
 * neighbours, like those of a register component, so that an address that all lanes have in common
 * is one vector.
 *
 * Addresses and bounds are those of sgd_memory.c. The translator turns accesses at constant
 * addresses into register accesses (sgd_regions.c).
 */
#include "common/sgd_observe.h"
#include "shader/interp/sgd_exec.h"
#include "shader/interp/sgd_rows.h"
#include "shader/interp/sgd_shader_observe.h"
#include "util/macros.h"

static inline uint32_t
num_words(const struct sgd_warp *w)
{
   return w->shader->scratch_size / 4;
}

/* Loads words word[l] + dcomp[n] of each lane l, or 0 where they are out of bounds. */
static void
gather(const struct sgd_warp *w, const struct sgd_ins *i, const uint32_t *word, uint8_t *dst)
{
   const uint32_t size = num_words(w);
#ifdef __AVX2__
   /* Indices and sizes are less than 2^31, so that signed comparisons serve. */
   const __m256i limit = _mm256_set1_epi32((int)size);
   const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
   for (unsigned l = 0; l < SGD_WARP; l += 8) {
      const __m256i at = _mm256_load_si256((const __m256i *)(word + l));
      const __m256i index = _mm256_add_epi32(_mm256_slli_epi32(at, 5), lanes);
      for (unsigned n = 0; n < i->num_comps; n++) {
         const unsigned plus = i->dcomp[n];
         const __m256i last = _mm256_sub_epi32(limit, _mm256_set1_epi32((int)plus));
         const __m256i value = _mm256_mask_i32gather_epi32(_mm256_setzero_si256(),
                                                           (const int *)(w->scratch +
                                                                         SGD_WARP * plus + l),
                                                           index, _mm256_cmpgt_epi32(last, at), 4);
         _mm256_store_si256((__m256i *)(sgd_lanes(dst, i->comp[n].d) + l), value);
      }
   }
#else
   for (unsigned n = 0; n < i->num_comps; n++) {
      uint32_t *to = sgd_lanes(dst, i->comp[n].d);
      for (unsigned l = 0; l < SGD_WARP; l++) {
         const uint32_t at = word[l] + i->dcomp[n];
         to[l] = at < size ? w->scratch[(size_t)SGD_WARP * at + l] : 0;
      }
   }
#endif
}

void
sgd_load_local(struct sgd_warp *w, const struct sgd_ins *i, uint8_t *dst, uint32_t mask)
{
   const uint32_t size = num_words(w);
   /* The result may overwrite the register that the addresses are in. */
   _Alignas(64) uint32_t word[SGD_WARP];

   sgd_load_addresses(w, i, word);
   SGD_EACH_LANE(l) {
      word[l] /= 4;
   }
   const unsigned first = (unsigned)__builtin_ctz(mask);
   if (!sgd_same_words(word, mask, first)) {
      gather(w, i, word, dst);
      return;
   }
   for (unsigned n = 0; n < i->num_comps; n++) {
      const uint32_t at = word[first] + i->dcomp[n];
      uint32_t *to = sgd_lanes(dst, i->comp[n].d);
      if (at < size)
         memcpy(to, &w->scratch[(size_t)SGD_WARP * at], sizeof(uint32_t[SGD_WARP]));
      else
         memset(to, 0, sizeof(uint32_t[SGD_WARP]));
   }
}

static void
store_row(uint32_t *to, const uint32_t *from, uint32_t mask)
{
   if (mask == ~0u) {
      memcpy(to, from, sizeof(uint32_t[SGD_WARP]));
      return;
   }
   SGD_EACH_LANE(l) {
      to[l] = sgd_select(mask & sgd_lane_bit[l], from[l], to[l]);
   }
}

static ALWAYS_INLINE void
scatter_words(uint32_t *scratch, const uint32_t *word, const uint32_t *const from[4],
              const unsigned comp[4], const unsigned num)
{
   for (unsigned l = 0; l < SGD_WARP; l++) {
      uint32_t *to = scratch + (size_t)SGD_WARP * word[l] + l;
      for (unsigned n = 0; n < num; n++)
         to[SGD_WARP * comp[n]] = from[n][l];
   }
}

/* Stores `num` words of each lane, which are all in bounds. */
static void
scatter_all(uint32_t *scratch, const uint32_t *word, const uint32_t *const from[4],
            const unsigned comp[4], unsigned num)
{
   switch (num) {
   case 1:
      scatter_words(scratch, word, from, comp, 1);
      break;
   case 2:
      scatter_words(scratch, word, from, comp, 2);
      break;
   case 3:
      scatter_words(scratch, word, from, comp, 3);
      break;
   default:
      scatter_words(scratch, word, from, comp, 4);
      break;
   }
}

/* Stores to word word[l] and the following ones of each lane l. */
static void
scatter(struct sgd_warp *w, const struct sgd_ins *i, const uint32_t *word, uint32_t mask)
{
   const uint32_t size = num_words(w);
   const uint32_t *from[4];
   unsigned comp[4], num = 0, most = 0;
   for (unsigned c = 0; c < 4; c++) {
      if (!(i->mask & (1 << c)))
         continue;
      from[num] = sgd_lanes(w->file, i->comp[c].b);
      comp[num++] = most = c;
   }
   if (mask == ~0u && sgd_largest_word(word) + most < size) {
      scatter_all(w->scratch, word, from, comp, num);
      return;
   }
   for (uint32_t left = mask; left; left &= left - 1) {
      const unsigned l = (unsigned)__builtin_ctz(left);
      uint32_t *to = w->scratch + (size_t)SGD_WARP * word[l] + l;
      for (unsigned n = 0; n < num; n++) {
         if (word[l] + comp[n] < size)
            to[SGD_WARP * comp[n]] = from[n][l];
      }
   }
}

void
sgd_store_local(struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask)
{
   const uint32_t size = num_words(w);
   if (i->flags & SGD_INS_LOAD)
      sgd_load_operands(w, i);
   if (SGD_OBSERVED_LEVEL)
      sgd_shader_observe_memory(w, i, mask);

   _Alignas(64) uint32_t word[SGD_WARP];
   const unsigned first = (unsigned)__builtin_ctz(mask);
   sgd_load_addresses(w, i, word);
   SGD_EACH_LANE(l) {
      word[l] /= 4;
   }
   if (!sgd_same_words(word, mask, first)) {
      scatter(w, i, word, mask);
      return;
   }
   for (unsigned c = 0; c < 4; c++) {
      const uint32_t at = word[first] + c;
      if ((i->mask & (1 << c)) && at < size)
         store_row(&w->scratch[(size_t)SGD_WARP * at], sgd_lanes(w->file, i->comp[c].b), mask);
   }
}
