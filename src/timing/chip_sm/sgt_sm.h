/* SPDX-License-Identifier: MIT */
/*
 * Streaming multiprocessor (Lindholm et al., "NVIDIA Tesla: A Unified Graphics and Computing
 * Architecture", IEEE Micro 2008): multithreaded fetch and issue, MAD and special-function units,
 * shared memory, instruction and constant caches, and the paths to the texture unit and to memory.
 *
 * See docs/chip-sm.md for the steps of a cycle.
 */
#ifndef SGT_SM_H
#define SGT_SM_H

#include "kernel/sgt_channel.h"
#include "chip_sm/sgt_sm_ports.h"
#include "stats/sgt_sm_stats.h"

struct sgt_dump;

/* Callback for the operations that a multiprocessor issues. */
struct sgt_sm_observer {
   void *data;
   /* Called for each operation that issues. `op` is the index of the operation in the program's
    * prologue if `prologue` is true, and in the program otherwise. `slot` is the warp slot in the
    * multiprocessor, and `warp` is the index of the warp in work->warps.
    */
   void (*issue)(void *data, uint64_t cycle, uint32_t slot, uint32_t warp, uint32_t op,
                 bool prologue, enum sgt_sm_state state);
};

struct sgt_sm;

/* Creates multiprocessor number `sm`. Error messages contain this number. `clock` must have half
 * the frequency of the SP clock. Call sgt_sm_connect() before the first launch. Returns NULL on
 * allocation failure.
 */
struct sgt_sm *sgt_sm_create(struct sgt_sched *sched, const struct sgt_clock *clock,
                             const struct sgt_sm_code *code, uint16_t sm);
void sgt_sm_destroy(struct sgt_sm *sm);
struct sgt_unit *sgt_sm_unit(struct sgt_sm *sm);
void sgt_sm_connect(struct sgt_sm *sm, const struct sgt_sm_ports *ports);
void sgt_sm_observe(struct sgt_sm *sm, const struct sgt_sm_observer *observer);

/* Returns true if the multiprocessor has no resident warps and no pending requests. */
bool sgt_sm_idle(const struct sgt_sm *sm);
/* Dumps the state, the resident warps and the pending accesses of the multiprocessor. */
void sgt_sm_dump(const struct sgt_sm *sm, struct sgt_dump *d);
/* Returns the statistics up to time `end`, which is in ticks and must not be earlier than the
 * current time.
 */
const struct sgt_sm_stats *sgt_sm_results(struct sgt_sm *sm, uint64_t end);
/* Returns an error message if the traced accesses or a warp launch were invalid, or NULL if there
 * was no error. After an error, the results are meaningless.
 */
const char *sgt_sm_error(const struct sgt_sm *sm);

#endif
