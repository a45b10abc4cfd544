/* SPDX-License-Identifier: MIT */
/*
 * Tests of the raster operations and the copy engine: the functions of one host level.
 */
#include "rop_test.h"
#include "pixel/rop/sgd_rop_warp.h"

extern const struct rop_level rop_level;

const struct rop_level rop_level = {
   .zs_test = sgd_zs_test,
   .color_write = sgd_color_write,
   .xfer_run = sgd_xfer_run,
};
