/* SPDX-License-Identifier: MIT */
/*
 * Runs random clears, draws, blits, copies and reads of framebuffers with and without samples
 * twice: with clears, which may be fast clears, and with quads instead.  Both must leave the same
 * bits.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "pbuffer.h"
#include "random.h"

#define WIDTH 150
#define HEIGHT 100
#define TARGETS 4
#define STEPS 30

static const struct {
   GLenum format;
   bool integer;
} color_formats[] = {
   { GL_RGBA8 },   { GL_SRGB8_ALPHA8 }, { GL_RGBA16F }, { GL_R11F_G11F_B10F }, { GL_RGB10_A2 },
   { GL_RGBA32F }, { GL_R8 },           { GL_RGB565 },  { GL_RGBA8UI, true },
};
static const struct {
   GLenum format;
   bool stencil;
} depth_formats[] = {
   { GL_DEPTH24_STENCIL8, true },
   { GL_DEPTH32F_STENCIL8, true },
   { GL_DEPTH_COMPONENT16 },
   { GL_DEPTH_COMPONENT32F },
};

/* A render target.  Its attachments are textures, so that programs can read all samples. */
struct target {
   GLuint fb, color, depth;
};

/* Targets of both worlds.  Targets with the same number have the same number of samples. */
static struct target targets[2][TARGETS];
static unsigned samples[TARGETS];
static unsigned color_format, depth_format;
static GLuint fill[2], show[2], fetch[2];
static GLuint read_fb[2];

static const char *const vertex = "#version 330\n"
                                  "layout(location = 0) in vec4 p;\n"
                                  "void main() { gl_Position = p; }\n";

static bool
integer(void)
{
   return color_formats[color_format].integer;
}

static void
make_programs(void)
{
   fill[0] = test_program(vertex, "#version 330\n"
                                  "uniform vec4 c; out vec4 o;\n"
                                  "void main() { o = c; }\n");
   fill[1] = test_program(vertex, "#version 330\n"
                                  "uniform vec4 c; out uvec4 o;\n"
                                  "void main() { o = uvec4(c * 255.); }\n");
   show[0] = test_program(vertex, "#version 330\n"
                                  "uniform sampler2D t; out vec4 o;\n"
                                  "void main() { o = texelFetch(t, ivec2(gl_FragCoord), 0); }\n");
   show[1] = test_program(vertex, "#version 330\n"
                                  "uniform usampler2D t; out uvec4 o;\n"
                                  "void main() { o = texelFetch(t, ivec2(gl_FragCoord), 0); }\n");
   fetch[0] = test_program(vertex, "#version 330\n"
                                   "uniform sampler2DMS t; uniform int s; out vec4 o;\n"
                                   "void main() { o = texelFetch(t, ivec2(gl_FragCoord), s); }\n");
   fetch[1] = test_program(vertex, "#version 330\n"
                                   "uniform usampler2DMS t; uniform int s; out uvec4 o;\n"
                                   "void main() { o = texelFetch(t, ivec2(gl_FragCoord), s); }\n");
}

static GLuint
make_texture(unsigned num, GLenum format)
{
   const GLenum target = num ? GL_TEXTURE_2D_MULTISAMPLE : GL_TEXTURE_2D;
   GLuint t;

   glGenTextures(1, &t);
   glBindTexture(target, t);
   if (num) {
      glTexStorage2DMultisample(target, num, format, WIDTH, HEIGHT, true);
   } else {
      glTexStorage2D(target, 1, format, WIDTH, HEIGHT);
      glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   }
   return t;
}

static void
make_target(struct target *t, unsigned num)
{
   const GLenum attachment = depth_formats[depth_format].stencil ? GL_DEPTH_STENCIL_ATTACHMENT
                                                                 : GL_DEPTH_ATTACHMENT;
   const GLenum target = num ? GL_TEXTURE_2D_MULTISAMPLE : GL_TEXTURE_2D;

   t->color = make_texture(num, color_formats[color_format].format);
   t->depth = make_texture(num, depth_formats[depth_format].format);
   t->fb = new_framebuffer();
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, target, t->color, 0);
   glFramebufferTexture2D(GL_FRAMEBUFFER, attachment, target, t->depth, 0);
   CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE, "%x with %x, %u",
         color_formats[color_format].format, depth_formats[depth_format].format, num);
}

static void
delete_target(struct target *t)
{
   glDeleteFramebuffers(1, &t->fb);
   glDeleteTextures(1, &t->color);
   glDeleteTextures(1, &t->depth);
}

