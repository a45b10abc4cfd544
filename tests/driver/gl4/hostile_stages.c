/* SPDX-License-Identifier: MIT */
/*
 * Tests malicious programs in the stages of draws:
 *
 *    hostile_stages vertex, control, evaluation, geometry   a loop without end in the stage
 *    hostile_stages wild      buffers, images, arrays and vertices with indices out of range
 *    hostile_stages levels    tessellation levels of all kinds
 *    hostile_stages counts    indirect grids of 2^96 groups and draws of 2^64 vertices
 *    hostile_stages limits    shaders that exceed the limits
 */
#include <math.h>

#include "hostile.h"

/* Tests stages that pass one point on, with an endless loop in one of the stages. */
static void
test_loop_in(unsigned stage)
{
   static const char loop[] = "   for (uint i = 0u; i < 10u; i += step) gl_Position.x += 1e-6;\n";
   static const char tcs_loop[] = "   for (uint i = 0u; i < 10u; i += step)"
                                  " gl_out[gl_InvocationID].gl_Position.x += 1e-6;\n";
   const char *bodies[4] = { "", "", "", "" };

   bodies[stage] = stage == 1 ? tcs_loop : loop;
   begin_draws();
   PROGRAM(.head = "layout(location = 0) uniform uint step;\n",
           .vs = text("void main() {\n   gl_Position = vec4(0.0, 0.0, 0.0, 1.0);\n%s}\n",
                      bodies[0]),
           .tcs =
              text("layout(vertices = 1) out;\n"
                   "void main() {\n"
                   "   gl_out[gl_InvocationID].gl_Position = gl_in[0].gl_Position;\n"
                   "   gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = 2.0;\n"
                   "   gl_TessLevelInner[0] = 2.0;\n%s}\n",
                   bodies[1]),
           .tes = text("layout(triangles, point_mode) in;\n"
                       "void main() {\n   gl_Position = gl_in[0].gl_Position;\n%s}\n",
                       bodies[2]),
           .gs =
              text("layout(points) in;\nlayout(points, max_vertices = 1) out;\n"
                   "void main() {\n   gl_Position = gl_in[0].gl_Position;\n%s   EmitVertex();\n}\n",
                   bodies[3]),
           .fs = "out vec4 color;\nvoid main() { color = vec4(1.0); }\n");
   glUniform1ui(0, 0);
   glPatchParameteri(GL_PATCH_VERTICES, 1);
   glDrawArrays(GL_PATCHES, 0, 1);
   glFlush();
   other_works();
   CHECK(is_lost("loop"), "a draw without end has ended");
}

static void
test_vertex(void)
{
   test_loop_in(0);
}

static void
test_control(void)
{
   test_loop_in(1);
}

static void
test_evaluation(void)
{
   test_loop_in(2);
}

static void
test_geometry(void)
{
   test_loop_in(3);
}

