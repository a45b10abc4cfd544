/* SPDX-License-Identifier: MIT */
/*
 * Dispatch unit: the work that a worker takes from it, and batches from the
 * cutter to their end.
 */
#include <stdlib.h>
#include <string.h>

#include "sgd_device.h"
#include "util/macros.h"

/* Entries of one tile that a worker runs before it looks for older work. */
#define SGD_TILE_RUN 32

void
sgd_dispatch_init(struct sgd_dispatch *d, struct sgpu_device *dev)
{
   memset(d, 0, sizeof(*d));
   d->dev = dev;
   d->next_seq = 1;
   d->random = dev->params.shuffle_seed;
   list_inithead(&d->grids);
   list_inithead(&d->nodes);
   list_inithead(&d->ended);
}

void
sgd_dispatch_finish(struct sgd_dispatch *d)
{
   sgd_grid_trim(d, 0);
   sgd_arena_finish(d);
   sgd_entries_finish(d);
   assert(list_is_empty(&d->ended) && !d->early.reserved && !d->late.reserved);
   free(d->early.items);
   free(d->late.items);
}

/* Items of a flight that may be ready: the batch, its capture. */
static unsigned
flight_items(const struct sgd_node *node)
{
   return 1 + (node->draw.state->stream.num_words != 0);
}

static struct sgd_flight *
flight_create(struct sgd_dispatch *d, struct sgd_node *node)
{
   struct sgd_flight *flight = calloc(1, sizeof(*flight));

   if (!flight)
      return NULL;
   if (!sgd_ready_reserve(d, SGD_ITEM_BATCH, flight_items(node))) {
      free(flight);
      return NULL;
   }
   flight->node = node;
   flight->item.kind = SGD_ITEM_BATCH;
   flight->capture.kind = SGD_ITEM_CAPTURE;
   flight->batch.draw = &node->draw;
   flight->batch.arena.dispatch = d;
   return flight;
}

static void
flight_free(struct sgd_dispatch *d, struct sgd_flight *flight)
{
   sgd_ready_release(d, SGD_ITEM_BATCH, flight_items(flight->node));
   free(flight);
}

void
sgd_flight_end(struct sgd_dispatch *d, struct sgd_flight *flight)
{
   struct sgd_node *node = flight->node;

   sgd_stats_add(&node->stats, &flight->batch.stats);
   sgd_stream_stats_add(&node->streams, &flight->batch.stream_stats);
   sgd_arena_free(&flight->batch.arena);
   flight_free(d, flight);
   node->flights_out--;
   if (node->committed)
      sgd_node_check_end(d, node);
}

/* -- roles: each is entered with the lock held and left with it ------------- */

static void
unlock(struct sgd_dispatch *d)
{
   struct sgpu_device *dev = d->dev;
   dev->busy++;
   dev->counters[SGPU_COUNTER_BUSY_MAX] = MAX2(dev->counters[SGPU_COUNTER_BUSY_MAX], dev->busy);
   sgd_pool_wake(dev);
   pthread_mutex_unlock(&dev->lock);
}

static void
relock(struct sgd_dispatch *d, struct sgd_worker *worker)
{
   struct sgpu_device *dev = d->dev;
   pthread_mutex_lock(&dev->lock);
   dev->busy--;
   for (unsigned i = 0; i < SGPU_COUNTER_COUNT; i++) {
      dev->counters[i] += worker->counters[i];
      worker->counters[i] = 0;
   }
}

static void
fail_node(struct sgd_node *node, enum sgd_stop why)
{
   static const char *const texts[] = {
      [SGD_STOP_WATCHDOG] = "a shader ran longer than the watchdog allows",
      [SGD_STOP_MEMORY] = "out of memory",
   };
   if (why != SGD_STOP_NONE)
      sgd_queue_fail(node->sub->queue, node->sub, texts[why]);
}

static enum sgd_stop
take_stop(struct sgd_worker *worker)
{
   const enum sgd_stop why = worker->stop.reason;
   worker->stop = (struct sgd_stop_info){ .reason = SGD_STOP_NONE };
   worker->watchdog = worker->device->params.watchdog_instructions;
   return why;
}

static void
run_cp(struct sgd_dispatch *d, struct sgd_worker *worker, struct sgpu_queue *queue)
{
   queue->taken = true;
   unlock(d);
   const bool parsed = sgd_cp_run(queue->cp, worker);
   relock(d, worker);
   queue->taken = false;

   if (parsed) {
      struct sgd_submission *sub = queue->parsing;
      queue->parsing = sub->link.next == &queue->submissions
                          ? NULL
                          : list_entry(sub->link.next, struct sgd_submission, link);
      sgd_submission_put(sub);
   }
   sgd_queue_schedule(queue);
   /* sgpu_queue_destroy waits for the role to be free. */
   if (!queue->parsing)
      pthread_cond_broadcast(&d->dev->done);
}

