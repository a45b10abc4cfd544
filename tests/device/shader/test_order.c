/* SPDX-License-Identifier: MIT */
/*
 * Translator: the order of nodes in which few values are live.
 */
#include <string.h>

#include "../../rounds.h"
#include "../../unit.h"
#include "machine.h"
#include "shader/translate/sgd_ir.h"
#include "shader/translate/sgd_ir_order.h"
#include "util/macros.h"

#define REGISTER 128 /* bytes of a component for all lanes */
#define LEAVES 6

/* Computes the words that a region stores, for loads of arbitrary words. Also checks that each node
 * comes after its sources.
 */
static uint32_t
stored_words(const struct sgd_ir *ir)
{
   static uint32_t value[SGD_IR_MAX_NODES];
   uint32_t hash = 0;

   for (uint32_t i = 0; i < ir->num_nodes; i++) {
      const struct sgd_ir_node *n = &ir->nodes[i];
      for (unsigned s = 0; s < sgd_ir_num_srcs(n); s++)
         assert_true(n->src[s] < i);
      if (n->kind == SGD_IR_OP)
         value[i] = n->op == SGD_VPADDD ? value[n->src[0]] + value[n->src[1]]
                                        : value[n->src[0]] * 3 ^ value[n->src[1]] * 5;
      else
         value[i] = (n->where + 1) * 0x9e3779b1u;
   }
   for (uint32_t i = 0; i < ir->num_stores; i++)
      hash = hash * 31 + value[ir->stores[i].value] + ir->stores[i].offset;
   return hash;
}

/* Returns the largest number of results that are live at a time. */
static unsigned
most_live(const struct sgd_ir *ir)
{
   static uint32_t last[SGD_IR_MAX_NODES];
   unsigned most = 0;

   memset(last, 0, sizeof(last));
   for (uint32_t i = 0; i < ir->num_nodes; i++)
      for (unsigned s = 0; s < sgd_ir_num_srcs(&ir->nodes[i]); s++)
         last[ir->nodes[i].src[s]] = i;
   for (uint32_t at = 0; at < ir->num_nodes; at++) {
      unsigned live = 0;
      for (uint32_t i = 0; i <= at; i++)
         live += ir->nodes[i].kind == SGD_IR_OP && last[i] > at;
      most = MAX2(most, live);
   }
   return most;
}

/* Random regions store the same words, and have the same nodes with as many uses. */
static void
test_random(void **state)
{
   struct sgd_ir *ir = malloc(sizeof(*ir)), *before = malloc(sizeof(*before));
   struct rng rng = { 31 };

   for (unsigned k = 0; k < TEST_ROUNDS(300); k++) {
      uint16_t node[200];
      const unsigned num = 10 + rng_below(&rng, ARRAY_SIZE(node) - 10);
      uint32_t uses[2] = { 0 };
      sgd_ir_init(ir);
      sgd_ir_leaf(ir, SGD_IR_KEEP, 0);
      for (unsigned n = 0; n < LEAVES; n++)
         node[n] = sgd_ir_leaf(ir, n & 1 ? SGD_IR_LOAD : SGD_IR_SPLAT, n * REGISTER);
      for (unsigned n = LEAVES; n < num; n++)
         node[n] = sgd_ir_op(ir, rng_chance(&rng, 50) ? SGD_VPADDD : SGD_VPUNPCKLDQ, 0,
                             node[rng_below(&rng, n)], node[rng_below(&rng, n)], 0);
      for (unsigned n = 0; n < 8; n++)
         sgd_ir_store(ir, (LEAVES + n) * REGISTER, node[rng_below(&rng, num)], false);
      sgd_ir_optimize(ir);
      *before = *ir;
      sgd_ir_order(ir);
      assert_false(ir->full);
      assert_int_equal(stored_words(ir), stored_words(before));
      for (uint32_t i = 0; i < before->num_nodes; i++)
         uses[0] += before->nodes[i].uses;
      for (uint32_t i = 0; i < ir->num_nodes; i++) {
         assert_true(ir->nodes[i].uses || ir->nodes[i].kind == SGD_IR_KEEP);
         uses[1] += ir->nodes[i].uses;
      }
      assert_int_equal(uses[0], uses[1]);
      assert_true(sgd_ir_find_load(ir, REGISTER) == -1 ||
                  ir->nodes[sgd_ir_find_load(ir, REGISTER)].where == REGISTER);
   }
   free(ir);
   free(before);
}

/* Of results that are all computed before the first one is used, few are live afterwards. */
static void
test_live(void **state)
{
   struct sgd_ir *ir = malloc(sizeof(*ir));
   uint16_t value[20], sum;

   sgd_ir_init(ir);
   const uint16_t x = sgd_ir_leaf(ir, SGD_IR_LOAD, 0), y = sgd_ir_leaf(ir, SGD_IR_LOAD, REGISTER);
   for (unsigned n = 0; n < ARRAY_SIZE(value); n++)
      value[n] = sgd_ir_op(ir, SGD_VPUNPCKLDQ, 0, x, sgd_ir_word(ir, n + 1), 0);
   for (unsigned n = 0; n < ARRAY_SIZE(value); n++)
      value[n] = sgd_ir_op(ir, SGD_VPUNPCKHDQ, 0, value[n], y, 0);
   sum = value[0];
   for (unsigned n = 1; n < ARRAY_SIZE(value); n++)
      sum = sgd_ir_op(ir, SGD_VPADDD, 0, sum, value[n], 0);
   sgd_ir_store(ir, 2 * REGISTER, sum, false);
   sgd_ir_optimize(ir);
   assert_int_equal(most_live(ir), ARRAY_SIZE(value));
   sgd_ir_order(ir);
   assert_int_equal(most_live(ir), 2);
   free(ir);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random),
      cmocka_unit_test(test_live),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
