/* SPDX-License-Identifier: MIT */
/*
 * Dispatch unit: passes records to the device's observer. These functions are only called if there
 * is an observer.
 */
#ifndef SGD_OBSERVE_DISPATCH_H
#define SGD_OBSERVE_DISPATCH_H

#include <stdint.h>

struct sgd_dispatch;
struct sgd_node;
struct sgd_pending_batch;
struct sgd_tile_list;
struct sgd_worker;

/* The first three functions pass the worker's records to the observer, without the lock. They set
 * worker->stop to SGD_STOP_MEMORY if records are missing.
 */
/* Passes the records of a batch's front end. */
void sgd_observe_batch(const struct sgd_dispatch *d, struct sgd_worker *worker,
                       const struct sgd_pending_batch *pending);
/* Passes the records of a tile list. */
void sgd_observe_tile(const struct sgd_dispatch *d, struct sgd_worker *worker,
                      const struct sgd_pending_batch *pending, const struct sgd_tile_list *list);
/* Passes the records of a chunk of workgroups. `first` is the index of the first workgroup. */
void sgd_observe_groups(const struct sgd_dispatch *d, struct sgd_worker *worker,
                        const struct sgd_node *node, uint64_t first);
/* Passes the record of an operation that has ended. Called with the lock held. */
void sgd_observe_operation(struct sgd_dispatch *d, struct sgd_node *node);

#endif
