/* SPDX-License-Identifier: MIT */
/*
 * Quads of a pixel warp, as the ROP takes them.
 */
#ifndef SGD_QUADS_H
#define SGD_QUADS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/sgd_state.h"

/* Eight quads of one draw, tile and layer, in primitive order. Lane 4q + i is pixel (x +
 * (i & 1), y + (i >> 1)) of quad q.
 */
struct sgd_quads {
   uint16_t x[SGD_QUADS], y[SGD_QUADS]; /* position of each quad: even, absolute */
   uint8_t count;                       /* number of quads in use */
   uint8_t front;                       /* bit q: quad q has a front-facing primitive */
   bool block;                          /* the quads are an aligned 8x4 block in order, so lanes are
                                         * contiguous in tiled surfaces and no pixel occurs twice */
   bool distinct;                       /* no pixel is in two quads */
   uint8_t sample;                      /* sample plane of the targets */
   uint16_t layer;
   uint32_t mask; /* lanes that are covered */
};

#endif
