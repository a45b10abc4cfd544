/* SPDX-License-Identifier: MIT */
/*
 * Tests storage buffers that each stage writes, fragment shaders that discard, and depth tests
 * before or after such shaders.
 */
#include "core.h"

enum { SIDE = 32 };

/* Tests that each stage can count its invocations and pass a value on. */
static void
test_stages(void)
{
   const GLuint program = PROGRAM(
         .head = "layout(std430, binding = 0) buffer B { uint count[5]; uint seen[]; };\n",
         .vs = "flat out uint v;\n"
               "void main() {\n"
               "   seen[gl_VertexID] = uint(gl_VertexID) + 100u; atomicAdd(count[0], 1u);\n"
               "   v = 1u; gl_Position = vec4(0);\n"
               "}\n",
         .tcs =
            "layout(vertices = 4) out;\n"
            "flat in uint v[]; flat out uint c[];\n"
            "void main() {\n"
            "   seen[16 + 4 * gl_PrimitiveID + gl_InvocationID] = 200u + v[0];\n"
            "   atomicAdd(count[1], 1u); c[gl_InvocationID] = 2u;\n"
            "   gl_TessLevelOuter = float[](1.0, 1.0, 1.0, 1.0); gl_TessLevelInner = float[](1.0, 1.0);\n"
            "}\n",
         .tes =
            "layout(quads) in;\n"
            "flat in uint c[]; flat out uint e;\n"
            "void main() {\n"
            "   e = 3u + c[3]; atomicAdd(count[2], 1u);\n"
            "   seen[32 + 4 * gl_PrimitiveID + int(gl_TessCoord.x + 2.0 * gl_TessCoord.y)] = 300u + e;\n"
            "   gl_Position = vec4(gl_TessCoord.xy * 2.0 - 1.0, 0.0, 1.0);\n"
            "}\n",
         .gs =
            "layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;\n"
            "flat in uint e[]; flat out uint g;\n"
            "void main() {\n"
            "   atomicAdd(count[3], 1u);\n"
            "   for (int i = 0; i < 3; i++) { g = e[i]; gl_Position = gl_in[i].gl_Position; EmitVertex(); }\n"
            "}\n",
         .fs = "flat in uint g; out vec4 color;\n"
               "void main() {\n"
               "   uvec2 p = uvec2(gl_FragCoord.xy);\n"
               "   atomicAdd(count[4], 1u); seen[48u + p.y * 32u + p.x] = g; color = vec4(1.0);\n"
               "}\n");
   uint32_t found[5 + 48 + SIDE * SIDE];
   const uint32_t *seen = found + 5;
   const GLuint b = core_storage(0, sizeof found, NULL);

   if (!program)
      return;
   glPatchParameteri(GL_PATCH_VERTICES, 3);
   glDrawArrays(GL_PATCHES, 0, 9); /* three patches on top of each other */
   core_read(b, sizeof found, found);
   CHECK(found[0] >= 9, "%u vertices", found[0]);
   CHECK(found[1] == 12, "%u control invocations", found[1]);
   CHECK(found[2] >= 12, "%u evaluations", found[2]);
   CHECK(found[3] == 6, "%u triangles", found[3]);
   CHECK(found[4] == 3 * SIDE * SIDE, "%u fragments", found[4]);
   for (unsigned i = 0; i < 9; i++)
      CHECK(seen[i] == 100 + i, "vertex %u: %u", i, seen[i]);
   for (unsigned i = 0; i < 12; i++)
      CHECK(seen[16 + i] == 201 && seen[32 + i] == 305, "corner %u: %u %u", i, seen[16 + i],
            seen[32 + i]);
   for (unsigned i = 0; i < SIDE * SIDE; i++)
      CHECK(seen[48 + i] == 5, "fragment %u: %u", i, seen[48 + i]);
   glDeleteBuffers(1, &b);
   glDeleteProgram(program);
}

/* Tests indexed and instanced vertices, each of which writes a separate word. */
static void
test_vertices(void)
{
   const GLuint program =
      PROGRAM(.vs = "layout(std430, binding = 0) buffer B { uvec2 b[]; };\n"
                    "void main() {\n"
                    "   b[gl_InstanceID * 40 + gl_VertexID] = uvec2(gl_VertexID, gl_InstanceID);\n"
                    "   gl_Position = vec4(0);\n"
                    "}\n");
   uint32_t found[3 * 40][2];
   uint16_t indices[20];
   const GLuint b = core_storage(0, sizeof found, NULL);

   for (unsigned i = 0; i < 20; i++)
      indices[i] = (7 * i) % 20;
   const GLuint e = core_buffer(sizeof indices, indices);
   glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, e);
   glEnable(GL_RASTERIZER_DISCARD);
   glDrawElementsInstancedBaseVertex(GL_POINTS, 20, GL_UNSIGNED_SHORT, NULL, 3, 20);
   glDisable(GL_RASTERIZER_DISCARD);
   core_read(b, sizeof found, found);
   for (unsigned i = 0; i < 120; i++) {
      const bool drawn = i % 40 >= 20;
      CHECK(found[i][0] == (drawn ? i % 40 : 0) && found[i][1] == (drawn ? i / 40 : 0), "%u: %u %u",
            i, found[i][0], found[i][1]);
   }
   glDeleteBuffers(2, (const GLuint[]){ b, e });
   glDeleteProgram(program);
}

