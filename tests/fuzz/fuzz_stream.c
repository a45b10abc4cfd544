/* SPDX-License-Identifier: MIT */
/*
 * Random submissions: draws and streams of packets.
 */
#include <string.h>

#include "fuzz_submission.h"
#include "sgpu_isa.h"
#include "sgpu_packets.h"
#include "sgpu_packets_unpack.h"

#define MAX_PACKET 2048
#define MAX_DRAWS 16

/* Returns one of a few addresses, so that draws share counters. */
static uint64_t
xfb_counter(struct choices *c)
{
   return sgpu_bo_address(fuzz_world.areas[NUM_AREAS - 1]) + 8 * take(c, 6);
}

/* Sets one of a few addresses, so that results often read numbers of queries that have ended. */
static void
result_address(struct choices *c, uint32_t *address)
{
   const uint64_t a = sgpu_bo_address(fuzz_world.areas[NUM_AREAS - 1]) + 64 + 8 * take(c, 4);
   address[0] = (uint32_t)a;
   address[1] = (uint32_t)(a >> 32);
}

static void
any_draw(struct choices *c, uint32_t *words)
{
   struct SGPU_DRAW draw = {
      .primitive = take(c, 14),
      .index_size = take(c, 4),
      .restart = one_in(c, 4),
      .first = take(c, 64),
      .count = take(c, 200),
      .instances = 1,
      .restart_index = one_in(c, 2) ? ~0u : take(c, 256),
      .index_address = fuzz_address(c),
      .index_bytes = take(c, 1024),
   };
   if (c->tessellates) {
      draw.primitive = SGPU_PRIMITIVE_PATCHES;
      draw.patch_vertices = one_in(c, 16) ? take(c, 33) : 1 + take(c, 5);
   }
   while (!c->tessellates && c->draws_fit && !(c->draws_fit >> draw.primitive & 1) &&
          !one_in(c, 32))
      draw.primitive = (draw.primitive + 1) % 14;
   if (one_in(c, 16))
      draw.count = 1000 + take(c, 1000);
   if (one_in(c, 8))
      draw.instances = take(c, 8);
   draw.conditional = one_in(c, 8);
   if (one_in(c, 12)) {
      draw.count_address = xfb_counter(c);
      draw.count_stride = take(c, 64);
   }
   if (one_in(c, 8)) {
      draw.first = noise(c);
      draw.first_instance = noise(c);
      draw.index_bias = (int32_t)noise(c);
   }
   SGPU_DRAW_pack(words, &draw);
   fuzz_world.draws++;
   fuzz_world.patches += draw.primitive == SGPU_PRIMITIVE_PATCHES;
}

/* Makes an indirect draw. In half of them, copies and fills write to the parameters. */
static void
any_indirect_draw(struct choices *c, uint32_t *words)
{
   struct SGPU_DRAW_INDIRECT draw = {
      .primitive = take(c, 14),
      .index_size = take(c, 4),
      .restart = one_in(c, 4),
      .restart_index = one_in(c, 2) ? ~0u : take(c, 256),
      .index_address = fuzz_address(c),
      .index_bytes = take(c, 1024),
      .address = fuzz_address(c),
      .draw_id = take(c, 4),
      .conditional = one_in(c, 8),
   };
   if (c->tessellates) {
      draw.primitive = SGPU_PRIMITIVE_PATCHES;
      draw.patch_vertices = 1 + take(c, 32);
   }
   if (!one_in(c, 16))
      draw.address &= ~UINT64_C(3);
   if (one_in(c, 4))
      draw.limit_address = fuzz_address(c) & ~UINT64_C(3);
   SGPU_DRAW_INDIRECT_pack(words, &draw);
   fuzz_world.draws++;
}

/*
 * Streams
 */

struct out {
   uint32_t *words;
   uint32_t count, draws;
};

