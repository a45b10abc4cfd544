/* SPDX-License-Identifier: MIT */
/*
 * The unit of banked DRAM: the switch between ports and channels, and the channels
 * (sgt_dram.h).  Each port has a channel of requests and one of responses.
 */
#ifndef SGT_DRAM_UNIT_H
#define SGT_DRAM_UNIT_H

#include "kernel/sgt_channel.h"
#include "dram/sgt_dram.h"

struct sgt_dump;

struct sgt_dram_request {
   uint64_t address; /* a multiple of SGT_DRAM_BURST */
   uint32_t id;      /* the port's */
   bool write;
};

/* A read has its data; a write is done, and later requests see it. */
struct sgt_dram_response {
   uint32_t id;
   bool write;
};

struct sgt_dram_port {
   struct sgt_channel requests, responses;
};

struct sgt_dram_channel;

struct sgt_dram {
   struct sgt_unit unit;
   struct sgt_dram_params params;
   uint32_t burst; /* memory clocks of the bus */
   struct sgt_dram_port *ports;
   uint32_t num_ports, room;
   struct sgt_dram_channel *channels;
   struct sgt_dram_stats stats;
};

/* Adds the unit to the scheduler.  False: no memory. */
bool sgt_dram_init(struct sgt_dram *d, struct sgt_sched *sched, const struct sgt_clock *clock,
                   const struct sgt_dram_params *params, uint32_t num_ports);
void sgt_dram_finish(struct sgt_dram *d);

/* Connects the next port to a unit that has at most `max_open` requests without a response.
 * `delay` is of requests and of responses, in ticks.  False: no memory.
 */
bool sgt_dram_connect(struct sgt_dram *d, struct sgt_sched *sched, struct sgt_unit *unit,
                      uint64_t delay, uint32_t max_open);

/* Whether nothing is under way. */
bool sgt_dram_idle(const struct sgt_dram *d);
/* Writes what the unit has under way. */
void sgt_dram_dump(const struct sgt_dram *d, struct sgt_dump *dump);

/* Where an address is. */
struct sgt_dram_place {
   uint32_t channel, bank;
   uint64_t row;
};
struct sgt_dram_place sgt_dram_find(const struct sgt_dram_params *p, uint64_t address);

#endif
