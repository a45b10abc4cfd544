/* SPDX-License-Identifier: MIT */
/*
 * Smooth primitives: coverage compared with many samples in each pixel. There are fragments exactly
 * where the square of a pixel overlaps the primitive.
 */
#include <math.h>

#include "../../rounds.h"
#include "../../unit.h"
#include "fixture.h"

#define SIZE 64
#define SAMPLES 64 /* number of samples in a row of a pixel */

struct point {
   double x, y;
};

/* Returns whether the point x, y of the window is inside of the primitive. */
typedef bool (*inside_fn)(const void *data, double x, double y);

/* Returns the fraction of side * side samples of a pixel that are inside. */
static double
share(inside_fn inside, const void *data, unsigned px, unsigned py, unsigned side)
{
   unsigned n = 0;

   for (unsigned sy = 0; sy < side; sy++) {
      for (unsigned sx = 0; sx < side; sx++)
         n += inside(data, px + (sx + 0.5) / side, py + (sy + 0.5) / side);
   }
   return (double)n / (side * side);
}

/* Compares coverages after one primitive was drawn. Its alpha is 1 and the background's is 0, so
 * stored alpha is coverage. Returns the sum over the window.
 */
static double
compare(struct fix *f, const char *level, const char *what, unsigned round, inside_fn inside,
        const void *data)
{
   double sum = 0.0;

   for (unsigned y = 0; y < SIZE; y++) {
      for (unsigned x = 0; x < SIZE; x++) {
         const struct fix_pixel *p = fix_at(f, x, y, 0);
         /* Where there is no fragment, test fewer samples. */
         const double want = share(inside, data, x, y, p->count ? SAMPLES : SAMPLES / 8);
         const double got = p->count ? p->color[0][3] : 0.0;

         if (p->count > 1 || fabs(got - want) > 3.0 / SAMPLES || got < 0.0 || got > 1.0 ||
             (want > 0.0 && !p->count))
            fail_msg("%s, %s, round %u: pixel %u %u: %u fragments of %f, expected %f", level, what,
                     round, x, y, p->count, got, want);
         sum += got;
      }
   }
   return sum;
}

static void
begin(struct fix *f)
{
   fix_restart(f);
   fix_varyings(f, 1, SGPU_INTERPOLATION_PERSPECTIVE);
   f->state.plan.alpha = (struct sgd_alpha_mode){ .clamp = true, .cover = 0xff };
}

static void
vertex(struct fix *f, struct point p)
{
   const unsigned n = fix_vertex(f, p.x, p.y, 0.5f, 1.0f);

   fix_input(f, n, 1)[3] = 1.0f;
}

/* Rounds to 1/256 pixel, and in some rounds to integers or half integers. */
static double
round_to(double c, unsigned round)
{
   return round % 4 == 1 ? floor(c) : round % 4 == 2 ? floor(c) + 0.5 : floor(c * 256.0) / 256.0;
}

static double
coordinate(uint64_t *seed, unsigned round, double low, double high)
{
   const unsigned steps = (high - low) * 256;

   return round_to(low + (fix_random(seed) % steps) / 256.0, round);
}

/*
 * Lines
 */

struct line {
   struct point a, b;
   double width;
   const struct SGPU_RASTERIZER *stipple; /* state of the line stipple, or NULL */
   unsigned counter;
};

static bool
in_line(const void *data, double x, double y)
{
   const struct line *l = data;
   const double dx = l->b.x - l->a.x, dy = l->b.y - l->a.y, length = hypot(dx, dy);
   const double t = ((x - l->a.x) * dx + (y - l->a.y) * dy) / length;
   const double v = ((y - l->a.y) * dx - (x - l->a.x) * dy) / length;

   if (t < 0.0 || t > length || fabs(v) > l->width / 2)
      return false;
   if (!l->stipple)
      return true;
   const unsigned s = (l->counter + (unsigned)t) / (l->stipple->stipple_factor + 1) % 16;
   return l->stipple->stipple_pattern >> s & 1;
}

