/* SPDX-License-Identifier: MIT */
/* Records the vertices of GL_FEEDBACK, GL_SELECT and glRasterPos.  The device runs the shaders and
 * records the outputs of the last one with transform feedback.  If there is only a vertex shader,
 * the device draws points and the draw module assembles primitives from them.  With tessellation or
 * geometry shaders, the device records the generated primitives.
 */
#include "feedback_strips.h"

#include "cso_cache/cso_context.h"
#include "main/arrayobj.h"
#include "main/context.h"
#include "sgpu/sgpu_public.h"
#include "state_tracker/st_atom.h"
#include "state_tracker/st_context.h"
#include "state_tracker/st_program.h"
#include "state_tracker/st_util.h"
#include "util/u_dynarray.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_memory.h"
#include "util/u_prim.h"

/* Maximum size in bytes of the vertices in a group of draws that are recorded together. */
#define GROUP_BYTES (16u << 20)
/* Maximum size in bytes of the vertices of one draw. */
#define MAX_BYTES (1u << 30)
/* Maximum size in bytes of queued vertices, and of the memory that is kept after a draw. */
#define KEPT_BYTES (256u << 10)

/* Maximum number of vertices of a tessellated patch: 64 x 64 squares of two triangles. */
#define MOST_OF_A_PATCH (64 * 64 * 2 * 3)

void
feedback_release_memory(struct feedback *f)
{
   pipe_so_target_reference(&f->target, NULL);
   f->size = 0;
}

bool
feedback_reserve(struct feedback *f, uint64_t bytes)
{
   struct pipe_context *pipe = f->ctx->st->pipe;

   if (f->target && f->size - f->queue.used >= bytes)
      return true;
   feedback_finish(f);
   if (f->target && f->size >= bytes)
      return true;
   feedback_release_memory(f);
   if (bytes > MAX_BYTES) {
      feedback_out_of_memory(f);
      return false;
   }
   const uint32_t size = MAX2(util_next_power_of_two(bytes), KEPT_BYTES);
   struct pipe_resource *buffer = pipe_buffer_create(pipe->screen, PIPE_BIND_STREAM_OUTPUT,
                                                     PIPE_USAGE_STAGING, size);
   if (buffer)
      f->target = pipe->create_stream_output_target(pipe, buffer, 0, size);
   pipe_resource_reference(&buffer, NULL);
   if (!f->target) {
      feedback_out_of_memory(f);
      return false;
   }
   f->size = size;
   return true;
}

const void *
feedback_map(struct feedback *f, uint32_t *bytes, struct pipe_transfer **transfer)
{
   struct pipe_context *pipe = f->ctx->st->pipe;
   unsigned stride;
   const uint64_t written = sgpu_xfb_written(pipe, f->target, &stride);
   const void *map = NULL;

   *transfer = NULL;
   *bytes = MIN2(*bytes, written);
   if (*bytes) {
      map = pipe_buffer_map_range(pipe, f->target->buffer, 0, *bytes, PIPE_MAP_READ, transfer);
      if (!map)
         feedback_out_of_memory(f);
   }
   if (!map)
      *bytes = 0;
   return map;
}

/* Draws with transform feedback, which appends the output vertices to those of queued draws. */
static void
record(struct feedback *f, enum mesa_prim recorded, const struct pipe_draw_info *info,
       unsigned drawid_offset, const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   const unsigned offset = f->queue.used ? ~0u : 0;

   cso_set_stream_outputs(f->ctx->st->cso_context, 1, &f->target, &offset, recorded);
   f->render.DrawGallium(f->ctx, info, drawid_offset, NULL, draws, num_draws);
}

/* Runs a group of draws that have no tessellation or geometry shaders, and queues their vertices.
 */
