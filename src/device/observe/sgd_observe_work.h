/* SPDX-License-Identifier: MIT */
/*
 * Observation of work: records of what warps do, as stages and units note them.  Only in the
 * observed level; without effect if work is not observed, but for functions that say so.
 */
#ifndef SGD_OBSERVE_WORK_H
#define SGD_OBSERVE_WORK_H

#include "observe/sgd_work_observation.h"
#include "sgd_arch.h"
#include "sgd_worker.h"

#define SGD_LINE_SHIFT 6

/* Of the warps that follow: WARP.group and WARP.number; for warp n of the workgroup `id`. */
void sgd_observe_group(const struct sgd_worker *worker, uint32_t group, uint32_t number);
void sgd_observe_workgroup(const struct sgd_worker *worker, const struct SGPU_GRID *grid,
                           const uint32_t id[3], unsigned n);
/* A warp starts with the lanes of `lanes`, or goes on. */
void sgd_observe_warp(const struct sgd_worker *worker, const struct sgd_shader *shader,
                      uint32_t lanes, bool resumed);
/* It has executed instructions.  Work is observed. */
void sgd_observe_run(const struct sgd_worker *worker, uint32_t pc, uint32_t count, uint32_t lanes);

/* The instruction has executed: its record, with what the functions below have noted since the
 * one before.  Work is observed.
 */
void sgd_observe_access(const struct sgd_worker *worker, uint32_t pc, enum sgpu_access kind,
                        uint32_t lanes);
/* A lane touches the lines of [address, address + bytes). */
void sgd_observe_lines(struct sgd_work_observation *o, unsigned lane, uint64_t address,
                       unsigned bytes);
/* The same; the latest lines of a quad are likely to be those of its next lane. */
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
/* The same of the device's memory. */
void sgd_observe_bytes(const struct sgd_worker *worker, unsigned lane, const void *at,
                       unsigned bytes);
/* Atomic operations at the addresses of the lanes. */
void sgd_observe_atomics(const struct sgd_worker *worker, uint8_t *const at[SGD_WARP],
                         uint32_t lanes, unsigned bytes);

/* The input assembler reads elements of `bytes` bytes of `count` vertices, of which it fetches
 * `comps` components; `nothing`: the element is not in its buffer.
 */
void sgd_observe_fetch(const struct sgd_worker *worker, const uint8_t *const *at,
                       const uint8_t *nothing, unsigned count, unsigned bytes, unsigned comps);
/* It reads other bytes for the warp.  Work is observed. */
void sgd_observe_fetch_bytes(const struct sgd_worker *worker, const uint8_t *at, uint64_t bytes);

#endif
