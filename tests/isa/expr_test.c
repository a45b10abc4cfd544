/* SPDX-License-Identifier: MIT */

/*
 * Compares integer operations (sgpu_int.h) with simple references, and tests the generated
 * evaluation of whole instructions (sgpu_isa_expr.h): operand types, modifiers, saturation,
 * replication, the zmul bit.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "isa_random.h"
#include "sgpu_isa_expr.h"

static const uint32_t corners[] = {
   0,          1,          2,          3,          5,          7,          8,          15,
   16,         17,         30,         31,         32,         33,         63,         64,
   100,        0x7f,       0x80,       0xff,       0x100,      0x7fff,     0x8000,     0xffff,
   0x10000,    0x55555555, 0xaaaaaaaa, 0x7ffffffe, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffff0,
   0xfffffffd, 0xfffffffe, 0xffffffff, 0x12345678, 0xdeadbeef,
};
#define NUM_CORNERS (sizeof(corners) / sizeof(corners[0]))

static uint32_t
pick(struct isa_random *r)
{
   if (isa_random_below(r, 2))
      return corners[isa_random_below(r, NUM_CORNERS)];
   return isa_random_below(r, 65536) << 16 | isa_random_below(r, 65536);
}

/* Reference for the extraction of a bit field, bit by bit. */
static uint32_t
ref_field(uint32_t a, uint32_t offset, uint32_t bits, bool sign)
{
   uint32_t r = 0;
   offset &= 31;
   bits &= 31;
   for (uint32_t i = 0; i < bits; i++) {
      const bool inside = offset + i < 32;
      const uint32_t bit = inside ? (a >> (offset + i)) & 1 : sign ? a >> 31 : 0;
      r |= bit << i;
   }
   if (sign && bits && (r >> (bits - 1)) & 1)
      r |= ~0u << (bits - 1);
   return r;
}

static int
ref_msb(uint32_t a)
{
   int i = 31;
   while (i >= 0 && !((a >> i) & 1))
      i--;
   return i;
}

static void
integers(void **state)
{
   (void)state;
   struct isa_random r = { 7 };
   for (unsigned n = 0; n < 300000; n++) {
      const uint32_t a = pick(&r), b = pick(&r), c = pick(&r);
      const int32_t ia = (int32_t)a, ib = (int32_t)b;
      const int64_t wa = ia, wb = ib;

      assert_int_equal(sgpu_idiv(ia, ib), ib == 0 ? -1 : (int32_t)(uint32_t)(wa / wb));
      assert_int_equal(sgpu_irem(ia, ib), ib == 0 ? ia : (int32_t)(wa % wb));
      assert_int_equal(sgpu_udiv(a, b), b == 0 ? ~0u : a / b);
      assert_int_equal(sgpu_umod(a, b), b == 0 ? a : a % b);
      /* the remainder of a division that rounds down */
      const int64_t mod = ib == 0 ? wa : ((wa % wb) + wb) % wb;
      assert_int_equal(sgpu_imod(ia, ib), (int32_t)mod);

      assert_int_equal(sgpu_imulh(ia, ib), (int32_t)((wa * wb) >> 32));
      assert_int_equal(sgpu_umulh(a, b), (uint32_t)(((uint64_t)a * b) >> 32));
      assert_int_equal(sgpu_ashr(ia, b), (int32_t)(wa >> (b & 31)));
      assert_int_equal(sgpu_ubfe(a, b, c), ref_field(a, b, c, false));
      assert_int_equal((uint32_t)sgpu_ibfe(ia, b, c), ref_field(a, b, c, true));
      assert_int_equal(sgpu_ufind_msb(a), ref_msb(a));
      assert_int_equal(sgpu_ifind_msb(ia), ref_msb(ia < 0 ? ~a : a));

      uint32_t reversed = 0, ones = 0;
      int lsb = -1;
      for (int i = 31; i >= 0; i--) {
         reversed |= ((a >> i) & 1) << (31 - i);
         ones += (a >> i) & 1;
         lsb = (a >> i) & 1 ? i : lsb;
      }
      assert_int_equal(sgpu_brev(a), reversed);
      assert_int_equal(sgpu_bcnt(a), ones);
      assert_int_equal(sgpu_find_lsb(a), lsb);
      assert_int_equal(sgpu_bfi(a, b, c), lsb < 0 ? c : (c & ~a) | ((b << lsb) & a));

      for (unsigned cond = 0; cond < 8; cond++) {
         const bool s = ((cond & 1) && ia < ib) || ((cond & 2) && ia == ib) ||
                        ((cond & 4) && ia > ib);
         const bool u = ((cond & 1) && a < b) || ((cond & 2) && a == b) || ((cond & 4) && a > b);
         assert_int_equal(sgpu_icmp(cond, ia, ib), s ? ~0u : 0);
         assert_int_equal(sgpu_ucmp(cond, a, b), u ? ~0u : 0);
      }
   }
}

