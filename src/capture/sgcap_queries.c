/* SPDX-License-Identifier: MIT */
/* Queries that are open when a capture begins.  A replay begins these queries at the start of the
 * capture.  The layer therefore ends the queries at this point, saves their counts, and begins them
 * again.  Before a submission that ends such a query, the layer adds the saved counts to the result
 * in memory, as a CPU write.  Both the program and the replay then get the same results as without
 * a capture.
 */
#include <stdlib.h>
#include <string.h>

#include "sgcap_packets.h"
#include "sgcap_session.h"
#include "sgpu_packets.h"
#include "sgpu_packets_unpack.h"
#include "util/macros.h"

static uint8_t *
find_memory(const struct sgpu_submit *submit, uint64_t address, uint64_t size)
{
   for (unsigned i = 0; i < submit->num_bos; i++) {
      const uint64_t begin = sgpu_bo_address(submit->bos[i]), all = sgpu_bo_size(submit->bos[i]);
      if (address >= begin && address - begin < all && size <= all - (address - begin))
         return (uint8_t *)sgpu_bo_map(submit->bos[i]) + (address - begin);
   }
   return NULL;
}

/* Calls `begins` for each BEGIN QUERY packet of the submission, and `ends` for each END QUERY
 * packet.  `begins` may be NULL.  Stops and returns true if `ends` returns true.
 */
static bool
walk(const struct sgpu_submit *submit, void (*begins)(void *data, const struct SGPU_BEGIN_QUERY *p),
     bool (*ends)(void *data, const struct SGPU_END_QUERY *p), void *data)
{
   const uint32_t *words = (const uint32_t *)find_memory(submit, submit->address,
                                                         (uint64_t)submit->words * 4);

   for (uint32_t pos = 0; words && pos < submit->words;) {
      uint32_t packet[MAX2(SGPU_BEGIN_QUERY_LENGTH, SGPU_END_QUERY_LENGTH)];
      /* Other threads may write to the stream, so read each header only once and unpack a copy of
       * the packet.
       */
      packet[0] = *(const volatile uint32_t *)&words[pos];
      const uint32_t opcode = sgpu_packet_opcode(packet[0]);
      const uint32_t length = sgpu_packet_words(packet[0]);
      if (opcode == SGPU_PACKET_END || length == 0 || length > submit->words - pos)
         break;
      for (uint32_t i = 1; i < MIN2(length, ARRAY_SIZE(packet)); i++)
         packet[i] = *(const volatile uint32_t *)&words[pos + i];
      if (opcode == SGPU_PACKET_BEGIN_QUERY && length == SGPU_BEGIN_QUERY_LENGTH && begins) {
         struct SGPU_BEGIN_QUERY p;
         if (!SGPU_BEGIN_QUERY_unpack(packet, &p))
            begins(data, &p);
      } else if (opcode == SGPU_PACKET_END_QUERY && length == SGPU_END_QUERY_LENGTH) {
         struct SGPU_END_QUERY p;
         if (!SGPU_END_QUERY_unpack(packet, &p) && p.type != SGPU_QUERY_TYPE_TIMESTAMP &&
             ends(data, &p))
            return true;
      }
      pos += length;
   }
   return false;
}

static void
forget(struct sgcap_queue *q, unsigned slot)
{
   free(q->counted[slot]);
   q->counted[slot] = NULL;
}

static void
note_begin(void *data, const struct SGPU_BEGIN_QUERY *p)
{
   struct sgcap_queue *q = data;
   q->open_slots |= 1ull << p->slot;
   q->slot_types[p->slot] = p->type;
   forget(q, p->slot);
}

static bool
note_end(void *data, const struct SGPU_END_QUERY *p)
{
   struct sgcap_queue *q = data;
   q->open_slots &= ~(1ull << p->slot);
   return false;
}

void
sgcap_queries_note(struct sgcap_queue *q, const struct sgpu_submit *submit)
{
   walk(submit, note_begin, note_end, q);
}

static bool
has_counted(void *data, const struct SGPU_END_QUERY *p)
{
   const struct sgcap_queue *q = data;
   return q->counted[p->slot] != NULL;
}

