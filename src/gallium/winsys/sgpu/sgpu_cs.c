/* SPDX-License-Identifier: MIT */
/*
 * Command streams and their submission.
 */
#include "sgpu_cs.h"

#include <errno.h>
#include <string.h>

#include "sgpu_packets.h"
#include "util/os_time.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_memory.h"

static void
make_room(struct sgpu_cs *cs)
{
   cs->end = cs->start + SGPU_CS_WORDS - SGPU_END_LENGTH;
}

/* Starts a new stream.  If its memory can't be allocated, sgpu_cs_retry() tries again later. */
static void
stream_begin(struct sgpu_cs *cs)
{
   cs->stream = sgpu_buffer_create(cs->ws, SGPU_CS_WORDS * 4, SGPU_BUFFER_STREAM, "stream");
   cs->sync = sgpu_sync_create(cs->ring);
   cs->dropped = !cs->stream || !cs->sync;
   cs->start = cs->stream ? (uint32_t *)cs->stream->map : cs->spare;
   cs->cur = cs->end = cs->start;
   if (!cs->dropped)
      make_room(cs);
}

void
sgpu_cs_retry(struct sgpu_cs *cs)
{
   if (!cs->dropped || !sgpu_cs_empty(cs))
      return;
   sgpu_buffer_reference(&cs->stream, NULL);
   sgpu_sync_reference(&cs->sync, NULL);
   stream_begin(cs);
   make_room(cs);
}

static void
stream_end(struct sgpu_cs *cs)
{
   sgpu_buffer_reference(&cs->stream, NULL);
   sgpu_sync_reference(&cs->sync, NULL);

   for (unsigned i = 0; i < cs->num_buffers; i++)
      sgpu_buffer_reference(&cs->buffers[i].buf, NULL);
   cs->num_buffers = 0;
   memset(cs->hash, 0, sizeof cs->hash);

   for (unsigned i = 0; i < cs->num_waits; i++)
      sgpu_sync_reference(&cs->waits[i], NULL);
   cs->num_waits = 0;
}

bool
sgpu_cs_init(struct sgpu_cs *cs, struct sgpu_winsys *ws)
{
   memset(cs, 0, sizeof *cs);
   cs->ws = ws;
   cs->ring = sgpu_ring_create(ws);
   cs->spare = MALLOC(SGPU_CS_WORDS * 4);
   if (!cs->ring || !cs->spare)
      return false;
   stream_begin(cs);
   return !cs->dropped;
}

void
sgpu_cs_fini(struct sgpu_cs *cs)
{
   stream_end(cs);
   FREE(cs->spare);
   sgpu_sync_reference(&cs->last_sync, NULL);
   sgpu_ring_close(&cs->ring, cs->last_seqno);
   FREE(cs->buffers);
   FREE(cs->bos);
   FREE(cs->writes);
   FREE(cs->fences);
   FREE(cs->fence_rings);
   FREE(cs->waits);
}

/* Grows an array to at least `need` elements.  Returns false on allocation failure. */
static bool
grow(void **array, unsigned *max, unsigned need, size_t size)
{
   if (need <= *max)
      return true;

   unsigned n = MAX3(*max * 2, need, 64);
   void *p = REALLOC(*array, *max * size, n * size);
   if (!p)
      return false;
   *array = p;
   *max = n;
   return true;
}

static int
find_buffer(const struct sgpu_cs *cs, const struct sgpu_buffer *buf)
{
   int i = cs->hash[buf->id % SGPU_CS_HASH] - 1;
   if (i < 0 || cs->buffers[i].buf == buf)
      return i;

   for (i = cs->num_buffers - 1; i >= 0; i--) {
      if (cs->buffers[i].buf == buf)
         return i;
   }
   return -1;
}

void
sgpu_cs_use(struct sgpu_cs *cs, struct sgpu_buffer *buf, bool write)
{
   int i = find_buffer(cs, buf);
   if (i < 0) {
      /* A buffer of a different device was created before a fork.  This device can't use it. */
      if (buf->ws != cs->ws || !grow((void **)&cs->buffers, &cs->max_buffers, cs->num_buffers + 1,
                                     sizeof *cs->buffers)) {
         cs->dropped = true;
         return;
      }
      i = cs->num_buffers++;
      cs->buffers[i].buf = NULL;
      cs->buffers[i].write = false;
      sgpu_buffer_reference(&cs->buffers[i].buf, buf);
      if (buf->parent)
         sgpu_cs_use(cs, buf->parent, false);
   }
   cs->hash[buf->id % SGPU_CS_HASH] = i + 1;
   cs->buffers[i].write |= write;
   if (write && !p_atomic_read(&buf->written))
      p_atomic_set(&buf->written, true);
}

bool
sgpu_cs_uses(const struct sgpu_cs *cs, const struct sgpu_buffer *buf, bool only_writes)
{
   int i = find_buffer(cs, buf);
   return i >= 0 && (!only_writes || cs->buffers[i].write);
}

void
sgpu_cs_wait_for(struct sgpu_cs *cs, struct sgpu_sync *sync)
{
   if (sync->ring == cs->ring)
      return;
   if (!grow((void **)&cs->waits, &cs->max_waits, cs->num_waits + 1, sizeof *cs->waits)) {
      sgpu_sync_wait(sync, OS_TIMEOUT_INFINITE);
      return;
   }
   cs->waits[cs->num_waits] = NULL;
   sgpu_sync_reference(&cs->waits[cs->num_waits++], sync);
}

