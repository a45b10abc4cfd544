/* SPDX-License-Identifier: MIT */
/*
 * Translator: analysis of the components that are uniform, i.e. have the same value in all lanes.
 *
 * A result is uniform if its sources are, and if all lanes that have not ended execute the
 * instruction together. Lanes diverge at a branch whose guard can differ. From there on some can
 * wait until the innermost open point is left, so all instructions for which this point is open are
 * divergent. BRK and CONT of some lanes make their own points such points. EXIT and KIL end lanes,
 * but make none wait.
 */
#include "shader/translate/sgd_uniform.h"

#include <stdlib.h>
#include <string.h>

#include "shader/program/sgd_decode.h"
#include "sgpu_flow.h"
#include "util/macros.h"

/* Maximum number of iterations of the analysis, and maximum length of a program in instructions. */
#define MAX_ROUNDS 32
#define MAX_INSTRUCTIONS 16384

#define WORDS ARRAY_SIZE(((struct sgd_live *)0)->w)

struct analysis {
   const struct sgd_decoded *decoded;
   uint32_t num_instrs;
   const int32_t *points;
   struct sgd_live *differ; /* before each instruction, and at the end of the program */
   bool *reached;
   bool *divergent; /* set for points at which lanes can wait */
   bool all_divergent;
   bool changed;
};

bool
sgd_find_points(const struct sgd_shader *shader, int32_t *points)
{
   struct sgpu_flow_instr *flow = calloc(shader->num_instrs + 1, sizeof(*flow));
   uint32_t depth, where;
   bool ok = flow;

   for (uint32_t n = 0; ok && n < shader->num_instrs; n++) {
      struct sgpu_instr instr;
      ok = !sgpu_instr_unpack(shader->words + 4 * (size_t)n, &instr);
      flow[n].opcode = instr.opcode;
      flow[n].guarded = instr.guard.en;
      flow[n].target = instr.target;
   }
   ok = ok && !sgpu_flow_check(flow, shader->num_instrs, &depth, &where, points);
   free(flow);
   return ok;
}

static bool
has_any(const struct sgd_live *set, unsigned first, unsigned mask)
{
   /* The four bits of a register never span two words. */
   return set->w[first / 64] >> (first % 64) & mask;
}

static bool
is_divergent(const struct analysis *a, uint32_t n)
{
   bool divergent = a->all_divergent;
   for (int32_t p = a->points[n]; !divergent && p >= 0; p = a->points[p])
      divergent = a->divergent[p];
   return divergent;
}

static void
set_divergent(struct analysis *a, int32_t point)
{
   bool *divergent = point >= 0 ? &a->divergent[point] : &a->all_divergent;
   a->changed |= !*divergent;
   *divergent = true;
}

/* Returns the innermost point of a kind that is open at instruction n. */
static int32_t
open_point(const struct analysis *a, uint32_t n, unsigned kind)
{
   int32_t p = a->points[n];
   while (p >= 0 && a->decoded->ins[p].kind != kind)
      p = a->points[p];
   return p;
}

static bool
guard_differs(const struct analysis *a, uint32_t n)
{
   const struct sgpu_guard *guard = &a->decoded->instr[n].guard;
   return guard->en && has_any(&a->differ[n], SGD_LIVE_PRED + 4 * guard->reg, 1u << guard->comp);
}

static bool
source_differs(const struct analysis *a, uint32_t n, unsigned s)
{
   const struct sgpu_instr *instr = &a->decoded->instr[n];
   const struct sgpu_src *src = &instr->src[s];
   if (src->rel)
      return true;
   switch (src->file) {
   case SGPU_FILE_CONST:
   case SGPU_FILE_NONE:
      return false;
   case SGPU_FILE_TEMP:
      return has_any(&a->differ[n], 4 * (unsigned)src->index,
                     sgpu_src_read_mask(sgpu_opcode_info(instr->opcode), instr, s));
   default:
      return true;
   }
}

static bool
result_differs(const struct analysis *a, uint32_t n)
{
   const struct sgd_ins *ins = &a->decoded->ins[n];
   const struct sgpu_instr *instr = &a->decoded->instr[n];
   const struct sgpu_opcode_info *info = sgpu_opcode_info(instr->opcode);
   const bool plain = ins->kind == SGD_INS_ALU || ins->kind == SGD_INS_PRED ||
                      (ins->kind == SGD_INS_LDC && !instr->urel);
   if (!plain || info->flags & SGPU_OPF_QUAD || guard_differs(a, n) || is_divergent(a, n))
      return true;
   for (unsigned s = 0; s < info->num_srcs; s++)
      if (source_differs(a, n, s))
         return true;
   return false;
}

