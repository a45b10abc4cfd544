/* SPDX-License-Identifier: MIT */
/*
 * Tests tessellation: surfaces of patches with random levels have no cracks and no overlaps.  Also
 * tests values that invocations of control shaders share, numbers of primitives, patches without a
 * control shader, and levels that drop a patch.
 */
#include <math.h>

#include "core.h"

enum { SIDE = 128, GRID = 5 };

static const char *const spacings[] = { "equal_spacing", "fractional_odd_spacing",
                                        "fractional_even_spacing" };

/* GLSL function that returns the level of the edge between two corners of the grid.  It is the same
 * for both patches at the edge.
 */
#define LEVEL                                                                        \
   "uniform uint seed; uniform float most;\n"                                        \
   "float level(ivec2 a, ivec2 b) {\n"                                               \
   "   ivec2 s = a + b; uint h = uint(s.x * 37 + s.y * 101) * 2654435761u + seed;\n" \
   "   h ^= h >> 15; h *= 2246822519u; h ^= h >> 13;\n"                              \
   "   return 0.5 + most * float(h & 0xffffu) / 65536.0;\n"                          \
   "}\n"

/* GLSL function that slightly moves positions inside of the target but not on its sides. */
#define BEND                                                                \
   "uniform float bent;\n"                                                  \
   "vec2 bend(vec2 p) {\n"                                                  \
   "   vec2 w = (1.0 - p * p) * bent;\n"                                    \
   "   return p + w * sin(vec2(5.0 * p.y + p.x, 4.0 * p.x - 2.0 * p.y));\n" \
   "}\n"

static const char *const grid_vs = "out vec2 place; flat out ivec2 corner;\n"
                                   "uniform int rotate;\n"
                                   "const ivec2 quad[4] = ivec2[](ivec2(0, 0), ivec2(1, 0),\n"
                                   "                              ivec2(1, 1), ivec2(0, 1));\n"
                                   "const int split[6] = int[](0, 1, 2, 0, 2, 3);\n"
                                   "uniform int vertices;\n"
                                   "void main() {\n"
                                   "   int patch_ = gl_VertexID / vertices;\n"
                                   "   int v = gl_VertexID % vertices;\n"
                                   "   int cell = vertices == 4 ? patch_ : patch_ / 2;\n"
                                   "   int n = vertices == 4 ? (v + cell * rotate) & 3\n"
                                   "      : split[3 * (patch_ & 1) + (v + cell * rotate) % 3];\n"
                                   "   corner = ivec2(cell % 5, cell / 5) + quad[n];\n"
                                   "   place = vec2(corner) / 5.0 * 2.0 - 1.0;\n"
                                   "}\n";

static const char *const fs = "out vec4 color;\nvoid main() { color = vec4(1.0); }\n";

static GLuint
grid_program(bool quads, const char *spacing, const char *order)
{
   return PROGRAM(
         .vs = grid_vs,
         .tcs = text("layout(vertices = %u) out;\n" LEVEL
                     "in vec2 place[]; flat in ivec2 corner[]; out vec2 at[];\n"
                     "void main() {\n"
                     "   at[gl_InvocationID] = place[gl_InvocationID];\n"
                     "   if (gl_InvocationID != 0) return;\n"
                     "%s"
                     "}\n",
                     quads ? 4 : 3,
                     quads ? "   gl_TessLevelOuter[0] = level(corner[0], corner[3]);\n"
                             "   gl_TessLevelOuter[1] = level(corner[0], corner[1]);\n"
                             "   gl_TessLevelOuter[2] = level(corner[1], corner[2]);\n"
                             "   gl_TessLevelOuter[3] = level(corner[3], corner[2]);\n"
                             "   gl_TessLevelInner[0] = level(corner[0], corner[2] + 7);\n"
                             "   gl_TessLevelInner[1] = level(corner[0], corner[2] + 9);\n"
                           : "   gl_TessLevelOuter[0] = level(corner[1], corner[2]);\n"
                             "   gl_TessLevelOuter[1] = level(corner[2], corner[0]);\n"
                             "   gl_TessLevelOuter[2] = level(corner[0], corner[1]);\n"
                             "   gl_TessLevelInner[0] = level(corner[0], corner[2] + 7);\n"),
         .tes = text(
            "layout(%s, %s, %s) in;\n" BEND "in vec2 at[];\n"
            "precise gl_Position;\n"
            "void main() {\n"
            "%s"
            "   gl_Position = vec4(bend(p), 0.0, 1.0);\n"
            "}\n",
            quads ? "quads" : "triangles", spacing, order,
            /* On an edge, the position must be exactly the same as in the neighbouring patch. */
            quads
               ? "   vec3 t = gl_TessCoord;\n"
                 "   precise vec2 p = at[0] * ((1.0 - t.x) * (1.0 - t.y)) + at[2] * (t.x * t.y)\n"
                 "      + (at[1] * (t.x * (1.0 - t.y)) + at[3] * ((1.0 - t.x) * t.y));\n"
               : "   vec3 t = gl_TessCoord;\n"
                 "   precise vec2 p = t.x == 0.0 ? at[1] * t.y + at[2] * t.z\n"
                 "      : t.y == 0.0 ? at[0] * t.x + at[2] * t.z\n"
                 "      : t.z == 0.0 ? at[0] * t.x + at[1] * t.y\n"
                 "      : at[0] * t.x + at[1] * t.y + at[2] * t.z;\n"),
         .fs = fs);
}

