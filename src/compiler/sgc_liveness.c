/* SPDX-License-Identifier: MIT */
/*
 * Liveness of register components, by the usual backward data flow for one
 * lane: an instruction under a guard does not kill the old contents of its
 * result.
 */

#include "sgc_ir.h"

void
sgc_liveness_step(const struct sgc_instr *instr, BITSET_WORD *live)
{
   if (instr->dst.file == SGPU_FILE_TEMP && !instr->guard.en) {
      u_foreach_bit(c, instr->dst.mask)
         BITSET_CLEAR(live, 4 * instr->dst.index + c);
   }
   sgc_foreach_src(instr, s) {
      if (instr->src[s].file != SGPU_FILE_TEMP)
         continue;
      u_foreach_bit(c, sgc_src_read_mask(instr, s))
         BITSET_SET(live, 4 * instr->src[s].index + c);
   }
}

void
sgc_compute_liveness(struct sgc_program *p)
{
   const unsigned words = BITSET_WORDS(4 * MAX2(p->num_regs, 1));

   sgc_foreach_block(p, block) {
      ralloc_free(block->live_in);
      ralloc_free(block->live_out);
      block->live_in = sgc_zalloc_array(p, block, BITSET_WORD, words);
      block->live_out = sgc_zalloc_array(p, block, BITSET_WORD, words);
   }

   BITSET_WORD *live = sgc_zalloc_array(p, p, BITSET_WORD, words);
   bool progress;
   do {
      progress = false;
      sgc_foreach_block_rev(p, block) {
         for (unsigned i = 0; i < 2; i++) {
            if (!block->succ[i])
               continue;
            for (unsigned w = 0; w < words; w++)
               block->live_out[w] |= block->succ[i]->live_in[w];
         }
         memcpy(live, block->live_out, words * sizeof(*live));
         sgc_foreach_instr_rev(block, instr)
            sgc_liveness_step(instr, live);
         if (memcmp(live, block->live_in, words * sizeof(*live))) {
            memcpy(block->live_in, live, words * sizeof(*live));
            progress = true;
         }
      }
   } while (progress);
   ralloc_free(live);
}
