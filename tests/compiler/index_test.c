/* SPDX-License-Identifier: MIT */
/*
 * Tests variable indices of uniforms, local arrays and outputs: the index of each lane is an input,
 * and results are compared with the elements that it selects.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/nir/nir_builder.h"
#include "run_shader.h"

#define LENGTH 8

static uint32_t uniforms[LENGTH][4];

/* Begins a vertex shader. *index is set to its input. */
static nir_builder
begin(nir_def **index)
{
   nir_builder b = nir_builder_init_simple_shader(MESA_SHADER_VERTEX, &sgpu_nir_options, "index");
   nir_variable *in = nir_variable_create(b.shader, nir_var_shader_in, glsl_int_type(), "in");

   in->data.location = VERT_ATTRIB_GENERIC0;
   *index = nir_load_var(&b, in);
   b.shader->num_uniforms = LENGTH;
   return b;
}

static nir_variable *
output(nir_builder *b, unsigned location, const struct glsl_type *type)
{
   nir_variable *var = nir_variable_create(b->shader, nir_var_shader_out, type, "out");

   var->data.location = location;
   return var;
}

/* Returns uniform `index` + `offset`. */
static nir_def *
uniform(nir_builder *b, nir_def *index, int offset)
{
   return nir_load_uniform(b, 4, 32, nir_iadd_imm(b, index, offset), .base = 0, .range = LENGTH,
                           .dest_type = nir_type_float32);
}

/* Returns the expected component c of the output at `location` for an index. */
typedef uint32_t (*expect_func)(unsigned location, int index, unsigned c);

/* Compiles the shader in all ways and runs it with the indices first to first + count - 1. */
static void
check(nir_builder *b, int first, unsigned count, const unsigned *locations, unsigned num,
      expect_func expect)
{
   struct test_worker *tw = test_worker_create();
   struct warp *warp = calloc(1, sizeof(*warp));
   struct level levels[MAX_LEVELS];
   const unsigned num_levels = test_levels(levels);

   for (unsigned k = 0; k < 4 * LENGTH; k++)
      uniforms[k / 4][k % 4] = 100 + k;
   nir_shader_gather_info(b->shader, b->impl);
   sgpu_finalize_nir(b->shader);
   for (unsigned w = 0; w < num_ways; w++) {
      struct loaded loaded = load_shader(NULL, b->shader, &ways[w]);
      /* The location of a vertex input is the index of its vertex element. */
      const int in = input_register(&loaded, 0);
      assert_true(in >= 0);
      for (unsigned v = 0; v < num_levels; v++) {
         memset(warp, 0, sizeof(*warp));
         warp->active = warp->live = ~0u;
         warp->env.banks[0].ptr = (uint8_t *)uniforms;
         warp->env.banks[0].size = sizeof(uniforms);
         for (unsigned l = 0; l < SGD_WARP; l++)
            warp->in[in].c[0][l] = first + (int)(l % count);
         test_run(tw, &levels[v], loaded.device, warp);
         assert_true(warp->ok);
         for (unsigned k = 0; k < num * 4 * SGD_WARP; k++) {
            const unsigned location = locations[k / (4 * SGD_WARP)], c = k / SGD_WARP % 4;
            const unsigned l = k % SGD_WARP;
            const int out = output_register(&loaded, location);
            const uint32_t want = expect(location, first + (int)(l % count), c);
            assert_true(out >= 0);
            if (warp->out[out].c[c][l] == want)
               continue;
            print_listing(&loaded);
            fail_msg("%s, %s: lane %u: component %u at location %u is %u, should be %u",
                     ways[w].name, levels[v].name, l, c, location, warp->out[out].c[c][l], want);
         }
      }
      unload_shader(&loaded);
   }
   free(warp);
   ralloc_free(b->shader);
   test_worker_destroy(tw);
}

/*
 * Uniforms: u[i + 1000] and u[i + 1003] with i from -1000. Neither offset fits an instruction, so
 * each is a part of the address.
 */

