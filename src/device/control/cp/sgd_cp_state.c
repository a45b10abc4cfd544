/* SPDX-License-Identifier: MIT */
/*
 * Command processor: handlers of state packets. They check each descriptor and store a copy, in
 * which host addresses and sizes replace device addresses.
 *
 * Render targets are handled in sgd_cp_target.c, textures and samplers in sgd_cp_texture.c, and the
 * predicate in sgd_cp_query.c.
 */
#include <stdatomic.h>
#include <string.h>

#include "control/cp/sgd_cp.h"
#include "control/cp/sgd_cp_packets.h"
#include "sgpu_program.h"
#include "util/macros.h"
#include "geometry/xfb/sgd_xfb.h"

/* Looks up a range of device memory. Sets *span to the range and *bo to the buffer that contains
 * it. If `size` is 0, sets *span to an empty range and *bo to NULL. Returns false if the range
 * isn't inside a buffer of the submission.
 */
static bool
find_bo(struct sgd_cp *cp, uint64_t address, uint64_t size, struct sgd_span *span,
        struct sgpu_bo **bo)
{
   *span = (struct sgd_span){ NULL, 0 };
   *bo = NULL;
   if (!size)
      return true;
   *bo = sgd_bo_list_find(&cp->sub->bos, address, size);
   if (!*bo)
      return false;
   span->ptr = cp->memory->base + address;
   span->size = size;
   return true;
}

static bool
find_span(struct sgd_cp *cp, uint64_t address, uint64_t size, struct sgd_span *span)
{
   struct sgpu_bo *bo;

   return find_bo(cp, address, size, span, &bo);
}

/* Like find_bo(), for inputs of draws. Marks the buffer as bound. Operations that write a bound
 * buffer check whether any earlier draw reads it (see sgd_hazard.h).
 */
static bool
resolve(struct sgd_cp *cp, uint64_t address, uint64_t size, struct sgd_span *span)
{
   struct sgpu_bo *bo;

   if (!find_bo(cp, address, size, span, &bo))
      return false;
   if (bo)
      atomic_store_explicit(&bo->bound, true, memory_order_relaxed);
   return true;
}

/* Checks the fields of a SHADER packet for geometry programs. Returns NULL if they are valid, or an
 * error message.
 */
static const char *
check_geometry(const struct SGPU_SHADER *desc)
{
   switch (desc->input_primitive) {
   case SGPU_PRIMITIVE_POINTS:
   case SGPU_PRIMITIVE_LINES:
   case SGPU_PRIMITIVE_TRIANGLES:
   case SGPU_PRIMITIVE_LINES_ADJACENCY:
   case SGPU_PRIMITIVE_TRIANGLES_ADJACENCY:
      break;
   default:
      return "SHADER: Input Primitive is not one that geometry programs take";
   }
   if (desc->output_primitive != SGPU_PRIMITIVE_POINTS &&
       desc->output_primitive != SGPU_PRIMITIVE_LINE_STRIP &&
       desc->output_primitive != SGPU_PRIMITIVE_TRIANGLE_STRIP)
      return "SHADER: Output Primitive is not one that geometry programs make";
   return desc->invocations ? NULL : "SHADER: Invocations is 0";
}

const char *
sgd_cp_shader(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_SHADER desc;
   const char *error = SGPU_SHADER_unpack(in, &desc);
   if (error)
      return error;

   struct sgd_shader *program = NULL;
   if (desc.address && desc.stage == SGPU_STAGE_GEOMETRY && (error = check_geometry(&desc)))
      return error;
   if (desc.address && desc.stage == SGPU_STAGE_TESS_CTRL && !desc.output_vertices)
      return "SHADER: Output Vertices is 0";
   if (desc.address) {
      const uint64_t size = ((uint64_t)desc.instructions + desc.literals) * 16;
      struct sgd_span code;
      if ((desc.address & 15) || !size || !resolve(cp, desc.address, size, &code))
         return "SHADER: the program is not in a buffer of the submission";
      program = sgd_shader_cache_get(cp->cache, &desc, (const uint32_t *)code.ptr, &error);
      if (!program)
         return error;
   }
   sgd_shader_unref(cp->cur.shader[desc.stage]);
   cp->cur.shader[desc.stage] = program;
   cp->cur.shader_desc[desc.stage] = desc;
   return NULL;
}

const char *
sgd_cp_buffers(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_BUFFERS p;
   const char *error = SGPU_BUFFERS_unpack(in, &p);
   const unsigned count = SGPU_BUFFERS_count(in);
   if (error)
      return error;
   if (p.first + count > SGD_MAX_BUFFERS)
      return "BUFFERS: beyond the last unit";
   struct sgd_texture_set *set = sgd_cp_writable_set(cp, p.stage);
   if (!set)
      return "out of memory";
   if (!set->has_buffers)
      memset(set->buffers, 0, sizeof(set->buffers));
   set->has_buffers = true;

   for (unsigned i = 0; i < count; i++) {
      struct SGPU_BUFFER b;
      error = SGPU_BUFFER_unpack(SGPU_BUFFERS_tail(in, i), &b);
      if (error)
         return error;
      if (b.size && (b.address & 3))
         return "BUFFERS: Address is not a multiple of 4";
      if (!find_span(cp, b.address, b.size, &set->buffers[p.first + i]))
         return "BUFFERS: not in a buffer of the submission";
   }
   return NULL;
}

