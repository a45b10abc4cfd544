/* SPDX-License-Identifier: MIT */
/*
 * Tests the builder of work: the contents of its arrays, and the hash.
 */
#include "../../unit.h"
#include "asm_work.h"
#include "trace/sgt_mix.h"

/* Makes two operations.  The second one has a change, depending on the test. */
enum change { NOTHING, RUN, LANES, ACCESS, LINE, QUAD, KEPT, FETCH, GROUP, PROGRAM, CHANGES };

static struct sgt_work *
make(enum change change)
{
   static const sgt_line lines[3] = { SGT_LINE(0x1240, 5), SGT_LINE(0xffffffffc0, 7), 99 };
   struct sgt_work_builder *b = sgt_work_builder_create();
   const uint32_t p =
      sgt_work_builder_program(b, test_program("!!SGVP1.0 LDC R0, cb[1][0]; MOV o[HPOS], R0; END"));
   const uint32_t q = sgt_work_builder_program(
      b, test_program(change == PROGRAM ? "!!SGFP1.0 MOV o[COLR0], v[1]; END"
                                        : "!!SGFP1.0 MOV o[COLR0], v[0]; END"));

   sgt_work_builder_operation(b, 0, 0);
   sgt_work_builder_vertices(b, 30);
   sgt_work_builder_vertices(b, 3);
   sgt_work_builder_warp(b, p, ~0u, 0);
   sgt_work_builder_fetch(b, lines, change == FETCH ? 2 : 3, 12);
   sgt_work_builder_access(b,
                           &(struct sgt_access){ .kind = SGT_ACCESS_CONST, .lanes = 32, .pad = 7 },
                           lines, 2);
   sgt_work_builder_warp(b, p, 0xff, change == GROUP ? 2 : 1);
   sgt_work_builder_run(b, 0, 1, 0xff);
   sgt_work_builder_run(b, change == RUN ? 0 : 1, 1, change == LANES ? 0x0e : 0x0f);
   if (change != ACCESS)
      sgt_work_builder_access(b, &(struct sgt_access){ .kind = SGT_ACCESS_CONST, .lanes = 8 },
                              &lines[change == LINE ? 1 : 2], 1);
   sgt_work_builder_operation(b, 256, 2);
   sgt_work_builder_warp(b, q, 0xf, 0);
   if (change != QUAD)
      sgt_work_builder_quad(
         b, &(struct sgt_quad){
               .x = 8, .y = 2, .item = 3, .covered = 15, .kept = change == KEPT ? 14 : 15 });
   struct sgt_work *w = sgt_work_builder_finish(b);
   assert_non_null(w);
   sgt_work_builder_destroy(b);
   if (change == ACCESS)
      assert_string_equal(sgt_work_check(w), "an access is missing");
   else if (change == RUN)
      assert_string_equal(sgt_work_check(w), "an access is missing");
   else
      assert_null(sgt_work_check(w));
   return w;
}

static void
contents(void **state)
{
   struct sgt_work *w = make(NOTHING);

   assert_int_equal(w->num_programs, 2);
   assert_int_equal(w->num_operations, 2);
   assert_int_equal(w->num_warps, 3);
   assert_int_equal(w->num_runs, 4);
   assert_int_equal(w->num_accesses, 2);
   assert_int_equal(w->num_quads, 1);
   assert_int_equal(w->num_lines, 6);
   assert_int_equal(w->operations[0].first_warp, 0);
   assert_int_equal(w->operations[0].num_warps, 2);
   assert_int_equal(w->operations[0].vertices, 33);
   assert_int_equal(w->operations[1].first_warp, 2);
   assert_int_equal(w->operations[1].num_warps, 1);
   assert_int_equal(w->operations[1].group_bytes, 256);
   assert_int_equal(w->operations[1].group_warps, 2);

   const struct sgt_warp *warp = w->warps;
   assert_int_equal(warp[0].first_fetch, 0);
   assert_int_equal(warp[0].num_fetch, 3);
   assert_int_equal(warp[0].attributes, 12);
   /* It executes the whole program. */
   assert_int_equal(warp[0].num_runs, 1);
   assert_int_equal(w->runs[0].pc, 0);
   assert_int_equal(w->runs[0].count, 2);
   assert_true(w->runs[0].lanes == ~0u);
   assert_int_equal(warp[1].operation, 0);
   assert_int_equal(warp[1].group, 1);
   assert_int_equal(warp[1].first_run, 1);
   assert_int_equal(warp[1].num_runs, 2);
   assert_int_equal(warp[1].first_access, 1);
   assert_int_equal(warp[1].num_accesses, 1);
   assert_int_equal(w->runs[2].lanes, 0xf);
   assert_int_equal(warp[2].operation, 1);
   assert_int_equal(warp[2].program, 1);
   assert_int_equal(warp[2].num_runs, 1);
   assert_int_equal(w->runs[3].count, 1);
   assert_int_equal(warp[2].num_quads, 1);
   assert_int_equal(w->quads[0].item, 3);

   const struct sgt_access *a = w->accesses;
   assert_int_equal(a[0].first_line, 3);
   assert_int_equal(a[0].num_lines, 2);
   assert_int_equal(a[0].pad, 0);
   assert_int_equal(a[1].first_line, 5);
   assert_int_equal(a[1].lanes, 8);
   assert_true(sgt_line_address(w->lines[3]) == 0x1240);
   assert_int_equal(sgt_line_quad(w->lines[3]), 5);
   assert_true(sgt_line_address(w->lines[4]) == 0xffffffffc0);
   assert_int_equal(sgt_line_quad(w->lines[4]), 7);
   sgt_work_destroy(w);
}

