/* SPDX-License-Identifier: MIT */
/*
 * Tests of the shader cores: random structured programs. R8 and higher registers count loops, and
 * the last one has addresses in scratch memory. Inputs v14 and higher have the number of rounds for
 * each lane. Other loops have as many rounds in all lanes.
 */
#include "random_code.h"

#define MAX_DEPTH 4 /* maximum nesting of loops and branches */
#define ADDRESS (NUM_R + MAX_DEPTH + 1)

/* Words of literals with fixed values, each component w. */
enum { ONES, ROUNDS, WORDS };

static struct sgpu_src
literal(unsigned n)
{
   return src_x(SGPU_FILE_CONST, LITERAL_BASE + n, 3);
}

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

/* Adds an access to scratch memory at an address that is in bounds, except for the last words. */
static void
array(struct rng *r, struct code *code)
{
   const unsigned c = rng_below(r, 4);
   struct sgpu_instr access = random_operands(r, rng_chance(r, 50) ? SGPU_OP_LDL : SGPU_OP_STL);
   code_add(code, op2(SGPU_OP_AND, dst_m(SGPU_FILE_TEMP, ADDRESS, 1 << c),
                      src_x(SGPU_FILE_TEMP, rng_below(r, NUM_R), rng_below(r, 4)), literal(WORDS)));
   /* counters of loops must not change */
   access.dst.rel = false;
   access.dst.relcomp = 0;
   access.src[0] = src_x(SGPU_FILE_TEMP, ADDRESS, c);
   access.offset = rng_chance(r, 50) ? 0 : rng_below(r, 16);
   code_add(code, access);
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
   if (rng_chance(r, 40))
      end.src[1] = literal(ROUNDS);
   end.cond = SGPU_COND_GE;
   code_add(code, end);
   code_add(code, guarded(op0(SGPU_OP_BRK), p, c, false));
   code_add(code, op2(SGPU_OP_ISUB, counter, counted, literal(ONES)));
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
      else if (what < 58)
         array(r, code);
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

/* Sets the literals with fixed values, and makes some registers the same in all lanes. */
static void
set_uniform(struct rng *r, struct code *code)
{
   for (unsigned n = 0; n < NUM_LITERALS; n++) {
      for (unsigned c = 0; c < 4; c++)
         code->literals[n][c] = rng_value(r);
   }
   code->literals[ONES][3] = ~0u;
   code->literals[ROUNDS][3] = rng_below(r, 4);
   code->literals[WORDS][3] = rng_chance(r, 50) ? SCRATCH - 1 : 7;
   for (unsigned n = 0; n < NUM_R; n++)
      if (rng_chance(r, 30))
         code_add(code, op1(SGPU_OP_MOV, dst(SGPU_FILE_TEMP, n),
                            src(SGPU_FILE_CONST, rng_below(r, LITERAL_BASE + NUM_LITERALS))));
}

void
random_program(struct rng *r, struct code *code)
{
   do {
      code_init(code, SGPU_STAGE_PIXEL);
      random_prelude(code);
      code->temps = ADDRESS + 1;
      set_uniform(r, code);
      block(r, code, 0, false);
      block(r, code, 0, false);
      add_continues(r, code);
      random_epilogue(code);
   } while (code->count > 1000);
}

/* Returns an instruction for all lanes that accesses registers at fixed places. */
static struct sgpu_instr
random_plain(struct rng *r)
{
   for (;;) {
      const struct sgpu_instr i = random_instr(r, false);
      const struct sgpu_opcode_info *info = sgpu_opcode_info(i.opcode);
      bool plain = !i.guard.en && i.dst.file == SGPU_FILE_TEMP && !i.dst.rel &&
                   info->kind != SGPU_KIND_MEM;
      for (unsigned s = 0; s < info->num_srcs; s++)
         plain &= !i.src[s].rel;
      if (plain)
         return i;
   }
}

void
random_loop(struct rng *r, struct code *code)
{
   const struct sgpu_dst counter = dst_m(SGPU_FILE_TEMP, NUM_R, 1);
   const struct sgpu_src counted = src_x(SGPU_FILE_TEMP, NUM_R, 0);
   const bool first = rng_chance(r, 50), less = rng_chance(r, 50);
   struct sgpu_instr end = op2(SGPU_OP_USETP, dst_m(SGPU_FILE_PRED, 0, 1), counted,
                               src_x(SGPU_FILE_INPUT, 14, 0));
   end.cond = less ? SGPU_COND_LT : SGPU_COND_GE;
   const struct sgpu_instr brk = guarded(op0(SGPU_OP_BRK), 0, 0, less);

   code_init(code, SGPU_STAGE_PIXEL);
   random_prelude(code);
   code->temps = NUM_R + 1;
   set_uniform(r, code);
   code_add(code, op1(SGPU_OP_MOV, counter, src_x(SGPU_FILE_CONST, 15, 0)));
   const uint32_t pbk = code_add(code, branch(SGPU_OP_PBK, 0));
   const uint32_t top = code->count;
   if (first) {
      code_add(code, end);
      code_add(code, brk);
   }
   for (unsigned n = 1 + rng_below(r, 12); n; n--) {
      /* copies make the order of reads and writes matter */
      if (rng_chance(r, 50))
         code_add(code, op1(SGPU_OP_MOV, dst(SGPU_FILE_TEMP, rng_below(r, NUM_R)),
                            src(SGPU_FILE_TEMP, rng_below(r, NUM_R))));
      else
         code_add(code, random_plain(r));
   }
   code_add(code, op2(SGPU_OP_ISUB, counter, counted, literal(ONES)));
   if (!first) {
      code_add(code, end);
      code_add(code, brk);
   }
   code_add(code, branch(SGPU_OP_BRA, top));
   code->instr[pbk].target = code->count;
   random_epilogue(code);
}

void
random_rounds(struct rng *r, struct warp *warp)
{
   for (unsigned v = 14; v < 14 + MAX_DEPTH + 1; v++) {
      for (unsigned l = 0; l < SGD_WARP; l++)
         warp->in[v].c[0][l] = rng_below(r, 4);
   }
}
