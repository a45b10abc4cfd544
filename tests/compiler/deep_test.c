/* SPDX-License-Identifier: MIT */
/*
 * Tests large shaders: control flow of hundreds of levels, compared with the same code in C; more
 * literals than c[] holds; and more live values than registers.  Also tests that the compiler's
 * work grows with the size of the shader.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/nir/nir_builder.h"
#include "rounds.h"
#include "run_shader.h"

enum kind {
   /* As in a switch: each if is in the else part of the previous one. */
   ELSE_IFS,
   /* Each if is in the then part of the previous one. */
   IFS,
   LOOPS,
   /* Nested ifs in one loop, with a break in the innermost one. */
   BREAKS,
   NUM_KINDS,
};

static const char *const kind_names[] = { "else-ifs", "ifs", "loops", "breaks" };

/* Returns a value that depends on the level.  No two levels have the same literal. */
static uint32_t
mix(uint32_t value, unsigned level)
{
   return (value ^ (0x9e370000u + level)) * 5 + level;
}

static nir_def *
build_mix(nir_builder *b, nir_def *value, unsigned level)
{
   value = nir_ixor(b, value, nir_imm_int(b, 0x9e370000u + level));
   return nir_iadd_imm(b, nir_imul_imm(b, value, 5), level);
}

/* Returns the result of a lane with the inputs `x` and `n`. */
static uint32_t
expected(enum kind kind, unsigned levels, uint32_t x, uint32_t n)
{
   switch (kind) {
   case ELSE_IFS:
      return n < levels ? mix(x, n) : x;
   case IFS:
      for (unsigned level = 0; level < levels && level < n; level++)
         x = mix(x, level);
      return x;
   case LOOPS:
      /* Each loop ends after its first iteration, or before it. */
      for (unsigned level = 0; level < levels && level < n; level++)
         x = mix(x, level);
      return x;
   case BREAKS:
      for (unsigned round = 0; round < 2; round++) {
         for (unsigned level = 0; level < levels && level < n; level++)
            x = mix(x, level);
         if (n >= levels)
            break;
      }
      return x;
   default:
      abort();
   }
}

static void
build_else_ifs(nir_builder *b, nir_variable *x, nir_def *n, unsigned levels)
{
   nir_if **ifs = calloc(levels, sizeof(*ifs));

   for (unsigned level = 0; level < levels; level++) {
      ifs[level] = nir_push_if(b, nir_ieq_imm(b, n, level));
      nir_store_var(b, x, build_mix(b, nir_load_var(b, x), level), 1);
      nir_push_else(b, ifs[level]);
   }
   for (unsigned level = levels; level-- > 0;)
      nir_pop_if(b, ifs[level]);
   free(ifs);
}

/* Builds nested ifs.  If `breaks` is set, the innermost one breaks out of the loop. */
static void
build_ifs(nir_builder *b, nir_variable *x, nir_def *n, unsigned levels, bool breaks)
{
   nir_if **ifs = calloc(levels, sizeof(*ifs));

   for (unsigned level = 0; level < levels; level++) {
      ifs[level] = nir_push_if(b, nir_ult(b, nir_imm_int(b, level), n));
      nir_store_var(b, x, build_mix(b, nir_load_var(b, x), level), 1);
   }
   if (breaks)
      nir_jump(b, nir_jump_break);
   for (unsigned level = levels; level-- > 0;)
      nir_pop_if(b, ifs[level]);
   free(ifs);
}

static void
build_loops(nir_builder *b, nir_variable *x, nir_def *n, unsigned levels)
{
   nir_loop **loops = calloc(levels, sizeof(*loops));

   for (unsigned level = 0; level < levels; level++) {
      loops[level] = nir_push_loop(b);
      nir_push_if(b, nir_uge(b, nir_imm_int(b, level), n));
      nir_jump(b, nir_jump_break);
      nir_pop_if(b, NULL);
      nir_store_var(b, x, build_mix(b, nir_load_var(b, x), level), 1);
   }
   for (unsigned level = levels; level-- > 0;) {
      /* Ends the loop with a condition that no pass can evaluate. */
      nir_push_if(b, nir_ine_imm(b, nir_load_var(b, x), 0));
      nir_jump(b, nir_jump_break);
      nir_pop_if(b, NULL);
      nir_pop_loop(b, loops[level]);
   }
   free(loops);
}

static nir_builder
begin_shader(nir_def *in[2])
{
   nir_builder b = nir_builder_init_simple_shader(MESA_SHADER_FRAGMENT, &sgpu_nir_options, "deep");
   nir_variable *var = nir_variable_create(b.shader, nir_var_shader_in, glsl_vec4_type(), "in");

   var->data.location = VARYING_SLOT_VAR0;
   var->data.interpolation = INTERP_MODE_FLAT;
   nir_def *all = nir_load_var(&b, var);
   in[0] = nir_channel(&b, all, 0);
   in[1] = nir_channel(&b, all, 1);
   return b;
}