static void
hashes(void **state)
{
   uint64_t hash[CHANGES];

   for (unsigned c = 0; c < CHANGES; c++) {
      struct sgt_work *w = make(c), *same = make(c);
      assert_true(w->hash == same->hash);
      hash[c] = w->hash;
      for (unsigned other = 0; other < c; other++)
         assert_true(hash[other] != hash[c]);
      sgt_work_destroy(w);
      sgt_work_destroy(same);
   }
}

/* If a program could not be made, the builder makes nothing and frees its memory. */
static void
no_memory(void **state)
{
   struct sgt_work_builder *b = sgt_work_builder_create();

   sgt_work_builder_program(b, test_program("!!SGVP1.0 MOV R0, v[0]; END"));
   sgt_work_builder_operation(b, 0, 0);
   sgt_work_builder_warp(b, 0, 1, 0);
   assert_int_equal(sgt_work_builder_program(b, NULL), 0);
   sgt_work_builder_program(b, test_program("!!SGVP1.0 MOV R0, v[0]; END"));
   sgt_work_builder_operation(b, 0, 0);
   sgt_work_builder_warp(b, 0, 1, 0);
   sgt_work_builder_run(b, 0, 1, 1);
   sgt_work_builder_access(b, &(struct sgt_access){ 0 }, NULL, 0);
   sgt_work_builder_quad(b, &(struct sgt_quad){ 0 });
   sgt_work_builder_fetch(b, NULL, 0, 0);
   assert_null(sgt_work_builder_finish(b));
   sgt_work_builder_destroy(b);
   sgt_work_builder_destroy(NULL);
   sgt_work_destroy(NULL);
}

/* Tests each kind of error in a work. */
static void
checks(void **state)
{
   struct sgt_work *w = make(NOTHING);

#define WRONG(member, value, text)                  \
   do {                                             \
      const __typeof__(member) right = (member);    \
      (member) = (value);                           \
      assert_string_equal(sgt_work_check(w), text); \
      (member) = right;                             \
      assert_null(sgt_work_check(w));               \
   } while (0)

   WRONG(w->runs[1].pc, 2, "a run leaves its program");
   WRONG(w->runs[1].count, 0, "a run leaves its program");
   WRONG(w->runs[2].lanes, 0x100, "a run has lanes that its warp does not have");
   WRONG(w->runs[2].lanes, 0, "a run has lanes that its warp does not have");
   WRONG(w->runs[0].pc, 1, "a run leaves its program");
   WRONG(w->accesses[0].kind, SGT_ACCESS_LOAD, "an access does not match its instruction");
   WRONG(w->accesses[1].first_line, 6, "an access has lines that do not exist");
   WRONG(w->accesses[1].lanes, 33, "an access of more lanes than a warp has");
   WRONG(w->warps[1].num_accesses, 0, "an access is missing");
   WRONG(w->warps[1].program, 2, "a warp without program or lanes");
   WRONG(w->warps[1].first_quad, 1, "the parts of a warp are not in order");
   WRONG(w->warps[1].operation, 1, "a warp belongs to another operation");
   WRONG(w->operations[1].first_warp, 1, "the operations' warps are not in order");
   WRONG(w->operations[1].num_warps, 0, "parts without a warp");
   WRONG(w->warps[2].num_quads, 0, "parts without a warp");
   sgt_work_destroy(w);
}

/* Random work must be valid, must be the same for the same seed, and must have everything that
 * tests of cores need.
 */
