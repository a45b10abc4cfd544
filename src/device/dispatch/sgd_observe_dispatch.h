/* SPDX-License-Identifier: MIT */
/*
 * Dispatch unit: what the observer of the device is told.  Only where there is one.
 */
#ifndef SGD_OBSERVE_DISPATCH_H
#define SGD_OBSERVE_DISPATCH_H

#include <stdint.h>

struct sgd_dispatch;
struct sgd_node;
struct sgd_pending_batch;
struct sgd_tile_list;
struct sgd_worker;

/* Hands over the worker's records, lock not held: of a batch's front end, of a tile's list.
 * Where records are missing, worker->stop says that there was no memory.
 */
void sgd_observe_batch(const struct sgd_dispatch *d, struct sgd_worker *worker,
                       const struct sgd_pending_batch *pending);
void sgd_observe_tile(const struct sgd_dispatch *d, struct sgd_worker *worker,
                      const struct sgd_pending_batch *pending, const struct sgd_tile_list *list);
/* Of workgroups of a grid from number `first` on. */
void sgd_observe_groups(const struct sgd_dispatch *d, struct sgd_worker *worker,
                        const struct sgd_node *node, uint64_t first);
/* The operation has ended; lock held. */
void sgd_observe_operation(struct sgd_dispatch *d, struct sgd_node *node);

#endif