static void
draw_strip(const float (*p)[4])
{
   glVertexAttribPointer(0, 4, GL_FLOAT, false, 0, p);
   glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

static void
draw_quad(float z)
{
   const float p[4][4] = { { -1, -1, z, 1 }, { 1, -1, z, 1 }, { -1, 1, z, 1 }, { 1, 1, z, 1 } };

   draw_strip(p);
}

static void
use_fill(const float *color)
{
   GLuint program = fill[integer()];

   glUseProgram(program);
   glUniform4fv(glGetUniformLocation(program, "c"), 1, color);
}

/* Parameters of a step, chosen once for both worlds. */
struct step {
   unsigned kind, to, from;
   GLbitfield mask;
   float color[4], depth, shape[4][4];
   unsigned stencil, stencil_mask, sample_mask, color_mask, depth_func, stencil_func, flags;
   int scissor[4], rect[2][4];
};
enum { SCISSOR = 1, BLEND = 2, TEST = 4, STENCIL = 8, COVERAGE = 16, SRGB = 32, LINEAR = 64 };

static void
choose_rect(int *r)
{
   /* Edges of the rectangle are often also edges of tiles and blocks. */
   const unsigned unit = below(2) ? 16 : 1;

   for (unsigned i = 0; i < 2; i++) {
      const int limit = i ? HEIGHT : WIDTH;
      const int a = below(limit / unit) * unit, b = below(limit / unit + 1) * unit;

      r[i] = a < b ? a : b;
      r[2 + i] = (a < b ? b : a) + (a == b);
   }
   if (!below(3)) {
      r[0] = r[1] = 0;
      r[2] = WIDTH;
      r[3] = HEIGHT;
   }
}

static struct step
choose_step(void)
{
   struct step s = { .kind = below(16), .to = below(TARGETS), .from = below(TARGETS) };

   s.mask = (below(3) ? GL_COLOR_BUFFER_BIT : 0) | (below(2) ? GL_DEPTH_BUFFER_BIT : 0);
   if (depth_formats[depth_format].stencil && below(2))
      s.mask |= GL_STENCIL_BUFFER_BIT;
   for (unsigned c = 0; c < 4; c++) {
      s.color[c] = below(5) / 4.0f;
      if (color_formats[color_format].format == GL_RGBA8 && below(2))
         s.color[c] = below(256) / 255.0f;
   }
   s.depth = below(5) / 4.0f;
   s.stencil = below(256);
   s.stencil_mask = below(3) ? 0xff : below(256);
   s.sample_mask = below(3) ? ~0u : below(256);
   s.color_mask = below(3) ? 15 : below(16);
   s.depth_func = GL_NEVER + below(8);
   s.stencil_func = GL_NEVER + below(8);
   s.flags = below(128);
   for (unsigned v = 0; v < 4; v++) {
      for (unsigned c = 0; c < 3; c++)
         s.shape[v][c] = below(17) / 8.0f - 1;
      s.shape[v][3] = 1;
   }
   choose_rect(s.scissor);
   choose_rect(s.rect[0]);
   choose_rect(s.rect[1]);
   for (unsigned i = 0; i < 2; i++) {
      if (!below(4)) {
         const int x = s.rect[1][i];
         s.rect[1][i] = s.rect[1][2 + i];
         s.rect[1][2 + i] = x;
      }
   }
   /* Sometimes blit from whole micro tiles to half the size. */
   if (!below(4)) {
      const int half[2][4] = { { 0, 0, 128, 96 }, { 16, 16, 80, 64 } };

      memcpy(s.rect, half, sizeof half);
      s.to = below(2);
      s.from = !s.to;
      s.mask = GL_COLOR_BUFFER_BIT;
      s.flags |= LINEAR;
   }
   return s;
}

static void
enable(GLenum what, bool on)
{
   (on ? glEnable : glDisable)(what);
}

static void
set_masks(const struct step *s)
{
   glScissor(s->scissor[0], s->scissor[1], s->scissor[2] - s->scissor[0],
             s->scissor[3] - s->scissor[1]);
   enable(GL_SCISSOR_TEST, s->flags & SCISSOR);
   enable(GL_FRAMEBUFFER_SRGB, s->flags & SRGB);
   glColorMask(s->color_mask & 1, s->color_mask & 2, s->color_mask & 4, s->color_mask & 8);
   glDepthMask(true);
   glStencilMask(s->stencil_mask);
}

static void
clear(const struct step *s, bool quads)
{
   set_masks(s);
   if (!quads) {
      glClearDepth(s->depth);
      glClearStencil(s->stencil);
      if (!integer()) {
         glClearColor(s->color[0], s->color[1], s->color[2], s->color[3]);
         glClear(s->mask);
         return;
      }
      glClear(s->mask & ~GL_COLOR_BUFFER_BIT);
      if (s->mask & GL_COLOR_BUFFER_BIT) {
         GLuint c[4];
         for (unsigned i = 0; i < 4; i++)
            c[i] = s->color[i] * 255.0f;
         glClearBufferuiv(GL_COLOR, 0, c);
      }
      return;
   }
   if (!(s->mask & GL_COLOR_BUFFER_BIT))
      glColorMask(false, false, false, false);
   enable(GL_DEPTH_TEST, s->mask & GL_DEPTH_BUFFER_BIT);
   glDepthFunc(GL_ALWAYS);
   enable(GL_STENCIL_TEST, s->mask & GL_STENCIL_BUFFER_BIT);
   glStencilFunc(GL_ALWAYS, s->stencil, 0xff);
   glStencilOp(GL_REPLACE, GL_REPLACE, GL_REPLACE);
   glDisable(GL_BLEND);
   glDisable(GL_SAMPLE_MASK);
   glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
   use_fill(s->color);
   draw_quad(s->depth * 2 - 1);
}

static void
draw(const struct step *s)
{
   set_masks(s);
   enable(GL_DEPTH_TEST, s->flags & TEST);
   glDepthFunc(s->depth_func);
   enable(GL_STENCIL_TEST, s->flags & STENCIL);
   glStencilFunc(s->stencil_func, s->stencil, 0xff);
   glStencilOp(GL_INCR_WRAP, GL_INVERT, GL_REPLACE);
   enable(GL_BLEND, s->flags & BLEND && !integer());
   glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
   enable(GL_SAMPLE_MASK, s->sample_mask != ~0u);
   glSampleMaski(0, s->sample_mask);
   enable(GL_SAMPLE_ALPHA_TO_COVERAGE, s->flags & COVERAGE && !integer());
   use_fill(s->color);
   if (s->kind & 1)
      draw_strip(s->shape);
   else
      draw_quad(s->depth * 2 - 1);
}

static void
blit(const struct step *s, const struct target *from)
{
   const bool any_samples = samples[s->from] || samples[s->to];
   const int *a = s->rect[0], *b = any_samples ? a : s->rect[1];
   GLbitfield mask = s->mask;

   /* OpenGL has no blits between different numbers of samples, except from or to one sample. */
   if (s->from == s->to ||
       (samples[s->from] && samples[s->to] && samples[s->from] != samples[s->to]))
      return;
   set_masks(s);
   glBindFramebuffer(GL_READ_FRAMEBUFFER, from->fb);
   glBlitFramebuffer(a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3], mask,
                     mask == GL_COLOR_BUFFER_BIT && !integer() && s->flags & LINEAR ? GL_LINEAR
                                                                                    : GL_NEAREST);
}

