/* SPDX-License-Identifier: MIT */
/*
 * The unit of banked DRAM: the DRAM channels (sgt_dram.h), and a switch between them and the
 * ports of clients. A port has a message channel for requests and one for responses.
 */
#ifndef SGT_DRAM_UNIT_H
#define SGT_DRAM_UNIT_H

#include "kernel/sgt_channel.h"
#include "dram/sgt_dram.h"

struct sgt_dump;

struct sgt_dram_request {
   uint64_t address; /* multiple of SGT_DRAM_BURST */
   uint32_t id;      /* number that the client chooses; its response has the same */
   bool write;
};

/* The end of a request: the data of a read have arrived, or a write is done. */
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
   uint32_t burst; /* time of a burst on the data bus, in memory clocks */
   struct sgt_dram_port *ports;
   uint32_t num_ports, room;          /* numbers of connected ports and of elements of `ports` */
   struct sgt_dram_channel *channels; /* array of params.channels elements */
   struct sgt_dram_stats stats;
};

/* Initializes the DRAM with places for `num_ports` ports, and adds it to the scheduler. Returns
 * false if out of memory.
 */
bool sgt_dram_init(struct sgt_dram *d, struct sgt_sched *sched, const struct sgt_clock *clock,
                   const struct sgt_dram_params *params, uint32_t num_ports);
void sgt_dram_finish(struct sgt_dram *d);

/* Connects the next port to a unit, which may have up to `max_open` requests without a response.
 * Requests and responses take `delay` ticks each. Returns false if out of memory.
 */
bool sgt_dram_connect(struct sgt_dram *d, struct sgt_sched *sched, struct sgt_unit *unit,
                      uint64_t delay, uint32_t max_open);

/* Returns whether there is no request or response in the DRAM and its message channels. */
bool sgt_dram_idle(const struct sgt_dram *d);
/* Writes what the unit has under way. */
void sgt_dram_dump(const struct sgt_dram *d, struct sgt_dump *dump);

/* Location of an address in the DRAM. */
struct sgt_dram_place {
   uint32_t channel, bank;
   uint64_t row;
};
/* Returns the location of an address. */
struct sgt_dram_place sgt_dram_find(const struct sgt_dram_params *p, uint64_t address);

#endif
