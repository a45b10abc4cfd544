/* SPDX-License-Identifier: MIT */
/*
 * Summarizes a trace, and computes percentages that add up to 100 %.
 */
#include <assert.h>
#include <string.h>

#include "report/sgt_report.h"
#include "util/macros.h"

const char *const sgt_item_kind_names[SGT_ITEM_KINDS] = {
   [SGT_ITEM_TRIANGLE] = "triangles", [SGT_ITEM_LINE] = "lines",  [SGT_ITEM_POINT] = "points",
   [SGT_ITEM_CLEAR] = "clears",       [SGT_ITEM_COPY] = "copies", [SGT_ITEM_FILL] = "fills",
   [SGT_ITEM_DIRECT] = "direct",
};

void
sgt_frame_facts_count(struct sgt_frame_facts *facts, uint64_t frame, const struct sgt_trace *trace)
{
   memset(facts, 0, sizeof *facts);
   facts->frame = frame;
   facts->operations = trace->num_operations;
   facts->width = trace->width;
   facts->height = trace->height;
   facts->hash = trace->hash;
   for (uint32_t i = 0; i < trace->num_operations; i++)
      facts->draws += trace->operations[i].draw != UINT32_MAX;
   for (uint32_t i = 0; i < trace->num_items; i++) {
      const struct sgt_item *item = &trace->items[i];
      facts->items[item->kind]++;
      if (item->kind <= SGT_ITEM_POINT)
         facts->pixels += item->pixels;
      else
         facts->transfer_pixels += item->pixels;
   }
}

void
sgt_shares(const uint64_t *parts, unsigned num, uint32_t *shares)
{
   uint64_t rests[32], sum = 0;
   uint32_t left = 1000;

   assert(num <= ARRAY_SIZE(rests));
   for (unsigned i = 0; i < num; i++)
      sum += parts[i];
   for (unsigned i = 0; i < num; i++) {
      const unsigned __int128 scaled = (unsigned __int128)parts[i] * 1000;
      shares[i] = sum ? (uint32_t)(scaled / sum) : 0;
      rests[i] = sum ? (uint64_t)(scaled % sum) : 0;
      left -= shares[i];
   }
   for (; sum && left; left--) {
      unsigned most = 0;
      for (unsigned i = 1; i < num; i++) {
         if (rests[i] > rests[most])
            most = i;
      }
      shares[most]++;
      rests[most] = 0;
   }
}
