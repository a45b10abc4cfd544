/* SPDX-License-Identifier: MIT */
/*
 * Tests control flow from NIR to the device.  Random structured programs with nested loops, breaks,
 * continues, early returns and arrays are compiled in every way and compared with a direct
 * interpretation of the statements.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../rounds.h"
#include "flow_code.h"
#include "program_hash.h"
#include "run_shader.h"

/* Hashes of the first programs that random_programs compiles.  They change with the generated code;
 * the failing test prints the new hash.
 */
static const struct {
   unsigned programs;
   uint64_t hash;
} recorded[] = {
   { 13, 0xc0aba27d3df5ec5full },
   { 25, 0xb2acb694f9dac0aaull },
   { 200, 0xeb7d0f885a0861a9ull },
};

/* Returns the location of the n-th input in struct sgpu_shader. */
static unsigned
compiled_location(gl_shader_stage stage, unsigned n)
{
   return stage == MESA_SHADER_VERTEX ? n : flow_input_location(stage, n);
}

/* Runs one compiled form of a program on one warp, and compares the results with the expected
 * values of the lanes.
 */
static void
check(struct test_worker *tw, const struct loaded *loaded, const struct way *way, struct warp *warp,
      const struct flow_state lanes[SGD_WARP], uint32_t gone, gl_shader_stage stage,
      unsigned number)
{
   struct level levels[MAX_LEVELS];
   const unsigned num_levels = test_levels(levels);

   for (unsigned n = 0; n < FLOW_INPUTS; n++) {
      const int reg = input_register(loaded, compiled_location(stage, n));
      for (unsigned c = 0; c < 4 && reg >= 0; c++) {
         for (unsigned l = 0; l < SGD_WARP; l++)
            warp->in[reg].c[c][l] = lanes[l].inputs[n][c];
      }
   }
   for (unsigned v = 0; v < num_levels; v++) {
      warp->live = warp->active;
      test_run(tw, &levels[v], loaded->device, warp);
      if (!warp->ok) {
         print_listing(loaded);
         fail_msg("program %u, %s on %s: does not end", number, way->name, levels[v].name);
      }
      assert_int_equal(warp->live_out, warp->active & ~gone);
      for (unsigned n = 0; n < FLOW_OUTPUTS; n++) {
         const int reg = output_register(loaded, flow_output_location(stage, n));
         assert_true(reg >= 0);
         for (unsigned l = 0; l < SGD_WARP; l++) {
            if (!(warp->live_out & (1u << l)))
               continue;
            for (unsigned c = 0; c < 4; c++) {
               const uint32_t got = warp->out[reg].c[c][l], want = lanes[l].outputs[n][c];
               if (got == want)
                  continue;
               print_listing(loaded);
               fail_msg("program %u, %s on %s, lane %u, output %u.%c: %08x, should be %08x", number,
                        way->name, levels[v].name, l, n, "xyzw"[c], got, want);
            }
         }
      }
   }
}

static uint32_t
draw_input(struct rng *r)
{
   return rng_chance(r, 70) ? rng_below(r, 12) : rng_u32(r);
}

static void
run_program(struct test_worker *tw, struct rng *r, gl_shader_stage stage, unsigned number,
            unsigned *features, uint64_t *hash)
{
   void *mem_ctx = ralloc_context(NULL);
   struct flow_program *program = flow_draw(mem_ctx, r, stage);
   nir_shader *nir = flow_build(mem_ctx, program);
   struct warp *warp = calloc(1, sizeof(*warp));
   struct loaded loaded[8];

   *features |= flow_features(program);
   assert_true(num_ways <= ARRAY_SIZE(loaded));
   for (unsigned w = 0; w < num_ways; w++) {
      loaded[w] = load_shader(mem_ctx, nir, &ways[w]);
      *hash = program_hash(*hash, loaded[w].shader);
   }

   for (unsigned round = 0; round < 4; round++) {
      uint32_t uniforms[FLOW_UNIFORMS][4];
      struct flow_state lanes[SGD_WARP];
      uint32_t gone = 0;

      for (unsigned n = 0; n < 4 * FLOW_UNIFORMS; n++)
         uniforms[n / 4][n % 4] = draw_input(r);
      warp->env.banks[0].ptr = (uint8_t *)uniforms;
      warp->env.banks[0].size = sizeof(uniforms);
      warp->active = round == 0 ? ~0u : rng_u32(r) | 1;
      for (unsigned l = 0; l < SGD_WARP; l++) {
         for (unsigned n = 0; n < 4 * FLOW_INPUTS; n++)
            lanes[l].inputs[n / 4][n % 4] = draw_input(r);
         if (!flow_execute(program, uniforms, &lanes[l]))
            gone |= 1u << l;
      }
      for (unsigned w = 0; w < num_ways; w++)
         check(tw, &loaded[w], &ways[w], warp, lanes, gone, stage, number);
   }
   for (unsigned w = 0; w < num_ways; w++)
      unload_shader(&loaded[w]);
   free(warp);
   ralloc_free(mem_ctx);
}