static void
set_span(struct choices *c, uint32_t *address, uint32_t *size, uint32_t unit)
{
   const uint32_t offset = unit * take(c, AREA_SIZE / 2 / unit);
   const uint64_t a = sgpu_bo_address(fuzz_world.areas[take(c, NUM_AREAS)]) + offset;
   address[0] = (uint32_t)a;
   address[1] = (uint32_t)(a >> 32);
   if (size)
      *size = take(c, AREA_SIZE / 2) / unit * unit;
}

static enum sgpu_stage
any_stage(struct choices *c)
{
   const unsigned n = take(c, 8);
   return n == 0   ? SGPU_STAGE_VERTEX
          : n == 1 ? SGPU_STAGE_GEOMETRY
          : n < 4  ? SGPU_STAGE_COMPUTE
          : n == 6 ? SGPU_STAGE_TESS_CTRL
          : n == 7 ? SGPU_STAGE_TESS_EVAL
                   : SGPU_STAGE_PIXEL;
}

static void
one_level(uint32_t *words)
{
   struct SGPU_TEXTURE t;

   if (SGPU_TEXTURE_unpack(words, &t))
      return;
   t.last_level = t.first_level;
   SGPU_TEXTURE_pack(words, &t);
}

/* Makes a grid, mostly a small one. Some are indirect. */
static void
any_grid(struct choices *c, uint32_t *words)
{
   struct SGPU_GRID grid = {
      .group_size_x = 1 + take(c, 40),
      .group_size_y = 1 + take(c, 3),
      .group_size_z = one_in(c, 8) ? take(c, 5) : 1,
      .groups_x = take(c, 8),
      .groups_y = 1 + take(c, 3),
      .groups_z = 1,
      .shared_size = one_in(c, 2) ? 0 : take(c, 2000),
      .conditional = one_in(c, 8),
   };
   if (one_in(c, 8)) {
      grid.indirect = true;
      grid.address = fuzz_address(c) & ~UINT64_C(3);
   }
   if (one_in(c, 16))
      grid.groups_z = noise(c);
   if (one_in(c, 16))
      grid.group_size_x = take(c, 1025);
   SGPU_GRID_pack(words, &grid);
}

