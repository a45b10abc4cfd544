/* SPDX-License-Identifier: MIT */
/*
 * Geometry unit.
 *
 * A warp's lanes are runs of the program in the order of primitives, and of
 * invocations within one.  Each lane has a list for the vertices that it emits;
 * when the warp has ended, the lists are put together to points, lines and
 * triangles lane by lane: primitive order, whatever the lanes did when.  Which
 * primitives share a warp follows from the batch alone.
 */
#include "geometry/sgd_geometry.h"

#include <stdlib.h>

#include "front/sgd_front.h"

static struct sgd_vertex *
vertex_at(const struct sgd_front *f, unsigned lane, unsigned n)
{
   const struct sgd_geometry *g = f->geometry;

   return (struct sgd_vertex *)(g->store + ((size_t)lane * g->max_vertices + n) * f->stride);
}

static void
emit(struct sgd_worker *worker, unsigned stream, uint32_t lanes)
{
   struct sgd_front *f = worker->front;
   struct sgd_geometry *g = f->geometry;
   struct sgd_vertex *v[SGD_WARP];
   uint8_t lane[SGD_WARP];
   unsigned count = 0;
   /* Unless the program says another, the number of the primitive that it runs for. */
   const uint32_t *id = g->program->outputs_written >> SGPU_VO_PRID & 1
                           ? worker->core->warp.out[SGPU_VO_PRID].c[0] : NULL;

   while (lanes) {
      const unsigned l = u_bit_scan(&lanes);
      const unsigned n = g->num[l];

      if (n == g->max_vertices)
         continue;
      v[count] = vertex_at(f, l, n);
      lane[count++] = l;
      g->tag[l * g->max_vertices + n] = stream;
      g->id[l * g->max_vertices + n] = id ? id[l] : g->primitive_id[l];
      g->num[l]++;
      g->latest[stream][l] = n + 1;
   }
   if (count)
      sgd_vertex_emit(f, v, lane, count);
}

static void
cut(struct sgd_worker *worker, unsigned stream, uint32_t lanes)
{
   struct sgd_front *f = worker->front;
   struct sgd_geometry *g = f->geometry;

   while (lanes) {
      const unsigned l = u_bit_scan(&lanes);
      const unsigned latest = g->latest[stream][l];

      if (latest)
         g->tag[l * g->max_vertices + latest - 1] |= SGD_GEOMETRY_CUT;
   }
}

static bool
reserve(uint8_t **memory, size_t *size, size_t wanted)
{
   if (*size < wanted) {
      free(*memory);
      *memory = aligned_alloc(64, ALIGN_POT(wanted, 64));
      *size = *memory ? wanted : 0;
   }
   return *memory != NULL;
}

bool
sgd_geometry_begin(struct sgd_front *f)
{
   const struct sgd_state *state = f->state;
   const struct SGPU_SHADER *desc = &state->shader_desc[SGPU_STAGE_GEOMETRY];

   f->geometry = NULL;
   f->geometry_stopped = false;
   if (!state->shader[SGPU_STAGE_GEOMETRY])
      return true;
   if (!f->geometry_unit)
      f->geometry_unit = calloc(1, sizeof(*f->geometry_unit));
   struct sgd_geometry *g = f->geometry_unit;
   if (!g)
      return false;

   g->program = state->shader[SGPU_STAGE_GEOMETRY];
   g->output = desc->output_primitive;
   g->max_vertices = desc->max_vertices;
   g->invocations = desc->invocations;
   g->count = 0;

   const size_t lane = MAX2(g->max_vertices, 1) * (size_t)f->stride;
   g->lanes = CLAMP(SGD_GEOMETRY_STORE / lane, 1, SGD_WARP);
   const size_t vertices = (size_t)g->lanes * MAX2(g->max_vertices, 1);
   if (!reserve(&g->store, &g->store_size, g->lanes * lane) ||
       !reserve(&g->tag, &g->tag_size, vertices) ||
       !reserve((uint8_t **)&g->id, &g->id_size, vertices * sizeof(*g->id)))
      return false;

   g->io.vertices = f->raw;
   g->io.stride = f->raw_stride;
   g->io.num_inputs = state->num_stage_inputs;
   g->io.num_vertices = sgd_ia_vertices(desc->input_primitive);
   g->io.emit = emit;
   g->io.cut = cut;
   f->geometry = g;
   return true;
}

static void
set_sysvals(struct sgd_front *f)
{
   const struct sgd_geometry *g = f->geometry;
   struct sgd_vec *sys = f->worker->core->warp.sys;
   uint32_t read = g->program->sysvals_read;

   while (read) {
      const unsigned s = u_bit_scan(&read);

      memset(&sys[s], 0, sizeof(sys[s]));
      for (unsigned l = 0; l < g->count; l++) {
         sys[s].c[0][l] = s == SGPU_SYS_PRIMITIVE_ID  ? g->primitive_id[l] :
                          s == SGPU_SYS_INVOCATION_ID ? g->invocation[l] :
                          s == SGPU_SYS_LANE          ? l : 0;
      }
   }
}

