/* SPDX-License-Identifier: MIT */
/*
 * Coverage of triangles: exact against edge functions in 128-bit integers, in
 * both senses of the fill rule; neighbours cover each pixel once.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "fixture.h"

#define SIZE 256

struct point {
   int32_t x, y;              /* 1/256 pixel */
};

/* Window coordinates that reach the setup unit unchanged: the viewport's
 * numbers are powers of two.
 */
static void
vertex(struct fix *f, struct point p)
{
   fix_vertex(f, p.x / 256.0f, p.y / 256.0f, 0.5f, 1.0f);
}

/* Is pixel px, py inside? The edge's rule by its direction alone. */
static bool
inside(const struct point t[3], int px, int py, bool bottom_edge_rule)
{
   const __int128 area = (__int128)(t[1].x - t[0].x) * (t[2].y - t[0].y) -
                         (__int128)(t[2].x - t[0].x) * (t[1].y - t[0].y);
   const int x = px * 256 + 128, y = py * 256 + 128;

   if (area == 0)
      return false;
   for (unsigned i = 0; i < 3; i++) {
      struct point p = t[i], q = t[(i + 1) % 3];
      if (area < 0) {
         struct point s = p;
         p = q;
         q = s;
      }
      const __int128 e = (__int128)(q.x - p.x) * (y - p.y) - (__int128)(q.y - p.y) * (x - p.x);
      if (e < 0)
         return false;
      if (e == 0) {
         /* The inside is to the right of an edge that goes up in memory, and
          * below one that goes right.
          */
         const bool left = q.y < p.y, top = q.y == p.y && q.x > p.x;
         const bool bottom = q.y == p.y && q.x < p.x;
         if (!left && !(bottom_edge_rule ? bottom : top))
            return false;
      }
   }
   return true;
}

static int32_t
coordinate(uint64_t *seed, int range)
{
   int32_t c = (int32_t)(fix_random(seed) % (256u * range));

   /* Pixel borders and centres are where the rules matter. */
   switch (fix_random(seed) % 4) {
   case 0: return c & ~127;
   case 1: return (c & ~255) + 128;
   default: return c;
   }
}

static void
against_oracle(struct fix *f, const struct fix_level *level, const struct point t[3])
{
   for (unsigned rule = 0; rule < 2; rule++) {
      f->state.rast.bottom_edge_rule = rule;
      fix_clear(f);
      fix_reset_vertices(f);
      for (unsigned i = 0; i < 3; i++)
         vertex(f, t[i]);
      fix_draw(f, level, SGPU_PRIMITIVE_TRIANGLES, 0, 3);
      for (int y = 0; y < SIZE; y++) {
         for (int x = 0; x < SIZE; x++) {
            const unsigned want = inside(t, x, y, rule);
            if (fix_at(f, x, y, 0)->count != want) {
               fail_msg("%s: pixel %d %d of (%d %d) (%d %d) (%d %d), rule %u: %u, expected %u",
                        level->name, x, y, t[0].x, t[0].y, t[1].x, t[1].y, t[2].x, t[2].y, rule,
                        fix_at(f, x, y, 0)->count, want);
            }
         }
      }
   }
}

static void
triangles(void **state)
{
   struct fix *f = *state;
   unsigned n;
   const struct fix_level *levels = fix_levels(&n);
   uint64_t seed = 1;

   for (unsigned round = 0; round < 400; round++) {
      const int range = round % 4 == 0 ? SIZE : round % 4 == 1 ? 40 : round % 4 == 2 ? 8 : 2;
      const int32_t ox = fix_random(&seed) % (256 * SIZE), oy = fix_random(&seed) % (256 * SIZE);
      struct point t[3];
      for (unsigned i = 0; i < 3; i++) {
         t[i].x = coordinate(&seed, range) + (range == SIZE ? 0 : ox & ~255);
         t[i].y = coordinate(&seed, range) + (range == SIZE ? 0 : oy & ~255);
      }
      against_oracle(f, &levels[round % n], t);
   }
}

/* Corners up to the guard planes: edge functions of the full range. */
static void
huge_triangles(void **state)
{
   struct fix *f = *state;
   unsigned n;
   const struct fix_level *levels = fix_levels(&n);
   uint64_t seed = 2;

   for (unsigned round = 0; round < 200; round++) {
      struct point t[3];
      for (unsigned i = 0; i < 3; i++) {
         t[i].x = (int32_t)(fix_random(&seed) % (2u << 23)) - (1 << 23);
         t[i].y = (int32_t)(fix_random(&seed) % (2u << 23)) - (1 << 23);
         if (fix_random(&seed) % 3 == 0)
            t[i].x = fix_random(&seed) & 1 ? -(1 << 23) : 1 << 23;
         if (fix_random(&seed) % 3 == 0)
            t[i].y = fix_random(&seed) & 1 ? -(1 << 23) : 1 << 23;
      }
      /* Let an edge cross the targets. */
      if (round & 1) {
         t[1].x = 128 * 256 * 2 - t[0].x;
         t[1].y = 128 * 256 * 2 - t[0].y;
         if (abs(t[1].x) > 1 << 23 || abs(t[1].y) > 1 << 23)
            continue;
      }
      against_oracle(f, &levels[round % n], t);
   }
}

