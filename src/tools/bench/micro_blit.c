/* SPDX-License-Identifier: MIT */
/* Micro-benchmarks of blits: resolves of samples, conversions between formats, copies of depth, and
 * fills of targets with samples.
 */
#include <stdlib.h>

#include "bench_micro.h"

#define TIMES 8 /* number of blits, or layers of a fill, per frame */
#define PIXELS ((double)MICRO_SIDE * MICRO_SIDE)

enum { BLIT, BLIT_DEPTH, FILL };

/* Source and destination. A fill only has a source. */
struct side {
   GLenum format;
   GLsizei samples;
};

static const struct side sides[][2] = {
   { { GL_RGBA8, 2 }, { GL_RGBA8, 0 } },
   { { GL_RGBA8, 4 }, { GL_RGBA8, 0 } },
   { { GL_RGBA8, 8 }, { GL_RGBA8, 0 } },
   { { GL_SRGB8_ALPHA8, 4 }, { GL_SRGB8_ALPHA8, 0 } },
   { { GL_RGB10_A2, 4 }, { GL_RGB10_A2, 0 } },
   { { GL_R11F_G11F_B10F, 4 }, { GL_R11F_G11F_B10F, 0 } },
   { { GL_RGBA16F, 2 }, { GL_RGBA16F, 0 } },
   { { GL_RGBA16F, 4 }, { GL_RGBA16F, 0 } },
   { { GL_RGBA16F, 8 }, { GL_RGBA16F, 0 } },
   { { GL_RGBA32F, 4 }, { GL_RGBA32F, 0 } },
   { { GL_R8, 4 }, { GL_R8, 0 } },
   { { GL_R16F, 4 }, { GL_R16F, 0 } },
   { { GL_RGBA16F, 0 }, { GL_RGBA8, 0 } },
   { { GL_RGBA8, 0 }, { GL_RGBA16F, 0 } },
   { { GL_SRGB8_ALPHA8, 0 }, { GL_RGBA16F, 0 } },
   { { GL_RGBA16F, 0 }, { GL_SRGB8_ALPHA8, 0 } },
   { { GL_RGBA16F, 0 }, { GL_R11F_G11F_B10F, 0 } },
   { { GL_RGB10_A2, 0 }, { GL_RGBA8, 0 } },
   { { GL_RGBA32F, 0 }, { GL_RGBA16F, 0 } },
   { { GL_RG8, 0 }, { GL_RGBA8, 0 } },
   { { GL_DEPTH_COMPONENT24, 0 }, { GL_DEPTH_COMPONENT24, 0 } },
   { { GL_DEPTH_COMPONENT32F, 0 }, { GL_DEPTH_COMPONENT32F, 0 } },
   { { GL_DEPTH24_STENCIL8, 4 }, { GL_DEPTH24_STENCIL8, 0 } },
   { { GL_RGBA8, 4 }, { 0, 0 } },
   { { GL_RGBA8, 8 }, { 0, 0 } },
   { { GL_RGBA16F, 4 }, { 0, 0 } },
   { { GL_RGBA16F, 8 }, { 0, 0 } },
   { { GL_RGBA32F, 4 }, { 0, 0 } },
};

static GLuint framebuffer[2], result;

static GLuint
target(const struct side *side, bool depth)
{
   GLuint buffer, fb;

   glGenRenderbuffers(1, &buffer);
   glGenFramebuffers(1, &fb);
   glBindFramebuffer(GL_FRAMEBUFFER, fb);
   glBindRenderbuffer(GL_RENDERBUFFER, buffer);
   glRenderbufferStorageMultisample(GL_RENDERBUFFER, side->samples, side->format, MICRO_SIDE,
                                    MICRO_SIDE);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, depth ? GL_DEPTH_ATTACHMENT : GL_COLOR_ATTACHMENT0,
                             GL_RENDERBUFFER, buffer);
   if (depth)
      glDrawBuffer(GL_NONE);
   if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
      bench_fail("the driver cannot render to this format with these samples");
   return fb;
}

/* The source is drawn, so that no fast clear is left in it. */
static void
prepare_blit(const struct micro *micro)
{
   const struct side *side = sides[micro->format], plain = { GL_RGBA8, 0 };
   const bool depth = micro->variant == BLIT_DEPTH;

   micro_prepare_cover();
   result = target(&plain, false);
   framebuffer[1] = side[1].format ? target(&side[1], depth) : result;
   framebuffer[0] = target(&side[0], depth);
   glViewport(0, 0, MICRO_SIDE, MICRO_SIDE);
   glUseProgram(bench_draw_program("layout(location = 0) in vec2 corner;\n"
                                   "void main() { gl_Position = vec4(corner, -0.5, 1.0); }\n",
                                   "out vec4 color;\n"
                                   "void main() { color = vec4(0.2, 0.4, 0.6, 1.0); }\n"));
   if (depth) {
      glEnable(GL_DEPTH_TEST);
      glDepthFunc(GL_ALWAYS);
   }
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   micro_cover(1);
}

static void
blit(GLuint from, GLuint to, GLbitfield what)
{
   glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
   glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to);
   glBlitFramebuffer(0, 0, MICRO_SIDE, MICRO_SIDE, 0, 0, MICRO_SIDE, MICRO_SIDE, what, GL_NEAREST);
}