/* Sets the addresses and sizes of a packet to ranges that are mostly inside an area. */
static void
in_reach(struct choices *c, enum sgpu_packet opcode, uint32_t *p, unsigned tail)
{
   static const uint8_t patterns[] = { 1, 2, 4, 8, 12, 16, 4, 4 };

   if (one_in(c, 24))
      return;
   switch (opcode) {
   case SGPU_PACKET_CONSTANTS:
      set_span(c, p + 3, p + 2, 4);
      break;
   case SGPU_PACKET_CONSTANT_VERSION:
      /* Use few contexts, so that they have often been opened. */
      p[1] = (p[1] & ~0xff00u) | take(c, 3) << 8;
      if (p[1] >> 16 & 1) {
         set_span(c, p + 3, p + 2, 4);
         p[2] = 1 + p[2] % 4096;
      } else {
         p[1] &= ~(1u << 17);
         memset(p + 2, 0, 3 * sizeof(*p));
      }
      for (unsigned i = 0; i < tail; i++) {
         uint32_t *run = SGPU_CONSTANT_VERSION_tail(p, i);
         run[0] = take(c, one_in(c, 8) ? 80 : 8) | (1 + take(c, 4)) << 16;
         set_span(c, run + 1, NULL, 4);
      }
      break;
   case SGPU_PACKET_VERTEX_BUFFERS:
      for (unsigned i = 0; i < tail; i++) {
         uint32_t *vb = SGPU_VERTEX_BUFFERS_tail(p, i);
         set_span(c, vb, vb + 2, 1);
      }
      break;
   case SGPU_PACKET_VERTEX_ELEMENTS:
      for (unsigned i = 0; i < tail; i++) {
         static const enum sgpu_format formats[] = {
            SGPU_FORMAT_R32G32B32A32_FLOAT, SGPU_FORMAT_R8G8B8A8_UNORM,
            SGPU_FORMAT_R16G16_SNORM,       SGPU_FORMAT_R32_FLOAT,
            SGPU_FORMAT_R64G64_FLOAT,       SGPU_FORMAT_R10G10B10A2_SSCALED,
            SGPU_FORMAT_R32G32_UINT,        SGPU_FORMAT_R11G11B10_FLOAT,
         };
         struct SGPU_VERTEX_ELEMENT element = { .format = formats[take(c, 8)] };
         element.offset = take(c, 64);
         element.buffer = take(c, 4);
         element.input = take(c, 8);
         element.divisor = one_in(c, 4) ? take(c, 4) : 0;
         SGPU_VERTEX_ELEMENT_pack(SGPU_VERTEX_ELEMENTS_tail(p, i), &element);
      }
      break;
   case SGPU_PACKET_XFB_OUTPUTS:
      /* strides */
      p[1] = (12 + take(c, 4)) | (12 + take(c, 4)) << 16;
      p[2] = (12 + take(c, 4)) | (12 + take(c, 4)) << 16;
      for (unsigned i = 0; i < tail; i++) {
         struct SGPU_XFB_OUTPUT element = { .output = SGPU_VO_HPOS };
         if (take(c, 2))
            element.output = one_in(c, 3) ? take(c, 64) : SGPU_VO_GEN0 + take(c, 2);
         element.first = take(c, 4);
         element.components = 1 + take(c, 4 - element.first);
         element.buffer = take(c, 4);
         element.vertex_stream = one_in(c, 12) ? take(c, 4) : 0;
         element.offset = take(c, 8);
         SGPU_XFB_OUTPUT_pack(SGPU_XFB_OUTPUTS_tail(p, i), &element);
      }
      break;
   case SGPU_PACKET_XFB_BUFFERS:
      for (unsigned i = 0; i < tail; i++) {
         uint32_t *b = SGPU_XFB_BUFFERS_tail(p, i);
         const uint64_t counter = one_in(c, 8) ? 0 : xfb_counter(c);
         set_span(c, b, b + 4, 4);
         b[2] = (uint32_t)counter;
         b[3] = (uint32_t)(counter >> 32);
      }
      break;
   case SGPU_PACKET_COPY_BUFFER:
      set_span(c, p + 1, p + 5, 1);
      set_span(c, p + 3, NULL, 1);
      p[6] = 0;
      break;
   case SGPU_PACKET_FILL_BUFFER:
      p[5] = patterns[take(c, 8)];
      set_span(c, p + 1, p + 3, p[5]);
      p[4] = 0;
      break;
   case SGPU_PACKET_BEGIN_QUERY:
   case SGPU_PACKET_END_QUERY:
      /* type and slot */
      p[1] = take(c, 6) | take(c, 4) << 4;
      if (opcode == SGPU_PACKET_END_QUERY) {
         if (take(c, 4))
            result_address(c, p + 2);
         else
            set_span(c, p + 2, NULL, 8);
      }
      break;
   case SGPU_PACKET_PREDICATE:
   case SGPU_PACKET_STORE_RESULT:
      /* value and triples, Inverted or type */
      p[1] = take(c, 5) | take(c, 5) << 3 | take(c, opcode == SGPU_PACKET_PREDICATE ? 2 : 4) << 6;
      if (take(c, 4))
         result_address(c, p + 2);
      else
         set_span(c, p + 2, NULL, 8);
      if (opcode == SGPU_PACKET_STORE_RESULT) {
         if (take(c, 4))
            result_address(c, p + 4);
         else
            set_span(c, p + 4, NULL, 1);
      }
      break;
   case SGPU_PACKET_TEXTURES:
   case SGPU_PACKET_SAMPLERS:
      p[1] = one_in(c, 8) ? 1u << 11 | take(c, 520) << 12 : any_stage(c) | take(c, 4) << 3;
      break;
   case SGPU_PACKET_BUFFERS:
   case SGPU_PACKET_IMAGES:
      p[1] = any_stage(c) | take(c, 4) << 3;
      if (opcode == SGPU_PACKET_IMAGES && one_in(c, 8))
         p[1] = 1u << 11 | take(c, 520) << 12;
      for (unsigned i = 0; i < tail && opcode == SGPU_PACKET_BUFFERS; i++) {
         uint32_t *b = SGPU_BUFFERS_tail(p, i);
         set_span(c, b, b + 2, 4);
      }
      for (unsigned i = 0; i < tail && opcode == SGPU_PACKET_IMAGES; i++)
         one_level(SGPU_IMAGES_tail(p, i));
      break;
   case SGPU_PACKET_VIEW:
      /* view, Multiview */
      p[1] = take(c, 3) | take(c, 2) << 16;
      break;
   case SGPU_PACKET_STAGE_INPUTS:
      if (!one_in(c, 8))
         p[1] = SGPU_STAGE_TESS_CTRL + take(c, 3);
      break;
   case SGPU_PACKET_TESS_LEVELS:
      /* Most levels are small, since a long run with many vertices is not a finding. */
      for (unsigned i = 1; i < 7; i++) {
         const float level = (float)take(c, 512) / 64.0f;
         if (!one_in(c, 8))
            memcpy(&p[i], &level, 4);
      }
      break;
   default:
      break;
   }
}

