/* SPDX-License-Identifier: MIT */
/*
 * Scenes for states that few draws have. Each is drawn with the state, and without it by other means
 * that give the same picture.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene.h"

/* How positions are swizzled: for x, y, z and w, a component and whether it is negative. */
struct swizzle {
   enum sgpu_viewport_axis axis[4];
};

/* Returns a random swizzle, in which w is often positive. */
static struct swizzle
random_swizzle(struct scene *s)
{
   struct swizzle swizzle;

   for (unsigned c = 0; c < 4; c++)
      swizzle.axis[c] = scene_below(s, 8);
   if (scene_below(s, 4))
      swizzle.axis[3] = SGPU_VIEWPORT_AXIS_W;
   return swizzle;
}

static void
set_swizzle(struct SGPU_VIEWPORT *vp, const struct swizzle *swizzle)
{
   vp->swizzle = true;
   vp->swizzle_x = swizzle->axis[0];
   vp->swizzle_y = swizzle->axis[1];
   vp->swizzle_z = swizzle->axis[2];
   vp->swizzle_w = swizzle->axis[3];
}

/* Appends instructions that swizzle `from` to o[HPOS] under a predicate. */
static void
add_swizzle(char *text, size_t size, const char *predicate, const struct swizzle *swizzle,
            const char *from)
{
   for (unsigned c = 0; c < 4; c++) {
      const size_t used = strlen(text);
      snprintf(text + used, size - used, "%sMOV o[HPOS].%c, %s%s.%c;\n", predicate, "xyzw"[c],
               swizzle -> axis[c] % 2 ? "-" : "", from, "xyzw"[swizzle->axis[c] / 2]);
   }
}

static void
draw_clipped(struct scene *s)
{
   scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 40, 90.0f), 120);
   s->st.rast.line_stipple = true;
   s->st.rast.stipple_pattern = 0xf3a5;
   s->st.rast.line_width = 3.0f;
   scene_draw(s, SGPU_PRIMITIVE_LINE_STRIP, scene_triangles(s, 10, 140.0f), 30);
   s->st.rast.point_size = 9.0f;
   scene_draw(s, SGPU_PRIMITIVE_POINTS, scene_triangles(s, 10, 140.0f), 30);
   scene_draw(s, SGPU_PRIMITIVE_POLYGON, scene_triangles(s, 2, 140.0f), 6);
}

/* Positions swizzled by the viewport, or by the vertex program. Clip planes take those before. */
static void
swizzle(struct scene *s, uint64_t with)
{
   SCENE_EMIT(s, CLIP_PLANES, cfg) {
      for (unsigned i = 0; i < 8; i++)
         cfg.plane[i] = i % 5 ? 0.25f : 0.5f;
   }
   for (unsigned i = 0; i < 24; i++) {
      const struct swizzle swizzle = random_swizzle(s);
      char text[1024] = "!!SGVP1.0\nMOV o[GEN0], v[1]; MOV o[CLIPV], v[0];\n";

      if (with)
         set_swizzle(&s->st.viewport[0], &swizzle);
      else
         add_swizzle(text, sizeof(text), "", &swizzle, "v[0]");
      strcat(text, with ? "MOV o[HPOS], v[0];\nEND\n" : "END\n");
      s->st.vs = scene_program(s, text);
      s->st.rast.clip_planes = i & 1 ? 3 : 0;
      s->st.rast.fill_front = i & 2 ? SGPU_FILL_LINE : SGPU_FILL_SOLID;
      draw_clipped(s);
   }
}

/* The provoking vertex selects the viewport, which swizzles all vertices of a triangle. The geometry
 * program that swizzles itself has the viewport of the last vertex for all.
 */
