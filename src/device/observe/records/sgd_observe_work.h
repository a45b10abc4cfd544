/* SPDX-License-Identifier: MIT */
/*
 * Functions that the stages and units of the engines call to record what warps do. They only exist
 * at the observed level (sgd_observe.h). They have no effect if worker->work is NULL, except for
 * functions that must not be called then.
 */
#ifndef SGD_OBSERVE_WORK_H
#define SGD_OBSERVE_WORK_H

#include "observe/records/sgd_work_observation.h"
#include "common/sgd_arch.h"
#include "common/sgd_worker.h"

#define SGD_LINE_SHIFT 6

/* Set WARP.group and WARP.number of the next warps: directly, or for warp n of workgroup `id`. */
void sgd_observe_group(const struct sgd_worker *worker, uint32_t group, uint32_t number);
void sgd_observe_workgroup(const struct sgd_worker *worker, const struct SGPU_GRID *grid,
                           const uint32_t id[3], unsigned n);
/* Records that a warp starts or resumes with the active lanes `lanes`. */
void sgd_observe_warp(const struct sgd_worker *worker, const struct sgd_shader *shader,
                      uint32_t lanes, bool resumed);
/* Records that the latest warp has executed a run of `count` instructions. worker->work must not be
 * NULL.
 */
void sgd_observe_run(const struct sgd_worker *worker, uint32_t pc, uint32_t count, uint32_t lanes);

/* Records an executed instruction, with all memory accesses that the functions below have noted
 * since the previous instruction. worker->work must not be NULL.
 */
void sgd_observe_access(const struct sgd_worker *worker, uint32_t pc, enum sgpu_access kind,
                        uint32_t lanes);
/* Notes that a lane accesses the cache lines of [address, address + bytes). */
void sgd_observe_lines(struct sgd_work_observation *o, unsigned lane, uint64_t address,
                       unsigned bytes);
/* Like sgd_observe_lines(), but with a fast path if the access hits the latest cache lines of the
 * quad again.
 */
static inline void
sgd_observe_next_lines(struct sgd_work_observation *o, unsigned lane, uint64_t address,
                       unsigned bytes)
{
   const unsigned num = o->num_lines[lane / 4];
   const uint64_t *latest = o->lines[lane / 4] + num;
   const uint64_t line = address >> SGD_LINE_SHIFT;

   if (line == (address + bytes - 1) >> SGD_LINE_SHIFT &&
       ((num > 0 && latest[-1] == line) || (num > 1 && latest[-2] == line)))
      return;
   sgd_observe_lines(o, lane, address, bytes);
}
/* Like sgd_observe_lines(), but for a host address inside the device's memory. */
void sgd_observe_bytes(const struct sgd_worker *worker, unsigned lane, const void *at,
                       unsigned bytes);
/* Notes atomic operations at the address of each lane. */
void sgd_observe_atomics(const struct sgd_worker *worker, uint8_t *const at[SGD_WARP],
                         uint32_t lanes, unsigned bytes);

/* Notes that the input assembler reads elements of `bytes` bytes for `count` vertices, and uses
 * `comps` components of each. Elements outside their buffer have the address `nothing`.
 */
void sgd_observe_fetch(const struct sgd_worker *worker, const uint8_t *const *at,
                       const uint8_t *nothing, unsigned count, unsigned bytes, unsigned comps);
/* Notes any other bytes that the input assembler reads. worker->work must not be NULL. */
void sgd_observe_fetch_bytes(const struct sgd_worker *worker, const uint8_t *at, uint64_t bytes);

#endif
