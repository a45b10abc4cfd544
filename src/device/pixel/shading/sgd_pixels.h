/* SPDX-License-Identifier: MIT */
/*
 * Pixel warps: quads, each with its primitive and, if the targets have several samples,
 * its coverage by sample.
 */
#ifndef SGD_PIXELS_H
#define SGD_PIXELS_H

#include <stdint.h>

#include "common/sgd_quads.h"
#include "common/sgd_state.h"

struct sgd_prim;

/* Masks of lanes for each sample. */
struct sgd_samples {
   uint32_t cover[SGD_MAX_SAMPLES]; /* lanes that the primitive covers; 0 for samples outside SAMPLE
                                     * MASK */
   uint32_t live[SGD_MAX_SAMPLES];  /* lanes of cover[] that have passed the early tests */
};

/* quads.mask is the union of samples->live[]. Unused quads have the primitive of a used
 * quad, so that loops over all quads need no conditions.
 */
struct sgd_pixels {
   struct sgd_quads quads;
   const struct sgd_prim *prim[SGD_QUADS];
   struct sgd_samples *samples; /* masks of each sample; NULL if the targets have one sample */
};

#endif
