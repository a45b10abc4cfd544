/* SPDX-License-Identifier: MIT */
/* Submits command streams of the capture and of the tool itself to the device. */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cap_player.h"

#define MAX_STREAM_WORDS (UINT32_C(1) << 26)

const uint32_t *
cap_player_stream(struct cap_player *p, const struct sgcap_record *rec)
{
   const struct sgcap_submit *s = &rec->u.submit;

   for (uint32_t i = 0; i < s->num_bos; i++) {
      if (!cap_player_bo(p, rec->bos[i])) {
         cap_player_fail(p, "its list names a missing buffer");
         return NULL;
      }
   }
   for (uint32_t i = 0; i < s->num_bos; i++) {
      const struct cap_bo *b = cap_player_bo(p, rec->bos[i]);
      const uint64_t offset = s->address - b->address;
      if (s->address % 4 || s->words > MAX_STREAM_WORDS || s->address < b->address ||
          offset >= b->size || (uint64_t)s->words * 4 > b->size - offset)
         continue;
      const uint32_t *words = (const uint32_t *)((uint8_t *)sgpu_bo_map(b->bo) + offset);
      const char *why = sgcap_check_stream(p->reader, words, s->words);
      if (why) {
         cap_player_fail(p, why);
         return NULL;
      }
      return words;
   }
   cap_player_fail(p, "no buffer of its list has the stream");
   return NULL;
}

bool
cap_player_submitted(struct cap_player *p, const struct sgcap_record *rec, uint64_t seqno)
{
   struct cap_queue *q = cap_player_queue(p, rec->u.submit.queue);

   if (!q || rec->u.submit.seqno != q->num_seqnos + 1)
      return cap_player_fail(p, "no such queue, or its number is not the next one");
   if (q->num_seqnos == q->max_seqnos) {
      const uint64_t n = q->max_seqnos ? q->max_seqnos * 2 : 256;
      uint64_t *s = realloc(q->seqnos, n * sizeof *s);
      if (!s)
         return cap_player_fail(p, "out of memory");
      q->seqnos = s;
      q->max_seqnos = n;
   }
   q->seqnos[q->num_seqnos++] = seqno;
   return true;
}

/* Submits a command stream with the buffers of the record and the buffers in `extra`.  On a queue
 * of the capture, the submission also waits for the fences of the record.
 */
static bool
submit(struct cap_player *p, const struct sgcap_record *rec, struct sgpu_queue *queue,
       uint64_t address, uint32_t words, struct sgpu_bo *const *extra, unsigned num_extra,
       uint64_t *seqno)
{
   const struct sgcap_submit *s = &rec->u.submit;
   const bool theirs = queue != p->queue;

   struct sgpu_bo **bos = malloc((s->num_bos + num_extra + 1) * sizeof *bos);
   struct sgpu_fence *waits = malloc((s->num_waits + 1) * sizeof *waits);
   bool ok = bos && waits;
   unsigned num_bos = 0, num_waits = 0;
   if (!ok)
      cap_player_fail(p, "out of memory");
   for (uint32_t i = 0; ok && i < s->num_bos; i++) {
      const struct cap_bo *b = cap_player_bo(p, rec->bos[i]);
      ok = b || cap_player_fail(p, "its list names a missing buffer");
      if (ok)
         bos[num_bos++] = b->bo;
   }
   for (unsigned i = 0; ok && i < num_extra; i++)
      bos[num_bos++] = extra[i];
   for (uint32_t i = 0; ok && theirs && i < s->num_waits; i++) {
      const struct sgcap_fence *f = &rec->waits[i];
      const struct cap_object *o = cap_player_object(p, f->queue, CAP_QUEUE);
      /* The queue was idle when it was destroyed, so all its fences have passed. */
      if (o && !o->u.queue.queue)
         continue;
      ok = (o && f->seqno && f->seqno <= o->u.queue.num_seqnos) ||
           cap_player_fail(p, "it waits for a fence that was not submitted");
      if (ok)
         waits[num_waits++] = (struct sgpu_fence){ o->u.queue.queue,
                                                   o->u.queue.seqnos[f->seqno - 1] };
   }
   if (ok) {
      const int ret = sgpu_queue_submit(queue,
                                        &(struct sgpu_submit){
                                           .address = address,
                                           .words = words,
                                           .bos = bos,
                                           .num_bos = num_bos,
                                           .waits = waits,
                                           .num_waits = num_waits,
                                        },
                                        seqno);
      ok = ret == 0 || cap_player_fail(p, "the device refuses the submission");
   }
   free(bos);
   free(waits);
   return ok;
}

