/* SPDX-License-Identifier: MIT */
/*
 * A memory partition (Lindholm 2008, Figure 1): a level 2 cache, an atomic unit, a port for the ROP
 * of the partition, and a channel of GDDR3.
 *
 *    network --> requests --+--> tags --> misses, writes --> GDDR3
 *    ROP ------> requests --+      |                           |
 *                                  +--> atomics                |
 *    network <-- responses <-- hits, fills <-------------------+
 *    ROP <------ responses <---------------+
 *
 * In each clock, the partition accepts one request, alternating between the network and the ROP. If
 * the request from one source must wait, the request from the other source can be accepted instead.
 * At most one response per clock is sent to each source. Reads and atomics are answered after all
 * of their sectors have arrived. Atomics execute in order, one lane after the other. Only atomics
 * lock cache lines.
 */
#ifndef SGT_PARTITION_H
#define SGT_PARTITION_H

#include "chip_memory/sgt_cache.h"
#include "chip_memory/sgt_gddr.h"
#include "params/sgt_partition_params.h"
#include "chip_memory/sgt_xbar.h"

struct sgt_dump;

/* Size of the ring buffer of DRAM requests; must be a power of 2. The ring must have room for all
 * DRAM requests of one access in addition to the requests that may already be queued.
 */
#define SGT_PARTITION_MAX_OUT 32

/* State of the partition's request pipe in a clock cycle. */
enum sgt_partition_state {
   SGT_PARTITION_READ,   /* accepts a read from the network */
   SGT_PARTITION_WRITE,  /* accepts a write from the network */
   SGT_PARTITION_ATOMIC, /* accepts an atomic from the network */
   SGT_PARTITION_ROP,    /* accepts a request from the ROP */
   /* Stalls: requests are waiting, but none can be accepted. The state is the reason why the first
    * waiting request stalls.
    */
   SGT_PARTITION_STALL_SET,    /* no line of the set can be replaced */
   SGT_PARTITION_STALL_MSHR,   /* all MSHRs are in use */
   SGT_PARTITION_STALL_WAITER, /* the MSHR has the maximum number of waiting accesses */
   SGT_PARTITION_STALL_ACCESS, /* the maximum number of accesses are pending */
   SGT_PARTITION_STALL_ATOMIC, /* the maximum number of atomics are pending */
   SGT_PARTITION_STALL_DRAM,   /* too many DRAM requests are waiting */
   SGT_PARTITION_IDLE,         /* no requests are waiting */
   SGT_PARTITION_STATES,
};
extern const char *const sgt_partition_state_names[SGT_PARTITION_STATES];

/* This generated header must come after the enums above, which define the sizes of its arrays. */
#include "stats/sgt_partition_stats.h"

/* A read or an atomic that has not been answered yet. */
struct sgt_partition_access {
   struct sgt_mem_request request;
   uint64_t address; /* address relative to the partition */
   uint64_t since;   /* clock when the request was accepted */
   /* first clock in which the response can be sent, or, for an atomic, clock when its data is
    * available
    */
   uint64_t ready;
   uint32_t line; /* index of the locked cache line (only for atomics) */
   uint32_t next; /* index of the next access in its list or in the free list, or UINT32_MAX */
   /* bitmask of sectors that have not arrived from the DRAM yet (only for accesses that bypass the
    * cache)
    */
   uint8_t missing;
   /* rop: true if the request came from the ROP; arrived: true if the data of an atomic has arrived
    */
   bool rop, arrived;
};

/* A FIFO list of accesses. */
struct sgt_partition_list {
   /* indices of the first and the last access; `first` is UINT32_MAX if the list is empty */
   uint32_t first, last;
   uint64_t ready; /* `ready` time of the first access, or SGT_NEVER if the list is empty */
};

struct sgt_chip_observer;

struct sgt_partition {
   struct sgt_unit unit;
   struct sgt_xbar_end *end;                 /* message channels from and to the network */
   bool has_rop;                             /* true if a ROP is connected */
   const struct sgt_chip_observer *observer; /* callbacks for memory accesses, or NULL */