/* Vertex n of a strip that has v[0] and v[1] before it, the later one first, with
 * their numbers of primitives.
 */
static void
hand_on(struct sgd_front *f, const struct sgd_vertex *const v[2], const struct sgd_vertex *next,
        const uint32_t id[2], uint32_t next_id, unsigned n)
{
   const bool first = f->state->rast.flatshade_first;

   switch (f->geometry->output) {
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

/* As hand_on, of any stream. */
static void
capture(struct sgd_front *f, unsigned stream, const struct sgd_vertex *const v[2],
        const struct sgd_vertex *next, unsigned n)
{
   switch (f->geometry->output) {
   case SGPU_PRIMITIVE_POINTS:
      sgd_stream_point(f, stream, next);
      break;
   case SGPU_PRIMITIVE_LINE_STRIP:
      sgd_stream_line(f, stream, v[0], next);
      break;
   default:
      sgd_stream_triangle(f, stream, v[~n & 1], v[n & 1], next,
                          f->state->rast.flatshade_first ? n & 1 : 2);
      break;
   }
}

/* Primitives of a lane's list; stream 0 goes on to the clipper. */
static void
assemble_lane(struct sgd_front *f, unsigned lane)
{
   const struct sgd_geometry *g = f->geometry;
   const uint8_t *tag = g->tag + (size_t)lane * g->max_vertices;
   const uint32_t *id = g->id + (size_t)lane * g->max_vertices;
   const unsigned before = g->output == SGPU_PRIMITIVE_POINTS       ? 0 :
                           g->output == SGPU_PRIMITIVE_LINE_STRIP ? 1 : 2;
   const struct sgd_vertex *v[SGPU_MAX_STREAMS][2] = { { NULL } };
   uint32_t v_id[2] = { 0, 0 };
   unsigned length[SGPU_MAX_STREAMS] = { 0 };
   struct sgd_stats *stats = &f->batch->stats;

   for (unsigned n = 0; n < g->num[lane]; n++) {
      const unsigned stream = tag[n] & ~SGD_GEOMETRY_CUT;
      const struct sgd_vertex *next = vertex_at(f, lane, n);

      if (length[stream] >= before) {
         stats->gs_primitives++;
         stats->generated[stream]++;
         if (f->state->stream.num_words)
            capture(f, stream, v[stream], next, length[stream]);
      }
      if (stream == 0 && !f->state->rast.discard)
         hand_on(f, v[0], next, v_id, id[n], length[0]);
      v[stream][1] = v[stream][0];
      v[stream][0] = next;
      if (stream == 0) {
         v_id[1] = v_id[0];
         v_id[0] = id[n];
      }
      length[stream] = tag[n] & SGD_GEOMETRY_CUT ? 0 : length[stream] + 1;
   }
}

void
sgd_geometry_flush(struct sgd_front *f)
{
   struct sgd_geometry *g = f->geometry;
   const uint32_t input_id = f->primitive_id;
   uint32_t live = ~0u;

   if (!g->count || f->geometry_stopped || f->batch->failed)
      return;

   memset(g->num, 0, sizeof(g->num));
   memset(g->latest, 0, sizeof(g->latest));
   const struct sgd_env *env = &f->state->env[SGPU_STAGE_GEOMETRY];
   sgd_shader_begin(f->worker, g->program, env);
   set_sysvals(f);
   f->worker->stage_io = &g->io;
   const bool ok =
      sgd_shader_run(f->worker, g->program, env,
                     g->count == SGD_WARP ? ~0u : (1u << g->count) - 1, &live);
   f->worker->stage_io = NULL;
   f->worker->counters[SGPU_COUNTER_GEOMETRY_WARPS]++;
   if (!ok) {
      f->geometry_stopped = true;
      return;
   }

   f->batch->stats.gs_invocations += g->count;
   for (unsigned l = 0; l < g->count && !f->batch->failed; l++)
      assemble_lane(f, l);
   f->primitive_id = input_id;
   g->count = 0;
}

void
sgd_geometry_primitive(struct sgd_front *f, const uint16_t *vertex, uint32_t id)
{
   struct sgd_geometry *g = f->geometry;

   for (unsigned i = 0; i < g->invocations; i++) {
      if (g->count == g->lanes)
         sgd_geometry_flush(f);
      if (f->geometry_stopped || f->batch->failed)
         return;
      for (unsigned n = 0; n < g->io.num_vertices; n++)
         g->io.vertex[n][g->count] = vertex[n];
      g->primitive_id[g->count] = id;
      g->invocation[g->count] = i;
      g->count++;
   }
}

void
sgd_geometry_free(struct sgd_geometry *g)
{
   if (!g)
      return;
   free(g->store);
   free(g->tag);
   free(g->id);
   free(g);
}
