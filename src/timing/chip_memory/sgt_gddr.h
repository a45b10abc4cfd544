/* SPDX-License-Identifier: MIT */
/*
 * A channel of GDDR3 memory with its controller. Each memory partition has one.
 *
 * The controller has a single queue of requests, in the order of their age. Requests whose row is
 * open go first, the oldest of them first (FR-FCFS). Writes are collected and executed in runs,
 * because turning the bus takes time. The banks get at most one command a clock. The controller
 * plans the next command and its clock, so that clocks without a command or an arrival need no
 * call.
 *
 * Structure: Lindholm 2008 (64 bits at double data rate, a controller per partition). Timing
 * parameters: GPGPU-Sim's Quadro FX 5600, and the data sheet of Qimonda's HYB18H512321AF, which has
 * the clocks from read to write, CL + BL/2 + 2 - WL, and refresh.
 */
#ifndef SGT_GDDR_H
#define SGT_GDDR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/sgt_channel.h"
#include "dram/sgt_dram_bank.h"
#include "params/sgt_gddr_params.h"

struct sgt_dump;
struct sgt_stats;

/* A request for sectors of 32 bytes of a line of 64 bytes. The address counts the bytes of the
 * partition.
 */
struct sgt_gddr_request {
   uint64_t address; /* multiple of 64 */
   uint32_t tag;     /* number that the response returns */
   bool write;       /* a write has no response */
   uint8_t sectors;  /* bit mask of sectors 0 and 1; not 0 */
};

/* The data of a burst of a read. */
struct sgt_gddr_response {
   uint64_t address;
   uint32_t tag;
   uint8_t sectors;
};

/* State of the data bus in a clock. The data of a burst count from its column command. */
enum sgt_gddr_state {
   SGT_GDDR_READ,
   SGT_GDDR_WRITE,
   SGT_GDDR_TURN,    /* the next burst waits because the bus changes its direction */
   SGT_GDDR_ROW,     /* the next burst waits for the precharge and activate of its bank */
   SGT_GDDR_REFRESH, /* all banks are refreshed, or precharged for the refresh */
   SGT_GDDR_WAIT,    /* requests wait for another reason */
   SGT_GDDR_IDLE,    /* there are no requests */
   SGT_GDDR_STATES,
};
extern const char *const sgt_gddr_state_names[SGT_GDDR_STATES];

/* Commands that a burst needed before its column command: none, an activate, or a precharge and an
 * activate.
 */
enum sgt_gddr_row { SGT_GDDR_HIT, SGT_GDDR_EMPTY, SGT_GDDR_MISS, SGT_GDDR_ROWS };

/* This file is generated. Its arrays have the sizes of the enums above. */
#include "stats/sgt_gddr_stats.h"

enum sgt_gddr_command {
   SGT_GDDR_ACTIVATE,
   SGT_GDDR_PRECHARGE,
   SGT_GDDR_COLUMN_READ,
   SGT_GDDR_COLUMN_WRITE,
   SGT_GDDR_REFRESH_ALL,
   SGT_GDDR_CLOSE, /* an auto precharge, which is part of a column command */
};

/* A burst in the queue. */
struct sgt_gddr_entry {
   uint64_t address;    /* address of the burst */
   uint64_t row, since; /* row of the address; clock at which the request entered the queue */
   uint32_t tag;
   uint8_t bank, sectors, outcome; /* outcome: enum sgt_gddr_row */
   bool write;
};

/* The next command. */
struct sgt_gddr_plan {
   uint64_t clock; /* clock of the command, or SGT_NEVER if there is none */
   enum sgt_gddr_command command;
   uint32_t bank, position; /* bank; position in the queue of the burst that needs the command */
};

struct sgt_gddr {
   struct sgt_unit unit;
   /* The following members are private, up to `entries`. Times are memory clocks. The bits of
    * masks of bursts are positions in the queue, starting at the oldest burst.
    */

