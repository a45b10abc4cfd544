/* SPDX-License-Identifier: MIT */
/*
 * Pixel warps: the quads of a warp with their primitives and, on multisampled targets, their
 * coverage per sample.
 */
#ifndef SGD_PIXELS_H
#define SGD_PIXELS_H

#include <stdint.h>

#include "common/sgd_quads.h"
#include "common/sgd_state.h"

struct sgd_prim;

/* Lane masks per sample. */
struct sgd_samples {
   /* lanes that the primitive covers, or 0 if the state's sample mask disables the sample */
   uint32_t cover[SGD_MAX_SAMPLES];
   uint32_t live[SGD_MAX_SAMPLES]; /* lanes of cover[] that have passed the early tests */
};

/* Quads of a warp, with their primitives. quads.mask is the union of samples->live[]. Unused quads
 * have the primitive of a used quad, so that loops over all quads need no conditions.
 */
struct sgd_pixels {
   struct sgd_quads quads;
   const struct sgd_prim *prim[SGD_QUADS];
   struct sgd_samples *samples; /* lane masks per sample, or NULL for single-sampled targets */
};

#endif