/* Tests that a flat surface covers every pixel once, and that a bent surface covers every pixel.
 * Triangles of a bent surface may turn over where it is coarse.
 */
static void
test_cracks(void)
{
   static uint8_t pixels[SIDE * SIDE];
   GLuint texture;

   core_target(GL_R8, SIDE, SIDE, &texture);
   glEnable(GL_BLEND);
   for (unsigned quads = 0; quads < 2; quads++) {
      for (unsigned s = 0; s < 3; s++) {
         const GLuint program = grid_program(quads, spacings[s], "ccw");
         if (!program)
            return;
         glPatchParameteri(GL_PATCH_VERTICES, quads ? 4 : 3);
         glUniform1i(glGetUniformLocation(program, "vertices"), quads ? 4 : 3);
         for (unsigned round = 0; round < 6; round++) {
            unsigned holes = 0, twice = 0;

            glUniform1ui(glGetUniformLocation(program, "seed"), core_random());
            glUniform1f(glGetUniformLocation(program, "most"), round < 4 ? 9.0f : 70.0f);
            glUniform1i(glGetUniformLocation(program, "rotate"), round & 1);
            glUniform1f(glGetUniformLocation(program, "bent"), round & 2 ? 0.07f : 0.0f);
            glClearColor(0, 0, 0, 0);
            glClear(GL_COLOR_BUFFER_BIT);
            /* Each time that a pixel is covered adds 1/4. */
            glBlendColor(0.25f, 0, 0, 0);
            glBlendFunc(GL_CONSTANT_COLOR, GL_ONE);
            glDrawArrays(GL_PATCHES, 0, GRID * GRID * (quads ? 4 : 6));
            glReadPixels(0, 0, SIDE, SIDE, GL_RED, GL_UNSIGNED_BYTE, pixels);
            for (unsigned i = 0; i < SIDE * SIDE; i++) {
               holes += pixels[i] < 48;
               twice += pixels[i] > 80;
            }
            CHECK(!holes && (!twice || (round & 2)),
                  "%s, %s, round %u: %u pixels not drawn, %u more than once",
                  quads ? "quads" : "triangles", spacings[s], round, holes, twice);
         }
         glDeleteProgram(program);
      }
   }
   glDisable(GL_BLEND);
}

/* Draws patches and records the output vec4 `found` of each vertex.  Returns the number of
 * primitives.
 */
static unsigned
capture(GLenum mode, unsigned vertices, unsigned patch, float (*found)[4], unsigned most)
{
   const GLuint buffer = core_buffer(most * 16, NULL);
   GLuint query, written = 0;

   glPatchParameteri(GL_PATCH_VERTICES, patch);
   glGenQueries(1, &query);
   glEnable(GL_RASTERIZER_DISCARD);
   glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
   glBeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, query);
   glBeginTransformFeedback(mode);
   glDrawArrays(GL_PATCHES, 0, vertices);
   glEndTransformFeedback();
   glEndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
   glDisable(GL_RASTERIZER_DISCARD);
   glGetQueryObjectuiv(query, GL_QUERY_RESULT, &written);
   core_read(buffer, most * 16, found);
   glDeleteBuffers(1, &buffer);
   glDeleteQueries(1, &query);
   return written;
}

static const char *const found_varying[] = { "found", NULL };

/* Tests outputs that other invocations read after a barrier, per-patch outputs with a variable
 * index, and the built-in variables.
 */
