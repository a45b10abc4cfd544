/* SPDX-License-Identifier: MIT */
/*
 * Tests of the shader cores: random structured programs. R8 and higher registers count loops.
 * Inputs v14 and higher have the number of rounds for each lane.
 */
#include "random_code.h"

#define MAX_DEPTH 4 /* maximum nesting of loops and branches */

static struct sgpu_instr
random_simple(struct rng *r)
{
   struct sgpu_instr i;
   do {
      i = random_instr(r, false);
   } while (i.dst.file == SGPU_FILE_TEMP && i.dst.rel);
   if (rng_chance(r, 10) && i.dst.file == SGPU_FILE_TEMP)
      i.dst.file = SGPU_FILE_OUTPUT;
   return i;
}

static struct sgpu_instr
random_guard(struct rng *r, struct sgpu_instr i)
{
   return guarded(i, rng_below(r, 4), rng_below(r, 4), rng_chance(r, 50));
}

static void block(struct rng *r, struct code *code, unsigned depth, bool in_loop);

static void
branch_if(struct rng *r, struct code *code, unsigned depth, bool in_loop)
{
   const uint32_t ssy = code_add(code, branch(SGPU_OP_SSY, 0));
   const uint32_t bra = code_add(code, random_guard(r, branch(SGPU_OP_BRA, 0)));
   block(r, code, depth + 1, in_loop);
   code_add(code, op0(SGPU_OP_SYNC));
   code->instr[bra].target = code->count;
   if (rng_chance(r, 60))
      block(r, code, depth + 1, in_loop);
   code_add(code, op0(SGPU_OP_SYNC));
   code->instr[ssy].target = code->count;
}

static void
loop(struct rng *r, struct code *code, unsigned depth)
{
   const unsigned count = NUM_R + depth;
   const struct sgpu_dst counter = dst_m(SGPU_FILE_TEMP, count, 1);
   const struct sgpu_src counted = src_x(SGPU_FILE_TEMP, count, 0);
   const unsigned p = rng_below(r, 4), c = rng_below(r, 4);
   const bool continues = rng_chance(r, 70);

   code_add(code, op1(SGPU_OP_MOV, counter, src_x(SGPU_FILE_CONST, 15, 0)));
   const uint32_t pbk = code_add(code, branch(SGPU_OP_PBK, 0));
   const uint32_t top = code->count;
   struct sgpu_instr end = op2(SGPU_OP_USETP, dst_m(SGPU_FILE_PRED, p, 1 << c), counted,
                               src_x(SGPU_FILE_INPUT, 14 + depth, 0));
   end.cond = SGPU_COND_GE;
   code_add(code, end);
   code_add(code, guarded(op0(SGPU_OP_BRK), p, c, false));
   code_add(code, op2(SGPU_OP_ISUB, counter, counted, src_x(SGPU_FILE_CONST, LITERAL_BASE, 3)));
   const uint32_t pcnt = continues ? code_add(code, branch(SGPU_OP_PCNT, 0)) : 0;
   block(r, code, depth + 1, true);
   if (continues) {
      code_add(code, op0(SGPU_OP_CONT));
      code->instr[pcnt].target = code->count;
      /* instructions after a continue point */
      code_add(code, random_simple(r));
   }
   code_add(code, branch(SGPU_OP_BRA, top));
   code->instr[pbk].target = code->count;
}

static void
block(struct rng *r, struct code *code, unsigned depth, bool in_loop)
{
   const unsigned length = 1 + rng_below(r, 4);
   for (unsigned n = 0; n < length; n++) {
      const unsigned what = rng_below(r, 100);
      if (what < 20 && depth < MAX_DEPTH)
         branch_if(r, code, depth, in_loop);
      else if (what < 32 && depth < MAX_DEPTH)
         loop(r, code, depth);
      else if (what < 40 && in_loop)
         code_add(code, random_guard(r, op0(SGPU_OP_BRK)));
      else if (what < 43)
         code_add(code, random_guard(r, op0(SGPU_OP_EXIT)));
      else if (what < 46)
         code_add(code, random_guard(r, op0(SGPU_OP_KIL)));
      else if (what < 49)
         code_add(code, random_guard(r, op0(SGPU_OP_DMT)));
      else
         code_add(code, random_simple(r));
   }
}

/* Replaces BRK by CONT in some places that are between a PCNT and its target. */
static void
add_continues(struct rng *r, struct code *code)
{
   int depth[MAX_CODE + 1] = { 0 };
   for (uint32_t n = 0; n < code->count; n++) {
      const struct sgpu_instr *i = &code->instr[n];
      if (i->opcode != SGPU_OP_PCNT)
         continue;
      for (uint32_t k = n + 1; k < i->target; k++)
         depth[k]++;
   }
   for (uint32_t n = 0; n < code->count; n++) {
      struct sgpu_instr *i = &code->instr[n];
      if (depth[n] && i->opcode == SGPU_OP_BRK && rng_chance(r, 40) &&
          !(n && code->instr[n - 1].opcode == SGPU_OP_USETP))
         i->opcode = SGPU_OP_CONT;
   }
}

void
random_program(struct rng *r, struct code *code)
{
   do {
      code_init(code, SGPU_STAGE_PIXEL);
      random_prelude(code);
      code->temps = NUM_R + MAX_DEPTH + 1;
      for (unsigned n = 0; n < NUM_LITERALS; n++) {
         for (unsigned c = 0; c < 4; c++)
            code->literals[n][c] = rng_value(r);
      }
      code->literals[0][3] = ~0u;
      block(r, code, 0, false);
      block(r, code, 0, false);
      add_continues(r, code);
      random_epilogue(code);
   } while (code->count > 1000);
}

void
random_rounds(struct rng *r, struct warp *warp)
{
   for (unsigned v = 14; v < 14 + MAX_DEPTH + 1; v++) {
      for (unsigned l = 0; l < SGD_WARP; l++)
         warp->in[v].c[0][l] = rng_below(r, 4);
   }
}