/* A jittered grid cut along random diagonals, in any winding: every pixel that
 * is well inside is covered once.
 */
static void
meshes(void **state)
{
   struct fix *f = *state;
   unsigned n;
   const struct fix_level *levels = fix_levels(&n);
   uint64_t seed = 3;

   for (unsigned round = 0; round < 30; round++) {
      const int cells = 2 + round, step = 256 * (SIZE + 32) / cells;
      struct point p[33][33];

      f->state.rast.bottom_edge_rule = round & 1;
      fix_clear(f);
      fix_reset_vertices(f);
      for (int y = 0; y <= cells; y++) {
         for (int x = 0; x <= cells; x++) {
            p[y][x].x = x * step - 16 * 256 + (int)(fix_random(&seed) % (step / 2));
            p[y][x].y = y * step - 16 * 256 + (int)(fix_random(&seed) % (step / 2));
            if (fix_random(&seed) % 2) {
               p[y][x].x = (p[y][x].x & ~255) + 128;
               p[y][x].y = (p[y][x].y & ~255) + 128;
            }
            if (x == 0 || x == cells)
               p[y][x].x = x ? (SIZE + 16) * 256 : -16 * 256;
            if (y == 0 || y == cells)
               p[y][x].y = y ? (SIZE + 16) * 256 : -16 * 256;
         }
      }
      for (int y = 0; y < cells; y++) {
         for (int x = 0; x < cells; x++) {
            const struct point q[4] = { p[y][x], p[y][x + 1], p[y + 1][x + 1], p[y + 1][x] };
            const unsigned d = fix_random(&seed) & 1, w = fix_random(&seed) & 1;
            vertex(f, q[d]);
            vertex(f, q[d + 1 + w]);
            vertex(f, q[d + 2 - w]);
            vertex(f, q[(d + 3) % 4]);
            vertex(f, q[w ? (d + 2) % 4 : d]);
            vertex(f, q[w ? d : (d + 2) % 4]);
         }
      }
      fix_draw(f, &levels[round % n], SGPU_PRIMITIVE_TRIANGLES, 0, f->num_vertices);
      for (int y = 0; y < SIZE; y++) {
         for (int x = 0; x < SIZE; x++) {
            if (fix_at(f, x, y, 0)->count != 1)
               fail_msg("round %u: pixel %d %d is covered %u times", round, x, y,
                        fix_at(f, x, y, 0)->count);
         }
      }
   }
}

/* With centres at whole coordinates the same triangles lie half a pixel
 * further to the lower right.
 */
static void
pixel_center(void **state)
{
   struct fix *f = *state;
   unsigned n;
   const struct fix_level *levels = fix_levels(&n);
   uint64_t seed = 4;

   for (unsigned round = 0; round < 50; round++) {
      struct point t[3], moved[3];
      for (unsigned i = 0; i < 3; i++) {
         t[i].x = coordinate(&seed, 100);
         t[i].y = coordinate(&seed, 100);
         moved[i].x = t[i].x + 128;
         moved[i].y = t[i].y + 128;
      }
      f->state.rast.half_pixel_center = false;
      fix_clear(f);
      fix_reset_vertices(f);
      for (unsigned i = 0; i < 3; i++)
         vertex(f, t[i]);
      fix_draw(f, &levels[round % n], SGPU_PRIMITIVE_TRIANGLES, 0, 3);
      f->state.rast.half_pixel_center = true;
      for (int y = 0; y < SIZE; y++) {
         for (int x = 0; x < SIZE; x++)
            assert_int_equal(fix_at(f, x, y, 0)->count,
                             inside(moved, x, y, f->state.rast.bottom_edge_rule));
      }
   }
}

