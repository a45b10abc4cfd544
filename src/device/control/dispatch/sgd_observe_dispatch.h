/* SPDX-License-Identifier: MIT */
/*
 * Dispatch unit: passes records of executed work to the observer. Must only be called if the device
 * has an observer.
 */
#ifndef SGD_OBSERVE_DISPATCH_H
#define SGD_OBSERVE_DISPATCH_H

#include <stdint.h>

struct sgd_dispatch;
struct sgd_node;
struct sgd_pending_batch;
struct sgd_tile_list;
struct sgd_worker;

/* The first three functions are called without the lock. They pass the records that the worker has
 * collected to the observer. If records were lost, they set worker->stop to SGD_STOP_MEMORY.
 */
/* Passes the records of the front end for one batch. */
void sgd_observe_batch(const struct sgd_dispatch *d, struct sgd_worker *worker,
                       const struct sgd_pending_batch *pending);
/* Passes the records of one tile list to the observer. */
void sgd_observe_tile(const struct sgd_dispatch *d, struct sgd_worker *worker,
                      const struct sgd_pending_batch *pending, const struct sgd_tile_list *list);
/* Passes the records of a chunk of workgroups, which starts with workgroup `first`. */
void sgd_observe_groups(const struct sgd_dispatch *d, struct sgd_worker *worker,
                        const struct sgd_node *node, uint64_t first);
/* Passes the record of the whole operation when it ends. The lock must be held. */
void sgd_observe_operation(struct sgd_dispatch *d, struct sgd_node *node);

#endif
