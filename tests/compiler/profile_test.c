/* SPDX-License-Identifier: MIT */
/*
 * Tests that both profiles compute the same.  Random vertex shaders without control flow are
 * compiled for the base profile and for the full profile, and run on the device.  Results must be
 * equal bit by bit.  Selections in the base profile consist of products, so only those of literals
 * and of booleans may be there.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/nir/nir_builder.h"
#include "run_shader.h"

#define NUM_INPUTS 3
#define NUM_UNIFORMS 4
#define MAX_VALUES 24

struct shader {
   nir_builder b;
   struct rng *r;
   nir_def *values[MAX_VALUES];
   unsigned count;
};

/* Returns a random value as a vector with a random swizzle. */
static nir_def *
operand(struct shader *s)
{
   const unsigned n = rng_below(s->r, s->count);
   unsigned swizzle[4];

   for (unsigned c = 0; c < 4; c++)
      swizzle[c] = rng_chance(s->r, 70) ? c : rng_below(s->r, 4);
   return nir_swizzle(&s->b, s->values[n], swizzle, 4);
}

static nir_def *
literal(struct shader *s)
{
   static const float numbers[] = { 0, 0, 1, -1, 2.5f, -1e20f, 0x1p-126f, 3e38f };
   float v[4];

   for (unsigned c = 0; c < 4; c++)
      v[c] = numbers[rng_below(s->r, ARRAY_SIZE(numbers))];
   return nir_imm_vec4(&s->b, v[0], v[1], v[2], v[3]);
}

static void
operation(struct shader *s)
{
   nir_builder *b = &s->b;
   nir_def *x = operand(s), *y = operand(s), *z = operand(s);
   nir_def *scalar = nir_channel(b, x, 0), *result;

   switch (rng_below(s->r, 20)) {
   case 0:
      result = nir_fadd(b, x, y);
      break;
   case 1:
      result = nir_fmul(b, x, y);
      break;
   case 2:
      result = nir_fadd(b, nir_fmul(b, x, y), nir_fneg(b, z));
      break;
   case 3:
      result = nir_fmin(b, x, nir_fabs(b, y));
      break;
   case 4:
      result = nir_fmax(b, x, nir_fneg(b, y));
      break;
   case 5:
      result = nir_ffloor(b, x);
      break;
   case 6:
      result = nir_ffract(b, x);
      break;
   case 7:
      result = nir_fceil(b, x);
      break;
   case 8:
      result = nir_fsat(b, nir_fadd(b, x, y));
      break;
   case 9:
      result = nir_frcp(b, scalar);
      break;
   case 10:
      result = nir_frsq(b, nir_fabs(b, scalar));
      break;
   case 11:
      result = nir_fexp2(b, scalar);
      break;
   case 12:
      result = nir_flog2(b, nir_fabs(b, scalar));
      break;
   case 13:
      result = nir_fdot4(b, x, y);
      break;
   case 14:
      result = nir_fdot3(b, nir_channels(b, x, 7), nir_channels(b, y, 7));
      break;
   case 15:
      result = nir_fdot2(b, nir_channels(b, x, 3), nir_channels(b, y, 3));
      break;
   case 16:
      result = nir_b2f32(b, nir_flt(b, x, y));
      break;
   case 17:
      result = nir_b2f32(b, nir_iand(b, nir_fge(b, x, y), nir_fneu(b, x, z)));
      break;
   case 18:
      result = nir_fsqrt(b, nir_fabs(b, scalar));
      break;
   default:
      result = nir_bcsel(b, nir_fge(b, x, y), literal(s), literal(s));
      break;
   }
   if (result->num_components == 1)
      result = nir_vec4(b, result, nir_channel(b, y, 1), result, nir_channel(b, z, 3));
   s->values[s->count++] = result;
}

static void
output(struct shader *s, unsigned location, unsigned n)
{
   nir_variable *var = nir_variable_create(s->b.shader, nir_var_shader_out, glsl_vec4_type(),
                                           "out");
   var->data.location = location;
   nir_store_var(&s->b, var, s->values[n], 0xf);
}

/* Starts a shader whose values are its inputs and uniforms. */
static struct shader
start_shader(struct rng *r)
{
   struct shader s = { .r = r };

   s.b = nir_builder_init_simple_shader(MESA_SHADER_VERTEX, &sgpu_nir_options, "profiles");
   s.b.shader->num_uniforms = NUM_UNIFORMS;
   for (unsigned n = 0; n < NUM_INPUTS; n++) {
      nir_variable *var = nir_variable_create(s.b.shader, nir_var_shader_in, glsl_vec4_type(),
                                              "in");
      var->data.location = VERT_ATTRIB_GENERIC0 + n;
      var->data.driver_location = n;
      s.values[s.count++] = nir_load_var(&s.b, var);
   }
   for (unsigned n = 0; n < NUM_UNIFORMS; n++) {
      s.values[s.count++] = nir_load_uniform(&s.b, 4, 32, nir_imm_int(&s.b, 0), .base = n,
                                             .range = 1, .dest_type = nir_type_float32);
   }
   return s;
}

/* Makes a shader with a position and a colour. */
static nir_shader *
draw_shader(struct rng *r)
{
   struct shader s = start_shader(r);
   const unsigned first = s.count, count = 2 + rng_below(r, 8);

   for (unsigned n = 0; n < count; n++)
      operation(&s);
   output(&s, VARYING_SLOT_POS, first + rng_below(r, count));
   output(&s, VARYING_SLOT_COL0, s.count - 1);
   sgpu_finalize_nir(s.b.shader);
   return s.b.shader;
}

/* Returns the number as it is after products and sums: 0 for a subnormal, and the default NaN for
 * any NaN.
 */
