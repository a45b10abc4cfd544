/* SPDX-License-Identifier: MIT */

/*
 * Compares doubles (sgpu_fp64.h) and 64-bit integers (sgpu_int64.h) with models in 128-bit
 * integers: every result is the exact one, rounded once.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "sgpu_int64.h"
#include "wide_model.h"

#define ROUNDS 400000

static void
same(const char *what, uint64_t got, uint64_t want, const uint64_t in[3])
{
   if (got == want)
      return;
   print_error("%s of %016llx %016llx %016llx: %016llx, not %016llx\n", what,
               (unsigned long long)in[0], (unsigned long long)in[1], (unsigned long long)in[2],
               (unsigned long long)got, (unsigned long long)want);
   fail();
}

/* Tests all operations on doubles with the arguments in in[]. */
__attribute__((noinline)) static void
check_doubles(const uint64_t in[3])
{
   const uint64_t a = in[0], b = in[1], c = in[2];
   const double x = sgpu_bits2d(a), y = sgpu_bits2d(b), z = sgpu_bits2d(c);
   const uint64_t product_sign = (a ^ b) & SIGN64;

   same("add", sgpu_d2bits(sgpu_dadd(x, y)), sgpu_dfma_integer(a, 0x3ff0000000000000, b), in);
   same("mul", sgpu_d2bits(sgpu_dmul(x, y)), sgpu_dfma_integer(a, b, product_sign), in);
   same("fma", sgpu_d2bits(sgpu_dfma(x, y, z)), sgpu_dfma_integer(a, b, c), in);
   same("libm's fma", wide_canon(sgpu_d2bits(fma(x, y, z))), sgpu_dfma_integer(a, b, c), in);
   same("div", sgpu_d2bits(sgpu_ddiv(x, y)), model_div(a, b), in);
   same("sqrt", sgpu_d2bits(sgpu_dsqrt(x)), model_sqrt(a), in);
   same("floor", sgpu_d2bits(sgpu_dfloor(x)), wide_canon(sgpu_d2bits(floor(x))), in);
   same("ceil", sgpu_d2bits(sgpu_dceil(x)), wide_canon(sgpu_d2bits(ceil(x))), in);
   same("trunc", sgpu_d2bits(sgpu_dtrunc(x)), wide_canon(sgpu_d2bits(trunc(x))), in);
   same("round", sgpu_d2bits(sgpu_dround(x)), wide_canon(sgpu_d2bits(rint(x))), in);
   same("fract", sgpu_d2bits(sgpu_dfract(x)), wide_canon(sgpu_d2bits(x - floor(x))), in);

   const uint64_t zeros = ~SIGN64 & (a | b) ? 0 : 1;
   const uint64_t less = wide_is_nan(a) ? b : wide_is_nan(b) ? a : zeros ? a | b : x < y ? a : b;
   const uint64_t more = wide_is_nan(a) ? b : wide_is_nan(b) ? a : zeros ? a & b : x < y ? b : a;
   same("min", sgpu_d2bits(sgpu_dmin(x, y)), wide_canon(less), in);
   same("max", sgpu_d2bits(sgpu_dmax(x, y)), wide_canon(more), in);
   const uint64_t sign = wide_is_nan(a) ? 0 : (a & ~SIGN64 ? 0x3ff0000000000000 : 0) | (a & SIGN64);
   same("sign", sgpu_d2bits(sgpu_dsign(x)), sign, in);

   for (unsigned cond = 0; cond < 8; cond++) {
      const bool nan = wide_is_nan(a) || wide_is_nan(b);
      const bool holds = nan ? cond == 5 || cond == 7
                             : ((cond & 1) && x < y) || ((cond & 2) && x == y) ||
                                  ((cond & 4) && x > y);
      same("compare", sgpu_dcmp(cond, x, y), holds ? ~0u : 0, in);
   }

   same("d2f", sgpu_f2bits(sgpu_d2f(x)), model_d2f(a), in);
   same("d2i", (uint32_t)sgpu_d2i(x), (uint32_t)model_integer(a, INT32_MIN, INT32_MAX), in);
   same("d2u", sgpu_d2u(x), (uint32_t)model_integer(a, 0, UINT32_MAX), in);
   same("d2l", (uint64_t)sgpu_d2l(x), (uint64_t)model_integer(a, INT64_MIN, INT64_MAX), in);
   same("d2q", sgpu_d2q(x), (uint64_t)model_integer(a, 0, UINT64_MAX), in);

   same("i2d", sgpu_d2bits(sgpu_i2d((int32_t)a)), model_from_integer((int32_t)a), in);
   same("u2d", sgpu_d2bits(sgpu_u2d((uint32_t)a)), model_from_integer((uint32_t)a), in);
   same("l2d", sgpu_d2bits(sgpu_l2d((int64_t)a)), model_from_integer((int64_t)a), in);
   same("q2d", sgpu_d2bits(sgpu_q2d(a)), model_from_integer(a), in);
   same("l2f", sgpu_f2bits(sgpu_l2f((int64_t)a)), sgpu_f2bits(model_float_from_integer((int64_t)a)),
        in);
   same("q2f", sgpu_f2bits(sgpu_q2f(a)), sgpu_f2bits(model_float_from_integer(a)), in);

   /* Convert the high word as a float. */
   const uint32_t f = (uint32_t)(a >> 32);
   const bool tiny = !(f & SGPU_FP_INF_BITS);
   const uint32_t flushed = tiny ? f & SGPU_FP_SIGN_BIT : f;
   const uint64_t wide = wide_canon(sgpu_d2bits((double)sgpu_bits2f(flushed)));
   same("f2d", sgpu_d2bits(sgpu_f2d(sgpu_bits2f(f))), wide, in);
   same("f2l", (uint64_t)sgpu_f2l(sgpu_bits2f(f)),
        (uint64_t)model_integer(wide, INT64_MIN, INT64_MAX), in);
   same("f2q", sgpu_f2q(sgpu_bits2f(f)), (uint64_t)model_integer(wide, 0, UINT64_MAX), in);
}