static nir_shader *
end_shader(nir_builder *b, nir_def *value)
{
   nir_variable *var = nir_variable_create(b->shader, nir_var_shader_out, glsl_vec4_type(), "out");

   var->data.location = FRAG_RESULT_DATA0;
   nir_store_var(b, var, nir_vec4(b, value, value, value, value), 15);
   nir_shader_gather_info(b->shader, b->impl);
   sgpu_finalize_nir(b->shader);
   return b->shader;
}

static nir_shader *
make_deep(enum kind kind, unsigned levels)
{
   nir_def *in[2];
   nir_builder builder = begin_shader(in), *b = &builder;
   nir_variable *x = nir_local_variable_create(b->impl, glsl_uint_type(), "x");

   nir_store_var(b, x, in[0], 1);
   switch (kind) {
   case ELSE_IFS:
      build_else_ifs(b, x, in[1], levels);
      break;
   case IFS:
      build_ifs(b, x, in[1], levels, false);
      break;
   case LOOPS:
      build_loops(b, x, in[1], levels);
      break;
   case BREAKS: {
      nir_variable *round = nir_local_variable_create(b->impl, glsl_uint_type(), "round");
      nir_store_var(b, round, nir_imm_int(b, 0), 1);
      nir_loop *loop = nir_push_loop(b);
      nir_push_if(b, nir_uge(b, nir_load_var(b, round), nir_imm_int(b, 2)));
      nir_jump(b, nir_jump_break);
      nir_pop_if(b, NULL);
      nir_store_var(b, round, nir_iadd_imm(b, nir_load_var(b, round), 1), 1);
      build_ifs(b, x, in[1], levels, true);
      nir_pop_loop(b, loop);
      break;
   }
   default:
      abort();
   }
   return end_shader(b, nir_load_var(b, x));
}

/* Returns input n of lane l.  The lanes have numbers of levels from 0 to more than there are. */
static uint32_t
number_of(unsigned l, unsigned levels)
{
   return l < 31 ? (uint32_t)((uint64_t)levels * l / 30) : levels + 7;
}

static void
run_deep(struct test_worker *tw, enum kind kind, unsigned levels)
{
   static const struct way way = { "default", SGPU_COMPILER_NOVALIDATE };
   struct level machines[MAX_LEVELS];
   const unsigned num_machines = test_levels(machines);
   nir_shader *nir = make_deep(kind, levels);
   struct loaded loaded = load_shader(NULL, nir, &way);
   struct warp *warp = calloc(1, sizeof(*warp));
   const int in = input_register(&loaded, VARYING_SLOT_VAR0);

   assert_true(in >= 0);
   for (unsigned l = 0; l < 32; l++) {
      warp->in[in].c[0][l] = 0x1234567 * l + 89;
      warp->in[in].c[1][l] = number_of(l, levels);
   }
   for (unsigned v = 0; v < num_machines; v++) {
      warp->active = warp->live = ~0u;
      test_run(tw, &machines[v], loaded.device, warp);
      assert_true(warp->ok);
      for (unsigned l = 0; l < 32; l++) {
         const uint32_t got = warp->out[SGPU_PO_COLR0].c[2][l];
         const uint32_t want = expected(kind, levels, 0x1234567 * l + 89, number_of(l, levels));
         if (got != want)
            fail_msg("%u levels of %s, %s: lane %u is %08x, should be %08x", levels,
                     kind_names[kind], machines[v].name, l, got, want);
      }
   }
   free(warp);
   unload_shader(&loaded);
   ralloc_free(nir);
}

static void
levels(void **state)
{
   struct test_worker *tw = test_worker_create();

   for (unsigned kind = 0; kind < NUM_KINDS; kind++) {
      run_deep(tw, kind, 300);
      if (TEST_ROUNDS_DIVISOR == 1)
         run_deep(tw, kind, 600);
   }
   test_worker_destroy(tw);
}

/*
 * Growth of the compiler's work.
 */

/* Makes a shader with a sequence of products and sums.  If `wide` is set, all products come first,
 * so that all are live at the same time.
 */
static nir_shader *
make_long(unsigned statements, bool wide)
{
   nir_def *in[2];
   nir_builder builder = begin_shader(in), *b = &builder;
   nir_def **products = calloc(statements, sizeof(*products));
   nir_def *sum = in[0];

   for (unsigned n = 0; n < statements; n++) {
      if (!wide)
         products[n] = nir_imul(b, nir_iadd_imm(b, sum, n % 100), in[1]);
      else
         products[n] = nir_imul(b, nir_ixor(b, in[1], nir_imm_int(b, 3 * n)), in[0]);
      if (!wide)
         sum = nir_ixor(b, sum, nir_ushr_imm(b, products[n], n % 7));
   }
   for (unsigned n = 0; wide && n < 2 * statements; n++)
      sum = nir_iadd(b, nir_imul_imm(b, sum, 3),
                     products[n < statements ? n : 2 * statements - 1 - n]);
   free(products);
   return end_shader(b, sum);
}