/* What is left of a draw in memory, to which nobody writes any more.  The
 * program may all the same: each word is read once.
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
      vertices = *(const volatile uint64_t *)count / (draw->count_stride * 4);
   } else if (!limit || draw->draw_id < *(const volatile uint32_t *)limit) {
      uint32_t word[5] = { 0 };
      for (unsigned i = 0; i < sgd_draw_numbers(draw->index_size); i++)
         word[i] = ((const volatile uint32_t *)numbers)[i];
      vertices = word[0];
      draw->instances = word[1];
      draw->first = word[2];
      draw->index_bias = indexed ? (int32_t)word[3] : 0;
      draw->first_instance = word[indexed ? 4 : 3];
   }
   node->draw.count = NULL;
   node->draw.numbers = node->draw.limit = NULL;
   const uint64_t most = d->dev->params.watchdog_vertices /
                         sgd_state_geometry_runs(node->draw.state);
   if (draw->instances && vertices > most / draw->instances) {
      sgd_queue_fail(node->sub->queue, node->sub, count ?
                     "DRAW: more vertices than the watchdog allows, by Count Address" :
                     "DRAW INDIRECT: more vertices than the watchdog allows");
      return false;
   }
   draw->count = vertices;
   return true;
}

/* No more batches of the draw will come. */
static void
end_cutting(struct sgd_dispatch *d, struct sgd_node *node)
{
   node->cut_all = true;
   sgd_grid_commit(d, node->grid);
}

static void
run_geometry(struct sgd_dispatch *d, struct sgd_worker *worker, struct sgd_node *node)
{
   struct sgd_flight *flight;

   if (!sgd_node_happens(node)) {
      end_cutting(d, node);
      return;
   }
   flight = flight_create(d, node);
   if (!flight) {
      fail_node(node, SGD_STOP_MEMORY);
      end_cutting(d, node);
      return;
   }
   if ((node->draw.count || node->draw.numbers) && !take_numbers(d, node)) {
      flight_free(d, flight);
      end_cutting(d, node);
      return;
   }
   node->cutting = true;
   unlock(d);
   bool more = sgd_ia_cut_next(&node->cutter, &flight->batch);
   relock(d, worker);
   node->cutting = false;

   if (!more || node->sub->queue->lost) {
      flight_free(d, flight);
      end_cutting(d, node);
      return;
   }
   list_addtail(&flight->link, &node->flights);
   if (sgd_ia_cut_done(&node->cutter))
      node->cut_all = true;
   else
      sgd_ready_push(d, &node->item, node->seq);

   unlock(d);
   worker->counters[SGPU_COUNTER_BATCHES]++;
   d->dev->ops->front(worker, &flight->batch);
   relock(d, worker);

   fail_node(node, take_stop(worker));
   if (flight->batch.failed || !sgd_entries_reserve(d, flight->batch.num_tiles)) {
      sgd_queue_fail(node->sub->queue, node->sub, "out of memory for primitives");
      flight->batch.num_tiles = 0;
      flight->batch.tiles = NULL;
   }
   if (node->sub->queue->lost)
      memset(&flight->batch.capture, 0, sizeof(flight->batch.capture));
   flight->ready = true;
   sgd_grid_commit(d, node->grid);
}

static void
run_entry(struct sgd_dispatch *d, struct sgd_worker *worker, const struct sgd_tile *tile,
          const struct sgd_tile_entry *entry, struct sgd_stats *stats)
{
   /* What is under way when a queue is lost is dropped: each warp of a program
    * that does not end would cost the watchdog's time.
    */
   if (entry->node->sub->queue->lost)
      return;
   if (entry->flight) {
      worker->counters[SGPU_COUNTER_TILE_ENTRIES]++;
      d->dev->ops->raster(worker, &entry->flight->batch, entry->list, stats);
      return;
   }

   if (!sgd_node_happens(entry->node))
      return;
   const struct sgd_xfer *xfer = entry->node->xfer;
   const struct SGPU_RECT rect = {
      .x0 = MAX2(xfer->rect.x0, tile->x * SGD_TILE),
      .y0 = MAX2(xfer->rect.y0, tile->y * SGD_TILE),
      .x1 = MIN2(xfer->rect.x1, (tile->x + 1) * SGD_TILE),
      .y1 = MIN2(xfer->rect.y1, (tile->y + 1) * SGD_TILE),
   };
   d->dev->ops->xfer(worker, xfer, &rect, tile->layer);
}

