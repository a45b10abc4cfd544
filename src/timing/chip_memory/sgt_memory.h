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
   uint32_t num;
   char (*names)[3][16]; /* of the units in the statistics */
};

/* The clocks have the frequencies of the parameters.  False: no memory. */
bool sgt_memory_init(struct sgt_memory *m, struct sgt_sched *sched, const struct sgt_clock *xbar,
                     const struct sgt_clock *l2, const struct sgt_clock *gddr,
                     const struct sgt_memory_params *params);
void sgt_memory_finish(struct sgt_memory *m);

bool sgt_memory_idle(const struct sgt_memory *m);
/* Writes what the network and the partitions have under way. */
void sgt_memory_dump(const struct sgt_memory *m, struct sgt_dump *d);
/* Accounts all clocks before `time`, in ticks. */
void sgt_memory_account(struct sgt_memory *m, uint64_t time);
/* Registers the statistics as of "xbar.requests", "xbar.responses", "partition.N", "l2.N" and
 * "gddr.N".  The names live as long as the memory.
 */
void sgt_memory_register(const struct sgt_memory *m, struct sgt_stats *s);
/* Whether what units counted agrees: sectors of the DRAM are those that caches and others asked
 * for, and messages of the network those of the partitions.  The memory is idle.  False, with a
 * message: it does not.
 */
bool sgt_memory_conserves(const struct sgt_memory *m, char *error, size_t error_size);

#endif
