/* SPDX-License-Identifier: MIT */
/*
 * Translator: derives the properties of values (enum sgd_ir_fact) from the properties of their
 * sources.
 */
#include "shader/translate/sgd_ir_facts.h"

static bool
is_subnormal(uint32_t word)
{
   return !(word & SGPU_FP_INF_BITS) && word & ~SGPU_FP_SIGN_BIT;
}

static uint8_t
constant_facts(const uint32_t w[4])
{
   uint8_t facts = SGD_FACT_FLUSHED | SGD_FACT_NUMBER | SGD_FACT_CANON | SGD_FACT_MASK |
                   SGD_FACT_POSITIVE;
   for (unsigned i = 0; i < 4; i++) {
      if (is_subnormal(w[i]))
         facts &= ~SGD_FACT_FLUSHED;
      if (sgd_word_is_nan(w[i]))
         facts &= ~(SGD_FACT_NUMBER | SGD_FACT_POSITIVE);
      if (sgd_word_is_nan(w[i]) && w[i] != SGPU_FP_NAN_BITS)
         facts &= ~SGD_FACT_CANON;
      if (w[i] && w[i] != ~0u)
         facts &= ~SGD_FACT_MASK;
      if (w[i] & SGPU_FP_SIGN_BIT && w[i] & ~SGPU_FP_SIGN_BIT)
         facts &= ~SGD_FACT_POSITIVE;
   }
   return facts;
}

static uint8_t
and_facts(const struct sgd_ir *ir, uint16_t x, uint16_t mask)
{
   const uint8_t facts = ir->nodes[x].facts, other = ir->nodes[mask].facts;
   uint8_t result = 0;
   if (other & SGD_FACT_MASK)
      result |= (facts & (SGD_VALUE_FACTS | SGD_FACT_MASK)) | SGD_FACT_BLIND;
   if (sgd_ir_is_word(ir, mask, ~SGPU_FP_SIGN_BIT))
      result |= (facts & SGD_FACT_FLUSHED) |
                (facts & SGD_FACT_NUMBER ? SGD_FACT_NUMBER | SGD_FACT_POSITIVE : 0);
   return result;
}

/* Returns true for constants that are nonzero and finite in all lanes. Multiplying a number by such
 * a constant never yields NaN.
 */
static bool
is_finite(const struct sgd_ir *ir, uint16_t node)
{
   const uint32_t *w = sgd_ir_words(ir, node);
   for (unsigned i = 0; w && i < 4; i++) {
      const uint32_t exponent = w[i] & SGPU_FP_INF_BITS;
      if (!exponent || exponent == SGPU_FP_INF_BITS)
         return false;
   }
   return w;
}

static uint8_t
op_facts(const struct sgd_ir *ir, const struct sgd_ir_node *n)
{
   const unsigned count = sgd_ir_num_srcs(n);
   const uint8_t a = count > 0 ? ir->nodes[n->src[0]].facts : 0;
   const uint8_t b = count > 1 ? ir->nodes[n->src[1]].facts : 0;

   switch ((enum sgd_x86_op)n->op) {
   case SGD_VADDPS:
      return SGD_FACT_FLUSHED | (a & b & SGD_FACT_POSITIVE ? SGD_FACT_POSITIVE : 0);
   case SGD_VMULPS:
      return SGD_FACT_FLUSHED |
             (n->src[0] == n->src[1] && a & SGD_FACT_NUMBER ? SGD_FACT_POSITIVE : 0) |
             ((a & SGD_FACT_NUMBER && is_finite(ir, n->src[1])) ||
                    (b & SGD_FACT_NUMBER && is_finite(ir, n->src[0]))
                 ? SGD_FACT_NUMBER
                 : 0);
   case SGD_VSUBPS:
   case SGD_VDIVPS:
   case SGD_VSQRTPS:
      return SGD_FACT_FLUSHED;
   case SGD_VCVTDQ2PS:
      return SGD_FACT_FLUSHED | SGD_FACT_NUMBER;
   case SGD_VROUNDPS:
      return SGD_FACT_FLUSHED | (a & SGD_FACT_NUMBER);
   case SGD_VMINPS:
      return (a & b & (SGD_FACT_FLUSHED | SGD_FACT_POSITIVE)) |
             (b & (SGD_FACT_NUMBER | SGD_FACT_CANON));
   case SGD_VMAXPS:
      return (a & b & SGD_FACT_FLUSHED) |
             (b & (SGD_FACT_NUMBER | SGD_FACT_CANON | SGD_FACT_POSITIVE));
   case SGD_VPBLENDVB:
      if (!sgd_ir_has(ir, n->src[2], SGD_FACT_MASK))
         return 0;
      return a & b & (SGD_VALUE_FACTS | SGD_FACT_MASK);
   case SGD_VBLENDVPS:
      return a & b & (SGD_VALUE_FACTS | SGD_FACT_MASK);
   case SGD_VPAND:
      return and_facts(ir, n->src[0], n->src[1]) | and_facts(ir, n->src[1], n->src[0]);
   case SGD_VPANDN:
      if (!(a & SGD_FACT_MASK))
         return 0;
      return (b & (SGD_VALUE_FACTS | SGD_FACT_MASK)) | SGD_FACT_BLIND;
   case SGD_VPOR:
      return a & b & SGD_FACT_MASK;
   case SGD_VPXOR:
      if (sgd_ir_is_word(ir, n->src[1], SGPU_FP_SIGN_BIT))
         return a & (SGD_FACT_FLUSHED | SGD_FACT_NUMBER);
      return a & b & SGD_FACT_MASK;
   case SGD_VCMPPS:
   case SGD_VPCMPEQD:
   case SGD_VPCMPGTD:
      return SGD_FACT_MASK | SGD_FACT_FLUSHED;
   case SGD_VPERMILPS:
   case SGD_VPSHUFD:
      return a & (SGD_VALUE_FACTS | SGD_FACT_MASK);
   default:
      return 0;
   }
}

uint8_t
sgd_ir_facts(const struct sgd_ir *ir, const struct sgd_ir_node *n)
{
   uint8_t facts = 0;
   switch ((enum sgd_ir_kind)n->kind) {
   case SGD_IR_OP:
      facts = op_facts(ir, n);
      break;
   case SGD_IR_CANON:
      facts = (ir->nodes[n->src[0]].facts & (SGD_FACT_FLUSHED | SGD_FACT_POSITIVE)) |
              SGD_FACT_CANON;
      break;
   case SGD_IR_FREE:
      facts = ir->nodes[n->src[0]].facts & (SGD_FACT_FLUSHED | SGD_FACT_MASK);
      break;
   case SGD_IR_CONST:
      facts = constant_facts(ir->consts[n->where]);
      break;
   case SGD_IR_PRED:
   case SGD_IR_KEEP:
      facts = SGD_FACT_MASK | SGD_FACT_FLUSHED;
      break;
   case SGD_IR_GATHER:
   case SGD_IR_UNIFORM:
   case SGD_IR_LOAD:
   case SGD_IR_SPLAT:
   case SGD_IR_SAME:
      break;
   }
   if (facts & SGD_FACT_POSITIVE)
      facts |= SGD_FACT_NUMBER;
   if (facts & SGD_FACT_NUMBER)
      facts |= SGD_FACT_CANON;
   return facts;
}
