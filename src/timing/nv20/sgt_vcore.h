/* SPDX-License-Identifier: MIT */
/*
 * The multi-threaded core, the output buffers and the next stage (Lindholm 2001, 4.3).
 */
#ifndef SGT_VCORE_H
#define SGT_VCORE_H

#include "nv20/sgt_vab.h"

struct sgt_dump;

/* Message from the core to the output: the output buffer contains all results of the vertex. */
struct sgt_vcore_done {
   uint64_t vertex;
   uint32_t buffer;
};

/* Message from the output to the core: the oldest output buffer is free. */
struct sgt_vout_free {
   uint32_t buffer;
};

/* Message from the output to the next stage. */
struct sgt_vout_vertex {
   uint64_t vertex;
};

struct sgt_vcore_thread {
   uint64_t vertex;
   uint32_t input, output; /* indices of the buffers */
   uint32_t left;          /* number of instructions that have not been issued */
};

struct sgt_vcore {
   struct sgt_unit unit;
   struct sgt_nv20_shared *shared;
   struct sgt_channel *in, *freed_inputs, *out, *freed_outputs;
   struct sgt_vcore_thread threads[SGT_NV20_MAX_THREADS];
   /* Bit masks of threads that have a vertex, and of threads whose next instruction can be issued.
    */
   uint64_t active, ready;
   uint32_t latest;                    /* thread that issued last */
   uint32_t outputs_free, next_output; /* number of free output buffers; index of the next one */
   uint64_t started;                   /* number of vertices that have started */
   uint32_t program;                   /* program of the active threads */
   bool waits_flush;                   /* the next vertex is counted in `flushes` */
   /* Ring of threads with an instruction in the pipeline, in the order of the cycle in which its
    * result can be read. At most one thread issues per cycle, and all instructions have the same
    * latency.
    */
   struct {
      uint64_t at;
      uint32_t thread;
   } pipe[SGT_NV20_MAX_LATENCY];
   uint32_t first_pipe, num_pipe;
   enum sgt_vcore_state state;
   uint64_t from; /* cycle up to which the states are counted */
};

struct sgt_vout {
   struct sgt_unit unit;
   struct sgt_nv20_shared *shared;
   struct sgt_channel *in, *freed, *out;
   uint64_t done;   /* bit mask of output buffers with a complete vertex */
   uint64_t vertex; /* number of the vertex that is sent next */
   uint32_t head;   /* index of its buffer */
   /* Cycle in which its last vector is sent, or SGT_NEVER if sending has not begun. */
   uint64_t last;
   enum sgt_vout_state state;
   uint64_t from; /* cycle up to which the states are counted */
};

struct sgt_vnext {
   struct sgt_unit unit;
   struct sgt_nv20_shared *shared;
   struct sgt_channel *in;
   uint64_t taken, next_take; /* number of vertices taken; cycle in which the next can be taken */
   enum sgt_vnext_state state;
   uint64_t from; /* cycle up to which the states are counted */
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
