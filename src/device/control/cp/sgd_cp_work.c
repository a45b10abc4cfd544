/* SPDX-License-Identifier: MIT */
/*
 * Command processor: adds operations to the dispatch unit. Draws are created in sgd_cp_draw.c, copy
 * engine operations in sgd_cp_xfer.c, and query operations in sgd_cp_query.c. sgd_cp_region.c
 * determines the regions of memory that they access.
 */
#include "control/cp/sgd_cp_profile.h"
#include "control/cp/sgd_cp_work.h"

const char *
sgd_cp_add(struct sgd_cp *cp, struct sgd_node *node, const struct sgd_tile_array_key *key,
           uint32_t layers)
{
   cp->made++;
   node->packet = cp->packet;
   node->draw_number = node->kind == SGD_NODE_DRAW ? cp->draws : 0;
   sgd_cp_profile_node(cp, node);
   sgd_pool_lock(cp->sched);
   const bool added = sgd_node_add(cp->dispatch, node, key, layers);
   if (!added)
      sgd_node_destroy(node);
   cp->room = sgd_client_has_room(cp->dispatch, cp->sub->client);
   sgd_pool_unlock(cp->sched);
   return added ? NULL : "too many tiles, or out of memory";
}
