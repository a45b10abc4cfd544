/* SPDX-License-Identifier: MIT */
/*
 * Spilling: a register becomes a slot of the lane's scratch memory.  Each write
 * goes to a new register, which is stored at once under the write mask; each
 * reader loads the components that it reads directly before.  The new registers
 * live for an instruction or two.
 */

#include "sgc_builder.h"

void
sgc_spill(struct sgc_program *p, unsigned reg)
{
   const unsigned slot = p->scratch_size;
   bool used = false;

   sgc_foreach_block(p, block) {
      sgc_foreach_instr_safe(block, instr) {
         unsigned read = 0;
         sgc_foreach_src(instr, s) {
            if (instr->src[s].file == SGPU_FILE_TEMP && (unsigned)instr->src[s].index == reg)
               read |= sgc_src_read_mask(instr, s);
         }
         if (read) {
            struct sgc_builder b = sgc_builder_before(p, instr);
            const unsigned loaded = sgc_new_reg(p);
            sgc_ldl_to(&b, sgc_dst_reg(loaded, read), sgc_none())->offset = slot;
            sgc_foreach_src(instr, s) {
               if (instr->src[s].file == SGPU_FILE_TEMP && (unsigned)instr->src[s].index == reg)
                  instr->src[s].index = loaded;
            }
            used = true;
         }
         if (instr->dst.file == SGPU_FILE_TEMP && (unsigned)instr->dst.index == reg) {
            assert(!instr->guard.en && "results under a guard are not stored");
            struct sgc_builder b = sgc_builder_after(p, instr);
            const unsigned result = sgc_new_reg(p);
            instr->dst.index = result;
            struct sgc_dst mask = sgc_dst_none();
            mask.mask = instr->dst.mask;
            sgc_stl_to(&b, mask, sgc_none(), sgc_reg(result))->offset = slot;
            used = true;
         }
      }
   }
   if (used)
      p->scratch_size += 16;
}
