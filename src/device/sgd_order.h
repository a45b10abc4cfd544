/* SPDX-License-Identifier: MIT */
/*
 * ROP: what decides about the order of fragments, as a pure function of the state.
 */
#ifndef SGD_ORDER_H
#define SGD_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "sgpu_packets.h"

/* What a draw does to stored colours, and so when its fragments may be shaded (policy
 * ooo+split+break).  A fragment replaces a pixel if it stores all that the formats of the
 * draw's targets store there, whatever was stored before.
 */
enum sgd_order_role {
   /* Stores no colour, and reads none. */
   SGD_ORDER_NONE,
   /* Fragments that pass the early tests replace their pixels and do nothing else.  One
    * that a later fragment replaces need not be shaded.
    */
   SGD_ORDER_LATER,
   /* Fragments that are stored replace their pixels, but the program must run in its place:
    * it decides whether they are stored, or what it computes depends on its warp.
    */
   SGD_ORDER_NOW,
   /* Depends on stored colours, keeps a part of them, or has effects besides. */
   SGD_ORDER_MIXES,
};

/* The fragment of a pixel that stays, among those of draws with equal rules and equal
 * masks.  Values as in enum sgt_order (src/timing/trace/sgt_trace.h).
 */
enum sgd_order_rule {
   SGD_ORDER_PROGRAM,      /* the last one that passes, in program order */
   SGD_ORDER_LOWEST,       /* of the lowest depth; of equal ones the first in program order */
   SGD_ORDER_LOWEST_LAST,  /* the last */
   SGD_ORDER_HIGHEST,      /* of the highest depth, the first */
   SGD_ORDER_HIGHEST_LAST, /* the last */
};

struct sgd_order {
   uint8_t role; /* enum sgd_order_role */
   /* enum sgd_order_rule.  Where it is not PROGRAM, fragments may be tested, shaded and
    * stored in any order, one at a time for each pixel, if the test decides between equal
    * depths by the fragments' place in program order.  Colours and depths are those of
    * program order then.  A stored depth from before counts as the first.
    */
   uint8_t rule;
   bool reads;      /* stored colours: the "alpha blended" of Wolfe and Noonburg */
   uint8_t targets; /* bit n: colour target n is written */
   uint32_t masks;  /* bits 4n to 4n + 3: its write mask; 0: not written */
};

/* Inputs of sgd_decide_order. */
struct sgd_order_key {
   uint32_t masks;    /* as in struct sgd_order; not 0 only where a program runs */
   bool partial;      /* a written target keeps bits that its format stores */
   bool reads_color;  /* blending or the logic operation depends on the stored colour */
   bool reads_target; /* the pixel program can sample memory of a target, fetches stored pixels
                       * or is ordered by pixels (SHADER.Interlock) */
   bool multisample;  /* targets have several samples */
   bool smooth;       /* alpha is multiplied by coverage */

   bool depth_test, depth_write; /* there is depth, and it is tested; written where it passes */
   enum sgpu_compare depth_func;
   bool stencil_test; /* or written; or stored depths are tested against bounds */

   bool ps_drops; /* the program, the alpha test or alpha to coverage can drop fragments or
                   * samples */
   bool ps_writes_depth, ps_writes_stencil, ps_writes_memory;
   bool ps_reads_warp; /* reads which lanes of its warp have pixels, or its lane's number */
};

/* Pure. */
struct sgd_order sgd_decide_order(const struct sgd_order_key *key);

/* The order of a draw with the state, where queries count what it does. `invocations`: of the
 * pixel program; `samples`: that pass.  Of these, policy ooo+split+break leaves the samples
 * as they are: its tests run in program order.
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

/* Whether the result of a logic operation depends on the stored bits. */
static inline bool
sgd_logic_reads(enum sgpu_logic_op op)
{
   /* bits of op: ~s & ~d, ~s & d, s & ~d, s & d */
   return ((op ^ op >> 1) & 5) != 0;
}

#endif
