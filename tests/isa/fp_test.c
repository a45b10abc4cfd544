/* SPDX-License-Identifier: MIT */

/*
 * Unit tests of src/isa/sgpu_fp.h: corner cases as bit patterns, exact operations compared with
 * independent references, and equality of flushing by the hardware and explicit flushing.
 *
 *    gcc -std=c11 -O3 -ffp-contract=off -fno-math-errno -fno-trapping-math -march=x86-64-v3 \
 *       -Isrc/isa -Itests/isa tests/isa/fp_test.c tests/isa/fp_lanes_hw.c \
 *       tests/isa/fp_lanes_soft.c -lm -o fp_test
 *
 *    fp_test [--exhaustive]
 *
 * --exhaustive compares hardware and explicit flushing for all 2^32 inputs of every function
 * with one operand (two to three minutes).
 */

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fp_lanes.h"
#include "../rounds.h"

/* Functions with one operand are tested with every STEP-th input.  A prime step reaches every
 * alignment of exponents and mantissas.
 */
#define STEP (TEST_ROUNDS_DIVISOR > 1 ? 32749 : 4093)

static unsigned num_checks, num_failures;

static const struct fp_lanes_op *
find_op(const struct fp_lanes *lanes, const char *name)
{
   for (unsigned i = 0; i < lanes->num_ops; i++) {
      if (!strcmp(lanes->ops[i].name, name))
         return &lanes->ops[i];
   }
   fprintf(stderr, "no operation %s\n", name);
   exit(2);
}

static void
fail(const char *impl, const char *op, unsigned num_srcs, const uint32_t *src, uint32_t got,
     uint32_t want)
{
   if (++num_failures > 50)
      return;
   printf("FAIL %s %s(", impl, op);
   for (unsigned k = 0; k < num_srcs; k++)
      printf("%s%08" PRIx32, k ? ", " : "", src[k]);
   printf(") = %08" PRIx32 ", expected %08" PRIx32 "\n", got, want);
}

/*
 * Corner cases.
 */

#define P0 0x00000000u
#define N0 0x80000000u
#define P1 0x3f800000u
#define N1 0xbf800000u
#define P2 0x40000000u
#define HALF 0x3f000000u
#define PINF 0x7f800000u
#define NINF 0xff800000u
#define NAN_ 0x7fc00000u /* NaN that operations return */
#define QNAN 0xffc12345u /* NaN operands with payloads */
#define SNAN 0x7f800001u
#define MINN 0x00800000u /* 2^-126 */
#define NMIN 0x80800000u
#define MAXF 0x7f7fffffu
#define NMAX 0xff7fffffu
#define SUB1 0x00000001u
#define NSUB 0x80000001u
#define SUBM 0x007fffffu /* the largest subnormal */
#define T ~0u

struct corner {
   const char *op;
   uint32_t want;
   uint32_t src[8];
};