static void
random_work(void **state)
{
   static const enum sgpu_stage stages[] = { SGPU_STAGE_VERTEX, SGPU_STAGE_PIXEL,
                                             SGPU_STAGE_COMPUTE };
   uint32_t kinds[SGT_ACCESS_KINDS] = { 0 }, pipes[SGT_PIPE_COUNT] = { 0 };
   uint32_t divergent = 0, back = 0, ends = 0, barriers = 0;
   uint64_t last = 0;

   for (uint32_t seed = 0; seed < 60; seed++) {
      const struct test_random_params params = {
         .seed = seed,
         .stage = stages[seed % 3],
         .programs = 2,
         .warps = 8,
         .length = 20 + seed,
         .group_warps = 4,
         .lines = 100,
      };
      struct sgt_work *w = test_random_work(&params), *same = test_random_work(&params);
      assert_null(sgt_work_check(w));
      assert_true(w->hash == same->hash && w->hash != last);
      last = w->hash;
      for (uint32_t i = 0; i < w->num_accesses; i++)
         kinds[w->accesses[i].kind]++;
      for (uint32_t i = 0; i < w->num_warps; i++) {
         const struct sgt_warp *warp = &w->warps[i];
         for (uint32_t r = warp->first_run; r < warp->first_run + warp->num_runs; r++) {
            const struct sgt_run *run = &w->runs[r];
            divergent += run->lanes != warp->lanes;
            back += r > warp->first_run && run->pc < run[-1].pc;
            for (uint32_t pc = run->pc; pc < run->pc + run->count; pc++) {
               const struct sgt_instr *instr = &w->programs[warp->program]->instrs[pc];
               pipes[instr->pipe]++;
               ends += !!(instr->flags & SGT_INSTR_END);
               barriers += !!(instr->flags & SGT_INSTR_BARRIER);
            }
         }
      }
      sgt_work_destroy(w);
      sgt_work_destroy(same);
   }
   for (unsigned i = 0; i < SGT_ACCESS_KINDS; i++)
      assert_true(kinds[i] > 20);
   for (unsigned i = 0; i < SGT_PIPE_COUNT; i++)
      assert_true(pipes[i] > (i == SGT_PIPE_INTERP ? 1 : 50));
   assert_true(divergent > 100 && back > 50 && ends > 10 && barriers > 10);
}

static void
straight(void **state)
{
   struct sgt_work *w = test_straight_work("!!SGFP1.0 TEX R0, v[0], tex[0], smp[0], 2D;\n"
                                           "LDB R1.x, buf[0][R0.x];\n"
                                           "LDC R2.x, cb[1][R0.x]; END",
                                           3, 0x00ffffff);

   assert_int_equal(w->num_warps, 3);
   assert_int_equal(w->num_accesses, 9);
   assert_int_equal(w->accesses[0].work, 24);
   assert_int_equal(w->accesses[0].num_lines, 6);
   assert_int_equal(w->accesses[1].num_lines, 6);
   assert_int_equal(w->accesses[1].lanes, 24);
   assert_int_equal(w->accesses[2].num_lines, 1);
   assert_true(sgt_line_address(w->lines[w->accesses[3].first_line + 5]) == 4096 + 5 * 64);
   assert_true(sgt_line_address(w->lines[w->accesses[4].first_line + 5]) == 4096 + 64);
   sgt_work_destroy(w);
}

static void
mix(void **state)
{
   struct sgt_work *w = test_straight_work("!!VP1.0\n"
                                           "DP4 o[HPOS].x, c[0], v[OPOS];\n"
                                           "DP4 o[HPOS].y, c[1], v[OPOS];\n"
                                           "DP3 R0.x, c[2], v[NRML];\n"
                                           "MUL R1, R0.x, c[3];\n"
                                           "MAD R1, R1, c[4], R1;\n"
                                           "ADD R1, R1, c[5];\n"
                                           "MAX R1, R1, R0;\n"
                                           "RSQ R1.x, R1.x;\n"
                                           "MOV o[COL0], R1;\n"
                                           "END",
                                           2, 0x1f);
   struct sgt_mix of_program = { 0 }, of_warps = { 0 }, of_lanes = { 0 };

   sgt_program_mix(w->programs[0], 0, w->programs[0]->num_instrs, 1, &of_program);
   sgt_work_mix(w, 0, false, &of_warps);
   sgt_work_mix(w, 0, true, &of_lanes);
   assert_int_equal(of_program.instrs, 9);
   assert_int_equal(of_program.vp1, 9);
   assert_int_equal(sgt_mix_simple(&of_program), 4);
   assert_int_equal(sgt_mix_dot(&of_program), 3);
   assert_int_equal(of_program.classes[SGT_CLASS_DP4], 2);
   assert_int_equal(of_program.classes[SGT_CLASS_SPECIAL], 1);
   assert_int_equal(of_program.classes[SGT_CLASS_ALU], 1);
   /* 4 + 4 + 3 for the products of vectors, 5 times 4, and one special function. */
   assert_int_equal(of_program.uops, 11 + 20 + 1);
   assert_int_equal(of_program.pipes[SGT_PIPE_SFU], 1);
   assert_int_equal(of_program.pipes[SGT_PIPE_ALU], 31);
   for (unsigned c = 0; c < SGT_CLASS_COUNT; c++) {
      assert_int_equal(of_warps.classes[c], 2 * of_program.classes[c]);
      assert_int_equal(of_lanes.classes[c], 10 * of_program.classes[c]);
      assert_non_null(sgt_class_names[c]);
   }
   assert_int_equal(of_lanes.uops, 10 * 32);
   sgt_work_destroy(w);
}

static void
nothing(void **state)
{
   struct sgt_work_builder *b = sgt_work_builder_create();
   struct sgt_work *w = sgt_work_builder_finish(b);

   assert_non_null(w);
   assert_int_equal(w->num_warps, 0);
   sgt_work_destroy(w);
   sgt_work_builder_destroy(b);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(contents), cmocka_unit_test(hashes),      cmocka_unit_test(no_memory),
      cmocka_unit_test(checks),   cmocka_unit_test(random_work), cmocka_unit_test(straight),
      cmocka_unit_test(mix),      cmocka_unit_test(nothing),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
