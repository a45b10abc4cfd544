/* SPDX-License-Identifier: MIT */
/*
 * Vertex stage: fetches the attributes of a batch's vertices, 32 vertices at a time, and runs the
 * vertex program.
 */
#ifndef SGD_VERTEX_H
#define SGD_VERTEX_H

#include "geometry/front/sgd_front_stage.h"
#include "common/sgd_arch.h"

extern const struct sgd_front_stage_ops sgd_vertex_stage;

#endif