const char *
sgd_cp_vertex_elements(struct sgd_cp *cp, const uint32_t *in)
{
   cp->cur.num_elements = SGPU_VERTEX_ELEMENTS_count(in);
   for (unsigned i = 0; i < cp->cur.num_elements; i++) {
      struct sgd_element *e = &cp->cur.element[i];
      const char *error = SGPU_VERTEX_ELEMENT_unpack(SGPU_VERTEX_ELEMENTS_tail(in, i), &e->desc);
      if (error)
         return error;
      e->pformat = sgpu_format_to_pipe(e->desc.format);
      e->fdesc = util_format_description(e->pformat);
      /* util_format_is_plain() also returns true for depth and stencil formats, which vertices
       * can't have.
       */
      const bool plain = e->pformat != PIPE_FORMAT_NONE && util_format_is_plain(e->pformat) &&
                         !util_format_is_depth_or_stencil(e->pformat);
      if (!plain && e->pformat != PIPE_FORMAT_R11G11B10_FLOAT)
         return "VERTEX ELEMENT: Format is not one of vertices";
   }
   return NULL;
}

const char *
sgd_cp_vertex_buffers(struct sgd_cp *cp, const uint32_t *in)
{
   cp->cur.num_vertex_buffers = SGPU_VERTEX_BUFFERS_count(in);
   for (unsigned i = 0; i < cp->cur.num_vertex_buffers; i++) {
      struct SGPU_VERTEX_BUFFER vb;
      const char *error = SGPU_VERTEX_BUFFER_unpack(SGPU_VERTEX_BUFFERS_tail(in, i), &vb);
      if (error)
         return error;
      if (!resolve(cp, vb.address, vb.size, &cp->cur.vertex_buffer[i].span))
         return "VERTEX BUFFER: not in a buffer of the submission";
      cp->cur.vertex_buffer[i].stride = vb.stride;
   }
   return NULL;
}

const char *
sgd_cp_blend(struct sgd_cp *cp, const uint32_t *in)
{
   const char *error = SGPU_BLEND_unpack(in, &cp->cur.blend);
   for (unsigned i = 0; i < SGD_MAX_COLORS && !error; i++)
      error = SGPU_BLEND_TARGET_unpack(SGPU_BLEND_tail(in, i), &cp->cur.blend_target[i]);
   return error;
}

const char *
sgd_cp_varyings(struct sgd_cp *cp, const uint32_t *in)
{
   const char *error = NULL;
   cp->cur.num_varyings = SGPU_VARYINGS_count(in);
   for (unsigned i = 0; i < cp->cur.num_varyings && !error; i++)
      error = SGPU_VARYING_unpack(SGPU_VARYINGS_tail(in, i), &cp->cur.varying[i]);
   return error;
}

const char *
sgd_cp_stage_inputs(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_STAGE_INPUTS p;
   const char *error = SGPU_STAGE_INPUTS_unpack(in, &p);
   if (!error && !sgpu_stage_reads_vertices(p.stage))
      error = "STAGE INPUTS: the stage has none";
   if (error)
      return error;
   struct sgd_stage_link *link = &cp->cur.link[p.stage];
   link->num_inputs = SGPU_STAGE_INPUTS_count(in);
   for (unsigned i = 0; i < link->num_inputs && !error; i++)
      error = SGPU_STAGE_INPUT_unpack(SGPU_STAGE_INPUTS_tail(in, i), &link->input[i]);
   return error;
}

const char *
sgd_cp_tess_levels(struct sgd_cp *cp, const uint32_t *in)
{
   return SGPU_TESS_LEVELS_unpack(in, &cp->cur.tess_levels);
}

const char *
sgd_cp_xfb_outputs(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_XFB_OUTPUTS p;
   const char *error = SGPU_XFB_OUTPUTS_unpack(in, &p);
   if (error)
      return error;

   const uint16_t stride[] = { p.stride_0, p.stride_1, p.stride_2, p.stride_3 };
   memcpy(cp->xfb.stride, stride, sizeof(stride));
   cp->xfb.num_elements = SGPU_XFB_OUTPUTS_count(in);
   for (unsigned i = 0; i < cp->xfb.num_elements && !error; i++)
      error = SGPU_XFB_OUTPUT_unpack(SGPU_XFB_OUTPUTS_tail(in, i), &cp->xfb.element[i]);
   return error ? error : sgd_xfb_prepare(&cp->cur.xfb, &cp->xfb);
}

