/* SPDX-License-Identifier: MIT */
/* The queries of a reduced capture. */
#include "cap_queries.h"

#include <stdlib.h>
#include <string.h>

#include "sgpu_packets.h"
#include "sgpu_packets_unpack.h"

void
cap_queries_fini(struct cap_queries *q)
{
   free(q->list);
   memset(q, 0, sizeof *q);
}

static struct cap_query *
find_open(struct cap_queries *q, uint64_t queue, uint32_t slot)
{
   for (unsigned i = 0; i < q->count; i++) {
      struct cap_query *query = &q->list[i];
      if (query->open && query->queue == queue && query->slot == slot)
         return query;
   }
   return NULL;
}

bool
cap_queries_see_open(struct cap_queries *q, uint64_t queue, uint32_t slot, uint32_t type)
{
   struct cap_query *query = find_open(q, queue, slot);

   /* Another query may still be open in this slot, if it had no END QUERY. Drop it. */
   if (query)
      query->open = false;
   if (q->inside)
      return true;
   for (unsigned i = 0; !query && i < q->count; i++) {
      if (!q->list[i].open)
         query = &q->list[i];
   }
   if (!query) {
      if (q->count == q->max) {
         const unsigned n = q->max ? q->max * 2 : 16;
         struct cap_query *list = realloc(q->list, n * sizeof *list);
         if (!list)
            return false;
         q->list = list;
         q->max = n;
      }
      query = &q->list[q->count++];
   }
   *query = (struct cap_query){ .queue = queue, .slot = slot, .type = type, .open = true };
   return true;
}

bool
cap_queries_see(struct cap_queries *q, uint64_t queue, const uint32_t *packet)
{
   struct SGPU_BEGIN_QUERY begin;
   struct SGPU_END_QUERY end;

   if (sgpu_packet_opcode(packet[0]) == SGPU_PACKET_BEGIN_QUERY)
      return SGPU_BEGIN_QUERY_unpack(packet, &begin) ||
             cap_queries_see_open(q, queue, begin.slot, begin.type);
   if (sgpu_packet_opcode(packet[0]) == SGPU_PACKET_END_QUERY &&
       !SGPU_END_QUERY_unpack(packet, &end) && end.type != SGPU_QUERY_TYPE_TIMESTAMP) {
      struct cap_query *query = find_open(q, queue, end.slot);
      if (query) {
         query->open = false;
         query->wanted = q->inside && query->type == end.type;
         query->address = end.address;
      }
   }
   return true;
}

void
cap_queries_enter(struct cap_queries *q)
{
   unsigned n = 0;

   for (unsigned i = 0; i < q->count; i++) {
      if (q->list[i].open)
         q->list[n++] = q->list[i];
   }
   q->count = n;
   q->inside = true;
}

void
cap_queries_reset(struct cap_queries *q)
{
   memset(q->slots, 0, sizeof q->slots);
   for (unsigned i = 0; i < q->count; i++)
      q->list[i].ended = false;
}

/* Finds the new queue's slot for the query in slot `slot` of queue `queue`, or a free slot if
 * `queue` is 0.  Returns CAP_QUERY_SLOTS if there is none.
 */
static unsigned
find_slot(const struct cap_queries *q, uint64_t queue, uint32_t slot)
{
   unsigned i = 0;
   while (i < CAP_QUERY_SLOTS &&
          (q->slots[i].queue != queue || (queue && q->slots[i].slot != slot)))
      i++;
   return i;
}

static uint32_t
put_begin(uint32_t *out, uint32_t type, uint32_t slot)
{
   sgpu_pack(out, BEGIN_QUERY, cfg) {
      cfg.type = type;
      cfg.slot = slot;
   }
   return SGPU_BEGIN_QUERY_LENGTH;
}

/* Ends the query, reads the counts that END QUERY has stored in memory, and begins the query again.
 */
static bool
split(struct cap_query *query, struct cap_player *p, const struct sgcap_record *rec,
      const struct cap_bo *b)
{
   uint32_t words[SGPU_END_QUERY_LENGTH + SGPU_BEGIN_QUERY_LENGTH + SGPU_END_LENGTH];
   uint32_t n = SGPU_END_QUERY_LENGTH;

   sgpu_pack(words, END_QUERY, cfg) {
      cfg.type = query->type;
      cfg.slot = query->slot;
      cfg.address = query->address;
   }
   n += put_begin(words + n, query->type, query->slot);
   sgpu_pack(words + n, END, cfg)
      ;
   if (!cap_player_submit_to(p, rec, query->queue, words, n + SGPU_END_LENGTH, b->bo))
      return false;
   memcpy(query->numbers, (uint8_t *)sgpu_bo_map(b->bo) + (query->address - b->address),
          sgcap_query_numbers(query->type) * 8);
   return true;
}

