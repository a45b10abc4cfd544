/* SPDX-License-Identifier: MIT */
/*
 * Queues, which run submissions in order, signal fences and report errors.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "control/core/sgd_device.h"
#include "sgpu_observer.h"
#include "common/sgd_time.h"
#include "control/sched/sgd_trace.h"
#include "observe/profile/sgd_profile.h"
#include "util/macros.h"

static struct sgpu_queue *
queue_of(struct sgd_client *client)
{
   return container_of(client, struct sgpu_queue, client);
}

/* Returns true if all fences that the submission waits for are signaled. */
static bool
waits_passed(const struct sgpu_queue *queue, const struct sgd_queued *entry)
{
   for (unsigned i = 0; i < entry->num_waits; i++) {
      const struct sgpu_fence *fence = &entry->waits[i];
      if (fence->queue != queue && fence->queue->completed < fence->seqno)
         return false;
   }
   return true;
}

/* Schedules the command processor of the queue if it can parse more packets now. */
static void
schedule(struct sgpu_queue *queue)
{
   struct sgpu_device *dev = queue->dev;

   if (!queue->taken && !sgd_work_ready(&queue->work) && queue->parsing &&
       sgd_client_has_room(&dev->dispatch, &queue->client) && waits_passed(queue, queue->parsing))
      sgd_sched_push(&dev->sched, &queue->work, dev->dispatch.next_seq);
}

static void
operation_ended(struct sgd_client *client)
{
   schedule(queue_of(client));
}

static void
entry_free(struct sgd_queued *entry)
{
   free(entry->sub.bos.bos);
   free(entry->waits);
   free(entry);
}

/* Drops the submission's references to its buffers. */
static void
release_buffers(struct sgd_submission *sub)
{
   for (unsigned i = 0; i < sub->bos.count; i++) {
      atomic_fetch_sub(&sub->bos.bos[i]->busy, 1);
      sgd_bo_unref(sub->bos.bos[i]);
   }
}

/* Wakes all threads whose submission has ended, or whose buffer is no longer in use. */
static void
tell_waiters(struct sgpu_device *dev)
{
   list_for_each_entry(struct sgd_fence_waiter, w, &dev->waiters, link) {
      /* Skip waits that are done, since their queue or buffer may have been destroyed. */
      if (!w->waiter.done &&
          (w->queue ? w->queue->completed >= w->seqno : !atomic_load(&w->bo->busy)))
         sgd_waiter_done(&w->waiter);
   }
   pthread_cond_broadcast(&dev->done);
}

/* Called when all operations of `sub` have ended. Submissions leave the queue in order, so `sub`
 * stays in the queue until all earlier submissions have ended, too.
 */
static void
submission_ended(struct sgd_client *client, struct sgd_submission *sub)
{
   struct sgpu_queue *queue = queue_of(client);
   struct sgpu_device *dev = queue->dev;
   const struct sgpu_observer *observer = dev->params.observer;
   bool any = false;

   list_for_each_entry_safe(struct sgd_queued, first, &queue->submissions, link) {
      if (first->sub.outstanding)
         break;
      list_del(&first->link);
      if (observer && observer->ended)
         observer->ended(observer->data, first->sub.number, first->sub.operations,
                         first->sub.draws);
      if (dev->sched.trace)
         sgd_trace_submission(dev->sched.trace, first->sub.number, sgd_time_ns(), 'e');
      release_buffers(&first->sub);
      /* Signal the fence only after the buffers were released. A thread that sees the fence without
       * taking the lock may reuse the addresses of the buffers immediately.
       */
      queue->completed = first->sub.seqno;
      entry_free(first);
      dev->sched.counters[SGPU_COUNTER_SUBMISSIONS]++;
      any = true;
   }
   if (!any)
      return;

   list_for_each_entry(struct sgpu_queue, other, &dev->queues, link)
      schedule(other);
   tell_waiters(dev);
}

static void
queue_error(struct sgd_client *client, const struct sgpu_queue_error *error)
{
   struct sgpu_queue *queue = queue_of(client);

   if (queue->num_errors < SGD_MAX_ERRORS)
      queue->errors[queue->num_errors++] = *error;
}

static const struct sgd_client_ops client_ops = {
   .ended = submission_ended,
   .operation_ended = operation_ended,
   .error = queue_error,
};

