/* SPDX-License-Identifier: MIT */
/*
 * The host's writes and the vertex attribute buffer (Lindholm 2001, 4.2).
 */
#ifndef SGT_VAB_H
#define SGT_VAB_H

#include "kernel/sgt_channel.h"
#include "nv20/sgt_nv20.h"

struct sgt_dump;

/* What the units of an engine share: the stream and the parameters, which they read, and the
 * accounts, of which each writes its own.
 */
struct sgt_nv20_shared {
   const struct sgt_vertex_stream *stream;
   const struct sgt_nv20_params *params;
   const struct sgt_nv20_observer *observer; /* or NULL */
   struct sgt_nv20_result *result;
   struct sgt_nv20_times *times; /* of vertices under way, by number & times_mask */
   uint64_t times_mask;
   bool ended;
};

static inline struct sgt_nv20_times *
sgt_nv20_times_of(const struct sgt_nv20_shared *s, uint64_t vertex)
{
   return &s->times[vertex & s->times_mask];
}

/* Charges the cycles since *from to a state. */
static inline void
sgt_nv20_charge(uint64_t *states, unsigned state, uint64_t *from, uint64_t now)
{
   states[state] += now - *from;
   *from = now;
}

/* Host to attribute buffer. */
struct sgt_vab_write_message {
   uint8_t attribute;
};

/* Attribute buffer to core: an input buffer has a vertex. */
struct sgt_vab_filled {
   uint64_t vertex;
   uint32_t buffer;
};

/* Core to attribute buffer: the buffer is free. */
struct sgt_vab_free {
   uint32_t buffer;
};

struct sgt_vhost {
   struct sgt_unit unit;
   struct sgt_nv20_shared *shared;
   struct sgt_channel *out;
   uint64_t next_write, next_send;
   enum sgt_nv20_host_state state;
   uint64_t from; /* all before is charged */
};

struct sgt_vab {
   struct sgt_unit unit;
   struct sgt_nv20_shared *shared;
   struct sgt_channel *in, *out, *freed;
   uint16_t dirty[SGT_NV20_MAX_BUFFERS]; /* attributes written since the buffer's filling began */
   uint16_t written;                     /* attributes that the vertex that is loaded has written */
   uint16_t pending; /* attributes that are still to be moved to buffer `target` */
   uint32_t target;
   uint32_t moved;  /* attributes of the vertex that is moved */
   uint64_t vertex; /* that is moved, or is moved next */
   uint64_t free;   /* input buffers */
   enum sgt_vab_write_state write_state;
   enum sgt_vab_drain_state drain_state;
   uint64_t from;
};

void sgt_vhost_init(struct sgt_vhost *h, struct sgt_nv20_shared *shared,
                    const struct sgt_clock *clock);
void sgt_vab_init(struct sgt_vab *v, struct sgt_nv20_shared *shared, const struct sgt_clock *clock);
/* Charge the cycles up to the end of the run. */
void sgt_vhost_charge(struct sgt_vhost *h, uint64_t now);
void sgt_vab_charge(struct sgt_vab *v, uint64_t now);
/* Whether nothing is left in the buffer. */
bool sgt_vab_idle(const struct sgt_vab *v);
/* Write what the unit has under way. */
void sgt_vhost_dump(const struct sgt_vhost *h, struct sgt_dump *d);
void sgt_vab_dump(const struct sgt_vab *v, struct sgt_dump *d);

#endif
