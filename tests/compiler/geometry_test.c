/* SPDX-License-Identifier: MIT */
/*
 * Tests geometry shaders: inputs of the primitive's vertices, the emitted vertices and their order,
 * and the results for the driver.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "listing.h"

static nir_builder
begin(enum mesa_prim input, enum mesa_prim output, unsigned vertices)
{
   nir_builder b = listing_begin(MESA_SHADER_GEOMETRY);
   b.shader->info.gs.input_primitive = input;
   b.shader->info.gs.output_primitive = output;
   b.shader->info.gs.vertices_out = vertices;
   b.shader->info.gs.invocations = 1;
   return b;
}

static nir_variable *
input(nir_builder *b, unsigned location, const struct glsl_type *type, unsigned vertices)
{
   nir_variable *var = nir_variable_create(b->shader, nir_var_shader_in,
                                           glsl_array_type(type, vertices, 0), "in");
   var->data.location = location;
   return var;
}

static nir_variable *
output(nir_builder *b, unsigned location, const struct glsl_type *type)
{
   nir_variable *var = nir_variable_create(b->shader, nir_var_shader_out, type, "out");
   var->data.location = location;
   return var;
}

/* Each vertex has the outputs that were stored before it.  Other outputs keep their values. */
static void
emits(void **state)
{
   nir_builder builder = begin(MESA_PRIM_LINES, MESA_PRIM_LINE_STRIP, 3), *b = &builder;
   nir_variable *pos = input(b, VARYING_SLOT_POS, glsl_vec4_type(), 2);
   nir_variable *out = output(b, VARYING_SLOT_POS, glsl_vec4_type());
   nir_variable *color = output(b, VARYING_SLOT_VAR0, glsl_vec4_type());

   nir_store_var(b, color, listing_uniform(b, 3), 15);
   nir_store_var(b, out, nir_load_array_var_imm(b, pos, 1), 15);
   nir_emit_vertex(b, .stream_id = 0);
   nir_store_var(b, out, nir_fadd(b, nir_load_array_var_imm(b, pos, 0), listing_uniform(b, 2)), 15);
   nir_emit_vertex(b, .stream_id = 0);
   nir_end_primitive(b, .stream_id = 0);
   nir_emit_vertex(b, .stream_id = 3);
   nir_end_primitive(b, .stream_id = 3);
   listing_expect(b, "LDV R0, va[0][1];\n"
                     "MOV o[TEX0], c[3];\n"
                     "MOV o[HPOS], R0;\n"
                     "EMITV 0;\n"
                     "LDV R0, va[0][0];\n"
                     "ADD R0, R0, c[2];\n"
                     "MOV o[HPOS], R0;\n"
                     "EMITV 0;\n"
                     "CUT 0;\n"
                     "EMITV 3;\n"
                     "CUT 3;\n");
}

/* A value that is stored after a vertex was emitted must not be in that vertex, wherever the value
 * is computed.
 */
static void
stored_late(void **state)
{
   nir_builder builder = begin(MESA_PRIM_POINTS, MESA_PRIM_POINTS, 2), *b = &builder;
   nir_variable *pos = input(b, VARYING_SLOT_POS, glsl_vec4_type(), 1);
   nir_variable *out = output(b, VARYING_SLOT_POS, glsl_vec4_type());

   nir_def *sum = nir_fadd(b, nir_load_array_var_imm(b, pos, 0), listing_uniform(b, 2));
   nir_emit_vertex(b, .stream_id = 0);
   nir_store_var(b, out, sum, 15);
   nir_emit_vertex(b, .stream_id = 0);
   listing_expect(b, "LDV R0, va[0][0];\n"
                     "ADD R0, R0, c[2];\n"
                     "EMITV 0;\n"
                     "MOV o[HPOS], R0;\n"
                     "EMITV 0;\n");
}

/* Tests computed indices of vertices and array elements, and inputs in some components of a slot.
 */