   /* Time of a burst on the bus in clocks; size of a burst in bytes; log2 of the size of a row in
    * bytes; log2 of the number of banks.
    */
   uint32_t data_clocks, burst_bytes, row_shift, bank_bits;
   uint64_t free_entries;               /* bit mask of unused elements of `entries` */
   uint32_t num;                        /* number of bursts in the queue */
   uint64_t queued[SGT_GDDR_MAX_BANKS]; /* per bank: bit mask of its bursts */
   uint64_t hits[SGT_GDDR_MAX_BANKS];   /* per bank: bit mask of its bursts for the open row */
   uint32_t wanted;                     /* bit mask of banks with bursts in the queue */
   uint32_t num_writes;                 /* number of writes in the queue */
   uint64_t writes;                     /* bit mask of writes */
   /* Bit mask of bursts that must wait, because an older burst has the same address and one of the
    * two is a write.
    */
   uint64_t held;
   bool writing; /* direction of the current run: writes */
   /* Number of bursts of the current run; number of successive bursts that overtook the oldest. */
   uint32_t run, overtaken;
   uint64_t column_at[2];     /* first clock for a column command of a read, of a write */
   uint64_t activate_at;      /* first clock for an activate of any bank */
   bool last_writes;          /* the latest column command was a write */
   struct sgt_gddr_plan plan; /* next command */
   uint64_t refresh_at;       /* clock at which the next refresh is due */
   uint64_t cursor;           /* first clock without a counted state of the bus */
   uint64_t changed_at;       /* clock of the latest update of the queue's occupancy */
   /* Clock since which a request waits for a place in the queue, and since which a response waits
    * for a place in the channel; SGT_NEVER if none waits.
    */
   uint64_t full_since, blocked_since;
   uint8_t order[SGT_GDDR_MAX_QUEUE]; /* per position: index in `entries` */
   struct sgt_dram_bank banks[SGT_GDDR_MAX_BANKS];
   struct sgt_gddr_entry entries[SGT_GDDR_MAX_QUEUE];

   struct sgt_channel requests, responses;
   struct sgt_gddr_params params;
   struct sgt_gddr_stats stats;
   /* Called for each command in order, or NULL; for tests. `what` is the row; for column commands,
    * it is the address of the burst.
    */
   void (*log)(void *data, enum sgt_gddr_command command, uint32_t bank, uint64_t what,
               uint64_t clock);
   void *log_data;
};

struct sgt_gddr_place {
   uint32_t bank;
   uint64_t row;
};

/* Returns the bank and the row of an address of the partition. */
struct sgt_gddr_place sgt_gddr_find(const struct sgt_gddr *g, uint64_t address);

/* Initializes a channel with the memory's clock. `unit` sends requests and receives responses. The
 * message channels have room for `requests` and `responses` messages in addition to those that are
 * in transit. A request takes `delay` ticks before it enters the pipe to the controller. The
 * parameters must be legal. Returns false if out of memory.
 */
bool sgt_gddr_init(struct sgt_gddr *g, struct sgt_sched *sched, const struct sgt_clock *clock,
                   const struct sgt_gddr_params *params, struct sgt_unit *unit, uint64_t delay,
                   uint32_t requests, uint32_t responses);
void sgt_gddr_finish(struct sgt_gddr *g);

/* Returns whether there are no bursts in the queue and no messages in transit. */
bool sgt_gddr_idle(const struct sgt_gddr *g);
/* Writes what the unit has under way. */
void sgt_gddr_dump(const struct sgt_gddr *g, uint32_t number, struct sgt_dump *d);
/* Counts the states of the bus up to `time`, in ticks. Bursts and refreshes that have started are
 * counted up to their end.
 */
void sgt_gddr_account(struct sgt_gddr *g, uint64_t time);
/* Returns the number of clocks in each state of the bus up to `time`, in ticks. While bursts wait,
 * the clocks of the wait are not included. The next column command determines their states.
 */
void sgt_gddr_states(const struct sgt_gddr *g, uint64_t time, uint64_t states[SGT_GDDR_STATES]);
/* Registers the statistics for the unit with this name. Called at the end of a run, after
 * sgt_gddr_account().
 */
void sgt_gddr_register(const struct sgt_gddr *g, struct sgt_stats *s, const char *unit);

/* Returns the latency of a single read to a closed bank, in ticks: from the start of the pipe until
 * its data are at the partition, without the time that messages wait for a clock edge.
 */
uint64_t sgt_gddr_latency(const struct sgt_gddr *g);

#endif
