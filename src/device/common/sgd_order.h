/* SPDX-License-Identifier: MIT */
/*
 * Decides from the state of a draw in which order its fragments can be tested, shaded and stored.
 */
#ifndef SGD_ORDER_H
#define SGD_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "sgpu_packets.h"

/* How a draw affects stored colours. This decides when its fragments can be shaded (dispatch policy
 * ooo+split+break). A fragment replaces a pixel if it overwrites everything that the target formats
 * store there, independent of the previous contents.
 */
enum sgd_order_role {
   /* The draw neither stores nor reads colours. */
   SGD_ORDER_NONE,
   /* Fragments that pass the early tests replace their pixels and have no other effect. If a later
    * fragment replaces a pixel, the earlier fragment doesn't need to be shaded.
    */
   SGD_ORDER_LATER,
   /* Stored fragments replace their pixels, but fragments must be shaded in program order. Either
    * the program decides whether a fragment is stored, or its result depends on the other lanes of
    * its warp.
    */
   SGD_ORDER_NOW,
   /* The draw reads stored colours, overwrites only a part of them, or has other effects. */
   SGD_ORDER_MIXES,
};

/* Which fragment of a pixel survives, if several draws with the same rule and masks cover the
 * pixel. The values must match enum sgt_order (src/timing/trace/sgt_trace.h).
 */
enum sgd_order_rule {
   SGD_ORDER_PROGRAM,      /* the last fragment in program order that passes the tests */
   SGD_ORDER_LOWEST,       /* the first fragment with the lowest depth */
   SGD_ORDER_LOWEST_LAST,  /* the last fragment with the lowest depth */
   SGD_ORDER_HIGHEST,      /* the first fragment with the highest depth */
   SGD_ORDER_HIGHEST_LAST, /* the last fragment with the highest depth */
};

struct sgd_order {
   uint8_t role; /* role of the draw, enum sgd_order_role */
   /* Rule of the draw, enum sgd_order_rule. With any rule except PROGRAM, fragments can be tested,
    * shaded and stored in any order, one at a time per pixel, provided that the depth test resolves
    * ties by program order. Colours and depths are then the same as in program order. The
    * previously stored depth counts as the first fragment.
    */
   uint8_t rule;
   bool reads;      /* the draw reads stored colours, e.g. for blending */
   uint8_t targets; /* bitmask of the colour targets that are written */
   /* 4-bit write mask of target n in bits 4n to 4n + 3; 0 if the target is not written */
   uint32_t masks;
};

/* Inputs of sgd_decide_order(). */
struct sgd_order_key {
   uint32_t masks; /* write masks, laid out as in struct sgd_order; 0 if no pixel program runs */
   /* set if the write mask of a target doesn't cover all bits that its format stores */
   bool partial;
   bool reads_color; /* set if blending or the logic op reads the stored colour */
   /* set if the pixel program can sample memory of a target, fetches stored pixels, or uses pixel
    * interlock (SHADER.Interlock)
    */
   bool reads_target;
   bool multisample; /* targets are multisampled */
   bool smooth;      /* alpha is multiplied by smooth coverage */

   /* depth_test: a depth buffer exists and is tested; depth_write: passing depths are also written
    */
   bool depth_test, depth_write;
   enum sgpu_compare depth_func;
   /* set if stencil is tested or written, or if the depth bounds test is enabled */
   bool stencil_test;

   /* set if the program, the alpha test or alpha to coverage can discard fragments or samples */
   bool ps_drops;
   bool ps_writes_depth, ps_writes_stencil, ps_writes_memory;
   /* set if the program reads lane numbers, or can find out which lanes of its warp have pixels */
   bool ps_reads_warp;
};

/* Returns the order that the fragments of a draw require. This is a pure function. */
struct sgd_order sgd_decide_order(const struct sgd_order_key *key);

/* Adjusts the order of a draw for active queries. `invocations` is true if a query counts pixel
 * program invocations, `samples` if a query counts the samples that pass. Queries for samples don't
 * change the role, since tests always run in program order with policy ooo+split+break.
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

/* Returns true if a range of depths can be rejected as a whole, i.e. if bounds of the stored depths
 * can prove that every depth in the range fails the comparison.
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
   /* Bits 0 to 3 of op are the results for ~s & ~d, ~s & d, s & ~d and s & d. The result depends on
    * d if bits 0 and 1 differ, or bits 2 and 3.
    */
   return ((op ^ op >> 1) & 5) != 0;
}

#endif