/* Parses the submission queue->parsing, or part of it. */
static void
run_cp(struct sgd_work *work, struct sgd_worker *worker)
{
   struct sgpu_queue *queue = container_of(work, struct sgpu_queue, work);
   struct sgpu_device *dev = queue->dev;
   struct sgd_queued *entry = queue->parsing;

   queue->taken = true;
   sgd_sched_unlock(&dev->sched);
   const bool parsed = sgd_cp_run(queue->cp, &entry->sub, worker);
   sgd_sched_relock(&dev->sched, worker);
   sgd_cp_count_paths(queue->cp);
   queue->taken = false;

   if (parsed) {
      queue->parsing = entry->link.next == &queue->submissions
                          ? NULL
                          : list_entry(entry->link.next, struct sgd_queued, link);
      sgd_submission_put(&entry->sub);
   }
   schedule(queue);
   /* A thread in sgpu_queue_destroy() may be waiting until parsing is done. */
   if (!queue->parsing)
      pthread_cond_broadcast(&dev->done);
}

int
sgpu_queue_create(struct sgpu_device *dev, struct sgpu_queue **out)
{
   *out = NULL;
   if (sgd_device_dead(dev))
      return -ENODEV;

   struct sgpu_queue *queue = calloc(1, sizeof(*queue));
   if (!queue)
      return -ENOMEM;

   queue->dev = dev;
   queue->work.run = run_cp;
   queue->work.name = "commands";
   queue->work.heap = SGD_WORK_EARLY;
   queue->client.ops = &client_ops;
   list_inithead(&queue->submissions);
   list_inithead(&queue->client.nodes);
   queue->cp = sgd_cp_create(&dev->dispatch, &dev->cache);
   if (!queue->cp) {
      free(queue);
      return -ENOMEM;
   }

   sigset_t signals;
   sgd_sched_enter(&dev->sched, &signals);
   bool room = sgd_sched_reserve(&dev->sched, queue->work.heap, 1);
   if (room && !(queue->client.share = sgd_share_open(&dev->sched))) {
      sgd_sched_release(&dev->sched, queue->work.heap, 1);
      room = false;
   }
   if (room) {
      queue->work.share = queue->client.share;
      list_addtail(&queue->link, &dev->queues);
   }
   sgd_sched_leave(&dev->sched, &signals);
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

   /* In a forked child, leak the queue, because its data may be inconsistent. */
   if (sgd_device_dead(dev))
      return;

   sigset_t signals;
   sgd_sched_enter(&dev->sched, &signals);
   sgd_pool_drain(&dev->sched);
   while (!list_is_empty(&queue->submissions) || queue->taken)
      pthread_cond_wait(&dev->done, &dev->sched.lock);
   list_del(&queue->link);
   sgd_sched_release(&dev->sched, queue->work.heap, 1);
   sgd_share_close(&dev->sched, queue->client.share);
   /* Other queues may still refer to fences of the destroyed queue, which are all signaled. Replace
    * these with fences of the waiting queue itself, because waits_passed() always treats those as
    * signaled.
    */
   list_for_each_entry(struct sgpu_queue, other, &dev->queues, link) {
      list_for_each_entry(struct sgd_queued, entry, &other->submissions, link) {
         for (unsigned i = 0; i < entry->num_waits; i++) {
            if (entry->waits[i].queue == queue)
               entry->waits[i].queue = other;
         }
      }
   }
   sgd_sched_leave(&dev->sched, &signals);
   sgd_cp_destroy(queue->cp);
   free(queue);
}

void
sgd_queues_abandon(struct sgpu_device *dev)
{
   sigset_t signals;
   sgd_sched_enter(&dev->sched, &signals);
   sgd_pool_drain(&dev->sched);
   list_for_each_entry(struct sgpu_queue, queue, &dev->queues, link) {
      while (!list_is_empty(&queue->submissions) || queue->taken)
         pthread_cond_wait(&dev->done, &dev->sched.lock);
      sgd_sched_release(&dev->sched, queue->work.heap, 1);
   }
   sgd_sched_leave(&dev->sched, &signals);
}