uint32_t
cap_queries_begin(struct cap_queries *q, struct cap_player *p, const struct sgcap_record *rec,
                  uint32_t *out, bool *ok)
{
   uint32_t n = 0;

   for (unsigned i = 0; *ok && i < q->count; i++) {
      struct cap_query *query = &q->list[i];
      const struct cap_bo *b = query->wanted ? cap_player_find(p, query->address,
                                                               sgcap_query_numbers(query->type) * 8)
                                             : NULL;
      const unsigned slot = find_slot(q, 0, 0);
      if (!b || !cap_player_queue(p, query->queue) || slot == CAP_QUERY_SLOTS)
         continue;
      *ok = split(query, p, rec, b);
      q->slots[slot].queue = query->queue;
      q->slots[slot].slot = query->slot;
      n += put_begin(out + n, query->type, slot);
   }
   return n;
}

void
cap_queries_restore(struct cap_queries *q, struct cap_player *p, const struct sgcap_record *rec,
                    uint64_t id, struct sgcap_writer *w)
{
   const struct sgcap_data *d = &rec->u.data;
   const struct cap_bo *b = cap_player_bo(p, d->id);

   for (unsigned i = 0; b && i < q->count; i++) {
      const struct cap_query *query = &q->list[i];
      const uint64_t at = query->address - b->address, size = sgcap_query_numbers(query->type) * 8;
      const struct sgcap_data fix = { id, at, size };
      if (query->wanted && !query->ended && query->address >= b->address &&
          at < d->offset + d->size && d->offset < at + size && at + size <= b->size)
         sgcap_write(w, SGCAP_DATA, &fix, sizeof fix, query->numbers, size);
   }
}

/* Changes a query packet to use a slot of the new queue.  Returns false if the packet must not be
 * copied.
 */
static bool
move_query(struct cap_queries *q, uint64_t queue, uint32_t *packet)
{
   struct SGPU_BEGIN_QUERY begin;
   struct SGPU_END_QUERY end;
   unsigned slot;

   if (sgpu_packet_opcode(packet[0]) == SGPU_PACKET_BEGIN_QUERY) {
      if (SGPU_BEGIN_QUERY_unpack(packet, &begin))
         return true;
      slot = find_slot(q, queue, begin.slot);
      if (slot == CAP_QUERY_SLOTS)
         slot = find_slot(q, 0, 0);
      if (slot == CAP_QUERY_SLOTS)
         return false;
      q->slots[slot].queue = queue;
      q->slots[slot].slot = begin.slot;
      begin.slot = slot;
      SGPU_BEGIN_QUERY_pack(packet, &begin);
      return true;
   }
   if (SGPU_END_QUERY_unpack(packet, &end))
      return true;
   if (end.type == SGPU_QUERY_TYPE_TIMESTAMP)
      return false;
   slot = find_slot(q, queue, end.slot);
   if (slot == CAP_QUERY_SLOTS)
      return false;
   for (unsigned i = 0; i < q->count; i++)
      q->list[i].ended |= q->list[i].queue == queue && q->list[i].slot == end.slot;
   q->slots[slot].queue = 0;
   end.slot = slot;
   SGPU_END_QUERY_pack(packet, &end);
   return true;
}

uint32_t
cap_queries_copy(struct cap_queries *q, uint64_t queue, uint32_t *out, const uint32_t *stream,
                 uint32_t count)
{
   uint32_t n = 0;

   for (uint32_t at = 0; at < count;) {
      const bool legal = !sgpu_packet_check(stream + at, count - at);
      const uint32_t length = legal ? sgpu_packet_words(stream[at]) : count - at;
      const uint32_t opcode = sgpu_packet_opcode(stream[at]);

      memcpy(out + n, stream + at, length * 4);
      if (!legal || (opcode != SGPU_PACKET_BEGIN_QUERY && opcode != SGPU_PACKET_END_QUERY) ||
          move_query(q, queue, out + n))
         n += length;
      at += length;
   }
   return n;
}
