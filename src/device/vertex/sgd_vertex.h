/* SPDX-License-Identifier: MIT */
/*
 * Vertex stage: the vertices of a batch, 32 at a time, through fetch and the
 * vertex program.
 */
#ifndef SGD_VERTEX_H
#define SGD_VERTEX_H

#include "front/sgd_front_stage.h"
#include "sgd_arch.h"

extern const struct sgd_front_stage_ops sgd_vertex_stage;

#endif
