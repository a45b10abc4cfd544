/* SPDX-License-Identifier: MIT */
/*
 * Raster engine: fast-clear state of the tile's render targets (sgd_open.c).
 */
#ifndef SGD_TILE_TARGETS_H
#define SGD_TILE_TARGETS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/sgd_cleared_tile.h"
#include "common/sgd_state.h"

struct sgd_tile_targets {
   /* whether sgd_open_targets() has been called for the tile; the members below are valid only then
    */
   bool open;
   /* number of elements in cleared[], i.e. of render targets with a fast clear */
   uint8_t num_cleared;
   /* bitmask of the 16x16 blocks whose clear values must be written to memory before drawing; all
    * ones as long as `open` is false
    */
   uint16_t unstored;
   /* bit i: set if fragments overwrite whole elements of the target of cleared[i] */
   uint16_t replaced;
   struct sgd_cleared_tile cleared[SGD_MAX_COLORS + 1];
};

#endif
