/* SPDX-License-Identifier: MIT */
/*
 * The DRAM unit: the DRAM channels (sgt_dram.h), and a switch that connects them to the ports of
 * the clients. A port has one message channel for requests and one for responses.
 */
#ifndef SGT_DRAM_UNIT_H
#define SGT_DRAM_UNIT_H

#include "kernel/sgt_channel.h"
#include "dram/sgt_dram.h"

struct sgt_dump;

struct sgt_dram_request {
   uint64_t address; /* byte address, a multiple of SGT_DRAM_BURST */
   uint32_t id;      /* ID that the client chooses and that the response returns */
   bool write;
};

/* Response that is sent when a request is done, i.e. when the data of a read has arrived or a write
 * has completed.
 */
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
   uint32_t burst; /* duration of a burst on the data bus, in memory clocks */
   struct sgt_dram_port *ports;
   /* num_ports: number of connected ports;
    * room: number of elements of `ports`
    */
   uint32_t num_ports, room;
   struct sgt_dram_channel *channels; /* DRAM channels; params.channels elements */
   struct sgt_dram_stats stats;
};

/* Initializes the DRAM for up to `num_ports` ports, and adds it to the scheduler. Returns false if
 * allocation fails.
 */
bool sgt_dram_init(struct sgt_dram *d, struct sgt_sched *sched, const struct sgt_clock *clock,
                   const struct sgt_dram_params *params, uint32_t num_ports);
void sgt_dram_finish(struct sgt_dram *d);

/* Connects the next port to a unit that has at most `max_open` outstanding requests. A request and
 * its response are each delayed by `delay` ticks. Returns false if allocation fails.
 */
bool sgt_dram_connect(struct sgt_dram *d, struct sgt_sched *sched, struct sgt_unit *unit,
                      uint64_t delay, uint32_t max_open);

/* Returns true if no requests or responses are in flight in the DRAM and its message channels. */
bool sgt_dram_idle(const struct sgt_dram *d);
/* Dumps the requests in flight. */
void sgt_dram_dump(const struct sgt_dram *d, struct sgt_dump *dump);

/* Physical location of an address. */
struct sgt_dram_place {
   uint32_t channel, bank;
   uint64_t row;
};
/* Maps an address to its physical location. */
struct sgt_dram_place sgt_dram_find(const struct sgt_dram_params *p, uint64_t address);

#endif
