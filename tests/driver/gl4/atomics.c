/* SPDX-License-Identifier: MIT */
/*
 * Tests all atomic operations on storage buffers, shared memory, images and atomic counters, in
 * every stage, and with 64 bits those on buffers and shared memory (NV_shader_atomic_int64).  The returned values must be consistent with some order of the operations (trail.h),
 * and the final values must be exact.
 */
#include "trail.h"

#define COUNT 1024u /* number of invocations */
#define SLOTS 4u    /* number of values that they change */

static const char *const names[AOPS] = { "Add", "Min", "Max",      "And",
                                         "Or",  "Xor", "Exchange", "CompSwap" };

enum where { STORAGE, SHARED, IMAGE, IMAGE_BUFFER, WHERES };
static const char *const wheres[WHERES] = { "storage buffer", "shared memory", "image",
                                            "image of a buffer" };

enum stage { COMPUTE, VERTEX, GEOMETRY, TESS_CTRL, FRAGMENT, STAGES };
static const char *const stages[STAGES] = { "compute", "vertex", "geometry", "tessellation control",
                                            "fragment" };

static const char *const types[VALUE_TYPES] = { "uint", "int", "uint64_t", "int64_t" };

#define GROUP 128u

static bool
is_wide(enum value_type type)
{
   return type >= UINT64;
}

/* Returns whether GLSL has the operation.  NV_shader_atomic_int64 lacks some for uint64_t. */
static bool
has_operation(enum aop op, enum value_type type)
{
   return type != UINT64 || (op != ADD && op != EXCHANGE && op != COMP_SWAP);
}

static uint64_t
random_value(enum value_type type)
{
   const uint64_t low = core_random();

   return is_wide(type) ? low | (uint64_t)core_random() << 32 : low;
}

static void
random_data(enum aop op, enum value_type type, uint64_t *data)
{
   for (unsigned i = 0; i < COUNT; i++) {
      data[i] = random_value(type);
      if (op == AND) /* set most bits, so that the result keeps bits for a while */
         data[i] |= random_value(type) | random_value(type) | random_value(type);
      else if (op == OR)
         data[i] &= random_value(type) & random_value(type) & random_value(type);
   }
}

static size_t
size_of(enum value_type type)
{
   return is_wide(type) ? 8 : 4;
}

/* Creates a buffer of values. */
static GLuint
values_buffer(unsigned binding, enum value_type type, unsigned count, const uint64_t *values)
{
   uint8_t *bytes = malloc(count * size_of(type));

   for (unsigned i = 0; i < count; i++)
      memcpy(bytes + i * size_of(type), &values[i], size_of(type));
   const GLuint buffer = core_storage(binding, count * size_of(type), bytes);
   free(bytes);
   return buffer;
}

/* Extends values of memory to 64 bits. */
static void
extend_values(enum value_type type, unsigned count, const void *bytes, uint64_t *values)
{
   memset(values, 0, count * sizeof values[0]);
   for (unsigned i = 0; i < count; i++)
      memcpy(&values[i], (const uint8_t *)bytes + i * size_of(type), size_of(type));
}

static void
read_values(GLuint buffer, enum value_type type, unsigned count, uint64_t *values)
{
   uint8_t *bytes = malloc(count * size_of(type));

   core_read(buffer, count * size_of(type), bytes);
   extend_values(type, count, bytes, values);
   free(bytes);
}

/* Returns the text of the call, such as "atomicAdd(x[slot], d)". */
static const char *
call(enum aop op, enum where where)
{
   const char *operands = op == COMP_SWAP ? "T(uint(d) & 7u), T(uint(d) >> 3 & 7u)" : "d";

   switch (where) {
   case STORAGE:
      return text("atomic%s(x[slot], %s)", names[op], operands);
   case SHARED:
      return text("atomic%s(s[slot], %s)", names[op], operands);
   case IMAGE:
      return text("imageAtomic%s(img, ivec2(slot, 1), %s)", names[op], operands);
   default:
      return text("imageAtomic%s(img, int(slot), %s)", names[op], operands);
   }
}

