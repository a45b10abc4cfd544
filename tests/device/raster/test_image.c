/* SPDX-License-Identifier: MIT */
/*
 * Whole images: planes, order, early and late tests. Host level, tiles, scissor and the order of
 * tiles must not change a bit.
 */
#include <math.h>

#include "../../rounds.h"
#include "../../unit.h"
#include "fixture.h"

#define SIZE 200

static float
unit(uint64_t *seed)
{
   return (float)(fix_random(seed) % 4096) / 4096.0f;
}

/* Adds a vertex near cx, cy, with random depth, w and attributes. */
static void
random_vertex(struct fix *f, uint64_t *seed, float cx, float cy, float range)
{
   const unsigned v = fix_vertex(f, cx + (unit(seed) - 0.5f) * range,
                                 cy + (unit(seed) - 0.5f) * range, unit(seed),
                                 0.5f + 4.0f * unit(seed));
   for (unsigned i = 0; i < 16; i++)
      fix_input(f, v, 1)[i] = unit(seed) * 2.0f - 1.0f;
}

static void
random_scene(struct fix *f, uint64_t seed, unsigned n)
{
   fix_reset_vertices(f);
   for (unsigned i = 0; i < n; i++) {
      const float cx = unit(&seed) * SIZE, cy = unit(&seed) * SIZE;
      const float range = i % 8 == 0 ? 400.0f : i % 2 ? 12.0f : 40.0f;
      for (unsigned k = 0; k < 3; k++)
         random_vertex(f, &seed, cx, cy, range);
   }
}

static void
depth_state(struct fix *f, bool early, bool late)
{
   f->depth_less = early || late;
   f->state.plan.zs_mode = (struct sgd_zs_mode){ .test_early = early,
                                                 .test_late = late,
                                                 .active = early || late };
}

static void
mixed_varyings(struct fix *f)
{
   fix_varyings(f, 4, SGPU_INTERPOLATION_PERSPECTIVE);
   f->state.varying[1].interpolation = SGPU_INTERPOLATION_LINEAR;
   f->state.varying[2].interpolation = SGPU_INTERPOLATION_FLAT;
   f->state.varying[3].mask = 5;
   f->state.varying[0].mask = 7;
}

static void
draw_all_kinds(struct fix *f, const struct fix_level *level, uint32_t tiles)
{
   static const enum sgpu_primitive kinds[] = {
      SGPU_PRIMITIVE_TRIANGLES,      SGPU_PRIMITIVE_LINES,     SGPU_PRIMITIVE_POINTS,
      SGPU_PRIMITIVE_TRIANGLE_STRIP, SGPU_PRIMITIVE_LINE_LOOP,
   };

   f->state.rast.point_size = 5.0f;
   f->state.rast.line_width = 2.0f;
   for (unsigned i = 0; i < ARRAY_SIZE(kinds); i++) {
      f->draw.packet.primitive = kinds[i];
      f->draw.packet.first = 300 * i;
      f->draw.packet.count = i == 3 ? 60 : 1500;
      fix_run(f, level, tiles);
   }
}

/* The image is the same for all levels, orders of tiles, and early and late tests. */
static void
same_bits(void **state)
{
   struct fix *f = *state;

   mixed_varyings(f);
   random_scene(f, 7, 1000);
   uint64_t want = 0;
   struct sgd_stats stats = { 0 };
   for (unsigned l = 0; l < fix_num_levels(); l++) {
      for (unsigned late = 0; late < 2; late++) {
         for (uint32_t tiles = 0; tiles < 3; tiles++) {
            fix_clear(f);
            depth_state(f, !late, late);
            draw_all_kinds(f, fix_level_of(l), tiles * 12345);
            if (!want) {
               want = fix_hash(f);
               stats = f->stats;
            }
            assert_true(fix_hash(f) == want);
            assert_int_equal(f->stats.samples_passed, stats.samples_passed);
            assert_int_equal(f->stats.c_primitives, stats.c_primitives);
            assert_in_range(f->block_warps, 1, f->warps);
         }
      }
   }
}

