/* SPDX-License-Identifier: MIT */
/*
 * Geometry stage: runs the geometry program, with up to 32 invocations per warp, and passes the
 * emitted primitives on in order.
 */
#ifndef SGD_GEOMETRY_H
#define SGD_GEOMETRY_H

#include "geometry/front/sgd_front_stage.h"
#include "common/sgd_arch.h"

extern const struct sgd_front_stage_ops sgd_geometry_stage;

#endif
