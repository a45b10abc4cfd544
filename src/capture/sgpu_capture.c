/* SPDX-License-Identifier: MIT */
/* The capture layer.  It tracks all buffers, queues and open queries of the process, and writes
 * records to a file while a capture runs.
 *
 * The record of a submission is preceded by the CPU's writes to its buffers since the last
 * submission, but the device's writes are not recorded (sgcap_memory.h).  The layer also records
 * when the CPU is notified that a submission has ended, because the CPU may write to the memory of
 * the submission afterwards.  A replay only waits at these points.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sgcap_hash.h"
#include "sgcap_session.h"
#include "sgpu_layer.h"
#include "util/macros.h"

static struct sgcap_bo *
find_bo(struct sgpu_bo *bo)
{
   struct hash_entry *e = _mesa_hash_table_search(sgcap.bos, bo);
   return e ? e->data : NULL;
}

static struct sgcap_queue *
find_queue(struct sgpu_queue *queue)
{
   struct hash_entry *e = _mesa_hash_table_search(sgcap.queues, queue);
   return e ? e->data : NULL;
}

/*
 * Buffers
 */
int
sgpu_capture_bo_create(struct sgpu_device *dev, uint64_t size, const char *label,
                       struct sgpu_bo **out)
{
   struct sgcap_bo *b = calloc(1, sizeof *b);
   if (!b)
      return -ENOMEM;
   const int ret = sgpu_bo_create(dev, size, label, out);
   if (ret) {
      free(b);
      return ret;
   }

   b->bo = *out;
   b->address = sgpu_bo_address(b->bo);
   b->size = sgpu_bo_size(b->bo);
   b->map = sgpu_bo_map(b->bo);
   snprintf(b->label, sizeof b->label, "%s", label ? label : "");
   pthread_mutex_lock(&sgcap.lock);
   _mesa_hash_table_insert(sgcap.bos, b->bo, b);
   pthread_mutex_unlock(&sgcap.lock);
   return 0;
}

void
sgpu_capture_bo_destroy(struct sgpu_bo *bo)
{
   pthread_mutex_lock(&sgcap.lock);
   struct sgcap_bo *b = bo ? find_bo(bo) : NULL;
   if (b) {
      _mesa_hash_table_remove_key(sgcap.bos, bo);
      if (sgcap.writer && b->id) {
         const struct sgcap_id id = { b->id };
         sgcap_write(sgcap.writer, SGCAP_BO_DESTROY, &id, sizeof id, NULL, 0);
      }
      sgcap_bo_reset(b);
      free(b->pending);
      free(b->races);
      free(b);
   }
   pthread_mutex_unlock(&sgcap.lock);
   sgpu_bo_destroy(bo);
}

static void
wait_recorded(void *data, struct sgpu_queue *queue, uint64_t seqno)
{
   sgpu_queue_wait(queue, seqno, UINT64_MAX);
   struct sgcap_queue *q = find_queue(queue);
   if (q && q->id && seqno > q->told) {
      const struct sgcap_fence f = { q->id, seqno - q->base };
      q->told = seqno;
      sgcap_write(sgcap.writer, SGCAP_WAIT, &f, sizeof f, NULL, 0);
   }
}

void
sgpu_capture_bo_reuse(struct sgpu_bo *bo, const char *label, bool device_only, uint64_t zeroed)
{
   pthread_mutex_lock(&sgcap.lock);
   struct sgcap_bo *b = find_bo(bo);
   if (b) {
      device_only &= !sgcap.options.compare_all;
      if (strncmp(b->label, label, sizeof b->label - 1)) {
         snprintf(b->label, sizeof b->label, "%s", label);
         b->relabel = b->id != 0;
      }
      b->num_races = 0;
      if (sgcap.writer && b->id) {
         if (device_only && !b->device_only) {
            sgcap_bo_compare(b, sgcap.writer, wait_recorded, NULL);
            sgcap_bo_drop_shadow(b);
         } else if (!device_only && b->device_only && !sgcap_bo_take_shadow(b)) {
            sgcap_writer_fail(sgcap.writer, ENOMEM);
         }
         if (device_only)
            b->zeroed = MAX2(b->zeroed, zeroed);
      }
      b->device_only = device_only;
   }
   pthread_mutex_unlock(&sgcap.lock);
}

