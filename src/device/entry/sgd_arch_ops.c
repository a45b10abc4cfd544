/* SPDX-License-Identifier: MIT */
/*
 * Entry points of the engines, compiled once per host level. The table is the only exported symbol
 * of each level, e.g. sgd_arch_ops_v2 (level_object.py).
 */
#include "common/sgd_worker.h"

extern const struct sgd_arch_ops sgd_arch_ops;
sgd_execute_fn sgd_interpret, sgd_warm_up, sgd_run_translated;

const struct sgd_arch_ops sgd_arch_ops = {
   .front = sgd_front_run,
   .raster = sgd_raster_run,
   .shade = sgd_raster_shade,
   .xfer = sgd_xfer_run,
   .compute = sgd_compute_run,
   .replay = sgd_replay_run,
   .interpret = sgd_interpret,
   .warm_up = sgd_warm_up,
   .run_translated = sgd_run_translated,
};