static void
copy(const struct step *s, const struct target *from, const struct target *to)
{
   const int *r = s->rect[0];
   const bool depth = s->flags & TEST;

   if (s->from == s->to || samples[s->from] != samples[s->to])
      return;
   const GLenum target = samples[s->to] ? GL_TEXTURE_2D_MULTISAMPLE : GL_TEXTURE_2D;
   glCopyImageSubData(depth ? from->depth : from->color, target, 0, r[0], r[1], 0,
                      depth ? to->depth : to->color, target, 0, r[0], r[1], 0, r[2] - r[0],
                      r[3] - r[1], 1);
}

/* glClearTexSubImage ignores write masks and stores sRGB values without conversion. */
static void
clear_texture(const struct step *s, const struct target *to, bool quads)
{
   const int *r = s->rect[0];

   if (quads) {
      struct step fill = *s;

      fill.flags = SCISSOR;
      memcpy(fill.scissor, r, sizeof fill.scissor);
      fill.mask = GL_COLOR_BUFFER_BIT;
      fill.color_mask = 15;
      clear(&fill, true);
      return;
   }
   GLuint c[4];
   for (unsigned i = 0; i < 4; i++)
      c[i] = s->color[i] * 255.0f;
   glClearTexSubImage(to->color, 0, r[0], r[1], 0, r[2] - r[0], r[3] - r[1], 1,
                      integer() ? GL_RGBA_INTEGER : GL_RGBA, integer() ? GL_UNSIGNED_INT : GL_FLOAT,
                      integer() ? (const void *)c : s->color);
}

