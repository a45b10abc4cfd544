/* SPDX-License-Identifier: MIT */
/*
 * ROP: computes the decisions that depend only on the state, once per state.
 */
#ifndef SGD_ROP_H
#define SGD_ROP_H

#include <stdbool.h>

#include "common/sgd_state.h"

/* Computes state->plan.rop from the bound surfaces, the colour write masks, and the depth, stencil
 * and blend state.
 */
void sgd_rop_prepare(struct sgd_state *state);

/* Returns true if surfaces of this format can be render targets. */
bool sgd_rop_renders(enum pipe_format format);

/* Inputs of sgd_decide_zs(). */
struct sgd_early_key {
   bool zs_bound, depth_test, depth_write, stencil_test, stencil_write;
   bool bounds_test;
   bool ps_kill; /* set if the pixel program or the alpha test can discard pixels */
   bool ps_writes_depth, ps_writes_stencil, ps_writes_sample_mask, ps_writes_memory;
   bool ps_reads_zs; /* set if the pixel program reads the stored depth or stencil */
   bool ps_early_tests;
   bool alpha_to_coverage;
};
/* Decides whether depth and stencil are tested early or late. The result depends only on the key.
 */
struct sgd_zs_mode sgd_decide_zs(const struct sgd_early_key *key);

#endif
