/* SPDX-License-Identifier: MIT */
/*
 * A memory partition (Lindholm 2008, Figure 1): a level 2 cache, an atomic unit, a port for the
 * partition's ROP, and a channel of GDDR3.
 *
 *    network --> requests --+--> tags --> misses, writes --> GDDR3
 *    ROP ------> requests --+      |                           |
 *                                  +--> atomics                |
 *    network <-- responses <-- hits, fills <-------------------+
 *    ROP <------ responses <---------------+
 *
 * In each clock, the partition takes one request, alternately from the network and the ROP. If the
 * request of one source must wait, the other source may go. Each source gets at most one response
 * a clock. Reads and atomics have a response, after all of their sectors have arrived. Atomics
 * execute in order, one lane after the other. Only atomics lock lines of the cache.
 */
#ifndef SGT_PARTITION_H
#define SGT_PARTITION_H

#include "chip_memory/sgt_cache.h"
#include "chip_memory/sgt_gddr.h"
#include "params/sgt_partition_params.h"
#include "chip_memory/sgt_xbar.h"

struct sgt_dump;

/* Size of the ring of DRAM requests, a power of 2. It has place for all DRAM requests of an access
 * while some others wait.
 */
#define SGT_PARTITION_MAX_OUT 32

/* State of the partition's request pipe in a clock. */
enum sgt_partition_state {
   SGT_PARTITION_READ,   /* takes a read from the network */
   SGT_PARTITION_WRITE,  /* takes a write from the network */
   SGT_PARTITION_ATOMIC, /* takes an atomic from the network */
   SGT_PARTITION_ROP,    /* takes a request from the ROP */
   /* Stalls: there are requests, but none can go. The state is the reason of the first of them. */
   SGT_PARTITION_STALL_SET,    /* no line of the set can be replaced */
   SGT_PARTITION_STALL_MSHR,   /* all MSHRs are in use */
   SGT_PARTITION_STALL_WAITER, /* the MSHR has the maximum number of waiting accesses */
   SGT_PARTITION_STALL_ACCESS, /* the maximum number of accesses have no response yet */
   SGT_PARTITION_STALL_ATOMIC, /* the maximum number of atomics are in the partition */
   SGT_PARTITION_STALL_DRAM,   /* too many DRAM requests wait */
   SGT_PARTITION_IDLE,         /* there are no requests */
   SGT_PARTITION_STATES,
};
extern const char *const sgt_partition_state_names[SGT_PARTITION_STATES];

/* This file is generated. Its arrays have the sizes of the enums above. */
#include "stats/sgt_partition_stats.h"

/* A read or an atomic without a response yet. */
struct sgt_partition_access {
   struct sgt_mem_request request;
   uint64_t address;  /* address in the partition */
   uint64_t since;    /* clock at which the request was taken */
   uint64_t ready;    /* first clock for the response; for an atomic, at which it has its data */
   uint32_t line;     /* for an atomic: index of its cache line, which is locked */
   uint32_t next;     /* next access in its list or in the free list, or UINT32_MAX */
   uint8_t missing;   /* without the cache: bit mask of sectors that the DRAM has not sent yet */
   bool rop, arrived; /* the request is the ROP's; for an atomic: its data have arrived */
};

/* A list of accesses, first in, first out. */
struct sgt_partition_list {
   uint32_t first, last; /* indices of accesses; `first` is UINT32_MAX if the list is empty */
   uint64_t ready;       /* `ready` of the first access, or SGT_NEVER if the list is empty */
};

struct sgt_chip_observer;

struct sgt_partition {
   struct sgt_unit unit;
   struct sgt_xbar_end *end;                 /* message channels to and from the network */
   bool has_rop;                             /* a ROP is connected */
   const struct sgt_chip_observer *observer; /* observer, or NULL */

   /* The following members are private, up to `changed_at`. Times are clocks of the partition. */
   const struct sgt_partition_map *map;
   uint32_t index;         /* number of the partition */
   uint32_t operand_bytes; /* bytes that an atomic returns per lane */
   struct sgt_partition_access *accesses;
   uint32_t free_access, num_accesses; /* first element of the free list; number of used accesses */
   /* Accesses of the network [0] and of the ROP [1] that have a response, in the order of `ready`:
    * accesses that hit the cache, and accesses that waited for the DRAM.
    */
   struct sgt_partition_list hits[2], fills[2];
   struct sgt_partition_list waiting; /* atomics that have not executed */
   uint32_t num_atomics;              /* number of elements of this list */
   bool executes;                     /* the first element of this list is executing */
   uint64_t atomic_until;             /* first clock after its execution */
   /* Start of the wait that is counted next: the clock at which the first atomic became the first,
    * or at which its lanes are done.
    */
   uint64_t atomic_since;
   uint32_t first_out, num_out;   /* first element and length of the ring `out` */
   bool rop_first;                /* the next request is taken from the ROP, if possible */
   enum sgt_partition_state rest; /* state of the clocks that have not been counted */
   /* First clock without a counted state; clock of the latest update of the occupancy. */
   uint64_t accounted, changed_at;

   struct sgt_xbar_port rop; /* message channels of the ROP, if one is connected */
   struct sgt_cache l2;
   struct sgt_partition_params params;
   struct sgt_partition_stats stats;
   struct sgt_gddr_request out[SGT_PARTITION_MAX_OUT]; /* ring of requests to the DRAM */
   struct sgt_gddr gddr;
};

/* Initializes a partition and connects it to the network as number `index`. `clock` is the clock of
 * the partition, `memory_clock` that of its DRAM. The parameters must be legal. Returns false if
 * out of memory.
 */
bool sgt_partition_init(struct sgt_partition *p, struct sgt_sched *sched,
                        const struct sgt_clock *clock, const struct sgt_clock *memory_clock,
                        const struct sgt_partition_params *params, struct sgt_xbar *xbar,
                        uint32_t index);
void sgt_partition_finish(struct sgt_partition *p);

/* Connects the ROP. `unit` sends requests to p->rop.requests, for addresses of this partition only,
 * and takes responses from p->rop.responses, which has room for `responses` messages in addition to
 * those in transit. Both take `delay` ticks. Returns false if out of memory.
 */
bool sgt_partition_connect_rop(struct sgt_partition *p, struct sgt_sched *sched,
                               struct sgt_unit *unit, uint64_t delay, uint32_t responses);

/* Returns whether there is no request or response in the partition, its DRAM and its channels. */
bool sgt_partition_idle(const struct sgt_partition *p);
/* Writes what the partition and its DRAM have under way. */
void sgt_partition_dump(const struct sgt_partition *p, struct sgt_dump *d);
/* Counts the states up to `time`, in ticks. */
void sgt_partition_account(struct sgt_partition *p, uint64_t time);
/* Does the same without the DRAM. */
void sgt_partition_account_pipe(struct sgt_partition *p, uint64_t time);
/* Registers the statistics. names[0] is the name of the partition, names[1] of its cache, and
 * names[2] of its DRAM.
 */
void sgt_partition_register(const struct sgt_partition *p, struct sgt_stats *s,
                            const char *const names[3]);

#endif
