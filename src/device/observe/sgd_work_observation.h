/* SPDX-License-Identifier: MIT */
/*
 * Observation of work: the records of warps that a worker makes in a batch, a tile's list
 * or workgroups of a grid, until dispatch hands them to the observer.
 */
#ifndef SGD_WORK_OBSERVATION_H
#define SGD_WORK_OBSERVATION_H

#include <stdbool.h>
#include <stdint.h>

#include "sgd_records.h"
#include "sgd_state.h"

/* Lines that a quad touches in an instruction: 4 lanes with at most 16 anisotropic probes of 2
 * levels of 8 texels, each in at most 2 lines.
 */
#define SGD_QUAD_LINES (4 * 16 * 2 * 8 * 2)
/* Lines that the input assembler reads for a warp: an element may lie in 2, and its indices are
 * fewer than those of a batch.
 */
#define SGD_FETCH_LINES (2 * SGD_WARP * SGD_MAX_ELEMENTS + 4096)

struct sgd_work_observation {
   const uint8_t *memory; /* host address of device address 0 */
   struct sgd_records records;

   /* Of the warps that follow. */
   uint32_t group;
   uint16_t number;
   uint64_t quads; /* the latest pixel warp: words before its first QUAD record */

   /* The instruction in execution, until its ACCESS record is made. */
   uint32_t work;
   uint8_t bytes;
   uint16_t num_lines[SGD_QUADS];
   uint64_t lines[SGD_QUADS][SGD_QUAD_LINES];

   /* The vertex warp that is fetched, until its FETCH record is made. */
   uint32_t element; /* the next whose index is to be read */
   uint32_t attributes;
   uint32_t num_fetch;
   uint64_t fetch[SGD_FETCH_LINES];
};

/* NULL: out of memory. */
struct sgd_work_observation *sgd_work_observation_create(const uint8_t *memory);
void sgd_work_observation_destroy(struct sgd_work_observation *o);
/* Before a batch, a tile's list or workgroups. */
void sgd_work_observation_reset(struct sgd_work_observation *o);

#endif
