/* SPDX-License-Identifier: MIT */
/*
 * Dispatch unit: records for the observer of the device.  Only called if there is an observer.
 */
#ifndef SGD_OBSERVE_DISPATCH_H
#define SGD_OBSERVE_DISPATCH_H

#include <stdint.h>

struct sgd_dispatch;
struct sgd_node;
struct sgd_pending_batch;
struct sgd_tile_list;
struct sgd_worker;

/* The first three functions pass the worker's records to the observer, without the lock.  If
 * records are missing, they set worker->stop to SGD_STOP_MEMORY.
 */
/* Passes records of the front end of a batch. */
void sgd_observe_batch(const struct sgd_dispatch *d, struct sgd_worker *worker,
                       const struct sgd_pending_batch *pending);
/* Passes records of a tile list. */
void sgd_observe_tile(const struct sgd_dispatch *d, struct sgd_worker *worker,
                      const struct sgd_pending_batch *pending, const struct sgd_tile_list *list);
/* Passes records of groups of a grid.  `first` is the number of the first group. */
void sgd_observe_groups(const struct sgd_dispatch *d, struct sgd_worker *worker,
                        const struct sgd_node *node, uint64_t first);
/* Passes the record of an operation that has ended.  Called with the lock held. */
void sgd_observe_operation(struct sgd_dispatch *d, struct sgd_node *node);

#endif
