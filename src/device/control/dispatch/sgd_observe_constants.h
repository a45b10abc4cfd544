/* SPDX-License-Identifier: MIT */
/*
 * Observation: the constants of operations, as CONSTANTS records.
 */
#ifndef SGD_OBSERVE_CONSTANTS_H
#define SGD_OBSERVE_CONSTANTS_H

#include <stdint.h>

struct sgd_node;

/* Maximum number of lines per bank in a record. Instructions address 256 lines directly, and the
 * rest by loads.
 */
#define SGD_OBSERVED_LINES 1024

/* Writes the records of a draw or grid that is executed to `out`. Must be called before the
 * constants' memory can change. Returns the number of words; if `out` is NULL, only counts them.
 */
uint64_t sgd_observe_constants(const struct sgd_node *node, uint32_t *out);

#endif
