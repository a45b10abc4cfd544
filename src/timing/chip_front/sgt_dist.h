/* SPDX-License-Identifier: MIT */
/*
 * Work distribution (Lindholm et al. 2008, "Command processing", "SM controller", "Rasterization").
 * Vertex work and grids are sent to the TPCs round robin. Pixels are sent to the TPC of their tile
 * of the screen. The unit tracks the free resources of the SMs, so it sends only work that fits. It
 * also replaces the part of the SM controllers that balances vertices and pixels.
 *
 *    vertex warps -->  SMs  --> outputs in order --> setup
 *    steps that follow -^
 *    grids, whole workgroups -^
 *    pixel warps --> queue of a TPC -->  SMs  --> order of the TPC --> pixel output
 */
#ifndef SGT_DIST_H
#define SGT_DIST_H

#include "kernel/sgt_channel.h"
#include "params/sgt_dist_params.h"
#include "chip_front/sgt_front_ports.h"
#include "chip_sm/sgt_sm_ports.h"
#include "chip_front/sgt_unit_states.h"

#define SGT_MAX_SMS (SGT_MAX_TPCS * SGT_MAX_TPC_SMS)

struct sgt_dump;
struct sgt_stats;

enum sgt_dist_kind { SGT_DIST_KIND_VERTEX, SGT_DIST_KIND_PIXEL, SGT_DIST_KIND_GRID };
#define SGT_DIST_KINDS 3

/* State of one kind of work in a cycle: a warp has started, or the reason why none has. */
enum sgt_dist_state {
   SGT_DIST_STARTED,   /* at least one warp has started */
   SGT_DIST_WARPS,     /* no allowed SM has a free warp, thread or workgroup */
   SGT_DIST_REGISTERS, /* no allowed SM has enough free registers */
   SGT_DIST_SHARED,    /* no allowed SM has enough free shared memory */
   SGT_DIST_LIMIT,     /* the limit for the balance of vertices and pixels is reached */
   /* too many outputs wait for earlier ones; for pixels, too many warps of the TPC are not written
    */
   SGT_DIST_REORDER,
   SGT_DIST_BUSY,  /* the TPC or the SM is receiving another warp */
   SGT_DIST_STEP,  /* warps wait for the previous step of their batch */
   SGT_DIST_EMPTY, /* there is no work of this kind */
   SGT_DIST_STATES,
};

/* A workgroup in a SM. */
struct sgt_dist_group {
   /* index of the operation; number of the workgroup in it; number of warps that have not ended, or
    * 0 if the element is free
    */
   uint32_t operation, group, left;
   uint32_t shared; /* size of its shared memory in bytes */
};

/* Resources of a SM. */
struct sgt_dist_sm {
   /* free warps, threads, registers, bytes of shared memory and workgroups */
   uint32_t warps, threads, registers, shared, groups;
   uint32_t used[SGT_DIST_KINDS]; /* number of running warps of each kind */
   struct sgt_dist_group group[SGT_MAX_SM_GROUPS];
};

/* A ring of warps, which are indices in the work. */
struct sgt_dist_ring {
   uint32_t *warps;
   /* index of the oldest warp; number of warps; size of the ring, a power of 2 */
   uint32_t first, num, room;
};

struct sgt_dist_tpc {
   struct sgt_dist_ring queue; /* pixel warps that can start, oldest first */
   /* pixel warps that have started and are not passed on, in the order of their start */
   struct sgt_dist_ring order;
   uint32_t unwritten; /* number of pixel warps that have started and are not written */
   uint32_t next_sm;   /* SM of the TPC that is considered first for the next warp */
};

struct sgt_dist_operation {
   /* number of pixel warps that are not written; number of warps of a grid that have not ended */
   uint32_t pixels_left, grid_left;
   /* The operation has started; all of its outputs were sent to setup; all of its pixel warps were
    * released by early tests; its end was reported to the host interface.
    */
   bool begun, outputs_ended, raster_ended, ended;
};

/* This file is generated. Its arrays have the sizes of the enums above. */
#include "stats/sgt_dist_counters.h"

