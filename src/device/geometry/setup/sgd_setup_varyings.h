/* SPDX-License-Identifier: MIT */
/*
 * Setup: computes the layout of a draw's pixel program inputs.
 */
#ifndef SGD_SETUP_VARYINGS_H
#define SGD_SETUP_VARYINGS_H

#include "common/sgd_arch.h"

struct sgd_state;
struct sgd_varyings;

/* Initializes *v from the draw's VARYINGS, the rasterizer's flat mask, and the outputs of the last
 * stage before the clipper.
 */
void sgd_varyings_init(struct sgd_varyings *v, const struct sgd_state *state);

#endif