static const struct corner corners[] = {
   /* bitwise */
   { "fneg", N0, { P0 } },
   { "fneg", NSUB, { SUB1 } },
   { "fneg", 0x7fc12345, { QNAN } },
   { "fabs", SUB1, { NSUB } },
   { "fabs", 0x7fc12345, { QNAN } },
   { "fabs", P0, { N0 } },
   { "fflush", P0, { SUB1 } },
   { "fflush", N0, { NSUB } },
   { "fflush", N0, { 0x807fffff } },
   { "fflush", MINN, { MINN } },
   { "fflush", QNAN, { QNAN } },
   { "fflush", SNAN, { SNAN } },

   /* add: flushed inputs, flushed exact differences, signs of zero, NaN */
   { "fadd", P2, { P1, P1 } },
   { "fadd", P0, { P1, N1 } },
   { "fadd", N0, { N0, N0 } },
   { "fadd", P0, { P0, N0 } },
   { "fadd", P0, { SUB1, SUBM } },
   { "fadd", N0, { NSUB, NSUB } },
   { "fadd", MINN, { MINN, SUBM } },
   { "fadd", P0, { 0x00c00000, NMIN } },
   { "fadd", N0, { 0x80c00000, MINN } },
   { "fadd", P0, { MINN, NMIN } },
   { "fadd", N0, { MINN, 0x80800001 } },
   { "fadd", MINN, { 0x01000000, NMIN } },
   { "fadd", PINF, { MAXF, MAXF } },
   { "fadd", PINF, { MAXF, 0x73000000 } },
   { "fadd", MAXF, { MAXF, 0x72ffffff } },
   { "fadd", NAN_, { PINF, NINF } },
   { "fadd", NAN_, { QNAN, P1 } },
   { "fadd", NAN_, { P1, SNAN } },
   { "fadd", 0x4b800000, { 0x4b800000, P1 } },
   { "fadd", 0x4b800002, { 0x4b800001, P1 } },
   { "fsub", P0, { P1, P1 } },
   { "fsub", N0, { N0, P0 } },
   { "fsub", NAN_, { PINF, PINF } },

   /* mul: tininess after rounding */
   { "fmul", MINN, { 0x3f7ffffe, 0x00800001 } }, /* 2^-126 (1 - 2^-46) */
   { "fmul", MINN, { 0x3f7ff830, 0x008003e8 } }, /* 2^-126 (1 - 0.24 * 2^-24) */

   { "fmul", P0, { 0x3f7ff39c, 0x00800632 } }, /* 2^-126 (1 - 0.60 * 2^-24): tiny, IEEE rounds up */
   { "fmul", P0, { 0x3f7fffff, MINN } },       /* 2^-126 (1 - 2^-24) exactly: the same */
   { "fmul", NMIN, { 0xbf7ffffe, 0x00800001 } },
   { "fmul", N0, { 0xbf7ff39c, 0x00800632 } },
   { "fmul", P0, { HALF, MINN } },
   { "fmul", P0, { SUBM, MAXF } },
   { "fmul", N0, { NSUB, MAXF } },
   { "fmul", NAN_, { SUB1, PINF } },
   { "fmul", NAN_, { P0, PINF } },
   { "fmul", NAN_, { N0, QNAN } },
   { "fmul", PINF, { MAXF, P2 } },
   { "fmul", NINF, { NMAX, P2 } },
   { "fmul", PINF, { NINF, NINF } },
   { "fmul", P0, { 0x1f800000, 0x1fffffff } }, /* 2^-64 by 2^-63 (1 - 2^-24) */
   { "fmul", MINN, { 0x20000000, 0x20000000 } },
   { "fmul", MAXF, { MAXF, P1 } },

   /* mulz: +0 if an operand is zero */
   { "fmulz", P0, { P0, PINF } },
   { "fmulz", P0, { N0, PINF } },
   { "fmulz", P0, { QNAN, P0 } },
   { "fmulz", P0, { N0, P1 } },
   { "fmulz", P0, { NSUB, SNAN } },
   { "fmulz", P0, { NINF, SUBM } },
   { "fmulz", PINF, { P1, PINF } },
   { "fmulz", NAN_, { P1, QNAN } },
   { "fmulz", N0, { 0x9f800000, 0x1f800000 } },
   { "fmulz", 0x40490fdb, { P1, 0x40490fdb } },

   /* mad: the product is rounded and flushed before the sum */
   { "fmad", P0, { 0x3f800001, 0x3f7fffff, N1 } },
   { "fmad", MINN, { HALF, MINN, MINN } },
   { "fmad", PINF, { MAXF, P2, NMAX } },
   { "fmad", NAN_, { P0, PINF, P1 } },
   { "fmad", N0, { 0x9f800000, 0x1f800000, N0 } },
   { "fmad", P1, { SUB1, MAXF, P1 } },
   { "fmadz", P1, { P0, PINF, P1 } },
   { "fmadz", P0, { N0, QNAN, N0 } },
   { "fmadz", P0, { P0, P1, SUBM } },

   /* dot products: ((x + y) + z) + w */
   { "fdp2", P2, { P1, P1, P1, P1 } },
   { "fdp2", NAN_, { P0, P1, PINF, P1 } },
   { "fdp2z", P1, { P0, P1, PINF, P1 } },
   { "fdp3", P1, { 0x4c800000, 0xcc800000, P1, P1, P1, P1 } },
   { "fdp3", P0, { P1, 0x4c800000, 0xcc800000, P1, P1, P1 } },
   { "fdp3z", P2, { P1, P0, P1, P1, QNAN, P1 } },
   { "fdp4", P1, { P1, 0x4c800000, 0xcc800000, P1, P1, P1, P1, P1 } },
   { "fdp4", 0x40800000, { P1, P1, P1, P1, P1, P1, P1, P1 } },
   { "fdp4", NAN_, { P1, P1, P1, P0, P1, P1, P1, PINF } },
   { "fdp4z", 0x40400000, { P1, P1, P1, P0, P1, P1, P1, PINF } },
   { "fdph", 0x40800000, { P1, P1, P1, P1, P1, P1, P1 } },
   { "fdph", P0, { P0, P0, P0, P1, P1, P1, SUBM } },
   { "fdphz", P1, { P0, P0, P0, PINF, P1, P1, P1 } },

   /* div */
   { "fdiv", P1, { P2, P2 } },
   { "fdiv", PINF, { P1, P0 } },
   { "fdiv", NINF, { P1, NSUB } },
   { "fdiv", NAN_, { P0, SUB1 } },
   { "fdiv", NAN_, { PINF, NINF } },
   { "fdiv", N0, { N1, PINF } },
   { "fdiv", P0, { 0x00ffffff, P2 } },
   { "fdiv", MINN, { 0x01000000, P2 } },
   { "fdiv", P0, { MINN, P2 } },
   { "fdiv", 0x3eaaaaab, { P1, 0x40400000 } },

   /* min, max */
   { "fmin", N0, { P0, N0 } },
   { "fmin", N0, { N0, P0 } },
   { "fmax", P0, { P0, N0 } },
   { "fmax", P0, { N0, P0 } },
   { "fmin", N0, { N0, N0 } },
   { "fmax", N0, { N0, N0 } },
   { "fmin", P1, { QNAN, P1 } },
   { "fmin", P1, { P1, SNAN } },
   { "fmax", P1, { QNAN, P1 } },
   { "fmax", P1, { P1, SNAN } },
   { "fmin", NAN_, { QNAN, SNAN } },
   { "fmax", NAN_, { SNAN, QNAN } },
   { "fmin", N0, { NSUB, SUB1 } },
   { "fmax", P0, { NSUB, SUB1 } },
   { "fmax", P0, { SUBM, SUB1 } },
   { "fmin", P0, { SUBM, MINN } },
   { "fmax", P0, { SUB1, QNAN } },
   { "fmin", N0, { QNAN, NSUB } },
   { "fmin", NINF, { NINF, MAXF } },
   { "fmax", PINF, { NINF, PINF } },
   { "fmin", N1, { P1, N1 } },
   { "fmax", P1, { P1, N1 } },

   /* sat, sign */
   { "fsat", P0, { N0 } },
   { "fsat", P0, { QNAN } },
   { "fsat", P0, { SUBM } },
   { "fsat", P0, { NINF } },
   { "fsat", P1, { PINF } },
   { "fsat", P1, { P2 } },
   { "fsat", HALF, { HALF } },
   { "fsat", MINN, { MINN } },
   { "fsign", P0, { P0 } },
   { "fsign", N0, { N0 } },
   { "fsign", N0, { NSUB } },
   { "fsign", P0, { SNAN } },
   { "fsign", P1, { MINN } },
   { "fsign", N1, { NINF } },

   /* rounding */
   { "ffloor", N1, { 0xbf000000 } },
   { "ffloor", N0, { NSUB } },
   { "ffloor", N1, { NMIN } },
   { "ffloor", N0, { N0 } },
   { "ffloor", NAN_, { SNAN } },
   { "ffloor", NINF, { NINF } },
   { "ffloor", P0, { HALF } },
   { "ffloor", 0x4b000001, { 0x4b000001 } },
   { "ffloor", 0x4afffffe, { 0x4affffff } },
   { "fceil", P0, { SUB1 } },
   { "fceil", P1, { MINN } },
   { "fceil", N0, { 0xbf000000 } },
   { "fceil", NAN_, { QNAN } },
   { "fceil", 0x4b000000, { 0x4affffff } },
   { "fceil", NMAX, { NMAX } },
   { "ftrunc", N0, { 0xbf7fffff } },
   { "ftrunc", 0xc0000000, { 0xc03fffff } },
   { "ftrunc", N0, { NSUB } },
   { "ftrunc", NAN_, { QNAN } },
   { "fround", P0, { HALF } },
   { "fround", P2, { 0x3fc00000 } },
   { "fround", P2, { 0x40200000 } },
   { "fround", N0, { 0xbf000000 } },
   { "fround", P1, { 0x3f000001 } },
   { "fround", NAN_, { SNAN } },
   { "fround", N0, { NSUB } },
   { "fround", PINF, { PINF } },
   { "ffract", HALF, { 0x3fc00000 } },
   { "ffract", HALF, { 0xbf000000 } },
   { "ffract", P1, { NMIN } },
   { "ffract", P0, { NSUB } },
   { "ffract", P0, { N0 } },
   { "ffract", NAN_, { PINF } },
   { "ffract", MINN, { MINN } },
   { "ffract", P0, { 0xcb000001 } },

   /* comparisons */
   { "flt", T, { N1, P1 } },
   { "flt", 0, { N0, P0 } },
   { "flt", 0, { P0, SUBM } },
   { "flt", 0, { QNAN, P1 } },
   { "flt", 0, { P1, QNAN } },
   { "fge", T, { N0, P0 } },
   { "fge", T, { P0, SUBM } },
   { "fge", 0, { QNAN, QNAN } },
   { "feq", T, { N0, P0 } },
   { "feq", T, { NSUB, SUBM } },
   { "feq", 0, { QNAN, QNAN } },
   { "feq", 0, { P0, MINN } },
   { "fne", 0, { N0, SUBM } },
   { "fne", T, { QNAN, QNAN } },
   { "fne", T, { SNAN, P0 } },
   { "fne", 0, { PINF, PINF } },
   { "fslt", P1, { N1, P1 } },
   { "fslt", P0, { SUB1, SUBM } },
   { "fsge", P1, { SUB1, SUBM } },
   { "fsge", P0, { QNAN, P0 } },
   { "fseq", P1, { SUB1, N0 } },
   { "fsne", P1, { QNAN, P1 } },

   /* conversions */
   { "f2i", 0, { QNAN } },
   { "f2i", 0, { SUBM } },
   { "f2i", 0, { 0xbf7fffff } },
   { "f2i", ~0u, { N1 } },
   { "f2i", 0x7fffffff, { 0x4f000000 } },
   { "f2i", 0x7fffff80, { 0x4effffff } },
   { "f2i", 0x80000000, { 0xcf000000 } },
   { "f2i", 0x80000000, { NINF } },
   { "f2i", 0x7fffffff, { PINF } },
   { "f2i", 0x80000080, { 0xceffffff } },
   { "f2u", 0, { QNAN } },
   { "f2u", 0, { N1 } },
   { "f2u", 0, { NINF } },
   { "f2u", ~0u, { PINF } },
   { "f2u", ~0u, { 0x4f800000 } },
   { "f2u", 0xffffff00, { 0x4f7fffff } },
   { "f2u", 0x80000000, { 0x4f000000 } },
   { "f2u", 0x7fffff80, { 0x4effffff } },
   { "f2u", 3, { 0x407fffff } },
   { "f2u", 0x80000100, { 0x4f000001 } },
   { "i2f", P0, { 0 } },
   { "i2f", N1, { ~0u } },
   { "i2f", 0xcf000000, { 0x80000000 } },
   { "i2f", 0x4f000000, { 0x7fffffff } },
   { "i2f", 0x4b800000, { 0x01000001 } },
   { "i2f", 0x4b800002, { 0x01000003 } },
   { "u2f", P0, { 0 } },
   { "u2f", 0x4f800000, { ~0u } },
   { "u2f", 0x4f000000, { 0x80000000 } },
   { "u2f", 0x4f000000, { 0x80000080 } },
   { "u2f", 0x4f000001, { 0x80000081 } },
   { "u2f", 0x4f7fffff, { 0xffffff7f } },
   { "f2h", 0x3c00, { P1 } },
   { "f2h", 0x8000, { N0 } },
   { "f2h", 0x8000, { NSUB } },
   { "f2h", 0x7e00, { QNAN } },
   { "f2h", 0x7e00, { SNAN } },
   { "f2h", 0xfc00, { NINF } },
   { "f2h", 0x7bff, { 0x477fefff } },
   { "f2h", 0x7c00, { 0x477ff000 } },
   { "f2h", 0x7c00, { 0x47800000 } },
   { "f2h", 0x0400, { 0x38800000 } },
   { "f2h", 0x0400, { 0x387fe000 } },
   { "f2h", 0x03ff, { 0x387fdfff } },
   { "f2h", 0x0001, { 0x33800000 } },
   { "f2h", 0x0000, { 0x33000000 } },
   { "f2h", 0x0001, { 0x33000001 } },
   { "f2h", 0x0002, { 0x33c00000 } },
   { "h2f", P1, { 0x3c00 } },
   { "h2f", N0, { 0x8000 } },
   { "h2f", 0x33800000, { 0x0001 } },
   { "h2f", 0xb87fc000, { 0x83ff } },
   { "h2f", PINF, { 0x7c00 } },
   { "h2f", NINF, { 0xfc00 } },
   { "h2f", NAN_, { 0x7c01 } },
   { "h2f", NAN_, { 0xfe00 } },
   { "h2f", 0x477fe000, { 0xffff7bff } },

   /* reciprocal, roots */
   { "frcp", PINF, { P0 } },
   { "frcp", NINF, { N0 } },
   { "frcp", PINF, { SUBM } },
   { "frcp", NINF, { NSUB } },
   { "frcp", P0, { PINF } },
   { "frcp", N0, { NINF } },
   { "frcp", NAN_, { SNAN } },
   { "frcp", P1, { P1 } },
   { "frcp", 0x7e800000, { MINN } },
   { "frcp", MINN, { 0x7e800000 } },
   { "frcp", P0, { 0x7e800001 } },
   { "frcp", P0, { MAXF } },
   { "fsqrt", N0, { N0 } },
   { "fsqrt", N0, { NSUB } },
   { "fsqrt", P0, { SUBM } },
   { "fsqrt", NAN_, { N1 } },
   { "fsqrt", NAN_, { NINF } },
   { "fsqrt", PINF, { PINF } },
   { "fsqrt", P2, { 0x40800000 } },
   { "fsqrt", 0x20000000, { MINN } },
   { "fsqrt", NAN_, { QNAN } },
   { "frsq", PINF, { P0 } },
   { "frsq", PINF, { N0 } },
   { "frsq", PINF, { NSUB } },
   { "frsq", P0, { PINF } },
   { "frsq", P0, { NINF } },
   { "frsq", P1, { N1 } },
   { "frsq", HALF, { 0xc0800000 } },
   { "frsq", NAN_, { QNAN } },
   { "frsq", 0x5f000000, { MINN } },
   { "frsq", 0x20000000, { 0x7e800000 } },
   { "frsq", 0x1fb504f3, { 0x7f000000 } },
   { "frsq", 0x1f800000, { MAXF } },

   /* exponential, logarithm */
   { "fex2", P1, { P0 } },
   { "fex2", P1, { N0 } },
   { "fex2", P1, { NSUB } },
   { "fex2", P2, { P1 } },
   { "fex2", HALF, { N1 } },
   { "fex2", P0, { NINF } },
   { "fex2", PINF, { PINF } },
   { "fex2", NAN_, { QNAN } },
   { "fex2", PINF, { 0x43000000 } },
   { "fex2", PINF, { MAXF } },
   { "fex2", MINN, { 0xc2fc0000 } },
   { "fex2", P0, { 0xc2fc0001 } },
   { "fex2", P0, { 0xc2fe0000 } },
   { "fex2", P0, { NMAX } },
   { "fex2", 0x7f000000, { 0x42fe0000 } },
   { "fex2", 0x3fb504f3, { HALF } },
   { "fex2", 0x3f3504f3, { 0xbf000000 } },
   { "flg2", NINF, { P0 } },
   { "flg2", NINF, { N0 } },
   { "flg2", NINF, { SUBM } },
   { "flg2", NINF, { NSUB } },
   { "flg2", NAN_, { N1 } },
   { "flg2", NAN_, { NMIN } },
   { "flg2", NAN_, { NINF } },
   { "flg2", NAN_, { SNAN } },
   { "flg2", PINF, { PINF } },
   { "flg2", P0, { P1 } },
   { "flg2", 0xc2fc0000, { MINN } },
   { "flg2", P1, { P2 } },
   { "flg2", 0x43000000, { MAXF } },

   /* sine, cosine */
   { "fsin", P0, { P0 } },
   { "fsin", N0, { N0 } },
   { "fsin", N0, { NSUB } },
   { "fsin", MINN, { MINN } },
   { "fsin", NAN_, { PINF } },
   { "fsin", NAN_, { NINF } },
   { "fsin", NAN_, { QNAN } },
   { "fsin", P1, { 0x3fc90fdb } },
   { "fsin", N1, { 0xbfc90fdb } },
   { "fsin", 0xb3bbbd2e, { 0x40490fdb } },
   { "fcos", P1, { P0 } },
   { "fcos", P1, { N0 } },
   { "fcos", P1, { NSUB } },
   { "fcos", NAN_, { PINF } },
   { "fcos", NAN_, { SNAN } },
   { "fcos", N1, { 0x40490fdb } },
   { "fcos", 0xb33bbd2e, { 0x3fc90fdb } },

   /* power: 0 times any number is 0 */
   { "fpow", P1, { P0, P0 } },
   { "fpow", P1, { QNAN, P0 } },
   { "fpow", P1, { PINF, N0 } },
   { "fpow", P1, { P1, QNAN } },
   { "fpow", P1, { N1, P0 } },
   { "fpow", P0, { P0, P1 } },
   { "fpow", P0, { N0, PINF } },
   { "fpow", PINF, { P0, N1 } },
   { "fpow", NAN_, { N1, P1 } },
   { "fpow", 0x41000000, { P2, 0x40400000 } },
   { "fpow", P0, { HALF, PINF } },
   { "fpow", PINF, { PINF, HALF } },

   /* EXP, LOG, LIT */
   { "fexp_x", P2, { 0x3fc00000 } },
   { "fexp_x", HALF, { 0xbf000000 } },
   { "fexp_x", P1, { NSUB } },
   { "fexp_x", P0, { NINF } },
   { "fexp_y", HALF, { 0x3fc00000 } },
   { "fexp_y", HALF, { 0xbf000000 } },
   { "fexp_z", P1, { P0 } },
   { "fexp_z", PINF, { PINF } },
   { "flog_x", NINF, { P0 } },
   { "flog_x", NINF, { NSUB } },
   { "flog_x", PINF, { NINF } },
   { "flog_x", NAN_, { QNAN } },
   { "flog_x", N1, { 0xbf400000 } },
   { "flog_x", 0xc2fc0000, { MINN } },
   { "flog_x", 0x42fe0000, { MAXF } },
   { "flog_y", P1, { P0 } },
   { "flog_y", P1, { NINF } },
   { "flog_y", P1, { SUBM } },
   { "flog_y", NAN_, { SNAN } },
   { "flog_y", 0x3fc00000, { 0xbf400000 } },
   { "flog_y", 0x3fffffff, { MAXF } },
   { "flog_z", NINF, { N0 } },
   { "flog_z", P1, { 0xc0000000 } },
   { "flog_z", PINF, { NINF } },
   { "flit_y", P0, { N1 } },
   { "flit_y", P2, { P2 } },
   { "flit_y", P0, { QNAN } },
   { "flit_y", P0, { N0 } },
   { "flit_z", P0, { P0, P2, P2 } },
   { "flit_z", P0, { N1, P2, P2 } },
   { "flit_z", P0, { QNAN, P2, P2 } },
   { "flit_z", P0, { SUBM, P2, P2 } },
   { "flit_z", 0x40800000, { P1, P2, P2 } },
   { "flit_z", P1, { P1, P0, P0 } },
   { "flit_z", P1, { P1, N1, P0 } },
   { "flit_z", P0, { P1, N1, P1 } },
   { "flit_z", P1, { P1, QNAN, P0 } },
   { "flit_z", 0x00800000, { P1, HALF, 0x42fc0000 } },
   { "flit_z", P0, { P1, HALF, MAXF } },
   { "flit_z", PINF, { P1, P2, MAXF } },
   { "flit_z", P1, { P1, P1, PINF } },
   { "flit_z", PINF, { P1, P0, N1 } },
};

