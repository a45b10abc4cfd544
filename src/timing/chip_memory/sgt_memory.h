/* SPDX-License-Identifier: MIT */
/*
 * The memory of a chip: the interconnection network and its partitions.
 *
 *    sgt_memory_init(m, sched, network clock, partition clock, memory clock, &params);
 *    sgt_xbar_connect(&m->xbar, ...);                      each client
 *    sgt_partition_connect_rop(&m->partitions[i], ...);    each ROP
 *    ...
 *    sgt_memory_account(m, time);
 *    sgt_memory_register(m, &stats);
 */
#ifndef SGT_MEMORY_H
#define SGT_MEMORY_H

#include "params/sgt_memory_params.h"
#include "chip_memory/sgt_partition.h"

struct sgt_dump;

struct sgt_memory {
   struct sgt_xbar xbar;
   struct sgt_partition *partitions;
   uint32_t num;         /* number of initialized partitions */
   char (*names)[3][16]; /* per partition: names of its three units in the statistics */
};

/* Initializes the network and all partitions. The clocks of the network, of the partitions and of
 * the GDDR3 must have the frequencies in the parameters. Returns false if out of memory.
 */
bool sgt_memory_init(struct sgt_memory *m, struct sgt_sched *sched, const struct sgt_clock *xbar,
                     const struct sgt_clock *l2, const struct sgt_clock *gddr,
                     const struct sgt_memory_params *params);
void sgt_memory_finish(struct sgt_memory *m);

bool sgt_memory_idle(const struct sgt_memory *m);
/* Writes what the network and the partitions have under way. */
void sgt_memory_dump(const struct sgt_memory *m, struct sgt_dump *d);
/* Counts the states of all units up to `time`, in ticks. */
void sgt_memory_account(struct sgt_memory *m, uint64_t time);
/* Registers the statistics, for units with the names "xbar.requests", "xbar.responses",
 * "partition.N", "l2.N" and "gddr.N". The names are valid as long as the memory exists.
 */
void sgt_memory_register(const struct sgt_memory *m, struct sgt_stats *s);
/* Checks that the statistics of the units are consistent. The sectors of the DRAM must equal those
 * that caches and other clients requested. The messages of the network must equal those of the
 * partitions. The memory must be idle. On a mismatch, returns false and writes a message to
 * `error`.
 */
bool sgt_memory_conserves(const struct sgt_memory *m, char *error, size_t error_size);

#endif
