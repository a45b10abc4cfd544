/* SPDX-License-Identifier: MIT */
/*
 * Targets with several samples: coverage of triangles, points and lines at the
 * samples, by exact arithmetic; where depth and inputs are taken; what becomes
 * of masks.  Positions of samples are those of the Vulkan specification
 * (26.4, standard sample locations), as it prints them.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "fixture.h"

#define SIZE 96

struct point {
   int32_t x, y;              /* 1/256 pixel */
};

static const double standard_2[][2] = { { 0.75, 0.75 }, { 0.25, 0.25 } };
static const double standard_4[][2] = {
   { 0.375, 0.125 }, { 0.875, 0.375 }, { 0.125, 0.625 }, { 0.625, 0.875 },
};
static const double standard_8[][2] = {
   { 0.5625, 0.3125 }, { 0.4375, 0.6875 }, { 0.8125, 0.5625 }, { 0.3125, 0.1875 },
   { 0.1875, 0.8125 }, { 0.0625, 0.4375 }, { 0.6875, 0.9375 }, { 0.9375, 0.0625 },
};
static const double standard_16[][2] = {
   { 0.5625, 0.5625 }, { 0.4375, 0.3125 }, { 0.3125, 0.625 },  { 0.75, 0.4375 },
   { 0.1875, 0.375 },  { 0.625, 0.8125 },  { 0.8125, 0.6875 }, { 0.6875, 0.1875 },
   { 0.375, 0.875 },   { 0.5, 0.0625 },    { 0.25, 0.125 },    { 0.125, 0.75 },
   { 0.0, 0.5 },       { 0.9375, 0.25 },   { 0.875, 0.9375 },  { 0.0625, 0.0 },
};

static const double *
sample_at(unsigned samples, unsigned n)
{
   return samples == 2 ? standard_2[n] : samples == 4 ? standard_4[n] :
          samples == 8 ? standard_8[n] : standard_16[n];
}

/* In 1/256 pixel of the window. */
static struct point
place(unsigned samples, unsigned n, int x, int y)
{
   const double *at = sample_at(samples, n);
   return (struct point){ x * 256 + (int)(at[0] * 256), y * 256 + (int)(at[1] * 256) };
}

static const unsigned counts[] = { 2, 4, 8, 16 };

static unsigned
vertex(struct fix *f, struct point p)
{
   return fix_vertex(f, p.x / 256.0f, p.y / 256.0f, 0.5f, 1.0f);
}

static const struct fix_level *
any_level(unsigned round)
{
   unsigned n;
   const struct fix_level *levels = fix_levels(&n);
   return &levels[round % n];
}

static unsigned
rand_below(uint64_t *seed, unsigned n)
{
   return fix_random(seed) % n;
}

static int32_t
coordinate(uint64_t *seed, int range)
{
   const int32_t c = (int32_t)rand_below(seed, 256u * range);

   /* Borders, centres and samples are where the rules matter. */
   switch (rand_below(seed, 4)) {
   case 0: return c & ~15;
   case 1: return (c & ~255) + 128;
   case 2: return c & ~127;
   default: return c;
   }
}

/* Compares what was written with what the test wants, sample by sample. */
typedef int want_fn(const void *what, struct point at);    /* 0, 1; -1: do not care */

static void
compare(struct fix *f, const char *kind, unsigned round, want_fn *want, const void *what,
        uint32_t mask)
{
   const unsigned samples = f->state.samples;

   for (unsigned s = 0; s < samples; s++) {
      for (int y = 0; y < SIZE; y++) {
         for (int x = 0; x < SIZE; x++) {
            const int wanted = mask >> s & 1 ? want(what, place(samples, s, x, y)) : 0;
            const unsigned is = fix_sample(f, x, y, 0, s)->count;
            if (wanted >= 0 && is != (unsigned)wanted)
               fail_msg("%s, round %u: sample %u of %u of pixel %d %d is covered %u times, not %d",
                        kind, round, s, samples, x, y, is, wanted);
         }
      }
   }
}

/* -- triangles ------------------------------------------------------------------ */

struct triangle {
   struct point p[3];
   bool bottom_edge_rule;
};

