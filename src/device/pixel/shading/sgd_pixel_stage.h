/* SPDX-License-Identifier: MIT */
/*
 * Pixel stage: the context in which the fragments of one tile list of a batch are shaded.
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
   const struct sgd_shader *ps; /* pixel program, or NULL if it doesn't have to run */
   struct sgd_stats *stats;
   /* copies of the members of struct sgd_plan with the same names */
   bool color, late;
   /* set if samples are counted after the early tests, before the program runs */
   bool count_early;
   struct sgd_coverage_mode mode;

   /* The following members are used only if the dispatch policy is ooo+split+break. */
   struct sgd_visibility *visibility; /* visibility buffer of the current tile, or NULL */
   bool hides; /* set if stored fragments must be removed from the visibility buffer */
   /* Set if the fragments come from the visibility buffer. Queries have already counted them. */
   bool late_shading;

   /* Set by sgd_pixel_begin(). The members below are valid only if it is set. */
   bool begun;
   /* set if the outputs are known without running the program for each warp */
   bool known;
   /* set if blocks need only interpolation, the program and colour writes (SGPU_PATH_PLAIN) */
   bool plain;
   unsigned num_ahead;
   const struct sgd_surface *ahead[SGD_MAX_COLORS]; /* targets that are prefetched for blocks */
   const struct sgd_vec *out;                       /* outputs of the pixel program */
   const struct sgd_prim *flat; /* primitive whose flat inputs all lanes have, or NULL */

   bool stopped;  /* set if a program could not run, e.g. because memory ran out */
   uint32_t kept; /* mask of the lanes of the last warp whose colours were stored */
   /* number of warps and of active lanes, added to the device's counters later */
   uint64_t warps, lanes;
};

/* Returns the value of the line stipple counter at the start of a line. */
static inline unsigned
sgd_pixel_stipple(const struct sgd_pixel_stage *px, bool carried, unsigned stipple)
{
   return (carried ? px->batch->stipple_begin : 0) + stipple;
}

#endif
