/* SPDX-License-Identifier: MIT */
/*
 * Dead code elimination: removes instructions whose results are never read. Also removes unread
 * components from the write masks of the remaining instructions.
 */

#include "ir/sgc_ir.h"

/* Returns true if the instruction only loads components of A0 that are not read later in the block.
 * A0 is never live across blocks.
 */
static bool
is_dead_address(const struct sgc_instr *instr, unsigned live_addr)
{
   return instr->dst.file == SGPU_FILE_ADDR && !(instr->dst.mask & live_addr);
}

bool
sgc_opt_dce(struct sgc_program *p)
{
   struct sgc_live *live = sgc_live_create(p, p);
   bool progress = false;

   sgc_compute_liveness(p);
   sgc_foreach_block(p, block) {
      unsigned live_addr = 0;
      sgc_live_start(live, &block->live_out);

      sgc_foreach_instr_rev_safe(block, instr) {
         if (is_dead_address(instr, live_addr)) {
            sgc_instr_remove(instr);
            progress = true;
            continue;
         }
         if (instr->dst.file == SGPU_FILE_TEMP) {
            unsigned mask = instr->dst.mask & live->mask[instr->dst.index];
            if (sgpu_type_is_wide(sgc_info(instr)->dst_type))
               mask |= (mask & 5) << 1 | (mask & 10) >> 1;
            if (mask != instr->dst.mask) {
               progress = true;
               if (!mask && !(sgc_info(instr)->flags & SGPU_OPF_EFFECT)) {
                  sgc_instr_remove(instr);
                  continue;
               }
               if (mask)
                  instr->dst.mask = mask;
               else if (sgc_info(instr)->flags & SGPU_OPF_OPTDST)
                  instr->dst = sgc_dst_none();
            }
         }
         struct sgpu_instr isa = sgc_instr_isa(instr);
         if (instr->dst.file == SGPU_FILE_ADDR)
            live_addr &= ~instr->dst.mask;
         live_addr |= sgpu_instr_addr_read_mask(&isa);
         sgc_live_step(live, instr);
      }
   }
   ralloc_free(live);
   return progress;
}
