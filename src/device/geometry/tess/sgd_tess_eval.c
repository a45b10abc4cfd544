/* SPDX-License-Identifier: MIT */
/*
 * Tessellation evaluation stage. It collects all patches of a batch and then processes them in
 * pieces: the tessellator subdivides patches until a piece is full, the program runs for the
 * vertices of the piece, and the primitives of the piece are passed on, patch by patch.
 *
 * The number of primitives is only known after the tessellator has run, and a single patch can
 * generate many. When the batch has reached its maximum number of primitives, the stage leaves its
 * state to another batch, which continues with the next primitive. No program invocation runs
 * twice.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/clip/sgd_clip.h"
#include "geometry/cut/sgd_ia_cut.h"
#include "geometry/front/sgd_front.h"
#include "geometry/front/sgd_xfb_record.h"
#include "geometry/outputs/sgd_outputs.h"
#include "common/sgd_batch.h"
#include "common/sgd_shader.h"
#include "common/sgd_worker.h"
#include "sgpu_fp.h"
#include "geometry/tess/sgd_tess.h"
#include "geometry/tess/sgd_tessellator.h"
#include "util/bitscan.h"

/* Maximum number of points and of indices in a piece. A piece has one or more whole patches, so the
 * largest possible patch must fit.
 */
#define PIECE_POINTS 5120
#define PIECE_INDICES (6 * PIECE_POINTS)
static_assert(PIECE_POINTS >= SGD_TESS_POINTS && PIECE_INDICES >= SGD_TESS_INDICES, "");

struct evaluation {
   struct sgd_stage_io io;
   struct sgd_tessellator *tessellator;
   unsigned primitive_vertices; /* number of vertices per primitive: 1, 2 or 3 */

   /* State of the batch: */
   unsigned budget; /* number of primitives that the batch may still generate */
   unsigned num_patches;
   unsigned next_patch; /* index of the first patch that is not in a piece yet */
   struct sgd_patch patch[SGD_BATCH_PATCHES];
   uint16_t vertex[SGD_BATCH_PATCHES][SGPU_MAX_PATCH_VERTICES];
   uint32_t id[SGD_BATCH_PATCHES];

   /* The current piece, which consists of patches [from, next_patch). num_points is 0 if there is
    * no piece.
    */
   unsigned from;
   unsigned num_points, num_indices;
   unsigned at; /* position of the next primitive in index[] */
   struct sgd_tess_point point[PIECE_POINTS];
   uint8_t patch_of[PIECE_POINTS];  /* index of each point's patch */
   uint16_t index[PIECE_INDICES];   /* point indices of the primitives */
   unsigned end[SGD_BATCH_PATCHES]; /* end of each patch's range in index[] */
   /* array of one struct sgd_vertex per point, if this is the last stage */
   uint8_t *store;
   size_t store_size;
};
static_assert(SGD_BATCH_PATCHES <= 256, "");

struct rest {
   struct sgd_rest base;
   struct evaluation *unit;
   /* in: output records of the previous stage; out: output records of this stage */
   struct sgd_stage_records in, out;
};

static void free_unit(void *unit);

static void
free_rest(struct sgd_rest *base)
{
   struct rest *rest = container_of(base, struct rest, base);

   free_unit(rest->unit);
   free(rest->in.data);
   free(rest->out.data);
   free(rest);
}

static struct sgd_front_stage *
stage_before(struct sgd_front *f, const struct sgd_front_stage *s)
{
   struct sgd_front_stage *before = f->first;

   while (before->next != s)
      before = before->next;
   return before;
}

/* Moves the stage's state, its input vertices and its output vertices to batch->rest. */
static void
leave_rest(struct sgd_front *f, struct sgd_front_stage *s)
{
   struct sgd_front_stage *before = stage_before(f, s);
   struct rest *rest = malloc(sizeof(*rest));

   if (!rest) {
      f->batch->failed = true;
      return;
   }
   *rest = (struct rest){ { free_rest }, s->unit, before->out, s->out };
   s->unit = NULL;
   before->out = (struct sgd_stage_records){ .stride = before->out.stride };
   s->out = (struct sgd_stage_records){ .stride = s->out.stride };
   f->batch->rest = &rest->base;
}

void
sgd_tess_resume(struct sgd_front *f, struct sgd_rest *base)
{
   struct rest *rest = container_of(base, struct rest, base);
   struct sgd_front_stage *s = f->first;

   while (s->ops != &sgd_tess_eval_stage)
      s = s->next;
   struct sgd_front_stage *before = stage_before(f, s);
   if (s->unit)
      free_unit(s->unit);
   free(before->out.data);
   free(s->out.data);
   s->unit = rest->unit;
   before->out = rest->in;
   s->out = rest->out;
   free(rest);
}

/* Returns the maximum number of primitives per batch. */
static unsigned
batch_budget(const struct sgd_state *state)
{
   const struct SGPU_SHADER *gs = &state->shader_desc[SGPU_STAGE_GEOMETRY];
   const unsigned each = state->shader[SGPU_STAGE_GEOMETRY]
                            ? MAX2(gs->max_vertices * gs->invocations, 1)
                            : 1;

   return MAX2(SGD_BATCH_TESSELLATED / each, 1);
}