/* Tests what fragments write, with tests before or after the shader and with a discard between two
 * stores.  The left half of the target is nearer than the triangle.
 */
static void
test_fragments(bool early, bool discards)
{
   const char *what = text("%s%s", early ? "early" : "late", discards ? ", discard" : "");
   const GLuint program = PROGRAM(
         .vs = FILL_VS,
         .fs = text("%slayout(std430, binding = 0) buffer B { uint before[1024], after[1024]; };\n"
                    "out vec4 color;\n"
                    "void main() {\n"
                    "   uvec2 p = uvec2(gl_FragCoord.xy); uint i = p.y * 32u + p.x;\n"
                    "   before[i] = 1u;\n"
                    "   %s\n"
                    "   after[i] = 1u;\n"
                    "   color = vec4(1.0);\n"
                    "}\n",
                    early ? "layout(early_fragment_tests) in;\n" : "",
                    discards ? "if ((p.y & 1u) != 0u) discard;" : ""));
   uint32_t found[2][SIDE * SIDE];
   float depths[SIDE * SIDE], pixels[SIDE * SIDE];
   const GLuint b = core_storage(0, sizeof found, NULL);

   glEnable(GL_DEPTH_TEST);
   glDepthFunc(GL_LESS);
   glClearColor(0, 0, 0, 0);
   glClearDepth(0.25);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   glEnable(GL_SCISSOR_TEST);
   glScissor(SIDE / 2, 0, SIDE / 2, SIDE);
   glClearDepth(1.0);
   glClear(GL_DEPTH_BUFFER_BIT);
   glDisable(GL_SCISSOR_TEST);
   glDrawArrays(GL_TRIANGLES, 0, 3); /* depth 0.5 */
   glDisable(GL_DEPTH_TEST);
   glReadPixels(0, 0, SIDE, SIDE, GL_DEPTH_COMPONENT, GL_FLOAT, depths);
   glReadPixels(0, 0, SIDE, SIDE, GL_RED, GL_FLOAT, pixels);
   core_read(b, sizeof found, found);
   for (unsigned i = 0; i < SIDE * SIDE; i++) {
      const bool passes = i % SIDE >= SIDE / 2, kept = !discards || !(i / SIDE & 1);
      const bool runs = passes || !early;
      CHECK(found[0][i] == runs, "%s: pixel %u: %u", what, i, found[0][i]);
      CHECK(found[1][i] == (runs && kept), "%s: pixel %u after: %u", what, i, found[1][i]);
      CHECK(pixels[i] == (passes && kept), "%s: pixel %u: %f", what, i, pixels[i]);
      const float depth = !passes ? 0.25f : early || kept ? 0.5f : 1.0f;
      CHECK(depths[i] > depth - 1e-4f && depths[i] < depth + 1e-4f,
            "%s: pixel %u: depth %f, not %f", what, i, depths[i], depth);
   }
   glDeleteBuffers(1, &b);
   glDeleteProgram(program);
}

/* Tests draws on top of each other.  With memory barriers between them, each one sees the results
 * of the previous draw.
 */
static void
test_order(void)
{
   const GLuint program =
      PROGRAM(.vs = FILL_VS,
              .fs = "layout(std430, binding = 0) coherent buffer B { uint b[1024]; };\n"
                    "layout(location = 0) uniform uint draw;\n"
                    "void main() {\n"
                    "   uvec2 p = uvec2(gl_FragCoord.xy); uint i = p.y * 32u + p.x;\n"
                    "   b[i] = b[i] * 3u + draw;\n"
                    "}\n");
   uint32_t found[SIDE * SIDE], expected = 0;
   const GLuint b = core_storage(0, sizeof found, NULL);

   for (unsigned i = 0; i < 12; i++) {
      glUniform1ui(0, i);
      glDrawArrays(GL_TRIANGLES, 0, 3);
      glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
      expected = expected * 3 + i;
   }
   core_read(b, sizeof found, found);
   for (unsigned i = 0; i < SIDE * SIDE; i++)
      CHECK(found[i] == expected, "pixel %u: %u, not %u", i, found[i], expected);
   glDeleteBuffers(1, &b);
   glDeleteProgram(program);
}

int
main(void)
{
   GLuint texture, depth;

   core_begin();
   const GLuint fb = core_target(GL_RGBA8, SIDE, SIDE, &texture);
   glCreateRenderbuffers(1, &depth);
   glNamedRenderbufferStorage(depth, GL_DEPTH_COMPONENT24, SIDE, SIDE);
   glNamedFramebufferRenderbuffer(fb, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
   test_stages();
   test_vertices();
   for (unsigned i = 0; i < 4; i++)
      test_fragments(i & 1, i & 2);
   test_order();
   return core_end("storage stages");
}
