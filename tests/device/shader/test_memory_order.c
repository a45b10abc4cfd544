/* SPDX-License-Identifier: MIT */
/*
 * The order of invocations that programs need, because of the memory that they access.
 */
#include "../../unit.h"
#include "machine.h"

static enum sgd_memory_order
order_of(const struct sgpu_instr *instr, unsigned count, const struct sgd_shader **facts)
{
   static struct code code;
   static struct sgd_shader *last;
   const char *error;

   code_init(&code, SGPU_STAGE_VERTEX);
   for (unsigned n = 0; n < count; n++)
      code_add(&code, instr[n]);
   if (last)
      sgd_shader_destroy(last);
   last = code_load(&code, &error);
   if (!last)
      fail_msg("refused: %s", error);
   if (facts)
      *facts = last;
   return last->memory_order;
}

static struct sgpu_instr
access_of(enum sgpu_opcode op, unsigned unit, unsigned aop, bool result)
{
   const struct sgpu_opcode_info *info = sgpu_opcode_info(op);
   struct sgpu_instr i = sgpu_instr_init(op);

   i.unit = unit;
   i.aop = aop;
   i.tex_target = info->kind == SGPU_KIND_IMG ? SGPU_TEX_TARGET_2D : 0;
   if (info->num_srcs > 0)
      i.src[0] = src_x(SGPU_FILE_TEMP, 0, 0);
   if (info->num_srcs > 1)
      i.src[1] = src(SGPU_FILE_TEMP, 1);
   if (info->flags & SGPU_OPF_WMASK)
      i.dst.mask = 15;
   else if (result)
      i.dst = dst(SGPU_FILE_TEMP, 2);
   return i;
}