static void
swizzle_viewports(struct scene *s, uint64_t with)
{
   static const char *const provoking =
      "LDV R0, va[1][2]; FSETP.LT P0.x, R0.x, c[0].x; MOV R1.x, c[1].x; (P0.x) MOV R1.x, c[1].y;\n";

   s->constants[0][0] = 0.5f;
   memcpy(s->constants[1], (const uint32_t[4]){ 0, 1, 0, 0 }, 16);
   for (unsigned i = 0; i < 8; i++) {
      const struct swizzle swizzles[2] = { random_swizzle(s), random_swizzle(s) };
      char text[4096] = "!!SGGP1.0\nTEMPS 3;\nMOV o[LAYER].x, c[1].x;\n";

      s->st.viewport[1].scale_x = 40.0f;
      s->st.viewport[1].scale_y = -35.0f;
      for (unsigned n = 0; n < 2 && with; n++)
         set_swizzle(&s->st.viewport[n], &swizzles[n]);
      strcat(text, with ? "" : provoking);
      for (unsigned v = 0; v < 3; v++) {
         char load[256];
         snprintf(load, sizeof(load), "LDV R2, va[0][%u]; LDV R0, va[1][%u]; MOV o[GEN0], R0;\n", v,
                  v);
         strcat(text, load);
         if (with) {
            strcat(text, "FSETP.LT P0.x, R0.x, c[0].x; MOV R1.x, c[1].x;\n"
                         "(P0.x) MOV R1.x, c[1].y; MOV o[HPOS], R2;\n");
         } else {
            add_swizzle(text, sizeof(text), "(P0.x) ", &swizzles[1], "R2");
            add_swizzle(text, sizeof(text), "(!P0.x) ", &swizzles[0], "R2");
         }
         strcat(text, "MOV o[LAYER].y, R1.x; EMITV 0;\n");
      }
      strcat(text, "END\n");
      scene_geometry(s, text, SGPU_PRIMITIVE_TRIANGLES, SGPU_PRIMITIVE_TRIANGLE_STRIP, 3, 1);
      s->st.rast.fill_front = i & 1 ? SGPU_FILL_LINE : SGPU_FILL_SOLID;
      scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 60, 90.0f), 180);
   }
}

/* Vertices of the draws that window rectangles cut, and the style of these draws. */
struct cut_draws {
   uint32_t large, small, lines, points;
   unsigned style;
};

static void
draw_cut(struct scene *s, const struct cut_draws *d)
{
   scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, d->large, 24);
   scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, d->small, 360);
   s->st.rast.line_stipple = d->style & 1;
   s->st.rast.stipple_pattern = 0xf3a5;
   s->st.rast.line_width = d->style & 2 ? 4.0f : 1.0f;
   scene_draw(s, SGPU_PRIMITIVE_LINES, d->lines, 30);
   s->st.rast.point_size = 11.0f;
   scene_draw(s, SGPU_PRIMITIVE_POINTS, d->points, 30);
}

static int
compare_numbers(const void *a, const void *b)
{
   return (int)*(const uint16_t *)a - (int)*(const uint16_t *)b;
}

static bool
is_inside(const struct SGPU_WINDOW_RECTANGLE *rect, unsigned count, unsigned x, unsigned y)
{
   bool inside = false;

   for (unsigned i = 0; i < count; i++)
      inside |= x >= rect[i].x0 && x < rect[i].x1 && y >= rect[i].y0 && y < rect[i].y1;
   return inside;
}

/* Draws everything once for each cell between the sides of the rectangles, by the scissor. */
static void
draw_cells(struct scene *s, const struct cut_draws *d, bool inclusive,
           const struct SGPU_WINDOW_RECTANGLE *rect, unsigned count)
{
   uint16_t x[18] = { 0, SCENE_W }, y[18] = { 0, SCENE_H };
   unsigned n = 2;

   for (unsigned i = 0; i < count; i++) {
      for (unsigned side = 0; side < 2; side++, n++) {
         const unsigned at_x = side ? rect[i].x1 : rect[i].x0;
         const unsigned at_y = side ? rect[i].y1 : rect[i].y0;
         x[n] = at_x < SCENE_W ? at_x : SCENE_W;
         y[n] = at_y < SCENE_H ? at_y : SCENE_H;
      }
   }
   qsort(x, n, sizeof(x[0]), compare_numbers);
   qsort(y, n, sizeof(y[0]), compare_numbers);
   s->st.rast.scissor = true;
   for (unsigned j = 0; j + 1 < n; j++) {
      for (unsigned i = 0; i + 1 < n; i++) {
         if (x[i] == x[i + 1] || y[j] == y[j + 1] ||
             is_inside(rect, count, x[i], y[j]) != inclusive)
            continue;
         s->st.scissor[0] = (struct SGPU_SCISSOR){
            .x0 = x[i], .y0 = y[j], .x1 = x[i + 1], .y1 = y[j + 1]
         };
         draw_cut(s, d);
      }
   }
   s->st.rast.scissor = false;
}

