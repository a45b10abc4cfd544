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
   /* Set by sgd_open_targets(). `num_cleared`, `replaced` and `cleared` are valid only if it is
    * set.
    */
   bool open;
   /* number of render targets with a pending fast clear, i.e. of elements in cleared[] */
   uint8_t num_cleared;
   /* mask of the 16x16 blocks whose clear values must be written to memory before drawing; all ones
    * while `open` is false
    */
   uint16_t unstored;
   /* bit i is set if fragments overwrite whole elements of the target in cleared[i] */
   uint16_t replaced;
   struct sgd_cleared_tile cleared[SGD_MAX_COLORS + 1];
};

#endif