static void
lines(void **state)
{
   struct fix *f = *state;
   static const float widths[] = { 1.0f, 1.5f, 2.0f, 0.25f, 7.0f, 20.0f };
   uint64_t seed = 1;

   f->state.rast.line_smooth = true;
   for (unsigned round = 0; round < TEST_ROUNDS(80 * fix_num_levels()); round++) {
      const struct fix_level *level = fix_level_of(round);
      struct line l = { .width = widths[round % ARRAY_SIZE(widths)] };

      l.a.x = coordinate(&seed, round, 12, 52);
      l.a.y = coordinate(&seed, round, 12, 52);
      l.b.x = round % 5 == 1 ? l.a.x : coordinate(&seed, round, 12, 52);
      l.b.y = round % 5 == 2 ? l.a.y : coordinate(&seed, round, 12, 52);
      if (round % 5 == 3)
         l.b.y = CLAMP(l.a.y + (l.b.x - l.a.x), 12, 52);
      f->state.rast.line_width = l.width;
      begin(f);
      vertex(f, l.a);
      vertex(f, l.b);
      fix_draw(f, level, SGPU_PRIMITIVE_LINES, 0, 2);

      const double length = hypot(l.b.x - l.a.x, l.b.y - l.a.y);
      if (length == 0.0) {
         assert_int_equal(f->stats.ps_invocations, 0);
         continue;
      }
      /* The line is inside the window, so the sum is its area. */
      const double sum = compare(f, level->name, "line", round, in_line, &l);
      assert_true(fabs(sum - length * l.width) < 1e-3);
   }
}

/* Lines along the axes between whole pixels cover exactly these pixels. */
static void
exact_lines(void **state)
{
   struct fix *f = *state;

   f->state.rast.line_smooth = true;
   for (unsigned round = 0; round < 8; round++) {
      const bool upright = round & 1, reverse = round & 2;
      struct point a = { 10, 20.5 }, b = { 30, 20.5 };
      if (upright) {
         a = (struct point){ a.y, a.x };
         b = (struct point){ b.y, b.x };
      }
      f->state.rast.line_width = 1.0f;
      begin(f);
      vertex(f, reverse ? b : a);
      vertex(f, reverse ? a : b);
      fix_draw(f, fix_level_of(round), SGPU_PRIMITIVE_LINES, 0, 2);
      for (unsigned y = 0; y < SIZE; y++) {
         for (unsigned x = 0; x < SIZE; x++) {
            const unsigned along = upright ? y : x, across = upright ? x : y;
            const bool want = across == 20 && along >= 10 && along < 30;
            assert_int_equal(fix_at(f, x, y, 0)->count, want);
            assert_true(!want || fix_at(f, x, y, 0)->color[0][3] == 1.0f);
         }
      }
   }
}

/* Strips of stippled lines: rectangles with a length of one pixel, the last one of each line
 * shorter. The stipple counter continues through the strip.
 */
static void
stippled_lines(void **state)
{
   struct fix *f = *state;
   uint64_t seed = 2;

   f->state.rast.line_smooth = f->state.rast.line_stipple = true;
   for (unsigned round = 0; round < TEST_ROUNDS(20 * fix_num_levels()); round++) {
      const struct fix_level *level = fix_level_of(round);
      struct SGPU_RASTERIZER *rast = &f->state.rast;
      struct line l = { .width = round % 3 ? 1.0 + round % 3 : 1.0, .stipple = rast };
      struct point p[3];

      rast->line_width = l.width;
      rast->stipple_pattern = fix_random(&seed) & 0xffff;
      rast->stipple_factor = fix_random(&seed) % 4;
      for (unsigned i = 0; i < 3; i++) {
         p[i].x = coordinate(&seed, round, 6, 58);
         p[i].y = coordinate(&seed, round, 6, 58);
      }
      begin(f);
      /* The first line of the strip is outside of the window, but counts. */
      p[0].x += SIZE;
      p[1].x = SIZE + 0.25;
      for (unsigned i = 0; i < 3; i++)
         vertex(f, p[i]);
      fix_draw(f, level, SGPU_PRIMITIVE_LINE_STRIP, 0, 3);
      l.a = p[1];
      l.b = p[2];
      l.counter = ceil(hypot(p[1].x - p[0].x, p[1].y - p[0].y));
      f->state.rast.stipple_factor = rast->stipple_factor;
      compare(f, level->name, "stippled line", round, in_line, &l);
   }
}

