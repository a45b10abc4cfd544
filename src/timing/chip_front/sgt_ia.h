/* SPDX-License-Identifier: MIT */
/*
 * Host interface and input assembler (Lindholm et al. 2008, "Command processing").
 *
 * The host interface starts operations in program order, and takes `command` cycles for each. An
 * operation is a barrier if it depends on an operation that has not ended (sgt_plan_depends). It
 * waits until the chip is idle, then for `flush` cycles, and then until the ROPs have written back
 * their caches. All other operations start while earlier operations are still running.
 *
 * The input assembler prefetches the inputs of a draw's vertex warps. After the lines of a warp
 * have arrived, it assembles the scalars and the primitives of the warp in parallel. The slower of
 * the two determines the number of cycles.
 */
#ifndef SGT_IA_H
#define SGT_IA_H

#include "kernel/sgt_channel.h"
#include "chip_front/sgt_front_ports.h"
#include "stats/sgt_ia_counters.h"
#include "params/sgt_ia_params.h"
#include "chip_front/sgt_unit_states.h"

struct sgt_dump;
struct sgt_stats;

enum sgt_ia_host_state {
   SGT_IA_HOST_COMMAND, /* processes the command of an operation */
   SGT_IA_HOST_WARPS,   /* passes a vertex warp to the input assembler */
   /* has a vertex warp to pass on, but the limit of warps in flight has been reached */
   SGT_IA_HOST_AHEAD,
   SGT_IA_HOST_BARRIER, /* waits at a barrier until the chip is idle */
   /* the chip is idle, but the flush cycles or the write-back of the barrier have not finished */
   SGT_IA_HOST_FLUSH,
   SGT_IA_HOST_OPERATIONS, /* the limit of operations in flight has been reached */
   SGT_IA_HOST_TRANSFER,   /* the queue of the transfer unit is full */
   SGT_IA_HOST_END,        /* all operations have started */
   SGT_IA_HOST_STATES,
};

enum sgt_ia_state {
   SGT_IA_ASSEMBLE, /* assembles the scalars or primitives of a warp */
   SGT_IA_ORDER,    /* forwards the start of an operation */
   SGT_IA_MEMORY,   /* waits for the lines of the oldest warp */
   SGT_IA_FULL,     /* the queue of the distributor is full */
   SGT_IA_EMPTY,    /* no warps are queued */
   SGT_IA_STATES,
};

/* An entry of the input assembler: a vertex warp, or the start of an operation. */
struct sgt_ia_entry {
   uint32_t number; /* index of the operation if `begins` is set, index of the warp otherwise */
   bool begins;     /* true if the entry is the start of an operation */
   /* unsent: number of lines that have not been requested yet
    * unanswered: number of lines that have not arrived yet
    */
   uint32_t unsent, unanswered;
   /* scalars: number of input scalars of the warp
    * primitives: number of primitives of the warp
    */
   uint32_t scalars, primitives;
};

struct sgt_chip_observer;

struct sgt_ia {
   struct sgt_unit unit;
   struct sgt_ia_params params;
   const struct sgt_plan *plan;
   /* Channels to other units. The chip connects their other ends. */
   /* channel to the distributor, for vertex warps and starts of operations */
   struct sgt_channel *orders;
   /* channels from the distributor [0] and the transfer unit [1], for operations that have ended */
   struct sgt_channel *ended[2];
   /* channel to the transfer unit, for operations and write-backs of the ROP caches */
   struct sgt_channel *transfers;
   struct sgt_channel *requests;  /* channel for requests to memory (struct sgt_mem_request) */
   struct sgt_channel *responses; /* channel for responses from memory (struct sgt_mem_response) */
   uint16_t client;               /* ID of the input assembler as a client of the memory system */
   /* fault injection for tests of --verify: if set, no operation is treated as a barrier */
   bool no_barriers;
   /* Optional callbacks, which get told_data as their first argument. begins() is called when an
    * operation starts, and ends() is called after it has ended.
    */
   void (*begins)(void *data, uint32_t operation, uint64_t now);
   void (*ends)(void *data, uint32_t operation, uint64_t now);
   void *told_data;
   const struct sgt_chip_observer *observer; /* callbacks for memory accesses, or NULL */

   uint32_t next; /* index of the operation that is being started, or that starts next */
   bool taken;    /* true if the command of operation `next` has been processed */
   /* true if the start of operation `next` has been added to the ring, so that its vertex warps can
    * follow
    */
   bool begun;
   /* time in ticks when the command or the flush of the barrier ends, or 0 if neither has started
    */
   uint64_t busy;
   bool barrier;  /* true if operation `next` is a barrier that is waiting */
   bool flushing; /* true if the write-back of the ROP caches has been requested */
   bool flushed;  /* true if the write-back of the ROP caches has ended */
   /* index into work->warps where the search for the next vertex warp of operation `next` starts */
   uint32_t warp;
   uint32_t step; /* index into plan->steps of the step that contains `warp` */
   /* number of vertex warps of operation `next` that have been added to the ring */
   uint32_t vertex;
   uint32_t *open; /* operations that have started but not ended */
   uint32_t num_open;

   /* Ring buffer of entries in program order:
    * first: index of the oldest entry
    * num: number of entries
    * num_warps: number of entries that are warps
    * room: capacity in entries
    */
   struct sgt_ia_entry *ring;
   uint32_t first, num, num_warps, room;
   /* index of the entry whose lines are requested next, where the oldest entry is 0 */
   uint32_t request;
   uint32_t lines_open; /* number of lines that have been requested but have not arrived yet */
   /* time in ticks of the last cycle in which the oldest entry is assembled, or SGT_NEVER if its
    * assembly has not started
    */
   uint64_t ready;
   /* time in ticks when the current oldest entry became the oldest one */
   uint64_t first_since;

   /* States of the host interface and of the input assembler. */
   struct sgt_unit_states host, assembler;
   struct sgt_ia_counters counters;
};

/* Adds the unit to the scheduler. The caller must set the channels before the simulation starts.
 * Returns false on allocation failure.
 */
bool sgt_ia_init(struct sgt_ia *ia, struct sgt_sched *sched, const struct sgt_clock *clock,
                 const struct sgt_ia_params *params, const struct sgt_plan *plan);
void sgt_ia_finish(struct sgt_ia *ia);
/* Returns true if all operations have ended. */
bool sgt_ia_done(const struct sgt_ia *ia);
/* Dumps the state of the unit, and its pending operations, warps and lines. */
void sgt_ia_dump(const struct sgt_ia *ia, struct sgt_dump *d);
/* Adds the statistics of a simulation that took `cycles` cycles of the unit's clock. The unit must
 * outlive `stats`.
 */
void sgt_ia_register(struct sgt_ia *ia, uint64_t cycles, struct sgt_stats *stats);

#endif