int
sgpu_queue_submit(struct sgpu_queue *queue, const struct sgpu_submit *submit, uint64_t *seqno)
{
   struct sgpu_device *dev = queue->dev;
   const uint64_t start = sgd_sched_records(&dev->sched) ? sgd_time_ns() : 0;
   if (sgd_device_dead(dev))
      return -ENODEV;

   struct sgd_queued *entry = calloc(1, sizeof(*entry));
   if (!entry)
      return -ENOMEM;
   struct sgd_submission *sub = &entry->sub;
   sub->client = &queue->client;
   sub->address = submit->address;
   sub->words = submit->words;
   sub->bos.bos = malloc(MAX2(submit->num_bos, 1) * sizeof(*sub->bos.bos));
   entry->waits = malloc(MAX2(submit->num_waits, 1) * sizeof(*entry->waits));
   if (!sub->bos.bos || !entry->waits) {
      entry_free(entry);
      return -ENOMEM;
   }

   if (submit->num_bos)
      memcpy(sub->bos.bos, submit->bos, submit->num_bos * sizeof(*sub->bos.bos));
   sub->bos.count = submit->num_bos;
   sgd_bo_list_sort(&sub->bos);
   if (submit->num_waits)
      memcpy(entry->waits, submit->waits, submit->num_waits * sizeof(*entry->waits));
   entry->num_waits = submit->num_waits;

   if ((submit->address & 3) ||
       !sgd_bo_list_find(&sub->bos, submit->address, (uint64_t)submit->words * 4)) {
      entry_free(entry);
      return -EINVAL;
   }
   for (unsigned i = 0; i < sub->bos.count; i++) {
      sgd_bo_ref(sub->bos.bos[i]);
      atomic_fetch_add(&sub->bos.bos[i]->busy, 1);
   }

   sigset_t signals;
   sgd_sched_enter(&dev->sched, &signals);
   int ret = sgd_pool_start(&dev->sched);
   /* Reject fences that were never submitted, because they might never be signaled. */
   for (unsigned i = 0; i < entry->num_waits; i++) {
      if (entry->waits[i].seqno > entry->waits[i].queue->last_seqno)
         ret = -EINVAL;
   }
   if (ret == 0) {
      sub->seqno = ++queue->last_seqno;
      sub->number = dev->dispatch.submissions++;
      sub->frame = sgd_profile_frames(dev->sched.profile);
      if (dev->params.observer && dev->params.observer->submitted)
         dev->params.observer->submitted(dev->params.observer->data, sub->number);
      sub->outstanding = 1;
      list_addtail(&entry->link, &queue->submissions);
      if (!queue->parsing)
         queue->parsing = entry;
      schedule(queue);
      sgd_watch_wake(&dev->sched);
      *seqno = sub->seqno;
      sgd_trace_submission(dev->sched.trace, sub->number, start, 'b');
   } else {
      release_buffers(sub);
      /* The buffers counted as busy for a moment, so another thread may have started to wait for
       * them.
       */
      tell_waiters(dev);
   }
   sgd_pool_unlock(&dev->sched);
   pthread_sigmask(SIG_SETMASK, &signals, NULL);
   if (sgd_sched_records(&dev->sched))
      sgd_sched_record(&dev->sched, "submit", start, sgd_time_ns(), submit->words);

   if (ret)
      entry_free(entry);
   return ret;
}

bool
sgpu_queue_take_error(struct sgpu_queue *queue, struct sgpu_queue_error *error)
{
   struct sgpu_device *dev = queue->dev;

   if (sgd_device_dead(dev) || !queue->num_errors)
      return false;
   sigset_t signals;
   sgd_sched_enter(&dev->sched, &signals);
   const bool any = queue->num_errors != 0;
   if (any) {
      *error = queue->errors[0];
      queue->num_errors--;
      memmove(queue->errors, queue->errors + 1, queue->num_errors * sizeof(*error));
   }
   sgd_sched_leave(&dev->sched, &signals);
   return any;
}

bool
sgd_device_wait(struct sgpu_device *dev, struct sgd_fence_waiter *w, uint64_t deadline)
{
   list_add(&w->link, &dev->waiters);
   const bool done = sgd_pool_wait(&dev->sched, &w->waiter, deadline);
   list_del(&w->link);
   return done;
}

uint64_t
sgd_deadline(uint64_t timeout_ns)
{
   const uint64_t now = sgd_time_ns();
   return timeout_ns > UINT64_MAX - now ? UINT64_MAX : now + timeout_ns;
}

int
sgpu_queue_wait(struct sgpu_queue *queue, uint64_t seqno, uint64_t timeout_ns)
{
   struct sgpu_device *dev = queue->dev;

   if (sgd_device_dead(dev) || queue->completed >= seqno)
      return 0;
   if (!timeout_ns)
      return -ETIME;

   struct sgd_fence_waiter w = {
      .waiter.share = queue->client.share,
      .queue = queue,
      .seqno = seqno,
   };
   const uint64_t start = sgd_sched_records(&dev->sched) ? sgd_time_ns() : 0;
   const uint64_t deadline = sgd_deadline(timeout_ns);
   sgd_sched_enter(&dev->sched, &w.waiter.signals);
   const bool done = queue->completed >= seqno || sgd_device_wait(dev, &w, deadline);
   sgd_sched_leave(&dev->sched, &w.waiter.signals);
   if (sgd_sched_records(&dev->sched))
      sgd_sched_record(&dev->sched, "wait for fence", start, sgd_time_ns(), seqno);
   return done ? 0 : -ETIME;
}

uint64_t
sgpu_queue_completed(struct sgpu_queue *queue)
{
   struct sgpu_device *dev = queue->dev;
   if (sgd_device_dead(dev))
      return UINT64_MAX;
   return queue->completed;
}
