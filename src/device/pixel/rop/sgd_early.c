/* SPDX-License-Identifier: MIT */
/*
 * ROP: decides from the state whether depth and stencil are tested before or after the pixel
 * program.
 */
#include "pixel/rop/sgd_rop.h"

struct sgd_zs_mode
sgd_decide_zs(const struct sgd_early_key *key)
{
   const bool tests = key->depth_test || key->stencil_test || key->bounds_test;
   const bool writes = key->depth_write || key->stencil_write;
   struct sgd_zs_mode mode = {
      .active = key->zs_bound && (tests || writes),
      /* GL 4.6, section 15.2.4: with early tests, samples are counted before the program, even if
       * no test is enabled.
       */
      .count_early = key->ps_early_tests,
   };
   if (!mode.active)
      return mode;

   /* zcull compares only the primitive's depth, so the program must not replace it. Programs that
    * write memory are excluded, because their writes must not depend on previous contents of the
    * depth buffer.
    */
   mode.reject = key->depth_test && !key->stencil_write && !key->ps_writes_memory &&
                 (key->ps_early_tests || !key->ps_writes_depth);
   /* The depth bounds test needs only the stored depth, and comes before the stencil test. */
   mode.reject_bounds = key->bounds_test && !key->ps_writes_memory;

   /* Early tests that the program requests override everything else (GL 4.6, section 15.2.4). */
   if (key->ps_early_tests) {
      mode.test_early = true;
      return mode;
   }

   /* Test late if the program writes the tested depth or stencil, if it can discard pixels that
    * would be written, if it reads the values that would be overwritten, or if its side effects
    * must also happen for failing pixels. Samples are counted after both the program and the tests.
    */
   const bool value = key->ps_writes_depth || key->ps_writes_stencil;
   const bool dies = key->ps_kill || key->alpha_to_coverage || key->ps_writes_sample_mask;

   mode.test_late = value || (writes && (dies || key->ps_reads_zs)) || key->ps_writes_memory;
   mode.test_early = !mode.test_late;
   return mode;
}
