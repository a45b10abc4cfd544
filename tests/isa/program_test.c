/* SPDX-License-Identifier: MIT */

/*
 * Tests sgpu_program_gather: facts about programs, limits, and the depth of the synchronization
 * stack.  Also tests programs as bytes and as text.
 */

#define _GNU_SOURCE /* open_memstream */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "sgpu_asm.h"
#include "sgpu_disasm.h"

static struct sgpu_program
assemble(const char *text)
{
   struct sgpu_program program;
   struct sgpu_asm_error error;
   if (!sgpu_asm_program(text, strlen(text), &program, &error)) {
      print_error("%s\n%u:%u: %s\n", text, error.line, error.column, error.text);
      fail();
   }
   return program;
}

static void
vertex_facts(void **state)
{
   (void)state;
   struct sgpu_program p = assemble("!!SGVP1.0\n"
                                    "DEF c[40] = { 1, 2, 3, 4 };\n"
                                    "DP4 o[HPOS].x, v[0], c[3];\n"
                                    "MUL R7.xy, v[2].zwxx, c[40].x;\n"
                                    "MOV o[GEN2].yz, R7;\n"
                                    "RCP o[TEX1].w, v[5].y;\n"
                                    "DP3 o[TEX1].x, v[6].wzyx, v[6].wzyx;\n"
                                    "ADD R0.x, s[INSTANCE_ID].x, s[BASE_VERTEX].z;\n"
                                    "LDC R1.xz, cb[3][R0.x];\n"
                                    "LDC R1.y, cb[1][16];\n"
                                    "STL l[16].xz, R1;\n"
                                    "END\n");
   const struct sgpu_program_info *info = &p.info;
   assert_int_equal(p.stage, SGPU_STAGE_VERTEX);
   assert_false(p.vp1);
   assert_int_equal(p.num_temps, 8);
   assert_int_equal(p.scratch_size, 28);
   assert_int_equal(info->inputs_read, 1 | 4 | 1 << 5 | 1 << 6);
   assert_int_equal(info->input_mask[0], 15);
   assert_int_equal(info->input_mask[2], 4 | 8);
   assert_int_equal(info->input_mask[5], 2);
   assert_int_equal(info->input_mask[6], 2 | 4 | 8);
   assert_true(info->outputs_written ==
               (1ull << SGPU_VO_HPOS | 1ull << SGPU_VO_TEX1 | 1ull << SGPU_VO_GEN2));
   assert_int_equal(info->output_mask[SGPU_VO_TEX1], 1 | 8);
   assert_int_equal(info->output_mask[SGPU_VO_GEN2], 2 | 4);
   assert_int_equal(info->sysvals_read, 1 << SGPU_SYS_INSTANCE_ID | 1 << SGPU_SYS_BASE_VERTEX);
   assert_int_equal(info->sysval_mask[SGPU_SYS_BASE_VERTEX], 4);
   assert_int_equal(info->num_constants, 4);
   assert_int_equal(info->banks, 1 << 3 | 1 << 1);
   assert_false(info->textures[0] || info->uses_derivatives || info->uses_kill);
   assert_false(info->relative_inputs || info->relative_outputs || info->relative_constants);
   assert_int_equal(info->max_stack_depth, 0);
   sgpu_program_finish(&p);
}

static void
pixel_facts(void **state)
{
   (void)state;
   struct sgpu_program p = assemble("!!SGFP1.0\n"
                                    "TXL R0, v[1], v[2].y, tex[33], smp[4], SHADOW2D;\n"
                                    "TXF R1, v[3], tex[2], BUFFER;\n"
                                    "MOV o[DEPR].x, R0.x;\n"
                                    "END\n");
   assert_int_equal(p.info.input_mask[1], 1 | 2 | 8);
   assert_int_equal(p.info.input_mask[2], 2);
   assert_int_equal(p.info.input_mask[3], 1);
   assert_int_equal(p.info.textures[0], 4);
   assert_int_equal(p.info.textures[1], 2);
   assert_int_equal(p.info.samplers, 16);
   assert_false(p.info.uses_derivatives);
   assert_true(p.info.outputs_written == 1ull << SGPU_PO_DEPR);
   sgpu_program_finish(&p);

   p = assemble("!!SGFP1.0\n(P0.x) KIL;\nTEX R0, v[1].zwxx, tex[A0.x + 126], smp[A0.x + 30], 1D;\n"
                "END\n");
   assert_true(p.info.uses_kill && p.info.uses_derivatives);
   assert_int_equal(p.info.textures[3], 0xc0000000u);
   assert_int_equal(p.info.samplers, 0xc0000000u);
   assert_int_equal(p.info.input_mask[1], 4);
   sgpu_program_finish(&p);
}

