/* SPDX-License-Identifier: MIT */
/*
 * Tests each pass on programs of a few instructions.
 */

#include "sgc_test.h"

static void
copy_prop(void **state)
{
   /* Copies are propagated, and swizzles are composed. */
   SGC_CASE(CODE(sgc_mov_to(b, TO(1, XYZW), SWZ(IN(0), 3, 2, 1, 0));
                 sgc_add_to(b, OUT(0, XYZW), SWZ(R(1), 1, 1, 0, 0), R(1));),
            CODE(sgc_mov_to(b, TO(1, XYZW), SWZ(IN(0), 3, 2, 1, 0));
                 sgc_add_to(b, OUT(0, XYZW), SWZ(IN(0), 2, 2, 3, 3), SWZ(IN(0), 3, 2, 1, 0));),
            sgc_opt_copy_prop);
   /* Modifiers are combined, for example -|-x|. */
   SGC_CASE(CODE(sgc_mov_to(b, TO(1, X), sgc_neg(IN(0)));
                 sgc_add_to(b, OUT(0, X), sgc_abs(R(1)), sgc_neg(R(1)));),
            CODE(sgc_mov_to(b, TO(1, X), sgc_neg(IN(0)));
                 sgc_add_to(b, OUT(0, X), sgc_abs(SWZ(IN(0), 0, 0, 0, 0)),
                            SWZ(IN(0), 0, 0, 0, 0));),
            sgc_opt_copy_prop);
   /* Literals of several copies become one operand. */
   SGC_CASE(CODE(sgc_mov_to(b, TO(1, X), sgc_immf(1.0f));
                 sgc_mov_to(b, TO(1, Y), sgc_immf(2.0f));
                 sgc_add_to(b, OUT(0, XY), R(1), IN(0));),
            CODE(sgc_mov_to(b, TO(1, X), sgc_immf(1.0f));
                 sgc_mov_to(b, TO(1, Y), sgc_immf(2.0f));
                 struct sgc_src both = sgc_immf(1.0f);
                 both.imm[1] = fui(2.0f);
                 sgc_add_to(b, OUT(0, XY), both, IN(0));),
            sgc_opt_copy_prop);
}

static void
copy_prop_not(void **state)
{
   /* The source of the copy changes before the use. */
   SGC_NEGCASE(CODE(sgc_mov_to(b, TO(0, X), IN(0));
                    sgc_mul_to(b, TO(2, X), IN(1), IN(1));
                    sgc_add_to(b, TO(1, X), R(2), R(2));
                    sgc_add_to(b, OUT(0, X), R(1), IN(1));),
               sgc_opt_copy_prop);
   SGC_NEGCASE(CODE(sgc_add_to(b, TO(0, X), IN(0), IN(0));
                    sgc_mov_to(b, TO(1, X), R(0));
                    sgc_add_to(b, TO(0, X), IN(1), IN(1));
                    sgc_add_to(b, OUT(0, X), R(1), R(1));),
               sgc_opt_copy_prop);
   /* Integer operands have no sign modifiers. */
   SGC_NEGCASE(CODE(sgc_mov_to(b, TO(1, X), sgc_neg(IN(0)));
                    sgc_iadd_to(b, OUT(0, X), R(1), R(1));),
               sgc_opt_copy_prop);
   /* A move with saturation is not a copy. */
   SGC_NEGCASE(CODE(sgc_mov_to(b, TO(1, X), IN(0))->sat = true;
                    sgc_add_to(b, OUT(0, X), R(1), R(1));),
               sgc_opt_copy_prop);
   /* Two sources cannot be one operand. */
   SGC_NEGCASE(CODE(sgc_mov_to(b, TO(1, X), IN(0));
                    sgc_mov_to(b, TO(1, Y), IN(1));
                    sgc_add_to(b, OUT(0, XY), R(1), R(1));),
               sgc_opt_copy_prop);
}

