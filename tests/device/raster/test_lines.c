/* SPDX-License-Identifier: MIT */
/*
 * Lines: the diamond-exit rule of OpenGL 2.1, 3.4.1, pixel by pixel, and wide lines.
 */
#include <math.h>

#include "../../rounds.h"
#include "../../unit.h"
#include "oracle.h"

#define SIZE 512

/*
 * The oracle moves both ends by 2^-26 and 2^-44 pixels. This is less than the smallest difference
 * between lines of up to 512 pixels whose ends are multiples of 1/256 pixel.
 */
#define UNIT 44
#define HALF ((__int128)1 << (UNIT - 1))

struct big {
   __int128 x, y;
};

static struct big
moved(struct point p, bool bottom_edge_rule)
{
   /* y counts upwards in a window, but downwards in memory. */
   return (struct big){
      .x = ((__int128)p.x << (UNIT - 8)) - ((__int128)1 << (UNIT - 26)),
      .y = ((__int128)p.y << (UNIT - 8)) + (bottom_edge_rule ? 1 : -1),
   };
}

/* The left and right corners of diamonds belong to no diamond. For a line to the right, an end on
 * such a corner moves to its right. This move along the line has no other effect.
 */
static struct big
moved_on(struct big p, struct point from, struct point a, struct point b)
{
   const int64_t dx = b.x - a.x, dy = b.y - a.y;

   if (dx <= 0 || llabs(dy) > dx || from.x % 256 || (from.y - 128) % 256)
      return p;
   const __int128 step = (__int128)1 << (UNIT - 25);
   return (struct big){ p.x + step, p.y + step * dy / dx };
}

static __int128
distance(struct big p, struct big c)
{
   const __int128 x = p.x - c.x, y = p.y - c.y;
   return (x < 0 ? -x : x) + (y < 0 ? -y : y);
}

/* Returns whether the segment meets the open diamond around c. */
static bool
meets(struct big a, struct big b, struct big c)
{
   /* The parameters t at which the point is inside of all four sides are the open interval (n0 /
    * d0, n1 / d1). The ends 0 and 1 of the segment count as inside.
    */
   __int128 n0 = -1, d0 = 1, n1 = 2, d1 = 1;

   for (unsigned side = 0; side < 4; side++) {
      const int sx = side & 1 ? 1 : -1, sy = side & 2 ? 1 : -1;
      const __int128 fa = sx * (a.x - c.x) + sy * (a.y - c.y) - HALF;
      const __int128 fb = sx * (b.x - c.x) + sy * (b.y - c.y) - HALF;

      if (fa >= 0 && fb >= 0)
         return false;
      if (fa < 0 && fb < 0)
         continue;
      /* f = 0 at t = fa / (fa - fb). */
      const __int128 n = fa < 0 ? -fa : fa, d = fa < 0 ? fb - fa : fa - fb;
      if (fa < 0) {
         if (n * d1 < n1 * d)
            n1 = n, d1 = d;
      } else {
         if (n * d0 > n0 * d)
            n0 = n, d0 = d;
      }
   }
   return n0 * d1 < n1 * d0;
}

static bool
covered(struct point pa, struct point pb, int px, int py, bool bottom_edge_rule)
{
   const struct big a = moved_on(moved(pa, bottom_edge_rule), pa, pa, pb);
   const struct big b = moved_on(moved(pb, bottom_edge_rule), pb, pa, pb);
   const struct big c = { ((__int128)px << UNIT) + HALF, ((__int128)py << UNIT) + HALF };

   return distance(b, c) >= HALF && meets(a, b, c);
}

static int32_t
coordinate(uint64_t *seed, int range)
{
   int32_t c = fix_random(seed) % (256u * range);

   switch (fix_random(seed) % 4) {
   case 0:
      return c & ~127;
   case 1:
      return (c & ~63);
   case 2:
      return (c & ~255) + 128;
   default:
      return c;
   }
}