/*
 * Points
 */

struct disc {
   struct point c;
   double radius;
};

static bool
in_disc(const void *data, double x, double y)
{
   const struct disc *d = data;

   return hypot(x - d->c.x, y - d->c.y) < d->radius;
}

static void
points(void **state)
{
   struct fix *f = *state;
   static const float sizes[] = { 1.0f, 1.5f, 2.0f, 3.25f, 4.0f, 9.875f, 20.0f };
   uint64_t seed = 3;

   f->state.rast.point_smooth = true;
   for (unsigned round = 0; round < TEST_ROUNDS(70 * fix_num_levels()); round++) {
      const struct fix_level *level = fix_level_of(round);
      struct disc d = { .radius = sizes[round % ARRAY_SIZE(sizes)] / 2 };

      d.c.x = coordinate(&seed, round, 12, 52);
      d.c.y = coordinate(&seed, round, 12, 52);
      f->state.rast.point_size = 2 * d.radius;
      begin(f);
      vertex(f, d.c);
      fix_draw(f, level, SGPU_PRIMITIVE_POINTS, 0, 1);
      const double sum = compare(f, level->name, "point", round, in_disc, &d);
      assert_true(fabs(sum - M_PI * d.radius * d.radius) < 1e-4);
   }

   /* A point at a corner of four pixels covers a quarter of its area in each. */
   f->state.rast.point_size = 1.0f;
   begin(f);
   vertex(f, (struct point){ 20, 30 });
   fix_draw(f, fix_level_of(0), SGPU_PRIMITIVE_POINTS, 0, 1);
   for (unsigned i = 0; i < 4; i++)
      assert_true(fabs(fix_at(f, 19 + (i & 1), 29 + (i >> 1), 0)->color[0][3] - M_PI / 16) < 1e-7);

   /* Sprites are squares. */
   f->state.rast.point_quad = true;
   begin(f);
   vertex(f, (struct point){ 20.5, 30.5 });
   fix_draw(f, fix_level_of(0), SGPU_PRIMITIVE_POINTS, 0, 1);
   assert_true(fix_at(f, 20, 30, 0)->color[0][3] == 1.0f);
   assert_int_equal(f->stats.ps_invocations, 1);
   f->state.rast.point_quad = false;

   /* With several samples, points are squares as well. */
   f->state.rast.multisample = true;
   fix_set_samples(f, 4);
   begin(f);
   vertex(f, (struct point){ 20.5, 30.5 });
   fix_draw(f, fix_level_of(0), SGPU_PRIMITIVE_POINTS, 0, 1);
   assert_true(fix_at(f, 20, 30, 0)->color[0][3] == 1.0f);
}

/*
 * Polygons
 */

#define MAX_CORNERS 40

struct polygon {
   unsigned n;
   struct point p[MAX_CORNERS];
};

