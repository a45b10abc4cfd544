/* SPDX-License-Identifier: MIT */
/*
 * Scenes of primitives: assembly, clipping, culling, fill rules, interpolation.
 */
#include <math.h>

#include "scene.h"

/* A grid of triangles with shared edges, many of them through centres or corners of pixels. Each
 * pixel is drawn once.
 */
static void
mesh(struct scene *s)
{
   enum { N = 8 };
   const uint32_t first = s->num_vertices;
   for (unsigned y = 0; y <= N; y++) {
      for (unsigned x = 0; x <= N; x++) {
         const float wx = 19 * x + (int)scene_below(s, 17) / 2.0f - 4.0f;
         const float wy = 14 * y + (x & 2) * 0.25f;
         scene_vertex(s, wx, wy, scene_float(s, 0, 1), 1.0f);
      }
   }
   uint32_t n = 0;
   for (unsigned y = 0; y < N; y++) {
      for (unsigned x = 0; x < N; x++) {
         const uint32_t v = first + y * (N + 1) + x;
         const uint32_t quad[6] = { v, v + 1, v + N + 1, v + 1, v + N + 2, v + N + 1 };
         for (unsigned k = 0; k < 6; k++)
            s->indices[n++] = quad[k];
      }
   }
   const struct SGPU_DRAW draw = {
      .primitive = SGPU_PRIMITIVE_TRIANGLES,
      .index_size = SGPU_INDEX_SIZE_U32,
      .count = n,
      .instances = 1,
      .index_address = sgpu_bo_address(s->index_bo),
      .index_bytes = n * 4,
   };
   scene_draw_packet(s, &draw);
}

enum { BOTTOM_EDGES = 1, HALF_PIXELS = 2 };

static void
fill_rule(struct scene *s, uint64_t rules)
{
   s->st.rast.bottom_edge_rule = rules & BOTTOM_EDGES;
   s->st.rast.half_pixel_center = rules & HALF_PIXELS;
   scene_blend_add(s);
   mesh(s);
}

static void
small_triangles(struct scene *s)
{
   scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 1500, 8.0f), 4500);
}

static void
medium_triangles(struct scene *s)
{
   scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 200, 60.0f), 600);
}

static void
huge_triangles(struct scene *s)
{
   for (unsigned i = 0; i < 4; i++) {
      const float size = 1000.0f * (1u << 3 * i);
      scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 8, size), 24);
   }
}

static const enum sgpu_primitive all_primitives[] = {
   SGPU_PRIMITIVE_POINTS,
   SGPU_PRIMITIVE_LINES,
   SGPU_PRIMITIVE_LINE_LOOP,
   SGPU_PRIMITIVE_LINE_STRIP,
   SGPU_PRIMITIVE_TRIANGLES,
   SGPU_PRIMITIVE_TRIANGLE_STRIP,
   SGPU_PRIMITIVE_TRIANGLE_FAN,
   SGPU_PRIMITIVE_QUADS,
   SGPU_PRIMITIVE_QUAD_STRIP,
   SGPU_PRIMITIVE_POLYGON,
   SGPU_PRIMITIVE_LINES_ADJACENCY,
   SGPU_PRIMITIVE_LINE_STRIP_ADJACENCY,
   SGPU_PRIMITIVE_TRIANGLES_ADJACENCY,
   SGPU_PRIMITIVE_TRIANGLE_STRIP_ADJACENCY,
};
enum { NUM_PRIMITIVES = sizeof(all_primitives) / sizeof(all_primitives[0]) };

static void
primitives(struct scene *s, uint64_t interpolation)
{
   scene_varyings(s, 3, interpolation);
   for (unsigned i = 0; i < NUM_PRIMITIVES; i++) {
      const uint32_t start = scene_random_vertices(s, 19);
      scene_draw(s, all_primitives[i], start, 19);
   }
}

static void
primitives_first(struct scene *s)
{
   s->st.rast.flatshade_first = true;
   primitives(s, SGPU_INTERPOLATION_FLAT);
}

