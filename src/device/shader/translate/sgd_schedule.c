/* SPDX-License-Identifier: MIT */
/*
 * Translator: determines the order of a region's instructions and stores.
 */
#include "shader/translate/sgd_schedule.h"

#include <stdlib.h>

/* Minimum number of instructions that are moved before the loop. Fewer would not justify a stack
 * frame and stores of their results.
 */
#define MIN_BEFORE 4

/* Returns true if no instruction is needed to compute the value. */
static bool
is_leaf(const struct sgd_ir_node *n)
{
   return n->kind >= SGD_IR_LOAD && n->kind != SGD_IR_PRED;
}

static void
add_step(struct sgd_schedule *schedule, uint16_t what, bool store)
{
   schedule->steps[schedule->num_steps++] = (struct sgd_step){ what, store };
}

/* Finds the nodes that depend only on constants and on words that all lanes have, and schedules them
 * before the loop.
 */
static void
order_constants(struct sgd_schedule *schedule, const struct sgd_ir *ir, bool *is_constant)
{
   uint32_t same = 0;
   for (uint32_t i = 0; i < ir->num_nodes; i++) {
      const struct sgd_ir_node *n = &ir->nodes[i];
      bool constant = n->kind == SGD_IR_SPLAT || n->kind == SGD_IR_SAME || n->kind == SGD_IR_CONST;
      if (n->uses && n->kind == SGD_IR_UNIFORM) {
         constant = true;
         same++;
         add_step(schedule, i, false);
      } else if (n->uses && !is_leaf(n) && n->kind != SGD_IR_PRED && n->kind != SGD_IR_GATHER) {
         constant = true;
         for (unsigned s = 0; s < sgd_ir_num_srcs(n); s++)
            constant &= is_constant[n->src[s]];
         if (constant)
            add_step(schedule, i, false);
      }
      is_constant[i] = constant;
   }
   schedule->num_before = schedule->num_steps;
   if (same || schedule->num_before >= MIN_BEFORE)
      return;
   for (uint32_t i = 0; i < schedule->num_before; i++)
      is_constant[schedule->steps[i].what] = false;
   schedule->num_before = schedule->num_steps = 0;
}

/* Schedules each store directly after the instruction that computes its value, unless a later
 * instruction needs the old value at its offset. All other stores come last, and those of
 * predicates after the others.
 */
static bool
order(struct sgd_schedule *schedule, const struct sgd_ir *ir)
{
   uint32_t *last = calloc(ir->num_nodes, sizeof(*last)); /* last user of each node */
   int32_t *chain = malloc(sizeof(*chain) * ir->num_stores);
   int32_t *head = malloc(sizeof(*head) * ir->num_nodes);
   bool *done = calloc(ir->num_stores + 1, sizeof(*done));
   bool *is_constant = calloc(ir->num_nodes, sizeof(*is_constant));
   if (!last || (!chain && ir->num_stores) || !head || !done || !is_constant) {
      free(last);
      free(chain);
      free(head);
      free(done);
      free(is_constant);
      return false;
   }
   for (uint32_t i = 0; i < ir->num_nodes; i++) {
      const struct sgd_ir_node *n = &ir->nodes[i];
      head[i] = -1;
      for (unsigned s = 0; n->uses && s < sgd_ir_num_srcs(n); s++)
         last[n->src[s]] = i;
   }
   /* Copies of registers that the region doesn't change are stored last. */
   for (uint32_t i = 0; i < ir->num_stores; i++)
      if (ir->nodes[ir->stores[i].value].kind == SGD_IR_LOAD)
         last[ir->stores[i].value] = UINT32_MAX;
   for (uint32_t i = ir->num_stores; i-- > 0;) {
      const struct sgd_ir_store *s = &ir->stores[i];
      chain[i] = head[s->value];
      head[s->value] = i;
   }
   order_constants(schedule, ir, is_constant);
   for (uint32_t i = 0; i < ir->num_nodes; i++) {
      const struct sgd_ir_node *n = &ir->nodes[i];
      if (!n->uses || is_leaf(n))
         continue;
      if (!is_constant[i])
         add_step(schedule, i, false);
      for (int32_t s = head[i]; s >= 0; s = chain[s]) {
         const bool free_place = !ir->stores[s].pred;
         const int old = sgd_ir_find_load(ir, ir->stores[s].offset);
         if (free_place && (old < 0 || last[old] <= i)) {
            add_step(schedule, s, true);
            done[s] = true;
         }
      }
   }
   for (unsigned pred = 0; pred < 2; pred++) {
      for (uint32_t s = 0; s < ir->num_stores; s++)
         if (!done[s] && ir->stores[s].pred == pred)
            add_step(schedule, s, true);
   }
   free(last);
   free(chain);
   free(head);
   free(done);
   free(is_constant);
   return true;
}

bool
sgd_schedule_make(struct sgd_schedule *s, const struct sgd_ir *ir)
{
   *s = (struct sgd_schedule){
      .steps = malloc(sizeof(*s->steps) * (ir->num_nodes + ir->num_stores + 1)),
   };
   return s->steps && order(s, ir);
}

void
sgd_schedule_finish(struct sgd_schedule *s)
{
   free(s->steps);
}
