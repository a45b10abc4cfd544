/* SPDX-License-Identifier: MIT */
/*
 * Control flow of the shader cores: random structured programs, compared with lanes that run
 * separately; the watchdog; and programs that must be refused.
 */
#include <stdio.h>

#include "../../rounds.h"
#include "../../unit.h"
#include "random_code.h"
#include "shader/program/sgd_decode.h"
#include "shader/translate/sgd_translate.h"
#include "shader/interp/sgd_native.h"
#include "shader/program/sgd_translation.h"

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
test_random(void **state)
{
   struct fixture *f = *state;
   struct code *code = &f->code;
   struct warp *warp = &f->warp;
   struct rng r = { 11 };
   for (unsigned n = 0; n < TEST_ROUNDS(3000); n++) {
      random_program(&r, code);
      random_warp(&r, warp, rng_chance(&r, 70));
      random_rounds(&r, warp);
      if (rng_chance(&r, 30))
         warp->live &= rng_u32(&r);
      check_code(f->tw, code, warp, false);
   }
}

/* Runs the program on all levels. Results and errors must be the same. */
static void
check_same(struct test_worker *tw, struct sgd_shader *shader, struct warp *warp)
{
   struct level levels[MAX_LEVELS];
   const unsigned num_levels = test_levels(levels);
   uint64_t first_hash = 0, first_issued = 0;
   struct sgd_stop_info first_stop = { 0 };

   for (unsigned v = 0; v < num_levels; v++) {
      test_run(tw, &levels[v], shader, warp);
      assert_true(warp->ok || warp->stop.reason == SGD_STOP_WATCHDOG);
      const uint64_t hash = hash_outputs(warp->out, warp->live_out) ^ warp->live_out;
      if (v == 0) {
         first_hash = hash;
         first_issued = warp->issued;
         first_stop = warp->stop;
      }
      assert_true(hash == first_hash);
      assert_true(warp->issued == first_issued);
      assert_int_equal(warp->stop.reason, first_stop.reason);
      assert_int_equal(warp->stop.pc, first_stop.pc);
   }
}

/* Programs with derivatives in uniform flow, after divergent parts that change their sources. All
 * levels must have the same results.
 */
static void
test_levels_agree(void **state)
{
   struct fixture *f = *state;
   struct code *code = &f->code;
   struct warp *warp = &f->warp;
   struct rng r = { 12 };
   for (unsigned n = 0; n < TEST_ROUNDS(1500); n++) {
      const char *error;
      random_program(&r, code);
      for (uint32_t k = 0; k < code->count; k++) {
         const struct sgpu_opcode_info *info = sgpu_opcode_info(code->instr[k].opcode);
         if (info->kind == SGPU_KIND_SCAL && info->src_type[0] == SGPU_TYPE_FLOAT &&
             rng_chance(&r, 50))
            code->instr[k].opcode = SGPU_OP_DDX + rng_below(&r, 4);
      }
      random_warp(&r, warp, true);
      random_rounds(&r, warp);
      struct sgd_shader *shader = code_load(code, &error);
      if (!shader)
         fail_msg("refused: %s", error);
      check_same(f->tw, shader, warp);
      assert_true(warp->ok);
      sgd_shader_destroy(shader);
   }
}

/* Copies the inputs of lane 0 to all lanes, or those of the first lane of each half of the warp to
 * this half.
 */
static void
level_inputs(struct warp *warp, bool halves)
{
   struct sgd_vec *regs[] = { warp->in, warp->sys };
   for (unsigned n = 0; n < 64; n++) {
      for (unsigned c = 0; c < 4; c++) {
         uint32_t *lanes = regs[n / 32][n % 32].c[c];
         for (unsigned l = 0; l < SGD_WARP; l++)
            lanes[l] = lanes[halves ? l & 16 : 0];
      }
   }
}

/* Counts the regions of a program that are loops, or that compute uniform values once. */
static void
count_regions(const struct sgd_shader *shader, unsigned *loops, unsigned *uniform)
{
   const struct sgd_translation *t = ((const struct sgd_decoded *)shader->code)->translation;
   for (uint32_t n = 0; t && n < t->num_regions; n++) {
      *loops += t->regions[n].loop;
      *uniform += t->regions[n].uniform;
   }
}

/* Programs never leave machine code, whether lanes agree on branches or not. The watchdog stops them
 * at the same instruction.
 */
