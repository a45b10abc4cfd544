/* SPDX-License-Identifier: MIT */
/*
 * Scenes of depth and stencil.
 */
#include "scene.h"

static void
depth_target(struct scene *s, enum sgpu_format format)
{
   static const float background[4] = { 0.125f, 0.25f, 0.5f, 1.0f };
   s->st.zs = scene_target(s, format, SCENE_W, SCENE_H);
   scene_clear(s, background, 0.625, 3);
}

static void
draw_some(struct scene *s)
{
   scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 12, 90.0f), 36);
}

/* All depth functions, with and without writes. */
static void
depth(struct scene *s, uint64_t format)
{
   depth_target(s, format);
   s->st.dsa.depth_test = true;
   for (unsigned i = 0; i < 16; i++) {
      s->st.dsa.depth_func = i & 7;
      s->st.dsa.depth_write = i < 8;
      draw_some(s);
   }
}

/* Programs that change depth, drop pixels, or choose when tests run. */
static void
depth_programs(struct scene *s)
{
   depth_target(s, SGPU_FORMAT_Z32_FLOAT_S8X24_UINT);
   s->st.dsa.depth_test = s->st.dsa.depth_write = true;
   s->constants[0][0] = 0.5f;
   const struct SGPU_SHADER programs[] = {
      scene_program(s, "!!SGFP1.0\nMOV o[DEPR].x, v[1].x; MOV o[COLR0], v[0];\nEND\n"),
      scene_program(s, "!!SGFP1.0\n"
                       "FSETP.LT P0.x, v[1].x, c[0].x; (P0.x) KIL; MOV o[COLR0], v[0];\nEND\n"),
      scene_program(s, "!!SGFP1.0\n"
                       "FSETP.LT P0.x, v[1].y, c[0].x; (P0.x) DMT; DDX R0, v[0];\n"
                       "ADD o[COLR0], v[0], R0;\nEND\n"),
      scene_program(s, "!!SGFP1.0\n"
                       "FSETP.LT P0.x, v[1].x, c[0].x; (P0.x) KIL; MOV o[COLR0], v[0];\n"
                       "MUL o[DEPR].x, v[1].z, c[0].x;\nEND\n"),
   };
   for (unsigned i = 0; i < 8; i++) {
      s->st.ps = programs[i & 3];
      s->st.ps.early_tests = i >> 2;
      draw_some(s);
   }
}

static void
depth_offset(struct scene *s)
{
   static const float clamps[] = { 0.0f, 0.01f, -0.01f };
   s->st.dsa.depth_test = s->st.dsa.depth_write = true;
   s->st.rast.offset_tri = true;
   for (unsigned i = 0; i < 12; i++) {
      s->st.rast.offset_scale = scene_float(s, -2.0f, 2.0f);
      s->st.rast.offset_units = scene_float(s, -4000.0f, 4000.0f);
      s->st.rast.offset_clamp = clamps[i % 3];
      s->st.rast.offset_units_unscaled = i & 1;
      if (i == 6)
         depth_target(s, SGPU_FORMAT_Z32_FLOAT);
      draw_some(s);
   }
}

/* The same plane again, with every function for which equal depths matter. */
static void
depth_ties(struct scene *s)
{
   const uint32_t first = scene_triangles(s, 20, 100.0f);
   s->st.dsa.depth_test = s->st.dsa.depth_write = true;
   s->st.dsa.depth_func = SGPU_COMPARE_LESS;
   scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, first, 60);
   scene_blend(s, SGPU_BLEND_FACTOR_CONST_COLOR, SGPU_BLEND_FACTOR_ONE, SGPU_BLEND_FACTOR_ONE,
               SGPU_BLEND_FACTOR_ZERO);
   s->st.blend_color = (struct SGPU_BLEND_COLOR){ .r = 0.25f, .g = 0.125f, .b = 0.5f };
   s->st.dsa.depth_func = SGPU_COMPARE_EQUAL;
   scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, first, 60);
   s->st.dsa.depth_func = SGPU_COMPARE_LEQUAL;
   scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, first + 30, 30);
   s->st.dsa.depth_func = SGPU_COMPARE_NOTEQUAL;
   scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, first, 60);
}

/* The same memory as depth of several formats and as colours, in turns. Z-cull data of one format
 * is not valid for another.
 */
