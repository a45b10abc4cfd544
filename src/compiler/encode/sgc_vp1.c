/* SPDX-License-Identifier: MIT */
/*
 * Lowering for the base profile: replaces operations and modifiers that the base profile doesn't
 * have with its 17 operations. If an operation has no replacement, compilation fails, and the
 * shader is compiled for the full profile instead.
 *
 * Booleans become 1.0 or 0.0, and a select becomes a sum of products with them. Products change
 * subnormals, signs of zeros, and bits of NaNs, and the values of a select can be integers. So
 * selects are only replaced where both values are booleans, or literals that products keep. All
 * other replacements are bit-exact with the full profile, except that abs flushes subnormals.
 *
 * The program must have a single block.
 */

#include "ir/sgc_builder.h"

/* Turns `instr` into a MOV of `result`. Copy propagation removes most of these MOVs. */
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

/* Emits src - floor(src) for the components in `mask`, with one EXP per component. */
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

/* Emits floor(a) as a - max(fraction(a), 0). The fraction of an infinity is NaN, which MAX replaces
 * with 0, so floor(inf) is inf.
 */
static struct sgc_src
floor_of(struct sgc_builder *b, struct sgc_src src, unsigned mask)
{
   struct sgc_src part = sgc_max(b, mask, fraction(b, src, mask), sgc_immf(0.0f));
   return sgc_add(b, mask, src, sgc_neg(part));
}

/* Emits a == b as (a >= b) * (b >= a). */
static struct sgc_src
equal(struct sgc_builder *b, const struct sgc_instr *instr)
{
   const unsigned mask = instr->dst.mask;
   struct sgc_src ge = sgc_sge(b, mask, instr->src[0], instr->src[1]);
   struct sgc_src le = sgc_sge(b, mask, instr->src[1], instr->src[0]);
   return sgc_mul(b, mask, ge, le);
}

