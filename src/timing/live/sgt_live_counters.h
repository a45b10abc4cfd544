/* SPDX-License-Identifier: MIT */
/*
 * Live timing: counters for programs, made of the statistics of a chip.
 */
#ifndef SGT_LIVE_COUNTERS_H
#define SGT_LIVE_COUNTERS_H

#include <stdint.h>

#include "live/sgt_live.h"

struct sgt_chip_params;
struct sgt_stats;

#define SGT_LIVE_MAX_COUNTERS 64

/* Of shares the part and the whole; others have a part alone. */
struct sgt_live_counts {
   uint64_t part[SGT_LIVE_MAX_COUNTERS], whole[SGT_LIVE_MAX_COUNTERS];
};

/* Adds those of a run.  Returns the counters that the statistics have (bits). */
uint64_t sgt_live_counts_add(struct sgt_live_counts *counts, const struct sgt_chip_params *params,
                             const struct sgt_stats *stats, uint64_t cycles);
uint64_t sgt_live_counts_between(const struct sgt_live_counts *begin,
                                 const struct sgt_live_counts *end, unsigned counter);

#endif
