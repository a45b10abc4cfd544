/* SPDX-License-Identifier: MIT */
/*
 * ROP: decides whether depth and stencil are tested early or late, as a pure function of the state.
 */
#include "pixel/rop/sgd_rop.h"

struct sgd_zs_mode
sgd_decide_zs(const struct sgd_early_key *key)
{
   const bool tests = key->depth_test || key->stencil_test || key->bounds_test;
   const bool writes = key->depth_write || key->stencil_write;
   struct sgd_zs_mode mode = {
      .active = key->zs_bound && (tests || writes),
      /* Count samples early even if the tests always pass (GL 4.6, section 15.2.4). */
      .count_early = key->ps_early_tests,
   };
   if (!mode.active)
      return mode;

   /* zcull uses only the primitive's depth. Programs that write memory are excluded, since the
    * order of their writes may depend only on the draw, not on previous contents of the depth
    * buffer.
    */
   mode.reject = key->depth_test && !key->stencil_write && !key->ps_writes_memory &&
                 (key->ps_early_tests || !key->ps_writes_depth);
   /* The bounds test compares the stored depth, and comes before the stencil test. */
   mode.reject_bounds = key->bounds_test && !key->ps_writes_memory;

   /* An explicit request for early tests overrides everything else (GL 4.6, section 15.2.4). */
   if (key->ps_early_tests) {
      mode.test_early = true;
      return mode;
   }

   /* Test late if the program writes the tested depth or stencil, if it can discard pixels that
    * would be written, if it reads the values that would be overwritten, or if it has side effects
    * that must happen for failing pixels, too. Samples are counted after both the program and the
    * tests.
    */
   const bool value = key->ps_writes_depth || key->ps_writes_stencil;
   const bool dies = key->ps_kill || key->alpha_to_coverage || key->ps_writes_sample_mask;

   mode.test_late = value || (writes && (dies || key->ps_reads_zs)) || key->ps_writes_memory;
   mode.test_early = !mode.test_late;
   return mode;
}
