/* SPDX-License-Identifier: MIT */
/*
 * Tests patches: control shaders with barriers and outputs that invocations share, per-patch
 * outputs, patches of 1 to 32 vertices, patches without a control shader, levels that a shader
 * reads back, indexed and instanced patches, and patches that are discarded.
 */
#include "core.h"

static GLuint feedback;

#define SIZE 65536

static unsigned
draw(GLenum mode, const char *what, void (*call)(unsigned), unsigned argument)
{
   static GLuint query;
   GLuint written;

   if (!query)
      glGenQueries(1, &query);
   glBeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, query);
   glBeginTransformFeedback(mode);
   call(argument);
   glEndTransformFeedback();
   glEndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
   glGetQueryObjectuiv(query, GL_QUERY_RESULT, &written);
   CHECK(glGetError() == GL_NO_ERROR, "%s", what);
   return written;
}

static void
arrays(unsigned count)
{
   glDrawArrays(GL_PATCHES, 0, count);
}

/* Tests that each invocation can sum the values that all other invocations wrote before a barrier,
 * twice.
 */
static void
test_barriers(unsigned in, unsigned out)
{
   enum { PATCHES = 5 };
   const GLuint program = PROGRAM(
         .vs = "out int id;\nvoid main() { id = gl_VertexID; gl_Position = vec4(gl_VertexID); }\n",
         .tcs =
            text("layout(vertices = %u) out;\n"
                 "#define n gl_InvocationID\n"
                 "in int id[]; out ivec2 value[]; patch out int total; patch out ivec4 share[8];\n"
                 "void main() {\n"
                 "   int sum = 0;\n"
                 "   value[n] = ivec2(id[n %% gl_PatchVerticesIn] + 1, 0);\n"
                 "   barrier();\n"
                 "   for (int i = 0; i < %u; i++) sum += value[i].x * (i + 1);\n"
                 "   share[n / 4][n %% 4] = sum + n;\n"
                 "   barrier();\n"
                 "   value[n].y = share[(n + 1) %% %u / 4][(n + 1) %% %u %% 4];\n"
                 "   if (n == 0) total = gl_PatchVerticesIn * 1000 + gl_PrimitiveID;\n"
                 "   gl_out[n].gl_Position = gl_in[n %% gl_PatchVerticesIn].gl_Position;\n"
                 "   gl_TessLevelOuter[0] = 1.0; gl_TessLevelOuter[1] = float(%u);\n"
                 "}\n",
                 out, out, out, out, out > 1 ? out - 1 : 1),
         .tes = text(
            "layout(isolines, point_mode) in;\n"
            "in ivec2 value[]; patch in int total; patch in ivec4 share[8]; out ivec4 result; out float x;\n"
            "void main() {\n"
            "   int n = int(gl_TessCoord.x * float(%u) + 0.5);\n"
            "   result = ivec4(value[n], total, share[n / 4][n %% 4]); x = gl_in[n].gl_Position.y;\n"
            "   if (gl_PatchVerticesIn != %u) result = ivec4(-1);\n"
            "}\n",
            out > 1 ? out - 1 : 1, out),
         .varyings = (const char *const[]){ "result", "x", NULL });
   struct {
      int32_t result[4];
      float x;
   } found[PATCHES * 33];
   const unsigned per_patch = out > 1 ? out : 2;

   glPatchParameteri(GL_PATCH_VERTICES, in);
   const unsigned count = draw(GL_POINTS, "barriers", arrays, PATCHES * in);
   CHECK(count == PATCHES * per_patch, "%u to %u: %u points", in, out, count);
   glGetNamedBufferSubData(feedback, 0, sizeof found, found);
   for (unsigned i = 0; i < PATCHES * per_patch && count == PATCHES * per_patch; i++) {
      const unsigned patch = i / per_patch, n = out > 1 ? i % per_patch : 0;
      int32_t sum = 0;
      for (unsigned k = 0; k < out; k++)
         sum += (int32_t)((patch * in + k % in + 1) * (k + 1));
      const int32_t expected[4] = { (int32_t)(patch * in + n % in + 1),
                                    sum + (int32_t)((n + 1) % out), (int32_t)(in * 1000 + patch),
                                    sum + (int32_t)n };
      /* A control shader with one output vertex has no value to check for the second point. */
      if (out == 1 && i % 2)
         continue;
      for (unsigned k = 0; k < 4; k++)
         CHECK(found[i].result[k] == expected[k], "%u to %u: point %u.%u is %d, not %d", in, out, i,
               k, found[i].result[k], expected[k]);
      CHECK(found[i].x == (float)(patch * in + n % in), "%u to %u: point %u at %f", in, out, i,
            found[i].x);
   }
   glDeleteProgram(program);
}

static void
elements(unsigned count)
{
   glDrawElementsInstanced(GL_PATCHES, count, GL_UNSIGNED_SHORT, NULL, 3);
}

/* Tests patches without a control shader: the levels come from the application, and vertices pass
 * through.
 */
