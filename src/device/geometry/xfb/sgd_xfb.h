/* SPDX-License-Identifier: MIT */
/*
 * Transform feedback: writes a batch's recorded primitives to the buffers. The front end records
 * primitives in the batch's arena (sgd_xfb_record.h). When batches are put in order,
 * sgd_xfb_place() assigns each batch its offsets in the buffers. A worker then copies the
 * primitives with sgd_xfb_write().
 */
#ifndef SGD_XFB_H
#define SGD_XFB_H

#include "common/sgd_xfb_state.h"

struct sgd_batch;

/* Computes the transform feedback state *st from the packets' values in *config. Returns an error
 * message, or NULL on success.
 */
const char *sgd_xfb_prepare(struct sgd_xfb_state *st, const struct sgd_xfb_config *config);

/* Assigns the batch its offsets in the buffers, and advances the byte counters. The caller must
 * pass batches in order, and prevent concurrent writes to the counters.
 */
void sgd_xfb_place(struct sgd_batch *batch);

/* Copies as many of the batch's recorded primitives as fit to the buffers. */
void sgd_xfb_write(const struct sgd_batch *batch);

#endif
