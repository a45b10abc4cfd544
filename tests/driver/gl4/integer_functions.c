/* SPDX-License-Identifier: MIT */
/*
 * Tests INTEL_shader_integer_functions2: compares each function, of 32 and of 64 bits, with values
 * computed on the CPU.
 */
#include "core.h"

#define SPECIALS 14
#define RANDOMS 764
#define CASES (SPECIALS * SPECIALS + RANDOMS)

static uint64_t a[CASES], b[CASES];

static void
make_cases(unsigned bits)
{
   const uint64_t top = UINT64_C(1) << (bits - 1), all = top | (top - 1);
   const uint64_t specials[SPECIALS] = {
      0, 1, 2, 3, all, all - 1, top, top + 1, top - 1, top - 2, 0x7fff, 0x8000, 0xffff, 0x10000
   };
   unsigned n = 0;

   for (unsigned i = 0; i < SPECIALS; i++) {
      for (unsigned j = 0; j < SPECIALS; j++, n++) {
         a[n] = specials[i];
         b[n] = specials[j];
      }
   }
   for (; n < CASES; n++) {
      a[n] = (((uint64_t)core_random() << 32 | core_random()) & all) >> core_random() % bits;
      b[n] = (((uint64_t)core_random() << 32 | core_random()) & all) >> core_random() % bits;
      if (core_random() % 2)
         a[n] = -a[n] & all;
   }
}

/* Values have 128 bits, so that no sum overflows. */
typedef __int128 wide;

static wide
clamp(wide x, wide low, wide high)
{
   return x < low ? low : x > high ? high : x;
}

static wide
half(wide x)
{
   return x >> 1;
}

/* Expected value of function f, whose arguments and limits are those of the type.  Functions that
 * have one argument ignore y.
 */
static wide
expected(unsigned f, wide x, wide y, wide low, wide high)
{
   switch (f) {
   case 0:
      return x > y ? x - y : y - x;
   case 1:
      return clamp(x + y, low, high);
   case 2:
      return half(x + y);
   case 3:
      return half(x + y + 1);
   case 4:
      return clamp(x - y, low, high);
   case 5:
      return low ? x * (int16_t)y : x * (uint16_t)y;
   case 6:
      return x ? __builtin_clz((unsigned)x) : 32;
   default:
      return x ? __builtin_ctz((unsigned)x) : 32;
   }
}

static const char *const functions[] = {
   "absoluteDifference(x, y)", "addSaturate(x, y)",      "average(x, y)",
   "averageRounded(x, y)",     "subtractSaturate(x, y)", "multiply32x16(x, y)",
   "countLeadingZeros(x)",     "countTrailingZeros(x)"
};

static void
test_function(unsigned f, unsigned bits, bool is_signed)
{
   static uint64_t found[CASES];
   const char *type = bits == 64  ? (is_signed ? "int64_t" : "uint64_t")
                      : is_signed ? "int"
                                  : "uint";
   const bool counts = f >= 6;
   const wide low = is_signed ? -((wide)1 << (bits - 1)) : 0;
   const wide high = ((wide)1 << (bits - is_signed)) - 1;
   const GLuint program =
      PROGRAM(.head = "#extension GL_ARB_gpu_shader_int64 : require\n"
                      "#extension GL_INTEL_shader_integer_functions2 : require\n"
                      "layout(local_size_x = 60) in;\n"
                      "layout(std430, binding = 0) readonly buffer A { uint64_t a[]; };\n"
                      "layout(std430, binding = 1) readonly buffer B { uint64_t b[]; };\n"
                      "layout(std430, binding = 2) writeonly buffer R { uint64_t r[]; };\n",
              .cs = text("void main() {\n"
                         "   uint i = gl_GlobalInvocationID.x;\n"
                         "   %s x = %s(a[i]), y = %s(b[i]);\n"
                         "   r[i] = uint64_t(%s(%s));\n"
                         "}\n",
                         type, type, type, bits == 64 ? "uint64_t" : "uint", functions[f]));
   const GLuint buffers[3] = { core_storage(0, sizeof a, a), core_storage(1, sizeof b, b),
                               core_storage(2, sizeof found, NULL) };
   const unsigned before = fails;

   if (counts && is_signed)
      return;
   glDispatchCompute(CASES / 60, 1, 1);
   core_read(buffers[2], sizeof found, found);
   for (unsigned k = 0; k < CASES && fails < before + 3; k++) {
      const wide x = is_signed ? (wide)((int64_t)(a[k] << (64 - bits)) >> (64 - bits)) : (wide)a[k];
      const wide y = is_signed ? (wide)((int64_t)(b[k] << (64 - bits)) >> (64 - bits)) : (wide)b[k];
      const uint64_t all = bits == 64 ? UINT64_MAX : UINT32_MAX;
      const uint64_t right = (uint64_t)expected(f, x, y, low, high) & all;

      CHECK(found[k] == right, "%s of %s 0x%llx, 0x%llx: 0x%llx, not 0x%llx", functions[f], type,
            (unsigned long long)a[k], (unsigned long long)b[k], (unsigned long long)found[k],
            (unsigned long long)right);
   }
   glDeleteBuffers(3, buffers);
   glDeleteProgram(program);
}

/* Functions of constants are folded by the GLSL compiler. */
static void
test_constants(void)
{
   static const GLuint right[8] = { 0xffffffff, 0x7fffffff, 0xffffffff, 0,
                                    0x80000000, 0xffff8000, 3,          32 };
   GLuint found[8];
   const GLuint program = PROGRAM(
         .head = "#extension GL_INTEL_shader_integer_functions2 : require\n"
                 "layout(local_size_x = 1) in;\n"
                 "layout(std430, binding = 0) writeonly buffer R { uint r[]; };\n",
         .cs = "void main() {\n"
               "   const int low = int(0x80000000u);\n"
               "   r[0] = absoluteDifference(low, 0x7fffffff);\n"
               "   r[1] = uint(addSaturate(0x7fffffff, 5)); r[2] = uint(average(-2, 1));\n"
               "   r[3] = uint(averageRounded(-2, 1)); r[4] = uint(subtractSaturate(low, 1));\n"
               "   r[5] = uint(multiply32x16(1, 0x18000)); r[6] = countLeadingZeros(0x10000000u);\n"
               "   r[7] = countTrailingZeros(0u);\n"
               "}\n");
   const GLuint r = core_storage(0, sizeof found, NULL);

   glDispatchCompute(1, 1, 1);
   core_read(r, sizeof found, found);
   for (unsigned i = 0; i < 8; i++)
      CHECK(found[i] == right[i], "constant %u: 0x%x, not 0x%x", i, found[i], right[i]);
   glDeleteBuffers(1, &r);
   glDeleteProgram(program);
}

int
main(void)
{
   core_begin();
   CHECK(core_extension("GL_INTEL_shader_integer_functions2"), "not offered");
   for (unsigned bits = 32; bits <= 64; bits += 32) {
      make_cases(bits);
      for (unsigned f = 0; f < (bits == 32 ? 8 : 5); f++) {
         test_function(f, bits, false);
         test_function(f, bits, true);
      }
   }
   test_constants();
   return core_end("integer functions");
}
