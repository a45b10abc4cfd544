/* SPDX-License-Identifier: MIT */
/*
 * Command processor: adds the operations of work packets to the dispatch unit. sgd_cp_draw.c
 * creates draws, sgd_cp_xfer.c copy engine operations, sgd_cp_query.c query operations, and
 * sgd_cp_region.c their regions.
 */
#include "control/cp/sgd_cp_work.h"

const char *
sgd_cp_add(struct sgd_cp *cp, struct sgd_node *node, const struct sgd_tile_array_key *key,
           uint32_t layers)
{
   cp->made++;
   node->packet = cp->packet;
   node->draw_number = node->kind == SGD_NODE_DRAW ? cp->draws : 0;
   sgd_pool_lock(cp->sched);
   const bool added = sgd_node_add(cp->dispatch, node, key, layers);
   if (!added)
      sgd_node_destroy(node);
   cp->room = sgd_client_has_room(cp->dispatch, cp->sub->client);
   sgd_pool_unlock(cp->sched);
   return added ? NULL : "too many tiles, or out of memory";
}
