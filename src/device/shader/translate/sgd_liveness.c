/* SPDX-License-Identifier: MIT */
/*
 * Translator: liveness of temporaries and predicates.
 *
 * Iterates backwards over the program until it reaches a fixed point. A component is dead if every
 * path has an unguarded write of it before the first read. Edges along the synchronization stack
 * are approximated as in sgd_presets.c: SYNC can jump to any target of SSY and BRA, BRK to any
 * target of PBK, and CONT to any target of PCNT. When no lane is left, other lanes resume, and no
 * instruction has written their registers in the meantime. Operations over quads can see the
 * registers of lanes that wait elsewhere, so in a program with divergence their sources are live
 * everywhere.
 */
#include "shader/translate/sgd_liveness.h"

#include <stdlib.h>
#include <string.h>

#include "shader/program/sgd_decode.h"

/* Maximum number of iterations of the analysis, and maximum length of a program in instructions. */
#define MAX_ROUNDS 32
#define MAX_INSTRUCTIONS 16384

#define WORDS (sizeof(((struct sgd_live *)0)->w) / sizeof(uint64_t))

/* Kinds of stack entries. For each kind, analysis.join[] has the union of the components that are
 * live at the targets.
 */
enum { TO_MEET, TO_BREAK, TO_CONTINUE, NUM_JOINS };

struct analysis {
   const struct sgpu_instr *instr;
   uint32_t num_instrs;
   struct sgd_live *live;
   struct sgd_live join[NUM_JOINS];
   struct sgd_live always;
};

static void
add_bits(struct sgd_live *set, unsigned first, unsigned mask)
{
   /* The four bits of a register never span two words. */
   set->w[first / 64] |= (uint64_t)mask << (first % 64);
}

static void
add_set(struct sgd_live *set, const struct sgd_live *other)
{
   for (unsigned i = 0; i < WORDS; i++)
      set->w[i] |= other->w[i];
}

static void
read_sources(struct sgd_live *set, const struct sgpu_instr *instr)
{
   const struct sgpu_opcode_info *info = sgpu_opcode_info(instr->opcode);
   for (unsigned s = 0; s < info->num_srcs; s++) {
      const struct sgpu_src *src = &instr->src[s];
      if (src->file != SGPU_FILE_TEMP)
         continue;
      if (src->rel)
         memset(set->w, 0xff, SGD_LIVE_PRED / 8);
      else
         add_bits(set, 4 * (unsigned)src->index, sgpu_src_read_mask(info, instr, s));
   }
   if (instr->guard.en)
      add_bits(set, SGD_LIVE_PRED + 4 * instr->guard.reg, 1 << instr->guard.comp);
}

static void
write_result(struct sgd_live *set, const struct sgpu_instr *instr)
{
   if (instr->guard.en || instr->dst.rel ||
       !(sgpu_opcode_info(instr->opcode)->flags & SGPU_OPF_DST))
      return;
   const unsigned file = instr->dst.file;
   if (file != SGPU_FILE_TEMP && file != SGPU_FILE_PRED)
      return;
   const unsigned first = (file == SGPU_FILE_PRED ? SGD_LIVE_PRED : 0) + 4 * instr->dst.index;
   set->w[first / 64] &= ~((uint64_t)instr->dst.mask << (first % 64));
}

/* Computes the set of components that are live after instruction n. */
static void
live_behind(const struct analysis *a, uint32_t n, struct sgd_live *set)
{
   const struct sgpu_instr *instr = &a->instr[n];
   const bool guarded = instr->guard.en;

   memset(set, 0, sizeof(*set));
   switch (instr->opcode) {
   case SGPU_OP_BRA:
      add_set(set, &a->live[instr->target]);
      break;
   case SGPU_OP_SYNC:
      add_set(set, &a->join[TO_MEET]);
      return;
   case SGPU_OP_BRK:
      add_set(set, &a->join[TO_BREAK]);
      break;
   case SGPU_OP_CONT:
      add_set(set, &a->join[TO_CONTINUE]);
      break;
   case SGPU_OP_EXIT:
      break;
   default:
      add_set(set, &a->live[n + 1]);
      return;
   }
   if (guarded)
      add_set(set, &a->live[n + 1]);
}

static void
find_joins(struct analysis *a)
{
   for (uint32_t n = 0; n < a->num_instrs; n++) {
      switch (a->instr[n].opcode) {
      case SGPU_OP_BRA:
      case SGPU_OP_SSY:
         add_set(&a->join[TO_MEET], &a->live[a->instr[n].target]);
         break;
      case SGPU_OP_PBK:
         add_set(&a->join[TO_BREAK], &a->live[a->instr[n].target]);
         break;
      case SGPU_OP_PCNT:
         add_set(&a->join[TO_CONTINUE], &a->live[a->instr[n].target]);
         break;
      default:
         break;
      }
   }
}

static void
find_always(struct analysis *a)
{
   bool divergent = false;
   for (uint32_t n = 0; n < a->num_instrs; n++)
      divergent |= a->instr[n].guard.en || a->instr[n].opcode == SGPU_OP_BRA ||
                   a->instr[n].opcode == SGPU_OP_SYNC;
   for (uint32_t n = 0; divergent && n < a->num_instrs; n++)
      if (sgpu_opcode_info(a->instr[n].opcode)->flags & SGPU_OPF_QUAD)
         read_sources(&a->always, &a->instr[n]);
}

static bool
pass(struct analysis *a)
{
   bool changed = false;
   for (uint32_t n = a->num_instrs; n-- > 0;) {
      struct sgd_live set;
      live_behind(a, n, &set);
      write_result(&set, &a->instr[n]);
      read_sources(&set, &a->instr[n]);
      add_set(&set, &a->always);
      changed |= memcmp(&set, &a->live[n], sizeof(set)) != 0;
      a->live[n] = set;
   }
   return changed;
}

struct sgd_live *
sgd_liveness(const struct sgd_decoded *decoded, uint32_t num_instrs)
{
   struct analysis a = { .instr = decoded->instr, .num_instrs = num_instrs };
   if (num_instrs > MAX_INSTRUCTIONS)
      return NULL;
   a.live = calloc(num_instrs + 1, sizeof(*a.live));
   if (!a.live)
      return NULL;
   find_always(&a);
   unsigned round = 0;
   while (round++ < MAX_ROUNDS && pass(&a))
      find_joins(&a);
   if (round > MAX_ROUNDS) {
      free(a.live);
      return NULL;
   }
   return a.live;
}