struct sgt_dist {
   struct sgt_unit unit;
   struct sgt_dist_params params;
   const struct sgt_plan *plan;
   /* Channels to other units, which the chip sets. */
   /* vertex warps and starts of operations, from the input assembler */
   struct sgt_channel *orders;
   struct sgt_channel *releases; /* pixel warps that can start, from early tests */
   struct sgt_channel *setup;    /* outputs, to setup */
   /* draws with late tests that have ended, to early tests */
   struct sgt_channel *late;
   /* operations that have ended, to the host interface */
   struct sgt_channel *ended;
   struct sgt_channel *launch[SGT_MAX_SMS]; /* warps to start, to the SMs in order of the TPCs */
   struct sgt_channel *done[SGT_MAX_SMS];   /* warps that have ended, from the SMs */
   /* pixel warps that have ended, to the pixel outputs */
   struct sgt_channel *outputs[SGT_MAX_TPCS];
   /* pixel warps that are written, from the pixel outputs */
   struct sgt_channel *written[SGT_MAX_TPCS];

   /* for tests of --verify: pixel warps are passed on in the order in which they end */
   bool unordered;
   uint32_t num_sms, tile_log2; /* number of SMs; log2 of the width of a tile in pixels */
   struct sgt_dist_sm *sms;
   struct sgt_dist_tpc *tpcs;
   struct sgt_dist_operation *operations;
   uint64_t *warp_ended; /* bit mask of the warps that have ended */
   /* for each warp: tick at which it was queued, started or ended, whichever was last */
   uint64_t *since;
   uint32_t *step_started; /* number of warps of each step that have started */
   uint32_t *step_ended;   /* number of warps of each step that have ended */
   uint64_t busy_tpcs;     /* bit mask of the TPCs that have received a warp in this cycle */
   uint64_t full_tpcs;     /* bit mask of the TPCs whose order is full; not used */

   /* Vertex work. */
   /* steps that can start, ascending; steps of the vertex stage are not included */
   uint32_t *ready_steps;
   uint32_t num_ready, room_ready; /* number of elements of ready_steps; allocated elements */
   uint32_t next_output;           /* index in the plan of the next output that goes to setup */
   /* number of started warps whose outputs were neither sent to setup nor read by an ended step */
   uint32_t held;
   uint32_t next_tpc[SGT_DIST_KINDS]; /* TPC whose turn is next, for each kind */

   /* Grids that have warps to start, in order. */
   uint32_t *grids; /* ring of operations */
   /* index of the oldest grid; number of grids; size of the ring */
   uint32_t first_grid, num_grids, room_grids;
   uint32_t grid_warp; /* next warp of the oldest grid */
   uint32_t group_sm;  /* SM that receives the present workgroup */
   /* end of the workgroup's warps; if equal to grid_warp, no workgroup is being started */
   uint32_t group_end;

   uint32_t *ending; /* operations that have started and whose end is not reported */
   uint32_t num_ending;
   uint32_t open; /* number of operations that have started and not ended */

   struct sgt_unit_states states[SGT_DIST_KINDS];
   struct sgt_dist_counters counters;
   uint64_t *tpc_warps;   /* [tpcs][SGT_DIST_KINDS]: number of started warps */
   char (*tpc_names)[16]; /* name of each TPC's statistic */
};

/* Adds the unit to the scheduler. The caller sets the channels before the unit's first call.
 * `operations` is the maximum number of operations that have started and not ended. Returns false
 * and writes a message if out of memory, or if a warp or workgroup fits no SM.
 */
bool sgt_dist_init(struct sgt_dist *d, struct sgt_sched *sched, const struct sgt_clock *clock,
                   const struct sgt_dist_params *params, uint32_t operations,
                   const struct sgt_plan *plan, char *error, size_t error_size);
void sgt_dist_finish(struct sgt_dist *d);
/* Returns true if no work is under way. */
bool sgt_dist_idle(const struct sgt_dist *d);
/* Writes what the unit has under way. */
void sgt_dist_dump(const struct sgt_dist *d, struct sgt_dump *dump);
/* Adds the statistics after a run of `cycles` of the unit's clock. The unit must outlive the
 * statistics.
 */
