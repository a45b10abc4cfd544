/* SPDX-License-Identifier: MIT */
/*
 * Tests storage buffers: layouts std140 and std430 byte by byte, with constant and dynamic indices;
 * unsized arrays; arrays of blocks; accesses out of range; every stage; fragment shaders that
 * discard, and tests before or after them.
 */
#include "core.h"

#define SENTINEL 0xcdcdcdcdu

/* Scalars of the block in the order of their values, with their byte offsets in each layout. */
static const struct member {
   const char *name;
   unsigned std140, std430;
} members[] = {
   { "f", 0, 0 },
   { "v2[0]", 8, 8 },
   { "v2[1]", 12, 12 },
   { "v3[0]", 16, 16 },
   { "v3[1]", 20, 20 },
   { "v3[2]", 24, 24 },
   { "tail", 28, 28 },
   { "arr[0]", 32, 32 },
   { "arr[1]", 48, 36 },
   { "arr[2]", 64, 40 },
   { "m[0][0]", 80, 48 },
   { "m[0][1]", 84, 52 },
   { "m[0][2]", 88, 56 },
   { "m[1][0]", 96, 64 },
   { "m[1][1]", 100, 68 },
   { "m[1][2]", 104, 72 },
   { "m[2][0]", 112, 80 },
   { "m[2][1]", 116, 84 },
   { "m[2][2]", 120, 88 },
   { "r[0][0]", 128, 96 },
   { "r[1][0]", 132, 100 },
   { "r[0][1]", 144, 104 },
   { "r[1][1]", 148, 108 },
   { "r[0][2]", 160, 112 },
   { "r[1][2]", 164, 116 },
   { "s[0].a", 176, 128 },
   { "s[0].b[0]", 192, 144 },
   { "s[0].b[1]", 196, 148 },
   { "s[0].b[2]", 200, 152 },
   { "s[1].a", 208, 160 },
   { "s[1].b[0]", 224, 176 },
   { "s[1].b[1]", 228, 180 },
   { "s[1].b[2]", 232, 184 },
   { "last[0]", 240, 192 },
   { "last[1]", 244, 196 },
   { "last[2]", 248, 200 },
   { "last[3]", 252, 204 },
   { "un[0]", 256, 208 },
   { "un[1]", 272, 212 },
   { "un[2]", 288, 216 },
};
#define MEMBERS (sizeof members / sizeof members[0])
#define BLOCK_SIZE 512

static const char members_text[] =
   "   float f; vec2 v2; vec3 v3; float tail; float arr[3]; mat3 m;\n"
   "   layout(row_major) mat2x3 r; S s[2]; vec4 last; float un[];\n";

/* Replaces "x[1]" by "x[u[1]]", so that the compiler does not know the index. */
static void
dynamic_name(const char *name, char *out)
{
   for (; *name; name++) {
      if (*name == '[')
         out += sprintf(out, "[u[%c]]", name[1]), name += 2;
      else
         *out++ = *name;
   }
   *out = '\0';
}