static void
write_result(const struct analysis *a, uint32_t n, struct sgd_live *set)
{
   const struct sgpu_instr *instr = &a->decoded->instr[n];
   const unsigned file = instr->dst.file;
   if (!(sgpu_opcode_info(instr->opcode)->flags & SGPU_OPF_DST) ||
       (file != SGPU_FILE_TEMP && file != SGPU_FILE_PRED))
      return;
   if (instr->dst.rel) {
      memset(set->w, 0xff, sizeof(set->w));
      return;
   }
   const unsigned first = (file == SGPU_FILE_PRED ? SGD_LIVE_PRED : 0) + 4 * instr->dst.index;
   const uint64_t bits = (uint64_t)instr->dst.mask << (first % 64);
   if (result_differs(a, n))
      set->w[first / 64] |= bits;
   else if (!instr->guard.en)
      set->w[first / 64] &= ~bits;
}

static void
flow_to(struct analysis *a, uint32_t to, const struct sgd_live *set)
{
   struct sgd_live *with = &a->differ[to];
   for (unsigned i = 0; i < WORDS; i++) {
      a->changed |= set->w[i] & ~with->w[i];
      with->w[i] |= set->w[i];
   }
   a->changed |= !a->reached[to];
   a->reached[to] = true;
}

/* Propagates the set to the target of point p. */
static void
flow_to_point(struct analysis *a, int32_t p, const struct sgd_live *set)
{
   if (p >= 0)
      flow_to(a, a->decoded->ins[p].target, set);
}

static void
step(struct analysis *a, uint32_t n)
{
   const struct sgd_ins *ins = &a->decoded->ins[n];
   const bool guarded = ins->flags & SGD_INS_GUARD;
   const bool parts = guard_differs(a, n) || is_divergent(a, n);
   struct sgd_live set = a->differ[n];
   bool goes_on = guarded;
   int32_t p;

   switch ((enum sgd_ins_kind)ins->kind) {
   case SGD_INS_BRA:
      flow_to(a, ins->target, &set);
      if (guarded && parts)
         set_divergent(a, a->points[n]);
      break;
   case SGD_INS_SYNC:
      flow_to_point(a, a->points[n], &set);
      goes_on = false;
      break;
   case SGD_INS_BRK:
   case SGD_INS_CONT:
      p = open_point(a, n, ins->kind == SGD_INS_BRK ? SGD_INS_PBK : SGD_INS_PCNT);
      flow_to_point(a, p, &set);
      if (parts)
         set_divergent(a, p);
      break;
   case SGD_INS_EXIT:
   case SGD_INS_KIL:
      break;
   default:
      write_result(a, n, &set);
      goes_on = true;
      break;
   }
   if (goes_on)
      flow_to(a, n + 1, &set);
}

struct sgd_live *
sgd_find_differing(const struct sgd_shader *shader, const int32_t *points)
{
   struct analysis a = {
      .decoded = (const struct sgd_decoded *)shader->code,
      .num_instrs = shader->num_instrs,
      .points = points,
   };
   if (a.num_instrs > MAX_INSTRUCTIONS)
      return NULL;
   a.differ = calloc(a.num_instrs + 1, sizeof(*a.differ));
   a.reached = calloc(a.num_instrs + 1, sizeof(*a.reached));
   a.divergent = calloc(a.num_instrs + 1, sizeof(*a.divergent));
   bool ok = a.differ && a.reached && a.divergent;
   if (ok)
      a.reached[0] = a.changed = true;
   /* Temporaries are written or preset before they are read, and predicates are preset. */
   for (unsigned round = 0; ok && a.changed; round++) {
      a.changed = false;
      ok = round < MAX_ROUNDS;
      for (uint32_t n = 0; n < a.num_instrs; n++)
         if (a.reached[n])
            step(&a, n);
   }
   free(a.reached);
   free(a.divergent);
   if (!ok) {
      free(a.differ);
      return NULL;
   }
   return a.differ;
}
