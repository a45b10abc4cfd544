/* SPDX-License-Identifier: MIT */
/*
 * Points and point sprites (OpenGL 3.3 compatibility profile, 3.4), and polygons drawn as lines and
 * points.
 */
#include <math.h>

#include "../../rounds.h"
#include "../../unit.h"
#include "fixture.h"

#define SIZE 128

/* Checks that the drawn pixels are the box [x0, x1) x [y0, y1), each drawn once. */
static void
expect_box(struct fix *f, int x0, int y0, int x1, int y1)
{
   for (int y = 0; y < SIZE; y++) {
      for (int x = 0; x < SIZE; x++) {
         const bool want = x >= x0 && x < x1 && y >= y0 && y < y1;
         if (fix_at(f, x, y, 0)->count != want)
            fail_msg("pixel %d %d: %u; box %d %d %d %d", x, y, fix_at(f, x, y, 0)->count, x0, y0,
                     x1, y1);
      }
   }
}

static void
aliased(void **state)
{
   struct fix *f = *state;
   uint64_t seed = 1;

   for (unsigned round = 0; round < TEST_ROUNDS(300); round++) {
      const float size = (fix_random(&seed) % 1000) / 100.0f;
      const double x = (fix_random(&seed) % (SIZE * 16)) / 16.0;
      const double y = (fix_random(&seed) % (SIZE * 16)) / 16.0;
      const int w = fmax(floor(size + 0.5), 1);
      /* Odd sizes are centred in a pixel, even sizes on a corner. */
      const double cx = w & 1 ? floor(x) + 0.5 : floor(x + 0.5);
      const double cy = w & 1 ? floor(y) + 0.5 : floor(y + 0.5);

      f->state.rast.point_size = size;
      fix_restart(f);
      fix_vertex(f, x, y, 0.5f, 1);
      fix_draw(f, fix_level_of(round), SGPU_PRIMITIVE_POINTS, 0, 1);
      expect_box(f, cx - w / 2.0, cy - w / 2.0, cx + w / 2.0, cy + w / 2.0);
   }
}

/* Sizes are clamped to the limit that the packets document. Points have their centre 64 pixels
 * outside of the target.
 */
static void
limits(void **state)
{
   static const struct {
      float size;
      int pixels;
   } cases[] = {
      { 0.0f, 1 },
      { -3.0f, 1 },
      { NAN, 1 },
      { 253.0f, 253 },
      { SGPU_LIMIT_POINT_SIZE, SGPU_LIMIT_POINT_SIZE },
      { SGPU_LIMIT_POINT_SIZE + 16.0f, SGPU_LIMIT_POINT_SIZE },
      { 1e30f, SGPU_LIMIT_POINT_SIZE },
      { INFINITY, SGPU_LIMIT_POINT_SIZE },
   };
   struct fix *f = *state;

   f->psiz_from = 3;
   f->vs.outputs_written |= 1ull << SGPU_VO_PSIZ;
   f->state.rast.point_no_side_clip = true;
   for (unsigned i = 0; i < ARRAY_SIZE(cases) * 4; i++) {
      const float size = cases[i / 4].size;
      const int pixels = cases[i / 4].pixels;
      const bool quad = i & 1, per_vertex = i & 2;

      f->state.rast.point_quad = quad;
      f->state.rast.point_size_per_vertex = per_vertex;
      f->state.rast.point_size = per_vertex ? 2.0f : size;
      fix_restart(f);
      fix_vertex(f, SIZE + 63.5f, 64.5f, 0.5f, 1);
      fix_input(f, 0, 3)[0] = size;
      fix_draw(f, fix_level_of(i), SGPU_PRIMITIVE_POINTS, 0, 1);

      int drawn = 0;
      for (int x = 0; x < SIZE; x++)
         drawn += fix_at(f, x, 64, 0)->count;
      assert_int_equal(drawn, MAX2(pixels / 2 - 63, 0));
   }
}

