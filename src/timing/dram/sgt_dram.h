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

#include "params/sgt_dram_params.h"
#include "stats/sgt_dram_stats.h"

#endif
