/* SPDX-License-Identifier: MIT */
/*
 * A unit of a chip with replacements for the other units: clocks, units, channels, a memory.  A
 * failure ends the program with a message, so that tests with and without cmocka can use this.
 */
#ifndef UNIT_RIG_H
#define UNIT_RIG_H

#include "kernel/sgt_channel.h"
#include "chip_memory/sgt_mem.h"
#include "kernel/sgt_stats.h"

#define UNIT_RIG_CHANNELS 16
#define UNIT_RIG_CLOCKS 4

struct unit_rig {
   /* clocks of the core (600 MHz) and of the SMs (1500 MHz), or those of unit_rig_begin_clocks() */
   struct sgt_clock clock[UNIT_RIG_CLOCKS];
   uint64_t period; /* period of the core clock, in ticks */
   struct sgt_sched sched;
   struct sgt_channel *channels[UNIT_RIG_CHANNELS];
   uint32_t num_channels;
   uint64_t cycles; /* number of core cycles of the run */
};

/* Ends the program with the message if `ok` is false. */
void unit_rig_require(bool ok, const char *message);

/* Begins a rig. shuffle: seed for a random order of the units, or 0. */
void unit_rig_begin(struct unit_rig *r, uint64_t shuffle);
/* Begins a rig with one clock for all units, whose cycles are ticks. */
void unit_rig_begin_alone(struct unit_rig *r, uint32_t mhz, uint64_t shuffle);
/* The same with `num` clocks, the first of which is the core clock. */
void unit_rig_begin_clocks(struct unit_rig *r, const uint32_t *mhz, uint32_t num, uint64_t shuffle);
/* Initializes a unit with the core clock and adds it. */
void unit_rig_add(struct unit_rig *r, struct sgt_unit *unit, const char *name,
                  uint64_t (*tick)(struct sgt_unit *unit, uint64_t now));
/* Initializes a unit with the SM clock and adds it. */
void unit_rig_add_sm(struct unit_rig *r, struct sgt_unit *unit, const char *name,
                     uint64_t (*tick)(struct sgt_unit *unit, uint64_t now));
/* Creates a channel for messages of `bytes` bytes, which take `cycles` core cycles. */
void unit_rig_connect(struct unit_rig *r, struct sgt_channel *c, struct sgt_unit *from,
                      struct sgt_unit *to, uint32_t bytes, uint32_t capacity, uint64_t cycles);
/* Runs until no unit has work, and requires that all channels are empty. */
void unit_rig_run(struct unit_rig *r);
/* Requires that statistics are complete and consistent. */
void unit_rig_check(const struct sgt_stats *stats);
/* Returns the value of a statistic, which must exist. */
uint64_t unit_rig_stat(const struct sgt_stats *stats, const char *unit, const char *name);
/* Frees channels and the scheduler; the caller frees its units. */
void unit_rig_end(struct unit_rig *r);

/* A memory that takes one request per cycle and answers reads after a fixed latency. */
struct unit_rig_memory {
   struct sgt_unit unit;
   struct sgt_channel requests, responses;
   uint16_t client; /* client number that all requests must have */
   uint64_t reads, writes, sectors_read, sectors_written;
   uint64_t latest_write; /* cycle of the latest write */
};

/* Adds a memory for a unit. capacity: maximum number of queued requests; latency: in cycles. */
void unit_rig_memory(struct unit_rig *r, struct unit_rig_memory *m, struct sgt_unit *of,
                     uint16_t client, uint32_t capacity, uint32_t latency);

#endif
