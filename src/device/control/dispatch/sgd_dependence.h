/* SPDX-License-Identifier: MIT */
/*
 * Dependence of an operation on a set of earlier operations (Wolfe and Noonburg 1999,
 * depend(P, D)) that no tile queue orders.  A counter holds the number of operations of the set
 * that have not ended; its waiters continue when it is 0.  All functions are called with the
 * scheduler's lock held.
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
   uint32_t pending;             /* number of operations of the set that have not ended */
   struct util_dynarray waiters; /* struct sgd_wait: operations that wait for the set */
};

struct sgd_wait {
   struct sgd_node *node; /* operation that waits */
   bool front;            /* the front end waits too, not only the raster work */
};

/* Creates a dependence on an empty set, with one reference.  Returns NULL if out of memory. */
struct sgd_dependence *sgd_dependence_create(void);
void sgd_dependence_unref(struct sgd_dependence *dep);
/* Adds an operation to the set.  Returns false and changes nothing if out of memory. */
bool sgd_dependence_add(struct sgd_dependence *dep, struct sgd_node *node);
/* Makes the node wait for the set.  Returns false and changes nothing if out of memory. */
bool sgd_dependence_wait(struct sgd_dispatch *d, struct sgd_dependence *dep, struct sgd_node *node,
                         bool front, enum sgpu_dependence kind);
/* Increments the counters of nodes that wait, at most once for each node and kind. */
void sgd_dependence_count(struct sgd_dispatch *d, struct sgd_node *node, enum sgpu_dependence kind);
/* Called when an operation of the set has ended.  Drops the reference of the operation. */
void sgd_dependence_signal(struct sgd_dispatch *d, struct sgd_dependence *dep);

#endif