/* Long strips, which need more than one batch. */
static void
long_strips(struct scene *s)
{
   static const enum sgpu_primitive strips[] = {
      SGPU_PRIMITIVE_TRIANGLE_STRIP,
      SGPU_PRIMITIVE_LINE_STRIP,
      SGPU_PRIMITIVE_TRIANGLE_FAN,
      SGPU_PRIMITIVE_QUAD_STRIP,
   };
   const uint32_t first = s->num_vertices;
   for (unsigned i = 0; i < 2500; i++) {
      const float x = (float)(i % 100) * (SCENE_W / 100.0f);
      scene_vertex(s, x, (float)(i / 100 * 4 + (i & 1) * 5), 0.5f, 1.0f);
   }
   scene_blend_add(s);
   for (unsigned i = 0; i < 4; i++)
      scene_draw(s, strips[i], first + i, 2500 - i);
}

/* Every index size, restart, bias, and indices and vertices out of range. */
static void
indices(struct scene *s)
{
   const uint32_t first = scene_triangles(s, 60, 50.0f);
   uint8_t *u8 = (uint8_t *)s->indices;
   uint16_t *u16 = (uint16_t *)(s->indices + 256);
   uint32_t *u32 = s->indices + 1024;
   for (unsigned i = 0; i < 200; i++) {
      u8[i] = scene_below(s, 8) ? (uint8_t)scene_below(s, 180) : 0xff;
      u16[i] = scene_below(s, 8) ? (uint16_t)scene_below(s, 180) : 0xffff;
      u32[i] = scene_below(s, 8) ? scene_below(s, 180) : scene_below(s, 2) ? ~0u : 0x7fffffff;
   }
   static const struct {
      enum sgpu_index_size size;
      uint32_t offset, bytes, restart;
   } sizes[] = {
      { SGPU_INDEX_SIZE_U8, 0, 200, 0xff },
      { SGPU_INDEX_SIZE_U16, 1024, 390, 0xffff },
      { SGPU_INDEX_SIZE_U32, 4096, 800, ~0u },
   };
   for (unsigned i = 0; i < NUM_PRIMITIVES; i++) {
      for (unsigned k = 0; k < 3; k++) {
         struct SGPU_DRAW draw = {
            .primitive = all_primitives[i],
            .index_size = sizes[k].size,
            .instances = 1,
            .restart_index = sizes[k].restart,
            .index_address = sgpu_bo_address(s->index_bo) + sizes[k].offset,
            .index_bytes = sizes[k].bytes,
         };
         draw.restart = scene_below(s, 2);
         draw.first = scene_below(s, 4);
         draw.count = 40 + scene_below(s, 160);
         draw.index_bias = (int32_t)first - (int32_t)scene_below(s, 3);
         scene_draw_packet(s, &draw);
      }
   }
}

static void
instances(struct scene *s)
{
   const uint32_t first = scene_triangles(s, 6, 40.0f), moves = s->num_vertices;
   for (unsigned i = 0; i < 8; i++)
      scene_random_vertex(s);
   s->st.num_buffers = 2;
   s->st.buffer[1] = s->st.buffer[0];
   s->st.buffer[1].address += moves * sizeof(struct scene_vertex);
   s->st.buffer[1].size = 7 * sizeof(struct scene_vertex);
   s->st.element[3].buffer = 1;
   s->st.element[3].divisor = 2;
   s->st.vs = scene_program(s, "!!SGVP1.0\n"
                               "I2F R0.x, s[INSTANCE_ID].x; I2F R0.y, s[BASE_VERTEX].z;\n"
                               "MAD R1.xyz, v[3], c[0], v[0];\n"
                               "MOV o[HPOS].xyz, R1; MOV o[HPOS].w, v[0].w;\n"
                               "MAD o[GEN0], R0.xyxy, c[1], v[1];\nEND\n");
   const struct SGPU_DRAW draw = {
      .primitive = SGPU_PRIMITIVE_TRIANGLES,
      .first = first,
      .count = 18,
      .instances = 11,
      .first_instance = 2,
   };
   scene_draw_packet(s, &draw);
}

