/* SPDX-License-Identifier: MIT */
/*
 * Batches: the unit of work of the front end, with its results for transform feedback and
 * the raster engines.
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

/* State of the stages that is left when a batch gets too many primitives. Another batch
 * continues from it.
 */
struct sgd_rest {
   void (*free)(struct sgd_rest *rest);
};

/* A range of primitives of one draw and instance. The ranges depend only on the draw
 * (geometry/cut/sgd_ia_cut.h).
 */
struct sgd_batch {
   struct sgd_draw *draw;
   uint32_t instance;
   /* The cutter sets these. Elements are vertices, or indices including restart indices,
    * counted from DRAW.First.
    */
   uint32_t first_element, num_elements;
   uint32_t own_elements;   /* number of leading elements that no later batch repeats */
   uint32_t num_primitives; /* number of primitives that end in the batch, for statistics */
   uint32_t first_prim;     /* number of the batch's first primitive in the draw's instance */
   bool first_of_strip;     /* the batch does not continue a strip, fan, loop, polygon or list */
   bool last_of_strip;      /* no other batch continues the last of these */
   uint32_t strip_first;    /* first element of the strip that the batch continues */

   struct sgd_rest *rest; /* before the front end: state that the batch continues from, or NULL;
                           * after it: state that is left for another batch, or NULL */

   struct sgd_arena arena;
   const struct sgd_varyings *varyings;
   struct sgd_tile_list *tiles;
   uint32_t num_tiles;
   struct sgd_stats stats;
   struct sgd_xfb_records xfb;
   struct sgd_xfb_stats xfb_stats;
   bool failed; /* out of memory; the submission ends with an error */

   /* Line stipple counter, modulo its period. The front end sees only the lines of its
    * own batch. When batches are put in order, before any of this batch is rasterized,
    * sgd_stipple_carry() adds the fragments of the earlier batches of a strip.
    */
   uint16_t stipple_begin; /* counter at the first line, if it continues a strip */
   uint16_t stipple_count; /* fragments since the latest reset, or of the whole batch */
   bool stipple_reset;     /* the counter was reset in the batch */
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

/* Returns the number of fragments after which the line stipple counter repeats. */
static inline unsigned
sgd_stipple_period(const struct SGPU_RASTERIZER *rast)
{
   return 16 * (rast->stipple_factor + 1);
}

/* Sets the counter that the batch starts with to `at`, after the front end. Returns the
 * counter that the next batch starts with.
 */
static inline unsigned
sgd_stipple_carry(struct sgd_batch *batch, unsigned at)
{
   batch->stipple_begin = at;
   return ((batch->stipple_reset ? 0 : at) + batch->stipple_count) %
          sgd_stipple_period(&batch->draw->state->rast);
}

#endif
