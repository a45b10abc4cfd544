/* SPDX-License-Identifier: MIT */
/*
 * Tests NV_fill_rectangle: the samples that a triangle covers are those of its bounding box, depths
 * and values are those of its planes, and triangles are culled by their vertices.
 */
#include "core.h"

#define SIZE 64
#define TRIANGLES 200

static int corner[3][2]; /* in units of 1/256 pixel */
static unsigned rule;    /* 1 if the upper borders of boxes are inside, 0 if the lower ones are */

static void
random_corners(void)
{
   for (unsigned v = 0; v < 3; v++) {
      for (unsigned c = 0; c < 2; c++) {
         const int size = core_random() % 4 ? SIZE : 8;
         corner[v][c] = (int)(core_random() % (size * 256));
         /* Often the centre of a pixel, or its border. */
         if (core_random() % 2)
            corner[v][c] &= ~127;
      }
   }
}

static long
area(void)
{
   return (long)(corner[1][0] - corner[0][0]) * (corner[2][1] - corner[0][1]) -
          (long)(corner[2][0] - corner[0][0]) * (corner[1][1] - corner[0][1]);
}

static int
least(unsigned c)
{
   const int m = corner[0][c] < corner[1][c] ? corner[0][c] : corner[1][c];
   return m < corner[2][c] ? m : corner[2][c];
}

static int
most(unsigned c)
{
   const int m = corner[0][c] > corner[1][c] ? corner[0][c] : corner[1][c];
   return m > corner[2][c] ? m : corner[2][c];
}

/* Returns whether the box covers a point. */
static bool
covers(int x, int y)
{
   return x >= least(0) && x < most(0) && y - (int)rule >= least(1) && y - (int)rule < most(1);
}

static void
draw(GLuint program)
{
   for (unsigned v = 0; v < 3; v++) {
      const float x = corner[v][0] / 256.0f, y = corner[v][1] / 256.0f;
      glUniform2f(glGetUniformLocation(program, v == 0 ? "p[0]" : v == 1 ? "p[1]" : "p[2]"), x, y);
   }
   glDrawArrays(GL_TRIANGLES, 0, 3);
}

#define VS                                            \
   "uniform vec2 p[3]; noperspective out vec2 at;\n"  \
   "void main() {\n"                                  \
   "   vec2 v = p[gl_VertexID % 3]; at = v;\n"        \
   "   float z = v.x / 256.0 - v.y / 128.0;\n"        \
   "   gl_Position = vec4(v / 32.0 - 1.0, z, 1.0);\n" \
   "}\n"

