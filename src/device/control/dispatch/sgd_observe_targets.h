/* SPDX-License-Identifier: MIT */
/*
 * Observation: the targets of operations.
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

/* Writes target records of an operation that is executed to `out`. Returns the number of records.
 */
unsigned sgd_observe_targets(const struct sgd_dispatch *d, const struct sgd_node *node,
                             struct sgpu_event_target out[SGD_OBSERVED_TARGETS]);

#endif