static uint32_t
canonical(uint32_t a)
{
   const uint32_t magnitude = a & 0x7fffffff;
   return magnitude < 0x00800000 ? 0 : magnitude > 0x7f800000 ? 0x7fc00000 : a;
}

/* Returns true for bits that no arithmetic produces, so the value was only moved.  In the base
 * profile, the absolute value of such bits is a maximum.
 */
static bool
only_moved(uint32_t a)
{
   const uint32_t magnitude = a & 0x7fffffff;
   return (magnitude && magnitude < 0x00800000) ||
          (magnitude > 0x7f800000 && magnitude != 0x7fc00000);
}

static bool
same(uint32_t base, uint32_t full)
{
   return base == full || (only_moved(full) && canonical(base) == canonical(full));
}

static void
compare(struct test_worker *tw, struct loaded loaded[2], struct rng *r, unsigned number)
{
   struct warp *warps[2];
   struct level levels[MAX_LEVELS];
   uint32_t uniforms[NUM_UNIFORMS][4];
   const unsigned locations[] = { VARYING_SLOT_POS, VARYING_SLOT_COL0 };

   test_levels(levels);
   for (unsigned n = 0; n < 4 * NUM_UNIFORMS; n++)
      uniforms[n / 4][n % 4] = rng_value(r);
   for (unsigned p = 0; p < 2; p++) {
      warps[p] = calloc(1, sizeof(*warps[p]));
      warps[p]->active = warps[p]->live = ~0u;
      warps[p]->env.banks[0].ptr = (uint8_t *)uniforms;
      warps[p]->env.banks[0].size = sizeof(uniforms);
   }
   for (unsigned n = 0; n < NUM_INPUTS; n++) {
      for (unsigned k = 0; k < 4 * SGD_WARP; k++) {
         const uint32_t value = rng_value(r);
         for (unsigned p = 0; p < 2; p++) {
            const int reg = input_register(&loaded[p], n);
            if (reg >= 0)
               warps[p]->in[reg].c[k / SGD_WARP][k % SGD_WARP] = value;
         }
      }
   }
   for (unsigned p = 0; p < 2; p++) {
      test_run(tw, &levels[0], loaded[p].device, warps[p]);
      assert_true(warps[p]->ok);
   }
   for (unsigned o = 0; o < 2; o++) {
      const int reg = output_register(&loaded[0], locations[o]);
      assert_int_equal(reg, output_register(&loaded[1], locations[o]));
      for (unsigned k = 0; k < 4 * SGD_WARP && reg >= 0; k++) {
         const uint32_t base = warps[0]->out[reg].c[k / SGD_WARP][k % SGD_WARP];
         const uint32_t full = warps[1]->out[reg].c[k / SGD_WARP][k % SGD_WARP];
         if (same(base, full))
            continue;
         print_listing(&loaded[0]);
         print_listing(&loaded[1]);
         fail_msg("shader %u, output %u.%c, lane %u: %08x in the base profile, %08x in the full",
                  number, reg, "xyzw"[k / SGD_WARP], k % SGD_WARP, base, full);
      }
   }
   free(warps[0]);
   free(warps[1]);
}

static void
same_results(void **state)
{
   static const struct way ways[2] = {
      { "base", SGPU_COMPILER_VALIDATE },
      { "full", SGPU_COMPILER_VALIDATE | SGPU_COMPILER_NOVP1 },
   };
   struct test_worker *tw = test_worker_create();
   struct rng r = { 7 };
   unsigned compared = 0;
   /* PROFILE_SHADERS can be set to test more shaders. */
   const char *env = getenv("PROFILE_SHADERS");
   const unsigned count = env ? atoi(env) : 300;

   for (unsigned n = 0; n < count; n++) {
      nir_shader *nir = draw_shader(&r);
      struct loaded loaded[2];
      for (unsigned p = 0; p < 2; p++)
         loaded[p] = load_shader(nir, nir, &ways[p]);
      if (loaded[0].shader->program.vp1) {
         compare(tw, loaded, &r, n);
         compared++;
      }
      for (unsigned p = 0; p < 2; p++)
         unload_shader(&loaded[p]);
      ralloc_free(nir);
   }
   /* Nearly all shaders must fit the base profile. */
   assert_true(compared > count * 9 / 10);
   test_worker_destroy(tw);
}

/* Values that are selected can be integers, subnormals or any NaNs. */
static void
selected_values(void **state)
{
   static const struct way way = { "base", SGPU_COMPILER_VALIDATE };
   struct rng r = { 8 };

   for (unsigned n = 0; n < 3; n++) {
      struct shader s = start_shader(&r);
      nir_def *test = nir_flt(&s.b, s.values[0], nir_imm_vec4(&s.b, -10, -10, -10, -10));
      nir_def *zero = nir_imm_vec4(&s.b, 0, 0, 0, 0), *x = s.values[NUM_INPUTS];
      s.values[s.count++] = n == 0   ? nir_bcsel(&s.b, test, zero, x)
                            : n == 1 ? nir_bcsel(&s.b, test, x, zero)
                                     : nir_bcsel(&s.b, test, nir_imm_ivec4(&s.b, 1, 2, 3, 4), zero);
      output(&s, VARYING_SLOT_POS, 0);
      output(&s, VARYING_SLOT_VAR0, s.count - 1);
      sgpu_finalize_nir(s.b.shader);
      struct loaded loaded = load_shader(s.b.shader, s.b.shader, &way);
      assert_false(loaded.shader->program.vp1);
      unload_shader(&loaded);
      ralloc_free(s.b.shader);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(same_results),
      cmocka_unit_test(selected_values),
   };
   glsl_type_singleton_init_or_ref();
   const int failed = cmocka_run_group_tests(tests, NULL, NULL);
   glsl_type_singleton_decref();
   return failed;
}
