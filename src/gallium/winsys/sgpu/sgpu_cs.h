/* SPDX-License-Identifier: MIT */
/*
 * A command stream under construction, and the submission that it becomes.
 *
 * Writing an address into the stream goes through sgpu_cs_address(), which
 * records the buffer: a submission cannot forget one.  Space is reserved with
 * sgpu_cs_reserve() before packets are written; where that is `false`, the caller
 * flushes and starts over with all state.
 */
#ifndef SGPU_CS_H
#define SGPU_CS_H

#include "sgpu_winsys.h"

#define SGPU_CS_WORDS (32 * 1024)

struct sgpu_cs_buffer {
   struct sgpu_buffer *buf;
   bool write;
};

#define SGPU_CS_HASH 1024

struct sgpu_cs {
   struct sgpu_winsys *ws;
   struct sgpu_ring *ring;

   struct sgpu_buffer *stream;  /* NULL: memory has run out */
   uint32_t *spare;             /* takes the packets then, which are dropped */
   uint32_t *start, *cur, *end; /* `end` leaves space for END */

   struct sgpu_cs_buffer *buffers;
   unsigned num_buffers, max_buffers;
   int32_t hash[SGPU_CS_HASH]; /* by id: latest index + 1 in buffers */
   struct sgpu_bo **bos;       /* scratch of the submission */
   unsigned max_bos;
   struct sgpu_bo_range *writes;
   unsigned max_writes;
   struct sgpu_fence *fences; /* and the rings that they are of */
   struct sgpu_ring **fence_rings;
   unsigned max_fences;

   struct sgpu_sync **waits; /* syncs to wait for */
   unsigned num_waits, max_waits;

   struct sgpu_sync *sync;      /* of the stream under construction; or NULL */
   struct sgpu_sync *last_sync; /* of the latest submission; or NULL */
   uint64_t last_seqno;
   /* Of each submission, before others can wait for it; or NULL. */
   void (*submitted)(struct sgpu_cs *cs);
   bool dropped; /* memory ran out: the stream is not submitted */
};

bool sgpu_cs_init(struct sgpu_cs *cs, struct sgpu_winsys *ws);
/* Drops the packets in the stream. */
void sgpu_cs_fini(struct sgpu_cs *cs);

static inline bool
sgpu_cs_empty(const struct sgpu_cs *cs)
{
   return cs->cur == cs->start;
}

static inline bool
sgpu_cs_reserve(const struct sgpu_cs *cs, unsigned words)
{
   assert(words <= SGPU_CS_WORDS);
   return cs->cur + words <= cs->end;
}

/* Room for `words` that were reserved. */
static inline uint32_t *
sgpu_cs_get(struct sgpu_cs *cs, unsigned words)
{
   uint32_t *p = cs->cur;
   assert(p + words <= cs->end);
   cs->cur = p + words;
   return p;
}

/* Allocates memory for an empty stream that has none because the allocation failed.
 * If it fails again, packets are dropped.
 */
void sgpu_cs_retry(struct sgpu_cs *cs);

/* Records a buffer, and whether the stream writes it. */
void sgpu_cs_use(struct sgpu_cs *cs, struct sgpu_buffer *buf, bool write);

static inline uint64_t
sgpu_cs_address(struct sgpu_cs *cs, struct sgpu_buffer *buf, uint64_t offset, bool write)
{
   sgpu_cs_use(cs, buf, write);
   return buf->address + offset;
}

/* Whether the stream under construction uses (or writes) the buffer. */
bool sgpu_cs_uses(const struct sgpu_cs *cs, const struct sgpu_buffer *buf, bool only_writes);

/* The submission will start after `sync`, which belongs to another ring. */
void sgpu_cs_wait_for(struct sgpu_cs *cs, struct sgpu_sync *sync);

/* Submits the stream and starts an empty one.  Returns a negative errno on failure:
 * the packets were dropped.
 */
int sgpu_cs_submit(struct sgpu_cs *cs);

#endif