static void
test_corners(const struct fp_lanes *lanes, const char *impl)
{
   uint32_t s[8][FP_LANES], d[FP_LANES];
   const uint64_t saved = lanes->enter();
   for (unsigned n = 0; n < sizeof(corners) / sizeof(corners[0]); n++) {
      const struct corner *c = &corners[n];
      const struct fp_lanes_op *op = find_op(lanes, c->op);
      for (unsigned k = 0; k < 8; k++) {
         for (unsigned i = 0; i < FP_LANES; i++)
            s[k][i] = c->src[k];
      }
      op->fn(d, (const uint32_t(*)[FP_LANES])s);
      num_checks++;
      for (unsigned i = 0; i < FP_LANES; i++) {
         if (d[i] != c->want) {
            fail(impl, c->op, op->num_srcs, c->src, d[i], c->want);
            break;
         }
      }
   }
   lanes->leave(saved);
}

/*
 * References for operations with exact definitions, in integers and doubles.
 */

static uint32_t
ref_round(const char *name, uint32_t u)
{
   const float x = bits2f(u);
   if (x != x)
      return NAN_;
   if ((u & PINF) == 0)
      return u & N0;
   if (!strcmp(name, "ffloor"))
      return f2bits((float)floor(x));
   if (!strcmp(name, "fceil"))
      return f2bits((float)ceil(x));
   if (!strcmp(name, "ftrunc"))
      return f2bits((float)trunc(x));
   return f2bits((float)nearbyint(x));
}

