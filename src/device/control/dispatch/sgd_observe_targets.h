/* SPDX-License-Identifier: MIT */
/*
 * Creates records for the observer that describe the surfaces which an operation tests, writes or
 * copies.
 */
#ifndef SGD_OBSERVE_TARGETS_H
#define SGD_OBSERVE_TARGETS_H

#include "common/sgd_state.h"
#include "sgpu_events.h"

struct sgd_dispatch;
struct sgd_node;

/* Maximum number of target records for an operation. A draw has records for its color targets and
 * depth. A transfer can also have a record for its source.
 */
#define SGD_OBSERVED_TARGETS (SGD_MAX_COLORS + 2)

/* Writes the target records of an operation to `out`, and returns their number. The operation must
 * not have ended.
 */
unsigned sgd_observe_targets(const struct sgd_dispatch *d, const struct sgd_node *node,
                             struct sgpu_event_target out[SGD_OBSERVED_TARGETS]);

#endif
