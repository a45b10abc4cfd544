/* SPDX-License-Identifier: MIT */
/*
 * A channel of GDDR3 memory and its controller. Each memory partition has one channel.
 *
 * The controller has a single queue of requests, ordered by age. Requests that hit an open row are
 * served first, oldest first (FR-FCFS). Writes are collected and executed in runs, because turning
 * the bus around takes time. At most one command per clock is sent to the banks. The controller
 * plans the next command and its clock, and therefore needs no calls in clocks without a command or
 * an arriving request.
 *
 * Structure: Lindholm 2008 (64 bits at double data rate, one controller per partition). Timing
 * parameters: Quadro FX 5600 configuration of GPGPU-Sim, and data sheet of the Qimonda
 * HYB18H512321AF, which specifies the clocks from read to write (CL + BL/2 + 2 - WL) and the
 * refresh.
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

/* A request for 32-byte sectors of a 64-byte line. The address is relative to the partition. */
struct sgt_gddr_request {
   uint64_t address; /* multiple of 64 */
   uint32_t tag;     /* ID that the response contains */
   bool write;       /* true for a write, which gets no response */
   uint8_t sectors;  /* nonzero bitmask of sectors 0 and 1 */
};

/* The data of one read burst. */
struct sgt_gddr_response {
   uint64_t address;
   uint32_t tag;
   uint8_t sectors;
};

/* State of the data bus in a clock cycle. The READ or WRITE cycles of a burst are counted from the
 * cycle of its column command.
 */
enum sgt_gddr_state {
   SGT_GDDR_READ,
   SGT_GDDR_WRITE,
   SGT_GDDR_TURN,    /* the next burst waits for the bus to change its direction */
   SGT_GDDR_ROW,     /* the next burst waits for the precharge and activate of its bank */
   SGT_GDDR_REFRESH, /* all banks are being refreshed, or precharged before a refresh */
   SGT_GDDR_WAIT,    /* requests are waiting for another reason */
   SGT_GDDR_IDLE,    /* no requests are waiting */
   SGT_GDDR_STATES,
};
extern const char *const sgt_gddr_state_names[SGT_GDDR_STATES];

/* Row commands that a burst needed before its column command: none (HIT), an activate (EMPTY), or a
 * precharge and an activate (MISS).
 */
enum sgt_gddr_row { SGT_GDDR_HIT, SGT_GDDR_EMPTY, SGT_GDDR_MISS, SGT_GDDR_ROWS };

/* This generated header must come after the enums above, which define the sizes of its arrays. */
#include "stats/sgt_gddr_stats.h"

enum sgt_gddr_command {
   SGT_GDDR_ACTIVATE,
   SGT_GDDR_PRECHARGE,
   SGT_GDDR_COLUMN_READ,
   SGT_GDDR_COLUMN_WRITE,
   SGT_GDDR_REFRESH_ALL,
   SGT_GDDR_CLOSE, /* auto precharge, which is part of a column command */
};

/* A burst in the queue of the controller. */
struct sgt_gddr_entry {
   uint64_t address; /* address of the burst, relative to the partition */
   /* row: DRAM row of the address
    * since: clock when the request entered the queue
    */
   uint64_t row, since;
   uint32_t tag;
   uint8_t bank, sectors, outcome; /* outcome: enum sgt_gddr_row */
   bool write;
};

/* The next command that the controller will send. */
struct sgt_gddr_plan {
   uint64_t clock; /* clock of the command, or SGT_NEVER if no command is planned */
   enum sgt_gddr_command command;
   /* bank: bank that the command is sent to
    * position: queue position of the burst that needs the command
    */
   uint32_t bank, position;
};

struct sgt_gddr {
   struct sgt_unit unit;
   /* The members up to and including `entries` are private. Times are in memory clocks. Bit n of a
    * mask of bursts stands for the burst at position n of the queue. Position 0 holds the oldest
    * burst.
    */

