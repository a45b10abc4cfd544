/* SPDX-License-Identifier: MIT */
/*
 * Pixel stage context: what runs pixel programs for one tile list of one batch.
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
   const struct sgd_shader *ps; /* pixel program; NULL if none has to run */
   struct sgd_stats *stats;
   /* Copies of the plan's members, which have the same names. */
   bool color, late;
   bool count_early; /* samples that pass are counted before the program */
   struct sgd_coverage_mode mode;

   /* State of dispatch policy ooo+split+break. */
   struct sgd_visibility *visibility; /* visibility buffer, or NULL */
   bool hides;        /* stored fragments remove their pixels from the visibility buffer */
   bool late_shading; /* fragments come from the visibility buffer, so queries have counted them */

   bool begun; /* sgd_pixel_begin() has been called; the next members are valid */
   bool known; /* outputs are known without running the program (paths `same` and `copy`) */
   bool plain; /* a block needs only its inputs, the program and the colours (path `plain`) */
   const struct sgd_vec *out;   /* outputs of the program */
   const struct sgd_prim *flat; /* primitive of the flat inputs in all lanes, or NULL */

   bool stopped;          /* out of memory for running a program */
   uint32_t kept;         /* lanes of the last warp whose colours are stored */
   uint64_t warps, lanes; /* numbers of warps, and of lanes with pixels, for the counters */
};

/* Returns the line stipple counter at the start of a line. */
static inline unsigned
sgd_pixel_stipple(const struct sgd_pixel_stage *px, bool carried, unsigned stipple)
{
   return (carried ? px->batch->stipple_begin : 0) + stipple;
}

#endif
