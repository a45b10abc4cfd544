/* SPDX-License-Identifier: MIT */
/*
 * The builder of work: what it puts where, and the hash.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "asm_work.h"

/* Two operations, the second one with a change of what the test is about. */
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
   /* Straight through its program. */
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

/* A program that could not be made: the builder makes nothing, and frees what it has. */
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
      cmocka_unit_test(contents),
      cmocka_unit_test(hashes),
      cmocka_unit_test(no_memory),
      cmocka_unit_test(nothing),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