void
sgpu_capture_bo_race(struct sgpu_bo *bo, uint64_t offset, uint64_t size, bool begin)
{
   pthread_mutex_lock(&sgcap.lock);
   struct sgcap_bo *b = find_bo(bo);
   if (b && !sgcap_bo_race(b, offset, offset + size, begin) && sgcap.writer)
      sgcap_writer_fail(sgcap.writer, ENOMEM);
   pthread_mutex_unlock(&sgcap.lock);
}

/* Records the buffer, if it is not in the file yet, and the CPU's writes to it.  Must be called
 * with sgcap.lock held.
 */
static void
record_bo(struct sgcap_bo *b)
{
   if (!b->id) {
      b->id = sgcap.next_id++;
      const struct sgcap_bo_create c = {
         .id = b->id,
         .address = b->address,
         .size = b->size,
         .label_bytes = strlen(b->label) + 1,
      };
      sgcap_write(sgcap.writer, SGCAP_BO_CREATE, &c, sizeof c, b->label, c.label_bytes);
   } else if (b->relabel) {
      const struct sgcap_bo_label l = { b->id, strlen(b->label) + 1, 0 };
      sgcap_write(sgcap.writer, SGCAP_BO_LABEL, &l, sizeof l, b->label, l.label_bytes);
   }
   b->relabel = false;
   sgcap_bo_compare(b, sgcap.writer, wait_recorded, NULL);
}

/*
 * Queues
 */
int
sgpu_capture_queue_create(struct sgpu_device *dev, struct sgpu_queue **out)
{
   struct sgcap_queue *q = calloc(1, sizeof *q);
   if (!q)
      return -ENOMEM;
   const int ret = sgpu_queue_create(dev, out);
   if (ret) {
      free(q);
      return ret;
   }
   q->queue = *out;
   pthread_mutex_lock(&sgcap.lock);
   _mesa_hash_table_insert(sgcap.queues, q->queue, q);
   list_addtail(&q->link, &sgcap.queue_list);
   if (sgcap.writer)
      sgcap_session_queue(q);
   pthread_mutex_unlock(&sgcap.lock);
   return 0;
}

/* Must be called before the driver is notified that the submissions up to seqno have ended.
 * Updates the shadows of all buffers and writes a WAIT record.  The caller must hold sgcap.lock.
 */
static void
passed(struct sgcap_queue *q, uint64_t seqno)
{
   if (!sgcap.writer || !q || !q->id || seqno <= q->told)
      return;
   hash_table_foreach(sgcap.bos, e)
      sgcap_bo_passed(e->data, q->queue, seqno);
   q->told = seqno;
   const struct sgcap_fence f = { q->id, seqno - q->base };
   sgcap_write(sgcap.writer, SGCAP_WAIT, &f, sizeof f, NULL, 0);
}

void
sgpu_capture_queue_destroy(struct sgpu_queue *queue)
{
   pthread_mutex_lock(&sgcap.lock);
   struct sgcap_queue *q = find_queue(queue);
   if (q) {
      if (sgcap.writer && q->id) {
         sgpu_queue_wait(queue, q->last, UINT64_MAX);
         passed(q, q->last);
         const struct sgcap_id id = { q->id };
         sgcap_write(sgcap.writer, SGCAP_QUEUE_DESTROY, &id, sizeof id, NULL, 0);
      }
      _mesa_hash_table_remove_key(sgcap.queues, queue);
      list_del(&q->link);
      sgcap_queries_fini(q);
      free(q);
   }
   pthread_mutex_unlock(&sgcap.lock);
   sgpu_queue_destroy(queue);
}

