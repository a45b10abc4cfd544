/* SPDX-License-Identifier: MIT */
/*
 * Dispatch unit: runs the entries of tile queues. A worker takes several entries of the same tile,
 * or several tiles of the same clear or copy.
 *
 * With policy ooo+split+break, fragments that overwrite their pixels (role SGD_ORDER_LATER) are
 * tested in program order, but their shading is delayed until the end of the run, or until an entry
 * needs the stored colours. Then, only the fragments that are still visible are shaded. This
 * doesn't change the final pixels, so it can be enabled or disabled for each run. The choice
 * depends on whether it has saved time in the tile so far.
 */
#include <string.h>

#include "control/dispatch/sgd_dispatch.h"
#include "control/dispatch/sgd_observe_dispatch.h"
#include "control/dispatch/sgd_run.h"
#include "common/sgd_tile_list.h"
#include "common/sgd_waiting.h"
#include "util/macros.h"

/* Maximum number of entries that a worker runs in a tile before it looks for older work. The limit
 * is higher for policy ooo+split+break, because later entries can hide fragments of earlier ones.
 */
#define SGD_TILE_RUN 128
#define SGD_STRAIGHT_RUN 32

/* Maximum value of sgd_tile.straight_runs. */
#define STRAIGHT_RUNS 63
/* Maximum value of sgd_tile.credit. */
#define CREDIT_MAX 4
/* Limits the range of sgd_dispatch.breaks to [-BREAKS_MAX, BREAKS_MAX]. */
#define BREAKS_MAX 32
/* If delayed shading was slower in other tiles, only one of this many tiles tries it anyway. */
#define TRYING_TILES 8

/* Maximum number of tiles of a clear or copy that a worker takes together. */
#define SGD_XFER_TILES 32

struct run {
   struct sgd_dispatch *d;
   struct sgd_worker *worker;
   const struct sgd_tile *tile;
   unsigned count; /* number of entries in this run */
   struct sgd_tile_entry *entry[SGD_TILE_RUN];
   struct sgd_stats stats[SGD_TILE_RUN];
   struct sgd_stop_info stop[SGD_TILE_RUN];

   bool breaks; /* fragments may be shaded later than they are tested */
   struct sgd_waiting waiting;
   uint8_t targets;        /* bitmask of the colour targets that the waiting fragments write */
   unsigned first, behind; /* only entries in the range [first, behind) have waiting fragments */
   /* The records of entry i in `waiting` have the indices records[i] to records[i + 1] - 1. */
   uint32_t records[SGD_TILE_RUN + 1];
};

static void
run_xfer(struct sgd_dispatch *d, struct sgd_worker *worker, const struct sgd_node *node,
         const struct sgd_tile *tile)
{
   const struct sgd_xfer *xfer = node->xfer;
   const struct SGPU_RECT rect = {
      .x0 = MAX2(xfer->rect.x0, tile->x * SGD_TILE),
      .y0 = MAX2(xfer->rect.y0, tile->y * SGD_TILE),
      .x1 = MIN2(xfer->rect.x1, (tile->x + 1) * SGD_TILE),
      .y1 = MIN2(xfer->rect.y1, (tile->y + 1) * SGD_TILE),
   };
   sgd_position_set(&worker->position, &node->place);
   d->ops->xfer(worker, xfer, &rect, tile->layer);
}

/* Called after part of entry i was run. If the worker was stopped, keeps the first reason, but
 * running out of memory takes precedence.
 */
static void
take_stop(struct run *run, unsigned i)
{
   const struct sgd_stop_info latest = sgd_take_stop(run->worker, run->entry[i]->node);

   if (run->stop[i].reason == SGD_STOP_NONE || latest.reason == SGD_STOP_MEMORY)
      run->stop[i] = latest;
}

/* Shades those of the waiting fragments that are still visible. */
static void
shade_waiting(struct run *run)
{
   struct sgd_waiting *waiting = &run->waiting;

   if (!waiting->records)
      return;
   for (unsigned i = run->first; i < run->behind; i++) {
      const struct sgd_tile_entry *entry = run->entry[i];
      const uint32_t first = run->records[i], end = run->records[i + 1];
      if (first == end || entry->node->sub->failed)
         continue;
      sgd_arm_watchdog(run->d, run->worker, entry->node);
      run->d->ops->shade(run->worker, &entry->batch->batch, entry->list, &run->stats[i], waiting,
                         first, end);
      take_stop(run, i);
   }
   waiting->records = 0;
}

static struct sgd_order
order_of(const struct sgd_tile_entry *entry)
{
   const struct sgd_draw *draw = &entry->node->draw;

   return sgd_order_counted(draw->state->plan.order, draw->count_stats, false);
}

