/* SPDX-License-Identifier: MIT */
/*
 * Scenes of all shader stages, transform feedback, storage buffers and images, and multisampling.
 */
#include "picture.h"

/* A patch of 4x4 control points becomes a tessellated surface, whose triangles a geometry shader
 * moves apart.  Transform feedback records what is drawn.
 */
static void
stages(void)
{
   static const char *const varyings[] = { "normal", "gl_Position" };
   static float record[20000];
   const GLuint program = glCreateProgram();
   GLuint buffer, query, primitives = 0;

   test_shader(program, GL_VERTEX_SHADER,
               "#version 450\n"
               "void main() {\n"
               "   vec2 p = vec2(gl_VertexID & 3, gl_VertexID >> 2) / 1.5 - 1;\n"
               "   gl_Position = vec4(p, sin(p.x * 3) * cos(p.y * 2), 1);\n"
               "}\n");
   test_shader(program, GL_TESS_CONTROL_SHADER,
               "#version 450\n"
               "layout(vertices = 16) out;\n"
               "void main() {\n"
               "   gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;\n"
               "   gl_TessLevelOuter = float[](3.3, 5.6, 4.2, 2.7);\n"
               "   gl_TessLevelInner = float[](4.4, 6.5);\n"
               "}\n");
   test_shader(program, GL_TESS_EVALUATION_SHADER,
               "#version 450\n"
               "layout(quads, fractional_odd_spacing) in;\n"
               "out vec3 at;\n"
               "vec4 weights(float t) {\n"
               "   float s = 1 - t;\n"
               "   return vec4(s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t);\n"
               "}\n"
               "void main() {\n"
               "   vec4 u = weights(gl_TessCoord.x), v = weights(gl_TessCoord.y);\n"
               "   vec4 p = vec4(0);\n"
               "   for (int i = 0; i < 16; i++)\n"
               "      p += gl_in[i].gl_Position * u[i & 3] * v[i >> 2];\n"
               "   at = p.xyz;\n"
               "   gl_Position = p;\n"
               "}\n");
   test_shader(program, GL_GEOMETRY_SHADER,
               "#version 450\n"
               "layout(triangles) in;\n"
               "layout(triangle_strip, max_vertices = 3) out;\n"
               "in vec3 at[];\n"
               "out vec3 normal;\n"
               "void main() {\n"
               "   vec3 n = normalize(cross(at[1] - at[0], at[2] - at[0]));\n"
               "   for (int i = 0; i < 3; i++) {\n"
               "      normal = n;\n"
               "      gl_Position = vec4(at[i] * 0.8 + n * 0.1, 1 + at[i].z * 0.3);\n"
               "      EmitVertex();\n"
               "   }\n"
               "}\n");
   test_shader(program, GL_FRAGMENT_SHADER,
               "#version 450\n"
               "in vec3 normal; out vec4 colour;\n"
               "void main() { colour = vec4(normal * 0.5 + 0.5, gl_FragCoord.z); }\n");
   glTransformFeedbackVaryings(program, 2, varyings, GL_INTERLEAVED_ATTRIBS);
   REQUIRE(test_link(program));
   picture_target(GL_RGBA8, GL_DEPTH24_STENCIL8, 0);
   glEnable(GL_DEPTH_TEST);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   glUseProgram(program);
   glGenBuffers(1, &buffer);
   glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
   glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, sizeof record, record, GL_STATIC_READ);
   glGenQueries(1, &query);
   glPatchParameteri(GL_PATCH_VERTICES, 16);
   glBeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, query);
   glBeginTransformFeedback(GL_TRIANGLES);
   glDrawArrays(GL_PATCHES, 0, 16);
   glEndTransformFeedback();
   glEndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
   glGetQueryObjectuiv(query, GL_QUERY_RESULT, &primitives);
   picture_add(&primitives, sizeof primitives);
   glGetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, sizeof record, record);
   picture_add(record, sizeof record);
   picture_add_pixels(GL_UNSIGNED_BYTE, 1);
}

