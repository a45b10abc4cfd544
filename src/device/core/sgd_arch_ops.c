/* SPDX-License-Identifier: MIT */
/*
 * The engines' entry points at one host level.
 */
#include "sgd_arch.h"
#include "sgd_worker.h"

void sgd_front_run(struct sgd_worker *worker, struct sgd_batch *batch);
void sgd_raster_run(struct sgd_worker *worker, const struct sgd_batch *batch,
                    const struct sgd_tile_list *tile, struct sgd_stats *stats);
void sgd_xfer_run(struct sgd_worker *worker, const struct sgd_xfer *xfer,
                  const struct SGPU_RECT *rect, unsigned layer);

const struct sgd_arch_ops sgd_arch_ops_this = {
   .front = sgd_front_run,
   .raster = sgd_raster_run,
   .xfer = sgd_xfer_run,
   .run = sgd_shader_run,
};
