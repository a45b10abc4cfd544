/* SPDX-License-Identifier: MIT */
/*
 * Live timing: timestamps of streams, and the segments that have their operations.  Callers hold
 * the lock.
 */
#ifndef SGT_LIVE_STAMPS_H
#define SGT_LIVE_STAMPS_H

#include "util/list.h"

#include "chip/sgt_chip_result.h"
#include "trace/sgt_trace.h"

struct hash_table_u64;

enum sgt_live_stamp_state {
   SGT_LIVE_STAMP_NEW,     /* the device has not come to it */
   SGT_LIVE_STAMP_PENDING, /* its segment is not timed */
   SGT_LIVE_STAMP_DONE,
};

struct sgt_live_stamp {
   struct list_head link; /* PENDING */
   enum sgt_live_stamp_state state;
   uint64_t submission;
   uint32_t packet;
   uint64_t cut;    /* the number of the cut that ends its segment at the latest */
   uint64_t cycles; /* DONE */
};

struct sgt_live_stamps {
   struct hash_table_u64 *table; /* by token */
   struct list_head pending;
   uint64_t next; /* token */
};

/* False: out of memory. */
bool sgt_live_stamps_init(struct sgt_live_stamps *s);
void sgt_live_stamps_finish(struct sgt_live_stamps *s);
/* A token; 0: out of memory. */
uint64_t sgt_live_stamps_add(struct sgt_live_stamps *s);
struct sgt_live_stamp *sgt_live_stamps_find(const struct sgt_live_stamps *s, uint64_t token);
void sgt_live_stamps_remove(struct sgt_live_stamps *s, uint64_t token);
/* The device has come to the stamp. */
void sgt_live_stamps_place(struct sgt_live_stamps *s, uint64_t token, uint64_t submission,
                           uint32_t packet, uint64_t cut);
/* A segment up to this operation has run.  trace, result: NULL, if it takes no time.  base: core
 * cycles before it.
 */
void sgt_live_stamps_time(struct sgt_live_stamps *s, uint64_t submission, uint32_t packet,
                          const struct sgt_trace *trace, const struct sgt_chip_result *result,
                          uint64_t base);

#endif
