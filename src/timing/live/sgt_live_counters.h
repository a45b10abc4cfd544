/* SPDX-License-Identifier: MIT */
/*
 * Performance counters that live timing provides to applications. They are derived from the
 * statistics of a simulated chip.
 */
#ifndef SGT_LIVE_COUNTERS_H
#define SGT_LIVE_COUNTERS_H

#include <stdint.h>

#include "live/sgt_live.h"

struct sgt_chip_params;
struct sgt_stats;

#define SGT_LIVE_MAX_COUNTERS 64

/* Values of all counters. The value of a percentage is part / whole. The value of any other counter
 * is `part`, and `whole` is unused.
 */
struct sgt_live_counts {
   uint64_t part[SGT_LIVE_MAX_COUNTERS], whole[SGT_LIVE_MAX_COUNTERS];
};

/* Adds the statistics of a simulation of `cycles` core cycles to the counters. Returns a bitmask of
 * the counters that the chip supports.
 */
uint64_t sgt_live_counts_add(struct sgt_live_counts *counts, const struct sgt_chip_params *params,
                             const struct sgt_stats *stats, uint64_t cycles);
/* Returns the value of a counter between the snapshots `begin` and `end`, which is a difference or
 * a percentage.
 */
uint64_t sgt_live_counts_between(const struct sgt_live_counts *begin,
                                 const struct sgt_live_counts *end, unsigned counter);

#endif