/* Lowers the abs modifier of a source to max(a, -a). */
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
      /* Adding -0 keeps the sign of a zero and clears the sign of a NaN. */
      become_mov(instr,
                 sgc_add(b, mask, sgc_neg(floor_of(b, sgc_neg(src[0]), mask)), sgc_immf(-0.0f)));
      return true;
   case SGPU_OP_SEQ:
      become_mov(instr, equal(b, instr));
      return true;
   case SGPU_OP_SNE:
      become_mov(instr, sgc_slt(b, mask, equal(b, instr), sgc_immf(1.0f)));
      return true;
   case SGPU_OP_DP2: {
      struct sgc_src first = sgc_mul(b, 1, sgc_comp(src[0], 0), sgc_comp(src[1], 0));
      become_mov(instr,
                 sgc_comp(sgc_mad(b, 1, sgc_comp(src[0], 1), sgc_comp(src[1], 1), first), 0));
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

/* Returns the reason why the base profile doesn't support the operands of an instruction, or NULL
 * if it supports them.
 */
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

/*
 * Conditions
 */

struct lowering {
   struct sgc_program *p;
   unsigned num_regs; /* number of registers before this pass; only these can be conditions */
   /* Bitset indexed by 4 * register + component. A bit is set if the component is a condition, i.e.
    * a boolean that has been lowered to 1.0 or 0.0.
    */
   BITSET_WORD *condition;
};

/* Returns true if source s is a condition or a boolean literal (0 or ~0). */
static bool
is_condition(const struct lowering *l, struct sgc_instr *instr, unsigned s)
{
   struct sgc_src *src = &instr->src[s];
   const unsigned read = sgc_src_read_mask(instr, s);
   bool yes = true;

   if (src->file == SGC_FILE_IMM) {
      u_foreach_bit(c, read)
         yes &= src->imm[c] == 0 || src->imm[c] == ~0u;
      return yes;
   }
   if (src->file != SGPU_FILE_TEMP || (unsigned)src->index >= l->num_regs)
      return false;
   u_foreach_bit(c, read)
      yes &= BITSET_TEST(l->condition, 4 * src->index + c);
   return yes;
}

/* Converts a boolean literal (0 or ~0) to a condition (0.0 or 1.0). */
static void
make_condition(struct sgc_src *src)
{
   for (unsigned c = 0; c < 4 && src->file == SGC_FILE_IMM; c++)
      src->imm[c] = src->imm[c] ? fui(1.0f) : 0;
}

static bool
is_literal(const struct sgc_instr *instr, unsigned s, uint32_t value)
{
   bool yes = instr->src[s].file == SGC_FILE_IMM;
   u_foreach_bit(c, sgc_src_read_mask(instr, s))
      yes &= instr->src[s].imm[c] == value;
   return yes;
}

/* Returns true if source s is a literal that a product with 1.0 and a sum with 0.0 keep: 0.0 or a
 * normal number.
 */
static bool
is_kept_literal(const struct sgc_instr *instr, unsigned s)
{
   const struct sgc_src *src = &instr->src[s];
   bool yes = src->file == SGC_FILE_IMM && !src->abs;
   u_foreach_bit(c, sgc_src_read_mask(instr, s)) {
      const unsigned exponent = src->imm[c] >> 23 & 0xff;
      yes &= (src->imm[c] == 0 && !src->neg) || (exponent > 0 && exponent < 0xff);
   }
   return yes;
}

static struct sgc_src
complement(struct sgc_builder *b, struct sgc_src src, unsigned mask)
{
   return sgc_add(b, mask, sgc_immf(1.0f), sgc_neg(src));
}

static void
lower_select(struct sgc_builder *b, struct sgc_instr *instr)
{
   const unsigned mask = instr->dst.mask;
   struct sgc_src s = instr->src[0], yes = instr->src[1], no = instr->src[2];

   if (is_literal(instr, 2, 0)) {
      become_mov(instr, sgc_mul(b, mask, yes, s));
   } else {
      struct sgc_src other = sgc_mul(b, mask, no, complement(b, s, mask));
      become_mov(instr, is_literal(instr, 1, 0) ? other : sgc_mad(b, mask, yes, s, other));
   }
}

/* Lowers an operation that reads or produces conditions. If the result is a condition, sets its
 * bits in l->condition. Returns false for all other operations.
 */
static bool
lower_condition(struct lowering *l, struct sgc_builder *b, struct sgc_instr *instr)
{
   const unsigned mask = instr->dst.mask;
   struct sgc_src *src = instr->src;
   bool result = true;

   switch (instr->op) {
   case SGPU_OP_FSET:
      switch (instr->cond) {
      case SGPU_COND_LT:
         become_mov(instr, sgc_slt(b, mask, src[0], src[1]));
         break;
      case SGPU_COND_GE:
         become_mov(instr, sgc_sge(b, mask, src[0], src[1]));
         break;
      case SGPU_COND_EQ:
         become_mov(instr, equal(b, instr));
         break;
      case SGPU_COND_NE:
         become_mov(instr, sgc_slt(b, mask, equal(b, instr), sgc_immf(1.0f)));
         break;
      default:
         return false;
      }
      break;
   case SGPU_OP_AND:
      if (is_condition(l, instr, 0) && is_literal(instr, 1, fui(1.0f))) {
         become_mov(instr, src[0]);
         result = false;
         break;
      }
      FALLTHROUGH;
   case SGPU_OP_OR:
      if (!is_condition(l, instr, 0) || !is_condition(l, instr, 1))
         return false;
      make_condition(&src[0]);
      make_condition(&src[1]);
      become_mov(instr, instr->op == SGPU_OP_AND ? sgc_mul(b, mask, src[0], src[1])
                                                 : sgc_max(b, mask, src[0], src[1]));
      break;
   case SGPU_OP_NOT:
      if (!is_condition(l, instr, 0))
         return false;
      become_mov(instr, complement(b, src[0], mask));
      break;
   case SGPU_OP_SEL:
      if (!is_condition(l, instr, 0))
         return false;
      result = is_condition(l, instr, 1) && is_condition(l, instr, 2);
      if (!result && !(is_kept_literal(instr, 1) && is_kept_literal(instr, 2)))
         return false;
      if (result) {
         make_condition(&src[1]);
         make_condition(&src[2]);
      }
      make_condition(&src[0]);
      lower_select(b, instr);
      break;
   case SGPU_OP_MOV:
      result = is_condition(l, instr, 0) && src[0].file == SGPU_FILE_TEMP;
      break;
   default:
      return false;
   }
   if (instr->dst.file == SGPU_FILE_TEMP && result && (unsigned)instr->dst.index < l->num_regs) {
      u_foreach_bit(c, mask)
         BITSET_SET(l->condition, 4 * instr->dst.index + c);
   }
   return true;
}

bool
sgc_lower_vp1(struct sgc_program *p)
{
   if (p->num_blocks > 1) {
      sgc_error(p, "control flow");
      return false;
   }
   struct lowering l = { .p = p, .num_regs = p->num_regs };
   l.condition = sgc_zalloc_array(p, p, BITSET_WORD, BITSET_WORDS(4 * p->num_regs));

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
         /* RSQ and LOG use the absolute value of their source, so drop the modifiers. */
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
         if (lower_condition(&l, &b, instr))
            continue;
         if (!(sgc_info(instr)->flags & SGPU_OPF_VP1) && !lower_op(&b, instr)) {
            sgc_errorf(p, "operation %s", sgc_info(instr)->name);
            return false;
         }
      }
   }
   return true;
}
