/* SPDX-License-Identifier: MIT */
/*
 * Observation: the constants of operations, as CONSTANTS records.
 */
#ifndef SGD_OBSERVE_CONSTANTS_H
#define SGD_OBSERVE_CONSTANTS_H

#include <stdint.h>

struct sgd_node;

/* Lines of a bank that records have; programs name 256, and load from the others. */
#define SGD_OBSERVED_LINES 1024

/* The records of a draw or grid that happens, before its memory can change.  Returns their
 * words; NULL: counts them alone.
 */
uint64_t sgd_observe_constants(const struct sgd_node *node, uint32_t *out);

#endif