static void
test_together(void **state)
{
   struct fixture *f = *state;
   struct code *code = &f->code;
   struct warp *warp = &f->warp;
   struct rng r = { 13 };
   unsigned programs = 0, loops = 0, uniform = 0;
   for (unsigned n = 0; n < TEST_ROUNDS(1000); n++) {
      const bool halves = n % 2;
      const char *error;
      random_program(&r, code);
      random_warp(&r, warp, true);
      random_rounds(&r, warp);
      level_inputs(warp, halves);
      struct sgd_shader *shader = code_load(code, &error);
      if (!shader)
         fail_msg("refused: %s", error);
      check_same(f->tw, shader, warp); /* the last level executes machine code */
      assert_true(warp->ok);
      const struct sgd_translation *t = ((const struct sgd_decoded *)shader->code)->translation;
      assert_true(!t == !sgd_can_translate());
      if (t && t->program)
         programs++;
      if (t)
         assert_int_equal(warp->native, warp->issued);
      count_regions(shader, &loops, &uniform);
      const uint64_t issued = warp->issued;
      for (unsigned k = 0; k < 4; k++) {
         warp->watchdog = 1 + rng_below(&r, (uint32_t)issued);
         check_same(f->tw, shader, warp);
      }
      sgd_shader_destroy(shader);
   }
   /* The other programs are one region each. */
   assert_true(!sgd_can_translate() || programs > TEST_ROUNDS(900));
   print_message("%u regions with uniform values\n", uniform);
   assert_true(!sgd_can_translate() || uniform > TEST_ROUNDS(500));
}

/* Loops that machine code executes for a part of the lanes after the other. The watchdog stops them
 * in any round.
 */
static void
test_loops(void **state)
{
   struct fixture *f = *state;
   struct code *code = &f->code;
   struct warp *warp = &f->warp;
   struct rng r = { 14 };
   unsigned loops = 0, uniform = 0;
   for (unsigned n = 0; n < TEST_ROUNDS(1500); n++) {
      const char *error;
      random_loop(&r, code);
      random_warp(&r, warp, rng_chance(&r, 70));
      random_rounds(&r, warp);
      for (unsigned l = 0; l < SGD_WARP; l++)
         warp->in[14].c[0][l] = rng_chance(&r, 90) ? rng_below(&r, 9) : rng_below(&r, 60);
      check_code(f->tw, code, warp, false);
      struct sgd_shader *shader = code_load(code, &error);
      if (!shader)
         fail_msg("refused: %s", error);
      check_same(f->tw, shader, warp);
      count_regions(shader, &loops, &uniform);
      const uint64_t issued = warp->issued;
      for (unsigned k = 0; k < 4; k++) {
         warp->watchdog = 1 + rng_below(&r, (uint32_t)issued);
         check_same(f->tw, shader, warp);
      }
      sgd_shader_destroy(shader);
   }
   print_message("%u loops are a function\n", loops);
   assert_true(!sgd_can_translate() || loops > TEST_ROUNDS(300));
}

/*
 * Single cases
 */

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
   struct level levels[MAX_LEVELS];
   const unsigned num = test_levels(levels);
   load(f);
   for (unsigned v = 0; v < num; v++) {
      test_run(f->tw, &levels[v], f->shader, &f->warp);
      check(f);
   }
}

/* Appends P0.x = v0.x cond value. */
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
   const struct sgd_stop_info *stop = &f->warp.stop;

   assert_int_equal(stop->reason, SGD_STOP_WATCHDOG);
   assert_int_equal(stop->stage, f->shader->stage);
   assert_true(stop->program == f->shader->key);
   assert_true(stop->pc < f->shader->num_instrs);
   assert_true(f->warp.issued >= 1000 && f->warp.issued < 1010);
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
}

/* A loop that pushes to the stack in each round would never end, so the checker refuses it. */
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

/* Lanes 0 to 15 diverge from the others in every round of a loop. */
static void
check_divergence(struct fixture *f)
{
   assert_true(f->warp.ok);
   for (unsigned l = 0; l < SGD_WARP; l++)
      assert_int_equal(f->warp.out[0].c[0][l], l * 3);
}

static void
count_rounds(struct fixture *f)
{
   struct code *c = &f->code;
   /* R0.x counts up to v0.x of each lane; R0.y grows by 3 each time */
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
}

static void
test_divergent_rounds(void **state)
{
   count_rounds(*state);
   on_all_levels(*state, check_divergence);
}

