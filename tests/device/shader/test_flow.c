/* SPDX-License-Identifier: MIT */
/*
 * Control flow of the shader cores: random structured programs against lanes
 * that each go their own way, the watchdog, and programs that must be refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "random_code.h"

/*
 * Random structured programs.  R8 and up count loops; inputs v14 and up hold
 * each lane's number of rounds.
 */

#define MAX_DEPTH 4

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
      /* a continue point may have work of its own */
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

/* CONT needs a continue point of its own loop. */
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

static void
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

static void
test_random(void **state)
{
   struct test_worker *tw = test_worker_create();
   struct code *code = malloc(sizeof(*code));
   struct warp *warp = malloc(sizeof(*warp));
   struct rng r = { 11 };
   for (unsigned n = 0; n < 3000; n++) {
      random_program(&r, code);
      random_warp(&r, warp, rng_chance(&r, 70));
      for (unsigned v = 14; v < 14 + MAX_DEPTH + 1; v++) {
         for (unsigned l = 0; l < SGD_WARP; l++)
            warp->in[v].c[0][l] = rng_below(&r, 4);
      }
      if (rng_chance(&r, 30))
         warp->live &= rng_u32(&r);
      check_code(tw, code, warp, false);
   }
   free(warp);
   free(code);
   test_worker_destroy(tw);
}

/* With derivatives in uniform flow, behind divergent parts that change what
 * they look at: results of all levels are the same.
 */
static void
test_levels_agree(void **state)
{
   struct test_worker *tw = test_worker_create();
   struct code *code = malloc(sizeof(*code));
   struct warp *warp = malloc(sizeof(*warp));
   struct level levels[3];
   const unsigned num_levels = test_levels(levels);
   struct rng r = { 12 };
   for (unsigned n = 0; n < 1500; n++) {
      const char *error;
      random_program(&r, code);
      for (uint32_t k = 0; k < code->count; k++) {
         const struct sgpu_opcode_info *info = sgpu_opcode_info(code->instr[k].opcode);
         if (info->kind == SGPU_KIND_SCAL && info->src_type[0] == SGPU_TYPE_FLOAT &&
             rng_chance(&r, 50))
            code->instr[k].opcode = SGPU_OP_DDX + rng_below(&r, 4);
      }
      random_warp(&r, warp, true);
      for (unsigned v = 14; v < 14 + MAX_DEPTH + 1; v++) {
         for (unsigned l = 0; l < SGD_WARP; l++)
            warp->in[v].c[0][l] = rng_below(&r, 4);
      }
      struct sgd_shader *shader = code_load(code, &error);
      if (!shader)
         fail_msg("refused: %s", error);
      uint64_t first = 0;
      for (unsigned v = 0; v < num_levels; v++) {
         test_run(tw, &levels[v], shader, warp);
         assert_true(warp->ok);
         const uint64_t hash = hash_outputs(warp->out, warp->live_out) ^ warp->live_out;
         if (v == 0)
            first = hash;
         assert_true(hash == first);
      }
      sgd_shader_destroy(shader);
   }
   free(warp);
   free(code);
   test_worker_destroy(tw);
}

/*
 * Single cases
 */

struct fixture {
   struct test_worker *tw;
   struct code code;
   struct warp warp;
   struct sgd_shader *shader;
};

static int
setup(void **state)
{
   struct fixture *f = calloc(1, sizeof(*f));
   f->tw = test_worker_create();
   code_init(&f->code, SGPU_STAGE_PIXEL);
   f->warp.active = f->warp.live = ~0u;
   for (unsigned l = 0; l < SGD_WARP; l++) {
      f->warp.in[0].c[0][l] = l;
      f->warp.in[0].c[1][l] = 1;
   }
   *state = f;
   return 0;
}

static int
teardown(void **state)
{
   struct fixture *f = *state;
   sgd_shader_destroy(f->shader);
   test_worker_destroy(f->tw);
   free(f);
   return 0;
}

static void
load(struct fixture *f)
{
   const char *error;
   f->shader = code_load(&f->code, &error);
   if (!f->shader)
      fail_msg("refused: %s", error);
}

static void
on_all_levels(struct fixture *f, void (*check)(struct fixture *f))
{
   struct level levels[3];
   const unsigned num = test_levels(levels);
   load(f);
   for (unsigned v = 0; v < num; v++) {
      test_run(f->tw, &levels[v], f->shader, &f->warp);
      check(f);
   }
}

/* P0.x = v0.x cond constant */
static void
set_pred(struct code *code, enum sgpu_cond cond, uint32_t value)
{
   code->literal_base = 0;
   code->literals[code->num_literals][0] = value;
   struct sgpu_instr i = op2(SGPU_OP_USETP, dst_m(SGPU_FILE_PRED, 0, 1),
                             src_x(SGPU_FILE_INPUT, 0, 0),
                             src_x(SGPU_FILE_CONST, code->num_literals++, 0));
   i.cond = cond;
   code_add(code, i);
}

