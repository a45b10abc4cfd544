/* SPDX-License-Identifier: MIT */
/*
 * Queues: submissions in order, fences, reset status.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sgd_device.h"
#include "util/macros.h"

uint64_t
sgd_time_ns(void)
{
   struct timespec t;
   clock_gettime(CLOCK_MONOTONIC, &t);
   return (uint64_t)t.tv_sec * 1000000000u + t.tv_nsec;
}

int
sgpu_queue_create(struct sgpu_device *dev, struct sgpu_queue **out)
{
   *out = NULL;
   if (dev->dead)
      return -ENODEV;

   struct sgpu_queue *queue = calloc(1, sizeof(*queue));
   if (!queue)
      return -ENOMEM;

   queue->dev = dev;
   queue->item.kind = SGD_ITEM_CP;
   list_inithead(&queue->submissions);
   list_inithead(&queue->nodes);
   queue->cp = sgd_cp_create(queue);
   if (!queue->cp) {
      free(queue);
      return -ENOMEM;
   }

   pthread_mutex_lock(&dev->lock);
   const bool room = sgd_ready_reserve(&dev->dispatch, queue->item.kind, 1);
   if (room)
      list_addtail(&queue->link, &dev->queues);
   pthread_mutex_unlock(&dev->lock);
   if (!room) {
      sgd_cp_destroy(queue->cp);
      free(queue);
      return -ENOMEM;
   }
   *out = queue;
   return 0;
}

void
sgpu_queue_destroy(struct sgpu_queue *queue)
{
   struct sgpu_device *dev = queue->dev;

   /* In the child of a fork a worker that is gone may have been at any point. */
   if (dev->dead)
      return;

   pthread_mutex_lock(&dev->lock);
   while (!list_is_empty(&queue->submissions) || queue->taken)
      pthread_cond_wait(&dev->done, &dev->lock);
   list_del(&queue->link);
   sgd_ready_release(&dev->dispatch, queue->item.kind, 1);
   for (unsigned i = 0; i < SGD_QUERY_SLOTS; i++) {
      if (queue->slots[i])
         sgd_query_unref(queue->slots[i]);
   }
   /* Fences of a queue that is gone have passed. */
   list_for_each_entry(struct sgpu_queue, other, &dev->queues, link) {
      list_for_each_entry(struct sgd_submission, sub, &other->submissions, link) {
         for (unsigned i = 0; i < sub->num_waits; i++) {
            if (sub->waits[i].queue == queue)
               sub->waits[i].queue = other;
         }
      }
   }
   pthread_mutex_unlock(&dev->lock);
   sgd_cp_destroy(queue->cp);
   free(queue);
}

void
sgd_queues_abandon(struct sgpu_device *dev)
{
   pthread_mutex_lock(&dev->lock);
   list_for_each_entry(struct sgpu_queue, queue, &dev->queues, link) {
      while (!list_is_empty(&queue->submissions) || queue->taken)
         pthread_cond_wait(&dev->done, &dev->lock);
      sgd_ready_release(&dev->dispatch, queue->item.kind, 1);
   }
   pthread_mutex_unlock(&dev->lock);
}

static int
compare_bos(const void *a, const void *b)
{
   const struct sgpu_bo *x = *(struct sgpu_bo *const *)a, *y = *(struct sgpu_bo *const *)b;
   return x->address < y->address ? -1 : x->address > y->address;
}

static void
submission_free(struct sgd_submission *sub)
{
   free(sub->bos);
   free(sub->waits);
   free(sub);
}

