/* SPDX-License-Identifier: MIT */
/*
 * Tests lines of constants, for random works: two operations must have a line of the same version
 * if and only if the line has the same value in both.
 */
#include "../../unit.h"
#include "trace/sgt_const_lines.h"
#include "kernel/sgt_random.h"
#include "util/macros.h"

#define OPERATIONS 60
#define CONTEXTS 4 /* number of contexts per stage */
#define LINES 12
#define STAGES 2

/* Constants that a stage of an operation reads. */
struct use {
   uint32_t context; /* context, or UINT32_MAX if the work does not have it */
   uint32_t values[LINES];
};

static struct sgt_program *
new_program(enum sgpu_stage stage)
{
   struct sgt_program *p = calloc(1, sizeof(*p));
   assert_non_null(p);
   p->stage = stage;
   return p;
}

static struct sgt_work *
random_work(struct sgt_random *r, struct use (*uses)[STAGES])
{
   static const enum sgpu_stage stages[STAGES] = { SGPU_STAGE_VERTEX, SGPU_STAGE_PIXEL };
   struct sgt_work_builder *b = sgt_work_builder_create();
   uint32_t values[STAGES][CONTEXTS][LINES] = { 0 }, versions[STAGES][CONTEXTS] = { 0 };
   bool begun[STAGES][CONTEXTS] = { 0 };
   uint32_t value = 0;
   assert_non_null(b);
   for (unsigned s = 0; s < STAGES; s++)
      sgt_work_builder_program(b, new_program(stages[s]));
   for (unsigned o = 0; o < OPERATIONS; o++) {
      sgt_work_builder_operation(b, 0, 0);
      for (unsigned s = 0; s < STAGES; s++) {
         struct use *use = &uses[o][s];
         const unsigned c = sgt_random_below(r, CONTEXTS);
         bool changed[LINES] = { 0 };
         use->context = UINT32_MAX;
         if (sgt_random_below(r, 8) == 0)
            continue;
         use->context = s * CONTEXTS + c;
         for (unsigned l = 0; begun[s][c] && l < LINES; l++)
            changed[l] = sgt_random_below(r, 4) == 0;
         versions[s][c] += memchr(changed, true, LINES) != NULL;
         sgt_work_builder_constants(b, &(struct sgt_constants){
                                          .context = use->context,
                                          .version = versions[s][c],
                                          .bytes = LINES * SGT_CONST_LINE_BYTES - 16,
                                          .stage = stages[s],
                                       });
         for (unsigned l = 0; l < LINES; l++) {
            if (!changed[l] && begun[s][c])
               continue;
            values[s][c][l] = ++value;
            if (changed[l])
               sgt_work_builder_changed(b, l, 1);
         }
         begun[s][c] = true;
         memcpy(use->values, values[s][c], sizeof(use->values));
      }
      for (unsigned s = 0; s < STAGES; s++)
         sgt_work_builder_warp(b, s, 1, 0);
   }
   struct sgt_work *work = sgt_work_builder_finish(b);
   sgt_work_builder_destroy(b);
   assert_non_null(work);
   assert_null(sgt_work_check(work));
   return work;
}

static uint32_t
from(const struct sgt_const_lines *l, unsigned operation, unsigned s, unsigned line)
{
   const enum sgpu_stage stage = s ? SGPU_STAGE_PIXEL : SGPU_STAGE_VERTEX;
   return sgt_const_lines_from(l, sgt_const_lines_version(l, operation, stage), line);
}

static void
check_versions(const struct sgt_work *work, struct use (*uses)[STAGES])
{
   struct sgt_const_lines l;
   assert_true(sgt_const_lines_init(&l, work, SGT_CONST_VERSION));
   for (unsigned i = 0; i < OPERATIONS * STAGES; i++) {
      const struct use *a = &uses[i / STAGES][i % STAGES];
      for (unsigned j = 0; j < i; j++) {
         const struct use *b = &uses[j / STAGES][j % STAGES];
         for (unsigned line = 0; line < LINES; line++) {
            const bool same = from(&l, i / STAGES, i % STAGES, line) ==
                              from(&l, j / STAGES, j % STAGES, line);
            /* If the work has no context, the constants are those of the program. */
            const bool expected = a->context != UINT32_MAX && b->context != UINT32_MAX
                                     ? a->values[line] == b->values[line]
                                     : a->context == b->context && i % STAGES == j % STAGES;
            assert_int_equal(same, expected);
         }
      }
   }
   /* Changes must add up over the versions of a context. */
   for (uint32_t v = 1; v < l.num_versions; v++)
      for (uint32_t w = 0; w < v; w++)
         if (l.versions[w].context == l.versions[v].context)
            assert_true(l.versions[w].before < l.versions[v].before);
   sgt_const_lines_finish(&l);
}

static void
lines_follow_their_values(void **state)
{
   struct sgt_random r = { 5 };
   for (unsigned round = 0; round < 10; round++) {
      struct use uses[OPERATIONS][STAGES] = { 0 };
      struct sgt_work *work = random_work(&r, uses);
      struct sgt_const_lines l;
      check_versions(work, uses);
      assert_true(sgt_const_lines_init(&l, work, SGT_CONST_OPERATION));
      assert_int_equal(l.num_versions, OPERATIONS * STAGES);
      sgt_const_lines_finish(&l);
      assert_true(sgt_const_lines_init(&l, work, SGT_CONST_PROGRAM));
      assert_int_equal(l.num_versions, STAGES);
      assert_int_equal(from(&l, 0, 1, 3), from(&l, OPERATIONS - 1, 1, 3));
      assert_true(from(&l, 0, 0, 3) != from(&l, 0, 1, 3));
      sgt_const_lines_finish(&l);
      sgt_work_destroy(work);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(lines_follow_their_values) };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
