/* SPDX-License-Identifier: MIT */
/*
 * Single-sampled targets whose sample position differs from the pixel centre.
 */
#ifndef SGD_LOCATED_H
#define SGD_LOCATED_H

#include "common/sgd_state.h"

/* Returns true if every pixel has a single sample, and coverage is tested at the position of this
 * sample (COVERAGE.Location). This is false for smooth and conservative primitives, which cover
 * whole pixels instead.
 */
static inline bool
sgd_state_located(const struct sgd_state *st)
{
   return st->coverage.locations && st->rast.multisample && st->samples == 1 &&
          !st->coverage.conservative && !st->rast.point_smooth && !st->rast.line_smooth &&
          !st->rast.poly_smooth;
}

#endif
