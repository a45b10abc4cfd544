/* SPDX-License-Identifier: MIT */
/*
 * Dispatch unit: creates operations, makes them wait for earlier ones, and ends them.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "control/dispatch/sgd_dependence.h"
#include "control/dispatch/sgd_dispatch.h"
#include "control/dispatch/sgd_observe_dispatch.h"
#include "util/macros.h"

/* If the access array of a spare node has more elements than this, it is freed. */
#define SPARE_ACCESSES 64

struct sgd_node *
sgd_node_create(struct sgd_dispatch *d, enum sgd_node_kind kind, struct sgd_submission *sub)
{
   struct sgd_node *node = sgd_spares_take(&d->spare_nodes);
   if (!node)
      return NULL;
   /* Clear everything except for the access array, which was kept for reuse. */
   struct util_dynarray accesses = node->accesses;
   memset(node, 0, sizeof(*node));
   util_dynarray_clear(&accesses);
   node->accesses = accesses;
   node->kind = kind;
   node->dispatch = d;
   node->sub = sub;
   node->work.run = kind == SGD_NODE_DRAW   ? sgd_run_front
                    : kind == SGD_NODE_GRID ? sgd_run_grid
                                            : sgd_run_node;
   node->work.name = kind == SGD_NODE_DRAW ? "front" : kind == SGD_NODE_GRID ? "grid" : "operation";
   node->work.heap = kind == SGD_NODE_DRAW ? SGD_WORK_EARLY : SGD_WORK_LATE;
   node->work.share = sub->client->share;
   list_inithead(&node->batches);
   list_inithead(&node->rests);
   list_inithead(&node->xfb_batches);
   util_dynarray_init(&node->dependences, NULL);
   util_dynarray_init(&node->queries, NULL);
   return node;
}

void
sgd_node_destroy(struct sgd_node *node)
{
   if (node->draw.state)
      sgd_state_unref(node->draw.state);
   util_dynarray_fini(&node->dependences);
   util_dynarray_fini(&node->queries);
   sgd_predicate_unref(node->predicate);
   sgd_predicate_unref(node->result.decides);
   if (node->query)
      sgd_query_unref(node->query);
   if (node->compute)
      node->compute->destroy(node->compute);
   free(node->draw.parts);
   free(node->xfer);
   if (node->accesses.capacity > SPARE_ACCESSES * sizeof(struct sgd_access))
      util_dynarray_fini(&node->accesses);
   sgd_spares_give(&node->dispatch->spare_nodes, node);
}

void
sgd_node_finish_spare(void *spare)
{
   struct sgd_node *node = spare;

   util_dynarray_fini(&node->accesses);
}

