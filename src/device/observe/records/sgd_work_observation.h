/* SPDX-License-Identifier: MIT */
/*
 * Records about the warps that a worker runs for a batch, a tile list or workgroups of a grid. The
 * dispatch unit passes the records to the observer once these warps have run.
 */
#ifndef SGD_WORK_OBSERVATION_H
#define SGD_WORK_OBSERVATION_H

#include <stdbool.h>
#include <stdint.h>

#include "observe/records/sgd_records.h"
#include "common/sgd_state.h"

/* Maximum number of cache lines that a quad accesses in one instruction. Each of the 4 lanes has up
 * to 16 anisotropic probes, a probe reads 8 texels on each of 2 levels, and a texel can straddle 2
 * cache lines.
 */
#define SGD_QUAD_LINES (4 * 16 * 2 * 8 * 2)
/* Maximum number of cache lines that the input assembler reads for a warp. Each element can
 * straddle 2 cache lines. The indices add at most 4096 cache lines, even for a whole batch.
 */
#define SGD_FETCH_LINES (2 * SGD_WARP * SGD_MAX_ELEMENTS + 4096)

struct sgd_work_observation {
   const uint8_t *memory; /* host address of device address 0 */
   struct sgd_records records;

   /* values of the fields `group` and `number` in the WARP records that follow */
   uint32_t group;
   uint16_t number;
   /* offset in `records`, in words, of the first QUAD record of the latest pixel warp */
   uint64_t quads;

   /* Accesses of the current instruction. They are collected until its ACCESS record is written. */
   uint32_t work;
   uint8_t bytes;
   uint16_t num_lines[SGD_QUADS];
   uint64_t lines[SGD_QUADS][SGD_QUAD_LINES];

   /* Elements that are fetched for the current vertex warp. They are collected until its FETCH
    * record is written.
    */
   uint32_t element; /* next element whose index will be read */
   uint32_t attributes;
   uint32_t num_fetch;
   uint64_t fetch[SGD_FETCH_LINES];
};

/* Allocates the object in which a worker collects records. `memory` is the host address of device
 * address 0. Returns NULL on allocation failure.
 */
struct sgd_work_observation *sgd_work_observation_create(const uint8_t *memory);
void sgd_work_observation_destroy(struct sgd_work_observation *o);
/* Discards all records. Must be called before each batch, tile list or chunk of workgroups. */
void sgd_work_observation_reset(struct sgd_work_observation *o);

#endif