static void
against_oracle(struct fix *f, const struct fix_level *level, struct point a, struct point b)
{
   f->state.rast.bottom_edge_rule ^= 1;
   oracle_line(f, level, a, b);

   const int x0 = MAX2((MIN2(a.x, b.x) >> 8) - 2, 0), x1 = MIN2((MAX2(a.x, b.x) >> 8) + 3, SIZE);
   const int y0 = MAX2((MIN2(a.y, b.y) >> 8) - 2, 0), y1 = MIN2((MAX2(a.y, b.y) >> 8) + 3, SIZE);
   uint64_t inside = 0;
   for (int y = y0; y < y1; y++) {
      for (int x = x0; x < x1; x++) {
         const unsigned want = covered(a, b, x, y, f->state.rast.bottom_edge_rule);
         inside += want;
         if (fix_at(f, x, y, 0)->count != want)
            fail_msg("%s: pixel %d %d of (%d %d) (%d %d), rule %u: %u, expected %u", level->name, x,
                     y, a.x, a.y, b.x, b.y, f->state.rast.bottom_edge_rule,
                     fix_at(f, x, y, 0)->count, want);
      }
   }
   assert_int_equal(f->stats.samples_passed, inside);
}

static void
random_lines(void **state)
{
   struct fix *f = *state;
   uint64_t seed = 1;

   for (unsigned round = 0; round < TEST_ROUNDS(3000); round++) {
      const int range = round % 8 == 0 ? 100 : round % 2 ? 3 : 12;
      const int ox = fix_random(&seed) % (SIZE - range), oy = fix_random(&seed) % (SIZE - range);
      struct point p[2];
      for (unsigned i = 0; i < 2; i++) {
         p[i].x = ox * 256 + coordinate(&seed, range);
         p[i].y = oy * 256 + coordinate(&seed, range);
      }
      /* Some lines are horizontal, vertical or diagonal. */
      if (round % 5 == 0)
         p[1].y = p[0].y;
      else if (round % 5 == 1)
         p[1].x = p[0].x;
      else if (round % 5 == 2 && p[0].y + p[1].x - p[0].x >= 0)
         p[1].y = p[0].y + p[1].x - p[0].x;
      against_oracle(f, fix_level_of(round), p[0], p[1]);
   }
   for (unsigned round = 0; round < 12; round++) {
      const struct point a = { coordinate(&seed, SIZE), coordinate(&seed, SIZE) };
      const struct point b = { coordinate(&seed, SIZE), coordinate(&seed, SIZE) };
      against_oracle(f, fix_level_of(round), a, b);
   }
}

/* Ends on centres, borders and corners of diamonds, computed by hand: the pixels of a row that a
 * line from x0 to x1 at y draws. Coordinates are in 1/256 pixel. A pixel whose diamond has an end
 * of the line counts at the start, but not at the end.
 */
