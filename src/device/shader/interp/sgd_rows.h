/* SPDX-License-Identifier: MIT */
/*
 * Shader core: loads of four words at another address for each lane.
 */
#ifndef SGD_ROWS_H
#define SGD_ROWS_H

#include "common/sgd_constants.h"
#include "shader/interp/sgd_exec.h"

/* The four words that each lane reads. */
struct sgd_rows {
   const uint8_t *row[SGD_WARP]; /* address of the words, a multiple of 4 */
   /* words of lanes whose words are not contiguous, or partly out of bounds */
   uint32_t copy[SGD_WARP][4];
};

/* Sets a lane's row to the words from byte `at` of a bank on, a multiple of 4. Words outside the
 * bank are 0.
 */
static inline void
sgd_row_set(struct sgd_rows *rows, unsigned lane, const struct sgd_bank *bank, uint32_t at)
{
   const uint32_t line = (1u << bank->line_log2) - 1;
   if ((uint64_t)at + 16 <= bank->size &&
       (!bank->line_log2 || (at & line) + 16 <= line + 1)) {
      rows->row[lane] = sgd_bank_byte(bank, at);
      return;
   }
   for (unsigned c = 0; c < 4; c++)
      rows->copy[lane][c] = sgd_bank_word(bank, (uint64_t)at + 4 * c);
   rows->row[lane] = (const uint8_t *)rows->copy[lane];
}

/* Loads word `comp` of each row. */
static inline void
sgd_rows_load(const struct sgd_rows *rows, unsigned comp, uint32_t *to)
{
   for (unsigned l = 0; l < SGD_WARP; l++)
      memcpy(&to[l], rows->row[l] + 4 * comp, 4);
}

/* Returns true if all lanes have the same value. */
static inline bool
sgd_same_words(const uint32_t *lanes)
{
   uint32_t differ = 0;
   SGD_EACH_LANE(l) {
      differ |= lanes[l] ^ lanes[0];
   }
   return differ == 0;
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
