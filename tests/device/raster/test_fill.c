/* SPDX-License-Identifier: MIT */
/*
 * Coverage of triangles: exact by the oracle, with both fill rules. Neighbouring triangles cover
 * each pixel once.
 */
#include "../../rounds.h"
#include "../../unit.h"
#include "oracle.h"
#include "common/sgd_prim.h"

#define SIZE 256

static bool
inside(const struct triangle *t, int x, int y)
{
   return oracle_covers(t, (struct point){ x * 256 + 128, y * 256 + 128 });
}

static int32_t
coordinate(uint64_t *seed, int range)
{
   int32_t c = (int32_t)(fix_random(seed) % (256u * range));

   /* Many coordinates are at borders and centres of pixels, where the fill rules matter. */
   switch (fix_random(seed) % 4) {
   case 0:
      return c & ~127;
   case 1:
      return (c & ~255) + 128;
   default:
      return c;
   }
}

static void
against_oracle(struct fix *f, const struct fix_level *level, struct triangle *t)
{
   for (unsigned rule = 0; rule < 2; rule++) {
      t->bottom_edge_rule = rule;
      oracle_draw(f, level, t);
      for (int y = 0; y < SIZE; y++) {
         for (int x = 0; x < SIZE; x++) {
            const unsigned want = inside(t, x, y);
            if (fix_at(f, x, y, 0)->count != want) {
               fail_msg("%s: pixel %d %d of (%d %d) (%d %d) (%d %d), rule %u: %u, expected %u",
                        level->name, x, y, t->p[0].x, t->p[0].y, t->p[1].x, t->p[1].y, t->p[2].x,
                        t->p[2].y, rule, fix_at(f, x, y, 0)->count, want);
            }
         }
      }
   }
}

static void
triangles(void **state)
{
   struct fix *f = *state;
   uint64_t seed = 1;

   for (unsigned round = 0; round < TEST_ROUNDS(400); round++) {
      const int range = round % 4 == 0 ? SIZE : round % 4 == 1 ? 40 : round % 4 == 2 ? 8 : 2;
      const int32_t ox = fix_random(&seed) % (256 * SIZE), oy = fix_random(&seed) % (256 * SIZE);
      struct triangle t;
      for (unsigned i = 0; i < 3; i++) {
         t.p[i].x = coordinate(&seed, range) + (range == SIZE ? 0 : ox & ~255);
         t.p[i].y = coordinate(&seed, range) + (range == SIZE ? 0 : oy & ~255);
      }
      against_oracle(f, fix_level_of(round), &t);
   }
}

static void
huge_triangles(void **state)
{
   struct fix *f = *state;
   uint64_t seed = 2;

   for (unsigned round = 0; round < TEST_ROUNDS(200); round++) {
      struct triangle t;
      if (oracle_huge(&t, SIZE, round & 1, &seed))
         against_oracle(f, fix_level_of(round), &t);
   }
}

/* Every pixel of a mesh is covered once. */
static void
meshes(void **state)
{
   struct fix *f = *state;
   uint64_t seed = 3;

   for (unsigned round = 0; round < TEST_ROUNDS(36); round++) {
      /* The last rounds have cells of 3 to 6 pixels. */
      const int cells = round < 30 ? 2 + round : ORACLE_CELLS / 4 * (2 + round % 3);
      f->state.rast.bottom_edge_rule = round & 1;
      oracle_mesh(f, fix_level_of(round / 2), SIZE, cells, 256, 128, &seed);
      for (int y = 0; y < SIZE; y++) {
         for (int x = 0; x < SIZE; x++) {
            if (fix_at(f, x, y, 0)->count != 1)
               fail_msg("round %u: pixel %d %d is covered %u times", round, x, y,
                        fix_at(f, x, y, 0)->count);
         }
      }
   }
}

/* With pixel centres at integer coordinates, the same triangles lie half a pixel further to the
 * lower right.
 */
static void
pixel_center(void **state)
{
   struct fix *f = *state;
   uint64_t seed = 4;

   for (unsigned round = 0; round < TEST_ROUNDS(50); round++) {
      struct triangle t = { .bottom_edge_rule = true };
      for (unsigned i = 0; i < 3; i++) {
         t.p[i].x = coordinate(&seed, 100);
         t.p[i].y = coordinate(&seed, 100);
      }
      f->state.rast.half_pixel_center = false;
      oracle_draw(f, fix_level_of(round), &t);
      f->state.rast.half_pixel_center = true;
      for (unsigned i = 0; i < 3; i++) {
         t.p[i].x += 128;
         t.p[i].y += 128;
      }
      for (int y = 0; y < SIZE; y++) {
         for (int x = 0; x < SIZE; x++)
            assert_int_equal(fix_at(f, x, y, 0)->count, inside(&t, x, y));
      }
   }
}