/* Tests indices out of range.  Each stage counts its invocations in r[stage]. */
static void
test_wild(void)
{
   static const uint32_t indices[] = { 64,         65,         1000,       0x10000,    0x3fffffff,
                                       0x40000000, 0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffff };
   uint32_t found[64], guards[64];
   GLuint textures[2];

   begin_draws();
   const GLuint program = PROGRAM(
         .head =
            "layout(std430, binding = 0) buffer R { uint r[64]; };\n"
            "layout(std430, binding = 1) buffer B { uint x[]; } b[2];\n"
            "layout(std140, binding = 0) uniform U { uvec4 u[16]; };\n"
            "layout(r32ui, binding = 0) uniform uimage2D img;\n"
            "layout(r32ui, binding = 1) uniform uimageBuffer buf;\n"
            "layout(location = 0) uniform uint w;\n"
            "void wild(uint stage, uint l) {\n"
            "   uint local[8], sum = 0u;\n"
            "   for (uint i = 0u; i < 8u; i++) local[i] = l + i;\n"
            "   local[w] = 5u; sum += local[w * 3u];\n"
            "   b[0].x[w] = 5u; b[0].x[w * l] = 6u; sum += b[1].x[w + l];\n"
            "   sum += atomicOr(b[1].x[w], 1u) + u[w].x + u[w + l].y;\n"
            "   imageStore(img, ivec2(w, -int(w)), uvec4(1u));\n"
            "   sum += imageLoad(img, ivec2(int(w), -1)).x + imageAtomicAdd(img, ivec2(0, w), 1u);\n"
            "   imageStore(buf, int(w), uvec4(9u)); sum += imageLoad(buf, int(w) * 3).x;\n"
            "   if (sum != 0x12345678u) atomicAdd(r[stage], 1u);\n"
            "}\n",
         .vs = "out vec4 v[2];\n"
               "void main() {\n"
               "   wild(0u, uint(gl_VertexID));\n"
               "   v[0] = vec4(1.0); v[1] = vec4(2.0); v[w] = vec4(3.0);\n"
               "   gl_Position = vec4(0.0, 0.0, 0.0, 1.0);\n"
               "}\n",
         .tcs = "layout(vertices = 3) out;\n"
                "in vec4 v[][2];\n"
                "out vec4 t[][2];\n"
                "patch out vec4 p[4];\n"
                "void main() {\n"
                "   wild(1u, uint(gl_PrimitiveID));\n"
                "   t[gl_InvocationID][w] = v[w][w];\n"
                "   p[w] = t[w][1];\n"
                "   barrier();\n"
                "   gl_out[gl_InvocationID].gl_Position = gl_in[w].gl_Position + t[w][w];\n"
                "   gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = 1.0;\n"
                "   gl_TessLevelOuter[w] = 2.0; gl_TessLevelInner[0] = 1.0;\n"
                "}\n",
         .tes =
            "layout(triangles, point_mode) in;\n"
            "in vec4 t[][2];\n"
            "patch in vec4 p[4];\n"
            "void main() {\n"
            "   wild(2u, uint(gl_PrimitiveID));\n"
            "   gl_Position = vec4(0.0, 0.0, 0.0, 1.0) + 1e-30 * (t[w][w] + p[w] + gl_in[w].gl_Position);\n"
            "}\n",
         .gs =
            "layout(points) in;\nlayout(points, max_vertices = 2) out;\n"
            "void main() {\n"
            "   wild(3u, uint(gl_PrimitiveIDIn));\n"
            "   for (uint i = 0u; i < 300u; i++) { gl_Position = vec4(0.0, 0.0, 0.0, 1.0); EmitVertex(); }\n"
            "}\n",
         .fs =
            "layout(location = 0) out vec4 color[2];\n"
            "void main() { wild(4u, uint(gl_FragCoord.x)); color[0] = color[1] = vec4(1.0); }\n");
   memset(guards, 0xab, sizeof guards);
   const GLuint r = core_storage(0, 256, NULL), b = core_buffer(1024, NULL);
   const GLuint u = core_buffer(256, NULL);
   glNamedBufferSubData(b, 768, sizeof guards, guards);
   glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 1, b, 0, 256);
   glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 2, b, 256, 256);
   glBindBufferBase(GL_UNIFORM_BUFFER, 0, u);
   glCreateTextures(GL_TEXTURE_2D, 1, &textures[0]);
   glTextureStorage2D(textures[0], 1, GL_R32UI, 5, 3);
   glCreateTextures(GL_TEXTURE_BUFFER, 1, &textures[1]);
   glTextureBufferRange(textures[1], GL_R32UI, b, 512, 256);
   glBindImageTexture(0, textures[0], 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32UI);
   glBindImageTexture(1, textures[1], 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32UI);
   glPatchParameteri(GL_PATCH_VERTICES, 3);
   for (unsigned i = 0; i < sizeof indices / sizeof indices[0]; i++) {
      const uint32_t zeros[64] = { 0 };
      glNamedBufferSubData(r, 0, sizeof zeros, zeros);
      glUseProgram(program);
      glUniform1ui(0, indices[i]);
      glDrawArrays(GL_PATCHES, 0, 12);
      other_works();
      if (is_lost(text("index 0x%x", indices[i])))
         return;
      core_read(r, sizeof found, found);
      /* There are 4 patches of 3 vertices.  Each patch has at least 3 points, and the geometry
       * shader emits 2 vertices for each point.
       */
      CHECK(found[0] == 12 && found[1] == 12 && found[2] >= 12 && found[3] >= 12 && found[4] >= 24,
            "index 0x%x: %u, %u, %u, %u, %u invocations", indices[i], found[0], found[1], found[2],
            found[3], found[4]);
      glGetNamedBufferSubData(b, 768, sizeof found, found);
      CHECK(!memcmp(found, guards, sizeof found), "index 0x%x: written out of range", indices[i]);
   }
}

