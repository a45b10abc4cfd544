/* SPDX-License-Identifier: MIT */
/*
 * Registers the statistics of a memory partition.
 */
#include "chip_memory/sgt_partition.h"

const char *const sgt_partition_state_names[SGT_PARTITION_STATES] = {
   "read",         "write",        "atomic",       "rop",        "stall-set", "stall-mshr",
   "stall-waiter", "stall-access", "stall-atomic", "stall-dram", "idle",
};

void
sgt_partition_register(const struct sgt_partition *p, struct sgt_stats *s,
                       const char *const names[3])
{
   sgt_partition_stats_register(&p->stats, s, names[0]);
   sgt_cache_register(&p->l2, s, names[1]);
   sgt_gddr_register(&p->gddr, s, names[2]);
}