static void
run_draw(struct run *run, unsigned i)
{
   const struct sgd_tile_entry *entry = run->entry[i];
   struct sgd_waiting *waiting = NULL;

   if (run->breaks) {
      const struct sgd_order order = order_of(entry);
      const bool replaces = order.role == SGD_ORDER_LATER || order.role == SGD_ORDER_NOW;

      if (order.role == SGD_ORDER_MIXES || (replaces && order.targets != run->targets) ||
          run->waiting.records > SGD_WAITING_RECORDS * 3 / 4)
         shade_waiting(run);
      run->waiting.wait = order.role == SGD_ORDER_LATER;
      if (replaces) {
         waiting = &run->waiting;
         run->targets = order.targets;
      }
      if (!run->waiting.records)
         run->first = i;
      run->records[i] = run->waiting.records;
   }
   sgd_arm_watchdog(run->d, run->worker, entry->node);
   run->worker->counters[SGPU_COUNTER_TILE_ENTRIES]++;
   run->d->ops->raster(run->worker, &entry->batch->batch, entry->list, &run->stats[i], waiting);
   if (run->d->params->observer)
      sgd_observe_tile(run->d, run->worker, entry->batch, entry->list);
   run->records[i + 1] = run->waiting.records;
   run->behind = i + 1;
}

/* Returns true if the shading of fragments should be delayed in this run. This only makes sense if
 * there are at least two primitives whose fragments can wait.
 */
static bool
choose_breaks(struct run *run, struct sgd_tile *tile)
{
   unsigned prims = 0;

   /* An observer expects the events of a tile in the order of its entries. */
   if (run->d->params->dispatch != SGPU_DISPATCH_OOO_SPLIT_BREAK || run->d->params->observer)
      return false;
   for (unsigned i = 0; i < run->count && prims < 2; i++) {
      if (run->entry[i]->batch && order_of(run->entry[i]).role == SGD_ORDER_LATER)
         prims += run->entry[i]->list->count;
   }
   if (prims < 2)
      return false;
   if (run->d->params->shuffle_seed)
      return true;
   if (!tile->learned && (3 * tile->y + tile->x) % TRYING_TILES &&
       atomic_load_explicit(&run->d->breaks, memory_order_relaxed) < 0)
      return false;
   if (!tile->straight_runs)
      return true;
   tile->straight_runs--;
   return false;
}

/* Decides whether later runs of the tile delay their shading. `lanes` is the number of lanes that
 * this run has shaded.
 */
static void
learn(struct run *run, struct sgd_tile *tile, uint64_t lanes)
{
   const struct sgd_waiting *waiting = &run->waiting;

   if (waiting->lanes) {
      const bool paid = waiting->gained >= waiting->spent;
      const int breaks = atomic_load_explicit(&run->d->breaks, memory_order_relaxed);
      if (paid ? breaks < BREAKS_MAX : breaks > -BREAKS_MAX)
         atomic_fetch_add_explicit(&run->d->breaks, paid ? 1 : -1, memory_order_relaxed);
      tile->learned = true;
      if (paid) {
         tile->next_straight_runs = 0;
         tile->credit = MIN2(tile->credit + 1, CREDIT_MAX);
      } else if (tile->credit) {
         tile->credit--;
      } else {
         tile->next_straight_runs = MIN2(4 * tile->next_straight_runs + 3, STRAIGHT_RUNS);
         tile->straight_runs = tile->next_straight_runs;
      }
      run->worker->counters[SGPU_COUNTER_FRAGMENTS_WAITED] += waiting->lanes;
      run->worker->counters[SGPU_COUNTER_FRAGMENTS_SAVED] += waiting->lanes - waiting->shaded;
   } else if (lanes > SGD_TILE * SGD_TILE * 9 / 8) {
      /* The run has shaded more lanes than the tile has pixels, so delayed shading could be faster.
       * Try it.
       */
      tile->straight_runs = 0;
      tile->learned = true;
   }
}

static void
run_entries(struct run *run)
{
   for (unsigned i = 0; i < run->count; i++) {
      const struct sgd_tile_entry *entry = run->entry[i];

      run->stop[i] = (struct sgd_stop_info){ .reason = SGD_STOP_NONE };
      run->records[i + 1] = run->waiting.records;
      if (entry->node->sub->failed)
         continue;
      if (entry->batch) {
         run_draw(run, i);
      } else if (sgd_node_happens(entry->node)) {
         shade_waiting(run);
         run_xfer(run->d, run->worker, entry->node, run->tile);
      }
      take_stop(run, i);
   }
   shade_waiting(run);
}

/* Returns true if the only entry of the tile is a transfer, and the transfer can run now. */
static bool
has_xfer_alone(const struct sgd_tile *tile)
{
   const struct sgd_tile_entry *head = tile->head;

   return !head->batch && !head->next && !head->node->wait_raster;
}

