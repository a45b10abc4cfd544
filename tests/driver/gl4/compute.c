/* SPDX-License-Identifier: MIT */
/*
 * Tests compute shaders: the built-in variables for all shapes of grids and groups, barriers and
 * shared memory, indirect and empty dispatches, groups of variable size, and limits.
 */
#include "core.h"

static void
check_values(const uint32_t (*v)[16], const unsigned groups[3], const unsigned size[3],
             const char *what)
{
   const unsigned per_group = size[0] * size[1] * size[2];

   for (unsigned i = 0; i < groups[0] * groups[1] * groups[2] * per_group; i++) {
      const unsigned group = i / per_group, local = i % per_group;
      const uint32_t g[3] = { group % groups[0], group / groups[0] % groups[1],
                              group / groups[0] / groups[1] };
      const uint32_t l[3] = { local % size[0], local / size[0] % size[1],
                              local / size[0] / size[1] };
      uint32_t expected[16];
      for (unsigned k = 0; k < 3; k++) {
         expected[k] = g[k];
         expected[3 + k] = l[k];
         expected[6 + k] = g[k] * size[k] + l[k];
         expected[9 + k] = groups[k];
         expected[12 + k] = size[k];
      }
      expected[15] = 1;
      if (memcmp(v[i], expected, sizeof expected)) {
         for (unsigned k = 0; k < 16; k++)
            CHECK(v[i][k] == expected[k], "%s: invocation %u: value %u is %u, not %u", what, i, k,
                  v[i][k], expected[k]);
      }
   }
}

#define VALUES                                                                                    \
   "layout(std430, binding = 0) buffer B { uint b[][16]; };\n"                                    \
   "void main() {\n"                                                                              \
   "   uvec3 n = gl_NumWorkGroups, g = gl_WorkGroupID, l = gl_LocalInvocationID;\n"               \
   "   uvec3 a = gl_GlobalInvocationID, s = SIZE;\n"                                              \
   "   uint i = ((g.z * n.y + g.y) * n.x + g.x) * (s.x * s.y * s.z) + gl_LocalInvocationIndex;\n" \
   "   b[i][0] = g.x; b[i][1] = g.y; b[i][2] = g.z;\n"                                            \
   "   b[i][3] = l.x; b[i][4] = l.y; b[i][5] = l.z;\n"                                            \
   "   b[i][6] = a.x; b[i][7] = a.y; b[i][8] = a.z;\n"                                            \
   "   b[i][9] = n.x; b[i][10] = n.y; b[i][11] = n.z;\n"                                          \
   "   b[i][12] = s.x; b[i][13] = s.y; b[i][14] = s.z;\n"                                         \
   "   atomicAdd(b[i][15], 1u);\n"                                                                \
   "}\n"

static void
test_variables(void)
{
   static const unsigned sizes[][3] = { { 1, 1, 1 },  { 4, 3, 2 },    { 7, 1, 1 },    { 1, 1, 64 },
                                        { 33, 1, 3 }, { 1024, 1, 1 }, { 1, 1024, 1 }, { 32, 32, 1 },
                                        { 16, 8, 8 }, { 31, 33, 1 },  { 3, 5, 17 } };
   static const unsigned grids[][3] = { { 1, 1, 1 }, { 3, 2, 2 }, { 1, 7, 1 }, { 2, 1, 5 } };

   for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
      const unsigned *s = sizes[i];
      const GLuint program = PROGRAM(
            .head = text("layout(local_size_x = %u, local_size_y = %u, local_size_z = %u) in;\n"
                         "#define SIZE gl_WorkGroupSize\n",
                         s[0], s[1], s[2]),
            .cs = VALUES);
      for (unsigned j = 0; j < sizeof grids / sizeof grids[0]; j++) {
         const unsigned *g = grids[j];
         const size_t bytes = 64 * s[0] * s[1] * s[2] * g[0] * g[1] * g[2];
         uint32_t(*v)[16] = malloc(bytes);
         const GLuint b = core_storage(0, bytes, NULL);
         glDispatchCompute(g[0], g[1], g[2]);
         core_read(b, bytes, v);
         check_values((const uint32_t(*)[16])v, g, s,
                      text("%ux%ux%u groups of %ux%ux%u", g[0], g[1], g[2], s[0], s[1], s[2]));
         free(v);
         glDeleteBuffers(1, &b);
      }
      glDeleteProgram(program);
   }
}

