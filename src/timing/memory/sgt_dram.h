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

#include "sgt_dram_params.h"

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

#endif