static double
turn(struct point a, struct point b, struct point c)
{
   return (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
}

static double
area_of(const struct polygon *g)
{
   double sum = 0.0;

   for (unsigned i = 1; i + 1 < g->n; i++)
      sum += turn(g->p[0], g->p[i], g->p[i + 1]) / 2;
   return sum;
}

/* Returns whether the point is inside of a convex polygon of either winding. */
static bool
in_polygon(const void *data, double x, double y)
{
   const struct polygon *g = data;
   bool left = false, right = false;

   for (unsigned i = 0; i < g->n; i++) {
      const double t = turn(g->p[i], g->p[(i + 1) % g->n], (struct point){ x, y });
      left |= t < 0.0;
      right |= t > 0.0;
   }
   return !left || !right;
}

static bool
is_convex(const struct polygon *g)
{
   bool left = false, right = false;

   for (unsigned i = 0; i < g->n; i++) {
      const double t = turn(g->p[i], g->p[(i + 1) % g->n], g->p[(i + 2) % g->n]);
      left |= t < 0.0;
      right |= t > 0.0;
   }
   return !left || !right;
}

/* Places corners on an ellipse. After rounding, most of these polygons are convex. */
static void
corners_on_ellipse(struct polygon *g, uint64_t *seed, unsigned n, unsigned round)
{
   const double rx = 3.0 + fix_random(seed) % 4000 / 200.0;
   const double ry = 3.0 + fix_random(seed) % 4000 / 200.0;
   const double start = fix_random(seed) % 1000, direction = round & 1 ? 1.0 : -1.0;

   g->n = n;
   for (unsigned i = 0; i < n; i++) {
      const double angle = start + direction * 2 * M_PI * (i + fix_random(seed) % 100 / 200.0) / n;
      g->p[i].x = round_to(32.0 + rx * cos(angle), round);
      g->p[i].y = round_to(32.0 + ry * sin(angle), round);
   }
}

static void
random_polygon(struct polygon *g, uint64_t *seed, unsigned n, unsigned round)
{
   do
      corners_on_ellipse(g, seed, n, round);
   while (!is_convex(g));
}

static void
draw_corners(struct fix *f, const struct fix_level *level, enum sgpu_primitive primitive,
             const struct polygon *g)
{
   begin(f);
   for (unsigned i = 0; i < g->n; i++)
      vertex(f, g->p[i]);
   fix_draw(f, level, primitive, 0, g->n);
}

/* Triangles, quads and polygons are covered as a whole, without seams between their parts. */
static void
polygons(void **state)
{
   struct fix *f = *state;
   static const struct {
      enum sgpu_primitive primitive;
      unsigned corners;
   } kinds[] = {
      { SGPU_PRIMITIVE_TRIANGLES, 3 },  { SGPU_PRIMITIVE_QUADS, 4 },
      { SGPU_PRIMITIVE_QUAD_STRIP, 4 }, { SGPU_PRIMITIVE_POLYGON, 5 },
      { SGPU_PRIMITIVE_POLYGON, 9 },
   };
   uint64_t seed = 4;

   f->state.rast.poly_smooth = true;
   for (unsigned round = 0; round < TEST_ROUNDS(50 * fix_num_levels()); round++) {
      const struct fix_level *level = fix_level_of(round);
      const unsigned k = fix_random(&seed) % ARRAY_SIZE(kinds);
      struct polygon g, order;

      random_polygon(&g, &seed, kinds[k].corners, round);
      f->state.rast.flatshade_first = round & 4;
      f->state.rast.bottom_edge_rule = round & 8;
      order = g;
      if (kinds[k].primitive == SGPU_PRIMITIVE_QUAD_STRIP) {
         order.p[2] = g.p[3];
         order.p[3] = g.p[2];
      }
      draw_corners(f, level, kinds[k].primitive, &order);
      if (!area_of(&g)) {
         assert_int_equal(f->stats.ps_invocations, 0);
         continue;
      }
      const double sum = compare(f, level->name, "polygon", round, in_polygon, &g);
      assert_true(fabs(sum - fabs(area_of(&g))) < 1e-3);
   }
}

/* A polygon with more corners than the clipper takes at once is drawn in pieces. */
static void
many_corners(void **state)
{
   struct fix *f = *state;
   uint64_t seed = 5;

   f->state.rast.poly_smooth = true;
   for (unsigned round = 0; round < TEST_ROUNDS(5) * fix_num_levels(); round++) {
      struct polygon g;
      double sum = 0.0;

      random_polygon(&g, &seed, MAX_CORNERS, 4 * (round + (round & 1)) + (round & 1) * 3);
      draw_corners(f, fix_level_of(round), SGPU_PRIMITIVE_POLYGON, &g);
      /* Fragments of pieces are blended, not added, so only pixels with one fragment are compared.
       */
      for (unsigned y = 0; y < SIZE; y++) {
         for (unsigned x = 0; x < SIZE; x++) {
            const struct fix_pixel *p = fix_at(f, x, y, 0);
            if (p->count != 1)
               continue;
            sum += fabs(p->color[0][3] - share(in_polygon, &g, x, y, SAMPLES)) > 3.0 / SAMPLES;
         }
      }
      assert_true(sum == 0.0);
   }
}

/* Coverages of triangles with common edges add up to the coverage of their union. */
static void
shared_edges(void **state)
{
   struct fix *f = *state;
   uint64_t seed = 6;
   static double sum[SIZE * SIZE];

   f->state.rast.poly_smooth = true;
   for (unsigned round = 0; round < TEST_ROUNDS(40); round++) {
      struct polygon g, t = { .n = 3 };

      random_polygon(&g, &seed, 8, round);
      memset(sum, 0, sizeof(sum));
      for (unsigned i = 1; i + 1 < g.n; i++) {
         t.p[0] = g.p[0];
         t.p[1] = g.p[i];
         t.p[2] = g.p[i + 1];
         draw_corners(f, fix_level_of(round), SGPU_PRIMITIVE_TRIANGLES, &t);
         for (unsigned k = 0; k < SIZE * SIZE; k++)
            sum[k] += f->pixels[k].color[0][3];
      }
      draw_corners(f, fix_level_of(round), SGPU_PRIMITIVE_POLYGON, &g);
      for (unsigned k = 0; k < SIZE * SIZE; k++)
         assert_true(fabs(sum[k] - f->pixels[k].color[0][3]) < 1e-5);
   }
}

/* A value that is linear in the window is evaluated at the centroid of the covered area. It never
 * exceeds the range of the corners' values.
 */
static void
values(void **state)
{
   struct fix *f = *state;
   uint64_t seed = 7;

   f->state.rast.poly_smooth = true;
   f->state.plan.zs_mode = (struct sgd_zs_mode){ .test_early = true, .active = true };
   for (unsigned round = 0; round < TEST_ROUNDS(24); round++) {
      struct polygon g;

      random_polygon(&g, &seed, 3, round);
      begin(f);
      for (unsigned i = 0; i < g.n; i++) {
         /* Depth is x, and the colour is (x, y). */
         const unsigned v = fix_vertex(f, g.p[i].x, g.p[i].y, g.p[i].x / SIZE, 1.0f);
         fix_input(f, v, 1)[0] = g.p[i].x;
         fix_input(f, v, 1)[1] = g.p[i].y;
         fix_input(f, v, 1)[3] = 1.0f;
      }
      fix_draw(f, fix_level_of(round), SGPU_PRIMITIVE_TRIANGLES, 0, 3);
      for (unsigned y = 0; y < SIZE; y++) {
         for (unsigned x = 0; x < SIZE; x++) {
            const struct fix_pixel *p = fix_at(f, x, y, 0);
            double mx = 0.0, my = 0.0;
            unsigned inside = 0;

            for (unsigned s = 0; p->count && s < SAMPLES * SAMPLES; s++) {
               const double sx = x + (s % SAMPLES + 0.5) / SAMPLES;
               const double sy = y + (s / SAMPLES + 0.5) / SAMPLES;
               if (in_polygon(&g, sx, sy)) {
                  mx += sx;
                  my += sy;
                  inside++;
               }
            }
            /* Of slivers, too few samples are inside for a comparison. */
            if (inside < SAMPLES)
               continue;
            if (fabs(p->color[0][0] - mx / inside) > 2.0 / SAMPLES ||
                fabs(p->color[0][1] - my / inside) > 2.0 / SAMPLES ||
                fabs(p->z * SIZE - mx / inside) > 2.0 / SAMPLES)
               fail_msg("round %u: pixel %u %u: %f %f %f, expected %f %f", round, x, y,
                        p->color[0][0], p->color[0][1], p->z * SIZE, mx / inside, my / inside);
         }
      }
   }
   f->state.plan.zs_mode = (struct sgd_zs_mode){ 0 };
}

FIX_SETUP(SIZE, SIZE, 1)

int
main(void)
{
   const struct CMUnitTest tests[] = {
      FIX_TEST(lines),    FIX_TEST(exact_lines),  FIX_TEST(stippled_lines), FIX_TEST(points),
      FIX_TEST(polygons), FIX_TEST(many_corners), FIX_TEST(shared_edges),   FIX_TEST(values),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
