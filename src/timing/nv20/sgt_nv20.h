/* SPDX-License-Identifier: MIT */
/*
 * The vertex engine of Lindholm, Kilgard, Moreton, "A User-Programmable Vertex Engine"
 * (SIGGRAPH 2001), section 4: attribute buffer, input buffers, multi-threaded core, output
 * buffers.
 *
 *    host --writes--> attribute buffer --input buffers--> core --output buffers--> output --> next
 *
 * Every arrow takes a clock.  docs/chip-nv20.md has the rules where the paper is silent.
 */
#ifndef SGT_NV20_H
#define SGT_NV20_H

#include "params/sgt_nv20_params.h"
#include "nv20/sgt_vertex_stream.h"

struct sgt_stats;

/* What units do in a cycle. */
enum sgt_nv20_host_state {
   SGT_HOST_SEND, /* sends a write */
   SGT_HOST_PACE, /* between writes: host_clocks */
   SGT_HOST_FULL, /* the attribute buffer does not take them */
   SGT_HOST_DONE,
   SGT_HOST_STATES,
};
/* Input side of the attribute buffer. */
enum sgt_vab_write_state {
   SGT_VAB_WRITE,        /* a write enters */
   SGT_VAB_WAITS_DRAIN,  /* its attribute, or with 0 the whole vertex before it, is not moved yet */
   SGT_VAB_WAITS_BUFFER, /* likewise, since the vertex before it waits for an input buffer */
   SGT_VAB_NO_WRITE,
   SGT_VAB_WRITE_STATES,
};
/* Output side. */
enum sgt_vab_drain_state {
   SGT_VAB_DRAIN,     /* moves an attribute in turn */
   SGT_VAB_PUSH,      /* moves the attribute that a write pushes out */
   SGT_VAB_NO_BUFFER, /* the vertex waits for its input buffer */
   SGT_VAB_NO_VERTEX,
   SGT_VAB_DRAIN_STATES,
};
/* Issue slot of the core. */
enum sgt_vcore_state {
   SGT_VCORE_ISSUE,
   SGT_VCORE_LATENCY, /* all threads have vertices and wait for results */
   SGT_VCORE_INPUT,   /* there is a thread without a vertex, and no input buffer is full */
   SGT_VCORE_OUTPUT,  /* likewise, and no output buffer is free */
   SGT_VCORE_PROGRAM, /* likewise, and the vertex has another program (flush) */
   SGT_VCORE_DRAIN,   /* likewise, and all vertices have started */
   SGT_VCORE_STATES,
};
enum sgt_vout_state {
   SGT_VOUT_SEND,    /* a vector of a vertex */
   SGT_VOUT_BLOCKED, /* the next stage has no place */
   SGT_VOUT_ORDER,   /* a later vertex is ready, the next one is not */
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

/* Cycles of a vertex. */
struct sgt_nv20_times {
   uint64_t written; /* its write of attribute 0 enters the attribute buffer */
   uint64_t filled;  /* its last attribute is moved to the input buffer */
   uint64_t started; /* a thread takes it */
   uint64_t ended;   /* its last result is in the output buffer */
   uint64_t sent;    /* its last vector leaves it */
   uint64_t taken;   /* the next stage takes it */
};

struct sgt_nv20_observer {
   void *data;
   /* In the order of vertices. */
   void (*vertex)(void *data, uint64_t vertex, const struct sgt_nv20_times *times);
};

struct sgt_nv20_channel_result {
   uint64_t messages, most; /* most: under way at once */
   uint64_t residence;      /* cycles from sending to taking, summed */
};

/* Generated; its arrays have the sizes of the enums above. */
#include "stats/sgt_nv20_result.h"
extern const char *const sgt_nv20_channel_names[6];

/* Runs the stream until all vertices are through.  False, with a message: no vertices, illegal
 * parameters or vertices, out of memory, more than max_cycles, or a model that does not end.
 */
bool sgt_nv20_run(const struct sgt_vertex_stream *stream, const struct sgt_nv20_params *params,
                  const struct sgt_nv20_observer *observer, struct sgt_nv20_result *result,
                  char *error, size_t error_size);

/* Shared with the reference of the tests: checks, and the facts of the stream in the result. */
bool sgt_nv20_begin(const struct sgt_vertex_stream *stream, const struct sgt_nv20_params *params,
                    struct sgt_nv20_result *result, char *error, size_t error_size);
/* Counts a vertex that is through. */
void sgt_nv20_count(struct sgt_nv20_result *result, const struct sgt_nv20_times *times);

#endif
