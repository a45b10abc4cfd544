/* SPDX-License-Identifier: MIT */
/*
 * ROP: depth, stencil and colour operations for warps of pixels.
 */
#ifndef SGD_ROP_WARP_H
#define SGD_ROP_WARP_H

#include <stdint.h>

#include "common/sgd_arch.h"
#include "common/sgd_quads.h"
#include "common/sgd_state.h"

struct sgd_vec;
struct sgd_worker;

/* The functions below use state->plan.rop, which sgd_rop_prepare() has computed. */

/* Tests and updates depth and stencil for the lanes in `mask`, in quad order. z[] has the window
 * depths, neither clamped nor quantized. stencil_ref[] has a reference value per lane (o[STEN] as
 * integers), or is NULL to use the reference values of the state. Returns the lanes that pass.
 */
uint32_t sgd_zs_test(struct sgd_worker *worker, const struct sgd_state *state,
                     const struct sgd_quads *quads, const float z[SGD_WARP],
                     const uint32_t *stencil_ref, uint32_t mask);

/* Blends, masks and converts the colours out[SGPU_PO_COLR0 + n] of the lanes in `mask`, and stores
 * them in the render targets, in quad order.
 */
void sgd_color_write(struct sgd_worker *worker, const struct sgd_state *state,
                     const struct sgd_quads *quads, const struct sgd_vec *out, uint32_t mask);

/* Does the same for samples first to first + count - 1, which have the same colours. live[n] has the
 * lanes of sample first + n. Changes quads->sample.
 */
void sgd_color_write_samples(struct sgd_worker *worker, const struct sgd_state *state,
                             struct sgd_quads *quads, const struct sgd_vec *out,
                             const uint32_t *live, unsigned first, unsigned count);

/* Fetches the elements of render target `target` (numbered as in LDT) for the quads that have lanes
 * in quads->mask. Reads the sample plane of quads->sample. The pixel program must declare the
 * targets that it reads, so that state->plan.rop has their codecs.
 */
void sgd_target_fetch(const struct sgd_state *state, unsigned target, const struct sgd_quads *quads,
                      struct sgd_vec *out);

#endif
