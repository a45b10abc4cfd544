/* SPDX-License-Identifier: MIT */
/*
 * Banked DRAM with queues: the future work of Wolfe and Noonburg (MICRO-32, 1999, 4.1).
 *
 * Channels of banks, with a queue and a data bus each.  Rows stay open.  A channel gives one
 * column command and one row command a clock: the oldest request whose row is open goes
 * first, unless `hit_limit` younger ones have overtaken the oldest of all.  Refresh is not
 * modelled.
 */
#ifndef SGT_DRAM_H
#define SGT_DRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sgt_dram_params {
   uint32_t core_mhz, memory_mhz; /* clocks of accelerators and of the channels, from 1 */
   uint32_t channels;             /* 1 to SGT_DRAM_MAX_CHANNELS */
   uint32_t banks;                /* of a channel, 1 to SGT_DRAM_MAX_BANKS */
   uint32_t row_bytes;            /* of a bank's row, a multiple of `interleave` */
   uint32_t interleave;           /* bytes on a channel before the next, a multiple of 32 */
   uint32_t bus_bytes;            /* that a channel moves in a memory clock, 1 to 32 */
   uint32_t queue;                /* requests that a channel keeps, from 1 */
   uint32_t hit_limit;            /* younger row hits before the oldest request; 0: in order */
   /* Memory clocks. */
   uint32_t t_cas;  /* column command to first data, from 1 */
   uint32_t t_rcd;  /* activate to column command, from 1 */
   uint32_t t_rp;   /* precharge to activate, from 1 */
   uint32_t t_ras;  /* activate to precharge */
   uint32_t t_wr;   /* last written data to precharge */
   uint32_t t_turn; /* idle clocks of the bus between a read and a write, either way */
   /* Accelerators. */
   uint32_t ahead;       /* blocks of 8x4 pixels that are read ahead, from 1 */
   uint32_t write_queue; /* requests that wait or are not done, from 8 */
   uint32_t latency;     /* core clocks between an accelerator and a channel, either way, from 1 */
   /* Bytes of a pixel: 128 bits in all in the paper. */
   uint32_t depth_bytes;   /* read, and written; 0 or 4 */
   uint32_t color_bytes;   /* read, and written; 0 or 4 */
   bool color_read_always; /* 4.1: also where the operation does not blend */
   uint32_t texture_bytes; /* read, 0 to 64; not counted in the paper */
};

#define SGT_DRAM_MAX_CHANNELS 64
#define SGT_DRAM_MAX_BANKS 64
#define SGT_DRAM_BURST 32 /* bytes of a request */

struct sgt_dram_stats {
   uint64_t reads, writes;    /* requests of SGT_DRAM_BURST bytes */
   uint64_t row_hits;         /* requests whose row was open when they came up */
   uint64_t row_empty;        /* ... whose bank had no open row */
   uint64_t row_misses;       /* ... whose bank had another row */
   uint64_t bus_busy, clocks; /* memory clocks: sum over channels of busy buses, elapsed */
   uint64_t queue_full;       /* requests x clocks that waited for a place in a queue */
   uint64_t queue_wait;       /* sum over requests of clocks from queue to column command */
   uint64_t queue_occupancy;  /* sum over clocks and channels of requests in queues */
};

void sgt_dram_params_init(struct sgt_dram_params *p);
/* If a value is illegal, false and a message that names the member. */
bool sgt_dram_params_check(const struct sgt_dram_params *p, char *error, size_t error_size);

#endif