/* Adds a fence, or replaces an earlier fence of the same ring.  Returns the new number of fences.
 * The ring and its queue are kept alive until the submission is done, because another thread may
 * destroy the context of the ring in the meantime, or drop the buffer's reference to the ring.
 */
static unsigned
add_fence(struct sgpu_cs *cs, unsigned n, struct sgpu_ring *ring, uint64_t seqno)
{
   if (!seqno || ring == cs->ring || sgpu_ring_passed(ring, seqno))
      return n;

   for (unsigned i = 0; i < n; i++) {
      if (cs->fence_rings[i] == ring) {
         cs->fences[i].seqno = MAX2(cs->fences[i].seqno, seqno);
         return n;
      }
   }
   unsigned max = cs->max_fences;
   if (!grow((void **)&cs->fences, &max, n + 1, sizeof *cs->fences) ||
       !grow((void **)&cs->fence_rings, &cs->max_fences, n + 1, sizeof *cs->fence_rings)) {
      sgpu_ring_wait(ring, seqno, UINT64_MAX);
      return n;
   }
   if (!sgpu_ring_use(ring))
      return n;
   cs->fences[n] = (struct sgpu_fence){ ring->queue, seqno };
   cs->fence_rings[n] = NULL;
   sgpu_ring_reference(&cs->fence_rings[n], ring);
   return n + 1;
}

/* Collects the fences that the submission must wait for: those of submitted syncs in `waits`, and
 * those of other rings that have used the stream's buffers.
 */
static unsigned
collect_fences(struct sgpu_cs *cs)
{
   unsigned n = 0;

   for (unsigned i = 0; i < cs->num_waits; i++) {
      if (sgpu_signalled(&cs->waits[i]->submitted))
         n = add_fence(cs, n, cs->waits[i]->ring, cs->waits[i]->seqno);
   }

   for (unsigned i = 0; i < cs->num_buffers; i++) {
      struct sgpu_buffer *buf = cs->buffers[i].buf;
      simple_mtx_lock(&buf->lock);
      for (unsigned u = 0; u < SGPU_BUFFER_USES; u++) {
         const struct sgpu_use *use = &buf->uses[u];
         if (use->ring && use->ring != cs->ring)
            n = add_fence(cs, n, use->ring, cs->buffers[i].write ? use->seqno : use->write_seqno);
      }
      simple_mtx_unlock(&buf->lock);
   }
   return n;
}

/* Fills in the buffer list.  Slices are left out, because cs->buffers also contains their parents.
 */
static bool
collect_bos(struct sgpu_cs *cs, struct sgpu_submit *submit)
{
   if (!grow((void **)&cs->bos, &cs->max_bos, cs->num_buffers + 1, sizeof *cs->bos))
      return false;

   unsigned n = 0;
   cs->bos[n++] = cs->stream->bo;
   for (unsigned i = 0; i < cs->num_buffers; i++) {
      if (!cs->buffers[i].buf->parent)
         cs->bos[n++] = cs->buffers[i].buf->bo;
   }
   submit->bos = cs->bos;
   submit->num_bos = n;
   return true;
}

/* Fills in the list of ranges that the stream writes.  Only captures need this list. */
static bool
collect_writes(struct sgpu_cs *cs, struct sgpu_submit *submit)
{
   if (!sgpu_layer_on)
      return true;
   if (!grow((void **)&cs->writes, &cs->max_writes, cs->num_buffers, sizeof *cs->writes))
      return false;

   unsigned n = 0;
   for (unsigned i = 0; i < cs->num_buffers; i++) {
      const struct sgpu_buffer *buf = cs->buffers[i].buf;
      if (cs->buffers[i].write)
         cs->writes[n++] = (struct sgpu_bo_range){
            buf->bo,
            buf->address - sgpu_bo_address(buf->bo),
            buf->base.size,
         };
   }
   submit->writes = cs->writes;
   submit->num_writes = n;
   return true;
}

static int
submit(struct sgpu_cs *cs)
{
   if (cs->dropped)
      return sgpu_winsys_dead(cs->ws) ? -ENODEV : -ENOMEM;

   sgpu_pack(cs->cur, END, cfg)
      ;
   cs->cur += SGPU_END_LENGTH;
   struct sgpu_submit submit = {
      .address = cs->stream->address,
      .words = cs->cur - cs->start,
   };
   if (!collect_bos(cs, &submit) || !collect_writes(cs, &submit))
      return -ENOMEM;

   submit.num_waits = collect_fences(cs);
   submit.waits = cs->fences;
   uint64_t seqno;
   const int ret = sgpu_layer_queue_submit(cs->ring->queue, &submit, &seqno);
   for (unsigned i = 0; i < submit.num_waits; i++) {
      sgpu_ring_unuse(cs->fence_rings[i]);
      sgpu_ring_reference(&cs->fence_rings[i], NULL);
   }
   if (ret)
      return ret;

   cs->last_seqno = seqno;
   for (unsigned i = 0; i < cs->num_buffers; i++)
      sgpu_buffer_add_use(cs->buffers[i].buf, cs->ring, seqno, cs->buffers[i].write);
   if (cs->ws->live)
      sgpu_winsys_submitted(cs->ws, cs->ring, seqno);
   return 0;
}

int
sgpu_cs_submit(struct sgpu_cs *cs)
{
   const int ret = submit(cs);

   if (cs->submitted)
      cs->submitted(cs);
   if (cs->sync) {
      sgpu_sync_submit(cs->sync, cs->last_seqno);
      sgpu_sync_reference(&cs->last_sync, cs->sync);
   }
   stream_end(cs);
   stream_begin(cs);
   return ret;
}