static void
draw_group(struct feedback *f, const struct feedback_state *state,
           const struct pipe_draw_info *info, unsigned drawid_offset,
           const struct pipe_draw_start_count_bias *draws, unsigned num_draws, uint64_t vertices)
{
   struct pipe_draw_info points = *info;
   struct util_dynarray pieces;
   struct feedback_strips strips;

   if (!feedback_reserve(f, vertices * feedback_vertex_bytes(state)))
      return;
   if (!feedback_strips_init(&strips, f, info, draws, num_draws)) {
      feedback_out_of_memory(f);
      return;
   }
   points.mode = MESA_PRIM_POINTS;
   points.primitive_restart = false;
   const struct gl_vertex_array_object *vao = f->ctx->Array._DrawVAO;
   if (points.index_size && (vao->Enabled & ~vao->VertexAttribBufferMask)) {
      /* If few indices refer to a large array in user memory, u_vbuf replaces an indexed draw with
       * a non-indexed draw, which changes gl_VertexID.  u_vbuf doesn't do this if primitive restart
       * is enabled, so enable it with an index that doesn't occur.
       */
      points.primitive_restart = true;
      points.restart_index = ~0u;
   }
   if (strips.indices) {
      points.has_user_indices = true;
      points.index.user = strips.indices;
      points.index_bounds_valid = true;
      points.min_index = strips.min_index;
      points.max_index = strips.max_index;
   }
   if (util_dynarray_num_elements(&strips.length, unsigned)) {
      record(f, MESA_PRIM_POINTS, &points, drawid_offset, strips.draws, num_draws);
      util_dynarray_init(&pieces, NULL);
      const uint32_t drawn = feedback_strips_place(&pieces, &strips, num_draws,
                                                   info->instance_count);
      feedback_queue_draw(f, state, info->mode, pieces.data,
                          util_dynarray_num_elements(&pieces, struct pipe_draw_start_count_bias),
                          drawn);
      util_dynarray_fini(&pieces);
   }
   feedback_strips_fini(&strips);
}

static void
draw_vertices(struct feedback *f, const struct feedback_state *state, bool waits,
              const struct pipe_draw_info *info, unsigned drawid_offset,
              const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   const uint64_t most = MAX_BYTES / feedback_vertex_bytes(state),
                  group = GROUP_BYTES / feedback_vertex_bytes(state);

   for (unsigned first = 0, n; first < num_draws; first += n) {
      uint64_t vertices = 0;

      for (n = 0; first + n < num_draws; n++) {
         const uint64_t more = (uint64_t)draws[first + n].count * info->instance_count;
         if (n && vertices + more > group)
            break;
         vertices += more;
      }
      if (vertices > most)
         feedback_out_of_memory(f);
      else if (vertices)
         draw_group(f, state, info, drawid_offset + (info->increment_draw_id ? first : 0),
                    draws + first, n, vertices);
      if (!waits)
         feedback_finish(f);
   }
}

/* Returns an upper bound for the number of vertices that the last shader generates if the draws
 * have `count` vertices.
 */
static uint64_t
most_vertices(const struct gl_context *ctx, const struct pipe_draw_info *info, uint64_t count)
{
   const struct gl_program *geometry = ctx->GeometryProgram._Current;
   const unsigned patch = MAX2(ctx->TessCtrlProgram.patch_vertices, 1);
   uint64_t vertices = count;

   if (ctx->TessEvalProgram._Current)
      vertices = DIV_ROUND_UP(count, patch) * MOST_OF_A_PATCH;
   if (geometry) {
      /* In the worst case, each input vertex adds a primitive, and each output vertex adds a
       * triangle.
       */
      vertices *= geometry->info.gs.invocations * 3u;
      if (vertices > MAX_BYTES)
         return vertices;
      vertices *= MAX2(geometry->info.gs.vertices_out, 1);
   }
   return MIN2(vertices, MAX_BYTES) * info->instance_count;
}

static bool
writes_memory(const struct gl_context *ctx)
{
   const struct gl_program *programs[] = {
      ctx->VertexProgram._Current,
      ctx->TessCtrlProgram._Current,
      ctx->TessEvalProgram._Current,
      ctx->GeometryProgram._Current,
   };

   for (unsigned i = 0; i < ARRAY_SIZE(programs); i++) {
      if (programs[i] && programs[i]->info.writes_memory)
         return true;
   }
   return false;
}

static enum mesa_prim
recorded_primitive(const struct gl_context *ctx)
{
   const struct gl_program *geometry = ctx->GeometryProgram._Current;
   const struct gl_program *evaluation = ctx->TessEvalProgram._Current;

   if (geometry) {
      switch (geometry->info.gs.output_primitive) {
      case MESA_PRIM_POINTS:
         return MESA_PRIM_POINTS;
      case MESA_PRIM_LINE_STRIP:
         return MESA_PRIM_LINES;
      default:
         return MESA_PRIM_TRIANGLES;
      }
   }
   if (evaluation->info.tess.point_mode)
      return MESA_PRIM_POINTS;
   return evaluation->info.tess._primitive_mode == TESS_PRIMITIVE_ISOLINES ? MESA_PRIM_LINES
                                                                           : MESA_PRIM_TRIANGLES;
}