/* Returns the minimum number of tiles that a worker should take together, so that they take at
 * least a few microseconds.
 */
static unsigned
least_xfer_tiles(const struct sgd_xfer *xfer)
{
   return xfer->kind == SGD_XFER_CLEAR ? 8 : xfer->kind == SGD_XFER_COPY_SURFACE ? 4 : 1;
}

/* Takes more tiles of the same transfer for this worker, because locking takes about as long as
 * clearing or copying a tile. tile[0] is the first tile. Leaves enough tiles for the other workers.
 * Returns the number of tiles in the array.
 */
static unsigned
take_xfer_tiles(struct sgd_dispatch *d, struct sgd_tile **tile)
{
   struct sgd_sched *s = d->sched;
   const unsigned ready = s->heap[SGD_WORK_LATE].count + 1, threads = MAX2(s->num_threads, 1);
   const unsigned least = MIN2(least_xfer_tiles(tile[0]->head->node->xfer),
                               DIV_ROUND_UP(ready, threads));
   const unsigned most = CLAMP(ready / (4 * threads), least, SGD_XFER_TILES);
   unsigned n = 1;

   while (n < most) {
      struct sgd_work *work = sgd_sched_next(s, SGD_WORK_LATE);
      if (!work || work->run != sgd_run_tile)
         break;
      struct sgd_tile *next = container_of(work, struct sgd_tile, work);
      if (next->head->node != tile[0]->head->node || !has_xfer_alone(next))
         break;
      sgd_sched_take(s, work);
      tile[n++] = next;
   }
   return n;
}

static void
run_xfer_tiles(struct sgd_dispatch *d, struct sgd_worker *worker, struct sgd_tile *first)
{
   struct sgd_tile *tile[SGD_XFER_TILES];
   struct sgd_stop_info stop[SGD_XFER_TILES];
   struct sgd_node *node = first->head->node;

   tile[0] = first;
   const unsigned n = take_xfer_tiles(d, tile);
   for (unsigned i = 0; i < n; i++)
      tile[i]->running = true;
   sgd_sched_unlock_engine(d->sched);
   for (unsigned i = 0; i < n; i++) {
      if (!node->sub->failed && sgd_node_happens(node))
         run_xfer(d, worker, node, tile[i]);
      stop[i] = sgd_take_stop(worker, node);
   }
   sgd_sched_relock_engine(d->sched, worker);
   for (unsigned i = 0; i < n; i++) {
      sgd_report_stop(node, &stop[i]);
      sgd_tile_pop(d, tile[i]);
      tile[i]->running = false;
      sgd_tile_check(d, tile[i]);
   }
}

void
sgd_run_tile(struct sgd_work *work, struct sgd_worker *worker)
{
   struct sgd_tile *tile = container_of(work, struct sgd_tile, work);
   struct sgd_dispatch *d = tile->array->dispatch;
   const unsigned most = d->params->dispatch == SGPU_DISPATCH_OOO_SPLIT_BREAK ? SGD_TILE_RUN
                                                                              : SGD_STRAIGHT_RUN;
   struct run run;

   if (has_xfer_alone(tile) && !d->params->observer) {
      run_xfer_tiles(d, worker, tile);
      sgd_nodes_reap(d);
      return;
   }
   run.d = d;
   run.worker = worker;
   run.tile = tile;
   run.count = 0;
   for (struct sgd_tile_entry *e = tile->head; e && run.count < most; e = e->next) {
      if (e->node->wait_raster || (e->batch && sgd_node_is_whole(d, e->node)))
         break;
      e->node->progress.begun++;
      run.entry[run.count++] = e;
   }
   assert(run.count);

   tile->running = true;
   sgd_sched_unlock_engine(d->sched);
   memset(run.stats, 0, run.count * sizeof(*run.stats));
   run.waiting = (struct sgd_waiting){ .wait = false };
   run.targets = 0;
   run.records[0] = 0;
   run.breaks = choose_breaks(&run, tile);
   const uint64_t lanes = worker->counters[SGPU_COUNTER_PIXEL_LANES];
   run_entries(&run);
   learn(&run, tile, worker->counters[SGPU_COUNTER_PIXEL_LANES] - lanes);
   sgd_sched_relock_engine(d->sched, worker);

   for (unsigned i = 0; i < run.count; i++) {
      sgd_report_stop(run.entry[i]->node, &run.stop[i]);
      sgd_stats_add(&run.entry[i]->node->stats, &run.stats[i]);
      sgd_tile_pop(d, tile);
   }
   tile->running = false;
   sgd_tile_check(d, tile);
   sgd_nodes_reap(d);
}
