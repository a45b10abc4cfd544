/* SPDX-License-Identifier: MIT */
/*
 * Live timing: timestamps in command streams.
 */
#include "live/sgt_live_stamps.h"

#include <stdlib.h>

#include "util/hash_table.h"
#include "util/macros.h"

bool
sgt_live_stamps_init(struct sgt_live_stamps *s)
{
   s->table = _mesa_hash_table_u64_create(NULL);
   list_inithead(&s->pending);
   /* Token 0 means that there is no timestamp, and Mesa's hash table treats the keys 0 and 1
    * specially. Therefore, start with token 2.
    */
   s->next = 2;
   return s->table != NULL;
}

void
sgt_live_stamps_finish(struct sgt_live_stamps *s)
{
   if (!s->table)
      return;
   hash_table_foreach(s->table->table, entry)
      free(entry->data);
   _mesa_hash_table_u64_destroy(s->table);
}

uint64_t
sgt_live_stamps_add(struct sgt_live_stamps *s)
{
   struct sgt_live_stamp *stamp = calloc(1, sizeof(*stamp));

   if (!stamp)
      return 0;
   _mesa_hash_table_u64_insert(s->table, s->next, stamp);
   return s->next++;
}

struct sgt_live_stamp *
sgt_live_stamps_find(const struct sgt_live_stamps *s, uint64_t token)
{
   return token ? _mesa_hash_table_u64_search(s->table, token) : NULL;
}

void
sgt_live_stamps_remove(struct sgt_live_stamps *s, uint64_t token)
{
   struct sgt_live_stamp *stamp = sgt_live_stamps_find(s, token);

   if (!stamp)
      return;
   if (stamp->state == SGT_LIVE_STAMP_PENDING)
      list_del(&stamp->link);
   _mesa_hash_table_u64_remove(s->table, token);
   free(stamp);
}

void
sgt_live_stamps_place(struct sgt_live_stamps *s, uint64_t token, uint64_t submission,
                      uint32_t packet, uint64_t cut)
{
   struct sgt_live_stamp *stamp = sgt_live_stamps_find(s, token);

   /* Ignore timestamps that were not created here, since other users of the device can also put
    * timestamps in their command streams.
    */
   if (!stamp || stamp->state != SGT_LIVE_STAMP_NEW)
      return;
   stamp->state = SGT_LIVE_STAMP_PENDING;
   stamp->submission = submission;
   stamp->packet = packet;
   stamp->cut = cut;
   list_addtail(&stamp->link, &s->pending);
}

/* Returns the number of core cycles from the start of the segment until all operations before the
 * timestamp have ended.
 */
static uint64_t
time_in(const struct sgt_live_stamp *stamp, const struct sgt_trace *trace,
        const struct sgt_chip_result *result)
{
   uint64_t end = 0;

   for (uint32_t i = 0; trace && i < trace->num_operations; i++) {
      const struct sgt_operation *op = &trace->operations[i];
      /* Compare modulo 2^32, since the trace only contains the low 32 bits of submission indices.
       */
      const int32_t after = (int32_t)(op->submission - (uint32_t)stamp->submission);
      if (after > 0 || (after == 0 && op->packet >= stamp->packet))
         break;
      end = MAX2(end, result->operations[i].end);
   }
   return end;
}

void
sgt_live_stamps_time(struct sgt_live_stamps *s, uint64_t submission, uint32_t packet,
                     const struct sgt_trace *trace, const struct sgt_chip_result *result,
                     uint64_t base)
{
   list_for_each_entry_safe(struct sgt_live_stamp, stamp, &s->pending, link) {
      if (stamp->submission > submission ||
          (stamp->submission == submission && stamp->packet > packet))
         continue;
      list_del(&stamp->link);
      stamp->state = SGT_LIVE_STAMP_DONE;
      stamp->cycles = base + time_in(stamp, trace, result);
   }
}
