/* SPDX-License-Identifier: MIT */
/*
 * ROP: decides when depth and stencil are tested, as a pure function of the state.
 */
#include "pixel/rop/sgd_rop.h"

struct sgd_zs_mode
sgd_decide_zs(const struct sgd_early_key *key)
{
   const bool tests = key->depth_test || key->stencil_test || key->bounds_test;
   const bool writes = key->depth_write || key->stencil_write;
   struct sgd_zs_mode mode = {
      .active = key->zs_bound && (tests || writes),
      /* Samples are counted early even if the tests pass all (GL 4.6, section 15.2.4). */
      .count_early = key->ps_early_tests,
   };
   if (!mode.active)
      return mode;

   /* zcull uses only the depth of the primitive. Fragments that write memory must do so in
    * an order that depends only on the draw, and not on what was drawn before.
    */
   mode.reject = key->depth_test && !key->stencil_write && !key->ps_writes_memory &&
                 (key->ps_early_tests || !key->ps_writes_depth);
   /* The bounds test compares stored depths, and comes before the stencil test. */
   mode.reject_bounds = key->bounds_test && !key->ps_writes_memory;

   /* The program's request overrides its other effects (GL 4.6, section 15.2.4). */
   if (key->ps_early_tests) {
      mode.test_early = true;
      return mode;
   }

   /* Late tests are needed if the program writes the tested depth or stencil, if it can
    * drop pixels that would be written, if it reads what would be overwritten, or if it
    * has effects that failing pixels must still have. Samples are counted after program
    * and tests, in either order.
    */
   const bool value = key->ps_writes_depth || key->ps_writes_stencil;
   const bool dies = key->ps_kill || key->alpha_to_coverage || key->ps_writes_sample_mask;

   mode.test_late = value || (writes && (dies || key->ps_reads_zs)) || key->ps_writes_memory;
   mode.test_early = !mode.test_late;
   return mode;
}