static void
test_layout(bool std430, bool write, bool dynamic)
{
   static char body[16384];
   const char *what = text("%s, %s%s", std430 ? "std430" : "std140", write ? "stores" : "loads",
                           dynamic ? ", dynamic" : "");
   uint32_t block[BLOCK_SIZE / 4], expected[BLOCK_SIZE / 4];
   float values[MEMBERS];
   char *end = body;

   for (unsigned i = 0; i < MEMBERS; i++) {
      char name[64];
      if (dynamic)
         dynamic_name(members[i].name, name);
      else
         strcpy(name, members[i].name);
      end += write ? sprintf(end, "   %s = values[%u];\n", name, i)
                   : sprintf(end, "   values[%u] = %s;\n", i, name);
   }
   const GLuint program =
      PROGRAM(.head = text("struct S { float a; vec3 b; };\n"
                           "layout(%s, binding = 2) buffer B {\n%s};\n"
                           "layout(std430, binding = 1) buffer V { float values[]; };\n"
                           "layout(location = 0) uniform int u[4];\n"
                           "layout(local_size_x = 1) in;\n",
                           std430 ? "std430" : "std140", members_text),
              .cs = text("void main() {\n%s}\n", body));
   glUniform1iv(0, 4, (const GLint[]){ 0, 1, 2, 3 });

   for (unsigned i = 0; i < BLOCK_SIZE / 4; i++)
      block[i] = expected[i] = SENTINEL;
   for (unsigned i = 0; i < MEMBERS; i++) {
      const float value = 1.5f + (float)i;
      const unsigned offset = std430 ? members[i].std430 : members[i].std140;
      values[i] = write ? value : -1.0f;
      memcpy(&expected[offset / 4], &value, 4);
      if (!write)
         memcpy(&block[offset / 4], &value, 4);
   }
   const GLuint b = core_storage(2, sizeof block, block);
   const GLuint v = core_storage(1, sizeof values, values);
   glDispatchCompute(1, 1, 1);
   core_read(b, sizeof block, block);
   core_read(v, sizeof values, values);
   for (unsigned i = 0; i < BLOCK_SIZE / 4; i++)
      CHECK(block[i] == expected[i], "%s: byte %u has 0x%x, not 0x%x", what, 4 * i, block[i],
            expected[i]);
   for (unsigned i = 0; i < MEMBERS; i++)
      CHECK(values[i] == 1.5f + (float)i, "%s: %s is %f", what, members[i].name, values[i]);
   glDeleteBuffers(2, (const GLuint[]){ b, v });
   glDeleteProgram(program);
}

/* Tests copies of whole structures and matrices from one layout to the other. */
static void
test_copies(void)
{
   const GLuint program = PROGRAM(
         .head = text("struct S { float a; vec3 b; };\n"
                      "layout(std140, binding = 0) readonly buffer A {\n%s} from;\n"
                      "layout(std430, binding = 1) writeonly buffer B {\n%s} to;\n"
                      "layout(local_size_x = 1) in;\n",
                      members_text, members_text),
         .cs = "void main() {\n"
               "   to.f = from.f; to.v2 = from.v2; to.v3.xz = from.v3.xz; to.v3.y = from.v3.y;\n"
               "   to.tail = from.tail; to.arr = from.arr; to.m = from.m; to.r = from.r;\n"
               "   to.s = from.s; to.last.wzyx = from.last.wzyx;\n"
               "   for (int i = 0; i < 3; i++) to.un[i] = from.un[i];\n"
               "}\n");
   uint32_t source[BLOCK_SIZE / 4] = { 0 }, block[BLOCK_SIZE / 4], expected[BLOCK_SIZE / 4];

   for (unsigned i = 0; i < BLOCK_SIZE / 4; i++)
      block[i] = expected[i] = SENTINEL;
   for (unsigned i = 0; i < MEMBERS; i++)
      source[members[i].std140 / 4] = expected[members[i].std430 / 4] = 77 + i;
   const GLuint a = core_storage(0, sizeof source, source),
                b = core_storage(1, sizeof block, block);
   glDispatchCompute(1, 1, 1);
   core_read(b, sizeof block, block);
   for (unsigned i = 0; i < BLOCK_SIZE / 4; i++)
      CHECK(block[i] == expected[i], "copy: byte %u has 0x%x, not 0x%x", 4 * i, block[i],
            expected[i]);
   glDeleteBuffers(2, (const GLuint[]){ a, b });
   glDeleteProgram(program);
}

