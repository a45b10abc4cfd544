/* SPDX-License-Identifier: MIT */
/*
 * Every operation of the shader cores, compared with the expression of its row on all host levels:
 * corner values, swizzles, modifiers, masks, guards, aliasing, relative addressing, constants in
 * and out of range.
 */
#include <stdio.h>

#include "../../rounds.h"
#include "../../unit.h"
#include "random_code.h"
#include "util/macros.h"

struct fixture {
   struct test_worker *tw;
   struct rng r;
   struct code code;
   struct warp warp;
};

static int
setup(void **state)
{
   struct fixture *f = *state = malloc(sizeof(*f));

   f->tw = test_worker_create();
   return 0;
}

static int
teardown(void **state)
{
   struct fixture *f = *state;

   test_worker_destroy(f->tw);
   free(f);
   return 0;
}

static struct rng *
begin(struct fixture *f, uint64_t seed)
{
   f->r = (struct rng){ seed };
   return &f->r;
}

/* Appends stores of all registers to the code and checks it with a random warp. */
static void
check(struct fixture *f)
{
   random_epilogue(&f->code);
   random_warp(&f->r, &f->warp, true);
   check_code(f->tw, &f->code, &f->warp, true);
}

static void
fill_literals(struct rng *r, struct code *code)
{
   for (unsigned n = 0; n < NUM_LITERALS; n++) {
      for (unsigned c = 0; c < 4; c++)
         code->literals[n][c] = rng_value(r);
   }
}

/* One operation at a time, many forms of each. */
static void
test_each(void **state)
{
   struct fixture *f = *state;
   struct code *code = &f->code;
   struct rng *r = begin(f, 1);

   for (unsigned op = 0; op < SGPU_NUM_OPCODES; op++) {
      const struct sgpu_opcode_info *info = sgpu_opcode_info(op);
      if (!info->name || !stays_in_warp(op))
         continue;
      for (unsigned n = 0; n < TEST_ROUNDS(60); n++) {
         code_init(code, SGPU_STAGE_PIXEL);
         random_prelude(code);
         fill_literals(r, code);
         code_add(code, random_operands(r, op));
         if (info->dst_type == SGPU_TYPE_PRED) {
            /* Make predicates visible with guards. */
            for (unsigned p = 0; p < 16; p++) {
               code_add(code, guarded(op1(SGPU_OP_MOV, dst_m(SGPU_FILE_TEMP, p / 4, 1 << p % 4),
                                          src(SGPU_FILE_INPUT, 3)),
                                      p / 4, p % 4, false));
            }
         } else if (info->dst_type == SGPU_TYPE_ADDR) {
            code_add(code, op1(SGPU_OP_MOV, dst(SGPU_FILE_TEMP, 0), src(SGPU_FILE_ADDR, 0)));
         } else if (op == SGPU_OP_STL) {
            for (unsigned w = 0; w < 4; w++) {
               struct sgpu_instr i = op_dst(SGPU_OP_LDL, dst(SGPU_FILE_TEMP, w));
               i.offset = 16 * w;
               code_add(code, i);
            }
         }
         check(f);
      }
   }
}

/* Returns a random access to scratch memory or constants, mostly within bounds. R0 and A0 have small
 * values.
 */
