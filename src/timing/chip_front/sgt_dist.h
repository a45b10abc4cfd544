/* SPDX-License-Identifier: MIT */
/*
 * Work distributor (Lindholm et al. 2008, "Command processing", "SM controller", "Rasterization").
 * Vertex work and grids go to the TPCs in round-robin order. Pixels go to the TPC that owns their
 * screen tile. The distributor tracks the free resources of the SMs, and only sends work that fits.
 * It also balances vertex and pixel work, which is a task of the SM controllers in the paper.
 *
 * - vertex warps and warps of the later steps of their batch go to the SMs; their outputs (struct
 * sgt_plan_output) then go to setup in order
 * - workgroups of grids go to the SMs
 * - pixel warps go to the queue of their TPC, then to an SM, and then to the pixel output of the
 * TPC in the order of their start
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

/* State of one kind of work in a cycle: SGT_DIST_STARTED, or the reason why no warp has started. */
enum sgt_dist_state {
   SGT_DIST_STARTED, /* at least one warp has started */
   /* no allowed SM has a free warp slot, enough free threads and room for another workgroup */
   SGT_DIST_WARPS,
   SGT_DIST_REGISTERS, /* no allowed SM has enough free registers */
   SGT_DIST_SHARED,    /* no allowed SM has enough free shared memory */
   SGT_DIST_LIMIT,     /* the limit that balances vertex and pixel warps has been reached */
   /* too many vertex outputs wait for earlier outputs, or too many pixel warps of the TPC have not
    * been written to the ROPs yet
    */
   SGT_DIST_REORDER,
   SGT_DIST_BUSY,  /* the TPC or the SM is busy receiving another warp */
   SGT_DIST_STEP,  /* warps wait for the previous step of their batch */
   SGT_DIST_EMPTY, /* no work of this kind is available */
   SGT_DIST_STATES,
};

/* A workgroup that resides in an SM. */
struct sgt_dist_group {
   /* operation: index of the operation
    * group: index of the workgroup in the operation
    * left: number of warps that have not ended, or 0 if this entry is free
    */
   uint32_t operation, group, left;
   uint32_t shared; /* size of the workgroup's shared memory in bytes */
};

/* Resources of an SM. */
struct sgt_dist_sm {
   /* Free resources: number of warp slots, threads and registers, size of the shared memory in
    * bytes, and number of workgroups that can be added.
    */
   uint32_t warps, threads, registers, shared, groups;
   uint32_t used[SGT_DIST_KINDS]; /* number of resident warps of each kind */
   struct sgt_dist_group group[SGT_MAX_SM_GROUPS];
};

/* A ring buffer of warps, which are indices into work->warps. */
struct sgt_dist_ring {
   uint32_t *warps;
   /* first: index of the oldest warp; num: number of warps; room: capacity, a power of 2 */
   uint32_t first, num, room;
};

struct sgt_dist_tpc {
   struct sgt_dist_ring queue; /* pixel warps that are ready to start, oldest first */
   /* pixel warps that have started but have not been sent to the pixel output, in the order in
    * which they started
    */
   struct sgt_dist_ring order;
   uint32_t unwritten; /* number of pixel warps that have started but have not been written yet */
   /* index within the TPC of the SM that is tried first for the next warp */
   uint32_t next_sm;
};

struct sgt_dist_operation {
   /* pixels_left: number of pixel warps that have not been written yet
    * grid_left: number of warps of the grid that have not ended
    */
   uint32_t pixels_left, grid_left;
   /* begun: true if the operation has started
    * outputs_ended: true if all outputs have been sent to setup
    * raster_ended: true if the early tests have released all pixel warps
    * ended: true if the end of the operation has been reported to the host interface
    */
   bool begun, outputs_ended, raster_ended, ended;
};

/* This generated header must come after the enums above, which define the sizes of its arrays. */
#include "stats/sgt_dist_counters.h"