#define F(x) sgpu_f2bits(x)
#define ONE 0x3f800000u
#define NEG 0x80000000u
#define INF 0x7f800000u
#define NAN_BITS 0x7fc00000u

/* Evaluates an instruction.  Each source has four words; NULL: zeros. */
static void
evaluate(struct sgpu_instr *instr, const uint32_t a[4], const uint32_t b[4], const uint32_t c[4],
         uint32_t dst[4])
{
   static const uint32_t zero[4];
   uint32_t raw[3][4];
   memcpy(raw[0], a ? a : zero, sizeof(zero));
   memcpy(raw[1], b ? b : zero, sizeof(zero));
   memcpy(raw[2], c ? c : zero, sizeof(zero));
   const uint64_t saved = sgpu_fp_enter();
   const bool ok = sgpu_isa_eval(instr, (const uint32_t(*)[4])raw, dst);
   sgpu_fp_leave(saved);
   assert_true(ok);
}

static void
expect(struct sgpu_instr instr, const uint32_t a[4], const uint32_t b[4], const uint32_t c[4],
       uint32_t x, uint32_t y, uint32_t z, uint32_t w)
{
   const uint32_t want[4] = { x, y, z, w };
   uint32_t dst[4];
   evaluate(&instr, a, b, c, dst);
   if (memcmp(dst, want, sizeof(dst)) != 0) {
      print_error("%s: %08x %08x %08x %08x, not %08x %08x %08x %08x\n",
                  sgpu_opcode_info(instr.opcode)->name, dst[0], dst[1], dst[2], dst[3], x, y, z, w);
      fail();
   }
}

static void
instructions(void **state)
{
   (void)state;
   const uint32_t v[4] = { F(1.0f), F(-2.0f), F(3.5f), F(0.25f) };
   const uint32_t u[4] = { F(2.0f), F(4.0f), F(-1.0f), F(8.0f) };
   const uint32_t odd[4] = { INF, NAN_BITS, 0x00000001, NEG };
   const uint32_t none[4] = { 0, NEG, 0, 0 };
   struct sgpu_instr i;

   expect(sgpu_instr_init(SGPU_OP_MUL), v, u, NULL, F(2.0f), F(-8.0f), F(-3.5f), F(2.0f));
   expect(sgpu_instr_init(SGPU_OP_MUL), odd, none, NULL, NAN_BITS, NAN_BITS, 0, NEG);
   i = sgpu_instr_init(SGPU_OP_MUL);
   i.zmul = true;
   expect(i, odd, none, NULL, 0, 0, 0, 0);
   expect(sgpu_instr_init(SGPU_OP_DP4), v, u, NULL, F(-7.5f), F(-7.5f), F(-7.5f), F(-7.5f));
   expect(sgpu_instr_init(SGPU_OP_DP3), v, u, NULL, F(-9.5f), F(-9.5f), F(-9.5f), F(-9.5f));
   expect(sgpu_instr_init(SGPU_OP_DPH), v, u, NULL, F(-1.5f), F(-1.5f), F(-1.5f), F(-1.5f));
   expect(sgpu_instr_init(SGPU_OP_DST), v, u, NULL, ONE, F(-8.0f), F(3.5f), F(8.0f));
   expect(sgpu_instr_init(SGPU_OP_RCP), u, NULL, NULL, F(0.5f), F(0.5f), F(0.5f), F(0.5f));
   expect(sgpu_instr_init(SGPU_OP_EXP), (const uint32_t[4]){ F(2.5f) }, NULL, NULL, F(4.0f),
          F(0.5f), F(5.656854249f), ONE);
   expect(sgpu_instr_init(SGPU_OP_LOG), (const uint32_t[4]){ F(-8.0f) }, NULL, NULL, F(3.0f), ONE,
          F(3.0f), ONE);
   expect(sgpu_instr_init(SGPU_OP_LIT), (const uint32_t[4]){ F(0.5f), F(0.25f), 0, F(2.0f) }, NULL,
          NULL, ONE, F(0.5f), F(0.0625f), ONE);
   expect(sgpu_instr_init(SGPU_OP_LIT), (const uint32_t[4]){ F(0.5f), 0, 0, 0 }, NULL, NULL, ONE,
          F(0.5f), ONE, ONE);
   expect(sgpu_instr_init(SGPU_OP_ARL), v, NULL, NULL, 1, (uint32_t)-2, 3, 0);

   /* Moves keep every bit, modifiers change only the sign, and saturation works on floats. */
   expect(sgpu_instr_init(SGPU_OP_MOV), odd, NULL, NULL, INF, NAN_BITS, 1, NEG);
   i = sgpu_instr_init(SGPU_OP_MOV);
   i.src[0].neg = i.src[0].abs = true;
   expect(i, odd, NULL, NULL, INF | NEG, NAN_BITS | NEG, 1 | NEG, NEG);
   i.src[0].abs = false;
   i.sat = true;
   expect(i, v, NULL, NULL, 0, ONE, 0, 0);
   i = sgpu_instr_init(SGPU_OP_SEL);
   i.src[2].neg = true;
   expect(i, (const uint32_t[4]){ 1, 0, NEG, 0 }, v, u, v[0], u[1] ^ NEG, v[2], u[3] ^ NEG);

   i = sgpu_instr_init(SGPU_OP_FSET);
   i.cond = SGPU_COND_NE;
   expect(i, odd, odd, NULL, 0, ~0u, 0, 0);
   i.cond = SGPU_COND_GE;
   expect(i, v, u, NULL, 0, 0, ~0u, 0);
   i = sgpu_instr_init(SGPU_OP_ISETP);
   i.cond = SGPU_COND_LT;
   expect(i, (const uint32_t[4]){ NEG, 1, 0, 5 }, (const uint32_t[4]){ 0, NEG, 0, 6 }, NULL, ~0u, 0,
          0, ~0u);
   expect(sgpu_instr_init(SGPU_OP_IMAD), (const uint32_t[4]){ 3, ~0u, NEG, 5 },
          (const uint32_t[4]){ 4, 2, 2, 5 }, (const uint32_t[4]){ 5, 0, 7, ~0u }, 17, (uint32_t)-2,
          7, 24);
   expect(sgpu_instr_init(SGPU_OP_F2I), (const uint32_t[4]){ F(-1.9f), F(3e9f), NAN_BITS, F(7.9f) },
          NULL, NULL, (uint32_t)-1, 0x7fffffff, 0, 7);
   expect(sgpu_instr_init(SGPU_OP_PK2H), v, NULL, NULL, 0xc0003c00, 0xc0003c00, 0xc0003c00,
          0xc0003c00);
   expect(sgpu_instr_init(SGPU_OP_UP2H), (const uint32_t[4]){ 0xc0003c00 }, NULL, NULL, F(1.0f),
          F(-2.0f), F(1.0f), F(-2.0f));
}

