/* SPDX-License-Identifier: MIT */
/*
 * Targets with several samples: effects of masks, programs and alpha on coverage, and the positions
 * at which depth and inputs are evaluated.
 */
#include <math.h>

#include "../../rounds.h"
#include "../../unit.h"
#include "samples.h"

/* Scissor, polygon stipple and SAMPLE MASK remove exactly their samples. Queries count the others.
 */
static void
boxes(void **state)
{
   struct fix *f = *state;
   const struct triangle t = { .p = { { -5000, 300 }, { 30000, 3000 }, { 7000, 25000 } } };
   uint64_t seed = 6;

   for (unsigned i = 0; i < 32; i++)
      f->state.poly_stipple[i] = fix_random(&seed) * 3;
   for (unsigned round = 0; round < TEST_ROUNDS(80); round++) {
      struct SGPU_SCISSOR *sc = &f->state.scissor[0];
      uint64_t count = 0;

      fix_set_samples(f, sample_counts[TEST_PART(round, 4, 80)]);
      sc->x0 = rand_below(&seed, SIZE / 2);
      sc->y0 = rand_below(&seed, SIZE / 2);
      sc->x1 = sc->x0 + rand_below(&seed, SIZE + 50);
      sc->y1 = sc->y0 + rand_below(&seed, SIZE + 50);
      f->state.rast.scissor = round & 2;
      f->state.rast.poly_stipple = round & 1;
      f->state.sample_mask = round & 4 ? fix_random(&seed) >> 8 : ~0u;
      oracle_draw(f, fix_level_of(round), &t);
      for (unsigned s = 0; s < f->state.samples; s++) {
         for (unsigned y = 0; y < SIZE; y++) {
            for (unsigned x = 0; x < SIZE; x++) {
               int want = oracle_covers(&t, sample_place(f->state.samples, s, x, y));
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

/* Without Multisample, a pixel whose centre is covered has all samples. Programs see this as if the
 * target had one sample.
 */
static void
single(void **state)
{
   struct fix *f = *state;
   uint64_t seed = 7;

   for (unsigned round = 0; round < TEST_ROUNDS(40); round++) {
      const unsigned kind = round % 3, samples = sample_counts[round % 4];
      const enum sgpu_primitive primitive = kind == 0   ? SGPU_PRIMITIVE_TRIANGLES
                                            : kind == 1 ? SGPU_PRIMITIVE_LINES
                                                        : SGPU_PRIMITIVE_POINTS;
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
      f->state.plan.zs_mode = (struct sgd_zs_mode){ .test_early = round & 2,
                                                    .test_late = !(round & 2),
                                                    .active = true };
      fix_draw(f, fix_level_of(round), primitive, 0, 30);
      memcpy(alone, f->pixels, SIZE * SIZE * sizeof(*alone));
      const uint64_t passed = f->stats.samples_passed;
      fix_set_samples(f, samples);
      fix_draw(f, fix_level_of(round), primitive, 0, 30);
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

/* Makes a random triangle of about 6 pixels. Its depth is a plane, and inputs 0 to 2 are the window
 * coordinates of the position at which they are evaluated.
 */
static void
position_triangle(struct fix *f, struct triangle *t, uint64_t *seed)
{
   fix_restart(f);
   for (unsigned i = 0; i < 3; i++) {
      t->p[i].x = sample_coordinate(seed, SIZE);
      t->p[i].y = sample_coordinate(seed, SIZE);
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
      mask |= (uint32_t)oracle_covers(t, sample_place(samples, s, x, y)) << s;
   return mask;
}

/* Depth is evaluated at each sample; inputs at the centre or the centroid, once for a pixel. */
static void
pixels(void **state)
{
   struct fix *f = *state;
   uint64_t seed = 8;

   f->depth_less = true;
   input_places(f);
   for (unsigned round = 0; round < TEST_ROUNDS(160); round++) {
      struct triangle t = { .bottom_edge_rule = true };
      unsigned runs = 0;

      fix_set_samples(f, sample_counts[TEST_PART(round, 4, 160)]);
      f->state.plan.zs_mode = (struct sgd_zs_mode){ .test_early = round & 1,
                                                    .test_late = !(round & 1),
                                                    .active = true };
      position_triangle(f, &t, &seed);
      if (!large_enough(&t))
         continue;
      fix_draw(f, fix_level_of(round), SGPU_PRIMITIVE_TRIANGLES, 0, 3);

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
               assert_true(
                  near(p->color[1], x + (whole ? 0.5 : first[0]), y + (whole ? 0.5 : first[1])));
               uint32_t preset;
               memcpy(&preset, &p->color[3][1], 4);
               assert_int_equal(preset, mask);
            }
         }
      }
      assert_int_equal(f->stats.ps_invocations, runs);
   }
}

/* Programs run once for each sample, for each of the possible reasons. */
static void
per_sample(void **state)
{
   struct fix *f = *state;
   uint64_t seed = 9;

   input_places(f);
   for (unsigned round = 0; round < TEST_ROUNDS(240); round++) {
      const unsigned why = round % 3;
      struct triangle t = { .bottom_edge_rule = true };
      uint64_t runs = 0;

      fix_set_samples(f, sample_counts[TEST_PART(round, 4, 240)]);
      f->state.shader_desc[SGPU_STAGE_PIXEL].per_sample = why == 0;
      f->state.varying[2].place = why == 1 ? SGPU_INTERPOLATION_PLACE_SAMPLE
                                           : SGPU_INTERPOLATION_PLACE_CENTER;
      f->state.varying[0].place = round & 8 ? SGPU_INTERPOLATION_PLACE_SAMPLE
                                            : SGPU_INTERPOLATION_PLACE_CENTER;
      f->ps.sysvals_read = 1u << SGPU_SYS_SAMPLE_MASK | (why == 2 ? 1u << SGPU_SYS_SAMPLE_ID : 0) |
                           (why == 2 ? 1u << SGPU_SYS_SAMPLE_POS : 0);
      position_triangle(f, &t, &seed);
      if (!large_enough(&t))
         continue;
      fix_draw(f, fix_level_of(round), SGPU_PRIMITIVE_TRIANGLES, 0, 3);

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

/* The sample mask that programs see behind another triangle: all covered samples, or with Post
 * Depth Coverage those that early tests have left.
 */
static void
mask_after_tests(void **state)
{
   struct fix *f = *state;
   uint64_t seed = 12;
   unsigned partly = 0;

   f->depth_less = true;
   f->state.plan.zs_mode = (struct sgd_zs_mode){ .test_early = true, .active = true };
   f->ps.sysvals_read = 1u << SGPU_SYS_SAMPLE_MASK;
   f->presets = true;
   fix_varyings(f, 1, SGPU_INTERPOLATION_LINEAR);
   for (unsigned round = 0; round < TEST_ROUNDS(120); round++) {
      struct triangle t[2] = { { .bottom_edge_rule = true }, { .bottom_edge_rule = true } };
      const bool post = round & 1;

      fix_set_samples(f, sample_counts[TEST_PART(round, 4, 120)]);
      const unsigned samples = f->state.samples;
      f->state.shader_desc[SGPU_STAGE_PIXEL].post_depth_coverage = post;
      fix_restart(f);
      for (unsigned i = 0; i < 6; i++) {
         struct point *p = &t[i / 3].p[i % 3];
         p->x = sample_coordinate(&seed, SIZE);
         p->y = sample_coordinate(&seed, SIZE);
         fix_vertex(f, p->x / 256.0f, p->y / 256.0f, i < 3 ? 0.25f : 0.5f, 1.0f);
      }
      fix_draw(f, fix_level_of(round), SGPU_PRIMITIVE_TRIANGLES, 0, 6);
      for (int y = 0; y < SIZE; y++) {
         for (int x = 0; x < SIZE; x++) {
            const uint32_t all = covered(&t[1], samples, x, y);
            const uint32_t left = all & ~covered(&t[0], samples, x, y);
            partly += left && left != all;
            for (unsigned s = 0; s < samples; s++) {
               uint32_t preset;
               if (!(left >> s & 1))
                  continue;
               memcpy(&preset, &fix_sample(f, x, y, 0, s)->color[3][1], 4);
               assert_int_equal(preset, post ? left : all);
            }
         }
      }
   }
   assert_true(partly > TEST_ROUNDS(1000));
}

/* Returns whether alpha to coverage leaves a sample of a pixel. It leaves the lowest numbers, as many
 * as alpha times the number of samples, rounded. With dithering, pixels of 4x4 have other thresholds
 * in Bayer's order, and number their samples from another one.
 */
static bool
left_by_alpha(float value, unsigned samples, unsigned sample, bool dither, unsigned x, unsigned y)
{
   static const uint8_t bayer[4][4] = {
      { 0, 8, 2, 10 }, { 12, 4, 14, 6 }, { 3, 11, 1, 9 }, { 15, 7, 13, 5 }
   };
   const unsigned k = bayer[y % 4][x % 4];
   const unsigned number = dither ? (sample + k / 4 * samples / 4) % samples : sample;

   return number < floor((double)value * samples + (dither ? (k + 0.5) / 16 : 0.5));
}

/* The number of samples left by alpha to coverage, with and without dithering. Also with SMASK and
 * the alpha test.
 */
static void
alpha(void **state)
{
   struct fix *f = *state;
   uint64_t seed = 10;

   fix_varyings(f, 1, SGPU_INTERPOLATION_FLAT);
   for (unsigned round = 0; round < TEST_ROUNDS(800); round++) {
      const unsigned samples = sample_counts[round % 4];
      const float value = round < 8 ? (round & 1 ? 1.0f : 0.0f) : rand_below(&seed, 4097) / 4096.0f;
      const uint32_t mask_out = round & 16 ? fix_random(&seed) : 0;

      fix_set_samples(f, samples);
      f->state.plan.alpha = (struct sgd_alpha_mode){ .to_coverage = true, .cover = 0xff };
      f->state.blend.alpha_to_coverage_dither = round & 256;
      f->state.shader_desc[SGPU_STAGE_PIXEL].per_sample = round & 32;
      f->ps.writes_sample_mask = mask_out != 0;
      f->mask_out = mask_out;
      f->state.plan.alpha.test = round & 64;
      f->state.plan.alpha.one = round & 128;
      f->state.dsa.alpha_func = SGPU_COMPARE_GREATER;
      f->state.dsa.alpha_ref = 0.5f;
      fix_reset_vertices(f);
      for (unsigned i = 0; i < 3; i++) {
         const unsigned v = fix_vertex(f, i == 1 ? 3 * SIZE : -1, i == 2 ? 3 * SIZE : -1, 0.5f, 1);
         fix_input(f, v, 1)[3] = value;
      }
      fix_draw(f, fix_level_of(round), SGPU_PRIMITIVE_TRIANGLES, 0, 3);
      for (unsigned p = 0; p < 18; p++) {
         const unsigned x = p < 16 ? 62 + p % 4 : p == 16 ? 5 : 90;
         const unsigned y = p < 16 ? 63 + p / 4 : p == 16 ? 70 : 3;
         for (unsigned s = 0; s < samples; s++) {
            bool want = left_by_alpha(value, samples, s, round & 256, x, y) &&
                        (!mask_out || (mask_out >> s & 1));
            want &= !f->state.plan.alpha.test || f->state.plan.alpha.one || value > 0.5f;
            assert_int_equal(fix_sample(f, x, y, 0, s)->count, want);
         }
      }
   }
   f->state.blend.alpha_to_coverage_dither = false;
}

/* The image is the same for all levels, orders of tiles, and early and late tests. The last of many
 * primitives wins in every sample.
 */
static void
same_bits(void **state)
{
   struct fix *f = *state;
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
   for (unsigned l = 0; l < fix_num_levels(); l++) {
      for (unsigned k = 0; k < 6; k++) {
         f->state.plan.zs_mode = (struct sgd_zs_mode){ .test_early = k & 1,
                                                       .test_late = !(k & 1),
                                                       .active = true };
         fix_clear(f);
         for (unsigned i = 0; i < 3; i++) {
            f->draw.packet.primitive = i == 0   ? SGPU_PRIMITIVE_TRIANGLES
                                       : i == 1 ? SGPU_PRIMITIVE_LINES
                                                : SGPU_PRIMITIVE_POINTS;
            f->draw.packet.first = 300 * i;
            f->draw.packet.count = 300;
            fix_run(f, fix_level_of(l), k / 2 * 12345);
         }
         if (!want)
            want = fix_hash(f);
         assert_true(fix_hash(f) == want);
      }
   }

   /* Without a depth test, draws of single triangles give the same image as one draw. */
   f->state.plan.zs_mode = (struct sgd_zs_mode){ 0 };
   fix_clear(f);
   for (unsigned i = 0; i < 100; i++)
      fix_draw(f, fix_level_of(0), SGPU_PRIMITIVE_TRIANGLES, 3 * i, 3);
   want = fix_hash(f);
   fix_clear(f);
   fix_draw(f, fix_level_of(fix_num_levels() - 1), SGPU_PRIMITIVE_TRIANGLES, 0, 300);
   assert_true(fix_hash(f) == want);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      SAMPLE_TEST(boxes),
      SAMPLE_TEST(single),
      SAMPLE_TEST(pixels),
      SAMPLE_TEST(per_sample),
      SAMPLE_TEST(alpha),
      SAMPLE_TEST(same_bits),
      SAMPLE_TEST(mask_after_tests),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