/* The loop takes more instructions than machine code issues between two looks at other work. */
static void
check_long(struct fixture *f)
{
   assert_true(f->warp.ok);
   assert_true(f->warp.issued > 2 * SGD_NATIVE_SLICE);
   for (unsigned l = 0; l < SGD_WARP; l++)
      assert_int_equal(f->warp.out[0].c[0][l], f->warp.in[0].c[0][l] * 3);
}

static void
test_long_loop(void **state)
{
   struct fixture *f = *state;

   count_rounds(f);
   f->warp.watchdog = 64 * SGD_NATIVE_SLICE;
   for (unsigned l = 0; l < SGD_WARP; l++)
      f->warp.in[0].c[0][l] = l * (SGD_NATIVE_SLICE / 32);
   on_all_levels(f, check_long);
}

/* CLK is not in machine code. Lanes 0 to 15 execute it while the others wait. */
static void
check_clock(struct fixture *f)
{
   assert_true(f->warp.ok);
   for (unsigned l = 0; l < SGD_WARP; l++)
      assert_int_equal(f->warp.out[0].c[0][l], l < 16 ? 2 * l : l);
}

static void
test_clock(void **state)
{
   struct fixture *f = *state;
   struct code *c = &f->code;
   const struct sgpu_src lane = src_x(SGPU_FILE_INPUT, 0, 0);

   c->temps = 2;
   set_pred(c, SGPU_COND_GE, 16);
   code_add(c, op1(SGPU_OP_MOV, dst(SGPU_FILE_TEMP, 0), lane));
   const uint32_t ssy = code_add(c, branch(SGPU_OP_SSY, 0));
   const uint32_t bra = code_add(c, guarded(branch(SGPU_OP_BRA, 0), 0, 0, false));
   code_add(c, op0(SGPU_OP_CLK));
   c->instr[c->count - 1].dst = dst(SGPU_FILE_TEMP, 1);
   code_add(c, op2(SGPU_OP_IADD, dst(SGPU_FILE_TEMP, 0), src(SGPU_FILE_TEMP, 0), lane));
   code_add(c, op0(SGPU_OP_SYNC));
   c->instr[bra].target = c->count;
   code_add(c, op0(SGPU_OP_SYNC));
   c->instr[ssy].target = c->count;
   code_add(c, op1(SGPU_OP_MOV, dst(SGPU_FILE_OUTPUT, 0), src(SGPU_FILE_TEMP, 0)));
   on_all_levels(f, check_clock);
}

/* A quad keeps running after KIL of three of its lanes, and ends after KIL of the fourth. */
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

/* Lanes that a KIL without a guard ends do not reach the synchronization point. */
static void
test_kill_side(void **state)
{
   struct fixture *f = *state;
   set_pred(&f->code, SGPU_COND_LT, 3);
   code_add(&f->code, branch(SGPU_OP_SSY, 5));
   code_add(&f->code, guarded(branch(SGPU_OP_BRA, 4), 0, 0, false));
   code_add(&f->code, op0(SGPU_OP_SYNC));
   code_add(&f->code, op0(SGPU_OP_KIL));
   code_add(&f->code, op1(SGPU_OP_MOV, dst(SGPU_FILE_OUTPUT, 0), src_x(SGPU_FILE_INPUT, 0, 0)));
   on_all_levels(f, check_kill);
   if (sgd_can_translate())
      assert_non_null(((const struct sgd_decoded *)f->shader->code)->translation);
}

/* Helper lanes take part in derivatives until their quad has no live pixel. */
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
   /* ended lanes read as zeros: quad 1 has no lane left, quad 0 has all */
   code_add(c,
            op1(SGPU_OP_MOV, dst(SGPU_FILE_OUTPUT, 1), src_x(SGPU_FILE_SYS, SGPU_SYS_HELPER, 0)));
   on_all_levels(f, check_helpers);
}

/* After a BRK, lanes wait for others that read their registers, even if they do not need these
 * registers any more.
 */
static void
check_waiting(struct fixture *f)
{
   assert_true(f->warp.ok);
   for (unsigned l = 0; l < SGD_WARP; l += 2) {
      assert_int_equal(f->warp.out[0].c[0][l], 0x41200000); /* 10 */
      assert_int_equal(f->warp.out[0].c[0][l + 1], 0);
   }
}