static void
dead_code(void **state)
{
   SGC_CASE(CODE(sgc_mul_to(b, TO(1, XYZW), IN(0), IN(0));
                 sgc_add_to(b, TO(2, XYZW), IN(0), IN(0));
                 sgc_mov_to(b, OUT(0, XY), SWZ(R(2), 2, 0, 0, 0));),
            CODE(sgc_add_to(b, TO(2, X | Z), IN(0), IN(0));
                 sgc_mov_to(b, OUT(0, XY), SWZ(R(2), 2, 0, 0, 0));),
            sgc_opt_dce);
   /* Remove a chain of unused results. */
   SGC_CASE(CODE(sgc_mul_to(b, TO(1, X), IN(0), IN(0));
                 sgc_add_to(b, TO(2, X), R(1), IN(0));
                 sgc_mov_to(b, OUT(0, X), IN(0));),
            CODE(sgc_mov_to(b, OUT(0, X), IN(0));),
            sgc_opt_dce);
   /* Remove only the unused result of an atomic operation. */
   SGC_CASE(CODE(sgc_atb_to(b, TO(1, X), sgc_none(), IN(0));
                 sgc_ldb_to(b, TO(2, X), sgc_none());),
            CODE(sgc_atb_to(b, sgc_dst_none(), sgc_none(), IN(0));),
            sgc_opt_dce);
   /* Remove an unused load of the address register. */
   SGC_CASE(CODE(sgc_arl_to(b, sgc_dst_make(SGPU_FILE_ADDR, 0, X), SWZ(IN(0), 0, 0, 0, 0));
                 sgc_mov_to(b, OUT(0, X), IN(0));),
            CODE(sgc_mov_to(b, OUT(0, X), IN(0));),
            sgc_opt_dce);
}

static void
dead_code_not(void **state)
{
   SGC_NEGCASE(CODE(sgc_mul_to(b, TO(1, X), IN(0), IN(0));
                    struct sgc_dst mask = sgc_dst_none();
                    mask.mask = X;
                    sgc_stl_to(b, mask, sgc_none(), R(1));
                    sgc_dmt(b);),
               sgc_opt_dce);
   /* With a guard, lanes may keep the older value. */
   SGC_NEGCASE(CODE(sgc_mov_to(b, TO(1, X), IN(0));
                    sgc_fsetp_to(b, sgc_dst_make(SGPU_FILE_PRED, 0, X), IN(0), IN(1),
                                 SGPU_COND_LT);
                    sgc_mov_to(b, TO(1, X), IN(1))->guard.en = true;
                    sgc_mov_to(b, OUT(0, X), R(1));),
               sgc_opt_dce);
}

static void
coalesce(void **state)
{
   SGC_CASE(CODE(sgc_add_to(b, TO(1, XYZ), IN(0), IN(1));
                 sgc_mov_to(b, TO(2, XYZ), R(1));
                 sgc_mul_to(b, OUT(0, XYZ), R(2), R(2));),
            CODE(sgc_add_to(b, TO(2, XYZ), IN(0), IN(1));
                 sgc_mul_to(b, OUT(0, XYZ), R(2), R(2));),
            sgc_coalesce);
   /* A scalar is computed directly in the component in which it is read. */
   SGC_CASE(CODE(sgc_add_to(b, TO(1, X), IN(0), IN(1));
                 sgc_mov_to(b, TO(2, Z), SWZ(R(1), 0, 0, 0, 0));
                 sgc_mul_to(b, OUT(0, X), SWZ(R(2), 2, 2, 2, 2), IN(0));),
            CODE(sgc_add_to(b, TO(2, Z), SWZ(IN(0), 0, 0, 0, 0), SWZ(IN(1), 0, 0, 0, 0));
                 sgc_mul_to(b, OUT(0, X), SWZ(R(2), 2, 2, 2, 2), IN(0));),
            sgc_coalesce);
}