static void
sprites(void **state)
{
   struct fix *f = *state;
   uint64_t seed = 2;

   fix_varyings(f, 2, SGPU_INTERPOLATION_PERSPECTIVE);
   f->state.varying[0].source = SGPU_VARYING_SOURCE_POINT_COORD;
   f->state.rast.point_quad = true;
   f->psiz_from = 3;
   f->vs.outputs_written |= 1ull << SGPU_VO_PSIZ;
   f->state.rast.point_size_per_vertex = true;
   for (unsigned round = 0; round < TEST_ROUNDS(300); round++) {
      const double size = 1 + (fix_random(&seed) % 1000) / 32.0;
      const double x = (fix_random(&seed) % (SIZE * 32)) / 32.0;
      const double y = (fix_random(&seed) % (SIZE * 32)) / 32.0;
      const bool upper = round & 1, flip = round & 2;

      f->state.rast.bottom_edge_rule = upper;
      f->state.rast.sprite_origin_lower_left = flip;
      fix_restart(f);
      fix_vertex(f, x, y, 0.5f, 3.0f);
      fix_input(f, 0, 3)[0] = size;
      fix_input(f, 0, 2)[0] = 0.3f;
      fix_draw(f, fix_level_of(round), SGPU_PRIMITIVE_POINTS, 0, 1);

      for (int py = 0; py < SIZE; py++) {
         for (int px = 0; px < SIZE; px++) {
            const double dx = px + 0.5 - x, dy = py + 0.5 - y, half = size / 2;
            const bool in_x = dx >= -half && dx < half;
            const bool in_y = upper ? dy > -half && dy <= half : dy >= -half && dy < half;
            const struct fix_pixel *p = fix_at(f, px, py, 0);
            if (p->count != (in_x && in_y))
               fail_msg("pixel %d %d of %g %g size %g: %u", px, py, x, y, size, p->count);
            if (!p->count)
               continue;
            const double s = 0.5 + dx / size, t = 0.5 + (flip ? -dy : dy) / size;
            assert_true(fabs(p->color[0][0] - s) < 1e-5 && fabs(p->color[0][1] - t) < 1e-5);
            assert_true(p->color[0][2] == 0.0f && p->color[0][3] == 1.0f);
            /* Other inputs are the bits of the vertex's values, with or without perspective. */
            assert_true(p->color[1][0] == 0.3f);
         }
      }
   }

   /* Triangles have no point coordinate. The input is the output of this number, or (0, 0, 0, 1).
    */
   for (unsigned k = 0; k < 2; k++) {
      f->state.varying[0].output = k ? SGPU_VO_GEN0 + 2 : SGPU_VO_HPOS;
      fix_restart(f);
      fix_vertex(f, 0, 0, 0.5f, 1);
      fix_vertex(f, 100, 0, 0.5f, 1);
      fix_vertex(f, 0, 100, 0.5f, 1);
      for (unsigned i = 0; i < 3; i++)
         fix_input(f, i, 3)[1] = 0.25f;
      fix_draw(f, fix_level_of(0), SGPU_PRIMITIVE_TRIANGLES, 0, 3);
      const float *c = fix_at(f, 20, 20, 0)->color[0];
      assert_true(c[0] == 0.0f && fabs(c[1] - (k ? 0.25 : 0.0)) < 1e-6);
      assert_true(c[2] == 0.0f && c[3] == (k ? 0.0f : 1.0f));
   }
}

/* Polygons as lines and points: edge flags select edges, inner edges of quads and polygons are not
 * drawn, and the fill mode depends on the facing.
 */
static void
unfilled(void **state)
{
   struct fix *f = *state;
   static const float corner[4][2] = {
      { 10.5f, 10.5f }, { 10.5f, 90.5f }, { 90.5f, 90.5f }, { 90.5f, 10.5f }
   };
   /* Middles of the edges from corner i to corner i + 1. */
   static const int middle[4][2] = { { 10, 50 }, { 50, 90 }, { 90, 50 }, { 50, 10 } };
   static const enum sgpu_primitive kinds[] = { SGPU_PRIMITIVE_QUADS, SGPU_PRIMITIVE_POLYGON,
                                                SGPU_PRIMITIVE_TRIANGLE_FAN };

   f->edge_from = 3;
   f->vs.outputs_written |= 1ull << SGPU_VO_EDGE;
   for (unsigned k = 0; k < ARRAY_SIZE(kinds); k++) {
      const bool fan = kinds[k] == SGPU_PRIMITIVE_TRIANGLE_FAN;
      for (unsigned flags = 0; flags < 16; flags++) {
         for (unsigned mode = 0; mode < 4; mode++) {
            const enum sgpu_fill fill = mode & 1 ? SGPU_FILL_POINT : SGPU_FILL_LINE;
            /* The quad is counter-clockwise on the screen: its front is visible with Front CCW. */
            f->state.rast.front_ccw = mode & 2;
            f->state.rast.fill_front = mode & 2 ? fill : SGPU_FILL_SOLID;
            f->state.rast.fill_back = mode & 2 ? SGPU_FILL_SOLID : fill;
            f->state.rast.flatshade_first = flags & 1;
            fix_restart(f);
            for (unsigned i = 0; i < 4; i++) {
               fix_vertex(f, corner[i][0], corner[i][1], 0.5f, 1);
               fix_input(f, i, 3)[0] = flags >> i & 1;
            }
            fix_draw(f, fix_level_of(flags), kinds[k], 0, 4);
            for (unsigned i = 0; i < 4; i++) {
               const bool on = fan || (flags >> i & 1);
               const unsigned at_middle = fix_at(f, middle[i][0], middle[i][1], 0)->count;
               assert_int_equal(at_middle != 0, on && fill == SGPU_FILL_LINE);
               if (fill == SGPU_FILL_POINT) {
                  const unsigned count = fix_at(f, corner[i][0], corner[i][1], 0)->count;
                  assert_int_equal(count != 0, on);
               }
            }
            /* The inner edge of a fan is drawn by both triangles. */
            const unsigned inside = fix_at(f, 50, 50, 0)->count + fix_at(f, 51, 50, 0)->count +
                                    fix_at(f, 50, 51, 0)->count + fix_at(f, 49, 51, 0)->count;
            assert_int_equal(inside != 0, fan && fill == SGPU_FILL_LINE);
            assert_int_equal(fix_at(f, 30, 60, 0)->count, 0);
         }
      }
   }
}

