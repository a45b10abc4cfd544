/* SPDX-License-Identifier: MIT */
/*
 * Streaming multiprocessor: private state of the reference implementation.
 */
#ifndef SM_REFERENCE_STATE_H
#define SM_REFERENCE_STATE_H

#include "chip_memory/sgt_mem.h"
#include "sm_reference.h"

/* An operation that a warp executes, in the order of execution. */
struct ref_step {
   const struct sgt_sm_op *op;
   uint32_t number; /* index in the program or in the prologue */
   uint32_t lanes;  /* bit mask of active lanes */
   bool prologue;   /* the operation is in the prologue */
   bool jump;       /* the next step is not the next operation of the program */
};

/* The availability of a register. */
struct ref_value {
   uint64_t from; /* first cycle in which it can be used, or SGT_NEVER if not known yet */
   enum sgt_sm_wait producer;
};

struct ref_warp {
   bool used;            /* the slot has a warp */
   uint32_t number, age; /* index in work->warps; number of the launch */
   const struct sgt_warp *info;
   const struct sgt_sm_program *program;
   enum sgt_sm_class warp_class;
   struct ref_step *steps;
   uint32_t num_steps, step, access; /* length of `steps`; next step; index of the next access */
   struct ref_value *values;         /* per register */
   struct ref_value latest;          /* the latest result of those with a known cycle */
   uint32_t textures, accesses;      /* numbers of pending texture and memory accesses */
   /* Cycles of the launch, of the first issue, and of the end of the wait at a barrier. */
   uint64_t launched, start, resume;
   bool at_barrier;
   bool all; /* the next operation waits for all results */
   bool was_ready;
   uint64_t ready_since; /* first cycle in which the next operation was ready */
   uint32_t constants;   /* number of lines of constants of the next operation in the cache */
   bool const_miss;      /* a line of constants is being fetched */
   /* Instruction fetch: number of operations in the buffer; index of the next operation to be
    * fetched; number of operations that are being fetched.
    */
   uint32_t buffered, place, coming;
   uint64_t fetch_from, arrival; /* first cycle for a fetch; cycle at which the fetch arrives */
   enum { NO_FETCH, FETCHING, MISSED } fetch;
   bool wants, empty; /* a fetch is possible in this cycle; the buffer was empty at its start */
   bool finished;     /* the end of the warp can be reported */
   enum sgt_sm_wait wait;
};

/* A line that is being fetched into a cache. */
struct ref_line {
   bool used, sent;
   uint64_t address, order;      /* address; number in the order of misses */
   bool waits[SGT_SM_MAX_WARPS]; /* per slot: the warp waits for the line */
};

/* A pending access to texture unit or memory. */
struct ref_access {
   bool used, sent; /* all requests were sent */
   uint32_t warp;   /* slot of the warp */
   const struct sgt_access *access;
   const struct sgt_sm_op *op;
   uint64_t since, order;      /* cycle of issue; number in the order of issue */
   uint32_t requests, answers; /* numbers of sent requests and of responses */
};

/* A line of a cache. */
struct ref_cached {
   uint64_t address, used; /* address; number of the latest use */
   bool there;             /* the line is valid */
};

/* A workgroup. */
struct ref_group {
   uint32_t operation, number; /* operation, and number of the group in it */
   uint32_t gone;              /* number of warps that have ended */
};

struct sm_reference {
   struct sgt_unit unit;
   const struct sgt_sm_code *code;
   const struct sgt_work *work;
   struct sgt_sm_params p;
   struct sgt_sm_ports ports;
   struct sgt_sm_observer observer;
   uint16_t number;
   uint64_t now, cycle, uses, orders; /* time in ticks and cycles; counters for `used`, `order` */
   uint32_t launches, last_issue, last_fetch;
   uint64_t alu_free, sfu_free, shared_free, const_free;
   struct ref_warp warps[SGT_SM_MAX_WARPS];
   struct ref_line ilines[64], clines[64];
   struct ref_cached *icache, *constants;
   enum { NOT_YET, RUNS, WAITS, ENDED, GONE } * states; /* per warp of the work */
   struct ref_access textures[SGT_SM_MAX_ACCESSES], accesses[SGT_SM_MAX_ACCESSES];
   struct ref_group groups[SGT_SM_MAX_WARPS + 1];
   uint32_t num_groups;
   struct sgt_sm_stats stats;
};

bool sm_reference_ended(const struct ref_warp *w);
/* Ends the barrier of the warp's workgroup, if all of its warps wait or have ended. */
void sm_reference_barrier(struct sm_reference *r, const struct ref_warp *of);

/* Issues an operation, if possible, and returns the state of the cycle (sm_reference_issue.c). */
enum sgt_sm_state sm_reference_issue(struct sm_reference *r);

/* sm_reference_memory.c */

/* Returns whether a line of code or of constants is in its cache. A hit counts as a use. */
bool sm_reference_cached(struct sm_reference *r, bool code, uint64_t address);
/* Makes the warp in the slot wait for a line. */
enum sgt_sm_lookup sm_reference_miss(struct sm_reference *r, struct ref_line *lines,
                                     uint64_t address, uint32_t slot);
/* Parts of a cycle: take responses, fetch instructions, send requests to memory. */
void sm_reference_respond(struct sm_reference *r);
void sm_reference_fetch(struct sm_reference *r);
void sm_reference_send(struct sm_reference *r);

#endif
