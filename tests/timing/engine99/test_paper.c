/* SPDX-License-Identifier: MIT */
/*
 * Tests the worked examples of Wolfe and Noonburg (MICRO-32, 1999): Figures 4 to 6, 15 and 17, and
 * the hazards of section 3.3.  The figures are known from their captions.
 */
#include "scene.h"

#include "engine99/sgt_issue.h"
#include "util/macros.h"

static bool
overlap_in_time(const struct scene_run *run, unsigned a, unsigned b)
{
   return run->slices[a].start <= run->slices[b].end && run->slices[b].start <= run->slices[a].end;
}

/* Figure 4: primitive 3 overlaps 1 and 2; 4 overlaps none of them. */
static void
make_figure_4(struct scene *s)
{
   scene_begin(s);
   scene_operation(s, false, SGT_ORDER_PROGRAM, 0);
   scene_box(s, 0, 0, 40, 40);
   scene_box(s, 50, 0, 40, 40);
   scene_box(s, 30, 20, 30, 40);
   scene_box(s, 100, 0, 40, 40);
   scene_box(s, 40, 50, 40, 40); /* overlaps 3 */
   scene_end(s);
}

static void
figure_5_in_order(void **state)
{
   struct scene s;
   struct sgt_engine_params p;
   static struct scene_run run;
   make_figure_4(&s);
   scene_params(&p, 8, 64);
   p.order = SGT_ISSUE_ORDER_IN_ORDER;
   scene_run(&run, s.trace, &p);
   /* 1 and 2 are dispatched as they come.  A slice enters in one cycle and issues in the next. */
   assert_int_equal(run.slices[0].start, 1);
   assert_int_equal(run.slices[1].start, 2);
   /* "It will be dispatched when primitives 1 and 2 both complete." */
   assert_int_equal(run.slices[0].end, 1600);
   assert_int_equal(run.slices[1].end, 1601);
   assert_int_equal(run.slices[2].start, 1602);
   /* "Primitives 4 and 5 are stalled because they arrived after 3." */
   assert_int_equal(run.slices[3].start, 1603);
   assert_int_equal(run.slices[4].start, run.slices[2].end + 1);
   assert_int_equal(run.result.overtakes, 0);
   scene_drop(&run);
   scene_finish(&s);
}

static void
figure_6_out_of_order(void **state)
{
   struct scene s;
   struct sgt_engine_params p;
   static struct scene_run run;
   make_figure_4(&s);
   scene_params(&p, 8, 64);
   for (unsigned select = SGT_SELECT_RANDOM; select <= SGT_SELECT_CRITICAL; select++) {
      p.select = select;
      scene_run(&run, s.trace, &p);
      /* "Primitive 4 has been dispatched ahead of primitive 3." */
      assert_int_equal(run.slices[3].start, 4);
      assert_int_equal(run.slices[2].start, 1602);
      assert_int_equal(run.slices[4].start, run.slices[2].end + 1);
      assert_int_equal(run.result.overtakes, 1);
      scene_drop(&run);
   }
   scene_finish(&s);
}