/* Formats of vertex elements. */
static void
vertex_formats(struct scene *s)
{
   static const enum sgpu_format formats[] = {
      SGPU_FORMAT_R8G8B8A8_UNORM,     SGPU_FORMAT_R8G8B8A8_SNORM,
      SGPU_FORMAT_B8G8R8A8_UNORM,     SGPU_FORMAT_R8G8_USCALED,
      SGPU_FORMAT_R8G8B8_SSCALED,     SGPU_FORMAT_R16G16_UNORM,
      SGPU_FORMAT_R16G16B16_SNORM,    SGPU_FORMAT_R16G16B16A16_FLOAT,
      SGPU_FORMAT_R32_FLOAT,          SGPU_FORMAT_R32G32B32_UNORM,
      SGPU_FORMAT_R32G32_FIXED,       SGPU_FORMAT_R10G10B10A2_UNORM,
      SGPU_FORMAT_R10G10B10A2_SNORM,  SGPU_FORMAT_R11G11B10_FLOAT,
      SGPU_FORMAT_R64G64_FLOAT,       SGPU_FORMAT_R16_SSCALED,
      SGPU_FORMAT_R32G32B32A32_SNORM, SGPU_FORMAT_B10G10R10A2_USCALED,
   };
   struct sgpu_bo *bo = scene_bo(s, 64 * 1024);
   uint32_t *words = sgpu_bo_map(bo);
   for (unsigned i = 0; i < 64 * 1024 / 4; i++)
      words[i] = scene_random(s);
   s->st.num_buffers = 2;
   s->st.buffer[1].address = sgpu_bo_address(bo);
   s->st.buffer[1].size = 64 * 1024 - 3;
   s->st.buffer[1].stride = 37;
   s->st.element[1].buffer = 1;
   s->st.ps = scene_program(s, "!!SGFP1.0\nFRC o[COLR0], v[0];\nEND\n");
   for (unsigned i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
      s->st.element[1].format = formats[i];
      s->st.element[1].offset = i;
      scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 12, 40.0f), 36);
   }
}

enum { CLIP_HALFZ = 1, CLIP_NEAR = 2, CLIP_FAR = 4, CLIP_CLAMP = 8 };

/* Vertices on both sides of every plane, and behind the eye. */
static void
clip(struct scene *s, uint64_t flags)
{
   s->st.rast.clip_halfz = flags & CLIP_HALFZ;
   s->st.rast.depth_clip_near = flags & CLIP_NEAR;
   s->st.rast.depth_clip_far = flags & CLIP_FAR;
   s->st.rast.depth_clamp = flags & CLIP_CLAMP;
   s->st.dsa.depth_test = s->st.dsa.depth_write = true;
   s->st.dsa.depth_func = SGPU_COMPARE_LEQUAL;
   static const enum sgpu_primitive kinds[] = {
      SGPU_PRIMITIVE_TRIANGLES,
      SGPU_PRIMITIVE_LINES,
      SGPU_PRIMITIVE_POINTS,
   };
   for (unsigned k = 0; k < 3; k++) {
      const uint32_t first = s->num_vertices;
      for (unsigned i = 0; i < 90; i++) {
         const uint32_t v = scene_vertex(s, 0.0f, 0.0f, 0.0f, 1.0f);
         float *p = s->vertices[v].v[0];
         for (unsigned c = 0; c < 4; c++)
            p[c] = scene_float(s, c == 3 ? -0.5f : -2.0f, 2.0f);
      }
      scene_draw(s, kinds[k], first, 90);
   }
}

static void
clip_planes(struct scene *s)
{
   s->st.vs = scene_program(s, "!!SGVP1.0\n"
                               "MOV o[HPOS], v[0]; MOV o[GEN0], v[1];\n"
                               "ADD o[CLIP0], v[2], -c[0]; ADD o[CLIP1], v[3], -c[1];\nEND\n");
   for (unsigned c = 0; c < 8; c++)
      s->constants[c / 4][c % 4] = c / 16.0f;
   for (unsigned i = 0; i < 8; i++) {
      s->st.rast.clip_planes = (i * 37 + 1) & 0xff;
      scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 10, 80.0f), 30);
      const uint32_t first = scene_random_vertices(s, 20);
      scene_draw(s, SGPU_PRIMITIVE_LINES, first, 20);
   }
}

static void
culling(struct scene *s)
{
   for (unsigned i = 0; i < 8; i++) {
      s->st.rast.cull = i & 3;
      s->st.rast.front_ccw = i >> 2;
      scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 16, 50.0f), 48);
      scene_draw(s, SGPU_PRIMITIVE_TRIANGLE_STRIP, scene_triangles(s, 5, 50.0f), 15);
   }
}