static void
coalesce_not(void **state)
{
   /* Both registers are needed with different contents. */
   SGC_NEGCASE(CODE(sgc_add_to(b, TO(1, X), IN(0), IN(1));
                    sgc_mov_to(b, TO(2, X), R(1));
                    sgc_add_to(b, TO(2, X), R(2), IN(0));
                    sgc_mul_to(b, OUT(0, X), R(2), R(1));),
               sgc_coalesce);
   /* A texture operation cannot move its result to another component. */
   SGC_NEGCASE(CODE(struct sgc_instr *tex = sgc_tex_to(b, TO(1, X), IN(0), sgc_none());
                    tex->tex_target = SGPU_TEX_TARGET_2D;
                    sgc_mov_to(b, TO(2, Y), SWZ(R(1), 0, 0, 0, 0));
                    sgc_mul_to(b, OUT(0, X), SWZ(R(2), 1, 1, 1, 1), IN(0));),
               sgc_coalesce);
   /* The same holds for the register that the result has been merged into. */
   SGC_CASE(CODE(struct sgc_instr *tex = sgc_tex_to(b, TO(1, X), IN(0), sgc_none());
                 tex->tex_target = SGPU_TEX_TARGET_2D;
                 sgc_mov_to(b, TO(2, X), R(1));
                 sgc_mov_to(b, TO(3, Y), SWZ(R(2), 0, 0, 0, 0));
                 sgc_mul_to(b, OUT(0, X), SWZ(R(3), 1, 1, 1, 1), IN(0));),
            CODE(struct sgc_instr *tex = sgc_tex_to(b, TO(2, X), IN(0), sgc_none());
                 tex->tex_target = SGPU_TEX_TARGET_2D;
                 sgc_mov_to(b, TO(3, Y), SWZ(R(2), 0, 0, 0, 0));
                 sgc_mul_to(b, OUT(0, X), SWZ(R(3), 1, 1, 1, 1), IN(0));),
            sgc_coalesce);
   /* Swapped components conflict. */
   SGC_NEGCASE(CODE(sgc_add_to(b, TO(1, XY), IN(0), IN(1));
                    sgc_mov_to(b, TO(2, Y), SWZ(R(1), 0, 0, 0, 0));
                    sgc_mov_to(b, TO(2, X), SWZ(R(1), 1, 1, 1, 1));
                    sgc_mul_to(b, OUT(0, XY), R(2), IN(0));),
               sgc_coalesce);
}

/*
 * Literals.
 */

static void
place(void **state)
{
   void *mem_ctx = ralloc_context(NULL);
   SGC_PROGRAM(program, MESA_SHADER_FRAGMENT, struct sgc_src vector = sgc_immf(1.0f);
               vector.imm[1] = fui(2.0f); p->num_user_constants = 5;
               sgc_mov_to(b, OUT(0, XYZW), sgc_immf(2.0f));
               sgc_add_to(b, OUT(1, XY), vector, IN(0));
               sgc_add_to(b, OUT(2, XYZW), sgc_immf(-1.0f), IN(0));
               sgc_add_to(b, OUT(3, XYZW), sgc_immf(3.0f), IN(0));
               sgc_iadd_to(b, OUT(4, XYZW), sgc_imm(0x80000000), IN(0));)
   SGC_PROGRAM(expected, MESA_SHADER_FRAGMENT, sgc_mov_to(b, OUT(0, XYZW), sgc_comp(CONST(5), 1));
               sgc_add_to(b, OUT(1, XY), SWZ(CONST(5), 0, 1, 0, 0), IN(0));
               sgc_add_to(b, OUT(2, XYZW), sgc_neg(sgc_comp(CONST(5), 0)), IN(0));
               sgc_add_to(b, OUT(3, XYZW), sgc_comp(CONST(5), 2), IN(0));
               sgc_iadd_to(b, OUT(4, XYZW), sgc_comp(CONST(5), 3), IN(0));)

   sgc_place_literals(program);
   sgc_test_compare(program, expected);
   assert_int_equal(program->num_literals, 1);
   const uint32_t values[4] = { fui(1.0f), fui(2.0f), fui(3.0f), 0x80000000 };
   assert_memory_equal(program->literals[0], values, sizeof(values));
   ralloc_free(mem_ctx);
}