static void
test_waiting(void **state)
{
   struct fixture *f = *state;
   struct code *c = &f->code;
   c->temps = 3;
   c->literal_base = 0;
   c->num_literals = 1;
   for (unsigned l = 0; l < SGD_WARP; l++) {
      f->warp.in[1].c[0][l] = l % 2 == 0;
      f->warp.in[2].c[0][l] = 0x41a00000; /* 20 */
      f->warp.in[3].c[0][l] = 0x41200000;
   }
   struct sgpu_instr p = op2(SGPU_OP_USETP, dst_m(SGPU_FILE_PRED, 0, 1),
                             src_x(SGPU_FILE_INPUT, 1, 0), src_x(SGPU_FILE_CONST, 0, 0));
   p.cond = SGPU_COND_NE;
   code_add(c, p);
   code_add(c, op1(SGPU_OP_MOV, dst(SGPU_FILE_TEMP, 0), src_x(SGPU_FILE_INPUT, 3, 0)));
   code_add(c, op1(SGPU_OP_MOV, dst(SGPU_FILE_TEMP, 1), src_x(SGPU_FILE_CONST, 0, 0)));
   const uint32_t pbk = code_add(c, branch(SGPU_OP_PBK, 0));
   const uint32_t ssy = code_add(c, branch(SGPU_OP_SSY, 0));
   const uint32_t bra = code_add(c, guarded(branch(SGPU_OP_BRA, 0), 0, 0, false));
   /* odd lanes */
   code_add(c, op1(SGPU_OP_MOV, dst(SGPU_FILE_TEMP, 0), src_x(SGPU_FILE_INPUT, 2, 0)));
   code_add(c, op1(SGPU_OP_MOV, dst(SGPU_FILE_TEMP, 2), src_x(SGPU_FILE_INPUT, 2, 0)));
   code_add(c, op0(SGPU_OP_BRK));
   /* even lanes */
   c->instr[bra].target = c->count;
   code_add(c, op1(SGPU_OP_DDX, dst(SGPU_FILE_TEMP, 1), src_x(SGPU_FILE_TEMP, 0, 0)));
   code_add(c, op1(SGPU_OP_MOV, dst(SGPU_FILE_TEMP, 2), src_x(SGPU_FILE_TEMP, 1, 0)));
   code_add(c, op0(SGPU_OP_SYNC));
   c->instr[ssy].target = c->count;
   code_add(c, op0(SGPU_OP_BRK));
   c->instr[pbk].target = c->count;
   code_add(c, op1(SGPU_OP_MOV, dst(SGPU_FILE_OUTPUT, 0), src_x(SGPU_FILE_TEMP, 1, 0)));
   on_all_levels(f, check_waiting);
}

/* Error texts name the instruction. */
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
   assert_null(sgd_shader_create(&desc, words, NULL, &error));
   assert_non_null(strstr(error, "instruction 0"));
   desc.instructions = 0;
   assert_null(sgd_shader_create(&desc, words, NULL, &error));
   desc.instructions = (1u << 24) - 1;
   assert_null(sgd_shader_create(&desc, words, NULL, &error));
}

/* Programs with corrupted words, such as wild jumps, are refused, or have the same results on all
 * levels.
 */
static void
test_hostile(void **state)
{
   struct fixture *f = *state;
   struct rng r = { 13 };
   unsigned ran = 0;
   uint32_t *words = malloc((MAX_CODE + 64) * 16);
   for (unsigned n = 0; n < TEST_ROUNDS(4000); n++) {
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
      struct sgd_shader *shader = sgd_shader_create(&desc, words, NULL, &error);
      if (!shader) {
         assert_non_null(error);
         continue;
      }
      random_warp(&r, &f->warp, true);
      f->warp.watchdog = 20000;
      test_translate(shader);
      check_same(f->tw, shader, &f->warp);
      sgd_shader_destroy(shader);
      ran++;
   }
   print_message("%u of 4000 ran\n", ran);
   free(words);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
   const struct CMUnitTest tests[] = {
      TEST(test_random),
      TEST(test_levels_agree),
      TEST(test_together),
      TEST(test_loops),
      TEST(test_watchdog),
      TEST(test_stack_grows),
      TEST(test_divergent_rounds),
      TEST(test_long_loop),
      TEST(test_clock),
      TEST(test_kill),
      TEST(test_kill_side),
      TEST(test_demote),
      TEST(test_waiting),
      TEST(test_refused),
      TEST(test_hostile),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