/* Returns an attribute: an ordinary number, a limit of the float range, an infinity or a NaN. */
static float
special(uint64_t *seed)
{
   static const uint32_t bits[] = {
      0x00000000, 0x80000000, 0x00000001, 0x807fffff, 0x00800000, 0x7f7fffff,
      0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345, 0x3f800000,
   };

   return fix_random(seed) % 4 ? unit(seed)
                               : sgpu_bits2f(bits[fix_random(seed) % ARRAY_SIZE(bits)]);
}

/* Levels agree where values overflow or are NaNs: on triangles of a few pixels that share warps, on
 * large ones, and where w is 1.
 */
static void
special_values(void **state)
{
   static const float ranges[] = { 1.5f, 4.0f, 12.0f, 40.0f, 300.0f };
   struct fix *f = *state;
   uint64_t seed = 11;

   depth_state(f, true, false);
   for (unsigned round = 0; round < TEST_ROUNDS(40); round++) {
      fix_varyings(f, 4, SGPU_INTERPOLATION_PERSPECTIVE);
      for (unsigned v = 0; v < 4; v++) {
         f->state.varying[v].interpolation = fix_random(&seed) % 4 == 0
                                                ? SGPU_INTERPOLATION_LINEAR
                                                : SGPU_INTERPOLATION_PERSPECTIVE;
         f->state.varying[v].mask = 1 + fix_random(&seed) % 15;
      }
      fix_reset_vertices(f);
      for (unsigned i = 0; i < 100; i++) {
         const float range = ranges[fix_random(&seed) % ARRAY_SIZE(ranges)];
         const float cx = unit(&seed) * SIZE, cy = unit(&seed) * SIZE;
         const bool orthographic = fix_random(&seed) % 2;
         for (unsigned k = 0; k < 3; k++) {
            const unsigned v = fix_vertex(f, cx + (unit(&seed) - 0.5f) * range,
                                          cy + (unit(&seed) - 0.5f) * range, unit(&seed),
                                          orthographic ? 1.0f : 0.001f + 4.0f * unit(&seed));
            for (unsigned c = 0; c < 16; c++)
               fix_input(f, v, 1)[c] = special(&seed);
         }
      }
      uint64_t want = 0;
      for (unsigned l = 0; l < fix_num_levels(); l++) {
         fix_clear(f);
         fix_draw(f, fix_level_of(l), SGPU_PRIMITIVE_TRIANGLES, 0, f->num_vertices);
         if (l == 0)
            want = fix_hash(f);
         assert_true(fix_hash(f) == want);
         assert_in_range(f->block_warps, 1, f->warps - 1);
      }
   }
}

/* The values of a pixel do not depend on which other pixels of the primitive are drawn. */
static void
slices(void **state)
{
   struct fix *f = *state;
   uint64_t seed = 3;

   mixed_varyings(f);
   depth_state(f, true, false);
   f->depth_less = false;
   for (unsigned round = 0; round < (TEST_ROUNDS_DIVISOR > 1 ? 4 : 20); round++) {
      const unsigned mode = round % 4;
      f->state.rast.fill_front = f->state.rast.fill_back = mode == 1   ? SGPU_FILL_LINE
                                                           : mode == 2 ? SGPU_FILL_POINT
                                                                       : SGPU_FILL_SOLID;
      f->state.rast.point_size = 30.0f;
      f->state.rast.line_width = mode + 1;
      random_scene(f, round, 24);
      fix_clear(f);
      fix_draw(f, fix_level_of(round), SGPU_PRIMITIVE_TRIANGLES, 0, f->num_vertices);
      struct fix_pixel *whole = f->pixels;
      f->pixels = malloc(SIZE * SIZE * 3 * sizeof(*whole));

      f->state.rast.scissor = true;
      for (unsigned k = 0; k < 6; k++) {
         struct SGPU_SCISSOR *sc = &f->state.scissor[0];
         sc->x0 = fix_random(&seed) % SIZE;
         sc->y0 = fix_random(&seed) % SIZE;
         const unsigned w = fix_random(&seed) % 70, h = fix_random(&seed) % 70;
         sc->x1 = MIN2(sc->x0 + w, SIZE);
         sc->y1 = MIN2(sc->y0 + h, SIZE);
         fix_clear(f);
         fix_draw(f, fix_level_of(round + k), SGPU_PRIMITIVE_TRIANGLES, 0, f->num_vertices);
         for (unsigned y = sc->y0; y < sc->y1; y++) {
            for (unsigned x = sc->x0; x < sc->x1; x++)
               assert_memory_equal(fix_at(f, x, y, 0), &whole[y * SIZE + x], sizeof(*whole));
         }
      }
      f->state.rast.scissor = false;
      free(whole);
   }
   f->state.rast.fill_front = f->state.rast.fill_back = SGPU_FILL_SOLID;
}

