/* SPDX-License-Identifier: MIT */
/*
 * The multi-threaded core, the output buffers and the next stage (Lindholm 2001, 4.3).
 */
#ifndef SGT_VCORE_H
#define SGT_VCORE_H

#include "nv20/sgt_vab.h"

struct sgt_dump;

/* Core to output: the vertex's results are in the output buffer. */
struct sgt_vcore_done {
   uint64_t vertex;
   uint32_t buffer;
};

/* Output to core: the oldest output buffer is free. */
struct sgt_vout_free {
   uint32_t buffer;
};

/* Output to the next stage. */
struct sgt_vout_vertex {
   uint64_t vertex;
};

struct sgt_vcore_thread {
   uint64_t vertex;
   uint32_t input, output; /* buffers */
   uint32_t left;          /* instructions that have not issued */
};

struct sgt_vcore {
   struct sgt_unit unit;
   struct sgt_nv20_shared *shared;
   struct sgt_channel *in, *freed_inputs, *out, *freed_outputs;
   struct sgt_vcore_thread threads[SGT_NV20_MAX_THREADS];
   uint64_t active, ready; /* threads with a vertex; those whose next instruction can issue */
   uint32_t latest;        /* thread that issued last */
   uint32_t outputs_free, next_output;
   uint64_t started; /* vertices */
   uint32_t program; /* of the threads that are active */
   bool waits_flush; /* the next vertex has been counted */
   /* Threads whose instruction is under way, by the cycle in which its result can be read.  At
    * most one issues a cycle, and all take equally long.
    */
   struct {
      uint64_t at;
      uint32_t thread;
   } pipe[SGT_NV20_MAX_LATENCY];
   uint32_t first_pipe, num_pipe;
   enum sgt_vcore_state state;
   uint64_t from;
};

struct sgt_vout {
   struct sgt_unit unit;
   struct sgt_nv20_shared *shared;
   struct sgt_channel *in, *freed, *out;
   uint64_t done;   /* output buffers with a vertex */
   uint64_t vertex; /* that is sent next */
   uint32_t head;   /* its buffer */
   uint64_t last;   /* cycle of its last vector; SGT_NEVER: it has not begun */
   enum sgt_vout_state state;
   uint64_t from;
};

struct sgt_vnext {
   struct sgt_unit unit;
   struct sgt_nv20_shared *shared;
   struct sgt_channel *in;
   uint64_t taken, next_take;
   enum sgt_vnext_state state;
   uint64_t from;
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
/* Write what the unit has under way. */
void sgt_vcore_dump(const struct sgt_vcore *c, struct sgt_dump *d);
void sgt_vout_dump(const struct sgt_vout *o, struct sgt_dump *d);
void sgt_vnext_dump(const struct sgt_vnext *n, struct sgt_dump *d);

#endif