/* A relative operand counts as all registers that it may access. */
static void
relative_facts(void **state)
{
   (void)state;
   struct sgpu_program p = assemble("!!SGVP1.0\n"
                                    "TEMPS 20;\n"
                                    "MOV o[A0.x + TEX3].x, v[A0.y + 2].w;\n"
                                    "MOV R[A0.x + 4], c[A0.z - 2];\n"
                                    "END\n");
   assert_int_equal(p.info.inputs_read, 0xffffffffu);
   assert_int_equal(p.info.input_mask[31], 8);
   assert_true(p.info.outputs_written == 0xffull << SGPU_VO_TEX0);
   assert_int_equal(p.info.output_mask[SGPU_VO_TEX7], 1);
   assert_int_equal(p.num_temps, 20);
   assert_true(p.info.relative_temps && p.info.relative_inputs);
   assert_true(p.info.relative_outputs && p.info.relative_constants);
   sgpu_program_finish(&p);
}

static void
check_depth(const char *body, unsigned depth, unsigned loops)
{
   char text[2048];
   snprintf(text, sizeof(text), "!!SGFP1.0\n%sEND\n", body);
   struct sgpu_program p = assemble(text);
   if (p.info.max_stack_depth != depth)
      print_error("%s", text);
   assert_int_equal(p.info.max_stack_depth, depth);
   assert_int_equal(p.info.num_loops, loops);
   sgpu_program_finish(&p);
}

static void
stack_depth(void **state)
{
   (void)state;
   /* if: a reconvergence point and a pending side */
   check_depth("SSY e; (P0.x) BRA e0; NOP; e0: SYNC; e: NOP;", 2, 0);
   check_depth("SSY e; SYNC; e: NOP;", 1, 0);
   check_depth("(P0.x) BRA e; e: NOP;", 1, 0);
   check_depth("BRA e; e: NOP;", 0, 0);
   /* an if in an if */
   check_depth("SSY e; (P0.x) BRA l; SSY f; (P0.y) BRA m; SYNC; m: SYNC; f: SYNC; l: SYNC; e: ", 4,
               0);
   /* a loop with break and continue */
   check_depth("PBK e; l: PCNT n; (P0.x) BRK; (P0.y) CONT; CONT; n: BRA l; e: NOP;", 2, 1);
   check_depth("PBK e; l: SSY s; (P0.x) BRA s0; BRK; s0: SYNC; s: BRA l; e: NOP;", 3, 1);
   check_depth("PBK e; l: PBK f; m: (P0.x) BRK; BRA m; f: (P0.y) BRK; BRA l; e: NOP;", 2, 2);
   /* a loop of plain branches: there may be as many pending sides as there are other lanes */
   check_depth("l: (P0.x) BRA e; BRA l; e: NOP;", 31, 0);
   /* code after EXIT is not reached */
   check_depth("EXIT; SYNC; BRK;", 0, 0);
   check_depth("SSY e; (P0.x) EXIT; SYNC; e: NOP;", 1, 0);
}

static void
deep(void **state)
{
   (void)state;
   /* n reconvergence points, each with a different target: SSY t_n-1 ..  SSY t_0, SYNC, t_0: SYNC,
    * t_1: ...
    */
   static const unsigned depths[] = { 256, 257, 100000 };
   for (unsigned d = 0; d < 3; d++) {
      const unsigned n = depths[d];
      uint32_t(*instrs)[4] = calloc(2 * n, sizeof(*instrs));
      for (unsigned i = 0; i < n; i++) {
         struct sgpu_instr ssy = sgpu_instr_init(SGPU_OP_SSY);
         const struct sgpu_instr sync = sgpu_instr_init(SGPU_OP_SYNC);
         ssy.target = 2 * n - i;
         assert_null(sgpu_instr_pack(&ssy, instrs[i]));
         assert_null(sgpu_instr_pack(&sync, instrs[n + i]));
      }
      struct sgpu_program p = {
         .stage = SGPU_STAGE_PIXEL,
         .instrs = instrs,
         .num_instrs = 2 * n,
      };
      uint32_t where;
      assert_null(sgpu_program_gather(&p, &where));
      assert_int_equal(p.info.max_stack_depth, n);
      free(instrs);
   }
}