static void
diamond_table(void **state)
{
   struct fix *f = *state;
   static const struct {
      int x0, x1, y;
      int first, last; /* first and last drawn pixel; none if last < first */
   } cases[] = {
      { 10 * 256 + 128, 20 * 256 + 128, 5 * 256 + 128, 10, 19 }, /* centre to centre */
      { 20 * 256 + 128, 10 * 256 + 128, 5 * 256 + 128, 11, 20 }, /* the reverse direction */
      { 10 * 256, 20 * 256, 5 * 256 + 128, 10, 19 },             /* corners belong to no diamond */
      { 20 * 256, 10 * 256, 5 * 256 + 128, 10, 19 },
      { 10 * 256 + 1, 20 * 256 + 1, 5 * 256 + 128, 10, 19 },
      { 10 * 256 + 255, 20 * 256 + 255, 5 * 256 + 128, 10, 19 },
      { 10 * 256 + 255, 20 * 256 + 255, 5 * 256 + 140, 11, 20 }, /* ends outside of the diamonds */
      { 10 * 256 + 64, 20 * 256 + 64, 5 * 256 + 20, 10, 19 },
      { 10 * 256 + 130, 10 * 256 + 200, 5 * 256 + 128, 11, 10 }, /* does not leave its diamond */
      { 10 * 256 + 130, 10 * 256 + 255, 5 * 256 + 138, 10, 10 }, /* leaves its diamond */
      { 10 * 256 + 20, 10 * 256 + 130, 5 * 256 + 128, 11, 10 },
      { 10 * 256 + 20, 10 * 256 + 120, 5 * 256 + 250, 11, 10 },
      { 10 * 256 + 128, 10 * 256 + 128, 5 * 256 + 128, 11, 10 }, /* a point */
   };

   for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
      for (unsigned l = 0; l < fix_num_levels(); l++) {
         for (unsigned transpose = 0; transpose < 2; transpose++) {
            f->state.rast.bottom_edge_rule = false;
            struct point a = { cases[i].x0, cases[i].y }, b = { cases[i].x1, cases[i].y };
            if (transpose) {
               a = (struct point){ a.y, a.x };
               b = (struct point){ b.y, b.x };
            }
            oracle_line(f, fix_level_of(l), a, b);
            for (int k = 0; k < 30; k++) {
               const bool want = k >= cases[i].first && k <= cases[i].last;
               const struct fix_pixel *p = transpose ? fix_at(f, 5, k, 0) : fix_at(f, k, 5, 0);
               if (p->count != want)
                  fail_msg("case %u%s: pixel %d: %u", i, transpose ? " upright" : "", k, p->count);
            }
         }
      }
   }
}

/* The lines of a strip or loop meet without gaps, and draw no pixel twice. */
static void
joints(void **state)
{
   struct fix *f = *state;
   uint64_t seed = 9;

   for (unsigned round = 0; round < TEST_ROUNDS(100); round++) {
      fix_restart(f);
      f->state.rast.bottom_edge_rule = round & 1;
      /* The strip increases in x, with slopes below 1. */
      int x = 5 * 256, y = 250 * 256 + coordinate(&seed, 1);
      unsigned count = 0;
      const int first = x;
      while (x < 500 * 256) {
         oracle_vertex(f, (struct point){ x, y });
         count++;
         const int dx = 1 + fix_random(&seed) % (20 * 256);
         x += dx;
         y += (int)(fix_random(&seed) % (2 * dx + 1)) - dx;
         y = CLAMP(y, 10 * 256, 500 * 256);
      }
      fix_draw(f, fix_level_of(round), SGPU_PRIMITIVE_LINE_STRIP, 0, count);
      const int last = (int)((fix_input(f, count - 1, 0)[0] + 1.0f) * SIZE / 2);
      for (int c = first / 256 + 2; c < last - 1; c++) {
         unsigned in_column = 0;
         for (int r = 0; r < SIZE; r++)
            in_column += fix_at(f, c, r, 0)->count;
         assert_int_equal(in_column, 1);
      }
   }
}

