/* SPDX-License-Identifier: MIT */
/*
 * Shader core, decoder: the order in which an instruction writes the components of its
 * result.
 */
#include "sgd_decode.h"

/* Whether, written in this order, a component is overwritten before a later one
 * has read it.  A component may be written over its own sources.
 */
static bool
comp_reads(const struct sgpu_opcode_info *info, const struct sgd_ins *ins, unsigned n, uint32_t d)
{
   switch (info->kind) {
   case SGPU_KIND_COMP:
   case SGPU_KIND_QUAD:
      return ins->comp[n].a == d || (info->num_srcs > 1 && ins->comp[n].b == d) ||
             (info->num_srcs > 2 && ins->comp[n].c == d);
   case SGPU_KIND_SCALV:
      return info->reads[0][ins->dcomp[n]] && ins->comp[0].a == d;
   case SGPU_KIND_VEC:
   case SGPU_KIND_PAIR:
      for (unsigned p = 0; p < 4; p++) {
         if ((info->reads[0][ins->dcomp[n]] & (1 << p)) && ins->comp[p].a == d)
            return true;
         if (info->num_srcs > 1 && (info->reads[1][ins->dcomp[n]] & (1 << p)) &&
             ins->comp[p].b == d)
            return true;
         if (info->num_srcs > 2 && (info->reads[2][ins->dcomp[n]] & (1 << p)) &&
             ins->comp[p].c == d)
            return true;
      }
      return false;
   default:
      return false; /* all is read before the first write ends */
   }
}

static void
swap_comps(const struct sgpu_opcode_info *info, struct sgd_ins *ins, unsigned i, unsigned j)
{
   const struct sgd_comp t = ins->comp[i];
   const uint8_t c = ins->dcomp[i];
   if (info->kind == SGPU_KIND_COMP || info->kind == SGPU_KIND_QUAD) {
      ins->comp[i] = ins->comp[j];
      ins->comp[j] = t;
   } else {
      /* a and b go by position, only the results move */
      ins->comp[i].d = ins->comp[j].d;
      ins->comp[j].d = t.d;
   }
   ins->dcomp[i] = ins->dcomp[j];
   ins->dcomp[j] = c;
}

/* The handler takes the components of a 64-bit result in order: HAZARD where the
 * second value reads what the first one overwrites.
 */
static void
check_pairs(const struct sgpu_opcode_info *info, struct sgd_ins *ins)
{
   if (ins->num_comps == 4 &&
       (comp_reads(info, ins, 2, ins->comp[0].d) || comp_reads(info, ins, 2, ins->comp[1].d)))
      ins->flags |= SGD_INS_HAZARD;
}

void
sgd_order_comps(const struct sgpu_opcode_info *info, struct sgd_ins *ins)
{
   const unsigned count = ins->num_comps;
   if (sgpu_type_is_wide(info->dst_type)) {
      check_pairs(info, ins);
      return;
   }
   for (unsigned n = 0; n + 1 < count; n++) {
      unsigned pick;
      for (pick = n; pick < count; pick++) {
         bool free = true;
         for (unsigned k = n; k < count; k++)
            free &= k == pick || !comp_reads(info, ins, k, ins->comp[pick].d);
         if (free)
            break;
      }
      if (pick == count) {
         ins->flags |= SGD_INS_HAZARD;
         return;
      }
      if (pick != n)
         swap_comps(info, ins, n, pick);
   }
}
