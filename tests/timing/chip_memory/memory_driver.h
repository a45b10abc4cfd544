/* SPDX-License-Identifier: MIT */
/*
 * A memory with clients and ROPs that send lists of requests.
 */
#ifndef MEMORY_DRIVER_H
#define MEMORY_DRIVER_H

#include "chip_memory/sgt_memory.h"
#include "unit_rig.h"

#define DRIVER_MAX_REQUESTS 16384

struct driver_request {
   uint64_t at; /* clock of the driver before which it is not sent */
   struct sgt_mem_request request;
   uint64_t sent, answered; /* times; SGT_NEVER: not */
};

struct driver {
   struct sgt_unit unit;
   struct sgt_channel *requests, *responses;
   struct driver_request *list; /* DRIVER_MAX_REQUESTS */
   uint32_t num, next, open;
   uint32_t max_open;   /* reads and atomics without response; 0: no bound */
   uint64_t deaf_until; /* clock before which it takes no responses */
   uint64_t answered;   /* sectors */
   uint32_t responses_num;
   uint64_t last; /* time of the latest response */
};

struct machine {
   struct sgt_memory_params params;
   uint32_t mhz[4]; /* of drivers, network, partitions, DRAM */
   struct unit_rig rig;
   struct sgt_memory memory;
   uint32_t num_clients;
   struct driver *clients, *rops; /* rops: NULL, or one of each partition */
   uint64_t end;                  /* time of the last event */
   struct sgt_unit nag;           /* calls all units at each of its edges */
   bool nags, with_rops;
};

/* The default memory without refresh; drivers in the clock of the network. */
struct machine *machine_create(uint32_t clients, bool rops);
/* Adds a request to a driver's list. */
void driver_add(struct driver *d, uint64_t at, enum sgt_mem_kind kind, uint64_t address,
                uint32_t sectors, uint32_t lanes);
/* Runs it until nothing is left, and checks conservation.  It may be run again. */
void machine_run(struct machine *m, uint64_t shuffle);
void machine_finish(struct machine *m); /* what machine_run made */
void machine_destroy(struct machine *m);

#endif
