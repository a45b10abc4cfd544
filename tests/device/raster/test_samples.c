/* SPDX-License-Identifier: MIT */
/*
 * Targets with several samples: coverage of triangles, points and lines at the samples, by exact
 * arithmetic.
 */
#include <math.h>

#include "../../rounds.h"
#include "../../unit.h"
#include "samples.h"

/* Compares the written samples with the expected ones. */
/* returns 1 if covered, 0 if not, -1 if either is right */
typedef int want_fn(const void *what, struct point at);

static void
compare(struct fix *f, const char *kind, unsigned round, want_fn *want, const void *what,
        uint32_t mask)
{
   const unsigned samples = f->state.samples;

   for (unsigned s = 0; s < samples; s++) {
      for (int y = 0; y < SIZE; y++) {
         for (int x = 0; x < SIZE; x++) {
            const int wanted = mask >> s & 1 ? want(what, sample_place(samples, s, x, y)) : 0;
            const unsigned is = fix_sample(f, x, y, 0, s)->count;
            if (wanted >= 0 && is != (unsigned)wanted)
               fail_msg("%s, round %u: sample %u of %u of pixel %d %d is covered %u times, not %d",
                        kind, round, s, samples, x, y, is, wanted);
         }
      }
   }
}

static int
in_triangle(const void *what, struct point at)
{
   return oracle_covers(what, at);
}

static void
one_triangle(struct fix *f, unsigned round, const struct triangle *t)
{
   oracle_draw(f, fix_level_of(round), t);
   compare(f, "triangle", round, in_triangle, t, ~0u);
}

static void
triangles(void **state)
{
   struct fix *f = *state;
   uint64_t seed = 1;

   for (unsigned round = 0; round < TEST_ROUNDS(480); round++) {
      const int range = round % 4 == 0 ? SIZE : round % 4 == 1 ? 20 : round % 4 == 2 ? 4 : 1;
      const int32_t ox = rand_below(&seed, SIZE) * 256, oy = rand_below(&seed, SIZE) * 256;
      struct triangle t = { .bottom_edge_rule = round & 1 };

      fix_set_samples(f, sample_counts[TEST_PART(round, 4, 480)]);
      for (unsigned i = 0; i < 3; i++) {
         t.p[i].x = sample_coordinate(&seed, range) + (range == SIZE ? 0 : ox);
         t.p[i].y = sample_coordinate(&seed, range) + (range == SIZE ? 0 : oy);
      }
      one_triangle(f, round, &t);
   }
}

static void
huge_triangles(void **state)
{
   struct fix *f = *state;
   uint64_t seed = 2;

   for (unsigned round = 0; round < TEST_ROUNDS(400); round++) {
      struct triangle t = { .bottom_edge_rule = round & 1 };

      fix_set_samples(f, sample_counts[TEST_PART(round, 4, 400)]);
      if (!oracle_huge(&t, SIZE, round & 1, &seed))
         continue;
      if (round % 8 == 3) {
         /* The longest possible diagonal, through a tile. */
         t.p[0] = (struct point){ -(1 << 23), -(1 << 23) };
         t.p[1] = (struct point){ 1 << 23, (1 << 23) - (int32_t)rand_below(&seed, 4096) };
      }
      one_triangle(f, round, &t);
   }
}

/* Every sample of a mesh is covered once. */
static void
meshes(void **state)
{
   struct fix *f = *state;
   uint64_t seed = 3;

   for (unsigned round = 0; round < TEST_ROUNDS(40); round++) {
      fix_set_samples(f, sample_counts[TEST_PART(round, 4, 40)]);
      f->state.rast.bottom_edge_rule = round & 1;
      oracle_mesh(f, fix_level_of(round), SIZE, 2 + round / 2, 16, 0, &seed);
      for (unsigned s = 0; s < f->state.samples; s++) {
         for (int y = 0; y < SIZE; y++) {
            for (int x = 0; x < SIZE; x++) {
               if (fix_sample(f, x, y, 0, s)->count != 1)
                  fail_msg("round %u: sample %u of %d %d is covered %u times", round, s, x, y,
                           fix_sample(f, x, y, 0, s)->count);
            }
         }
      }
      assert_int_equal(f->stats.samples_passed, SIZE * SIZE * f->state.samples);
   }
}

/* -- points ------------------------------------------------------------------------ */

struct dot {
   struct point p;
   float size;
   bool square, bottom_edge_rule;
};

/* Distances are in 1/512 pixel. The side of a square is rounded to an even number. */
static int
in_dot(const void *what, struct point at)
{
   const struct dot *d = what;
   const int64_t dx = at.x - d->p.x, dy = at.y - d->p.y;

   if (!d->square) {
      const double r = d->size * 128.0;
      return dx * dx + dy * dy < r * r;
   }
   const int64_t half = (int64_t)nearbyint(d->size * 128.0);
   const bool in_y = d->bottom_edge_rule ? dy > -half && dy <= half : dy >= -half && dy < half;
   return dx >= -half && dx < half && in_y;
}

