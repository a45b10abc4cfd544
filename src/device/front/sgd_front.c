/* SPDX-License-Identifier: MIT */
/*
 * Geometry front end: a batch from the input assembler's cut to tile lists.
 */
#include "sgd_front.h"

#include "geometry/sgd_geometry.h"

#include <stdlib.h>

static void
front_free(void *data)
{
   struct sgd_front *f = data;

   free(f->vertices);
   free(f->raw);
   sgd_geometry_free(f->geometry_unit);
   free(f->clip_memory);
   free(f->tiles);
   free(f);
}

static struct sgd_front *
front_get(struct sgd_worker *worker)
{
   if (!worker->front) {
      worker->front = calloc(1, sizeof(struct sgd_front));
      worker->front_free = worker->front ? front_free : NULL;
   }
   return worker->front;
}

/* What follows from the draw alone. */
static bool
front_begin(struct sgd_front *f, struct sgd_worker *worker, struct sgd_batch *batch)
{
   const struct sgd_state *state = batch->draw->state;
   const struct SGPU_RASTERIZER *rast = &state->rast;
   const enum sgpu_primitive primitive = batch->draw->packet.primitive;

   f->worker = worker;
   f->batch = batch;
   f->draw = batch->draw;
   f->state = state;
   f->culled = f->clipped = f->slices = f->primitives = 0;

   f->pixel_center = rast->half_pixel_center ? 0 : SGD_SUBPIXEL / 2;
   f->fill_unfilled = rast->fill_front != SGPU_FILL_SOLID || rast->fill_back != SGPU_FILL_SOLID;
   f->smooth_points = rast->point_smooth && !rast->point_quad && sgd_state_smooths(state);
   f->smooth_fill = rast->poly_smooth && sgd_state_smooths(state) &&
                    (rast->fill_front == SGPU_FILL_SOLID || rast->fill_back == SGPU_FILL_SOLID);
   f->smooth_lines = rast->line_smooth && sgd_state_smooths(state);
   f->multisamples = sgd_state_multisamples(state);
   f->strip_lines = f->smooth_lines || f->multisamples;
   f->edge_flags = f->fill_unfilled && !state->shader[SGPU_STAGE_GEOMETRY] &&
                   (primitive == SGPU_PRIMITIVE_TRIANGLES || primitive == SGPU_PRIMITIVE_QUADS ||
                    primitive == SGPU_PRIMITIVE_POLYGON ||
                    primitive == SGPU_PRIMITIVE_TRIANGLES_ADJACENCY);
   f->cull_distances = state->shader_desc[sgd_state_last(state)->stage].cull_distances;
   f->cull_bits = f->cull_distances << SGD_CLIP_CULL;
   f->clip_planes = rast->clip_planes & ~f->cull_distances;
   f->clip_cut = 1u << SGD_CLIP_W | SGD_CLIP_GUARD_BITS | f->clip_planes << SGD_CLIP_USER |
                 (rast->depth_clip_near ? 1u << SGD_CLIP_NEAR : 0) |
                 (rast->depth_clip_far ? 1u << SGD_CLIP_FAR : 0);

   struct sgd_varyings *varyings = sgd_front_alloc(f, sizeof(*varyings));
   if (!varyings)
      return false;
   sgd_varyings_init(varyings, state);
   f->varyings = batch->varyings = varyings;

   if (!sgd_vertex_begin(f) || !sgd_geometry_begin(f) || !sgd_bin_begin(f)) {
      batch->failed = true;
      return false;
   }
   sgd_setup_begin(f);
   return true;
}

void
sgd_front_run(struct sgd_worker *worker, struct sgd_batch *batch)
{
   struct sgd_front *f = front_get(worker);

   batch->tiles = NULL;
   batch->num_tiles = 0;
   if (!f) {
      batch->failed = true;
      return;
   }
   if (!batch->draw->state->shader[SGPU_STAGE_VERTEX] || !front_begin(f, worker, batch))
      return;

   sgd_ia_read(f);
   if (!sgd_vertex_run(f)) {
      /* worker->stop says why. */
      batch->tiles = NULL;
      return;
   }
   /* Geometry programs capture what they make on their own. */
   if (f->state->stream.num_words && !f->geometry) {
      f->capture = true;
      sgd_ia_assemble(f);
      f->capture = false;
   }
   f->stipple = 0;
   f->stipple_carried = true;
   if (f->geometry || !batch->draw->state->rast.discard)
      sgd_ia_assemble(f);
   if (f->geometry_stopped) {
      batch->tiles = NULL;
      batch->num_tiles = 0;
   }
   batch->stipple_count = f->stipple % sgd_stipple_period(&f->state->rast);
   batch->stipple_reset = !f->stipple_carried;

   batch->stats.c_invocations += f->primitives;
   worker->counters[SGPU_COUNTER_PRIMITIVES] += f->primitives;
   worker->counters[SGPU_COUNTER_PRIMITIVES_CULLED] += f->culled;
   worker->counters[SGPU_COUNTER_PRIMITIVES_CLIPPED] += f->clipped;
   worker->counters[SGPU_COUNTER_SLICES] += f->slices;
}
