/* SPDX-License-Identifier: MIT */
/*
 * The base profile: operations, modifiers and operands that it has not are
 * put in terms of its 17 operations where that gives the same bits, and
 * otherwise the first of them is the reason why the program gets the full
 * profile.
 *
 * sgc_lower_vp1 sees to the operations, while literals are still literals;
 * sgc_lower_vp1_operands, when they have their places, to the rule of one
 * attribute and one constant an instruction.
 */

#include "sgc_builder.h"

/* Rewrites `instr` as a move of `result`, which then mostly vanishes. */
static void
become_mov(struct sgc_instr *instr, struct sgc_src result)
{
   instr->op = SGPU_OP_MOV;
   instr->zmul = false;
   instr->cond = 0;
   instr->src[0] = result;
   instr->src[1] = sgc_none();
   instr->src[2] = sgc_none();
}

/* a - floor(a), for each component of the result: EXP does one at a time. */
static struct sgc_src
fraction(struct sgc_builder *b, struct sgc_src src, unsigned mask)
{
   const unsigned reg = sgc_new_reg(b->program);

   u_foreach_bit(c, mask) {
      struct sgc_src part = sgc_exp(b, SGPU_MASK_X << 1, sgc_comp(src, c));
      sgc_mov_to(b, sgc_dst_reg(reg, 1u << c), sgc_comp(part, 1));
   }
   return sgc_reg(reg);
}

static struct sgc_src
floor_of(struct sgc_builder *b, struct sgc_src src, unsigned mask)
{
   struct sgc_src part = fraction(b, src, mask);
   return sgc_add(b, mask, src, sgc_neg(part));
}

static struct sgc_src
equal(struct sgc_builder *b, const struct sgc_instr *instr)
{
   const unsigned mask = instr->dst.mask;
   struct sgc_src ge = sgc_sge(b, mask, instr->src[0], instr->src[1]);
   struct sgc_src le = sgc_sge(b, mask, instr->src[1], instr->src[0]);
   return sgc_mul(b, mask, ge, le);
}

static void
lower_abs(struct sgc_builder *b, struct sgc_instr *instr, unsigned s)
{
   struct sgc_src *src = &instr->src[s];
   const unsigned mask = sgc_src_positions(instr, s);
   const bool neg = src->neg;

   src->abs = src->neg = false;
   struct sgc_src result = sgc_max(b, mask, *src, sgc_neg(*src));
   if (sgc_info(instr)->src_scalar & (1u << s))
      result = sgc_comp(result, ffs(mask) - 1);
   *src = result;
   src->neg = neg;
}

static bool
lower_op(struct sgc_builder *b, struct sgc_instr *instr)
{
   const unsigned mask = instr->dst.mask;
   struct sgc_src *src = instr->src;

   switch (instr->op) {
   case SGPU_OP_EX2:
      become_mov(instr, sgc_comp(sgc_exp(b, 1u << 2, src[0]), 2));
      return true;
   case SGPU_OP_LG2:
      src[0].abs = src[0].neg = false;
      become_mov(instr, sgc_comp(sgc_log(b, 1u << 2, src[0]), 2));
      return true;
   case SGPU_OP_FRC:
      become_mov(instr, fraction(b, src[0], mask));
      return true;
   case SGPU_OP_FLR:
      become_mov(instr, floor_of(b, src[0], mask));
      return true;
   case SGPU_OP_CEIL:
      become_mov(instr, sgc_neg(floor_of(b, sgc_neg(src[0]), mask)));
      return true;
   case SGPU_OP_SEQ:
      become_mov(instr, equal(b, instr));
      return true;
   case SGPU_OP_SNE:
      become_mov(instr, sgc_slt(b, mask, equal(b, instr), sgc_immf(1.0f)));
      return true;
   case SGPU_OP_DP2: {
      struct sgc_src first = sgc_mul(b, 1, sgc_comp(src[0], 0), sgc_comp(src[1], 0));
      become_mov(instr, sgc_comp(sgc_mad(b, 1, sgc_comp(src[0], 1), sgc_comp(src[1], 1),
                                         first), 0));
      return true;
   }
   case SGPU_OP_DPH: {
      struct sgc_src dot = sgc_dp3(b, 1, src[0], src[1]);
      become_mov(instr, sgc_comp(sgc_add(b, 1, dot, sgc_comp(src[1], 3)), 0));
      return true;
   }
   default:
      return false;
   }
}

static const char *
check_files(const struct sgc_instr *instr)
{
   sgc_foreach_src(instr, s) {
      const struct sgc_src *src = &instr->src[s];
      switch (src->file) {
      case SGPU_FILE_INPUT:
         if (src->rel)
            return "attributes with a variable index";
         if (src->index >= SGPU_VP1_INPUTS)
            return "more than 16 attributes";
         break;
      case SGPU_FILE_CONST:
         if (src->rel && src->relcomp)
            return "a second address register";
         break;
      case SGPU_FILE_SYS:
         return "system values";
      case SGC_FILE_ARRAY:
         return "temporaries with a variable index";
      default:
         break;
      }
   }
   if (instr->dst.file == SGC_FILE_ARRAY)
      return "temporaries with a variable index";
   if (instr->dst.file == SGPU_FILE_OUTPUT) {
      if (instr->dst.rel)
         return "outputs with a variable index";
      if (instr->dst.index >= SGPU_VP1_OUTPUTS)
         return "outputs beyond the 15";
   }
   return NULL;
}

bool
sgc_lower_vp1(struct sgc_program *p)
{
   sgc_foreach_block(p, block) {
      sgc_foreach_instr_safe(block, instr) {
         struct sgc_builder b = sgc_builder_before(p, instr);
         const char *reason = check_files(instr);
         if (reason)
            sgc_error(p, reason);

         if (sgc_info(instr)->kind == SGPU_KIND_CTL || instr->guard.en) {
            sgc_error(p, "control flow");
            return false;
         }
         /* These two are of the absolute value as it is. */
         if (instr->op == SGPU_OP_RSQ || instr->op == SGPU_OP_LOG)
            instr->src[0].abs = instr->src[0].neg = false;
         sgc_foreach_src(instr, s) {
            if (instr->src[s].abs && instr->op != SGPU_OP_LG2)
               lower_abs(&b, instr, s);
         }
         if (instr->sat) {
            struct sgc_builder after = sgc_builder_after(p, instr);
            const struct sgc_dst dst = instr->dst;
            const unsigned reg = sgc_new_reg(p);
            instr->sat = false;
            instr->dst = sgc_dst_reg(reg, dst.mask);
            struct sgc_src low = sgc_max(&after, dst.mask, sgc_reg(reg), sgc_immf(0.0f));
            sgc_min_to(&after, dst, low, sgc_immf(1.0f));
         }
         if (!(sgc_info(instr)->flags & SGPU_OPF_VP1) && !lower_op(&b, instr)) {
            sgc_error(p, ralloc_asprintf(p, "operation %s", sgc_info(instr)->name));
            return false;
         }
      }
   }
   return true;
}

/*
 * Operands
 */

#define REMEMBERED 4
#define REACH 16

struct moved {
   struct sgc_src src;
   unsigned reg, mask, ip;
};

static bool
same_register(const struct sgc_src *a, const struct sgc_src *b)
{
   return a->file == b->file && a->index == b->index && a->rel == b->rel;
}

/* Reads `src` by way of a temporary, which neighbours share. */
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
