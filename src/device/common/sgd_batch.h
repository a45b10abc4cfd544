/* SPDX-License-Identifier: MIT */
/*
 * Batches, the work units of the front end, and their results for transform feedback and the raster
 * engines.
 */
#ifndef SGD_BATCH_H
#define SGD_BATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "control/arena/sgd_arena.h"
#include "common/sgd_draw.h"
#include "common/sgd_stats.h"
#include "common/sgd_xfb_state.h"

struct sgd_tile_list;
struct sgd_varyings;

/* State that the front end keeps when a batch reaches its maximum number of primitives, so that
 * another batch can continue from there.
 */
struct sgd_rest {
   void (*free)(struct sgd_rest *rest);
};

/* A range of the primitives in one instance of a draw. Where one batch ends and the next one starts
 * depends on the draw alone (geometry/cut/sgd_ia_cut.h).
 */
struct sgd_batch {
   struct sgd_draw *draw;
   uint32_t instance;
   /* Range of elements that the cutter has assigned to the batch. An element is an index (including
    * restart indices) or a vertex, and is counted from DRAW.First.
    */
   uint32_t first_element, num_elements;
   /* number of elements at the start of the batch that no later batch processes again */
   uint32_t own_elements;
   /* number of primitives whose last element is in the batch, for the pipeline statistics */
   uint32_t num_primitives;
   uint32_t first_prim; /* index of the batch's first primitive in this instance of the draw */
   /* false if the batch continues a strip, fan, loop, polygon or list of an earlier batch */
   bool first_of_strip;
   /* false if a later batch continues the last strip, fan, loop, polygon or list of the batch */
   bool last_of_strip;
   uint32_t strip_first; /* index of the first element of the strip that the batch continues */

   /* On entry to the front end, the state from which the batch continues, or NULL. On return, the
    * state that is left over for another batch, or NULL.
    */
   struct sgd_rest *rest;

   struct sgd_arena arena;
   const struct sgd_varyings *varyings;
   struct sgd_tile_list *tiles;
   uint32_t num_tiles;
   struct sgd_stats stats;
   struct sgd_xfb_records xfb;
   struct sgd_xfb_stats xfb_stats;
   bool failed; /* set if memory ran out; the submission then ends with an error */

   /* Line stipple counter, modulo sgd_stipple_period(). Since the front end only sees the lines of
    * its own batch, sgd_stipple_carry() adds the fragments that earlier batches of the strip have
    * drawn. It does so in program order, before any part of this batch is rasterized.
    */
   uint16_t stipple_begin; /* counter at the first line, if that line continues a strip */
   /* number of line fragments since the last reset of the counter, or in the whole batch if the
    * counter was not reset
    */
   uint16_t stipple_count;
   bool stipple_reset; /* the counter was reset inside the batch */
};

/* Returns true if the batch has recorded primitives for transform feedback. */
static inline bool
sgd_batch_has_xfb(const struct sgd_batch *batch)
{
   bool any = false;
   for (unsigned s = 0; s < SGPU_MAX_VERTEX_STREAMS; s++)
      any |= batch->xfb.stream[s].prims != 0;
   return any;
}

/* Returns the number of fragments after which the line stipple pattern repeats. */
static inline unsigned
sgd_stipple_period(const struct SGPU_RASTERIZER *rast)
{
   return 16 * (rast->stipple_factor + 1);
}

/* Sets the batch's initial stipple counter to `at`, and returns the initial counter of the next
 * batch. Must be called after the front end has processed the batch.
 */
static inline unsigned
sgd_stipple_carry(struct sgd_batch *batch, unsigned at)
{
   batch->stipple_begin = at;
   return ((batch->stipple_reset ? 0 : at) + batch->stipple_count) %
          sgd_stipple_period(&batch->draw->state->rast);
}

#endif
