/* SPDX-License-Identifier: MIT */
/*
 * Translator: replaces operations with simpler ones that yield the same bits.
 *
 * The rules match the code that the compiler generates for sgpu_fp.h. If a rule fails to match, the
 * code is longer, but its results are the same. Float arithmetic on constants is not folded, since
 * the floating-point mode of this thread can differ from that of the workers.
 */
#include "shader/translate/sgd_ir_fold.h"

#include "shader/translate/sgd_ir_facts.h"
#include "sgpu_fp.h"

#define ALL ~0u

/* Possible relations between two floats, as bits of a mask. */
enum { LESS = 1, EQUAL = 2, GREATER = 4, UNORDERED = 8, ANY = 15 };

/* Relations for which VCMPPS is true, indexed by its immediate. Bit 4 of the immediate is left out,
 * since it only affects exceptions.
 */
static const uint8_t comparisons[16] = {
   [SGD_CMP_EQ] = EQUAL,
   [SGD_CMP_LT] = LESS,
   [SGD_CMP_LE] = LESS | EQUAL,
   [SGD_CMP_UNORD] = UNORDERED,
   [SGD_CMP_NEQ] = LESS | GREATER | UNORDERED,
   [SGD_CMP_NLT] = EQUAL | GREATER | UNORDERED,
   [SGD_CMP_NLE] = GREATER | UNORDERED,
   [SGD_CMP_ORD] = LESS | EQUAL | GREATER,
   [SGD_CMP_EQ_UQ] = EQUAL | UNORDERED,
   [SGD_CMP_NGE] = LESS | UNORDERED,
   [SGD_CMP_NGT] = LESS | EQUAL | UNORDERED,
   [SGD_CMP_FALSE] = 0,
   [SGD_CMP_NEQ_OQ] = LESS | GREATER,
   [SGD_CMP_GE] = EQUAL | GREATER,
   [SGD_CMP_GT] = GREATER,
   [SGD_CMP_TRUE] = ANY,
};

static unsigned
swapped(unsigned relations)
{
   return (relations & (EQUAL | UNORDERED)) | (relations & LESS ? GREATER : 0) |
          (relations & GREATER ? LESS : 0);
}

static unsigned
comparison_of(unsigned relations)
{
   unsigned imm = 0;
   while (comparisons[imm] != relations)
      imm++;
   return imm;
}

unsigned
sgd_ir_swapped_comparison(unsigned imm)
{
   return comparison_of(swapped(comparisons[imm & 15]));
}

/* -- constants ------------------------------------------------------------------- */

/* Returns the relation between the floats x and y. Subnormals are treated as zeros. */
static unsigned
relation(uint32_t x, uint32_t y)
{
   if (sgd_word_is_nan(x) || sgd_word_is_nan(y))
      return UNORDERED;
   x = x & SGPU_FP_INF_BITS ? x : 0;
   y = y & SGPU_FP_INF_BITS ? y : 0;
   /* Convert the floats to integers that compare in the same way. */
   const int32_t i = x & SGPU_FP_SIGN_BIT ? -(int32_t)(x & ~SGPU_FP_SIGN_BIT) : (int32_t)x;
   const int32_t j = y & SGPU_FP_SIGN_BIT ? -(int32_t)(y & ~SGPU_FP_SIGN_BIT) : (int32_t)y;
   return i < j ? LESS : i > j ? GREATER : EQUAL;
}

static bool
word_of(const struct sgd_ir_node *n, uint32_t a, uint32_t b, uint32_t *result)
{
   switch (n->op) {
   case SGD_VPAND:
      *result = a & b;
      return true;
   case SGD_VPANDN:
      *result = ~a & b;
      return true;
   case SGD_VPOR:
      *result = a | b;
      return true;
   case SGD_VPXOR:
      *result = a ^ b;
      return true;
   case SGD_VPADDD:
      *result = a + b;
      return true;
   case SGD_VPSUBD:
      *result = a - b;
      return true;
   case SGD_VPCMPEQD:
      *result = a == b ? ALL : 0;
      return true;
   case SGD_VCMPPS:
      *result = comparisons[n->imm & 15] & relation(a, b) ? ALL : 0;
      return true;
   default:
      return false;
   }
}

