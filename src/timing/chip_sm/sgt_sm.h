/* SPDX-License-Identifier: MIT */
/*
 * Streaming multiprocessor (Lindholm et al., "NVIDIA Tesla: A Unified Graphics and Computing
 * Architecture", IEEE Micro 2008): multithreaded fetch and issue, MAD and special-function
 * units, shared memory, instruction and constant cache, and the paths to the texture unit and
 * to memory.
 *
 * docs/chip-sm.md has the rules of a cycle.
 */
#ifndef SGT_SM_H
#define SGT_SM_H

#include "kernel/sgt_channel.h"
#include "chip_sm/sgt_sm_ports.h"
#include "stats/sgt_sm_stats.h"

struct sgt_dump;

/* Told of each operation that issues. */
struct sgt_sm_observer {
   void *data;
   /* `op` counts in the program, or with `prologue` in the prologue. */
   void (*issue)(void *data, uint64_t cycle, uint32_t slot, uint32_t warp, uint32_t op,
                 bool prologue, enum sgt_sm_state state);
};

struct sgt_sm;

/* Makes the unit; `sm` is its number in messages.  `clock` is half the SP clock.  Its ports are
 * given before its first launch.  NULL: no memory.
 */
struct sgt_sm *sgt_sm_create(struct sgt_sched *sched, const struct sgt_clock *clock,
                             const struct sgt_sm_code *code, uint16_t sm);
void sgt_sm_destroy(struct sgt_sm *sm);
struct sgt_unit *sgt_sm_unit(struct sgt_sm *sm);
void sgt_sm_connect(struct sgt_sm *sm, const struct sgt_sm_ports *ports);
void sgt_sm_observe(struct sgt_sm *sm, const struct sgt_sm_observer *observer);

/* Whether it has no warp, and no request under way. */
bool sgt_sm_idle(const struct sgt_sm *sm);
/* Writes what the unit has under way. */
void sgt_sm_dump(const struct sgt_sm *sm, struct sgt_dump *d);
/* The statistics of all cycles before the time `end`, which is not before the present one. */
const struct sgt_sm_stats *sgt_sm_results(struct sgt_sm *sm, uint64_t end);
/* NULL, or what is wrong with the work or with what was launched: results are meaningless. */
const char *sgt_sm_error(const struct sgt_sm *sm);

#endif
