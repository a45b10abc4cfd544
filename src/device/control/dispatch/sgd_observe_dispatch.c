/* SPDX-License-Identifier: MIT */
/*
 * Dispatch unit: passes records of executed work to the observer.
 */
#include "control/dispatch/sgd_observe_dispatch.h"

#include <stdlib.h>
#include <string.h>

#include "observe/records/sgd_observation.h"
#include "observe/records/sgd_work_observation.h"
#include "shader/grid/sgd_compute.h"
#include "control/dispatch/sgd_dispatch.h"
#include "control/dispatch/sgd_observe_constants.h"
#include "control/dispatch/sgd_observe_targets.h"
#include "common/sgd_tile_list.h"
#include "sgpu_observer.h"

/* Passes the records of the worker to the observer, as `chunk`. The records of warps follow in a
 * second chunk, whose kind is `warps`. Both record buffers are empty afterwards.
 */
static void
hand_over(const struct sgd_dispatch *d, struct sgd_worker *worker, const struct sgd_node *node,
          struct sgpu_chunk chunk, enum sgpu_chunk_kind warps)
{
   const struct sgpu_observer *observer = d->params->observer;
   struct sgd_observation *o = worker->observation;
   struct sgd_work_observation *work = worker->work;

   chunk.submission = node->sub->number;
   chunk.operation = node->index;
   if (o->records.failed || (work && work->records.failed)) {
      worker->stop.reason = SGD_STOP_MEMORY;
   } else if (observer->chunk) {
      chunk.words = o->records.words;
      chunk.num_words = o->records.num;
      if (o->records.num)
         observer->chunk(observer->data, &chunk);
      chunk.kind = warps;
      chunk.words = work ? work->records.words : NULL;
      chunk.num_words = work ? work->records.num : 0;
      if (chunk.num_words)
         observer->chunk(observer->data, &chunk);
   }
   sgd_observation_reset(o);
   if (work)
      sgd_work_observation_reset(work);
}

void
sgd_observe_batch(const struct sgd_dispatch *d, struct sgd_worker *worker,
                  const struct sgd_pending_batch *pending)
{
   hand_over(d, worker, pending->node,
             (struct sgpu_chunk){
                .kind = SGPU_CHUNK_BATCH,
                .batch = pending->number,
                .part = pending->part,
             },
             SGPU_CHUNK_WARPS_BATCH);
}

void
sgd_observe_tile(const struct sgd_dispatch *d, struct sgd_worker *worker,
                 const struct sgd_pending_batch *pending, const struct sgd_tile_list *list)
{
   hand_over(d, worker, pending->node,
             (struct sgpu_chunk){
                .kind = SGPU_CHUNK_TILE,
                .batch = pending->number,
                .part = pending->part,
                .tx = list->tx,
                .ty = list->ty,
                .layer = list->layer,
             },
             SGPU_CHUNK_WARPS_TILE);
}

void
sgd_observe_groups(const struct sgd_dispatch *d, struct sgd_worker *worker,
                   const struct sgd_node *node, uint64_t first)
{
   hand_over(d, worker, node, (struct sgpu_chunk){ .group = first }, SGPU_CHUNK_WARPS_GROUPS);
}

static enum sgpu_operation
operation_kind(const struct sgd_node *node)
{
   if (node->kind == SGD_NODE_DRAW)
      return SGPU_OPERATION_DRAW;
   if (node->kind == SGD_NODE_GRID)
      return SGPU_OPERATION_GRID;
   if (node->kind != SGD_NODE_XFER)
      return SGPU_OPERATION_RESULT;
   switch (node->xfer->kind) {
   case SGD_XFER_CLEAR:
      return SGPU_OPERATION_CLEAR;
   case SGD_XFER_COPY_SURFACE:
      return SGPU_OPERATION_COPY;
   case SGD_XFER_BLIT:
      return SGPU_OPERATION_BLIT;
   case SGD_XFER_RESOLVE:
      return SGPU_OPERATION_RESOLVE;
   case SGD_XFER_COPY_BUFFER:
      return SGPU_OPERATION_COPY_BUFFER;
   case SGD_XFER_FILL_BUFFER:
      return SGPU_OPERATION_FILL_BUFFER;
   }
   return SGPU_OPERATION_RESULT;
}

/* Returns the ID of the node's draw state or transfer, or 0 if it has none. If the observer doesn't
 * have this ID yet, assigns a new one and calls observer->state().
 */
static uint32_t
state_number(struct sgd_dispatch *d, struct sgd_node *node)
{
   const struct sgpu_observer *o = d->params->observer;
   struct sgd_state *state = node->kind == SGD_NODE_DRAW ? node->draw.state : NULL;
   const struct sgd_xfer *xfer = node->kind == SGD_NODE_XFER ? node->xfer : NULL;

   if (state && state->observed)
      return state->observed;
   if (!state && !xfer)
      return 0;
   const uint32_t number = ++d->observed_states;
   if (state)
      state->observed = number;
   if (o->state)
      o->state(o->data, node->sub->number, number, state, xfer);
   return number;
}

/* Returns true for copies of compressed surfaces, whose areas are in blocks instead of pixels. */
static bool
xfer_is_compressed(const struct sgd_xfer *x)
{
   return x->kind == SGD_XFER_COPY_SURFACE &&
          (x->u.copy.src.desc->block.width > 1 || x->u.copy.src.desc->block.height > 1 ||
           x->u.copy.dst.desc->block.width > 1 || x->u.copy.dst.desc->block.height > 1);
}