int
sgpu_queue_submit(struct sgpu_queue *queue, const struct sgpu_submit *submit, uint64_t *seqno)
{
   struct sgpu_device *dev = queue->dev;
   if (dev->dead)
      return -ENODEV;

   struct sgd_submission *sub = calloc(1, sizeof(*sub));
   if (!sub)
      return -ENOMEM;
   sub->queue = queue;
   sub->address = submit->address;
   sub->words = submit->words;
   sub->bos = malloc(MAX2(submit->num_bos, 1) * sizeof(*sub->bos));
   sub->waits = malloc(MAX2(submit->num_waits, 1) * sizeof(*sub->waits));
   if (!sub->bos || !sub->waits) {
      submission_free(sub);
      return -ENOMEM;
   }

   if (submit->num_bos)
      memcpy(sub->bos, submit->bos, submit->num_bos * sizeof(*sub->bos));
   if (submit->num_waits)
      memcpy(sub->waits, submit->waits, submit->num_waits * sizeof(*sub->waits));
   sub->num_waits = submit->num_waits;
   qsort(sub->bos, submit->num_bos, sizeof(*sub->bos), compare_bos);
   for (unsigned i = 0; i < submit->num_bos; i++) {
      if (i == 0 || sub->bos[i] != sub->bos[i - 1])
         sub->bos[sub->num_bos++] = sub->bos[i];
   }

   if ((submit->address & 3) ||
       !sgd_submission_find(sub, submit->address, (uint64_t)submit->words * 4)) {
      submission_free(sub);
      return -EINVAL;
   }
   for (unsigned i = 0; i < sub->num_bos; i++) {
      sgd_bo_ref(sub->bos[i]);
      atomic_fetch_add(&sub->bos[i]->busy, 1);
   }

   pthread_mutex_lock(&dev->lock);
   int ret = sgd_pool_start(dev);
   /* A fence that nobody has submitted might never pass. */
   for (unsigned i = 0; i < sub->num_waits; i++) {
      if (sub->waits[i].seqno > sub->waits[i].queue->last_seqno)
         ret = -EINVAL;
   }
   if (ret == 0) {
      sub->seqno = ++queue->last_seqno;
      sub->outstanding = 1;
      list_addtail(&sub->link, &queue->submissions);
      if (!queue->parsing)
         queue->parsing = sub;
      sgd_queue_schedule(queue);
      sgd_pool_wake(dev);
      *seqno = sub->seqno;
   }
   pthread_mutex_unlock(&dev->lock);

   if (ret) {
      pthread_mutex_lock(&dev->lock);
      for (unsigned i = 0; i < sub->num_bos; i++) {
         atomic_fetch_sub(&sub->bos[i]->busy, 1);
         sgd_bo_unref(sub->bos[i]);
      }
      /* Somebody may have begun to wait for the buffers. */
      pthread_cond_broadcast(&dev->done);
      pthread_mutex_unlock(&dev->lock);
      submission_free(sub);
   }
   return ret;
}

/* Whether the fences that the submission waits for have passed. */
static bool
waits_passed(const struct sgd_submission *sub)
{
   for (unsigned i = 0; i < sub->num_waits; i++) {
      if (sub->waits[i].queue != sub->queue &&
          sub->waits[i].queue->completed < sub->waits[i].seqno)
         return false;
   }
   return true;
}

/* The command processor can go on. */
static bool
may_parse(const struct sgpu_queue *queue)
{
   return queue->parsing && queue->in_flight < SGD_MAX_IN_FLIGHT && waits_passed(queue->parsing);
}

void
sgd_queue_schedule(struct sgpu_queue *queue)
{
   if (!queue->taken && !queue->item.index && may_parse(queue)) {
      struct sgd_dispatch *d = &queue->dev->dispatch;
      sgd_ready_push(d, &queue->item, d->next_seq);
   }
}

void
sgd_submission_put(struct sgd_submission *sub)
{
   struct sgpu_queue *queue = sub->queue;
   struct sgpu_device *dev = queue->dev;

   assert(sub->outstanding > 0);
   if (--sub->outstanding)
      return;

   bool any = false;
   while (!list_is_empty(&queue->submissions)) {
      struct sgd_submission *first =
         list_first_entry(&queue->submissions, struct sgd_submission, link);
      if (first->outstanding)
         break;

      list_del(&first->link);
      queue->completed = first->seqno;
      for (unsigned i = 0; i < first->num_bos; i++) {
         atomic_fetch_sub(&first->bos[i]->busy, 1);
         sgd_bo_unref(first->bos[i]);
      }
      submission_free(first);
      dev->counters[SGPU_COUNTER_SUBMISSIONS]++;
      any = true;
   }
   if (!any)
      return;

   list_for_each_entry(struct sgpu_queue, other, &dev->queues, link)
      sgd_queue_schedule(other);
   pthread_cond_broadcast(&dev->done);
}