bool
sgcap_queries_ends(const struct sgcap_queue *q, const struct sgpu_submit *submit)
{
   bool any = false;
   for (unsigned i = 0; i < SGCAP_QUERY_SLOTS; i++)
      any |= q->counted[i] != NULL;
   return any && walk(submit, NULL, has_counted, (void *)q);
}

struct giving {
   struct sgcap_queue *q;
   const struct sgpu_submit *submit;
};

static void
give_none(void *data, const struct SGPU_BEGIN_QUERY *p)
{
   struct giving *g = data;
   forget(g->q, p->slot);
}

static bool
give_one(void *data, const struct SGPU_END_QUERY *p)
{
   struct giving *g = data;
   uint64_t *counted = g->q->counted[p->slot];
   const unsigned n = sgcap_query_numbers(p->type);
   uint8_t *to = find_memory(g->submit, p->address, n * 8);

   if (counted && to && p->address % 8 == 0 && p->type == g->q->slot_types[p->slot]) {
      for (unsigned i = 0; i < n; i++)
         ((uint64_t *)to)[i] += counted[i];
   }
   forget(g->q, p->slot);
   return false;
}

void
sgcap_queries_give(struct sgcap_queue *q, const struct sgpu_submit *submit)
{
   struct giving g = { q, submit };
   walk(submit, give_none, give_one, &g);
}

void
sgcap_queries_fini(struct sgcap_queue *q)
{
   for (unsigned i = 0; i < SGCAP_QUERY_SLOTS; i++)
      forget(q, i);
}

/* Writes packets to `words` that end all open queries and begin them again.  The counts of the
 * queries are stored to an array at device address `results`.  Returns the number of words written.
 */
static uint32_t
put_stream(const struct sgcap_queue *q, uint32_t *words, uint64_t results)
{
   uint32_t n = 0;

   for (unsigned i = 0; i < SGCAP_QUERY_SLOTS; i++) {
      if (!(q->open_slots >> i & 1))
         continue;
      sgpu_pack(words + n, END_QUERY, cfg) {
         cfg.type = q->slot_types[i];
         cfg.slot = i;
         cfg.address = results + i * SGCAP_QUERY_NUMBERS * 8;
      }
      n += SGPU_END_QUERY_LENGTH;
      sgpu_pack(words + n, BEGIN_QUERY, cfg) {
         cfg.type = q->slot_types[i];
         cfg.slot = i;
      }
      n += SGPU_BEGIN_QUERY_LENGTH;
   }
   sgpu_pack(words + n, END, cfg)
      ;
   return n + SGPU_END_LENGTH;
}

void
sgcap_queries_take(struct sgcap_queue *q)
{
   const uint32_t results = SGCAP_QUERY_SLOTS * SGCAP_QUERY_NUMBERS * 8;
   const uint32_t stream = (SGCAP_QUERY_SLOTS * (SGPU_END_QUERY_LENGTH + SGPU_BEGIN_QUERY_LENGTH) +
                            SGPU_END_LENGTH) *
                           4;
   struct sgpu_bo *bo;
   uint64_t seqno;

   if (!q->open_slots || sgpu_bo_create(sgcap.dev, results + stream, "queries", &bo))
      return;
   uint8_t *map = sgpu_bo_map(bo);
   memset(map, 0, results);
   const uint32_t words = put_stream(q, (uint32_t *)(map + results), sgpu_bo_address(bo));
   if (!sgpu_queue_submit(q->queue,
                          &(struct sgpu_submit){
                             .address = sgpu_bo_address(bo) + results,
                             .words = words,
                             .bos = &bo,
                             .num_bos = 1,
                          },
                          &seqno)) {
      q->last = seqno;
      sgpu_queue_wait(q->queue, seqno, UINT64_MAX);
      for (unsigned i = 0; i < SGCAP_QUERY_SLOTS; i++) {
         if (!(q->open_slots >> i & 1))
            continue;
         const uint64_t *from = (const uint64_t *)map + i * SGCAP_QUERY_NUMBERS;
         /* If an earlier capture has already saved counts of this query, add to these counts. */
         if (!q->counted[i])
            q->counted[i] = calloc(SGCAP_QUERY_NUMBERS, sizeof *from);
         for (unsigned n = 0; q->counted[i] && n < SGCAP_QUERY_NUMBERS; n++)
            q->counted[i][n] += from[n];
      }
   }
   sgpu_bo_destroy(bo);
}
