/* SPDX-License-Identifier: MIT */
/*
 * Functions that the stages and units of the engines call to record what warps do. They only exist
 * at the observed level (sgd_observe.h). Unless noted otherwise, they do nothing if worker->work is
 * NULL.
 */
#ifndef SGD_OBSERVE_WORK_H
#define SGD_OBSERVE_WORK_H

#include "observe/records/sgd_work_observation.h"
#include "common/sgd_arch.h"
#include "common/sgd_worker.h"

#define SGD_LINE_SHIFT 6

/* Set the fields `group` and `number` in the WARP records of the next warps.
 * sgd_observe_workgroup() sets them for warp n of workgroup `id`.
 */
void sgd_observe_group(const struct sgd_worker *worker, uint32_t group, uint32_t number);
void sgd_observe_workgroup(const struct sgd_worker *worker, const struct SGPU_GRID *grid,
                           const uint32_t id[3], unsigned n);
/* Records that a warp starts or resumes. `lanes` is the mask of its active lanes. */
void sgd_observe_warp(const struct sgd_worker *worker, const struct sgd_shader *shader,
                      uint32_t lanes, bool resumed);
/* Records that the latest warp has executed `count` consecutive instructions, starting at `pc`.
 * worker->work must not be NULL.
 */
void sgd_observe_run(const struct sgd_worker *worker, uint32_t pc, uint32_t count, uint32_t lanes);

/* Records that an instruction was executed, together with all memory accesses that the functions
 * below have collected since the previous instruction. worker->work must not be NULL.
 */
void sgd_observe_access(const struct sgd_worker *worker, uint32_t pc, enum sgpu_access kind,
                        uint32_t lanes);
/* Collects an access of a lane to the cache lines that contain [address, address + bytes). */
void sgd_observe_lines(struct sgd_work_observation *o, unsigned lane, uint64_t address,
                       unsigned bytes);
/* Like sgd_observe_lines(), but with a fast path for accesses to the cache lines that were
 * collected last for the same quad.
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
/* Like sgd_observe_lines(), but takes a host address inside the device's memory. */
void sgd_observe_bytes(const struct sgd_worker *worker, unsigned lane, const void *at,
                       unsigned bytes);
/* Collects an atomic operation of each lane in `lanes`, at the lane's address in at[]. */
void sgd_observe_atomics(const struct sgd_worker *worker, uint8_t *const at[SGD_WARP],
                         uint32_t lanes, unsigned bytes);

/* Records which vertex elements the input assembler fetches for `count` vertices. Each element is
 * `bytes` bytes long, and the program uses its first `comps` components. Elements outside their
 * buffer have the address `nothing`.
 */
void sgd_observe_fetch(const struct sgd_worker *worker, const uint8_t *const *at,
                       const uint8_t *nothing, unsigned count, unsigned bytes, unsigned comps);
/* Collects other bytes that the input assembler reads, e.g. indices. worker->work must not be NULL.
 */
void sgd_observe_fetch_bytes(const struct sgd_worker *worker, const uint8_t *at, uint64_t bytes);

#endif