static void
check_fired(struct fixture *f)
{
   assert_false(f->warp.ok);
   assert_true(f->warp.fired);
}

static void
test_watchdog(void **state)
{
   struct fixture *f = *state;
   code_add(&f->code, op1(SGPU_OP_MOV, dst(SGPU_FILE_TEMP, 0), src(SGPU_FILE_INPUT, 0)));
   code_add(&f->code, branch(SGPU_OP_BRA, 0));
   f->code.temps = 1;
   f->warp.watchdog = 1000;
   on_all_levels(f, check_fired);
   assert_true(f->warp.issued >= 1000 && f->warp.issued < 1010);
}

/* A stack that grows at each round would be an endless loop, too: the checker
 * refuses it.
 */
static void
test_stack_grows(void **state)
{
   struct fixture *f = *state;
   const char *error;
   code_add(&f->code, branch(SGPU_OP_SSY, 2));
   code_add(&f->code, branch(SGPU_OP_BRA, 0));
   code_add(&f->code, op0(SGPU_OP_EXIT));
   f->shader = code_load(&f->code, &error);
   assert_null(f->shader);
}

/* Lanes 0 to 15 leave a side behind on every round for the others. */
static void
check_divergence(struct fixture *f)
{
   assert_true(f->warp.ok);
   for (unsigned l = 0; l < SGD_WARP; l++)
      assert_int_equal(f->warp.out[0].c[0][l], l * 3);
}

static void
test_divergent_rounds(void **state)
{
   struct fixture *f = *state;
   struct code *c = &f->code;
   /* R0.x counts up to v0.x, by lane; R0.y adds 3 each time */
   c->temps = 1;
   c->literal_base = 0;
   c->num_literals = 1;
   c->literals[0][0] = 0;
   c->literals[0][1] = 1;
   c->literals[0][2] = 3;
   code_add(c, op1(SGPU_OP_MOV, dst(SGPU_FILE_TEMP, 0), src_x(SGPU_FILE_CONST, 0, 0)));
   const uint32_t pbk = code_add(c, branch(SGPU_OP_PBK, 0));
   struct sgpu_instr end = op2(SGPU_OP_USETP, dst_m(SGPU_FILE_PRED, 0, 1),
                               src_x(SGPU_FILE_TEMP, 0, 0), src_x(SGPU_FILE_INPUT, 0, 0));
   end.cond = SGPU_COND_GE;
   const uint32_t top = code_add(c, end);
   code_add(c, guarded(op0(SGPU_OP_BRK), 0, 0, false));
   code_add(c, op2(SGPU_OP_IADD, dst_m(SGPU_FILE_TEMP, 0, 3), src(SGPU_FILE_TEMP, 0),
                   sgpu_src_make(SGPU_FILE_CONST, 0, SGPU_SWIZZLE(1, 2, 2, 2))));
   code_add(c, branch(SGPU_OP_BRA, top));
   c->instr[pbk].target = c->count;
   code_add(c, op1(SGPU_OP_MOV, dst(SGPU_FILE_OUTPUT, 0), src_x(SGPU_FILE_TEMP, 0, 1)));
   on_all_levels(f, check_divergence);
}

/* KIL of three lanes of quad 0 leaves it running; of the fourth, too, ends it. */
static void
check_kill(struct fixture *f)
{
   assert_true(f->warp.ok);
   assert_int_equal(f->warp.live_out, 0xfffffff8u);
   for (unsigned l = 3; l < SGD_WARP; l++)
      assert_int_equal(f->warp.out[0].c[0][l], l);
}

static void
test_kill(void **state)
{
   struct fixture *f = *state;
   set_pred(&f->code, SGPU_COND_LT, 3);
   code_add(&f->code, guarded(op0(SGPU_OP_KIL), 0, 0, false));
   code_add(&f->code, op1(SGPU_OP_MOV, dst(SGPU_FILE_OUTPUT, 0), src_x(SGPU_FILE_INPUT, 0, 0)));
   on_all_levels(f, check_kill);
}

/* Helpers take part in derivatives until their quad has no pixel. */
static void
check_helpers(struct fixture *f)
{
   assert_true(f->warp.ok);
   assert_int_equal(f->warp.live_out, 0xfffffff4u & 0xffffff0fu);
   for (unsigned l = 8; l < SGD_WARP; l++)
      assert_int_equal(f->warp.out[0].c[0][l], 0x3f800000);
   assert_int_equal(f->warp.out[0].c[0][2], 0x3f800000);
   assert_int_equal(f->warp.out[1].c[0][2], 0);
}

