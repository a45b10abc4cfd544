/* SPDX-License-Identifier: MIT */
/*
 * Command processor: state packets.  Descriptors are copied and checked once;
 * addresses become host memory with a size.  Targets are sgd_cp_target.c's,
 * textures and samplers sgd_cp_texture.c's.
 */
#include <stdatomic.h>
#include <string.h>

#include "sgd_cp.h"
#include "util/macros.h"
#include "xfb/sgd_xfb.h"

/* Memory of the submission; an empty span where size is 0. */
static bool
resolve(struct sgd_cp *cp, uint64_t address, uint64_t size, struct sgd_span *span)
{
   *span = (struct sgd_span){ NULL, 0 };
   if (!size)
      return true;
   struct sgpu_bo *bo = sgd_submission_find(cp->sub, address, size);
   if (!bo)
      return false;
   atomic_store_explicit(&bo->bound, true, memory_order_relaxed);
   span->ptr = cp->dev->space + address;
   span->size = size;
   return true;
}

/* What a SHADER packet says of a geometry program. */
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

static const char *
shader(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_SHADER desc;
   const char *error = SGPU_SHADER_unpack(in, &desc);
   if (error)
      return error;

   struct sgd_shader *program = NULL;
   if (desc.address && desc.stage == SGPU_STAGE_GEOMETRY && (error = check_geometry(&desc)))
      return error;
   if (desc.address) {
      const uint64_t size = ((uint64_t)desc.instructions + desc.literals) * 16;
      struct sgd_span code;
      if ((desc.address & 15) || !size || !resolve(cp, desc.address, size, &code))
         return "SHADER: the program is not in a buffer of the submission";
      program = sgd_shader_cache_get(cp->dev, &desc, (const uint32_t *)code.ptr, &error);
      if (!program)
         return error;
   }
   sgd_shader_unref(cp->cur.shader[desc.stage]);
   cp->cur.shader[desc.stage] = program;
   cp->cur.shader_desc[desc.stage] = desc;
   return NULL;
}

static const char *
constants(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_CONSTANTS p;
   const char *error = SGPU_CONSTANTS_unpack(in, &p);
   if (error)
      return error;
   if (!resolve(cp, p.address, p.size, &cp->cur.env[p.stage].banks[p.bank]))
      return "CONSTANTS: not in a buffer of the submission";
   if (p.address & 3)
      return "CONSTANTS: Address is not a multiple of 4";
   return NULL;
}

static const char *
vertex_elements(struct sgd_cp *cp, const uint32_t *in)
{
   cp->cur.num_elements = SGPU_VERTEX_ELEMENTS_count(in);
   for (unsigned i = 0; i < cp->cur.num_elements; i++) {
      struct sgd_element *e = &cp->cur.element[i];
      const char *error =
         SGPU_VERTEX_ELEMENT_unpack(SGPU_VERTEX_ELEMENTS_tail(in, i), &e->desc);
      if (error)
         return error;
      e->pformat = sgpu_format_to_pipe(e->desc.format);
      e->fdesc = util_format_description(e->pformat);
      /* Plain ones are depth and stencil, too, which no one reads as colours. */
      const bool plain = e->pformat != PIPE_FORMAT_NONE && util_format_is_plain(e->pformat) &&
                         !util_format_is_depth_or_stencil(e->pformat);
      if (!plain && e->pformat != PIPE_FORMAT_R11G11B10_FLOAT)
         return "VERTEX ELEMENT: Format is not one of vertices";
   }
   return NULL;
}

static const char *
vertex_buffers(struct sgd_cp *cp, const uint32_t *in)
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

static const char *
blend(struct sgd_cp *cp, const uint32_t *in)
{
   const char *error = SGPU_BLEND_unpack(in, &cp->cur.blend);
   for (unsigned i = 0; i < SGD_MAX_COLORS && !error; i++)
      error = SGPU_BLEND_TARGET_unpack(SGPU_BLEND_tail(in, i), &cp->cur.blend_target[i]);
   return error;
}

static const char *
varyings(struct sgd_cp *cp, const uint32_t *in)
{
   const char *error = NULL;
   cp->cur.num_varyings = SGPU_VARYINGS_count(in);
   for (unsigned i = 0; i < cp->cur.num_varyings && !error; i++)
      error = SGPU_VARYING_unpack(SGPU_VARYINGS_tail(in, i), &cp->cur.varying[i]);
   return error;
}

static const char *
stage_inputs(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_STAGE_INPUTS p;
   const char *error = SGPU_STAGE_INPUTS_unpack(in, &p);
   if (!error && p.stage != SGPU_STAGE_GEOMETRY)
      error = "STAGE INPUTS: the stage has none";
   if (error)
      return error;
   cp->cur.num_stage_inputs = SGPU_STAGE_INPUTS_count(in);
   for (unsigned i = 0; i < cp->cur.num_stage_inputs && !error; i++)
      error = SGPU_STAGE_INPUT_unpack(SGPU_STAGE_INPUTS_tail(in, i), &cp->cur.stage_input[i]);
   return error;
}

