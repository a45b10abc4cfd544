/* SPDX-License-Identifier: MIT */
/* Runs the recorded vertices of GL_FEEDBACK, GL_SELECT and glRasterPos through Mesa's draw module.
 * The device has already run the shaders, so the vertex shader of the draw module only copies the
 * vertices.
 */
#include "feedback.h"

#include "main/context.h"
#include "main/errors.h"
#include "main/framebuffer.h"
#include "main/state.h"
#include "state_tracker/st_context.h"
#include "tgsi/tgsi_from_mesa.h"
#include "util/u_inlines.h"
#include "util/u_math.h"

void
feedback_out_of_memory(struct feedback *f)
{
   _mesa_error(f->ctx, GL_OUT_OF_MEMORY, "too many vertices for feedback or selection");
}

static void
prepare_copy(struct draw_vertex_shader *shader, struct draw_context *draw)
{
}

/* Zeroes all clip distances.  Must be called if no clip plane is enabled, because the draw module
 * clips against all planes anyway.
 */
static void
disable_planes(const struct draw_vertex_shader *copy, float (*vertex)[4])
{
   for (unsigned i = 0; i < copy->info.num_written_clipdistance; i++)
      vertex[copy->ccdistance_output[i / 4]][i % 4] = 0.0f;
}

static bool
is_swizzled(const struct pipe_viewport_state *v)
{
   return v->swizzle_x != PIPE_VIEWPORT_SWIZZLE_POSITIVE_X ||
          v->swizzle_y != PIPE_VIEWPORT_SWIZZLE_POSITIVE_Y ||
          v->swizzle_z != PIPE_VIEWPORT_SWIZZLE_POSITIVE_Z ||
          v->swizzle_w != PIPE_VIEWPORT_SWIZZLE_POSITIVE_W;
}

/* Returns true if a viewport swizzles positions (NV_viewport_swizzle). */
static bool
has_swizzles(const struct feedback_state *state)
{
   bool any = false;

   for (unsigned i = 0; i < state->num_viewports; i++)
      any |= is_swizzled(&state->viewport[i]);
   return any;
}

/* Swizzles the position of a vertex for its viewport.  User clip planes take the position before,
 * so it becomes the clip vertex, for which the vertex has a further vector if the shader writes
 * none.
 */
static void
swizzle(const struct draw_vertex_shader *copy, float (*vertex)[4])
{
   const struct feedback *f = container_of(copy, const struct feedback, copy);
   const unsigned output = copy->viewport_index_output;
   const unsigned index = copy->info.writes_viewport_index ? fui(vertex[output][0]) : 0;
   const struct pipe_viewport_state *v =
      &f->state.viewport[index < f->state.num_viewports ? index : 0];
   const enum pipe_viewport_swizzle axis[4] = { v->swizzle_x, v->swizzle_y, v->swizzle_z,
                                                v->swizzle_w };
   float *position = vertex[f->place[VARYING_SLOT_POS]], before[4];

   memcpy(before, position, sizeof(before));
   if (f->place[VARYING_SLOT_CLIP_VERTEX] < 0)
      memcpy(vertex[copy->clipvertex_output], before, sizeof(before));
   for (unsigned c = 0; c < 4; c++)
      position[c] = axis[c] & 1 ? -before[axis[c] / 2] : before[axis[c] / 2];
}

/* Copies the inputs of the copy shader to its outputs, which have the same layout, except for the
 * clip vertex that swizzle() adds.
 */
static void
run_copy(struct draw_vertex_shader *shader, const float (*input)[4], float (*output)[4],
         const struct draw_buffer_info *constants, unsigned count, unsigned input_stride,
         unsigned output_stride, const unsigned *fetch_elts)
{
   const bool planes = shader->draw->rasterizer->clip_plane_enable;
   const bool swizzled = container_of(shader, struct feedback, copy)->swizzled;

   for (unsigned i = 0; i < count; i++) {
      float(*vertex)[4] = (float(*)[4])((uint8_t *)output + (size_t)i * output_stride);

      memcpy(vertex, (const uint8_t *)input + (size_t)i * input_stride,
             shader->info.num_inputs * 16);
      if (!planes)
         disable_planes(shader, vertex);
      if (swizzled)
         swizzle(shader, vertex);
   }
}

static void
add_vector(struct feedback *f, unsigned slot)
{
   struct draw_vertex_shader *copy = &f->copy;
   const unsigned n = f->vectors++;
   unsigned name, index;

   tgsi_get_gl_varying_semantic(slot, true, &name, &index);
   copy->info.output_semantic_name[n] = name;
   copy->info.output_semantic_index[n] = index;
   f->place[slot] = n;
   switch (slot) {
   case VARYING_SLOT_EDGE:
      copy->edgeflag_output = n;
      break;
   case VARYING_SLOT_CLIP_VERTEX:
      copy->clipvertex_output = n;
      break;
   case VARYING_SLOT_CLIP_DIST0:
   case VARYING_SLOT_CLIP_DIST1:
      copy->ccdistance_output[slot - VARYING_SLOT_CLIP_DIST0] = n;
      break;
   case VARYING_SLOT_VIEWPORT:
      copy->viewport_index_output = n;
      copy->info.writes_viewport_index = true;
      break;
   }
}