/* A wide line is the thin line, shifted, and `width` pixels thick in the minor direction. */
static void
wide_lines(void **state)
{
   struct fix *f = *state;
   uint64_t seed = 4;
   static const struct {
      float width;
      unsigned pixels;
   } widths[] = { { 0.1f, 1 }, { 1.0f, 1 }, { 1.49f, 1 }, { 1.5f, 2 },
                  { 2.0f, 2 }, { 3.0f, 3 }, { 7.6f, 8 },  { 100.0f, 100 } };

   for (unsigned round = 0; round < TEST_ROUNDS(400); round++) {
      const unsigned w = round % ARRAY_SIZE(widths), width = widths[w].pixels;
      struct point a = { 128 * 256 + coordinate(&seed, 256), 128 * 256 + coordinate(&seed, 256) };
      struct point b = { 128 * 256 + coordinate(&seed, 256), 128 * 256 + coordinate(&seed, 256) };
      const bool y_major = abs(b.y - a.y) > abs(b.x - a.x);
      struct point sa = a, sb = b;

      f->state.rast.bottom_edge_rule = round & 1;
      f->state.rast.line_width = widths[w].width;
      oracle_line(f, fix_level_of(round), a, b);
      f->state.rast.line_width = 1.0f;

      if (y_major) {
         sa.x -= (width - 1) * 128;
         sb.x -= (width - 1) * 128;
      } else {
         sa.y -= (width - 1) * 128;
         sb.y -= (width - 1) * 128;
      }
      uint32_t *want = calloc(SIZE * SIZE, sizeof(*want));
      for (int y = 0; y < SIZE; y++) {
         for (int x = 0; x < SIZE; x++) {
            /* Test first whether the pixel is near the line, which is cheap. */
            const int64_t cross = (int64_t)(sb.x - sa.x) * (y * 256 + 128 - sa.y) -
                                  (int64_t)(sb.y - sa.y) * (x * 256 + 128 - sa.x);
            const int64_t reach = 512ll * MAX2(abs(sb.x - sa.x), abs(sb.y - sa.y));
            if (cross > reach || cross < -reach ||
                !covered(sa, sb, x, y, f->state.rast.bottom_edge_rule))
               continue;
            for (unsigned k = 0; k < width; k++) {
               const int wx = y_major ? x + k : x, wy = y_major ? y : y + k;
               if (wx < SIZE && wy < SIZE)
                  want[wy * SIZE + wx]++;
            }
         }
      }
      for (int y = 0; y < SIZE; y++) {
         for (int x = 0; x < SIZE; x++) {
            if (fix_at(f, x, y, 0)->count != want[y * SIZE + x])
               fail_msg("width %u, pixel %d %d of (%d %d) (%d %d): %u", width, x, y, a.x, a.y, b.x,
                        b.y, fix_at(f, x, y, 0)->count);
         }
      }
      free(want);
   }
}

/* Cuts the line at 128..384 pixels in x and y. New ends are rounded to 1/256 pixel, plus `nudge` of
 * these units along the side. Returns false if the line is outside.
 */
static bool
clip(struct point in[2], struct point out[2], int nudge)
{
   const double lo = 128 * 256, hi = 384 * 256;
   const double x = in[0].x, y = in[0].y, dx = in[1].x - x, dy = in[1].y - y;
   double t0 = 0, t1 = 1;
   int side0 = -1, side1 = -1;

   for (int side = 0; side < 4; side++) {
      const double at = side < 2 ? x : y, d = side < 2 ? dx : dy;
      const double d0 = side & 1 ? hi - at : at - lo, d1 = side & 1 ? -d : d;

      if (d0 < 0 && d0 + d1 < 0)
         return false;
      if (d0 < 0 && -d0 / d1 > t0)
         t0 = -d0 / d1, side0 = side;
      else if (d0 + d1 < 0 && -d0 / d1 < t1)
         t1 = -d0 / d1, side1 = side;
   }
   if (t0 > t1)
      return false;
   for (unsigned i = 0; i < 2; i++) {
      const double t = i ? t1 : t0;
      const int side = i ? side1 : side0;
      out[i] = in[i];
      if (side >= 0) {
         const int32_t limit = side & 1 ? hi : lo;
         out[i].x = side < 2 ? limit : (int32_t)(floor(x + t * dx + 0.5)) + nudge;
         out[i].y = side < 2 ? (int32_t)(floor(y + t * dy + 0.5)) + nudge : limit;
      }
   }
   return true;
}

