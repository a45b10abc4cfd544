/* SPDX-License-Identifier: MIT */
/*
 * The interconnection network between a ROP and its clients. It forwards one request per cycle from
 * the pixel outputs, the early tests and the transfer unit to the ROP, in round-robin order, and
 * returns the responses.
 */
#ifndef SGT_ROP_SWITCH_H
#define SGT_ROP_SWITCH_H

#include "chip_rop/sgt_rop_client.h"
#include "stats/sgt_rop_switch_counters.h"
#include "chip_front/sgt_unit_states.h"

struct sgt_dump;
struct sgt_stats;

enum sgt_rop_switch_state {
   SGT_ROP_SWITCH_BUSY,  /* forwards a request or a response */
   SGT_ROP_SWITCH_FULL,  /* the queue of the ROP is full */
   SGT_ROP_SWITCH_EMPTY, /* no requests are waiting */
   SGT_ROP_SWITCH_STATES,
};

struct sgt_rop_switch {
   struct sgt_unit unit;
   struct sgt_sched *sched;
   /* rop: index of the ROP;
    * num_clients: number of connected clients;
    * room: maximum number of clients
    */
   uint32_t rop, num_clients, room;
   /* for each client, the channel from it (requests) and the channel to it (responses) */
   struct sgt_channel *requests, *responses;
   struct sgt_channel to_rop, from_rop;
   uint32_t next; /* index of the client that has the highest priority for the next request */
   struct sgt_unit_states states;
   struct sgt_rop_switch_counters counters;
   char name[16];
};

/* Adds the unit to the scheduler. `num` is the maximum number of clients. Returns false on
 * allocation failure.
 */
bool sgt_rop_switch_init(struct sgt_rop_switch *s, struct sgt_sched *sched,
                         const struct sgt_clock *clock, uint32_t rop, uint32_t num);
void sgt_rop_switch_finish(struct sgt_rop_switch *s);

/* Connects another client. Clients are numbered in the order in which they are connected. `cycles`
 * is the delay of each request and of each response. Returns false on allocation failure.
 */
bool sgt_rop_switch_connect(struct sgt_rop_switch *s, struct sgt_rop_client *client,
                            struct sgt_unit *unit, uint32_t cycles);
/* Creates the channels to and from the ROP. Returns false on allocation failure. */
bool sgt_rop_switch_connect_rop(struct sgt_rop_switch *s, struct sgt_unit *rop);
bool sgt_rop_switch_idle(const struct sgt_rop_switch *s);
/* Dumps the state of the network and the messages in its channels. */
void sgt_rop_switch_dump(const struct sgt_rop_switch *s, struct sgt_dump *d);
/* Registers the statistics of the unit with `stats`, for a run of `cycles` cycles of the unit's
 * clock. The unit must outlive `stats`.
 */
void sgt_rop_switch_register(struct sgt_rop_switch *s, uint64_t cycles, struct sgt_stats *stats);

#endif