/* The example of docs/timing.md, "A worked example". */
static void
worked_example(void **state)
{
   static const uint64_t times[5][3] = {
      { 0, 1, 12 }, { 1, 2, 9 }, { 2, 13, 28 }, { 3, 10, 17 }, { 4, 29, 44 },
   };
   struct scene s;
   struct sgt_engine_params p;
   static struct scene_run run;
   scene_begin(&s);
   scene_operation(&s, false, SGT_ORDER_PROGRAM, 0);
   scene_box(&s, 0, 0, 4, 3);
   scene_box(&s, 8, 0, 4, 2);
   scene_box(&s, 2, 1, 8, 2);
   scene_box(&s, 16, 0, 4, 2);
   scene_box(&s, 4, 2, 4, 4);
   scene_end(&s);
   scene_params(&p, 2, 4);
   scene_run(&run, s.trace, &p);
   for (unsigned i = 0; i < 5; i++) {
      assert_int_equal(run.slices[i].enter, times[i][0]);
      assert_int_equal(run.slices[i].start, times[i][1]);
      assert_int_equal(run.slices[i].end, times[i][2]);
   }
   const struct sgt_engine_result *r = &run.result;
   assert_int_equal(r->cycles, 45);
   assert_int_equal(r->states[SGT_STATE_BUSY], 60);
   assert_int_equal(r->states[SGT_STATE_STARVED], 3);
   assert_int_equal(r->states[SGT_STATE_WAW], 11);
   assert_int_equal(r->states[SGT_STATE_DRAIN], 16);
   assert_int_equal(r->waw, 3);
   scene_drop(&run);
   p.order = SGT_ISSUE_ORDER_IN_ORDER;
   scene_run(&run, s.trace, &p);
   assert_int_equal(run.slices[3].start, 14);
   assert_int_equal(run.result.cycles, 45);
   scene_drop(&run);
   scene_finish(&s);
}

/* Returns the mask of tags that the slice with the tag `tag` depends on. */
static uint64_t
vector(const struct sgt_issue *u, uint32_t tag)
{
   assert_int_equal(u->words, 1);
   return u->vector[tag];
}

/* Figure 15: 1 is 160 pixels tall, and 2 to 5 overlap it from top to bottom. */
static void
figure_15_splitting(void **state)
{
   struct scene s;
   struct sgt_engine_params p;
   scene_begin(&s);
   scene_operation(&s, false, SGT_ORDER_PROGRAM, 0);
   scene_box(&s, 0, 0, 100, 160);
   scene_box(&s, 0, 10, 40, 40);   /* 2: overlaps slices a and b */
   scene_box(&s, 50, 40, 40, 40);  /* 3: overlaps b and c */
   scene_box(&s, 0, 70, 40, 40);   /* 4: overlaps c and d */
   scene_box(&s, 50, 100, 40, 50); /* 5: overlaps d and e */
   const struct sgt_trace *t = scene_end(&s);

   scene_params(&p, 8, 32);
   p.split = SGT_SPLIT_HEIGHT;
   struct sgt_issue u;
   struct sgt_splitter splitter;
   const struct sgt_split_params split = sgt_engine_split_params(&p);
   sgt_splitter_init(&splitter, t, &split);
   assert_true(sgt_issue_init(&u, t, &p, 40, 80));
   uint32_t num = 0;
   for (uint32_t item = 0; item < 5; item++) {
      assert_true(sgt_splitter_item(&splitter, item));
      for (uint32_t i = 0; i < splitter.num; i++) {
         struct sgt_issue_entry entry = { .destination = t->items[item].destination };
         entry.destination.rect = splitter.slices[i].rect;
         assert_int_equal(sgt_issue_enter(&u, &entry), num++);
      }
   }
   /* Tags 0 to 4 are 1a to 1e.  The following tags are two slices of each of 2 to 5. */
   assert_int_equal(num, 5 + 2 + 2 + 2 + 2);
   const uint64_t a = 1 << 0, b = 1 << 1, c = 1 << 2, d = 1 << 3, e = 1 << 4;
   for (uint32_t tag = 0; tag < 5; tag++)
      assert_int_equal(vector(&u, tag), 0);
   const uint64_t two = vector(&u, 5) | vector(&u, 6), three = vector(&u, 7) | vector(&u, 8);
   const uint64_t four = vector(&u, 9) | vector(&u, 10), five = vector(&u, 11) | vector(&u, 12);
   const uint64_t one = a | b | c | d | e;
   assert_int_equal(two & one, a | b);
   /* "Triangles 3, 4, and 5 are independent of slice 1a; triangles 4 and 5 are independent of
    * 1b; etc."
    */
   assert_int_equal(three & one, b | c);
   assert_int_equal(four & one, c | d);
   assert_int_equal(five & one, d | e);
   sgt_issue_finish(&u);
   sgt_splitter_finish(&splitter);

   /* Without splitting, 2 to 5 wait until 1 is complete. */
   static struct scene_run run;
   p.split = SGT_SPLIT_NONE;
   scene_run(&run, t, &p);
   for (unsigned i = 1; i < 5; i++)
      assert_true(run.slices[i].start > run.slices[0].end);
   const uint64_t whole = run.result.cycles;
   scene_drop(&run);
   p.split = SGT_SPLIT_HEIGHT;
   scene_run(&run, t, &p);
   assert_int_equal(run.result.split_items, 5);
   assert_true(run.result.cycles * 3 < whole);
   scene_drop(&run);
   scene_finish(&s);
}