/* The red value of a pixel is 1 where it is covered. */
static void
test_pixels(void)
{
   static float color[SIZE][SIZE][4], depth[SIZE][SIZE];
   const GLuint program = PROGRAM(.vs = VS, .fs = "noperspective in vec2 at; out vec4 color;\n"
                                                  "void main() {\n"
                                                  "   color = vec4(1.0, at - gl_FragCoord.xy,\n"
                                                  "                gl_FrontFacing ? 1.0 : 2.0);\n"
                                                  "}\n");
   GLuint texture, buffer;
   const GLuint fb = core_target(GL_RGBA32F, SIZE, SIZE, &texture);

   glGenRenderbuffers(1, &buffer);
   glBindRenderbuffer(GL_RENDERBUFFER, buffer);
   glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT32F, SIZE, SIZE);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, buffer);
   glEnable(GL_DEPTH_TEST);
   glEnable(GL_CULL_FACE);
   for (unsigned i = 0; i < TRIANGLES; i++) {
      const unsigned before = fails;
      unsigned wrong[2] = { 0, 0 };

      random_corners();
      const bool culled = area() == 0 || (i % 4 == 1 && area() < 0) || (i % 4 == 2 && area() > 0);
      glCullFace(i % 4 == 1 ? GL_BACK : GL_FRONT);
      if (i % 4 == 0 || i % 4 == 3)
         glDisable(GL_CULL_FACE);
      else
         glEnable(GL_CULL_FACE);
      glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
      draw(program);
      glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_FLOAT, color);
      glReadPixels(0, 0, SIZE, SIZE, GL_DEPTH_COMPONENT, GL_FLOAT, depth);
      for (int y = 0; y < SIZE && fails < before + 3; y++) {
         for (int x = 0; x < SIZE; x++) {
            const float *c = color[y][x];
            for (unsigned k = 0; k < 2; k++) {
               const unsigned kept = rule;
               rule = k;
               wrong[k] += (c[0] != 0) != (!culled && covers(x * 256 + 128, y * 256 + 128));
               rule = kept;
            }
            if (c[0] == 0)
               continue;
            /* Thin triangles have steep planes of x and y, whose rounding shows far outside. */
            const float most_error = 2000.0f / (float)labs(area()) * 256;
            CHECK(c[1] > -most_error && c[1] < most_error && c[2] > -most_error &&
                     c[2] < most_error,
                  "triangle %u, pixel %d,%d: off by %f, %f", i, x, y, c[1], c[2]);
            CHECK(c[3] == (area() > 0 ? 1 : 2), "triangle %u, face %f", i, c[3]);
            const float z = (((x + 0.5f) / 256 - (y + 0.5f) / 128) + 1) / 2;
            CHECK(depth[y][x] > z - most_error && depth[y][x] < z + most_error,
                  "triangle %u, pixel %d,%d: depth %f, not %f", i, x, y, depth[y][x], z);
         }
      }
      if (wrong[rule] && !wrong[!rule])
         rule = !rule;
      CHECK(!wrong[rule], "triangle %u: %u pixels", i, wrong[rule]);
   }
   glDisable(GL_DEPTH_TEST);
   glDisable(GL_CULL_FACE);
   glDeleteFramebuffers(1, &fb);
   glDeleteRenderbuffers(1, &buffer);
   glDeleteTextures(1, &texture);
   glDeleteProgram(program);
}

/* Each sample of a multisampled target is inside or outside of the box. */
static void
test_samples(GLsizei samples)
{
   static GLuint found[SIZE * SIZE];
   int at[16][2];
   GLuint texture, fb;

   glCreateTextures(GL_TEXTURE_2D_MULTISAMPLE, 1, &texture);
   glTextureStorage2DMultisample(texture, samples, GL_R8, SIZE, SIZE, GL_TRUE);
   glCreateFramebuffers(1, &fb);
   glNamedFramebufferTexture(fb, GL_COLOR_ATTACHMENT0, texture, 0);
   glBindFramebuffer(GL_FRAMEBUFFER, fb);
   glViewport(0, 0, SIZE, SIZE);
   glBindTextureUnit(0, texture);
   for (GLsizei s = 0; s < samples; s++) {
      float position[2];
      glGetMultisamplefv(GL_SAMPLE_POSITION, s, position);
      at[s][0] = (int)(position[0] * 256);
      at[s][1] = (int)(position[1] * 256);
   }
   const GLuint program = PROGRAM(.vs = VS,
                                  .fs = "out vec4 color; void main() { color = vec4(1); }\n");
   const GLuint reader =
      PROGRAM(.head = "layout(local_size_x = 8, local_size_y = 8) in;\n"
                      "layout(std430, binding = 0) writeonly buffer R { uint r[]; };\n"
                      "layout(binding = 0) uniform sampler2DMS t;\n",
              .cs = text("void main() {\n"
                         "   ivec2 p = ivec2(gl_GlobalInvocationID); uint mask = 0u;\n"
                         "   for (int i = 0; i < %d; i++)\n"
                         "      mask |= texelFetch(t, p, i).x > 0.5 ? 1u << i : 0u;\n"
                         "   r[p.y * %u + p.x] = mask;\n"
                         "}\n",
                         samples, SIZE));
   const GLuint r = core_storage(0, sizeof found, NULL);
   for (unsigned i = 0; i < TRIANGLES / 4; i++) {
      unsigned wrong[2] = { 0, 0 };

      random_corners();
      glUseProgram(program);
      glClear(GL_COLOR_BUFFER_BIT);
      draw(program);
      glUseProgram(reader);
      glDispatchCompute(SIZE / 8, SIZE / 8, 1);
      core_read(r, sizeof found, found);
      for (unsigned k = 0; k < 2; k++) {
         rule = k;
         for (int p = 0; p < SIZE * SIZE; p++) {
            GLuint mask = 0;
            for (GLsizei s = 0; s < samples && area(); s++)
               mask |= (GLuint)covers(p % SIZE * 256 + at[s][0], p / SIZE * 256 + at[s][1]) << s;
            wrong[k] += mask != found[p];
         }
      }
      CHECK(!wrong[0] || !wrong[1], "%d samples, triangle %u: %u pixels", samples, i, wrong[0]);
   }
   glDeleteBuffers(1, &r);
   glDeleteFramebuffers(1, &fb);
   glDeleteTextures(1, &texture);
   glDeleteProgram(program);
   glDeleteProgram(reader);
}