/* Returns the number of points of a quad patch with these levels, which the control shader or the
 * application sets.
 */
static GLuint
points_of(const float outer[4], const float inner[2], GLuint program, bool control)
{
   GLuint query, count = 0;

   glUseProgram(program);
   if (control) {
      glUniform4fv(0, 1, outer);
      glUniform2fv(1, 1, inner);
   } else {
      glPatchParameterfv(GL_PATCH_DEFAULT_OUTER_LEVEL, outer);
      glPatchParameterfv(GL_PATCH_DEFAULT_INNER_LEVEL, inner);
   }
   glCreateQueries(GL_PRIMITIVES_GENERATED, 1, &query);
   glBeginQuery(GL_PRIMITIVES_GENERATED, query);
   glDrawArrays(GL_PATCHES, 0, 1);
   glEndQuery(GL_PRIMITIVES_GENERATED);
   glGetQueryObjectuiv(query, GL_QUERY_RESULT, &count);
   glDeleteQueries(1, &query);
   return count;
}

static void
test_levels(void)
{
   static const char *const spacings[] = { "equal_spacing", "fractional_even_spacing",
                                           "fractional_odd_spacing" };
   /* The first NOTHING levels drop the patch.  The levels from INFINITY on count as 64, those from
    * LARGE on as the least level.
    */
   const float levels[] = { NAN,   -NAN,          0.0f,     -0.0f,    -1.0f,  -INFINITY, INFINITY,
                            1e30f, 4294967296.0f, 65536.0f, 64.0001f, 1e-37f, 1e-30f };
   enum { NOTHING = 6, LARGE = 11 };

   begin_draws();
   glPatchParameteri(GL_PATCH_VERTICES, 1);
   for (unsigned k = 0; k < 6; k++) {
      const char *tes = text("layout(quads, %s, point_mode) in;\n"
                             "void main() { gl_Position = vec4(gl_TessCoord, 1.0); }\n",
                             spacings[k / 2]);
      const bool control = k % 2;
      const GLuint program =
         PROGRAM(.vs = "void main() { gl_Position = vec4(0.0); }\n",
                 .tcs = control ? "layout(vertices = 1) out;\n"
                                  "layout(location = 0) uniform vec4 o;\n"
                                  "layout(location = 1) uniform vec2 i;\n"
                                  "void main() {\n"
                                  "   for (int k = 0; k < 4; k++) gl_TessLevelOuter[k] = o[k];\n"
                                  "   gl_TessLevelInner[0] = i.x; gl_TessLevelInner[1] = i.y;\n"
                                  "}\n"
                                : NULL,
                 .tes = tes, .fs = "out vec4 color;\nvoid main() { color = vec4(1.0); }\n");
      const float least[4] = { 1e-3f, 1e-3f, 1e-3f, 1e-3f }, most[4] = { 64, 64, 64, 64 };

      for (unsigned l = 0; l < sizeof levels / sizeof levels[0]; l++) {
         const float all[4] = { levels[l], levels[l], levels[l], levels[l] };
         const float *const as = l < LARGE ? most : least;
         GLuint count = points_of(all, all, program, control), expected = 0;

         if (l >= NOTHING)
            expected = points_of(as, as, program, control);
         CHECK(count == expected, "%s%s, %g: %u points, not %u", spacings[k / 2],
               control ? " from a program" : "", levels[l], count, expected);
         /* One bad outer level drops the patch; bad inner levels do not. */
         for (unsigned edge = 0; edge < 4 && l < NOTHING; edge++) {
            float one[4] = { 3, 3, 3, 3 };
            one[edge] = levels[l];
            count = points_of(one, most, program, control);
            CHECK(!count, "%s, edge %u, %g: %u points", spacings[k / 2], edge, levels[l], count);
         }
         const float three[4] = { 3, 3, 3, 3 };
         count = points_of(three, all, program, control);
         CHECK(count >= 12 && count <= 12 + 65 * 65, "%s, inner %g: %u points", spacings[k / 2],
               levels[l], count);
      }
      other_works();
      glDeleteProgram(program);
   }
   CHECK(!is_lost("levels"), "levels are no fault");
}