struct sgt_dist {
   struct sgt_unit unit;
   struct sgt_dist_params params;
   const struct sgt_plan *plan;
   /* Channels to other units, which are set by the chip. */
   /* channel from the input assembler, for vertex warps and starts of operations */
   struct sgt_channel *orders;
   struct sgt_channel *releases; /* channel from the early tests, for pixel warps that can start */
   struct sgt_channel *setup;    /* channel to setup, for outputs */
   /* channel to the early tests, for draws with late tests that have ended */
   struct sgt_channel *late;
   /* channel to the host interface, for operations that have ended */
   struct sgt_channel *ended;
   /* channels to the SMs, ordered by TPC, for warps to start */
   struct sgt_channel *launch[SGT_MAX_SMS];
   struct sgt_channel *done[SGT_MAX_SMS]; /* channels from the SMs, for warps that have ended */
   /* channels to the pixel outputs, for pixel warps that have ended */
   struct sgt_channel *outputs[SGT_MAX_TPCS];
   /* channels from the pixel outputs, for pixel warps that have been written */
   struct sgt_channel *written[SGT_MAX_TPCS];

   /* fault injection for tests of --verify: if set, pixel warps are sent to the pixel output in the
    * order in which they end
    */
   bool unordered;
   /* num_sms: number of SMs; tile_log2: log2 of the width of a screen tile in pixels */
   uint32_t num_sms, tile_log2;
   struct sgt_dist_sm *sms;
   struct sgt_dist_tpc *tpcs;
   struct sgt_dist_operation *operations;
   uint64_t *warp_ended; /* bitmask of the warps that have ended */
   /* time in ticks when each warp was last queued, started or ended */
   uint64_t *since;
   uint32_t *step_started; /* number of warps of each step that have started */
   uint32_t *step_ended;   /* number of warps of each step that have ended */
   uint64_t busy_tpcs;     /* bitmask of the TPCs that have received a warp in this cycle */

   /* The following members are for vertex work. */
   /* indices of the steps that can start, in ascending order; vertex stage steps are not included
    */
   uint32_t *ready_steps;
   /* num_ready: number of entries of ready_steps; room_ready: its capacity */
   uint32_t num_ready, room_ready;
   uint32_t next_output; /* index into plan->outputs of the next output to send to setup */
   /* Number of started warps whose outputs must be kept, because they have not been sent to setup,
    * or because the step that reads them has not ended.
    */
   uint32_t held;
   /* index of the TPC that gets the next warp of each kind */
   uint32_t next_tpc[SGT_DIST_KINDS];

   /* The following members are for grids that have warps to start. */
   uint32_t *grids; /* ring buffer of operation indices, in program order */
   /* first_grid: index of the oldest grid
    * num_grids: number of grids
    * room_grids: capacity of the ring buffer
    */
   uint32_t first_grid, num_grids, room_grids;
   uint32_t grid_warp; /* index of the next warp of the oldest grid */
   uint32_t group_sm;  /* index of the SM that receives the current workgroup */
   /* index after the last warp of the current workgroup, or the value of grid_warp if no workgroup
    * is being started
    */
   uint32_t group_end;

   uint32_t *ending; /* operations that have started but whose end has not been reported yet */
   uint32_t num_ending;
   uint32_t open; /* number of operations that have started but not ended */

   struct sgt_unit_states states[SGT_DIST_KINDS];
   struct sgt_dist_counters counters;
   uint64_t *tpc_warps;   /* [tpcs][SGT_DIST_KINDS]: number of warps that have started */
   char (*tpc_names)[16]; /* name of the statistic of each TPC */
};

/* Adds the distributor to the scheduler. The caller must set the channels before the simulation
 * starts. `operations` is the maximum number of operations in flight. If memory runs out, or if a
 * warp or workgroup doesn't fit in an SM, writes a message to `error` and returns false.
 */