static void
quads(void **state)
{
   (void)state;
   static const struct {
      enum sgpu_opcode opcode;
      float want[4];
   } rows[] = {
      { SGPU_OP_DDX, { 2, 2, 2, 2 } },
      { SGPU_OP_DDY, { 4, 4, 4, 4 } },
      { SGPU_OP_DDXF, { 2, 2, 11, 11 } },
      { SGPU_OP_DDYF, { 4, 13, 4, 13 } },
   };
   const float lanes[4] = { 1, 3, 5, 16 };
   uint32_t raw[4][4], dst[4][4];
   for (unsigned l = 0; l < 4; l++) {
      for (unsigned c = 0; c < 4; c++)
         raw[l][c] = F(lanes[l]);
   }
   for (unsigned i = 0; i < 4; i++) {
      const struct sgpu_instr instr = sgpu_instr_init(rows[i].opcode);
      const uint64_t saved = sgpu_fp_enter();
      assert_true(sgpu_isa_eval_quad(&instr, (const uint32_t(*)[4])raw, dst));
      sgpu_fp_leave(saved);
      for (unsigned l = 0; l < 4; l++)
         assert_int_equal(dst[l][2], F(rows[i].want[l]));
   }
}

/* Tests that every operation with an expression accepts any bits, and that the result depends only
 * on the components that the info table names.
 */
static void
reads(void **state)
{
   (void)state;
   struct isa_random r = { 99 };
   unsigned evaluated = 0;
   for (unsigned op = 0; op < SGPU_NUM_OPCODES; op++) {
      const struct sgpu_opcode_info *info = sgpu_opcode_info(op);
      if (!info->name || info->kind >= SGPU_KIND_QUAD)
         continue;
      evaluated++;
      for (unsigned n = 0; n < 300; n++) {
         struct sgpu_instr instr = isa_random_instr(&r, op);
         uint32_t raw[3][4], before[4], after[4];
         for (unsigned s = 0; s < 3; s++) {
            for (unsigned c = 0; c < 4; c++)
               raw[s][c] = isa_random_below(&r, 2) ? pick(&r) : F((float)(pick(&r) & 63) - 32.0f);
         }
         evaluate(&instr, raw[0], raw[1], raw[2], before);
         const unsigned s = isa_random_below(&r, 3), c = isa_random_below(&r, 4);
         raw[s][c] = pick(&r);
         evaluate(&instr, raw[0], raw[1], raw[2], after);
         for (unsigned d = 0; d < 4; d++) {
            if (s >= info->num_srcs || !(info->reads[s][d] & (1u << c)))
               assert_int_equal(before[d], after[d]);
         }
      }
   }
   assert_true(evaluated > 70);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(integers),
      cmocka_unit_test(instructions),
      cmocka_unit_test(quads),
      cmocka_unit_test(reads),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
