/* SPDX-License-Identifier: MIT */
/*
 * Tests multisample textures, and programs that run once for each sample. texelFetch reads every
 * sample separately (ARB_texture_multisample, ARB_sample_shading).
 */
#include <math.h>

#include "samples.h"

/* A framebuffer with a multisample texture of floats, and the samples that were read from it. */
struct texture {
   int samples;
   GLuint fb, texture;
   struct point position[MAX_SAMPLES];
   float value[MAX_SAMPLES][SIZE][SIZE][4];
};

static GLuint plain_fb; /* framebuffer with floats and one sample */
static GLuint fetch;

static void
texture_create(struct texture *t, int samples)
{
   t->samples = samples;
   glGenTextures(1, &t->texture);
   glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, t->texture);
   glTexImage2DMultisample(GL_TEXTURE_2D_MULTISAMPLE, samples, GL_RGBA32F, SIZE, SIZE, GL_TRUE);
   t->fb = new_framebuffer();
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D_MULTISAMPLE,
                          t->texture, 0);
   CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE, "%d samples",
         samples);
   for (int i = 0; i < samples; i++) {
      GLfloat p[2];
      glGetMultisamplefv(GL_SAMPLE_POSITION, i, p);
      t->position[i] = (struct point){ p[0] * 256, p[1] * 256 };
   }
}

static void
texture_destroy(struct texture *t)
{
   glBindFramebuffer(GL_FRAMEBUFFER, 0);
   glDeleteFramebuffers(1, &t->fb);
   glDeleteTextures(1, &t->texture);
}

static void
begin(struct texture *t)
{
   glBindFramebuffer(GL_FRAMEBUFFER, t->fb);
   glViewport(0, 0, SIZE, SIZE);
   glClearColor(-1, -1, -1, -1);
   glClear(GL_COLOR_BUFFER_BIT);
}

static void
end(struct texture *t)
{
   glBindFramebuffer(GL_FRAMEBUFFER, plain_fb);
   glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, t->texture);
   glUseProgram(fetch);
   for (int i = 0; i < t->samples; i++) {
      glUniform1i(glGetUniformLocation(fetch, "sample_number"), i);
      glRectf(0, 0, SIZE, SIZE);
      glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_FLOAT, t->value[i]);
   }
   glUseProgram(0);
}

static void
use(GLuint program)
{
   glUseProgram(program);
   glDeleteProgram(program);
}

static const char *const header = "#version 120\n"
                                  "#extension GL_ARB_sample_shading : require\n"
                                  "#extension GL_ARB_texture_multisample : require\n";

static GLuint
program(const char *source)
{
   static char text[2000];

   snprintf(text, sizeof text, "%s%s", header, source);
   return test_program(NULL, text);
}

/* Tests gl_SampleID, gl_SamplePosition, gl_FragCoord and an interpolated window coordinate.  All of
 * them must have the values of the sample.
 */
static void
built_in(struct texture *t)
{
   begin(t);
   use(program("void main() {\n"
               "   gl_FragColor = vec4(gl_SampleID, gl_SamplePosition, gl_NumSamples);\n"
               "}\n"));
   glRectf(0, 0, SIZE, SIZE);
   end(t);
   for (int i = 0; i < t->samples; i++) {
      for (int y = 0; y < SIZE; y++) {
         for (int x = 0; x < SIZE; x++) {
            const float *v = t->value[i][y][x];
            CHECK(v[0] == i && v[1] * 256 == t->position[i].x && v[2] * 256 == t->position[i].y &&
                     v[3] == t->samples,
                  "sample %d of %d: %f at %f %f of %f", i, t->samples, v[0], v[1], v[2], v[3]);
         }
      }
   }

   for (int by_state = 0; by_state < 2; by_state++) {
      begin(t);
      /* a program runs for each sample because of its inputs, or because of the state */
      use(by_state ? program("void main() {\n"
                             "   gl_FragColor = vec4(gl_FragCoord.xy, gl_TexCoord[0].xy);\n"
                             "}\n")
                   : program("void main() {\n"
                             "   gl_FragColor = vec4(gl_FragCoord.xy, gl_SampleID, 0);\n"
                             "}\n"));
      if (by_state) {
         glEnable(GL_SAMPLE_SHADING);
         glMinSampleShading(1.0f);
      }
      glBegin(GL_QUADS);
      for (int i = 0; i < 4; i++) {
         const int x = (i == 1 || i == 2) * SIZE, y = i / 2 * SIZE;
         glTexCoord2f(x, y);
         glVertex2f(x, y);
      }
      glEnd();
      glDisable(GL_SAMPLE_SHADING);
      end(t);
      for (int i = 0; i < t->samples; i++) {
         for (int y = 0; y < SIZE; y++) {
            for (int x = 0; x < SIZE; x++) {
               const float *v = t->value[i][y][x];
               const float px = x + t->position[i].x / 256.0f, py = y + t->position[i].y / 256.0f;
               CHECK(v[0] == px && v[1] == py, "sample %d of %d: gl_FragCoord %f %f, is at %f %f",
                     i, t->samples, v[0], v[1], px, py);
               if (by_state)
                  CHECK(fabsf(v[2] - px) < 1e-4f && fabsf(v[3] - py) < 1e-4f,
                        "sample %d of %d: varying %f %f, is at %f %f", i, t->samples, v[2], v[3],
                        px, py);
            }
         }
      }
   }
}