static bool
begin_evaluation(struct sgd_front *f, struct sgd_front_stage *s)
{
   if (!s->unit)
      s->unit = calloc(1, sizeof(struct evaluation));
   struct evaluation *e = s->unit;
   if (!e)
      return false;
   if (!e->tessellator)
      e->tessellator = sgd_tessellator_create();
   if (!e->tessellator || !sgd_tessellator_begin(e->tessellator, s->desc))
      return false;

   e->budget = batch_budget(f->state);
   if (f->resumed)
      return true;
   const struct SGPU_SHADER *control = &f->state->shader_desc[SGPU_STAGE_TESS_CTRL];
   e->io.stride = s->in->stride;
   e->io.num_inputs = s->num_inputs;
   e->io.num_vertices = f->state->shader[SGPU_STAGE_TESS_CTRL] ? control->output_vertices
                                                               : f->draw->packet.patch_vertices;
   e->io.patches = e->patch;
   e->primitive_vertices = s->desc->tess_points                                ? 1
                           : s->desc->tess_domain == SGPU_TESS_DOMAIN_ISOLINES ? 2
                                                                               : 3;
   e->num_patches = e->next_patch = e->from = 0;
   e->num_points = e->num_indices = e->at = 0;
   if (s->next)
      return sgd_front_reserve(&s->out.data, &s->out.size, (size_t)PIECE_POINTS * s->out.stride);
   return sgd_front_reserve(&e->store, &e->store_size, (size_t)PIECE_POINTS * f->stride);
}

static void
primitive(struct sgd_front *f, struct sgd_front_stage *s, const uint16_t *vertex, uint32_t id)
{
   struct evaluation *e = s->unit;
   const unsigned p = e->num_patches++;

   assert(p < SGD_BATCH_PATCHES);
   memcpy(e->vertex[p], vertex, e->io.num_vertices * sizeof(*vertex));
   e->id[p] = id;
   if (f->patch) {
      e->patch[p] = *f->patch;
   } else {
      memset(&e->patch[p], 0, sizeof(e->patch[p]));
      memcpy(e->patch[p].output[SGPU_PATCH_TESS_OUTER], f->state->tess_levels.outer,
             4 * sizeof(float));
      memcpy(e->patch[p].output[SGPU_PATCH_TESS_INNER], f->state->tess_levels.inner,
             2 * sizeof(float));
   }
}

static void
set_sysvals(struct sgd_front *f, const struct sgd_front_stage *s, const struct evaluation *e,
            unsigned first, unsigned count)
{
   struct sgd_vec *sys = f->worker->core->warp.sys;
   const bool triangles = s->desc->tess_domain == SGPU_TESS_DOMAIN_TRIANGLES;
   uint32_t read = s->program->sysvals_read;

   while (read) {
      const unsigned n = u_bit_scan(&read);

      memset(&sys[n], 0, sizeof(sys[n]));
      for (unsigned l = 0; l < count; l++) {
         const struct sgd_tess_point *p = &e->point[first + l];

         switch (n) {
         case SGPU_SYS_TESS_COORD:
            sys[n].c[0][l] = sgpu_f2bits(p->u);
            sys[n].c[1][l] = sgpu_f2bits(p->v);
            /* The result is exact, since all terms are multiples of 1/65536. */
            sys[n].c[2][l] = triangles ? sgpu_f2bits(1.0f - p->u - p->v) : 0;
            break;
         case SGPU_SYS_PRIMITIVE_ID:
            sys[n].c[0][l] = e->id[e->patch_of[first + l]];
            break;
         case SGPU_SYS_PATCH_VERTICES:
            sys[n].c[0][l] = e->io.num_vertices;
            break;
         case SGPU_SYS_LANE:
            sys[n].c[0][l] = l;
            break;
         case SGPU_SYS_VIEW:
            sys[n].c[0][l] = f->state->view.view;
            break;
         default:
            break;
         }
      }
   }
}

/* Runs the program for all points of the piece. Returns false if the program was stopped. */
static bool
run_piece(struct sgd_front *f, struct sgd_front_stage *s)
{
   struct evaluation *e = s->unit;

   sgd_shader_begin(f->worker, s->program, s->env);
   for (unsigned first = 0; first < e->num_points; first += SGD_WARP) {
      const unsigned count = MIN2(e->num_points - first, SGD_WARP);
      const uint32_t active = count == SGD_WARP ? ~0u : (1u << count) - 1;
      uint32_t live = active;

      for (unsigned l = 0; l < count; l++) {
         const unsigned p = e->patch_of[first + l];
         e->io.patch[l] = p;
         for (unsigned n = 0; n < e->io.num_vertices; n++)
            e->io.vertex[n][l] = e->vertex[p][n];
      }
      set_sysvals(f, s, e, first, count);
      f->worker->stage_io = &e->io;
      const bool ok = sgd_shader_run(f->worker, s->program, s->env, active, &live);
      f->worker->stage_io = NULL;
      if (!ok) {
         f->stopped = true;
         return false;
      }
      if (s->next)
         sgd_outputs_record(f, s, first, count);
      else
         sgd_outputs_store(f, s->program, e->store + (size_t)first * f->stride, count);
   }
   f->batch->stats.ds_invocations += e->num_points;
   return true;
}

