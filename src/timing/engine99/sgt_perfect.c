/* SPDX-License-Identifier: MIT */
/*
 * Computes the duration of slices with perfect memory.
 */
#include "engine99/sgt_perfect.h"

#include "util/macros.h"

uint64_t
sgt_slice_setup(const struct sgt_engine_params *p, const struct sgt_item *item,
                const struct sgt_slice *slice)
{
   if (!sgt_item_is_primitive(item))
      return p->transfer_setup;
   return p->setup + (uint64_t)p->span * slice->spans;
}

uint32_t
sgt_slice_rate(const struct sgt_engine_params *p, const struct sgt_item *item)
{
   if (sgt_item_is_primitive(item))
      return p->pixel_rate;
   return item->kind == SGT_ITEM_CLEAR || item->kind == SGT_ITEM_FILL ? p->clear_rate
                                                                      : p->copy_rate;
}

uint64_t
sgt_perfect_cycles(const struct sgt_engine_params *p, const struct sgt_item *item,
                   const struct sgt_slice *slice)
{
   const uint64_t rate = sgt_slice_rate(p, item);
   const uint64_t cycles = sgt_slice_setup(p, item, slice) + (slice->pixels + rate - 1) / rate +
                           p->depth;
   return MAX2(cycles, 1);
}