/* Draws a quad with texels of the source, or with one of its samples. */
static void
sample(const struct step *s, const struct target *from)
{
   if (s->from == s->to)
      return;
   set_masks(s);
   glDisable(GL_DEPTH_TEST);
   glDisable(GL_STENCIL_TEST);
   glDisable(GL_BLEND);
   glDisable(GL_SAMPLE_MASK);
   glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
   glUseProgram(samples[s->from] ? fetch[integer()] : show[integer()]);
   glBindTexture(samples[s->from] ? GL_TEXTURE_2D_MULTISAMPLE : GL_TEXTURE_2D, from->color);
   if (samples[s->from])
      glUniform1i(glGetUniformLocation(fetch[integer()], "s"), s->stencil % samples[s->from]);
   draw_quad(0);
}

static uint8_t image[2][WIDTH * HEIGHT * 16];

static void
compare(const char *what, unsigned target, unsigned bytes, int width, int height, unsigned round,
        unsigned step)
{
   const unsigned size = width * height * bytes;

   if (!memcmp(image[0], image[1], size))
      return;
   unsigned i = 0;
   while (image[0][i] == image[1][i])
      i++;
   CHECK(false,
         "round %u, step %u: %s of target %u (%u samples, %x with %x): %u, %u differs: "
         "%02x, by quads %02x",
         round, step, what, target, samples[target], color_formats[color_format].format,
         depth_formats[depth_format].format, i / bytes % width, i / bytes / width, image[0][i],
         image[1][i]);
}

static void
read_pixels(const struct step *s, const struct target *t, unsigned world)
{
   const int *r = s->rect[0];

   glBindFramebuffer(GL_READ_FRAMEBUFFER, t->fb);
   if (s->flags & TEST)
      glReadPixels(r[0], r[1], r[2] - r[0], r[3] - r[1], GL_DEPTH_COMPONENT, GL_FLOAT,
                   image[world]);
   else if (integer())
      glReadPixels(r[0], r[1], r[2] - r[0], r[3] - r[1], GL_RGBA_INTEGER, GL_UNSIGNED_INT,
                   image[world]);
   else
      glReadPixels(r[0], r[1], r[2] - r[0], r[3] - r[1], GL_RGBA, GL_FLOAT, image[world]);
}

static void
run_step(const struct step *s, unsigned round, unsigned step)
{
   /* Do this rarely, because the source is used as a texture afterwards. */
   const bool sampled = s->kind == 12 && s->flags & BLEND && s->flags & STENCIL;

   for (unsigned world = 0; world < 2; world++) {
      const struct target *to = &targets[world][s->to], *from = &targets[world][s->from];

      glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to->fb);
      if (s->kind < 5)
         clear(s, world);
      else if (s->kind < 9)
         draw(s);
      else if (s->kind < 11)
         blit(s, from);
      else if (s->kind == 11)
         copy(s, from, to);
      else if (sampled)
         sample(s, from);
      else if (s->kind == 13 && !samples[s->to])
         read_pixels(s, to, world);
      else if (s->kind == 14)
         glFlush();
      else if (s->kind == 15)
         clear_texture(s, to, world);
   }
   if (s->kind == 13 && !samples[s->to])
      compare("a part", s->to, s->flags & TEST ? 4 : 16, s->rect[0][2] - s->rect[0][0],
              s->rect[0][3] - s->rect[0][1], round, step);
}

