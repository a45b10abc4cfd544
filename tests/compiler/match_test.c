/* SPDX-License-Identifier: MIT */
/*
 * Tests pattern recognition: prog_to_nir's NIR for LIT, DST, SLT, SGE, EXP and LOG must compile to
 * one instruction each.  The tests build the same NIR as prog_to_nir, including fpow;
 * tests/driver/programs.c runs prog_to_nir itself.
 */

#include "compiler/nir/nir_builder.h"
#include "sgc_test.h"

static nir_def *
input(nir_builder *b)
{
   nir_variable *var = nir_variable_create(b->shader, nir_var_shader_in, glsl_vec4_type(), "v");
   var->data.location = VERT_ATTRIB_GENERIC0;
   return nir_load_var(b, var);
}

/* Returns a uniform as the second source, since the base profile can only read one attribute per
 * instruction.
 */
static nir_def *
uniform(nir_builder *b)
{
   b->shader->num_uniforms = 1;
   return nir_load_uniform(b, 4, 32, nir_imm_int(b, 0), .base = 0, .range = 1,
                           .dest_type = nir_type_float32);
}

static void
output(nir_builder *b, nir_def *value)
{
   nir_variable *var = nir_variable_create(b->shader, nir_var_shader_out, glsl_vec4_type(), "o");
   var->data.location = VARYING_SLOT_TEX0;
   nir_store_var(b, var, value, 0xf);
}

static nir_def *
lit(nir_builder *b, nir_def *a, nir_def *unused)
{
   nir_def *x = nir_channel(b, a, 0), *y = nir_channel(b, a, 1), *w = nir_channel(b, a, 3);
   nir_def *zero = nir_imm_float(b, 0.0), *one = nir_imm_float(b, 1.0);
   nir_def *clamp = nir_fmax(b, nir_fmin(b, w, nir_imm_float(b, 128.0)), nir_imm_float(b, -128.0));
   nir_def *pow = nir_fpow(b, nir_fmax(b, y, zero), clamp);
   nir_def *z = nir_bcsel(b, nir_fge(b, zero, x), zero, pow);
   return nir_vec4(b, one, nir_fmax(b, x, zero), z, one);
}

static nir_def *
dst(nir_builder *b, nir_def *a0, nir_def *a1)
{
   nir_def *product = nir_fmul(b, a0, a1);
   return nir_vec4(b, nir_imm_float(b, 1.0), nir_channel(b, product, 1), nir_channel(b, a0, 2),
                   nir_channel(b, a1, 3));
}

static nir_def *
slt(nir_builder *b, nir_def *a0, nir_def *a1)
{
   return nir_slt(b, a0, a1);
}

static nir_def *
sge(nir_builder *b, nir_def *a0, nir_def *a1)
{
   return nir_sge(b, a0, a1);
}

static nir_def *
b2f_lt(nir_builder *b, nir_def *a0, nir_def *a1)
{
   return nir_b2f32(b, nir_flt(b, a0, a1));
}

static nir_def *
exp_(nir_builder *b, nir_def *a, nir_def *unused)
{
   nir_def *x = nir_channel(b, a, 0);
   return nir_vec4(b, nir_fexp2(b, nir_ffloor(b, x)), nir_fsub(b, x, nir_ffloor(b, x)),
                   nir_fexp2(b, x), nir_imm_float(b, 1.0));
}

static nir_def *
log_(nir_builder *b, nir_def *a, nir_def *unused)
{
   nir_def *x = nir_fabs(b, nir_channel(b, a, 0));
   nir_def *log2 = nir_flog2(b, x), *floor = nir_ffloor(b, log2);
   return nir_vec4(b, floor, nir_fmul(b, x, nir_fexp2(b, nir_fneg(b, floor))), log2,
                   nir_imm_float(b, 1.0));
}

static void
expect(nir_def *(*build)(nir_builder *, nir_def *, nir_def *), bool two, const char *expected)
{
   nir_builder b = nir_builder_init_simple_shader(MESA_SHADER_VERTEX, &sgpu_nir_options, "match");
   nir_def *a0 = input(&b);
   output(&b, build(&b, a0, two ? uniform(&b) : NULL));
   sgpu_finalize_nir(b.shader);

   const struct sgpu_shader_key key = { .legacy_mul = true };
   const char *error = NULL;
   struct sgpu_shader *shader = sgpu_compile(b.shader, b.shader, &key, SGPU_COMPILER_VALIDATE,
                                             &error);
   assert_non_null(shader);
   assert_true(shader->program.vp1);

   char *text = sgpu_disasm_program(&shader->program);
   if (shader->program.num_instrs != 1 || !strstr(text, expected))
      print_message("%s", text);
   assert_int_equal(shader->program.num_instrs, 1);
   assert_non_null(strstr(text, expected));
   free(text);
   ralloc_free(b.shader);
}

static void
one_instruction_each(void **state)
{
   expect(lit, false, "LIT o[TEX0], v[OPOS]");
   expect(dst, true, "DST o[TEX0], v[OPOS], c[0]");
   expect(slt, true, "SLT o[TEX0], v[OPOS], c[0]");
   expect(sge, true, "SGE o[TEX0], v[OPOS], c[0]");
   expect(b2f_lt, true, "SLT o[TEX0], v[OPOS], c[0]");
   expect(exp_, false, "EXP o[TEX0], v[OPOS].x");
   expect(log_, false, "LOG o[TEX0], v[OPOS].x");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_instruction_each),
   };
   glsl_type_singleton_init_or_ref();
   const int failed = cmocka_run_group_tests(tests, NULL, NULL);
   glsl_type_singleton_decref();
   return failed;
}