/* Returns the declarations that all stages share, and a function `void run(uint i)` that does the
 * i-th operation.
 */
static const char *
head(enum aop op, enum where where, enum value_type type)
{
   const bool is_signed = type == INT;

   return text("%s#define T %s\n"
               "layout(std430, binding = 0) buffer X { T x[]; };\n"
               "layout(std430, binding = 1) readonly buffer D { T data[]; };\n"
               "layout(std430, binding = 2) writeonly buffer R { T returned[]; };\n"
               "%s%s"
               "void run(uint i) {\n"
               "   uint slot = i %% %uu;\n"
               "   T d = data[i];\n"
               "   returned[i] = %s;\n"
               "}\n",
               is_wide(type) ? "#extension GL_ARB_gpu_shader_int64 : require\n"
                               "#extension GL_NV_shader_atomic_int64 : require\n"
                             : "",
               types[type],
               where >= IMAGE ? text("layout(%s, binding = 0) uniform %simage%s img;\n",
                                     is_signed ? "r32i" : "r32ui", is_signed ? "i" : "u",
                                     where == IMAGE_BUFFER ? "Buffer" : "2D")
                              : "",
               where == SHARED ? text("shared T s[%u];\n", SLOTS) : "", SLOTS, call(op, where));
}

static GLuint
program_of(enum stage stage, enum aop op, enum where where, enum value_type type)
{
   const char *h = head(op, where, type);

   switch (stage) {
   case COMPUTE:
      if (where != SHARED) {
         return PROGRAM(.head = h, .cs = "layout(local_size_x = 128) in;\n"
                                         "void main() { run(gl_GlobalInvocationID.x); }\n");
      }
      return PROGRAM(.head = h,
                     .cs = text("layout(local_size_x = 128) in;\n"
                                "void main() {\n"
                                "   uint l = gl_LocalInvocationID.x, o = gl_WorkGroupID.x * %uu;\n"
                                "   if (l < %uu) s[l] = x[o + l];\n"
                                "   barrier();\n"
                                "   run(gl_GlobalInvocationID.x);\n"
                                "   barrier();\n"
                                "   if (l < %uu) x[o + l] = s[l];\n"
                                "}\n",
                                SLOTS, SLOTS, SLOTS));
   case VERTEX:
      return PROGRAM(.head = h, .vs = "void main() { run(gl_VertexID); gl_Position = vec4(0); }\n");
   case GEOMETRY:
      return PROGRAM(.head = h, .vs = "void main() { gl_Position = vec4(0); }\n",
                     .gs = "layout(points) in; layout(points, max_vertices = 1) out;\n"
                           "void main() { run(gl_PrimitiveIDIn); }\n");
   case TESS_CTRL:
      return PROGRAM(.head = h, .vs = "void main() { gl_Position = vec4(0); }\n",
                     .tcs = "layout(vertices = 4) out;\n"
                            "void main() {\n"
                            "   gl_out[gl_InvocationID].gl_Position = vec4(0);\n"
                            "   run(4 * gl_PrimitiveID + gl_InvocationID);\n"
                            "   barrier();\n"
                            "   gl_TessLevelOuter[0] = 0.0;\n"
                            "}\n",
                     .tes = "layout(quads) in;\n"
                            "void main() { gl_Position = vec4(0); }\n");
   default:
      return PROGRAM(.head = h, .vs = FILL_VS,
                     .fs = "void main() {\n"
                           "   uvec2 p = uvec2(gl_FragCoord.xy);\n"
                           "   run(32 * p.y + p.x);\n"
                           "}\n");
   }
}

