/* SPDX-License-Identifier: MIT */
/*
 * Scenes of lines and points, with all their rasterizer options.
 */
#include "scene.h"

static void
lines(struct scene *s, float width)
{
   static const enum sgpu_primitive kinds[] = {
      SGPU_PRIMITIVE_LINES,
      SGPU_PRIMITIVE_LINE_STRIP,
      SGPU_PRIMITIVE_LINE_LOOP,
   };
   s->st.rast.line_width = width;
   for (unsigned k = 0; k < 3; k++) {
      const uint32_t first = scene_random_vertices(s, 24);
      scene_draw(s, kinds[k], first, 24);
   }
   /* Lines along the axes, and lines of length 0. */
   const uint32_t first = s->num_vertices;
   for (unsigned i = 0; i < 24; i++) {
      const float x = scene_float(s, 0.0f, SCENE_W), y = scene_float(s, 0.0f, SCENE_H);
      const float length = i % 3 ? scene_float(s, -40.0f, 40.0f) : 0.0f;
      scene_vertex(s, x, y, 0.5f, 1.0f);
      scene_vertex(s, i & 1 ? x : x + length, i & 1 ? y + length : y, 0.5f, 1.0f);
   }
   scene_draw(s, SGPU_PRIMITIVE_LINES, first, 48);
}

static void
lines_thin(struct scene *s)
{
   lines(s, 1.0f);
}

static void
lines_wide(struct scene *s)
{
   lines(s, 2.0f);
   lines(s, 3.5f);
   lines(s, 11.0f);
}

static void
lines_last_pixel(struct scene *s)
{
   s->st.rast.line_last_pixel = true;
   lines(s, 1.0f);
   lines(s, 3.0f);
}

static void
lines_smooth(struct scene *s)
{
   s->st.rast.line_smooth = true;
   scene_blend_over(s);
   lines(s, 1.0f);
   lines(s, 4.5f);
}

static void
lines_stippled(struct scene *s)
{
   s->st.rast.line_stipple = true;
   s->st.rast.stipple_pattern = 0x1f35;
   lines(s, 1.0f);
   s->st.rast.stipple_factor = 2;
   lines(s, 3.0f);
   s->st.rast.line_smooth = true;
   lines(s, 2.0f);
}

/* The stipple counter continues through batches of strips, loops and polygons. */
static void
lines_stippled_strips(struct scene *s)
{
   static const enum sgpu_primitive kinds[] = {
      SGPU_PRIMITIVE_LINE_STRIP, SGPU_PRIMITIVE_LINE_LOOP,  SGPU_PRIMITIVE_POLYGON,
      SGPU_PRIMITIVE_QUADS,      SGPU_PRIMITIVE_QUAD_STRIP, SGPU_PRIMITIVE_TRIANGLE_FAN,
   };
   s->st.rast.line_stipple = true;
   s->st.rast.stipple_pattern = 0x0c37;
   s->st.rast.fill_front = s->st.rast.fill_back = SGPU_FILL_LINE;
   for (unsigned k = 0; k < 6; k++) {
      const unsigned count = k < 3 ? 1500 : 60;
      const uint32_t first = s->num_vertices;
      s->st.rast.stipple_factor = 3 * k;
      for (unsigned i = 0; i < count; i++)
         scene_random_vertex(s);
      scene_draw(s, kinds[k], first, count);
   }
}

static void
lines_corner(struct scene *s)
{
   s->st.rast.half_pixel_center = false;
   lines(s, 1.0f);
   s->st.rast.bottom_edge_rule = false;
   lines(s, 3.0f);
}

static void
lines_flat(struct scene *s)
{
   scene_varyings(s, 3, SGPU_INTERPOLATION_FLAT);
   lines(s, 2.0f);
   s->st.rast.flatshade_first = true;
   lines(s, 2.0f);
}

static void
points(struct scene *s, float size)
{
   const uint32_t first = s->num_vertices;
   s->st.rast.point_size = size;
   for (unsigned i = 0; i < 40; i++)
      scene_random_vertex(s);
   scene_draw(s, SGPU_PRIMITIVE_POINTS, first, 40);
}

