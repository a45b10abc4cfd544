/* SPDX-License-Identifier: MIT */
/*
 * Host interface and input assembler (Lindholm et al. 2008, "Command processing").
 *
 * The host interface takes the operations in program order, and needs `command` cycles for each. An
 * operation that depends on one that has not ended (sgt_plan_depends) is a barrier. It waits until
 * the chip is idle, then `flush` cycles, and then until the ROPs have written back their caches.
 * Other operations start while earlier ones are running.
 *
 * The input assembler prefetches the inputs of a draw's vertex warps. When the lines of a warp have
 * arrived, it takes the cycles of its scalars or of its primitives, whichever are more.
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
   SGT_IA_HOST_WARPS,   /* passes vertex warps to the input assembler */
   /* has a vertex warp to pass on, but the limit of warps under way is reached */
   SGT_IA_HOST_AHEAD,
   SGT_IA_HOST_BARRIER, /* waits at a barrier until the chip is idle */
   /* the chip is idle: waits for the cycles of the barrier and the write-back */
   SGT_IA_HOST_FLUSH,
   SGT_IA_HOST_OPERATIONS, /* the limit of started operations is reached */
   SGT_IA_HOST_TRANSFER,   /* the transfer unit's queue is full */
   SGT_IA_HOST_END,        /* all operations have started */
   SGT_IA_HOST_STATES,
};

enum sgt_ia_state {
   SGT_IA_ASSEMBLE, /* assembles the scalars or primitives of a warp */
   SGT_IA_ORDER,    /* forwards the start of an operation */
   SGT_IA_MEMORY,   /* waits for lines of the oldest warp */
   SGT_IA_FULL,     /* the distributor's queue is full */
   SGT_IA_EMPTY,    /* has no warp */
   SGT_IA_STATES,
};

/* A vertex warp, or the start of an operation, in the input assembler. */
struct sgt_ia_entry {
   uint32_t number; /* index of the warp, or of the operation if `begins` is set */
   bool begins;     /* the entry is the start of an operation */
   /* number of lines that are not requested; number that have not arrived */
   uint32_t unsent, unanswered;
   uint32_t scalars, primitives; /* number of input scalars; number of primitives */
};

struct sgt_chip_observer;

struct sgt_ia {
   struct sgt_unit unit;
   struct sgt_ia_params params;
   const struct sgt_plan *plan;
   /* Channels of the chip, which sets their other ends. */
   struct sgt_channel *orders; /* vertex warps and starts of operations, to the distributor */
   /* ended operations from the distributor [0] and the transfer unit [1] */
   struct sgt_channel *ended[2];
   struct sgt_channel *transfers; /* operations and write-backs, to the transfer unit */
   struct sgt_channel *requests;  /* requests to memory, struct sgt_mem_request */
   struct sgt_channel *responses; /* answers of memory, struct sgt_mem_response */
   uint16_t client;               /* client number of the requests */
   bool no_barriers;              /* for tests of --verify: no operation is a barrier */
   /* Called when an operation starts and when it has ended, with told_data; or NULL. */
   void (*begins)(void *data, uint32_t operation, uint64_t now);
   void (*ends)(void *data, uint32_t operation, uint64_t now);
   void *told_data;
   const struct sgt_chip_observer *observer; /* observer, or NULL */

   uint32_t next; /* index of the next operation, or of the one that is being started */
   bool taken;    /* the host interface has processed the command of operation `next` */
   bool begun;    /* the start of operation `next` is in the ring, and its vertex warps follow */
   /* tick at which the command, or the wait at a barrier, ends; 0 if it has not started */
   uint64_t busy;
   bool barrier;  /* operation `next` is a barrier and waits */
   bool flushing; /* the write-back of the ROPs' caches is requested */
   bool flushed;  /* the write-back of the ROPs' caches has ended */
   /* index in the work from which the next vertex warp of operation `next` is searched */
   uint32_t warp;
   uint32_t step; /* index of that warp's step in the plan */
   /* number of vertex warps of operation `next` that are in the ring or were sent */
   uint32_t vertex;
   uint32_t *open; /* operations that have started and not ended */
   uint32_t num_open;

   /* Entries in order: `num` elements of the ring of `room` elements, starting at index `first`.
    * num_warps of them are warps.
    */
   struct sgt_ia_entry *ring;
   uint32_t first, num, num_warps, room;
   /* position, counted from the oldest entry, of the entry whose lines are requested next */
   uint32_t request;
   uint32_t lines_open; /* number of lines that are requested and have not arrived */
   /* tick of the last cycle of the oldest entry's assembly; SGT_NEVER if it has not started */
   uint64_t ready;
   uint64_t first_since; /* tick at which the oldest entry became the oldest */

   /* States of the host interface and of the input assembler. */
   struct sgt_unit_states host, assembler;
   struct sgt_ia_counters counters;
};

/* Adds the unit to the scheduler. The caller sets the channels before the unit's first call.
 * Returns false if out of memory.
 */
bool sgt_ia_init(struct sgt_ia *ia, struct sgt_sched *sched, const struct sgt_clock *clock,
                 const struct sgt_ia_params *params, const struct sgt_plan *plan);
void sgt_ia_finish(struct sgt_ia *ia);
/* Returns true if all operations have ended. */
bool sgt_ia_done(const struct sgt_ia *ia);
/* Writes what the unit has under way. */
void sgt_ia_dump(const struct sgt_ia *ia, struct sgt_dump *d);
/* Adds the statistics after a run of `cycles` of the unit's clock. The unit must outlive the
 * statistics.
 */
void sgt_ia_register(struct sgt_ia *ia, uint64_t cycles, struct sgt_stats *stats);

#endif
