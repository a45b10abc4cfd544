/* SPDX-License-Identifier: MIT */
/*
 * Vertex stage: runs the vertex program for the vertices of a batch.
 */
#include "geometry/vertex/sgd_vertex.h"

#include <string.h>

#include "geometry/front/sgd_front.h"
#include "geometry/outputs/sgd_outputs.h"
#include "common/sgd_observe.h"
#include "common/sgd_shader.h"
#include "common/sgd_worker.h"
#include "util/bitscan.h"
#include "geometry/vertex/sgd_vertex_fetch.h"
#include "geometry/vertex/sgd_vertex_observe.h"

static bool
begin_vertex(struct sgd_front *f, struct sgd_front_stage *s)
{
   if (s->next)
      return sgd_front_reserve(&s->out.data, &s->out.size, (size_t)SGD_MAX_SLOTS * s->out.stride);
   return sgd_front_reserve(&f->vertices, &f->vertices_size, (size_t)SGD_MAX_SLOTS * f->stride);
}

static void
set_sysvals(struct sgd_front *f, const struct sgd_shader *vs, const uint32_t *index)
{
   const struct SGPU_DRAW *draw = &f->draw->packet;
   struct sgd_vec *sys = f->worker->core->warp.sys;
   uint32_t read = vs->sysvals_read;

   while (read) {
      const unsigned s = u_bit_scan(&read);
      uint32_t v[4] = { 0, 0, 0, 0 };

      switch (s) {
      case SGPU_SYS_INSTANCE_ID:
         v[0] = f->batch->instance;
         break;
      case SGPU_SYS_BASE_VERTEX:
         v[0] = draw->index_size != SGPU_INDEX_SIZE_NONE ? (uint32_t)draw->index_bias : 0;
         v[1] = draw->index_size != SGPU_INDEX_SIZE_NONE ? v[0] : draw->first;
         v[2] = draw->first_instance;
         v[3] = draw->draw_id;
         break;
      case SGPU_SYS_VIEW:
         v[0] = f->state->view.view;
         break;
      default:
         break;
      }
      for (unsigned c = 0; c < 4; c++) {
         for (unsigned i = 0; i < SGD_WARP; i++)
            sys[s].c[c][i] = v[c];
      }
      if (s == SGPU_SYS_VERTEX_ID)
         memcpy(sys[s].c[0], index, SGD_WARP * sizeof(*index));
      if (s == SGPU_SYS_LANE) {
         for (unsigned i = 0; i < SGD_WARP; i++)
            sys[s].c[0][i] = i;
      }
   }
}

static void
flush_vertices(struct sgd_front *f, struct sgd_front_stage *s)
{
   sgd_shader_begin(f->worker, s->program, s->env);
   for (unsigned first = 0; first < f->num_vertices; first += SGD_WARP) {
      const unsigned count = MIN2(f->num_vertices - first, SGD_WARP);
      const uint32_t active = count == SGD_WARP ? ~0u : (1u << count) - 1;
      uint32_t live = active;
      uint32_t index[SGD_WARP] = { 0 };

      memcpy(index, f->index + first, count * sizeof(*index));
      if (SGD_OBSERVED_LEVEL)
         sgd_vertex_observe_indices(f, first + SGD_WARP < f->num_vertices ? first + SGD_WARP
                                                                          : SGD_MAX_SLOTS);
      sgd_vertex_fetch(f, index, count);
      set_sysvals(f, s->program, index);
      if (!sgd_shader_run(f->worker, s->program, s->env, active, &live)) {
         f->stopped = true;
         return;
      }
      if (s->next)
         sgd_outputs_record(f, s, first, count);
      else
         sgd_outputs_store(f, s->program, f->vertices + (size_t)first * f->stride, count);
      f->worker->counters[SGPU_COUNTER_VERTEX_WARPS]++;
   }
   f->worker->counters[SGPU_COUNTER_VERTICES] += f->num_vertices;
   f->batch->stats.vs_invocations += f->num_vertices;
}

const struct sgd_front_stage_ops sgd_vertex_stage = {
   .stage = SGPU_STAGE_VERTEX,
   .begin = begin_vertex,
   .flush = flush_vertices,
};
