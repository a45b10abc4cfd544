/* SPDX-License-Identifier: MIT */
/*
 * Streaming multiprocessor: the state of the reference, for its files.
 */
#ifndef SM_REFERENCE_STATE_H
#define SM_REFERENCE_STATE_H

#include "chip_memory/sgt_mem.h"
#include "sm_reference.h"

/* An operation of a warp, in the order of execution. */
struct ref_step {
   const struct sgt_sm_op *op;
   uint32_t number; /* in its program, or in the prologue */
   uint32_t lanes;
   bool prologue;
   bool jump; /* the next one is not behind it */
};

struct ref_value {
   uint64_t from; /* cycle; SGT_NEVER: not known */
   enum sgt_sm_wait producer;
};

struct ref_warp {
   bool used;
   uint32_t number, age;
   const struct sgt_warp *info;
   const struct sgt_sm_program *program;
   enum sgt_sm_class warp_class;
   struct ref_step *steps;
   uint32_t num_steps, step, access;
   struct ref_value *values; /* of registers */
   struct ref_value latest;  /* result */
   uint32_t textures, accesses;
   uint64_t launched, start, resume; /* cycles */
   bool at_barrier;
   bool all; /* the next operation waits for all results */
   bool was_ready;
   uint64_t ready_since;
   uint32_t constants; /* lines of the next operation that are there */
   bool const_miss;
   /* Fetch: buffered operations; where and from when on to fetch; what is under way. */
   uint32_t buffered, place, coming;
   uint64_t fetch_from, arrival;
   enum { NO_FETCH, FETCHING, MISSED } fetch;
   bool wants, empty; /* it could fetch in this cycle; its buffer was empty at the beginning */
   bool finished;
   enum sgt_sm_wait wait;
};

struct ref_line {
   bool used, sent;
   uint64_t address, order;
   bool waits[SGT_SM_MAX_WARPS];
};

struct ref_access {
   bool used, sent;
   uint32_t warp; /* slot */
   const struct sgt_access *access;
   const struct sgt_sm_op *op;
   uint64_t since, order;
   uint32_t requests, answers;
};

struct ref_cached {
   uint64_t address, used;
   bool there;
};

struct ref_group {
   uint32_t operation, number;
   uint32_t gone; /* warps */
};

struct sm_reference {
   struct sgt_unit unit;
   const struct sgt_sm_code *code;
   const struct sgt_work *work;
   struct sgt_sm_params p;
   struct sgt_sm_ports ports;
   struct sgt_sm_observer observer;
   uint16_t number;
   uint64_t now, cycle, uses, orders;
   uint32_t launches, last_issue, last_fetch;
   uint64_t alu_free, sfu_free, shared_free, const_free;
   struct ref_warp warps[SGT_SM_MAX_WARPS];
   struct ref_line ilines[64], clines[64];
   struct ref_cached *icache, *constants;
   enum { NOT_YET, RUNS, WAITS, ENDED, GONE } * states; /* of all warps of the work */
   struct ref_access textures[SGT_SM_MAX_ACCESSES], accesses[SGT_SM_MAX_ACCESSES];
   struct ref_group groups[SGT_SM_MAX_WARPS + 1];
   uint32_t num_groups;
   struct sgt_sm_stats stats;
};

bool sm_reference_ended(const struct ref_warp *w);
/* Once all warps of its workgroup wait or have ended, the waiting warps continue. */
void sm_reference_barrier(struct sm_reference *r, const struct ref_warp *of);

/* sm_reference_issue.c.  The state of the cycle. */
enum sgt_sm_state sm_reference_issue(struct sm_reference *r);

/* sm_reference_memory.c */

/* Whether a line of code, or of constants, is in its cache; that is a use of it. */
bool sm_reference_cached(struct sm_reference *r, bool code, uint64_t address);
/* The warp of the slot waits for a line. */
enum sgt_sm_lookup sm_reference_miss(struct sm_reference *r, struct ref_line *lines,
                                     uint64_t address, uint32_t slot);
/* The steps of a cycle. */
void sm_reference_respond(struct sm_reference *r);
void sm_reference_fetch(struct sm_reference *r);
void sm_reference_send(struct sm_reference *r);

#endif