static void
run_stage(enum stage stage)
{
   switch (stage) {
   case COMPUTE:
      glDispatchCompute(COUNT / GROUP, 1, 1);
      break;
   case VERTEX:
   case GEOMETRY:
   case TESS_CTRL:
      glEnable(GL_RASTERIZER_DISCARD);
      glPatchParameteri(GL_PATCH_VERTICES, 1);
      glDrawArrays(stage == TESS_CTRL ? GL_PATCHES : GL_POINTS, 0,
                   stage == TESS_CTRL ? COUNT / 4 : COUNT);
      glDisable(GL_RASTERIZER_DISCARD);
      break;
   default:
      glDrawArrays(GL_TRIANGLES, 0, 3);
   }
}

/* Checks one slot of a group (with shared memory) or of all invocations. */
static void
check_slot(enum aop op, enum value_type type, const char *what, unsigned begin, unsigned end,
           unsigned slot, uint64_t first, uint64_t last, const uint64_t *returned,
           const uint64_t *data)
{
   uint64_t r[COUNT], d[COUNT];
   unsigned n = 0;

   for (unsigned i = begin + slot; i < end; i += SLOTS, n++) {
      r[n] = returned[i];
      d[n] = data[i];
   }
   CHECK(trail_holds(op, type, first, last, n, r, d), "%s, from %u: slot %u", what, begin, slot);
}

static void
test_operation(enum stage stage, enum aop op, enum where where, enum value_type value_type)
{
   const GLuint program = program_of(stage, op, where, value_type);
   const bool is_signed = value_type == INT;
   const unsigned groups = where == SHARED ? COUNT / GROUP : 1;
   const char *what = text("%s, %s, %s %s", stages[stage], wheres[where], types[value_type],
                           names[op]);
   uint64_t first[COUNT / GROUP * SLOTS], last[COUNT / GROUP * SLOTS] = { 0 };
   uint64_t data[COUNT], returned[COUNT];
   GLuint x, texture = 0;

   for (unsigned i = 0; i < groups * SLOTS; i++)
      first[i] = op == COMP_SWAP ? i % 8
                 : op == OR      ? 0
                 : op == AND     ? (is_wide(value_type) ? UINT64_MAX : UINT32_MAX)
                                 : random_value(value_type);
   random_data(op, value_type, data);
   memset(returned, 0xee, sizeof returned);
   x = values_buffer(0, value_type, groups * SLOTS, first);
   const GLuint d = values_buffer(1, value_type, COUNT, data);
   const GLuint r = values_buffer(2, value_type, COUNT, returned);
   const GLenum format = is_signed ? GL_R32I : GL_R32UI;
   const GLenum type = is_signed ? GL_INT : GL_UNSIGNED_INT;
   if (where == IMAGE) {
      glCreateTextures(GL_TEXTURE_2D, 1, &texture);
      glTextureStorage2D(texture, 1, format, SLOTS, 2);
      uint32_t texels[SLOTS];
      for (unsigned i = 0; i < SLOTS; i++)
         texels[i] = (uint32_t)first[i];
      glTextureSubImage2D(texture, 0, 0, 1, SLOTS, 1, GL_RED_INTEGER, type, texels);
   } else if (where == IMAGE_BUFFER) {
      glCreateTextures(GL_TEXTURE_BUFFER, 1, &texture);
      glTextureBuffer(texture, format, x);
   }
   if (texture)
      glBindImageTexture(0, texture, 0, GL_FALSE, 0, GL_READ_WRITE, format);

   if (program)
      run_stage(stage);

   read_values(r, value_type, COUNT, returned);
   if (where == IMAGE) {
      uint32_t all[2 * SLOTS];
      glMemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT);
      glGetTextureImage(texture, 0, GL_RED_INTEGER, type, sizeof all, all);
      extend_values(value_type, SLOTS, all + SLOTS, last);
   } else {
      read_values(x, value_type, groups * SLOTS, last);
   }
   for (unsigned group = 0; group < groups; group++) {
      for (unsigned slot = 0; slot < SLOTS; slot++) {
         const unsigned i = group * SLOTS + slot;
         check_slot(op, value_type, what, group * COUNT / groups, (group + 1) * COUNT / groups,
                    slot, first[i], last[i], returned, data);
      }
   }
   glDeleteTextures(1, &texture);
   glDeleteBuffers(3, (const GLuint[]){ x, d, r });
   glDeleteProgram(program);
}

