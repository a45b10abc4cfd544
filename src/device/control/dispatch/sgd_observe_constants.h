/* SPDX-License-Identifier: MIT */
/*
 * Creates CONSTANTS records, which describe the constants of draws and grids for the observer.
 */
#ifndef SGD_OBSERVE_CONSTANTS_H
#define SGD_OBSERVE_CONSTANTS_H

#include <stdint.h>

struct sgd_node;

/* Maximum number of lines in the record of a bank. Instructions can access the first 256 lines
 * directly, and all others with loads.
 */
#define SGD_OBSERVED_LINES 1024

/* Writes the CONSTANTS records of a draw or grid to `out`, and returns their length in words. If
 * `out` is NULL, only returns the length. The operation must not have ended, because its constants
 * could change afterwards.
 */
uint64_t sgd_observe_constants(const struct sgd_node *node, uint32_t *out);

#endif
