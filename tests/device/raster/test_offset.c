/* SPDX-License-Identifier: MIT */
/*
 * Depth offset (OpenGL 3.3, 3.6.4): one unit changes every stored depth, in every format and at
 * every place of a plane. No smaller unit does.
 */
#include <math.h>

#include "../../rounds.h"
#include "../../unit.h"
#include "fixture.h"
#include "geometry/front/sgd_front.h"
#include "geometry/setup/sgd_setup_mode.h"
#include "pixel/shading/sgd_lane_pos.h"
#include "pixel/rop/sgd_depth_format.h"

#define SIZE 96

static const enum pipe_format formats[] = {
   PIPE_FORMAT_Z16_UNORM,
   PIPE_FORMAT_Z24_UNORM_S8_UINT,
   PIPE_FORMAT_Z32_UNORM,
   PIPE_FORMAT_Z32_FLOAT,
};

static void
set_format(struct sgd_state *state, enum pipe_format format)
{
   state->zs.valid = true;
   state->zs.desc = util_format_description(format);
   state->plan.rop.zs.format = sgd_zs_format(format);
}

/* Returns the offset that setup computes for one unit and a primitive with greatest depth z. */
static float
offset_of(const struct sgd_state *state, float z)
{
   static struct sgd_front front;
   const struct sgd_setup_mode mode = { .offset_unit = sgd_setup_offset_unit(state) };
   const struct sgd_vertex v = { .z = z };

   front.state = state;
   front.mode = &mode;
   return fix_level_of(0)->setup_offset(&front, &v, &v, &v, 1);
}

static uint32_t
stored(const struct sgd_zs_format *f, float z)
{
   return f->is_float ? sgd_depth_key(f, sgpu_f2bits(sgd_depth_float(z)))
                      : sgd_depth_unorm_float(z, f->depth_bits);
}

/* Returns the smallest float that is stored as k or more. */
static float
first_of(const struct sgd_zs_format *f, uint32_t k)
{
   uint32_t bits = sgpu_f2bits((float)(((double)k - 0.5) / sgd_depth_max(f)));

   while (stored(f, sgpu_bits2f(bits)) >= k)
      bits--;
   while (stored(f, sgpu_bits2f(bits)) < k)
      bits++;
   return sgpu_bits2f(bits);
}

/* Returns the number of directions (0 to 2) in which an offset of one unit does not change depths
 * stored as k. The offset is monotonic: of these floats, the smallest one moves up least, and the
 * greatest one moves down least. So these two are tested.
 */
static unsigned
not_distinct(const struct sgd_zs_format *f, uint32_t k, float unit)
{
   const uint32_t max = sgd_depth_max(f);
   const float low = k ? first_of(f, k) : 0.0f;
   unsigned same = 0;

   if (stored(f, low) != k)
      return 0;
   if (k < max)
      same += stored(f, sgd_offset_depth(low, unit, false)) <= k;
   if (k > 0) {
      const float high = k < max ? sgpu_bits2f(sgpu_f2bits(first_of(f, k + 1)) - 1) : 1.0f;
      same += stored(f, sgd_offset_depth(high, -unit, false)) >= k;
   }
   return same;
}

/* All depths of 16 bits; for more bits, every stride-th depth and all near powers of two. */
static void
fixed_point(void **state)
{
   static struct sgd_state st;

   st.rast.offset_tri = true;
   st.rast.offset_units = 1.0f;
   for (unsigned i = 0; i < 3; i++) {
      set_format(&st, formats[i]);
      const struct sgd_zs_format *f = &st.plan.rop.zs.format;
      const uint32_t max = sgd_depth_max(f);
      const uint32_t stride = i == 0 ? 1 : i == 1 ? 13 : 4099;
      const float unit = offset_of(&st, 0.5f);
      unsigned fewer = 0;

      for (uint64_t k = 0; k <= max; k += stride) {
         if (not_distinct(f, (uint32_t)k, unit))
            fail_msg("%s: one unit does not change %x", st.zs.desc->name, (uint32_t)k);
         fewer += not_distinct(f, (uint32_t)k, unit - 0x1p-24f);
      }
      for (unsigned bit = 1; bit < f->depth_bits; bit++) {
         for (int beside = -300; beside <= 300; beside++) {
            const int64_t k = llabs((INT64_C(1) << bit) + beside);
            if (k > max)
               continue;
            if (not_distinct(f, (uint32_t)k, unit))
               fail_msg("%s: one unit does not change %x", st.zs.desc->name, (uint32_t)k);
            fewer += not_distinct(f, (uint32_t)k, unit - 0x1p-24f);
         }
      }
      assert_true(fewer > 0);
      print_message("%s: a unit is %.9g steps\n", st.zs.desc->name, (double)unit * max);
      /* The two greatest depths. */
      assert_int_equal(not_distinct(f, max, unit), 0);
      assert_int_equal(not_distinct(f, max - 1, unit), 0);
   }
}

