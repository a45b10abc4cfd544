/* SPDX-License-Identifier: MIT */
/*
 * Tests of wide vectors and gathers in machine code: the bytes of instructions, as GNU as encodes them, and the
 * regions that may have 16 lanes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../unit.h"
#include "shader/translate/sgd_ir_wide.h"
#include "shader/translate/sgd_x86.h"

/* -- encodings -------------------------------------------------------------------- */

/* Compares the code with bytes in hexadecimal, and removes it. */
static void
expect(struct sgd_x86 *x, const char *what, const char *bytes)
{
   char hex[256] = "";
   for (size_t i = 0; i < x->size; i++)
      snprintf(hex + 2 * i, 3, "%02x", x->code[i]);
   if (strcmp(hex, bytes))
      fail_msg("%s: %s, not %s", what, hex, bytes);
   x->size = 0;
}

static void
vector(struct sgd_x86 *x, enum sgd_x86_op op, unsigned imm, unsigned d, unsigned a,
       struct sgd_x86_rm rm, unsigned c, const char *bytes)
{
   sgd_x86_vector(x, op, imm, d, a, rm, c);
   expect(x, sgd_x86_info[op].name, bytes);
}

static void
test_encodings(void **state)
{
   struct sgd_x86 x;
   sgd_x86_init(&x);
   x.avx512 = x.wide = true;

   /* registers */
   vector(&x, SGD_VADDPS, 0, 1, 2, sgd_rm_reg(3), 0, "62f16c4858cb");
   vector(&x, SGD_VADDPS, 0, 17, 18, sgd_rm_reg(31), 0, "62816c4058cf");
   vector(&x, SGD_VADDPS, 0, 12, 2, sgd_rm_reg(9), 0, "62516c4858e1");
   vector(&x, SGD_VPSHUFB, 0, 1, 2, sgd_rm_reg(3), 0, "62f26d4800cb");
   vector(&x, SGD_VPSLLD, 7, 4, 29, sgd_rm_reg(29), 0, "62915d4872f507");
   vector(&x, SGD_VPSLLQ, 7, 4, 29, sgd_rm_reg(29), 0, "6291dd4873f507");
   vector(&x, SGD_VROUNDPS, 9, 1, 0, sgd_rm_reg(27), 0, "62937d4808cb09");
   /* displacements of 8 bits count vectors, halves of a vector, or words */
   vector(&x, SGD_VADDPS, 0, 1, 2, sgd_rm_mem(SGD_RDI, 0x80), 0, "62f16c48584f02");
   vector(&x, SGD_VADDPS, 0, 1, 2, sgd_rm_mem(SGD_RDI, 0x84), 0, "62f16c48588f84000000");
   vector(&x, SGD_VADDPS, 0, 1, 2, sgd_rm_mem(SGD_RDI, -0x2000), 0, "62f16c48584f80");
   vector(&x, SGD_VADDPS, 0, 1, 2, sgd_rm_mem(SGD_RDI, 0x2000), 0, "62f16c48588f00200000");
   vector(&x, SGD_VMULPD, 0, 30, 16, sgd_rm_mem(SGD_RSP, 0x40), 0, "6261fd4059742401");
   vector(&x, SGD_VCVTPS2PD, 0, 3, 0, sgd_rm_mem(SGD_RDI, 0x40), 0, "62f17c485a5f02");
   vector(&x, SGD_VCVTPS2PD, 0, 3, 0, sgd_rm_mem(SGD_RDI, 0x20), 0, "62f17c485a5f01");
   vector(&x, SGD_VINSERTF128, 1, 6, 7, sgd_rm_mem(SGD_RDI, 0x60), 0, "62f3c5481a770301");
   sgd_x86_splat(&x, 20, sgd_rm_mem(SGD_RDX, 0x1fc));
   expect(&x, "splat", "62e27d4818627f");
   sgd_x86_splat(&x, 20, sgd_rm_mem(SGD_RDX, 0x200));
   expect(&x, "splat", "62e27d4818a200020000");
   sgd_x86_store(&x, sgd_rm_mem(SGD_RDI, 0x40), 18);
   expect(&x, "store", "62e17c48115701");
   sgd_x86_load(&x, 18, sgd_rm_mem(SGD_R8, 0x40));
   expect(&x, "load", "62c17c48105001");
   /* halves and parts */
   vector(&x, SGD_VCVTPS2PD, 0, 3, 0, sgd_rm_reg(21), 0, "62b17c485add");
   vector(&x, SGD_VEXTRACTF128, 1, 5, 0, sgd_rm_reg(22), 0, "62e3fd481bf501");
   vector(&x, SGD_VPERM2I128, SGD_IR_WIDE_EVEN, 1, 2, sgd_rm_reg(3), 0, "62f3ed4843cb88");
   vector(&x, SGD_VPERM2I128, SGD_IR_WIDE_ODD, 1, 2, sgd_rm_reg(3), 0, "62f3ed4843cbdd");
   /* masks */
   vector(&x, SGD_VCMPPS, SGD_CMP_LE, 9, 2, sgd_rm_reg(30), 0, "62916c48c2ce0262727e4838c9");
   vector(&x, SGD_VCMPPD, SGD_CMP_LE, 9, 2, sgd_rm_reg(30), 0, "6291ed48c2ce026272fe4838c9");
   vector(&x, SGD_VPCMPEQB, 0, 24, 8, sgd_rm_reg(9), 0, "62d13d4874c962627e4828c1");
   vector(&x, SGD_VBLENDVPS, 0, 1, 2, sgd_rm_mem(SGD_RDI, 0x40), 25, "62927e4839c962f26d49654f01");
   vector(&x, SGD_VPBLENDVB, 0, 1, 2, sgd_rm_reg(19), 5, "62f27e4829cd62b26d4966cb");
   sgd_x86_load_signs(&x, 7, sgd_rm_mem(SGD_R8, 2));
   expect(&x, "load signs",
          "c4c178904802"
          "62f27e4838f9");
   sgd_x86_signs(&x, SGD_RAX, 7);
   expect(&x, "signs",
          "62f27e4839cf"
          "c5f893c1");
   sgd_x86_canon(&x, 4, 3, sgd_rm_reg(5));
   expect(&x, "canon",
          "62f16448c2cb03"
          "62f2654965e5");
   /* gathers, after zeros in the result and ones in the mask */
   sgd_x86_gather_all(&x, 17, SGD_RAX, 25, 0);
   expect(&x, "gather",
          "62a17540efc9"
          "c5f446c9"
          "62a27d41900c08");
   sgd_x86_gather_all(&x, 14, SGD_RAX, 10, 0);
   expect(&x, "gather",
          "62510d48eff6"
          "c5f446c9"
          "62327d49903410");
   x.wide = false;
   sgd_x86_gather_all(&x, 9, SGD_RAX, 12, 3);
   expect(&x, "gather of eight lanes",
          "c44135efc9"
          "c5e576db"
          "c4226590"
          "0c20");
   sgd_x86_add_at(&x, SGD_RAX, 0x12345, 7);
   expect(&x, "add",
          "48818045230100"
          "07000000");
   sgd_x86_finish(&x);
}

