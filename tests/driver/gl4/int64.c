/* SPDX-License-Identifier: MIT */
/*
 * Tests 64-bit integers (ARB_gpu_shader_int64): compares arithmetic, shifts, comparisons and
 * conversions with the host's results.
 */
#include <math.h>

#include "core.h"

#define SPECIALS 20
#define RANDOMS 800
#define CASES (SPECIALS * SPECIALS + RANDOMS)

static uint64_t a[CASES], b[CASES];

static void
make_cases(void)
{
   static const uint64_t specials[SPECIALS] = {
      0,
      1,
      ~0ull,
      2,
      3,
      10,
      0x7fffffffffffffffu,
      0x8000000000000000u,
      0x8000000000000001u,
      0xffffffffu,
      0x100000000u,
      0x100000001u,
      0x80000000u,
      0x7fffffffu,
      0xffffffff00000000u,
      (uint64_t)-10,
      1000000007,
      0x0123456789abcdefu,
      /* The double is halfway between two floats, the integer is not. */
      0x4000004000000001u,
      63,
   };
   unsigned n = 0;

   for (unsigned i = 0; i < SPECIALS; i++) {
      for (unsigned j = 0; j < SPECIALS; j++, n++) {
         a[n] = specials[i];
         b[n] = specials[j];
      }
   }
   for (; n < CASES; n++) {
      a[n] = ((uint64_t)core_random() << 32 | core_random()) >> core_random() % 64;
      b[n] = ((uint64_t)core_random() << 32 | core_random()) >> core_random() % 64;
      if (core_random() % 2)
         a[n] = -a[n];
   }
}

static uint64_t
double_bits(double x)
{
   uint64_t u;

   memcpy(&u, &x, 8);
   return u;
}

static uint64_t
float_bits(float x)
{
   uint32_t u;

   memcpy(&u, &x, 4);
   return u;
}

/* Division by zero is undefined, and so is the division of the most negative number by -1.  Shift
 * counts wrap.
 */
#define ZERO (y == 0)
#define OVERFLOW (y == 0 || (x == 0x8000000000000000u && y == ~0ull))
#define SIGNED_MOD (y == 0 || (int64_t)x < 0 || (int64_t)y < 0)

#define OP(name, expression)                    \
   static uint64_t name(uint64_t x, uint64_t y) \
   {                                            \
      (void)y;                                  \
      return (uint64_t)(expression);            \
   }
#define S (int64_t) x
#define T (int64_t) y
/* clang-format off */
OP(op_add, x + y)
OP(op_sub, x - y)
OP(op_mul, x * y)
OP(op_udiv, ZERO ? 0 : x / y)
OP(op_umod, ZERO ? 0 : x % y)
OP(op_idiv, OVERFLOW ? 0 : (uint64_t)((S) / (T)))
OP(op_imod, SIGNED_MOD ? 0 : (uint64_t)((S) % (T)))
OP(op_and, x & y)
OP(op_or, x | y)
OP(op_xor, x ^ y)
OP(op_not, ~x)
OP(op_neg, -x)
OP(op_shl, x << (y & 63))
OP(op_shr, x >> (y & 63))
OP(op_asr, (S) >> (y & 63))
OP(op_ult, x < y)
OP(op_ule, x <= y)
OP(op_ilt, (S) < (T))
OP(op_ile, (S) <= (T))
OP(op_eq, x == y)
OP(op_ne, x != y)
OP(op_umin, x < y ? x : y)
OP(op_umax, x > y ? x : y)
OP(op_imin, (S) < (T) ? x : y)
OP(op_imax, (S) > (T) ? x : y)
OP(op_iabs, (S) < 0 ? -x : x)
OP(op_isign, (S) > 0 ? 1 : (S) < 0 ? -1 : 0)
OP(op_u2d, double_bits((double)x))
OP(op_i2d, double_bits((double)(S)))
OP(op_u2f, float_bits((float)x))
OP(op_i2f, float_bits((float)(S)))
OP(op_u2f2d, double_bits((double)(float)x))
OP(op_i2f2d, double_bits((double)(float)(S)))
OP(op_u2d2f, float_bits((float)(double)x))
OP(op_i2d2f, float_bits((float)(double)(S)))
OP(op_low, (uint32_t)x)
OP(op_int, (int64_t)(int32_t)(uint32_t)x)
OP(op_swap, x << 32 | x >> 32)
/* clang-format on */

