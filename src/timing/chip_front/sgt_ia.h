/* SPDX-License-Identifier: MIT */
/*
 * Host interface and input assembler (Lindholm et al. 2008, "Command processing").
 *
 * The host interface takes the operations in program order, one in `command` cycles.  One that
 * depends on another that has not ended (sgt_plan_depends) is a barrier: it waits until the
 * chip is idle, `flush` cycles more, and until the caches of the ROPs are written back.  Others
 * begin while those before them run.
 *
 * The input assembler reads the vertices of a draw's vertex warps ahead.  A warp whose lines
 * are there takes the cycles of its scalars or of its primitives, whichever are more.
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
   SGT_IA_HOST_COMMAND,    /* takes an operation */
   SGT_IA_HOST_WARPS,      /* hands vertex warps to the input assembler */
   SGT_IA_HOST_AHEAD,      /* likewise, and as many as allowed are under way */
   SGT_IA_HOST_BARRIER,    /* waits until the chip is idle */
   SGT_IA_HOST_FLUSH,      /* the cycles of a barrier after that, and the write-back */
   SGT_IA_HOST_OPERATIONS, /* as many operations as allowed have begun */
   SGT_IA_HOST_TRANSFER,   /* the transfer unit has no place for another */
   SGT_IA_HOST_END,        /* all operations have begun */
   SGT_IA_HOST_STATES,
};

enum sgt_ia_state {
   SGT_IA_ASSEMBLE, /* scalars or primitives of a warp */
   SGT_IA_ORDER,    /* passes on that an operation begins */
   SGT_IA_MEMORY,   /* waits for lines of the oldest warp */
   SGT_IA_FULL,     /* the distributor has no place */
   SGT_IA_EMPTY,
   SGT_IA_STATES,
};

/* A warp, or the begin of an operation, under way. */
struct sgt_ia_entry {
   uint32_t number;
   bool begins;
   uint32_t unsent, unanswered; /* lines */
   uint32_t scalars, primitives;
};

struct sgt_chip_observer;

struct sgt_ia {
   struct sgt_unit unit;
   struct sgt_ia_params params;
   const struct sgt_plan *plan;
   /* Of the chip.  The ends that are not the input assembler's are set by the chip. */
   struct sgt_channel *orders;    /* to the distributor */
   struct sgt_channel *ended[2];  /* from the distributor, from the transfer unit */
   struct sgt_channel *transfers; /* to the transfer unit */
   struct sgt_channel *requests;  /* struct sgt_mem_request */
   struct sgt_channel *responses; /* struct sgt_mem_response */
   uint16_t client;               /* of requests */
   bool no_barriers;              /* of tests */
   /* Called when an operation begins, and when it has ended; or NULL. */
   void (*begins)(void *data, uint32_t operation, uint64_t now);
   void (*ends)(void *data, uint32_t operation, uint64_t now);
   void *told_data;
   const struct sgt_chip_observer *observer; /* or NULL */

   uint32_t next; /* operation */
   bool taken;    /* its command cycles are over */
   bool begun;    /* its begin is in the ring: warps follow */
   uint64_t busy; /* tick until which the host interface has the command, or flushes */
   bool barrier;  /* the operation is one, and waits */
   bool flushing; /* the write-back has been asked for */
   bool flushed;
   uint32_t warp;   /* next vertex warp of it, counted from its first */
   uint32_t step;   /* step of that warp */
   uint32_t vertex; /* vertex warps of it so far */
   uint32_t *open;  /* operations that have begun and not ended */
   uint32_t num_open;

   struct sgt_ia_entry *ring;
   uint32_t first, num, num_warps, room;
   uint32_t request; /* ring entry, counted from the first, whose lines are requested next */
   uint32_t lines_open;
   uint64_t ready;       /* tick of the last cycle of the first entry; SGT_NEVER: not begun */
   uint64_t first_since; /* tick at which the first entry became the first */

   struct sgt_unit_states host, assembler;
   struct sgt_ia_counters counters;
};

/* Adds the unit to the scheduler; the channels are set before its first call.  False: no
 * memory.
 */
bool sgt_ia_init(struct sgt_ia *ia, struct sgt_sched *sched, const struct sgt_clock *clock,
                 const struct sgt_ia_params *params, const struct sgt_plan *plan);
void sgt_ia_finish(struct sgt_ia *ia);
/* Whether all operations have ended. */
bool sgt_ia_done(const struct sgt_ia *ia);
/* Writes what the unit has under way. */
void sgt_ia_dump(const struct sgt_ia *ia, struct sgt_dump *d);
/* After a run of `cycles` of the unit's clock; the unit must stay. */
void sgt_ia_register(struct sgt_ia *ia, uint64_t cycles, struct sgt_stats *stats);

#endif