/* Without a depth test, the last primitive wins in every pixel. No fragment is lost, in any
 * grouping of quads.
 */
static void
order(void **state)
{
   struct fix *f = *state;

   fix_varyings(f, 1, SGPU_INTERPOLATION_FLAT);
   depth_state(f, false, false);
   for (unsigned round = 0; round < TEST_ROUNDS(10); round++) {
      random_scene(f, 100 + round, 300);
      for (unsigned v = 0; v < f->num_vertices; v++)
         fix_input(f, v, 1)[0] = 1 + v / 3;
      f->kill_odd = round & 1;
      f->ps.uses_kill = f->kill_odd;
      f->ps.sysvals_read = f->kill_odd ? 1u << SGPU_SYS_POSITION : 0;

      fix_clear(f);
      for (unsigned i = 0; i < 300; i++)
         fix_draw(f, fix_level_of(round), SGPU_PRIMITIVE_TRIANGLES, 3 * i, 3);
      const uint64_t want = fix_hash(f);
      const uint64_t samples = f->stats.samples_passed;
      fix_clear(f);
      fix_draw(f, fix_level_of(round), SGPU_PRIMITIVE_TRIANGLES, 0, 900);
      assert_true(fix_hash(f) == want);
      assert_int_equal(f->stats.samples_passed, samples);
   }
   f->kill_odd = f->ps.uses_kill = false;
   f->ps.sysvals_read = 0;
}