/* Tests programs exactly at the limits of the base profile, and beyond one of them. */
static void
vp1_limits(void **state)
{
   (void)state;
   char text[16384] = "!!VP1.0\n";
   for (unsigned i = 0; i < 128; i++)
      strcat(text, "MAD R11, v[15], c[95], -R11.wzyx;\n");
   strcat(text, "END");
   struct sgpu_program p = assemble(text);
   assert_true(p.vp1);
   assert_int_equal(p.num_instrs, 128);
   assert_int_equal(p.num_temps, 12);
   assert_int_equal(p.info.num_constants, 96);

   uint32_t where;
   p.scratch_size = 16;
   assert_string_equal(sgpu_program_gather(&p, &where), "vp1: no scratch memory");
   p.scratch_size = 0;
   p.stage = SGPU_STAGE_PIXEL;
   assert_string_equal(sgpu_program_gather(&p, &where), "vp1: only vertex programs");
   p.stage = SGPU_STAGE_VERTEX;
   p.num_temps = 13;
   assert_string_equal(sgpu_program_gather(&p, &where), "vp1: temporaries are R0 to R11");
   assert_int_equal(where, 128);
   p.num_temps = 0;
   /* The profile requires the zmul bit. */
   struct sgpu_instr mul = sgpu_instr_init(SGPU_OP_MUL);
   mul.dst = sgpu_dst_make(SGPU_FILE_TEMP, 0, 15);
   mul.src[0] = mul.src[1] = sgpu_src_make(SGPU_FILE_TEMP, 0, SGPU_SWIZZLE_XYZW);
   assert_null(sgpu_instr_pack(&mul, p.instrs[5]));
   assert_string_equal(sgpu_program_gather(&p, &where), "vp1: 0 times anything must be 0");
   assert_int_equal(where, 5);
   sgpu_program_finish(&p);

   struct sgpu_asm_error error;
   strcpy(text + strlen(text) - 3, "MOV R0, R1;\nEND");
   assert_false(sgpu_asm_program(text, strlen(text), &p, &error));
   assert_string_equal(error.text, "vp1: more than 128 instructions");
   assert_null(p.instrs);
}

static void
header_limits(void **state)
{
   (void)state;
   struct sgpu_program p = { .stage = (enum sgpu_stage)(SGPU_STAGE_COMPUTE + 1) };
   uint32_t where;
   assert_string_equal(sgpu_program_gather(&p, &where), "the stage has no programs");
   p.stage = SGPU_STAGE_COMPUTE;
   assert_null(sgpu_program_gather(&p, &where));
   p.num_temps = 257;
   assert_string_equal(sgpu_program_gather(&p, &where), "more temporaries than there are");
   p.num_temps = 0;
   p.literal_base = 1;
   assert_string_equal(sgpu_program_gather(&p, &where), "a literal base without literals");
   p.num_literals = 1024;
   assert_string_equal(sgpu_program_gather(&p, &where), "literals beyond the constants");
   p.literal_base = 0xffffffff;
   assert_string_equal(sgpu_program_gather(&p, &where), "literals beyond the constants");
   p.literal_base = p.num_literals = 0;
   p.scratch_size = SGPU_MAX_SCRATCH + 1;
   assert_string_equal(sgpu_program_gather(&p, &where), "too much scratch memory");
   p.scratch_size = 0;
   p.num_instrs = SGPU_MAX_INSTRUCTIONS + 1;
   assert_string_equal(sgpu_program_gather(&p, &where), "too many instructions");
}

static void
bytes(void **state)
{
   (void)state;
   struct sgpu_program p = assemble("!!SGFP1.0\nTEMPS 9;\nSCRATCH 64;\n"
                                    "DEF c[7] = { 1, -0.1, 0x12345678, 3e20 };\n"
                                    "SSY e; (P0.x) BRA e0; MOV o[COLR0], c[7]; e0: SYNC; e: END");
   size_t size;
   uint8_t *data = sgpu_program_serialize(&p, &size);
   struct sgpu_program q;
   assert_null(sgpu_program_deserialize(data, size, &q));
   assert_int_equal(q.stage, SGPU_STAGE_PIXEL);
   assert_int_equal(q.num_temps, 9);
   assert_int_equal(q.scratch_size, 64);
   assert_int_equal(q.literal_base, 7);
   assert_int_equal(q.num_literals, 1);
   assert_int_equal(q.num_instrs, p.num_instrs);
   assert_memory_equal(q.literals, p.literals, 16);
   assert_memory_equal(q.instrs, p.instrs, 16 * p.num_instrs);
   assert_memory_equal(&q.info, &p.info, sizeof(q.info));
   sgpu_program_finish(&q);

   for (size_t n = 0; n < size; n++) {
      assert_non_null(sgpu_program_deserialize(data, n, &q));
      assert_null(q.instrs);
      data[n] ^= 1;
      assert_non_null(sgpu_program_deserialize(data, size, &q));
      data[n] ^= 1;
   }
   assert_string_equal(sgpu_program_deserialize("ELF", 3, &q), "not a program");
   free(data);
   sgpu_program_finish(&p);
}

