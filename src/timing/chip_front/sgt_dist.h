/* SPDX-License-Identifier: MIT */
/*
 * Work distribution (Lindholm et al. 2008, "Command processing", "SM controller",
 * "Rasterization"): vertex work and grids go round robin to the TPCs, pixels by their tile of
 * the screen.  The unit keeps the account of what the SMs have left, so it sends only what
 * fits, and it stands for the part of the SM controllers that balances vertices and pixels.
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

/* A kind of work in a cycle. */
enum sgt_dist_state {
   SGT_DIST_STARTED, /* at least one warp started */
   SGT_DIST_WARPS,   /* no SM that it may go to has a free warp, thread or group */
   SGT_DIST_REGISTERS,
   SGT_DIST_SHARED,
   SGT_DIST_LIMIT,   /* of the balance of vertices and pixels */
   SGT_DIST_REORDER, /* too many outputs wait for those before them; pixels: too many of the TPC
                      * are not written */
   SGT_DIST_BUSY,    /* the TPC or the SM takes another warp */
   SGT_DIST_STEP,    /* warps wait for the step before them */
   SGT_DIST_EMPTY,
   SGT_DIST_STATES,
};

struct sgt_dist_group {
   uint32_t operation, group, left; /* warps that have not ended; 0: free */
   uint32_t shared;
};

struct sgt_dist_sm {
   uint32_t warps, threads, registers, shared, groups; /* free */
   uint32_t used[SGT_DIST_KINDS];                      /* warps */
   struct sgt_dist_group group[SGT_MAX_SM_GROUPS];
};

/* A ring of warps. */
struct sgt_dist_ring {
   uint32_t *warps;
   uint32_t first, num, room; /* a power of 2 */
};

struct sgt_dist_tpc {
   struct sgt_dist_ring queue; /* pixel warps that can start */
   struct sgt_dist_ring order; /* that have started and are not passed on, by start */
   uint32_t unwritten;         /* pixel warps from start to the answer of the pixel output */
   uint32_t next_sm;
};

struct sgt_dist_operation {
   uint32_t pixels_left, grid_left; /* warps */
   bool begun, outputs_ended, raster_ended, ended;
};

/* Generated; its arrays have the sizes of the enums above. */
#include "stats/sgt_dist_counters.h"

struct sgt_dist {
   struct sgt_unit unit;
   struct sgt_dist_params params;
   const struct sgt_plan *plan;
   /* Of the chip. */
   struct sgt_channel *orders;                /* from the input assembler */
   struct sgt_channel *releases;              /* from early tests */
   struct sgt_channel *setup;                 /* to setup */
   struct sgt_channel *late;                  /* to early tests */
   struct sgt_channel *ended;                 /* to the host interface */
   struct sgt_channel *launch[SGT_MAX_SMS];   /* to the SMs, TPC by TPC */
   struct sgt_channel *done[SGT_MAX_SMS];     /* from the SMs */
   struct sgt_channel *outputs[SGT_MAX_TPCS]; /* to pixel outputs */
   struct sgt_channel *written[SGT_MAX_TPCS]; /* from pixel outputs */

   bool unordered; /* of tests: pixel warps go on as they end */
   uint32_t num_sms, tile_log2;
   struct sgt_dist_sm *sms;
   struct sgt_dist_tpc *tpcs;
   struct sgt_dist_operation *operations;
   uint64_t *warp_ended;   /* bits */
   uint64_t *since;        /* of each warp: tick of its start, or of its place in a queue */
   uint32_t *step_started; /* warps of each step */
   uint32_t *step_ended;
   uint64_t busy_tpcs; /* that have taken a warp in this cycle */
   uint64_t full_tpcs; /* for pixels: no place in the order */

   /* Vertex work. */
   uint32_t *ready_steps; /* without those of vertex warps, ascending */
   uint32_t num_ready, room_ready;
   uint32_t next_output;
   uint32_t held; /* warps whose outputs are kept */
   uint32_t next_tpc[SGT_DIST_KINDS];

   /* Grids, in order. */
   uint32_t *grids; /* ring of operations.operations */
   uint32_t first_grid, num_grids, room_grids;
   uint32_t grid_warp; /* the next warp of the first grid */
   uint32_t group_sm;  /* that has the begun workgroup */
   uint32_t group_end; /* behind its last warp; grid_warp == group_end: none is begun */