/* Tests a loop of compare and swap operations that adds floats, and exchanges in a float image. */
static void
test_floats(void)
{
   const GLuint program =
      PROGRAM(.cs = "layout(local_size_x = 64) in;\n"
                    "layout(std430, binding = 0) buffer S { uint sum; };\n"
                    "layout(std430, binding = 1) buffer R { float returned[]; };\n"
                    "layout(r32f, binding = 0) uniform image1D img;\n"
                    "void main() {\n"
                    "   uint i = gl_GlobalInvocationID.x, old = sum, got;\n"
                    "   for (;;) {\n"
                    "      got = atomicCompSwap(sum, old,\n"
                    "         floatBitsToUint(uintBitsToFloat(old) + float(i)));\n"
                    "      if (got == old) break;\n"
                    "      old = got;\n"
                    "   }\n"
                    "   returned[i] = imageAtomicExchange(img, 2, float(i) + 1.0);\n"
                    "}\n");
   float sum = 0.0f, returned[COUNT], texels[4] = { 0.0f };
   const GLuint s = core_storage(0, 4, &sum), r = core_storage(1, sizeof returned, NULL);
   bool seen[COUNT + 1] = { false };
   GLuint texture;

   glCreateTextures(GL_TEXTURE_1D, 1, &texture);
   glTextureStorage1D(texture, 1, GL_R32F, 4);
   glTextureSubImage1D(texture, 0, 0, 4, GL_RED, GL_FLOAT, texels);
   glBindImageTexture(0, texture, 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32F);
   glDispatchCompute(COUNT / 64, 1, 1);
   core_read(s, 4, &sum);
   core_read(r, sizeof returned, returned);
   glMemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT);
   glGetTextureImage(texture, 0, GL_RED, GL_FLOAT, sizeof texels, texels);
   CHECK(sum == COUNT * (COUNT - 1) / 2, "%f", sum);
   /* Each value except for the last one, and the initial texel, is returned exactly once. */
   seen[(unsigned)texels[2]] = true;
   for (unsigned i = 0; i < COUNT; i++) {
      const unsigned value = (unsigned)returned[i];
      CHECK(value <= COUNT && !seen[value], "%u: %f", i, returned[i]);
      seen[value <= COUNT ? value : 0] = true;
   }
   CHECK(texels[0] == 0 && texels[1] == 0 && texels[3] == 0, "neighbours");
   glDeleteTextures(1, &texture);
   glDeleteBuffers(2, (const GLuint[]){ s, r });
   glDeleteProgram(program);
}

/* Tests counters at offsets of buffers and in arrays.  Increments return the old value, and
 * decrements return the new one.
 */