static bool
same(struct fix *f, struct point a, struct point b, unsigned width)
{
   const bool y_major = abs(b.y - a.y) > abs(b.x - a.x);
   const int shift = (int)(width - 1) * 128;

   for (int y = 100; y < 412; y++) {
      for (int x = 100; x < 412; x++) {
         const struct point sa = { a.x - (y_major ? shift : 0), a.y - (y_major ? 0 : shift) };
         const struct point sb = { b.x - (y_major ? shift : 0), b.y - (y_major ? 0 : shift) };
         unsigned want = 0;
         for (unsigned k = 0; k < width && !want; k++) {
            const int px = y_major ? x - (int)k : x, py = y_major ? y : y - (int)k;
            const int64_t cross = (int64_t)(sb.x - sa.x) * (py * 256 + 128 - sa.y) -
                                  (int64_t)(sb.y - sa.y) * (px * 256 + 128 - sa.x);
            const int64_t reach = 512ll * MAX2(abs(sb.x - sa.x), abs(sb.y - sa.y));
            want = cross <= reach && cross >= -reach &&
                   covered(sa, sb, px, py, f->state.rast.bottom_edge_rule);
         }
         if (fix_at(f, x, y, 0)->count != want)
            return false;
      }
   }
   return true;
}

/* Lines are cut at the sides of a viewport inside the target, but their fragments are not. */
static void
past_viewport(void **state)
{
   struct fix *f = *state;
   unsigned cut = 0;
   uint64_t seed = 6;

   f->state.viewport[0].scale_x = f->state.viewport[0].scale_y = 128.0f;
   for (unsigned round = 0; round < 200; round++) {
      const unsigned width = round % 4 ? 1 : 9;
      struct point p[2], c[2];

      for (unsigned i = 0; i < 2; i++) {
         p[i].x = 108 * 256 + coordinate(&seed, 296);
         p[i].y = 108 * 256 + coordinate(&seed, 296);
      }
      /* A line on a side is drawn whole, even if its fragments are outside. */
      if (round % 5 == 0) {
         p[0].x = 150 * 256 + 77;
         p[1].x = 300 * 256 + 3;
         p[0].y = p[1].y = (round % 10 ? 128 : 384) * 256;
      }
      f->state.rast.line_width = width;
      f->state.rast.bottom_edge_rule = round & 1;
      oracle_line(f, fix_level_of(round), p[0], p[1]);

      bool good = false;
      for (int nudge = -1; nudge < 2 && !good; nudge++) {
         const bool some = clip(p, c, nudge);
         cut += some && nudge == 0 && (memcmp(p, c, sizeof(p)) != 0);
         good = some ? same(f, c[0], c[1], width) : f->stats.samples_passed == 0;
      }
      if (!good)
         fail_msg("%s, round %u: (%d %d) (%d %d), width %u", fix_level_of(round)->name, round,
                  p[0].x, p[0].y, p[1].x, p[1].y, width);
   }
   assert_true(cut > 10);

   /* The inner part has the stipple of the whole line. */
   f->state.rast.line_width = 1.0f;
   f->state.rast.line_stipple = true;
   f->state.rast.stipple_pattern = 0x0c37;
   f->state.rast.stipple_factor = 2;
   for (unsigned round = 0; round < 8; round++) {
      unsigned whole[SIZE];
      for (unsigned part = 0; part < 2; part++) {
         struct point p[2] = { { 101 * 256, 200 * 256 + 100 }, { 402 * 256 + 7, 200 * 256 + 100 } };
         f->state.viewport[0].scale_x = part ? 128.0f : 256.0f;
         oracle_line(f, fix_level_of(round), p[round & 1], p[!(round & 1)]);
         for (int x = 0; x < SIZE; x++) {
            const unsigned count = fix_at(f, x, 200, 0)->count;
            if (part)
               assert_int_equal(count, x >= 128 && x < 384 ? whole[x] : 0);
            else
               whole[x] = count;
         }
      }
   }
}