/* Tests centroid varyings.  Programs that run once per pixel have all other values at its centre; a
 * centroid varying is evaluated inside of the primitive.
 */
static void
centroid(struct texture *t)
{
   static const char *const vertex = "#version 120\n"
                                     "varying vec2 middle;\n"
                                     "centroid varying vec2 inside;\n"
                                     "void main() {\n"
                                     "   middle = gl_Vertex.xy;\n"
                                     "   inside = gl_Vertex.xy;\n"
                                     "   gl_Position = ftransform();\n"
                                     "}\n";
   static const char *const fragment = "#version 120\n"
                                       "varying vec2 middle;\n"
                                       "centroid varying vec2 inside;\n"
                                       "void main() {\n"
                                       "   gl_FragColor = vec4(middle, inside);\n"
                                       "}\n";
   const GLuint p = test_program(vertex, fragment);

   for (int n = 0; n < 20; n++) {
      struct point v[3];

      random_triangle(v);
      begin(t);
      glUseProgram(p);
      triangle(v);
      end(t);
      for (int y = 0; y < SIZE; y++) {
         for (int x = 0; x < SIZE; x++) {
            for (int i = 0; i < t->samples; i++) {
               const float *c = t->value[i][y][x];
               if (c[0] == -1 && c[1] == -1)
                  continue;
               CHECK(fabsf(c[0] - x - 0.5f) < 1e-2f && fabsf(c[1] - y - 0.5f) < 1e-2f,
                     "pixel %d %d has %f %f at its centre", x, y, c[0], c[1]);
               CHECK(c[2] >= x && c[2] <= x + 1 && c[3] >= y && c[3] <= y + 1,
                     "pixel %d %d has %f %f inside", x, y, c[2], c[3]);
               const struct point at = { lrintf(c[2] * 256), lrintf(c[3] * 256) };
               const int64_t e[3] = { edge(v[0], v[1], at), edge(v[1], v[2], at),
                                      edge(v[2], v[0], at) };
               /* up to 1/100 pixel */
               const int64_t slack = 3 * SIZE * 256;
               CHECK((e[0] >= -slack && e[1] >= -slack && e[2] >= -slack) ||
                        (e[0] <= slack && e[1] <= slack && e[2] <= slack),
                     "pixel %d %d: %f %f is outside of the triangle", x, y, c[2], c[3]);
            }
         }
      }
   }
   glUseProgram(0);
   glDeleteProgram(p);
}

/* Tests gl_SampleMask in combination with the mask of the state. */
static void
mask_output(struct texture *t)
{
   const GLuint p = program("uniform int mask;\n"
                            "void main() {\n"
                            "   gl_FragColor = vec4(1.0);\n"
                            "   gl_SampleMask[0] = mask;\n"
                            "}\n");
   const int all = (1 << t->samples) - 1;
   /* all masks of up to 4 samples, and about 24 masks of more samples */
   const int step = t->samples == 16 ? 2731 : t->samples == 8 ? 11 : 1;

   for (int mask = 0; mask <= all; mask += step) {
      const int state = (mask * 5 + 3) & all;
      begin(t);
      glUseProgram(p);
      glUniform1i(glGetUniformLocation(p, "mask"), mask);
      glEnable(GL_SAMPLE_MASK);
      glSampleMaski(0, state);
      glRectf(0, 0, SIZE, SIZE);
      glDisable(GL_SAMPLE_MASK);
      end(t);
      for (int i = 0; i < t->samples; i++)
         CHECK(t->value[i][7][9][0] == (mask & state & 1 << i ? 1 : -1),
               "mask %x, state %x: sample %d is %f", mask, state, i, t->value[i][7][9][0]);
   }
   glDeleteProgram(p);
}