/* Figure 17: each triangle of the strip overlaps the next one. */
static void
make_strip(struct scene *s, bool blends, enum sgt_order order, bool same_key)
{
   scene_begin(s);
   for (unsigned i = 0; i < 5; i++) {
      if (i == 0 || !same_key)
         scene_operation(s, blends, order, i);
      scene_box(s, 20 * i, 0, 30, 40);
   }
   scene_end(s);
}

static void
expect_chain(const struct sgt_trace *t, const struct sgt_engine_params *p)
{
   static struct scene_run run;
   scene_run(&run, t, p);
   for (unsigned i = 1; i < 5; i++)
      assert_int_equal(run.slices[i].start, run.slices[i - 1].end + 1);
   assert_int_equal(run.result.waw, 4);
   assert_int_equal(run.result.conflicts, 0);
   scene_drop(&run);
}

static void
expect_broken(const struct sgt_trace *t, const struct sgt_engine_params *p)
{
   static struct scene_run run;
   scene_run(&run, t, p);
   /* "Triangles 1, 3, and 5 can issue in parallel." */
   assert_int_equal(run.slices[0].start, 1);
   assert_int_equal(run.slices[2].start, 3);
   assert_int_equal(run.slices[4].start, 5);
   /* Neighbours never run at the same time; 2 and 4 do. */
   for (unsigned i = 1; i < 5; i++)
      assert_false(overlap_in_time(&run, i - 1, i));
   assert_true(overlap_in_time(&run, 1, 3));
   assert_int_equal(run.result.waw, 0);
   assert_int_equal(run.result.conflicts, 4);
   scene_drop(&run);
}

static void
figure_17_breaking(void **state)
{
   struct scene s;
   struct sgt_engine_params p;
   scene_params(&p, 8, 64);

   make_strip(&s, false, SGT_ORDER_LOWEST, true);
   p.breaking = SGT_BREAK_NONE;
   expect_chain(s.trace, &p);
   p.breaking = SGT_BREAK_PAPER;
   expect_broken(s.trace, &p);
   p.breaking = SGT_BREAK_EXACT;
   expect_broken(s.trace, &p);
   scene_finish(&s);

   /* Blended primitives keep their order. */
   make_strip(&s, true, SGT_ORDER_PROGRAM, true);
   p.breaking = SGT_BREAK_PAPER;
   expect_chain(s.trace, &p);
   p.breaking = SGT_BREAK_EXACT;
   expect_chain(s.trace, &p);
   scene_finish(&s);

   /* The paper's rule ignores the depth test; the exact rule does not. */
   make_strip(&s, false, SGT_ORDER_PROGRAM, true);
   p.breaking = SGT_BREAK_PAPER;
   expect_broken(s.trace, &p);
   p.breaking = SGT_BREAK_EXACT;
   expect_chain(s.trace, &p);
   scene_finish(&s);

   /* Operations with different keys keep their order. */
   make_strip(&s, false, SGT_ORDER_HIGHEST, false);
   p.breaking = SGT_BREAK_EXACT;
   expect_chain(s.trace, &p);
   scene_finish(&s);
}

