/* SPDX-License-Identifier: MIT */
/*
 * The multi-threaded core, the output buffers and the next pipeline stage (Lindholm 2001, 4.3).
 */
#ifndef SGT_VCORE_H
#define SGT_VCORE_H

#include "nv20/sgt_vab.h"

struct sgt_dump;

/* Message from the core to the output: the output buffer holds all results of the vertex. */
struct sgt_vcore_done {
   uint64_t vertex;
   uint32_t buffer;
};

/* Message from the output to the core: the oldest output buffer is free again. */
struct sgt_vout_free {
   uint32_t buffer;
};

/* Message from the output to the next stage: the vertex has been sent. */
struct sgt_vout_vertex {
   uint64_t vertex;
};

struct sgt_vcore_thread {
   uint64_t vertex;
   uint32_t input, output; /* indices of the input buffer and the output buffer of the vertex */
   uint32_t left;          /* number of instructions left to issue */
};

struct sgt_vcore {
   struct sgt_unit unit;
   struct sgt_nv20_shared *shared;
   struct sgt_channel *in, *freed_inputs, *out, *freed_outputs;
   struct sgt_vcore_thread threads[SGT_NV20_MAX_THREADS];
   /* active: bitmask of the threads that have a vertex;
    * ready: bitmask of the threads that can issue their next instruction
    */
   uint64_t active, ready;
   uint32_t latest; /* index of the last thread that has issued an instruction */
   /* outputs_free: number of free output buffers;
    * next_output: index of the next output buffer to use
    */
   uint32_t outputs_free, next_output;
   uint64_t started; /* number of vertices that have been started */
   uint32_t program; /* index of the program of the vertex that was started last */
   bool waits_flush; /* true if the next vertex has already been counted in `flushes` */
   /* Ring buffer of the threads with an instruction in the pipeline. `at` is the cycle in which the
    * result becomes available. The ring is sorted by `at`, because at most one thread issues per
    * cycle and all instructions have the same latency.
    */
   struct {
      uint64_t at;
      uint32_t thread;
   } pipe[SGT_NV20_MAX_LATENCY];
   uint32_t first_pipe, num_pipe;
   enum sgt_vcore_state state;
   uint64_t from; /* first cycle that has not been added to the state counters yet */
};

struct sgt_vout {
   struct sgt_unit unit;
   struct sgt_nv20_shared *shared;
   struct sgt_channel *in, *freed, *out;
   uint64_t done;   /* bitmask of the output buffers that contain a complete vertex */
   uint64_t vertex; /* index of the next vertex to send */
   uint32_t head;   /* index of the output buffer that contains this vertex */
   /* Cycle in which the last vector of this vertex is sent, or SGT_NEVER if no vector has been sent
    * yet.
    */
   uint64_t last;
   enum sgt_vout_state state;
   uint64_t from; /* first cycle that has not been added to the state counters yet */
};

struct sgt_vnext {
   struct sgt_unit unit;
   struct sgt_nv20_shared *shared;
   struct sgt_channel *in;
   /* taken: number of vertices taken so far;
    * next_take: cycle in which the next vertex can be taken
    */
   uint64_t taken, next_take;
   enum sgt_vnext_state state;
   uint64_t from; /* first cycle that has not been added to the state counters yet */
};

void sgt_vcore_init(struct sgt_vcore *c, struct sgt_nv20_shared *shared,
                    const struct sgt_clock *clock);
void sgt_vout_init(struct sgt_vout *o, struct sgt_nv20_shared *shared,
                   const struct sgt_clock *clock);
void sgt_vnext_init(struct sgt_vnext *n, struct sgt_nv20_shared *shared,
                    const struct sgt_clock *clock);
void sgt_vcore_charge(struct sgt_vcore *c, uint64_t now);
void sgt_vout_charge(struct sgt_vout *o, uint64_t now);
void sgt_vnext_charge(struct sgt_vnext *n, uint64_t now);
/* These functions dump the requests in flight in a unit. */
void sgt_vcore_dump(const struct sgt_vcore *c, struct sgt_dump *d);
void sgt_vout_dump(const struct sgt_vout *o, struct sgt_dump *d);
void sgt_vnext_dump(const struct sgt_vnext *n, struct sgt_dump *d);

#endif