static void
record_submit(struct sgcap_queue *q, const struct sgpu_submit *submit, uint64_t seqno)
{
   struct sgcap_submit s = {
      .queue = q->id,
      .seqno = seqno - q->base,
      .address = submit->address,
      .words = submit->words,
      .num_bos = submit->num_bos,
      .num_writes = submit->num_writes,
   };
   for (unsigned i = 0; i < submit->num_waits; i++) {
      const struct sgcap_queue *other = find_queue(submit->waits[i].queue);
      s.num_waits += other && submit->waits[i].seqno > other->base;
   }

   uint8_t *to = sgcap_write_begin(sgcap.writer, SGCAP_SUBMIT,
                                   sizeof s + s.num_bos * 8 +
                                      s.num_waits * sizeof(struct sgcap_fence) +
                                      s.num_writes * sizeof(struct sgcap_range));
   if (!to)
      return;
   memcpy(to, &s, sizeof s);
   uint64_t *bos = (uint64_t *)(to + sizeof s);
   for (unsigned i = 0; i < submit->num_bos; i++)
      *bos++ = find_bo(submit->bos[i])->id;

   struct sgcap_fence *waits = (struct sgcap_fence *)bos;
   for (unsigned i = 0; i < submit->num_waits; i++) {
      const struct sgcap_queue *other = find_queue(submit->waits[i].queue);
      if (other && submit->waits[i].seqno > other->base)
         *waits++ = (struct sgcap_fence){ other->id, submit->waits[i].seqno - other->base };
   }
   struct sgcap_range *writes = (struct sgcap_range *)waits;
   for (unsigned i = 0; i < submit->num_writes; i++) {
      const struct sgpu_bo_range *range = &submit->writes[i];
      *writes++ = (struct sgcap_range){ find_bo(range->bo)->id, range->offset, range->size };
   }
}

static void
note_writes(struct sgcap_queue *q, const struct sgpu_submit *submit, uint64_t seqno)
{
   for (unsigned i = 0; i < submit->num_writes; i++) {
      const struct sgpu_bo_range *range = &submit->writes[i];
      if (!sgcap_bo_add_pending(find_bo(range->bo), range->offset, range->offset + range->size,
                                q->queue, seqno))
         sgcap_writer_fail(sgcap.writer, ENOMEM);
   }
}

/* Ends the capture after its last frame or after an error, and then terminates the process if
 * requested.
 */
static void
end_session(void)
{
   sgcap_session_end();
   if (sgcap.options.quit)
      sgcap_session_quit();
}

int
sgpu_capture_queue_submit(struct sgpu_queue *queue, const struct sgpu_submit *submit,
                          uint64_t *seqno)
{
   pthread_mutex_lock(&sgcap.lock);
   struct sgcap_queue *q = find_queue(queue);

   if (sgcap.child)
      sgcap_session_consider();
   if (sgcap_queries_ends(q, submit)) {
      sgpu_queue_wait(queue, q->last, UINT64_MAX);
      passed(q, q->last);
      sgcap_queries_give(q, submit);
   }
   if (sgcap.writer) {
      for (unsigned i = 0; i < submit->num_bos; i++)
         record_bo(find_bo(submit->bos[i]));
   }
   const int ret = sgpu_queue_submit(queue, submit, seqno);
   if (ret == 0) {
      q->last = *seqno;
      sgcap_queries_note(q, submit);
      if (sgcap.writer) {
         record_submit(q, submit, *seqno);
         note_writes(q, submit, *seqno);
         for (unsigned i = 0; i < submit->num_bos; i++)
            find_bo(submit->bos[i])->listed = true;
         sgcap_writer_flush(sgcap.writer);
         if (!sgcap_writer_error(sgcap.writer))
            sgcap.submissions++;
         else
            end_session();
      }
   }
   pthread_mutex_unlock(&sgcap.lock);
   return ret;
}