/* Polygons drawn as lines and points, with edge flags and offsets. */
static void
fill_modes(struct scene *s, uint64_t edges)
{
   if (edges) {
      s->st.vs = scene_program(s, "!!SGVP1.0\n"
                                  "MOV o[HPOS], v[0]; MOV o[GEN0], v[1];\n"
                                  "SGE o[EDGE].x, v[2].x, c[0].x;\nEND\n");
      s->constants[0][0] = 0.5f;
   }
   s->st.rast.line_width = 2.0f;
   s->st.rast.point_size = 4.0f;
   s->st.rast.offset_scale = 0.5f;
   s->st.rast.offset_units = 3.0f;
   s->st.rast.offset_line = s->st.rast.offset_point = true;
   s->st.dsa.depth_test = s->st.dsa.depth_write = true;
   static const enum sgpu_primitive kinds[] = {
      SGPU_PRIMITIVE_TRIANGLES,
      SGPU_PRIMITIVE_QUADS,
      SGPU_PRIMITIVE_POLYGON,
      SGPU_PRIMITIVE_TRIANGLE_FAN,
   };
   for (unsigned i = 0; i < 9; i++) {
      s->st.rast.fill_front = i % 3;
      s->st.rast.fill_back = i / 3;
      for (unsigned k = 0; k < 4; k++)
         scene_draw(s, kinds[k], scene_triangles(s, 4, 60.0f), 12);
   }
}

static void
interpolation(struct scene *s)
{
   s->st.ps = scene_program(s, "!!SGFP1.0\n"
                               "MUL R0, v[0], v[1].yzwx; ADD R0, R0, v[2].zwxy;\n"
                               "FRC o[COLR0], R0;\nEND\n");
   for (unsigned i = 0; i < 27; i++) {
      const unsigned kind[3] = { i % 3, i / 3 % 3, i / 9 };
      for (unsigned k = 0; k < 3; k++) {
         s->st.varying[k].interpolation = kind[k];
         s->st.varying[k].mask = 1 + scene_below(s, 15);
         s->st.varying[k].place = scene_below(s, 2);
      }
      s->st.rast.force_flat = scene_below(s, 8);
      scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 3, 90.0f), 9);
   }
   s->st.rast.force_flat = 0;
   s->st.varying[1].source = SGPU_VARYING_SOURCE_DEFAULT;
   s->st.varying[1].default_w_one = true;
   s->st.varying[2].source = SGPU_VARYING_SOURCE_POINT_COORD;
   scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 3, 90.0f), 9);
}

/* The system values of pixel programs. */
static void
system_values(struct scene *s)
{
   s->st.ps = scene_program(s, "!!SGFP1.0\n"
                               "AND R0.x, s[FACE].x, c[0].x; I2F R1.x, s[PRIMITIVE_ID].x;\n"
                               "MUL R0.y, R1.x, c[1].x; MUL R1.zw, s[POSITION].xyzw, c[1].y;\n"
                               "FRC R0.zw, R1; ADD R0.x, R0.x, s[POSITION].w;\n"
                               "MAD o[COLR0], v[0], c[1].y, R0;\nEND\n");
   s->constants[0][0] = 0.25f;
   s->constants[1][0] = 1.0f / 32;
   s->constants[1][1] = 1.0f / 16;
   scene_draw(s, SGPU_PRIMITIVE_TRIANGLE_STRIP, scene_triangles(s, 10, 90.0f), 30);
   scene_draw(s, SGPU_PRIMITIVE_QUADS, scene_triangles(s, 8, 60.0f), 24);
   s->st.vs = scene_program(s, "!!SGVP1.0\n"
                               "I2F R0.x, s[VERTEX_ID].x; MUL R0.x, R0.x, c[1].x;\n"
                               "MOV o[HPOS], v[0]; FRC o[GEN0], R0.x;\nEND\n");
   scene_draw(s, SGPU_PRIMITIVE_TRIANGLE_FAN, scene_triangles(s, 6, 90.0f), 18);
}

static void
layers(struct scene *s)
{
   s->st.color[0] = scene_sampled(s, SGPU_FORMAT_R8G8B8A8_UNORM, 1, 5);
   s->st.zs = (struct scene_image){ 0 };
   s->st.layers = 5;
   s->st.vs = scene_program(s, "!!SGVP1.0\n"
                               "MOV o[HPOS], v[0]; MOV o[GEN0], v[1]; MUL R0, v[2], c[0];\n"
                               "F2U o[LAYER].xy, R0;\nEND\n");
   s->constants[0][0] = 6.0f;
   s->constants[0][1] = 2.0f;
   s->st.viewport[1].scale_x = 20.0f;
   s->st.viewport[1].scale_y = -30.0f;
   s->st.scissor[1] = (struct SGPU_SCISSOR){ .index = 1, .x0 = 60, .y0 = 33, .x1 = 91, .y1 = 70 };
   s->st.rast.scissor = true;
   scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 60, 50.0f), 180);
   scene_draw(s, SGPU_PRIMITIVE_POINTS, scene_triangles(s, 60, 50.0f), 180);
}

