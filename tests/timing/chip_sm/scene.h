/* SPDX-License-Identifier: MIT */
/*
 * A multiprocessor, or its reference, with units that launch warps and answer after a time that the
 * parameters give.  Also makes works by hand and at random.
 */
#ifndef SM_SCENE_H
#define SM_SCENE_H

#include "chip_sm/sgt_sm.h"
#include "sm_reference.h"

/* Returns the array with space for at least num + 1 elements. */
void *more(void *array, uint32_t num, size_t size);

struct program_builder {
   struct sgt_program *program;
};

/* Begins a program whose instructions have one operation each. */
void program_begin(struct program_builder *b, enum sgpu_stage stage);
struct sgt_uop *program_op(struct program_builder *b, enum sgt_pipe pipe, uint32_t opcode,
                           uint32_t dst, uint32_t src0, uint32_t src1);
/* Adds n such operations with the destination dst and the sources dst and src1, so that each one
 * depends on the previous one.
 */
void program_chain(struct program_builder *b, uint32_t num, enum sgt_pipe pipe, uint32_t opcode,
                   uint32_t dst, uint32_t src1);
/* Adds independent operations. */
void program_stream(struct program_builder *b, uint32_t num, enum sgt_pipe pipe, uint32_t opcode);
/* Makes the work of one operation with `warps` warps that execute the whole program. */
struct sgt_work *program_work(struct program_builder *b, uint32_t warps, uint32_t group_warps);

/* Makes random programs, paths through them, and accesses. */
struct sgt_work *random_work(struct sgt_random *random);
void random_params(struct sgt_sm_params *p, struct sgt_random *random);

struct issue {
   uint64_t cycle;
   uint32_t slot, warp, op, prologue, state, pad;
};

struct machine_params {
   uint32_t tex_latency, mem_latency; /* latencies in cycles */
   /* Maximum number of additional cycles, which depend on the request. */
   uint32_t spread;
   uint32_t tex_rate, mem_rate; /* number of requests per cycle; 0: any number */
   uint32_t capacity;           /* capacity of channels for requests */
   bool reference, log;
   bool careless;       /* launches all warps at once, even if they do not fit */
   bool late_responses; /* the channels for responses are small, too */
   uint64_t shuffle;    /* seed for shuffling units, or 0 */
   uint64_t limit;      /* maximum number of cycles; a longer run fails */
};

struct machine_result {
   uint64_t end; /* the cycle after the end of the last warp was reported */
   struct sgt_sm_stats stats;
   struct issue *issues;
   uint32_t num_issues, room;
   uint32_t *done; /* warps in the order of their ends */
   uint64_t *done_at;
   uint32_t num_done;
   uint64_t calls; /* number of calls of all units */
   uint64_t tex_requests, mem_requests[3], mem_lanes;
   char error[160]; /* error of the unit */
};

void machine_defaults(struct machine_params *m);
void machine_run(const struct sgt_work *work, const struct sgt_sm_params *params,
                 const struct machine_params *m, struct machine_result *result);
void machine_finish(struct machine_result *result);
/* Checks conditions that hold in every run.  Prints a message and returns false on failure. */
bool machine_sound(const struct sgt_work *work, const struct sgt_sm_params *params,
                   const struct machine_result *result);

#endif
