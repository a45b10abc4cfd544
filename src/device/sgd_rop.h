/* SPDX-License-Identifier: MIT */
/*
 * Raster operations on pixel warps: depth and stencil, and colour.
 */
#ifndef SGD_ROP_H
#define SGD_ROP_H

#include "sgd_shader.h"

/* Eight quads of one draw, tile and layer, in primitive order.  Lane 4q + i is
 * pixel (x + (i & 1), y + (i >> 1)) of quad q.
 */
struct sgd_quads {
   uint16_t x[SGD_QUADS], y[SGD_QUADS];   /* even, absolute */
   uint8_t count;                         /* quads in use */
   uint8_t front;                         /* bit q: quad of a front-facing primitive */
   bool block;                            /* one aligned 8x4 block, quad q its q-th: lanes are
                                           * contiguous in tiled surfaces, no pixel twice */
   bool distinct;                         /* no pixel is in two quads */
   uint8_t sample;                        /* the plane of the targets that is meant */
   uint16_t layer;
   uint32_t mask;                         /* covered lanes */
};

/* Depth and stencil test and update of the lanes of `mask`, in quad order.
 * z: window depth per lane, not yet clamped or quantised. stencil_ref: per
 * lane (o[STEN] as integer) or NULL for the state's.  Returns the lanes that
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

/* Fills state->rop from the surfaces, the depth, stencil and blend state, and
 * color_write_mask.  The functions above go by it.
 */
void sgd_rop_prepare(struct sgd_state *state);

/* Whether surfaces of the format can be targets of draws. */
bool sgd_rop_renders(enum pipe_format format);

/* The pure decision of when depth and stencil are tested; sgd_early.c. */
struct sgd_early_key {
   bool zs_bound, depth_test, depth_write, stencil_test, stencil_write;
   bool ps_kill;                   /* or the alpha test does */
   bool ps_writes_depth, ps_writes_stencil, ps_writes_sample_mask, ps_writes_memory;
   bool ps_early_tests;
   bool alpha_to_coverage;
};
struct sgd_zs_mode sgd_decide_zs(const struct sgd_early_key *key);

#endif
