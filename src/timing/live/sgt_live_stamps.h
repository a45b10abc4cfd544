/* SPDX-License-Identifier: MIT */
/*
 * Live timing: timestamps in command streams. The time of a timestamp is known once its segment has
 * been simulated. Callers must hold the lock of struct sgt_live.
 */
#ifndef SGT_LIVE_STAMPS_H
#define SGT_LIVE_STAMPS_H

#include "util/list.h"

#include "chip/sgt_chip_result.h"
#include "trace/sgt_trace.h"

struct hash_table_u64;

enum sgt_live_stamp_state {
   SGT_LIVE_STAMP_NEW,     /* the device hasn't executed the timestamp packet yet */
   SGT_LIVE_STAMP_PENDING, /* the segment with the packet hasn't been simulated yet */
   SGT_LIVE_STAMP_DONE,    /* `cycles` is valid */
};

struct sgt_live_stamp {
   struct list_head link; /* link in sgt_live_stamps::pending, only used in state PENDING */
   enum sgt_live_stamp_state state;
   uint64_t submission; /* index of the submission that contains the timestamp packet */
   uint32_t packet;     /* index of the packet in the submission */
   /* upper bound for the index of the cut that ends the segment with the packet */
   uint64_t cut;
   uint64_t cycles; /* simulated time in core cycles, in state DONE */
};

struct sgt_live_stamps {
   struct hash_table_u64 *table; /* maps tokens to struct sgt_live_stamp */
   struct list_head pending;     /* list of timestamps in state PENDING */
   uint64_t next;                /* token of the next timestamp to be created */
};

/* Initializes an empty table. Returns false if allocation fails. */
bool sgt_live_stamps_init(struct sgt_live_stamps *s);
void sgt_live_stamps_finish(struct sgt_live_stamps *s);
/* Adds a timestamp. Returns its token, or 0 if allocation fails. */
uint64_t sgt_live_stamps_add(struct sgt_live_stamps *s);
/* Returns the timestamp with this token, or NULL if the token is unknown. */
struct sgt_live_stamp *sgt_live_stamps_find(const struct sgt_live_stamps *s, uint64_t token);
void sgt_live_stamps_remove(struct sgt_live_stamps *s, uint64_t token);
/* Records the position of a timestamp when the device executes its packet. `cut` is an upper bound
 * for the index of the cut that ends the segment. Unknown tokens are ignored.
 */
void sgt_live_stamps_place(struct sgt_live_stamps *s, uint64_t token, uint64_t submission,
                           uint32_t packet, uint64_t cut);
/* Sets the times of the timestamps in a segment that has been simulated. The segment ends with this
 * submission and packet. `trace` and `result` are NULL if the segment takes no time. `base` is the
 * simulated time when the segment starts, in core cycles.
 */
void sgt_live_stamps_time(struct sgt_live_stamps *s, uint64_t submission, uint32_t packet,
                          const struct sgt_trace *trace, const struct sgt_chip_result *result,
                          uint64_t base);

#endif
