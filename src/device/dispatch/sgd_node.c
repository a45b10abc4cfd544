/* SPDX-License-Identifier: MIT */
/*
 * Dispatch unit: operations, from their making to their end.
 */
#include <stdlib.h>

#include "sgd_cp_state.h"
#include "sgd_device.h"

struct sgd_node *
sgd_node_create(enum sgd_node_kind kind, struct sgd_submission *sub)
{
   struct sgd_node *node = calloc(1, sizeof(*node));
   if (!node)
      return NULL;
   node->kind = kind;
   node->sub = sub;
   node->item.kind = kind == SGD_NODE_DRAW ? SGD_ITEM_GEOMETRY : SGD_ITEM_NODE;
   list_inithead(&node->flights);
   list_inithead(&node->captures);
   util_dynarray_init(&node->events, NULL);
   util_dynarray_init(&node->queries, NULL);
   util_dynarray_init(&node->accesses, NULL);
   return node;
}

void
sgd_node_destroy(struct sgd_node *node)
{
   if (node->draw.state)
      sgd_state_unref(node->draw.state);
   util_dynarray_fini(&node->events);
   util_dynarray_fini(&node->queries);
   util_dynarray_fini(&node->accesses);
   sgd_predicate_unref(node->predicate);
   sgd_predicate_unref(node->result.decides);
   free(node->xfer);
   free(node);
}

void
sgd_node_access(struct sgd_node *node, const struct sgd_access *access)
{
   struct sgd_access *a = util_dynarray_grow(&node->accesses, struct sgd_access, 1);
   if (!a) {
      node->out_of_memory = true;
      return;
   }
   *a = *access;
   a->node = node;
}

void
sgd_node_query(struct sgd_node *node, struct sgd_query *query)
{
   struct sgd_query **q = util_dynarray_grow(&node->queries, struct sgd_query *, 1);
   if (q)
      *q = query;
   else
      node->out_of_memory = true;
}

/* The node waits for all that is under way: one operation after another, or a
 * write to memory whose readers are not known by region.
 */
static bool
depend_on_all(struct sgd_dispatch *d, struct sgd_node *node)
{
   struct sgd_event *event = sgd_event_create();
   if (!event)
      return false;
   bool ok = true;
   list_for_each_entry(struct sgd_node, other, &d->nodes, link)
      ok = ok && sgd_event_add_node(event, other);
   ok = ok && sgd_event_wait(d, event, node, true);
   sgd_event_unref(event);
   return ok;
}

static bool
depend_on_queue(struct sgd_dispatch *d, struct sgd_node *node)
{
   struct sgd_event *event = sgd_event_create();
   if (!event)
      return false;
   bool ok = true;
   list_for_each_entry(struct sgd_node, other, &node->sub->queue->nodes, queue_link)
      ok = ok && sgd_event_add_node(event, other);
   ok = ok && sgd_event_wait(d, event, node, false);
   sgd_event_unref(event);
   return ok;
}

/* Others can wait for what the node decides. */
static bool
announce(struct sgd_node *node, struct sgd_predicate *predicate)
{
   struct sgd_event *event = sgd_event_create();

   if (event && sgd_event_add_node(event, node)) {
      predicate->event = event;
      return true;
   }
   if (event)
      sgd_event_unref(event);
   return false;
}

/* All that the node waits for, and the room for its tile work. */
static bool
depend(struct sgd_dispatch *d, struct sgd_node *node)
{
   /* First: others will depend on it in any case. */
   bool ok = sgd_node_depend(d, node);

   if (node->kind == SGD_NODE_TIMESTAMP || node->kind == SGD_NODE_RESULT)
      ok = ok && depend_on_queue(d, node);
   if (node->predicate && node->predicate->event)
      ok = ok && sgd_event_wait(d, node->predicate->event, node, true);
   if (node->result.decides)
      ok = ok && announce(node, node->result.decides);
   if (d->dev->params.dispatch == SGPU_DISPATCH_INORDER ||
       (node->wait_all && d->unknown_readers))
      ok = ok && depend_on_all(d, node);
   if (node->kind == SGD_NODE_XFER && !node->skip)
      ok = ok && sgd_entries_reserve(d, sgd_xfer_tiles(node->xfer));
   return ok;
}

