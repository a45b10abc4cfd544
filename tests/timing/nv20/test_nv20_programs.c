/* SPDX-License-Identifier: MIT */
/*
 * Tests programs of the base profile on the vertex engine of 2001: their results and their times.
 */
#include <stdio.h>

#include "../../unit.h"
#include "sgpu_asm.h"
#include "sgpu_isa_expr.h"
#include "nv20/sgt_nv20.h"
#include "nv20/sgt_nv20_programs.h"
#include "kernel/sgt_random.h"
#include "util/macros.h"

static void
assemble(const char *name, struct sgpu_program *p, struct sgt_vertex_program *v)
{
   assert_true(sgt_nv20_assemble(name, p));
   assert_true(p->vp1);
   assert_true(sgt_vertex_program_describe(v, p));
   assert_true(v->base);
   assert_int_equal(v->opcodes[SGT_VERTEX_OTHER], 0);
}

/* Runs a program without constants except for literals on one attribute.  Returns o[1]. */
static void
execute(const struct sgpu_program *p, const uint32_t in[4], uint32_t out[4])
{
   uint32_t temps[12][4] = { { 0 } };

   for (uint32_t i = 0; i < p->num_instrs; i++) {
      struct sgpu_instr instr;
      uint32_t raw[3][4] = { { 0 } }, result[4];
      assert_null(sgpu_instr_unpack(p->instrs[i], &instr));
      for (unsigned s = 0; s < sgpu_opcode_info(instr.opcode)->num_srcs; s++) {
         const struct sgpu_src *src = &instr.src[s];
         for (unsigned c = 0; c < 4; c++) {
            const unsigned comp = sgpu_swizzle_get(src->swizzle, c);
            assert_false(src->rel);
            if (src->file == SGPU_FILE_TEMP)
               raw[s][c] = temps[src->index][comp];
            else if (src->file == SGPU_FILE_INPUT)
               raw[s][c] = in[comp];
            else
               raw[s][c] = p->literals[src->index - p->literal_base][comp];
         }
      }
      sgpu_isa_eval(&instr, raw, result);
      for (unsigned c = 0; c < 4; c++) {
         if (instr.dst.mask >> c & 1)
            (instr.dst.file == SGPU_FILE_OUTPUT ? out : temps[instr.dst.index])[c] = result[c];
      }
   }
}

static void
both(const struct sgpu_program *a, const struct sgpu_program *b, const uint32_t in[4])
{
   uint32_t x[4] = { 0 }, y[4] = { 0 };
   execute(a, in, x);
   execute(b, in, y);
   if (memcmp(x, y, sizeof(x)))
      fail_msg("LIT of %08x %08x %08x %08x: %08x %08x %08x %08x, and %08x %08x %08x %08x", in[0],
               in[1], in[2], in[3], x[0], x[1], x[2], x[3], y[0], y[1], y[2], y[3]);
}

/* Compares programs on corner cases, numbers near 1, and random numbers, but not on infinities and
 * NaNs, which a lighting model does not produce.
 */
static __attribute__((noinline)) void
compare(const struct sgpu_program *lit, const struct sgpu_program *other)
{
   static const float corners[] = { 0.0f,  -0.0f,  1.0f,   -1.0f,   0.5f,   2.0f,
                                    64.0f, 128.0f, 129.0f, -129.0f, 1e-30f, 1e30f };
   const unsigned num = ARRAY_SIZE(corners);
   struct sgt_random r = { 1 };

   for (unsigned i = 0; i < num * num * num; i++) {
      const uint32_t in[4] = { sgpu_f2bits(corners[i % num]), sgpu_f2bits(corners[i / num % num]),
                               0, sgpu_f2bits(corners[i / num / num]) };
      both(lit, other, in);
   }
   for (unsigned i = 0; i < 20000; i++) {
      uint32_t in[4];
      for (unsigned c = 0; c < 4; c++) {
         const float f = ((int)sgt_random_below(&r, 2000001) - 1000000) * 1e-6f;
         in[c] = i % 2 ? sgpu_f2bits(c == 3 ? 200.0f * f : f) : (uint32_t)sgt_random_next(&r);
         if ((in[c] & 0x7f800000) == 0x7f800000)
            in[c] = 0;
      }
      both(lit, other, in);
   }
}

