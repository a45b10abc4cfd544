/* SPDX-License-Identifier: MIT */
/*
 * Pixel warps: quads, each with its primitive and, on targets with several
 * samples, its coverage by sample.
 */
#ifndef SGD_PIXELS_H
#define SGD_PIXELS_H

#include <stdint.h>

#include "sgd_quads.h"
#include "sgd_state.h"

struct sgd_prim;

/* Lanes by sample. */
struct sgd_samples {
   uint32_t cover[SGD_MAX_SAMPLES]; /* that the primitive covers; of SAMPLE MASK alone */
   uint32_t live[SGD_MAX_SAMPLES];  /* of these, the lanes that passed early tests */
};

/* quads.mask is the union of the live samples.  Quads that are not in use have some primitive
 * of the warp, so that wide loops need no conditions.
 */
struct sgd_pixels {
   struct sgd_quads quads;
   const struct sgd_prim *prim[SGD_QUADS];
   struct sgd_samples *samples; /* NULL: targets have one */
};

#endif
