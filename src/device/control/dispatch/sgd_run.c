/* SPDX-License-Identifier: MIT */
/*
 * Dispatch unit: runs operations on a worker, and keeps track of the batches of draws. The
 * scheduler's lock is held when a function is called and when it returns.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "control/dispatch/sgd_dispatch.h"
#include "control/dispatch/sgd_observe_dispatch.h"
#include "common/sgd_once.h"
#include "control/dispatch/sgd_run.h"
#include "common/sgd_tile_list.h"
#include "common/sgd_time.h"
#include "sgpu_observer.h"
#include "sgpu_program.h"
#include "util/macros.h"
#include "geometry/xfb/sgd_xfb.h"

static void run_batch(struct sgd_work *work, struct sgd_worker *worker);
static void run_xfb(struct sgd_work *work, struct sgd_worker *worker);

/* Prefers tile work over front ends if batches use too much memory, because this memory is freed
 * when the batches have been rasterized.
 */
static void
update_pressure(struct sgd_dispatch *d)
{
   const size_t most = SGD_BATCH_PRESSURE * (size_t)d->sched->num_threads;

   d->sched->pressure = d->batch_bytes > most ||
                        atomic_load_explicit(&d->arenas.used, memory_order_relaxed) >
                           SGD_ARENA_PRESSURE;
}

/* Returns the number of work items for each batch. There is one for rasterization, and another one
 * for transform feedback if it is enabled.
 */
static unsigned
batch_work(const struct sgd_node *node)
{
   return 1 + (node->draw.state->xfb.num_words != 0);
}

static struct sgd_pending_batch *
batch_create(struct sgd_dispatch *d, struct sgd_node *node)
{
   struct sgd_pending_batch *pending = sgd_spares_take(&d->spare_batches);

   if (!pending)
      return NULL;
   memset(pending, 0, sizeof(*pending));
   if (!sgd_sched_reserve(d->sched, SGD_WORK_LATE, batch_work(node))) {
      sgd_spares_give(&d->spare_batches, pending);
      return NULL;
   }
   pending->node = node;
   pending->raster.run = run_batch;
   pending->raster.name = "batch in order";
   pending->raster.heap = SGD_WORK_LATE;
   pending->xfb.run = run_xfb;
   pending->xfb.name = "transform feedback";
   pending->xfb.heap = SGD_WORK_LATE;
   pending->raster.share = pending->xfb.share = node->work.share;
   pending->batch.draw = &node->draw;
   pending->batch.arena.pool = &d->arenas;
   return pending;
}

static void
batch_free(struct sgd_dispatch *d, struct sgd_pending_batch *pending)
{
   sgd_sched_release(d->sched, SGD_WORK_LATE, batch_work(pending->node));
   sgd_spares_give(&d->spare_batches, pending);
}

void
sgd_batch_done(struct sgd_dispatch *d, struct sgd_pending_batch *pending)
{
   if (--pending->entries == 0)
      sgd_batch_end(d, pending);
}

void
sgd_batch_end(struct sgd_dispatch *d, struct sgd_pending_batch *pending)
{
   struct sgd_node *node = pending->node;

   sgd_stats_add(&node->stats, &pending->batch.stats);
   sgd_xfb_stats_add(&node->xfb_stats, &pending->batch.xfb_stats);
   d->batch_bytes -= pending->bytes;
   sgd_arena_free(&pending->batch.arena);
   update_pressure(d);
   batch_free(d, pending);
   node->batches_out--;
   if (node->draw.ordered && (!node->cut_all || !list_is_empty(&node->rests)))
      sgd_sched_push(d->sched, &node->work, node->seq);
   if (node->committed)
      sgd_node_check_end(d, node);
}

void
sgd_arm_watchdog(const struct sgd_dispatch *d, struct sgd_worker *worker,
                 const struct sgd_node *node)
{
   const uint64_t watchdog = d->params->watchdog_instructions;
   const bool ordered = node->kind == SGD_NODE_GRID ? node->compute->ordered : node->draw.ordered;
   const uint32_t stops = atomic_load_explicit(&node->stops, memory_order_relaxed);

   /* With a second queue, the watch may start another thread at any time (sgd_watch.c). */
   __atomic_store_n(&worker->alone,
                    ordered || (d->params->threads == 1 && d->sched->open_shares <= 1),
                    __ATOMIC_RELAXED);
   atomic_store_explicit(&worker->operation, sgd_node_number(node), memory_order_relaxed);
   sgd_position_set(&worker->position, &node->place);
   if (stops) {
      const uint64_t less = sgd_watchdog_after_stop(watchdog) >> MIN2(stops - 1, 6);
      sgd_worker_arm(worker, MIN2(MAX2(less, 1024), watchdog));
   } else {
      sgd_worker_arm(worker, watchdog);
   }
}