/* Passes a primitive to transform feedback and to the clipper. `index` has the indices of its
 * points.
 */
static void
draw(struct sgd_front *f, const struct evaluation *e, const uint16_t *index)
{
   const bool first = f->state->rast.flatshade_first;
   const bool xfb = f->state->xfb.num_words, clip = !f->state->rast.discard;
   const struct sgd_vertex *v[3] = { NULL };

   for (unsigned n = 0; n < e->primitive_vertices; n++)
      v[n] = (const struct sgd_vertex *)(e->store + (size_t)index[n] * f->stride);
   f->batch->stats.generated[0]++;
   switch (e->primitive_vertices) {
   case 1:
      if (xfb)
         sgd_xfb_point(f, 0, v[0]);
      if (clip)
         sgd_clip_point(f, v[0]);
      break;
   case 2:
      if (xfb)
         sgd_xfb_line(f, 0, v[0], v[1]);
      sgd_front_reset_stipple(f);
      if (clip)
         sgd_clip_line(f, v[0], v[1], v[first ? 0 : 1]);
      break;
   default:
      if (xfb)
         sgd_xfb_triangle(f, 0, v[0], v[1], v[2], first ? 0 : 2);
      if (clip)
         sgd_clip_triangle(f, v[0], v[1], v[2], v[first ? 0 : 2], SGD_EDGES_ALL);
      break;
   }
}

/* Subdivides patches, starting at patch next_patch, until the piece is full. */
static void
make_piece(struct evaluation *e)
{
   e->from = e->next_patch;
   e->at = e->num_points = e->num_indices = 0;
   for (; e->next_patch < e->num_patches; e->next_patch++) {
      const unsigned p = e->next_patch;
      struct sgd_tess_mesh mesh;
      float level[2][4];

      for (unsigned i = 0; i < 4; i++) {
         level[0][i] = sgpu_fp_in(sgpu_bits2f(e->patch[p].output[SGPU_PATCH_TESS_OUTER][i]));
         level[1][i] = sgpu_fp_in(sgpu_bits2f(e->patch[p].output[SGPU_PATCH_TESS_INNER][i]));
      }
      sgd_tessellate(e->tessellator, level[0], level[1], &mesh);
      assert(mesh.num_points <= SGD_TESS_POINTS && mesh.num_indices <= SGD_TESS_INDICES);
      if (e->num_points + mesh.num_points > PIECE_POINTS ||
          e->num_indices + mesh.num_indices > PIECE_INDICES)
         return;
      memset(&e->patch_of[e->num_points], p, mesh.num_points);
      memcpy(&e->point[e->num_points], mesh.point, mesh.num_points * sizeof(*mesh.point));
      for (unsigned i = 0; i < mesh.num_indices; i++)
         e->index[e->num_indices + i] = e->num_points + mesh.index[i];
      e->num_points += mesh.num_points;
      e->num_indices += mesh.num_indices;
      e->end[p] = e->num_indices;
   }
}

/* Passes the primitives of the piece to the next stage or to the clipper, until the batch has
 * reached its maximum number of primitives.
 */
static void
give(struct sgd_front *f, struct sgd_front_stage *s)
{
   struct evaluation *e = s->unit;

   for (unsigned p = e->from; p < e->next_patch; p++) {
      f->primitive_id = e->id[p];
      for (; e->at < e->end[p] && e->budget; e->at += e->primitive_vertices) {
         if (s->next)
            s->next->ops->primitive(f, s->next, &e->index[e->at], e->id[p]);
         else
            draw(f, e, &e->index[e->at]);
         e->budget--;
         if (f->stopped || f->batch->failed)
            return;
      }
   }
   /* The next piece overwrites the vertices, so the next stage must process its primitives now. */
   if (s->next)
      s->next->ops->flush(f, s->next);
}

static void
flush_patches(struct sgd_front *f, struct sgd_front_stage *s)
{
   struct evaluation *e = s->unit;

   e->io.vertices = s->in->data;
   while (e->at < e->num_indices || e->next_patch < e->num_patches) {
      if (!e->budget) {
         leave_rest(f, s);
         return;
      }
      if (e->at >= e->num_indices) {
         make_piece(e);
         if (!run_piece(f, s))
            return;
      }
      give(f, s);
      if (f->stopped || f->batch->failed)
         return;
   }
}

static void
free_unit(void *unit)
{
   struct evaluation *e = unit;

   if (e->tessellator)
      sgd_tessellator_destroy(e->tessellator);
   free(e->store);
   free(e);
}

const struct sgd_front_stage_ops sgd_tess_eval_stage = {
   .stage = SGPU_STAGE_TESS_EVAL,
   .begin = begin_evaluation,
   .primitive = primitive,
   .flush = flush_patches,
   .free = free_unit,
};
