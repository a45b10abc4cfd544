/* SPDX-License-Identifier: MIT */
/*
 * The interconnection network between memory clients and memory partitions (Lindholm 2008, Figure
 * 1): one switch for requests and one switch for responses.
 *
 * The paper mentions the network, but gives no details. Widths, depths and latency are assumptions.
 */
#ifndef SGT_XBAR_H
#define SGT_XBAR_H

#include "chip_memory/sgt_mem.h"
#include "chip_memory/sgt_partition_map.h"
#include "chip_memory/sgt_switch.h"
#include "params/sgt_xbar_params.h"

struct sgt_dump;

/* A response in the network. The client only receives the `response` member. */
struct sgt_xbar_response {
   struct sgt_mem_response response;
   uint32_t bytes; /* size of the data in bytes */
};

/* The port of a client, which sends requests and receives responses. A client must keep taking
 * responses even while it can't send requests. Otherwise, the network can deadlock.
 */
struct sgt_xbar_port {
   /* requests: carries struct sgt_mem_request; responses: carries struct sgt_mem_response */
   struct sgt_channel requests, responses;
};

/* The port of a partition, which receives requests and sends responses. */
struct sgt_xbar_end {
   /* requests: carries struct sgt_mem_request; responses: carries struct sgt_xbar_response */
   struct sgt_channel requests, responses;
};

struct sgt_xbar {
   struct sgt_xbar_params params;
   struct sgt_partition_map map;
   struct sgt_switch requests, responses;
   struct sgt_xbar_port *ports; /* ports of the clients */
   struct sgt_xbar_end *ends;   /* ports of the partitions */
};

/* Initializes the network. The parameters must be valid. Returns false on allocation failure. */
bool sgt_xbar_init(struct sgt_xbar *x, struct sgt_sched *sched, const struct sgt_clock *clock,
                   const struct sgt_xbar_params *params);
void sgt_xbar_finish(struct sgt_xbar *x);

/* Connects a client. Its response channel has room for `responses` messages in addition to those in
 * transit. All clients and partitions must be connected before the simulation starts. Returns false
 * on allocation failure.
 */
bool sgt_xbar_connect(struct sgt_xbar *x, struct sgt_sched *sched, uint32_t client,
                      struct sgt_unit *unit, uint32_t responses);
/* Connects a partition. Its request channel has room for `requests` messages in addition to those
 * in transit. Returns false on allocation failure.
 */
bool sgt_xbar_connect_partition(struct sgt_xbar *x, struct sgt_sched *sched, uint32_t partition,
                                struct sgt_unit *unit, uint32_t requests);

/* Returns true if there are no messages in the network and its channels. */
bool sgt_xbar_idle(const struct sgt_xbar *x);
/* Dumps the state and the messages of both switches. */
void sgt_xbar_dump(const struct sgt_xbar *x, struct sgt_dump *d);
/* Adds the states of all ports up to `time` (in ticks) to the statistics. */
void sgt_xbar_account(struct sgt_xbar *x, uint64_t time);
/* Registers the statistics under the unit names "xbar.requests" and "xbar.responses". */
void sgt_xbar_register(const struct sgt_xbar *x, struct sgt_stats *s);

#endif
