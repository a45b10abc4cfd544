/* SPDX-License-Identifier: MIT */
/*
 * For the compiler's tests: small programs that are made with the builder.
 *
 * SGC_CASE(before, after, pass): checks that the pass turns the first program into the second.
 * SGC_NEGCASE(code, pass): checks that the pass does not change the program.
 * In both, the code can use the builder `b`, the program `p`, and registers R(n).
 */
#ifndef SGC_TEST_H
#define SGC_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "ir/sgc_builder.h"
#include "sgpu_disasm.h"

#define R(n) sgc_reg(n)
#define TO(n, mask) sgc_dst_reg(n, mask)
#define OUT(n, mask) sgc_dst_make(SGPU_FILE_OUTPUT, n, mask)
#define IN(n) sgc_src_make(SGPU_FILE_INPUT, n)
#define CONST(n) sgc_src_make(SGPU_FILE_CONST, n)
#define X 1
#define Y 2
#define XY 3
#define Z 4
#define XYZ 7
#define W 8
#define XYZW 15
#define SWZ(src, x, y, z, w) sgc_swizzle(src, SGPU_SWIZZLE(x, y, z, w))

/* Creates a program.  The test uses registers %0 to %31; the passes create later ones. */
static inline struct sgc_program *
sgc_test_program(void *mem_ctx, gl_shader_stage stage)
{
   struct sgc_program *p = sgc_program_create(mem_ctx, stage);
   p->shader = rzalloc(mem_ctx, struct sgpu_shader);
   p->shader->stage = stage;
   p->num_regs = 32;
   p->validate = true;
   sgc_block_append(p, sgc_block_create(p));
   return p;
}

static inline struct sgc_block *
sgc_test_first_block(struct sgc_program *p)
{
   return list_first_entry(&p->blocks, struct sgc_block, link);
}

static inline char *
sgc_test_text(struct sgc_program *p)
{
   char *text = NULL;
   size_t size;
   FILE *fp = open_memstream(&text, &size);
   sgc_print_program(fp, p);
   fclose(fp);
   return text;
}

static inline void
sgc_test_compare(struct sgc_program *p, struct sgc_program *expected)
{
   char *a = sgc_test_text(p), *b = sgc_test_text(expected);
   if (strcmp(a, b))
      print_message("made:\n%sexpected:\n%s", a, b);
   assert_string_equal(a, b);
   free(a);
   free(b);
}

static inline void
sgc_test_validate(struct sgc_program *p)
{
   const struct sgc_instr *where;
   const char *error = sgc_validate(p, &where);
   if (error) {
      char *text = sgc_test_text(p);
      print_message("%s:\n%s", error, text);
      free(text);
   }
   assert_null(error);
}

#define SGC_PROGRAM(name, stage, ...)                                              \
   struct sgc_program *name = sgc_test_program(mem_ctx, stage);                    \
   {                                                                               \
      UNUSED struct sgc_program *p = name;                                         \
      struct sgc_builder builder = sgc_builder_at_end(p, sgc_test_first_block(p)); \
      UNUSED struct sgc_builder *b = &builder;                                     \
      __VA_ARGS__                                                                  \
   }

#define SGC_CASE_STAGE(stage, before, after, pass) \
   do {                                            \
      void *mem_ctx = ralloc_context(NULL);        \
      SGC_PROGRAM(program, stage, before)          \
      SGC_PROGRAM(expected, stage, after)          \
      sgc_test_validate(program);                  \
      pass(program);                               \
      sgc_test_compare(program, expected);         \
      sgc_test_validate(program);                  \
      ralloc_free(mem_ctx);                        \
   } while (0)

#define SGC_CASE(before, after, pass) SGC_CASE_STAGE(MESA_SHADER_FRAGMENT, before, after, pass)
#define SGC_NEGCASE(code, pass) SGC_CASE(code, code, pass)

/* Braces keep the commas of the code in one argument. */
#define CODE(...) \
   {              \
      __VA_ARGS__ \
   }

#endif