static void
scissor(struct scene *s)
{
   s->st.rast.scissor = true;
   for (unsigned i = 0; i < 12; i++) {
      const unsigned x = scene_below(s, SCENE_W), y = scene_below(s, SCENE_H);
      s->st.scissor[0].x0 = x;
      s->st.scissor[0].y0 = y;
      s->st.scissor[0].x1 = x + scene_below(s, 120);
      s->st.scissor[0].y1 = y + scene_below(s, 90);
      scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 8, 90.0f), 24);
   }
}

static void
polygon_stipple(struct scene *s)
{
   for (unsigned i = 0; i < 32; i++)
      s->st.stipple.row[i] = scene_random(s);
   s->st.rast.poly_stipple = true;
   scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 30, 70.0f), 90);
}

static void
polygon_smooth(struct scene *s)
{
   s->st.rast.poly_smooth = true;
   scene_blend(s, SGPU_BLEND_FACTOR_SRC_ALPHA, SGPU_BLEND_FACTOR_INV_SRC_ALPHA,
               SGPU_BLEND_FACTOR_ONE, SGPU_BLEND_FACTOR_ZERO);
   scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 30, 70.0f), 90);
}

/* Quads, strips and polygons, also when cut into batches and at the near plane, with depth and a
 * polygon offset. Back faces are drawn as lines.
 */
static void
polygon_smooth_faces(struct scene *s)
{
   static const enum sgpu_primitive kinds[] = {
      SGPU_PRIMITIVE_QUADS,
      SGPU_PRIMITIVE_QUAD_STRIP,
      SGPU_PRIMITIVE_POLYGON,
      SGPU_PRIMITIVE_TRIANGLE_STRIP,
   };
   /* Points of a circle, not computed with libm. */
   static const float circle[8][2] = {
      { 1.0f, 0.0f },  { 0.75f, 0.65625f },   { 0.0f, 1.0f },  { -0.6875f, 0.71875f },
      { -1.0f, 0.0f }, { -0.75f, -0.65625f }, { 0.0f, -1.0f }, { 0.6875f, -0.71875f },
   };
   s->st.rast.poly_smooth = true;
   s->st.rast.offset_tri = true;
   s->st.rast.offset_scale = 1.0f;
   s->st.dsa.depth_test = s->st.dsa.depth_write = true;
   s->st.dsa.depth_func = SGPU_COMPARE_LEQUAL;
   s->st.target[0].enable = true;
   s->st.target[0].rgb_src = SGPU_BLEND_FACTOR_SRC_ALPHA;
   s->st.target[0].rgb_dst = SGPU_BLEND_FACTOR_INV_SRC_ALPHA;
   for (unsigned k = 0; k < 4; k++) {
      const unsigned count = k == 2 ? 700 : 40;
      const uint32_t first = scene_random_vertices(s, count);
      scene_draw(s, kinds[k], first, count);
      s->st.rast.flatshade_first ^= k == 1;
      s->st.rast.fill_back = k == 1 ? SGPU_FILL_LINE : SGPU_FILL_SOLID;
      for (unsigned n = 3; n <= 8; n++) {
         const uint32_t convex = s->num_vertices;
         const float x = scene_float(s, 0.0f, SCENE_W), y = scene_float(s, 0.0f, SCENE_H);
         for (unsigned i = 0; i < n; i++) {
            const float dx = circle[i][0] * (6.0f * n), dy = circle[i][1] * (5.0f * n);
            const float z = i == 2 && n == 6 ? -0.5f : 0.25f;
            scene_vertex(s, x + dx, y + dy, z, 1.0f);
         }
         scene_draw(s, n == 4 ? SGPU_PRIMITIVE_QUADS : SGPU_PRIMITIVE_POLYGON, convex, n);
      }
   }
}

/* Each alpha comparison. Depth is written where it passes. Smooth lines have their coverage in
 * alpha.
 */