/* Tests that the bound range determines the length of an unsized array. */
static void
test_lengths(void)
{
   const GLuint program =
      PROGRAM(.head = "struct S { vec3 a; float b; vec3 c; };\n"
                      "layout(std430, binding = 0) buffer L { int length[]; } l;\n"
                      "layout(std430, binding = 1) buffer A { uint x[]; } a;\n"
                      "layout(std140, binding = 2) buffer B { vec4 head; float x[]; } b;\n"
                      "layout(std430, binding = 3) buffer C { uint head; S x[]; } c;\n"
                      "layout(std430, binding = 4) buffer D { vec3 x[]; } d[2];\n"
                      "layout(local_size_x = 1) in;\n",
              .cs = "void main() {\n"
                    "   l.length[0] = a.x.length(); l.length[1] = b.x.length();\n"
                    "   l.length[2] = c.x.length(); l.length[3] = d[0].x.length();\n"
                    "   l.length[4] = d[1].x.length();\n"
                    "}\n");
   static const struct {
      unsigned offset, size;
   } ranges[5] = {
      { 256, 20 }, { 0, 16 + 5 * 16 }, { 512, 16 + 3 * 32 + 12 }, { 0, 64 }, { 256, 4096 - 256 }
   };
   static const int expected[5] = { 5, 5, 3, 4, (4096 - 256) / 16 };
   int lengths[5];
   const GLuint l = core_storage(0, sizeof lengths, NULL), buffer = core_buffer(4096, NULL);

   for (unsigned i = 0; i < 5; i++)
      glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 1 + i, buffer, ranges[i].offset, ranges[i].size);
   glDispatchCompute(1, 1, 1);
   core_read(l, sizeof lengths, lengths);
   for (unsigned i = 0; i < 5; i++)
      CHECK(lengths[i] == expected[i], "length %u is %d, not %d", i, lengths[i], expected[i]);
   glDeleteBuffers(2, (const GLuint[]){ l, buffer });
   glDeleteProgram(program);
}

/* Tests arrays of blocks with a uniform index and in a loop. */
static void
test_blocks(void)
{
   const GLuint program =
      PROGRAM(.head = "layout(std430, binding = 1) buffer B { uint x[]; } b[6];\n"
                      "layout(location = 0) uniform int which;\n"
                      "layout(location = 1) uniform int count;\n"
                      "layout(local_size_x = 4) in;\n",
              .cs = "void main() {\n"
                    "   uint i = gl_LocalInvocationIndex, sum = 0u;\n"
                    "   for (int k = 0; k < count; k++)\n"
                    "      sum += b[k].x[i] * uint(b[k].x.length());\n"
                    "   b[which].x[i + 4u] = sum;\n"
                    "   atomicAdd(b[which].x[8], i + 1u);\n"
                    "}\n");
   GLuint buffers[6];

   for (unsigned k = 0; k < 6; k++) {
      uint32_t data[16] = { 0 };
      for (unsigned i = 0; i < 4; i++)
         data[i] = 10 * k + i;
      buffers[k] = core_storage(1 + k, 4 * (10 + k), data);
   }
   glUniform1i(1, 6);
   for (unsigned which = 0; which < 6; which++) {
      glUniform1i(0, which);
      glDispatchCompute(1, 1, 1);
   }
   for (unsigned k = 0; k < 6; k++) {
      uint32_t found[10];
      core_read(buffers[k], sizeof found, found);
      for (unsigned i = 0; i < 4; i++) {
         uint32_t sum = 0;
         for (unsigned j = 0; j < 6; j++)
            sum += (10 * j + i) * (10 + j);
         CHECK(found[i] == 10 * k + i, "block %u: %u", k, found[i]);
         CHECK(found[4 + i] == sum, "block %u: sum %u is %u, not %u", k, i, found[4 + i], sum);
      }
      CHECK(found[8] == 10 && found[9] == 0, "block %u: %u", k, found[8]);
   }
   glDeleteBuffers(6, buffers);
   glDeleteProgram(program);
}

/* Tests that nothing outside of the bound range is read or written, and that a buffer that is not
 * bound reads as zero.
 */