/* Returns true if the region is a target of the node. This doesn't depend on access->target,
 * because the tile queues of the source may order a copy (sgd_node.followed).
 */
static bool
is_target(const struct sgd_node *node, const struct sgd_access *a)
{
   if (node->followed && node->xfer->kind == SGD_XFER_COPY_SURFACE)
      return a->storage == node->xfer->u.copy.dst.storage;
   return a->target;
}

static struct sgpu_event_region
region_of(const struct sgd_node *node, const struct sgd_access *a)
{
   const bool compressed = node->kind == SGD_NODE_XFER && xfer_is_compressed(node->xfer);
   const bool whole = !a->grid.origin || compressed;
   struct sgpu_event_region e = {
      .type = SGPU_EVENT_REGION,
      .flags = (a->write ? SGPU_EVENT_REGION_WRITE : 0) |
               (is_target(node, a) ? SGPU_EVENT_REGION_TARGET : 0) |
               (a->front ? SGPU_EVENT_REGION_FRONT : 0) | (a->xfb ? SGPU_EVENT_REGION_XFB : 0) |
               (a->grid.tiled ? SGPU_EVENT_REGION_TILED : 0) |
               (whole ? SGPU_EVENT_REGION_WHOLE : 0),
      .words = sizeof(e) / 4,
      .begin = a->begin,
      .end = a->end,
      .storage = a->storage,
      .origin = a->grid.origin,
      .pitch = a->grid.pitch,
      .bpe = a->grid.bpe,
      .x0 = a->area.x0,
      .y0 = a->area.y0,
      .x1 = a->area.x1,
      .y1 = a->area.y1,
      .levels = a->levels,
      .first_layer = a->first_layer,
      .last_layer = a->last_layer,
   };

   e.bo_begin = a->bo ? a->bo->address : a->begin;
   e.bo_end = a->bo ? a->bo->address + a->bo->size : a->end;
   return e;
}

static struct sgpu_event_operation
operation_of(struct sgd_dispatch *d, struct sgd_node *node)
{
   struct sgpu_event_operation e = {
      .type = SGPU_EVENT_OPERATION,
      .words = sizeof(e) / 4,
      .kind = operation_kind(node),
      .packet = node->packet,
      .draw = node->draw_number,
   };

   if (node->skip || node->sub->failed || !sgd_node_happens(node))
      return e;
   e.flags = SGPU_EVENT_OPERATION_HAPPENS;
   e.state = state_number(d, node);
   e.batches = node->batches_cut + node->batches_continued;
   if (node->kind == SGD_NODE_XFER) {
      e.x0 = node->xfer->rect.x0;
      e.y0 = node->xfer->rect.y0;
      e.x1 = node->xfer->rect.x1;
      e.y1 = node->xfer->rect.y1;
      e.layers = node->xfer->layers;
   } else if (node->kind == SGD_NODE_GRID) {
      const struct SGPU_GRID *grid = &node->compute->packet;
      e.group_warps = DIV_ROUND_UP(sgd_compute_invocations(grid), SGD_WARP);
      e.group_bytes = grid->shared_size;
   } else if (node->kind == SGD_NODE_DRAW) {
      const struct sgd_state *st = node->draw.state;
      const bool counted = util_dynarray_num_elements(&node->queries, struct sgd_query *) != 0;
      const struct sgd_order order = sgd_order_counted(st->plan.order, false, counted);
      e.flags |= order.reads ? SGPU_EVENT_OPERATION_READS_COLOR : 0;
      e.order_rule = order.rule;
      e.order_masks = order.masks;
      e.width = st->fb_width;
      e.height = st->fb_height;
      e.layers = st->fb_layers;
      e.samples = st->samples;
   }
   e.regions = util_dynarray_num_elements(&node->accesses, struct sgd_access);
   return e;
}

void
sgd_observe_operation(struct sgd_dispatch *d, struct sgd_node *node)
{
   const struct sgpu_observer *observer = d->params->observer;
   const struct sgpu_event_operation op = operation_of(d, node);
   struct sgpu_event_target targets[SGD_OBSERVED_TARGETS];
   const bool happens = op.flags & SGPU_EVENT_OPERATION_HAPPENS;
   const unsigned num_targets = happens ? sgd_observe_targets(d, node, targets) : 0;
   const uint64_t words = op.words +
                          (op.regions * sizeof(struct sgpu_event_region) +
                           num_targets * sizeof(struct sgpu_event_target)) /
                             4 +
                          (happens ? sgd_observe_constants(node, NULL) : 0);

   if (!observer->chunk)
      return;
   uint32_t *record = malloc(words * sizeof(*record));
   if (!record) {
      sgd_node_fail(node, "out of memory for the observer");
      return;
   }
   memcpy(record, &op, sizeof(op));
   uint32_t *to = record + op.words;
   for (unsigned i = 0; i < op.regions; i++) {
      const struct sgd_access *a = util_dynarray_element(&node->accesses, struct sgd_access, i);
      const struct sgpu_event_region e = region_of(node, a);
      memcpy(to, &e, sizeof(e));
      to += e.words;
   }
   memcpy(to, targets, num_targets * sizeof(targets[0]));
   if (happens)
      sgd_observe_constants(node, to + num_targets * sizeof(targets[0]) / 4);
   const struct sgpu_chunk chunk = {
      .kind = SGPU_CHUNK_OPERATION,
      .submission = node->sub->number,
      .operation = node->index,
      .words = record,
      .num_words = words,
   };
   observer->chunk(observer->data, &chunk);
   free(record);
}
