/* SPDX-License-Identifier: MIT */
/*
 * Banked DRAM with queues, which Wolfe and Noonburg (MICRO-32, 1999, 4.1) name as future work.
 *
 * The DRAM has channels, each with banks, a request queue and a data bus. Rows stay open. In each
 * clock, a channel gives at most one column command and one row command. The oldest request whose
 * row is open goes first, until `hit_limit` requests have overtaken the oldest of all requests.
 * Refresh is not modelled.
 */
#ifndef SGT_DRAM_H
#define SGT_DRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "params/sgt_dram_params.h"
#include "stats/sgt_dram_stats.h"

#endif
