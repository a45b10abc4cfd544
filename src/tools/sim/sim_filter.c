/* SPDX-License-Identifier: MIT */
/* Creates traces that only have some of the items, as selected by the key fetch.items. */
#include <stdlib.h>
#include <string.h>

#include "sim.h"

static bool
is_wanted(const struct sgt_item *item, uint64_t items)
{
   return items == SGT_FETCH_ITEMS_ALL || item->kind == SGT_ITEM_TRIANGLE ||
          (items == SGT_FETCH_ITEMS_PRIMITIVES && item->kind <= SGT_ITEM_POINT);
}

static void
copy_items(struct sgt_trace *t, const struct sgt_trace *whole, uint64_t items)
{
   t->num_items = 0;
   for (uint32_t i = 0; i < whole->num_operations; i++) {
      struct sgt_operation *op = &t->operations[i];
      *op = whole->operations[i];
      const struct sgt_item *from = &whole->items[op->first_item];
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
}

/* Marks all memory sets that overlap the destination of a remaining item.  `seen` has one flag per
 * set, which must initially be false.
 */
static void
mark_written(const struct sgt_trace *t, bool *written, bool *seen)
{
   for (uint32_t i = 0; i < t->num_items; i++) {
      const uint32_t set = t->items[i].destination.set;
      if (seen[set])
         continue;
      seen[set] = true;
      for (uint32_t s = 0; s < t->num_sets; s++)
         written[s] |= sgt_sets_meet(t, set, s);
   }
}

/* Copies the sources of all items, except for sources that no remaining item writes.  Items that
 * shared their sources also share the copies.
 */
static void
copy_sources(struct sgt_trace *t, const struct sgt_trace *whole, const bool *written)
{
   /* from, num: index and number of the previous item's old sources; first: index of its first copy
    */
   uint32_t from = 0, num = 0, first = 0;

   t->num_sources = 0;
   for (uint32_t i = 0; i < t->num_items; i++) {
      struct sgt_item *item = &t->items[i];
      if (!num || item->first_source != from || item->num_sources != num) {
         from = item->first_source;
         num = item->num_sources;
         first = t->num_sources;
         for (uint32_t n = 0; n < num; n++) {
            if (written[whole->sources[from + n].set])
               t->sources[t->num_sources++] = whole->sources[from + n];
         }
      }
      item->first_source = first;
      item->num_sources = num ? t->num_sources - first : 0;
   }
}

struct sgt_trace *
sim_filter_create(const struct sgt_trace *whole, uint64_t items)
{
   struct sgt_trace *t = malloc(sizeof *t);

   if (!t)
      return NULL;
   *t = *whole;
   t->items = malloc((whole->num_items + 1) * sizeof *t->items);
   t->operations = malloc((whole->num_operations + 1) * sizeof *t->operations);
   bool *written = calloc(2, whole->num_sets + 1);
   uint64_t num_sources = 1;
   for (uint32_t i = 0; i < whole->num_items; i++)
      num_sources += whole->items[i].num_sources;
   t->sources = malloc(num_sources * sizeof *t->sources);
   if (!t->items || !t->operations || !t->sources || !written) {
      free(written);
      sim_filter_destroy(t);
      return NULL;
   }
   copy_items(t, whole, items);
   mark_written(t, written, written + whole->num_sets + 1);
   copy_sources(t, whole, written);
   free(written);
   return t;
}

void
sim_filter_destroy(struct sgt_trace *t)
{
   if (!t)
      return;
   free(t->items);
   free(t->operations);
   free(t->sources);
   free(t);
}