/* -- regions ---------------------------------------------------------------------- */

/* Returns whether the region that stores this value can be wide. */
static bool
can_be_wide(struct sgd_ir *ir, uint16_t value)
{
   sgd_ir_store(ir, 4096, value, false);
   sgd_ir_optimize(ir);
   return sgd_ir_can_be_wide(ir);
}

static void
test_regions(void **state)
{
   struct sgd_ir *ir = malloc(sizeof(*ir));
   for (unsigned n = 0; n < 9; n++) {
      sgd_ir_init(ir);
      const uint16_t a = sgd_ir_leaf(ir, SGD_IR_LOAD, 0), b = sgd_ir_leaf(ir, SGD_IR_LOAD, 128);
      const uint16_t high = sgd_ir_op(ir, SGD_VEXTRACTF128, 1, a, 0, 0);
      const uint16_t first = sgd_ir_op(ir, SGD_VCVTPS2PD, 0, a, 0, 0);
      const uint16_t second = sgd_ir_op(ir, SGD_VCVTPS2PD, 0, high, 0, 0);
      const uint16_t even = sgd_ir_op(ir, SGD_VPERM2I128, 0x20, first, second, 0);
      const uint16_t odd = sgd_ir_op(ir, SGD_VPERM2I128, 0x31, first, second, 0);
      const uint16_t low = sgd_ir_op(ir, SGD_VPSHUFD, 0xd8, even, 0, 0);
      const uint16_t last = sgd_ir_op(ir, SGD_VPSHUFD, 0xd8, odd, 0, 0);
      const uint16_t mixed = sgd_ir_op(ir, SGD_VPUNPCKLDQ, 0, a, b, 0);
      bool want = true;
      uint16_t value;
      switch (n) {
      case 0: /* numbers of 64 bits, in halves that are joined again */
         value = sgd_ir_op(ir, SGD_VINSERTF128, 1, sgd_ir_op(ir, SGD_VCVTPD2PS, 0, first, 0, 0),
                           sgd_ir_op(ir, SGD_VCVTPD2PS, 0, second, 0, 0), 0);
         break;
      case 1: /* their low words */
         value = sgd_ir_op(ir, SGD_VPUNPCKLQDQ, 0, low, last, 0);
         break;
      case 2: /* lanes that change places within parts */
         value = mixed;
         break;
      case 3: /* the low words in another order */
         value = sgd_ir_op(ir, SGD_VPUNPCKLQDQ, 0, last, low, 0);
         want = false;
         break;
      case 4:
         value = sgd_ir_op(ir, SGD_VPUNPCKLQDQ, 0, even, odd, 0);
         want = false;
         break;
      case 5: /* halves of lanes that have changed places */
         value = sgd_ir_op(ir, SGD_VINSERTF128, 1, a,
                           sgd_ir_op(ir, SGD_VEXTRACTF128, 1, mixed, 0, 0), 0);
         want = false;
         break;
      case 6: /* halves whose lanes change places */
         value = sgd_ir_op(ir, SGD_VINSERTF128, 1, a, sgd_ir_op(ir, SGD_VPUNPCKLDQ, 0, high, b, 0),
                           0);
         want = false;
         break;
      case 7: /* a half as a result */
         value = high;
         want = false;
         break;
      default: /* no wide form */
         value = sgd_ir_op(ir, SGD_VPERMQ, 0xd8, a, 0, 0);
         want = false;
         break;
      }
      if (can_be_wide(ir, value) != want)
         fail_msg("region %u", n);
   }
   free(ir);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_encodings),
      cmocka_unit_test(test_regions),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