/* Window rectangles, on targets with 1, 4 or no samples of their own. Counts the samples. */
static void
window_rectangles(struct scene *s, uint64_t with)
{
   static const float background[4] = { 0.25f, 0.5f, 0.75f, 0.125f };
   struct sgpu_bo *results = scene_bo(s, 4096);

   scene_result(s, results);
   for (unsigned i = 0; i < 32; i++)
      s->st.stipple.row[i] = scene_random(s);
   for (unsigned i = 0; i < 16; i++) {
      const bool inclusive = i & 1;
      const unsigned count = i < 4 ? i / 2 : i < 14 ? 1 + scene_below(s, 3) : 8;
      struct SGPU_WINDOW_RECTANGLE rect[8];

      s->st.color[0] = scene_sampled(s, SGPU_FORMAT_R8G8B8A8_UNORM, i % 3 == 2 ? 4 : 1, 1);
      s->st.zs = scene_sampled(s, SGPU_FORMAT_Z24_UNORM_S8_UINT, i % 3 == 2 ? 4 : 1, 1);
      s->st.rast.multisample = i % 6 == 2;
      s->st.dsa.depth_test = s->st.dsa.depth_write = i & 2;
      s->st.rast.poly_stipple = (i & 12) == 4;
      s->st.rast.poly_smooth = s->st.rast.line_smooth = (i & 12) == 8;
      s->st.coverage.conservative = i == 13;
      if (i & 8)
         scene_blend_over(s);
      scene_clear(s, background, 0.75, 0);
      for (unsigned n = 0; n < count; n++) {
         rect[n].x0 = scene_below(s, 4) ? scene_below(s, SCENE_W) : 0;
         rect[n].y0 = scene_below(s, 4) ? scene_below(s, SCENE_H) : 0;
         rect[n].x1 = rect[n].x0 + scene_below(s, n == 1 ? 10 : 140);
         rect[n].y1 = scene_below(s, 8) ? rect[n].y0 + scene_below(s, 100) : 65535;
      }
      const struct cut_draws draws = {
         .large = scene_triangles(s, 8, 300.0f),
         .small = scene_triangles(s, 120, 9.0f),
         .lines = scene_triangles(s, 10, 90.0f),
         .points = scene_triangles(s, 10, 90.0f),
         .style = i / 2,
      };
      scene_begin_query(s, SGPU_QUERY_TYPE_OCCLUSION_COUNTER, 0);
      if (with) {
         s->st.window.inclusive = inclusive;
         s->st.window.tail_count = count;
         memcpy(s->st.rect, rect, sizeof(rect));
         draw_cut(s, &draws);
         s->st.window.inclusive = false;
         s->st.window.tail_count = 0;
      } else {
         draw_cells(s, &draws, inclusive, rect, count);
      }
      scene_end_query(s, SGPU_QUERY_TYPE_OCCLUSION_COUNTER, 0, sgpu_bo_address(results) + 8 * i);
   }
}

#define VIEWS 4

/* Programs of a view, which read its number as s[VIEW].x or as a constant. */
static void
set_view_programs(struct scene *s, const char *view, unsigned kind)
{
   char text[1024];

   /* Layers and viewports that the program selects: the layer has no effect. */
   snprintf(text, sizeof(text),
            "!!SGVP1.0\nTEMPS 2;\nU2F R0.x, %s; MUL R0.x, R0.x, c[48].x;\n"
            "ADD o[HPOS].x, v[0].x, R0.x; MOV o[HPOS].yzw, v[0]; MOV o[GEN0], v[1];\n"
            "MOV o[GEN1], v[2];\n%sEND\n",
            view, kind & 1 ? "MOV o[LAYER].x, c[49].x; MOV o[LAYER].y, c[49].y;\n" : "");
   s->st.vs = scene_program(s, text);
   snprintf(text, sizeof(text),
            "!!SGFP1.0\nTEMPS 2;\nU2F R0.x, %s; MAD R0, R0.x, c[48].y, v[0];\n"
            "MUL o[COLR0], R0, c[48].z;\nEND\n",
            view);
   s->st.ps = scene_program(s, text);
   s->st.gs.address = 0;
   if (!(kind & 2))
      return;
   snprintf(text, sizeof(text),
            "!!SGGP1.0\nTEMPS 3;\nU2F R2.x, %s; MUL R2.x, R2.x, c[48].x;\n"
            "LDV R0, va[0][0]; ADD R0.y, R0.y, R2.x; LDV o[GEN0], va[1][0];\n"
            "MOV o[HPOS], R0; MOV o[LAYER], c[49]; EMITV 0;\n"
            "LDV o[HPOS], va[0][1]; EMITV 0; LDV o[HPOS], va[0][2]; EMITV 0;\nEND\n",
            view);
   scene_geometry(s, text, SGPU_PRIMITIVE_TRIANGLES, SGPU_PRIMITIVE_TRIANGLE_STRIP, 3, 1);
}