struct sgd_access *
sgd_node_access(struct sgd_node *node)
{
   struct sgd_access *a = NULL;

   /* Start with the number of accesses that most operations need, to allocate only once. */
   const unsigned usual = node->kind == SGD_NODE_DRAW ? 6 : node->kind == SGD_NODE_GRID ? 8 : 2;
   if (node->accesses.data || util_dynarray_ensure_cap(&node->accesses, usual * sizeof(*a)))
      a = util_dynarray_grow(&node->accesses, struct sgd_access, 1);
   if (!a)
      node->out_of_memory = true;
   return a;
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

void
sgd_node_fail(struct sgd_node *node, const char *message)
{
   sgd_submission_fail(node->sub, node->packet, node->draw_number, message);
}

bool
sgd_draw_reads(const struct sgd_draw *draw, const uint8_t *first, const uint8_t *last)
{
   const struct sgd_span spans[] = {
      draw->indices,
      { (uint8_t *)draw->count, draw->count ? sizeof(*draw->count) : 0 },
      { (uint8_t *)draw->numbers,
        draw->numbers ? 4 * sgd_draw_numbers(draw->packet.index_size) : 0 },
      { (uint8_t *)draw->limit, draw->limit ? sizeof(*draw->limit) : 0 },
   };

   for (unsigned i = 0; i < ARRAY_SIZE(spans); i++) {
      if (sgd_span_meets(&spans[i], first, last))
         return true;
   }
   for (unsigned i = 0; i < draw->num_parts; i++) {
      if (sgd_span_meets(&draw->parts[i].indices, first, last))
         return true;
   }
   return false;
}

/* Returns true if the constant bank contains any byte of the range [first, last). */
static bool
bank_meets(const struct sgd_bank *bank, const uint8_t *first, const uint8_t *last)
{
   if (!bank->line_log2)
      return bank->size && bank->ptr < last && first < bank->ptr + bank->size;

   const struct sgd_const_version *v = bank->version;
   const uint32_t line = 1u << v->line_log2;
   const uint8_t *end = v->base + bank->size;
   if (v->base < last && first < end) {
      const uint32_t from = MAX2(first, v->base) - v->base, to = MIN2(last, end) - v->base;
      for (uint32_t i = from >> v->line_log2; i << v->line_log2 < to; i++) {
         if (v->line[i] == v->base + ((size_t)i << v->line_log2))
            return true;
      }
   }
   bool near = v->scattered;
   for (unsigned i = 0; i < v->num_spans; i++)
      near |= v->span[i].first < last && first < v->span[i].last;
   for (uint32_t i = 0; near && i < v->num_lines; i++) {
      if (v->line[i] < last && first < v->line[i] + line)
         return true;
   }
   return false;
}

bool
sgd_state_reads(const struct sgd_state *st, const uint8_t *first, const uint8_t *last)
{
   for (unsigned i = 0; i < st->num_vertex_buffers; i++) {
      if (sgd_span_meets(&st->vertex_buffer[i].span, first, last))
         return true;
   }
   for (unsigned s = 0; s < SGPU_STAGE_COMPUTE; s++) {
      for (unsigned b = 0; b < SGD_MAX_BANKS && st->shader[s]; b++) {
         if (bank_meets(&st->env[s].banks[b], first, last))
            return true;
      }
   }
   return false;
}

/* Makes the node wait for all operations in a list. `offset` is the offset of the list's link
 * inside struct sgd_node. Returns false if out of memory.
 */
static bool
depend_on_list(struct sgd_dispatch *d, struct sgd_node *node, struct list_head *list, size_t offset,
               bool front, enum sgpu_dependence kind)
{
   struct sgd_dependence *dep = sgd_dependence_create();
   if (!dep)
      return false;
   bool ok = true;
   for (struct list_head *link = list->next; link != list && ok; link = link->next)
      ok = sgd_dependence_add(dep, (struct sgd_node *)((uint8_t *)link - offset));
   ok = ok && sgd_dependence_wait(d, dep, node, front, kind);
   sgd_dependence_unref(dep);
   return ok;
}

/* Sets predicate->decision, so that later operations can wait for this node, which decides the
 * predicate. Returns false if out of memory.
 */
static bool
announce(struct sgd_node *node, struct sgd_predicate *predicate)
{
   struct sgd_dependence *dep = sgd_dependence_create();

   if (dep && sgd_dependence_add(dep, node)) {
      predicate->decision = dep;
      return true;
   }
   if (dep)
      sgd_dependence_unref(dep);
   return false;
}

/* Makes the node wait for everything that it depends on. Also reserves the tile entries of a
 * transfer. Returns false if out of memory.
 */
static bool
depend(struct sgd_dispatch *d, struct sgd_node *node)
{
   /* Always do this first: later operations must find the accesses of this node, even if it is
    * skipped.
    */
   bool ok = sgd_hazards_add(d, node);
   if (node->skip)
      return ok;

   /* These results are not computed from numbers in memory, so there is no region to depend on.
    * Wait for all earlier operations of the queue instead.
    */
   if (node->kind == SGD_NODE_TIMESTAMP ||
       (node->kind == SGD_NODE_RESULT && node->result.value == SGPU_QUERY_VALUE_ONE))
      ok = ok &&
           depend_on_list(d, node, &node->sub->client->nodes,
                          offsetof(struct sgd_node, client_link), false, SGPU_DEPENDENCE_QUERY);
   if (node->predicate && node->predicate->decision)
      ok = ok &&
           sgd_dependence_wait(d, node->predicate->decision, node, true, SGPU_DEPENDENCE_PREDICATE);
   if (node->result.decides)
      ok = ok && announce(node, node->result.decides);
   if (d->params->dispatch == SGPU_DISPATCH_INORDER)
      ok = ok && depend_on_list(d, node, &d->nodes, offsetof(struct sgd_node, link), true,
                                SGPU_DEPENDENCE_INORDER);
   if (node->kind == SGD_NODE_XFER)
      ok = ok && sgd_entries_reserve(d, sgd_xfer_tiles(node->xfer));
   return ok;
}

/* If a tile array contains the latest operation that writes node->followed, and also all tiles of
 * the node, returns this tile array, and NULL otherwise. When the node is added to this array, each
 * of its tiles only waits for the same tile of the earlier operation.
 */
static struct sgd_tile_array *
followed_array(const struct sgd_node *node)
{
   const struct sgd_surface *s = node->followed;

   if (!s || !s->bo->hazards)
      return NULL;
   list_for_each_entry_rev(struct sgd_access, a, &s->bo->hazards->writers, link) {
      struct sgd_tile_array *array = a->node->array;
      if (a->storage != s->storage)
         continue;
      if (!a->target || !sgd_tile_array_has(array, s) || node->xfer->layers > 1 ||
          node->xfer->rect.x1 > (int64_t)array->key.width ||
          node->xfer->rect.y1 > (int64_t)array->key.height)
         return NULL;
      return array;
   }
   return NULL;
}

/* Sets the tile array of the node. The tile queues only order accesses to the storage of
 * node->followed; other accesses need dependences.
 */
static void
follow(struct sgd_node *node, struct sgd_tile_array *array)
{
   node->array = array;
   util_dynarray_foreach(&node->accesses, struct sgd_access, access)
      access->target = access->storage == node->followed->storage;
}

bool
sgd_node_add(struct sgd_dispatch *d, struct sgd_node *node, const struct sgd_tile_array_key *key,
             uint32_t layers)
{
   struct sgd_client *client = node->sub->client;

   if (node->out_of_memory || !sgd_sched_reserve(d->sched, node->work.heap, 1))
      return false;
   struct sgd_tile_array *followed = followed_array(node);
   if (followed)
      follow(node, followed);
   else if (key)
      node->array = sgd_tile_array_get(d, key, layers);
   if ((key && !node->array) || !sgd_hazards_reserve(d, node)) {
      sgd_sched_release(d->sched, node->work.heap, 1);
      return false;
   }
   if (node->array)
      node->array->nodes++;
   node->seq = d->next_seq++;
   node->index = node->sub->operations++;
   node->sub->outstanding++;
   /* Store the results of queries even after an error, since they count the work before it. */
   node->skip |= node->sub->failed && node->kind != SGD_NODE_QUERY;
   client->in_flight++;

   /* If this fails, skip the node instead of waiting, because its dependences are incomplete. */
   if (!depend(d, node)) {
      sgd_node_fail(node, "out of memory for dependences");
      node->skip = true;
   }

   if (node->kind == SGD_NODE_QUERY && node->query->pending) {
      node->query->waiter = node;
      node->wait_raster++;
      sgd_dependence_count(d, node, SGPU_DEPENDENCE_QUERY);
   }

   list_addtail(&node->link, &d->nodes);
   list_addtail(&node->client_link, &client->nodes);
   d->num_nodes++;
   sgd_sched_count(d->sched, SGPU_COUNTER_OPERATIONS, SGPU_COUNTER_WINDOW_OPERATIONS,
                   SGPU_COUNTER_WINDOW_OPERATIONS_MAX, d->num_nodes);
   d->buffer_writers += node->writes_buffer;
   util_dynarray_foreach(&node->queries, struct sgd_query *, query) {
      (*query)->pending++;
      (*query)->refs++;
   }

   switch (node->kind) {
   case SGD_NODE_DRAW:
      list_addtail(&node->order_link, &node->array->order);
      sgd_ia_cut_begin(&node->cutter, &node->draw);
      if (node->skip) {
         node->cut_all = true;
         sgd_tile_array_commit(d, node->array);
      } else if (!node->wait_front) {
         sgd_sched_push(d->sched, &node->work, node->seq);
      }
      break;
   case SGD_NODE_XFER:
      list_addtail(&node->order_link, &node->array->order);
      sgd_tile_array_commit(d, node->array);
      break;
   case SGD_NODE_GRID:
   case SGD_NODE_TIMESTAMP:
   case SGD_NODE_QUERY:
   case SGD_NODE_RESULT:
      if (!node->wait_raster)
         sgd_sched_push(d->sched, &node->work, node->seq);
      break;
   }
   sgd_nodes_reap(d);
   return true;
}

void
sgd_node_front_ready(struct sgd_dispatch *d, struct sgd_node *node)
{
   if (node->kind == SGD_NODE_DRAW && !sgd_work_ready(&node->work) && !node->cut_all &&
       !node->cutting)
      sgd_sched_push(d->sched, &node->work, node->seq);
}

void
sgd_node_raster_ready(struct sgd_dispatch *d, struct sgd_node *node)
{
   if (node->kind != SGD_NODE_DRAW && node->kind != SGD_NODE_XFER) {
      sgd_sched_push(d->sched, &node->work, node->seq);
      return;
   }
   while (node->stalled) {
      struct sgd_tile *tile = node->stalled;
      node->stalled = tile->next_stalled;
      tile->stalled = false;
      sgd_tile_check(d, tile);
   }
   sgd_node_place_xfb(d, node);
   /* All other work may be done already, so that the node can end now. */
   sgd_node_check_end(d, node);
}

/* If all operations that the query counts have ended, the END QUERY operation can run. */
static void
query_ended(struct sgd_dispatch *d, struct sgd_query *query)
{
   struct sgd_node *waiter = query->waiter;

   if (query->pending || !waiter)
      return;
   query->waiter = NULL;
   if (--waiter->wait_raster == 0)
      sgd_node_raster_ready(d, waiter);
}

static void
node_end(struct sgd_dispatch *d, struct sgd_node *node)
{
   struct sgd_client *client = node->sub->client;

   if (list_first_entry(&d->nodes, struct sgd_node, link) != node)
      d->sched->counters[SGPU_COUNTER_OVERTAKES]++;

   if (d->params->observer)
      sgd_observe_operation(d, node);
   list_del(&node->link);
   list_del(&node->client_link);
   d->num_nodes--;
   sgd_sched_release(d->sched, node->work.heap, 1);
   d->buffer_writers -= node->writes_buffer;
   if (node->array)
      node->array->nodes--;
   sgd_hazards_remove(d, node);
   util_dynarray_foreach(&node->dependences, struct sgd_dependence *, dep)
      sgd_dependence_signal(d, *dep);
   if (node->result.decides && node->result.decides->decision) {
      sgd_dependence_unref(node->result.decides->decision);
      node->result.decides->decision = NULL;
   }
   util_dynarray_foreach(&node->queries, struct sgd_query *, query) {
      sgd_stats_add(&(*query)->stats, &node->stats);
      sgd_xfb_stats_add(&(*query)->xfb_stats, &node->xfb_stats);
      (*query)->pending--;
      query_ended(d, *query);
      sgd_query_unref(*query);
   }
   client->in_flight--;
   client->ops->operation_ended(client);
   struct sgd_submission *sub = node->sub;
   list_addtail(&node->link, &d->ended);
   sgd_submission_put(sub);
}

void
sgd_node_check_end(struct sgd_dispatch *d, struct sgd_node *node)
{
   switch (node->kind) {
   case SGD_NODE_DRAW:
      if (node->committed && !node->batches_out && !node->wait_raster)
         node_end(d, node);
      break;
   case SGD_NODE_XFER:
      if (node->committed && !node->entries && !node->wait_raster)
         node_end(d, node);
      break;
   case SGD_NODE_GRID:
      if (node->groups_known && node->groups_cut == node->groups && !node->chunks_out &&
          !sgd_work_ready(&node->work))
         node_end(d, node);
      break;
   case SGD_NODE_TIMESTAMP:
   case SGD_NODE_QUERY:
   case SGD_NODE_RESULT:
      node_end(d, node);
      break;
   }
}

void
sgd_nodes_reap(struct sgd_dispatch *d)
{
   list_for_each_entry_safe(struct sgd_node, node, &d->ended, link) {
      list_del(&node->link);
      sgd_node_destroy(node);
   }
}
