/* SPDX-License-Identifier: MIT */
/*
 * Tests features that only pixel shaders have: reads of stored pixels, derivatives, and the order of
 * primitives.
 */

#include "listing.h"

/* Returns the value that the output at `location` has before the shader. */
static nir_def *
fetched(nir_builder *b, unsigned location, const struct glsl_type *type)
{
   nir_variable *var = nir_variable_create(b->shader, nir_var_shader_out, type, "stored");
   var->data.location = location;
   var->data.fb_fetch_output = true;
   return nir_load_var(b, var);
}

static void
colors(void **state)
{
   nir_builder b = listing_begin(MESA_SHADER_FRAGMENT);
   nir_def *first = fetched(&b, FRAG_RESULT_DATA0, glsl_vec4_type());
   nir_def *last = fetched(&b, FRAG_RESULT_DATA0 + 7, glsl_vec4_type());
   listing_output(&b, FRAG_RESULT_DATA0, nir_fadd(&b, first, last));
   listing_expect(&b, "LDT R0, 0;\n"
                      "LDT R1, 7;\n"
                      "ADD o[COLR0], R0, R1;\n");
}

static void
depth_stencil(void **state)
{
   nir_builder b = listing_begin(MESA_SHADER_FRAGMENT);
   nir_def *depth = fetched(&b, FRAG_RESULT_DEPTH, glsl_float_type());
   nir_def *stencil = fetched(&b, FRAG_RESULT_STENCIL, glsl_int_type());
   listing_output(&b, FRAG_RESULT_DATA0, nir_vec2(&b, depth, nir_i2f32(&b, stencil)));
   listing_expect(&b, "LDT R0.x, 8;\n"
                      "LDT R0.y, 8;\n"
                      "I2F o[COLR0].y, R0.y;\n"
                      "MOV o[COLR0].x, R0.x;\n");
}

/* Derivatives take modifiers and swizzles, and are computed in the component where they are used. */
static void
derivatives(void **state)
{
   nir_builder b = listing_begin(MESA_SHADER_FRAGMENT);
   nir_def *in = listing_input(&b, 0), *x = nir_channel(&b, in, 0), *w = nir_channel(&b, in, 3);

   nir_def *parts[4];
   parts[0] = nir_ddx(&b, w);
   parts[1] = nir_ddy_fine(&b, nir_fneg(&b, x));
   parts[2] = nir_ddx_coarse(&b, nir_fabs(&b, x));
   parts[3] = nir_ddy_coarse(&b, w);
   listing_output(&b, FRAG_RESULT_DATA0, nir_vec(&b, parts, 4));
   listing_output(&b, FRAG_RESULT_DATA1, nir_ddy(&b, nir_fmul(&b, in, listing_uniform(&b, 0))));
   listing_expect(&b, "MUL R0, v[0], c[0];\n"
                      "DDXF o[COLR0].x, v[0].w;\n"
                      "DDYF o[COLR0].y, -v[0].x;\n"
                      "DDX o[COLR0].z, |v[0].x|;\n"
                      "DDY o[COLR0].w, v[0].w;\n"
                      "DDYF o[COLR1], R0;\n");
}

/* The saturation of moved components is an instruction; that of a whole result is a flag. */
static void
saturation(void **state)
{
   static const unsigned rotated[4] = { 1, 2, 3, 0 };
   nir_builder b = listing_begin(MESA_SHADER_FRAGMENT);
   nir_def *product = nir_fmul(&b, listing_input(&b, 0), listing_uniform(&b, 0));
   listing_output(&b, FRAG_RESULT_DATA0, nir_fsat(&b, nir_swizzle(&b, product, rotated, 4)));
   listing_expect(&b, "MUL R0, v[0], c[0];\n"
                      "MOV_SAT o[COLR0], R0.yzwx;\n");

   b = listing_begin(MESA_SHADER_FRAGMENT);
   product = nir_fmul(&b, listing_input(&b, 0), listing_uniform(&b, 0));
   listing_output(&b, FRAG_RESULT_DATA0, nir_fsat(&b, product));
   listing_expect(&b, "MUL_SAT o[COLR0], v[0], c[0];\n");
}

/* The beginning and the end of an interlock are not instructions; the whole program is ordered. */
static void
interlock(void **state)
{
   nir_builder b = listing_begin(MESA_SHADER_FRAGMENT);
   const char *error = NULL;

   nir_begin_invocation_interlock(&b);
   listing_output(&b, FRAG_RESULT_DATA0, listing_input(&b, 0));
   nir_end_invocation_interlock(&b);
   struct sgpu_shader *shader = listing_compile(&b, 0, &error);
   assert_non_null(shader);
   assert_true(shader->fs_interlock);
   assert_int_equal(shader->program.num_instrs, 1);
   ralloc_free(b.shader);
}

/* A shader cache keeps the facts that the driver needs in addition to the instructions. */
static void
cache(void **state)
{
   nir_builder b = listing_begin(MESA_SHADER_FRAGMENT);
   const char *error = NULL;
   struct blob blob;

   listing_output(&b, FRAG_RESULT_DATA0, listing_input(&b, 0));
   struct sgpu_shader *shader = listing_compile(&b, 0, &error);
   assert_non_null(shader);
   shader->fs_early_tests = true;
   shader->fs_post_depth_coverage = true;
   shader->fs_broadcast_color = true;
   shader->fs_interlock = true;
   shader->fs_inner_coverage = true;
   blob_init(&blob);
   assert_true(sgpu_shader_write(&blob, shader));
   struct sgpu_shader *read = sgpu_shader_read(blob.data, blob.size, MESA_SHADER_FRAGMENT);
   assert_non_null(read);
   assert_true(read->fs_early_tests);
   assert_true(read->fs_post_depth_coverage);
   assert_true(read->fs_broadcast_color);
   assert_true(read->fs_interlock);
   assert_true(read->fs_inner_coverage);
   assert_int_equal(read->num_inputs, shader->num_inputs);
   assert_int_equal(read->fs_color_outputs, shader->fs_color_outputs);
   ralloc_free(read);
   blob_finish(&blob);
   ralloc_free(b.shader);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(colors),     cmocka_unit_test(depth_stencil), cmocka_unit_test(derivatives),
      cmocka_unit_test(saturation), cmocka_unit_test(interlock),     cmocka_unit_test(cache),
   };
   glsl_type_singleton_init_or_ref();
   const int failed = cmocka_run_group_tests_name("pixel shaders", tests, NULL, NULL);
   glsl_type_singleton_decref();
   return failed;
}