/* Tests ARB_compute_variable_group_size. */
static void
test_variable_size(void)
{
   static const unsigned sizes[][3] = { { 1, 1, 1 }, { 5, 3, 2 }, { 64, 1, 1 }, { 8, 8, 8 } };
   const unsigned groups[3] = { 2, 3, 1 };

   if (!core_extension("GL_ARB_compute_variable_group_size"))
      return;
   PFNGLDISPATCHCOMPUTEGROUPSIZEARBPROC dispatch = (PFNGLDISPATCHCOMPUTEGROUPSIZEARBPROC)
      eglGetProcAddress("glDispatchComputeGroupSizeARB");
   const GLuint program =
      PROGRAM(.head = "#extension GL_ARB_compute_variable_group_size : require\n"
                      "layout(local_size_variable) in;\n"
                      "#define SIZE gl_LocalGroupSizeARB\n",
              .cs = VALUES);
   GLint most = 0;
   glGetIntegerv(GL_MAX_COMPUTE_VARIABLE_GROUP_INVOCATIONS_ARB, &most);
   CHECK(most >= 512, "%d", most);
   for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
      const unsigned *s = sizes[i];
      const size_t bytes = 64 * 6 * s[0] * s[1] * s[2];
      uint32_t(*v)[16] = malloc(bytes);
      const GLuint b = core_storage(0, bytes, NULL);
      dispatch(groups[0], groups[1], groups[2], s[0], s[1], s[2]);
      core_read(b, bytes, v);
      check_values((const uint32_t(*)[16])v, groups, s, text("variable size %u", i));
      free(v);
      glDeleteBuffers(1, &b);
   }
   glDeleteProgram(program);
}

/* Tests 32 KB of shared memory, which the invocations reverse, rotate and sum. */
static void
test_shared(unsigned size)
{
   const unsigned words = 8192;
   const GLuint program = PROGRAM(
         .cs = text("layout(local_size_x = %u) in;\n"
                    "layout(std430, binding = 0) buffer B { uint b[]; };\n"
                    "shared uint s[%u];\n"
                    "void main() {\n"
                    "   uint l = gl_LocalInvocationIndex, n = gl_WorkGroupSize.x;\n"
                    "   uint o = gl_WorkGroupID.x * 8192u;\n"
                    "   for (uint i = l; i < 8192u; i += n) s[i] = i * 7u + gl_WorkGroupID.x;\n"
                    "   barrier();\n"
                    "   for (uint i = l; i < 8192u; i += n) b[o + i] = s[8191u - i];\n"
                    "}\n",
                    size, words));
   const GLuint b = core_storage(0, 3 * 4 * words, NULL);
   uint32_t *found = malloc(3 * 4 * words);

   glDispatchCompute(3, 1, 1);
   core_read(b, 3 * 4 * words, found);
   for (unsigned i = 0; i < 3 * words; i++) {
      const uint32_t expected = (words - 1 - i % words) * 7 + i / words;
      CHECK(found[i] == expected, "groups of %u: word %u is %u, not %u", size, i, found[i],
            expected);
   }
   free(found);
   glDeleteBuffers(1, &b);
   glDeleteProgram(program);
}

/* Tests a sum as a tree, and then many rounds in which each invocation reads the value of its
 * neighbour.  The number of rounds is a uniform.
 */
static void
test_barriers(unsigned size, unsigned rounds)
{
   const GLuint program =
      PROGRAM(.cs = text(
                 "layout(local_size_x = %u) in;\n"
                 "layout(std430, binding = 0) buffer B { uint b[]; };\n"
                 "layout(location = 0) uniform uint rounds;\n"
                 "shared uint s[%u];\n"
                 "shared struct { uint x; vec2 y[3]; } pair[2];\n"
                 "void main() {\n"
                 "   uint l = gl_LocalInvocationIndex, n = gl_WorkGroupSize.x;\n"
                 "   s[l] = l * l + gl_WorkGroupID.x;\n"
                 "   if (l == 0u) { pair[1].x = 17u; pair[1].y[2] = vec2(3.0, 4.0); }\n"
                 "   barrier();\n"
                 "   uint width = n;\n"
                 "   while (width > 1u) {\n"
                 "      uint next = (width + 1u) / 2u;\n"
                 "      if (l + next < width) s[l] += s[l + next];\n"
                 "      width = next;\n"
                 "      barrier();\n"
                 "   }\n"
                 "   uint sum = s[0];\n"
                 "   barrier();\n"
                 "   s[l] = l;\n"
                 "   barrier();\n"
                 "   for (uint r = 0u; r < rounds; r++) {\n"
                 "      uint v = s[(l + 1u) %% n] * 3u + 1u;\n"
                 "      barrier();\n"
                 "      s[l] = v;\n"
                 "      barrier();\n"
                 "   }\n"
                 "   uint i = gl_GlobalInvocationID.x * 3u;\n"
                 "   b[i] = sum; b[i + 1u] = s[l]; b[i + 2u] = pair[1].x + uint(pair[1].y[2].y);\n"
                 "}\n",
                 size, size));
   const unsigned groups = 5;
   uint32_t *found = calloc(3 * groups * size, 4), *state = calloc(2 * size, 4);
   const GLuint b = core_storage(0, 12 * groups * size, NULL);

   glUniform1ui(0, rounds);
   glDispatchCompute(groups, 1, 1);
   core_read(b, 12 * groups * size, found);
   for (unsigned l = 0; l < size; l++)
      state[l] = l;
   for (unsigned r = 0; r < rounds; r++) {
      memcpy(state + size, state, 4 * size);
      for (unsigned l = 0; l < size; l++)
         state[l] = state[size + (l + 1) % size] * 3 + 1;
   }
   for (unsigned i = 0; i < groups * size; i++) {
      uint32_t sum = 0;
      for (unsigned l = 0; l < size; l++)
         sum += l * l + i / size;
      CHECK(found[3 * i] == sum && found[3 * i + 1] == state[i % size] && found[3 * i + 2] == 21,
            "groups of %u: invocation %u has %u %u %u, not %u %u 21", size, i, found[3 * i],
            found[3 * i + 1], found[3 * i + 2], sum, state[i % size]);
   }
   free(found);
   free(state);
   glDeleteBuffers(1, &b);
   glDeleteProgram(program);
}