static void
alpha_test(struct scene *s)
{
   s->st.dsa.depth_test = s->st.dsa.depth_write = true;
   s->st.dsa.depth_func = SGPU_COMPARE_LEQUAL;
   s->st.dsa.alpha_test = true;
   s->st.rast.line_width = 3.0f;
   for (unsigned i = 0; i < 8; i++) {
      s->st.dsa.alpha_func = i;
      s->st.dsa.alpha_ref = i == SGPU_COMPARE_EQUAL || i == SGPU_COMPARE_NOTEQUAL ? 1.0f : 0.5f;
      s->st.rast.line_smooth = i & 1;
      scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 10, 60.0f), 30);
      const uint32_t first = scene_random_vertices(s, 20);
      scene_draw(s, SGPU_PRIMITIVE_LINES, first, 20);
   }
}

/* NaNs, infinities, and sizes beyond every limit. */
static void
strange_vertices(struct scene *s)
{
   static const float strange[] = {
      INFINITY, -INFINITY, NAN, 3.0e38f, -3.0e38f, 1.0e-40f, -0.0f, 1.0e30f,
   };
   static const enum sgpu_primitive kinds[] = {
      SGPU_PRIMITIVE_TRIANGLES,
      SGPU_PRIMITIVE_LINES,
      SGPU_PRIMITIVE_POINTS,
   };
   for (unsigned k = 0; k < 3; k++) {
      const uint32_t first = scene_triangles(s, 60, 80.0f);
      for (unsigned i = 0; i < 180; i += 2) {
         const unsigned input = scene_below(s, 2), comp = scene_below(s, 4);
         s->vertices[first + i].v[input][comp] = strange[scene_below(s, 8)];
      }
      scene_draw(s, kinds[k], first, 180);
   }
}

static void
strange_vertices_smooth(struct scene *s)
{
   s->st.rast.poly_smooth = s->st.rast.line_smooth = s->st.rast.point_smooth = true;
   s->st.rast.line_stipple = true;
   s->st.rast.stipple_pattern = 0x7ff7;
   s->st.rast.line_width = 3.0e38f;
   strange_vertices(s);
   s->st.rast.line_width = s->st.rast.point_size = NAN;
   strange_vertices(s);
   s->st.rast.line_stipple = false;
   s->st.rast.line_width = s->st.rast.point_size = 2.5f;
   strange_vertices(s);
}

const struct scene_info scenes_geometry[] = {
   { "fill-rule-top", NULL, fill_rule, HALF_PIXELS },
   { "fill-rule-bottom", NULL, fill_rule, BOTTOM_EDGES | HALF_PIXELS },
   { "fill-rule-top-corner", NULL, fill_rule, 0 },
   { "fill-rule-bottom-corner", NULL, fill_rule, BOTTOM_EDGES },
   { "triangles-small", small_triangles },
   { "triangles-medium", medium_triangles },
   { "triangles-huge", huge_triangles },
   { "primitives", NULL, primitives, SGPU_INTERPOLATION_PERSPECTIVE },
   { "primitives-flat-last", NULL, primitives, SGPU_INTERPOLATION_FLAT },
   { "primitives-flat-first", primitives_first },
   { "strips-long", long_strips },
   { "indices", indices },
   { "instances", instances },
   { "vertex-formats", vertex_formats },
   { "clip", NULL, clip, CLIP_NEAR | CLIP_FAR },
   { "clip-halfz", NULL, clip, CLIP_HALFZ | CLIP_NEAR | CLIP_FAR },
   { "clip-clamp", NULL, clip, CLIP_CLAMP },
   { "clip-far-alone", NULL, clip, CLIP_HALFZ | CLIP_FAR },
   { "clip-planes", clip_planes },
   { "culling", culling },
   { "fill-modes", NULL, fill_modes, false },
   { "fill-modes-edges", NULL, fill_modes, true },
   { "interpolation", interpolation },
   { "system-values", system_values },
   { "layers-viewports", layers },
   { "scissor", scissor },
   { "polygon-stipple", polygon_stipple },
   { "polygon-smooth", polygon_smooth },
   { "polygon-smooth-faces", polygon_smooth_faces },
   { "alpha-test", alpha_test },
   { "strange-vertices", strange_vertices },
   { "strange-vertices-smooth", strange_vertices_smooth },
   { NULL, NULL },
};
