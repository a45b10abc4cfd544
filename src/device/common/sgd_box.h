/* SPDX-License-Identifier: MIT */
/*
 * Pixel boxes.
 */
#ifndef SGD_BOX_H
#define SGD_BOX_H

#include <stdint.h>

/* A half-open box of pixels. */
struct sgd_box {
   int32_t x0, y0, x1, y1;
};

#endif