static void
points(void **state)
{
   struct fix *f = *state;
   uint64_t seed = 4;

   for (unsigned round = 0; round < TEST_ROUNDS(600); round++) {
      struct dot d = {
         .p = { sample_coordinate(&seed, SIZE), sample_coordinate(&seed, SIZE) },
         .size = round % 5 == 0 ? 1.0f : 1.0f + rand_below(&seed, 64 * (round % 40)) / 64.0f,
         .square = round & 1,
         .bottom_edge_rule = round & 2,
      };

      fix_set_samples(f, sample_counts[TEST_PART(round, 4, 600)]);
      f->state.rast.point_size = d.size;
      f->state.rast.point_quad = d.square;
      f->state.rast.bottom_edge_rule = d.bottom_edge_rule;
      fix_restart(f);
      oracle_vertex(f, d.p);
      fix_draw(f, fix_level_of(round), SGPU_PRIMITIVE_POINTS, 0, 1);
      compare(f, "point", round, in_dot, &d, ~0u);
   }
}

/* -- lines -------------------------------------------------------------------------- */

struct line {
   struct point p[2];
   float width;
   bool stippled;
   uint16_t pattern;
   unsigned factor;
};

/* Long double is precise enough to find samples that the double arithmetic of a device may decide
 * either way.
 */
static int
in_line(const void *what, struct point at)
{
   const struct line *l = what;
   const int64_t dx = l->p[1].x - l->p[0].x, dy = l->p[1].y - l->p[0].y;
   const int64_t u = (at.x - l->p[0].x) * dx + (at.y - l->p[0].y) * dy;
   const int64_t v = (at.y - l->p[0].y) * dx - (at.x - l->p[0].x) * dy;
   const long double length = sqrtl((long double)(dx * dx + dy * dy));
   const long double side = (long double)(v < 0 ? -v : v) - l->width * 128.0L * length;

   if (u < 0 || u >= dx * dx + dy * dy)
      return 0;
   if (fabsl(side) < 1e-6L * length)
      return -1;
   if (side > 0)
      return 0;
   if (l->stippled) {
      const long double along = u / length / 256.0L;
      const long double k = floorl(along);
      if (along - k < 1e-9L || along - k > 1.0L - 1e-9L)
         return -1;
      return l->pattern >> ((unsigned)k / l->factor % 16) & 1;
   }
   return 1;
}

static void
lines(void **state)
{
   struct fix *f = *state;
   uint64_t seed = 5;

   for (unsigned round = 0; round < TEST_ROUNDS(800); round++) {
      struct line l = {
         .p = { { sample_coordinate(&seed, SIZE), sample_coordinate(&seed, SIZE) },
                { sample_coordinate(&seed, SIZE), sample_coordinate(&seed, SIZE) } },
         .width = round % 3 == 0 ? 1.0f : 0.25f + rand_below(&seed, 1024) / 64.0f,
         .stippled = round & 1,
         .pattern = fix_random(&seed),
         .factor = 1 + rand_below(&seed, 5),
      };

      fix_set_samples(f, sample_counts[TEST_PART(round, 4, 800)]);
      if (round % 16 == 2)
         l.p[1].x = l.p[0].x;
      if (round % 16 == 4)
         l.p[1].y = l.p[0].y;
      f->state.rast.line_width = l.width;
      f->state.rast.line_stipple = l.stippled;
      f->state.rast.stipple_pattern = l.pattern;
      f->state.rast.stipple_factor = l.factor - 1;
      oracle_line(f, fix_level_of(round), l.p[0], l.p[1]);
      compare(f, "line", round, in_line, &l, ~0u);
   }
}

/* Edges and corners of polygons are lines and points of the same kind. */
static void
unfilled(void **state)
{
   struct fix *f = *state;
   const struct point t[3] = { { 3000, 2000 }, { 3300, 20000 }, { 21000, 9000 } };

   fix_set_samples(f, 4);
   f->state.rast.line_width = 3.0f;
   f->state.rast.point_size = 5.0f;
   for (unsigned lines = 0; lines < 2; lines++) {
      f->state.rast.fill_front = f->state.rast.fill_back = lines ? SGPU_FILL_LINE : SGPU_FILL_POINT;
      fix_restart(f);
      for (unsigned i = 0; i < 3; i++)
         oracle_vertex(f, t[i]);
      fix_draw(f, fix_level_of(lines), SGPU_PRIMITIVE_TRIANGLES, 0, 3);
      for (unsigned s = 0; s < 4; s++) {
         for (int y = 0; y < SIZE; y++) {
            for (int x = 0; x < SIZE; x++) {
               int want = 0;
               for (unsigned i = 0; i < 3; i++) {
                  const struct line l = { .p = { t[i], t[(i + 1) % 3] }, .width = 3.0f };
                  const struct dot d = { .p = t[i], .size = 5.0f };
                  const struct point at = sample_place(4, s, x, y);
                  want += lines ? in_line(&l, at) : in_dot(&d, at);
               }
               assert_int_equal(fix_sample(f, x, y, 0, s)->count, want);
            }
         }
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      SAMPLE_TEST(triangles), SAMPLE_TEST(huge_triangles), SAMPLE_TEST(meshes),
      SAMPLE_TEST(points),    SAMPLE_TEST(lines),          SAMPLE_TEST(unfilled),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
