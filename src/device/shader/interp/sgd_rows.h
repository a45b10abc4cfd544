/* SPDX-License-Identifier: MIT */
/*
 * Shader core: loads of four words at another address for each lane.
 */
#ifndef SGD_ROWS_H
#define SGD_ROWS_H

#include "common/sgd_constants.h"
#include "shader/interp/sgd_exec.h"
#include "util/macros.h"

/* The four words that each lane reads. */
struct sgd_rows {
   const uint8_t *row[SGD_WARP]; /* address of the words, a multiple of 4 */
   /* words of lanes whose words are not contiguous, or partly out of bounds */
   uint32_t copy[SGD_WARP][4];
};

/* Sets a lane's row to the words from byte `at` of a bank on, a multiple of 4. Only the first `bytes`
 * bytes will be read. Words outside the bank are 0.
 */
static inline void
sgd_row_set(struct sgd_rows *rows, unsigned lane, const struct sgd_bank *bank, uint32_t at,
            unsigned bytes)
{
   const uint32_t line = (1u << bank->line_log2) - 1;
   if ((uint64_t)at + bytes <= bank->size &&
       (!bank->line_log2 || (at & line) + bytes <= line + 1)) {
      rows->row[lane] = sgd_bank_byte(bank, at);
      return;
   }
   for (unsigned c = 0; 4 * c < bytes; c++)
      rows->copy[lane][c] = sgd_bank_word(bank, (uint64_t)at + 4 * c);
   rows->row[lane] = (const uint8_t *)rows->copy[lane];
}

/* Sets the rows to constants index[lane] of a bank, which must be complete there. */
static inline void
sgd_rows_set_constants(struct sgd_rows *rows, const struct sgd_bank *bank, const uint32_t *index)
{
   if (!bank->line_log2) {
      for (unsigned l = 0; l < SGD_WARP; l++)
         rows->row[l] = bank->ptr + 16 * (size_t)index[l];
      return;
   }
   const uint8_t *const *line = bank->version->line;
   const unsigned shift = bank->line_log2 - 4u;
   const uint32_t mask = (1u << shift) - 1;
   for (unsigned l = 0; l < SGD_WARP; l++)
      rows->row[l] = line[index[l] >> shift] + 16 * (index[l] & mask);
}

/* Loads word `comp` of each row. */
static inline void
sgd_rows_load(const struct sgd_rows *rows, unsigned comp, uint32_t *to)
{
   for (unsigned l = 0; l < SGD_WARP; l++)
      memcpy(&to[l], rows->row[l] + 4 * comp, 4);
}

#ifdef __AVX2__
/* Stores the four words at each of eight addresses, word n to to[n][lane] and the following ones. */
static ALWAYS_INLINE void
sgd_rows_transpose(const uint8_t *const row[8], uint32_t *const to[4], unsigned lane)
{
   __m256 v[4];
   for (unsigned k = 0; k < 4; k++)
      v[k] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps((const float *)row[k])),
                                  _mm_loadu_ps((const float *)row[4 + k]), 1);
   const __m256 xy01 = _mm256_unpacklo_ps(v[0], v[1]), zw01 = _mm256_unpackhi_ps(v[0], v[1]);
   const __m256 xy23 = _mm256_unpacklo_ps(v[2], v[3]), zw23 = _mm256_unpackhi_ps(v[2], v[3]);
   _mm256_store_ps((float *)to[0] + lane, _mm256_shuffle_ps(xy01, xy23, 0x44));
   _mm256_store_ps((float *)to[1] + lane, _mm256_shuffle_ps(xy01, xy23, 0xee));
   _mm256_store_ps((float *)to[2] + lane, _mm256_shuffle_ps(zw01, zw23, 0x44));
   _mm256_store_ps((float *)to[3] + lane, _mm256_shuffle_ps(zw01, zw23, 0xee));
}
#endif

/* Loads all words of each row, word n to to[n]. */
static inline void
sgd_rows_load_all(const struct sgd_rows *rows, uint32_t *const to[4])
{
#ifdef __AVX2__
   for (unsigned l = 0; l < SGD_WARP; l += 8)
      sgd_rows_transpose(rows->row + l, to, l);
#else
   for (unsigned comp = 0; comp < 4; comp++)
      sgd_rows_load(rows, comp, to[comp]);
#endif
}

/* Loads the four words from byte at[l] of contiguous memory on, word n to to[n][l]. */
static inline void
sgd_rows_load_all_at(const uint8_t *base, const uint32_t *at, uint32_t *const to[4])
{
#ifdef __AVX2__
   for (unsigned l = 0; l < SGD_WARP; l += 8) {
      const uint8_t *const row[8] = {
         base + at[l],     base + at[l + 1], base + at[l + 2], base + at[l + 3],
         base + at[l + 4], base + at[l + 5], base + at[l + 6], base + at[l + 7],
      };
      sgd_rows_transpose(row, to, l);
   }
#else
   for (unsigned comp = 0; comp < 4; comp++) {
      for (unsigned l = 0; l < SGD_WARP; l++)
         memcpy(&to[comp][l], base + at[l] + 4 * comp, 4);
   }
#endif
}

/* Loads the word at byte at[l] of contiguous memory. */
static inline void
sgd_words_load_at(const uint8_t *base, const uint32_t *at, uint32_t *to)
{
   for (unsigned l = 0; l < SGD_WARP; l++)
      memcpy(&to[l], base + at[l], 4);
}

/* Returns true if all lanes in `mask` have the same value as lane `first`. */
static inline bool
sgd_same_words(const uint32_t *lanes, uint32_t mask, unsigned first)
{
   uint32_t differ = 0;
   SGD_EACH_LANE(l) {
      differ |= sgd_select(mask & sgd_lane_bit[l], lanes[l] ^ lanes[first], 0);
   }
   return differ == 0;
}

/* Returns the largest word of the lanes. */
static inline uint32_t
sgd_largest_word(const uint32_t *lanes)
{
   uint32_t last = 0;
   SGD_EACH_LANE(l) {
      last = MAX2(last, lanes[l]);
   }
   return last;
}

/* Loads the byte addresses of an instruction with one optional address operand, rounded down to
 * multiples of 4.
 */
static inline void
sgd_load_addresses(const struct sgd_warp *w, const struct sgd_ins *i, uint32_t *at)
{
   const struct sgpu_instr *instr = sgd_instr(w, i);
   if (instr->src[0].file == SGPU_FILE_NONE) {
      SGD_EACH_LANE(l) {
         at[l] = instr->offset & ~3u;
      }
      return;
   }
   const uint32_t *base = sgd_lanes(w->file, i->comp[0].a);
   SGD_EACH_LANE(l) {
      at[l] = (base[l] + instr->offset) & ~3u;
   }
}

#endif