/* Triangles that the near plane would clip are dropped. */
static void
test_clipped(void)
{
   GLuint texture, query, passed = 1;
   const GLuint fb = core_target(GL_RGBA8, SIZE, SIZE, &texture);
   const GLuint program = PROGRAM(
         .vs =
            "void main() {\n"
            "   gl_Position = vec4(gl_VertexID == 1, gl_VertexID == 2, gl_VertexID == 0 ? -1.5 : 0.0, 1.0);\n"
            "}\n",
         .fs = "out vec4 color; void main() { color = vec4(1); }\n");

   glGenQueries(1, &query);
   glBeginQuery(GL_SAMPLES_PASSED, query);
   glDrawArrays(GL_TRIANGLES, 0, 3);
   glEndQuery(GL_SAMPLES_PASSED);
   glGetQueryObjectuiv(query, GL_QUERY_RESULT, &passed);
   CHECK(passed == 0, "%u samples", passed);
   glDeleteQueries(1, &query);
   glDeleteFramebuffers(1, &fb);
   glDeleteTextures(1, &texture);
   glDeleteProgram(program);
}

/* Boxes that share borders cover each pixel once. */
static void
test_borders(void)
{
   static uint8_t color[SIZE][SIZE][4];
   const GLuint program =
      PROGRAM(.vs = VS, .fs = "out vec4 color; void main() { color = vec4(1.0 / 255.0); }\n");
   GLuint texture;
   const GLuint fb = core_target(GL_RGBA8, SIZE, SIZE, &texture);
   int line[2][9];

   for (unsigned c = 0; c < 2; c++) {
      for (unsigned i = 0; i < 9; i++)
         line[c][i] = (int)(i * 2048 + (i % 8 ? core_random() % 16 * 64 : 0));
   }
   glEnable(GL_BLEND);
   glBlendFunc(GL_ONE, GL_ONE);
   glClear(GL_COLOR_BUFFER_BIT);
   for (unsigned i = 0; i < 64; i++) {
      const int *x = &line[0][i % 8], *y = &line[1][i / 8];
      const int corners[3][2] = { { x[0], y[0] }, { x[1], y[i & 1] }, { x[i >> 1 & 1], y[1] } };
      memcpy(corner, corners, sizeof corner);
      if (area() == 0)
         corner[1][1] = y[0], corner[2][0] = x[0];
      draw(program);
   }
   glDisable(GL_BLEND);
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, color);
   for (unsigned p = 0; p < SIZE * SIZE; p++)
      CHECK(color[p / SIZE][p % SIZE][0] == 1, "pixel %u: %u", p, color[p / SIZE][p % SIZE][0]);
   glDeleteFramebuffers(1, &fb);
   glDeleteTextures(1, &texture);
   glDeleteProgram(program);
}

int
main(void)
{
   core_begin();
   CHECK(core_extension("GL_NV_fill_rectangle"), "not offered");
   glPolygonMode(GL_FRONT_AND_BACK, GL_FILL_RECTANGLE_NV);
   test_pixels();
   for (GLsizei samples = 2; samples <= 16; samples *= 2)
      test_samples(samples);
   test_clipped();
   test_borders();
   return core_end("fill rectangle");
}
