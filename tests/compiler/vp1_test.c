/* SPDX-License-Identifier: MIT */
/*
 * Tests the base profile: which vertex shaders fit, the first reason why others do not, and that
 * both profiles compute the same.
 */

#include "listing.h"

#define POSITION VARYING_SLOT_POS
#define COLOUR VARYING_SLOT_COL0
#undef IN
#define IN(n) listing_input(b, n)
#define U(n) listing_uniform(b, n)

/* Builds a shader from the statements and checks the reason why it needs the full profile, or that
 * it needs none if the reason is NULL.
 */
#define REASON(reason, ...)                                                   \
   do {                                                                       \
      nir_builder builder = listing_begin(MESA_SHADER_VERTEX), *b = &builder; \
      __VA_ARGS__                                                             \
      check_reason(b, reason);                                                \
   } while (0)
#define FITS(...) REASON(NULL, __VA_ARGS__)

static void
check_reason(nir_builder *b, const char *reason)
{
   const char *error = NULL;
   struct sgpu_shader *shader = listing_compile(b, 0, &error);
   if (!shader)
      fail_msg("%s", error);
   if (shader->not_vp1 && !reason) {
      sgpu_disasm_print(stderr, &shader->program);
      fail_msg("does not fit: %s", shader->not_vp1);
   }
   assert_int_equal(shader->program.vp1, !reason);
   if (reason) {
      assert_non_null(shader->not_vp1);
      assert_string_equal(shader->not_vp1, reason);
   }
   ralloc_free(b->shader);
}

static void
operations(void **state)
{
   FITS(listing_output(b, POSITION, nir_fadd(b, nir_fmul(b, IN(0), U(0)), U(1))););
   FITS(listing_output(b, COLOUR, nir_fsat(b, nir_fabs(b, nir_fsub(b, IN(0), U(0))))););
   FITS(listing_output(b, COLOUR, nir_ffloor(b, IN(0))););
   FITS(listing_output(b, COLOUR, nir_ffract(b, IN(0))););
   FITS(listing_output(b, COLOUR, nir_fceil(b, IN(0))););
   FITS(
      listing_output(b, COLOUR, nir_fpow(b, nir_channel(b, IN(0), 0), nir_channel(b, IN(0), 1))););
   FITS(listing_output(b, COLOUR, nir_fsqrt(b, nir_channel(b, IN(0), 0))););
   FITS(listing_output(b, COLOUR,
                       nir_fdot2(b, nir_channels(b, IN(0), 3), nir_channels(b, U(0), 3))););
   FITS(listing_output(b, COLOUR,
                       nir_bcsel(b, nir_flt(b, IN(0), U(0)), nir_imm_vec4(b, 2, 3, 0, -1),
                                 nir_imm_vec4(b, 0, 0.5, 4, 1))););
   FITS(listing_output(b, COLOUR,
                       nir_b2f32(b, nir_iand(b, nir_flt(b, IN(0), U(0)),
                                             nir_inot(b, nir_feq(b, IN(1), U(1)))))););

   /* The values can be integers. */
   REASON("operation SEL",
          listing_output(b, COLOUR, nir_bcsel(b, nir_flt(b, IN(0), U(0)), IN(1), U(1))););
   REASON("operation SIN", listing_output(b, COLOUR, nir_fsin(b, nir_channel(b, IN(0), 0))););
   REASON("operation SSG", listing_output(b, COLOUR, nir_fsign(b, IN(0))););
   REASON("operation IADD", listing_output(b, COLOUR, nir_iadd(b, IN(0), U(0))););
   /* isnan(): 0 times infinity is NaN, but the base profile's products return 0. */
   REASON("looks for NaNs", nir_def *product = nir_fmul(b, IN(0), U(0));
          listing_output(b, COLOUR, nir_b2f32(b, nir_fneu(b, product, product))););
   /* What remains of isnan() after optimization, next to another comparison of the product. */
   REASON("looks for NaNs", nir_def *product = nir_fmul(b, IN(0), U(0)); b->exact = true;
          nir_def *less = nir_flt(b, U(1), product); b->exact = false;
          listing_output(b, COLOUR, nir_b2f32(b, nir_iand(b, less, nir_flt(b, U(1), IN(1))))););
   FITS(listing_output(b, COLOUR, nir_b2f32(b, nir_fneu(b, IN(0), U(0)))););
   REASON("operation I2F", listing_output(b, COLOUR, nir_i2f32(b, IN(0))););
}

