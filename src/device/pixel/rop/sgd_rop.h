/* SPDX-License-Identifier: MIT */
/*
 * ROP: decisions that are made once for a state.
 */
#ifndef SGD_ROP_H
#define SGD_ROP_H

#include <stdbool.h>

#include "common/sgd_state.h"

/* Fills in state->plan.rop from the surfaces, the depth, stencil and blend state, and
 * color_write_mask.
 */
void sgd_rop_prepare(struct sgd_state *state);

/* Returns true if draws can render to surfaces of the format. */
bool sgd_rop_renders(enum pipe_format format);

/* Inputs of sgd_decide_zs. */
struct sgd_early_key {
   bool zs_bound, depth_test, depth_write, stencil_test, stencil_write;
   bool bounds_test;
   bool ps_kill; /* the program or the alpha test can drop pixels */
   bool ps_writes_depth, ps_writes_stencil, ps_writes_sample_mask, ps_writes_memory;
   bool ps_reads_zs; /* the program reads stored depth or stencil values */
   bool ps_early_tests;
   bool alpha_to_coverage;
};
/* Decides when depth and stencil are tested. This is a pure function. */
struct sgd_zs_mode sgd_decide_zs(const struct sgd_early_key *key);

#endif