static struct sgpu_queue *
queue_of(struct cap_player *p, const struct sgcap_record *rec)
{
   struct cap_queue *q = cap_player_queue(p, rec->u.submit.queue);
   if (!q)
      cap_player_fail(p, "no such queue");
   return q ? q->queue : NULL;
}

bool
cap_player_submit(struct cap_player *p, const struct sgcap_record *rec)
{
   struct sgpu_queue *queue = queue_of(p, rec);
   uint64_t seqno;

   return queue && cap_player_stream(p, rec) &&
          submit(p, rec, queue, rec->u.submit.address, rec->u.submit.words, NULL, 0, &seqno) &&
          cap_player_submitted(p, rec, seqno);
}

/* Copies the words to scratch memory, submits them and waits until they have run. */
static bool
submit_scratch(struct cap_player *p, const struct sgcap_record *rec, struct sgpu_queue *queue,
               const uint32_t *words, uint32_t count, struct sgpu_bo *const *extra,
               unsigned num_extra)
{
   struct sgpu_bo *bos[CAP_MAX_EXTRA + 1];
   uint64_t seqno;
   struct sgpu_bo *scratch = cap_player_scratch(p, (uint64_t)count * 4 + 64);
   if (!scratch)
      return false;

   assert(num_extra <= CAP_MAX_EXTRA);
   if (num_extra)
      memcpy(bos, extra, num_extra * sizeof *bos);
   bos[num_extra] = scratch;
   memcpy(sgpu_bo_map(scratch), words, (size_t)count * 4);
   if (!submit(p, rec, queue, sgpu_bo_address(scratch), count, bos, num_extra + 1, &seqno))
      return false;
   sgpu_queue_wait(queue, seqno, UINT64_MAX);
   return true;
}

bool
cap_player_submit_words(struct cap_player *p, const struct sgcap_record *rec, const uint32_t *words,
                        uint32_t count)
{
   struct sgpu_queue *queue = queue_of(p, rec);

   return queue && submit_scratch(p, rec, queue, words, count, NULL, 0);
}

bool
cap_player_submit_to(struct cap_player *p, const struct sgcap_record *rec, uint64_t queue,
                     const uint32_t *words, uint32_t count, struct sgpu_bo *extra)
{
   struct cap_queue *q = cap_player_queue(p, queue);

   return q && submit_scratch(p, rec, q->queue, words, count, &extra, 1);
}

bool
cap_player_run(struct cap_player *p, const struct sgcap_record *rec, const uint32_t *words,
               uint32_t count, struct sgpu_bo *const *extra, unsigned num_extra)
{
   struct sgpu_queue_error error;
   bool failed = false;

   if (!submit_scratch(p, rec, p->queue, words, count, extra, num_extra))
      return false;
   while (sgpu_queue_take_error(p->queue, &error))
      failed = true;
   return !failed;
}

bool
cap_player_finish(struct cap_player *p, const struct sgcap_record *rec)
{
   cap_player_wait(p);
   for (uint64_t i = 0; i < p->num_objects; i++) {
      struct sgpu_queue_error error;
      struct cap_queue *q = &p->objects[i].u.queue;
      if (p->objects[i].kind == CAP_QUEUE && q->queue && sgpu_queue_take_error(q->queue, &error)) {
         sgcap_fail(p->reader, "queue %" PRIu32 ", submission %" PRIu64 ": %s", q->ordinal,
                    error.seqno, error.message);
         return false;
      }
   }
   return true;
}
