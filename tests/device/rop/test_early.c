/* SPDX-License-Identifier: MIT */
/*
 * The time of depth and stencil tests: every key is compared with a model of a pixel in GL, in the
 * order of the pipeline and with the tests first.
 */
#include "rop_test.h"

/* Decisions about a pixel. */
struct pixel {
   bool interpolated_passes; /* tests pass with the primitive's depth and reference */
   bool written_passes;      /* tests pass with the depth and reference that the program writes */
   bool killed;              /* dropped by the program, by its alpha or by its sample mask */
   bool outside;             /* the stored depth is outside of the depth bounds */
};

/* Visible effects of a pixel. */
struct effects {
   bool memory; /* the program has stored to memory */
   bool color;
   bool counted;
   bool sees_own; /* the program reads values that its own pixel has stored */
   int zs;        /* 0: unchanged, otherwise number of the operation that was done */
};

/* Effects in the order of GL 4.6, 14.9 and 15.2.4: program, alpha to coverage and sample mask,
 * stencil and depth, occlusion, colour.
 */
static struct effects
in_order(const struct sgd_early_key *key, const struct pixel *p)
{
   struct effects e = { 0 };
   const bool own = key->ps_writes_depth || key->ps_writes_stencil;
   const bool passes = own ? p->written_passes : p->interpolated_passes;

   e.memory = key->ps_writes_memory;
   if (p->killed || p->outside)
      return e;
   if (key->depth_write || key->stencil_write)
      e.zs = passes ? 1 : key->stencil_write ? 2 : 0;
   e.counted = e.color = passes;
   /* The written depth is the program's instead of the primitive's. */
   if (e.zs == 1 && key->depth_write && key->ps_writes_depth)
      e.zs = 3;
   return e;
}

/* Effects of the same pixel with the tests before the program. */
static struct effects
tests_first(const struct sgd_early_key *key, const struct pixel *p)
{
   struct effects e = { 0 };

   if (p->outside)
      return e;
   if (key->depth_write || key->stencil_write)
      e.zs = p->interpolated_passes ? 1 : key->stencil_write ? 2 : 0;
   if (!p->interpolated_passes)
      return e;
   e.memory = key->ps_writes_memory;
   e.counted = e.color = !p->killed;
   e.sees_own = key->ps_reads_zs && e.zs && !p->killed;
   return e;
}

static bool
same(const struct effects *a, const struct effects *b)
{
   return a->memory == b->memory && a->color == b->color && a->counted == b->counted &&
          a->sees_own == b->sees_own && a->zs == b->zs;
}

/* Returns whether both orders have the same effects for all pixels. */
static bool
indistinguishable(const struct sgd_early_key *key)
{
   const bool can_die = key->ps_kill || key->alpha_to_coverage || key->ps_writes_sample_mask;

   for (unsigned i = 0; i < 16; i++) {
      const struct pixel p = { i & 1, (i >> 1) & 1, can_die && (i & 4),
                               key->bounds_test && (i & 8) };
      const struct effects a = in_order(key, &p), b = tests_first(key, &p);
      if (!same(&a, &b))
         return false;
   }
   return true;
}

/* Returns whether a pixel whose primitive's depth fails has no effect, so that it can be dropped.
 */
static bool
leaves_no_trace(const struct sgd_early_key *key)
{
   if (!key->depth_test)
      return false;
   for (unsigned i = 0; i < 4; i++) {
      /* The depth that the program writes may pass although the interpolated one fails. */
      const struct pixel p = { false, (i & 1) && key->ps_writes_depth, i & 2 };
      const struct effects e = key->ps_early_tests ? tests_first(key, &p) : in_order(key, &p);
      if (e.memory || e.color || e.counted || e.zs)
         return false;
   }
   return true;
}

/* Returns the same for a pixel whose stored depth is outside of the bounds. */
static bool
leaves_no_trace_outside(const struct sgd_early_key *key)
{
   if (!key->bounds_test)
      return false;
   for (unsigned i = 0; i < 8; i++) {
      const struct pixel p = { i & 1, i & 2, i & 4, true };
      const struct effects e = key->ps_early_tests ? tests_first(key, &p) : in_order(key, &p);
      if (e.memory || e.color || e.counted || e.zs)
         return false;
   }
   return true;
}

static void
test_truth_table(void **state)
{
   unsigned early = 0, late = 0;

   for (unsigned bits = 0; bits < 1 << 14; bits++) {
      const struct sgd_early_key key = {
         .zs_bound = bits & 1,
         .depth_test = bits >> 1 & 1,
         .depth_write = bits >> 2 & 1,
         .stencil_test = bits >> 3 & 1,
         .stencil_write = bits >> 4 & 1,
         .ps_kill = bits >> 5 & 1,
         .ps_writes_depth = bits >> 6 & 1,
         .ps_writes_stencil = bits >> 7 & 1,
         .ps_writes_sample_mask = bits >> 8 & 1,
         .ps_writes_memory = bits >> 9 & 1,
         .ps_early_tests = bits >> 10 & 1,
         .alpha_to_coverage = bits >> 11 & 1,
         .bounds_test = bits >> 12 & 1,
         .ps_reads_zs = bits >> 13 & 1,
      };
      /* Writes are part of tests, so no state has a write without its test. */
      if ((key.depth_write && !key.depth_test) || (key.stencil_write && !key.stencil_test))
         continue;

      const struct sgd_zs_mode mode = sgd_decide_zs(&key);
      assert_int_equal(mode.count_early, key.ps_early_tests);
      if (!key.zs_bound || !(key.depth_test || key.stencil_test || key.bounds_test)) {
         assert_false(mode.active || mode.test_early || mode.test_late || mode.reject ||
                      mode.reject_bounds);
         continue;
      }
      assert_true(mode.active);
      assert_int_equal(mode.test_early + mode.test_late, 1);

      /* Dropped fragments would change the grouping into warps, which is part of the order in which
       * fragments write memory.
       */
      assert_int_equal(mode.reject, leaves_no_trace(&key) && !key.ps_writes_memory);
      assert_int_equal(mode.reject_bounds, leaves_no_trace_outside(&key) && !key.ps_writes_memory);

      /* Early tests are allowed if the program asks for them, or if no effect differs. */
      const bool allowed = key.ps_early_tests || indistinguishable(&key);
      if (mode.test_early != allowed)
         fail_msg("key %03x: tested %s", bits, mode.test_early ? "early" : "late");
      early += mode.test_early;
      late += mode.test_late;
   }
   assert_true(early > 200 && late > 200);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_truth_table),
   };
   return cmocka_run_group_tests_name("early depth", tests, NULL, NULL);
}