static uint16_t
fold_constants(struct sgd_ir *ir, const struct sgd_ir_node *n)
{
   if (sgd_ir_num_srcs(n) != 2)
      return SGD_IR_NONE;
   const uint32_t *a = sgd_ir_words(ir, n->src[0]), *b = sgd_ir_words(ir, n->src[1]);
   uint32_t words[4];
   if (!a || !b)
      return SGD_IR_NONE;
   for (unsigned i = 0; i < 4; i++)
      if (!word_of(n, a[i], b[i], &words[i]))
         return SGD_IR_NONE;
   return sgd_ir_const(ir, words);
}

/* -- rules ----------------------------------------------------------------------- */

static bool
is_op(const struct sgd_ir_node *n, enum sgd_x86_op op)
{
   return n->kind == SGD_IR_OP && n->op == op;
}

static bool
is_blend(const struct sgd_ir_node *n)
{
   return n->kind == SGD_IR_OP && (n->op == SGD_VPBLENDVB || n->op == SGD_VBLENDVPS);
}

static uint16_t
op2(struct sgd_ir *ir, enum sgd_x86_op op, uint16_t a, uint16_t b)
{
   return sgd_ir_op(ir, op, 0, a, b, 0);
}

/* Adds the properties of a replaced node to the node that replaces it. */
static uint16_t
with_facts(struct sgd_ir *ir, uint16_t node, uint8_t facts)
{
   ir->nodes[node].facts |= facts;
   return node;
}

/* Returns the relations for which the node is true if it is a comparison of floats, and sets *x and
 * *y to its sources. Returns 0 for other nodes.
 */
static unsigned
compared(const struct sgd_ir *ir, uint16_t node, uint16_t *x, uint16_t *y)
{
   const struct sgd_ir_node *n = &ir->nodes[node];
   if (!is_op(n, SGD_VCMPPS))
      return 0;
   *x = n->src[0];
   *y = n->src[1];
   return comparisons[n->imm & 15];
}

static bool
is_comparison(const struct sgd_ir *ir, uint16_t node, unsigned relations, uint16_t a, uint16_t b)
{
   uint16_t x, y;
   const unsigned r = compared(ir, node, &x, &y);
   return r &&
          ((r == relations && x == a && y == b) || (r == swapped(relations) && x == b && y == a));
}

static bool
is_zero(const struct sgd_ir *ir, uint16_t node)
{
   return sgd_ir_is_word(ir, node, 0);
}

static uint16_t
fold_compare(struct sgd_ir *ir, const struct sgd_ir_node *n)
{
   const uint16_t a = n->src[0], b = n->src[1];
   const unsigned set = comparisons[n->imm & 15];
   unsigned possible = ANY;

   if (sgd_ir_has(ir, a, SGD_FACT_NUMBER) && sgd_ir_has(ir, b, SGD_FACT_NUMBER))
      possible &= ~UNORDERED;
   if (a == b)
      possible &= EQUAL | UNORDERED;
   if (sgd_ir_has(ir, a, SGD_FACT_POSITIVE) && is_zero(ir, b))
      possible &= ~LESS;
   if (sgd_ir_has(ir, b, SGD_FACT_POSITIVE) && is_zero(ir, a))
      possible &= ~GREATER;
   if (!(set & possible))
      return sgd_ir_word(ir, 0);
   return (set & possible) == possible ? sgd_ir_word(ir, ALL) : SGD_IR_NONE;
}

/* Returns true if the node is the `mask` of sgpu_fflush(x), whose result is x & ~(mask &
 * ~SGPU_FP_SIGN_BIT).
 */
