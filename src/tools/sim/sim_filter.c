/* SPDX-License-Identifier: MIT */
/*
 * fetch.items: traces with some of the items.
 */
#include <stdlib.h>
#include <string.h>

#include "sim.h"

static bool
is_wanted(const struct sgt_item *item, uint64_t items)
{
   return items == SGT_CHOICE_FETCH_ITEMS_ALL || item->kind == SGT_ITEM_TRIANGLE ||
          (items == SGT_CHOICE_FETCH_ITEMS_PRIMITIVES && item->kind <= SGT_ITEM_POINT);
}

struct sgt_trace *
sim_filter_create(const struct sgt_trace *trace, uint64_t items)
{
   struct sgt_trace *t = malloc(sizeof *t);

   if (!t)
      return NULL;
   *t = *trace;
   t->num_items = 0;
   t->items = malloc((trace->num_items + 1) * sizeof *t->items);
   t->operations = malloc((trace->num_operations + 1) * sizeof *t->operations);
   if (!t->items || !t->operations) {
      sim_filter_destroy(t);
      return NULL;
   }
   for (uint32_t i = 0; i < trace->num_operations; i++) {
      struct sgt_operation *op = &t->operations[i];
      *op = trace->operations[i];
      const struct sgt_item *from = &trace->items[op->first_item];
      const uint32_t count = op->num_items;
      op->first_item = t->num_items;
      op->num_items = 0;
      for (uint32_t n = 0; n < count; n++) {
         if (is_wanted(&from[n], items)) {
            t->items[t->num_items++] = from[n];
            op->num_items++;
         }
      }
   }
   return t;
}

void
sim_filter_destroy(struct sgt_trace *t)
{
   if (!t)
      return;
   free(t->items);
   free(t->operations);
   free(t);
}
