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
   uint64_t at; /* earliest clock of the driver at which it is sent */
   struct sgt_mem_request request;
   uint64_t sent, answered; /* times, or SGT_NEVER */
};

struct driver {
   struct sgt_unit unit;
   struct sgt_channel *requests, *responses;
   struct driver_request *list; /* array of DRIVER_MAX_REQUESTS entries */
   uint32_t num, next, open;
   uint32_t max_open;   /* maximum number of reads and atomics without a response; 0: no limit */
   uint64_t deaf_until; /* clock until which the driver takes no responses */
   uint64_t answered;   /* number of sectors in responses */
   uint32_t responses_num;
   uint64_t last; /* time of the latest response */
};

struct machine {
   struct sgt_memory_params params;
   uint32_t mhz[4]; /* clocks of drivers, network, partitions and DRAM, in MHz */
   struct unit_rig rig;
   struct sgt_memory memory;
   uint32_t num_clients;
   struct driver *clients, *rops; /* rops: one driver per partition, or NULL */
   uint64_t end;                  /* time of the last event */
   struct sgt_unit nag;           /* unit that calls all units at each of its clock edges */
   bool nags, with_rops;
};

/* Creates a machine with the default memory without refresh.  Drivers have the clock of the
 * network.
 */
struct machine *machine_create(uint32_t clients, bool rops);
/* Adds a request to a driver's list. */
void driver_add(struct driver *d, uint64_t at, enum sgt_mem_kind kind, uint64_t address,
                uint32_t sectors, uint32_t lanes);
/* Runs until no work is left, and checks that requests are conserved.  The machine can be run
 * again.
 */
void machine_run(struct machine *m, uint64_t shuffle);
void machine_finish(struct machine *m); /* frees what machine_run() has created */
void machine_destroy(struct machine *m);

#endif
