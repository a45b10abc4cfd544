/* SPDX-License-Identifier: MIT */
/*
 * Records the constants of draws and grids for the observer, as CONSTANTS records.
 */
#ifndef SGD_OBSERVE_CONSTANTS_H
#define SGD_OBSERVE_CONSTANTS_H

#include <stdint.h>

struct sgd_node;

/* Maximum number of lines per bank in a record. Instructions address 256 lines directly, and the
 * rest by loads.
 */
#define SGD_OBSERVED_LINES 1024

/* Stores in `out` the CONSTANTS records of a draw or grid that is being executed, or only counts
 * their words if `out` is NULL. Must be called before the memory of the constants can change.
 * Returns the number of words.
 */
uint64_t sgd_observe_constants(const struct sgd_node *node, uint32_t *out);

#endif
