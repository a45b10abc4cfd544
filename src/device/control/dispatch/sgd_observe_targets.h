/* SPDX-License-Identifier: MIT */
/*
 * Records the surfaces that operations test, write or copy, for the observer.
 */
#ifndef SGD_OBSERVE_TARGETS_H
#define SGD_OBSERVE_TARGETS_H

#include "common/sgd_state.h"
#include "sgpu_events.h"

struct sgd_dispatch;
struct sgd_node;

/* Maximum number of target records per operation: colours and depth of a draw; colours, depth and
 * source of a transfer.
 */
#define SGD_OBSERVED_TARGETS (SGD_MAX_COLORS + 2)

/* Stores in `out` the target records of an operation that is being executed. Returns the number of
 * records.
 */
unsigned sgd_observe_targets(const struct sgd_dispatch *d, const struct sgd_node *node,
                             struct sgpu_event_target out[SGD_OBSERVED_TARGETS]);

#endif
