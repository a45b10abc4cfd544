/* SPDX-License-Identifier: MIT */
/*
 * Setup: the part of a draw's plan for clipping, culling and setup.
 */
#ifndef SGD_SETUP_MODE_H
#define SGD_SETUP_MODE_H

#include "common/sgd_plan.h"

struct sgd_state;

/* Returns how primitives of any kind are clipped, culled and set up in this state. */
struct sgd_setup_mode sgd_setup_mode(const struct sgd_state *state);

#endif