static uint32_t
expect_uniforms(unsigned location, int index, unsigned c)
{
   return 100 + 4 * (index + (location == VARYING_SLOT_VAR0 ? 1000 : 1003)) + c;
}

static void
offsets(void **state)
{
   const unsigned locations[] = { VARYING_SLOT_VAR0, VARYING_SLOT_VAR1 };
   nir_def *index;
   nir_builder b = begin(&index);

   nir_store_var(&b, output(&b, locations[0], glsl_vec4_type()), uniform(&b, index, 1000), 0xf);
   nir_store_var(&b, output(&b, locations[1], glsl_vec4_type()), uniform(&b, index, 1003), 0xf);
   check(&b, -1000, 4, locations, 2, expect_uniforms);
}

/*
 * A local array: a[i + 10] where i is less than -5, and a[i + 5] elsewhere.
 */

static uint32_t
expect_array(unsigned location, int index, unsigned c)
{
   return 100 + 4 * (index < -5 ? index + 10 : index + 5) + c;
}

static void
array_offsets(void **state)
{
   const unsigned locations[] = { VARYING_SLOT_VAR0 };
   nir_def *index, *values[2];
   nir_builder b = begin(&index);
   nir_variable *array = nir_local_variable_create(b.impl, glsl_array_type(glsl_vec4_type(), 5, 0),
                                                   "a");
   nir_deref_instr *deref = nir_build_deref_var(&b, array);

   for (unsigned n = 0; n < 5; n++)
      nir_store_deref(&b, nir_build_deref_array_imm(&b, deref, n),
                      uniform(&b, nir_imm_int(&b, 0), n), 0xf);
   for (unsigned n = 0; n < 2; n++) {
      nir_def *at = nir_iadd_imm(&b, index, n ? 5 : 10);
      values[n] = nir_load_deref(&b, nir_build_deref_array(&b, deref, at));
   }
   nir_store_var(&b, output(&b, locations[0], glsl_vec4_type()),
                 nir_bcsel(&b, nir_ilt(&b, index, nir_imm_int(&b, -5)), values[0], values[1]), 0xf);
   check(&b, -10, 10, locations, 1, expect_array);
}

/*
 * Outputs: o[i] = u[7] after o[n] = u[n], next to a texture coordinate.
 */

static uint32_t
expect_outputs(unsigned location, int index, unsigned c)
{
   if (location == VARYING_SLOT_TEX1)
      return 100 + 4 * 6 + c;
   const unsigned n = location - VARYING_SLOT_VAR0;
   return 100 + 4 * ((int)n == index ? 7 : n) + c;
}

static void
outputs(void **state)
{
   const unsigned locations[] = { VARYING_SLOT_TEX1, VARYING_SLOT_VAR0, VARYING_SLOT_VAR1,
                                  VARYING_SLOT_VAR2 };
   nir_def *index;
   nir_builder b = begin(&index);
   nir_def *zero = nir_imm_int(&b, 0);
   nir_variable *array = output(&b, VARYING_SLOT_VAR0, glsl_array_type(glsl_vec4_type(), 3, 0));
   nir_variable *coord = output(&b, VARYING_SLOT_TEX1, glsl_vec4_type());
   nir_deref_instr *deref = nir_build_deref_var(&b, array);

   nir_store_var(&b, coord, uniform(&b, zero, 6), 0xf);
   for (unsigned n = 0; n < 3; n++)
      nir_store_deref(&b, nir_build_deref_array_imm(&b, deref, n), uniform(&b, zero, n), 0xf);
   nir_store_deref(&b, nir_build_deref_array(&b, deref, index), uniform(&b, zero, 7), 0xf);
   check(&b, 0, 3, locations, 4, expect_outputs);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(offsets),
      cmocka_unit_test(array_offsets),
      cmocka_unit_test(outputs),
   };
   glsl_type_singleton_init_or_ref();
   const int failed = cmocka_run_group_tests_name("variable indices", tests, NULL, NULL);
   glsl_type_singleton_decref();
   return failed;
}