/* Sets a viewport of 64 x 64 pixels inside the target. */
static void
viewport(struct fix *f)
{
   f->state.viewport[0].scale_x = f->state.viewport[0].scale_y = 32.0f;
   f->state.viewport[0].translate_x = f->state.viewport[0].translate_y = 64.0f;
}

/* A point is drawn whole, within the scissor, if its centre is in the view volume or is not tested.
 * OpenGL ES draws a point for every centre, but only its part within the viewport.
 */
static void
past_viewport(void **state)
{
   struct fix *f = *state;
   uint64_t seed = 3;

   viewport(f);
   f->state.scissor[0] = (struct SGPU_SCISSOR){ .x0 = 28, .y0 = 20, .x1 = 110, .y1 = 101 };
   f->state.rast.point_size = 16.0f;
   for (unsigned round = 0; round < TEST_ROUNDS(600); round++) {
      /* The sides are part of the view volume. */
      const int x = 20 + fix_random(&seed) % 89, y = 20 + fix_random(&seed) % 89;
      const bool inside = x >= 32 && x <= 96 && y >= 32 && y <= 96;
      const bool sides = round % 3 == 0, es = round % 3 == 2;
      const bool scissor = round & 2, corner = round & 4;
      const bool drawn = inside || (!sides && !corner);
      int x0 = x - 8, y0 = y - 8, x1 = x + 8, y1 = y + 8;

      f->state.rast.point_no_side_clip = round % 3 == 1;
      f->state.rast.viewport_scissor = es;
      f->state.rast.scissor = scissor;
      f->state.rast.fill_front = f->state.rast.fill_back = corner ? SGPU_FILL_POINT
                                                                  : SGPU_FILL_SOLID;
      fix_restart(f);
      fix_vertex(f, x, y, 0.5f, 1);
      if (corner) {
         /* The other two corners have no edge flag, so they are not drawn. */
         f->edge_from = 3;
         f->vs.outputs_written |= 1ull << SGPU_VO_EDGE;
         fix_vertex(f, 64, 64, 0.5f, 1);
         fix_vertex(f, 65, 66, 0.5f, 1);
         fix_input(f, 0, 3)[0] = 1.0f;
         /* An edge that enters the view volume would make a new corner there, so it has no edge
          * flag.
          */
         if (!inside)
            fix_input(f, 0, 3)[0] = 0.0f;
      }
      fix_draw(f, fix_level_of(round), corner ? SGPU_PRIMITIVE_TRIANGLES : SGPU_PRIMITIVE_POINTS, 0,
               corner ? 3 : 1);
      f->edge_from = 0;
      f->vs.outputs_written &= ~(1ull << SGPU_VO_EDGE);
      if (scissor) {
         x0 = x0 < 28 ? 28 : x0;
         y0 = y0 < 20 ? 20 : y0;
         x1 = x1 > 110 ? 110 : x1;
         y1 = y1 > 101 ? 101 : y1;
      }
      if (es) {
         x0 = x0 < 32 ? 32 : x0;
         y0 = y0 < 32 ? 32 : y0;
         x1 = x1 > 96 ? 96 : x1;
         y1 = y1 > 96 ? 96 : y1;
      }
      expect_box(f, x0, y0, drawn ? x1 : x0, y1);
   }
}

FIX_SETUP(SIZE, SIZE, 1)

int
main(void)
{
   const struct CMUnitTest tests[] = {
      FIX_TEST(aliased),  FIX_TEST(limits),        FIX_TEST(sprites),
      FIX_TEST(unfilled), FIX_TEST(past_viewport),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
