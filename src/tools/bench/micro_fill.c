/* SPDX-License-Identifier: MIT */
/*
 * Micro-benchmarks of the rasterizer and the ROP: opaque, blended and depth-only fills.
 */
#include <stdlib.h>

#include "bench_micro.h"

#define LAYERS 8 /* number of times that a frame covers the target */
#define PIXELS ((double)MICRO_SIDE * MICRO_SIDE)

enum { OPAQUE, BLENDED, DEPTH_ONLY };

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

/* The last argument is the number of bytes per pixel.  Opaque fills write 4 bytes, while blending
 * and depth tests also read 4 bytes.
 */
const struct micro micro_fills[] = {
   FILL("fill-opaque", "8 opaque layers", OPAQUE, 4),
   FILL("fill-blended", "8 layers of half opacity", BLENDED, 8),
   FILL("fill-depth", "8 layers of depth alone, of which all pass", DEPTH_ONLY, 8),
};
const unsigned micro_fill_count = sizeof(micro_fills) / sizeof(micro_fills[0]);