static const char *
stream_output(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_STREAM_OUTPUT p;
   const char *error = SGPU_STREAM_OUTPUT_unpack(in, &p);
   if (error)
      return error;

   const uint16_t stride[] = { p.stride_0, p.stride_1, p.stride_2, p.stride_3 };
   memcpy(cp->stream.stride, stride, sizeof(stride));
   cp->stream.num_elements = SGPU_STREAM_OUTPUT_count(in);
   for (unsigned i = 0; i < cp->stream.num_elements && !error; i++)
      error = SGPU_STREAM_ELEMENT_unpack(SGPU_STREAM_OUTPUT_tail(in, i), &cp->stream.element[i]);
   return error ? error : sgd_xfb_prepare(&cp->cur.xfb, &cp->stream);
}

static const char *
stream_buffers(struct sgd_cp *cp, const uint32_t *in)
{
   memset(cp->stream.buffer, 0, sizeof(cp->stream.buffer));
   for (unsigned i = 0; i < SGPU_STREAM_BUFFERS_count(in); i++) {
      struct SGPU_STREAM_BUFFER b;
      const char *error = SGPU_STREAM_BUFFER_unpack(SGPU_STREAM_BUFFERS_tail(in, i), &b);
      if (error)
         return error;
      if (!b.counter)
         continue;
      if ((b.counter & 7) || !sgd_submission_find(cp->sub, b.counter, 8))
         return "STREAM BUFFERS: a counter is not in a buffer of the submission";
      if ((b.address & 3) || (b.size && !sgd_submission_find(cp->sub, b.address, b.size)))
         return "STREAM BUFFERS: not in a buffer of the submission";
      cp->stream.buffer[i].ptr = cp->dev->space + b.address;
      cp->stream.buffer[i].size = b.size;
      cp->stream.buffer[i].counter = (uint64_t *)(cp->dev->space + b.counter);
   }
   return sgd_xfb_prepare(&cp->cur.xfb, &cp->stream);
}

const char *
sgd_cp_state_packet(struct sgd_cp *cp, enum sgpu_packet opcode, const uint32_t *in)
{
   struct sgd_state *st = &cp->cur;
   const char *error;

   cp->dirty = true;
   switch (opcode) {
   case SGPU_PACKET_FRAMEBUFFER:
      return sgd_cp_framebuffer(cp, in);
   case SGPU_PACKET_VIEWPORT: {
      struct SGPU_VIEWPORT v;
      error = SGPU_VIEWPORT_unpack(in, &v);
      if (!error)
         st->viewport[v.index] = v;
      return error;
   }
   case SGPU_PACKET_SCISSOR: {
      struct SGPU_SCISSOR s;
      error = SGPU_SCISSOR_unpack(in, &s);
      if (!error)
         st->scissor[s.index] = s;
      return error;
   }
   case SGPU_PACKET_RASTERIZER:
      return SGPU_RASTERIZER_unpack(in, &st->rast);
   case SGPU_PACKET_DEPTH_STENCIL:
      return SGPU_DEPTH_STENCIL_unpack(in, &st->dsa);
   case SGPU_PACKET_STENCIL_REF:
      return SGPU_STENCIL_REF_unpack(in, &st->stencil_ref);
   case SGPU_PACKET_BLEND:
      return blend(cp, in);
   case SGPU_PACKET_BLEND_COLOR: {
      struct SGPU_BLEND_COLOR c;
      error = SGPU_BLEND_COLOR_unpack(in, &c);
      if (!error) {
         st->blend_color[0] = c.r;
         st->blend_color[1] = c.g;
         st->blend_color[2] = c.b;
         st->blend_color[3] = c.a;
      }
      return error;
   }
   case SGPU_PACKET_SAMPLE_MASK: {
      struct SGPU_SAMPLE_MASK m;
      error = SGPU_SAMPLE_MASK_unpack(in, &m);
      if (!error)
         st->sample_mask = m.mask;
      return error;
   }
   case SGPU_PACKET_SHADER:
      return shader(cp, in);
   case SGPU_PACKET_CONSTANTS:
      return constants(cp, in);
   case SGPU_PACKET_VERTEX_ELEMENTS:
      return vertex_elements(cp, in);
   case SGPU_PACKET_VERTEX_BUFFERS:
      return vertex_buffers(cp, in);
   case SGPU_PACKET_TEXTURES:
      return sgd_cp_textures(cp, in);
   case SGPU_PACKET_SAMPLERS:
      return sgd_cp_samplers(cp, in);
   case SGPU_PACKET_VARYINGS:
      return varyings(cp, in);
   case SGPU_PACKET_STAGE_INPUTS:
      return stage_inputs(cp, in);
   case SGPU_PACKET_POLYGON_STIPPLE: {
      struct SGPU_POLYGON_STIPPLE p;
      error = SGPU_POLYGON_STIPPLE_unpack(in, &p);
      if (!error)
         memcpy(st->poly_stipple, p.row, sizeof(st->poly_stipple));
      return error;
   }
   case SGPU_PACKET_CLIP_PLANES: {
      struct SGPU_CLIP_PLANES p;
      error = SGPU_CLIP_PLANES_unpack(in, &p);
      if (!error)
         memcpy(st->clip_plane, p.plane, sizeof(st->clip_plane));
      return error;
   }
   case SGPU_PACKET_STREAM_OUTPUT:
      return stream_output(cp, in);
   case SGPU_PACKET_STREAM_BUFFERS:
      return stream_buffers(cp, in);
   default:
      unreachable("not a state packet");
   }
}
