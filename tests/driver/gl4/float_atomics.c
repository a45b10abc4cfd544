/* SPDX-License-Identifier: MIT */
/*
 * Tests atomic operations on floats in storage buffers and in shared memory: minimum, maximum,
 * exchange, and compare and swap (INTEL_shader_atomic_float_minmax).
 */
#include <math.h>

#include "core.h"

#define COUNT 512u /* number of invocations */
#define GROUP 128u
#define HEAD "#extension GL_INTEL_shader_atomic_float_minmax : require\n"

/* Returns a program in which each group changes one word, `x[group]` or a shared variable. */
static GLuint
program_of(const char *call, bool shared)
{
   return PROGRAM(.head = HEAD,
                  .cs = text("layout(local_size_x = %u) in;\n"
                             "layout(std430, binding = 0) buffer X { float x[]; };\n"
                             "layout(std430, binding = 1) readonly buffer D { float data[]; };\n"
                             "layout(std430, binding = 2) buffer R { float returned[]; };\n"
                             "shared float s;\n"
                             "void main() {\n"
                             "   uint i = gl_GlobalInvocationID.x, g = gl_WorkGroupID.x;\n"
                             "   if (gl_LocalInvocationIndex == 0u) s = x[g];\n"
                             "   barrier();\n"
                             "   float d = data[i], old;\n"
                             "   %s\n"
                             "   returned[i] = old;\n"
                             "   barrier();\n"
                             "   if (%d != 0 && gl_LocalInvocationIndex == 0u) x[g] = s;\n"
                             "}\n",
                             GROUP, call, shared));
}

static void
run(const char *call, bool shared, float x[COUNT / GROUP], const float data[COUNT],
    float returned[COUNT])
{
   const GLuint program = program_of(call, shared);
   const GLuint buffers[] = {
      core_storage(0, COUNT / GROUP * sizeof x[0], x),
      core_storage(1, COUNT * sizeof data[0], data),
      core_storage(2, COUNT * sizeof returned[0], NULL),
   };

   glDispatchCompute(COUNT / GROUP, 1, 1);
   core_read(buffers[0], COUNT / GROUP * sizeof x[0], x);
   core_read(buffers[2], COUNT * sizeof returned[0], returned);
   glDeleteBuffers(3, buffers);
   glDeleteProgram(program);
}

static int
compare(const void *a, const void *b)
{
   const float x = *(const float *)a, y = *(const float *)b;
   return x < y ? -1 : x > y;
}

/* Checks that the initial value, the data and the final value are consistent with the returned
 * values: these are all values except for the final one.
 */
static void
check_returned(const char *what, float initial, const float *data, float *returned, float last)
{
   float all[GROUP + 1];

   memcpy(all, data, GROUP * sizeof all[0]);
   all[GROUP] = initial;
   qsort(all, GROUP + 1, sizeof all[0], compare);
   float got[GROUP + 1];
   memcpy(got, returned, GROUP * sizeof got[0]);
   got[GROUP] = last;
   qsort(got, GROUP + 1, sizeof got[0], compare);
   for (unsigned i = 0; i <= GROUP; i++)
      CHECK(all[i] == got[i], "%s: value %u of those returned is %g, not %g", what, i, got[i],
            all[i]);
}

static void
test_minmax(bool shared, bool max)
{
   const char *what = text("%s in %s", max ? "maximum" : "minimum", shared ? "shared" : "storage");
   const char *call = text("old = atomic%s(%s, d);", max ? "Max" : "Min", shared ? "s" : "x[g]");
   float x[COUNT / GROUP] = { 3.5f, -INFINITY, INFINITY, 1e30f }, before[COUNT / GROUP];
   float data[COUNT], returned[COUNT];

   for (unsigned i = 0; i < COUNT; i++)
      data[i] = ((float)(core_random() % 200001) - 100000.0f) / 64.0f;
   data[5] = INFINITY;
   data[70] = -INFINITY;
   memcpy(before, x, sizeof x);
   run(call, shared, x, data, returned);
   for (unsigned g = 0; g < COUNT / GROUP; g++) {
      float want = before[g];
      for (unsigned i = g * GROUP; i < (g + 1) * GROUP; i++)
         want = max ? fmaxf(want, data[i]) : fminf(want, data[i]);
      CHECK(x[g] == want, "%s, group %u: %g, not %g", what, g, x[g], want);
      bool initial = false;
      for (unsigned i = g * GROUP; i < (g + 1) * GROUP; i++) {
         bool known = returned[i] == before[g];
         initial |= known;
         for (unsigned j = g * GROUP; j < (g + 1) * GROUP && !known; j++)
            known = returned[i] == data[j];
         CHECK(known && (max ? returned[i] <= want : returned[i] >= want), "%s: %u returned %g",
               what, i, returned[i]);
      }
      CHECK(initial, "%s, group %u: nothing returned the initial value", what, g);
   }
}

