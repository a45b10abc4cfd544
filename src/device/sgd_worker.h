/* SPDX-License-Identifier: MIT */
/*
 * A worker: one host thread that takes any role (command processor, geometry,
 * raster engine, copy engine), with the scratch memory of each.
 */
#ifndef SGD_WORKER_H
#define SGD_WORKER_H

#include <stdatomic.h>

#include "sgd_shader.h"
#include "sgpu_counters.h"

struct sgd_batch;
struct sgd_compute;
struct sgd_observation;
struct sgd_replay;
struct sgd_stats;
struct sgd_tile_list;
struct sgd_waiting;
struct sgd_work_observation;
struct sgd_xfer;

/* The entry points of the engines, one table per host level (src/device/meson.build). */
struct sgd_arch_ops {
   /* Index fetch, vertex programs, clipping, setup and binning of a batch. */
   void (*front)(struct sgd_worker *worker, struct sgd_batch *batch);
   /* Rasterizes one tile's list: coverage, early depth, pixel programs, late
    * depth, ROP.  Adds the tile's part to *stats.  `waiting`: what waits in this tile, or
    * NULL; lists of the tile alone may come between the first that waits and `shade` of
    * the last, and their draws write the same colour targets or none.
    */
   void (*raster)(struct sgd_worker *worker, const struct sgd_batch *batch,
                  const struct sgd_tile_list *tile, struct sgd_stats *stats,
                  struct sgd_waiting *waiting);
   /* Shades those fragments of the list's records [first, end) that are still visible. */
   void (*shade)(struct sgd_worker *worker, const struct sgd_batch *batch,
                 const struct sgd_tile_list *tile, struct sgd_stats *stats,
                 struct sgd_waiting *waiting, uint32_t first, uint32_t end);
   /* Clears, copies, blits: the part of the operation inside `rect` of the
    * destination.
    */
   void (*xfer)(struct sgd_worker *worker, const struct sgd_xfer *xfer,
                const struct SGPU_RECT *rect, unsigned layer);
   /* Groups [first, first + count) of a grid, in order.  Adds to *stats. */
   void (*compute)(struct sgd_worker *worker, const struct sgd_compute *grid, uint64_t first,
                   uint64_t count, struct sgd_stats *stats);
   /* Tests and writes fragments whose depths and colours are known. */
   void (*replay)(struct sgd_worker *worker, const struct sgd_replay *replay);
   /* Executes the code of sgd_decode. */
   sgd_execute_fn *interpret, *warm_up, *run_translated;
};
extern const struct sgd_arch_ops sgd_arch_ops_v2, sgd_arch_ops_v3, sgd_arch_ops_v4;
extern const struct sgd_arch_ops sgd_arch_ops_observed;

/* Within a level. */
void sgd_front_run(struct sgd_worker *worker, struct sgd_batch *batch);
void sgd_raster_run(struct sgd_worker *worker, const struct sgd_batch *batch,
                    const struct sgd_tile_list *tile, struct sgd_stats *stats,
                    struct sgd_waiting *waiting);
void sgd_raster_shade(struct sgd_worker *worker, const struct sgd_batch *batch,
                      const struct sgd_tile_list *tile, struct sgd_stats *stats,
                      struct sgd_waiting *waiting, uint32_t first, uint32_t end);
void sgd_xfer_run(struct sgd_worker *worker, const struct sgd_xfer *xfer,
                  const struct SGPU_RECT *rect, unsigned layer);
void sgd_compute_run(struct sgd_worker *worker, const struct sgd_compute *grid, uint64_t first,
                     uint64_t count, struct sgd_stats *stats);
void sgd_replay_run(struct sgd_worker *worker, const struct sgd_replay *replay);

struct sgd_worker {
   unsigned index;
   struct sgd_core *core;
   void *front;                         /* src/device/front's scratch, made at first use */
   void *raster;                        /* src/device/raster's */
   void *compute;                       /* src/device/compute's */
   struct sgd_stage_io *stage_io;       /* of the geometry warp in execution, or NULL */
   const struct sgd_pixel_io *pixel_io; /* of the pixel warp, or NULL */
   struct sgd_observation *observation; /* NULL: the device is not observed */
   struct sgd_work_observation *work;   /* NULL: work is not observed */
   void (*front_free)(void *), (*raster_free)(void *), (*compute_free)(void *);
   bool alone; /* no other worker reaches the memory that programs write; the
                                   * dispatch unit sets it likewise */
   /* Instructions a warp may issue; the dispatch unit sets it for each piece of work.  0, at any
    * time, by the watch of time: warps of `operation` are to stop if that is `overdue`, and others
    * have `armed` again (sgd_warp_stops).
    */
   uint64_t watchdog;
   uint64_t armed;
   _Atomic uint64_t operation, overdue;
   struct sgd_stop_info stop; /* cleared by the dispatch unit */
   uint64_t counters[SGPU_WORKER_COUNTERS];
   bool engine; /* its piece of work occupied a raster engine */
};

static inline uint64_t
sgd_worker_watchdog(const struct sgd_worker *worker)
{
   return __atomic_load_n(&worker->watchdog, __ATOMIC_RELAXED);
}

static inline void
sgd_worker_arm(struct sgd_worker *worker, uint64_t watchdog)
{
   worker->armed = watchdog;
   __atomic_store_n(&worker->watchdog, watchdog, __ATOMIC_RELAXED);
}

#endif