static void
points_plain(struct scene *s)
{
   static const float sizes[] = { 0.25f, 1.0f, 1.5f, 2.0f, 7.25f, 30.0f };
   for (unsigned i = 0; i < 6; i++)
      points(s, sizes[i]);
}

static void
points_smooth(struct scene *s)
{
   s->st.rast.point_smooth = true;
   scene_blend_over(s);
   points_plain(s);
}

static void
point_sprites(struct scene *s)
{
   s->st.rast.point_quad = true;
   s->st.varying[0].source = SGPU_VARYING_SOURCE_POINT_COORD;
   points(s, 9.5f);
   s->st.rast.sprite_origin_lower_left = true;
   points(s, 20.0f);
   s->st.ps = scene_program(s, "!!SGFP1.0\nMOV o[COLR0], s[POINT_COORD];\nEND\n");
   points(s, 13.0f);
}

static void
point_sizes(struct scene *s)
{
   s->st.rast.point_size_per_vertex = true;
   s->st.vs = scene_program(s, "!!SGVP1.0\n"
                               "MOV o[HPOS], v[0]; MOV o[GEN0], v[1];\n"
                               "MUL o[PSIZ].x, v[2].x, c[0].x;\nEND\n");
   s->constants[0][0] = 24.0f;
   points(s, 1.0f);
   s->st.rast.point_quad = true;
   points(s, 1.0f);
   s->st.rast.half_pixel_center = false;
   points(s, 1.0f);
}

/* Lines across many tiles, most of which leave the target. */
static void
lines_long(struct scene *s)
{
   const uint32_t first = s->num_vertices;
   for (unsigned i = 0; i < 40; i++) {
      const float x0 = scene_float(s, -30000.0f, 30000.0f);
      const float y0 = scene_float(s, -30000.0f, 30000.0f);
      scene_vertex(s, x0, y0, 0.5f, 1.0f);
      const float x1 = scene_float(s, 0.0f, SCENE_W);
      const float y1 = scene_float(s, 0.0f, SCENE_H);
      scene_vertex(s, x1, y1, 0.5f, 1.0f);
   }
   scene_draw(s, SGPU_PRIMITIVE_LINES, first, 80);
   s->st.rast.line_width = 3.0f;
   scene_draw(s, SGPU_PRIMITIVE_LINES, first + 1, 78);
}

/* A viewport inside the target. Points and lines extend beyond it. */
static void
past_viewport(struct scene *s)
{
   s->st.viewport[0].scale_x = SCENE_W / 4.0f;
   s->st.viewport[0].scale_y = SCENE_H / 4.0f;
   s->st.scissor[0] = (struct SGPU_SCISSOR){ .x0 = 9, .y0 = 7, .x1 = 133, .y1 = 101 };
   s->st.rast.line_stipple = true;
   s->st.rast.stipple_pattern = 0x3f35;
   s->st.rast.fill_front = SGPU_FILL_LINE;
   s->st.rast.fill_back = SGPU_FILL_POINT;
   for (unsigned i = 0; i < 4; i++) {
      s->st.rast.scissor = i & 1;
      s->st.rast.point_no_side_clip = i & 2;
      s->st.rast.line_smooth = s->st.rast.point_smooth = i == 3;
      points(s, 3.0f + 4.0f * i);
      lines(s, 1.0f + 2.0f * i);
      scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 10, 90.0f), 30);
   }
}

/* The same with the rules of OpenGL ES. */
static void
viewport_scissor(struct scene *s)
{
   s->st.rast.viewport_scissor = true;
   past_viewport(s);
}

const struct scene_info scenes_lines[] = {
   { "lines", lines_thin },
   { "lines-wide", lines_wide },
   { "lines-last-pixel", lines_last_pixel },
   { "lines-smooth", lines_smooth },
   { "lines-stippled", lines_stippled },
   { "lines-stippled-strips", lines_stippled_strips },
   { "lines-corner", lines_corner },
   { "lines-flat", lines_flat },
   { "lines-long", lines_long },
   { "past-viewport", past_viewport },
   { "viewport-scissor", viewport_scissor },
   { "points", points_plain },
   { "points-smooth", points_smooth },
   { "point-sprites", point_sprites },
   { "point-sizes", point_sizes },
   { NULL, NULL },
};