static void
doubles(void **state)
{
   (void)state;
   struct isa_random r = { 21 };
   uint64_t in[3];
   const uint64_t outer = sgpu_fp_enter();
   const uint32_t mode = sgpu_fp64_enter();
   for (unsigned n = 0; n < ROUNDS; n++) {
      for (unsigned i = 0; i < 3; i++)
         in[i] = wide_pick(&r);
      /* Make sums that cancel exactly or nearly. */
      if (n % 5 == 0) {
         const double x = sgpu_bits2d(in[0]), y = sgpu_bits2d(in[1]);
         in[2] = (sgpu_d2bits(x * y) ^ SIGN64) + isa_random_below(&r, 3) - 1;
      } else if (n % 5 == 1) {
         in[1] = (in[0] ^ SIGN64) + isa_random_below(&r, 5) - 2;
      }
      check_doubles(in);
   }
   /* Test all pairs of corner cases. */
   for (unsigned i = 0; i < 4 * WIDE_CORNERS * WIDE_CORNERS; i++) {
      in[0] = wide_corners[i / 4 / WIDE_CORNERS] ^ (i & 1 ? SIGN64 : 0);
      in[1] = wide_corners[i / 4 % WIDE_CORNERS] ^ (i & 2 ? SIGN64 : 0);
      in[2] = wide_corners[isa_random_below(&r, WIDE_CORNERS)];
      check_doubles(in);
   }
   sgpu_fp64_leave(mode);
   sgpu_fp_leave(outer);
}

static void
integers(void **state)
{
   (void)state;
   struct isa_random r = { 22 };
   for (unsigned n = 0; n < ROUNDS; n++) {
      uint64_t in[3] = { wide_pick(&r),
                         isa_random_below(&r, 3) ? wide_pick(&r) : isa_random_below(&r, 70) };
      const uint64_t a = in[0], b = in[1];
      const int64_t ia = (int64_t)a, ib = (int64_t)b;
      const s128 wa = ia, wb = ib;
      in[2] = 0;
      same("ldiv", (uint64_t)sgpu_ldiv(ia, ib), b == 0 ? ~0ull : (uint64_t)(wa / wb), in);
      same("qdiv", sgpu_qdiv(a, b), b == 0 ? ~0ull : a / b, in);
      same("lrem", (uint64_t)sgpu_lrem(ia, ib), b == 0 ? a : (uint64_t)(wa % wb), in);
      same("qmod", sgpu_qmod(a, b), b == 0 ? a : a % b, in);
      same("lmod", (uint64_t)sgpu_lmod(ia, ib), b == 0 ? a : (uint64_t)(((wa % wb) + wb) % wb), in);
      same("lashr", (uint64_t)sgpu_lashr(ia, (uint32_t)b), (uint64_t)(wa >> (b & 63)), in);
      same("pair", sgpu_pair((uint32_t)a, (uint32_t)(a >> 32)), a, in);
      for (unsigned cond = 0; cond < 8; cond++) {
         const bool s = ((cond & 1) && ia < ib) || ((cond & 2) && ia == ib) ||
                        ((cond & 4) && ia > ib);
         const bool u = ((cond & 1) && a < b) || ((cond & 2) && a == b) || ((cond & 4) && a > b);
         same("lcmp", sgpu_lcmp(cond, ia, ib), s ? ~0u : 0, in);
         same("qcmp", sgpu_qcmp(cond, a, b), u ? ~0u : 0, in);
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(doubles),
      cmocka_unit_test(integers),
   };
#if defined(__x86_64__) && defined(__FMA__)
   if (!__builtin_cpu_supports("fma"))
      return 77;
#endif
   return cmocka_run_group_tests(tests, NULL, NULL);
}
