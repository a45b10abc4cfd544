/* SPDX-License-Identifier: MIT */
/*
 * The interconnection network in front of a ROP: requests of pixel outputs, early tests and
 * transfers, one a cycle, round robin, and the answers back to them.
 */
#ifndef SGT_ROP_SWITCH_H
#define SGT_ROP_SWITCH_H

#include "chip_rop/sgt_rop_client.h"
#include "stats/sgt_rop_switch_counters.h"
#include "chip_front/sgt_unit_states.h"

struct sgt_dump;
struct sgt_stats;

enum sgt_rop_switch_state {
   SGT_ROP_SWITCH_BUSY, /* a request, or an answer, goes on */
   SGT_ROP_SWITCH_FULL, /* the ROP has no place */
   SGT_ROP_SWITCH_EMPTY,
   SGT_ROP_SWITCH_STATES,
};

struct sgt_rop_switch {
   struct sgt_unit unit;
   struct sgt_sched *sched;
   uint32_t rop, num_clients, room;
   struct sgt_channel *requests, *responses; /* from and to each client */
   struct sgt_channel to_rop, from_rop;
   uint32_t next; /* client */
   struct sgt_unit_states states;
   struct sgt_rop_switch_counters counters;
   char name[16];
};

/* Adds the unit to the scheduler, with room for `num` clients.  False: no memory. */
bool sgt_rop_switch_init(struct sgt_rop_switch *s, struct sgt_sched *sched,
                         const struct sgt_clock *clock, uint32_t rop, uint32_t num);
void sgt_rop_switch_finish(struct sgt_rop_switch *s);

/* Connects the next client, whose port is the number of clients before it.  `cycles` is the
 * delay of a request and of an answer.  False: no memory.
 */
bool sgt_rop_switch_connect(struct sgt_rop_switch *s, struct sgt_rop_client *client,
                            struct sgt_unit *unit, uint32_t cycles);
/* Makes the channels to and from the ROP.  False: no memory. */
bool sgt_rop_switch_connect_rop(struct sgt_rop_switch *s, struct sgt_unit *rop);
bool sgt_rop_switch_idle(const struct sgt_rop_switch *s);
/* Writes what the unit has under way. */
void sgt_rop_switch_dump(const struct sgt_rop_switch *s, struct sgt_dump *d);
/* After a run of `cycles` of the unit's clock; the unit must stay. */
void sgt_rop_switch_register(struct sgt_rop_switch *s, uint64_t cycles, struct sgt_stats *stats);

#endif
