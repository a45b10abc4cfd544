/* SPDX-License-Identifier: MIT */
/*
 * Tests double precision: arithmetic must match the host's bit by bit on special and random
 * numbers, including subnormal numbers.  Also tests comparisons and conversions.  The host rounds
 * to nearest even.
 */
#include <math.h>

#include "core.h"

#define SPECIALS 30
#define RANDOMS 3000
#define CASES (SPECIALS * SPECIALS + RANDOMS)

static double a[CASES], b[CASES], c[CASES];

static uint64_t
random64(void)
{
   return (uint64_t)core_random() << 32 | core_random();
}

static uint64_t
bits_of(double x)
{
   uint64_t u;

   memcpy(&u, &x, 8);
   return u;
}

static double
from_bits(uint64_t u)
{
   double x;

   memcpy(&x, &u, 8);
   return x;
}

static void
make_cases(void)
{
   static const double specials[SPECIALS] = {
      0.0,
      -0.0,
      1.0,
      -1.0,
      2.0,
      0.5,
      3.0,
      -7.0,
      0.1,
      1.0 / 3.0,
      INFINITY,
      -INFINITY,
      NAN,
      0x1p-1074,
      -0x1p-1074,
      0x1p-1022,
      0x0.fffffffffffffp-1022,
      0x1.fffffffffffffp1023,
      -0x1.fffffffffffffp1023,
      0x1.0000000000001p0,
      0x1.fffffffffffffp-1,
      0x1p52,
      0x1p53,
      0x1.0000000000001p53,
      -0x1p31,
      4294967295.0,
      0x1.8p-600,
      0x1p600,
      1e-300,
      2.5,
   };
   unsigned n = 0;

   for (unsigned i = 0; i < SPECIALS; i++) {
      for (unsigned j = 0; j < SPECIALS; j++, n++) {
         a[n] = specials[i];
         b[n] = specials[j];
         c[n] = specials[core_random() % SPECIALS];
      }
   }
   for (; n < CASES; n++) {
      a[n] = from_bits(random64());
      b[n] = from_bits(random64());
      c[n] = from_bits(random64());
      if (n % 3) { /* operands of similar size, where rounding and cancellation happen */
         const uint64_t exponent = (uint64_t)(1000 + core_random() % 50) << 52;
         a[n] = from_bits((random64() & 0x800fffffffffffffu) | exponent);
         b[n] = from_bits((random64() & 0x800fffffffffffffu) |
                          (exponent + ((uint64_t)(core_random() % 5) << 52)));
         c[n] = n % 3 == 1 ? -a[n] * b[n]
                           : from_bits((random64() & 0x800fffffffffffffu) | exponent);
      }
   }
}

#define OP(name, expression)                        \
   static double name(double x, double y, double z) \
   {                                                \
      (void)x, (void)y, (void)z;                    \
      return expression;                            \
   }
/* clang-format off */
OP(op_add, x + y)
OP(op_sub, x - y)
OP(op_mul, x * y)
OP(op_div, x / y)
OP(op_sqrt, sqrt(x))
OP(op_fma, fma(x, y, z))
OP(op_neg, -x)
OP(op_abs, fabs(x))
OP(op_floor, floor(x))
OP(op_ceil, ceil(x))
OP(op_trunc, trunc(x))
OP(op_rint, rint(x))
OP(op_fract, x - floor(x))
OP(op_sign, x > 0 ? 1.0 : x < 0 ? -1.0 : x)
OP(op_mixed, x * y + z)
OP(op_step, y < x ? 0.0 : 1.0)
OP(op_float, (double)(float)x)
OP(op_int, (double)(int32_t)x)
OP(op_uint, (double)(uint32_t)x)
OP(op_min, fmin(x, y))
OP(op_max, fmax(x, y))
OP(op_pack, from_bits(bits_of(x) >> 32 | bits_of(y) << 32))
OP(op_less, x < y)
OP(op_less_equal, x <= y)
OP(op_equal, x == y)
OP(op_not_equal, x != y)
OP(op_select, x < y ? z : x)
OP(op_isnan, isnan(x) != 0)
OP(op_isinf, isinf(x) != 0)
/* clang-format on */

enum domain { ANY, NUMBERS, FINITE, NOT_ZERO, INT_RANGE, UINT_RANGE, FLOAT_RANGE };

