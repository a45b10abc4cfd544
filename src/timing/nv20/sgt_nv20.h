/* SPDX-License-Identifier: MIT */
/*
 * The vertex engine of Lindholm, Kilgard, Moreton, "A User-Programmable Vertex Engine"
 * (SIGGRAPH 2001), section 4: attribute buffer, input buffers, multi-threaded core, output
 * buffers.
 *
 *    host --writes--> attribute buffer --input buffers--> core --output buffers--> output --> next
 *
 * Each arrow takes one cycle. docs/chip-nv20.md defines what the paper leaves open.
 */
#ifndef SGT_NV20_H
#define SGT_NV20_H

#include "params/sgt_nv20_params.h"
#include "nv20/sgt_vertex_stream.h"

struct sgt_stats;

/* Activities of the units in a cycle. First, those of the host. */
enum sgt_nv20_host_state {
   SGT_HOST_SEND, /* sends a write */
   SGT_HOST_PACE, /* waits between writes (host_clocks) */
   SGT_HOST_FULL, /* waits because the FIFO to the attribute buffer is full */
   SGT_HOST_DONE,
   SGT_HOST_STATES,
};
/* The input side of the attribute buffer. */
enum sgt_vab_write_state {
   SGT_VAB_WRITE, /* a write enters */
   /* The attribute of the write has not been moved yet for the previous vertex. A write of attribute
    * 0 waits until all attributes of that vertex are moved.
    */
   SGT_VAB_WAITS_DRAIN,
   /* Like SGT_VAB_WAITS_DRAIN, but the previous vertex waits for an input buffer. */
   SGT_VAB_WAITS_BUFFER,
   SGT_VAB_NO_WRITE,
   SGT_VAB_WRITE_STATES,
};
/* The output side of the attribute buffer, which moves attributes to input buffers. */
enum sgt_vab_drain_state {
   SGT_VAB_DRAIN,     /* moves the pending attribute with the lowest number */
   SGT_VAB_PUSH,      /* moves the attribute that a write replaces */
   SGT_VAB_NO_BUFFER, /* the vertex waits for its input buffer */
   SGT_VAB_NO_VERTEX,
   SGT_VAB_DRAIN_STATES,
};
/* The issue slot of the core. In all states but ISSUE and LATENCY, a thread has no vertex, and the
 * other threads wait for results.
 */
enum sgt_vcore_state {
   SGT_VCORE_ISSUE,
   SGT_VCORE_LATENCY, /* all threads have vertices and wait for results */
   SGT_VCORE_INPUT,   /* no input buffer is full */
   SGT_VCORE_OUTPUT,  /* no output buffer is free */
   /* The next vertex has a different program, and the core must be empty for it (flush). */
   SGT_VCORE_PROGRAM,
   SGT_VCORE_DRAIN, /* all vertices have started */
   SGT_VCORE_STATES,
};
enum sgt_vout_state {
   SGT_VOUT_SEND,    /* sends a vector of a vertex */
   SGT_VOUT_BLOCKED, /* waits because the FIFO to the next stage is full */
   SGT_VOUT_ORDER,   /* waits for the next vertex, but a later one is complete */
   SGT_VOUT_IDLE,
   SGT_VOUT_STATES,
};
enum sgt_vnext_state {
   SGT_VNEXT_BUSY,
   SGT_VNEXT_IDLE,
   SGT_VNEXT_STATES,
};
extern const char *const sgt_nv20_host_names[SGT_HOST_STATES];
extern const char *const sgt_vab_write_names[SGT_VAB_WRITE_STATES];
extern const char *const sgt_vab_drain_names[SGT_VAB_DRAIN_STATES];
extern const char *const sgt_vcore_names[SGT_VCORE_STATES];
extern const char *const sgt_vout_names[SGT_VOUT_STATES];
extern const char *const sgt_vnext_names[SGT_VNEXT_STATES];

/* Cycles in which a vertex passes through the engine. */
struct sgt_nv20_times {
   uint64_t written; /* its write of attribute 0 enters the attribute buffer */
   uint64_t filled;  /* its last attribute is moved to the input buffer */
   uint64_t started; /* a thread starts it */
   uint64_t ended;   /* its last result is in the output buffer */
   uint64_t sent;    /* its last vector leaves the output buffer */
   uint64_t taken;   /* the next stage takes it */
};

struct sgt_nv20_observer {
   void *data;
   /* Called for each vertex, in order. */
   void (*vertex)(void *data, uint64_t vertex, const struct sgt_nv20_times *times);
};

struct sgt_nv20_channel_result {
   uint64_t messages, most; /* number of messages; maximum number at once */
   uint64_t residence;      /* cycles from sending to taking, summed */
};

/* This file is generated. Its arrays have the sizes of the enums above. */
#include "stats/sgt_nv20_result.h"
extern const char *const sgt_nv20_channel_names[6];

/* Runs the stream until all vertices are done. Returns false with a message if there are no
 * vertices, if parameters or vertices are invalid, if out of memory, after more than max_cycles, or
 * if the model comes to a standstill.
 */
bool sgt_nv20_run(const struct sgt_vertex_stream *stream, const struct sgt_nv20_params *params,
                  const struct sgt_nv20_observer *observer, struct sgt_nv20_result *result,
                  char *error, size_t error_size);

/* Also used by the reference of the tests: checks the parameters and the stream, and initializes the result with the
 * properties of the stream.
 */
bool sgt_nv20_begin(const struct sgt_vertex_stream *stream, const struct sgt_nv20_params *params,
                    struct sgt_nv20_result *result, char *error, size_t error_size);
/* Adds the times of a finished vertex to the result. */
void sgt_nv20_count(struct sgt_nv20_result *result, const struct sgt_nv20_times *times);

#endif