/* 1/256 pixel, nearest, half-way cases to even. */
static void
snapping(void **state)
{
   struct fix *f = *state;
   unsigned n;
   const struct fix_level *levels = fix_levels(&n);
   static const struct {
      double x;               /* in 1/256 pixel */
      int32_t snapped;
   } cases[] = {
      { 1000.0, 1000 }, { 1000.25, 1000 }, { 1000.5, 1000 }, { 1000.75, 1001 },
      { 1001.5, 1002 }, { 1001.4375, 1001 }, { 1002.5, 1002 }, { 1003.5, 1004 },
   };

   for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
      for (unsigned l = 0; l < n; l++) {
         /* The left side of a tall triangle crosses rows in turn: its pixels tell x. */
         const struct point want[3] = {
            { cases[i].snapped, 0 }, { cases[i].snapped + 255, 250 * 256 }, { 200 * 256, 0 } };
         fix_clear(f);
         fix_reset_vertices(f);
         fix_vertex(f, (float)(cases[i].x / 256.0), 0.0f, 0.5f, 1.0f);
         fix_vertex(f, (float)((cases[i].snapped + 255) / 256.0), 250.0f, 0.5f, 1.0f);
         fix_vertex(f, 200.0f, 0.0f, 0.5f, 1.0f);
         fix_draw(f, &levels[l], SGPU_PRIMITIVE_TRIANGLES, 0, 3);
         for (int y = 0; y < SIZE; y++) {
            for (int x = 0; x < SIZE; x++)
               assert_int_equal(fix_at(f, x, y, 0)->count,
                                inside(want, x, y, f->state.rast.bottom_edge_rule));
         }
      }
   }
}

/* Scissor, viewport and polygon stipple take pixels away, no more and no less. */
static void
boxes(void **state)
{
   struct fix *f = *state;
   unsigned n;
   const struct fix_level *levels = fix_levels(&n);
   const struct point t[3] = { { -5000, 300 }, { 60000, 9000 }, { 20000, 70000 } };
   uint64_t seed = 6;

   for (unsigned i = 0; i < 32; i++)
      f->state.poly_stipple[i] = fix_random(&seed) * 3;
   for (unsigned round = 0; round < 60; round++) {
      struct SGPU_SCISSOR *sc = &f->state.scissor[0];
      sc->x0 = fix_random(&seed) % SIZE;
      sc->y0 = fix_random(&seed) % SIZE;
      sc->x1 = fix_random(&seed) % (SIZE + 50);
      sc->y1 = fix_random(&seed) % (SIZE + 50);
      f->state.rast.scissor = true;
      f->state.rast.poly_stipple = round & 1;
      fix_clear(f);
      fix_reset_vertices(f);
      for (unsigned i = 0; i < 3; i++)
         vertex(f, t[i]);
      fix_draw(f, &levels[round % n], SGPU_PRIMITIVE_TRIANGLES, 0, 3);
      for (unsigned y = 0; y < SIZE; y++) {
         for (unsigned x = 0; x < SIZE; x++) {
            bool want = inside(t, x, y, f->state.rast.bottom_edge_rule) && x >= sc->x0 &&
                        x < sc->x1 && y >= sc->y0 && y < sc->y1;
            if (f->state.rast.poly_stipple)
               want &= f->state.poly_stipple[y % 32] >> (31 - x % 32) & 1;
            assert_int_equal(fix_at(f, x, y, 0)->count, want);
         }
      }
   }
   f->state.rast.scissor = f->state.rast.poly_stipple = false;
}

/* Front facing and culling, y downwards. */
static void
facing(void **state)
{
   struct fix *f = *state;
   unsigned n;
   const struct fix_level *levels = fix_levels(&n);
   /* Counter-clockwise as one sees it. */
   const struct point t[3] = { { 10000, 10000 }, { 10000, 20000 }, { 20000, 10000 } };

   for (unsigned k = 0; k < 16; k++) {
      const bool ccw = k & 1, front_ccw = k & 2;
      const enum sgpu_cull cull = k >> 2;
      const bool front = ccw == front_ccw;
      const bool drawn = cull == SGPU_CULL_NONE || (cull == SGPU_CULL_FRONT && !front) ||
                         (cull == SGPU_CULL_BACK && front);
      f->state.rast.front_ccw = front_ccw;
      f->state.rast.cull = cull;
      fix_clear(f);
      fix_reset_vertices(f);
      vertex(f, t[0]);
      vertex(f, t[ccw ? 1 : 2]);
      vertex(f, t[ccw ? 2 : 1]);
      fix_draw(f, &levels[k % n], SGPU_PRIMITIVE_TRIANGLES, 0, 3);
      assert_int_equal(fix_at(f, 45, 45, 0)->count, drawn);
   }
}

static int
setup(void **state)
{
   struct fix *f = aligned_alloc(64, sizeof(*f));

   fix_init(f, SIZE, SIZE, 1);
   *state = f;
   return 0;
}

static int
teardown(void **state)
{
   fix_free(*state);
   free(*state);
   return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
   const struct CMUnitTest tests[] = {
      TEST(triangles),    TEST(huge_triangles), TEST(meshes), TEST(pixel_center),
      TEST(snapping),     TEST(boxes),          TEST(facing),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
