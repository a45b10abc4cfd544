/* SPDX-License-Identifier: MIT */
/*
 * Micro-benchmarks of the rasterizer and the ROP: opaque, blended, depth-only and stencil fills.
 */
#include <stdlib.h>

#include "bench_micro.h"

#define LAYERS 8 /* number of times that a frame covers the target */
#define PIXELS ((double)MICRO_SIDE * MICRO_SIDE)

enum { OPAQUE, BLENDED, DEPTH_ONLY, STENCIL };

/* Fills with the stencil test. `last` is the stencil value after all layers.
 */
static const struct stencil {
   GLenum func, fail, pass;
   GLint ref, clear, last;
   bool colored, mixed;
} stencils[] = {
   { GL_GEQUAL, GL_KEEP, GL_INCR, 255, 1, 1 + LAYERS, .colored = true },
   { GL_ALWAYS, GL_KEEP, GL_REPLACE, 7, 1, 7, .colored = true },
   { GL_EQUAL, GL_KEEP, GL_KEEP, 1, 1, 1, .colored = true },
   { GL_ALWAYS, GL_KEEP, GL_INVERT, 0, 1, 1, .colored = false },
   { GL_NEVER, GL_KEEP, GL_KEEP, 1, 1, 1, .colored = false },
   /* half of the target has another value, in stripes of pixels */
   { GL_EQUAL, GL_KEEP, GL_KEEP, 1, 1, 1, .colored = true, .mixed = true },
   { GL_ALWAYS, GL_KEEP, GL_INCR, 0, 1, 1 + LAYERS, .colored = true, .mixed = true },
};

GLuint
micro_target(bool depth)
{
   GLuint textures[2], fb;

   glGenTextures(2, textures);
   glGenFramebuffers(1, &fb);
   glBindFramebuffer(GL_FRAMEBUFFER, fb);
   for (unsigned i = 0; i < (depth ? 2 : 1); i++) {
      glBindTexture(GL_TEXTURE_2D, textures[i]);
      glTexImage2D(GL_TEXTURE_2D, 0, i ? GL_DEPTH_COMPONENT24 : GL_RGBA8, MICRO_SIDE, MICRO_SIDE, 0,
                   i ? GL_DEPTH_COMPONENT : GL_RGBA, i ? GL_UNSIGNED_INT : GL_UNSIGNED_BYTE, NULL);
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
      glFramebufferTexture2D(GL_FRAMEBUFFER, i ? GL_DEPTH_ATTACHMENT : GL_COLOR_ATTACHMENT0,
                             GL_TEXTURE_2D, textures[i], 0);
   }
   if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
      bench_fail("the driver cannot render to RGBA8");
   glViewport(0, 0, MICRO_SIDE, MICRO_SIDE);
   return textures[0];
}

void
micro_prepare_cover(void)
{
   static const float corners[6] = { -1, -1, 3, -1, -1, 3 };
   GLuint buffer;

   glGenBuffers(1, &buffer);
   glBindBuffer(GL_ARRAY_BUFFER, buffer);
   glBufferData(GL_ARRAY_BUFFER, sizeof(corners), corners, GL_STATIC_DRAW);
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 8, NULL);
   glEnableVertexAttribArray(0);
}

void
micro_cover(unsigned layers)
{
   for (unsigned i = 0; i < layers; i++)
      glDrawArrays(GL_TRIANGLES, 0, 3);
}

const uint8_t *
micro_read(void)
{
   static uint8_t *pixels;

   if (!pixels)
      pixels = bench_alloc(MICRO_SIDE * MICRO_SIDE * 4);
   glReadPixels(0, 0, MICRO_SIDE, MICRO_SIDE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
   return pixels;
}

bool
micro_is(const uint8_t *pixels, const int rgba[4], int tolerance)
{
   unsigned bad = 0;

   for (unsigned i = 0; i < MICRO_SIDE * MICRO_SIDE * 4; i++)
      bad += abs(pixels[i] - rgba[i % 4]) > tolerance;
   return bad == 0;
}

static void
prepare_fill(const struct micro *micro)
{
   micro_target(micro->variant == DEPTH_ONLY);
   micro_prepare_cover();
   glUseProgram(
      bench_draw_program("layout(location = 0) in vec2 corner; uniform float z;\n"
                         "void main() { gl_Position = vec4(corner, z, 1.0); }\n",
                         "uniform vec4 color; out vec4 result; void main() { result = color; }\n"));
   GLint program;
   glGetIntegerv(GL_CURRENT_PROGRAM, &program);
   glUniform4f(glGetUniformLocation((GLuint)program, "color"), 0.2f, 0.4f, 0.6f,
               micro->variant == BLENDED ? 0.5f : 1.0f);
   if (micro->variant == BLENDED) {
      glEnable(GL_BLEND);
      glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
   } else if (micro->variant == DEPTH_ONLY) {
      glEnable(GL_DEPTH_TEST);
      glDepthFunc(GL_LEQUAL);
      glColorMask(0, 0, 0, 0);
      glUniform1f(glGetUniformLocation((GLuint)program, "z"), -0.5f);
   }
}

static void
prepare_stencil(const struct micro *micro)
{
   const struct stencil *s = &stencils[micro->format];
   GLuint buffer;

   prepare_fill(micro);
   glGenRenderbuffers(1, &buffer);
   glBindRenderbuffer(GL_RENDERBUFFER, buffer);
   glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH24_STENCIL8, MICRO_SIDE, MICRO_SIDE);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER, buffer);
   if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
      bench_fail("the driver cannot render to RGBA8 with stencil");
   glEnable(GL_STENCIL_TEST);
   glStencilFunc(s->func, s->ref, 0xff);
   glStencilOp(s->fail, GL_KEEP, s->pass);
   glClearStencil(s->clear);
   glClear(GL_COLOR_BUFFER_BIT);
   if (!s->colored)
      glColorMask(0, 0, 0, 0);
}