static uint32_t
ref_f2i(const char *name, uint32_t u)
{
   const double x = bits2f(u);
   const bool is_signed = !strcmp(name, "f2i");
   const double lo = is_signed ? -2147483648.0 : 0.0;
   const double hi = is_signed ? 2147483647.0 : 4294967295.0;
   if (x != x)
      return 0;
   return (uint32_t)(int64_t)(x < lo ? lo : x > hi ? hi : x);
}

static uint32_t
ref_i2f(const char *name, uint32_t u)
{
   return f2bits(!strcmp(name, "i2f") ? (float)(double)(int32_t)u : (float)(double)u);
}

/* Returns the value of a finite half. */
static double
half_value(uint32_t h)
{
   const int e = (h >> 10) & 31, m = h & 1023;
   return e ? ldexp(1024 + m, e - 25) : ldexp(m, -24);
}

static uint32_t
ref_f2h(const char *name, uint32_t u)
{
   (void)name;
   const double x = fabs((double)bits2f(u));
   const uint32_t sign = (u >> 16) & 0x8000;
   if (x != x)
      return 0x7e00;
   /* Find the largest half not above x, then round to it or to the next one, ties to even. */
   uint32_t lo = 0, hi = 0x7c00;
   while (hi - lo > 1) {
      const uint32_t mid = (lo + hi) / 2;
      if (half_value(mid) <= x)
         lo = mid;
      else
         hi = mid;
   }
   const double next = hi == 0x7c00 ? 65536.0 : half_value(hi);
   const double down = x - half_value(lo), up = next - x;
   const bool take_up = up < down || (up == down && (lo & 1));
   return sign | (take_up ? hi : lo);
}

