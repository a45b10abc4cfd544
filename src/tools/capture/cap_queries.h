/* SPDX-License-Identifier: MIT */
/*
 * The queries of draws that become a capture of their own, on one queue: those
 * that begin among the draws, and those that begin before and end among them.
 * Of the latter the new capture has what they have counted before in the memory
 * that their end adds to.
 */
#ifndef CAP_QUERIES_H
#define CAP_QUERIES_H

#include "cap_player.h"
#include "sgcap_packets.h"
#include "sgcap_writer.h"

/* One that counts before the first draw. */
struct cap_query {
   uint64_t queue;                     /* ids and slots of the whole capture */
   uint32_t slot, type;
   bool open, wanted, ended;           /* wanted: it ends among the draws, at: */
   uint64_t address;
   uint64_t numbers[SGCAP_QUERY_NUMBERS];   /* there, with what was counted before */
};

#define CAP_QUERY_SLOTS 64
struct cap_queries {
   struct cap_query *list;
   unsigned count, max;
   bool inside;
   /* Of the new queue: what each slot counts; queue 0: nothing. */
   struct {
      uint64_t queue;
      uint32_t slot;
   } slots[CAP_QUERY_SLOTS];
};

void cap_queries_fini(struct cap_queries *q);

/* A first reading: the stream's packets and QUERY records up to the last draw; the
 * first draw is next.  False without memory.
 */
bool cap_queries_see(struct cap_queries *q, uint64_t queue, const uint32_t *packet);
bool cap_queries_see_open(struct cap_queries *q, uint64_t queue, uint32_t slot, uint32_t type);
void cap_queries_enter(struct cap_queries *q);

/* Before the new capture is written: none of its slots counts. */
void cap_queries_reset(struct cap_queries *q);
/* At the first draw: those that are wanted leave what they have counted in the player's
 * memory and begin anew.  Writes the packets that begin them on the new queue to `out`
 * and returns their words; false in *ok with the reader's error set.
 */
uint32_t cap_queries_begin(struct cap_queries *q, struct cap_player *p,
                           const struct sgcap_record *rec, uint32_t *out, bool *ok);
/* What the CPU wrote (DATA, ZERO) has gone to buffer `id` of the new capture: bytes
 * between those that it changed are as the whole capture had them.
 */
void cap_queries_restore(struct cap_queries *q, struct cap_player *p,
                         const struct sgcap_record *rec, uint64_t id, struct sgcap_writer *w);
/* Copies packets of a queue; of queries those that count on the new one.  Returns the
 * words.
 */
uint32_t cap_queries_copy(struct cap_queries *q, uint64_t queue, uint32_t *out,
                          const uint32_t *stream, uint32_t count);

#endif
