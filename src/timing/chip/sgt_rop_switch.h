/* SPDX-License-Identifier: MIT */
/*
 * The interconnection network in front of a ROP. It forwards one request a cycle from the pixel
 * outputs, early tests and the transfer unit, round robin, and returns the answers to them.
 */
#ifndef SGT_ROP_SWITCH_H
#define SGT_ROP_SWITCH_H

#include "chip_rop/sgt_rop_client.h"
#include "stats/sgt_rop_switch_counters.h"
#include "chip_front/sgt_unit_states.h"

struct sgt_dump;
struct sgt_stats;

enum sgt_rop_switch_state {
   SGT_ROP_SWITCH_BUSY,  /* a request or an answer is forwarded */
   SGT_ROP_SWITCH_FULL,  /* the ROP's queue is full */
   SGT_ROP_SWITCH_EMPTY, /* no request waits */
   SGT_ROP_SWITCH_STATES,
};

struct sgt_rop_switch {
   struct sgt_unit unit;
   struct sgt_sched *sched;
   /* index of the ROP; number of connected clients and its limit */
   uint32_t rop, num_clients, room;
   struct sgt_channel *requests, *responses; /* channels from and to each client */
   struct sgt_channel to_rop, from_rop;
   uint32_t next; /* client that is considered first for the next request */
   struct sgt_unit_states states;
   struct sgt_rop_switch_counters counters;
   char name[16];
};

/* Adds the unit to the scheduler, for at most `num` clients. Returns false if out of memory. */
bool sgt_rop_switch_init(struct sgt_rop_switch *s, struct sgt_sched *sched,
                         const struct sgt_clock *clock, uint32_t rop, uint32_t num);
void sgt_rop_switch_finish(struct sgt_rop_switch *s);

/* Connects the next client. Its port is the number of clients that were connected before. `cycles`
 * is the delay of requests and of answers. Returns false if out of memory.
 */
bool sgt_rop_switch_connect(struct sgt_rop_switch *s, struct sgt_rop_client *client,
                            struct sgt_unit *unit, uint32_t cycles);
/* Creates the channels to and from the ROP. Returns false if out of memory. */
bool sgt_rop_switch_connect_rop(struct sgt_rop_switch *s, struct sgt_unit *rop);
bool sgt_rop_switch_idle(const struct sgt_rop_switch *s);
/* Writes what the unit has under way. */
void sgt_rop_switch_dump(const struct sgt_rop_switch *s, struct sgt_dump *d);
/* Adds the statistics after a run of `cycles` of the unit's clock. The unit must outlive the
 * statistics.
 */
void sgt_rop_switch_register(struct sgt_rop_switch *s, uint64_t cycles, struct sgt_stats *stats);

#endif
