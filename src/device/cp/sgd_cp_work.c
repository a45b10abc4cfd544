/* SPDX-License-Identifier: MIT */
/*
 * Command processor: work packets become operations of the dispatch unit, with
 * the regions that they read and write.  Draws are made in sgd_cp_draw.c, the
 * copy engine's operations in sgd_cp_xfer.c, queries in sgd_cp_query.c.
 */
#include <stdatomic.h>

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
      .storage = s->storage,
      .levels = 1 << s->level,
      .first_layer = s->first_layer,
      .last_layer = s->first_layer + s->layers - 1,
      .write = write,
      .target = target,
   };
   sgd_node_access(node, &access);
   /* Somebody may read a linear surface as a buffer. */
   if (write && !s->tiled) {
      node->writes_buffer = true;
      node->wait_all |= atomic_load_explicit(&s->bo->bound, memory_order_relaxed);
   }
}

void
sgd_cp_access_buffer(struct sgd_cp *cp, struct sgd_node *node, const void *ptr, uint64_t size,
                     bool write, bool geometry)
{
   if (!size)
      return;
   const uint64_t address = (const uint8_t *)ptr - cp->dev->space;
   const struct sgd_access access = {
      .bo = sgd_submission_find(cp->sub, address, size),
      .begin = address,
      .end = address + size,
      .levels = ALL_LEVELS,
      .last_layer = UINT16_MAX,
      .write = write,
      .geometry = geometry,
   };
   sgd_node_access(node, &access);
   if (write) {
      node->writes_buffer = true;
      node->wait_all |= atomic_load_explicit(&access.bo->bound, memory_order_relaxed);
   }
}

const char *
sgd_cp_add(struct sgd_cp *cp, struct sgd_node *node, const struct sgd_grid_key *key,
           uint32_t layers)
{
   pthread_mutex_lock(&cp->dev->lock);
   const bool added = sgd_node_add(&cp->dev->dispatch, node, key, layers);
   sgd_pool_wake(cp->dev);
   pthread_mutex_unlock(&cp->dev->lock);
   if (added)
      return NULL;
   sgd_node_destroy(node);
   return "too many tiles, or out of memory";
}

const char *
sgd_cp_work_packet(struct sgd_cp *cp, enum sgpu_packet opcode, const uint32_t *in)
{
   switch (opcode) {
   case SGPU_PACKET_DRAW_INDIRECT:
      return sgd_cp_draw_indirect(cp, in);
   case SGPU_PACKET_DRAW:
      return sgd_cp_draw(cp, in);
   case SGPU_PACKET_CLEAR:
      return sgd_cp_clear(cp, in);
   case SGPU_PACKET_CLEAR_SURFACE:
      return sgd_cp_clear_surface(cp, in);
   case SGPU_PACKET_COPY_BUFFER:
      return sgd_cp_copy_buffer(cp, in);
   case SGPU_PACKET_FILL_BUFFER:
      return sgd_cp_fill_buffer(cp, in);
   case SGPU_PACKET_COPY_SURFACE:
      return sgd_cp_copy_surface(cp, in);
   case SGPU_PACKET_BLIT:
      return sgd_cp_blit(cp, in);
   case SGPU_PACKET_RESOLVE_SURFACE:
      return sgd_cp_resolve_surface(cp, in);
   case SGPU_PACKET_BEGIN_QUERY:
      return sgd_cp_begin_query(cp, in);
   case SGPU_PACKET_END_QUERY:
      return sgd_cp_end_query(cp, in);
   case SGPU_PACKET_STORE_RESULT:
      return sgd_cp_store_result(cp, in);
   case SGPU_PACKET_PREDICATE:
      return sgd_cp_predicate(cp, in);
   default:
      unreachable("not a work packet");
   }
}
