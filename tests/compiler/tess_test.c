/* SPDX-License-Identifier: MIT */
/*
 * Tests tessellation shaders: outputs of other vertices and of the patch, their order around
 * barriers, and the results for the driver.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "listing.h"

static nir_variable *
vertices(nir_builder *b, nir_variable_mode mode, unsigned location, const struct glsl_type *type,
         unsigned count)
{
   nir_variable *var = nir_variable_create(b->shader, mode, glsl_array_type(type, count, 0), "v");
   var->data.location = location;
   return var;
}

static nir_variable *
patch(nir_builder *b, nir_variable_mode mode, unsigned location, const struct glsl_type *type)
{
   nir_variable *var = nir_variable_create(b->shader, mode, type, "p");
   var->data.location = location;
   var->data.patch = true;
   return var;
}

/* A load after a barrier must stay after the stores before the barrier, and before the stores that
 * follow it.
 */
static void
control(void **state)
{
   nir_builder builder = listing_begin(MESA_SHADER_TESS_CTRL), *b = &builder;
   nir_variable *in = vertices(b, nir_var_shader_in, VARYING_SLOT_POS, glsl_vec4_type(), 32);
   nir_variable *out = vertices(b, nir_var_shader_out, VARYING_SLOT_POS, glsl_vec4_type(), 4);
   nir_variable *outer = patch(b, nir_var_shader_out, VARYING_SLOT_TESS_LEVEL_OUTER,
                               glsl_vec4_type());
   nir_variable *own = patch(b, nir_var_shader_out, VARYING_SLOT_PATCH0 + 2, glsl_vec4_type());

   b->shader->info.tess.tcs_vertices_out = 4;
   nir_def *i = nir_load_invocation_id(b);
   nir_store_array_var(b, out, i, nir_load_array_var(b, in, i), 15);
   nir_barrier(b, .execution_scope = SCOPE_WORKGROUP, .memory_scope = SCOPE_WORKGROUP,
               .memory_semantics = NIR_MEMORY_ACQ_REL, .memory_modes = nir_var_shader_out);
   nir_store_var(b, outer, nir_load_array_var_imm(b, out, 3), 15);
   nir_store_array_var(b, out, i, listing_uniform(b, 1), 15);
   nir_store_var(b, own, listing_uniform(b, 2), 3);
   listing_expect(b, "LDV R0, va[0][s[INVOCATION_ID].x];\n"
                     "MOV o[HPOS], R0;\n"
                     "LDO R0, vo[HPOS][3];\n"
                     "MOV o[HPOS], c[1];\n"
                     "STP pa[TESS_OUTER], R0;\n"
                     "STP pa[4].xy, c[2];\n");
}

static void
evaluation(void **state)
{
   nir_builder builder = listing_begin(MESA_SHADER_TESS_EVAL), *b = &builder;
   nir_variable *in = vertices(b, nir_var_shader_in, VARYING_SLOT_VAR0, glsl_vec4_type(), 32);
   nir_variable *own = patch(b, nir_var_shader_in, VARYING_SLOT_PATCH0, glsl_vec4_type());
   nir_variable *out = nir_variable_create(b->shader, nir_var_shader_out, glsl_vec4_type(), "out");

   out->data.location = VARYING_SLOT_POS;
   b->shader->info.tess._primitive_mode = TESS_PRIMITIVE_QUADS;
   nir_def *x = nir_channel(b, nir_load_tess_coord(b), 0);
   nir_def *v = nir_load_array_var(b, in, nir_load_patch_vertices_in(b));
   nir_store_var(b, out, nir_fadd(b, nir_fmul(b, v, x), nir_load_var(b, own)), 15);
   listing_expect(b, "LDV R0, va[0][s[PATCH_VERTICES].x];\n"
                     "LDP R1, pa[2];\n"
                     "MAD o[HPOS], R0, s[TESS_COORD].x, R1;\n");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(control),
      cmocka_unit_test(evaluation),
   };
   glsl_type_singleton_init_or_ref();
   const int failed = cmocka_run_group_tests(tests, NULL, NULL);
   glsl_type_singleton_decref();
   return failed;
}