/* Section 3.3: hazards that the three tests of depend() prevent, and cases that they allow. */
static void
hazards(void **state)
{
   static const struct {
      uint32_t write, read; /* targets of the first operation; read 4: none */
      uint32_t next_write, next_read;
      enum sgt_state kind;
   } rows[] = {
      { 0, 4, 1, 0, SGT_STATE_RAW },  /* the second one reads what the first one writes */
      { 0, 4, 0, 4, SGT_STATE_WAW },  /* it writes what the first one writes */
      { 0, 1, 1, 4, SGT_STATE_WAR },  /* it writes what the first one reads */
      { 0, 2, 1, 2, SGT_STATE_BUSY }, /* it reads what the first one reads */
      { 0, 4, 1, 4, SGT_STATE_BUSY }, { 0, 1, 1, 0, SGT_STATE_RAW }, /* RAW and WAR */
      { 0, 0, 0, 4, SGT_STATE_WAW },                                 /* WAW and WAR */
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      for (unsigned apart = 0; apart < 2; apart++) {
         struct scene s;
         struct sgt_engine_params p;
         static struct scene_run run;
         scene_begin(&s);
         /* A target must be written in the trace to be a source region. */
         scene_operation(&s, false, SGT_ORDER_LOWEST, 0);
         for (uint32_t target = 0; target < 3; target++)
            scene_item(&s, SGT_ITEM_CLEAR, target, 900, 900, 8, 8);
         scene_operation(&s, false, SGT_ORDER_LOWEST, 0);
         scene_reads(&s, rows[i].read % 4, 0, 0, rows[i].read < 4 ? 10 : 0, 10);
         scene_item(&s, SGT_ITEM_TRIANGLE, rows[i].write, 0, 0, 10, 10);
         scene_operation(&s, false, SGT_ORDER_LOWEST, 0);
         /* The rectangles only touch, or have one pixel in common. */
         const int32_t x = apart ? 10 : 9;
         scene_reads(&s, rows[i].next_read % 4, x, 9, rows[i].next_read < 4 ? 10 : 0, 10);
         scene_item(&s, SGT_ITEM_TRIANGLE, rows[i].next_write, x, 9, 10, 10);
         scene_params(&p, 8, 8);
         scene_run(&run, scene_end(&s), &p);
         const enum sgt_state kind = apart ? SGT_STATE_BUSY : rows[i].kind;
         assert_int_equal(run.result.raw, kind == SGT_STATE_RAW);
         assert_int_equal(run.result.waw, kind == SGT_STATE_WAW);
         assert_int_equal(run.result.war, kind == SGT_STATE_WAR);
         if (kind == SGT_STATE_BUSY)
            assert_int_equal(run.slices[4].start, 5);
         else
            assert_int_equal(run.slices[4].start, run.slices[3].end + 1);
         scene_drop(&run);

         /* Breaking removes only WAW hazards, and only if there is no WAR hazard. */
         p.breaking = SGT_BREAK_EXACT;
         scene_run(&run, s.trace, &p);
         const bool broken = kind == SGT_STATE_WAW && rows[i].read == 4;
         assert_int_equal(run.result.conflicts, broken);
         assert_int_equal(run.result.raw + run.result.waw + run.result.war,
                          kind != SGT_STATE_BUSY && !broken);
         scene_drop(&run);

         /* Without the test for this hazard, the second slice does not wait.  A WAR hazard may be
          * hidden by another hazard.
          */
         p.breaking = SGT_BREAK_NONE;
         p.drop_hazard = kind;
         scene_run(&run, s.trace, &p);
         if (kind != SGT_STATE_BUSY && rows[i].read == 4)
            assert_int_equal(run.slices[4].start, 5);
         scene_drop(&run);
         scene_finish(&s);
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(figure_5_in_order),  cmocka_unit_test(figure_6_out_of_order),
      cmocka_unit_test(worked_example),     cmocka_unit_test(figure_15_splitting),
      cmocka_unit_test(figure_17_breaking), cmocka_unit_test(hazards),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