/* Tests barriers in branches that the whole group takes the same way, also after some invocations
 * have returned early from a function.
 */
static void
test_uniform_branches(void)
{
   const GLuint program = PROGRAM(
         .cs =
            "layout(local_size_x = 96) in;\n"
            "layout(std430, binding = 0) buffer B { uint b[]; };\n"
            "shared uint s[96];\n"
            "uint half_of(uint l) { if ((l & 1u) != 0u) return l * 5u; return l * 2u; }\n"
            "void main() {\n"
            "   uint l = gl_LocalInvocationIndex;\n"
            "   s[l] = half_of(l);\n"
            "   if (gl_WorkGroupID.x % 2u == 0u) {\n"
            "      barrier();\n"
            "      uint v = s[95u - l];\n"
            "      memoryBarrierShared();\n"
            "      barrier();\n"
            "      s[l] = v + 1u;\n"
            "   } else {\n"
            "      for (uint i = 0u; i < gl_WorkGroupID.x; i++) { barrier(); if (l == i) s[l + 40u] += s[l]; }\n"
            "   }\n"
            "   barrier();\n"
            "   b[gl_GlobalInvocationID.x] = s[(l + 50u) % 96u];\n"
            "}\n");
   uint32_t found[6 * 96];
   const GLuint b = core_storage(0, sizeof found, NULL);

   glDispatchCompute(6, 1, 1);
   core_read(b, sizeof found, found);
   for (unsigned g = 0; g < 6; g++) {
      uint32_t s[96], t[96];
      for (unsigned l = 0; l < 96; l++)
         s[l] = l & 1 ? l * 5 : l * 2;
      if (g % 2 == 0) {
         memcpy(t, s, sizeof s);
         for (unsigned l = 0; l < 96; l++)
            s[l] = t[95 - l] + 1;
      } else {
         for (unsigned i = 0; i < g; i++)
            s[i + 40] += s[i];
      }
      for (unsigned l = 0; l < 96; l++)
         CHECK(found[96 * g + l] == s[(l + 50) % 96], "group %u, %u: %u, not %u", g, l,
               found[96 * g + l], s[(l + 50) % 96]);
   }
   glDeleteBuffers(1, &b);
   glDeleteProgram(program);
}

static GLuint
count_program(void)
{
   return PROGRAM(.cs = "layout(local_size_x = 4) in;\n"
                        "layout(std430, binding = 0) buffer B { uint count; uvec3 last; };\n"
                        "void main() {\n"
                        "   if (gl_LocalInvocationIndex == 0u) atomicAdd(count, 1u);\n"
                        "   if (gl_WorkGroupID == gl_NumWorkGroups - 1u) last = gl_WorkGroupID;\n"
                        "}\n");
}

static void
expect_count(GLuint buffer, const char *what, const unsigned groups[3])
{
   const unsigned count = groups[0] * groups[1] * groups[2];
   uint32_t found[8];

   core_read(buffer, 32, found);
   CHECK(found[0] == count, "%s: %u groups, not %u", what, found[0], count);
   for (unsigned i = 0; i < 3; i++) {
      const uint32_t last = count ? groups[i] - 1 : 0;
      CHECK(found[4 + i] == last, "%s: last %u is %u, not %u", what, i, found[4 + i], last);
   }
   glClearNamedBufferData(buffer, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, NULL);
}

