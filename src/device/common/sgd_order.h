/* SPDX-License-Identifier: MIT */
/*
 * ROP: decides from the state of a draw in which order its fragments can be tested, shaded and
 * stored.
 */
#ifndef SGD_ORDER_H
#define SGD_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "sgpu_packets.h"

/* Effect of a draw on stored colours, which decides when its fragments can be shaded (policy
 * ooo+split+break). A fragment replaces a pixel if it overwrites everything that the target formats
 * store there, independent of the previous contents.
 */
enum sgd_order_role {
   /* The draw neither stores nor reads colours. */
   SGD_ORDER_NONE,
   /* Fragments that pass the early tests replace their pixels and have no other effect. A fragment
    * that a later one replaces doesn't need to be shaded.
    */
   SGD_ORDER_LATER,
   /* Stored fragments replace their pixels, but the program must run in program order, since it
    * decides whether fragments are stored, or its result depends on the other lanes of its warp.
    */
   SGD_ORDER_NOW,
   /* The draw reads stored colours, keeps a part of them, or has other effects. */
   SGD_ORDER_MIXES,
};

/* Which fragment of a pixel survives, among the fragments of draws with the same rule and masks.
 * The values equal those of enum sgt_order (src/timing/trace/sgt_trace.h).
 */
enum sgd_order_rule {
   SGD_ORDER_PROGRAM,      /* the last fragment that passes, in program order */
   SGD_ORDER_LOWEST,       /* the first fragment with the lowest depth */
   SGD_ORDER_LOWEST_LAST,  /* the last fragment with the lowest depth */
   SGD_ORDER_HIGHEST,      /* the first fragment with the highest depth */
   SGD_ORDER_HIGHEST_LAST, /* the last fragment with the highest depth */
};

struct sgd_order {
   uint8_t role; /* role of the draw, enum sgd_order_role */
   /* Rule of the draw, enum sgd_order_rule. If it is not PROGRAM, fragments can be tested, shaded
    * and stored in any order, one at a time per pixel, provided that the depth test resolves ties
    * by program order. Colours and depths are then the same as in program order. The previously
    * stored depth counts as the first fragment.
    */
   uint8_t rule;
   bool reads;      /* the draw reads stored colours ("alpha blended" in Wolfe and Noonburg) */
   uint8_t targets; /* bitmask of the colour targets that are written */
   uint32_t masks; /* write mask of target n in bits 4n to 4n + 3; 0 if the target is not written */
};

/* Inputs of sgd_decide_order(). */
struct sgd_order_key {
   uint32_t masks; /* write masks as in struct sgd_order; 0 if no program runs */
   bool partial;   /* the draw keeps some of the bits that the format of a written target stores */
   bool reads_color; /* blending or the logic op reads the stored colour */
   /* the pixel program can sample memory of a target, fetches stored pixels, or uses pixel
    * interlock (SHADER.Interlock)
    */
   bool reads_target;
   bool multisample; /* targets are multisampled */
   bool smooth;      /* alpha is multiplied by smooth coverage */

   bool depth_test, depth_write; /* a depth buffer exists and is tested; depth is also written */
   enum sgpu_compare depth_func;
   bool stencil_test; /* stencil is tested or written, or the depth bounds test is enabled */

   /* the program, the alpha test or alpha to coverage can discard fragments or samples */
   bool ps_drops;
   bool ps_writes_depth, ps_writes_stencil, ps_writes_memory;
   bool ps_reads_warp; /* the program reads lane numbers, or which lanes of its warp have pixels */
};

/* Decides on the order of a draw's fragments. This is a pure function. */
struct sgd_order sgd_decide_order(const struct sgd_order_key *key);

/* Adjusts the order of a draw for active queries that count `invocations` of the pixel program or
 * `samples` that pass. Queries for samples don't change the role, since tests always run in program
 * order with policy ooo+split+break.
 */
static inline struct sgd_order
sgd_order_counted(struct sgd_order order, bool invocations, bool samples)
{
   if (invocations || samples)
      order.rule = SGD_ORDER_PROGRAM;
   if (invocations && order.role == SGD_ORDER_LATER)
      order.role = SGD_ORDER_NOW;
   return order;
}

/* Returns true if bounds of the stored depths can prove that all depths in a range fail the
 * comparison.
 */
static inline bool
sgd_comparison_rejects(enum sgpu_compare func)
{
   return func == SGPU_COMPARE_LESS || func == SGPU_COMPARE_LEQUAL || func == SGPU_COMPARE_EQUAL ||
          func == SGPU_COMPARE_GREATER || func == SGPU_COMPARE_GEQUAL;
}

/* Returns true if the result of a logic op depends on the stored bits. */
static inline bool
sgd_logic_reads(enum sgpu_logic_op op)
{
   /* Bits of op, from bit 0: ~s & ~d, ~s & d, s & ~d, s & d. */
   return ((op ^ op >> 1) & 5) != 0;
}

#endif
