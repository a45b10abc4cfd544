/* SPDX-License-Identifier: MIT */
/*
 * Boxes of pixels, e.g. bounding boxes and clip rectangles.
 */
#ifndef SGD_BOX_H
#define SGD_BOX_H

#include <stdint.h>

/* The pixels with x0 <= x < x1 and y0 <= y < y1. */
struct sgd_box {
   int32_t x0, y0, x1, y1;
};

#endif
