/* SPDX-License-Identifier: MIT */
/*
 * Validation of the program after each pass. The invariants are:
 *
 *  1. Each instruction is legal in the ISA if its virtual operands are replaced with machine
 *     registers.
 *  2. Registers and arrays exist, and indices of array elements are in range.
 *  3. Branches have a target, and other instructions don't. An instruction that ends a block is
 *     the last one in the block, and its target is a successor.
 *  4. Each component that is read has been written on at least one path to the instruction.
 *  5. Each component of A0 that is read has been loaded earlier in the same block.
 *  6. After register allocation, there are no literals and no arrays.
 */

#include "ir/sgc_ir.h"

static bool
ends_block(const struct sgc_instr *instr)
{
   return sgc_info(instr)->flags & SGPU_OPF_ENDS;
}

static const char *
check_instr(struct sgc_program *p, const struct sgc_instr *instr)
{
   const struct sgpu_opcode_info *info = sgc_info(instr);

   if (!info->name)
      return "unknown opcode";
   struct sgpu_instr isa = sgc_instr_isa(instr);
   if (instr->dst.file == SGPU_FILE_TEMP || instr->dst.file == SGC_FILE_ARRAY) {
      if (instr->dst.file == SGPU_FILE_TEMP && (unsigned)instr->dst.index >= p->num_regs)
         return "destination register does not exist";
      if (instr->dst.file == SGC_FILE_ARRAY &&
          (p->allocated || instr->dst.array >= p->num_arrays ||
           (unsigned)instr->dst.index >= p->arrays[instr->dst.array].size))
         return "destination is no element of an array";
      isa.dst.file = SGPU_FILE_TEMP;
      isa.dst.index = p->allocated ? instr->dst.index : 0;
   }
   sgc_foreach_src(instr, s) {
      const struct sgc_src *src = &instr->src[s];
      switch (src->file) {
      case SGPU_FILE_TEMP:
         if (!src->rel && (unsigned)src->index >= p->num_regs)
            return "source register does not exist";
         if (!p->allocated)
            isa.src[s].index = 0;
         break;
      case SGC_FILE_ARRAY:
         if (p->allocated || src->array >= p->num_arrays ||
             (!src->rel && (unsigned)src->index >= p->arrays[src->array].size))
            return "source is no element of an array";
         isa.src[s].file = SGPU_FILE_TEMP;
         isa.src[s].index = 0;
         break;
      case SGC_FILE_IMM:
         if (p->allocated)
            return "a literal that is not placed";
         isa.src[s].file = SGPU_FILE_CONST;
         break;
      default:
         break;
      }
   }
   isa.target = 0;
   if ((info->payload == SGPU_PAYLOAD_BRANCH) != (instr->target != NULL))
      return "branch target missing or not allowed";
   return sgpu_instr_check(&isa);
}

static bool
goes_to(const struct sgc_block *block, const struct sgc_block *succ)
{
   return block->succ[0] == succ || block->succ[1] == succ;
}

static const char *
check_block(struct sgc_program *p, struct sgc_block *block, const struct sgc_instr **where)
{
   unsigned addr = 0;

   sgc_foreach_instr(block, instr) {
      *where = instr;
      const char *error = check_instr(p, instr);
      if (error)
         return error;
      if (ends_block(instr) && instr->link.next != &block->instrs)
         return "a branch in the middle of a block";
      if (instr->op == SGPU_OP_BRA && !goes_to(block, instr->target))
         return "the branch's target is not a successor";
      struct sgpu_instr isa = sgc_instr_isa(instr);
      if (sgpu_instr_addr_read_mask(&isa) & ~addr)
         return "A0 is used before it is loaded in the block";
      if (instr->dst.file == SGPU_FILE_ADDR)
         addr |= instr->dst.mask;
   }
   *where = NULL;

   const struct sgc_instr *last = list_is_empty(&block->instrs)
                                     ? NULL
                                     : list_last_entry(&block->instrs, struct sgc_instr, link);
   const bool falls = !last || !ends_block(last) || last->guard.en;
   const bool is_last = block->link.next == &p->blocks;
   if (falls && !is_last) {
      const struct sgc_block *next = list_entry(block->link.next, struct sgc_block, link);
      if (!goes_to(block, next))
         return "the next block is not a successor";
   }
   for (unsigned i = 0; i < 2; i++) {
      if (!block->succ[i])
         continue;
      bool found = false;
      sgc_foreach_pred(block->succ[i], pred)
         found |= *pred == block;
      if (!found)
         return "the block is not a predecessor of its successor";
   }
   return NULL;
}

/* Checks invariant 4 (a component must be written before it is read) by forward data flow analysis.
 */
static const char *
check_initialized(struct sgc_program *p, const struct sgc_instr **where)
{
   const unsigned words = BITSET_WORDS(4 * MAX2(p->num_regs, 1));
   BITSET_WORD *out = sgc_zalloc_array(p, p, BITSET_WORD, words * p->num_blocks);
   BITSET_WORD *written = sgc_zalloc_array(p, out, BITSET_WORD, words);
   const char *error = NULL;
   bool progress, final = false;

   do {
      progress = false;
      sgc_foreach_block(p, block) {
         memset(written, 0, words * sizeof(*written));
         sgc_foreach_pred(block, pred) {
            for (unsigned w = 0; w < words; w++)
               written[w] |= out[(*pred)->index * words + w];
         }
         sgc_foreach_instr(block, instr) {
            if (final) {
               sgc_foreach_src(instr, s) {
                  if (instr->src[s].file != SGPU_FILE_TEMP || instr->src[s].rel)
                     continue;
                  u_foreach_bit(c, sgc_src_read_mask(instr, s)) {
                     if (!error && !BITSET_TEST(written, 4 * instr->src[s].index + c)) {
                        error = "a component is read that no instruction writes";
                        *where = instr;
                     }
                  }
               }
            }
            if (instr->dst.file == SGPU_FILE_TEMP) {
               u_foreach_bit(c, instr->dst.mask)
                  BITSET_SET(written, 4 * instr->dst.index + c);
            }
         }
         if (memcmp(written, &out[block->index * words], words * sizeof(*written))) {
            memcpy(&out[block->index * words], written, words * sizeof(*written));
            progress = true;
         }
      }
      if (!progress && !final)
         progress = final = true;
      else if (final)
         break;
   } while (progress);
   ralloc_free(out);
   return error;
}

const char *
sgc_validate(struct sgc_program *p, const struct sgc_instr **where)
{
   *where = NULL;
   sgc_foreach_block(p, block) {
      const char *error = check_block(p, block, where);
      if (error)
         return error;
   }
   /* After allocation, a machine register can be an element of an array, which may be read
    * uninitialized. Skip this check in that case.
    */
   return p->allocated && p->num_arrays ? NULL : check_initialized(p, where);
}
