/* SPDX-License-Identifier: MIT */
/*
 * Translator: finds loops whose body is one region.
 */
#include "shader/program/sgd_decode.h"
#include "shader/translate/sgd_regions.h"

/* Returns true if the only predicate that the region accesses is one that it stores. */
static bool
stores_predicate(const struct sgd_ir *ir, unsigned pred)
{
   unsigned stores = 0;
   for (uint32_t i = 0; i < ir->num_nodes; i++)
      if (ir->nodes[i].kind == SGD_IR_PRED && ir->nodes[i].uses)
         return false;
   for (uint32_t i = 0; i < ir->num_stores; i++) {
      if (!ir->stores[i].pred)
         continue;
      if (ir->stores[i].offset != SGD_FILE_PRED + 4 * pred)
         return false;
      stores++;
   }
   return stores == 1;
}

/* Returns true if the region changes a uniform register. A loop would load it
 * before its first round.
 */
static bool
changes_uniform(const struct sgd_ir *ir)
{
   for (uint32_t i = 0; i < ir->num_stores; i++) {
      const uint32_t offset = ir->stores[i].offset;
      for (uint32_t k = 0; k < ir->num_nodes; k++) {
         const struct sgd_ir_node *n = &ir->nodes[k];
         if (n->kind == SGD_IR_UNIFORM && n->uses && n->where == offset && !ir->stores[i].pred)
            return true;
      }
   }
   return false;
}

bool
sgd_regions_loop(const struct sgd_regions *rs, const struct sgd_region *r, bool *invert)
{
   const struct sgd_ins *ins = rs->decoded->ins;
   const uint32_t brk = r->next;
   /* sgd_emit_loop() needs a constant of its own. */
   if (r->quad || r->operands || r->textures || !rs->live ||
       rs->ir.num_consts == SGD_IR_MAX_CONSTS || rs->ir.num_nodes > SGD_IR_MAX_NODES / 2 - 1 ||
       rs->ir.num_stores > SGD_IR_MAX_STORES / 2 || brk + 1 >= rs->num_instrs ||
       ins[brk].kind != SGD_INS_BRK || !(ins[brk].flags & SGD_INS_GUARD))
      return false;
   /* The loop is the region, BRK, BRA, or the region with a branch to BRK before it, BRK. */
   const struct sgd_ins *back = &ins[brk + 1];
   if (r->jump
          ? brk + 1 != r->first
          : back->kind != SGD_INS_BRA || back->flags & SGD_INS_GUARD || back->target != r->first)
      return false;
   const int32_t point = rs->points[brk];
   const unsigned pred = ins[brk].guard;
   *invert = ins[brk].flags & SGD_INS_GUARD_NOT;
   return point >= 0 && ins[point].kind == SGD_INS_PBK && !changes_uniform(&rs->ir) &&
          stores_predicate(&rs->ir, pred) &&
          !sgd_is_live(&rs->live[r->first], SGD_LIVE_PRED + pred) &&
          !sgd_is_live(&rs->live[ins[point].target], SGD_LIVE_PRED + pred);
}
