/* SPDX-License-Identifier: MIT */
/*
 * Observation of coverage.  Only in the observed level.
 */
#ifndef SGD_RASTER_OBSERVE_H
#define SGD_RASTER_OBSERVE_H

#include <stdbool.h>
#include <stdint.h>

#include "raster/sgd_raster.h"
#include "sgd_arch.h"

struct sgd_prim;

/* Records a block of a primitive, as block() in sgd_collect.c takes it.  True: zcull has
 * dropped the block, and nothing is to be drawn.
 */
bool sgd_observe_block(struct sgd_raster *r, const struct sgd_prim *prim, int x, int y,
                       uint32_t mask, const struct sgd_samples *samples);

/* Whether blocks are recorded that zcull drops.  Until the end, zcull is off. */
bool sgd_observe_rejected_begin(struct sgd_raster *r);
void sgd_observe_rejected_end(struct sgd_raster *r);

/* Rasterizes for the record alone what zcull has dropped. */
#define SGD_OBSERVE_REJECTED(r, call)      \
   do {                                    \
      if (sgd_observe_rejected_begin(r)) { \
         call;                             \
         sgd_observe_rejected_end(r);      \
      }                                    \
   } while (0)

/* Draws the block k of 16x16 pixels of the tile block by block, with tests, all of which the
 * triangle passes; zcull knows its depths.  True.
 */
bool sgd_observe_whole(struct sgd_raster *r, const struct sgd_prim *prim, unsigned k);

#endif