static uint32_t
ref_h2f(const char *name, uint32_t u)
{
   (void)name;
   const uint32_t sign = (u & 0x8000) << 16, mag = u & 0x7fff;
   if (mag > 0x7c00)
      return NAN_;
   return sign | (mag == 0x7c00 ? PINF : f2bits((float)half_value(mag)));
}

static void
test_reference(const struct fp_lanes *lanes, const char *impl, const char *name,
               uint32_t (*ref)(const char *, uint32_t), uint64_t step)
{
   const struct fp_lanes_op *op = find_op(lanes, name);
   uint32_t s[8][FP_LANES], d[FP_LANES];
   for (uint64_t u = 0; u < 1ull << 32; u += step * FP_LANES) {
      for (unsigned i = 0; i < FP_LANES; i++)
         s[0][i] = (uint32_t)(u + i * step);
      const uint64_t saved = lanes->enter();
      op->fn(d, (const uint32_t(*)[FP_LANES])s);
      lanes->leave(saved);
      for (unsigned i = 0; i < FP_LANES; i++) {
         const uint32_t want = ref(name, s[0][i]);
         if (d[i] != want)
            fail(impl, name, 1, &s[0][i], d[i], want);
      }
   }
   num_checks++;
}

/* Tests EX2 of all integers and LG2 of all powers of two. */
static void
test_powers_of_two(const struct fp_lanes *lanes, const char *impl)
{
   const struct fp_lanes_op *ex2 = find_op(lanes, "fex2"), *lg2 = find_op(lanes, "flg2");
   uint32_t s[8][FP_LANES], d[FP_LANES];
   const uint64_t saved = lanes->enter();
   for (int n = -126; n <= 127; n++) {
      const uint32_t power = (uint32_t)(n + 127) << 23, exponent = f2bits((float)n);
      for (unsigned i = 0; i < FP_LANES; i++)
         s[0][i] = exponent;
      ex2->fn(d, (const uint32_t(*)[FP_LANES])s);
      if (d[0] != power)
         fail(impl, "fex2", 1, &exponent, d[0], power);
      for (unsigned i = 0; i < FP_LANES; i++)
         s[0][i] = power;
      lg2->fn(d, (const uint32_t(*)[FP_LANES])s);
      if (d[0] != exponent)
         fail(impl, "flg2", 1, &power, d[0], exponent);
      num_checks += 2;
   }
   lanes->leave(saved);
}