void
sgd_queue_fail(struct sgpu_queue *queue, struct sgd_submission *sub, const char *message)
{
   if (!queue->lost) {
      snprintf(queue->message, sizeof(queue->message), "submission %llu: %s",
               (unsigned long long)sub->seqno, message);
      queue->status = SGPU_RESET_GUILTY;
   }
   queue->lost = true;
}

enum sgpu_reset_status
sgpu_queue_reset_status(struct sgpu_queue *queue, const char **message)
{
   struct sgpu_device *dev = queue->dev;
   enum sgpu_reset_status status = SGPU_RESET_NONE;

   if (message)
      *message = NULL;
   if (dev->dead)
      return status;

   pthread_mutex_lock(&dev->lock);
   /* Work goes on once what was under way at the error has ended and somebody
    * has been told.
    */
   if (queue->status != SGPU_RESET_NONE) {
      status = queue->status;
      memcpy(queue->reported, queue->message, sizeof(queue->reported));
      if (message)
         *message = queue->reported;
      if (list_is_empty(&queue->submissions)) {
         queue->status = SGPU_RESET_NONE;
         queue->lost = false;
      }
   }
   pthread_mutex_unlock(&dev->lock);
   return status;
}

/* Waits on dev->done until the condition holds.  Lock held. */
static int
wait_done(struct sgpu_device *dev, uint64_t deadline)
{
   if (deadline == UINT64_MAX)
      return pthread_cond_wait(&dev->done, &dev->lock);

   const struct timespec t = {
      .tv_sec = deadline / 1000000000u,
      .tv_nsec = deadline % 1000000000u,
   };
   return pthread_cond_timedwait(&dev->done, &dev->lock, &t);
}

static uint64_t
deadline_of(uint64_t timeout_ns)
{
   const uint64_t now = sgd_time_ns();
   return timeout_ns > UINT64_MAX - now ? UINT64_MAX : now + timeout_ns;
}

int
sgpu_queue_wait(struct sgpu_queue *queue, uint64_t seqno, uint64_t timeout_ns)
{
   struct sgpu_device *dev = queue->dev;
   int ret = 0;

   if (dev->dead)
      return 0;
   pthread_mutex_lock(&dev->lock);
   if (queue->completed < seqno) {
      const uint64_t deadline = timeout_ns ? deadline_of(timeout_ns) : 0;
      while (queue->completed < seqno && ret == 0)
         ret = timeout_ns ? wait_done(dev, deadline) : ETIMEDOUT;
   }
   ret = queue->completed < seqno ? -ETIME : 0;
   pthread_mutex_unlock(&dev->lock);
   return ret;
}

uint64_t
sgpu_queue_completed(struct sgpu_queue *queue)
{
   struct sgpu_device *dev = queue->dev;
   if (dev->dead)
      return UINT64_MAX;
   pthread_mutex_lock(&dev->lock);
   const uint64_t completed = queue->completed;
   pthread_mutex_unlock(&dev->lock);
   return completed;
}

bool
sgpu_bo_busy(struct sgpu_bo *bo)
{
   return !bo->dev->dead && atomic_load(&bo->busy) != 0;
}

int
sgpu_bo_wait(struct sgpu_bo *bo, uint64_t timeout_ns)
{
   struct sgpu_device *dev = bo->dev;
   int ret = 0;

   if (!sgpu_bo_busy(bo))
      return 0;
   if (timeout_ns == 0)
      return -ETIME;

   const uint64_t deadline = deadline_of(timeout_ns);
   pthread_mutex_lock(&dev->lock);
   while (atomic_load(&bo->busy) && ret == 0)
      ret = wait_done(dev, deadline);
   ret = atomic_load(&bo->busy) ? -ETIME : 0;
   pthread_mutex_unlock(&dev->lock);
   return ret;
}
