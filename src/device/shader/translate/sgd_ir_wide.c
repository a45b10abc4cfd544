/* SPDX-License-Identifier: MIT */
/*
 * Translator: decides which regions can process vectors of 16 lanes.
 *
 * Nodes are values of eight lanes, two parts of 128 bits. In a wide vector, operations that move
 * lanes within parts act on four parts of 128 bits, and operations on halves act on two halves of
 * 256 bits. The two kinds expect different orders of lanes, so a region must not mix them.
 */
#include "shader/translate/sgd_ir_wide.h"

/* How the lanes of a value are arranged. */
enum arrangement {
   HALVES = 1 << 0, /* four of the eight lanes, often as numbers of 64 bits */
   PARTS = 1 << 1,  /* lanes have changed places within parts of 128 bits */
   EVEN = 1 << 2,   /* the first parts of two vectors of numbers of 64 bits */
   ODD = 1 << 3,    /* the second parts */
   MIXED = 1 << 4,  /* unknown */
};

/* Returns true for operations that move lanes within parts of 128 bits. */
static bool
moves_in_parts(const struct sgd_ir_node *n)
{
   switch (n->op) {
   case SGD_VPUNPCKLDQ:
   case SGD_VPUNPCKHDQ:
   case SGD_VPUNPCKLQDQ:
   case SGD_VPUNPCKHQDQ:
   case SGD_VPACKSSDW:
   case SGD_VPACKUSDW:
   case SGD_VPSHUFD:
   case SGD_VSHUFPS:
   case SGD_VPERMILPS:
      return true;
   case SGD_VPSHUFB:
      return n->imm != SGD_IR_IN_LANES;
   default:
      return false;
   }
}

/* Returns the source of a VPSHUFD node that sorts the low and the high words of numbers of 64 bits.
 */
static const struct sgd_ir_node *
sorted(const struct sgd_ir *ir, uint16_t node)
{
   const struct sgd_ir_node *n = &ir->nodes[node];
   return n->kind == SGD_IR_OP && n->op == SGD_VPSHUFD && n->imm == 0xd8 ? &ir->nodes[n->src[0]]
                                                                         : NULL;
}

/* Returns true if the node has the low words of two vectors of numbers of 64 bits, as compilers
 * convert these to 32 bits.
 */
static bool
is_narrowed(const struct sgd_ir *ir, const struct sgd_ir_node *n)
{
   const struct sgd_ir_node *a = sorted(ir, n->src[0]), *b = sorted(ir, n->src[1]);
   return n->op == SGD_VPUNPCKLQDQ && a && b && a->kind == SGD_IR_OP && b->kind == SGD_IR_OP &&
          a->op == SGD_VPERM2I128 && b->op == SGD_VPERM2I128 && a->imm == SGD_IR_WIDE_EVEN &&
          b->imm == SGD_IR_WIDE_ODD && a->src[0] == b->src[0] && a->src[1] == b->src[1];
}

static unsigned
arrange(const struct sgd_ir *ir, const struct sgd_ir_node *n, const uint8_t *of)
{
   unsigned from = 0;
   for (unsigned s = 0; s < sgd_ir_num_srcs(n); s++)
      from |= of[n->src[s]];
   if (n->kind != SGD_IR_OP)
      return from & (EVEN | ODD) ? MIXED : from;
   switch (n->op) {
   case SGD_VPERM2I128:
      if (from & ~HALVES || (n->imm != SGD_IR_WIDE_EVEN && n->imm != SGD_IR_WIDE_ODD))
         return MIXED;
      return n->imm == SGD_IR_WIDE_EVEN ? EVEN : ODD;
   case SGD_VPSHUFD:
      if (from == EVEN || from == ODD)
         return n->imm == 0xd8 ? from : MIXED;
      break;
   case SGD_VPUNPCKLQDQ:
      if (from == (EVEN | ODD))
         return is_narrowed(ir, n) ? 0 : MIXED;
      break;
   case SGD_VCVTPS2PD:
   case SGD_VCVTDQ2PD:
   case SGD_VEXTRACTF128:
   case SGD_VEXTRACTI128:
      return from & ~HALVES ? MIXED : HALVES;
   case SGD_VINSERTF128:
   case SGD_VINSERTI128:
      return from & ~HALVES ? MIXED : 0;
   default:
      break;
   }
   if (from & (EVEN | ODD) || (moves_in_parts(n) && from & HALVES) || from == (HALVES | PARTS))
      return MIXED;
   return moves_in_parts(n) ? from | PARTS : from;
}

bool
sgd_ir_can_be_wide(const struct sgd_ir *ir)
{
   uint8_t of[SGD_IR_MAX_NODES];
   for (uint32_t i = 0; i < ir->num_nodes; i++) {
      const struct sgd_ir_node *n = &ir->nodes[i];
      of[i] = 0;
      if (!n->uses)
         continue;
      of[i] = (uint8_t)arrange(ir, n, of);
      if (of[i] & MIXED)
         return false;
      if (n->kind != SGD_IR_OP)
         continue;
      const unsigned wide = sgd_x86_info[n->op].wide;
      if (wide == SGD_WIDE_NO || (wide == SGD_WIDE_TABLE && !sgd_ir_words(ir, n->src[1])))
         return false;
   }
   for (uint32_t i = 0; i < ir->num_stores; i++)
      if (of[ir->stores[i].value] & ~PARTS)
         return false;
   return true;
}