/* Coordinates are snapped to the nearest 1/256 pixel, half-way cases to even. */
static void
snapping(void **state)
{
   struct fix *f = *state;
   static const struct {
      double x; /* window coordinate, in 1/256 pixel */
      int32_t snapped;
   } cases[] = {
      { 1000.0, 1000 }, { 1000.25, 1000 },   { 1000.5, 1000 }, { 1000.75, 1001 },
      { 1001.5, 1002 }, { 1001.4375, 1001 }, { 1002.5, 1002 }, { 1003.5, 1004 },
   };

   for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
      for (unsigned l = 0; l < fix_num_levels(); l++) {
         /* The left side of a tall triangle crosses rows at x positions that reveal the snapped
          * coordinate.
          */
         const struct triangle want = {
            .p = { { cases[i].snapped, 0 },
                   { cases[i].snapped + 255, 250 * 256 },
                   { 200 * 256, 0 } },
            .bottom_edge_rule = f->state.rast.bottom_edge_rule,
         };
         fix_restart(f);
         fix_vertex(f, (float)(cases[i].x / 256.0), 0.0f, 0.5f, 1.0f);
         fix_vertex(f, (float)((cases[i].snapped + 255) / 256.0), 250.0f, 0.5f, 1.0f);
         fix_vertex(f, 200.0f, 0.0f, 0.5f, 1.0f);
         fix_draw(f, fix_level_of(l), SGPU_PRIMITIVE_TRIANGLES, 0, 3);
         for (int y = 0; y < SIZE; y++) {
            for (int x = 0; x < SIZE; x++)
               assert_int_equal(fix_at(f, x, y, 0)->count, inside(&want, x, y));
         }
      }
   }
}

/* Small bounding boxes at borders of blocks and tiles, with edges of any range. */
static void
small_boxes(void **state)
{
   struct fix *f = *state;
   struct SGPU_SCISSOR *sc = &f->state.scissor[0];
   uint64_t seed = 7;

   f->state.rast.scissor = true;
   for (unsigned round = 0; round < TEST_ROUNDS(600); round++) {
      struct triangle t;
      const int x = 64 * (1 + fix_random(&seed) % 3) - 10 + (int)(fix_random(&seed) % 20);
      const int y = 64 * (1 + fix_random(&seed) % 3) - 10 + (int)(fix_random(&seed) % 20);

      sc->x0 = x;
      sc->y0 = y;
      sc->x1 = x + 1 + fix_random(&seed) % 10;
      sc->y1 = y + 1 + fix_random(&seed) % 6;
      if (round % 3 == 0) {
         if (!oracle_huge(&t, SIZE, true, &seed))
            continue;
      } else if (round % 3 == 1) {
         /* Near the size limit for edges that are evaluated in 32 bits. */
         const int size = SGD_NARROW - 4 + (int)(fix_random(&seed) % 9);
         const int32_t left = 256 * x - (int32_t)(fix_random(&seed) % (unsigned)size);
         const int32_t above = 256 * y - (int32_t)(fix_random(&seed) % (unsigned)size);
         t.p[0] = (struct point){ left, above };
         t.p[1] = (struct point){ left + size, above + (int32_t)(fix_random(&seed) % 70000) };
         t.p[2] = (struct point){ left + (int32_t)(fix_random(&seed) % 70000), above + size };
      } else {
         /* A triangle around the box. */
         for (unsigned i = 0; i < 3; i++) {
            t.p[i].x = 256 * (x - 6) + coordinate(&seed, 20);
            t.p[i].y = 256 * (y - 6) + coordinate(&seed, 16);
         }
      }
      t.bottom_edge_rule = round / 3 % 2;
      oracle_draw(f, fix_level_of(round / 6), &t);
      for (int py = 0; py < SIZE; py++) {
         for (int px = 0; px < SIZE; px++) {
            const bool want = px >= sc->x0 && px < sc->x1 && py >= sc->y0 && py < sc->y1 &&
                              inside(&t, px, py);
            if (fix_at(f, px, py, 0)->count != want)
               fail_msg("round %u, pixel %d %d: %u, expected %u", round, px, py,
                        fix_at(f, px, py, 0)->count, want);
         }
      }
   }
   f->state.rast.scissor = false;
}

