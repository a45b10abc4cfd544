/* SPDX-License-Identifier: MIT */
/*
 * Raster engine: fast clears of the targets of a tile (sgd_open.c).
 */
#ifndef SGD_TILE_TARGETS_H
#define SGD_TILE_TARGETS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/sgd_cleared_tile.h"
#include "common/sgd_state.h"

struct sgd_tile_targets {
   bool open;           /* the targets are prepared; only then are the next members valid */
   uint8_t num_cleared; /* number of elements of cleared[]: targets with a fast clear */
   uint16_t unstored;   /* 16x16 blocks whose clear value must be stored before they are drawn; all
                         * blocks if `open` is not set */
   uint16_t replaced;   /* bit i: stored fragments replace whole elements of cleared[i] */
   struct sgd_cleared_tile cleared[SGD_MAX_COLORS + 1];
};

#endif
