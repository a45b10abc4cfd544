/* SPDX-License-Identifier: MIT */
/*
 * Command processor: work packets become operations of the dispatch unit, with
 * the regions that they read and write.  Draws are made in sgd_cp_draw.c, the
 * copy engine's operations in sgd_cp_xfer.c, queries in sgd_cp_query.c.
 */
#include "sgd_cp_work.h"
#include "util/macros.h"

#define ALL_LEVELS 0xffff

void
sgd_cp_access_surface(struct sgd_node *node, const struct sgd_surface *s, bool write, bool target)
{
   if (!s->valid)
      return;
   const struct sgd_access access = {
      .bo = s->bo,
      .begin = s->begin,
      .end = s->end,
      .storage = s->storage,
      .levels = 1 << s->level,
      .first_layer = s->first_layer,
      .last_layer = s->first_layer + s->layers - 1,
      .write = write,
      .target = target,
      .feeds = write && !s->tiled, /* a draw may read a linear surface as a buffer */
   };
   sgd_node_access(node, &access);
   node->writes_buffer |= access.feeds;
}

void
sgd_cp_access_buffer(struct sgd_cp *cp, struct sgd_node *node, const void *ptr, uint64_t size,
                     bool write, bool front)
{
   if (!size)
      return;
   const uint64_t address = (const uint8_t *)ptr - cp->memory->base;
   const struct sgd_access access = {
      .bo = sgd_bo_list_find(&cp->sub->bos, address, size),
      .begin = address,
      .end = address + size,
      .levels = ALL_LEVELS,
      .last_layer = UINT16_MAX,
      .write = write,
      .front = front,
      .feeds = write,
   };
   sgd_node_access(node, &access);
   node->writes_buffer |= write;
}

const char *
sgd_cp_add(struct sgd_cp *cp, struct sgd_node *node, const struct sgd_tile_array_key *key,
           uint32_t layers)
{
   cp->made++;
   node->packet = cp->packet;
   node->draw_number = node->kind == SGD_NODE_DRAW ? cp->draws : 0;
   pthread_mutex_lock(&cp->sched->lock);
   const bool added = sgd_node_add(cp->dispatch, node, key, layers);
   sgd_pool_wake(cp->sched);
   pthread_mutex_unlock(&cp->sched->lock);
   if (added)
      return NULL;
   sgd_node_destroy(node);
   return "too many tiles, or out of memory";
}