/*
 * Comparison of flushing by the hardware and explicit flushing.
 */

static uint64_t rng_state = 0x2545f4914f6cdd1du;

static uint32_t
rnd(void)
{
   rng_state = rng_state * 6364136223846793005u + 1442695040888963407u;
   return (uint32_t)(rng_state >> 32);
}

static uint32_t
random_operand(void)
{
   static const uint32_t special[] = { P0,         SUB1,       SUBM,       MINN,       0x00800001,
                                       0x00ffffff, 0x01000000, HALF,       0x3f7fffff, P1,
                                       0x3f800001, P2,         0x7e800000, MAXF,       PINF,
                                       SNAN,       NAN_,       0x20000000, 0x1fffffff, 0x4b000000 };
   const uint32_t r = rnd(), sign = rnd() & N0;
   switch (rnd() >> 29) {
   case 0:
      return special[r % (sizeof(special) / sizeof(special[0]))] | sign;
   case 1: /* subnormal, or the first normal binades */
      return (r & 0x01ffffff) | sign;
   case 2: /* the product of two of these is near 2^-126 */
      return ((63 + (r >> 24) % 3) << 23 | (r & 0x7fffff)) | sign;
   case 3: /* mantissas with few ones or few zeros */
      return ((64u - (r & 1)) << 23 |
              ((r & 2) ? 0x7fffffu ^ (1u << (r >> 8) % 23) : 1u << (r >> 8) % 23)) |
             sign;
   default:
      return r;
   }
}

