/* SPDX-License-Identifier: MIT */
/*
 * Breaking of dependence chains (Wolfe and Noonburg, MICRO-32, 1999, 4.6): determines which items
 * can be reordered although they write the same pixels.
 */
#ifndef SGT_BREAKING_H
#define SGT_BREAKING_H

#include "engine99/sgt_engine.h"

/* Returns a key that controls the reordering of an item. Two items with the same key whose
 * destinations overlap can execute in either order, but not at the same time. The key is 0 if the
 * item must not be reordered.
 */
static inline uint64_t
sgt_break_key(const struct sgt_trace *trace, const struct sgt_item *item, enum sgt_breaking rule)
{
   const struct sgt_operation *op = &trace->operations[item->operation];
   switch (rule) {
   case SGT_BREAK_NONE:
      break;
   case SGT_BREAK_PAPER:
      return sgt_item_is_primitive(item) && !op->blends;
   case SGT_BREAK_EXACT:
      return op->order == SGT_ORDER_PROGRAM ? 0 : (uint64_t)op->order << 32 | op->order_key;
   }
   return 0;
}

#endif
