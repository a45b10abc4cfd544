/* SPDX-License-Identifier: MIT */
/*
 * Lets each allocation of the compiler's code fail once.  The compilation must end with an error,
 * or the attempt with the other profile must succeed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "listing.h"

void *__real_sgc_try_alloc(void *mem_ctx, void *array, size_t bytes);
void *__wrap_sgc_try_alloc(void *mem_ctx, void *array, size_t bytes);

/* Number of allocations up to the one that fails; 0: no allocation fails. */
static unsigned left;

void *
__wrap_sgc_try_alloc(void *mem_ctx, void *array, size_t bytes)
{
   if (left && --left == 0)
      return NULL;
   return __real_sgc_try_alloc(mem_ctx, array, bytes);
}

/* Builds a shader with a loop, an array, literals, a composite operation and a phi. */
static nir_builder
build(gl_shader_stage stage)
{
   nir_builder builder = listing_begin(stage), *b = &builder;
   nir_variable *array = nir_local_variable_create(b->impl, glsl_array_type(glsl_vec4_type(), 4, 0),
                                                   "array");
   nir_variable *counter = nir_local_variable_create(b->impl, glsl_int_type(), "counter");
   nir_def *in = listing_input(b, 0);

   if (stage == MESA_SHADER_FRAGMENT) {
      nir_store_deref(b, nir_build_deref_array_imm(b, nir_build_deref_var(b, array), 1), in, 15);
      nir_store_var(b, counter, nir_imm_int(b, 0), 1);
      nir_push_loop(b);
      nir_def *i = nir_load_var(b, counter);
      nir_push_if(b, nir_ige(b, i, nir_f2i32(b, nir_channel(b, in, 1))));
      nir_jump(b, nir_jump_break);
      nir_pop_if(b, NULL);
      nir_deref_instr *element = nir_build_deref_array(b, nir_build_deref_var(b, array),
                                                       nir_iand_imm(b, i, 3));
      nir_store_deref(b, element, nir_fmul_imm(b, nir_load_deref(b, element), 0.3), 15);
      nir_store_var(b, counter, nir_iadd_imm(b, i, 1), 1);
      nir_pop_loop(b, NULL);
      nir_def *last = nir_iand_imm(b, nir_load_var(b, counter), 3);
      in = nir_load_deref(b, nir_build_deref_array(b, nir_build_deref_var(b, array), last));
   }
   nir_def *x = nir_channel(b, in, 0), *floor = nir_ffloor(b, x);
   nir_def *exp = nir_vec4(b, nir_fexp2(b, floor), nir_fsub(b, x, floor), nir_fexp2(b, x),
                           nir_imm_float(b, 1));
   nir_def *less = nir_flt(b, listing_uniform(b, 1), in), *sum = nir_fadd_imm(b, in, 0.7);
   /* The base profile selects only literals. */
   if (stage == MESA_SHADER_VERTEX)
      listing_output(b, VARYING_SLOT_COL0, nir_ffma(b, exp, nir_b2f32(b, less), sum));
   else
      listing_output(b, FRAG_RESULT_DATA0, nir_bcsel(b, less, exp, sum));
   sgpu_finalize_nir(b->shader);
   return builder;
}

static void
check(gl_shader_stage stage, unsigned debug)
{
   const struct sgpu_shader_key key = { 0 };
   nir_builder b = build(stage);
   unsigned failures = 0;

   for (unsigned n = 1;; n++) {
      void *mem_ctx = ralloc_context(NULL);
      const char *error = NULL;
      left = n;
      struct sgpu_shader *shader = sgpu_compile(mem_ctx, b.shader, &key, debug, &error);
      const bool failed = left == 0;
      left = 0;
      if (!shader)
         assert_string_equal(error, "out of memory");
      failures += !shader;
      ralloc_free(mem_ctx);
      if (!failed) {
         assert_non_null(shader);
         break;
      }
   }
   assert_true(failures > 50);
   ralloc_free(b.shader);
}

static void
fragment(void **state)
{
   check(MESA_SHADER_FRAGMENT, SGPU_COMPILER_VALIDATE);
}

static void
spilled(void **state)
{
   check(MESA_SHADER_FRAGMENT, SGPU_COMPILER_VALIDATE | SGPU_COMPILER_SPILLALL);
}

static void
vertex(void **state)
{
   check(MESA_SHADER_VERTEX, SGPU_COMPILER_VALIDATE | SGPU_COMPILER_NOVP1);
}

/* An attempt that fails must not prevent the other attempts. */
static void
base_profile(void **state)
{
   const struct sgpu_shader_key key = { 0 };
   nir_builder b = build(MESA_SHADER_VERTEX);
   const char *error = NULL;

   left = 1;
   struct sgpu_shader *shader = sgpu_compile(b.shader, b.shader, &key, SGPU_COMPILER_VALIDATE,
                                             &error);
   assert_non_null(shader);
   assert_true(shader->program.vp1);
   ralloc_free(b.shader);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(fragment),
      cmocka_unit_test(spilled),
      cmocka_unit_test(vertex),
      cmocka_unit_test(base_profile),
   };
   glsl_type_singleton_init_or_ref();
   const int failed = cmocka_run_group_tests(tests, NULL, NULL);
   glsl_type_singleton_decref();
   return failed;
}
