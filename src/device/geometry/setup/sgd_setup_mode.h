/* SPDX-License-Identifier: MIT */
/*
 * Setup: the part of a draw's plan for clipping, culling and setup.
 */
#ifndef SGD_SETUP_MODE_H
#define SGD_SETUP_MODE_H

#include "common/sgd_plan.h"

struct sgd_state;

/* Returns the smallest offset that changes any depth in a fixed-point depth buffer, or 0 for a
 * float depth buffer. Depths between 1/2 and 1 are multiples of 2^-24 before they are rounded to
 * the resolution of the buffer, so the offset is rounded up to a multiple of 2^-24. For depths
 * below 1/2, adding the offset has an error of at most 2^-25.
 */
float sgd_setup_offset_unit(const struct sgd_state *state);

/* Returns how primitives of any kind are clipped, culled and set up in this state. */
struct sgd_setup_mode sgd_setup_mode(const struct sgd_state *state);

#endif