/* OpenGL ES draws the fragments of the whole line that are inside the viewport. */
static void
viewport_scissor(void **state)
{
   struct fix *f = *state;
   unsigned cut = 0;
   static uint8_t whole[SIZE][SIZE];
   uint64_t seed = 7;

   for (unsigned round = 0; round < TEST_ROUNDS(200); round++) {
      const unsigned width = round % 4 ? 1 : 9;
      struct point p[2];

      for (unsigned i = 0; i < 2; i++) {
         p[i].x = 108 * 256 + coordinate(&seed, 296);
         p[i].y = 108 * 256 + coordinate(&seed, 296);
      }
      /* Outside of the viewport, but wide enough to reach into it. */
      if (round % 8 == 0) {
         p[0].x = 150 * 256 + 77;
         p[1].x = 300 * 256 + 3;
         p[0].y = p[1].y = round % 16 ? 126 * 256 : 386 * 256;
      }
      f->state.rast.line_width = width;
      f->state.rast.bottom_edge_rule = round & 1;
      f->state.rast.line_smooth = round % 8 == 6;
      for (unsigned part = 0; part < 2; part++) {
         f->state.viewport[0].scale_x = f->state.viewport[0].scale_y = part ? 128.0f : 256.0f;
         f->state.rast.viewport_scissor = part;
         oracle_line(f, fix_level_of(round), p[0], p[1]);
         for (int y = 0; y < SIZE; y++) {
            for (int x = 0; x < SIZE; x++) {
               const unsigned count = fix_at(f, x, y, 0)->count;
               const bool inside = x >= 128 && x < 384 && y >= 128 && y < 384;
               if (part && count != (inside ? whole[y][x] : 0))
                  fail_msg("%s, round %u, %d %d: (%d %d) (%d %d), width %u: %u",
                           fix_level_of(round)->name, round, x, y, p[0].x, p[0].y, p[1].x, p[1].y,
                           width, count);
               cut += part && !inside && whole[y][x];
               whole[y][x] = count;
            }
         }
      }
   }
   assert_true(cut > TEST_ROUNDS(1000));
}

/* Values along a line: exact at both ends, with perspective in between. */
static void
values(void **state)
{
   struct fix *f = *state;

   fix_varyings(f, 1, SGPU_INTERPOLATION_PERSPECTIVE);
   for (unsigned l = 0; l < fix_num_levels(); l++) {
      fix_restart(f);
      fix_vertex(f, 10.5f, 20.5f, 0.25f, 1.0f);
      fix_vertex(f, 410.5f, 120.5f, 0.75f, 4.0f);
      fix_input(f, 0, 1)[0] = 0.0f;
      fix_input(f, 1, 1)[0] = 1.0f;
      fix_input(f, 0, 1)[1] = fix_input(f, 1, 1)[1] = 0.3f;
      f->state.plan.zs_mode = (struct sgd_zs_mode){ .test_early = true, .active = true };
      fix_draw(f, fix_level_of(l), SGPU_PRIMITIVE_LINES, 0, 2);
      for (unsigned i = 0; i < 400; i += 4) {
         const struct fix_pixel *p = fix_at(f, 10 + i, 20 + i / 4, 0);
         const double t = i / 400.0, w = (1 - t) * 1.0 + t * 0.25, a = t * 0.25 / w;
         assert_int_equal(p->count, 1);
         assert_true(p->color[0][0] > a - 1e-5 && p->color[0][0] < a + 1e-5);
         assert_true(p->color[0][1] > 0.3 - 1e-6 && p->color[0][1] < 0.3 + 1e-6);
         assert_true(p->z > 0.25 + 0.5 * t - 1e-6 && p->z < 0.25 + 0.5 * t + 1e-6);
      }
   }
   f->state.plan.zs_mode = (struct sgd_zs_mode){ 0 };
}

FIX_SETUP(SIZE, SIZE, 1)

int
main(void)
{
   const struct CMUnitTest tests[] = {
      FIX_TEST(random_lines),  FIX_TEST(diamond_table),    FIX_TEST(joints), FIX_TEST(wide_lines),
      FIX_TEST(past_viewport), FIX_TEST(viewport_scissor), FIX_TEST(values),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
