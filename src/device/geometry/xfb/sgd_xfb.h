/* SPDX-License-Identifier: MIT */
/*
 * Transform feedback: writes a batch's recorded primitives to the buffers.
 *
 * The front end records primitives in the batch's arena (sgd_xfb_record.h). When batches
 * are put in order, sgd_xfb_place() assigns each batch its place in the buffers. Then a
 * worker copies the primitives there with sgd_xfb_write().
 */
#ifndef SGD_XFB_H
#define SGD_XFB_H

#include "common/sgd_xfb_state.h"

struct sgd_batch;

/* Fills in *st. Returns an error message, or NULL on success. */
const char *sgd_xfb_prepare(struct sgd_xfb_state *st, const struct sgd_xfb_config *config);

/* Assigns the batch its place in the buffers and advances the counters. The caller must
 * pass batches in order and prevent other writes to the counters.
 */
void sgd_xfb_place(struct sgd_batch *batch);

/* Copies the primitives that fit into the buffers. */
void sgd_xfb_write(const struct sgd_batch *batch);

#endif
