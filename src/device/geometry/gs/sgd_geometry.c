/* SPDX-License-Identifier: MIT */
/*
 * Geometry stage. Each lane of a warp is an invocation of the program, in the order of primitives
 * and of the invocations per primitive. Each lane has a list of the vertices that it emits. When
 * the warp has ended, the lists are assembled into points, lines and triangles lane by lane, so
 * that the emitted primitives are in the order of the input primitives, regardless of how the lanes
 * ran. Which primitives share a warp only depends on the batch.
 */
#include "geometry/gs/sgd_geometry.h"

#include <stdlib.h>
#include <string.h>

#include "geometry/clip/sgd_clip.h"
#include "geometry/cut/sgd_ia_cut.h"
#include "geometry/front/sgd_front.h"
#include "geometry/front/sgd_xfb_record.h"
#include "geometry/outputs/sgd_outputs.h"
#include "common/sgd_shader.h"
#include "common/sgd_worker.h"
#include "util/bitscan.h"

/* Maximum size in bytes of the vertices that a warp may emit. A warp gets fewer than 32 lanes if
 * the vertices of 32 lanes would exceed this size. A single lane is always allowed.
 */
#define STORE_BYTES (2 << 20)

/* Set in an element of geometry.tag[] if the strip ends after this vertex. */
#define TAG_CUT 0x80

struct geometry {
   struct sgd_stage_io io;
   struct sgd_front *front;
   const struct sgd_shader *program;
   enum sgpu_primitive output;
   unsigned max_vertices; /* maximum number of vertices that a lane can emit */
   unsigned invocations;
   unsigned lanes; /* number of lanes per warp */

   /* The warp that is being filled, with lanes [0, count). */
   unsigned count;
   uint32_t primitive_id[SGD_WARP], invocation[SGD_WARP];

   /* Emitted vertices. Vertex n of lane l has index l * max_vertices + n. */
   uint8_t *store; /* array of struct sgd_vertex, with f->stride bytes per vertex */
   size_t store_size;
   uint8_t *tag; /* vertex stream of each vertex, possibly ORed with TAG_CUT */
   size_t tag_size;
   uint32_t *id; /* primitive ID of each vertex */
   size_t id_size;
   uint16_t num[SGD_WARP]; /* number of vertices that each lane has emitted to all streams so far */
   /* index of the latest vertex of each lane in each stream, plus 1; 0 if there is none */
   uint16_t latest[SGPU_MAX_VERTEX_STREAMS][SGD_WARP];
};

static struct sgd_vertex *
vertex_at(const struct sgd_front *f, const struct geometry *g, unsigned lane, unsigned n)
{
   return (struct sgd_vertex *)(g->store + ((size_t)lane * g->max_vertices + n) * f->stride);
}

static void
emit(struct sgd_worker *worker, unsigned stream, uint32_t lanes)
{
   struct geometry *g = container_of(worker->stage_io, struct geometry, io);
   struct sgd_vertex *v[SGD_WARP];
   uint8_t lane[SGD_WARP];
   unsigned count = 0;
   /* A program that doesn't write o[PRID] passes through the ID of its input primitive. */
   const uint32_t *id = g->program->outputs_written >> SGPU_VO_PRID & 1
                           ? worker->core->warp.out[SGPU_VO_PRID].c[0]
                           : NULL;

   while (lanes) {
      const unsigned l = u_bit_scan(&lanes);
      const unsigned n = g->num[l];

      if (n == g->max_vertices)
         continue;
      v[count] = vertex_at(g->front, g, l, n);
      lane[count++] = l;
      g->tag[l * g->max_vertices + n] = stream;
      g->id[l * g->max_vertices + n] = id ? id[l] : g->primitive_id[l];
      g->num[l]++;
      g->latest[stream][l] = n + 1;
   }
   if (count)
      sgd_outputs_store_lanes(g->front, g->program, v, lane, count);
}

