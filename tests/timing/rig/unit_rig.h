/* SPDX-License-Identifier: MIT */
/*
 * A unit of a chip between stand-ins: clocks, units, channels, a memory.  A failure ends the
 * program with a message, so that tests with and without cmocka can use it.
 */
#ifndef UNIT_RIG_H
#define UNIT_RIG_H

#include "kernel/sgt_channel.h"
#include "chip_memory/sgt_mem.h"
#include "kernel/sgt_stats.h"

#define UNIT_RIG_CHANNELS 16
#define UNIT_RIG_CLOCKS 4

struct unit_rig {
   /* of the core, 600 MHz, and of SMs, 1500 MHz; or those of unit_rig_begin_clocks() */
   struct sgt_clock clock[UNIT_RIG_CLOCKS];
   uint64_t period; /* of the core's clock, in ticks */
   struct sgt_sched sched;
   struct sgt_channel *channels[UNIT_RIG_CHANNELS];
   uint32_t num_channels;
   uint64_t cycles; /* of the run, in the core's clock */
};

/* Ends the program with the message if `ok` is false. */
void unit_rig_require(bool ok, const char *message);

/* shuffle: seed of a random order of the units, or 0. */
void unit_rig_begin(struct unit_rig *r, uint64_t shuffle);
/* The same with one clock for all units, whose cycles are ticks. */
void unit_rig_begin_alone(struct unit_rig *r, uint32_t mhz, uint64_t shuffle);
/* The same with `num` clocks, the first of which is the core's. */
void unit_rig_begin_clocks(struct unit_rig *r, const uint32_t *mhz, uint32_t num, uint64_t shuffle);
/* Sets a unit up in the core's clock, and adds it. */
void unit_rig_add(struct unit_rig *r, struct sgt_unit *unit, const char *name,
                  uint64_t (*tick)(struct sgt_unit *unit, uint64_t now));
/* The same in the clock of SMs. */
void unit_rig_add_sm(struct unit_rig *r, struct sgt_unit *unit, const char *name,
                     uint64_t (*tick)(struct sgt_unit *unit, uint64_t now));
/* Makes a channel for messages of `bytes` bytes, which take `cycles` cycles of the core's clock. */
void unit_rig_connect(struct unit_rig *r, struct sgt_channel *c, struct sgt_unit *from,
                      struct sgt_unit *to, uint32_t bytes, uint32_t capacity, uint64_t cycles);
/* Runs until no unit has work, and requires that all channels are empty. */
void unit_rig_run(struct unit_rig *r);
/* Requires that statistics are complete and fit each other. */
void unit_rig_check(const struct sgt_stats *stats);
/* Returns the number of a statistic, which must be there. */
uint64_t unit_rig_stat(const struct sgt_stats *stats, const char *unit, const char *name);
/* Frees channels and scheduler; the caller frees its units. */
void unit_rig_end(struct unit_rig *r);

/* Memory that takes a request a cycle, and answers reads after a latency. */
struct unit_rig_memory {
   struct sgt_unit unit;
   struct sgt_channel requests, responses;
   uint16_t client; /* that all requests must have */
   uint64_t reads, writes, sectors_read, sectors_written;
   uint64_t latest_write; /* cycle */
};

/* Adds the memory of a unit.  capacity: of requests; latency: in cycles. */
void unit_rig_memory(struct unit_rig *r, struct unit_rig_memory *m, struct sgt_unit *of,
                     uint16_t client, uint32_t capacity, uint32_t latency);

#endif
