/* SPDX-License-Identifier: MIT */
/*
 * The engines' entry points at one host level.
 */
#include "sgd_arch.h"
#include "sgd_worker.h"

const struct sgd_arch_ops sgd_arch_ops_this = {
   .front = sgd_front_run,
   .raster = sgd_raster_run,
   .xfer = sgd_xfer_run,
};
