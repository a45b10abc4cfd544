/* SPDX-License-Identifier: MIT */
/*
 * The queries of a reduced capture, on one queue: queries that begin among its draws,
 * and queries that begin before the draws and end among them.  END QUERY adds to
 * memory, so the new capture's memory has the counts from before the draws.
 */
#ifndef CAP_QUERIES_H
#define CAP_QUERIES_H

#include "cap_player.h"
#include "sgcap_packets.h"
#include "sgcap_writer.h"

/* A query that is open before the first draw. */
struct cap_query {
   uint64_t queue; /* ids and slots of the whole capture */
   uint32_t slot, type;
   bool open, wanted, ended; /* wanted: ends among the draws, at `address` */
   uint64_t address;
   uint64_t numbers[SGCAP_QUERY_NUMBERS]; /* at `address`, with earlier counts */
};

#define CAP_QUERY_SLOTS 64
struct cap_queries {
   struct cap_query *list;
   unsigned count, max;
   bool inside;
   /* By slot of the new queue: the old queue and slot; queue 0: free. */
   struct {
      uint64_t queue;
      uint32_t slot;
   } slots[CAP_QUERY_SLOTS];
};

void cap_queries_fini(struct cap_queries *q);

/* First pass over the packets and QUERY records up to the last draw; cap_queries_enter()
 * comes before the first draw.  False if out of memory.
 */
bool cap_queries_see(struct cap_queries *q, uint64_t queue, const uint32_t *packet);
bool cap_queries_see_open(struct cap_queries *q, uint64_t queue, uint32_t slot, uint32_t type);
void cap_queries_enter(struct cap_queries *q);

/* Frees all slots, before the new capture is written. */
void cap_queries_reset(struct cap_queries *q);
/* At the first draw: ends the wanted queries, which leaves their counts in the player's
 * memory, and begins them again.  Writes packets to `out` that begin them on the new
 * queue, and returns their words.  On failure sets the reader's error and *ok to false.
 */
uint32_t cap_queries_begin(struct cap_queries *q, struct cap_player *p,
                           const struct sgcap_record *rec, uint32_t *out, bool *ok);
/* After a CPU write (DATA, ZERO) to buffer `id` of the new capture: restores the numbers
 * of queries that the record overwrote with bytes that the CPU had not changed.
 */
void cap_queries_restore(struct cap_queries *q, struct cap_player *p,
                         const struct sgcap_record *rec, uint64_t id, struct sgcap_writer *w);
/* Copies a queue's packets, with only those query packets that the new queue needs.
 * Returns the number of words.
 */
uint32_t cap_queries_copy(struct cap_queries *q, uint64_t queue, uint32_t *out,
                          const uint32_t *stream, uint32_t count);

#endif