/* A wide operand stays in one register even if all of its values exist in other ones. */
static void
place_wide(void **state)
{
   void *mem_ctx = ralloc_context(NULL);
   SGC_PROGRAM(
      program, MESA_SHADER_FRAGMENT, struct sgc_src wide = sgc_immf(0.0f), other = sgc_immf(0.0f),
      mixed = sgc_immf(0.0f);
      for (unsigned c = 0; c < 4; c++) {
         wide.imm[c] = fui(1.0f + c);
         other.imm[c] = fui(11.0f + c);
         mixed.imm[c] = c < 2 ? wide.imm[c] : other.imm[c];
      } sgc_mov_to(b, OUT(0, XYZW), wide);
      sgc_mov_to(b, OUT(1, XYZW), other); sgc_mov_to(b, OUT(2, XYZW), mixed);
      sgc_mov_to(b, OUT(3, XY), mixed);)

   sgc_place_literals(program);
   assert_int_equal(program->num_literals, 3);
   sgc_foreach_instr(sgc_test_first_block(program), instr)
      assert_int_equal(instr->src[0].file, SGPU_FILE_CONST);
   sgc_test_validate(program);
   ralloc_free(mem_ctx);
}

/*
 * Scheduling.
 */

static void
schedule(void **state)
{
   /* Independent work is moved between a slow result and its reader. */
   SGC_CASE(CODE(sgc_rcp_to(b, TO(1, X), SWZ(IN(0), 0, 0, 0, 0));
                 sgc_mul_to(b, OUT(0, X), R(1), IN(0));
                 sgc_add_to(b, OUT(1, X), IN(0), IN(0));),
            CODE(sgc_rcp_to(b, TO(1, X), SWZ(IN(0), 0, 0, 0, 0));
                 sgc_add_to(b, OUT(1, X), IN(0), IN(0));
                 sgc_mul_to(b, OUT(0, X), R(1), IN(0));),
            sgc_schedule);
}

static void
schedule_not(void **state)
{
   /* Writes of the same output keep their order, and so do scratch accesses. */
   SGC_NEGCASE(CODE(struct sgc_dst mask = sgc_dst_none();
                    mask.mask = X;
                    sgc_stl_to(b, mask, sgc_none(), IN(1));
                    sgc_ldl_to(b, TO(1, X), sgc_none());
                    sgc_stl_to(b, mask, sgc_none(), IN(0));
                    sgc_mov_to(b, OUT(0, X), R(1));
                    sgc_mov_to(b, OUT(0, X), IN(0));),
               sgc_schedule);
   /* An output with a variable index may be any output. */
   SGC_NEGCASE(CODE(sgc_rcp_to(b, TO(1, X), SWZ(IN(0), 0, 0, 0, 0));
                    sgc_arl_to(b, sgc_dst_make(SGPU_FILE_ADDR, 0, X), SWZ(IN(0), 0, 0, 0, 0));
                    struct sgc_dst any = OUT(0, X);
                    any.rel = true;
                    sgc_mov_to(b, any, R(1));
                    sgc_mov_to(b, OUT(1, X), IN(0));),
               sgc_schedule);
   SGC_NEGCASE(CODE(sgc_rcp_to(b, TO(1, X), SWZ(IN(0), 0, 0, 0, 0));
                    sgc_arl_to(b, sgc_dst_make(SGPU_FILE_ADDR, 0, X), SWZ(IN(0), 0, 0, 0, 0));
                    struct sgc_dst any = OUT(0, X);
                    any.rel = true;
                    sgc_mov_to(b, OUT(1, X), R(1));
                    sgc_mov_to(b, any, IN(0));),
               sgc_schedule);
   /* Buffers and images may be in the same memory. */
   SGC_NEGCASE(CODE(struct sgc_dst mask = sgc_dst_none();
                    mask.mask = X;
                    sgc_stb_to(b, mask, sgc_none(), IN(1));
                    sgc_ldi_to(b, TO(1, X), IN(0))->tex_target = SGPU_TEX_TARGET_2D;
                    sgc_atb_to(b, sgc_dst_none(), sgc_none(), IN(0));
                    sgc_ldb_to(b, TO(2, X), sgc_none());
                    sgc_sti(b, IN(0), IN(1))->tex_target = SGPU_TEX_TARGET_2D;
                    sgc_mov_to(b, OUT(0, X), R(1));
                    sgc_mov_to(b, OUT(0, X), R(2));),
               sgc_schedule);
   /* No instruction crosses a control instruction. */
   SGC_NEGCASE(CODE(sgc_mul_to(b, TO(1, X), IN(0), IN(0));
                    sgc_dmt(b);
                    sgc_rcp_to(b, TO(2, X), SWZ(IN(0), 0, 0, 0, 0));
                    sgc_mul_to(b, OUT(0, X), R(1), R(2));),
               sgc_schedule);
   /* A0 must not be loaded again before it is used. */
   SGC_NEGCASE(CODE(struct sgc_dst a0 = sgc_dst_make(SGPU_FILE_ADDR, 0, X);
                    struct sgc_src c = CONST(1);
                    c.rel = true;
                    sgc_arl_to(b, a0, SWZ(IN(0), 0, 0, 0, 0));
                    sgc_mov_to(b, OUT(0, XYZW), c);
                    sgc_arl_to(b, a0, SWZ(IN(1), 0, 0, 0, 0));
                    sgc_mov_to(b, OUT(1, XYZW), c);),
               sgc_schedule);
}

