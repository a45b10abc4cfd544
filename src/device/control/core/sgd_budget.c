/* SPDX-License-Identifier: MIT */
/*
 * Budgets: time limits for the operations on a queue. As with the hang check of a GPU driver, this
 * is the only place where time affects results. If an operation exceeds its budget, it is stopped.
 * Its submission and all later submissions of the queue then fail.
 *
 * Several times a second, the scheduler's watch measures the CPU time of each worker. If several
 * workers run the same operation, only the highest of their times is charged to the operation. An
 * operation with many tiles or workgroups can be stopped early: once it has run for PACE_NS, its
 * total time is predicted from the tiles or workgroups that have started so far.
 */
#include <errno.h>
#include <stdio.h>

#include "control/core/sgd_device.h"
#include "util/macros.h"

/* CPU time in ns that an operation must have used before its total time is predicted. */
#define PACE_NS 1200000000
/* An operation is stopped early if its remaining work is predicted to take this many times its
 * budget.
 */
#define HOPELESS 3

/* Makes the worker stop the operation by setting the instruction limit of its warps to 0. */
static void
interrupt(const struct sgd_watched *w, uint64_t operation)
{
   atomic_store_explicit(&w->worker->overdue, operation, memory_order_release);
   __atomic_store_n(&w->worker->watchdog, 0, __ATOMIC_RELAXED);
}

static struct sgd_node *
find_node(struct sgpu_device *dev, uint64_t operation)
{
   list_for_each_entry(struct sgd_node, node, &dev->dispatch.nodes, link) {
      if (sgd_node_number(node) == operation)
         return node;
   }
   return NULL;
}

/* Starts measuring how fast an operation completes its tiles or workgroups. For a draw, the
 * measurement starts when all batches are in the tile queues. Must be called before the CPU time of
 * the current check is added to node->spent_ns.
 */
static void
begin_pace(struct sgd_node *node)
{
   const bool cuts = node->kind == SGD_NODE_DRAW && !node->committed;

   if (node->since_ns || cuts)
      return;
   node->since_ns = MAX2(node->spent_ns, 1);
   node->done_before = node->progress.done;
}

/* Returns true if the remaining work would take more than HOPELESS times the operation's budget at
 * its current speed. To give the operation the benefit of the doubt, tiles that have started count
 * as finished. HOPELESS leaves a margin, since the remaining tiles may be faster than the previous
 * ones.
 */
static bool
is_hopeless(const struct sgd_node *node)
{
   const uint64_t budget = node->sub->client->budget_ns;
   struct sgd_progress p = node->progress;
   uint64_t before = node->done_before, time = node->spent_ns - node->since_ns;

   if (node->cutting)
      return false; /* a worker is writing node->cutter */
   if (node->kind == SGD_NODE_DRAW && !node->since_ns) {
      const struct SGPU_DRAW *packet = &node->draw.packet;
      /* The draw is still being cut into batches, so measure its progress in vertices instead of
       * tiles.
       */
      p.total = (uint64_t)packet->count * packet->instances;
      p.begun = (uint64_t)packet->count * node->cutter.instance + node->cutter.next;
      before = 0;
      time = node->spent_ns;
   } else if (node->kind != SGD_NODE_DRAW && node->kind != SGD_NODE_GRID) {
      return false;
   }
   if (time < PACE_NS || p.begun >= p.total)
      return false;
   return (double)(p.total - p.begun) * time >
          (double)HOPELESS * budget * MAX2(p.begun - before, 1);
}

/* Fails the submission of the operation with an error. All later submissions of the queue fail,
 * too.
 */
static void
fail_queue(struct sgpu_device *dev, struct sgd_node *node)
{
   struct sgpu_queue *queue = container_of(node->sub->client, struct sgpu_queue, client);
   char message[128];

   node->overdue = true;
   snprintf(message, sizeof(message), "an operation was stopped after %.3g s",
            (double)node->spent_ns / 1e9);
   sgd_node_fail(node, message);
   list_for_each_entry(struct sgd_queued, entry, &queue->submissions, link) {
      entry->sub.failed = true;
      entry->sub.reported = true;
   }
}

static void
look(void *data, const struct sgd_watched *watched, unsigned count)
{
   struct sgpu_device *dev = data;

   for (unsigned i = 0; i < count; i++) {
      const uint64_t operation = atomic_load(&watched[i].worker->operation);
      uint64_t most = watched[i].worked_ns;
      bool counted = !operation || !most;

      /* Charge each operation only once per check, with the highest CPU time of its workers. */
      for (unsigned k = 0; k < count; k++) {
         if (atomic_load(&watched[k].worker->operation) != operation)
            continue;
         counted |= k < i && watched[k].worked_ns;
         most = MAX2(most, watched[k].worked_ns);
      }
      struct sgd_node *node = counted ? NULL : find_node(dev, operation);
      if (!node || !node->sub->client->budget_ns)
         continue;
      begin_pace(node);
      node->spent_ns += most;
      if (!node->overdue && (node->spent_ns > node->sub->client->budget_ns || is_hopeless(node)))
         fail_queue(dev, node);
   }
   for (unsigned i = 0; i < count; i++) {
      const uint64_t operation = atomic_load(&watched[i].worker->operation);
      const struct sgd_node *node = operation ? find_node(dev, operation) : NULL;
      if (node && node->overdue)
         interrupt(&watched[i], operation);
   }
}

int
sgpu_queue_set_budget(struct sgpu_queue *queue, uint64_t budget_ns)
{
   struct sgpu_device *dev = queue->dev;

   if (sgd_device_dead(dev))
      return -ENODEV;
   if (dev->params.budget_ns)
      budget_ns = dev->params.budget_ns;
   sigset_t signals;
   sgd_sched_enter(&dev->sched, &signals);
   const int ret = sgd_watch_want(&dev->sched, look, dev);
   queue->client.budget_ns = budget_ns == UINT64_MAX ? 0 : budget_ns;
   sgd_sched_leave(&dev->sched, &signals);
   return ret;
}