/* Depth, linear and perspective values, compared with double precision. */
static void
accuracy(void **state)
{
   struct fix *f = *state;
   uint64_t seed = 11;

   fix_varyings(f, 3, SGPU_INTERPOLATION_PERSPECTIVE);
   f->state.varying[1].interpolation = SGPU_INTERPOLATION_LINEAR;
   depth_state(f, true, false);
   for (unsigned round = 0; round < TEST_ROUNDS(60); round++) {
      double x[3], y[3], z[3], w[3];
      float *a[3];

      fix_restart(f);
      for (unsigned i = 0; i < 3; i++) {
         x[i] = (fix_random(&seed) % (256 * SIZE)) / 256.0;
         y[i] = (fix_random(&seed) % (256 * SIZE)) / 256.0;
         z[i] = unit(&seed);
         w[i] = 0.25 * (1 << fix_random(&seed) % 6);
         fix_vertex(f, x[i], y[i], z[i], w[i]);
      }
      for (unsigned i = 0; i < 3; i++) {
         a[i] = fix_input(f, i, 1);
         a[i][0] = unit(&seed);
         a[i][4] = unit(&seed);
         a[i][8] = 0.7f; /* the same for all vertices */
      }
      fix_draw(f, fix_level_of(round), SGPU_PRIMITIVE_TRIANGLES, 0, 3);

      const double det = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
      if (fabs(det) < 200.0)
         continue;
      for (unsigned py = 0; py < SIZE; py++) {
         for (unsigned px = 0; px < SIZE; px++) {
            const struct fix_pixel *p = fix_at(f, px, py, 0);
            if (!p->count)
               continue;
            const double sx = px + 0.5, sy = py + 0.5;
            const double b1 = ((sx - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (sy - y[0])) / det;
            const double b2 = ((x[1] - x[0]) * (sy - y[0]) - (sx - x[0]) * (y[1] - y[0])) / det;
            const double b[3] = { 1 - b1 - b2, b1, b2 };
            double rw = 0, persp = 0, linear = 0, depth = 0;
            for (unsigned i = 0; i < 3; i++) {
               rw += b[i] / w[i];
               persp += b[i] * a[i][0] / w[i];
               linear += b[i] * a[i][4];
               depth += b[i] * z[i];
            }
            assert_true(fabs(p->color[0][0] - persp / rw) < 2e-5);
            assert_true(fabs(p->color[1][0] - linear) < 2e-6);
            assert_true(fabs(p->color[2][0] - 0.7) < 2e-5);
            assert_true(fabs(p->z - depth) < 1e-6);
         }
      }
   }
}

/* Flat values are the bits of the provoking vertex. */
static void
flat(void **state)
{
   struct fix *f = *state;
   static const uint32_t bits[3] = { 0x00000001, 0x7fa12345, 0xffffffff };

   for (unsigned k = 0; k < 4 * fix_num_levels(); k++) {
      const bool force = k & 1, first = k & 2;
      fix_varyings(f, 1, force ? SGPU_INTERPOLATION_PERSPECTIVE : SGPU_INTERPOLATION_FLAT);
      f->state.rast.force_flat = force;
      f->state.rast.flatshade_first = first;
      depth_state(f, false, false);
      fix_restart(f);
      fix_vertex(f, 0, 0, 0.5f, 1);
      fix_vertex(f, 0, 150, 0.5f, 1);
      fix_vertex(f, 150, 0, 0.5f, 1);
      for (unsigned i = 0; i < 3; i++)
         memcpy(fix_input(f, i, 1), &bits[i], 4);
      fix_draw(f, fix_level_of(k / 4), SGPU_PRIMITIVE_TRIANGLES, 0, 3);
      assert_memory_equal(&fix_at(f, 20, 20, 0)->color[0][0], &bits[first ? 0 : 2], 4);
   }
   f->state.rast.force_flat = 0;
   f->state.rast.flatshade_first = false;
}

/* Inputs with source DEFAULT, and inputs from outputs that the vertex program does not write. */
static void
constants(void **state)
{
   struct fix *f = *state;

   fix_varyings(f, 4, SGPU_INTERPOLATION_PERSPECTIVE);
   f->state.varying[0].source = SGPU_VARYING_SOURCE_DEFAULT;
   f->state.varying[0].default_w_one = true;
   f->state.varying[1].source = SGPU_VARYING_SOURCE_DEFAULT;
   f->state.varying[2].output = SGPU_VO_COL0;
   depth_state(f, false, false);
   for (unsigned l = 0; l < fix_num_levels(); l++) {
      fix_restart(f);
      fix_vertex(f, 0, 0, 0.5f, 1);
      fix_vertex(f, 0, 150, 0.5f, 1);
      fix_vertex(f, 150, 0, 0.5f, 1);
      for (unsigned i = 0; i < 3; i++)
         fix_input(f, i, 4)[1] = 0.25f;
      fix_draw(f, fix_level_of(l), SGPU_PRIMITIVE_TRIANGLES, 0, 3);
      const struct fix_pixel *p = fix_at(f, 20, 20, 0);
      static const float want[4][4] = { { 0, 0, 0, 1 }, { 0 }, { 0, 0, 0, 1 }, { 0, 0.25f } };
      assert_memory_equal(p->color, want, sizeof(want));
   }
}

/* Depth offset by the formula of OpenGL 2.1, 3.5.5. */
static void
offset(void **state)
{
   struct fix *f = *state;
   static const struct {
      enum pipe_format format;
      float units, scale, clamp;
      bool unscaled;
      double want; /* expected offset; slope 1/128 in x, 1/256 in y; greatest |z| 0.99 */
   } cases[] = {
      { PIPE_FORMAT_Z24_UNORM_S8_UINT, 4.0f, 0.0f, 0.0f, false, 4.0 / (1 << 23) },
      { PIPE_FORMAT_Z16_UNORM, -3.0f, 0.0f, 0.0f, false, -3.0 * 257 / (1 << 24) },
      { PIPE_FORMAT_Z32_FLOAT, 8.0f, 0.0f, 0.0f, false, 8.0 / (1 << 24) },
      { PIPE_FORMAT_Z24X8_UNORM, 0.0f, 2.0f, 0.0f, false, 2.0 / 128 },
      { PIPE_FORMAT_Z24X8_UNORM, 0.0f, 2.0f, 0.005f, false, 0.005 },
      { PIPE_FORMAT_Z24X8_UNORM, 0.0f, -2.0f, -0.005f, false, -0.005 },
      { PIPE_FORMAT_Z16_UNORM, 0.125f, 1.0f, 0.0f, true, 0.125 + 1.0 / 128 },
   };

   depth_state(f, true, false);
   f->depth_less = false;
   for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
      f->state.zs.valid = true;
      f->state.zs.desc = util_format_description(cases[i].format);
      f->state.rast.offset_units = cases[i].units;
      f->state.rast.offset_scale = cases[i].scale;
      f->state.rast.offset_clamp = cases[i].clamp;
      f->state.rast.offset_units_unscaled = cases[i].unscaled;
      for (unsigned fill = 0; fill < 3; fill++) {
         double z[2];
         f->state.rast.fill_front = f->state.rast.fill_back = fill;
         f->state.rast.point_size = 3.0f;
         for (unsigned on = 0; on < 2; on++) {
            f->state.rast.offset_tri = on && fill == SGPU_FILL_SOLID;
            f->state.rast.offset_line = on && fill == SGPU_FILL_LINE;
            f->state.rast.offset_point = on && fill == SGPU_FILL_POINT;
            fix_restart(f);
            fix_vertex(f, 0.25f, 0.25f, 0.24f, 1);
            fix_vertex(f, 64.25f, 0.25f, 0.74f, 1);
            fix_vertex(f, 0.25f, 64.25f, 0.49f, 1);
            fix_draw(f, fix_level_of(i), SGPU_PRIMITIVE_TRIANGLES, 0, 3);
            z[on] = fix_at(f, 0, 0, 0)->z;
            assert_in_range(fix_at(f, 0, 0, 0)->count, 1, 2);
         }
         double want = cases[i].want;
         if (cases[i].format == PIPE_FORMAT_Z32_FLOAT)
            want = 8.0 * pow(2, -1 - 23); /* 0.74 has exponent -1 */
         if (fabs(z[1] - z[0] - want) > 1.2e-7)
            fail_msg("case %u fill %u: %.9g, expected %.9g", i, fill, z[1] - z[0], want);
      }
   }
   f->state.rast.fill_front = f->state.rast.fill_back = SGPU_FILL_SOLID;
   f->state.rast.offset_tri = false;
   f->state.zs.valid = false;
}