struct sgd_stop_info
sgd_take_stop(struct sgd_worker *worker, struct sgd_node *node)
{
   struct sgd_stop_info stop = worker->stop;

   worker->stop = (struct sgd_stop_info){ .reason = SGD_STOP_NONE };
   if (stop.reason == SGD_STOP_MEMORY)
      node->sub->failed = true;
   /* Report only the first stop of the node, and none if the submission already has an error. */
   if (stop.reason == SGD_STOP_WATCHDOG && (node->stops++ || node->sub->failed))
      stop.reason = SGD_STOP_NONE;
   return stop;
}

void
sgd_report_stop(struct sgd_node *node, const struct sgd_stop_info *stop)
{
   if (likely(stop->reason == SGD_STOP_NONE))
      return;
   if (stop->reason == SGD_STOP_MEMORY)
      sgd_node_fail(node, "out of memory");
   if (stop->reason != SGD_STOP_WATCHDOG)
      return;

   const uint64_t program = node->kind == SGD_NODE_GRID
                               ? node->compute->address
                               : node->draw.state->shader_desc[stop->stage].address;
   struct sgpu_queue_error error = {
      .seqno = node->sub->seqno,
      .packet = node->packet,
      .draw = node->draw_number,
      .program = program,
      .instruction = stop->pc,
   };
   snprintf(error.message, sizeof(error.message),
            "the %s program was stopped after %" PRIu64 " instructions of a warp",
            sgpu_stage_name(stop->stage), node->dispatch->params->watchdog_instructions);
   node->sub->client->ops->error(node->sub->client, &error);
}

/* Reads the parameters of an indirect draw from memory. Returns false if there are too many
 * vertices for the watchdog. The application can still change the parameters, so each word is read
 * only once.
 */
static bool
take_numbers(struct sgd_dispatch *d, struct sgd_node *node)
{
   struct SGPU_DRAW *draw = &node->draw.packet;
   const bool indexed = draw->index_size != SGPU_INDEX_SIZE_NONE;
   const uint32_t *numbers = node->draw.numbers, *limit = node->draw.limit;
   const uint64_t *count = node->draw.count;
   uint64_t vertices = 0;

   if (count) {
      vertices = sgd_read_once64(count) / (draw->count_stride * 4);
   } else if (!limit || draw->draw_id < sgd_read_once32(limit)) {
      uint32_t word[5] = { 0 };
      sgd_copy_once(word, numbers, sgd_draw_numbers(draw->index_size) * sizeof(word[0]));
      vertices = word[0];
      draw->instances = word[1];
      draw->first = word[2];
      draw->index_bias = indexed ? (int32_t)word[3] : 0;
      draw->first_instance = word[indexed ? 4 : 3];
   }
   node->draw.count = NULL;
   node->draw.numbers = node->draw.limit = NULL;
   const uint64_t most = d->params->watchdog_vertices / sgd_state_geometry_runs(node->draw.state);
   if (draw->instances && vertices > most / draw->instances) {
      sgd_node_fail(node, count ? "DRAW: more vertices than the watchdog allows, by Count Address"
                                : "DRAW INDIRECT: more vertices than the watchdog allows");
      return false;
   }
   draw->count = vertices;
   return true;
}

/* Ends the front end of the draw: no more batches will be cut. */
static void
end_cutting(struct sgd_dispatch *d, struct sgd_node *node)
{
   node->cut_all = true;
   sgd_tile_array_commit(d, node->array);
}

/* Makes the front end of the draw ready, so that another worker can process the next batch. */
static void
push_front(struct sgd_dispatch *d, struct sgd_node *node)
{
   if (!node->draw.ordered && !node->cutting && !sgd_work_ready(&node->work) &&
       (!node->cut_all || !list_is_empty(&node->rests)))
      sgd_sched_push(d->sched, &node->work, node->seq);
}

