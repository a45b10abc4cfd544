/* SPDX-License-Identifier: MIT */
/*
 * A memory partition (Lindholm 2008, Figure 1): level 2 cache, atomic unit, a port for its ROP,
 * and a channel of GDDR3.
 *
 *    network --> requests --+--> tags --> misses, writes --> GDDR3
 *    ROP ------> requests --+      |                           |
 *                                  +--> atomics                |
 *    network <-- responses <-- hits, fills <-------------------+
 *    ROP <------ responses <---------------+
 *
 * A clock takes one request, of the network and the ROP in turn.  A request that cannot go on
 * lets the other source pass.  A response goes to each of the two in a clock.  Reads and atomics
 * have a response when all of their sectors are there.  Atomics execute in their order, a lane
 * after the other, and only they keep lines of the cache for themselves.
 */
#ifndef SGT_PARTITION_H
#define SGT_PARTITION_H

#include "chip_memory/sgt_cache.h"
#include "chip_memory/sgt_gddr.h"
#include "params/sgt_partition_params.h"
#include "chip_memory/sgt_xbar.h"

struct sgt_dump;

/* Requests of the DRAM that one access can make, and some: power of 2. */
#define SGT_PARTITION_MAX_OUT 32

/* What the partition's request pipe does in a clock. */
enum sgt_partition_state {
   SGT_PARTITION_READ,   /* it takes a read of the network ... */
   SGT_PARTITION_WRITE,  /* ... a write ... */
   SGT_PARTITION_ATOMIC, /* ... an atomic */
   SGT_PARTITION_ROP,    /* ... a request of the ROP */
   /* Or it has requests, none can go, and for the first of them ... */
   SGT_PARTITION_STALL_SET,    /* ... no line of the set is free */
   SGT_PARTITION_STALL_MSHR,   /* ... all MSHRs are in use */
   SGT_PARTITION_STALL_WAITER, /* ... the MSHR has no place for one more that waits */
   SGT_PARTITION_STALL_ACCESS, /* ... too many have no response yet */
   SGT_PARTITION_STALL_ATOMIC, /* ... too many atomics wait */
   SGT_PARTITION_STALL_DRAM,   /* ... requests of the DRAM wait */
   SGT_PARTITION_IDLE,
   SGT_PARTITION_STATES,
};
extern const char *const sgt_partition_state_names[SGT_PARTITION_STATES];

/* Generated; its arrays have the sizes of the enums above. */
#include "stats/sgt_partition_stats.h"

struct sgt_partition_access {
   struct sgt_mem_request request;
   uint64_t address; /* of the partition */
   uint64_t since;   /* clock */
   uint64_t ready;   /* clock of the response; ATOMIC: of its data */
   uint32_t line;    /* ATOMIC: in the cache, locked */
   uint32_t next;    /* in a list, or of the free ones */
   uint8_t missing;  /* sectors that come past the cache */
   bool rop, arrived;
};

/* Accesses in order. */
struct sgt_partition_list {
   uint32_t first, last;
   uint64_t ready; /* of the first; SGT_NEVER: there is none */
};

struct sgt_chip_observer;

struct sgt_partition {
   struct sgt_unit unit;
   struct sgt_xbar_end *end; /* at the network */
   bool has_rop;
   const struct sgt_chip_observer *observer; /* or NULL */

   /* Private.  Times are clocks. */
   const struct sgt_partition_map *map;
   uint32_t index;
   uint32_t operand_bytes;
   struct sgt_partition_access *accesses;
   uint32_t free_access, num_accesses;
   struct sgt_partition_list hits[2], fills[2]; /* by ready; of the network, of the ROP */
   struct sgt_partition_list waiting;           /* atomics */
   uint32_t num_atomics;
   bool executes; /* the first of them */
   uint64_t atomic_until;
   uint64_t atomic_since; /* when the first became the first, or its lanes were done */
   uint32_t first_out, num_out;
   bool rop_first; /* the source that is asked first */
   enum sgt_partition_state rest;
   uint64_t accounted, changed_at;

   struct sgt_xbar_port rop; /* of the ROP, if it is connected */
   struct sgt_cache l2;
   struct sgt_partition_params params;
   struct sgt_partition_stats stats;
   struct sgt_gddr_request out[SGT_PARTITION_MAX_OUT]; /* ring of requests of the DRAM */
   struct sgt_gddr gddr;
};

/* A partition in the domain of `clock`, connected to the network as number `index`; its DRAM in
 * that of `memory_clock`.  The parameters are legal.  False: no memory.
 */
bool sgt_partition_init(struct sgt_partition *p, struct sgt_sched *sched,
                        const struct sgt_clock *clock, const struct sgt_clock *memory_clock,
                        const struct sgt_partition_params *params, struct sgt_xbar *xbar,
                        uint32_t index);
void sgt_partition_finish(struct sgt_partition *p);

/* Connects the ROP: `unit` sends to p->rop.requests, addresses of the partition's pieces, and
 * takes from p->rop.responses, with room for so many.  Both take `delay` ticks.
 */
bool sgt_partition_connect_rop(struct sgt_partition *p, struct sgt_sched *sched,
                               struct sgt_unit *unit, uint64_t delay, uint32_t responses);

/* Nothing waits or is under way, in its DRAM and channels included. */
bool sgt_partition_idle(const struct sgt_partition *p);
/* Writes what the partition and its DRAM have under way. */
void sgt_partition_dump(const struct sgt_partition *p, struct sgt_dump *d);
/* Accounts all clocks before `time`, in ticks. */
void sgt_partition_account(struct sgt_partition *p, uint64_t time);
/* The same without the DRAM. */
void sgt_partition_account_pipe(struct sgt_partition *p, uint64_t time);
/* Registers the statistics: names[0] is the unit of the partition, names[1] of its cache,
 * names[2] of its DRAM.
 */
void sgt_partition_register(const struct sgt_partition *p, struct sgt_stats *s,
                            const char *const names[3]);

#endif
