/* SPDX-License-Identifier: MIT */
/*
 * Streaming multiprocessor: what warps and the multiprocessor do in a cycle.
 */
#ifndef SGT_SM_STATES_H
#define SGT_SM_STATES_H

#include "chip_sm/sgt_sm_code.h"

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

#endif