static void
test_counts(void)
{
   static const uint32_t counts[][4] = {
      { ~0u, ~0u, ~0u, 0 },       { 0x10000, 0x10000, 0x10000, 0 },
      { 0x20000, 0x20000, 1, 0 }, { 0x80000000, 2, 1, 0 },
      { 0, ~0u, ~0u, 0 },
   };
   const unsigned number = sizeof counts / sizeof counts[0];
   bool lost = false;

   for (unsigned i = 0; i < 2 * number; i++) {
      const uint32_t *numbers = counts[i % number];
      const bool grid = i < number, ends = !numbers[0];
      /* Skip draws that are small enough to end: a draw of 2^32 vertices is allowed.  Grids are
       * larger, since each group of one invocation takes a warp.
       */
      if (!grid && numbers[0] && (uint64_t)numbers[0] * numbers[1] <= UINT64_C(1) << 32)
         continue;
      /* A lost context accepts no more commands, so create another one. */
      if (lost) {
         robust = core_context(display, true);
         core_current(display, robust);
      }
      begin_draws();
      const GLuint commands = core_buffer(sizeof counts[0], numbers);
      core_storage(0, 256, NULL);
      if (grid) {
         PROGRAM(.cs = "layout(local_size_x = 1) in;\n"
                       "layout(std430, binding = 0) buffer B { uint b[]; };\n"
                       "void main() { b[gl_WorkGroupID.x & 63u] = gl_WorkGroupID.y; }\n");
         glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, commands);
         glDispatchComputeIndirect(0);
      } else {
         PROGRAM(.vs = FILL_VS, .fs = "layout(std430, binding = 0) buffer B { uint b[]; };\n"
                                      "void main() { atomicAdd(b[0], 1u); }\n");
         glBindBuffer(GL_DRAW_INDIRECT_BUFFER, commands);
         glDrawArraysIndirect(GL_TRIANGLES, NULL);
      }
      glFlush();
      other_works();
      lost = is_lost(text("%s %u", grid ? "grid" : "draw", i % number));
      CHECK(lost != ends, "%s %u: %s", grid ? "grid" : "draw", i % number,
            lost ? "lost" : "has ended");
   }
}

/* Returns NULL if the source links, or the reason why it is refused.  A control shader is linked
 * with the other stages, with `patch` vectors per patch, and draws if it links.
 */
static const char *
refused(GLenum stage, const char *source, unsigned patch)
{
   const struct {
      GLenum stage;
      const char *source;
   } around[] = {
      { GL_VERTEX_SHADER, "void main() { gl_Position = vec4(0.0); }\n" },
      { GL_TESS_EVALUATION_SHADER, text("layout(triangles) in;\npatch in vec4 p[%u];\n"
                                        "void main() { gl_Position = p[gl_PrimitiveID]; }\n",
                                        patch) },
      { GL_FRAGMENT_SHADER, "out vec4 color;\nvoid main() { color = vec4(1.0); }\n" },
   };
   const GLuint program = glCreateProgram();
   const bool patches = stage == GL_TESS_CONTROL_SHADER;
   static char log[2000];
   GLint linked;

   log[0] = '\0';
   for (unsigned i = 0; i < (patches ? 4 : 1); i++) {
      const GLuint shader = glCreateShader(i ? around[i - 1].stage : stage);
      GLint compiled;

      glShaderSource(shader, 2,
                     (const char *const[]){ "#version 450 core\n",
                                            i ? around[i - 1].source : source },
                     NULL);
      glCompileShader(shader);
      glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
      if (!compiled)
         glGetShaderInfoLog(shader, sizeof log, NULL, log);
      glAttachShader(program, shader);
      glDeleteShader(shader);
   }
   glLinkProgram(program);
   glGetProgramiv(program, GL_LINK_STATUS, &linked);
   if (!linked && !log[0])
      glGetProgramInfoLog(program, sizeof log, NULL, log);
   if (linked && patches) {
      glUseProgram(program);
      glDrawArrays(GL_PATCHES, 0, 3);
      glUseProgram(0);
   }
   glDeleteProgram(program);
   return linked ? NULL : log;
}

