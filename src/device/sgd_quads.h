/* SPDX-License-Identifier: MIT */
/*
 * Quads of a pixel warp, as the ROP takes them.
 */
#ifndef SGD_QUADS_H
#define SGD_QUADS_H

#include <stdbool.h>
#include <stdint.h>

#include "sgd_state.h"

/* Eight quads of one draw, tile and layer, in primitive order.  Lane 4q + i is
 * pixel (x + (i & 1), y + (i >> 1)) of quad q.
 */
struct sgd_quads {
   uint16_t x[SGD_QUADS], y[SGD_QUADS]; /* even, absolute */
   uint8_t count;                       /* quads in use */
   uint8_t front;                       /* bit q: quad of a front-facing primitive */
   bool block;                          /* one aligned 8x4 block, quad q its q-th: lanes are
                                           * contiguous in tiled surfaces, no pixel twice */
   bool distinct;                       /* no pixel is in two quads */
   uint8_t sample;                      /* selects the plane of the targets */
   uint16_t layer;
   uint32_t mask; /* covered lanes */
};

#endif