static struct sgpu_instr
random_access(struct rng *r, uint32_t scratch)
{
   static const uint8_t ops[] = { SGPU_OP_LDL, SGPU_OP_STL, SGPU_OP_LDC, SGPU_OP_MOV };
   const enum sgpu_opcode op = ops[rng_below(r, 4)];
   const unsigned comp = rng_below(r, 4), to = 1 + rng_below(r, NUM_R - 1);
   struct sgpu_instr i = sgpu_instr_init(op);

   i.dst.mask = 1 + rng_below(r, 15);
   if (op == SGPU_OP_STL) {
      i.src[1] = src(SGPU_FILE_TEMP, to);
      if (rng_chance(r, 20))
         i.src[1] = src(SGPU_FILE_CONST, LITERAL_BASE + rng_below(r, NUM_LITERALS));
      i.src[1].swizzle = rng_u32(r);
   } else {
      i.dst = dst_m(SGPU_FILE_TEMP, to, i.dst.mask);
   }
   if (op == SGPU_OP_MOV) {
      i.src[0] = src(SGPU_FILE_CONST, rng_below(r, 4));
      i.src[0].rel = true;
      i.src[0].relcomp = comp;
      i.src[0].swizzle = rng_chance(r, 50) ? SGPU_SWIZZLE_XYZW : rng_u32(r);
   } else {
      i.unit = op == SGPU_OP_LDC ? rng_below(r, 2) : 0;
      i.offset = rng_below(r, rng_chance(r, 80) ? 40 : MIN2(scratch + 16, 1u << 20));
      /* Regions access the first 1024 words like registers. */
      if (rng_chance(r, 10))
         i.offset = 4 * (1020 + rng_below(r, 4));
      /* The device refuses programs with a constant address outside scratch memory. */
      if (rng_chance(r, 60) || (op != SGPU_OP_LDC && i.offset + 16 > scratch))
         i.src[0] = src_x(SGPU_FILE_TEMP, 0, comp);
   }
   if (rng_chance(r, 20))
      i.guard = (struct sgpu_guard){ .en = true, .reg = rng_below(r, 4) };
   return i;
}

/* Accesses at addresses that lanes have in common, and at different ones. */
static void
test_addresses(void **state)
{
   static const uint32_t sizes[] = { 4, 62, 256, 8192, 1 << 20 };
   struct fixture *f = *state;
   struct code *code = &f->code;
   struct rng *r = begin(f, 5);

   for (unsigned n = 0; n < TEST_ROUNDS(600); n++) {
      code_init(code, SGPU_STAGE_PIXEL);
      fill_literals(r, code);
      random_prelude(code);
      code->scratch = sizes[n % 16 == 4 ? 4 : n % 4];
      for (unsigned c = 0; c < 4; c++)
         code->literals[0][c] = (1u << rng_below(r, 9)) - 1;
      code->literals[0][rng_below(r, 4)] = 0;
      code_add(code, op2(SGPU_OP_AND, dst(SGPU_FILE_TEMP, 0), src(SGPU_FILE_INPUT, 0),
                         src(SGPU_FILE_CONST, LITERAL_BASE)));
      code_add(code, op1(SGPU_OP_ARI, dst(SGPU_FILE_ADDR, 0), src(SGPU_FILE_TEMP, 0)));
      const unsigned length = 1 + rng_below(r, 20);
      for (unsigned k = 0; k < length; k++) {
         code_add(code, random_access(r, code->scratch));
         if (rng_chance(r, 4)) {
            code_add(code, guarded(op0(rng_chance(r, 50) ? SGPU_OP_EXIT : SGPU_OP_KIL),
                                   rng_below(r, 4), rng_below(r, 4), rng_chance(r, 50)));
         }
      }
      check(f);
   }
}

/* Many operations in a row, some of which read registers that were never written. */
static void
test_straight(void **state)
{
   struct fixture *f = *state;
   struct code *code = &f->code;
   struct rng *r = begin(f, 2);

   for (unsigned n = 0; n < TEST_ROUNDS(1500); n++) {
      code_init(code, SGPU_STAGE_PIXEL);
      fill_literals(r, code);
      if (rng_chance(r, 80)) {
         random_prelude(code);
      } else {
         code->temps = NUM_R;
         code->scratch = SCRATCH;
         code->literal_base = LITERAL_BASE;
         code->num_literals = NUM_LITERALS;
      }
      const unsigned length = 1 + rng_below(r, 30);
      for (unsigned k = 0; k < length; k++) {
         code_add(code, random_instr(r, true));
         if (rng_chance(r, 4)) {
            code_add(code, guarded(op0(rng_chance(r, 50) ? SGPU_OP_EXIT : SGPU_OP_KIL),
                                   rng_below(r, 4), rng_below(r, 4), rng_chance(r, 50)));
         }
      }
      check(f);
   }
}

/* Straight programs of arithmetic only, which need more registers than the host has, with lanes
 * that have ended.
 */