static void
frame_blit(const struct micro *micro)
{
   if (micro->variant == FILL) {
      micro_cover(TIMES);
      return;
   }
   for (unsigned i = 0; i < TIMES; i++)
      blit(framebuffer[0], framebuffer[1],
           micro->variant == BLIT ? GL_COLOR_BUFFER_BIT : GL_DEPTH_BUFFER_BIT);
}

static bool
check_blit(const struct micro *micro)
{
   const GLenum to = sides[micro->format][1].format, from = sides[micro->format][0].format;

   frame_blit(micro);
   if (micro->variant == BLIT_DEPTH) {
      float *depths = bench_alloc(MICRO_SIDE * MICRO_SIDE * sizeof(float));
      unsigned bad = 0;

      glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer[1]);
      glReadPixels(0, 0, MICRO_SIDE, MICRO_SIDE, GL_DEPTH_COMPONENT, GL_FLOAT, depths);
      for (unsigned i = 0; i < MICRO_SIDE * MICRO_SIDE; i++)
         bad += !(depths[i] > 0.24999f && depths[i] < 0.25001f);
      free(depths);
      return bad == 0;
   }
   if (micro->variant == FILL) {
      blit(framebuffer[0], result, GL_COLOR_BUFFER_BIT);
      glBindFramebuffer(GL_READ_FRAMEBUFFER, result);
   } else {
      glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer[1]);
   }
   const uint8_t *pixels = micro_read();
   const bool one = from == GL_R8 || from == GL_R16F, two = from == GL_RG8;
   const bool srgb = to == GL_SRGB8_ALPHA8;
   const int linear[4] = { 51, one ? 0 : 102, one || two ? 0 : 153, 255 };
   unsigned bad = 0;
   /* sRGB targets store the same codes, unless GL_FRAMEBUFFER_SRGB is enabled. */
   for (unsigned i = 0; i < MICRO_SIDE * MICRO_SIDE * 4; i++)
      bad += abs(pixels[i] - linear[i % 4]) > (srgb ? 255 : 3);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer[0]);
   return bad == 0;
}

#define MOVES(title, what, kind, index, each)                                         \
   {                                                                                  \
      .name = title, .text = what, .unit = "pixels", .work = TIMES * PIXELS,          \
      .bytes = TIMES * PIXELS * (each), .prepare = prepare_blit, .frame = frame_blit, \
      .check = check_blit, .variant = kind, .format = index                           \
   }
#define CONVERTS(from, to, index, each) \
   MOVES("blit-" from "-" to, "8 blits from " from " to " to, BLIT, index, each)
#define RESOLVES(format, samples, index, bytes)                                                \
   MOVES("resolve-" format "-" #samples, "8 resolves of " format " with " #samples " samples", \
         BLIT, index, (samples + 1) * (bytes))
#define FILLS(format, samples, index, bytes)                                                     \
   MOVES("fill-" format "-" #samples, "8 opaque layers of " format " with " #samples " samples", \
         FILL, index, samples *(bytes))

/* The last argument is the number of bytes per pixel that are read and written, or of a sample. */
const struct micro micro_blits[] = {
   RESOLVES("rgba8", 2, 0, 4),
   RESOLVES("rgba8", 4, 1, 4),
   RESOLVES("rgba8", 8, 2, 4),
   RESOLVES("srgb8", 4, 3, 4),
   RESOLVES("rgb10a2", 4, 4, 4),
   RESOLVES("rg11b10f", 4, 5, 4),
   RESOLVES("rgba16f", 2, 6, 8),
   RESOLVES("rgba16f", 4, 7, 8),
   RESOLVES("rgba16f", 8, 8, 8),
   RESOLVES("rgba32f", 4, 9, 16),
   RESOLVES("r8", 4, 10, 1),
   RESOLVES("r16f", 4, 11, 2),
   CONVERTS("rgba16f", "rgba8", 12, 12),
   CONVERTS("rgba8", "rgba16f", 13, 12),
   CONVERTS("srgb8", "rgba16f", 14, 12),
   CONVERTS("rgba16f", "srgb8", 15, 12),
   CONVERTS("rgba16f", "rg11b10f", 16, 12),
   CONVERTS("rgb10a2", "rgba8", 17, 8),
   CONVERTS("rgba32f", "rgba16f", 18, 24),
   CONVERTS("rg8", "rgba8", 19, 6),
   MOVES("blit-z24", "8 blits of Z24", BLIT_DEPTH, 20, 8),
   MOVES("blit-z32f", "8 blits of Z32F", BLIT_DEPTH, 21, 8),
   MOVES("resolve-z24s8-4", "8 resolves of Z24 with 4 samples", BLIT_DEPTH, 22, 8),
   FILLS("rgba8", 4, 23, 4),
   FILLS("rgba8", 8, 24, 4),
   FILLS("rgba16f", 4, 25, 8),
   FILLS("rgba16f", 8, 26, 8),
   FILLS("rgba32f", 4, 27, 16),
};
const unsigned micro_blit_count = sizeof(micro_blits) / sizeof(micro_blits[0]);