static void
test_counters(enum stage stage)
{
   const char *h = "layout(binding = 2, offset = 8) uniform atomic_uint up;\n"
                   "layout(binding = 2, offset = 16) uniform atomic_uint array[3];\n"
                   "layout(binding = 1, offset = 0) uniform atomic_uint down;\n"
                   "layout(std430, binding = 0) writeonly buffer R { uvec4 returned[]; };\n"
                   "uniform int which;\n"
                   "void run(uint i) {\n"
                   "   returned[i] = uvec4(atomicCounterIncrement(up),\n"
                   "                       atomicCounterDecrement(down),\n"
                   "                       atomicCounterIncrement(array[which]),\n"
                   "                       atomicCounter(array[0]));\n"
                   "}\n";
   const uint32_t ups[7] = { 1, 2, 3, 4, 5, 6, 7 }, downs[3] = { 77, 5000, 88 };
   uint32_t returned[COUNT][4], after[7], after_downs[3];
   bool seen[3][COUNT] = { { false } };
   GLuint program;

   if (stage == COMPUTE) {
      program = PROGRAM(.head = h, .cs = "layout(local_size_x = 128) in;\n"
                                         "void main() { run(gl_GlobalInvocationID.x); }\n");
   } else if (stage == VERTEX) {
      program = PROGRAM(.head = h,
                        .vs = "void main() { run(gl_VertexID); gl_Position = vec4(0); }\n");
   } else {
      program = PROGRAM(.head = h, .vs = FILL_VS,
                        .fs = "void main() {\n"
                              "   uvec2 p = uvec2(gl_FragCoord.xy);\n"
                              "   run(32 * p.y + p.x);\n"
                              "}\n");
   }
   glUniform1i(glGetUniformLocation(program, "which"), 2);
   const GLuint u = core_buffer(sizeof ups, ups), d = core_buffer(sizeof downs, downs);
   const GLuint r = core_storage(0, sizeof returned, NULL);
   glBindBufferBase(GL_ATOMIC_COUNTER_BUFFER, 2, u);
   glBindBufferRange(GL_ATOMIC_COUNTER_BUFFER, 1, d, 4, 4);
   run_stage(stage);
   core_read(r, sizeof returned, returned);
   core_read(u, sizeof after, after);
   core_read(d, sizeof after_downs, after_downs);
   for (unsigned i = 0; i < 7; i++) {
      const uint32_t expected = ups[i] + (i == 2 || i == 6 ? COUNT : 0);
      CHECK(after[i] == expected, "%s: counter %u is %u, not %u", stages[stage], i, after[i],
            expected);
   }
   CHECK(after_downs[0] == 77 && after_downs[1] == 5000 - COUNT && after_downs[2] == 88,
         "%s: %u %u %u", stages[stage], after_downs[0], after_downs[1], after_downs[2]);
   for (unsigned i = 0; i < COUNT; i++) {
      const uint32_t v[3] = { returned[i][0] - 3, 4999 - returned[i][1], returned[i][2] - 7 };
      for (unsigned k = 0; k < 3; k++) {
         CHECK(v[k] < COUNT && !seen[k][v[k]], "%s: %u returns %u as %u", stages[stage], i,
               returned[i][k], k);
         seen[k][v[k] < COUNT ? v[k] : 0] = true;
      }
      CHECK(returned[i][3] == 5, "%s: %u", stages[stage], returned[i][3]);
   }
   glDeleteBuffers(3, (const GLuint[]){ u, d, r });
   glDeleteProgram(program);
}

/* Tests ARB_shader_atomic_counter_ops. */
static void
test_counter_operations(void)
{
   if (!core_extension("GL_ARB_shader_atomic_counter_ops"))
      return;
   for (enum aop op = 0; op < AOPS; op++) {
      const GLuint program = PROGRAM(
            .head = "#extension GL_ARB_shader_atomic_counter_ops : require\n",
            .cs = text("layout(local_size_x = 128) in;\n"
                       "layout(binding = 0, offset = 4) uniform atomic_uint counter;\n"
                       "layout(std430, binding = 1) readonly buffer D { uint data[]; };\n"
                       "layout(std430, binding = 2) writeonly buffer R { uint returned[]; };\n"
                       "void main() {\n"
                       "   uint d = data[gl_GlobalInvocationID.x];\n"
                       "   returned[gl_GlobalInvocationID.x] = atomicCounter%sARB(counter, %s);\n"
                       "}\n",
                       names[op], op == COMP_SWAP ? "d & 7u, d >> 3 & 7u" : "d"));
      uint32_t counters[3] = { 1, op == AND ? ~0u : op == COMP_SWAP || op == OR ? 0 : 99, 2 };
      const uint32_t first = counters[1];
      uint64_t data[COUNT], returned[COUNT];

      random_data(op, UINT, data);
      const GLuint c = core_buffer(sizeof counters, counters);
      memset(returned, 0, sizeof returned);
      const GLuint d = values_buffer(1, UINT, COUNT, data);
      const GLuint r = values_buffer(2, UINT, COUNT, returned);
      glBindBufferBase(GL_ATOMIC_COUNTER_BUFFER, 0, c);
      run_stage(COMPUTE);
      core_read(c, sizeof counters, counters);
      read_values(r, UINT, COUNT, returned);
      CHECK(trail_holds(op, UINT, first, counters[1], COUNT, returned, data), "%s", names[op]);
      CHECK(counters[0] == 1 && counters[2] == 2, "%s: neighbours", names[op]);
      glDeleteBuffers(3, (const GLuint[]){ c, d, r });
      glDeleteProgram(program);
   }
}

