/* SPDX-License-Identifier: MIT */
/*
 * Live timing: timestamps in command streams, which get their times when their segments have been
 * simulated. All functions require the lock of struct sgt_live.
 */
#ifndef SGT_LIVE_STAMPS_H
#define SGT_LIVE_STAMPS_H

#include "util/list.h"

#include "chip/sgt_chip_result.h"
#include "trace/sgt_trace.h"

struct hash_table_u64;

enum sgt_live_stamp_state {
   SGT_LIVE_STAMP_NEW,     /* the device has not executed the timestamp packet */
   SGT_LIVE_STAMP_PENDING, /* the segment of the packet has not been simulated */
   SGT_LIVE_STAMP_DONE,    /* the time is known */
};

struct sgt_live_stamp {
   struct list_head link; /* element of sgt_live_stamps.pending in state PENDING */
   enum sgt_live_stamp_state state;
   uint64_t submission; /* number of the submission with the timestamp packet */
   uint32_t packet;     /* number of the packet in the submission */
   uint64_t cut;        /* upper bound of the number of the cut that ends the packet's segment */
   uint64_t cycles;     /* simulated time in core cycles; valid in state DONE */
};

struct sgt_live_stamps {
   struct hash_table_u64 *table; /* from token to struct sgt_live_stamp */
   struct list_head pending;     /* timestamps in state PENDING */
   uint64_t next;                /* token for the next timestamp */
};

/* Returns false if out of memory. */
bool sgt_live_stamps_init(struct sgt_live_stamps *s);
void sgt_live_stamps_finish(struct sgt_live_stamps *s);
/* Adds a timestamp. Returns its token, or 0 if out of memory. */
uint64_t sgt_live_stamps_add(struct sgt_live_stamps *s);
/* Returns the timestamp with this token, or NULL. */
struct sgt_live_stamp *sgt_live_stamps_find(const struct sgt_live_stamps *s, uint64_t token);
void sgt_live_stamps_remove(struct sgt_live_stamps *s, uint64_t token);
/* Called when the device executes a timestamp packet. `cut` is an upper bound of the number of the
 * cut that ends the segment. Ignores unknown tokens.
 */
void sgt_live_stamps_place(struct sgt_live_stamps *s, uint64_t token, uint64_t submission,
                           uint32_t packet, uint64_t cut);
/* Called when the segment that ends with this submission and packet has been simulated. Sets the
 * times of its timestamps. `trace` and `result` are NULL if the segment takes no time. `base` is
 * the simulated time of its start, in core cycles.
 */
void sgt_live_stamps_time(struct sgt_live_stamps *s, uint64_t submission, uint32_t packet,
                          const struct sgt_trace *trace, const struct sgt_chip_result *result,
                          uint64_t base);

#endif