/* Groups reduce an image in shared memory, count with atomics, and store to two images. */
static void
compute(void)
{
   static const char source[] =
      "#version 450\n"
      "layout(local_size_x = 8, local_size_y = 8) in;\n"
      "layout(rgba16f, binding = 0) writeonly uniform image2D halves;\n"
      "layout(r32ui, binding = 1) uniform uimage2D counts;\n"
      "layout(std430, binding = 0) buffer Sums { vec4 sum[]; };\n"
      "shared vec4 values[64];\n"
      "void main() {\n"
      "   ivec2 p = ivec2(gl_GlobalInvocationID.xy);\n"
      "   vec2 c = vec2(p) * 0.03125 - vec2(1.5, 1), z = c;\n"
      "   uint n = 0;\n"
      "   while (n < 40u && dot(z, z) < 4) {\n"
      "      z = vec2(z.x * z.x - z.y * z.y, 2 * z.x * z.y) + c;\n"
      "      n++;\n"
      "   }\n"
      "   vec4 v = vec4(z, log2(1 + dot(z, z)), float(n) / 40);\n"
      "   imageStore(halves, p, v);\n"
      "   imageAtomicAdd(counts, ivec2(n & 7u, gl_WorkGroupID.y), n);\n"
      "   values[gl_LocalInvocationIndex] = clamp(v, -9, 9);\n"
      "   for (uint half_size = 32u; half_size > 0u; half_size >>= 1) {\n"
      "      barrier();\n"
      "      if (gl_LocalInvocationIndex < half_size)\n"
      "         values[gl_LocalInvocationIndex] += values[gl_LocalInvocationIndex + half_size];\n"
      "   }\n"
      "   if (gl_LocalInvocationIndex == 0u)\n"
      "      sum[gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x] = values[0];\n"
      "}\n";
   enum { GROUPS_X = WIDTH / 8, GROUPS_Y = HEIGHT / 8 };
   static float sums[GROUPS_X * GROUPS_Y][4];
   static uint16_t halves[HEIGHT * WIDTH * 4];
   static uint32_t counts[GROUPS_Y * 8];
   GLuint images[2], buffer;

   const GLuint program = glCreateProgram();
   test_shader(program, GL_COMPUTE_SHADER, source);
   REQUIRE(test_link(program));
   glUseProgram(program);
   glGenTextures(2, images);
   for (int i = 0; i < 2; i++) {
      glBindTexture(GL_TEXTURE_2D, images[i]);
      glTexStorage2D(GL_TEXTURE_2D, 1, i ? GL_R32UI : GL_RGBA16F, i ? 8 : WIDTH,
                     i ? GROUPS_Y : HEIGHT);
      glBindImageTexture(i, images[i], 0, GL_FALSE, 0, GL_READ_WRITE, i ? GL_R32UI : GL_RGBA16F);
   }
   glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 8, GROUPS_Y, GL_RED_INTEGER, GL_UNSIGNED_INT, counts);
   glGenBuffers(1, &buffer);
   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
   glBufferData(GL_SHADER_STORAGE_BUFFER, sizeof sums, NULL, GL_STATIC_READ);
   glDispatchCompute(GROUPS_X, GROUPS_Y, 1);
   glMemoryBarrier(GL_ALL_BARRIER_BITS);
   glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof sums, sums);
   picture_add(sums, sizeof sums);
   glGetTexImage(GL_TEXTURE_2D, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, counts);
   picture_add(counts, sizeof counts);
   glBindTexture(GL_TEXTURE_2D, images[0]);
   glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_HALF_FLOAT, halves);
   picture_add(halves, sizeof halves);
}

/* Coverage of samples by alpha, a shader that runs for each sample, and resolves. */
static void
samples(void)
{
   const GLuint program =
      test_program("#version 450 compatibility\n"
                   "sample out vec2 at;\n"
                   "void main() { gl_Position = gl_Vertex; at = gl_MultiTexCoord0.xy; }\n",
                   "#version 450 compatibility\n"
                   "sample in vec2 at; out vec4 colour;\n"
                   "void main() {\n"
                   "   colour = vec4(fract(at * 9), gl_SamplePosition.x, at.x * at.y);\n"
                   "}\n");
   GLint drawn;

   for (int count = 2; count <= 8; count *= 2) {
      picture_target(GL_RGBA8, GL_DEPTH24_STENCIL8, count);
      glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &drawn);
      glEnable(GL_DEPTH_TEST);
      glDepthFunc(GL_LEQUAL);
      glEnable(GL_SAMPLE_ALPHA_TO_COVERAGE);
      glClearColor(0.2f, 0.1f, 0.4f, 1);
      glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
      glUseProgram(program);
      glMatrixMode(GL_MODELVIEW);
      picture_rectangle();
      glUseProgram(0);
      glBegin(GL_TRIANGLES);
      for (int i = 0; i < 30; i++) {
         glColor4ub(picture_noise(i, 1), picture_noise(i, 2), picture_noise(i, 3),
                    picture_noise(i, 4));
         glVertex3f(picture_noise(i, 5) / 127.0f - 1, picture_noise(i, 6) / 127.0f - 1,
                    picture_noise(i, 7) / 127.0f - 1);
      }
      glEnd();
      picture_target(GL_RGBA8, 0, 0);
      glBindFramebuffer(GL_READ_FRAMEBUFFER, drawn);
      glBlitFramebuffer(0, 0, WIDTH, HEIGHT, 0, 0, WIDTH, HEIGHT, GL_COLOR_BUFFER_BIT, GL_NEAREST);
      glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &drawn);
      glBindFramebuffer(GL_READ_FRAMEBUFFER, drawn);
      picture_add_pixels(GL_UNSIGNED_BYTE, 1);
   }
}

const struct picture_scene picture_stages[] = {
   { "stages", stages },
   { "compute", compute },
   { "samples", samples },
   { NULL },
};