   /* The members before `rop` are private. Times are in clocks of the partition. */
   const struct sgt_partition_map *map;
   uint32_t index;         /* index of the partition */
   uint32_t operand_bytes; /* number of bytes per lane in the response to an atomic */
   struct sgt_partition_access *accesses;
   /* free_access: index of the first free access
    * num_accesses: number of accesses in use
    */
   uint32_t free_access, num_accesses;
   /* Accesses from the network [0] and from the ROP [1] whose responses have not been sent yet,
    * ordered by `ready`. `hits` contains the accesses that hit the cache, and `fills` those that
    * had to wait for the DRAM.
    */
   struct sgt_partition_list hits[2], fills[2];
   struct sgt_partition_list waiting; /* atomics that have not executed yet */
   uint32_t num_atomics;              /* number of entries of `waiting` */
   bool executes;                     /* true if the first entry of `waiting` is executing */
   uint64_t atomic_until;             /* first clock after the execution of the current atomic */
   /* Clock from which the next wait of the first entry of `waiting` is counted: the clock when the
    * entry became the first, or when its last lane had executed.
    */
   uint64_t atomic_since;
   /* first_out: index of the first entry of the ring buffer `out`
    * num_out: number of entries
    */
   uint32_t first_out, num_out;
   bool rop_first; /* true if a request from the ROP has priority over a request from the network */
   /* state of the partition in the clocks that have not been counted in the statistics yet */
   enum sgt_partition_state rest;
   /* accounted: first clock whose state has not been counted in the statistics
    * changed_at: clock up to which the occupancy statistics have been updated
    */
   uint64_t accounted, changed_at;

   struct sgt_xbar_port rop; /* message channels from and to the ROP, if one is connected */
   struct sgt_cache l2;
   struct sgt_partition_params params;
   struct sgt_partition_stats stats;
   struct sgt_gddr_request out[SGT_PARTITION_MAX_OUT]; /* ring buffer of requests to the DRAM */
   struct sgt_gddr gddr;
};

/* Initializes a partition and connects it to the network as partition `index`. `clock` is the clock
 * of the partition, and `memory_clock` is the clock of its DRAM. The parameters must be valid.
 * Returns false on allocation failure.
 */
bool sgt_partition_init(struct sgt_partition *p, struct sgt_sched *sched,
                        const struct sgt_clock *clock, const struct sgt_clock *memory_clock,
                        const struct sgt_partition_params *params, struct sgt_xbar *xbar,
                        uint32_t index);
void sgt_partition_finish(struct sgt_partition *p);

/* Connects the ROP. `unit` sends requests on the channel p->rop.requests and receives responses on
 * p->rop.responses. All requests must be for addresses of this partition. The response channel has
 * room for `responses` messages in addition to those in transit. Messages take `delay` ticks in
 * both directions. Returns false on allocation failure.
 */
bool sgt_partition_connect_rop(struct sgt_partition *p, struct sgt_sched *sched,
                               struct sgt_unit *unit, uint64_t delay, uint32_t responses);

/* Returns true if no requests or responses are pending in the partition, its DRAM and its channels.
 */
bool sgt_partition_idle(const struct sgt_partition *p);
/* Dumps the state and the pending accesses of the partition and its DRAM. */
void sgt_partition_dump(const struct sgt_partition *p, struct sgt_dump *d);
/* Adds the states of the partition and its DRAM up to `time` (in ticks) to the statistics. */
void sgt_partition_account(struct sgt_partition *p, uint64_t time);
/* Like sgt_partition_account(), but leaves out the DRAM. */
void sgt_partition_account_pipe(struct sgt_partition *p, uint64_t time);
/* Registers the statistics. names[0] is the name of the partition, names[1] the name of its cache,
 * and names[2] the name of its DRAM.
 */
void sgt_partition_register(const struct sgt_partition *p, struct sgt_stats *s,
                            const char *const names[3]);

#endif