static void
test_exchange(bool shared)
{
   float x[COUNT / GROUP], before[COUNT / GROUP], data[COUNT], returned[COUNT];

   for (unsigned i = 0; i < COUNT; i++)
      data[i] = (float)i + 0.5f;
   for (unsigned g = 0; g < COUNT / GROUP; g++)
      before[g] = x[g] = -1.0f - (float)g;
   run(text("old = atomicExchange(%s, d);", shared ? "s" : "x[g]"), shared, x, data, returned);
   for (unsigned g = 0; g < COUNT / GROUP; g++)
      check_returned("exchange", before[g], data + g * GROUP, returned + g * GROUP, x[g]);
}

/* Tests a loop that adds floats by compare and swap.  Sums of small integers are exact in any
 * order.
 */
static void
test_add(bool shared)
{
   const char *word = shared ? "s" : "x[g]";
   float x[COUNT / GROUP] = { 0 }, data[COUNT], returned[COUNT];

   for (unsigned i = 0; i < COUNT; i++)
      data[i] = (float)(core_random() % 1000 + 1);
   run(text("float got = %s;\n"
            "do {\n"
            "   old = got;\n"
            "   got = atomicCompSwap(%s, old, old + d);\n"
            "} while (got != old);",
            word, word),
       shared, x, data, returned);
   for (unsigned g = 0; g < COUNT / GROUP; g++) {
      float sum = 0;
      for (unsigned i = g * GROUP; i < (g + 1) * GROUP; i++)
         sum += data[i];
      CHECK(x[g] == sum, "%s, group %u: the sum is %g, not %g", word, g, x[g], sum);
   }
}

/* Tests that compare and swap compares values as floats: zeros of both signs are equal, and NaN is
 * equal to nothing.
 */
static void
test_equal(bool shared)
{
   static const struct {
      float memory, compare;
      bool swapped;
   } cases[] = {
      { 0.0f, -0.0f, true },  { -0.0f, 0.0f, true },          { 1.0f, 1.0f, true },
      { NAN, NAN, false },    { NAN, 0.0f, false },           { INFINITY, INFINITY, true },
      { 1.0f, -1.0f, false }, { INFINITY, -INFINITY, false }, { 1.0f, NAN, false },
   };

   for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
      float x[COUNT / GROUP], data[COUNT], returned[COUNT];
      for (unsigned g = 0; g < COUNT / GROUP; g++)
         x[g] = cases[i].memory;
      for (unsigned n = 0; n < COUNT; n++)
         data[n] = cases[i].compare;
      run(text("old = 0.0; if (gl_LocalInvocationIndex == 7u) old = atomicCompSwap(%s, d, 42.0);",
               shared ? "s" : "x[g]"),
          shared, x, data, returned);
      for (unsigned g = 0; g < COUNT / GROUP; g++) {
         CHECK((x[g] == 42.0f) == cases[i].swapped, "%g compared with %g: %g", cases[i].memory,
               cases[i].compare, x[g]);
         CHECK(!memcmp(&returned[g * GROUP + 7], &cases[i].memory, 4), "%g compared returns %g",
               cases[i].memory, returned[g * GROUP + 7]);
      }
   }
}

/* Tests fragments that find the largest value of a picture. */
static void
test_fragments(void)
{
   enum { SIZE = 40 };
   const float first = 2.0f;
   const GLuint x = core_storage(0, 4, &first);
   GLuint texture;
   const GLuint fb = core_target(GL_RGBA8, SIZE, SIZE, &texture);
   const GLuint program = PROGRAM(.head = HEAD, .vs = FILL_VS,
                                  .fs = "layout(std430, binding = 0) buffer X { float x; };\n"
                                        "layout(location = 0) out vec4 color;\n"
                                        "void main() {\n"
                                        "   atomicMax(x, gl_FragCoord.x * gl_FragCoord.y);\n"
                                        "   color = vec4(1.0);\n"
                                        "}\n");
   float got;

   glDrawArrays(GL_TRIANGLES, 0, 3);
   core_read(x, 4, &got);
   CHECK(got == (SIZE - 0.5f) * (SIZE - 0.5f), "the largest product is %g", got);
   glDeleteBuffers(1, &x);
   glDeleteFramebuffers(1, &fb);
   glDeleteTextures(1, &texture);
   glDeleteProgram(program);
}

int
main(void)
{
   core_begin();
   if (!core_extension("GL_INTEL_shader_atomic_float_minmax"))
      return 1;
   for (int shared = 0; shared < 2; shared++) {
      test_minmax(shared, false);
      test_minmax(shared, true);
      test_exchange(shared);
      test_add(shared);
      test_equal(shared);
   }
   test_fragments();
   return core_end("float_atomics");
}
