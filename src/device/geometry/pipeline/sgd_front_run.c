/* SPDX-License-Identifier: MIT */
/*
 * Front end: runs a batch through the stages of its draw, from the input assembler to the
 * tile lists.
 */
#include <assert.h>
#include <stdlib.h>

#include "geometry/clip/sgd_clip.h"
#include "geometry/front/sgd_front.h"
#include "geometry/front/sgd_front_stage.h"
#include "geometry/gs/sgd_geometry.h"
#include "geometry/ia/sgd_ia.h"
#include "geometry/outputs/sgd_outputs.h"
#include "geometry/setup/sgd_bin.h"
#include "geometry/setup/sgd_setup.h"
#include "geometry/setup/sgd_setup_varyings.h"
#include "common/sgd_batch.h"
#include "common/sgd_shader.h"
#include "common/sgd_varyings.h"
#include "common/sgd_worker.h"
#include "geometry/tess/sgd_tess.h"
#include "geometry/vertex/sgd_vertex.h"

/* Stages in pipeline order. The first stage is always bound. */
static const struct sgd_front_stage_ops *const pipeline[] = {
   &sgd_vertex_stage,
   &sgd_tess_ctrl_stage,
   &sgd_tess_eval_stage,
   &sgd_geometry_stage,
};
static_assert(ARRAY_SIZE(pipeline) <= SGD_FRONT_STAGES, "");

static void
front_free(void *data)
{
   struct sgd_front *f = data;

   for (unsigned i = 0; i < ARRAY_SIZE(pipeline); i++) {
      if (f->stages[i].unit)
         pipeline[i]->free(f->stages[i].unit);
      free(f->stages[i].out.data);
   }
   free(f->vertices);
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

/* Links all stages that have a program in this draw. */
static void
bind_stages(struct sgd_front *f)
{
   const struct sgd_state *state = f->state;
   struct sgd_front_stage *before = NULL;

   for (unsigned i = 0; i < ARRAY_SIZE(pipeline); i++) {
      const enum sgpu_stage stage = pipeline[i]->stage;
      struct sgd_front_stage *s = &f->stages[i];

      if (!state->shader[stage])
         continue;
      s->ops = pipeline[i];
      s->program = state->shader[stage];
      s->desc = &state->shader_desc[stage];
      s->env = &state->env[stage];
      s->num_inputs = 0;
      s->in = NULL;
      s->next = NULL;
      s->out.stride = 0;
      if (before) {
         s->num_inputs = state->link[stage].num_inputs;
         s->input = state->link[stage].input;
         s->in = &before->out;
         before->next = s;
         before->out.stride = 16 * MAX2(s->num_inputs, 1);
      }
      before = s;
   }
   f->first = &f->stages[0];
   f->second = f->first->next;
   f->stopped = false;
   f->patch = NULL;
}

static bool
begin_stages(struct sgd_front *f)
{
   for (struct sgd_front_stage *s = f->first; s; s = s->next) {
      if (!s->ops->begin(f, s))
         return false;
   }
   return true;
}

/* Prepares everything that only depends on the draw. Returns false on allocation failure. */
static bool
front_begin(struct sgd_front *f, struct sgd_worker *worker, struct sgd_batch *batch,
            struct sgd_rest *rest)
{
   const struct sgd_state *state = batch->draw->state;
   const enum sgpu_primitive primitive = batch->draw->packet.primitive;

   f->worker = worker;
   f->batch = batch;
   f->draw = batch->draw;
   f->state = state;
   f->culled = f->clipped = f->slices = f->primitives = 0;
   bind_stages(f);
   f->resumed = rest != NULL;
   if (rest)
      sgd_tess_resume(f, rest);

   f->mode = &state->plan.setup;
   f->edge_flags = f->mode->fill_unfilled && !f->second &&
                   (primitive == SGPU_PRIMITIVE_TRIANGLES || primitive == SGPU_PRIMITIVE_QUADS ||
                    primitive == SGPU_PRIMITIVE_POLYGON ||
                    primitive == SGPU_PRIMITIVE_TRIANGLES_ADJACENCY);
   f->cull_bits = f->mode->cull_distances << SGD_CLIP_CULL;

   struct sgd_varyings *varyings = sgd_front_alloc(f, sizeof(*varyings));
   if (!varyings)
      return false;
   sgd_varyings_init(varyings, state);
   f->varyings = batch->varyings = varyings;

   sgd_outputs_begin(f);
   if (!begin_stages(f) || !sgd_clip_begin(f) || !sgd_bin_begin(f)) {
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
   struct sgd_rest *rest = batch->rest;

   batch->tiles = NULL;
   batch->num_tiles = 0;
   batch->rest = NULL;
   if (!f) {
      if (rest)
         rest->free(rest);
      batch->failed = true;
      return;
   }
   if (!batch->draw->state->shader[SGPU_STAGE_VERTEX] || !front_begin(f, worker, batch, rest))
      return;

   if (!rest) {
      sgd_ia_read(f);
      f->first->ops->flush(f, f->first);
   }
   if (f->stopped) {
      batch->tiles = NULL;
      return;
   }
   /* Record the primitives of the input assembler only if there is no later stage. Otherwise, the
    * last stage records the primitives that it produces.
    */
   if (f->state->xfb.num_words && !f->second) {
      f->xfb_pass = true;
      sgd_ia_assemble(f);
      f->xfb_pass = false;
   }
   f->stipple = 0;
   f->stipple_carried = true;
   if (!rest && (f->second || !batch->draw->state->rast.discard))
      sgd_ia_assemble(f);
   for (struct sgd_front_stage *s = f->second; s; s = s->next)
      s->ops->flush(f, s);
   if (f->stopped) {
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
