/* SPDX-License-Identifier: MIT */
/*
 * Observation of work: the records of warps that a worker makes in a batch, a tile list or
 * workgroups of a grid, until dispatch hands them to the observer.
 */
#ifndef SGD_WORK_OBSERVATION_H
#define SGD_WORK_OBSERVATION_H

#include <stdbool.h>
#include <stdint.h>

#include "observe/records/sgd_records.h"
#include "common/sgd_state.h"

/* Maximum cache lines that a quad accesses in an instruction: 4 lanes with up to 16 anisotropic
 * probes, on 2 levels, of 8 texels, each in up to 2 lines.
 */
#define SGD_QUAD_LINES (4 * 16 * 2 * 8 * 2)
/* Maximum cache lines that the input assembler reads for a warp: each element may span 2 lines, and
 * its indices take fewer lines than those of a batch.
 */
#define SGD_FETCH_LINES (2 * SGD_WARP * SGD_MAX_ELEMENTS + 4096)

struct sgd_work_observation {
   const uint8_t *memory; /* host address of device address 0 */
   struct sgd_records records;

   /* group and number of the next warps */
   uint32_t group;
   uint16_t number;
   uint64_t quads; /* number of words before the first QUAD record of the latest pixel warp */

   /* the instruction that executes, until its ACCESS record is made */
   uint32_t work;
   uint8_t bytes;
   uint16_t num_lines[SGD_QUADS];
   uint64_t lines[SGD_QUADS][SGD_QUAD_LINES];

   /* the vertex warp whose elements are fetched, until its FETCH record is made */
   uint32_t element; /* the next element whose index will be read */
   uint32_t attributes;
   uint32_t num_fetch;
   uint64_t fetch[SGD_FETCH_LINES];
};

/* Returns NULL if out of memory. */
struct sgd_work_observation *sgd_work_observation_create(const uint8_t *memory);
void sgd_work_observation_destroy(struct sgd_work_observation *o);
/* Must be called before a batch, a tile list or workgroups. */
void sgd_work_observation_reset(struct sgd_work_observation *o);

#endif
