/* SPDX-License-Identifier: MIT */
/*
 * Clipping: the pixels of primitives that cross planes, compared with the
 * homogeneous edge functions of the unclipped triangle in double precision.
 */
#include <math.h>

#include "../../rounds.h"
#include "../../unit.h"
#include "fixture.h"

#define SIZE 128

static float
symmetric(uint64_t *seed)
{
   return (float)((int)(fix_random(seed) % 8193) - 4096) / 4096.0f;
}

struct corner {
   double x, y, z, w; /* position in clip space */
   double a, d;       /* attribute, clip distance */
};

static void
add(struct fix *f, const struct corner *c)
{
   const unsigned v = fix_vertex(f, 0, 0, 0, 1);
   float *p = fix_input(f, v, 0);

   p[0] = c->x;
   p[1] = c->y;
   p[2] = c->z;
   p[3] = c->w;
   fix_input(f, v, 1)[0] = c->a;
   fix_input(f, v, 2)[0] = c->d;
}

static double
det3(const double m[3][3])
{
   return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
          m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
          m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/* Finds the point of the triangle that projects to window x, y: returns its barycentric weights b,
 * with sum 1. Returns false if there is none.
 */
static bool
seen(const struct corner t[3], double wx, double wy, double b[3])
{
   /* b0 V0 + b1 V1 + b2 V2 = s (nx, ny, 1) in (x, y, w). */
   const double nx = wx / (SIZE / 2.0) - 1, ny = wy / (SIZE / 2.0) - 1;
   const double m[3][3] = { { t[0].x, t[1].x, t[2].x },
                            { t[0].y, t[1].y, t[2].y },
                            { t[0].w, t[1].w, t[2].w } };
   const double d = det3(m), r[3] = { nx, ny, 1 };

   if (fabs(d) < 1e-9)
      return false;
   for (unsigned i = 0; i < 3; i++) {
      double c[3][3];
      memcpy(c, m, sizeof(c));
      for (unsigned k = 0; k < 3; k++)
         c[k][i] = r[k];
      b[i] = det3(c) / d;
   }
   const double sum = b[0] + b[1] + b[2];
   if (fabs(sum) < 1e-12)
      return false;
   for (unsigned i = 0; i < 3; i++)
      b[i] /= sum;
   return b[0] >= 0 && b[1] >= 0 && b[2] >= 0;
}

#define MIX(field) (b[0] * t[0].field + b[1] * t[1].field + b[2] * t[2].field)

/* Returns whether the point of the triangle at the window position is inside all planes. */
static bool
visible(const struct fix *f, const struct corner t[3], double wx, double wy)
{
   const struct SGPU_RASTERIZER *rast = &f->state.rast;
   double b[3];

   if (!seen(t, wx, wy, b))
      return false;
   const double z = MIX(z), w = MIX(w);
   if (!(w > 0))
      return false;
   if (rast->depth_clip_near && (rast->clip_halfz ? z < 0 : z < -w))
      return false;
   if (rast->depth_clip_far && z > w)
      return false;
   return !(rast->clip_planes & 1) || MIX(d) >= 0;
}

/* Returns whether visible() is the same at all points at distance `reach`, so that rounding cannot
 * decide about the pixel.
 */
static bool
certain(const struct fix *f, const struct corner t[3], double wx, double wy, double reach)
{
   const bool v = visible(f, t, wx, wy);

   for (unsigned i = 0; i < 8; i++) {
      const double dx[8] = { -1, 0, 1, -1, 1, -1, 0, 1 }, dy[8] = { -1, -1, -1, 0, 0, 1, 1, 1 };
      if (visible(f, t, wx + dx[i] * reach, wy + dy[i] * reach) != v)
         return false;
   }
   return true;
}

static void
compare(struct fix *f, const struct fix_level *level, const struct corner t[3], double reach,
        unsigned *drawn)
{
   fix_restart(f);
   for (unsigned i = 0; i < 3; i++)
      add(f, &t[i]);
   fix_draw(f, level, SGPU_PRIMITIVE_TRIANGLES, 0, 3);
   for (unsigned y = 0; y < SIZE; y++) {
      for (unsigned x = 0; x < SIZE; x++) {
         const struct fix_pixel *p = fix_at(f, x, y, 0);
         double b[3];

         assert_in_range(p->count, 0, 1);
         if (!certain(f, t, x + 0.5, y + 0.5, reach))
            continue;
         if (p->count != visible(f, t, x + 0.5, y + 0.5))
            fail_msg("%s: pixel %u %u: %u of (%g %g %g %g) (%g %g %g %g) (%g %g %g %g)",
                     level->name, x, y, p->count, t[0].x, t[0].y, t[0].z, t[0].w, t[1].x, t[1].y,
                     t[1].z, t[1].w, t[2].x, t[2].y, t[2].z, t[2].w);
         if (!p->count)
            continue;
         ++*drawn;
         seen(t, x + 0.5, y + 0.5, b);
         /* The precision is 1/256 pixel and single precision. So the value may be any value around
          * the pixel.
          */
         double c[3], low = 1e9, high = -1e9;
         for (unsigned i = 0; i < 9; i++) {
            if (seen(t, x + 0.5 + (i % 3 - 1.0) * 0.05, y + 0.5 + (i / 3 - 1.0) * 0.05, c)) {
               const double a = c[0] * t[0].a + c[1] * t[1].a + c[2] * t[2].a;
               low = fmin(low, a);
               high = fmax(high, a);
            }
         }
         if (high - low < 0.02)
            assert_true(p->color[0][0] > low - 0.01 && p->color[0][0] < high + 0.01);
      }
   }
}

static void
random_planes(void **state)
{
   struct fix *f = *state;
   unsigned drawn = 0;
   uint64_t seed = 1;

   fix_varyings(f, 1, SGPU_INTERPOLATION_PERSPECTIVE);
   f->clip_from = 2;
   f->vs.outputs_written |= 1ull << SGPU_VO_CLIP0;
   for (unsigned round = 0; round < TEST_ROUNDS(600); round++) {
      struct corner t[3];
      f->state.rast.clip_halfz = round & 1;
      f->state.rast.depth_clip_near = f->state.rast.depth_clip_far = !(round & 2);
      f->state.rast.clip_planes = round & 4 ? 1 : 0;
      f->state.viewport[0].scale_z = round & 1 ? 1.0f : 0.5f;
      f->state.viewport[0].translate_z = round & 1 ? 0.0f : 0.5f;
      for (unsigned i = 0; i < 3; i++) {
         t[i] = (struct corner){ 2 * symmetric(&seed),   2 * symmetric(&seed), symmetric(&seed),
                                 symmetric(&seed) + 0.5, symmetric(&seed),     symmetric(&seed) };
      }
      compare(f, fix_level_of(round), t, 0.04, &drawn);
   }
   /* Most triangles had pixels to draw. */
   assert_in_range(drawn, TEST_ROUNDS(100000), 100000000);
}

/* Triangles that reach far beyond the guard band. */
static void
guard(void **state)
{
   struct fix *f = *state;
   unsigned drawn = 0;
   uint64_t seed = 2;

   fix_varyings(f, 1, SGPU_INTERPOLATION_PERSPECTIVE);
   for (unsigned round = 0; round < TEST_ROUNDS(200); round++) {
      struct corner t[3];
      for (unsigned i = 0; i < 3; i++) {
         const double far = pow(10, fix_random(&seed) % 7);
         t[i] = (struct corner){
            far * symmetric(&seed), far * symmetric(&seed), 0, 1, symmetric(&seed), 0
         };
      }
      /* Put one corner, or an edge, in sight. */
      if (round & 1) {
         t[2].x = symmetric(&seed);
         t[2].y = symmetric(&seed);
      }
      /* New corners are snapped 32768 pixels away, which moves edges by up to 1/256 pixel. */
      compare(f, fix_level_of(round), t, 0.02, &drawn);
   }
   assert_in_range(drawn, TEST_ROUNDS(100000), 100000000);
}

/* A floor below the eye, from behind it to the horizon, in many triangles. Every pixel below the
 * horizon must be drawn once, no matter which planes cut which triangles.
 */
static void
floor_mesh(void **state)
{
   struct fix *f = *state;
   uint64_t seed = 3;

   f->state.rast.depth_clip_far = false;
   for (unsigned round = 0; round < 12; round++) {
      const int cells = 3 + round;
      const double turn = round * 0.5;
      struct corner p[16][16];

      f->state.rast.depth_clip_near = round & 1;
      for (int i = 0; i <= cells; i++) {
         for (int k = 0; k <= cells; k++) {
            /* Position on the floor. The eye is at the origin, 1 above the floor. */
            double x = (i * 2.0 / cells - 1) * 300, y = (k * 2.0 / cells - 1) * 300;
            if (i > 0 && i < cells)
               x += symmetric(&seed) * 100 / cells;
            if (k > 0 && k < cells)
               y += symmetric(&seed) * 100 / cells;
            const double right = x * cos(turn) - y * sin(turn);
            const double ahead = x * sin(turn) + y * cos(turn);
            p[i][k] = (struct corner){ .x = right, .y = 1.0, .z = ahead - 0.2, .w = ahead };
         }
      }
      fix_restart(f);
      for (int i = 0; i < cells; i++) {
         for (int k = 0; k < cells; k++) {
            add(f, &p[i][k]);
            add(f, &p[i + 1][k]);
            add(f, &p[i + 1][k + 1]);
            add(f, &p[i][k]);
            add(f, &p[i + 1][k + 1]);
            add(f, &p[i][k + 1]);
         }
      }
      fix_draw(f, fix_level_of(round), SGPU_PRIMITIVE_TRIANGLES, 0, f->num_vertices);

      unsigned wrong = 0;
      for (unsigned y = 0; y < SIZE; y++) {
         for (unsigned x = 0; x < SIZE; x++) {
            /* The horizon is at y = SIZE/2. The floor ends at a distance of at least 300. */
            const unsigned count = fix_at(f, x, y, 0)->count;
            if (y < SIZE / 2)
               wrong += count != 0;
            else if (y >= SIZE / 2 + 1 && y < SIZE - 2)
               wrong += count != 1;
         }
      }
      if (wrong)
         fail_msg("round %u: %u pixels", round, wrong);
   }
   f->state.rast.depth_clip_near = f->state.rast.depth_clip_far = true;
}

/* Infinities, NaNs, subnormals and degenerate positions: no run hangs or writes outside. The image
 * is the same on every host, also if the hardware flushes subnormals.
 */
#define HOSTILE_HASH 0x47f3ae9854a863faull
static void
hostile(void **state)
{
   struct fix *f = *state;
   static const float odd[] = { 0.0f,   -0.0f,   1e38f,    -1e38f,   1e-38f,
                                1e-45f, -1e-40f, 1.2e-38f, INFINITY, -INFINITY,
                                NAN,    1.0f,    -1.0f,    0.5f,     16777216.0f };
   uint64_t seed = 5;

   fix_varyings(f, 2, SGPU_INTERPOLATION_PERSPECTIVE);
   f->state.varying[1].interpolation = SGPU_INTERPOLATION_LINEAR;
   f->clip_from = 2;
   f->psiz_from = 3;
   f->vs.outputs_written |= 1ull << SGPU_VO_CLIP0 | 1ull << SGPU_VO_PSIZ;
   f->state.rast.clip_planes = 15;
   f->state.rast.point_size_per_vertex = true;
   fix_reset_vertices(f);
   for (unsigned v = 0; v < 6000; v++) {
      fix_vertex(f, 0, 0, 0, 1);
      for (unsigned i = 0; i < FIX_INPUTS * 4; i++) {
         const unsigned r = fix_random(&seed);
         fix_input(f, v, 0)[i] = r % 3 ? symmetric(&seed) + (i == 3 ? 1.0f : 0.0f)
                                       : odd[r / 3 % ARRAY_SIZE(odd)];
      }
   }
   f->state.plan.zs_mode = (struct sgd_zs_mode){ .test_early = true, .active = true };
   f->depth_less = true;
   for (unsigned l = 0; l < fix_num_levels(); l++) {
      fix_clear(f);
      for (unsigned fill = 0; fill < 3; fill++) {
         f->state.rast.fill_front = f->state.rast.fill_back = fill;
         f->state.rast.depth_clip_near = f->state.rast.depth_clip_far = fill != 1;
         f->state.rast.depth_clamp = fill == 1;
         f->state.rast.offset_tri = true;
         f->state.rast.offset_scale = fill ? 1e-38f : 1e30f;
         fix_draw(f, fix_level_of(l), SGPU_PRIMITIVE_TRIANGLES, 0, 6000);
         fix_draw(f, fix_level_of(l), SGPU_PRIMITIVE_LINE_STRIP, 0, 6000);
         fix_draw(f, fix_level_of(l), SGPU_PRIMITIVE_POINTS, 0, 6000);
         fix_draw(f, fix_level_of(l), SGPU_PRIMITIVE_POLYGON, 0, 6000);
      }
      if (fix_hash(f) != HOSTILE_HASH)
         fail_msg("%s: %#llx", fix_level_of(l)->name, (unsigned long long)fix_hash(f));
   }
}

/* Lines end where planes cut them. Points are drawn or dropped as a whole. */
static void
lines_and_points(void **state)
{
   struct fix *f = *state;

   f->clip_from = 2;
   f->vs.outputs_written |= 1ull << SGPU_VO_CLIP0;
   for (unsigned l = 0; l < fix_num_levels(); l++) {
      f->state.rast.clip_planes = 1;
      fix_restart(f);
      fix_vertex(f, 10.5f, 20.5f, 0.5f, 1);
      fix_vertex(f, 110.5f, 20.5f, 0.5f, 1);
      fix_input(f, 0, 2)[0] = -1.0f;
      fix_input(f, 1, 2)[0] = 3.0f; /* distance 0 at x = 35.5 */
      fix_draw(f, fix_level_of(l), SGPU_PRIMITIVE_LINES, 0, 2);
      for (unsigned x = 0; x < SIZE; x++)
         assert_int_equal(fix_at(f, x, 20, 0)->count, x >= 35 && x < 110);
      fix_draw(f, fix_level_of(l), SGPU_PRIMITIVE_POINTS, 0, 2);
      assert_int_equal(fix_at(f, 10, 20, 0)->count, 0);
      assert_int_equal(fix_at(f, 110, 20, 0)->count, 1);
      f->state.rast.clip_planes = 0;

      /* Points before the near plane, and behind the eye. */
      fix_restart(f);
      fix_vertex(f, 10.5f, 20.5f, -0.5f, 1);
      fix_vertex(f, 110.5f, 20.5f, 0.5f, 1);
      const unsigned v = fix_vertex(f, 50.5f, 50.5f, 0.5f, 1);
      for (unsigned c = 0; c < 4; c++)
         fix_input(f, v, 0)[c] *= -1.0f;
      fix_draw(f, fix_level_of(l), SGPU_PRIMITIVE_LINES, 0, 2);
      for (unsigned x = 0; x < SIZE; x++)
         assert_int_equal(fix_at(f, x, 20, 0)->count, x >= 60 && x < 110);
      fix_draw(f, fix_level_of(l), SGPU_PRIMITIVE_POINTS, 0, 3);
      assert_int_equal(fix_at(f, 10, 20, 0)->count, 0);
      assert_int_equal(fix_at(f, 50, 50, 0)->count, 0);

      /* A large point whose centre is outside of the window is drawn by OpenGL ES only. */
      fix_restart(f);
      fix_vertex(f, -2.5f, 20.5f, 0.5f, 1);
      f->state.rast.point_size = 9.0f;
      for (unsigned es = 0; es < 3; es++) {
         f->state.rast.point_no_side_clip = es == 1;
         f->state.rast.viewport_scissor = es == 2;
         fix_clear(f);
         fix_draw(f, fix_level_of(l), SGPU_PRIMITIVE_POINTS, 0, 1);
         for (unsigned x = 0; x < 5; x++)
            assert_int_equal(fix_at(f, x, 20, 0)->count, es && x < 2);
      }
      f->state.rast.point_size = 1.0f;
      f->state.rast.point_no_side_clip = f->state.rast.viewport_scissor = false;
   }
}

FIX_SETUP(SIZE, SIZE, 1)

/* User planes cut like clip distances that a program computes from them. The distances are those of
 * the position, or of the clip vertex if the program writes one. All numbers are small multiples of
 * powers of two, so that distances are exact.
 */
static void
user_planes(void **state)
{
   struct fix *f = *state;
   unsigned different = 0;
   const uint64_t outputs = f->vs.outputs_written;
   uint64_t seed = 6;

   fix_varyings(f, 1, SGPU_INTERPOLATION_PERSPECTIVE);
   f->state.rast.clip_planes = 7;
   for (unsigned round = 0; round < TEST_ROUNDS(40); round++) {
      const struct fix_level *level = fix_level_of(round);
      uint64_t hash[5];

      for (unsigned i = 0; i < 16; i++)
         f->state.clip_plane[i / 4][i % 4] = (int)(fix_random(&seed) % 17) - 8;
      fix_reset_vertices(f);
      for (unsigned v = 0; v < 9; v++) {
         fix_vertex(f, fix_random(&seed) % SIZE, fix_random(&seed) % SIZE,
                    (fix_random(&seed) % 9) / 8.0f, 1 << fix_random(&seed) % 2);
         for (unsigned c = 0; c < 4; c++) {
            fix_input(f, v, 1)[c] = (fix_random(&seed) % 9) / 8.0f;
            fix_input(f, v, 3)[c] = (int)(fix_random(&seed) % 17) - 8;
         }
         for (unsigned i = 0; i < 12; i++) {
            const float *plane = f->state.clip_plane[i % 4];
            fix_input(f, v, 2)[i % 4] += plane[i / 4] * fix_input(f, v, 0)[i / 4];
            fix_input(f, v, 4)[i % 4] += plane[i / 4] * fix_input(f, v, 3)[i / 4];
         }
         for (unsigned i = 0; i < 4; i++) {
            fix_input(f, v, 2)[i] += f->state.clip_plane[i][3] * fix_input(f, v, 0)[3];
            fix_input(f, v, 4)[i] += f->state.clip_plane[i][3] * fix_input(f, v, 3)[3];
         }
      }
      for (unsigned k = 0; k < 5; k++) {
         const bool distances = k < 2;
         f->clip_from = k == 0 ? 2 : k == 1 ? 4 : 0;
         f->clip_vertex_from = k == 3 ? 3 : 0;
         f->vs.outputs_written = outputs | (uint64_t)distances << SGPU_VO_CLIP0 |
                                 (uint64_t)(k == 3) << SGPU_VO_CLIPV;
         f->state.rast.clip_planes = k == 4 ? 0 : 7;
         fix_clear(f);
         fix_draw(f, level, SGPU_PRIMITIVE_TRIANGLES, 0, 9);
         hash[k] = fix_hash(f);
      }
      assert_true(hash[0] == hash[2]);
      assert_true(hash[1] == hash[3]);
      different += hash[0] != hash[1] && hash[0] != hash[4] && hash[1] != hash[4];
   }
   assert_in_range(different, TEST_ROUNDS(40) / 2, TEST_ROUNDS(40));
}

/* Cull distances: a primitive is dropped if one of them is negative at all of its vertices. A quad
 * is one primitive. Cull distances do not cut, even if their clip planes are enabled.
 */
static void
cull_distances(void **state)
{
   static const struct {
      enum sgpu_primitive primitive;
      unsigned vertices;
   } kinds[] = {
      { SGPU_PRIMITIVE_POINTS, 1 },     { SGPU_PRIMITIVE_LINES, 2 },
      { SGPU_PRIMITIVE_TRIANGLES, 3 },  { SGPU_PRIMITIVE_QUADS, 4 },
      { SGPU_PRIMITIVE_QUAD_STRIP, 4 }, { SGPU_PRIMITIVE_TRIANGLES_ADJACENCY, 6 },
   };
   static const float values[] = {
      -1.0f, -0.25f, -1e-30f, -INFINITY, 0.0f, -0.0f, 1.0f, INFINITY, NAN, -1e-40f,
   };
   struct fix *f = *state;
   unsigned dropped = 0, drawn = 0;
   uint64_t seed = 9;

   f->clip_from = 2;
   f->vs.outputs_written |= 1ull << SGPU_VO_CLIP0;
   for (unsigned round = 0; round < TEST_ROUNDS(1200); round++) {
      const unsigned kind = round % 6, count = kinds[kind].vertices;
      const unsigned mask = fix_random(&seed) % 16, likely_negative = fix_random(&seed) % 4;
      /* Corners of a square. Strips have the last two in reverse order; with adjacency, every other
       * vertex is a corner.
       */
      static const float x[] = { 20.5f, 100.5f, 100.5f, 20.5f },
                         y[] = { 20.5f, 20.5f, 90.5f, 90.5f };
      bool inside = true;

      f->state.shader_desc[SGPU_STAGE_VERTEX].cull_distances = mask;
      f->state.rast.clip_planes = fix_random(&seed) % 16 & mask;
      f->state.rast.poly_smooth = round % 5 == 0;
      f->state.rast.fill_front = f->state.rast.fill_back = round % 7 == 0 ? SGPU_FILL_LINE
                                                                          : SGPU_FILL_SOLID;
      fix_restart(f);
      for (unsigned v = 0; v < count; v++) {
         const unsigned at = kinds[kind].primitive == SGPU_PRIMITIVE_QUAD_STRIP ? v ^ v >> 1
                             : count == 6                                       ? v / 2
                                                                                : v;
         fix_vertex(f, x[at], y[at], 0.5f, 1);
         for (unsigned c = 0; c < 4; c++)
            fix_input(f, v, 2)[c] =
               values[fix_random(&seed) % 4 < likely_negative ? fix_random(&seed) % 4
                                                              : fix_random(&seed) % 10];
      }
      for (unsigned c = 0; c < 4; c++) {
         bool all = mask >> c & 1;
         for (unsigned v = 0; v < count; v += count == 6 ? 2 : 1) {
            const float d = fix_input(f, v, 2)[c];
            /* Subnormal numbers count as 0. */
            all &= d < 0.0f && (isinf(d) || isnormal(d));
         }
         inside &= !all;
      }
      fix_draw(f, fix_level_of(round), kinds[kind].primitive, 0, count);

      unsigned seen = 0;
      for (unsigned i = 0; i < SIZE * SIZE; i++)
         seen += fix_at(f, i % SIZE, i / SIZE, 0)->count != 0;
      const unsigned line = round % 7 == 0;
      const unsigned want = kind == 0 ? 1 : kind == 1 ? 80 : line ? 220 : 2000;
      if (inside ? seen < want : seen != 0)
         fail_msg("round %u: %u pixels, %s", round, seen, inside ? "not dropped" : "dropped");
      inside ? drawn++ : dropped++;
   }
   assert_true(drawn > TEST_ROUNDS(300) && dropped > TEST_ROUNDS(200));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      FIX_TEST(random_planes),    FIX_TEST(guard),
      FIX_TEST(floor_mesh),       FIX_TEST(hostile),
      FIX_TEST(lines_and_points), FIX_TEST(user_planes),
      FIX_TEST(cull_distances),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