/* Clears one column of 16 to another value, so that no block of pixels has a single value. */
static void
clear_stripes(void)
{
   glEnable(GL_SCISSOR_TEST);
   glClearStencil(9);
   for (unsigned x = 3; x < MICRO_SIDE; x += 16) {
      glScissor((GLint)x, 0, 1, MICRO_SIDE);
      glClear(GL_STENCIL_BUFFER_BIT);
   }
   glClearStencil(1);
   glDisable(GL_SCISSOR_TEST);
}

static void
frame_stencil(const struct micro *micro)
{
   glClear(GL_COLOR_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
   if (stencils[micro->format].mixed)
      clear_stripes();
   micro_cover(LAYERS);
}

static bool
check_stencil(const struct micro *micro)
{
   const struct stencil *s = &stencils[micro->format];
   const bool drawn = s->colored;
   uint8_t *values = bench_alloc(MICRO_SIDE * MICRO_SIDE);
   unsigned bad = 0;

   frame_stencil(micro);
   glReadPixels(0, 0, MICRO_SIDE, MICRO_SIDE, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, values);
   for (unsigned i = 0; i < MICRO_SIDE * MICRO_SIDE; i++)
      bad += values[i] != s->last + (s->mixed && i % 16 == 3 ? 8 : 0);
   free(values);
   if (s->mixed && s->func == GL_EQUAL)
      return bad == 0;
   return bad == 0 &&
          micro_is(micro_read(),
                   drawn ? (const int[4]){ 51, 102, 153, 255 } : (const int[4]){ 0, 0, 0, 0 }, 0);
}

static void
frame_fill(const struct micro *micro)
{
   glClear(micro->variant == DEPTH_ONLY ? GL_DEPTH_BUFFER_BIT : GL_COLOR_BUFFER_BIT);
   micro_cover(LAYERS);
}

static bool
check_fill(const struct micro *micro)
{
   frame_fill(micro);
   if (micro->variant == DEPTH_ONLY) {
      float *depths = bench_alloc(MICRO_SIDE * MICRO_SIDE * sizeof(float));
      unsigned bad = 0;

      glReadPixels(0, 0, MICRO_SIDE, MICRO_SIDE, GL_DEPTH_COMPONENT, GL_FLOAT, depths);
      for (unsigned i = 0; i < MICRO_SIDE * MICRO_SIDE; i++)
         bad += !(depths[i] > 0.24999f && depths[i] < 0.25001f);
      free(depths);
      return bad == 0;
   }
   if (micro->variant == OPAQUE)
      return micro_is(micro_read(), (const int[4]){ 51, 102, 153, 255 }, 0);
   /* Each layer halves the difference between a pixel and the layer's color, and rounds the result.
    * Alpha converges to one half.
    */
   float exact[4] = { 0 };
   for (unsigned i = 0; i < LAYERS; i++) {
      const float color[4] = { 51, 102, 153, 127.5f };
      for (unsigned c = 0; c < 4; c++)
         exact[c] = (exact[c] + color[c]) / 2;
   }
   const int rgba[4] = { (int)exact[0], (int)exact[1], (int)exact[2], (int)exact[3] };
   return micro_is(micro_read(), rgba, 2);
}

#define FILL(title, what, kind, each)                                                  \
   {                                                                                   \
      .name = title, .text = what, .unit = "pixels", .work = LAYERS * PIXELS,          \
      .bytes = LAYERS * PIXELS * (each), .prepare = prepare_fill, .frame = frame_fill, \
      .check = check_fill, .variant = kind                                             \
   }

#define STENCIL_FILL(title, what, number, each)                                              \
   {                                                                                         \
      .name = title, .text = what, .unit = "pixels", .work = LAYERS * PIXELS,                \
      .bytes = LAYERS * PIXELS * (each), .prepare = prepare_stencil, .frame = frame_stencil, \
      .check = check_stencil, .variant = STENCIL, .format = number                           \
   }

/* The last argument is the number of bytes per pixel.  Opaque fills write 4 bytes, while blending
 * and depth tests also read 4 bytes.
 */
const struct micro micro_fills[] = {
   FILL("fill-opaque", "8 opaque layers", OPAQUE, 4),
   FILL("fill-blended", "8 layers of half opacity", BLENDED, 8),
   FILL("fill-depth", "8 layers of depth alone, of which all pass", DEPTH_ONLY, 8),
   STENCIL_FILL("stencil-incr", "8 layers that increment stencil", 0, 12),
   STENCIL_FILL("stencil-replace", "8 layers that set stencil", 1, 12),
   STENCIL_FILL("stencil-equal", "8 layers where stencil is equal", 2, 8),
   STENCIL_FILL("stencil-invert", "8 layers that invert stencil alone", 3, 8),
   STENCIL_FILL("stencil-never", "8 layers that fail the stencil test", 4, 4),
   STENCIL_FILL("stencil-equal-mixed", "8 layers where stencil is equal, but in stripes", 5, 8),
   STENCIL_FILL("stencil-incr-mixed", "8 layers that increment stencil of stripes", 6, 12),
};
const unsigned micro_fill_count = sizeof(micro_fills) / sizeof(micro_fills[0]);