/* Depth clamp instead of depth clipping: depths are clamped to the viewport's range. */
static void
depth_clamp(void **state)
{
   struct fix *f = *state;

   depth_state(f, true, false);
   f->depth_less = false;
   f->state.viewport[0].scale_z = 0.25f; /* depth range 0.25 to 0.75 */
   for (unsigned l = 0; l < fix_num_levels(); l++) {
      for (unsigned clamp = 0; clamp < 2; clamp++) {
         f->state.rast.depth_clamp = clamp;
         f->state.rast.depth_clip_near = f->state.rast.depth_clip_far = !clamp;
         fix_restart(f);
         fix_vertex(f, 0, 0, -1.0f, 1);
         fix_vertex(f, 200, 0, 2.0f, 1);
         fix_vertex(f, 0, 200, -1.0f, 1);
         fix_draw(f, fix_level_of(l), SGPU_PRIMITIVE_TRIANGLES, 0, 3);
         assert_int_equal(fix_at(f, 2, 2, 0)->count, clamp);
         assert_int_equal(fix_at(f, 195, 1, 0)->count, clamp);
         assert_int_equal(fix_at(f, 100, 1, 0)->count, 1);
         if (clamp) {
            assert_true(fix_at(f, 2, 2, 0)->z == 0.25f);
            assert_true(fix_at(f, 195, 1, 0)->z == 0.75f);
         }
      }
   }
   f->state.rast.depth_clamp = false;
   f->state.rast.depth_clip_near = f->state.rast.depth_clip_far = true;
   f->state.viewport[0].scale_z = 0.5f;
}

