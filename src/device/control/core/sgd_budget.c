/* SPDX-License-Identifier: MIT */
/*
 * Budgets: limits on the time of each operation on a queue. As with the watchdog of a GPU driver,
 * this is the only place where time affects results. If an operation exceeds its budget, it is
 * stopped, and its submission and all later submissions of its queue fail.
 *
 * The budget limits the CPU time of the worker that works the most on the operation. The
 * scheduler's watch measures this time several times a second. An operation with many pieces that
 * is predicted to take a multiple of its budget is stopped early. The prediction starts after
 * PACE_NS, and is based on the time of the pieces that have started so far.
 */
#include <errno.h>
#include <stdio.h>

#include "control/core/sgd_device.h"
#include "util/macros.h"

/* CPU time in ns after which the pace of an operation can be estimated. */
#define PACE_NS 1200000000
/* An operation is stopped early if the rest of it would take more than this multiple of its budget.
 */
#define HOPELESS 3

/* Makes the worker stop the warps of an operation by setting its instruction limit to 0. */
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

/* Starts measuring how fast an operation completes its tiles or workgroups. For a draw, this
 * happens once all batches are in the tile queues. Called before the latest CPU time is added to
 * the operation.
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

/* Returns true if the rest of the operation would take more than HOPELESS times its budget at the
 * current pace. Started pieces count as finished, so that the pace is not underestimated. HOPELESS
 * leaves a margin, since later pieces may be shorter.
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
      /* Pace of the front end, in vertices. */
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

/* Fails the operation's submission with an error, and makes all later submissions of its queue
 * fail.
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

      /* Count each operation only once, with the time of the worker that worked the most. */
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