static bool
is_tiny_mask(const struct sgd_ir *ir, uint16_t node, uint16_t x)
{
   const struct sgd_ir_node *n = &ir->nodes[node];
   if (!is_op(n, SGD_VPAND) || !sgd_ir_is_word(ir, n->src[1], ~SGPU_FP_SIGN_BIT))
      return false;
   n = &ir->nodes[n->src[0]];
   if (!is_op(n, SGD_VPCMPEQD) || !is_zero(ir, n->src[1]))
      return false;
   n = &ir->nodes[n->src[0]];
   return is_op(n, SGD_VPAND) && n->src[0] == x && sgd_ir_is_word(ir, n->src[1], SGPU_FP_INF_BITS);
}

static uint16_t
flush_subnormals(struct sgd_ir *ir, uint16_t x)
{
   if (sgd_ir_has(ir, x, SGD_FACT_FLUSHED))
      return x;
   /* Comparisons treat subnormals as zeros. */
   const uint16_t keep = sgd_ir_op(ir, SGD_VCMPPS, SGD_CMP_NEQ, x, sgd_ir_word(ir, 0), 0);
   const uint16_t bits = op2(ir, SGD_VPOR, keep, sgd_ir_word(ir, SGPU_FP_SIGN_BIT));
   const uint8_t facts = ir->nodes[x].facts & SGD_VALUE_FACTS;
   return with_facts(ir, op2(ir, SGD_VPAND, x, bits), facts | SGD_FACT_FLUSHED);
}

static bool
has_source(const struct sgd_ir *ir, uint16_t node, enum sgd_x86_op op, uint16_t src)
{
   const struct sgd_ir_node *n = &ir->nodes[node];
   return is_op(n, op) && (n->src[0] == src || n->src[1] == src);
}

/* Simplifies x & b, where x can be a float. */
static uint16_t
fold_and(struct sgd_ir *ir, uint16_t x, uint16_t b)
{
   const struct sgd_ir_node *nx = &ir->nodes[x], *nb = &ir->nodes[b];
   const uint32_t *wb = sgd_ir_words(ir, b);

   if (sgd_ir_is_word(ir, b, ALL) || x == b)
      return x;
   if (is_zero(ir, b))
      return b;
   if (wb && is_op(nx, SGD_VPAND) && sgd_ir_words(ir, nx->src[1]))
      return op2(ir, SGD_VPAND, nx->src[0], op2(ir, SGD_VPAND, nx->src[1], b));
   if (has_source(ir, x, SGD_VPAND, b))
      return x;
   if (is_op(nb, SGD_VPXOR) && sgd_ir_is_word(ir, nb->src[1], ALL) &&
       is_tiny_mask(ir, nb->src[0], x))
      return flush_subnormals(ir, x);
   /* The mask would set x * x to +0 where x is 0, but the square of zero is +0 already. */
   if (is_op(nx, SGD_VMULPS) && nx->src[0] == nx->src[1]) {
      uint16_t p, q;
      if (compared(ir, b, &p, &q) == (LESS | GREATER | UNORDERED) && p == nx->src[0] &&
          is_zero(ir, q))
         return x;
   }
   /* Match a comparison and a mask that are equivalent to max(x, 0). */
   uint16_t p, q;
   unsigned r = compared(ir, b, &p, &q);
   if (r == LESS && is_zero(ir, p) && q == x && sgd_ir_has(ir, x, SGD_FACT_FLUSHED))
      return op2(ir, SGD_VMAXPS, x, p);
   if (r == GREATER && is_zero(ir, q) && p == x && sgd_ir_has(ir, x, SGD_FACT_FLUSHED))
      return op2(ir, SGD_VMAXPS, x, q);
   return SGD_IR_NONE;
}

/* Simplifies the integer comparison x == 0 if x is a mask, or a nonzero constant to which a mask is
 * applied.
 */
static uint16_t
fold_is_zero(struct sgd_ir *ir, uint16_t x)
{
   const struct sgd_ir_node *n = &ir->nodes[x];
   if (is_op(n, SGD_VPAND) && sgd_ir_words(ir, n->src[1]) &&
       sgd_ir_has(ir, n->src[0], SGD_FACT_MASK)) {
      const uint32_t *w = sgd_ir_words(ir, n->src[1]);
      if (w[0] && w[1] && w[2] && w[3])
         x = n->src[0];
   }
   if (!sgd_ir_has(ir, x, SGD_FACT_MASK))
      return SGD_IR_NONE;
   return op2(ir, SGD_VPXOR, x, sgd_ir_word(ir, ALL));
}