static void
test_long(void **state)
{
   struct fixture *f = *state;
   struct code *code = &f->code;
   struct rng *r = begin(f, 4);

   for (unsigned n = 0; n < TEST_ROUNDS(200); n++) {
      code_init(code, SGPU_STAGE_PIXEL);
      random_prelude(code);
      fill_literals(r, code);
      if (rng_chance(r, 50))
         code_add(code, guarded(op0(SGPU_OP_EXIT), rng_below(r, 4), rng_below(r, 4), false));
      const unsigned end = code->count + 20 + rng_below(r, 200);
      while (code->count < end) {
         struct sgpu_instr i = random_instr(r, false);
         const struct sgpu_opcode_info *info = sgpu_opcode_info(i.opcode);
         if (info->kind == SGPU_KIND_MEM || sgpu_type_is_wide(info->dst_type) ||
             sgpu_type_is_wide(info->src_type[0]))
            continue;
         i.dst.rel = false;
         i.dst.relcomp = 0;
         for (unsigned s = 0; s < info->num_srcs; s++) {
            if (i.src[s].rel)
               i.src[s] = src_x(SGPU_FILE_TEMP, rng_below(r, NUM_R), rng_below(r, 4));
         }
         code_add(code, i);
      }
      check(f);
   }
}

/* Warps that are not full. Machine code runs chunks of eight lanes in pairs, and the last one of an
 * odd number alone. Loads divide the program into regions, so predicates are stored.
 */
static void
test_chunks(void **state)
{
   struct fixture *f = *state;
   struct code *code = &f->code;
   struct rng *r = begin(f, 31);

   for (unsigned n = 0; n < TEST_ROUNDS(800); n++) {
      code_init(code, SGPU_STAGE_PIXEL);
      fill_literals(r, code);
      random_prelude(code);
      const unsigned length = 1 + rng_below(r, 60);
      for (unsigned k = 0; k < length; k++)
         code_add(code, random_instr(r, true));
      random_epilogue(code);
      random_warp(r, &f->warp, true);
      f->warp.active = f->warp.live = ~0u >> (28 - 4 * (n % 8));
      check_code(f->tw, code, &f->warp, true);
   }
}

/* Chains of operations with literals. The translator simplifies them if it can prove something
 * about a value: no NaN, no subnormal, a sign, a mask.
 */
static void
test_known(void **state)
{
   static const uint8_t ops[] = {
      SGPU_OP_MOV, SGPU_OP_MUL, SGPU_OP_ADD, SGPU_OP_MAD, SGPU_OP_DP3, SGPU_OP_MIN,  SGPU_OP_MIN,
      SGPU_OP_MAX, SGPU_OP_MAX, SGPU_OP_RCP, SGPU_OP_RSQ, SGPU_OP_EX2, SGPU_OP_LG2,  SGPU_OP_SIN,
      SGPU_OP_COS, SGPU_OP_FLR, SGPU_OP_FRC, SGPU_OP_SSG, SGPU_OP_SLT, SGPU_OP_SGE,  SGPU_OP_LIT,
      SGPU_OP_EXP, SGPU_OP_LOG, SGPU_OP_SEL, SGPU_OP_AND, SGPU_OP_OR,  SGPU_OP_FSET, SGPU_OP_XOR,
   };
   static const uint32_t words[] = {
      0,          0x80000000, 0x3f800000, 0xbf800000, 0x40000000, 0x3f000000,
      0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000, 0x7f800001, 0xffffffff,
      0x7fffffff, 0x00000001, 0x807fffff, 0x00800000, 0x7f7fffff, 0xc3000000,
   };
   struct fixture *f = *state;
   struct code *code = &f->code;
   struct rng *r = begin(f, 5);

   for (unsigned n = 0; n < TEST_ROUNDS(1500); n++) {
      code_init(code, SGPU_STAGE_PIXEL);
      random_prelude(code);
      for (unsigned k = 0; k < 4 * NUM_LITERALS; k++)
         code->literals[k / 4][k % 4] = words[rng_below(r, sizeof(words) / sizeof(*words))];
      for (unsigned length = 2 + rng_below(r, 12); length; length--) {
         struct sgpu_instr i = random_operands(r, ops[rng_below(r, sizeof(ops))]);
         const struct sgpu_opcode_info *info = sgpu_opcode_info(i.opcode);
         i.dst.rel = false;
         i.dst.relcomp = 0;
         i.dst.index = rng_below(r, 2);
         for (unsigned s = 0; s < info->num_srcs; s++) {
            i.src[s].rel = false;
            i.src[s].relcomp = 0;
            i.src[s].file = SGPU_FILE_TEMP;
            i.src[s].index = rng_below(r, 2);
            if (rng_chance(r, 40)) {
               i.src[s].file = SGPU_FILE_CONST;
               i.src[s].index = LITERAL_BASE + rng_below(r, NUM_LITERALS);
            }
         }
         if (i.opcode == SGPU_OP_FSET || i.opcode == SGPU_OP_SLT) {
            /* Select one of the two compared values. */
            struct sgpu_instr sel = sgpu_instr_init(SGPU_OP_SEL);
            sel.dst = i.dst;
            i.dst.mask = 15;
            i.dst.index = 2;
            sel.src[0] = src(SGPU_FILE_TEMP, 2);
            sel.src[1] = i.src[rng_below(r, 2)];
            sel.src[2] = i.src[rng_below(r, 2)];
            code_add(code, i);
            i = sel;
         }
         code_add(code, i);
      }
      check(f);
   }
}

