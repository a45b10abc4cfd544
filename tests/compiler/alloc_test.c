/* SPDX-License-Identifier: MIT */
/*
 * Tests register allocation: packing, spilling, and the errors that the checker finds in wrong
 * allocations.
 */

#include "sgc_test.h"

static void
allocate(struct sgc_program *p)
{
   sgc_test_validate(p);
   assert_true(sgc_allocate(p));
   assert_null(p->error);
   sgc_test_validate(p);
}

/* Scalars that are live at the same time share a register. */
static void
packing(void **state)
{
   void *mem_ctx = ralloc_context(NULL);
   SGC_PROGRAM(program, MESA_SHADER_FRAGMENT,
               for (unsigned i = 0; i < 4; i++) sgc_add_to(b, TO(i, X), sgc_comp(IN(i), i), IN(0));
               for (unsigned i = 0; i < 4; i++) sgc_mov_to(b, OUT(i, XYZW), sgc_comp(R(i), 0));)
   allocate(program);
   assert_int_equal(program->num_temps, 1);
   ralloc_free(mem_ctx);
}

/* The result of a texture operation keeps its components. */
static void
fixed_components(void **state)
{
   void *mem_ctx = ralloc_context(NULL);
   SGC_PROGRAM(program, MESA_SHADER_FRAGMENT, sgc_add_to(b, TO(1, X), IN(1), IN(1));
               struct sgc_instr *tex = sgc_tex_to(b, TO(0, XYZ), IN(0), sgc_none());
               tex->tex_target = SGPU_TEX_TARGET_2D;
               sgc_mul_to(b, OUT(0, XYZ), R(0), sgc_comp(R(1), 0));)
   allocate(program);
   assert_int_equal(program->num_temps, 1);
   sgc_foreach_instr(sgc_test_first_block(program), instr) {
      if (instr->op == SGPU_OP_TEX)
         assert_int_equal(instr->dst.mask, XYZ);
      if (instr->op == SGPU_OP_ADD)
         assert_int_equal(instr->dst.mask, W);
   }
   ralloc_free(mem_ctx);
}

/* There are more live vectors than registers. */
static void
spilling(void **state)
{
   const unsigned num = 300;
   void *mem_ctx = ralloc_context(NULL);
   SGC_PROGRAM(program, MESA_SHADER_FRAGMENT, p->num_regs = num + 1;
               for (unsigned i = 0; i < num; i++) sgc_add_to(b, TO(i, XYZW), IN(i % 32), IN(0));
               sgc_mov_to(b, TO(num, XYZW), IN(0));
               for (unsigned i = 0; i < num; i++) sgc_add_to(b, TO(num, XYZW), R(num), R(i));
               sgc_mov_to(b, OUT(0, XYZW), R(num));)
   allocate(program);
   assert_true(program->scratch_size > 0);
   assert_true(program->num_temps <= SGPU_TEMP_SIZE);
   ralloc_free(mem_ctx);
}

static void
spilling_all(void **state)
{
   void *mem_ctx = ralloc_context(NULL);
   SGC_PROGRAM(program, MESA_SHADER_FRAGMENT, p->debug = SGPU_COMPILER_SPILLALL;
               sgc_add_to(b, TO(0, X), IN(0), IN(1)); sgc_add_to(b, TO(0, Y | W), IN(0), IN(1));
               sgc_mul_to(b, OUT(0, XYZ), SWZ(R(0), 3, 1, 0, 0), SWZ(R(0), 0, 0, 1, 1));)
   allocate(program);
   unsigned loads = 0, stores = 0;
   sgc_foreach_instr(sgc_test_first_block(program), instr) {
      loads += instr->op == SGPU_OP_LDL;
      stores += instr->op == SGPU_OP_STL;
   }
   assert_int_equal(loads, 1);
   assert_int_equal(stores, 2);
   ralloc_free(mem_ctx);
}

/* The base profile has twelve temporaries and no scratch memory. */
static void
base_profile(void **state)
{
   void *mem_ctx = ralloc_context(NULL);
   SGC_PROGRAM(program, MESA_SHADER_VERTEX, p->vp1 = true;
               for (unsigned i = 0; i < 13; i++) sgc_mov_to(b, TO(i, XYZW), IN(i));
               for (unsigned i = 0; i < 13; i++) sgc_mov_to(b, OUT(i, XYZW), R(i));)
   assert_false(sgc_allocate(program));
   assert_string_equal(program->error, "more than 12 temporaries");
   ralloc_free(mem_ctx);
}

/*
 * The checker.
 */

/* Allocates two values that are live at the same time by hand, %0 to `a` and %1 to `b_reg`.
 * Returns the error that the checker finds, or NULL.
 */
static const char *
check(unsigned a, unsigned b_reg, unsigned read)
{
   void *mem_ctx = ralloc_context(NULL);
   SGC_PROGRAM(program, MESA_SHADER_FRAGMENT, sgc_mov_to(b, TO(0, XYZW), IN(0));
               sgc_mov_to(b, TO(1, XYZW), IN(1)); sgc_add_to(b, OUT(0, XYZW), R(0), R(1));)

   unsigned count;
   struct sgc_instr *before = sgc_record_operands(program, mem_ctx, &count);
   unsigned n = 0;
   sgc_foreach_instr(sgc_test_first_block(program), instr) {
      if (n == 0)
         instr->dst.index = a;
      if (n == 1)
         instr->dst.index = b_reg;
      if (n == 2) {
         instr->src[0].index = read;
         instr->src[1].index = b_reg;
      }
      n++;
   }
   const char *error = sgc_check_allocation(program, before, count, 32);
   ralloc_free(mem_ctx);
   return error;
}

static void
checker(void **state)
{
   assert_null(check(5, 6, 5));
   assert_string_equal(check(5, 5, 5), "allocation: an operand has been overwritten");
   assert_string_equal(check(5, 6, 7), "allocation: an operand reads another component's place");
   assert_string_equal(check(300, 6, 300), "allocation: a register beyond the file");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(packing),      cmocka_unit_test(fixed_components),
      cmocka_unit_test(spilling),     cmocka_unit_test(spilling_all),
      cmocka_unit_test(base_profile), cmocka_unit_test(checker),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