static void
drop_rests(struct sgd_node *node)
{
   list_for_each_entry_safe(struct sgd_pending_batch, pending, &node->rests, rest_link) {
      list_del(&pending->rest_link);
      pending->batch.rest->free(pending->batch.rest);
      pending->batch.rest = NULL;
      pending->ready = true;
   }
}

/* Called if the front end couldn't process the whole batch. Creates another batch that continues
 * from batch.rest. It comes directly after `pending` in the order of batches.
 */
static void
add_rest(struct sgd_dispatch *d, struct sgd_node *node, struct sgd_pending_batch *pending)
{
   struct sgd_rest *rest = pending->batch.rest;
   struct sgd_pending_batch *more = NULL;

   if (!rest)
      return;
   pending->batch.rest = NULL;
   if (!node->sub->failed) {
      more = batch_create(d, node);
      if (!more)
         sgd_node_fail(node, "out of memory for a batch");
   }
   if (!more) {
      rest->free(rest);
      return;
   }
   more->batch.instance = pending->batch.instance;
   more->batch.first_element = pending->batch.first_element;
   more->batch.first_prim = pending->batch.first_prim;
   more->batch.rest = rest;
   more->number = pending->number;
   more->part = pending->part + 1;
   node->batches_continued++;
   list_add(&more->link, &pending->link);
   list_addtail(&more->rest_link, &node->rests);
   push_front(d, node);
}

/* Runs the front end for a batch, which must already be in node->batches. */
static void
run_batch_front(struct sgd_dispatch *d, struct sgd_worker *worker,
                struct sgd_pending_batch *pending)
{
   struct sgd_node *node = pending->node;

   sgd_sched_unlock(d->sched);
   worker->counters[SGPU_COUNTER_BATCHES]++;
   sgd_arm_watchdog(d, worker, node);
   d->ops->front(worker, &pending->batch);
   if (d->params->observer)
      sgd_observe_batch(d, worker, pending);
   const struct sgd_stop_info stop = sgd_take_stop(worker, node);
   sgd_sched_relock(d->sched, worker);

   sgd_report_stop(node, &stop);
   if (pending->batch.failed || !sgd_entries_reserve(d, pending->batch.num_tiles)) {
      sgd_node_fail(node, "out of memory for primitives");
      pending->batch.num_tiles = 0;
      pending->batch.tiles = NULL;
   }
   node->evaluated += pending->batch.stats.ds_invocations;
   if (node->evaluated > d->params->watchdog_vertices && !node->sub->failed)
      sgd_node_fail(node, "DRAW: more vertices than the watchdog allows, by tessellation");
   if (node->sub->failed)
      memset(&pending->batch.xfb, 0, sizeof(pending->batch.xfb));
   add_rest(d, node, pending);
   pending->ready = true;
   pending->bytes = sgd_arena_taken(&pending->batch.arena);
   d->batch_bytes += pending->bytes;
   update_pressure(d);
   sgd_tile_array_commit(d, node->array);
}

/* Cuts the next batch from the draw, and runs the front end for it. Meanwhile, other workers can
 * cut the following batches. If the draw is ordered, the next batch must wait until this one has
 * ended.
 */
static void
run_front(struct sgd_dispatch *d, struct sgd_worker *worker, struct sgd_node *node)
{
   struct sgd_pending_batch *pending;

   if (!sgd_node_happens(node) || node->sub->failed) {
      drop_rests(node);
      end_cutting(d, node);
      return;
   }
   if (!list_is_empty(&node->rests)) {
      pending = list_first_entry(&node->rests, struct sgd_pending_batch, rest_link);
      list_del(&pending->rest_link);
      push_front(d, node);
      run_batch_front(d, worker, pending);
      return;
   }
   pending = batch_create(d, node);
   if (!pending) {
      sgd_node_fail(node, "out of memory for a batch");
      end_cutting(d, node);
      return;
   }
   if ((node->draw.count || node->draw.numbers) && !take_numbers(d, node)) {
      batch_free(d, pending);
      end_cutting(d, node);
      return;
   }
   /* Without indices, cutting takes less time than releasing the lock, so keep the lock. */
   const bool reads = sgd_ia_cut_reads(&node->draw);
   node->cutting = true;
   if (reads)
      sgd_sched_unlock(d->sched);
   bool more = sgd_ia_cut_next(&node->cutter, &pending->batch);
   if (reads)
      sgd_sched_relock(d->sched, worker);
   node->cutting = false;

   if (!more || node->sub->failed) {
      batch_free(d, pending);
      if (node->sub->failed)
         drop_rests(node);
      end_cutting(d, node);
      push_front(d, node);
      return;
   }
   list_addtail(&pending->link, &node->batches);
   pending->number = node->batches_cut++;
   node->cut_all = sgd_ia_cut_done(&node->cutter);
   push_front(d, node);
   run_batch_front(d, worker, pending);
}