/* The edge's rule by its direction alone. */
static int
in_triangle(const void *what, struct point at)
{
   const struct triangle *t = what;
   const struct point *c = t->p;
   const __int128 area = (__int128)(c[1].x - c[0].x) * (c[2].y - c[0].y) -
                         (__int128)(c[2].x - c[0].x) * (c[1].y - c[0].y);

   if (area == 0)
      return 0;
   for (unsigned i = 0; i < 3; i++) {
      struct point p = c[i], q = c[(i + 1) % 3];
      if (area < 0) {
         const struct point s = p;
         p = q;
         q = s;
      }
      const __int128 e =
         (__int128)(q.x - p.x) * (at.y - p.y) - (__int128)(q.y - p.y) * (at.x - p.x);
      const bool left = q.y < p.y, top = q.y == p.y && q.x > p.x;
      const bool bottom = q.y == p.y && q.x < p.x;
      if (e < 0 || (e == 0 && !left && !(t->bottom_edge_rule ? bottom : top)))
         return 0;
   }
   return 1;
}

static void
one_triangle(struct fix *f, unsigned round, const struct triangle *t)
{
   f->state.rast.bottom_edge_rule = t->bottom_edge_rule;
   fix_clear(f);
   fix_reset_vertices(f);
   for (unsigned i = 0; i < 3; i++)
      vertex(f, t->p[i]);
   fix_draw(f, any_level(round), SGPU_PRIMITIVE_TRIANGLES, 0, 3);
   compare(f, "triangle", round, in_triangle, t, ~0u);
}

static void
triangles(void **state)
{
   struct fix *f = *state;
   uint64_t seed = 1;

   for (unsigned round = 0; round < 480; round++) {
      const int range = round % 4 == 0 ? SIZE : round % 4 == 1 ? 20 : round % 4 == 2 ? 4 : 1;
      const int32_t ox = rand_below(&seed, SIZE) * 256, oy = rand_below(&seed, SIZE) * 256;
      struct triangle t = { .bottom_edge_rule = round & 1 };

      if (round % 120 == 0)
         fix_set_samples(f, counts[round / 120]);
      for (unsigned i = 0; i < 3; i++) {
         t.p[i].x = coordinate(&seed, range) + (range == SIZE ? 0 : ox);
         t.p[i].y = coordinate(&seed, range) + (range == SIZE ? 0 : oy);
      }
      one_triangle(f, round, &t);
   }
}

/* Corners up to the guard planes: edge functions of the full range. */
static void
huge_triangles(void **state)
{
   struct fix *f = *state;
   uint64_t seed = 2;

   for (unsigned round = 0; round < 400; round++) {
      struct triangle t = { .bottom_edge_rule = round & 1 };

      if (round % 100 == 0)
         fix_set_samples(f, counts[round / 100]);
      for (unsigned i = 0; i < 3; i++) {
         t.p[i].x = (int32_t)rand_below(&seed, 2u << 23) - (1 << 23);
         t.p[i].y = (int32_t)rand_below(&seed, 2u << 23) - (1 << 23);
         if (rand_below(&seed, 3) == 0)
            t.p[i].x = fix_random(&seed) & 1 ? -(1 << 23) : 1 << 23;
         if (rand_below(&seed, 3) == 0)
            t.p[i].y = fix_random(&seed) & 1 ? -(1 << 23) : 1 << 23;
      }
      /* Let an edge cross the targets. */
      if (round & 1) {
         t.p[1].x = SIZE * 256 - t.p[0].x;
         t.p[1].y = SIZE * 256 - t.p[0].y;
         if (abs(t.p[1].x) > 1 << 23 || abs(t.p[1].y) > 1 << 23)
            continue;
      }
      if (round % 8 == 3) {
         /* The longest diagonal, through a tile. */
         t.p[0] = (struct point){ -(1 << 23), -(1 << 23) };
         t.p[1] = (struct point){ 1 << 23, (1 << 23) - (int32_t)rand_below(&seed, 4096) };
      }
      one_triangle(f, round, &t);
   }
}

/* A jittered grid cut along random diagonals, in any winding: every sample is
 * covered once.
 */