/* Literals must keep all bits in the text, in any locale. */
static void
literals(void **state)
{
   (void)state;
   static const uint32_t values[] = {
      0,          0x80000000, 1,          0x7fffff,   0x800000,   0x7f7fffff,
      0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0xffffffff, 0x3f800000,
      0xbf800000, 0x3dcccccd, 0x3eaaaaab, 0x40490fdb, 0x4b800001, 0x2b8cbccc,
      0x2b8cbccb, 0x5368d4a5, 0x5368d4a6, 42,         0xcafebabe, 0x461c4000,
   };
   char text[4096] = "!!SGVP1.0\n";
   for (unsigned i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
      char line[80];
      snprintf(line, sizeof(line), "DEF c[%u] = { 0x%x, 0x%x, 0x%x, 0x%x };\n", i, values[i],
               values[i] ^ 0x80000000, values[i] + 1, values[i] ^ 0x55);
      strcat(text, line);
   }
   strcat(text, "END");

   static const char *const locales[] = { "C", "de_DE.UTF-8", "fr_FR.UTF-8" };
   for (unsigned l = 0; l < 3; l++) {
      if (!setlocale(LC_ALL, locales[l]))
         continue;
      struct sgpu_program p = assemble(text);
      char *back = sgpu_disasm_program(&p);
      assert_non_null(back);
      assert_non_null(strstr(back, " 0.1,"));
      assert_non_null(strstr(back, " 10000.0,"));
      struct sgpu_program q = assemble(back);
      assert_int_equal(q.num_literals, p.num_literals);
      assert_memory_equal(q.literals, p.literals, 16 * p.num_literals);
      free(back);
      sgpu_program_finish(&p);
      sgpu_program_finish(&q);
   }
   setlocale(LC_ALL, "C");

   static const struct {
      const char *text;
      uint32_t bits;
   } numbers[] = {
      { "1", 0x3f800000 },  { "-2", 0xc0000000 },       { ".5", 0x3f000000 },
      { "1.", 0x3f800000 }, { "16777217", 0x4b800000 }, { "0.1", 0x3dcccccd },
      { "1e-45", 1 },       { "-0", 0x80000000 },       { "3.4028235e38", 0x7f7fffff },
      { "0xFF", 0xff },     { "1E+2", 0x42c80000 },
   };
   for (unsigned i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
      snprintf(text, sizeof(text), "!!VP1.0 DEF c[0] = {%s,0,0,0}; END", numbers[i].text);
      struct sgpu_program p = assemble(text);
      assert_int_equal(p.literals[0][0], numbers[i].bits);
      sgpu_program_finish(&p);
   }
}

/* A program that is printed and assembled again must be the same.  The listing shows words that do
 * not decode.
 */
static void
whole_text(void **state)
{
   (void)state;
   static const char text[] = "!!SGFP1.0\n"
                              "TEMPS 2;\n"
                              "SCRATCH 16;\n"
                              "DEF c[1] = { 1.0, 2.5, -0.0, 0x7fc00000 };\n"
                              "   SSY L4;\n"
                              "   (!P0.x) BRA L3;\n"
                              "   STL l[0], R1;\n"
                              "L3:\n"
                              "   SYNC;\n"
                              "L4:\n"
                              "   BRA L5;\n"
                              "L5:\n"
                              "END\n";
   struct sgpu_program p = assemble(text);
   char *back = sgpu_disasm_program(&p);
   assert_string_equal(back, text);
   free(back);

   p.instrs[2][0] |= 511;
   assert_null(sgpu_disasm_program(&p));
   size_t size;
   FILE *fp = open_memstream(&back, &size);
   sgpu_disasm_print(fp, &p);
   fclose(fp);
   assert_non_null(strstr(back, ": unknown opcode\n"));
   assert_non_null(strstr(back, "END\n"));
   free(back);
   sgpu_program_finish(&p);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(vertex_facts),   cmocka_unit_test(pixel_facts),
      cmocka_unit_test(relative_facts), cmocka_unit_test(stack_depth),
      cmocka_unit_test(deep),           cmocka_unit_test(vp1_limits),
      cmocka_unit_test(header_limits),  cmocka_unit_test(bytes),
      cmocka_unit_test(literals),       cmocka_unit_test(whole_text),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