static void
test_no_control(void)
{
   const GLuint program = PROGRAM(
         .vs =
            "out vec2 v; flat out int instance;\n"
            "void main() { v = vec2(gl_VertexID, gl_VertexID * gl_VertexID); instance = gl_InstanceID; }\n",
         .tes =
            "layout(triangles, equal_spacing, ccw) in;\n"
            "in vec2 v[]; flat in int instance[]; out vec4 o; out vec4 levels; out vec4 more;\n"
            "void main() {\n"
            "   o = vec4(v[0] + v[1] * 10.0 + v[3] * 100.0, gl_PrimitiveID, instance[2]);\n"
            "   levels = vec4(gl_TessLevelOuter[0], gl_TessLevelOuter[1], gl_TessLevelOuter[2],\n"
            "                 gl_TessLevelInner[0]);\n"
            "   more = vec4(gl_PatchVerticesIn, gl_TessCoord);\n"
            "}\n",
         .varyings = (const char *const[]){ "o", "levels", "more", NULL });
   static const GLfloat outer[4] = { 3, 1, 2, 9 }, inner[2] = { 1, 7 };
   static const GLushort indices[8] = { 0, 2, 4, 6, 7, 5, 3, 1 };
   float found[3 * 2 * 6 * 3][12];
   const GLuint e = core_buffer(sizeof indices, indices);
   /* The tessellator treats the inner level as 2. */
   const unsigned triangles = 6;

   glPatchParameteri(GL_PATCH_VERTICES, 4);
   glPatchParameterfv(GL_PATCH_DEFAULT_OUTER_LEVEL, outer);
   glPatchParameterfv(GL_PATCH_DEFAULT_INNER_LEVEL, inner);
   glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, e);
   const unsigned count = draw(GL_TRIANGLES, "no control", elements, 8);
   CHECK(count == 3 * 2 * triangles, "%u triangles", count);
   glGetNamedBufferSubData(feedback, 0, sizeof found, found);
   for (unsigned i = 0; i < 3 * count && count == 3 * 2 * triangles; i++) {
      const unsigned instance = i / (2 * triangles * 3), patch = i / (triangles * 3) % 2;
      const GLushort *v = &indices[4 * patch];
      const float expected[9] = { (float)(v[0] + v[1] * 10 + v[3] * 100),
                                  (float)(v[0] * v[0] + v[1] * v[1] * 10 + v[3] * v[3] * 100),
                                  (float)patch,
                                  (float)instance,
                                  3,
                                  1,
                                  2,
                                  1,
                                  4 };
      for (unsigned k = 0; k < 9; k++)
         CHECK(found[i][k] == expected[k], "vertex %u.%u is %f, not %f", i, k, found[i][k],
               expected[k]);
   }
   glDeleteBuffers(1, &e);
   glDeleteProgram(program);
}

/* Tests discarded patches between other ones, each with different levels. */
static void
test_thrown_away(void)
{
   enum { PATCHES = 64 };
   const GLuint program = PROGRAM(
         .vs = "void main() { gl_Position = vec4(0); }\n",
         .tcs =
            "layout(vertices = 3) out;\n"
            "void main() {\n"
            "   int p = gl_PrimitiveID;\n"
            "   float l = p % 4 == 0 ? 0.0 : p % 4 == 1 ? float(1 + p % 7) : p % 8 == 2 ? -3.0 : 2.0;\n"
            "   if (p % 16 == 3) l = intBitsToFloat(0x7fc00000);\n"
            "   for (int i = 0; i < 4; i++) gl_TessLevelOuter[i] = i == p % 2 ? l : 1.0;\n"
            "   gl_TessLevelInner[0] = 1.0; gl_TessLevelInner[1] = 1.0;\n"
            "}\n",
         .tes = "layout(quads, equal_spacing) in;\n"
                "flat out int id;\n"
                "void main() { id = gl_PrimitiveID; }\n",
         .varyings = (const char *const[]){ "id", NULL });
   int32_t found[PATCHES * 40 * 3];
   unsigned expected = 0;

   glPatchParameteri(GL_PATCH_VERTICES, 1);
   const unsigned count = draw(GL_TRIANGLES, "thrown away", arrays, PATCHES);
   glGetNamedBufferSubData(feedback, 0, sizeof found, found);
   for (int p = 0; p < PATCHES; p++) {
      const int l = p % 4 == 0 || p % 16 == 3 || p % 8 == 2 ? 0 : p % 4 == 1 ? 1 + p % 7 : 2;
      const unsigned triangles = l == 0 ? 0 : l == 1 ? 2 : (unsigned)l + 3;
      for (unsigned i = 0; i < 3 * triangles && expected < count; i++)
         CHECK(found[3 * expected + i] == p, "patch %d: %d", p, found[3 * expected + i]);
      expected += triangles;
   }
   CHECK(count == expected, "%u triangles, not %u", count, expected);
   glDeleteProgram(program);
}

int
main(void)
{
   static const unsigned sizes[][2] = { { 1, 1 },  { 3, 3 },  { 4, 1 },   { 1, 32 }, { 32, 32 },
                                        { 32, 5 }, { 5, 31 }, { 16, 16 }, { 2, 7 } };
   GLuint texture;

   core_begin();
   core_target(GL_RGBA8, 4, 4, &texture);
   feedback = core_buffer(SIZE, NULL);
   glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, feedback);
   glEnable(GL_RASTERIZER_DISCARD);
   for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
      test_barriers(sizes[i][0], sizes[i][1]);
   test_no_control();
   test_thrown_away();
   return core_end("patches");
}