static void
meshes(void **state)
{
   struct fix *f = *state;
   uint64_t seed = 3;

   for (unsigned round = 0; round < 40; round++) {
      const int cells = 2 + round / 2, step = 256 * (SIZE + 32) / cells;
      struct point p[32][32];

      if (round % 10 == 0)
         fix_set_samples(f, counts[round / 10]);
      f->state.rast.bottom_edge_rule = round & 1;
      fix_clear(f);
      fix_reset_vertices(f);
      for (int y = 0; y <= cells; y++) {
         for (int x = 0; x <= cells; x++) {
            p[y][x].x = x * step - 16 * 256 + (int)rand_below(&seed, step / 2);
            p[y][x].y = y * step - 16 * 256 + (int)rand_below(&seed, step / 2);
            if (rand_below(&seed, 2)) {
               p[y][x].x &= ~15;
               p[y][x].y &= ~15;
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
      fix_draw(f, any_level(round), SGPU_PRIMITIVE_TRIANGLES, 0, f->num_vertices);
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

/* Distances in 1/512 pixel: the side of a square is rounded to an even number. */
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

   for (unsigned round = 0; round < 600; round++) {
      struct dot d = {
         .p = { coordinate(&seed, SIZE), coordinate(&seed, SIZE) },
         .size = round % 5 == 0 ? 1.0f : 1.0f + rand_below(&seed, 64 * (round % 40)) / 64.0f,
         .square = round & 1,
         .bottom_edge_rule = round & 2,
      };

      if (round % 150 == 0)
         fix_set_samples(f, counts[round / 150]);
      f->state.rast.point_size = d.size;
      f->state.rast.point_quad = d.square;
      f->state.rast.bottom_edge_rule = d.bottom_edge_rule;
      fix_clear(f);
      fix_reset_vertices(f);
      vertex(f, d.p);
      fix_draw(f, any_level(round), SGPU_PRIMITIVE_POINTS, 0, 1);
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

/* Long double is wide enough to see where the double arithmetic of a device may
 * come out either way.
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

   for (unsigned round = 0; round < 800; round++) {
      struct line l = {
         .p = { { coordinate(&seed, SIZE), coordinate(&seed, SIZE) },
                { coordinate(&seed, SIZE), coordinate(&seed, SIZE) } },
         .width = round % 3 == 0 ? 1.0f : 0.25f + rand_below(&seed, 1024) / 64.0f,
         .stippled = round & 1,
         .pattern = fix_random(&seed),
         .factor = 1 + rand_below(&seed, 5),
      };

      if (round % 200 == 0)
         fix_set_samples(f, counts[round / 200]);
      if (round % 16 == 2)
         l.p[1].x = l.p[0].x;
      if (round % 16 == 4)
         l.p[1].y = l.p[0].y;
      f->state.rast.line_width = l.width;
      f->state.rast.line_stipple = l.stippled;
      f->state.rast.stipple_pattern = l.pattern;
      f->state.rast.stipple_factor = l.factor - 1;
      fix_clear(f);
      fix_reset_vertices(f);
      vertex(f, l.p[0]);
      vertex(f, l.p[1]);
      fix_draw(f, any_level(round), SGPU_PRIMITIVE_LINES, 0, 2);
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
      f->state.rast.fill_front = f->state.rast.fill_back =
         lines ? SGPU_FILL_LINE : SGPU_FILL_POINT;
      fix_clear(f);
      fix_reset_vertices(f);
      for (unsigned i = 0; i < 3; i++)
         vertex(f, t[i]);
      fix_draw(f, any_level(lines), SGPU_PRIMITIVE_TRIANGLES, 0, 3);
      for (unsigned s = 0; s < 4; s++) {
         for (int y = 0; y < SIZE; y++) {
            for (int x = 0; x < SIZE; x++) {
               int want = 0;
               for (unsigned i = 0; i < 3; i++) {
                  const struct line l = { .p = { t[i], t[(i + 1) % 3] }, .width = 3.0f };
                  const struct dot d = { .p = t[i], .size = 5.0f };
                  want += lines ? in_line(&l, place(4, s, x, y)) : in_dot(&d, place(4, s, x, y));
               }
               assert_int_equal(fix_sample(f, x, y, 0, s)->count, want);
            }
         }
      }
   }
}

/* -- masks ---------------------------------------------------------------------------- */

/* Scissor, polygon stipple and SAMPLE MASK take samples away, no more and no
 * less; what is left is what queries count.
 */
static void
boxes(void **state)
{
   struct fix *f = *state;
   const struct triangle t = { .p = { { -5000, 300 }, { 30000, 3000 }, { 7000, 25000 } } };
   uint64_t seed = 6;

   f->state.rast.bottom_edge_rule = false;
   for (unsigned i = 0; i < 32; i++)
      f->state.poly_stipple[i] = fix_random(&seed) * 3;
   for (unsigned round = 0; round < 80; round++) {
      struct SGPU_SCISSOR *sc = &f->state.scissor[0];
      uint64_t count = 0;

      if (round % 20 == 0)
         fix_set_samples(f, counts[round / 20]);
      sc->x0 = rand_below(&seed, SIZE / 2);
      sc->y0 = rand_below(&seed, SIZE / 2);
      sc->x1 = sc->x0 + rand_below(&seed, SIZE + 50);
      sc->y1 = sc->y0 + rand_below(&seed, SIZE + 50);
      f->state.rast.scissor = round & 2;
      f->state.rast.poly_stipple = round & 1;
      f->state.sample_mask = round & 4 ? fix_random(&seed) >> 8 : ~0u;
      fix_clear(f);
      fix_reset_vertices(f);
      for (unsigned i = 0; i < 3; i++)
         vertex(f, t.p[i]);
      fix_draw(f, any_level(round), SGPU_PRIMITIVE_TRIANGLES, 0, 3);
      for (unsigned s = 0; s < f->state.samples; s++) {
         for (unsigned y = 0; y < SIZE; y++) {
            for (unsigned x = 0; x < SIZE; x++) {
               int want = in_triangle(&t, place(f->state.samples, s, x, y));
               if (f->state.rast.scissor)
                  want &= x >= sc->x0 && x < sc->x1 && y >= sc->y0 && y < sc->y1;
               if (f->state.rast.poly_stipple)
                  want &= f->state.poly_stipple[y % 32] >> (31 - x % 32) & 1;
               want &= f->state.sample_mask >> s & 1;
               assert_int_equal(fix_sample(f, x, y, 0, s)->count, want);
               count += want;
            }
         }
      }
      assert_int_equal(f->stats.samples_passed, count);
   }
}

/* Without Multisample, pixels are covered by their centres, with all samples, as
 * if there was one; so programs see it.
 */
static void
single(void **state)
{
   struct fix *f = *state;
   uint64_t seed = 7;

   for (unsigned round = 0; round < 40; round++) {
      const unsigned kind = round % 3, samples = counts[round % 4];
      const enum sgpu_primitive primitive = kind == 0 ? SGPU_PRIMITIVE_TRIANGLES :
                                            kind == 1 ? SGPU_PRIMITIVE_LINES :
                                                        SGPU_PRIMITIVE_POINTS;
      struct fix_pixel *alone = malloc(SIZE * SIZE * sizeof(*alone));

      f->state.rast.multisample = false;
      f->state.rast.point_size = 7.0f;
      f->state.rast.line_width = 3.0f;
      f->state.rast.line_smooth = f->state.rast.point_smooth = round & 1;
      fix_varyings(f, 1, SGPU_INTERPOLATION_LINEAR);
      f->ps.sysvals_read = 1u << SGPU_SYS_SAMPLE_MASK;
      f->presets = true;
      fix_set_samples(f, 1);
      fix_reset_vertices(f);
      for (unsigned i = 0; i < 30; i++) {
         const unsigned v = fix_vertex(f, rand_below(&seed, SIZE), rand_below(&seed, SIZE),
                                       rand_below(&seed, 256) / 256.0f, 1.0f);
         fix_input(f, v, 1)[0] = rand_below(&seed, 256);
      }
      f->depth_less = true;
      f->state.zs_mode = (struct sgd_zs_mode){ .test_early = round & 2, .test_late = !(round & 2),
                                               .active = true };
      fix_draw(f, any_level(round), primitive, 0, 30);
      memcpy(alone, f->pixels, SIZE * SIZE * sizeof(*alone));
      const uint64_t passed = f->stats.samples_passed;
      fix_set_samples(f, samples);
      fix_draw(f, any_level(round), primitive, 0, 30);
      for (unsigned s = 0; s < samples; s++)
         assert_memory_equal(fix_sample(f, 0, 0, 0, s), alone, SIZE * SIZE * sizeof(*alone));
      for (unsigned i = 0; i < SIZE * SIZE; i++) {
         uint32_t preset;
         memcpy(&preset, &alone[i].color[3][1], 4);
         assert_int_equal(preset, alone[i].count ? 1 : 0);
      }
      assert_int_equal(f->stats.samples_passed, passed * samples);
      free(alone);
   }
}

/* -- where values are taken ----------------------------------------------------------- */

/* A random triangle of 6 pixels or so, with depth a plane and inputs 0 to 2 that
 * are the window coordinates of where they are taken.
 */
static void
position_triangle(struct fix *f, struct triangle *t, uint64_t *seed)
{
   fix_clear(f);
   fix_reset_vertices(f);
   for (unsigned i = 0; i < 3; i++) {
      t->p[i].x = coordinate(seed, SIZE);
      t->p[i].y = coordinate(seed, SIZE);
      const unsigned v = fix_vertex(f, t->p[i].x / 256.0f, t->p[i].y / 256.0f,
                                    (t->p[i].x + 2.0f * t->p[i].y) / (1024.0f * SIZE), 1.0f);
      for (unsigned k = 1; k <= 3; k++) {
         fix_input(f, v, k)[0] = t->p[i].x / 256.0f;
         fix_input(f, v, k)[1] = t->p[i].y / 256.0f;
      }
   }
}

static bool
large_enough(const struct triangle *t)
{
   const int64_t area = (int64_t)(t->p[1].x - t->p[0].x) * (t->p[2].y - t->p[0].y) -
                        (int64_t)(t->p[2].x - t->p[0].x) * (t->p[1].y - t->p[0].y);
   return llabs(area) > 4000 * 4000;
}

static bool
near(const float *value, double x, double y)
{
   return fabs(value[0] - x) < 2e-3 && fabs(value[1] - y) < 2e-3;
}

static void
input_places(struct fix *f)
{
   fix_varyings(f, 3, SGPU_INTERPOLATION_LINEAR);
   f->state.varying[1].place = SGPU_INTERPOLATION_PLACE_CENTROID;
   f->state.varying[1].interpolation = SGPU_INTERPOLATION_PERSPECTIVE;
   f->ps.sysvals_read = 1u << SGPU_SYS_SAMPLE_MASK;
   f->presets = true;
}

static uint32_t
covered(const struct triangle *t, unsigned samples, int x, int y)
{
   uint32_t mask = 0;
   for (unsigned s = 0; s < samples; s++)
      mask |= (uint32_t)in_triangle(t, place(samples, s, x, y)) << s;
   return mask;
}

/* Depth at each sample; inputs at the centre and the centroid: one run a pixel. */
static void
pixels(void **state)
{
   struct fix *f = *state;
   uint64_t seed = 8;

   f->depth_less = true;
   input_places(f);
   for (unsigned round = 0; round < 160; round++) {
      struct triangle t = { .bottom_edge_rule = true };
      unsigned runs = 0;

      if (round % 40 == 0)
         fix_set_samples(f, counts[round / 40]);
      f->state.zs_mode = (struct sgd_zs_mode){ .test_early = round & 1, .test_late = !(round & 1),
                                               .active = true };
      position_triangle(f, &t, &seed);
      if (!large_enough(&t))
         continue;
      fix_draw(f, any_level(round), SGPU_PRIMITIVE_TRIANGLES, 0, 3);

      const unsigned samples = f->state.samples;
      for (int y = 0; y < SIZE; y++) {
         for (int x = 0; x < SIZE; x++) {
            const uint32_t mask = covered(&t, samples, x, y);
            runs += mask != 0;
            for (unsigned s = 0; s < samples; s++) {
               const struct fix_pixel *p = fix_sample(f, x, y, 0, s);
               const double *at = sample_at(samples, s);
               if (!(mask >> s & 1))
                  continue;
               assert_int_equal(p->count, 1);
               const double z = (x + at[0] + 2.0 * (y + at[1])) * 256.0 / (1024.0 * SIZE);
               assert_true(fabs(p->z - z) < 1e-5);
               assert_true(near(p->color[0], x + 0.5, y + 0.5));
               const bool whole = mask == (1u << samples) - 1;
               const double *first = sample_at(samples, __builtin_ctz(mask));
               assert_true(near(p->color[1], x + (whole ? 0.5 : first[0]),
                                y + (whole ? 0.5 : first[1])));
               uint32_t preset;
               memcpy(&preset, &p->color[3][1], 4);
               assert_int_equal(preset, mask);
            }
         }
      }
      assert_int_equal(f->stats.ps_invocations, runs);
   }
}

/* One run a sample, for whichever reason. */
static void
per_sample(void **state)
{
   struct fix *f = *state;
   uint64_t seed = 9;

   input_places(f);
   for (unsigned round = 0; round < 240; round++) {
      const unsigned why = round % 3;
      struct triangle t = { .bottom_edge_rule = true };
      uint64_t runs = 0;

      if (round % 60 == 0)
         fix_set_samples(f, counts[round / 60]);
      f->state.shader_desc[SGPU_STAGE_PIXEL].per_sample = why == 0;
      f->state.varying[2].place =
         why == 1 ? SGPU_INTERPOLATION_PLACE_SAMPLE : SGPU_INTERPOLATION_PLACE_CENTER;
      f->state.varying[0].place =
         round & 8 ? SGPU_INTERPOLATION_PLACE_SAMPLE : SGPU_INTERPOLATION_PLACE_CENTER;
      f->ps.sysvals_read =
         1u << SGPU_SYS_SAMPLE_MASK | (why == 2 ? 1u << SGPU_SYS_SAMPLE_ID : 0) |
         (why == 2 ? 1u << SGPU_SYS_SAMPLE_POS : 0);
      position_triangle(f, &t, &seed);
      if (!large_enough(&t))
         continue;
      fix_draw(f, any_level(round), SGPU_PRIMITIVE_TRIANGLES, 0, 3);

      const unsigned samples = f->state.samples;
      for (int y = 0; y < SIZE; y++) {
         for (int x = 0; x < SIZE; x++) {
            const uint32_t mask = covered(&t, samples, x, y);
            for (unsigned s = 0; s < samples; s++) {
               const struct fix_pixel *p = fix_sample(f, x, y, 0, s);
               const double *at = sample_at(samples, s);
               assert_int_equal(p->count, mask >> s & 1);
               if (!p->count)
                  continue;
               runs++;
               const bool first = round & 8, last = why == 1;
               assert_true(near(p->color[0], x + (first ? at[0] : 0.5), y + (first ? at[1] : 0.5)));
               assert_true(near(p->color[1], x + at[0], y + at[1]));
               assert_true(near(p->color[2], x + (last ? at[0] : 0.5), y + (last ? at[1] : 0.5)));
               uint32_t preset[2];
               memcpy(preset, p->color[3], 8);
               assert_int_equal(preset[1], 1u << s);
               if (why == 2) {
                  assert_int_equal(preset[0], s);
                  assert_true(p->color[3][2] == at[0] && p->color[3][3] == at[1]);
               }
            }
         }
      }
      assert_int_equal(f->stats.ps_invocations, runs);
   }
}

/* -- what programs and alpha leave ------------------------------------------------------ */

/* How many samples of each pixel are left: 0 to N, more for more alpha, N alpha
 * rounded; with alpha to coverage, SMASK and the alpha test.
 */
static void
alpha(void **state)
{
   struct fix *f = *state;
   uint64_t seed = 10;

   fix_varyings(f, 1, SGPU_INTERPOLATION_FLAT);
   for (unsigned round = 0; round < 400; round++) {
      const unsigned samples = counts[round % 4];
      const float value = round < 8 ? (round & 1 ? 1.0f : 0.0f) : rand_below(&seed, 4097) / 4096.0f;
      const uint32_t mask_out = round & 16 ? fix_random(&seed) : 0;

      fix_set_samples(f, samples);
      f->state.alpha = (struct sgd_alpha_mode){ .to_coverage = true, .cover = 0xff };
      f->state.shader_desc[SGPU_STAGE_PIXEL].per_sample = round & 32;
      f->ps.writes_sample_mask = mask_out != 0;
      f->mask_out = mask_out;
      f->state.alpha.test = round & 64;
      f->state.alpha.one = round & 128;
      f->state.dsa.alpha_func = SGPU_COMPARE_GREATER;
      f->state.dsa.alpha_ref = 0.5f;
      fix_reset_vertices(f);
      for (unsigned i = 0; i < 3; i++) {
         const unsigned v = fix_vertex(f, i == 1 ? 3 * SIZE : -1, i == 2 ? 3 * SIZE : -1, 0.5f, 1);
         fix_input(f, v, 1)[3] = value;
      }
      fix_draw(f, any_level(round), SGPU_PRIMITIVE_TRIANGLES, 0, 3);
      const unsigned left = (unsigned)floor((double)value * samples + 0.5);
      for (unsigned s = 0; s < samples; s++) {
         bool want = s < left && (!mask_out || (mask_out >> s & 1));
         want &= !f->state.alpha.test || f->state.alpha.one || value > 0.5f;
         assert_int_equal(fix_sample(f, 5, 70, 0, s)->count, want);
         assert_int_equal(fix_sample(f, 90, 3, 0, s)->count, want);
      }
   }
}

/* One image for all levels, orders of tiles, early and late tests; the last of
 * many primitives wins in every sample.
 */
static void
same_bits(void **state)
{
   struct fix *f = *state;
   unsigned n;
   const struct fix_level *levels = fix_levels(&n);
   uint64_t seed = 11, want = 0;

   fix_set_samples(f, 4);
   fix_varyings(f, 2, SGPU_INTERPOLATION_PERSPECTIVE);
   f->state.varying[1].place = SGPU_INTERPOLATION_PLACE_CENTROID;
   f->state.rast.point_size = 6.5f;
   f->state.rast.line_width = 2.5f;
   for (unsigned i = 0; i < 900; i++) {
      const unsigned v = fix_vertex(f, rand_below(&seed, SIZE * 16) / 16.0f,
                                    rand_below(&seed, SIZE * 16) / 16.0f,
                                    rand_below(&seed, 4096) / 4096.0f,
                                    1.0f + rand_below(&seed, 256) / 64.0f);
      for (unsigned c = 0; c < 8; c++)
         fix_input(f, v, 1)[c] = rand_below(&seed, 4096) / 1024.0f;
   }
   f->depth_less = true;
   for (unsigned l = 0; l < n; l++) {
      for (unsigned k = 0; k < 6; k++) {
         f->state.zs_mode = (struct sgd_zs_mode){ .test_early = k & 1, .test_late = !(k & 1),
                                                  .active = true };
         fix_clear(f);
         for (unsigned i = 0; i < 3; i++) {
            f->draw.packet.primitive = i == 0 ? SGPU_PRIMITIVE_TRIANGLES :
                                       i == 1 ? SGPU_PRIMITIVE_LINES : SGPU_PRIMITIVE_POINTS;
            f->draw.packet.first = 300 * i;
            f->draw.packet.count = 300;
            fix_run(f, &levels[l], k / 2 * 12345);
         }
         if (!want)
            want = fix_hash(f);
         assert_true(fix_hash(f) == want);
      }
   }

   /* Without a depth test, triangle by triangle is the same as at once. */
   f->state.zs_mode = (struct sgd_zs_mode){ 0 };
   fix_clear(f);
   for (unsigned i = 0; i < 100; i++)
      fix_draw(f, &levels[0], SGPU_PRIMITIVE_TRIANGLES, 3 * i, 3);
   want = fix_hash(f);
   fix_clear(f);
   fix_draw(f, &levels[n - 1], SGPU_PRIMITIVE_TRIANGLES, 0, 300);
   assert_true(fix_hash(f) == want);
}

static int
setup(void **state)
{
   struct fix *f = aligned_alloc(64, sizeof(*f));

   fix_init(f, SIZE, SIZE, 1);
   f->state.rast.multisample = true;
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
      TEST(triangles), TEST(huge_triangles), TEST(meshes), TEST(points),
      TEST(lines),     TEST(unfilled),       TEST(boxes),  TEST(single),
      TEST(pixels),    TEST(per_sample),     TEST(alpha),  TEST(same_bits),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
