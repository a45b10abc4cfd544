/* SPDX-License-Identifier: MIT */
/*
 * ROP: operations on pixel warps: depth and stencil, and colour.
 */
#ifndef SGD_ROP_WARP_H
#define SGD_ROP_WARP_H

#include <stdint.h>

#include "common/sgd_arch.h"
#include "common/sgd_quads.h"
#include "common/sgd_state.h"

struct sgd_vec;
struct sgd_worker;

/* The functions use state->plan.rop (see sgd_rop_prepare()). */

/* Tests and updates depth and stencil for the lanes of `mask`, in quad order. z[] are
 * window depths, neither clamped nor quantized. stencil_ref[] are reference values
 * (o[STEN] as integers), or NULL for those of the state. Returns the lanes that pass.
 */
uint32_t sgd_zs_test(struct sgd_worker *worker, const struct sgd_state *state,
                     const struct sgd_quads *quads, const float z[SGD_WARP],
                     const uint32_t *stencil_ref, uint32_t mask);

/* Blends, masks, converts and stores the colours out[SGPU_PO_COLR0 + n] for the lanes of
 * `mask`, in quad order.
 */
void sgd_color_write(struct sgd_worker *worker, const struct sgd_state *state,
                     const struct sgd_quads *quads, const struct sgd_vec *out, uint32_t mask);

/* Fetches the elements of target `target` (as LDT counts them) at the quads of the mask,
 * in the plane of quads->sample. state->plan.rop has the codecs of the targets that the pixel
 * program reads.
 */
void sgd_target_fetch(const struct sgd_state *state, unsigned target, const struct sgd_quads *quads,
                      struct sgd_vec *out);

#endif