static void
test_limits(void)
{
   static const struct {
      GLenum stage;
      const char *source;
   } sources[] = {
      { GL_TESS_CONTROL_SHADER,
        "layout(vertices = 3) out;\nfloat f(float x);\nfloat g(float x) { return f(x - 1.0); }\n"
        "float f(float x) { return x < 0.0 ? x : g(x); }\n"
        "void main() { gl_TessLevelOuter[0] = f(gl_in[0].gl_Position.x); }\n" },
      { GL_TESS_CONTROL_SHADER, "layout(vertices = 33) out;\nvoid main() { }\n" },
      { GL_TESS_CONTROL_SHADER, "layout(vertices = 0) out;\nvoid main() { }\n" },
      { GL_TESS_CONTROL_SHADER,
        "layout(vertices = 3) out;\nout vec4 p[][200];\n"
        "void main() { p[gl_InvocationID][gl_PrimitiveID] = vec4(1.0); }\n" },
      { GL_GEOMETRY_SHADER, "layout(points) in;\nlayout(points, max_vertices = 5000) out;\n"
                            "void main() { gl_Position = vec4(1.0); EmitVertex(); }\n" },
      { GL_GEOMETRY_SHADER,
        "layout(points, invocations = 1000) in;\nlayout(points, max_vertices = 1) out;\n"
        "void main() { EmitVertex(); }\n" },
      { GL_COMPUTE_SHADER, "layout(local_size_x = 1025) in;\nvoid main() { }\n" },
      { GL_COMPUTE_SHADER,
        "layout(local_size_x = 65536, local_size_y = 65536) in;\nvoid main() { }\n" },
      { GL_COMPUTE_SHADER, "layout(local_size_x = 1) in;\nshared uint s[0x1000000];\n"
                           "layout(std430, binding = 0) buffer B { uint b[]; };\n"
                           "void main() { s[b[0]] = 1u; barrier(); b[1] = s[b[2]]; }\n" },
      { GL_COMPUTE_SHADER,
        "layout(local_size_x = 1) in;\nlayout(std430, binding = 1000) buffer B { uint b[]; };\n"
        "void main() { b[0] = 1u; }\n" },
      { GL_COMPUTE_SHADER,
        "layout(local_size_x = 1) in;\nlayout(r32ui, binding = 1000) uniform uimage2D i;\n"
        "void main() { imageStore(i, ivec2(0), uvec4(1u)); }\n" },
   };

   begin_draws();
   for (unsigned i = 0; i < sizeof sources / sizeof sources[0]; i++) {
      const char *log = refused(sources[i].stage, sources[i].source, 4);
      CHECK(log && log[0], "source %u is accepted, or refused without a reason", i);
   }
   /* Shaders with more than 30 vectors per patch need not link. */
   for (unsigned patch = 4; patch < 2000; patch += patch < 40 ? 1 : 400) {
      const char *source = text("layout(vertices = 3) out;\npatch out vec4 p[%u];\n"
                                "void main() { p[gl_InvocationID] = vec4(1.0); }\n",
                                patch);
      const char *log = refused(GL_TESS_CONTROL_SHADER, source, patch);
      CHECK(!log == (patch <= 30) || patch == 31 || patch == 32, "%u vectors a patch: %s", patch,
            log ? log : "accepted");
   }
   /* Large arrays of an invocation are legal, but there may be no memory for them. */
   const char *log = refused(GL_COMPUTE_SHADER,
                             "layout(local_size_x = 64) in;\n"
                             "layout(std430, binding = 0) buffer B { uint b[]; };\n"
                             "void main() {\n"
                             "   uint a[1 << 20];\n"
                             "   a[b[0]] = 1u; b[1] = a[b[2]];\n"
                             "}\n",
                             0);
   fprintf(stderr, "large array: %s\n", log ? log : "linked");
   other_works();
   CHECK(!is_lost("limits"), "sources are no fault");
   while (glGetError()) {
   }
}

int
main(int argc, char **argv)
{
   static const struct hostile_test tests[] = {
      { "vertex", test_vertex },     { "control", test_control }, { "evaluation", test_evaluation },
      { "geometry", test_geometry }, { "wild", test_wild },       { "levels", test_levels },
      { "counts", test_counts },     { "limits", test_limits },
   };
   return hostile_main(argc, argv, tests, sizeof tests / sizeof tests[0]);
}
