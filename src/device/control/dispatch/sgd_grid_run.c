/* SPDX-License-Identifier: MIT */
/*
 * Dispatch unit: grids. Workers take chunks of workgroups in order. The chunks of an ordered grid
 * run one at a time.
 */
#include <stdio.h>

#include "control/dispatch/sgd_dispatch.h"
#include "control/dispatch/sgd_observe_dispatch.h"
#include "common/sgd_once.h"
#include "control/dispatch/sgd_run.h"
#include "common/sgd_time.h"
#include "util/macros.h"

/* Time in ns above which a chunk delays the work of other queues for too long. */
#define SLOW_CHUNK_NS 5000000

/* Reads the number of workgroups. Returns false if it exceeds the watchdog's limit. All operations
 * that write the numbers have ended, but the application can still write them, so each number is
 * read only once.
 */
static bool
take_groups(struct sgd_dispatch *d, struct sgd_node *node)
{
   struct sgd_compute *c = node->compute;

   if (c->numbers) {
      uint32_t numbers[3];
      sgd_copy_once(numbers, c->numbers, sizeof(numbers));
      c->packet.groups_x = numbers[0];
      c->packet.groups_y = numbers[1];
      c->packet.groups_z = numbers[2];
      c->numbers = NULL;
   }
   if (!sgd_compute_groups(&c->packet, d->params->watchdog_vertices, &node->groups)) {
      sgd_node_fail(node, "GRID: more invocations than the watchdog allows, by Address");
      return false;
   }
   node->groups_known = true;
   node->progress.total = node->groups;
   return true;
}

static void
run_chunk(struct sgd_dispatch *d, struct sgd_worker *worker, struct sgd_node *node)
{
   const struct sgd_compute *c = node->compute;
   const uint64_t first = node->groups_cut;
   /* If workgroups are slow, run them one by one, because other work waits for the end of a chunk.
    */
   const uint64_t most = node->slow ? 1 : sgd_compute_chunk(&c->packet, node->groups);
   const uint64_t count = MIN2(most, node->groups - first), start = sgd_time_ns();
   struct sgd_stats stats = { 0 };

   node->groups_cut += count;
   node->progress.begun += count;
   node->chunks_out++;
   if (node->groups_cut < node->groups && !c->ordered)
      sgd_sched_push(d->sched, &node->work, node->seq);

   sgd_sched_unlock(d->sched);
   sgd_arm_watchdog(d, worker, node);
   d->ops->compute(worker, c, first, count, &stats);
   if (d->params->observer)
      sgd_observe_groups(d, worker, node, first);
   const struct sgd_stop_info stop = sgd_take_stop(worker, node);
   sgd_sched_relock(d->sched, worker);

   sgd_report_stop(node, &stop);
   sgd_stats_add(&node->stats, &stats);
   node->chunks_out--;
   node->progress.done += count;
   /* With an observer, the chunks must be the same in each run. */
   node->slow |= !d->params->observer && sgd_time_ns() - start > SLOW_CHUNK_NS;
   /* Don't run more workgroups if the submission has failed, or if many workgroups were stopped. */
   if (node->sub->failed || node->stops >= SGD_COMPUTE_STOPS)
      sgd_node_end_groups(node);
   if (node->groups_cut < node->groups && c->ordered)
      sgd_sched_push(d->sched, &node->work, node->seq);
}

void
sgd_run_grid(struct sgd_work *work, struct sgd_worker *worker)
{
   struct sgd_node *node = container_of(work, struct sgd_node, work);
   struct sgd_dispatch *d = node->dispatch;

   if (node->skip || node->sub->failed || !sgd_node_happens(node) ||
       (!node->groups_known && !take_groups(d, node)))
      sgd_node_end_groups(node);
   else if (node->groups_cut < node->groups)
      run_chunk(d, worker, node);
   sgd_node_check_end(d, node);
   sgd_nodes_reap(d);
}