void
sgd_run_front(struct sgd_work *work, struct sgd_worker *worker)
{
   struct sgd_node *node = container_of(work, struct sgd_node, work);
   struct sgd_dispatch *d = node->dispatch;

   run_front(d, worker, node);
   sgd_nodes_reap(d);
}

/* Rasterizes a batch in all its tiles. Used for ordered draws, and with policy ooo. */
static void
run_batch(struct sgd_work *work, struct sgd_worker *worker)
{
   struct sgd_pending_batch *pending = container_of(work, struct sgd_pending_batch, raster);
   struct sgd_dispatch *d = pending->node->dispatch;
   struct sgd_node *node = pending->node;
   struct sgd_tile_array *array = node->array;
   struct sgd_stats stats = { 0 };
   struct sgd_stop_info stop = { .reason = SGD_STOP_NONE };

   node->progress.begun += pending->batch.num_tiles;
   sgd_sched_unlock_engine(d->sched);
   for (const struct sgd_tile_list *list = pending->batch.tiles; list && !node->sub->failed;
        list = list->next) {
      sgd_arm_watchdog(d, worker, node);
      worker->counters[SGPU_COUNTER_TILE_ENTRIES]++;
      d->ops->raster(worker, &pending->batch, list, &stats, NULL);
      if (d->params->observer)
         sgd_observe_tile(d, worker, pending, list);
      const struct sgd_stop_info latest = sgd_take_stop(worker, node);
      if (stop.reason == SGD_STOP_NONE || latest.reason == SGD_STOP_MEMORY)
         stop = latest;
   }
   sgd_sched_relock_engine(d->sched, worker);
   sgd_report_stop(node, &stop);
   sgd_stats_add(&node->stats, &stats);

   /* The lists are stored in the arena of the batch. sgd_tile_pop() frees it with the last entry,
    * so read list->next first.
    */
   for (const struct sgd_tile_list *list = pending->batch.tiles, *next; list; list = next) {
      next = list->next;
      struct sgd_tile *tile = sgd_tile_at(array, list->tx, list->ty, list->layer);
      tile->running = false;
      sgd_tile_pop(d, tile);
      sgd_tile_check(d, tile);
   }
   sgd_nodes_reap(d);
}

static void
run_xfb(struct sgd_work *work, struct sgd_worker *worker)
{
   struct sgd_pending_batch *pending = container_of(work, struct sgd_pending_batch, xfb);
   struct sgd_dispatch *d = pending->node->dispatch;

   sgd_sched_unlock(d->sched);
   if (!pending->node->sub->failed)
      sgd_xfb_write(&pending->batch);
   sgd_sched_relock(d->sched, worker);
   sgd_batch_done(d, pending);
   sgd_nodes_reap(d);
}

static uint64_t
timestamp(const struct sgd_dispatch *d, const struct sgd_node *node)
{
   const struct sgpu_observer *o = d->params->observer;

   return o && o->timestamp
             ? o->timestamp(o->data, node->sub->number, node->packet, *node->timestamp)
             : sgd_time_ns();
}

/* Runs an operation without tiles. */
void
sgd_run_node(struct sgd_work *work, struct sgd_worker *worker)
{
   struct sgd_node *node = container_of(work, struct sgd_node, work);
   struct sgd_dispatch *d = node->dispatch;

   if (node->kind == SGD_NODE_QUERY)
      sgd_query_store(node->query);
   else if (node->skip || node->sub->failed)
      ; /* Operations that were skipped or have failed don't store results. */
   else if (node->kind == SGD_NODE_TIMESTAMP)
      *node->timestamp = timestamp(d, node);
   else
      sgd_result_run(&node->result);
   sgd_node_check_end(d, node);
   sgd_nodes_reap(d);
}