static void
test_order(void **state)
{
   const struct sgpu_instr ldb0 = access_of(SGPU_OP_LDB, 0, 0, true);
   const struct sgpu_instr ldb1 = access_of(SGPU_OP_LDB, 1, 0, true);
   const struct sgpu_instr stb0 = access_of(SGPU_OP_STB, 0, 0, false);
   const struct sgpu_instr stb1 = access_of(SGPU_OP_STB, 1, 0, false);
   const struct sgpu_instr szb0 = access_of(SGPU_OP_SZB, 0, 0, true);
   const struct sgpu_instr ldi0 = access_of(SGPU_OP_LDI, 0, 0, true);
   const struct sgpu_instr sti0 = access_of(SGPU_OP_STI, 0, 0, false);
   const struct sgpu_instr add0 = access_of(SGPU_OP_ATB, 0, SGPU_ATOMIC_ADD, false);
   const struct sgpu_instr or0 = access_of(SGPU_OP_ATB, 0, SGPU_ATOMIC_OR, false);
   const struct sgpu_instr max1 = access_of(SGPU_OP_ATB, 1, SGPU_ATOMIC_UMAX, false);
   const struct sgpu_instr wide0 = access_of(SGPU_OP_ATBW, 0, SGPU_ATOMIC_ADD, false);
   struct sgpu_instr any = add0, load_any = ldb0, max_any = max1;
   const struct sgd_shader *facts;
   any.urel = load_any.urel = max_any.urel = true;

#define ORDER(...)                                      \
   order_of((const struct sgpu_instr[]){ __VA_ARGS__ }, \
            sizeof((const struct sgpu_instr[]){ __VA_ARGS__ }) / sizeof(ldb0), &facts)
   assert_int_equal(ORDER(op0(SGPU_OP_NOP)), SGD_MEMORY_NONE);
   assert_int_equal(ORDER(ldb0, ldi0, szb0), SGD_MEMORY_NONE);
   assert_int_equal(facts->buffers_read, 1);
   assert_int_equal(facts->images_read, 1);
   assert_false(facts->writes_memory);
   assert_int_equal(ORDER(ldb0, stb0, stb1, sti0, ldi0), SGD_MEMORY_FREE);
   assert_int_equal(facts->buffers_written, 3);
   assert_int_equal(facts->images_written, 1);
   assert_true(facts->writes_memory);
   assert_int_equal(ORDER(add0), SGD_MEMORY_FREE);
   assert_int_equal(facts->buffers_read & facts->buffers_written, 1);
   assert_int_equal(facts->commutes.buffer[0], 1 + SGPU_ATOMIC_ADD);
   assert_int_equal(facts->commutes.buffer[1], 0);
   assert_int_equal(ORDER(add0, szb0, add0, max1, sti0), SGD_MEMORY_FREE);
   assert_int_equal(facts->commutes.buffer[0], 1 + SGPU_ATOMIC_ADD);
   assert_int_equal(facts->commutes.buffer[1], 1 + SGPU_ATOMIC_UMAX);
   assert_int_equal(facts->commutes.image[0], 0);
   assert_int_equal(ORDER(add0, ldb1), SGD_MEMORY_FREE);
   assert_int_equal(ORDER(add0, ldb0), SGD_MEMORY_ORDERED);
   assert_int_equal(facts->commutes.buffer[0], 0);
   assert_int_equal(ORDER(stb0, add0), SGD_MEMORY_ORDERED);
   assert_int_equal(ORDER(add0, or0), SGD_MEMORY_ORDERED);
   assert_int_equal(ORDER(access_of(SGPU_OP_ATB, 0, SGPU_ATOMIC_ADD, true)), SGD_MEMORY_ORDERED);
   assert_int_equal(ORDER(access_of(SGPU_OP_ATI, 0, SGPU_ATOMIC_XOR, false)), SGD_MEMORY_FREE);
   assert_int_equal(ORDER(access_of(SGPU_OP_ATI, 0, SGPU_ATOMIC_XOR, false), ldi0),
                    SGD_MEMORY_ORDERED);
   static const uint8_t not_free[] = { SGPU_ATOMIC_EXCH, SGPU_ATOMIC_CAS,  SGPU_ATOMIC_FADD,
                                       SGPU_ATOMIC_INCW, SGPU_ATOMIC_DECW, SGPU_ATOMIC_FMIN,
                                       SGPU_ATOMIC_FMAX };
   for (unsigned n = 0; n < sizeof(not_free); n++)
      assert_int_equal(ORDER(access_of(SGPU_OP_ATB, 0, not_free[n], false)), SGD_MEMORY_ORDERED);
   /* Sums of two widths don't commute. */
   assert_int_equal(ORDER(wide0, wide0), SGD_MEMORY_FREE);
   assert_int_equal(facts->buffers_read & facts->buffers_written, 1);
   assert_true(facts->commutes.buffer[0] > SGPU_NUM_ATOMICS);
   assert_int_equal(ORDER(wide0, add0), SGD_MEMORY_ORDERED);
   assert_int_equal(ORDER(wide0, ldb0), SGD_MEMORY_ORDERED);
   assert_int_equal(ORDER(access_of(SGPU_OP_ATBW, 0, SGPU_ATOMIC_CAS, false)), SGD_MEMORY_ORDERED);
   assert_int_equal(ORDER(access_of(SGPU_OP_ATBW, 0, SGPU_ATOMIC_ADD, true)), SGD_MEMORY_ORDERED);
   /* A binding with an index register counts as all bindings. */
   assert_int_equal(ORDER(any), SGD_MEMORY_FREE);
   assert_int_equal(facts->buffers_written, ~0u);
   assert_int_equal(ORDER(any, ldb1), SGD_MEMORY_ORDERED);
   assert_int_equal(ORDER(add0, load_any), SGD_MEMORY_ORDERED);
   assert_int_equal(ORDER(any, max_any), SGD_MEMORY_ORDERED);
   assert_int_equal(ORDER(any, add0), SGD_MEMORY_FREE);
#undef ORDER
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(test_order) };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