/* Returns the last stage before the clipper. */
static const struct gl_program *
last_program(const struct gl_context *ctx)
{
   if (ctx->GeometryProgram._Current)
      return ctx->GeometryProgram._Current;
   if (ctx->TessEvalProgram._Current)
      return ctx->TessEvalProgram._Current;
   return ctx->VertexProgram._Current;
}

/* Records the primitives of draws, and returns the number of vertices.  If the memory was too
 * small, runs the draws again with more memory.  Shaders that write to memory must run only once,
 * so the driver allocates memory for the maximum number of vertices in this case.
 */
static uint32_t
record_primitives(struct feedback *f, enum mesa_prim mode, const struct pipe_draw_info *info,
                  unsigned drawid_offset, const struct pipe_draw_start_count_bias *draws,
                  unsigned num_draws)
{
   const unsigned corners = mesa_vertices_per_prim(mode);
   const unsigned vertex = feedback_vertex_bytes(&f->state);
   const bool once = writes_memory(f->ctx);
   uint64_t count = 0;

   for (unsigned i = 0; i < num_draws; i++)
      count += draws[i].count;
   const uint64_t most = most_vertices(f->ctx, info, count);
   if (!most)
      return 0;
   uint64_t bytes = MIN2(most, MAX_BYTES) * vertex;
   if (!once)
      bytes = MIN2(bytes, MAX2(f->size, KEPT_BYTES));
   for (;; bytes = (uint64_t)f->size * 4) {
      unsigned stride;
      if (!feedback_reserve(f, bytes))
         return 0;
      record(f, mode, info, drawid_offset, draws, num_draws);
      const uint32_t recorded = sgpu_xfb_written(f->ctx->pipe, f->target, &stride) / vertex;
      if (once || f->size / vertex - recorded >= corners)
         return recorded - recorded % corners;
   }
}

static void
run_primitives(struct feedback *f, enum mesa_prim mode, uint32_t vertices)
{
   const unsigned corners = mesa_vertices_per_prim(mode);
   struct pipe_draw_start_count_bias all = { .count = vertices };

   if (f->place[VARYING_SLOT_VIEWPORT] < 0) {
      feedback_run_pipeline(f, mode, &all, 1);
      return;
   }
   /* Split the vertices into one piece per primitive, because the draw module takes the viewport
    * from the first vertex of each piece.
    */
   struct util_dynarray pieces;
   util_dynarray_init(&pieces, NULL);
   for (unsigned v = 0; v < all.count; v += corners) {
      const struct pipe_draw_start_count_bias piece = { .start = v, .count = corners };
      util_dynarray_append(&pieces, struct pipe_draw_start_count_bias, piece);
   }
   feedback_run_pipeline(f, mode, pieces.data,
                         util_dynarray_num_elements(&pieces, struct pipe_draw_start_count_bias));
   util_dynarray_fini(&pieces);
}

/* Runs draws with tessellation or geometry shaders, for which the number of vertices is not known
 * in advance.
 */
static void
draw_primitives(struct feedback *f, const struct feedback_state *state,
                const struct pipe_draw_info *info, unsigned drawid_offset,
                const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   const enum mesa_prim mode = recorded_primitive(f->ctx);
   struct pipe_transfer *transfer;

   feedback_set_state(f, state);
   const uint32_t vertices = record_primitives(f, mode, info, drawid_offset, draws, num_draws);
   uint32_t bytes = vertices * feedback_vertex_bytes(state);
   const void *map = bytes ? feedback_map(f, &bytes, &transfer) : NULL;
   if (map) {
      feedback_set_vertices(f, map, bytes);
      run_primitives(f, mode, vertices);
      pipe_buffer_unmap(f->ctx->st->pipe, transfer);
   }
   feedback_set_vertices(f, NULL, 0);
}