/* Draws to the layers of targets by views, or to targets of one layer. */
static void
views(struct scene *s, uint64_t with)
{
   static const float background[4] = { 0.25f, 0.5f, 0.75f, 0.125f };
   const uint32_t numbers[4] = { 0, 1, 2, 3 }, chosen[4] = { 3, 0, 3, 0 };
   struct sgpu_bo *results = scene_bo(s, 4096);

   scene_result(s, results);
   memcpy(s->constants[48], (const float[4]){ 0.125f, 0.0625f, 0.5f, 0.0f }, 16);
   memcpy(s->constants[49], chosen, sizeof(chosen));
   memcpy(s->constants[50], numbers, sizeof(numbers));
   for (unsigned i = 0; i < 6; i++) {
      const unsigned samples = i == 4 ? 4 : 1;
      s->st.color[0] = scene_sampled(s, SGPU_FORMAT_R8G8B8A8_UNORM, samples, VIEWS + 1);
      s->st.zs = scene_sampled(s, SGPU_FORMAT_Z24_UNORM_S8_UINT, samples, VIEWS + 1);
      s->st.rast.multisample = true;
      s->st.dsa.depth_test = s->st.dsa.depth_write = true;
      s->st.first_layer = 1;
      s->st.layers = VIEWS;
      scene_clear(s, background, 0.875, 0);
      scene_begin_query(s, SGPU_QUERY_TYPE_OCCLUSION_COUNTER, 0);
      for (unsigned d = 0; d < 3; d++) {
         const uint32_t first = scene_triangles(s, 60, d == 1 ? 250.0f : 40.0f);
         for (unsigned view = 0; view < VIEWS; view++) {
            char name[16];
            snprintf(name, sizeof(name), "c[50].%c", "xyzw"[view]);
            set_view_programs(s, with ? "s[VIEW].x" : name, i);
            s->st.view.view = with ? view : 0;
            s->st.view.multiview = with;
            s->st.first_layer = with ? 1 : 1 + view;
            s->st.layers = with ? VIEWS : 1;
            scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, first, 180);
            if (!(i & 2))
               scene_draw(s, SGPU_PRIMITIVE_LINE_STRIP, first, 40);
         }
      }
      s->st.view.multiview = false;
      scene_end_query(s, SGPU_QUERY_TYPE_OCCLUSION_COUNTER, 0, sgpu_bo_address(results) + 8 * i);
      /* An ordinary draw to the first layer. */
      s->st.first_layer = 1;
      s->st.layers = VIEWS;
      set_view_programs(s, "c[50].y", 0);
      scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 5, 90.0f), 15);
   }
}

/* Adds a vertex with the inputs of another one. Returns its number. */
static uint32_t
vertex_like(struct scene *s, uint32_t like, float x, float y, float z)
{
   const uint32_t n = scene_vertex(s, x, y, z, 1.0f);

   memcpy(s->vertices[n].v[1], s->vertices[like].v[1], 3 * sizeof(s->vertices[n].v[1]));
   return n;
}