const char *
sgd_cp_xfb_buffers(struct sgd_cp *cp, const uint32_t *in)
{
   memset(cp->xfb.buffer, 0, sizeof(cp->xfb.buffer));
   for (unsigned i = 0; i < SGPU_XFB_BUFFERS_count(in); i++) {
      struct SGPU_XFB_BUFFER b;
      const char *error = SGPU_XFB_BUFFER_unpack(SGPU_XFB_BUFFERS_tail(in, i), &b);
      if (error)
         return error;
      if (!b.counter)
         continue;
      if ((b.counter & 7) || !sgd_bo_list_find(&cp->sub->bos, b.counter, 8))
         return "XFB BUFFERS: a counter is not in a buffer of the submission";
      if ((b.address & 3) || (b.size && !sgd_bo_list_find(&cp->sub->bos, b.address, b.size)))
         return "XFB BUFFERS: not in a buffer of the submission";
      cp->xfb.buffer[i].ptr = cp->memory->base + b.address;
      cp->xfb.buffer[i].size = b.size;
      cp->xfb.buffer[i].counter = (uint64_t *)(cp->memory->base + b.counter);
   }
   return sgd_xfb_prepare(&cp->cur.xfb, &cp->xfb);
}

const char *
sgd_cp_viewport(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_VIEWPORT p;
   const char *error = SGPU_VIEWPORT_unpack(in, &p);
   if (!error)
      cp->cur.viewport[p.index] = p;
   return error;
}

const char *
sgd_cp_scissor(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_SCISSOR p;
   const char *error = SGPU_SCISSOR_unpack(in, &p);
   if (!error)
      cp->cur.scissor[p.index] = p;
   return error;
}

const char *
sgd_cp_window_rectangles(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_WINDOW_RECTANGLES p;
   struct sgd_window_rects *rects = &cp->cur.window_rects;
   const char *error = SGPU_WINDOW_RECTANGLES_unpack(in, &p);
   if (error)
      return error;
   rects->inclusive = p.inclusive;
   rects->count = SGPU_WINDOW_RECTANGLES_count(in);
   for (unsigned i = 0; i < rects->count && !error; i++)
      error = SGPU_WINDOW_RECTANGLE_unpack(SGPU_WINDOW_RECTANGLES_tail(in, i), &rects->rect[i]);
   return error;
}

const char *
sgd_cp_rasterizer(struct sgd_cp *cp, const uint32_t *in)
{
   return SGPU_RASTERIZER_unpack(in, &cp->cur.rast);
}

const char *
sgd_cp_depth_stencil(struct sgd_cp *cp, const uint32_t *in)
{
   return SGPU_DEPTH_STENCIL_unpack(in, &cp->cur.dsa);
}

const char *
sgd_cp_depth_bounds(struct sgd_cp *cp, const uint32_t *in)
{
   return SGPU_DEPTH_BOUNDS_unpack(in, &cp->cur.depth_bounds);
}

const char *
sgd_cp_stencil_ref(struct sgd_cp *cp, const uint32_t *in)
{
   return SGPU_STENCIL_REF_unpack(in, &cp->cur.stencil_ref);
}

const char *
sgd_cp_blend_color(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_BLEND_COLOR p;
   const char *error = SGPU_BLEND_COLOR_unpack(in, &p);
   if (!error)
      memcpy(cp->cur.blend_color, (const float[4]){ p.r, p.g, p.b, p.a },
             sizeof(cp->cur.blend_color));
   return error;
}

const char *
sgd_cp_sample_mask(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_SAMPLE_MASK p;
   const char *error = SGPU_SAMPLE_MASK_unpack(in, &p);
   if (!error)
      cp->cur.sample_mask = p.mask;
   return error;
}

const char *
sgd_cp_clock(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_CLOCK p;
   const char *error = SGPU_CLOCK_unpack(in, &p);
   for (unsigned s = 0; s < SGD_STAGES && !error; s++)
      cp->cur.env[s].clock = p.value;
   return error;
}

const char *
sgd_cp_view(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_VIEW p;
   const char *error = SGPU_VIEW_unpack(in, &p);
   if (error)
      return error;
   cp->replan |= p.multiview != cp->cur.view.multiview;
   cp->cur.view = p;
   for (unsigned s = 0; s < SGD_STAGES; s++)
      cp->cur.env[s].view = p.view;
   return NULL;
}

const char *
sgd_cp_coverage(struct sgd_cp *cp, const uint32_t *in)
{
   return SGPU_COVERAGE_unpack(in, &cp->cur.coverage);
}

const char *
sgd_cp_polygon_stipple(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_POLYGON_STIPPLE p;
   const char *error = SGPU_POLYGON_STIPPLE_unpack(in, &p);
   if (!error)
      memcpy(cp->cur.poly_stipple, p.row, sizeof(cp->cur.poly_stipple));
   return error;
}

const char *
sgd_cp_clip_planes(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_CLIP_PLANES p;
   const char *error = SGPU_CLIP_PLANES_unpack(in, &p);
   if (!error)
      memcpy(cp->cur.clip_plane, p.plane, sizeof(cp->cur.clip_plane));
   return error;
}
