/* SPDX-License-Identifier: MIT */
/*
 * Dependence of an operation on a set of earlier operations (Wolfe and Noonburg 1999, depend(P,
 * D)), for cases in which no tile queue orders the operations. A counter holds the number of
 * operations in the set that have not ended; the waiters continue when it reaches 0. All functions
 * are called with the scheduler's lock held.
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
   uint32_t pending;             /* number of operations in the set that have not ended */
   struct util_dynarray waiters; /* operations that wait for the set, struct sgd_wait */
};

struct sgd_wait {
   struct sgd_node *node; /* the waiting operation */
   bool front;            /* the front end waits, too, instead of only the raster work */
};

/* Creates a dependence on an empty set, with one reference. Returns NULL on allocation failure. */
struct sgd_dependence *sgd_dependence_create(void);
void sgd_dependence_unref(struct sgd_dependence *dep);
/* Adds an operation to the set. On allocation failure, returns false and changes nothing. */
bool sgd_dependence_add(struct sgd_dependence *dep, struct sgd_node *node);
/* Makes the node wait for all operations in the set. On allocation failure, returns false and
 * changes nothing.
 */
bool sgd_dependence_wait(struct sgd_dispatch *d, struct sgd_dependence *dep, struct sgd_node *node,
                         bool front, enum sgpu_dependence kind);
/* Increments the counters of waiting nodes, at most once per node and kind of dependence. */
void sgd_dependence_count(struct sgd_dispatch *d, struct sgd_node *node, enum sgpu_dependence kind);
/* Called when an operation in the set has ended. Drops the operation's reference to the dependence.
 */
void sgd_dependence_signal(struct sgd_dispatch *d, struct sgd_dependence *dep);

#endif