/* Packs a random packet of this kind. Returns its number of words. */
static uint32_t
any_packet(struct choices *c, enum sgpu_packet opcode, uint32_t *p)
{
   const struct sgpu_struct_info *info = sgpu_packet_info(opcode);
   unsigned tail = 0;

   switch (opcode) {
   case SGPU_PACKET_SHADER:
      fuzz_shader(c, p, any_stage(c));
      return info->length;
   case SGPU_PACKET_DRAW:
      any_draw(c, p);
      return info->length;
   case SGPU_PACKET_DRAW_INDIRECT:
      any_indirect_draw(c, p);
      return info->length;
   case SGPU_PACKET_GRID:
      any_grid(c, p);
      return info->length;
   case SGPU_PACKET_BLEND:
      tail = 8;
      break;
   case SGPU_PACKET_FRAMEBUFFER: {
      const unsigned colors = take(c, 4);
      const bool depth = take(c, 2);
      c->samples = one_in(c, 6) ? 1 << take(c, 5) : 1;
      const struct SGPU_FRAMEBUFFER fb = {
         .tail_count = colors + depth,
         .colors = colors,
         .depth = depth,
         .width = take(c, 100),
         .height = take(c, 100),
         .layers = take(c, 4),
      };
      SGPU_FRAMEBUFFER_pack(p, &fb);
      for (unsigned i = 0; i < colors; i++)
         fuzz_surface(c, SGPU_FRAMEBUFFER_tail(p, i), USE_COLOR);
      if (depth)
         fuzz_surface(c, SGPU_FRAMEBUFFER_tail(p, colors), USE_DEPTH);
      return p[0] >> 8;
   }
   case SGPU_PACKET_XFB_BUFFERS:
      tail = take(c, 5);
      break;
   default:
      if (info->tail)
         tail = take(c, 6);
      break;
   }

   fuzz_struct(c, info, p);
   for (unsigned i = 0; i < tail; i++)
      fuzz_struct(c, info->tail, p + info->length + i * info->tail->length);
   const uint32_t words = info->length + (info->tail ? tail * info->tail->length : 0);
   p[0] = sgpu_packet_header(opcode, words);

   in_reach(c, opcode, p, tail);
   return words;
}

static void
emit(struct choices *c, struct out *out, enum sgpu_packet opcode)
{
   uint32_t p[MAX_PACKET];
   memset(p, 0, sizeof(p));
   if (out->count + MAX_PACKET > STREAM_WORDS)
      return;
   const uint32_t words = any_packet(c, opcode, p);
   if (one_in(c, 64))
      p[take(c, words)] ^= 1u << take(c, 32);
   memcpy(out->words + out->count, p, words * 4);
   out->count += words;
   out->draws += opcode == SGPU_PACKET_DRAW || opcode == SGPU_PACKET_DRAW_INDIRECT;
}