/* Draws a box of one colour and depth by a triangle, or by two that are filled. */
static void
draw_box(struct scene *s, bool with)
{
   /* Triangles whose box has the corners (0, 0) and (1, 1). */
   static const unsigned shapes[4][3][2] = {
      { { 0, 0 }, { 1, 0 }, { 0, 1 } },
      { { 1, 1 }, { 0, 1 }, { 1, 0 } },
      { { 0, 0 }, { 1, 1 }, { 0, 1 } },
      { { 0, 0 }, { 1, 0 }, { 1, 1 } },
   };
   const bool centres = scene_below(s, 3) == 0; /* borders on the centres of pixels */
   const float to = centres ? 0.5f : 0.0f, size = scene_below(s, 4) ? 30.0f : 200.0f;
   float x[2], y[2];

   x[0] = scene_float(s, -20.0f, SCENE_W);
   y[0] = scene_float(s, -20.0f, SCENE_H);
   x[1] = x[0] + scene_float(s, 0.25f, size);
   y[1] = y[0] + scene_float(s, 0.25f, size);
   for (unsigned k = 0; k < 2 && centres; k++) {
      x[k] = (float)(int)x[k] + to;
      y[k] = (float)(int)y[k] + to;
   }
   const float z = scene_float(s, 0.0f, 1.0f);
   const unsigned(*shape)[2] = shapes[scene_below(s, 4)];
   const uint32_t first = scene_vertex(s, x[0], y[0], z, 1.0f) + 1;
   for (unsigned v = 0; v < 3; v++)
      vertex_like(s, first - 1, x[shape[v][0]], y[shape[v][1]], z);
   for (unsigned v = 0; v < 4; v++)
      vertex_like(s, first - 1, x[v & 1], y[v >> 1], z);
   if (with)
      scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, first, 3);
   else
      scene_draw(s, SGPU_PRIMITIVE_TRIANGLE_STRIP, first + 3, 4);
}

/* State of boxes, which differs with i. */
static void
set_box_state(struct scene *s, unsigned i)
{
   static const float background[4] = { 0.25f, 0.5f, 0.75f, 0.125f };
   const unsigned samples = i % 4 == 1 ? 4 : i % 4 == 3 ? 8 : 1;

   s->st.color[0] = scene_sampled(s, SGPU_FORMAT_R8G8B8A8_UNORM, samples, 1);
   s->st.zs = scene_sampled(s, SGPU_FORMAT_Z24_UNORM_S8_UINT, samples, 1);
   s->st.rast.multisample = samples > 1 && i % 8 != 7;
   s->st.rast.bottom_edge_rule = i & 2;
   s->st.rast.poly_stipple = i % 5 == 4;
   s->st.rast.scissor = i % 7 == 6;
   s->st.scissor[0] = (struct SGPU_SCISSOR){ .x0 = 11, .y0 = 7, .x1 = 133, .y1 = 90 };
   s->st.coverage.conservative = i % 6 == 5;
   s->st.dsa.depth_test = s->st.dsa.depth_write = i & 4;
   s->st.dsa.depth_func = SGPU_COMPARE_LESS;
   scene_clear(s, background, 0.75, 0);
}

/* Polygon mode RECTANGLE. */
static void
boxes(struct scene *s, uint64_t with)
{
   for (unsigned i = 0; i < 32; i++)
      s->st.stipple.row[i] = scene_random(s);
   for (unsigned i = 0; i < 14; i++) {
      set_box_state(s, i);
      s->st.rast.fill_front = s->st.rast.fill_back = with ? SGPU_FILL_RECTANGLE : SGPU_FILL_SOLID;
      for (unsigned n = 0; n < 24; n++)
         draw_box(s, with);
   }
}

/* The same with values and depths that are extrapolated, and polygons of any number of corners. */
static void
box_values(struct scene *s, uint64_t with)
{
   for (unsigned i = 0; i < 32; i++)
      s->st.stipple.row[i] = scene_random(s);
   s->st.rast.fill_front = s->st.rast.fill_back = SGPU_FILL_RECTANGLE;
   for (unsigned i = 0; i < 12; i++) {
      set_box_state(s, i);
      s->st.rast.offset_tri = i & 1;
      s->st.rast.offset_units = 3.0f;
      s->st.rast.offset_scale = 0.5f;
      s->st.rast.cull = i % 3 == 1 ? SGPU_CULL_FRONT : SGPU_CULL_NONE;
      if (i & 8)
         scene_blend_over(s);
      scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 30, i & 1 ? 60.0f : 12.0f), 90);
      scene_draw(s, SGPU_PRIMITIVE_TRIANGLE_STRIP, scene_random_vertices(s, 8), 8);
      scene_draw(s, SGPU_PRIMITIVE_QUADS, scene_triangles(s, 8, 30.0f), 24);
      scene_draw(s, SGPU_PRIMITIVE_POLYGON, scene_triangles(s, 2, 50.0f), 6);
      scene_draw(s, SGPU_PRIMITIVE_LINES, scene_triangles(s, 4, 50.0f), 12);
   }
}