/* Layer and viewport come from the provoking vertex. */
static void
layers(void **state)
{
   struct fix *f = *state;

   fix_varyings(f, 1, SGPU_INTERPOLATION_FLAT);
   depth_state(f, false, false);
   f->layer_from = 2;
   f->vs.outputs_written |= 1ull << SGPU_VO_LAYER;
   for (unsigned v = 0; v < 4; v++) {
      f->state.viewport[v].scale_x = f->state.viewport[v].scale_y = 50.0f;
      f->state.viewport[v].translate_x = v & 1 ? 150.0f : 50.0f;
      f->state.viewport[v].translate_y = v & 2 ? 150.0f : 50.0f;
   }
   for (unsigned l = 0; l < fix_num_levels(); l++) {
      fix_restart(f);
      /* Layer 3 does not exist, so triangles there are dropped. */
      for (unsigned i = 0; i < 16; i++) {
         for (unsigned k = 0; k < 3; k++) {
            const unsigned v = fix_vertex(f, k == 1 ? 200 : -10, k == 2 ? 200 : -10, 0.5f, 1);
            fix_input(f, v, 1)[0] = i + 1;
            fix_input(f, v, 2)[0] = k == 2 ? i / 4 : 0;
            fix_input(f, v, 2)[1] = k == 2 ? i % 4 : k;
         }
      }
      fix_draw(f, fix_level_of(l), SGPU_PRIMITIVE_TRIANGLES, 0, f->num_vertices);
      for (unsigned layer = 0; layer < 3; layer++) {
         for (unsigned v = 0; v < 4; v++) {
            const unsigned x = v & 1 ? 105 : 5, y = v & 2 ? 105 : 5;
            assert_int_equal(fix_at(f, x, y, layer)->count, 1);
            assert_true(fix_at(f, x, y, layer)->color[0][0] == layer * 4 + v + 1);
         }
      }
   }
   f->layer_from = 0;
}

/* Counts of samples without a pixel program, and with one that need not run. */
static void
counting(void **state)
{
   struct fix *f = *state;

   for (unsigned k = 0; k < 4 * fix_num_levels(); k++) {
      random_scene(f, 21, 200);
      mixed_varyings(f);
      depth_state(f, true, false);
      fix_clear(f);
      fix_draw(f, fix_level_of(k / 4), SGPU_PRIMITIVE_TRIANGLES, 0, f->num_vertices);
      const uint64_t want = f->stats.samples_passed;
      assert_in_range(want, 1, f->stats.ps_invocations);

      fix_clear(f);
      f->state.plan.color_write_mask[0] = 0;
      depth_state(f, !(k & 2), k & 2);
      if (k & 1)
         f->state.shader[SGPU_STAGE_PIXEL] = NULL;
      fix_draw(f, fix_level_of(k / 4), SGPU_PRIMITIVE_TRIANGLES, 0, f->num_vertices);
      assert_int_equal(f->stats.samples_passed, want);
      assert_int_equal(f->stats.ps_invocations, 0);
      f->state.plan.color_write_mask[0] = 15;
      f->state.shader[SGPU_STAGE_PIXEL] = &f->ps;
   }
}

FIX_SETUP(SIZE, SIZE, 3)

int
main(void)
{
   const struct CMUnitTest tests[] = {
      FIX_TEST(same_bits),   FIX_TEST(special_values), FIX_TEST(slices),    FIX_TEST(order),
      FIX_TEST(accuracy),    FIX_TEST(flat),           FIX_TEST(constants), FIX_TEST(offset),
      FIX_TEST(depth_clamp), FIX_TEST(layers),         FIX_TEST(counting),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