static void
files(void **state)
{
   nir_def *index;

   /* Uniforms with a variable index, by one component of A0. */
   FITS(b->shader->num_uniforms = 50; index = nir_f2i32(b, nir_ffloor(b, nir_channel(b, IN(0), 0)));
        listing_output(b, COLOUR,
                       nir_load_uniform(b, 4, 32, index, .base = 5, .range = 40,
                                        .dest_type = nir_type_float32)););
   /* A0.x is loaded again for another index. */
   FITS(b->shader->num_uniforms = 50; nir_def *sum = nir_imm_vec4(b, 0, 0, 0, 0);
        for (unsigned c = 0; c < 2; c++) {
           index = nir_f2i32(b, nir_ffloor(b, nir_channel(b, IN(0), c)));
           sum = nir_fadd(b, sum,
                          nir_load_uniform(b, 4, 32, index, .base = 5, .range = 40,
                                           .dest_type = nir_type_float32));
        } listing_output(b, COLOUR, sum););
   REASON("system values", listing_output(b, COLOUR, nir_i2f32(b, nir_load_vertex_id(b))););
   REASON("outputs beyond the 15", listing_output(b, VARYING_SLOT_CLIP_DIST0, IN(0)););
   FITS(for (unsigned n = 0; n < 8; n++) listing_output(b, VARYING_SLOT_VAR0 + n, IN(n)););
   REASON("outputs beyond the 15",
          for (unsigned n = 0; n < 9; n++) listing_output(b, VARYING_SLOT_VAR0 + n, IN(n)););
   REASON("control flow",
          nir_variable *v = nir_local_variable_create(b->impl, glsl_vec4_type(), "v");
          nir_variable *n = nir_local_variable_create(b->impl, glsl_float_type(), "n");
          nir_store_var(b, v, IN(0), 15); nir_store_var(b, n, nir_channel(b, IN(1), 0), 1);
          nir_push_loop(b); nir_push_if(b, nir_fge(b, nir_imm_float(b, 0), nir_load_var(b, n)));
          nir_jump(b, nir_jump_break); nir_pop_if(b, NULL);
          nir_store_var(b, v, nir_fmul(b, nir_load_var(b, v), U(0)), 15);
          nir_store_var(b, n, nir_fadd(b, nir_load_var(b, n), nir_imm_float(b, -1)), 1);
          nir_pop_loop(b, NULL); listing_output(b, COLOUR, nir_load_var(b, v)););
}

/* Returns sums that keep `n` values live.  There are 12 temporaries. */
static nir_def *
keep(nir_builder *b, unsigned n)
{
   nir_def *values[32], *sum = nir_fmul(b, IN(0), U(1));

   for (unsigned i = 0; i < n; i++) {
      values[i] = nir_fmul(b, i ? values[i - 1] : IN(0), U(0));
   }
   /* Each value is needed after the sum of the others. */
   for (unsigned i = 0; i < n; i++)
      sum = nir_fmul(b, nir_fadd(b, sum, values[i]), nir_fadd(b, values[n - 1], U(2)));
   return sum;
}

/* Returns a chain of n dependent products. */
static nir_def *
chain(nir_builder *b, unsigned n)
{
   nir_def *x = IN(0);
   for (unsigned i = 0; i < n; i++)
      x = nir_fmul(b, x, i & 1 ? IN(0) : U(0));
   return x;
}

static nir_def *
sum_of_uniforms(nir_builder *b, unsigned n)
{
   nir_def *x = IN(0);
   b->shader->num_uniforms = n;
   for (unsigned i = 0; i < n; i++)
      x = nir_fmul(b, x, U(i));
   return x;
}

static void
limits(void **state)
{
   FITS(listing_output(b, COLOUR, chain(b, 128)););
   REASON("more than 128 instructions", listing_output(b, COLOUR, chain(b, 129)););
   FITS(listing_output(b, COLOUR, sum_of_uniforms(b, 96)););
   REASON("more than 96 constants", listing_output(b, COLOUR, sum_of_uniforms(b, 97)););
   /* Literals count as constants. */
   REASON("more than 96 constants",
          listing_output(b, COLOUR, nir_fadd(b, sum_of_uniforms(b, 96), nir_imm_float(b, 0.3))););
   FITS(listing_output(b, COLOUR, keep(b, 8)););
   REASON("more than 12 temporaries", listing_output(b, COLOUR, keep(b, 16)););
}

static void
switched_off(void **state)
{
   nir_builder builder = listing_begin(MESA_SHADER_VERTEX), *b = &builder;
   const char *error = NULL;
   listing_output(b, COLOUR, IN(0));
   struct sgpu_shader *shader = listing_compile(b, SGPU_COMPILER_NOVP1, &error);
   assert_non_null(shader);
   assert_false(shader->program.vp1);
   assert_string_equal(shader->not_vp1, "switched off");
   ralloc_free(b->shader);
}

/* An instruction can read one attribute and one constant, so others are copied to temporaries. */
static void
operands(void **state)
{
   nir_builder builder = listing_begin(MESA_SHADER_VERTEX), *b = &builder;
   listing_output(b, COLOUR, nir_fadd(b, IN(0), IN(1)));
   listing_expect(b, "MOV R0, v[WGHT];\n"
                     "ADD o[COL0], v[OPOS], R0;\n");

   builder = listing_begin(MESA_SHADER_VERTEX);
   listing_output(b, COLOUR, nir_fadd(b, nir_fmul(b, U(0), IN(0)), U(1)));
   listing_expect(b, "MOV R0, c[1];\n"
                     "MAD o[COL0], c[0], v[OPOS], R0;\n");

   builder = listing_begin(MESA_SHADER_VERTEX);
   listing_output(b, COLOUR, nir_fadd(b, nir_fmul(b, U(0), U(0)), IN(0)));
   listing_expect(b, "MAD o[COL0], c[0], c[0], v[OPOS];\n");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(operations), cmocka_unit_test(files),        cmocka_unit_test(limits),
      cmocka_unit_test(operands),   cmocka_unit_test(switched_off),
   };
   glsl_type_singleton_init_or_ref();
   const int failed = cmocka_run_group_tests(tests, NULL, NULL);
   glsl_type_singleton_decref();
   return failed;
}