/* Emits textures and samplers for all units that the pixel program uses. */
static void
usual_textures(struct choices *c, struct out *out)
{
   enum { UNITS = 4 };
   uint32_t *w = out->words + out->count;

   memset(w, 0, SGPU_TEXTURES_length(UNITS) * 4);
   sgpu_pack(w, TEXTURES, cfg) {
      cfg.tail_count = UNITS;
      cfg.stage = SGPU_STAGE_PIXEL;
   }
   for (unsigned i = 0; i < UNITS; i++)
      fuzz_struct(c, sgpu_struct_info("TEXTURE"), SGPU_TEXTURES_tail(w, i));
   out->count += SGPU_TEXTURES_length(UNITS);

   w = out->words + out->count;
   memset(w, 0, SGPU_SAMPLERS_length(UNITS) * 4);
   sgpu_pack(w, SAMPLERS, cfg) {
      cfg.tail_count = UNITS;
      cfg.stage = SGPU_STAGE_PIXEL;
   }
   for (unsigned i = 0; i < UNITS; i++) {
      const struct SGPU_SAMPLER sampler = {
         .wrap_s = take(c, 8),
         .wrap_t = take(c, 8),
         .wrap_r = take(c, 8),
         .min_filter = take(c, 2),
         .mag_filter = take(c, 2),
         .mip_filter = take(c, 3),
         .compare_enable = one_in(c, 4),
         .compare = take(c, 8),
         .unnormalized = one_in(c, 16),
         .seamless = take(c, 2),
         .max_anisotropy = one_in(c, 4) ? take(c, 17) : 0,
         .max_lod = (float)take(c, 8),
         .border_0 = noise(c),
         .border_3 = 0x3f800000,
      };
      SGPU_SAMPLER_pack(SGPU_SAMPLERS_tail(w, i), &sampler);
   }
   out->count += SGPU_SAMPLERS_length(UNITS);
}

/* Emits random state of tests, mostly such that pixels are drawn. */
static void
usual_tests(struct choices *c, struct out *out)
{
   uint32_t *w = out->words + out->count;
   emit(c, out, SGPU_PACKET_RASTERIZER);
   if (take(c, 8)) {
      struct SGPU_RASTERIZER rast;
      if (!SGPU_RASTERIZER_unpack(w, &rast)) {
         rast.discard = rast.scissor = false;
         rast.cull = one_in(c, 4) ? rast.cull : SGPU_CULL_NONE;
         rast.clip_planes = one_in(c, 4) ? rast.clip_planes : 0;
         SGPU_RASTERIZER_pack(w, &rast);
      }
   }
   w = out->words + out->count;
   emit(c, out, SGPU_PACKET_DEPTH_STENCIL);
   if (take(c, 2)) {
      struct SGPU_DEPTH_STENCIL dsa;
      if (!SGPU_DEPTH_STENCIL_unpack(w, &dsa)) {
         dsa.depth_func = one_in(c, 2) ? SGPU_COMPARE_LEQUAL : SGPU_COMPARE_ALWAYS;
         dsa.alpha_test = dsa.front.enable = dsa.back.enable = false;
         SGPU_DEPTH_STENCIL_pack(w, &dsa);
      }
   }
   w = out->words + out->count;
   emit(c, out, SGPU_PACKET_BLEND);
   for (unsigned i = 0; i < 8 && w < out->words + out->count; i++) {
      struct SGPU_BLEND_TARGET target;
      if (!SGPU_BLEND_TARGET_unpack(SGPU_BLEND_tail(w, i), &target)) {
         target.write_mask = 15;
         SGPU_BLEND_TARGET_pack(SGPU_BLEND_tail(w, i), &target);
      }
   }
}