/* Tests that neither helper invocations nor discarded ones count. */
static void
test_fragments(void)
{
   const GLuint program = PROGRAM(
         .vs =
            "void main() {\n"
            "   const vec2 p[3] = vec2[](vec2(-0.93, -0.97), vec2(0.71, -0.33), vec2(-0.21, 0.97));\n"
            "   gl_Position = vec4(p[gl_VertexID], 0.0, 1.0);\n"
            "}\n",
         .fs = "layout(std430, binding = 0) buffer C { uint kept, all, odd; };\n"
               "out vec4 color;\n"
               "void main() {\n"
               "   uvec2 p = uvec2(gl_FragCoord.xy);\n"
               "   float x = gl_FragCoord.x * gl_FragCoord.x;\n"
               "   atomicAdd(all, 1u);\n"
               "   if ((p.x & 1u) != 0u) { atomicAdd(odd, p.x); discard; }\n"
               "   atomicAdd(kept, 1u);\n"
               "   color = vec4(1.0, dFdx(x), 0.0, 1.0);\n"
               "}\n");
   const GLuint covers = PROGRAM(
         .vs =
            "void main() {\n"
            "   const vec2 p[3] = vec2[](vec2(-0.93, -0.97), vec2(0.71, -0.33), vec2(-0.21, 0.97));\n"
            "   gl_Position = vec4(p[gl_VertexID], 0.0, 1.0);\n"
            "}\n",
         .fs = "out vec4 color;\nvoid main() { color = vec4(1.0); }\n");
   uint32_t found[3], expected[3] = { 0 };
   uint8_t pixels[32][32][4];
   const GLuint c = core_storage(0, sizeof found, NULL);

   glUseProgram(covers);
   glClear(GL_COLOR_BUFFER_BIT);
   glDrawArrays(GL_TRIANGLES, 0, 3);
   glReadPixels(0, 0, 32, 32, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
   for (unsigned y = 0; y < 32; y++) {
      for (unsigned x = 0; x < 32; x++) {
         if (!pixels[y][x][0])
            continue;
         expected[1]++;
         expected[0] += !(x & 1);
         expected[2] += x & 1 ? x : 0;
      }
   }
   glClear(GL_COLOR_BUFFER_BIT);
   glUseProgram(program);
   glDrawArrays(GL_TRIANGLES, 0, 3);
   core_read(c, sizeof found, found);
   CHECK(expected[0] > 100, "%u pixels", expected[0]);
   for (unsigned i = 0; i < 3; i++)
      CHECK(found[i] == expected[i], "counter %u is %u, not %u", i, found[i], expected[i]);
   glDeleteBuffers(1, &c);
   glDeleteProgram(program);
   glDeleteProgram(covers);
}

int
main(void)
{
   GLuint texture;

   core_begin();
   core_target(GL_RGBA8, 32, 32, &texture);
   const bool wide = core_extension("GL_NV_shader_atomic_int64");
   for (enum stage stage = 0; stage < STAGES; stage++) {
      for (enum where where = 0; where < WHERES; where++) {
         if (where == SHARED && stage != COMPUTE)
            continue;
         for (enum aop op = 0; op < AOPS; op++) {
            const enum value_type end = wide && where < IMAGE ? VALUE_TYPES : UINT64;
            for (enum value_type type = 0; type < end; type++) {
               if (has_operation(op, type))
                  test_operation(stage, op, where, type);
            }
         }
      }
   }
   test_floats();
   test_counters(COMPUTE);
   test_counters(VERTEX);
   test_counters(FRAGMENT);
   test_counter_operations();
   test_fragments();
   return core_end("atomics");
}