bool
sgd_node_add(struct sgd_dispatch *d, struct sgd_node *node, const struct sgd_grid_key *key,
             uint32_t layers)
{
   struct sgpu_queue *queue = node->sub->queue;

   if (node->out_of_memory || !sgd_ready_reserve(d, node->item.kind, 1))
      return false;
   if (key) {
      node->grid = sgd_grid_get(d, key, layers);
      if (!node->grid) {
         sgd_ready_release(d, node->item.kind, 1);
         return false;
      }
      node->grid->nodes++;
   }
   node->seq = d->next_seq++;
   node->sub->outstanding++;
   node->skip |= queue->lost;
   queue->in_flight++;

   /* What does nothing may do so early. */
   if (!depend(d, node)) {
      sgd_queue_fail(queue, node->sub, "out of memory for dependences");
      node->skip = true;
   }

   list_addtail(&node->link, &d->nodes);
   list_addtail(&node->queue_link, &queue->nodes);
   d->buffer_writers += node->writes_buffer;
   d->unknown_readers += node->inputs_unknown;
   util_dynarray_foreach (&node->queries, struct sgd_query *, query) {
      (*query)->pending++;
      (*query)->refs++;
   }

   switch (node->kind) {
   case SGD_NODE_DRAW:
      list_addtail(&node->grid_link, &node->grid->order);
      sgd_ia_cut_begin(&node->cutter, &node->draw);
      if (node->skip) {
         node->cut_all = true;
         sgd_grid_commit(d, node->grid);
      } else if (!node->wait_geometry) {
         sgd_ready_push(d, &node->item, node->seq);
      }
      break;
   case SGD_NODE_XFER:
      list_addtail(&node->grid_link, &node->grid->order);
      sgd_grid_commit(d, node->grid);
      break;
   case SGD_NODE_TIMESTAMP:
   case SGD_NODE_RESULT:
      if (!node->wait_raster)
         sgd_ready_push(d, &node->item, node->seq);
      break;
   }
   return true;
}

static void
node_end(struct sgd_dispatch *d, struct sgd_node *node)
{
   struct sgpu_queue *queue = node->sub->queue;

   if (list_first_entry(&d->nodes, struct sgd_node, link) != node)
      d->dev->counters[SGPU_COUNTER_OVERTAKES]++;

   list_del(&node->link);
   list_del(&node->queue_link);
   sgd_ready_release(d, node->item.kind, 1);
   d->buffer_writers -= node->writes_buffer;
   d->unknown_readers -= node->inputs_unknown;
   if (node->grid)
      node->grid->nodes--;
   sgd_node_forget(d, node);
   if (node->result.decides && node->result.decides->event) {
      sgd_event_unref(node->result.decides->event);
      node->result.decides->event = NULL;
   }
   util_dynarray_foreach (&node->queries, struct sgd_query *, query) {
      sgd_stats_add(&(*query)->stats, &node->stats);
      sgd_xfb_stats_add(&(*query)->streams, &node->streams);
      (*query)->pending--;
      sgd_query_check(*query);
      sgd_query_unref(*query);
   }
   queue->in_flight--;
   sgd_queue_schedule(queue);
   struct sgd_submission *sub = node->sub;
   list_addtail(&node->link, &d->ended);
   sgd_submission_put(sub);
}

void
sgd_node_check_end(struct sgd_dispatch *d, struct sgd_node *node)
{
   switch (node->kind) {
   case SGD_NODE_DRAW:
      if (node->committed && !node->flights_out && !node->wait_raster)
         node_end(d, node);
      break;
   case SGD_NODE_XFER:
      if (node->committed && !node->entries && !node->wait_raster)
         node_end(d, node);
      break;
   case SGD_NODE_TIMESTAMP:
   case SGD_NODE_RESULT:
      node_end(d, node);
      break;
   }
}
