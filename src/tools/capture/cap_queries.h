/* SPDX-License-Identifier: MIT */
/* Queries in a reduced capture, which has a single queue.  A query is kept if it begins between the
 * first and the last draw, or if it begins before the first draw and ends before the last draw.
 * END QUERY adds to memory, so in the second case the memory of the new capture holds the counts up
 * to the first draw.
 */
#ifndef CAP_QUERIES_H
#define CAP_QUERIES_H

#include "cap_player.h"
#include "sgcap_packets.h"
#include "sgcap_writer.h"

/* A query that is open before the first draw. */
struct cap_query {
   uint64_t queue;      /* ID of the queue in the original capture */
   uint32_t slot, type; /* slot: query slot in the original capture; type: enum sgpu_query_type */
   /* open: true until the first pass reaches END QUERY; wanted: true if END QUERY is between the
    * first and the last draw; ended: true if END QUERY has been copied to the new capture
    */
   bool open, wanted, ended;
   /* Address of the memory to which END QUERY adds the counts.  Only valid if `wanted` is set. */
   uint64_t address;
   /* Contents of the memory at `address` before the first draw, including the counts up to that
    * point.
    */
   uint64_t numbers[SGCAP_QUERY_NUMBERS];
};

#define CAP_QUERY_SLOTS 64
struct cap_queries {
   struct cap_query *list;
   unsigned count, max;
   bool inside; /* true if the first pass has reached the first draw */
   /* For each slot of the new queue: queue and slot of the query in the original capture.  `queue`
    * is 0 if the slot is free.
    */
   struct {
      uint64_t queue;
      uint32_t slot;
   } slots[CAP_QUERY_SLOTS];
};

void cap_queries_fini(struct cap_queries *q);

/* The first pass calls these functions for the packets and QUERY records up to the last draw, and
 * cap_queries_enter() before the first draw.  They return false on allocation failure.
 */
bool cap_queries_see(struct cap_queries *q, uint64_t queue, const uint32_t *packet);
bool cap_queries_see_open(struct cap_queries *q, uint64_t queue, uint32_t slot, uint32_t type);
void cap_queries_enter(struct cap_queries *q);

/* Frees all slots.  Must be called before the new capture is written. */
void cap_queries_reset(struct cap_queries *q);
/* Must be called before the first draw.  Ends the wanted queries, which adds their counts to the
 * player's memory, and begins them again.  Writes packets to `out` that begin these queries on the
 * new queue, and returns the number of words.  On failure, sets the reader's error and sets *ok to
 * false.
 */
uint32_t cap_queries_begin(struct cap_queries *q, struct cap_player *p,
                           const struct sgcap_record *rec, uint32_t *out, bool *ok);
/* Must be called after a DATA or ZERO record has been copied to buffer `id` of the new capture.
 * The record can contain outdated counts of a query, since the capture layer also records unchanged
 * bytes near the bytes that the CPU has written.  Writes the saved counts again.
 */
void cap_queries_restore(struct cap_queries *q, struct cap_player *p,
                         const struct sgcap_record *rec, uint64_t id, struct sgcap_writer *w);
/* Copies packets of an original queue, and replaces their query slots by slots of the new queue.
 * Drops query packets that the new queue does not need.  Returns the number of words.
 */
uint32_t cap_queries_copy(struct cap_queries *q, uint64_t queue, uint32_t *out,
                          const uint32_t *stream, uint32_t count);

#endif