static void
test_shared(void)
{
   static float found[64][4];
   const GLuint program = PROGRAM(
         .varyings = found_varying, .vs = "out float v;\nvoid main() { v = float(gl_VertexID); }\n",
         .tcs =
            "layout(vertices = 5) out;\n"
            "in float v[]; out float c[]; out vec4 mixed[];\n"
            "patch out float parts[6]; patch out vec2 sums;\n"
            "void main() {\n"
            "   int i = gl_InvocationID;\n"
            "   c[gl_InvocationID] = v[i % gl_PatchVerticesIn] * 10.0 + float(i);\n"
            "   parts[i] = float(i * i);\n"
            "   barrier();\n"
            "   float sum = 0.0;\n"
            "   for (int k = 0; k < 5; k++) sum += c[(i + k) % 5];\n"
            "   mixed[gl_InvocationID] = vec4(c[(i + 1) % 5], c[4 - i], sum, parts[(i + 2) % 5]);\n"
            "   if (i == 2) { sums = vec2(sum, parts[3]); parts[5] = float(gl_PrimitiveID); }\n"
            "   gl_TessLevelOuter[0] = 1.0; gl_TessLevelOuter[1] = 4.0;\n"
            "}\n",
         .tes =
            "layout(isolines, point_mode) in;\n"
            "in vec4 mixed[]; patch in float parts[6]; patch in vec2 sums; out vec4 found;\n"
            "void main() {\n"
            "   int n = int(gl_TessCoord.x * 4.0 + 0.5);\n"
            "   found = mixed[n] + vec4(0.0, 0.0, sums.y, parts[5] * 1000.0);\n"
            "   if (n == 4) found.x += float(gl_PatchVerticesIn) * 10000.0 + gl_TessLevelOuter[1];\n"
            "}\n");
   if (!program)
      return;
   const unsigned written = capture(GL_POINTS, 7 * 3 + 2, 3, found, 64);
   CHECK(written == 35, "%u points", written);
   for (unsigned p = 0; p < 7; p++) {
      float c[5], sum = 0;
      for (unsigned i = 0; i < 5; i++) {
         c[i] = (float)(3 * p + i % 3) * 10 + i;
         sum += c[i];
      }
      for (unsigned i = 0; i < 5; i++) {
         const float *f = found[5 * p + i];
         const unsigned k = (i + 2) % 5;
         const float x = c[(i + 1) % 5] + (i == 4 ? 50004.0f : 0.0f);
         CHECK(f[0] == x && f[1] == c[4 - i] && f[2] == sum + 9 && f[3] == k * k + p * 1000.0f,
               "patch %u, %u: %f %f %f %f", p, i, f[0], f[1], f[2], f[3]);
      }
   }
   glDeleteProgram(program);
}

/* Tests patches without a control shader: the order of vertices, and the levels of the context's
 * state.
 */
static void
test_defaults(void)
{
   static float found[600][4];
   const GLuint program =
      PROGRAM(.varyings = found_varying,
              .vs = "out float v;\nvoid main() { v = float(gl_VertexID); }\n",
              .tes = "layout(quads, equal_spacing, cw) in;\n"
                     "in float v[]; out vec4 found;\n"
                     "void main() {\n"
                     "   found = vec4(gl_TessCoord.xy, v[gl_PatchVerticesIn - 1],\n"
                     "                gl_TessLevelOuter[2] * 100.0 + gl_TessLevelInner[1]);\n"
                     "}\n");
   const float outer[4] = { 3, 3, 3, 3 }, inner[2] = { 3, 3 }, none[4] = { 3, 0, 3, 3 };
   float area = 0;

   if (!program)
      return;
   glPatchParameterfv(GL_PATCH_DEFAULT_OUTER_LEVEL, outer);
   glPatchParameterfv(GL_PATCH_DEFAULT_INNER_LEVEL, inner);
   const unsigned written = capture(GL_TRIANGLES, 14, 7, found, 600);
   CHECK(written == 2 * 18, "%u triangles", written);
   for (unsigned i = 0; i < 3 * written && i < 600; i += 3) {
      const float *a = found[i], *b = found[i + 1], *c = found[i + 2];
      area += (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
      CHECK(a[2] == (i < 54 ? 6.0f : 13.0f) && a[3] == 303.0f, "%u: %f %f", i, a[2], a[3]);
   }
   CHECK(fabsf(area + 4.0f) < 0.001f, "area %f", area);
   glPatchParameterfv(GL_PATCH_DEFAULT_OUTER_LEVEL, none);
   CHECK(capture(GL_TRIANGLES, 14, 7, found, 600) == 0, "%s", "a patch that is dropped");
   glDeleteProgram(program);
}

int
main(void)
{
   core_begin();
   test_cracks();
   test_shared();
   test_defaults();
   return core_end("tessellation");
}