static uint16_t
fold_logic(struct sgd_ir *ir, const struct sgd_ir_node *n)
{
   const uint16_t a = n->src[0], b = n->src[1];
   const struct sgd_ir_node *na = &ir->nodes[a];

   switch ((enum sgd_x86_op)n->op) {
   case SGD_VPAND: {
      const uint16_t found = fold_and(ir, a, b);
      return found != SGD_IR_NONE ? found : fold_and(ir, b, a);
   }
   case SGD_VPANDN:
      if (is_zero(ir, a) || is_zero(ir, b))
         return b;
      if (sgd_ir_is_word(ir, a, ALL))
         return sgd_ir_word(ir, 0);
      if (sgd_ir_is_word(ir, b, ALL))
         return op2(ir, SGD_VPXOR, a, b);
      return is_tiny_mask(ir, a, b) ? flush_subnormals(ir, b) : SGD_IR_NONE;
   case SGD_VPOR:
      if (sgd_ir_is_word(ir, b, ALL))
         return b;
      return is_zero(ir, b) || a == b ? a : SGD_IR_NONE;
   case SGD_VPCMPEQD:
      return is_zero(ir, b) ? fold_is_zero(ir, a) : SGD_IR_NONE;
   case SGD_VPXOR:
      if (is_zero(ir, b))
         return a;
      if (sgd_ir_is_word(ir, b, ALL) && is_op(na, SGD_VCMPPS))
         return sgd_ir_op(ir, SGD_VCMPPS, comparison_of(ANY & ~comparisons[na->imm & 15]),
                          na->src[0], na->src[1], 0);
      if (sgd_ir_words(ir, b) && is_op(na, SGD_VPXOR) && sgd_ir_words(ir, na->src[1]))
         return op2(ir, SGD_VPXOR, na->src[0], op2(ir, SGD_VPXOR, na->src[1], b));
      return SGD_IR_NONE;
   default:
      return SGD_IR_NONE;
   }
}

/* Simplifies mask ? equal : chosen. sgpu_fmin() and sgpu_fmax() use this to order zeros of
 * different sign. `chosen` is the minimum or maximum of x and y (y if either one is NaN), and
 * `mask` is x == y.
 */
static uint16_t
fold_zeros(struct sgd_ir *ir, uint16_t chosen, uint16_t equal, uint16_t mask)
{
   const struct sgd_ir_node *n = &ir->nodes[chosen];
   const bool max = is_op(n, SGD_VMAXPS);
   if (!max && !is_op(n, SGD_VMINPS))
      return SGD_IR_NONE;
   const uint16_t x = n->src[0], y = n->src[1];
   if (!is_comparison(ir, mask, EQUAL, x, y) || !sgd_ir_has(ir, x, SGD_FACT_FLUSHED) ||
       !sgd_ir_has(ir, y, SGD_FACT_FLUSHED) || op2(ir, max ? SGD_VPAND : SGD_VPOR, x, y) != equal)
      return SGD_IR_NONE;
   /* If x == y, `chosen` is y. This is correct for every constant y, except for a zero with the
    * wrong sign.
    */
   const uint32_t *w = sgd_ir_words(ir, y);
   bool same = w;
   for (unsigned i = 0; w && i < 4; i++)
      same &= w[i] != (max ? SGPU_FP_SIGN_BIT : 0);
   if (same)
      return chosen;
   const uint8_t facts = ir->nodes[chosen].facts & SGD_VALUE_FACTS;
   if (!max)
      return with_facts(ir, op2(ir, SGD_VPOR, chosen, op2(ir, SGD_VPAND, x, mask)), facts);
   const uint16_t other = sgd_ir_op(ir, SGD_VCMPPS, SGD_CMP_NEQ, x, y, 0);
   /* If `chosen` is NaN, then it is y, and x | other has all bits set, so that no bit of it
    * changes.
    */
   return with_facts(ir, op2(ir, SGD_VPAND, chosen, op2(ir, SGD_VPOR, x, other)),
                     facts | SGD_FACT_BLIND);
}

