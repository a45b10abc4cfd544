/* SPDX-License-Identifier: MIT */
/*
 * A channel of GDDR3 with its controller: one per memory partition.
 *
 * The controller keeps requests in one queue by age.  Row hits go first, oldest first
 * (FR-FCFS); writes gather and go in runs, for the bus turns slowly.  One command goes to the
 * banks in a clock.  Each decision is made for the clock in which the next command can go, so
 * nothing happens in clocks without a command or an arrival.
 *
 * Structure: Lindholm 2008 (64 bits at double data rate, a controller per partition).  Times:
 * GPGPU-Sim's Quadro FX 5600; the data sheet of Qimonda's HYB18H512321AF, which has the rule of
 * read to write, CL + BL/2 + 2 - WL, and refresh.
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

/* Sectors of 32 bytes of a line of 64 bytes; the address counts bytes of the partition. */
struct sgt_gddr_request {
   uint64_t address; /* multiple of 64 */
   uint32_t tag;
   bool write;      /* has no response */
   uint8_t sectors; /* bits 0 and 1; at least one */
};

/* The data of a burst. */
struct sgt_gddr_response {
   uint64_t address;
   uint32_t tag;
   uint8_t sectors;
};

/* What the bus does in a clock, counted from the column command on. */
enum sgt_gddr_state {
   SGT_GDDR_READ,
   SGT_GDDR_WRITE,
   SGT_GDDR_TURN,    /* it turns from reads to writes, or back */
   SGT_GDDR_ROW,     /* the next burst waits for precharge and activate */
   SGT_GDDR_REFRESH, /* precharge before it included */
   SGT_GDDR_WAIT,    /* requests are there, and none of the above is the reason */
   SGT_GDDR_IDLE,    /* no requests */
   SGT_GDDR_STATES,
};
extern const char *const sgt_gddr_state_names[SGT_GDDR_STATES];

/* Of a burst: what its bank's row was when it came up. */
enum sgt_gddr_row { SGT_GDDR_HIT, SGT_GDDR_EMPTY, SGT_GDDR_MISS, SGT_GDDR_ROWS };

/* Generated; its arrays have the sizes of the enums above. */
#include "stats/sgt_gddr_stats.h"

enum sgt_gddr_command {
   SGT_GDDR_ACTIVATE,
   SGT_GDDR_PRECHARGE,
   SGT_GDDR_COLUMN_READ,
   SGT_GDDR_COLUMN_WRITE,
   SGT_GDDR_REFRESH_ALL,
   SGT_GDDR_CLOSE, /* a precharge with the column command before it */
};

struct sgt_gddr_entry {
   uint64_t address; /* of the burst */
   uint64_t row, since;
   uint32_t tag;
   uint8_t bank, sectors, outcome;
   bool write;
};

struct sgt_gddr_plan {
   uint64_t clock; /* of the next command; SGT_NEVER: there is none */
   enum sgt_gddr_command command;
   uint32_t bank, position;
};

struct sgt_gddr {
   struct sgt_unit unit;
   /* Private.  Times are clocks, bits are positions in the queue by age. */
   uint32_t data_clocks, burst_bytes, row_shift, bank_bits;
   uint64_t free_entries;
   uint32_t num;
   uint64_t queued[SGT_GDDR_MAX_BANKS]; /* requests of the bank */
   uint64_t hits[SGT_GDDR_MAX_BANKS];   /* those for its open row */
   uint32_t wanted;                     /* bits: banks with requests */
   uint32_t num_writes;
   uint64_t writes;
   uint64_t held; /* an older request has the same address, and one of the two writes */
   bool writing;  /* direction of the present run */
   uint32_t run, overtaken;
   uint64_t column_at[2]; /* reads, writes */
   uint64_t activate_at;
   bool last_writes; /* the latest column command */
   struct sgt_gddr_plan plan;
   uint64_t refresh_at;
   uint64_t cursor;                    /* clocks before it are accounted */
   uint64_t changed_at;                /* of `num`, for the occupancy */
   uint64_t full_since, blocked_since; /* SGT_NEVER: not */
   uint8_t order[SGT_GDDR_MAX_QUEUE];  /* entry of a position */
   struct sgt_dram_bank banks[SGT_GDDR_MAX_BANKS];
   struct sgt_gddr_entry entries[SGT_GDDR_MAX_QUEUE];

   struct sgt_channel requests, responses;
   struct sgt_gddr_params params;
   struct sgt_gddr_stats stats;
   /* For tests: told of all commands, in order.  `what` is the row, of column commands the
    * address of the burst.
    */
   void (*log)(void *data, enum sgt_gddr_command command, uint32_t bank, uint64_t what,
               uint64_t clock);
   void *log_data;
};

struct sgt_gddr_place {
   uint32_t bank;
   uint64_t row;
};

/* Where an address of the partition is. */
struct sgt_gddr_place sgt_gddr_find(const struct sgt_gddr *g, uint64_t address);

/* A channel in the domain of the memory's clock.  `unit` sends and receives, with room for so
 * many messages beside those under way; requests take `delay` ticks before the pipe.  The
 * parameters are legal.  False: no memory.
 */
bool sgt_gddr_init(struct sgt_gddr *g, struct sgt_sched *sched, const struct sgt_clock *clock,
                   const struct sgt_gddr_params *params, struct sgt_unit *unit, uint64_t delay,
                   uint32_t requests, uint32_t responses);
void sgt_gddr_finish(struct sgt_gddr *g);

/* No request is in the queue or under way. */
bool sgt_gddr_idle(const struct sgt_gddr *g);
/* Writes what the unit has under way. */
void sgt_gddr_dump(const struct sgt_gddr *g, uint32_t number, struct sgt_dump *d);
/* Accounts all clocks before `time`, in ticks; bursts and refreshes under way to their end. */
void sgt_gddr_account(struct sgt_gddr *g, uint64_t time);
/* Clocks of each state of the bus before `time`, in ticks.  Those that a burst has waited are
 * not among them while it waits: its column command decides what they were.
 */
void sgt_gddr_states(const struct sgt_gddr *g, uint64_t time, uint64_t states[SGT_GDDR_STATES]);
/* Registers the statistics as of `unit`, once the run has ended and is accounted. */
void sgt_gddr_register(const struct sgt_gddr *g, struct sgt_stats *s, const char *unit);

/* Ticks from a lone read at the pipe to its burst at the partition, if its bank is closed and
 * both ends have edges at any time.
 */
uint64_t sgt_gddr_latency(const struct sgt_gddr *g);

#endif