static const struct op {
   /* Expression of `uint64_t x, y` and `int64_t s, t` with the type uint64_t. */
   const char *text;
   uint64_t (*value)(uint64_t, uint64_t);
} ops[] = {
   { "x + y", op_add },
   { "x - y", op_sub },
   { "x * y", op_mul },
   { "y == 0ul ? 0ul : x / y", op_udiv },
   { "y == 0ul ? 0ul : x % y", op_umod },
   { "t == 0l || (t == -1l && -s == s) ? 0ul : uint64_t(s / t)", op_idiv },
   { "t == 0l || s < 0l || t < 0l ? 0ul : uint64_t(s % t)", op_imod },
   { "x & y", op_and },
   { "x | y", op_or },
   { "x ^ y", op_xor },
   { "~x", op_not },
   { "uint64_t(-s)", op_neg },
   { "x << (uint(y) & 63u)", op_shl },
   { "x >> (uint(y) & 63u)", op_shr },
   { "uint64_t(s >> (uint(y) & 63u))", op_asr },
   { "uint64_t(x < y)", op_ult },
   { "uint64_t(x <= y)", op_ule },
   { "uint64_t(s < t)", op_ilt },
   { "uint64_t(s <= t)", op_ile },
   { "uint64_t(x == y)", op_eq },
   { "uint64_t(x != y)", op_ne },
   { "min(x, y)", op_umin },
   { "max(x, y)", op_umax },
   { "uint64_t(min(s, t))", op_imin },
   { "uint64_t(max(s, t))", op_imax },
   { "uint64_t(abs(s))", op_iabs },
   { "uint64_t(sign(s))", op_isign },
   { "doubleBitsToUint64(double(x))", op_u2d },
   { "doubleBitsToUint64(double(s))", op_i2d },
   { "uint64_t(floatBitsToUint(float(x)))", op_u2f },
   { "uint64_t(floatBitsToUint(float(s)))", op_i2f },
   { "doubleBitsToUint64(double(float(x)))", op_u2f2d },
   { "doubleBitsToUint64(double(float(s)))", op_i2f2d },
   { "uint64_t(floatBitsToUint(float(double(x))))", op_u2d2f },
   { "uint64_t(floatBitsToUint(float(double(s))))", op_i2d2f },
   { "uint64_t(uint(x))", op_low },
   { "uint64_t(int64_t(int(s)))", op_int },
   { "packUint2x32(unpackUint2x32(x).yx)", op_swap },
};

#define HEAD                                                            \
   "#extension GL_ARB_gpu_shader_int64 : require\n"                     \
   "layout(local_size_x = 60) in;\n"                                    \
   "layout(std430, binding = 0) readonly buffer A { uint64_t a[]; };\n" \
   "layout(std430, binding = 1) readonly buffer B { uint64_t b[]; };\n" \
   "layout(std430, binding = 2) writeonly buffer R { uint64_t r[]; };\n"

