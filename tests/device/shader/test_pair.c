/* SPDX-License-Identifier: MIT */
/*
 * Translator: two chunks of a region side by side.
 */
#include "../../unit.h"
#include "sgpu_fp.h"
#include "shader/translate/sgd_ir.h"

#define REGISTER 128 /* bytes of a component for all lanes */

/* A pair has the nodes and stores of both chunks, and nodes that depend on constants only once. */
static void
test_chunks(void **state)
{
   struct sgd_ir *ir = malloc(sizeof(*ir)), *pair = malloc(sizeof(*pair));
   uint16_t to[8];

   sgd_ir_init(ir);
   const uint16_t x = sgd_ir_leaf(ir, SGD_IR_LOAD, 3 * REGISTER);
   const uint16_t p = sgd_ir_leaf(ir, SGD_IR_PRED, 16);
   const uint16_t s = sgd_ir_leaf(ir, SGD_IR_SPLAT, 4);
   const uint16_t one = sgd_ir_word(ir, 1);
   const uint16_t sum = sgd_ir_op(ir, SGD_VPADDD, 0, s, one, 0);
   const uint16_t product = sgd_ir_op(ir, SGD_VPAND, 0, x, sum, 0);
   sgd_ir_store(ir, 3 * REGISTER, product, false);
   sgd_ir_store(ir, 20, p, true);
   sgd_ir_optimize(ir);
   sgd_ir_pair(pair, ir, 1, to);

   assert_false(pair->full);
   assert_int_equal(pair->num_nodes, ir->num_nodes + 3);
   const struct sgd_ir_node *first = &pair->nodes[to[product]], *second = first + 1;
   assert_int_equal(second->op, SGD_VPAND);
   assert_int_equal(first->src[1], to[sum]);
   assert_int_equal(second->src[1], to[sum]);
   assert_int_equal(pair->nodes[first->src[0]].where, 3 * REGISTER);
   assert_int_equal(pair->nodes[second->src[0]].where, 3 * REGISTER + SGD_IR_CHUNK);
   assert_int_equal(pair->nodes[to[sum]].src[0], to[s]);

   assert_int_equal(pair->num_stores, 4);
   static const uint32_t offset[4] = { 3 * REGISTER, 3 * REGISTER + SGD_IR_CHUNK, 20, 21 };
   for (unsigned i = 0; i < 4; i++)
      assert_int_equal(pair->stores[i].offset, offset[i]);
   assert_int_equal(pair->nodes[pair->stores[2].value].where, 16);
   assert_int_equal(pair->nodes[pair->stores[3].value].where, 17);
   free(ir);
   free(pair);
}

/* Two sums become one if one of them adds a number whose NaNs need not be replaced. The sum must be
 * exact for NaNs if the other one was.
 */
static void
test_exact(void **state)
{
   struct sgd_ir *ir = malloc(sizeof(*ir)), *pair = malloc(sizeof(*pair));
   uint16_t to[16];

   for (unsigned n = 0; n < 4; n++) {
      const unsigned other = n & 1; /* index of the sum without the replacement */
      const bool exact = n & 2;
      uint16_t sum[2];

      sgd_ir_init(ir);
      const uint16_t x = sgd_ir_leaf(ir, SGD_IR_LOAD, 0);
      const uint16_t y = sgd_ir_leaf(ir, SGD_IR_LOAD, REGISTER);
      const uint16_t nan = sgd_ir_word(ir, SGPU_FP_NAN_BITS);
      const uint16_t is_nan = sgd_ir_op(ir, SGD_VCMPPS, SGD_CMP_UNORD, x, x, 0);
      const uint16_t canon = sgd_ir_op(ir, SGD_VBLENDVPS, 0, x, nan, is_nan);
      for (unsigned i = 0; i < 2; i++) {
         const bool bits = exact && i == other;
         sum[i] = sgd_ir_op(ir, SGD_VADDPS, 0, i == other ? x : canon, y, 0);
         const uint16_t user = sgd_ir_op(ir, bits ? SGD_VPADDD : SGD_VMULPS, 0, sum[i], y, 0);
         sgd_ir_store(ir, (2 + i) * REGISTER, sgd_ir_op(ir, SGD_VCMPPS, SGD_CMP_LT, user, x, 0),
                      false);
      }
      assert_int_not_equal(sum[0], sum[1]);
      sgd_ir_optimize(ir);
      assert_int_equal(ir->nodes[sum[other]].exact, exact);
      assert_false(ir->nodes[sum[!other]].exact);
      sgd_ir_pair(pair, ir, 1, to);
      assert_int_equal(to[sum[0]], to[sum[1]]);
      for (unsigned chunk = 0; chunk < 2; chunk++) {
         const struct sgd_ir_node *node = &pair->nodes[to[sum[0]] + chunk];
         assert_int_equal(node->op, SGD_VADDPS);
         assert_int_equal(node->exact, exact);
         assert_true(node->uses != 0);
      }
   }
   free(ir);
   free(pair);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_chunks),
      cmocka_unit_test(test_exact),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
