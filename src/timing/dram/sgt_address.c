/* SPDX-License-Identifier: MIT */
/*
 * Computes the size and the base address of each memory set of a trace, which determine the
 * addresses of pixels.
 */
#include "dram/sgt_address.h"

#include <stdlib.h>

#include "util/macros.h"

/* Maximum width and height of a surface. Larger rectangles are placeholders that cover a whole
 * region.
 */
#define MAX_SIZE 65536

/* Enlarges the surface of the memory set that a region belongs to, so that it contains the region.
 */
static void
address_include(struct sgt_addresses *a, const struct sgt_region *r)
{
   struct sgt_surface *s = &a->sets[r->set];
   if (r->rect.x1 <= 0 || r->rect.y1 <= 0 || r->rect.x1 > MAX_SIZE || r->rect.y1 > MAX_SIZE)
      return;
   s->columns = MAX2(s->columns, (r->rect.x1 + 7) / 8);
   s->rows = MAX2(s->rows, (r->rect.y1 + 3) / 4);
   s->layers = MAX2(s->layers, r->last_layer + 1);
}

bool
sgt_addresses_init(struct sgt_addresses *a, const struct sgt_trace *trace, uint64_t align)
{
   a->end = 0;
   a->sets = malloc(MAX2(trace->num_sets, 1) * sizeof(*a->sets));
   if (!a->sets)
      return false;
   for (uint32_t i = 0; i < trace->num_sets; i++)
      a->sets[i] = (struct sgt_surface){ 0, 1, 1, 1 };
   for (uint32_t i = 0; i < trace->num_items; i++)
      address_include(a, &trace->items[i].destination);
   for (uint32_t i = 0; i < trace->num_sources; i++)
      address_include(a, &trace->sources[i]);
   for (uint32_t i = 0; i < trace->num_sets; i++) {
      struct sgt_surface *s = &a->sets[i];
      s->base = a->end;
      a->end += (uint64_t)s->columns * s->rows * s->layers * SGT_STREAMS * SGT_BLOCK_BYTES;
      a->end = (a->end + align - 1) / align * align;
   }
   return true;
}

void
sgt_addresses_finish(struct sgt_addresses *a)
{
   free(a->sets);
   a->sets = NULL;
}
