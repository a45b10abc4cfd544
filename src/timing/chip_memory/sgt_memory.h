/* SPDX-License-Identifier: MIT */
/*
 * The memory system of a chip: the interconnection network and the memory partitions.
 *
 * After sgt_memory_init(), call sgt_xbar_connect(&m->xbar, ...) for each client, and
 * sgt_partition_connect_rop(&m->partitions[i], ...) for each ROP. At the end of a simulation, call
 * sgt_memory_account(m, time) and then sgt_memory_register(m, &stats).
 */
#ifndef SGT_MEMORY_H
#define SGT_MEMORY_H

#include "params/sgt_memory_params.h"
#include "chip_memory/sgt_partition.h"

struct sgt_dump;

struct sgt_memory {
   struct sgt_xbar xbar;
   struct sgt_partition *partitions;
   uint32_t num; /* number of initialized partitions */
   /* names of each partition, its cache and its DRAM in the statistics */
   char (*names)[3][16];
};

/* Initializes the network and all partitions. The clocks of the network, the partitions and the
 * GDDR3 must have the frequencies that the parameters specify. Returns false on allocation failure.
 */
bool sgt_memory_init(struct sgt_memory *m, struct sgt_sched *sched, const struct sgt_clock *xbar,
                     const struct sgt_clock *l2, const struct sgt_clock *gddr,
                     const struct sgt_memory_params *params);
void sgt_memory_finish(struct sgt_memory *m);

bool sgt_memory_idle(const struct sgt_memory *m);
/* Dumps the state and the pending requests of the network and the partitions. */
void sgt_memory_dump(const struct sgt_memory *m, struct sgt_dump *d);
/* Adds the states of all units up to `time` (in ticks) to the statistics. */
void sgt_memory_account(struct sgt_memory *m, uint64_t time);
/* Registers the statistics under the unit names "xbar.requests", "xbar.responses", "partition.N",
 * "l2.N" and "gddr.N". The names are valid as long as the memory exists.
 */
void sgt_memory_register(const struct sgt_memory *m, struct sgt_stats *s);
/* Checks that the statistics of the units are consistent: the DRAM must have transferred as many
 * sectors as the L2 caches, and accesses that bypass them, have requested, and the network must
 * have transferred as many messages as the partitions have processed. The memory must be idle. On a
 * mismatch, returns false and writes a message to `error`.
 */
bool sgt_memory_conserves(const struct sgt_memory *m, char *error, size_t error_size);

#endif
