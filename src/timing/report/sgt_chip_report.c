/* SPDX-License-Identifier: MIT */
/*
 * Helper functions that all reports of a chip simulation use.
 */
#include "report/sgt_chip_report.h"

const char *
sgt_chip_operation_kind(const struct sgt_trace *trace, const struct sgt_work *work,
                        uint32_t operation)
{
   static const char *const transfers[SGT_ITEM_KINDS] = {
      [SGT_ITEM_CLEAR] = "clear",
      [SGT_ITEM_COPY] = "copy",
      [SGT_ITEM_FILL] = "fill",
      [SGT_ITEM_DIRECT] = "direct",
   };
   const struct sgt_operation *op = &trace->operations[operation];
   const struct sgt_operation_work *w = &work->operations[operation];

   if (op->draw != UINT32_MAX)
      return "draw";
   if (w->num_warps)
      return w->group_warps ? "grid" : "draw";
   if (!op->num_items)
      return "nothing";
   const char *name = transfers[trace->items[op->first_item].kind];
   return name ? name : "draw";
}

struct sgt_chip_use
sgt_chip_use(const struct sgt_chip_class *c, const uint64_t *row)
{
   struct sgt_chip_use use = { .idle = row[c->first + c->idle] };

   for (uint32_t i = 0; i < c->num; i++) {
      use.all += row[c->first + i];
      use.work += c->work >> i & 1 ? row[c->first + i] : 0;
   }
   return use;
}

uint32_t
sgt_chip_busiest(const struct sgt_chip_result *r, const uint64_t *row)
{
   uint32_t most = UINT32_MAX;
   struct sgt_chip_use best = { .all = 1 };

   for (uint32_t i = 0; i < r->num_classes; i++) {
      const struct sgt_chip_use use = sgt_chip_use(&r->classes[i], row);
      /* Compare the fractions work / all without a division. */
      if ((unsigned __int128)use.work * best.all > (unsigned __int128)best.work * use.all) {
         best = use;
         most = i;
      }
   }
   return most;
}

const struct sgt_chip_class *
sgt_chip_cores(const struct sgt_chip_result *r)
{
   const struct sgt_chip_class *sms = sgt_chip_result_class(r, "sm");
   return sms ? sms : sgt_chip_result_class(r, "eu");
}