   /* data_clocks: bus time of a burst in clocks
    * burst_bytes: size of a burst in bytes
    * row_shift: log2 of the size of a row in bytes
    * bank_bits: log2 of the number of banks
    */
   uint32_t data_clocks, burst_bytes, row_shift, bank_bits;
   uint64_t free_entries;               /* bitmask of free elements of `entries` */
   uint32_t num;                        /* number of bursts in the queue */
   uint64_t queued[SGT_GDDR_MAX_BANKS]; /* mask of the queued bursts of each bank */
   uint64_t hits[SGT_GDDR_MAX_BANKS]; /* for each bank, mask of the bursts that hit the open row */
   uint32_t wanted;                   /* bitmask of banks that have bursts in the queue */
   uint32_t num_writes;               /* number of writes in the queue */
   uint64_t writes;                   /* mask of bursts that are writes */
   /* Mask of bursts that must not be served yet, because an older burst has the same address and at
    * least one of the two is a write.
    */
   uint64_t held;
   bool writing; /* true if the controller is currently serving writes */
   /* run: number of bursts served since the bus last changed its direction
    * overtaken: number of consecutive bursts that were served before an older burst
    */
   uint32_t run, overtaken;
   /* earliest clock of the next column command, for reads [0] and writes [1] */
   uint64_t column_at[2];
   uint64_t activate_at;      /* earliest clock of the next activate command to any bank */
   bool last_writes;          /* true if the last column command was a write */
   struct sgt_gddr_plan plan; /* next command */
   uint64_t refresh_at;       /* clock when the next refresh is due */
   uint64_t cursor;     /* first clock whose bus state has not been counted in the statistics */
   uint64_t changed_at; /* clock when the queue occupancy was last updated in the statistics */
   /* full_since: clock when a request started to wait for room in the queue
    * blocked_since: clock when a response started to wait for room in the channel
    * Both are SGT_NEVER if nothing is waiting.
    */
   uint64_t full_since, blocked_since;
   uint8_t order[SGT_GDDR_MAX_QUEUE]; /* index into `entries` for each queue position */
   struct sgt_dram_bank banks[SGT_GDDR_MAX_BANKS];
   struct sgt_gddr_entry entries[SGT_GDDR_MAX_QUEUE];

   struct sgt_channel requests, responses;
   struct sgt_gddr_params params;
   struct sgt_gddr_stats stats;
   /* Optional callback for tests, which is called for each command in order. `what` is the address
    * of the burst for column commands, and the row for activate and precharge commands.
    */
   void (*log)(void *data, enum sgt_gddr_command command, uint32_t bank, uint64_t what,
               uint64_t clock);
   void *log_data;
};

struct sgt_gddr_place {
   uint32_t bank;
   uint64_t row;
};

/* Returns the bank and the row of an address, which is relative to the partition. */
struct sgt_gddr_place sgt_gddr_find(const struct sgt_gddr *g, uint64_t address);

/* Initializes a channel that runs at the memory clock. `unit` sends requests and receives
 * responses. The message channels have room for `requests` and `responses` messages in addition to
 * those in transit. A request takes `delay` ticks to reach the pipe of the controller. The
 * parameters must be valid. Returns false on allocation failure.
 */
bool sgt_gddr_init(struct sgt_gddr *g, struct sgt_sched *sched, const struct sgt_clock *clock,
                   const struct sgt_gddr_params *params, struct sgt_unit *unit, uint64_t delay,
                   uint32_t requests, uint32_t responses);
void sgt_gddr_finish(struct sgt_gddr *g);

/* Returns true if the queue has no bursts and no messages are in transit. */
bool sgt_gddr_idle(const struct sgt_gddr *g);
/* Dumps the state of the channel and its pending requests. */
void sgt_gddr_dump(const struct sgt_gddr *g, uint32_t number, struct sgt_dump *d);
/* Adds the bus states up to `time` (in ticks) to the statistics. Bursts and refreshes that have
 * already started are counted up to their end.
 */
void sgt_gddr_account(struct sgt_gddr *g, uint64_t time);
/* Stores the number of clocks that the bus has spent in each state up to `time` (in ticks). The
 * clocks that queued bursts have been waiting so far are not included, because their state depends
 * on the next column command.
 */
void sgt_gddr_states(const struct sgt_gddr *g, uint64_t time, uint64_t states[SGT_GDDR_STATES]);
/* Registers the statistics of the channel under the name `unit`. Called at the end of a simulation,
 * after sgt_gddr_account().
 */
void sgt_gddr_register(const struct sgt_gddr *g, struct sgt_stats *s, const char *unit);

/* Returns the latency in ticks of a single read from a closed bank: from the start of the pipe
 * until the data arrives at the partition, excluding the time that messages wait for a clock edge.
 */
uint64_t sgt_gddr_latency(const struct sgt_gddr *g);

#endif
