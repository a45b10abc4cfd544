/* SPDX-License-Identifier: MIT */
/*
 * Dispatch unit: runs compute grids. Each worker takes a chunk of consecutive workgroups, so
 * several chunks of a grid can run at the same time. If the grid is ordered, only one chunk runs at
 * a time.
 */
#include <stdio.h>

#include "control/dispatch/sgd_dispatch.h"
#include "control/dispatch/sgd_observe_dispatch.h"
#include "common/sgd_once.h"
#include "control/dispatch/sgd_run.h"
#include "common/sgd_time.h"
#include "util/macros.h"

/* If a chunk takes longer than this (in ns), operations of other queues have to wait too long. */
#define SLOW_CHUNK_NS 5000000

/* Reads the number of workgroups, from memory if the grid is indirect. Returns false if there are
 * too many for the watchdog. Each number is read only once, because the application can still
 * change it.
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
   /* If workgroups take long, run them one by one, since other work has to wait for the end of the
    * chunk.
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
   /* With an observer, never change the size of chunks, so that each run has the same chunks. */
   node->slow |= !d->params->observer && sgd_time_ns() - start > SLOW_CHUNK_NS;
   /* If the submission has failed, or the watchdog has stopped many workgroups, don't run the
    * others.
    */
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
