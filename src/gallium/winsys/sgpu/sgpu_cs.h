/* SPDX-License-Identifier: MIT */
/* A command stream under construction, and its submission.  sgpu_cs_address() adds a buffer to the
 * submission's buffer list and returns its address.  The caller must reserve space with
 * sgpu_cs_reserve() before it writes packets.  If sgpu_cs_reserve() returns false, the caller must
 * submit the stream and write all state to a new stream.
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

   struct sgpu_buffer *stream; /* memory of the stream, or NULL on allocation failure */
   uint32_t *spare; /* memory for packets that will be dropped because `stream` is NULL */
   /* CPU pointers into the stream; there is space for packet END after `end` */
   uint32_t *start, *cur, *end;

   struct sgpu_cs_buffer *buffers; /* buffers that the stream uses */
   unsigned num_buffers, max_buffers;
   /* hash table by buffer ID: index of the latest buffer in `buffers`, plus 1, or 0 if there is
    * none
    */
   int32_t hash[SGPU_CS_HASH];
   struct sgpu_bo **bos; /* buffer list, which is filled in at submission */
   unsigned max_bos;
   struct sgpu_bo_range *writes; /* written ranges, which are filled in at submission */
   unsigned max_writes;
   /* fences to wait for, which are filled in at submission; fence_rings[i] is the ring of fences[i]
    */
   struct sgpu_fence *fences;
   struct sgpu_ring **fence_rings;
   unsigned max_fences;

   struct sgpu_sync **waits; /* syncs that the submission waits for */
   unsigned num_waits, max_waits;

   struct sgpu_sync *sync;      /* sync of the stream under construction, or NULL */
   struct sgpu_sync *last_sync; /* sync of the latest submission, or NULL */
   uint64_t last_seqno;
   /* Called after each submission, before its sync is signalled.  May be NULL. */
   void (*submitted)(struct sgpu_cs *cs);
   bool dropped; /* set if memory ran out, so that the stream can't be submitted */
};

/* Initializes the stream.  Returns false on allocation failure.  The caller must call
 * sgpu_cs_fini() even then.
 */
bool sgpu_cs_init(struct sgpu_cs *cs, struct sgpu_winsys *ws);
/* Destroys the stream.  Packets that have not been submitted are dropped. */
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

/* Returns a pointer to `words` words, for which the caller has reserved space. */
static inline uint32_t *
sgpu_cs_get(struct sgpu_cs *cs, unsigned words)
{
   uint32_t *p = cs->cur;
   assert(p + words <= cs->end);
   cs->cur = p + words;
   return p;
}

/* If the memory of the stream could not be allocated and the stream is still empty, tries to
 * allocate it again.  Packets are dropped as long as the stream has no memory.
 */
void sgpu_cs_retry(struct sgpu_cs *cs);

/* Records that the stream uses a buffer.  `write` must be true if the stream writes to the buffer.
 */
void sgpu_cs_use(struct sgpu_cs *cs, struct sgpu_buffer *buf, bool write);

static inline uint64_t
sgpu_cs_address(struct sgpu_cs *cs, struct sgpu_buffer *buf, uint64_t offset, bool write)
{
   sgpu_cs_use(cs, buf, write);
   return buf->address + offset;
}

/* Returns true if the stream uses the buffer.  With `only_writes`, returns true if the stream
 * writes to it.
 */
bool sgpu_cs_uses(const struct sgpu_cs *cs, const struct sgpu_buffer *buf, bool only_writes);

/* Makes the submission wait for `sync`, which belongs to another ring. */
void sgpu_cs_wait_for(struct sgpu_cs *cs, struct sgpu_sync *sync);

/* Submits the stream and starts a new one.  On failure, drops the stream and returns -errno. */
int sgpu_cs_submit(struct sgpu_cs *cs);

#endif
