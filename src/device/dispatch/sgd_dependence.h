/* SPDX-License-Identifier: MIT */
/*
 * Dependence of an operation on a set of earlier ones (Wolfe and Noonburg 1999,
 * depend(P, D)), for those that no tile queue orders: the set is counted down
 * as its operations end, and then its waiters go on.  All with the scheduler's
 * lock held.
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
   uint32_t pending;             /* operations of the set that have not ended */
   struct util_dynarray waiters; /* struct sgd_wait */
};

struct sgd_wait {
   struct sgd_node *node;
   bool front; /* holds back the front end too, not the raster work alone */
};

/* With one reference, over no operation; NULL: out of memory. */
struct sgd_dependence *sgd_dependence_create(void);
void sgd_dependence_unref(struct sgd_dependence *dep);
/* False: out of memory; nothing has changed. */
bool sgd_dependence_add(struct sgd_dependence *dep, struct sgd_node *node);
bool sgd_dependence_wait(struct sgd_dispatch *d, struct sgd_dependence *dep, struct sgd_node *node,
                         bool front, enum sgpu_dependence kind);
/* Counts that the node waits for a dependence of this kind: each node once by kind. */
void sgd_dependence_count(struct sgd_dispatch *d, struct sgd_node *node, enum sgpu_dependence kind);
/* One operation of the set has ended; drops its reference. */
void sgd_dependence_signal(struct sgd_dispatch *d, struct sgd_dependence *dep);

#endif
