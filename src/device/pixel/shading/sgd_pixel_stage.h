/* SPDX-License-Identifier: MIT */
/*
 * Pixel stage context: state for shading one tile list of one batch.
 */
#ifndef SGD_PIXEL_STAGE_H
#define SGD_PIXEL_STAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/sgd_batch.h"
#include "common/sgd_state.h"

struct sgd_prim;
struct sgd_shader;
struct sgd_varyings;
struct sgd_vec;
struct sgd_visibility;
struct sgd_worker;

struct sgd_pixel_stage {
   struct sgd_worker *worker;
   const struct sgd_batch *batch;
   const struct sgd_state *state;
   const struct sgd_varyings *varyings;
   const struct sgd_shader *ps; /* pixel program, or NULL if no program must run */
   struct sgd_stats *stats;
   /* copies of members of struct sgd_plan and of its members zs_mode and coverage */
   bool color, late;
   /* whether samples are counted after the early tests, before the program runs */
   bool count_early;
   struct sgd_coverage_mode mode;

   /* The following members are used only with the dispatch policy ooo+split+break. */
   struct sgd_visibility *visibility; /* visibility buffer of the tile, or NULL */
   bool hides; /* whether stored fragments must be removed from the visibility buffer */
   /* whether fragments come from the visibility buffer, i.e. have already been counted for queries
    */
   bool late_shading;

   /* whether sgd_pixel_begin() has been called; the members below are valid only then */
   bool begun;
   /* whether the outputs are known without running the program (paths `same` and `copy`) */
   bool known;
   /* whether a block needs only its inputs, the program and colour writes (path `plain`) */
   bool plain;
   const struct sgd_vec *out;   /* outputs of the pixel program */
   const struct sgd_prim *flat; /* primitive whose flat inputs are in all lanes, or NULL */

   bool stopped;  /* whether a program could not run, e.g. because memory ran out */
   uint32_t kept; /* mask of the lanes of the last warp whose colours were stored */
   /* number of warps and number of active lanes, for the device's counters */
   uint64_t warps, lanes;
};

/* Returns the value of the line stipple counter at the start of a line. */
static inline unsigned
sgd_pixel_stipple(const struct sgd_pixel_stage *px, bool carried, unsigned stipple)
{
   return (carried ? px->batch->stipple_begin : 0) + stipple;
}

#endif