static void
lit_is_about_ten_other_operations(void **state)
{
   struct sgpu_program lit, other;
   struct sgt_vertex_program v, w;

   assemble("lit", &lit, &v);
   assemble("lit-long", &other, &w);
   assert_int_equal(v.instructions, 1);
   assert_int_equal(w.instructions, 10);
   assert_int_equal(w.opcodes[SGPU_OP_LIT - SGT_VERTEX_FIRST_OPCODE], 0);
   const uint64_t mode = sgpu_fp_enter();
   compare(&lit, &other);
   sgpu_fp_leave(mode);
   sgpu_program_finish(&lit);
   sgpu_program_finish(&other);
}

/* Tests that products by columns are recognized: the same product by rows and by columns, and code
 * that only looks like a product by columns.
 */
static void
products_by_columns_are_known(void **state)
{
   static const struct {
      const char *text;
      uint32_t columns;
   } cases[] = {
      { "DP4 o[HPOS].x, c[0], v[OPOS];", 0 },
      { "MUL R0, v[OPOS].x, c[0]; MAD R0, v[OPOS].y, c[1], R0; MAD R0, c[2], v[OPOS].z, R0;"
        "MAD o[HPOS], v[OPOS].w, c[3], R0; MUL R1, v[NRML].x, c[4];",
        4 },
      { "MUL R1, R2.x, c[0]; MAD R1, R2.y, c[1], R1; MAD o[COL0], R2.z, c[2], R1;", 3 },
      { "MUL R1, R2.x, c[0].x; MAD R1, R2.y, c[0].y, R1; MAD o[COL0], R2.z, c[0].z, R1;", 0 },
      { "MUL R1, R2.x, c[0]; MAD R1, R2.y, c[1], R1; MAD o[COL0], R2.x, c[2], R1;", 0 },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
      struct sgpu_program p;
      struct sgpu_asm_error error;
      struct sgt_vertex_program v;
      char text[512];
      snprintf(text, sizeof(text), "!!VP1.0\n%s\nEND\n", cases[i].text);
      assert_true(sgpu_asm_program(text, strlen(text), &p, &error));
      assert_true(sgt_vertex_program_describe(&v, &p));
      assert_int_equal(v.columns, cases[i].columns);
      sgpu_program_finish(&p);
   }
}

static uint64_t
steady(const struct sgt_vertex_program *v)
{
   struct sgt_nv20_params params;
   uint64_t cycles[2];

   sgt_nv20_params_init(&params);
   for (unsigned i = 0; i < 2; i++) {
      struct sgt_vertex_stream s;
      struct sgt_nv20_result r;
      char error[200];
      sgt_vertex_stream_init(&s);
      assert_true(sgt_vertex_stream_program(&s, v));
      for (unsigned n = 0; n < 240 + 48 * i; n++)
         assert_true(sgt_vertex_stream_add_mask(&s, v->inputs));
      assert_true(sgt_nv20_run(&s, &params, NULL, &r, error, sizeof(error)));
      cycles[i] = r.cycles;
      sgt_vertex_stream_finish(&s);
   }
   return cycles[1] - cycles[0];
}

static void
programs_take_their_instructions(void **state)
{
   static const struct {
      const char *name;
      uint32_t instructions, outputs, classes[SGT_VERTEX_CLASSES];
      uint16_t inputs;
   } expected[] = {
      { "transform", 6, 3, { 2, 4, 0, 0, 0 }, 1 << 0 | 1 << 3 | 1 << 8 },
      { "lit-long", 10, 1, { 4, 0, 4, 2, 0 }, 1 << 3 },
      { "light", 19, 3, { 7, 10, 0, 2, 0 }, 1 << 0 | 1 << 2 | 1 << 8 },
      { "skin", 30, 3, { 10, 16, 2, 2, 0 }, 1 << 0 | 1 << 1 | 1 << 2 | 1 << 8 },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(expected); i++) {
      struct sgpu_program p;
      struct sgt_vertex_program v;
      uint32_t classes[SGT_VERTEX_CLASSES] = { 0 };
      assemble(expected[i].name, &p, &v);
      for (unsigned n = 0; n <= SGT_VERTEX_OTHER; n++)
         classes[sgt_vertex_class_of(n)] += v.opcodes[n];
      assert_int_equal(v.instructions, expected[i].instructions);
      assert_int_equal(v.outputs, expected[i].outputs);
      assert_int_equal(v.inputs, expected[i].inputs);
      assert_memory_equal(classes, expected[i].classes, sizeof(classes));
      assert_int_equal(steady(&v), 48 * expected[i].instructions);
      sgpu_program_finish(&p);
   }
   struct sgpu_program p;
   assert_false(sgt_nv20_assemble("none", &p));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(lit_is_about_ten_other_operations),
      cmocka_unit_test(products_by_columns_are_known),
      cmocka_unit_test(programs_take_their_instructions),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