static void
compare(const struct fp_lanes_op *hw, const struct fp_lanes_op *soft, const uint32_t (*s)[FP_LANES])
{
   uint32_t a[FP_LANES], b[FP_LANES];
   uint64_t saved = fp_lanes_hw.enter();
   hw->fn(a, s);
   fp_lanes_hw.leave(saved);
   saved = fp_lanes_soft.enter();
   soft->fn(b, s);
   fp_lanes_soft.leave(saved);
   if (!memcmp(a, b, sizeof(a)))
      return;
   for (unsigned i = 0; i < FP_LANES; i++) {
      if (a[i] != b[i]) {
         uint32_t src[8];
         for (unsigned k = 0; k < 8; k++)
            src[k] = s[k][i];
         fail("hardware against soft", hw->name, hw->num_srcs, src, a[i], b[i]);
      }
   }
}

/*
 * Tests pairs whose product is within a few units of 2^-126.  For a random 24-bit a, b is
 * chosen so that a * b is close to 2^47; both are scaled.  Where tininess before and after
 * rounding differ, IEEE rounding gives 2^-126 and the ISA gives 0.
 */
static void
test_products_near_min(void)
{
   const struct fp_lanes_op *hw = find_op(&fp_lanes_hw, "fmul");
   const struct fp_lanes_op *soft = find_op(&fp_lanes_soft, "fmul");
   uint32_t s[8][FP_LANES] = { { 0 } };
   unsigned in_gap = 0;
   for (unsigned n = 0; n < TEST_ROUNDS(1u << 18); n++) {
      for (unsigned i = 0; i < FP_LANES; i++) {
         const uint64_t a = (1u << 23) | (rnd() & 0x7fffff);
         const uint64_t b = (1ull << 47) / a + (rnd() >> 30) - 1;
         const uint32_t e = 1 + rnd() % 120;
         const uint32_t sign = rnd() & N0;
         /* a 2^(e - 150) times b 2^(127 - e - 150) */
         s[0][i] = sign | (e << 23 | (uint32_t)(a & 0x7fffff));
         s[1][i] = (127 - e) << 23 | (uint32_t)(b & 0x7fffff);
         const double p = fabs((double)bits2f(s[0][i]) * (double)bits2f(s[1][i]));
         in_gap += p >= 0x1.fffffep-127 && p < 0x1.ffffffp-127;
      }
      compare(hw, soft, (const uint32_t(*)[FP_LANES])s);
   }
   num_checks++;
   if (in_gap < TEST_ROUNDS(100000)) {
      printf("FAIL only %u products between the two kinds of tininess\n", in_gap);
      num_failures++;
   }
}