/* Simplifies a blend, i.e. mask ? b : a. */
static uint16_t
fold_blend(struct sgd_ir *ir, const struct sgd_ir_node *n)
{
   const uint16_t a = n->src[0], b = n->src[1], mask = n->src[2];
   const struct sgd_ir_node *nm = &ir->nodes[mask];
   const uint32_t *wa = sgd_ir_words(ir, a), *wb = sgd_ir_words(ir, b);
   uint16_t p, q;

   if (!sgd_ir_has(ir, mask, SGD_FACT_MASK))
      return SGD_IR_NONE;
   if (a == b || is_zero(ir, mask))
      return a;
   if (sgd_ir_is_word(ir, mask, ALL))
      return b;
   if (is_op(nm, SGD_VPXOR) && sgd_ir_is_word(ir, nm->src[1], ALL))
      return sgd_ir_op(ir, n->op, 0, b, a, nm->src[0]);
   unsigned r = compared(ir, mask, &p, &q);
   if (r == GREATER) {
      const uint16_t first = p;
      p = q;
      q = first;
      r = LESS;
   }
   if (r == LESS && sgd_ir_has(ir, p, SGD_FACT_FLUSHED) && sgd_ir_has(ir, q, SGD_FACT_FLUSHED)) {
      if (b == p && a == q)
         return op2(ir, SGD_VMINPS, p, q);
      if (b == q && a == p)
         return op2(ir, SGD_VMAXPS, q, p);
   }
   const uint16_t chosen = fold_zeros(ir, a, b, mask);
   if (chosen != SGD_IR_NONE)
      return chosen;
   /* Avoid blends, since they take two micro-ops on most CPUs. */
   if (wa && is_zero(ir, a))
      return op2(ir, SGD_VPAND, b, mask);
   if (wb && is_zero(ir, b))
      return op2(ir, SGD_VPANDN, mask, a);
   if (wa && wb) {
      const uint16_t change = op2(ir, SGD_VPXOR, a, b);
      return op2(ir, SGD_VPXOR, op2(ir, SGD_VPAND, mask, change), a);
   }
   return SGD_IR_NONE;
}

/* Simplifies a multiplication by 1. */
static uint16_t
fold_product(const struct sgd_ir *ir, uint16_t a, uint16_t b)
{
   /* A multiplication flushes subnormals and makes signaling NaNs quiet, so it can only be removed
    * if there are none.
    */
   const uint8_t same = SGD_FACT_FLUSHED | SGD_FACT_CANON;
   if (sgd_ir_is_word(ir, b, SGPU_FP_ONE_BITS) && sgd_ir_has(ir, a, same))
      return a;
   return sgd_ir_is_word(ir, a, SGPU_FP_ONE_BITS) && sgd_ir_has(ir, b, same) ? b : SGD_IR_NONE;
}

uint16_t
sgd_ir_fold(struct sgd_ir *ir, struct sgd_ir_node *n)
{
   const bool a = sgd_ir_words(ir, n->src[0]),
              b = sgd_ir_num_srcs(n) > 1 && sgd_ir_words(ir, n->src[1]);
   if (sgd_x86_info[n->op].commutes == SGD_COMMUTES_YES && (a != b ? a : n->src[0] > n->src[1])) {
      const uint16_t first = n->src[0];
      n->src[0] = n->src[1];
      n->src[1] = first;
   }
   const uint16_t folded = fold_constants(ir, n);
   if (folded != SGD_IR_NONE)
      return folded;
   if (n->op == SGD_VCMPPS)
      return fold_compare(ir, n);
   if (n->op == SGD_VMULPS)
      return fold_product(ir, n->src[0], n->src[1]);
   return is_blend(n) ? fold_blend(ir, n) : fold_logic(ir, n);
}