/* Sets up the vertex layout and the copy shader for the outputs of the last shader. */
static void
set_vertex(struct feedback *f)
{
   struct st_context *st = f->ctx->st;
   const uint64_t slots = f->state.slots;
   struct pipe_vertex_element elements[PIPE_MAX_ATTRIBS] = { 0 };
   struct draw_vertex_shader *copy = &f->copy;

   memset(copy, 0, sizeof(*copy));
   memset(f->place, -1, sizeof(f->place));
   f->vectors = 0;
   u_foreach_bit64(slot, slots)
      add_vector(f, slot);
   for (unsigned i = 0; i < f->vectors; i++) {
      elements[i].src_stride = f->vectors * 16;
      elements[i].src_offset = i * 16;
      elements[i].src_format = PIPE_FORMAT_R32G32B32A32_FLOAT;
   }

   copy->draw = st->draw;
   copy->prepare = prepare_copy;
   copy->run_linear = run_copy;
   copy->info.num_inputs = f->vectors;
   copy->info.num_outputs = f->vectors;
   f->swizzled = f->place[VARYING_SLOT_POS] >= 0 && has_swizzles(&f->state);
   if (f->swizzled && f->place[VARYING_SLOT_CLIP_VERTEX] < 0) {
      copy->clipvertex_output = copy->info.num_outputs++;
      copy->info.output_semantic_name[copy->clipvertex_output] = TGSI_SEMANTIC_CLIPVERTEX;
   }
   if (slots & VARYING_BIT_CLIP_DIST0) {
      const unsigned distances = slots & VARYING_BIT_CLIP_DIST1 ? 8 : 4;
      const unsigned clip = MIN2(f->state.clip_distances, distances);

      copy->info.num_written_clipdistance = clip;
      copy->info.num_written_culldistance = MIN2(f->state.cull_distances, distances - clip);
      f->state.rasterizer.clip_plane_enable &= BITFIELD_MASK(clip);
   }
   draw_set_rasterizer_state(st->draw, &f->state.rasterizer, NULL);
   draw_set_vertex_elements(st->draw, f->vectors, elements);
   draw_bind_vertex_shader(st->draw, copy);
}

/* Translates GL state for the draw module.  Two-sided lighting must be enabled here, because pixel
 * shaders implement it for normal draws.  Point sizes and line widths must not have any effect on
 * feedback.
 */
void
feedback_get_state(const struct feedback *f, struct feedback_state *state)
{
   struct gl_context *ctx = f->ctx;
   const struct st_context *st = ctx->st;

   memset(state, 0, offsetof(struct feedback_state, viewport));
   state->height = _mesa_fb_orientation(ctx->DrawBuffer) == Y_0_TOP ? ctx->DrawBuffer->Height : 0;
   state->rasterizer = st->state.rasterizer;
   state->rasterizer.light_twoside = _mesa_vertex_program_two_side_enabled(ctx);
   state->rasterizer.point_size = 1.0f;
   state->rasterizer.line_width = 1.0f;
   state->clip = st->state.clip;
   state->num_viewports = st->state.num_viewports;
   memcpy(state->viewport, st->state.viewport, feedback_viewport_bytes(state));
}

void
feedback_set_state(struct feedback *f, const struct feedback_state *state)
{
   struct draw_context *draw = f->ctx->st->draw;

   memcpy(&f->state, state,
          offsetof(struct feedback_state, viewport) + feedback_viewport_bytes(state));
   draw_set_viewport_states(draw, 0, state->num_viewports, f->state.viewport);
   draw_set_clip_state(draw, &f->state.clip);
   set_vertex(f);
}

void
feedback_set_vertices(struct feedback *f, const void *vertices, uint32_t bytes)
{
   struct draw_context *draw = f->ctx->st->draw;
   const struct pipe_vertex_buffer buffer = {
      .is_user_buffer = true,
      .buffer.user = vertices,
   };

   draw_set_mapped_vertex_buffer(draw, 0, vertices, bytes);
   if (vertices) {
      draw_set_vertex_buffers(draw, 1, &buffer);
   } else {
      draw_set_vertex_buffers(draw, 0, NULL);
      draw_bind_vertex_shader(draw, NULL);
   }
}

void
feedback_run_pipeline(struct feedback *f, enum mesa_prim mode,
                      const struct pipe_draw_start_count_bias *pieces, unsigned num_pieces)
{
   const struct pipe_draw_info info = { .mode = mode, .instance_count = 1, .max_index = ~0u };

   if (num_pieces)
      draw_vbo(f->ctx->st->draw, &info, 0, NULL, pieces, num_pieces, 0);
}
