/* SPDX-License-Identifier: MIT */
/*
 * A dependence makes an operation wait for a set of earlier operations. This is depend(P, D) in the
 * paper by Wolfe and Noonburg (1999). It is only needed if the tile queues don't already keep the
 * operations in order.
 *
 * The dependence counts the operations in the set that have not ended. When the count reaches 0,
 * all waiting operations can start. Functions are called with the scheduler's lock held.
 */
#ifndef SGD_DEPENDENCE_H
#define SGD_DEPENDENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "util/u_dynarray.h"

#include "sgpu_device.h"

struct sgd_dispatch;
struct sgd_node;

struct sgd_dependence {
   uint32_t refs;
   uint32_t pending;             /* number of operations in the set that have not ended yet */
   struct util_dynarray waiters; /* struct sgd_wait: operations that wait for the whole set */
};

struct sgd_wait {
   struct sgd_node *node; /* the waiting operation */
   bool front;            /* true if the front end must wait, too, and not only rasterization */
};

/* Creates a dependence with an empty set. The caller gets a reference. Returns NULL if out of
 * memory.
 */
struct sgd_dependence *sgd_dependence_create(void);
void sgd_dependence_unref(struct sgd_dependence *dep);
/* Adds an operation to the set. Returns false and changes nothing if out of memory. */
bool sgd_dependence_add(struct sgd_dependence *dep, struct sgd_node *node);
/* Makes the node wait until all operations in the set have ended. Returns false and changes nothing
 * if out of memory.
 */
bool sgd_dependence_wait(struct sgd_dispatch *d, struct sgd_dependence *dep, struct sgd_node *node,
                         bool front, enum sgpu_dependence kind);
/* Counts the node as one that had to wait, but only once for each kind of dependence. */
void sgd_dependence_count(struct sgd_dispatch *d, struct sgd_node *node, enum sgpu_dependence kind);
/* Called when an operation in the set ends. Drops the operation's reference to the dependence. */
void sgd_dependence_signal(struct sgd_dispatch *d, struct sgd_dependence *dep);

#endif
