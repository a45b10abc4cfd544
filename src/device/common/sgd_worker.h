/* SPDX-License-Identifier: MIT */
/*
 * A worker: a host thread that executes any kind of work (command processor, front end, raster
 * engine, copy engine), with scratch memory for each kind.
 */
#ifndef SGD_WORKER_H
#define SGD_WORKER_H

#include <stdatomic.h>

#include "common/sgd_position.h"
#include "common/sgd_shader.h"
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

/* Entry points of the engines, with one table per host level (src/device/meson.build). */
struct sgd_arch_ops {
   /* Runs a batch through index fetch, vertex programs, clipping, setup and binning. */
   void (*front)(struct sgd_worker *worker, struct sgd_batch *batch);
   /* Rasterizes a tile list: coverage, early depth, pixel programs, late depth, ROP. Adds the
    * tile's contribution to *stats. `waiting` points to the waiting fragments of the tile, or is
    * NULL.
    *
    * Between the first list with waiting fragments and the `shade` call for the last such list, the
    * worker may only rasterize lists of this tile, and all their draws must write the same colour
    * targets, or none.
    */
   void (*raster)(struct sgd_worker *worker, const struct sgd_batch *batch,
                  const struct sgd_tile_list *tile, struct sgd_stats *stats,
                  struct sgd_waiting *waiting);
   /* Shades the waiting fragments in records [first, end) of the list, unless later fragments have
    * replaced them.
    */
   void (*shade)(struct sgd_worker *worker, const struct sgd_batch *batch,
                 const struct sgd_tile_list *tile, struct sgd_stats *stats,
                 struct sgd_waiting *waiting, uint32_t first, uint32_t end);
   /* Executes a transfer (clear, copy or blit) inside `rect` of the destination. */
   void (*xfer)(struct sgd_worker *worker, const struct sgd_xfer *xfer,
                const struct SGPU_RECT *rect, unsigned layer);
   /* Runs `count` workgroups of a grid in order, starting at workgroup `first`. Adds to *stats. */
   void (*compute)(struct sgd_worker *worker, const struct sgd_compute *grid, uint64_t first,
                   uint64_t count, struct sgd_stats *stats);
   /* Tests and writes fragments whose depths and colours are already known. */
   void (*replay)(struct sgd_worker *worker, const struct sgd_replay *replay);
   /* Execute the code that sgd_decode() produces. */
   sgd_execute_fn *interpret, *warm_up, *run_translated;
   bool avx512; /* machine code of programs may use AVX-512 */
};
extern const struct sgd_arch_ops sgd_arch_ops_v2, sgd_arch_ops_v3, sgd_arch_ops_v4;
extern const struct sgd_arch_ops sgd_arch_ops_observed;

/* Declarations of the same functions, for callers that are compiled for the same host level. */
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
   void *front;   /* scratch memory of geometry/front, or NULL before the first use */
   void *raster;  /* scratch memory of pixel/raster, or NULL before the first use */
   void *compute; /* scratch memory of shader/compute, or NULL before the first use */
   /* inputs and outputs of the running tessellation or geometry warp, or NULL */
   struct sgd_stage_io *stage_io;
   /* functions for interpolation and target reads of the running pixel warp, or NULL */
   const struct sgd_pixel_io *pixel_io;
   /* observer's records of operations; NULL if the device is not observed */
   struct sgd_observation *observation;
   struct sgd_work_observation *work; /* observer's records of work; NULL if work is not observed */
   void (*front_free)(void *), (*raster_free)(void *), (*compute_free)(void *);
   /* Set if no other worker accesses memory that programs write. The dispatch unit sets this for
    * each piece of work.
    */
   bool alone;
   /* Number of instructions that a warp may issue, set by the dispatch unit for each piece of work.
    * The watchdog thread may set it to 0 at any time. Warps then stop if `operation` equals
    * `overdue`; otherwise, the limit is restored from `armed` (see stops() in sgd_interp.c).
    */
   uint64_t watchdog;
   uint64_t armed;
   _Atomic uint64_t operation, overdue;
   struct sgd_stop_info stop; /* reason why work was stopped; cleared by the dispatch unit */
   uint64_t counters[SGPU_WORKER_COUNTERS];
   bool engine; /* set if the current piece of work occupies a raster engine */
   struct sgd_position position;
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