static void
random_programs(void **state)
{
   struct test_worker *tw = test_worker_create();
   struct rng r = { 1 };
   /* FLOW_PROGRAMS can be set to test more programs. */
   const char *env = getenv("FLOW_PROGRAMS");
   const unsigned count = env ? atoi(env) : TEST_ROUNDS(200);
   unsigned features = 0;
   uint64_t hash = PROGRAM_HASH_INIT;

   for (unsigned n = 0; n < count; n++) {
      run_program(tw, &r, n & 1 ? MESA_SHADER_FRAGMENT : MESA_SHADER_VERTEX, n, &features, &hash);
      for (unsigned i = 0; i < ARRAY_SIZE(recorded); i++) {
         if (n + 1 == recorded[i].programs && hash != recorded[i].hash)
            fail_msg("the hash of %u programs is 0x%llxull", n + 1, (unsigned long long)hash);
      }
   }
   assert_true(env || count == 13 || count == 25 || count == 200);
   assert_int_equal(features, FLOW_NESTED_LOOP | FLOW_BREAK | FLOW_CONTINUE | FLOW_RETURN |
                                 FLOW_RETURN_IN_LOOP | FLOW_DISCARD | FLOW_UNIFORM_IF |
                                 FLOW_DIVERGENT_IF | FLOW_ARRAYS);
   test_worker_destroy(tw);
}

/*
 * Tests more live values across a loop than registers.  The compiler must spill some without a
 * debug option.
 */

#define PRESSURE 280

static nir_shader *
build_pressure(void *mem_ctx)
{
   nir_builder b = nir_builder_init_simple_shader(MESA_SHADER_VERTEX, &sgpu_nir_options,
                                                  "pressure");
   nir_variable *io[2];
   nir_def *values[PRESSURE];

   ralloc_steal(mem_ctx, b.shader);
   for (unsigned n = 0; n < 2; n++) {
      io[n] = nir_variable_create(b.shader, n ? nir_var_shader_out : nir_var_shader_in,
                                  glsl_vector_type(GLSL_TYPE_UINT, 4), "io");
      io[n]->data.location = n ? flow_output_location(MESA_SHADER_VERTEX, 0)
                               : flow_input_location(MESA_SHADER_VERTEX, 0);
   }
   nir_variable *sum = nir_local_variable_create(b.impl, io[0]->type, "sum");
   nir_variable *counter = nir_local_variable_create(b.impl, glsl_uint_type(), "counter");

   nir_def *in = nir_load_var(&b, io[0]);
   for (unsigned n = 0; n < PRESSURE; n++)
      values[n] = nir_imul_imm(&b, nir_iadd_imm(&b, in, n), 2 * n + 1);
   nir_store_var(&b, sum, in, 0xf);
   nir_store_var(&b, counter, nir_channel(&b, in, 0), 1);
   nir_push_loop(&b);
   nir_push_if(&b, nir_ieq_imm(&b, nir_load_var(&b, counter), 0));
   nir_jump(&b, nir_jump_break);
   nir_pop_if(&b, NULL);
   nir_store_var(&b, counter, nir_iadd_imm(&b, nir_load_var(&b, counter), -1), 1);
   for (unsigned n = 0; n < PRESSURE; n++) {
      nir_def *next = nir_ixor(&b, nir_imul_imm(&b, nir_load_var(&b, sum), 3), values[n]);
      nir_store_var(&b, sum, next, 0xf);
   }
   nir_pop_loop(&b, NULL);
   nir_store_var(&b, io[1], nir_load_var(&b, sum), 0xf);
   sgpu_finalize_nir(b.shader);
   return b.shader;
}

static void
pressure(void **state)
{
   void *mem_ctx = ralloc_context(NULL);
   nir_shader *nir = build_pressure(mem_ctx);
   struct test_worker *tw = test_worker_create();
   struct warp *warp = calloc(1, sizeof(*warp));
   struct level levels[MAX_LEVELS];
   const unsigned num_levels = test_levels(levels);

   warp->active = warp->live = ~0u;
   for (unsigned w = 0; w < num_ways; w++) {
      struct loaded loaded = load_shader(mem_ctx, nir, &ways[w]);
      const int in = input_register(&loaded, compiled_location(MESA_SHADER_VERTEX, 0));
      const int out = output_register(&loaded, flow_output_location(MESA_SHADER_VERTEX, 0));

      assert_true(loaded.shader->program.scratch_size > 0);
      for (unsigned l = 0; l < SGD_WARP; l++) {
         for (unsigned c = 0; c < 4; c++)
            warp->in[in].c[c][l] = c ? 1000 * l + c : l % 5;
      }
      for (unsigned v = 0; v < num_levels; v++) {
         test_run(tw, &levels[v], loaded.device, warp);
         assert_true(warp->ok);
         for (unsigned l = 0; l < SGD_WARP; l++) {
            for (unsigned c = 0; c < 4; c++) {
               const uint32_t first = warp->in[in].c[c][l];
               uint32_t sum = first;
               for (unsigned turn = 0; turn < l % 5; turn++) {
                  for (unsigned n = 0; n < PRESSURE; n++)
                     sum = sum * 3 ^ (first + n) * (2 * n + 1);
               }
               assert_int_equal(warp->out[out].c[c][l], sum);
            }
         }
      }
      unload_shader(&loaded);
   }
   free(warp);
   test_worker_destroy(tw);
   ralloc_free(mem_ctx);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_programs),
      cmocka_unit_test(pressure),
   };
   glsl_type_singleton_init_or_ref();
   const int failed = cmocka_run_group_tests(tests, NULL, NULL);
   glsl_type_singleton_decref();
   return failed;
}
