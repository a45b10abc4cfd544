/* SPDX-License-Identifier: MIT */
/* The queries of a reduced capture, which has a single queue: queries that begin between the first
 * and the last draw, and queries that begin before the first draw and end before the last draw. END
 * QUERY adds to memory.  For queries that begin before the first draw, the memory of the new
 * capture therefore holds the counts up to that point.
 */
#ifndef CAP_QUERIES_H
#define CAP_QUERIES_H

#include "cap_player.h"
#include "sgcap_packets.h"
#include "sgcap_writer.h"

/* A query that is open before the first draw. */
struct cap_query {
   uint64_t queue;      /* ID of the queue in the original capture */
   uint32_t slot, type; /* query slot in the original capture, and enum sgpu_query_type */
   /* open: the first pass has not reached END QUERY yet; wanted: END QUERY follows before the last
    * draw; ended: END QUERY has been copied to the new capture
    */
   bool open, wanted, ended;
   /* Address at which END QUERY adds the counts, if `wanted` is set. */
   uint64_t address;
   /* Memory at `address` before the first draw, with the counts up to that point. */
   uint64_t numbers[SGCAP_QUERY_NUMBERS];
};

#define CAP_QUERY_SLOTS 64
struct cap_queries {
   struct cap_query *list;
   unsigned count, max;
   bool inside; /* the first pass has reached the first draw */
   /* For each slot of the new queue, the original queue (0 if the slot is free) and the original
    * slot.
    */
   struct {
      uint64_t queue;
      uint32_t slot;
   } slots[CAP_QUERY_SLOTS];
};

void cap_queries_fini(struct cap_queries *q);

/* First pass: called for the packets and QUERY records up to the last draw, with
 * cap_queries_enter() before the first draw.  Return false on allocation failure.
 */
bool cap_queries_see(struct cap_queries *q, uint64_t queue, const uint32_t *packet);
bool cap_queries_see_open(struct cap_queries *q, uint64_t queue, uint32_t slot, uint32_t type);
void cap_queries_enter(struct cap_queries *q);

/* Frees all slots, before the new capture is written. */
void cap_queries_reset(struct cap_queries *q);
/* Called before the first draw.  Ends the wanted queries, which adds their counts to the player's
 * memory, and begins them again.  Writes packets to `out` that begin these queries on the new
 * queue, and returns the number of words.  On failure, sets the reader's error and sets *ok to
 * false.
 */
uint32_t cap_queries_begin(struct cap_queries *q, struct cap_player *p,
                           const struct sgcap_record *rec, uint32_t *out, bool *ok);
/* Called after a DATA or ZERO record has been copied to buffer `id` of the new capture.  Restores
 * the saved counts of queries that the record overlaps: the capture layer records whole units, so
 * the record may contain old bytes that the CPU has not changed.
 */
void cap_queries_restore(struct cap_queries *q, struct cap_player *p,
                         const struct sgcap_record *rec, uint64_t id, struct sgcap_writer *w);
/* Copies the packets of a queue with new query slots.  Drops query packets that the new queue does
 * not need.  Returns the number of words.
 */
uint32_t cap_queries_copy(struct cap_queries *q, uint64_t queue, uint32_t *out,
                          const uint32_t *stream, uint32_t count);

#endif
