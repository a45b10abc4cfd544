/* SPDX-License-Identifier: MIT */
/*
 * Operand lowering for the base profile, where an instruction can only read one attribute and one
 * constant. If it reads more, they are copied to temporaries first. This pass must run after all
 * literals have been placed in the CONST file.
 */

#include "ir/sgc_builder.h"

#define REMEMBERED 4 /* number of recent copies that later instructions can reuse */
#define REACH 16     /* maximum number of instructions between a copy and its reuse */

/* A register that has been copied to a temporary. */
struct moved {
   struct sgc_src src;
   /* reg: index of the temporary; mask: bitmask of the copied components, or 0 if this entry is
    * unused; ip: index of the instruction that needed the copy
    */
   unsigned reg, mask, ip;
};

static bool
same_register(const struct sgc_src *a, const struct sgc_src *b)
{
   return a->file == b->file && a->index == b->index && a->rel == b->rel;
}

/* Replaces source s of an instruction with a temporary. Reuses an earlier copy of the source if
 * there is a recent one, and otherwise emits a new copy.
 */
static void
move_operand(struct sgc_program *p, struct moved moved[REMEMBERED], struct sgc_instr *instr,
             unsigned s, unsigned ip)
{
   struct sgc_src *src = &instr->src[s];
   const unsigned mask = sgc_src_read_mask(instr, s);
   struct moved *oldest = &moved[0];

   for (unsigned i = 0; i < REMEMBERED; i++) {
      struct moved *m = &moved[i];
      if (m->mask && !src->rel && same_register(&m->src, src) && !(mask & ~m->mask) &&
          ip - m->ip < REACH) {
         src->file = SGPU_FILE_TEMP;
         src->index = m->reg;
         return;
      }
      if (m->ip < oldest->ip)
         oldest = m;
   }

   struct sgc_builder b = sgc_builder_before(p, instr);
   struct sgc_src whole = sgc_src_make(src->file, src->index);
   whole.rel = src->rel;
   whole.relcomp = src->relcomp;
   struct sgc_src temp = sgc_mov(&b, mask, whole);
   *oldest = (struct moved){ .src = whole, .reg = temp.index, .mask = mask, .ip = ip };
   src->file = SGPU_FILE_TEMP;
   src->index = temp.index;
   src->rel = false;
   src->relcomp = 0;
}

bool
sgc_lower_vp1_operands(struct sgc_program *p)
{
   struct moved moved[REMEMBERED] = { 0 };
   unsigned ip = 1;
   bool progress = false;

   sgc_foreach_block(p, block) {
      sgc_foreach_instr_safe(block, instr) {
         int first[2] = { -1, -1 };
         sgc_foreach_src(instr, s) {
            struct sgc_src *src = &instr->src[s];
            if (src->file != SGPU_FILE_INPUT && src->file != SGPU_FILE_CONST)
               continue;
            int *kept = &first[src->file == SGPU_FILE_CONST];
            if (*kept < 0) {
               *kept = s;
            } else if (!same_register(&instr->src[*kept], src)) {
               move_operand(p, moved, instr, s, ip);
               progress = true;
            }
         }
         ip++;
      }
   }
   return progress;
}