/* Random depths, with the unit of a greatest depth that is larger, or slightly smaller. */
static void
floating_point(void **state)
{
   static struct sgd_state st;
   uint64_t seed = 1;

   st.rast.offset_tri = true;
   set_format(&st, PIPE_FORMAT_Z32_FLOAT);
   const struct sgd_zs_format *f = &st.plan.rop.zs.format;
   for (unsigned i = 0; i < TEST_ROUNDS(300000); i++) {
      float z = sgpu_bits2f(fix_random(&seed) % 0x3f800000), most;
      /* Some depths are near powers of two, or 0. */
      if (i % 4 == 0)
         z = sgpu_bits2f((sgpu_f2bits(z) & 0x7f800000) + fix_random(&seed) % 5 - 2);
      if (i % 64 == 0 || !(z >= 0x1p-126f))
         z = 0.0f;
      if (i % 4 == 1 && z > 1e-30f)
         most = z * 0.999f;
      else
         most = i % 4 == 2 ? z : z + (1.0f - z) * (float)(fix_random(&seed) % 1000) * 0.001f;
      for (int sign = -1; sign <= 1; sign += 2) {
         st.rast.offset_units = sign;
         const float offset = offset_of(&st, most);
         const float moved = sgd_offset_depth(z, offset, true);
         const uint32_t a = stored(f, z), b = stored(f, moved);
         if (sign > 0 ? z < 1.0f && b <= a : z > 0.0f && b >= a)
            fail_msg("%a moved by %a is %a", z, offset, moved);
         /* A unit is at most one step of the greatest depth. */
         assert_true(fabsf(offset) <= fmaxf(most * 0x1p-23f, 0x1p-126f));
      }
   }
}

/* Planes of all slopes, with corners in the target and far outside. */
static void
planes(void **state)
{
   struct fix *f = *state;
   unsigned compared = 0;
   uint64_t seed = 3;
   static float before[SIZE * SIZE];

   f->state.plan.zs_mode = (struct sgd_zs_mode){ .test_early = true, .active = true };
   for (unsigned round = 0; round < 4 * 150; round++) {
      set_format(&f->state, formats[round % 4]);
      const struct sgd_zs_format *format = &f->state.plan.rop.zs.format;
      const enum sgpu_fill fill = round % 16 < 12 ? SGPU_FILL_SOLID : SGPU_FILL_LINE;
      const float range = round % 3 == 0 ? 20000.0f : round % 3 == 1 ? 200.0f : 30.0f;
      /* Depths in all of 0 to 1, or with the same exponent. */
      const float from = round % 8 < 4 ? 0.0f : 0.25f, size = round % 8 < 4 ? 1.0f : 0.2499999f;

      f->state.rast.fill_front = f->state.rast.fill_back = fill;
      f->state.rast.offset_tri = f->state.rast.offset_line = true;
      fix_reset_vertices(f);
      for (unsigned i = 0; i < 3; i++)
         fix_vertex(f, SIZE / 2 + ((fix_random(&seed) % 4096) / 4096.0f - 0.5f) * range,
                    SIZE / 2 + ((fix_random(&seed) % 4096) / 4096.0f - 0.5f) * range,
                    from + size * ((fix_random(&seed) % 4097) / 4096.0f), 1.0f);
      for (int units = 0; units <= 2; units++) {
         f->state.rast.offset_units = units == 2 ? -1.0f : units;
         fix_clear(f);
         fix_draw(f, fix_level_of(round), SGPU_PRIMITIVE_TRIANGLES, 0, 3);
         for (unsigned i = 0; i < SIZE * SIZE; i++) {
            const struct fix_pixel *p = fix_at(f, i % SIZE, i / SIZE, 0);
            if (units == 0)
               before[i] = p->count == 1 ? p->z : NAN;
            /* Skip pixels of two edges, and depths near 0 and 1, which are clamped. */
            if (units == 0 || isnan(before[i]) || before[i] < 0x1p-12f ||
                before[i] > 1.0f - 0x1p-12f)
               continue;
            const uint32_t a = stored(format, before[i]), b = stored(format, p->z);
            compared++;
            if (units == 1 ? b <= a : b >= a)
               fail_msg("round %u, %s, %u %u: %a and %a", round, f->state.zs.desc->name, i % SIZE,
                        i / SIZE, before[i], p->z);
         }
      }
   }
   assert_true(compared > TEST_ROUNDS(100000));
}

FIX_SETUP(SIZE, SIZE, 1)

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(fixed_point),
      cmocka_unit_test(floating_point),
      FIX_TEST(planes),
   };
   const uint64_t fp = sgpu_fp_enter();
   const int ret = cmocka_run_group_tests(tests, NULL, NULL);

   sgpu_fp_leave(fp);
   return ret;
}