static void
run_tile(struct sgd_dispatch *d, struct sgd_worker *worker, struct sgd_tile *tile)
{
   const bool unsplit = d->dev->params.dispatch == SGPU_DISPATCH_OOO;
   struct sgd_tile_entry *run[SGD_TILE_RUN];
   struct sgd_stats stats[SGD_TILE_RUN];
   enum sgd_stop stop[SGD_TILE_RUN];
   unsigned count = 0;
   bool any = false;

   for (struct sgd_tile_entry *e = tile->head; e && count < SGD_TILE_RUN; e = e->next) {
      if (e->node->wait_raster || (unsplit && e->flight))
         break;
      run[count++] = e;
   }
   assert(count);

   tile->running = true;
   d->engines_busy++;
   unlock(d);
   memset(stats, 0, count * sizeof(*stats));
   for (unsigned i = 0; i < count; i++) {
      /* What follows in a queue that is about to be lost is dropped. */
      stop[i] = SGD_STOP_NONE;
      for (unsigned j = 0; j < i && any; j++) {
         if (run[j]->node->sub->queue == run[i]->node->sub->queue && stop[j] != SGD_STOP_NONE)
            stop[i] = stop[j];
      }
      if (stop[i] != SGD_STOP_NONE)
         continue;
      run_entry(d, worker, tile, run[i], &stats[i]);
      stop[i] = take_stop(worker);
      any |= stop[i] != SGD_STOP_NONE;
   }
   relock(d, worker);
   d->engines_busy--;
   for (unsigned i = 0; i < count && any; i++)
      fail_node(run[i]->node, stop[i]);

   for (unsigned i = 0; i < count; i++) {
      sgd_stats_add(&run[i]->node->stats, &stats[i]);
      sgd_tile_pop(d, tile);
   }
   tile->running = false;
   sgd_tile_check(d, tile);
}

static void
run_batch(struct sgd_dispatch *d, struct sgd_worker *worker, struct sgd_flight *flight)
{
   struct sgd_node *node = flight->node;
   struct sgd_grid *grid = node->grid;
   struct sgd_stats stats = { 0 };

   d->engines_busy++;
   unlock(d);
   for (const struct sgd_tile_list *list = flight->batch.tiles;
        list && worker->stop.reason == SGD_STOP_NONE && !node->sub->queue->lost; list = list->next) {
      worker->counters[SGPU_COUNTER_TILE_ENTRIES]++;
      d->dev->ops->raster(worker, &flight->batch, list, &stats);
   }
   relock(d, worker);
   d->engines_busy--;
   fail_node(node, take_stop(worker));
   sgd_stats_add(&node->stats, &stats);

   /* The lists live in the batch, which ends with its last entry. */
   for (const struct sgd_tile_list *list = flight->batch.tiles, *next; list; list = next) {
      next = list->next;
      struct sgd_tile *tile = sgd_tile_at(grid, list->tx, list->ty, list->layer);
      tile->running = false;
      sgd_tile_pop(d, tile);
      sgd_tile_check(d, tile);
   }
}

static void
run_capture(struct sgd_dispatch *d, struct sgd_worker *worker, struct sgd_flight *flight)
{
   unlock(d);
   if (!flight->node->sub->queue->lost)
      sgd_stream_write(&flight->batch);
   relock(d, worker);
   sgd_flight_done(d, flight);
}

static void
run_node(struct sgd_dispatch *d, struct sgd_node *node)
{
   if (node->skip)
      ; /* it stores nothing */
   else if (node->kind == SGD_NODE_TIMESTAMP)
      *node->timestamp = sgd_time_ns();
   else
      sgd_result_run(&node->result);
   sgd_node_check_end(d, node);
}

bool
sgd_dispatch_work(struct sgd_dispatch *d, struct sgd_worker *worker)
{
   struct sgd_item *item = sgd_ready_pop(d);
   if (!item)
      return false;

   const uint64_t start = sgd_time_ns();
   switch (item->kind) {
   case SGD_ITEM_CP:
      run_cp(d, worker, container_of(item, struct sgpu_queue, item));
      break;
   case SGD_ITEM_GEOMETRY:
      run_geometry(d, worker, container_of(item, struct sgd_node, item));
      break;
   case SGD_ITEM_TILE:
      run_tile(d, worker, container_of(item, struct sgd_tile, item));
      break;
   case SGD_ITEM_BATCH:
      run_batch(d, worker, container_of(item, struct sgd_flight, item));
      break;
   case SGD_ITEM_CAPTURE:
      run_capture(d, worker, container_of(item, struct sgd_flight, capture));
      break;
   case SGD_ITEM_NODE:
      run_node(d, container_of(item, struct sgd_node, item));
      break;
   }
   d->dev->counters[SGPU_COUNTER_BUSY_NS] += sgd_time_ns() - start;

   list_for_each_entry_safe(struct sgd_node, node, &d->ended, link) {
      list_del(&node->link);
      sgd_node_destroy(node);
   }
   return true;
}
