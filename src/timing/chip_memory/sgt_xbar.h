/* SPDX-License-Identifier: MIT */
/*
 * The interconnection network between the clients of memory and its partitions (Lindholm
 * 2008, Figure 1): a switch for requests and one for responses.
 *
 * The paper tells no more than that the network exists; widths, depths and latency are assumed.
 */
#ifndef SGT_XBAR_H
#define SGT_XBAR_H

#include "chip_memory/sgt_mem.h"
#include "chip_memory/sgt_partition_map.h"
#include "chip_memory/sgt_switch.h"
#include "params/sgt_xbar_params.h"

struct sgt_dump;

/* From a partition; clients get the response alone. */
struct sgt_xbar_response {
   struct sgt_mem_response response;
   uint32_t bytes; /* of data */
};

/* Of a client: the client sends requests and takes responses; it always takes responses at
 * last, also while its requests find no room.
 */
struct sgt_xbar_port {
   struct sgt_channel requests, responses; /* sgt_mem_request, sgt_mem_response */
};

/* Of a partition: it takes requests and sends responses. */
struct sgt_xbar_end {
   struct sgt_channel requests, responses; /* sgt_mem_request, sgt_xbar_response */
};

struct sgt_xbar {
   struct sgt_xbar_params params;
   struct sgt_partition_map map;
   struct sgt_switch requests, responses;
   struct sgt_xbar_port *ports; /* of clients */
   struct sgt_xbar_end *ends;   /* of partitions */
};

/* In the domain of `clock`.  The parameters are legal.  False: no memory. */
bool sgt_xbar_init(struct sgt_xbar *x, struct sgt_sched *sched, const struct sgt_clock *clock,
                   const struct sgt_xbar_params *params);
void sgt_xbar_finish(struct sgt_xbar *x);

/* Connects a client, with room for so many responses at it.  All clients and partitions are
 * connected before the first step.  False: no memory.
 */
bool sgt_xbar_connect(struct sgt_xbar *x, struct sgt_sched *sched, uint32_t client,
                      struct sgt_unit *unit, uint32_t responses);
/* Likewise a partition, with room for so many requests at it. */
bool sgt_xbar_connect_partition(struct sgt_xbar *x, struct sgt_sched *sched, uint32_t partition,
                                struct sgt_unit *unit, uint32_t requests);

/* No message is in it. */
bool sgt_xbar_idle(const struct sgt_xbar *x);
/* Writes what the unit has under way. */
void sgt_xbar_dump(const struct sgt_xbar *x, struct sgt_dump *d);
/* Accounts all clocks before `time`, in ticks; transfers under way to their end. */
void sgt_xbar_account(struct sgt_xbar *x, uint64_t time);
/* Registers the statistics as of "xbar.requests" and "xbar.responses". */
void sgt_xbar_register(const struct sgt_xbar *x, struct sgt_stats *s);

#endif