/* Compares all samples of target i, and the stencil values of the first sample. */
static void
compare_target(unsigned i, unsigned round)
{
   const struct step all = { .color_mask = 15,
                             .stencil_mask = 0xff,
                             .rect = { { 0, 0, WIDTH, HEIGHT } } };
   struct step depth = all;

   depth.flags = TEST;
   if (!samples[i]) {
      for (unsigned world = 0; world < 2; world++)
         read_pixels(&all, &targets[world][i], world);
      compare("color", i, 16, WIDTH, HEIGHT, round, STEPS);
   }
   for (unsigned n = 0; n < samples[i]; n++) {
      for (unsigned world = 0; world < 2; world++) {
         set_masks(&all);
         glDisable(GL_DEPTH_TEST);
         glDisable(GL_STENCIL_TEST);
         glDisable(GL_BLEND);
         glDisable(GL_SAMPLE_MASK);
         glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
         glBindFramebuffer(GL_FRAMEBUFFER, read_fb[integer()]);
         glUseProgram(fetch[integer()]);
         glUniform1i(glGetUniformLocation(fetch[integer()], "s"), n);
         glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, targets[world][i].color);
         draw_quad(0);
         glReadPixels(0, 0, WIDTH, HEIGHT, integer() ? GL_RGBA_INTEGER : GL_RGBA,
                      integer() ? GL_UNSIGNED_INT : GL_FLOAT, image[world]);
      }
      compare("color", i, 16, WIDTH, HEIGHT, round, STEPS + n);
      for (unsigned world = 0; world < 2; world++) {
         glBindFramebuffer(GL_FRAMEBUFFER, read_fb[0]);
         glUseProgram(fetch[0]);
         glUniform1i(glGetUniformLocation(fetch[0], "s"), n);
         glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, targets[world][i].depth);
         draw_quad(0);
         glReadPixels(0, 0, WIDTH, HEIGHT, GL_RED, GL_FLOAT, image[world]);
      }
      compare("depth", i, 4, WIDTH, HEIGHT, round, STEPS + n);
   }
   const struct target single[2] = { targets[0][i], targets[1][i] };
   for (unsigned world = 0; world < 2 && !samples[i]; world++)
      read_pixels(&depth, &single[world], world);
   if (!samples[i])
      compare("depth", i, 4, WIDTH, HEIGHT, round, STEPS);
   if (!depth_formats[depth_format].stencil)
      return;
   for (unsigned world = 0; world < 2; world++) {
      struct target t;

      set_masks(&all);
      make_target(&t, 0);
      glBindFramebuffer(GL_READ_FRAMEBUFFER, targets[world][i].fb);
      glBlitFramebuffer(0, 0, WIDTH, HEIGHT, 0, 0, WIDTH, HEIGHT, GL_STENCIL_BUFFER_BIT,
                        GL_NEAREST);
      glBindFramebuffer(GL_READ_FRAMEBUFFER, t.fb);
      glReadPixels(0, 0, WIDTH, HEIGHT, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, image[world]);
      delete_target(&t);
   }
   compare("stencil", i, 1, WIDTH, HEIGHT, round, STEPS);
}

int
main(int argc, char **argv)
{
   const unsigned rounds = argc > 1 ? atoi(argv[1]) : 60;
   static const unsigned counts[] = { 0, 4, 2, 8, 16 };

   REQUIRE(test_pbuffer(16, 16));
   make_programs();
   for (unsigned i = 0; i < 2; i++) {
      read_fb[i] = new_framebuffer();
      attach_renderbuffer(GL_COLOR_ATTACHMENT0, i ? GL_RGBA32UI : GL_RGBA32F, 0, WIDTH, HEIGHT);
   }
   glViewport(0, 0, WIDTH, HEIGHT);
   glEnableVertexAttribArray(0);
   glDisable(GL_DITHER);
   glPixelStorei(GL_PACK_ALIGNMENT, 1);
   glClampColor(GL_CLAMP_READ_COLOR, GL_FALSE);

   for (unsigned round = 0; round < rounds; round++) {
      const unsigned many = counts[1 + below(4)];

      /* Half of the rounds use RGBA8, which has the most paths. */
      color_format = below(2) * below(sizeof color_formats / sizeof color_formats[0]);
      depth_format = below(sizeof depth_formats / sizeof depth_formats[0]);
      for (unsigned i = 0; i < TARGETS; i++)
         samples[i] = i < 2 ? 0 : many;
      for (unsigned world = 0; world < 2; world++) {
         for (unsigned i = 0; i < TARGETS; i++)
            make_target(&targets[world][i], samples[i]);
      }
      for (unsigned step = 0; step < STEPS; step++) {
         const struct step s = choose_step();
         run_step(&s, round, step);
         const GLenum error = glGetError();
         CHECK(!error, "round %u, step %u of kind %u, %x with %x: %x", round, step, s.kind,
               color_formats[color_format].format, depth_formats[depth_format].format, error);
      }
      for (unsigned i = 0; i < TARGETS; i++)
         compare_target(i, round);
      for (unsigned world = 0; world < 2; world++) {
         for (unsigned i = 0; i < TARGETS; i++)
            delete_target(&targets[world][i]);
      }
   }
   return fails != 0;
}