bool sgt_dist_init(struct sgt_dist *d, struct sgt_sched *sched, const struct sgt_clock *clock,
                   const struct sgt_dist_params *params, uint32_t operations,
                   const struct sgt_plan *plan, char *error, size_t error_size);
void sgt_dist_finish(struct sgt_dist *d);
/* Returns true if no warps or operations are in flight. */
bool sgt_dist_idle(const struct sgt_dist *d);
/* Dumps the state of the distributor, and the warps and operations in flight. */
void sgt_dist_dump(const struct sgt_dist *d, struct sgt_dump *dump);
/* Adds the statistics of a simulation that took `cycles` cycles of the unit's clock. The unit must
 * outlive `stats`.
 */
void sgt_dist_register(struct sgt_dist *d, uint64_t cycles, struct sgt_stats *stats);

/* Returns the TPC that owns a pixel. */
static inline uint32_t
sgt_dist_pixel_tpc(const struct sgt_dist *d, uint32_t x, uint32_t y)
{
   return ((x >> d->tile_log2) + d->params.tile_skew * (y >> d->tile_log2)) % d->params.tpcs;
}

/* Functions in sgt_dist_room.c, which tracks the resources of the SMs */

/* Resources that a warp needs in addition to a warp slot and 32 threads: number of registers, and
 * size of shared memory in bytes.
 */
struct sgt_dist_need {
   uint32_t registers, shared;
};
struct sgt_dist_need sgt_dist_need(const struct sgt_dist *d, uint32_t warp);
/* Returns SGT_DIST_STARTED if the SM can start the warp now, or the reason why it can't. `waits` is
 * true if a warp of the other kind (vertex or pixel) waits for the same TPC.
 */
enum sgt_dist_state sgt_dist_room(const struct sgt_dist *d, uint32_t sm, uint32_t warp,
                                  enum sgt_dist_kind kind, bool waits, uint64_t now);
/* Returns SGT_DIST_STARTED if the SM has room for a whole workgroup of `num` warps with `shared`
 * bytes of shared memory, or the reason why it can't start the workgroup.
 */
enum sgt_dist_state sgt_dist_group_room(const struct sgt_dist *d, uint32_t sm, uint32_t warp,
                                        uint32_t num, uint32_t shared);
/* Allocates the resources of a workgroup. Its warps are then started one by one. */
void sgt_dist_begin_group(struct sgt_dist *d, uint32_t sm, uint32_t warp, uint32_t num,
                          uint32_t shared);
/* Starts a warp. The caller must have checked that the SM has room. */
void sgt_dist_start(struct sgt_dist *d, uint32_t sm, uint32_t warp, enum sgt_dist_kind kind,
                    uint64_t now);
/* Releases the resources of a warp that has ended. */
void sgt_dist_free(struct sgt_dist *d, uint32_t sm, uint32_t warp, enum sgt_dist_kind kind);
enum sgt_dist_kind sgt_dist_warp_kind(const struct sgt_dist *d, uint32_t warp);
/* Returns the number of warps of the workgroup whose first warp is `warp`. */
uint32_t sgt_dist_group_warps(const struct sgt_plan *plan, uint32_t warp);
/* Checks that each warp and each workgroup of the plan fits in an empty SM. If not, writes a
 * message to `error` and returns false.
 */
bool sgt_dist_check_work(const struct sgt_dist *d, char *error, size_t error_size);

/* Functions in sgt_dist_start.c, which start warps in a cycle. `now` is the time of the cycle in
 * ticks. Each function returns the state of its kind of work, and sets *more if another warp may
 * start in the next cycle.
 */
enum sgt_dist_state sgt_dist_run_vertices(struct sgt_dist *d, uint64_t now, bool *more);
enum sgt_dist_state sgt_dist_run_pixels(struct sgt_dist *d, uint64_t now, bool *more);
enum sgt_dist_state sgt_dist_run_grids(struct sgt_dist *d, uint64_t now, bool *more);
/* Returns the next warp of a stage before the pixel stage that can start, or SGT_NONE. */
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
