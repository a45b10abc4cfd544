/* SPDX-License-Identifier: MIT */
/*
 * Tessellation control stage: runs the control program for the patches of a batch.
 */
#include <stdlib.h>
#include <string.h>

#include "geometry/cut/sgd_ia_cut.h"
#include "geometry/front/sgd_front.h"
#include "observe/records/sgd_observe_work.h"
#include "geometry/outputs/sgd_outputs.h"
#include "common/sgd_observe.h"
#include "common/sgd_shader.h"
#include "common/sgd_worker.h"
#include "geometry/tess/sgd_tess.h"
#include "util/bitscan.h"

struct control {
   struct sgd_stage_io io;
   unsigned vertices; /* number of output vertices per patch */
   unsigned patches;  /* number of patches per warp */
   unsigned made;     /* number of vertices that earlier warps stored in s->out */

   /* The warp that is being filled, with patches [0, count). */
   unsigned count;
   uint32_t id[SGD_WARP];
   struct sgd_patch patch[SGD_WARP];
};

static bool
begin_control(struct sgd_front *f, struct sgd_front_stage *s)
{
   if (!s->unit)
      s->unit = calloc(1, sizeof(struct control));
   struct control *c = s->unit;
   if (!c)
      return false;

   c->vertices = s->desc->output_vertices;
   c->patches = SGD_WARP / c->vertices;
   c->made = c->count = 0;
   c->io.vertices = s->in->data;
   c->io.stride = s->in->stride;
   c->io.num_inputs = s->num_inputs;
   c->io.num_vertices = f->draw->packet.patch_vertices;
   c->io.patches = c->patch;
   c->io.output_vertices = c->vertices;
   for (unsigned l = 0; l < SGD_WARP; l++) {
      const unsigned p = l / c->vertices;
      c->io.patch[l] = p;
      c->io.first_lane[l] = p < c->patches ? p * c->vertices : 0;
   }
   return sgd_front_reserve(&s->out.data, &s->out.size,
                            (size_t)SGD_BATCH_PATCHES * c->vertices * s->out.stride);
}

static void
set_sysvals(struct sgd_front *f, const struct control *c, const struct sgd_shader *program)
{
   struct sgd_vec *sys = f->worker->core->warp.sys;
   uint32_t read = program->sysvals_read;

   while (read) {
      const unsigned s = u_bit_scan(&read);

      memset(&sys[s], 0, sizeof(sys[s]));
      for (unsigned l = 0; l < c->count * c->vertices; l++) {
         sys[s].c[0][l] = s == SGPU_SYS_PRIMITIVE_ID     ? c->id[c->io.patch[l]]
                          : s == SGPU_SYS_INVOCATION_ID  ? l % c->vertices
                          : s == SGPU_SYS_PATCH_VERTICES ? c->io.num_vertices
                          : s == SGPU_SYS_LANE           ? l
                          : s == SGPU_SYS_VIEW           ? f->state->view.view
                                                         : 0;
      }
   }
}

static void
flush_patches(struct sgd_front *f, struct sgd_front_stage *s)
{
   struct control *c = s->unit;
   const unsigned lanes = c->count * c->vertices;
   uint32_t live = ~0u;

   if (!c->count || f->stopped || f->batch->failed)
      return;

   sgd_shader_begin(f->worker, s->program, s->env);
   set_sysvals(f, c, s->program);
   f->worker->stage_io = &c->io;
   if (SGD_OBSERVED_LEVEL)
      sgd_observe_group(f->worker, c->count, 0);
   const bool ok = sgd_shader_run(f->worker, s->program, s->env,
                                  lanes == SGD_WARP ? ~0u : (1u << lanes) - 1, &live);
   f->worker->stage_io = NULL;
   if (SGD_OBSERVED_LEVEL)
      sgd_observe_group(f->worker, 0, 0);
   if (!ok) {
      f->stopped = true;
      return;
   }
   sgd_outputs_record(f, s, c->made, lanes);
   f->batch->stats.hs_invocations += c->count;
   for (unsigned p = 0; p < c->count; p++) {
      uint16_t vertex[SGPU_MAX_PATCH_VERTICES];

      for (unsigned n = 0; n < c->vertices; n++)
         vertex[n] = c->made + p * c->vertices + n;
      f->patch = &c->patch[p];
      s->next->ops->primitive(f, s->next, vertex, c->id[p]);
   }
   f->patch = NULL;
   c->made += lanes;
   c->count = 0;
}

static void
primitive(struct sgd_front *f, struct sgd_front_stage *s, const uint16_t *vertex, uint32_t id)
{
   struct control *c = s->unit;
   const unsigned first = c->count * c->vertices;
   struct sgd_patch *patch = &c->patch[c->count];

   for (unsigned n = 0; n < c->io.num_vertices; n++) {
      for (unsigned i = 0; i < c->vertices; i++)
         c->io.vertex[n][first + i] = vertex[n];
   }
   memset(patch, 0, sizeof(*patch));
   memcpy(patch->output[SGPU_PATCH_TESS_OUTER], f->state->tess_levels.outer, 4 * sizeof(float));
   memcpy(patch->output[SGPU_PATCH_TESS_INNER], f->state->tess_levels.inner, 2 * sizeof(float));
   c->id[c->count++] = id;
   if (c->count == c->patches)
      flush_patches(f, s);
}

static void
free_unit(void *unit)
{
   free(unit);
}

const struct sgd_front_stage_ops sgd_tess_ctrl_stage = {
   .stage = SGPU_STAGE_TESS_CTRL,
   .begin = begin_control,
   .primitive = primitive,
   .flush = flush_patches,
   .free = free_unit,
};