/* Tests a resolve of samples that a program has written one by one.  The result is their mean. */
static void
resolve(struct texture *t)
{
   static float pixel[SIZE][SIZE][4];
   float mean = 0; /* mean of the positions; with 16 samples, it is not the centre */

   for (int i = 0; i < t->samples; i++)
      mean += t->position[i].x / 256.0f / t->samples;
   begin(t);
   use(program("void main() {\n"
               "   gl_FragColor = vec4(gl_SampleID * 3 + 1, gl_FragCoord.x, gl_SampleID, 1);\n"
               "}\n"));
   glRectf(0, 0, SIZE, SIZE);
   glUseProgram(0);
   glBindFramebuffer(GL_READ_FRAMEBUFFER, t->fb);
   glBindFramebuffer(GL_DRAW_FRAMEBUFFER, plain_fb);
   glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, GL_COLOR_BUFFER_BIT, GL_NEAREST);
   glBindFramebuffer(GL_READ_FRAMEBUFFER, plain_fb);
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_FLOAT, pixel);
   for (int y = 0; y < SIZE; y++) {
      for (int x = 0; x < SIZE; x++) {
         const float number = (t->samples - 1) / 2.0f;
         CHECK(pixel[y][x][0] == number * 3 + 1 && pixel[y][x][2] == number &&
                  pixel[y][x][1] == x + mean && pixel[y][x][3] == 1,
               "%d samples: %f %f %f %f", t->samples, pixel[y][x][0], pixel[y][x][1],
               pixel[y][x][2], pixel[y][x][3]);
      }
   }
}

static void
queries(struct texture *t)
{
   GLint value = 0;

   glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, t->texture);
   glGetTexLevelParameteriv(GL_TEXTURE_2D_MULTISAMPLE, 0, GL_TEXTURE_SAMPLES, &value);
   CHECK(value == t->samples, "GL_TEXTURE_SAMPLES %d", value);
   glGetTexLevelParameteriv(GL_TEXTURE_2D_MULTISAMPLE, 0, GL_TEXTURE_WIDTH, &value);
   CHECK(value == SIZE, "GL_TEXTURE_WIDTH %d", value);
}

static void
make_plain(void)
{
   plain_fb = new_framebuffer();
   attach_renderbuffer(GL_COLOR_ATTACHMENT0, GL_RGBA32F, 0, SIZE, SIZE);
   CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE, "floats");
   fetch = program("uniform sampler2DMS image;\n"
                   "uniform int sample_number;\n"
                   "void main() {\n"
                   "   gl_FragColor = texelFetch(image, ivec2(gl_FragCoord.xy), sample_number);\n"
                   "}\n");
}

int
main(void)
{
   static struct texture t;
   GLint limit = 0;

   REQUIRE(test_pbuffer(SIZE, SIZE));
   glMatrixMode(GL_PROJECTION);
   glOrtho(0, SIZE, 0, SIZE, -1, 1);
   glClampColor(GL_CLAMP_FRAGMENT_COLOR, GL_FALSE);
   glClampColor(GL_CLAMP_READ_COLOR, GL_FALSE);
   make_plain();
   glGetIntegerv(GL_MAX_COLOR_TEXTURE_SAMPLES, &limit);
   CHECK(limit == MAX_SAMPLES, "GL_MAX_COLOR_TEXTURE_SAMPLES %d", limit);

   for (int samples = 2; samples <= MAX_SAMPLES; samples *= 2) {
      texture_create(&t, samples);
      built_in(&t);
      centroid(&t);
      mask_output(&t);
      resolve(&t);
      queries(&t);
      texture_destroy(&t);
   }
   return test_end();
}