/* Returns a vertex program that selects mask n of viewports and a layer, or viewport n and its layer.
 */
static struct SGPU_SHADER
masked_program(struct scene *s, bool mask, unsigned n, bool relative)
{
   const char *name = "xyzw";
   char text[512];

   snprintf(text, sizeof(text),
            "!!SGVP1.0\nMOV o[HPOS], v[0]; MOV o[GEN0], v[1]; MOV o[GEN1], v[2];\n"
            "MOV o[LAYER].x, c[50].%c; MOV o[LAYER].%c, c[50].%c;\nEND\n",
            name[!mask && relative ? 1 + n : 1], mask ? 'z' : 'y', name[n]);
   struct SGPU_SHADER shader = scene_program(s, text);
   shader.viewport_mask = mask;
   shader.relative_layer = mask && relative;
   return shader;
}

/* Primitives that are drawn in all viewports of a mask, or in one after the other. */
static void
viewport_masks(struct scene *s, uint64_t with)
{
   static const float background[4] = { 0.25f, 0.5f, 0.75f, 0.125f };
   static const enum sgpu_primitive types[3] = { SGPU_PRIMITIVE_TRIANGLES, SGPU_PRIMITIVE_LINES,
                                                 SGPU_PRIMITIVE_POINTS };

   memcpy(s->constants[50], (const uint32_t[4]){ 0, 1, 2, 3 }, 16);
   for (unsigned i = 0; i < 6; i++) {
      const struct swizzle swizzle = random_swizzle(s);
      const bool relative = i & 1;

      s->st.color[0] = scene_sampled(s, SGPU_FORMAT_R8G8B8A8_UNORM, 1, 4);
      s->st.zs = scene_sampled(s, SGPU_FORMAT_Z24_UNORM_S8_UINT, 1, 4);
      s->st.layers = 4;
      s->st.viewport[1].scale_x = 40.0f;
      s->st.viewport[1].scale_y = -35.0f;
      s->st.viewport[1].swizzle = false;
      if (i & 2)
         set_swizzle(&s->st.viewport[1], &swizzle);
      s->st.rast.fill_front = i & 4 ? SGPU_FILL_LINE : SGPU_FILL_SOLID;
      s->st.rast.point_size = 9.0f;
      s->st.rast.line_width = 3.0f;
      scene_clear(s, background, 0.875, 0);
      scene_blend_over(s);
      struct SGPU_SHADER programs[4];
      for (unsigned n = 0; n < (with ? 4 : 2); n++)
         programs[n] = masked_program(s, with, n, relative);
      for (unsigned n = 0; n < 60; n++) {
         const unsigned mask = scene_below(s, 8) ? 1 + scene_below(s, 3) : 0, type = n % 3;
         const uint32_t first = scene_triangles(s, 1, 90.0f);

         for (unsigned v = 0; v < (with ? 1 : 2); v++) {
            if (!with && !(mask >> v & 1))
               continue;
            s->st.vs = programs[with ? mask : v];
            scene_draw(s, types[type], first, 3 - type);
         }
      }
   }
}

const struct scene_pair scene_state_pairs[] = {
   { "swizzle", swizzle },
   { "swizzle-viewports", swizzle_viewports },
   { "window-rectangles", window_rectangles },
   { "views", views },
   { "boxes", boxes },
   { "viewport-masks", viewport_masks },
   { NULL, NULL },
};

const struct scene_info scenes_states[] = {
   { "states-swizzle", NULL, swizzle, true },
   { "states-swizzle-viewports", NULL, swizzle_viewports, true },
   { "states-window-rectangles", NULL, window_rectangles, true },
   { "states-views", NULL, views, true },
   { "states-boxes", NULL, boxes, true },
   { "states-box-values", NULL, box_values, true },
   { "states-viewport-masks", NULL, viewport_masks, true },
   { NULL, NULL },
};