/* Scissor, viewport and polygon stipple remove exactly their pixels. */
static void
boxes(void **state)
{
   struct fix *f = *state;
   const struct triangle t = {
      .p = { { -5000, 300 }, { 60000, 9000 }, { 20000, 70000 } },
      .bottom_edge_rule = true,
   };
   uint64_t seed = 6;

   for (unsigned i = 0; i < 32; i++)
      f->state.poly_stipple[i] = fix_random(&seed) * 3;
   for (unsigned round = 0; round < TEST_ROUNDS(60); round++) {
      struct SGPU_SCISSOR *sc = &f->state.scissor[0];
      sc->x0 = fix_random(&seed) % SIZE;
      sc->y0 = fix_random(&seed) % SIZE;
      sc->x1 = fix_random(&seed) % (SIZE + 50);
      sc->y1 = fix_random(&seed) % (SIZE + 50);
      f->state.rast.scissor = true;
      f->state.rast.poly_stipple = round & 1;
      oracle_draw(f, fix_level_of(round), &t);
      for (unsigned y = 0; y < SIZE; y++) {
         for (unsigned x = 0; x < SIZE; x++) {
            bool want = inside(&t, x, y) && x >= sc->x0 && x < sc->x1 && y >= sc->y0 && y < sc->y1;
            if (f->state.rast.poly_stipple)
               want &= f->state.poly_stipple[y % 32] >> (31 - x % 32) & 1;
            assert_int_equal(fix_at(f, x, y, 0)->count, want);
         }
      }
   }
   f->state.rast.scissor = f->state.rast.poly_stipple = false;
}

/* Facing and culling, with y pointing down. */
static void
facing(void **state)
{
   struct fix *f = *state;
   /* Counter-clockwise as seen on the screen. */
   const struct point t[3] = { { 10000, 10000 }, { 10000, 20000 }, { 20000, 10000 } };

   for (unsigned k = 0; k < 16; k++) {
      const bool ccw = k & 1, front_ccw = k & 2;
      const enum sgpu_cull cull = k >> 2;
      const bool front = ccw == front_ccw;
      const bool drawn = cull == SGPU_CULL_NONE || (cull == SGPU_CULL_FRONT && !front) ||
                         (cull == SGPU_CULL_BACK && front);
      f->state.rast.front_ccw = front_ccw;
      f->state.rast.cull = cull;
      fix_restart(f);
      oracle_vertex(f, t[0]);
      oracle_vertex(f, t[ccw ? 1 : 2]);
      oracle_vertex(f, t[ccw ? 2 : 1]);
      fix_draw(f, fix_level_of(k), SGPU_PRIMITIVE_TRIANGLES, 0, 3);
      assert_int_equal(fix_at(f, 45, 45, 0)->count, drawn);
   }
}

/* A flat input has the same value in all tiles of a triangle. */
static void
flat(void **state)
{
   struct fix *f = *state;

   fix_varyings(f, 1, SGPU_INTERPOLATION_FLAT);
   for (unsigned k = 0; k < fix_num_levels(); k++) {
      fix_restart(f);
      for (unsigned i = 0; i < 3; i++)
         fix_input(f, fix_vertex(f, i == 1 ? 2 * SIZE : 0, i == 2 ? 2 * SIZE : 0, 0.5f, 1),
                   1)[0] = k + i;
      fix_draw(f, fix_level_of(k), SGPU_PRIMITIVE_TRIANGLES, 0, 3);
      for (unsigned y = 0; y < SIZE; y++) {
         for (unsigned x = 0; x < SIZE; x++)
            assert_true(fix_at(f, x, y, 0)->color[0][0] == k + 2);
      }
   }
}

FIX_SETUP(SIZE, SIZE, 1)

int
main(void)
{
   const struct CMUnitTest tests[] = {
      FIX_TEST(triangles),    FIX_TEST(huge_triangles), FIX_TEST(meshes),
      FIX_TEST(pixel_center), FIX_TEST(snapping),       FIX_TEST(small_boxes),
      FIX_TEST(boxes),        FIX_TEST(facing),         FIX_TEST(flat),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