static uint32_t
wanted_slots(const struct feedback *f, const struct feedback_state *state, unsigned mode)
{
   const bool edges = mode == MESA_PRIM_TRIANGLES || mode == MESA_PRIM_QUADS ||
                      mode == MESA_PRIM_POLYGON;
   const uint32_t clip = VARYING_BIT_POS | VARYING_BIT_CLIP_VERTEX | VARYING_BIT_CLIP_DIST0 |
                         VARYING_BIT_CLIP_DIST1 | VARYING_BIT_VIEWPORT |
                         (edges ? VARYING_BIT_EDGE : 0);

   if (f->raster_position)
      return clip | VARYING_BIT_COL0 | VARYING_BIT_COL1 | VARYING_BIT_FOGC | VARYING_BITS_TEX_ANY;
   if (f->ctx->RenderMode == GL_SELECT)
      return clip;
   return clip | VARYING_BIT_COL0 | VARYING_BIT_TEX0 |
          (state->rasterizer.light_twoside ? VARYING_BIT_BFC0 : 0);
}

/* Selects the slots that the device records, and sets the members of `state` that depend on them.
 */
static void
set_slots(struct feedback *f, struct feedback_state *state, bool vertex_only, unsigned mode)
{
   struct st_context *st = f->ctx->st;
   const uint32_t wanted = wanted_slots(f, state, mode);
   const struct gl_program *last = vertex_only ? f->ctx->VertexProgram._Current
                                               : last_program(f->ctx);

   if (f->records != wanted)
      sgpu_context_record(st->pipe, wanted);
   f->records = wanted;
   state->slots = wanted & (vertex_only ? sgpu_shader_written(st->vp_variant->base.driver_shader)
                                        : sgpu_context_written(st->pipe));
   if (state->slots & VARYING_BIT_CLIP_DIST0) {
      state->clip_distances = last->info.clip_distance_array_size;
      state->cull_distances = last->info.cull_distance_array_size;
   }
}

/* Returns true if a draw can be queued.  The number of recorded vertices must be known in advance,
 * and the results must not depend on current vertex attributes.
 */
static bool
may_wait(const struct feedback *f, const struct feedback_state *state)
{
   const uint64_t current = f->ctx->RenderMode == GL_FEEDBACK ? VARYING_BIT_COL0 | VARYING_BIT_TEX0
                                                              : 0;

   return !f->raster_position && !f->ctx->Query.CondRenderQuery &&
          (state->slots & current) == current;
}

void
feedback_draw(struct feedback *f, const struct pipe_draw_info *info, unsigned drawid_offset,
              const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   struct st_context *st = f->ctx->st;
   struct cso_context *cso = st->cso_context;
   unsigned saved = CSO_BIT_RASTERIZER | CSO_BIT_STREAM_OUTPUTS | CSO_BIT_PAUSE_QUERIES;
   struct feedback_state state;

   feedback_get_state(f, &state);

   /* glRasterPos is not a drawing command and only uses the vertex shader. */
   const bool vertex_only = f->raster_position ||
                            last_program(f->ctx) == f->ctx->VertexProgram._Current;
   if (f->raster_position)
      saved |= CSO_BIT_RENDER_CONDITION | CSO_BIT_GEOMETRY_SHADER | CSO_BIT_TESSCTRL_SHADER |
               CSO_BIT_TESSEVAL_SHADER;
   cso_save_state(cso, saved);
   if (f->raster_position) {
      cso_set_render_condition(cso, NULL, false, PIPE_RENDER_COND_WAIT);
      cso_set_geometry_shader_handle(cso, NULL);
      cso_set_tessctrl_shader_handle(cso, NULL);
      cso_set_tesseval_shader_handle(cso, NULL);
   }
   struct pipe_rasterizer_state discard = st->state.rasterizer;
   discard.rasterizer_discard = true;
   cso_set_rasterizer(cso, &discard);

   set_slots(f, &state, vertex_only, info->mode);
   const bool waits = vertex_only && may_wait(f, &state);
   if (!waits)
      feedback_finish(f);
   if (state.slots & VARYING_BIT_POS) {
      if (vertex_only)
         draw_vertices(f, &state, waits, info, drawid_offset, draws, num_draws);
      else
         draw_primitives(f, &state, info, drawid_offset, draws, num_draws);
   }
   if (f->size > KEPT_BYTES)
      feedback_finish(f);
   cso_restore_state(cso, 0);
   if (f->size > KEPT_BYTES)
      feedback_release_memory(f);
}

void
feedback_leave(struct feedback *f)
{
   feedback_finish(f);
   if (f->records)
      sgpu_context_record(f->ctx->st->pipe, 0);
   f->records = 0;
}