/* Emits state with which draws have visible effects. */
static void
usual_state(struct choices *c, struct out *out)
{
   uint32_t *w = out->words;
#define PUT(X, cfg)                     \
   w = out->words + out->count;         \
   memset(w, 0, SGPU_##X##_LENGTH * 4); \
   out->count += SGPU_##X##_LENGTH;     \
   sgpu_pack(w, X, cfg)

   emit(c, out, SGPU_PACKET_FRAMEBUFFER);
   PUT(VIEWPORT, cfg) {
      cfg.scale_x = cfg.translate_x = cfg.scale_y = cfg.translate_y = 32.0f;
      cfg.scale_z = cfg.translate_z = 0.5f;
   }
   static const enum sgpu_stage stages[] = {
      SGPU_STAGE_VERTEX,    SGPU_STAGE_PIXEL,    SGPU_STAGE_TESS_CTRL,
      SGPU_STAGE_TESS_EVAL, SGPU_STAGE_GEOMETRY, SGPU_STAGE_COMPUTE,
   };
   const bool geometry = one_in(c, 3), compute = !one_in(c, 8);
   c->tessellates = one_in(c, 3);
   const bool control = c->tessellates && take(c, 2);
   const bool bound[] = { true, true, control, c->tessellates, geometry, compute };
   for (unsigned i = 0; i < sizeof(stages) / sizeof(stages[0]); i++) {
      if (!bound[i])
         continue;
      PUT(CONSTANTS, cfg) {
         cfg.stage = stages[i];
         cfg.size = 2048;
         cfg.address = sgpu_bo_address(fuzz_world.areas[AREA_CONSTANTS]);
      }
      fuzz_shader(c, out->words + out->count, stages[i]);
      out->count += SGPU_SHADER_LENGTH;
   }
   PUT(VERTEX_BUFFERS, cfg)
      cfg.tail_count = 1;
   sgpu_pack(SGPU_VERTEX_BUFFERS_tail(w, 0), VERTEX_BUFFER, cfg) {
      cfg.address = sgpu_bo_address(fuzz_image(c));
      cfg.size = AREA_SIZE - take(c, 64);
      cfg.stride = 16 + take(c, 64);
   }
   out->count += SGPU_VERTEX_BUFFER_LENGTH;
   PUT(VERTEX_ELEMENTS, cfg)
      cfg.tail_count = 2;
   for (unsigned i = 0; i < 2; i++) {
      sgpu_pack(SGPU_VERTEX_ELEMENTS_tail(w, i), VERTEX_ELEMENT, cfg) {
         cfg.format = i ? SGPU_FORMAT_R8G8B8A8_UNORM : SGPU_FORMAT_R32G32B32A32_FLOAT;
         cfg.input = i;
      }
      out->count += SGPU_VERTEX_ELEMENT_LENGTH;
   }
   PUT(VARYINGS, cfg)
      cfg.tail_count = 2;
   for (unsigned i = 0; i < 2; i++) {
      sgpu_pack(SGPU_VARYINGS_tail(w, i), VARYING, cfg) {
         cfg.output = SGPU_VO_GEN0 + i;
         cfg.mask = 15;
      }
      out->count += SGPU_VARYING_LENGTH;
   }
   for (unsigned k = 2; k < 5; k++) {
      if (!bound[k])
         continue;
      PUT(STAGE_INPUTS, cfg) {
         cfg.tail_count = 3;
         cfg.stage = stages[k];
      }
      for (unsigned i = 0; i < 3; i++) {
         sgpu_pack(SGPU_STAGE_INPUTS_tail(w, i), STAGE_INPUT, cfg) {
            cfg.output = i ? SGPU_VO_GEN0 + i - 1 : SGPU_VO_HPOS;
            cfg.valid = true;
         }
         out->count += SGPU_STAGE_INPUT_LENGTH;
      }
   }
   PUT(SAMPLE_MASK, cfg)
      cfg.mask = one_in(c, 8) ? noise(c) & 0xffff : 0xffff;
#undef PUT
   if (c->tessellates)
      emit(c, out, SGPU_PACKET_TESS_LEVELS);
   usual_textures(c, out);
   usual_tests(c, out);
}

uint32_t
fuzz_stream(struct choices *c, uint32_t *words)
{
   /* Frequent packets have several entries. */
   static const enum sgpu_packet opcodes[] = {
      SGPU_PACKET_DRAW,
      SGPU_PACKET_DRAW,
      SGPU_PACKET_DRAW,
      SGPU_PACKET_DRAW,
      SGPU_PACKET_FRAMEBUFFER,
      SGPU_PACKET_VIEWPORT,
      SGPU_PACKET_SCISSOR,
      SGPU_PACKET_RASTERIZER,
      SGPU_PACKET_DEPTH_STENCIL,
      SGPU_PACKET_STENCIL_REF,
      SGPU_PACKET_BLEND,
      SGPU_PACKET_BLEND_COLOR,
      SGPU_PACKET_SAMPLE_MASK,
      SGPU_PACKET_WINDOW_RECTANGLES,
      SGPU_PACKET_VIEW,
      SGPU_PACKET_SHADER,
      SGPU_PACKET_CONSTANTS,
      SGPU_PACKET_CONSTANT_VERSION,
      SGPU_PACKET_CONSTANT_VERSION,
      SGPU_PACKET_VERTEX_ELEMENTS,
      SGPU_PACKET_VERTEX_BUFFERS,
      SGPU_PACKET_TEXTURES,
      SGPU_PACKET_SAMPLERS,
      SGPU_PACKET_VARYINGS,
      SGPU_PACKET_POLYGON_STIPPLE,
      SGPU_PACKET_CLEAR,
      SGPU_PACKET_CLEAR_SURFACE,
      SGPU_PACKET_COPY_BUFFER,
      SGPU_PACKET_FILL_BUFFER,
      SGPU_PACKET_COPY_SURFACE,
      SGPU_PACKET_BLIT,
      SGPU_PACKET_BEGIN_QUERY,
      SGPU_PACKET_END_QUERY,
      SGPU_PACKET_MARKER,
      SGPU_PACKET_NOP,
      SGPU_PACKET_CLIP_PLANES,
      SGPU_PACKET_RESOLVE_SURFACE,
      SGPU_PACKET_STAGE_INPUTS,
      SGPU_PACKET_XFB_OUTPUTS,
      SGPU_PACKET_XFB_BUFFERS,
      SGPU_PACKET_XFB_OUTPUTS,
      SGPU_PACKET_XFB_BUFFERS,
      SGPU_PACKET_DRAW_INDIRECT,
      SGPU_PACKET_PREDICATE,
      SGPU_PACKET_STORE_RESULT,
      SGPU_PACKET_TESS_LEVELS,
      SGPU_PACKET_DEPTH_BOUNDS,
      SGPU_PACKET_COVERAGE,
      SGPU_PACKET_CLOCK,
      SGPU_PACKET_COVERAGE,
      SGPU_PACKET_BUFFERS,
      SGPU_PACKET_BUFFERS,
      SGPU_PACKET_IMAGES,
      SGPU_PACKET_GRID,
      SGPU_PACKET_GRID,
      SGPU_PACKET_GRID,
   };
   struct out out = { .words = words };

   static bool checked;
   for (uint32_t opcode = 0; !checked && opcode < 256; opcode++) {
      bool listed = opcode == SGPU_PACKET_END;
      for (unsigned i = 0; i < sizeof(opcodes) / sizeof(opcodes[0]); i++)
         listed |= opcodes[i] == opcode;
      fuzz_require(listed == (sgpu_packet_class(opcode) != SGPU_PACKET_CLASS_NONE),
                   "a packet is not in the list of fuzz_stream()");
   }
   checked = true;

   if (!one_in(c, 16))
      usual_state(c, &out);
   while (c->left && out.count + MAX_PACKET <= STREAM_WORDS && out.draws < MAX_DRAWS)
      emit(c, &out, opcodes[take(c, sizeof(opcodes) / sizeof(opcodes[0]))]);
   if (out.count < STREAM_WORDS && !one_in(c, 8))
      words[out.count++] = sgpu_packet_header(SGPU_PACKET_END, SGPU_END_LENGTH);
   return out.count;
}
