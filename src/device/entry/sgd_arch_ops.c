/* SPDX-License-Identifier: MIT */
/*
 * Table of the functions of the engines. The engines are compiled once for each host level, and
 * this table is the only symbol that each level exports, e.g. as sgd_arch_ops_v2 (see
 * level_object.py).
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
#ifdef __AVX512F__
   .avx512 = true,
#endif
};