static void
test_ops(void)
{
   static uint64_t found[CASES];
   const GLuint buffers[2] = { core_storage(0, sizeof a, a), core_storage(1, sizeof b, b) };

   for (unsigned i = 0; i < sizeof ops / sizeof ops[0]; i++) {
      const GLuint program = PROGRAM(
            .head = HEAD,
            .cs = text("void main() {\n"
                       "   uint i = gl_GlobalInvocationID.x;\n"
                       "   uint64_t x = a[i], y = b[i]; int64_t s = int64_t(x), t = int64_t(y);\n"
                       "   r[i] = %s;\n"
                       "}\n",
                       ops[i].text));
      const GLuint r = core_storage(2, sizeof found, NULL);
      glDispatchCompute(CASES / 60, 1, 1);
      core_read(r, sizeof found, found);
      const unsigned before = fails;
      for (unsigned k = 0; k < CASES && fails < before + 3; k++) {
         const uint64_t expected = ops[i].value(a[k], b[k]);
         CHECK(found[k] == expected, "%s of 0x%llx, 0x%llx: 0x%llx, not 0x%llx", ops[i].text,
               (unsigned long long)a[k], (unsigned long long)b[k], (unsigned long long)found[k],
               (unsigned long long)expected);
      }
      glDeleteBuffers(1, &r);
      glDeleteProgram(program);
   }
   glDeleteBuffers(2, buffers);
}

/* Tests conversions from floats and doubles, which round toward zero. */
static void
test_from_floats(void)
{
   static double values[CASES];
   static uint64_t found[CASES][4];
   const GLuint program =
      PROGRAM(.head = "#extension GL_ARB_gpu_shader_int64 : require\n"
                      "layout(local_size_x = 60) in;\n"
                      "layout(std430, binding = 0) readonly buffer A { double a[]; };\n"
                      "layout(std430, binding = 1) writeonly buffer R { uint64_t r[][4]; };\n",
              .cs = "void main() {\n"
                    "   uint i = gl_GlobalInvocationID.x; double d = a[i]; float f = float(d);\n"
                    "   r[i][0] = uint64_t(int64_t(d)); r[i][1] = uint64_t(abs(d));\n"
                    "   r[i][2] = uint64_t(int64_t(f)); r[i][3] = uint64_t(abs(f));\n"
                    "}\n");

   for (unsigned i = 0; i < CASES; i++)
      values[i] = ldexp((double)(int32_t)core_random() + (double)core_random() / 0x1p32,
                        (int)(core_random() % 64) - 32);
   const GLuint v = core_storage(0, sizeof values, values), r = core_storage(1, sizeof found, NULL);
   glDispatchCompute(CASES / 60, 1, 1);
   core_read(r, sizeof found, found);
   const unsigned before = fails;
   for (unsigned k = 0; k < CASES && fails < before + 5; k++) {
      const double d = values[k];
      const float f = (float)d;
      const uint64_t expected[4] = { (uint64_t)(int64_t)d, (uint64_t)fabs(d), (uint64_t)(int64_t)f,
                                     (uint64_t)fabsf(f) };
      for (unsigned j = 0; j < 4; j++)
         CHECK(found[k][j] == expected[j], "%a as %u: 0x%llx, not 0x%llx", d, j,
               (unsigned long long)found[k][j], (unsigned long long)expected[j]);
   }
   glDeleteBuffers(2, (const GLuint[]){ v, r });
   glDeleteProgram(program);
}

/* Tests uniforms, and numbers that pass through vertex outputs. */
static void
test_uniforms(void)
{
   PFNGLUNIFORM1UI64ARBPROC uniform1 = (PFNGLUNIFORM1UI64ARBPROC)eglGetProcAddress(
      "glUniform1ui64ARB");
   PFNGLUNIFORM3I64VARBPROC uniform3 = (PFNGLUNIFORM3I64VARBPROC)eglGetProcAddress(
      "glUniform3i64vARB");
   const GLuint program = PROGRAM(
         .head = "#extension GL_ARB_gpu_shader_int64 : require\n",
         .vs =
            "layout(location = 0) uniform uint64_t u;\n"
            "layout(location = 1) uniform i64vec3 v[2];\n"
            "flat out uint64_t o; flat out i64vec3 p;\n"
            "void main() {\n"
            "   o = u + uint64_t(gl_VertexID); p = v[gl_VertexID & 1];\n"
            "   gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);\n"
            "}\n",
         .fs = "flat in uint64_t o; flat in i64vec3 p;\n"
               "layout(std430, binding = 0) buffer R { uint64_t r; i64vec3 q; };\n"
               "void main() { r = o; q = p * 2l; }\n");
   static const int64_t v[2][3] = { { -5, 0x123456789abcdef, 7 }, { 1, 2, 3 } };
   GLuint texture;
   int64_t found[8];
   const GLuint fb = core_target(GL_RGBA8, 4, 4, &texture), r = core_storage(0, sizeof found, NULL);

   uniform1(0, 0xfedcba9876543210u);
   uniform3(1, 2, v[0]);
   glDrawArrays(GL_TRIANGLES, 0, 3);
   core_read(r, sizeof found, found);
   /* The last vertex, number 2, is the provoking one. */
   CHECK(found[0] == (int64_t)0xfedcba9876543212u, "0x%llx", (long long)found[0]);
   for (unsigned i = 0; i < 3; i++)
      CHECK(found[4 + i] == v[0][i] * 2, "%u: 0x%llx", i, (long long)found[4 + i]);
   glDeleteFramebuffers(1, &fb);
   glDeleteTextures(1, &texture);
   glDeleteBuffers(1, &r);
   glDeleteProgram(program);
}