/*
 * The validator.
 */

#define INVALID(message, ...)                                 \
   do {                                                       \
      void *mem_ctx = ralloc_context(NULL);                   \
      const struct sgc_instr *where;                          \
      SGC_PROGRAM(program, MESA_SHADER_FRAGMENT, __VA_ARGS__) \
      const char *error = sgc_validate(program, &where);      \
      assert_non_null(error);                                 \
      assert_string_equal(error, message);                    \
      ralloc_free(mem_ctx);                                   \
   } while (0)

static void
validate(void **state)
{
   INVALID("a component is read that no instruction writes",
           sgc_mov_to(b, TO(1, X), IN(0));
           sgc_mov_to(b, OUT(0, XY), R(1)););
   INVALID("destination register does not exist", sgc_mov_to(b, TO(99, X), IN(0)););
   INVALID("source register does not exist", sgc_mov_to(b, OUT(0, X), R(99)););
   INVALID("source is no element of an array",
           sgc_mov_to(b, OUT(0, X), sgc_src_make(SGC_FILE_ARRAY, 0)););
   INVALID("branch target missing or not allowed", sgc_bra(b, NULL););
   INVALID("the branch's target is not a successor",
           sgc_bra(b, sgc_test_first_block(p)););
   INVALID("a branch in the middle of a block",
           sgc_exit(b);
           sgc_mov_to(b, OUT(0, X), IN(0)););
   INVALID("A0 is used before it is loaded in the block",
           struct sgc_src c = CONST(1);
           c.rel = true;
           sgc_mov_to(b, OUT(0, X), c););
   INVALID("the source takes no modifiers",
           sgc_iadd_to(b, OUT(0, X), sgc_neg(IN(0)), IN(0)););
   INVALID("the source is a scalar: its swizzle must repeat one component",
           sgc_rcp_to(b, OUT(0, X), IN(0)););
   INVALID("empty write mask", sgc_mov_to(b, OUT(0, 0), IN(0)););
   INVALID("a literal that is not placed",
           p->allocated = true;
           sgc_mov_to(b, OUT(0, X), sgc_immf(1.0f)););
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(copy_prop), cmocka_unit_test(copy_prop_not),
      cmocka_unit_test(dead_code), cmocka_unit_test(dead_code_not),
      cmocka_unit_test(coalesce),  cmocka_unit_test(coalesce_not),
      cmocka_unit_test(place),     cmocka_unit_test(place_wide),
      cmocka_unit_test(schedule),  cmocka_unit_test(schedule_not),
      cmocka_unit_test(validate),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