static void
test_flush_equality(bool exhaustive)
{
   uint32_t s[8][FP_LANES] = { { 0 } };
   for (unsigned n = 0; n < fp_lanes_hw.num_ops; n++) {
      const struct fp_lanes_op *hw = &fp_lanes_hw.ops[n], *soft = &fp_lanes_soft.ops[n];
      const uint64_t step = exhaustive ? 1 : TEST_ROUNDS_DIVISOR > 1 ? 16381 : 2039;
      if (hw->num_srcs == 1) {
         for (uint64_t u = 0; u < 1ull << 32; u += step * FP_LANES) {
            for (unsigned i = 0; i < FP_LANES; i++)
               s[0][i] = (uint32_t)(u + i * step);
            compare(hw, soft, (const uint32_t(*)[FP_LANES])s);
         }
      }
      for (unsigned k = 0; k < TEST_ROUNDS(1u << 15); k++) {
         for (unsigned j = 0; j < hw->num_srcs; j++) {
            for (unsigned i = 0; i < FP_LANES; i++)
               s[j][i] = random_operand();
         }
         compare(hw, soft, (const uint32_t(*)[FP_LANES])s);
      }
      num_checks++;
   }
}

int
main(int argc, char **argv)
{
   const bool exhaustive = argc > 1 && !strcmp(argv[1], "--exhaustive");
   static const struct {
      const struct fp_lanes *lanes;
      const char *name;
   } impls[] = { { &fp_lanes_hw, "hardware" }, { &fp_lanes_soft, "soft" } };
   static const struct {
      const char *op;
      uint32_t (*ref)(const char *, uint32_t);
   } refs[] = {
      { "ffloor", ref_round }, { "fceil", ref_round }, { "ftrunc", ref_round },
      { "fround", ref_round }, { "f2i", ref_f2i },     { "f2u", ref_f2i },
      { "i2f", ref_i2f },      { "u2f", ref_i2f },     { "f2h", ref_f2h },
      { "h2f", ref_h2f },
   };

   for (unsigned i = 0; i < 2; i++) {
      const struct fp_lanes *lanes = impls[i].lanes;
      const uint64_t saved = lanes->enter();
      const bool ok = lanes->check();
      lanes->leave(saved);
      num_checks++;
      if (!ok) {
         printf("FAIL %s: floating-point mode or build flags are wrong\n", impls[i].name);
         num_failures++;
      }
      test_corners(lanes, impls[i].name);
      test_powers_of_two(lanes, impls[i].name);
      for (unsigned r = 0; r < sizeof(refs) / sizeof(refs[0]); r++)
         test_reference(lanes, impls[i].name, refs[r].op, refs[r].ref, STEP);
   }
   test_products_near_min();
   test_flush_equality(exhaustive);

   printf("fp_test: %u checks, %u failures\n", num_checks, num_failures);
   return num_failures ? 1 : 0;
}