static const struct op {
   const char *text;
   double (*value)(double, double, double);
   enum domain domain;
} ops[] = {
   { "x + y", op_add, ANY },
   { "x - y", op_sub, ANY },
   { "x * y", op_mul, ANY },
   { "x / y", op_div, ANY },
   { "sqrt(x)", op_sqrt, ANY },
   { "fma(x, y, z)", op_fma, ANY },
   { "-x", op_neg, NUMBERS },
   { "abs(x)", op_abs, NUMBERS },
   { "floor(x)", op_floor, ANY },
   { "ceil(x)", op_ceil, ANY },
   { "trunc(x)", op_trunc, ANY },
   { "roundEven(x)", op_rint, ANY },
   { "fract(x)", op_fract, FINITE },
   { "sign(x)", op_sign, NUMBERS },
   { "x * y + z", op_mixed, ANY },
   { "step(x, y)", op_step, NUMBERS },
   { "double(float(x))", op_float, FLOAT_RANGE },
   { "double(int(x))", op_int, INT_RANGE },
   { "double(uint(x))", op_uint, UINT_RANGE },
   { "min(x, y)", op_min, NOT_ZERO },
   { "max(x, y)", op_max, NOT_ZERO },
   { "packDouble2x32(uvec2(unpackDouble2x32(x).y, unpackDouble2x32(y).x))", op_pack, ANY },
   { "double(x < y)", op_less, ANY },
   { "double(x <= y)", op_less_equal, ANY },
   { "double(x == y)", op_equal, ANY },
   { "double(x != y)", op_not_equal, ANY },
   { "x < y ? z : x", op_select, NUMBERS },
   { "double(isnan(x))", op_isnan, ANY },
   { "double(isinf(x))", op_isinf, ANY },
};

static bool
in_domain(enum domain domain, double x, double y)
{
   const float f = (float)x;

   switch (domain) {
   case NUMBERS:
      return !isnan(x) && !isnan(y);
   case FINITE:
      return isfinite(x);
   case NOT_ZERO: /* the sign of a zero result is not defined */
      return !isnan(x) && !isnan(y) && (x != 0 || y != 0);
   case INT_RANGE:
      return x > -2147483649.0 && x < 2147483648.0;
   case UINT_RANGE:
      return x > -1.0 && x < 4294967296.0;
   case FLOAT_RANGE: /* subnormal floats may be flushed to zero */
      return f == 0 ? fabs(x) < 0x1p-150 : fabsf(f) >= 0x1p-126f;
   default:
      return true;
   }
}

static bool
is_subnormal(double x)
{
   return x != 0 && fabs(x) < 0x1p-1022;
}

static void
test_ops(bool subnormals)
{
   static double found[CASES];
   const GLuint buffers[3] = { core_storage(0, sizeof a, a), core_storage(1, sizeof b, b),
                               core_storage(2, sizeof c, c) };

   for (unsigned i = 0; i < sizeof ops / sizeof ops[0]; i++) {
      const GLuint program =
         PROGRAM(.head = "layout(std430, binding = 0) readonly buffer A { double a[]; };\n"
                         "layout(std430, binding = 1) readonly buffer B { double b[]; };\n"
                         "layout(std430, binding = 2) readonly buffer C { double c[]; };\n"
                         "layout(std430, binding = 3) writeonly buffer R { double r[]; };\n"
                         "layout(local_size_x = 60) in;\n",
                 .cs = text("void main() {\n"
                            "   uint i = gl_GlobalInvocationID.x;\n"
                            "   double x = a[i], y = b[i], z = c[i];\n"
                            "   precise double result = %s;\n"
                            "   r[i] = result;\n"
                            "}\n",
                            ops[i].text));
      const GLuint r = core_storage(3, sizeof found, NULL);
      glDispatchCompute(CASES / 60, 1, 1);
      core_read(r, sizeof found, found);
      const unsigned before = fails;
      for (unsigned k = 0; k < CASES && fails < before + 3; k++) {
         const double expected = ops[i].value(a[k], b[k], c[k]);
         if (!in_domain(ops[i].domain, a[k], b[k]))
            continue;
         if (!subnormals && (is_subnormal(a[k]) || is_subnormal(b[k]) || is_subnormal(c[k]) ||
                             fabs(expected) <= 0x1p-1022))
            continue;
         const bool same = bits_of(found[k]) == bits_of(expected) ||
                           (isnan(found[k]) && isnan(expected));
         CHECK(same, "%s of %a, %a, %a: %a, not %a", ops[i].text, a[k], b[k], c[k], found[k],
               expected);
      }
      glDeleteBuffers(1, &r);
      glDeleteProgram(program);
   }
   glDeleteBuffers(3, buffers);
}

/* Tests inversesqrt() of doubles, which GLSL 4.60, section 4.7.1 requires to be within 2 units in
 * the last place.  `most` is the error that is permitted here, in the same unit.  The reference
 * uses long double, which has at least 11 more bits.
 */