void sgt_dist_register(struct sgt_dist *d, uint64_t cycles, struct sgt_stats *stats);

/* Returns the TPC of a pixel. */
static inline uint32_t
sgt_dist_pixel_tpc(const struct sgt_dist *d, uint32_t x, uint32_t y)
{
   return ((x >> d->tile_log2) + d->params.tile_skew * (y >> d->tile_log2)) % d->params.tpcs;
}

/* The following functions track the resources of the SMs (sgt_dist_room.c). */

/* Resources that a warp needs in addition to a warp and 32 threads: registers, and bytes of shared
 * memory.
 */
struct sgt_dist_need {
   uint32_t registers, shared;
};
struct sgt_dist_need sgt_dist_need(const struct sgt_dist *d, uint32_t warp);
/* Checks if a SM can start a warp now. Returns SGT_DIST_STARTED if it can, and otherwise the
 * reason. `waits` says that a warp of the other kind waits for the TPC.
 */
enum sgt_dist_state sgt_dist_room(const struct sgt_dist *d, uint32_t sm, uint32_t warp,
                                  enum sgt_dist_kind kind, bool waits, uint64_t now);
/* Checks if a SM can start a whole workgroup of `num` warps with `shared` bytes of shared memory.
 * Returns SGT_DIST_STARTED if it can, and otherwise the reason.
 */
enum sgt_dist_state sgt_dist_group_room(const struct sgt_dist *d, uint32_t sm, uint32_t warp,
                                        uint32_t num, uint32_t shared);
/* Allocates the resources of a workgroup, whose warps are then started one by one. */
void sgt_dist_begin_group(struct sgt_dist *d, uint32_t sm, uint32_t warp, uint32_t num,
                          uint32_t shared);
/* Starts a warp. The caller has checked that its resources are free. */
void sgt_dist_start(struct sgt_dist *d, uint32_t sm, uint32_t warp, enum sgt_dist_kind kind,
                    uint64_t now);
/* Releases the resources of a warp that has ended. */
void sgt_dist_free(struct sgt_dist *d, uint32_t sm, uint32_t warp, enum sgt_dist_kind kind);
enum sgt_dist_kind sgt_dist_warp_kind(const struct sgt_dist *d, uint32_t warp);
/* Returns the number of warps of the workgroup that starts with `warp`. */
uint32_t sgt_dist_group_warps(const struct sgt_plan *plan, uint32_t warp);
/* Checks that each warp and workgroup fits an empty SM. Otherwise, returns false and writes a
 * message.
 */
bool sgt_dist_check_work(const struct sgt_dist *d, char *error, size_t error_size);

/* Start warps in a cycle (sgt_dist_start.c). `now` is the time of the tick. Each function returns
 * the state of its kind of work, and sets *more if another warp may start in the next cycle.
 */
enum sgt_dist_state sgt_dist_run_vertices(struct sgt_dist *d, uint64_t now, bool *more);
enum sgt_dist_state sgt_dist_run_pixels(struct sgt_dist *d, uint64_t now, bool *more);
enum sgt_dist_state sgt_dist_run_grids(struct sgt_dist *d, uint64_t now, bool *more);
/* Returns the first warp of vertex work that waits, or SGT_NONE. */
uint32_t sgt_dist_next_vertex(const struct sgt_dist *d, uint64_t now);

static inline uint32_t
sgt_ring_at(const struct sgt_dist_ring *r, uint32_t i)
{
   return r->warps[(r->first + i) & (r->room - 1)];
}

static inline void
sgt_ring_push(struct sgt_dist_ring *r, uint32_t warp)
{
   r->warps[(r->first + r->num++) & (r->room - 1)] = warp;
}

static inline uint32_t
sgt_ring_pop(struct sgt_dist_ring *r)
{
   const uint32_t warp = r->warps[r->first];
   r->first = (r->first + 1) & (r->room - 1);
   r->num--;
   return warp;
}

#endif