static void
depth_views(struct scene *s)
{
   static const enum sgpu_format formats[] = {
      SGPU_FORMAT_Z32_FLOAT,
      SGPU_FORMAT_Z24_UNORM_S8_UINT,
      SGPU_FORMAT_S8_UINT_Z24_UNORM,
      SGPU_FORMAT_Z32_UNORM,
   };
   static const enum sgpu_compare funcs[] = {
      SGPU_COMPARE_LESS,   SGPU_COMPARE_GREATER, SGPU_COMPARE_LEQUAL,
      SGPU_COMPARE_GEQUAL, SGPU_COMPARE_EQUAL,   SGPU_COMPARE_ALWAYS,
   };
   const struct scene_image color = s->st.color[0], none = { 0 };
   struct scene_image depth = s->st.zs, raw = depth;
   raw.layout.format = SGPU_FORMAT_R8G8B8A8_UNORM;

   for (unsigned i = 0; i < 80; i++) {
      depth.layout.format = formats[scene_below(s, 4)];
      const uint32_t what = scene_below(s, 6);
      if (what < 2) {
         SCENE_EMIT(s, CLEAR_SURFACE, cfg) {
            cfg.color = cfg.depth = cfg.stencil = true;
            cfg.surface = scene_surface(what ? &raw : &depth, 0, 0, 1);
            cfg.color_0 = cfg.color_3 = scene_below(s, 2) ? 0x3f800000 : 0;
            cfg.depth_value = scene_float(s, 0.0f, 1.0f);
            cfg.rect = (struct SGPU_RECT){ .x1 = SCENE_W, .y1 = SCENE_H };
            if (scene_below(s, 2))
               cfg.rect.x0 = scene_below(s, SCENE_W / 2);
         }
         continue;
      }
      s->st.color[0] = what == 2 ? raw : color;
      s->st.zs = what == 2 ? none : depth;
      s->st.dsa.depth_test = what != 2;
      s->st.dsa.depth_write = scene_below(s, 2);
      s->st.dsa.depth_func = funcs[scene_below(s, 6)];
      draw_some(s);
   }
   s->st.color[0] = color;
   s->st.zs = depth;
}

static struct SGPU_STENCIL_FACE
random_face(struct scene *s)
{
   struct SGPU_STENCIL_FACE face = { .enable = true };
   face.func = scene_below(s, 8);
   face.fail = scene_below(s, 8);
   face.depth_fail = scene_below(s, 8);
   face.pass = scene_below(s, 8);
   face.read_mask = scene_below(s, 256);
   face.write_mask = scene_below(s, 256);
   return face;
}

static void
stencil(struct scene *s, uint64_t format)
{
   depth_target(s, format);
   for (unsigned i = 0; i < 40; i++) {
      s->st.dsa.front = random_face(s);
      s->st.dsa.back = random_face(s);
      s->st.dsa.back.enable = scene_below(s, 2);
      s->st.dsa.depth_test = scene_below(s, 2);
      s->st.dsa.depth_write = scene_below(s, 2);
      s->st.ref.front = scene_below(s, 256);
      s->st.ref.back = scene_below(s, 256);
      s->st.rast.front_ccw = scene_below(s, 2);
      scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 6, 90.0f), 18);
   }
}

/* Clears of depth, stencil or both, of all or a part of the target, fast or not, between draws that
 * write depth or both. Draws must see the cleared values.
 */
static void
depth_clears(struct scene *s, uint64_t format)
{
   depth_target(s, format);
   s->st.dsa.depth_test = true;
   s->st.dsa.depth_write = true;
   s->st.dsa.depth_func = SGPU_COMPARE_LESS;
   for (unsigned i = 0; i < 60; i++) {
      const uint32_t what = scene_below(s, 10);
      if (what < 4) {
         SCENE_EMIT(s, CLEAR_SURFACE, cfg) {
            cfg.depth = what != 0 || scene_below(s, 2);
            cfg.stencil = what == 0;
            cfg.surface = scene_surface(&s->st.zs, 0, 0, 1);
            cfg.surface.fast_clear &= scene_below(s, 2);
            cfg.depth_value = scene_below(s, 2) ? 1.0 : 0.75;
            cfg.stencil_value = scene_below(s, 2) ? 3 : 200;
            cfg.rect = (struct SGPU_RECT){ .x1 = SCENE_W, .y1 = SCENE_H };
            if (scene_below(s, 4) == 0)
               cfg.rect.x0 = scene_below(s, SCENE_W / 2);
         }
         continue;
      }
      s->st.dsa.front = s->st.dsa.back = (struct SGPU_STENCIL_FACE){ 0 };
      if (what < 7)
         s->st.dsa.front = random_face(s);
      scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 3, 120.0f), 9);
   }
}

/* Stencil reference values that a program writes. */
static void
stencil_program(struct scene *s)
{
   s->st.ps = scene_program(s, "!!SGFP1.0\n"
                               "MUL R0.x, v[1].x, c[0].x; F2U o[STEN].x, R0.x;\n"
                               "MOV o[COLR0], v[0];\nEND\n");
   s->constants[0][0] = 255.0f;
   for (unsigned i = 0; i < 16; i++) {
      s->st.dsa.front = random_face(s);
      s->st.dsa.front.pass = SGPU_STENCIL_OP_REPLACE;
      draw_some(s);
   }
}

