/* SPDX-License-Identifier: MIT */
/*
 * The host interface and the vertex attribute buffer (Lindholm 2001, 4.2).
 */
#ifndef SGT_VAB_H
#define SGT_VAB_H

#include "kernel/sgt_channel.h"
#include "nv20/sgt_nv20.h"

struct sgt_dump;

/* State that all units of an engine share. The stream and the parameters are read-only. Each unit
 * writes different members of the result.
 */
struct sgt_nv20_shared {
   const struct sgt_vertex_stream *stream;
   const struct sgt_nv20_params *params;
   const struct sgt_nv20_observer *observer; /* observer of vertices, or NULL */
   struct sgt_nv20_result *result;
   /* Times of the vertices in the engine. Vertex i uses the element i & times_mask. */
   struct sgt_nv20_times *times;
   uint64_t times_mask;
   bool ended;
};

static inline struct sgt_nv20_times *
sgt_nv20_times_of(const struct sgt_nv20_shared *s, uint64_t vertex)
{
   return &s->times[vertex & s->times_mask];
}

/* Adds the cycles since *from to the counter of a state, and sets *from to `now`. */
static inline void
sgt_nv20_charge(uint64_t *states, unsigned state, uint64_t *from, uint64_t now)
{
   states[state] += now - *from;
   *from = now;
}

/* Message from the host to the attribute buffer: an attribute is written. */
struct sgt_vab_write_message {
   uint8_t attribute;
};

/* Message from the attribute buffer to the core: the input buffer holds all attributes of the
 * vertex.
 */
struct sgt_vab_filled {
   uint64_t vertex;
   uint32_t buffer;
};

/* Message from the core to the attribute buffer: the input buffer is free again. */
struct sgt_vab_free {
   uint32_t buffer;
};

struct sgt_vhost {
   struct sgt_unit unit;
   struct sgt_nv20_shared *shared;
   struct sgt_channel *out;
   /* next_write: index of the next write;
    * next_send: cycle in which the next write can be sent
    */
   uint64_t next_write, next_send;
   enum sgt_nv20_host_state state;
   uint64_t from; /* first cycle that has not been added to the state counters yet */
};

struct sgt_vab {
   struct sgt_unit unit;
   struct sgt_nv20_shared *shared;
   struct sgt_channel *in, *out, *freed;
   /* For each input buffer, a bitmask of the attributes that have been written since the buffer was
    * last filled.
    */
   uint16_t dirty[SGT_NV20_MAX_BUFFERS];
   /* Bitmask of attributes that have been written for the incoming vertex. */
   uint16_t written;
   /* Bitmask of attributes that have not been moved to the input buffer `target` yet. */
   uint16_t pending;
   uint32_t target;
   uint32_t moved;  /* number of attributes of `vertex` that have been moved */
   uint64_t vertex; /* index of the vertex that is being moved or will be moved next */
   uint64_t free;   /* bitmask of free input buffers */
   enum sgt_vab_write_state write_state;
   enum sgt_vab_drain_state drain_state;
   uint64_t from; /* first cycle that has not been added to the state counters yet */
};

void sgt_vhost_init(struct sgt_vhost *h, struct sgt_nv20_shared *shared,
                    const struct sgt_clock *clock);
void sgt_vab_init(struct sgt_vab *v, struct sgt_nv20_shared *shared, const struct sgt_clock *clock);
/* The next two functions finish the state counters: they account for the cycles from the last
 * change of state up to `now`, the cycle in which the run ends.
 */
void sgt_vhost_charge(struct sgt_vhost *h, uint64_t now);
void sgt_vab_charge(struct sgt_vab *v, uint64_t now);
/* Returns true if the buffer holds no attributes of an incomplete vertex. */
bool sgt_vab_idle(const struct sgt_vab *v);
/* These functions dump the requests in flight in a unit. */
void sgt_vhost_dump(const struct sgt_vhost *h, struct sgt_dump *d);
void sgt_vab_dump(const struct sgt_vab *v, struct sgt_dump *d);

#endif