static void
cut(struct sgd_worker *worker, unsigned stream, uint32_t lanes)
{
   struct geometry *g = container_of(worker->stage_io, struct geometry, io);

   while (lanes) {
      const unsigned l = u_bit_scan(&lanes);
      const unsigned latest = g->latest[stream][l];

      if (latest)
         g->tag[l * g->max_vertices + latest - 1] |= TAG_CUT;
   }
}

static bool
begin_geometry(struct sgd_front *f, struct sgd_front_stage *s)
{
   if (!s->unit)
      s->unit = calloc(1, sizeof(struct geometry));
   struct geometry *g = s->unit;
   if (!g)
      return false;

   g->front = f;
   g->program = s->program;
   g->output = s->desc->output_primitive;
   g->max_vertices = s->desc->max_vertices;
   g->invocations = s->desc->invocations;
   g->count = 0;

   const size_t lane = MAX2(g->max_vertices, 1) * (size_t)f->stride;
   g->lanes = CLAMP(STORE_BYTES / lane, 1, SGD_WARP);
   const size_t vertices = (size_t)g->lanes * MAX2(g->max_vertices, 1);
   if (!sgd_front_reserve(&g->store, &g->store_size, g->lanes * lane) ||
       !sgd_front_reserve(&g->tag, &g->tag_size, vertices) ||
       !sgd_front_reserve((uint8_t **)&g->id, &g->id_size, vertices * sizeof(*g->id)))
      return false;

   g->io.vertices = s->in->data;
   g->io.stride = s->in->stride;
   g->io.num_inputs = s->num_inputs;
   g->io.num_vertices = sgd_ia_vertices(s->desc->input_primitive);
   g->io.emit = emit;
   g->io.cut = cut;
   return true;
}

static void
set_sysvals(const struct geometry *g)
{
   struct sgd_vec *sys = g->front->worker->core->warp.sys;
   uint32_t read = g->program->sysvals_read;

   while (read) {
      const unsigned s = u_bit_scan(&read);

      memset(&sys[s], 0, sizeof(sys[s]));
      for (unsigned l = 0; l < g->count; l++) {
         sys[s].c[0][l] = s == SGPU_SYS_PRIMITIVE_ID    ? g->primitive_id[l]
                          : s == SGPU_SYS_INVOCATION_ID ? g->invocation[l]
                          : s == SGPU_SYS_LANE          ? l
                          : s == SGPU_SYS_VIEW          ? g->front->state->view.view
                                                        : 0;
      }
   }
}

/* If vertex `next` completes a primitive, passes the primitive to the clipper. `next` is vertex n
 * of its strip, v[0] is the vertex before it, and v[1] the vertex before v[0]. id[] and next_id are
 * the primitive IDs of these vertices.
 */
static void
draw(struct sgd_front *f, const struct geometry *g, const struct sgd_vertex *const v[2],
     const struct sgd_vertex *next, const uint32_t id[2], uint32_t next_id, unsigned n)
{
   const bool first = f->state->rast.flatshade_first;

   switch (g->output) {
   case SGPU_PRIMITIVE_POINTS:
      f->primitive_id = next_id;
      sgd_clip_point(f, next);
      break;
   case SGPU_PRIMITIVE_LINE_STRIP:
      if (n == 0)
         sgd_front_reset_stipple(f);
      if (n < 1)
         return;
      f->primitive_id = first ? id[0] : next_id;
      sgd_clip_line(f, v[0], next, first ? v[0] : next);
      break;
   default:
      if (n < 2)
         return;
      f->primitive_id = first ? id[1] : next_id;
      sgd_clip_triangle(f, v[~n & 1], v[n & 1], next, first ? v[1] : next, SGD_EDGES_ALL);
      break;
   }
}

/* If vertex `next` completes a primitive of any vertex stream, passes the primitive to transform
 * feedback. The parameters are the same as in draw().
 */
static void
record(struct sgd_front *f, const struct geometry *g, unsigned stream,
       const struct sgd_vertex *const v[2], const struct sgd_vertex *next, unsigned n)
{
   switch (g->output) {
   case SGPU_PRIMITIVE_POINTS:
      sgd_xfb_point(f, stream, next);
      break;
   case SGPU_PRIMITIVE_LINE_STRIP:
      sgd_xfb_line(f, stream, v[0], next);
      break;
   default:
      sgd_xfb_triangle(f, stream, v[~n & 1], v[n & 1], next,
                       f->state->rast.flatshade_first ? n & 1 : 2);
      break;
   }
}