/* Occlusion and pipeline statistics queries, whose numbers are hashed. */
static void
queries(struct scene *s)
{
   struct sgpu_bo *bo = scene_bo(s, 4096);
   scene_result(s, bo);
   s->st.dsa.depth_test = s->st.dsa.depth_write = true;
   for (unsigned i = 0; i < 8; i++) {
      static const enum sgpu_query_type types[] = {
         SGPU_QUERY_TYPE_OCCLUSION_COUNTER,
         SGPU_QUERY_TYPE_OCCLUSION_PREDICATE,
         SGPU_QUERY_TYPE_PIPELINE_STATISTICS,
         SGPU_QUERY_TYPE_PRIMITIVES_GENERATED,
      };
      scene_begin_query(s, types[i & 3], i);
      draw_some(s);
      if (i & 1)
         scene_submit(s);
      scene_draw(s, SGPU_PRIMITIVE_LINE_STRIP, scene_triangles(s, 6, 50.0f), 18);
      scene_end_query(s, types[i & 3], i, sgpu_bo_address(bo) + i * 128);
   }
}

/* Depth bounds: alone, with tests that move depths into and out of the bounds, and with stencil
 * values that only fragments inside the bounds count.
 */
static void
depth_bounds(struct scene *s)
{
   static const enum sgpu_format formats[] = {
      SGPU_FORMAT_Z16_UNORM,
      SGPU_FORMAT_Z24_UNORM_S8_UINT,
      SGPU_FORMAT_Z32_UNORM,
      SGPU_FORMAT_Z32_FLOAT_S8X24_UINT,
   };
   const struct SGPU_SHADER plain = s->st.ps;
   const struct SGPU_SHADER own_depth =
      scene_program(s, "!!SGFP1.0\nMOV o[DEPR].x, v[1].x; MOV o[COLR0], v[0];\nEND\n");

   for (unsigned f = 0; f < 4; f++) {
      depth_target(s, formats[f]);
      s->st.dsa = (struct SGPU_DEPTH_STENCIL){ SGPU_DEPTH_STENCIL_header, .depth_test = true,
                                               .depth_write = true,
                                               .depth_func = SGPU_COMPARE_ALWAYS };
      draw_some(s);
      s->st.dsa.bounds_test = true;
      for (unsigned i = 0; i < 12; i++) {
         s->st.depth_bounds = (struct SGPU_DEPTH_BOUNDS){
            SGPU_DEPTH_BOUNDS_header,
            .min = i == 3 ? 0.625 : scene_float(s, 0.0f, 0.5f),
            .max = i == 3 ? 0.625 : scene_float(s, 0.25f, 1.0f),
         };
         s->st.dsa.depth_test = i != 2 && i != 3;
         s->st.dsa.depth_write = i & 1;
         s->st.dsa.depth_func = i & 4 ? SGPU_COMPARE_LESS : SGPU_COMPARE_GEQUAL;
         s->st.dsa.front = (struct SGPU_STENCIL_FACE){
            SGPU_STENCIL_FACE_header,
            .enable = i >= 6,
            .func = SGPU_COMPARE_ALWAYS,
            .fail = SGPU_STENCIL_OP_KEEP,
            .depth_fail = SGPU_STENCIL_OP_DECR_WRAP,
            .pass = SGPU_STENCIL_OP_INCR_WRAP,
            .read_mask = 0xff,
            .write_mask = 0xff,
         };
         s->st.ps = i == 5 || i == 10 ? own_depth : plain;
         draw_some(s);
      }
      s->st.ps = plain;
   }
}

const struct scene_info scenes_depth[] = {
   { "depth-z16", NULL, depth, SGPU_FORMAT_Z16_UNORM },
   { "depth-z24s8", NULL, depth, SGPU_FORMAT_Z24_UNORM_S8_UINT },
   { "depth-s8z24", NULL, depth, SGPU_FORMAT_S8_UINT_Z24_UNORM },
   { "depth-z24x8", NULL, depth, SGPU_FORMAT_Z24X8_UNORM },
   { "depth-z32", NULL, depth, SGPU_FORMAT_Z32_UNORM },
   { "depth-z32f", NULL, depth, SGPU_FORMAT_Z32_FLOAT },
   { "depth-programs", depth_programs },
   { "depth-bounds", depth_bounds },
   { "depth-offset", depth_offset },
   { "depth-ties", depth_ties },
   { "depth-views", depth_views },
   { "depth-clears-z24s8", NULL, depth_clears, SGPU_FORMAT_Z24_UNORM_S8_UINT },
   { "depth-clears-z32fs8", NULL, depth_clears, SGPU_FORMAT_Z32_FLOAT_S8X24_UINT },
   { "depth-clears-z24x8", NULL, depth_clears, SGPU_FORMAT_Z24X8_UNORM },
   { "stencil-z24s8", NULL, stencil, SGPU_FORMAT_Z24_UNORM_S8_UINT },
   { "stencil-s8z24", NULL, stencil, SGPU_FORMAT_S8_UINT_Z24_UNORM },
   { "stencil-z32fs8", NULL, stencil, SGPU_FORMAT_Z32_FLOAT_S8X24_UINT },
   { "stencil-s8", NULL, stencil, SGPU_FORMAT_S8_UINT },
   { "stencil-program", stencil_program },
   { "queries", queries },
   { NULL, NULL },
};
