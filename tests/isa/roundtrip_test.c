/* SPDX-License-Identifier: MIT */

/*
 * Translates instructions to words and to text, and back: every opcode, a million random
 * instructions, and words with a flipped bit.  The latter must be refused, or be the only
 * encoding of another instruction.
 *
 *    roundtrip_test [COUNT]
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "isa_random.h"
#include "sgpu_asm.h"
#include "sgpu_disasm.h"

static long count = 1000000;

static void
show(const uint32_t words[4], const char *text, const char *what)
{
   print_error("%08x %08x %08x %08x  %s: %s\n", words[0], words[1], words[2], words[3], text, what);
}

static void
check_words(const struct sgpu_instr *instr, uint32_t words[4])
{
   struct sgpu_instr back;
   uint32_t again[4];
   const char *error = sgpu_instr_pack(instr, words);
   if (!error)
      error = sgpu_instr_unpack(words, &back);
   if (!error)
      error = sgpu_instr_pack(&back, again);
   if (error) {
      show(words, sgpu_opcode_info(instr->opcode)->name, error);
      fail();
   }
   assert_memory_equal(words, again, sizeof(again));
}

static void
check_text(const struct sgpu_instr *instr, const uint32_t words[4], enum sgpu_stage stage, bool vp1)
{
   char text[SGPU_DISASM_MAX];
   struct sgpu_instr back;
   struct sgpu_asm_error error;
   uint32_t again[4];

   const unsigned length = sgpu_disasm_instr(instr, stage, vp1, text);
   assert_true(length < SGPU_DISASM_MAX - 1);
   if (!sgpu_asm_instr(text, length, stage, vp1, &back, &error)) {
      show(words, text, error.text);
      fail();
   }
   assert_null(sgpu_instr_pack(&back, again));
   if (memcmp(words, again, sizeof(again)) != 0) {
      show(words, text, "assembles to");
      show(again, text, "these words");
      fail();
   }
}

/* Flips a bit.  The words must be refused, or be the encoding of another instruction. */
static void
check_flip(struct isa_random *r, const uint32_t words[4])
{
   uint32_t flipped[4], again[4];
   struct sgpu_instr instr;
   memcpy(flipped, words, sizeof(flipped));
   const uint32_t bit = isa_random_below(r, 128);
   flipped[bit / 32] ^= 1u << (bit % 32);
   if (sgpu_instr_unpack(flipped, &instr))
      return;
   assert_null(sgpu_instr_pack(&instr, again));
   if (memcmp(flipped, again, sizeof(again)) != 0) {
      show(flipped, sgpu_opcode_info(instr.opcode)->name, "has a second encoding");
      show(again, sgpu_opcode_info(instr.opcode)->name, "which is this");
      fail();
   }
}

static void
check(struct isa_random *r, const struct sgpu_instr *instr, bool vp1)
{
   static const enum sgpu_stage stages[] = {
      SGPU_STAGE_VERTEX,
      SGPU_STAGE_GEOMETRY,
      SGPU_STAGE_PIXEL,
      SGPU_STAGE_COMPUTE,
   };
   uint32_t words[4] = { 0 };
   check_words(instr, words);
   check_text(instr, words, vp1 ? SGPU_STAGE_VERTEX : stages[isa_random_below(r, 4)], vp1);
   check_flip(r, words);
}

static void
every_opcode(void **state)
{
   (void)state;
   struct isa_random r = { 1 };
   unsigned opcodes = 0, vp1 = 0;
   for (unsigned op = 0; op < SGPU_NUM_OPCODES; op++) {
      const struct sgpu_opcode_info *info = sgpu_opcode_info(op);
      if (!info->name)
         continue;
      opcodes++;
      assert_int_equal(sgpu_opcode_find(info->name, (unsigned)strlen(info->name)), op);
      for (unsigned i = 0; i < 200; i++) {
         const struct sgpu_instr instr = isa_random_instr(&r, op);
         check(&r, &instr, false);
      }
      if (!(info->flags & SGPU_OPF_VP1))
         continue;
      vp1++;
      for (unsigned i = 0; i < 200; i++) {
         const struct sgpu_instr instr = isa_random_vp1(&r, op);
         assert_null(sgpu_instr_check_vp1(&instr));
         check(&r, &instr, true);
      }
   }
   assert_true(opcodes > 100);
   assert_int_equal(vp1, 17);
}

static void
random_instructions(void **state)
{
   (void)state;
   struct isa_random r = { 0x123456789abcdefull };
   for (long i = 0; i < count; i++) {
      const struct sgpu_instr instr = isa_random_instr(&r, isa_random_opcode(&r));
      check(&r, &instr, false);
   }
}

/* Tests random words.  If they are accepted, packing the instruction must give the same words. */
static void
random_words(void **state)
{
   (void)state;
   struct isa_random r = { 42 };
   long accepted = 0;
   for (long i = 0; i < count; i++) {
      const unsigned op = isa_random_opcode(&r);
      const struct sgpu_opcode_info *info = sgpu_opcode_info(op);
      uint32_t words[4], again[4];
      struct sgpu_instr instr;
      for (unsigned w = 0; w < 4; w++) {
         words[w] = 0;
         for (unsigned b = 0; b < 2; b++)
            words[w] |= isa_random_below(&r, 65536) << (16 * b);
         words[w] &= info->used[w];
         /* Words with fewer bits are more likely to be accepted. */
         if (isa_random_below(&r, 2))
            words[w] &= isa_random_below(&r, 65536) * 0x10001u;
      }
      words[0] = (words[0] & ~511u) | op;
      if (sgpu_instr_unpack(words, &instr))
         continue;
      accepted++;
      assert_null(sgpu_instr_pack(&instr, again));
      assert_memory_equal(words, again, sizeof(again));
   }
   assert_true(accepted > count / 1000);
}

int
main(int argc, char **argv)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_opcode),
      cmocka_unit_test(random_instructions),
      cmocka_unit_test(random_words),
   };
   if (argc > 1)
      count = strtol(argv[1], NULL, 0);
   return cmocka_run_group_tests(tests, NULL, NULL);
}
