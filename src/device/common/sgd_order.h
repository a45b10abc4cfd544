/* SPDX-License-Identifier: MIT */
/*
 * ROP: decisions about the order of fragments, as a pure function of the state.
 */
#ifndef SGD_ORDER_H
#define SGD_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "sgpu_packets.h"

/* The effect of a draw on stored colours, which decides when its fragments may be shaded
 * (policy ooo+split+break). A fragment replaces a pixel if it stores everything that the
 * formats of the draw's targets store there, whatever was stored before.
 */
enum sgd_order_role {
   /* The draw neither stores nor reads colours. */
   SGD_ORDER_NONE,
   /* Fragments that pass the early tests replace their pixels and do nothing else. A
    * fragment that a later one replaces need not be shaded.
    */
   SGD_ORDER_LATER,
   /* Fragments that are stored replace their pixels, but the program must run in program
    * order: it decides whether they are stored, or its result depends on its warp.
    */
   SGD_ORDER_NOW,
   /* The draw depends on stored colours, keeps a part of them, or has other effects. */
   SGD_ORDER_MIXES,
};

/* The fragment of a pixel that remains, among those of draws with the same rule and
 * masks. Values equal those of enum sgt_order (src/timing/trace/sgt_trace.h).
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
   /* Rule of the draw, enum sgd_order_rule. If it is not PROGRAM, fragments may be
    * tested, shaded and stored in any order, one at a time for each pixel, provided that
    * the test decides between equal depths by program order. Then colours and depths are
    * the same as in program order. A depth stored before counts as the first.
    */
   uint8_t rule;
   bool reads;      /* the draw reads stored colours ("alpha blended" of Wolfe and Noonburg) */
   uint8_t targets; /* bit n: colour target n is written */
   uint32_t masks;  /* bits 4n to 4n + 3: write mask of target n; 0: not written */
};

/* Inputs of sgd_decide_order(). */
struct sgd_order_key {
   uint32_t masks;    /* masks as in struct sgd_order; 0 if no program runs */
   bool partial;      /* of a written target, some bits that its format stores stay unchanged */
   bool reads_color;  /* blending or the logic operation depends on the stored colour */
   bool reads_target; /* the pixel program can sample memory of a target, fetches stored pixels, or
                       * is ordered by pixels (SHADER.Interlock) */
   bool multisample;  /* targets have several samples */
   bool smooth;       /* alpha is multiplied by coverage */

   bool depth_test, depth_write; /* there is depth, and it is tested (and written if it passes) */
   enum sgpu_compare depth_func;
   bool stencil_test; /* stencil is tested or written, or depth bounds are tested */

   bool ps_drops; /* the program, the alpha test or alpha to coverage can drop fragments or
                   * samples */
   bool ps_writes_depth, ps_writes_stencil, ps_writes_memory;
   bool ps_reads_warp; /* the program reads which lanes of its warp have pixels, or lane numbers */
};

/* Decides about the order of a draw's fragments. This is a pure function. */
struct sgd_order sgd_decide_order(const struct sgd_order_key *key);

/* Returns the order of a draw whose effects are counted by queries: `invocations` of the
 * pixel program, or `samples` that pass. Policy ooo+split+break need not change the role
 * for samples, because its tests run in program order.
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

/* Returns true if all depths of a range can fail the comparison against bounds of the
 * stored depths.
 */
static inline bool
sgd_comparison_rejects(enum sgpu_compare func)
{
   return func == SGPU_COMPARE_LESS || func == SGPU_COMPARE_LEQUAL || func == SGPU_COMPARE_EQUAL ||
          func == SGPU_COMPARE_GREATER || func == SGPU_COMPARE_GEQUAL;
}

/* Returns true if the result of a logic operation depends on the stored bits. */
static inline bool
sgd_logic_reads(enum sgpu_logic_op op)
{
   /* bits of op: ~s & ~d, ~s & d, s & ~d, s & d */
   return ((op ^ op >> 1) & 5) != 0;
}

#endif
