/* SPDX-License-Identifier: MIT */
/*
 * Tests of the evaluation of planes: the functions of one host level.
 */
#include "planes.h"

extern const struct planes_level planes_level;

const struct planes_level planes_level = {
   .lane_positions = sgd_lane_positions,
   .lane_window = sgd_lane_window,
   .eval_plane = sgd_eval_plane,
   .interpolate = sgd_interpolate,
};
