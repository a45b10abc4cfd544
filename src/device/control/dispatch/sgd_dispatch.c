/* SPDX-License-Identifier: MIT */
/*
 * Dispatch unit: initialization and destruction.
 */
#include <string.h>

#include "control/dispatch/sgd_dispatch.h"
#include "sgpu_observer.h"

void
sgd_dispatch_init(struct sgd_dispatch *d, struct sgd_sched *sched, struct sgd_memory *memory,
                  const struct sgd_arch_ops *ops, const struct sgpu_device_params *params)
{
   memset(d, 0, sizeof(*d));
   d->sched = sched;
   d->memory = memory;
   d->ops = ops;
   d->params = params;
   d->next_seq = 1;
   sgd_arena_pool_init(&d->arenas);
   sgd_spares_init(&d->spare_nodes, sizeof(struct sgd_node), sgd_node_finish_spare);
   sgd_spares_init(&d->spare_batches, sizeof(struct sgd_pending_batch), NULL);
   sgd_spares_init(&d->spare_snapshots, sizeof(struct sgd_snapshot), NULL);
   list_inithead(&d->arrays);
   list_inithead(&d->nodes);
   list_inithead(&d->ended);
   list_inithead(&d->free_hazards);
}

bool
sgd_client_has_room(const struct sgd_dispatch *d, const struct sgd_client *client)
{
   const struct sgpu_observer *o = d->params->observer;

   /* Always allow an operation if the queue has none in flight. Otherwise, the command processor
    * would stop for good, because it only continues when an operation ends.
    */
   if (o && o->full && client->in_flight && o->full(o->data))
      return false;
   return client->in_flight < SGD_MAX_IN_FLIGHT;
}

void
sgd_dispatch_finish(struct sgd_dispatch *d)
{
   assert(list_is_empty(&d->nodes) && list_is_empty(&d->ended));
   sgd_tile_array_trim(d, 0);
   sgd_arena_pool_finish(&d->arenas);
   sgd_spares_finish(&d->spare_nodes);
   sgd_spares_finish(&d->spare_batches);
   sgd_spares_finish(&d->spare_snapshots);
   sgd_entries_finish(d);
   sgd_hazards_finish(d);
}