static void
test_grids(void)
{
   static const unsigned grids[][3] = { { 0, 1, 1 },     { 1, 0, 1 },     { 5, 5, 0 },
                                        { 65535, 1, 1 }, { 1, 65535, 1 }, { 1, 1, 65535 },
                                        { 300, 10, 20 } };
   const GLuint program = count_program(), b = core_storage(0, 32, NULL);

   for (unsigned i = 0; i < sizeof grids / sizeof grids[0]; i++) {
      const unsigned *g = grids[i];
      const char *what = text("%u x %u x %u", g[0], g[1], g[2]);
      glDispatchCompute(g[0], g[1], g[2]);
      expect_count(b, what, g);
      const uint32_t commands[5] = { 9, 9, g[0], g[1], g[2] };
      const GLuint indirect = core_buffer(sizeof commands, commands);
      glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, indirect);
      glDispatchComputeIndirect(8);
      expect_count(b, what, g);
      glDeleteBuffers(1, &indirect);
   }
   glDeleteBuffers(1, &b);
   glDeleteProgram(program);
}

/* Tests a shader that counts and writes the size of the next dispatch. */
static void
test_indirect_chain(void)
{
   const GLuint writes = PROGRAM(
         .cs =
            "layout(local_size_x = 1) in;\n"
            "layout(std430, binding = 1) buffer I { uint groups[3]; };\n"
            "void main() { groups[0] = groups[0] * 2u + 1u; groups[1] = 2u; groups[2] = 1u; }\n");
   const GLuint counts = count_program(), b = core_storage(0, 32, NULL);
   const GLuint indirect = core_storage(1, 12, NULL);
   unsigned expected[3] = { 0, 2, 1 };

   glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, indirect);
   for (unsigned i = 0; i < 8; i++) {
      glUseProgram(writes);
      glDispatchCompute(1, 1, 1);
      glMemoryBarrier(GL_COMMAND_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT);
      glUseProgram(counts);
      glDispatchComputeIndirect(0);
      expected[0] = expected[0] * 2 + 1;
      if (i % 2)
         expect_count(b, text("step %u", i), expected);
      else
         glClearNamedBufferData(b, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, NULL);
   }
   glDeleteBuffers(2, (const GLuint[]){ b, indirect });
   glDeleteProgram(writes);
   glDeleteProgram(counts);
}

static void
test_limits(void)
{
   static const struct {
      GLenum name;
      GLint least;
   } limits[] = {
      { GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS, 1024 },
      { GL_MAX_COMPUTE_SHARED_MEMORY_SIZE, 32768 },
      { GL_MAX_COMPUTE_UNIFORM_BLOCKS, 14 },
      { GL_MAX_COMPUTE_TEXTURE_IMAGE_UNITS, 16 },
      { GL_MAX_COMPUTE_IMAGE_UNIFORMS, 8 },
      { GL_MAX_COMPUTE_SHADER_STORAGE_BLOCKS, 8 },
      { GL_MAX_COMPUTE_ATOMIC_COUNTERS, 8 },
      { GL_MAX_COMPUTE_ATOMIC_COUNTER_BUFFERS, 1 },
      { GL_MAX_COMPUTE_UNIFORM_COMPONENTS, 1024 },
      { GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS, 8 },
      { GL_MAX_COMBINED_SHADER_STORAGE_BLOCKS, 8 },
      { GL_MAX_ATOMIC_COUNTER_BUFFER_BINDINGS, 1 },
      { GL_MAX_IMAGE_UNITS, 8 },
   };
   static const GLint least_size[3] = { 1024, 1024, 64 };

   for (unsigned i = 0; i < sizeof limits / sizeof limits[0]; i++) {
      GLint value = 0;
      glGetIntegerv(limits[i].name, &value);
      CHECK(value >= limits[i].least, "limit 0x%x is %d", limits[i].name, value);
   }
   for (unsigned i = 0; i < 3; i++) {
      GLint count = 0, size = 0;
      glGetIntegeri_v(GL_MAX_COMPUTE_WORK_GROUP_COUNT, i, &count);
      glGetIntegeri_v(GL_MAX_COMPUTE_WORK_GROUP_SIZE, i, &size);
      CHECK(count >= 65535 && size >= least_size[i], "%u: %d groups, size %d", i, count, size);
   }
   const GLuint program = count_program(), b = core_storage(0, 32, NULL);
   GLint most;
   glGetIntegeri_v(GL_MAX_COMPUTE_WORK_GROUP_COUNT, 0, &most);
   glDispatchCompute((GLuint)most + 1, 1, 1);
   CHECK(glGetError() == GL_INVALID_VALUE, "too many groups");
   expect_count(b, "too many groups", (const unsigned[3]){ 0 });
   glDeleteBuffers(1, &b);
   glDeleteProgram(program);
}

int
main(void)
{
   static const unsigned sizes[] = { 1, 2, 31, 32, 33, 64, 100, 128, 500, 1024 };

   core_begin();
   test_limits();
   test_variables();
   test_variable_size();
   for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
      test_shared(sizes[i]);
      test_barriers(sizes[i], i % 3 ? 10 : 101);
   }
   test_uniform_branches();
   test_grids();
   test_indirect_chain();
   return core_end("compute");
}
