/* SPDX-License-Identifier: MIT */
/*
 * Translator: a comparison that is replaced by a constant has this result for all values that its
 * sources can have. Values of a source are sampled.
 */
#include "../../unit.h"

#include "shader/translate/sgd_ir.h"
#include "util/macros.h"
#include "util/u_math.h"

#define MAX_VALUES 6

struct source {
   uint16_t node;
   unsigned num;
   float value[MAX_VALUES];
};

/* The predicates of VCMPPS, in the order of their immediates (Intel SDM, CMPPS). */
static bool
compare(unsigned imm, float x, float y)
{
   const bool unordered = x != x || y != y;
   switch (imm) {
   case 0:
      return x == y;
   case 1:
      return x < y;
   case 2:
      return x <= y;
   case 3:
      return unordered;
   case 4:
      return x != y;
   case 5:
      return !(x < y);
   case 6:
      return !(x <= y);
   case 7:
      return !unordered;
   case 8:
      return unordered || x == y;
   case 9:
      return !(x >= y);
   case 10:
      return !(x > y);
   case 11:
      return false;
   case 12:
      return !unordered && x != y;
   case 13:
      return x >= y;
   case 14:
      return x > y;
   default:
      return true;
   }
}

static struct source
constant(struct sgd_ir *ir, float value)
{
   return (struct source){ sgd_ir_word(ir, fui(value)), 1, { value } };
}

static void
test_comparisons(void **state)
{
   static struct sgd_ir ir;
   const float nan = uif(0x7fc00000);

   sgd_ir_init(&ir);
   const uint16_t load = sgd_ir_leaf(&ir, SGD_IR_LOAD, 0);
   const uint16_t other = sgd_ir_leaf(&ir, SGD_IR_LOAD, SGD_IR_CHUNK);
   const uint16_t integer = sgd_ir_op(&ir, SGD_VCVTDQ2PS, 0, load, 0, 0);
   const struct source sources[] = {
      { load, 6, { nan, -1.0f, -0.0f, 0.0f, 1.0f, 2.0f } },
      { other, 6, { nan, -1.0f, -0.0f, 0.0f, 1.0f, 2.0f } },
      /* numbers of both signs */
      { integer, 4, { -1.0f, 0.0f, 1.0f, 2.0f } },
      /* numbers that are not negative */
      { sgd_ir_op(&ir, SGD_VMULPS, 0, integer, integer, 0), 3, { 0.0f, 1.0f, 4.0f } },
      constant(&ir, 0.0f),
      constant(&ir, 1.0f),
      constant(&ir, nan),
   };
   unsigned folded = 0;

   for (unsigned imm = 0; imm < 16; imm++) {
      for (unsigned i = 0; i < ARRAY_SIZE(sources); i++) {
         for (unsigned j = 0; j < ARRAY_SIZE(sources); j++) {
            const struct source *a = &sources[i], *b = &sources[j];
            const uint16_t node = sgd_ir_op(&ir, SGD_VCMPPS, imm, a->node, b->node, 0);
            const uint32_t *w = sgd_ir_words(&ir, node);
            if (!w)
               continue;
            folded++;
            for (unsigned m = 0; m < a->num; m++) {
               for (unsigned n = 0; n < b->num; n++) {
                  if (i == j && m != n)
                     continue;
                  const uint32_t want = compare(imm, a->value[m], b->value[n]) ? ~0u : 0;
                  if (w[0] != want)
                     fail_msg("predicate %u of %g and %g (sources %u, %u) is %#x", imm, a->value[m],
                              b->value[n], i, j, w[0]);
               }
            }
         }
      }
   }
   /* All comparisons of two constants, and those that never hold or always do. */
   assert_true(folded > 16 * 9 + 2 * 40);
   assert_false(ir.full);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_comparisons),
   };
   return cmocka_run_group_tests_name("shader fold", tests, NULL, NULL);
}
