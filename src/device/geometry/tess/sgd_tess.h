/* SPDX-License-Identifier: MIT */
/*
 * Tessellation stages. The control program runs once per output vertex of a patch; the invocations
 * of a patch are consecutive lanes of one warp. The evaluation program runs for the vertices that
 * the tessellator generates, with up to 32 vertices per warp, which can belong to several patches.
 */
#ifndef SGD_TESS_H
#define SGD_TESS_H

#include "geometry/front/sgd_front_stage.h"
#include "common/sgd_arch.h"

struct sgd_front;
struct sgd_rest;

extern const struct sgd_front_stage_ops sgd_tess_ctrl_stage, sgd_tess_eval_stage;

/* Restores the state that the evaluation stage stored in `rest` at the end of another batch, and
 * frees `rest`. Must be called before the stages begin.
 */
void sgd_tess_resume(struct sgd_front *f, struct sgd_rest *rest);

#endif
