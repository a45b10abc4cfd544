/* SPDX-License-Identifier: MIT */
/*
 * Quads of a pixel warp, the input of the ROP.
 */
#ifndef SGD_QUADS_H
#define SGD_QUADS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/sgd_state.h"

/* Eight quads of the same draw, tile and layer, in primitive order. Lane 4q + i is pixel (x[q] + (i
 * & 1), y[q] + (i >> 1)).
 */
struct sgd_quads {
   /* coordinates of each quad's upper left pixel in the target; always even */
   uint16_t x[SGD_QUADS], y[SGD_QUADS];
   uint8_t count; /* number of valid quads */
   uint8_t front; /* bitmask of the quads whose primitives are front-facing */
   /* set if the quads form an aligned 8x4 block in order; lanes are then contiguous in tiled
    * surfaces, and no pixel occurs twice
    */
   bool block;
   bool distinct;  /* no pixel occurs in two quads */
   uint8_t sample; /* index of the sample plane of the targets */
   uint16_t layer;
   uint32_t mask; /* mask of the covered lanes */
};

#endif