static void
test_demote(void **state)
{
   struct fixture *f = *state;
   struct code *c = &f->code;
   c->temps = 1;
   for (unsigned l = 0; l < SGD_WARP; l++)
      f->warp.in[1].c[0][l] = l < 2 || l == 3 || (l >= 4 && l < 8);
   c->literal_base = 0;
   c->num_literals = 1;
   struct sgpu_instr p = op2(SGPU_OP_USETP, dst_m(SGPU_FILE_PRED, 0, 1),
                             src_x(SGPU_FILE_INPUT, 1, 0), src_x(SGPU_FILE_CONST, 0, 0));
   p.cond = SGPU_COND_NE;
   code_add(c, p);
   code_add(c, guarded(op0(SGPU_OP_DMT), 0, 0, false));
   code_add(c, op1(SGPU_OP_U2F, dst(SGPU_FILE_TEMP, 0), src(SGPU_FILE_INPUT, 0)));
   code_add(c, op1(SGPU_OP_DDX, dst(SGPU_FILE_OUTPUT, 0), src_x(SGPU_FILE_TEMP, 0, 0)));
   /* ended lanes are zeros: quad 1 has none left, quad 0 all */
   code_add(c, op1(SGPU_OP_MOV, dst(SGPU_FILE_OUTPUT, 1),
                   src_x(SGPU_FILE_SYS, SGPU_SYS_HELPER, 0)));
   on_all_levels(f, check_helpers);
}

/* Texts name the instruction. */
static void
test_refused(void **state)
{
   struct fixture *f = *state;
   const char *error;
   code_add(&f->code, op0(SGPU_OP_NOP));
   code_add(&f->code, branch(SGPU_OP_BRA, 7));
   f->shader = code_load(&f->code, &error);
   assert_null(f->shader);
   assert_non_null(strstr(error, "instruction 1 (BRA"));

   uint32_t words[4] = { 0x1ff, 0, 0, 0 };
   struct SGPU_SHADER desc = { .instructions = 1, .stage = SGPU_STAGE_VERTEX };
   assert_null(sgd_shader_create(&desc, words, &error));
   assert_non_null(strstr(error, "instruction 0"));
   desc.instructions = 0;
   assert_null(sgd_shader_create(&desc, words, &error));
   desc.instructions = (1u << 24) - 1;
   assert_null(sgd_shader_create(&desc, words, &error));
}

/* Words that someone has tampered with are refused, or do no harm. */
static void
test_hostile(void **state)
{
   struct fixture *f = *state;
   struct level levels[3];
   const unsigned num_levels = test_levels(levels);
   struct rng r = { 13 };
   unsigned ran = 0;
   uint32_t *words = malloc((MAX_CODE + 64) * 16);
   for (unsigned n = 0; n < 4000; n++) {
      const char *error;
      random_program(&r, &f->code);
      for (uint32_t k = 0; k < f->code.count; k++)
         assert_null(sgpu_instr_pack(&f->code.instr[k], words + 4 * k));
      memcpy(words + 4 * f->code.count, f->code.literals, 16 * f->code.num_literals);
      for (unsigned flips = 1 + rng_below(&r, 3); flips; flips--)
         words[rng_below(&r, 4 * f->code.count)] ^= 1u << rng_below(&r, 32);
      const struct SGPU_SHADER desc = {
         .instructions = f->code.count,
         .stage = rng_chance(&r, 90) ? SGPU_STAGE_PIXEL : rng_below(&r, 6),
         .literals = f->code.num_literals,
         .literal_base = f->code.literal_base,
         .temps = f->code.temps,
         .scratch = f->code.scratch,
      };
      struct sgd_shader *shader = sgd_shader_create(&desc, words, &error);
      if (!shader) {
         assert_non_null(error);
         continue;
      }
      random_warp(&r, &f->warp, true);
      f->warp.watchdog = 20000;
      test_run(f->tw, &levels[n % num_levels], shader, &f->warp);
      assert_true(f->warp.ok || f->warp.fired);
      sgd_shader_destroy(shader);
      ran++;
   }
   print_message("%u of 4000 ran\n", ran);
   free(words);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random),
      cmocka_unit_test(test_levels_agree),
      cmocka_unit_test_setup_teardown(test_watchdog, setup, teardown),
      cmocka_unit_test_setup_teardown(test_stack_grows, setup, teardown),
      cmocka_unit_test_setup_teardown(test_divergent_rounds, setup, teardown),
      cmocka_unit_test_setup_teardown(test_kill, setup, teardown),
      cmocka_unit_test_setup_teardown(test_demote, setup, teardown),
      cmocka_unit_test_setup_teardown(test_refused, setup, teardown),
      cmocka_unit_test_setup_teardown(test_hostile, setup, teardown),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
