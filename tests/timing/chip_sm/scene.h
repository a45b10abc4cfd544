/* SPDX-License-Identifier: MIT */
/*
 * A multiprocessor, or its reference, between units that launch warps and answer after a time
 * that the parameters give; and works by hand and at random.
 */
#ifndef SM_SCENE_H
#define SM_SCENE_H

#include "chip_sm/sgt_sm.h"
#include "sm_reference.h"

/* The array with room for one more than `num` elements. */
void *more(void *array, uint32_t num, size_t size);

struct program_builder {
   struct sgt_program *program;
};

/* A program of one operation an instruction. */
void program_begin(struct program_builder *b, enum sgpu_stage stage);
struct sgt_uop *program_op(struct program_builder *b, enum sgt_pipe pipe, uint32_t opcode,
                           uint32_t dst, uint32_t src0, uint32_t src1);
/* The same n times, of the destination dst and the sources dst and src1. */
void program_chain(struct program_builder *b, uint32_t num, enum sgt_pipe pipe, uint32_t opcode,
                   uint32_t dst, uint32_t src1);
/* Independent ones. */
void program_stream(struct program_builder *b, uint32_t num, enum sgt_pipe pipe, uint32_t opcode);
/* The work of one operation with `warps` warps that go straight through it. */
struct sgt_work *program_work(struct program_builder *b, uint32_t warps, uint32_t group_warps);

/* Programs, ways, accesses: all at random. */
struct sgt_work *random_work(struct sgt_random *random);
void random_params(struct sgt_sm_params *p, struct sgt_random *random);

struct issue {
   uint64_t cycle;
   uint32_t slot, warp, op, prologue, state, pad;
};

struct machine_params {
   uint32_t tex_latency, mem_latency; /* cycles */
   uint32_t spread;                   /* up to as many more, by the request */
   uint32_t tex_rate, mem_rate;       /* requests in a cycle; 0: any */
   uint32_t capacity;                 /* of channels of requests */
   bool reference, log;
   bool careless;       /* launches all warps at once, whether they fit or not */
   bool late_responses; /* the channels of responses are small too */
   uint64_t shuffle;    /* seed; 0: none */
   uint64_t limit;      /* cycles; a run that is longer fails */
};

struct machine_result {
   uint64_t end; /* the cycle after the last warp's end was told */
   struct sgt_sm_stats stats;
   struct issue *issues;
   uint32_t num_issues, room;
   uint32_t *done; /* warps, by their ends */
   uint64_t *done_at;
   uint32_t num_done;
   uint64_t calls; /* of all units */
   uint64_t tex_requests, mem_requests[3], mem_lanes;
   char error[160]; /* of the unit */
};

void machine_defaults(struct machine_params *m);
void machine_run(const struct sgt_work *work, const struct sgt_sm_params *params,
                 const struct machine_params *m, struct machine_result *result);
void machine_finish(struct machine_result *result);
/* The laws of every run.  A failure is printed; false. */
bool machine_sound(const struct sgt_work *work, const struct sgt_sm_params *params,
                   const struct machine_result *result);

#endif
