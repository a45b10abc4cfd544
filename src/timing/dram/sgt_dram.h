/* SPDX-License-Identifier: MIT */
/*
 * Banked DRAM with request queues, which Wolfe and Noonburg (MICRO-32, 1999, 4.1) mention as future
 * work.
 *
 * The DRAM has several channels. Each channel has banks, a request queue and a data bus. Rows are
 * kept open. In each clock, a channel issues at most one column command and one row command. The
 * oldest request whose row is open goes first, until `hit_limit` younger requests have overtaken
 * the oldest request in the queue. Refresh is not modelled.
 */
#ifndef SGT_DRAM_H
#define SGT_DRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "params/sgt_dram_params.h"
#include "stats/sgt_dram_stats.h"

#endif