/* Outputs that a path of the control flow does not write are (0, 0, 0, 1). */
static void
test_defaults(void **state)
{
   struct fixture *f = *state;
   struct code *code = &f->code;
   struct rng *r = begin(f, 3);

   code_init(code, SGPU_STAGE_PIXEL);
   random_prelude(code);
   code_add(code, op1(SGPU_OP_MOV, dst_m(SGPU_FILE_OUTPUT, 0, 2), src(SGPU_FILE_INPUT, 0)));
   code_add(code, guarded(op0(SGPU_OP_EXIT), 1, 2, false));
   code_add(code, op1(SGPU_OP_MOV, dst(SGPU_FILE_OUTPUT, 1), src(SGPU_FILE_TEMP, 1)));
   struct sgpu_instr rel = op1(SGPU_OP_MOV, dst(SGPU_FILE_OUTPUT, 2), src(SGPU_FILE_TEMP, 2));
   rel.dst.rel = true;
   code_add(code, rel);
   for (unsigned n = 0; n < 50; n++) {
      random_warp(r, &f->warp, true);
      check_code(f->tw, code, &f->warp, true);
   }
}

/* Powers as compilers emit them. Facts about a logarithm and its product decide about tests for
 * NaNs. All factors are tested, with arguments that can be negative or not.
 */
static void
test_powers(void **state)
{
   static const uint32_t factors[] = { 0x42000000, 0xbf000000, 0x00000000, 0x80000000,
                                       0x00000001, 0x7f800000, 0xff800000, 0x7fc00000 };
   struct fixture *f = *state;
   struct code *code = &f->code;
   struct rng *r = begin(f, 23);
   for (unsigned n = 0; n < 2 * 8 * 8; n++) {
      code_init(code, SGPU_STAGE_PIXEL);
      random_prelude(code);
      code->literals[0][0] = 0;
      code->literals[0][1] = factors[n / 2 % 8];
      const struct sgpu_dst d = dst(SGPU_FILE_TEMP, 0);
      const struct sgpu_src x = src_x(SGPU_FILE_TEMP, 0, 0);
      code_add(code, n % 2 ? op2(SGPU_OP_MAX, d, src(SGPU_FILE_INPUT, 0),
                                 src_x(SGPU_FILE_CONST, LITERAL_BASE, 0))
                           : op1(SGPU_OP_MOV, d, src(SGPU_FILE_INPUT, 0)));
      code_add(code, op1(SGPU_OP_LG2, d, x));
      code_add(code, op2(SGPU_OP_MUL, d, x, src_x(SGPU_FILE_CONST, LITERAL_BASE, 1)));
      code_add(code, op1(SGPU_OP_EX2, dst(SGPU_FILE_TEMP, 1), x));
      check(f);
   }
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
   const struct CMUnitTest tests[] = {
      TEST(test_each),  TEST(test_addresses), TEST(test_straight), TEST(test_long),
      TEST(test_known), TEST(test_powers),    TEST(test_defaults), TEST(test_chunks),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
