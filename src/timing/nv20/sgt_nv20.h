/* SPDX-License-Identifier: MIT */
/*
 * Model of the vertex engine of Lindholm, Kilgard, Moreton, "A User-Programmable Vertex Engine"
 * (SIGGRAPH 2001), section 4: attribute buffer, input buffers, multi-threaded core, output buffers.
 *
 *    host --writes--> attribute buffer --input buffers--> core --output buffers--> output --> next
 *
 * Each arrow takes one cycle. docs/chip-nv20.md specifies details that the paper leaves open.
 */
#ifndef SGT_NV20_H
#define SGT_NV20_H

#include "params/sgt_nv20_params.h"
#include "nv20/sgt_vertex_stream.h"

struct sgt_stats;

/* State of the host in a cycle. The following enums are the states of the other units. */
enum sgt_nv20_host_state {
   SGT_HOST_SEND, /* the host sends a write */
   SGT_HOST_PACE, /* the host is waiting for the minimum time between two writes (host_clocks) */
   SGT_HOST_FULL, /* the host is waiting because the FIFO to the attribute buffer is full */
   SGT_HOST_DONE,
   SGT_HOST_STATES,
};
/* State of the input side of the attribute buffer. */
enum sgt_vab_write_state {
   SGT_VAB_WRITE, /* a write enters the attribute buffer */
   /* The write is waiting because it would overwrite an attribute of the previous vertex that has
    * not been moved yet. A write of attribute 0 waits until all attributes of the previous vertex
    * have been moved.
    */
   SGT_VAB_WAITS_DRAIN,
   /* Like SGT_VAB_WAITS_DRAIN, but the previous vertex is waiting for a free input buffer. */
   SGT_VAB_WAITS_BUFFER,
   SGT_VAB_NO_WRITE,
   SGT_VAB_WRITE_STATES,
};
/* State of the output side of the attribute buffer, which moves attributes to input buffers. */
enum sgt_vab_drain_state {
   SGT_VAB_DRAIN,     /* moves the pending attribute with the lowest index */
   SGT_VAB_PUSH,      /* moves an attribute out of turn, because an incoming write overwrites it */
   SGT_VAB_NO_BUFFER, /* the vertex is waiting for a free input buffer */
   SGT_VAB_NO_VERTEX,
   SGT_VAB_DRAIN_STATES,
};
/* State of the core's issue slot. In all states except ISSUE and LATENCY, at least one thread has
 * no vertex, and all other threads are waiting for results.
 */
enum sgt_vcore_state {
   SGT_VCORE_ISSUE,
   SGT_VCORE_LATENCY, /* all threads have a vertex and are waiting for results */
   SGT_VCORE_INPUT,   /* no input buffer is full */
   SGT_VCORE_OUTPUT,  /* no output buffer is free */
   /* The next vertex uses a different program, and must wait until the core is empty (parameter
    * `flush`).
    */
   SGT_VCORE_PROGRAM,
   SGT_VCORE_DRAIN, /* there are no more vertices to start */
   SGT_VCORE_STATES,
};
enum sgt_vout_state {
   SGT_VOUT_SEND,    /* sends an output vector of a vertex */
   SGT_VOUT_BLOCKED, /* the output is waiting because the FIFO to the next stage is full */
   SGT_VOUT_ORDER,   /* a later vertex is complete, but the next vertex in order is not */
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

/* Cycles in which a vertex passes the stages of the engine. */
struct sgt_nv20_times {
   uint64_t written; /* when the write of attribute 0 entered the attribute buffer */
   uint64_t filled;  /* when the last attribute was moved to the input buffer */
   uint64_t started; /* when a thread started the vertex */
   uint64_t ended;   /* when the last result was written to the output buffer */
   uint64_t sent;    /* when the last vector left the output buffer */
   uint64_t taken;   /* when the next stage took the vertex */
};

struct sgt_nv20_observer {
   void *data;
   /* Called for each vertex, in the order of the stream. */
   void (*vertex)(void *data, uint64_t vertex, const struct sgt_nv20_times *times);
};

struct sgt_nv20_channel_result {
   /* messages: total number of messages;
    * most: maximum number of messages in the channel at the same time
    */
   uint64_t messages, most;
   /* number of cycles that messages spent in the channel, summed over all messages */
   uint64_t residence;
};

/* This generated header must be included here, because it declares arrays with the sizes of the
 * enums above.
 */
#include "stats/sgt_nv20_result.h"
extern const char *const sgt_nv20_channel_names[6];

/* Simulates the stream until all vertices are done. Returns false and writes a message if the
 * stream is empty, a vertex or a parameter is invalid, allocation fails, max_cycles is exceeded, or
 * the model hangs.
 */
bool sgt_nv20_run(const struct sgt_vertex_stream *stream, const struct sgt_nv20_params *params,
                  const struct sgt_nv20_observer *observer, struct sgt_nv20_result *result,
                  char *error, size_t error_size);

/* Checks the parameters and the stream, and initializes the result with the properties of the
 * stream. The reference model in the tests also calls this function.
 */
bool sgt_nv20_begin(const struct sgt_vertex_stream *stream, const struct sgt_nv20_params *params,
                    struct sgt_nv20_result *result, char *error, size_t error_size);
/* Adds the times of a finished vertex to the result. */
void sgt_nv20_count(struct sgt_nv20_result *result, const struct sgt_nv20_times *times);

#endif