/* Assembles the vertices that a lane has emitted into primitives. Only primitives of vertex stream
 * 0 are passed to the clipper.
 */
static void
assemble_lane(struct sgd_front *f, const struct geometry *g, unsigned lane)
{
   const uint8_t *tag = g->tag + (size_t)lane * g->max_vertices;
   const uint32_t *id = g->id + (size_t)lane * g->max_vertices;
   const unsigned before = g->output == SGPU_PRIMITIVE_POINTS       ? 0
                           : g->output == SGPU_PRIMITIVE_LINE_STRIP ? 1
                                                                    : 2;
   const struct sgd_vertex *v[SGPU_MAX_VERTEX_STREAMS][2] = { { NULL } };
   uint32_t v_id[2] = { 0, 0 };
   unsigned length[SGPU_MAX_VERTEX_STREAMS] = { 0 };
   struct sgd_stats *stats = &f->batch->stats;

   for (unsigned n = 0; n < g->num[lane]; n++) {
      const unsigned stream = tag[n] & ~TAG_CUT;
      const struct sgd_vertex *next = vertex_at(f, g, lane, n);

      if (length[stream] >= before) {
         stats->gs_primitives++;
         stats->generated[stream]++;
         if (f->state->xfb.num_words)
            record(f, g, stream, v[stream], next, length[stream]);
      }
      if (stream == 0 && !f->state->rast.discard)
         draw(f, g, v[0], next, v_id, id[n], length[0]);
      v[stream][1] = v[stream][0];
      v[stream][0] = next;
      if (stream == 0) {
         v_id[1] = v_id[0];
         v_id[0] = id[n];
      }
      length[stream] = tag[n] & TAG_CUT ? 0 : length[stream] + 1;
   }
}

static void
flush_primitives(struct sgd_front *f, struct sgd_front_stage *s)
{
   struct geometry *g = s->unit;
   const uint32_t input_id = f->primitive_id;
   uint32_t live = ~0u;

   if (!g->count || f->stopped || f->batch->failed)
      return;

   memset(g->num, 0, sizeof(g->num));
   memset(g->latest, 0, sizeof(g->latest));
   sgd_shader_begin(f->worker, g->program, s->env);
   set_sysvals(g);
   f->worker->stage_io = &g->io;
   const bool ok = sgd_shader_run(f->worker, g->program, s->env,
                                  g->count == SGD_WARP ? ~0u : (1u << g->count) - 1, &live);
   f->worker->stage_io = NULL;
   f->worker->counters[SGPU_COUNTER_GEOMETRY_WARPS]++;
   if (!ok) {
      f->stopped = true;
      return;
   }

   f->batch->stats.gs_invocations += g->count;
   for (unsigned l = 0; l < g->count && !f->batch->failed; l++)
      assemble_lane(f, g, l);
   f->primitive_id = input_id;
   g->count = 0;
}

static void
primitive(struct sgd_front *f, struct sgd_front_stage *s, const uint16_t *vertex, uint32_t id)
{
   struct geometry *g = s->unit;

   for (unsigned i = 0; i < g->invocations; i++) {
      if (g->count == g->lanes)
         flush_primitives(f, s);
      if (f->stopped || f->batch->failed)
         return;
      for (unsigned n = 0; n < g->io.num_vertices; n++)
         g->io.vertex[n][g->count] = vertex[n];
      g->primitive_id[g->count] = id;
      g->invocation[g->count] = i;
      g->count++;
   }
}

static void
free_unit(void *unit)
{
   struct geometry *g = unit;

   free(g->store);
   free(g->tag);
   free(g->id);
   free(g);
}

const struct sgd_front_stage_ops sgd_geometry_stage = {
   .stage = SGPU_STAGE_GEOMETRY,
   .begin = begin_geometry,
   .primitive = primitive,
   .flush = flush_primitives,
   .free = free_unit,
};