/* Tests expressions that the GLSL compiler folds: elements of constant vectors, and nested minima
 * of constants.
 */
static void
test_constants(void)
{
   const GLuint program = PROGRAM(
         .head = "#extension GL_ARB_gpu_shader_int64 : require\n",
         .cs =
            "layout(local_size_x = 1) in;\n"
            "layout(std430, binding = 0) buffer R { uint64_t r[]; };\n"
            "layout(location = 0) uniform uint64_t u; layout(location = 1) uniform i64vec2 v;\n"
            "const u64vec3 a[2] = u64vec3[](u64vec3(1ul, 2ul, 3ul), u64vec3(4ul, ~5ul, 6ul));\n"
            "const i64vec2 b = i64vec2(-7l, 8l);\n"
            "void main() {\n"
            "   r[0] = a[1][1]; r[1] = a[0].zyx[0]; r[2] = uint64_t(b[0]); r[3] = uint64_t(b[1]);\n"
            "   r[4] = min(max(u, 100ul), 0x100000000ul); r[5] = max(min(u, 0x200000000ul), 1ul);\n"
            "   i64vec2 m = min(max(v, i64vec2(-5l, 10l)), i64vec2(0x100000000l, 12l));\n"
            "   r[6] = uint64_t(m.x); r[7] = uint64_t(m.y);\n"
            "   r[8] = min(min(u, 0x100000000ul), 0x100000001ul);\n"
            "}\n");
   static const uint64_t right[9] = { ~5ull,       3,     -7ull, 8,          0x100000000,
                                      0x200000000, -5ull, 12,    0x100000000 };
   PFNGLUNIFORM1UI64ARBPROC uniform1 = (PFNGLUNIFORM1UI64ARBPROC)eglGetProcAddress(
      "glUniform1ui64ARB");
   PFNGLUNIFORM2I64ARBPROC uniform2 = (PFNGLUNIFORM2I64ARBPROC)eglGetProcAddress(
      "glUniform2i64ARB");
   uint64_t found[9];
   const GLuint r = core_storage(0, sizeof found, NULL);

   uniform1(0, 0xffffffffffu);
   uniform2(1, -0x100000000, 0x7fffffffffff);
   glDispatchCompute(1, 1, 1);
   core_read(r, sizeof found, found);
   for (unsigned i = 0; i < 9; i++)
      CHECK(found[i] == right[i], "constant %u: 0x%llx, right 0x%llx", i,
            (unsigned long long)found[i], (unsigned long long)right[i]);
   glDeleteBuffers(1, &r);
   glDeleteProgram(program);
}

int
main(void)
{
   core_begin();
   if (!core_extension("GL_ARB_gpu_shader_int64"))
      return 77; /* skipped */
   make_cases();
   test_ops();
   test_from_floats();
   test_uniforms();
   test_constants();
   return core_end("64-bit integers");
}
