/* SPDX-License-Identifier: MIT */
/*
 * Raster operations on pixel warps: depth and stencil, and colour.
 */
#ifndef SGD_ROP_WARP_H
#define SGD_ROP_WARP_H

#include <stdint.h>

#include "sgd_arch.h"
#include "sgd_quads.h"
#include "sgd_state.h"

struct sgd_vec;
struct sgd_worker;

/* The functions rely on state->rop (sgd_rop_prepare). */

/* Depth and stencil test and update of the lanes of `mask`, in quad order.
 * z: window depth per lane, neither clamped nor quantised. stencil_ref: per
 * lane (o[STEN] as integer), or NULL for the state's.  Returns the lanes that
 * pass.
 */
uint32_t sgd_zs_test(struct sgd_worker *worker, const struct sgd_state *state,
                     const struct sgd_quads *quads, const float z[SGD_WARP],
                     const uint32_t *stencil_ref, uint32_t mask);

/* Blends, masks, converts and stores the colours `out[SGPU_PO_COLR0 + n]` of
 * the lanes of `mask`, in quad order.
 */
void sgd_color_write(struct sgd_worker *worker, const struct sgd_state *state,
                     const struct sgd_quads *quads, const struct sgd_vec *out, uint32_t mask);

/* What target `target` of LDT stores at the quads of the mask, in the plane of
 * quads->sample.  state->rop has the codecs of targets that the pixel program reads.
 */
void sgd_target_fetch(const struct sgd_state *state, unsigned target, const struct sgd_quads *quads,
                      struct sgd_vec *out);

#endif