static void
inputs(void **state)
{
   nir_builder builder = begin(MESA_PRIM_TRIANGLES, MESA_PRIM_POINTS, 1), *b = &builder;
   const struct glsl_type *vec4 = glsl_vec4_type();
   nir_variable *array = input(b, VARYING_SLOT_VAR0, glsl_array_type(vec4, 3, 0), 3);
   nir_variable *pair = input(b, VARYING_SLOT_VAR3, glsl_vec_type(2), 3);
   pair->data.location_frac = 2;
   nir_variable *out = output(b, VARYING_SLOT_POS, vec4);
   nir_variable *out1 = output(b, VARYING_SLOT_VAR0, vec4);
   nir_variable *out2 = output(b, VARYING_SLOT_VAR1, glsl_vec_type(2));

   nir_def *n = nir_load_invocation_id(b);
   nir_deref_instr *vertex = nir_build_deref_array(b, nir_build_deref_var(b, array), n);
   nir_store_var(b, out, nir_load_deref(b, nir_build_deref_array_imm(b, vertex, 2)), 15);
   vertex = nir_build_deref_array_imm(b, nir_build_deref_var(b, array), 1);
   nir_store_var(b, out1, nir_load_deref(b, nir_build_deref_array(b, vertex, n)), 15);
   nir_store_var(b, out2, nir_load_array_var_imm(b, pair, 2), 3);
   nir_emit_vertex(b, .stream_id = 0);
   listing_expect(b, "ARI A0.x, s[INVOCATION_ID].x;\n"
                     "LDV R0, va[2][s[INVOCATION_ID].x];\n"
                     "LDV R2.zw, va[3][2];\n"
                     "LDV R1, va[A0.x][1];\n"
                     "MOV o[HPOS], R0;\n"
                     "MOV o[TEX1].xy, R2.zwww;\n"
                     "MOV o[TEX0], R1;\n"
                     "EMITV 0;\n");
}

/* Tests layer, viewport and primitive ID outputs, and system values. */
static void
facts(void **state)
{
   nir_builder builder = begin(MESA_PRIM_TRIANGLES_ADJACENCY, MESA_PRIM_TRIANGLE_STRIP, 77);
   nir_builder *b = &builder;
   b->shader->info.gs.invocations = 5;

   nir_store_var(b, output(b, VARYING_SLOT_LAYER, glsl_int_type()), nir_load_invocation_id(b), 1);
   nir_store_var(b, output(b, VARYING_SLOT_VIEWPORT, glsl_int_type()), nir_load_primitive_id(b), 1);
   nir_store_var(b, output(b, VARYING_SLOT_PRIMITIVE_ID, glsl_int_type()), nir_load_primitive_id(b),
                 1);
   nir_emit_vertex(b, .stream_id = 0);

   const char *error = NULL;
   struct sgpu_shader *shader = listing_compile(b, 0, &error);
   assert_non_null(shader);
   assert_int_equal(shader->program.stage, SGPU_STAGE_GEOMETRY);
   assert_int_equal(shader->gs_input, SGPU_PRIMITIVE_TRIANGLES_ADJACENCY);
   assert_int_equal(shader->gs_output, SGPU_PRIMITIVE_TRIANGLE_STRIP);
   assert_int_equal(shader->gs_max_vertices, 77);
   assert_int_equal(shader->gs_invocations, 5);
   assert_int_equal(shader->program.info.vertex_streams, 1);
   listing_expect(b, "MOV o[LAYER].x, s[INVOCATION_ID].x;\n"
                     "MOV o[LAYER].y, s[PRIMITIVE_ID].x;\n"
                     "MOV o[PRID].x, s[PRIMITIVE_ID].x;\n"
                     "EMITV 0;\n");
}

/* An empty shader must still be a program, because statistics count its invocations. */
static void
empty(void **state)
{
   nir_builder builder = begin(MESA_PRIM_POINTS, MESA_PRIM_POINTS, 0);
   listing_expect(&builder, "NOP;\n");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(emits), cmocka_unit_test(stored_late), cmocka_unit_test(inputs),
      cmocka_unit_test(facts), cmocka_unit_test(empty),
   };
   glsl_type_singleton_init_or_ref();
   const int failed = cmocka_run_group_tests(tests, NULL, NULL);
   glsl_type_singleton_decref();
   return failed;
}