static void
test_inverse_root(bool subnormals, double most)
{
   static double found[CASES];
   const GLuint program =
      PROGRAM(.cs = "layout(local_size_x = 60) in;\n"
                    "layout(std430, binding = 0) readonly buffer A { double a[]; };\n"
                    "layout(std430, binding = 1) writeonly buffer R { double r[]; };\n"
                    "void main() {\n"
                    "   uint i = gl_GlobalInvocationID.x;\n"
                    "   r[i] = inversesqrt(a[i]);\n"
                    "}\n");
   const GLuint i = core_storage(0, sizeof a, a), r = core_storage(1, sizeof found, NULL);

   glDispatchCompute(CASES / 60, 1, 1);
   core_read(r, sizeof found, found);
   const unsigned before = fails;
   for (unsigned k = 0; k < CASES && fails < before + 5; k++) {
      const long double exact = 1.0L / sqrtl((long double)a[k]);
      const double near = (double)exact;
      if (!subnormals && is_subnormal(a[k]))
         continue;
      if (isnan(near) || isinf(near) || near == 0) {
         CHECK(isnan(near) ? isnan(found[k]) : bits_of(found[k]) == bits_of(near),
               "inversesqrt(%a): %a, not %a", a[k], found[k], near);
         continue;
      }
      const double unit = nextafter(near, INFINITY) - near;
      CHECK(fabsl(found[k] - exact) <= most * unit, "inversesqrt(%a): %a, not %a", a[k], found[k],
            near);
   }
   glDeleteBuffers(2, (const GLuint[]){ i, r });
   glDeleteProgram(program);
}

/* Tests conversions from other types. */
static void
test_conversions(void)
{
   enum { N = 1024 };
   static uint32_t in[N];
   static double found[N][3];
   const GLuint program = PROGRAM(
         .cs =
            "layout(local_size_x = 64) in;\n"
            "layout(std430, binding = 0) readonly buffer A { uint a[]; };\n"
            "layout(std430, binding = 1) writeonly buffer R { double r[][3]; };\n"
            "void main() {\n"
            "   uint i = gl_GlobalInvocationID.x, x = a[i];\n"
            "   r[i][0] = double(int(x)); r[i][1] = double(x); r[i][2] = double(uintBitsToFloat(x));\n"
            "}\n");

   for (unsigned i = 0; i < N; i++)
      in[i] = i < 4 ? (const uint32_t[]){ 0, ~0u, 1u << 31, 0x7f800000 }[i] : core_random();
   const GLuint i = core_storage(0, sizeof in, in), r = core_storage(1, sizeof found, NULL);
   glDispatchCompute(N / 64, 1, 1);
   core_read(r, sizeof found, found);
   for (unsigned k = 0; k < N; k++) {
      float f;
      memcpy(&f, &in[k], 4);
      CHECK(found[k][0] == (double)(int32_t)in[k], "int 0x%x: %f", in[k], found[k][0]);
      CHECK(found[k][1] == (double)in[k], "uint 0x%x: %f", in[k], found[k][1]);
      if (fabsf(f) >= 0x1p-126f || isnan(f))
         CHECK(found[k][2] == (double)f || (isnan(f) && isnan(found[k][2])), "float %a: %a", f,
               found[k][2]);
   }
   glDeleteBuffers(2, (const GLuint[]){ i, r });
   glDeleteProgram(program);
}

/* Tests frexp() and ldexp(). */
static void
test_exponents(void)
{
   static struct {
      double mantissa, back;
      int32_t exponent, unused;
   } found[CASES];
   const GLuint program =
      PROGRAM(.cs = "layout(local_size_x = 60) in;\n"
                    "struct S { double m, b; int e; };\n"
                    "layout(std430, binding = 0) readonly buffer A { double a[]; };\n"
                    "layout(std430, binding = 1) writeonly buffer R { S r[]; };\n"
                    "void main() {\n"
                    "   uint i = gl_GlobalInvocationID.x; int e; double m = frexp(a[i], e);\n"
                    "   r[i].m = m; r[i].e = e; r[i].b = ldexp(m, e);\n"
                    "}\n");
   const GLuint i = core_storage(0, sizeof a, a), r = core_storage(1, sizeof found, NULL);

   glDispatchCompute(CASES / 60, 1, 1);
   core_read(r, sizeof found, found);
   const unsigned before = fails;
   for (unsigned k = 0; k < CASES && fails < before + 5; k++) {
      int e;
      const double m = frexp(a[k], &e);
      if (!isfinite(a[k]) || is_subnormal(a[k]))
         continue;
      CHECK(bits_of(found[k].mantissa) == bits_of(m) && found[k].exponent == e,
            "frexp(%a): %a %d, not %a %d", a[k], found[k].mantissa, found[k].exponent, m, e);
      CHECK(bits_of(found[k].back) == bits_of(a[k]), "ldexp to %a: %a", a[k], found[k].back);
   }
   glDeleteBuffers(2, (const GLuint[]){ i, r });
   glDeleteProgram(program);
}

int
main(int argc, char **argv)
{
   /* Other drivers may flush subnormal numbers to zero. */
   const bool subnormals = argc < 2 || strcmp(argv[1], "--no-subnormals");

   core_begin();
   make_cases();
   test_ops(subnormals);
   test_inverse_root(subnormals, subnormals ? 0.502 : 2.0);
   test_conversions();
   test_exponents();
   return core_end("doubles");
}