static void
test_range(void)
{
   enum { FIRST = 64, WORDS = 16, INDICES = 12 }; /* in 32-bit words */
   static const uint32_t indices[INDICES] = { 0,          15,         16,         17,
                                              63,         64,         1000,       0x00ffffff,
                                              0x3ffffff0, 0x3fffffff, 0x80000010, 0xffffffff };
   const GLuint program = PROGRAM(
         .head =
            "layout(std430, binding = 0) buffer B { uint x[]; };\n"
            "layout(std430, binding = 1) buffer I { uint i[12]; uint found[12], old[12]; vec4 v[12]; };\n"
            "layout(std430, binding = 2) buffer V { vec4 vectors[]; };\n"
            "layout(std430, binding = 5) buffer N { uint none[]; };\n"
            "layout(local_size_x = 12) in;\n",
         .cs =
            "void main() {\n"
            "   uint k = gl_LocalInvocationIndex;\n"
            "   found[k] = x[i[k]];\n"
            "   barrier();\n"
            "   x[i[k]] = 1000u + k;\n"
            "   barrier();\n"
            "   old[k] = atomicAdd(x[i[k]], 1u);\n"
            "   v[k] = vectors[i[k] & 15u];\n"
            "   barrier();\n"
            "   vectors[4u + k] = vec4(7.0);\n"
            "   none[k] = 1u;\n"
            "   if (k == 3u) found[k] += none[0] + uint(none.length()) + atomicAdd(none[1], 1u);\n"
            "}\n");
   struct {
      uint32_t i[INDICES], found[INDICES], old[INDICES];
      float v[INDICES][4];
   } data = { 0 };
   uint32_t all[256];

   for (unsigned i = 0; i < 256; i++)
      all[i] = 5000 + i;
   memcpy(data.i, indices, sizeof indices);
   const GLuint d = core_storage(1, sizeof data, &data), buffer = core_buffer(sizeof all, all);
   glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 0, buffer, 4 * FIRST, 4 * WORDS);
   glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 2, buffer, 512, 4 * WORDS);
   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 5, 0);
   glDispatchCompute(1, 1, 1);
   core_read(d, sizeof data, &data);
   core_read(buffer, sizeof all, all);
   for (unsigned k = 0; k < INDICES; k++) {
      const bool inside = indices[k] < WORDS;
      const uint32_t found = inside ? 5000 + FIRST + indices[k] : 0, old = inside ? 1000 + k : 0;
      CHECK(data.found[k] == found, "index 0x%x: %u, not %u", indices[k], data.found[k], found);
      CHECK(data.old[k] == old, "index 0x%x: %u, not %u", indices[k], data.old[k], old);
      const unsigned vector = 4 * (indices[k] & 15);
      for (unsigned c = 0; c < 4; c++) {
         const uint32_t bits = vector < WORDS ? 5000 + 128 + vector + c : 0;
         CHECK(!memcmp(&data.v[k][c], &bits, 4), "vector %u", vector / 4);
      }
   }
   for (unsigned i = 0; i < 256; i++) {
      uint32_t expected = 5000 + i;
      if (i == FIRST)
         expected = 1001;
      if (i == FIRST + 15)
         expected = 1002;
      CHECK(all[i] == expected, "word %u is %u, not %u", i, all[i], expected);
   }
   glDeleteBuffers(2, (const GLuint[]){ d, buffer });
   glDeleteProgram(program);
}

/* Tests the last bytes of a large buffer. */
static void
test_large(void)
{
   const GLuint program = PROGRAM(
         .head =
            "layout(std430, binding = 0) buffer B { uvec4 x[]; };\nlayout(local_size_x = 1) in;\n",
         .cs = "void main() {\n"
               "   uint last = uint(x.length()) - 1u;\n"
               "   x[last] = uvec4(last, 2u, 3u, x[last - 1u].w + 5u);\n"
               "}\n");
   const size_t size = 64 << 20;
   const uint32_t expected[4] = { (64 << 20) / 16 - 1, 2, 3, 5 };
   uint32_t found[4];
   GLint64 limit;
   const GLuint b = core_storage(0, size, NULL);

   glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &limit);
   CHECK(limit >= 1 << 27, "blocks have at most %lld bytes", (long long)limit);
   glDispatchCompute(1, 1, 1);
   glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
   glGetNamedBufferSubData(b, size - 16, 16, found);
   CHECK(!memcmp(found, expected, 16), "%u %u %u %u", found[0], found[1], found[2], found[3]);
   glDeleteBuffers(1, &b);
   glDeleteProgram(program);
}

int
main(void)
{
   core_begin();
   for (unsigned i = 0; i < 8; i++)
      test_layout(i & 1, i & 2, i & 4);
   test_copies();
   test_lengths();
   test_blocks();
   test_range();
   test_large();
   return core_end("storage");
}
