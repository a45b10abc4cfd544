/* SPDX-License-Identifier: MIT */
/*
 * Local copy propagation: if an instruction reads the result of a MOV, it reads the source of the
 * MOV instead. Modifiers of the MOV are merged if the instruction's source supports them.
 */

#include "ir/sgc_ir.h"

/* The source that a register component was copied from. Components are numbered 4 * register +
 * component.
 */
struct copy {
   bool valid;         /* set while the component is equal to `src` */
   struct sgc_src src; /* scalar source of the MOV, replicated to all positions */
};

/* Records that component `at` became a copy of component `from`. `at` may have been overwritten
 * since.
 */
struct reader {
   unsigned at, from;
   unsigned next; /* 1 + index into `readers` of the next entry with the same `from`, or 0 */
};

struct state {
   struct sgc_program *p;
   struct copy *copies; /* copy of each component */
   /* numbers of all components that have been a copy at some point of the block */
   struct util_dynarray active;
   /* for each component, 1 + index into `readers` of its first reader, or 0 */
   unsigned *first_reader;
   struct util_dynarray readers; /* array of struct reader */
};

static struct copy *
copy_of(struct state *state, unsigned reg, unsigned comp)
{
   return &state->copies[4 * reg + comp];
}

/* Invalidates all copies of component `from`, which has been overwritten. */
static void
forget_readers(struct state *state, unsigned from)
{
   for (unsigned r = state->first_reader[from]; r;) {
      const struct reader *reader = util_dynarray_element(&state->readers, struct reader, r - 1);
      struct copy *copy = &state->copies[reader->at];
      if (copy->valid && copy->src.file == SGPU_FILE_TEMP &&
          4 * (unsigned)copy->src.index + (copy->src.swizzle & 3) == from)
         copy->valid = false;
      r = reader->next;
      state->p->work++;
   }
   state->first_reader[from] = 0;
}

static void
forget(struct state *state, const struct sgc_dst *dst)
{
   if (dst->file != SGPU_FILE_TEMP)
      return;
   u_foreach_bit(c, dst->mask)
      copy_of(state, dst->index, c)->valid = false;
   u_foreach_bit(c, dst->mask)
      forget_readers(state, 4 * dst->index + c);
}

static void
add_reader(struct state *state, unsigned from, unsigned at)
{
   const struct reader reader = { at, from, state->first_reader[from] };
   sgc_append(state->p, &state->readers, struct reader, reader);
   state->first_reader[from] = util_dynarray_num_elements(&state->readers, struct reader);
}

static void
remember(struct state *state, const struct sgc_instr *mov)
{
   const struct sgc_src *src = &mov->src[0];

   if (mov->op != SGPU_OP_MOV || mov->dst.file != SGPU_FILE_TEMP || mov->sat || mov->guard.en ||
       src->rel || src->file == SGC_FILE_ARRAY)
      return;
   /* Don't propagate this system value, since it changes when DMT demotes the lane. */
   if (src->file == SGPU_FILE_SYS && src->index == SGPU_SYS_HELPER)
      return;
   u_foreach_bit(c, mov->dst.mask) {
      const unsigned from = sgpu_swizzle_get(src->swizzle, c);
      if (src->file == SGPU_FILE_TEMP && src->index == mov->dst.index)
         continue;
      struct copy *copy = copy_of(state, mov->dst.index, c);
      copy->valid = true;
      copy->src = sgc_comp(*src, c);
      if (src->file == SGC_FILE_IMM) {
         copy->src = sgc_imm(src->imm[from]);
         copy->src.neg = src->neg;
         copy->src.abs = src->abs;
      }
      unsigned at = 4 * mov->dst.index + c;
      sgc_append(state->p, &state->active, unsigned, at);
      if (src->file == SGPU_FILE_TEMP)
         add_reader(state, 4 * src->index + from, at);
   }
}

static bool
propagate(struct state *state, struct sgc_instr *instr, unsigned s)
{
   struct sgc_src *src = &instr->src[s];
   const unsigned positions = sgc_src_positions(instr, s);

   if (src->file != SGPU_FILE_TEMP || !positions)
      return false;

   const unsigned first = ffs(positions) - 1;
   const struct copy *lead = copy_of(state, src->index, sgpu_swizzle_get(src->swizzle, first));
   if (!lead->valid)
      return false;

   struct sgc_src result = lead->src;
   uint32_t imm[4];
   unsigned swizzle = 0;
   for (unsigned pos = 0; pos < 4; pos++) {
      const unsigned from = positions & (1u << pos) ? pos : first;
      const struct copy *copy = copy_of(state, src->index, sgpu_swizzle_get(src->swizzle, from));
      if (!copy->valid || copy->src.file != result.file || copy->src.neg != result.neg ||
          copy->src.abs != result.abs)
         return false;
      if (result.file != SGC_FILE_IMM && !sgc_same_operand(&copy->src, &result))
         return false;
      swizzle |= (copy->src.swizzle & 3) << (2 * pos);
      imm[pos] = copy->src.imm[0];
   }
   if (result.file == SGC_FILE_IMM) {
      memcpy(result.imm, imm, sizeof(imm));
      result.swizzle = SGPU_SWIZZLE_XYZW;
      if (sgc_info(instr)->src_scalar & (1u << s))
         result.swizzle = sgpu_swizzle_replicate(first);
   } else {
      result.swizzle = swizzle;
   }

   if (result.neg || result.abs) {
      /* The MOV applied the modifiers to 32-bit words, but a modifier of a 64-bit source applies to
       * the whole double.
       */
      if (!sgc_src_takes_mods(instr, s) || sgpu_type_is_wide(sgc_info(instr)->src_type[s]))
         return false;
   }
   if (src->abs) {
      result.abs = true;
      result.neg = src->neg;
   } else if (src->neg) {
      result.neg = !result.neg;
   }
   *src = result;
   return true;
}

bool
sgc_opt_copy_prop(struct sgc_program *p)
{
   struct state state = { .p = p };
   bool progress = false;

   state.copies = sgc_zalloc_array(p, p, struct copy, 4 * p->num_regs);
   util_dynarray_init(&state.active, state.copies);
   state.first_reader = sgc_zalloc_array(p, state.copies, unsigned, 4 * p->num_regs);
   util_dynarray_init(&state.readers, state.copies);

   sgc_foreach_block(p, block) {
      sgc_foreach_instr(block, instr) {
         sgc_foreach_src(instr, s)
            progress |= propagate(&state, instr, s);
         forget(&state, &instr->dst);
         remember(&state, instr);
      }
      util_dynarray_foreach(&state.active, unsigned, at)
         state.copies[*at].valid = false;
      util_dynarray_foreach(&state.readers, struct reader, reader)
         state.first_reader[reader->from] = 0;
      util_dynarray_clear(&state.active);
      util_dynarray_clear(&state.readers);
   }
   ralloc_free(state.copies);
   return progress;
}