int
sgpu_capture_queue_wait(struct sgpu_queue *queue, uint64_t seqno, uint64_t timeout_ns)
{
   const int ret = sgpu_queue_wait(queue, seqno, timeout_ns);

   if (ret == 0) {
      pthread_mutex_lock(&sgcap.lock);
      struct sgcap_queue *q = find_queue(queue);
      passed(q, q ? MIN2(seqno, q->last) : 0);
      pthread_mutex_unlock(&sgcap.lock);
   }
   return ret;
}

uint64_t
sgpu_capture_queue_completed(struct sgpu_queue *queue)
{
   const uint64_t seqno = sgpu_queue_completed(queue);

   pthread_mutex_lock(&sgcap.lock);
   struct sgcap_queue *q = find_queue(queue);
   passed(q, q ? MIN2(seqno, q->last) : 0);
   pthread_mutex_unlock(&sgcap.lock);
   return seqno;
}

static void
idle(struct sgpu_bo *bo)
{
   pthread_mutex_lock(&sgcap.lock);
   struct sgcap_bo *b = find_bo(bo);
   if (sgcap.writer && b && b->id && b->listed && sgpu_bo_busy(bo)) {
      /* Another thread has submitted work since the caller found the buffer idle, so a BO IDLE
       * record would be wrong.  Instead, record which submissions of each queue have ended.
       */
      list_for_each_entry(struct sgcap_queue, q, &sgcap.queue_list, link)
         passed(q, MIN2(sgpu_queue_completed(q->queue), q->last));
   } else if (sgcap.writer && b && b->id && b->listed) {
      b->listed = false;
      sgcap_bo_passed(b, NULL, 0);
      const struct sgcap_id id = { b->id };
      sgcap_write(sgcap.writer, SGCAP_BO_IDLE, &id, sizeof id, NULL, 0);
   }
   pthread_mutex_unlock(&sgcap.lock);
}

int
sgpu_capture_bo_wait(struct sgpu_bo *bo, uint64_t timeout_ns)
{
   const int ret = sgpu_bo_wait(bo, timeout_ns);
   if (ret == 0)
      idle(bo);
   return ret;
}

bool
sgpu_capture_bo_busy(struct sgpu_bo *bo)
{
   const bool busy = sgpu_bo_busy(bo);
   if (!busy)
      idle(bo);
   return busy;
}

void
sgpu_capture_present(const struct sgpu_presentation *p)
{
   pthread_mutex_lock(&sgcap.lock);
   struct sgcap_bo *b = find_bo(p->bo);
   if (sgcap.writer && b && b->id) {
      struct sgcap_present rec = {
         .bo = b->id,
         .offset = p->offset,
         .pitch = p->pitch,
         .width = p->width,
         .height = p->height,
         .format = p->format,
         .x = p->x,
         .y = p->y,
         .frame = sgcap.frame,
         .pixel_bytes = p->pixel_bytes,
      };
      XXH64_state_t state;
      XXH64_reset(&state, 0);
      for (unsigned y = 0; y < p->height; y++)
         XXH64_update(&state, b->map + p->offset + (uint64_t)y * p->pitch,
                      (size_t)p->width * p->pixel_bytes);
      rec.hash = XXH64_digest(&state);
      sgcap_write(sgcap.writer, SGCAP_PRESENT, &rec, sizeof rec, NULL, 0);
      sgcap_writer_flush(sgcap.writer);
      const bool error = sgcap_writer_error(sgcap.writer);
      sgcap.frames += !error;
      if (error || sgcap.frame >= sgcap.last_frame)
         end_session();
   }
   sgcap.frame++;
   if (sgcap.writer)
      sgcap_session_frame();
   else
      sgcap_session_consider();
   pthread_mutex_unlock(&sgcap.lock);
}