   uint32_t *ending; /* operations whose end is not told */
   uint32_t num_ending;
   uint32_t open; /* operations that have begun and not ended */

   struct sgt_unit_states states[SGT_DIST_KINDS];
   struct sgt_dist_counters counters;
   uint64_t *tpc_warps; /* [tpcs][SGT_DIST_KINDS]: started */
   char (*tpc_names)[16];
};

/* Adds the unit to the scheduler; the channels are set before its first call.
 * `operations`: most that have begun and not ended.  False, with a message: no memory, or a
 * warp or workgroup that no SM has room for.
 */
bool sgt_dist_init(struct sgt_dist *d, struct sgt_sched *sched, const struct sgt_clock *clock,
                   const struct sgt_dist_params *params, uint32_t operations,
                   const struct sgt_plan *plan, char *error, size_t error_size);
void sgt_dist_finish(struct sgt_dist *d);
/* Whether nothing is under way. */
bool sgt_dist_idle(const struct sgt_dist *d);
/* Writes what the unit has under way. */
void sgt_dist_dump(const struct sgt_dist *d, struct sgt_dump *dump);
/* After a run of `cycles` of the unit's clock; the unit must stay. */
void sgt_dist_register(struct sgt_dist *d, uint64_t cycles, struct sgt_stats *stats);

/* The TPC of a pixel. */
static inline uint32_t
sgt_dist_pixel_tpc(const struct sgt_dist *d, uint32_t x, uint32_t y)
{
   return ((x >> d->tile_log2) + d->params.tile_skew * (y >> d->tile_log2)) % d->params.tpcs;
}

/* sgt_dist_room.c: the account of the SMs. */

/* What a warp takes beside its warp and its threads. */
struct sgt_dist_need {
   uint32_t registers, shared;
};
struct sgt_dist_need sgt_dist_need(const struct sgt_dist *d, uint32_t warp);
/* Whether no room is there now: SGT_DIST_STARTED there is; else the reason.  `waits`: a warp of
 * the other kind waits for the TPC.
 */
enum sgt_dist_state sgt_dist_room(const struct sgt_dist *d, uint32_t sm, uint32_t warp,
                                  enum sgt_dist_kind kind, bool waits, uint64_t now);
/* The same of a whole workgroup of `num` warps. */
enum sgt_dist_state sgt_dist_group_room(const struct sgt_dist *d, uint32_t sm, uint32_t warp,
                                        uint32_t num, uint32_t shared);
/* Takes the room of a workgroup, whose warps are then started one after the other. */
void sgt_dist_begin_group(struct sgt_dist *d, uint32_t sm, uint32_t warp, uint32_t num,
                          uint32_t shared);
/* Starts a warp, for which there is room. */
void sgt_dist_start(struct sgt_dist *d, uint32_t sm, uint32_t warp, enum sgt_dist_kind kind,
                    uint64_t now);
/* Gives back what an ended warp had. */
void sgt_dist_free(struct sgt_dist *d, uint32_t sm, uint32_t warp, enum sgt_dist_kind kind);
enum sgt_dist_kind sgt_dist_warp_kind(const struct sgt_dist *d, uint32_t warp);
/* Of the workgroup that begins with `warp`: its warps. */
uint32_t sgt_dist_group_warps(const struct sgt_plan *plan, uint32_t warp);
/* Whether each warp and workgroup fits an empty SM; if not, false and a message. */
bool sgt_dist_check_work(const struct sgt_dist *d, char *error, size_t error_size);

/* sgt_dist_start.c: the starts of a cycle.  `now` of the tick; each returns the state of its
 * kind, and true in *more if another may start in the next cycle.
 */
enum sgt_dist_state sgt_dist_run_vertices(struct sgt_dist *d, uint64_t now, bool *more);
enum sgt_dist_state sgt_dist_run_pixels(struct sgt_dist *d, uint64_t now, bool *more);
enum sgt_dist_state sgt_dist_run_grids(struct sgt_dist *d, uint64_t now, bool *more);
/* The first vertex work that waits; SGT_NONE: there is none. */
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
