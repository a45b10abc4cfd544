/* SPDX-License-Identifier: MIT */
/*
 * Functions of a host level, for tests of the evaluation of planes.
 */
#ifndef PLANES_H
#define PLANES_H

#include "pixel/shading/sgd_interpolate.h"

struct planes_level {
   void (*lane_positions)(const struct sgd_pixels *, struct sgd_sample_pos, struct sgd_lane_pos *);
   void (*lane_window)(const struct sgd_pixels *, struct sgd_sample_pos, float x[SGD_WARP],
                       float y[SGD_WARP]);
   void (*eval_plane)(const struct sgd_pixels *, const struct sgd_lane_pos *, size_t offset,
                      float out[SGD_WARP]);
   void (*interpolate)(struct sgd_pixel_stage *, const struct sgd_pixels *,
                       const struct sgd_lane_pos *);
};

#endif
