/* SPDX-License-Identifier: MIT */
/*
 * Streaming multiprocessor: what it counts.  Cycles are those of its clock.
 */
#ifndef SGT_SM_STATS_H
#define SGT_SM_STATS_H

#include "sgt_sm_code.h"
#include "sgt_stats.h"

/* What a warp does in a cycle.  Of several that apply it is the first of: launch, drain,
 * barrier, fetch and icache, the operand that is there last, const, ready.
 */
enum sgt_sm_wait {
   SGT_SM_READY,       /* could issue, or does */
   SGT_SM_WAIT_ALU,    /* an operand comes from the MAD units, or from the multipliers */
   SGT_SM_WAIT_SFU,    /* ... from the SFUs */
   SGT_SM_WAIT_SHARED, /* ... from shared memory */
   SGT_SM_WAIT_LDC,    /* ... from a load through the constant cache */
   SGT_SM_WAIT_FETCH,  /* the instruction buffer is empty */
   SGT_SM_WAIT_ICACHE, /* ... and the fetch has missed */
   SGT_SM_WAIT_CONST,  /* a constant is not in the cache */
   SGT_SM_WAIT_TEXTURE,
   SGT_SM_WAIT_MEMORY,
   SGT_SM_WAIT_BARRIER,
   SGT_SM_WAIT_LAUNCH,
   SGT_SM_WAIT_DRAIN, /* has issued everything, and waits for results and accesses */
   SGT_SM_WAITS,
};

/* What the multiprocessor does in a cycle.  If it issues nothing, the first that some warp
 * gives reason for.
 */
enum sgt_sm_state {
   SGT_SM_ISSUE_ALU,
   SGT_SM_ISSUE_MUL,     /* to the MAD units */
   SGT_SM_ISSUE_SFU_MUL, /* to the SFU's multipliers */
   SGT_SM_ISSUE_SFU,
   SGT_SM_ISSUE_INTERP,
   SGT_SM_ISSUE_TEXTURE,
   SGT_SM_ISSUE_MEMORY,
   SGT_SM_ISSUE_SHARED,
   SGT_SM_ISSUE_CONST,
   SGT_SM_ISSUE_CONTROL,
   /* Warps are ready, and the units are busy that they need. */
   SGT_SM_BUSY_ALU,
   SGT_SM_BUSY_SFU,
   SGT_SM_BUSY_TEXTURE,
   SGT_SM_BUSY_MEMORY,
   SGT_SM_BUSY_SHARED,
   SGT_SM_BUSY_CONST,
   SGT_SM_STALL,                                  /* + enum sgt_sm_wait - 1: none is ready */
   SGT_SM_IDLE = SGT_SM_STALL + SGT_SM_WAITS - 1, /* no warp */
   SGT_SM_STATES,
};

/* In a cache. */
enum sgt_sm_lookup {
   SGT_SM_HIT,
   SGT_SM_MISS,
   SGT_SM_JOIN, /* the line is under way */
   SGT_SM_LOOKUPS,
};

extern const char *const sgt_sm_wait_names[SGT_SM_WAITS];
extern const char *const sgt_sm_state_names[SGT_SM_STATES];
extern const char *const sgt_sm_class_names[SGT_SM_CLASSES];
extern const char *const sgt_sm_unit_names[SGT_SM_UNITS];

struct sgt_sm_stats {
   uint64_t states[SGT_SM_STATES];  /* cycles */
   uint64_t instrs[SGT_SM_CLASSES]; /* whose last operation issued */
   uint64_t prologue;               /* operations */
   uint64_t urgent;                 /* operations that went first for their wait */
   uint64_t alu_busy, sfu_busy;     /* cycles of the units */
   uint64_t cycles;
   uint64_t waits[SGT_SM_CLASSES][SGT_SM_WAITS]; /* warps x cycles */
   uint64_t residence[SGT_SM_CLASSES];           /* warps x cycles */
   uint64_t occupancy[SGT_SM_MAX_WARPS + 1];     /* cycles, by warps */
   uint64_t active[33];                          /* operations, by active lanes */
   uint64_t warps[SGT_SM_CLASSES];               /* launched */
   uint64_t done[SGT_SM_CLASSES];                /* warps that have ended */
   uint64_t ops[SGT_SM_CLASSES];                 /* scalar operations of warps, prologue too */
   uint64_t lanes[SGT_SM_CLASSES];               /* active lanes, summed over operations */
   uint64_t unit_ops[SGT_SM_UNITS];              /* operations */
   uint64_t shared_busy, const_busy;             /* cycles of the units */
   uint64_t bank_conflicts;                      /* cycles, of the register file */
   uint64_t shared_conflicts;                    /* cycles beyond one for 16 lanes */
   uint64_t jumps, flushed;                      /* taken; operations thrown away by them */
   uint64_t fetches, fetched;                    /* fetches, their operations */
   uint64_t icache[SGT_SM_LOOKUPS];              /* fetches */
   uint64_t constants[SGT_SM_LOOKUPS];           /* lookups of lines */
   uint64_t accesses[SGT_ACCESS_KINDS];
   uint64_t lines[SGT_ACCESS_KINDS];         /* entries of the accesses, per quad */
   uint64_t requests[SGT_ACCESS_KINDS];      /* LOAD, STORE, ATOMIC: after coalescing */
   uint64_t icache_requests, const_requests; /* of lines, to memory */
   uint64_t texture_wait, memory_wait;       /* issue to response, summed over accesses */
   uint64_t texture_max, memory_max;         /* accesses in flight */
   uint64_t barriers, barrier_releases;      /* arrivals of warps; of groups */
   uint64_t groups_max;
   uint64_t warp_cycles[64]; /* warps, by log2 of launch to end */
};

/* Adds all of it under the unit's name, which stays. */
void sgt_sm_stats_register(const struct sgt_sm_stats *stats, const char *unit, struct sgt_stats *s);

#endif
