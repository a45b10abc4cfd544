/* SPDX-License-Identifier: MIT */
/*
 * Tests folded constants.  The results of elementary functions are part of programs, so they must
 * be the same on every host.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "listing.h"
#include "program_hash.h"

#define RECORDED_HASH 0xb09b7f909631b69eull

static nir_def *
folded(nir_builder *b, unsigned function, float value)
{
   nir_def *x = nir_imm_float(b, value);

   switch (function) {
   case 0:
      return nir_fsin(b, x);
   case 1:
      return nir_fcos(b, x);
   case 2:
      return nir_fexp2(b, x);
   case 3:
      return nir_flog2(b, x);
   case 4:
      return nir_frcp(b, x);
   case 5:
      return nir_frsq(b, x);
   case 6:
      return nir_fsqrt(b, x);
   case 7:
      return nir_fpow(b, x, nir_imm_float(b, 1.7f));
   case 8:
      return nir_fdiv(b, nir_imm_float(b, 3.3f), x);
   case 9:
      return nir_fmod(b, x, nir_imm_float(b, 0.37f));
   case 10:
      return nir_ffract(b, x);
   case 11:
      return nir_fround_even(b, x);
   case 12:
      return nir_u2f32(b, nir_pack_half_2x16(b, nir_vec2(b, x, x)));
   case 13:
      return nir_i2f32(b, nir_f2i32(b, x));
   default:
      return NULL;
   }
}

static void
constants(void **state)
{
   uint64_t hash = PROGRAM_HASH_INIT;

   for (unsigned n = 0; n < 40; n++) {
      for (unsigned function = 0;; function++) {
         nir_builder builder = listing_begin(MESA_SHADER_FRAGMENT), *b = &builder;
         nir_def *value = folded(b, function, 0.013f + 0.719f * n);
         if (!value) {
            ralloc_free(b->shader);
            break;
         }
         listing_output(b, FRAG_RESULT_DATA0, nir_fadd(b, listing_input(b, 0), value));
         const char *error = NULL;
         struct sgpu_shader *shader = listing_compile(b, 0, &error);
         if (!shader)
            fail_msg("%s", error);
         assert_int_equal(shader->program.num_instrs, 1);
         hash = program_hash(hash, shader);
         ralloc_free(b->shader);
      }
   }
   if (hash != RECORDED_HASH)
      fail_msg("the programs' hash is 0x%llxull", (unsigned long long)hash);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(constants),
   };
   glsl_type_singleton_init_or_ref();
   const int failed = cmocka_run_group_tests(tests, NULL, NULL);
   glsl_type_singleton_decref();
   return failed;
}
