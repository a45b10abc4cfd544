/* SPDX-License-Identifier: MIT */
/*
 * Streaming multiprocessor: states of a warp and of the whole multiprocessor in a cycle.
 */
#ifndef SGT_SM_STATES_H
#define SGT_SM_STATES_H

#include "chip_sm/sgt_sm_code.h"

/* State of a warp in a cycle. If several states apply, the warp has the first one in this order:
 * launch, drain, barrier, fetch or icache, the state of the operand that arrives last, const,
 * ready.
 */
enum sgt_sm_wait {
   SGT_SM_READY,        /* issues an operation, or could issue one */
   SGT_SM_WAIT_ALU,     /* waits for an operand from the MAD units or the SFU's multipliers */
   SGT_SM_WAIT_SFU,     /* waits for an operand from the SFUs */
   SGT_SM_WAIT_SHARED,  /* waits for an operand from shared memory */
   SGT_SM_WAIT_LDC,     /* waits for an operand from a load through the constant cache */
   SGT_SM_WAIT_FETCH,   /* the instruction buffer is empty */
   SGT_SM_WAIT_ICACHE,  /* the instruction buffer is empty, and the fetch has missed the cache */
   SGT_SM_WAIT_CONST,   /* a constant is not in the cache */
   SGT_SM_WAIT_TEXTURE, /* waits for a texture access */
   SGT_SM_WAIT_MEMORY,  /* waits for a memory access */
   SGT_SM_WAIT_BARRIER, /* waits at a barrier, or for the delay after its release */
   SGT_SM_WAIT_LAUNCH,  /* is being launched */
   /* has issued all operations, and waits for results and accesses to complete */
   SGT_SM_WAIT_DRAIN,
   SGT_SM_WAITS,
};

/* State of the multiprocessor in a cycle. If no operation issues, the state is the first one after
 * the ISSUE states that applies to any warp.
 */
enum sgt_sm_state {
   /* An operation issues to the unit that the state is named after. */
   SGT_SM_ISSUE_ALU,
   SGT_SM_ISSUE_MUL,     /* a multiplication issues to the MAD units */
   SGT_SM_ISSUE_SFU_MUL, /* a multiplication issues to the multipliers of the SFUs */
   SGT_SM_ISSUE_SFU,
   SGT_SM_ISSUE_INTERP,
   SGT_SM_ISSUE_TEXTURE,
   SGT_SM_ISSUE_MEMORY,
   SGT_SM_ISSUE_SHARED,
   SGT_SM_ISSUE_CONST,
   SGT_SM_ISSUE_CONTROL,
   /* Warps are ready, but the units that their operations need are busy. */
   SGT_SM_BUSY_ALU,
   SGT_SM_BUSY_SFU,
   SGT_SM_BUSY_TEXTURE,
   SGT_SM_BUSY_MEMORY,
   SGT_SM_BUSY_SHARED,
   SGT_SM_BUSY_CONST,
   /* No warp is ready. The state is SGT_SM_STALL - 1 plus the enum sgt_sm_wait of a warp. */
   SGT_SM_STALL,
   SGT_SM_IDLE = SGT_SM_STALL + SGT_SM_WAITS - 1, /* no warps are resident */
   SGT_SM_STATES,
};

/* Result of a cache lookup. */
enum sgt_sm_lookup {
   SGT_SM_HIT,
   SGT_SM_MISS,
   SGT_SM_JOIN, /* miss of a line that is already being fetched */
   SGT_SM_LOOKUPS,
};

extern const char *const sgt_sm_wait_names[SGT_SM_WAITS];
extern const char *const sgt_sm_state_names[SGT_SM_STATES];
extern const char *const sgt_sm_class_names[SGT_SM_CLASSES];
extern const char *const sgt_sm_unit_names[SGT_SM_UNITS];

#endif