static double
work_of(nir_shader *nir)
{
   const struct sgpu_shader_key key = { false };
   const char *error = NULL;
   struct sgpu_shader *shader = sgpu_compile(NULL, nir, &key, SGPU_COMPILER_NOVALIDATE, &error);

   if (!shader)
      fail_msg("%s", error);
   const double work = shader->work;
   ralloc_free(shader);
   ralloc_free(nir);
   return work;
}

static void
check_growth(const char *name, double small, double large, double factor)
{
   if (large > 1.5 * factor * small)
      fail_msg("%s: %.0f steps become %.0f, where the shader is %.0f times as large", name, small,
               large, factor);
}

static void
growth(void **state)
{
   const unsigned most = TEST_ROUNDS_DIVISOR > 1 ? 2000 : 8000;

   check_growth("a row", work_of(make_long(most / 8, false)), work_of(make_long(most, false)), 8);
   check_growth("many that live", work_of(make_long(most / 4, true)),
                work_of(make_long(most, true)), 4);
   /* For the other kinds, each level has a value that is live in all inner levels. */
   check_growth(kind_names[ELSE_IFS], work_of(make_deep(ELSE_IFS, 150)),
                work_of(make_deep(ELSE_IFS, 600)), 4);
}

/*
 * Arrays.
 */

#define NUM_ARRAYS 16
#define ARRAY_SIZE_EACH 30

/* Each array fits into the register file, but all of them together do not. */
static void
many_arrays(void **state)
{
   static const struct way way = { "default", SGPU_COMPILER_NOVALIDATE };
   nir_def *in[2];
   nir_builder builder = begin_shader(in), *b = &builder;
   nir_variable *arrays[NUM_ARRAYS];
   nir_def *sum = in[0];

   for (unsigned a = 0; a < NUM_ARRAYS; a++) {
      arrays[a] = nir_local_variable_create(b->impl,
                                            glsl_array_type(glsl_uint_type(), ARRAY_SIZE_EACH, 0),
                                            "array");
      for (unsigned i = 0; i < ARRAY_SIZE_EACH; i++) {
         nir_deref_instr *d = nir_build_deref_var(b, arrays[a]);
         nir_store_deref(b, nir_build_deref_array_imm(b, d, i),
                         nir_iadd_imm(b, nir_imul_imm(b, in[0], a + 1), i), 1);
      }
   }
   for (unsigned a = 0; a < NUM_ARRAYS; a++) {
      nir_def *at = nir_umod(b, nir_iadd(b, sum, in[1]), nir_imm_int(b, ARRAY_SIZE_EACH));
      nir_deref_instr *d = nir_build_deref_var(b, arrays[a]);
      sum = nir_ixor(b, nir_imul_imm(b, sum, 5),
                     nir_load_deref(b, nir_build_deref_array(b, d, at)));
   }

   struct test_worker *tw = test_worker_create();
   struct level machines[MAX_LEVELS];
   const unsigned num_machines = test_levels(machines);
   nir_shader *nir = end_shader(b, sum);
   struct loaded loaded = load_shader(NULL, nir, &way);
   struct warp *warp = calloc(1, sizeof(*warp));
   const int reg = input_register(&loaded, VARYING_SLOT_VAR0);

   for (unsigned v = 0; v < num_machines; v++) {
      for (unsigned l = 0; l < 32; l++) {
         warp->in[reg].c[0][l] = 0x1234567 * l + 89;
         warp->in[reg].c[1][l] = l;
      }
      warp->active = warp->live = ~0u;
      test_run(tw, &machines[v], loaded.device, warp);
      assert_true(warp->ok);
      for (unsigned l = 0; l < 32; l++) {
         const uint32_t x = 0x1234567 * l + 89;
         uint32_t want = x;
         for (unsigned a = 0; a < NUM_ARRAYS; a++)
            want = want * 5 ^ (x * (a + 1) + (want + l) % ARRAY_SIZE_EACH);
         assert_int_equal(warp->out[SGPU_PO_COLR0].c[2][l], want);
      }
   }
   free(warp);
   unload_shader(&loaded);
   ralloc_free(nir);
   test_worker_destroy(tw);
}

static int
setup(void **state)
{
   glsl_type_singleton_init_or_ref();
   return 0;
}

static int
teardown(void **state)
{
   glsl_type_singleton_decref();
   return 0;
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(levels),
      cmocka_unit_test(growth),
      cmocka_unit_test(many_arrays),
   };
   return cmocka_run_group_tests(tests, setup, teardown);
}
