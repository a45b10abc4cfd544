/* SPDX-License-Identifier: MIT */
/*
 * Tests draws that are nearer than some pixels of a block and farther than others, for each depth
 * format and several places of the far pixels.  A test that drops blocks by bounds of their depths
 * must keep these.
 */
#include "core.h"

#define SIZE 64
#define DRAWS 15

static const char vs[] =
   "layout(location = 0) uniform float z;\n"
   "void main() {\n"
   "   gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, z, 1.0);\n"
   "}\n";

/* Returns whether the pixel is far, for each of the patterns. */
static bool
far(unsigned pattern, unsigned x, unsigned y)
{
   switch (pattern) {
   case 0:
      return x & 1;
   case 1:
      return !(x & 1);
   case 2:
      return y & 1;
   case 3:
      return (x ^ y) & 1;
   default:
      return x % 16 == pattern && y % 16 == 19 - pattern;
   }
}

static void
test(GLenum format, const char *name, unsigned pattern, GLuint steps, GLuint plain)
{
   static uint8_t mask[SIZE][SIZE], found[SIZE][SIZE][4];
   GLuint texture;

   for (unsigned y = 0; y < SIZE; y++) {
      for (unsigned x = 0; x < SIZE; x++)
         mask[y][x] = far(pattern, x, y) ? 255 : 0;
   }
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexStorage2D(GL_TEXTURE_2D, 1, GL_R8, SIZE, SIZE);
   glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, SIZE, SIZE, GL_RED, GL_UNSIGNED_BYTE, mask);

   new_framebuffer();
   attach_renderbuffer(GL_COLOR_ATTACHMENT0, GL_RGBA8, 0, SIZE, SIZE);
   attach_renderbuffer(GL_DEPTH_ATTACHMENT, format, 0, SIZE, SIZE);
   glViewport(0, 0, SIZE, SIZE);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);

   glUseProgram(steps);
   glDepthFunc(GL_ALWAYS);
   glDrawArrays(GL_TRIANGLES, 0, 3);

   glUseProgram(plain);
   glDepthFunc(GL_LESS);
   for (int i = 1; i <= DRAWS; i++) {
      glUniform1f(0, 0.9f - 0.1f * (float)i);
      glUniform1f(1, (float)i / 255.0f);
      glDrawArrays(GL_TRIANGLES, 0, 3);
   }
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, found);
   for (unsigned y = 0; y < SIZE; y++) {
      for (unsigned x = 0; x < SIZE; x++) {
         const unsigned want = far(pattern, x, y) ? DRAWS : 0;
         CHECK(found[y][x][0] == want, "%s, pattern %u, pixel %u, %u: draw %u, expected %u", name,
               pattern, x, y, found[y][x][0], want);
      }
   }
   glDeleteTextures(1, &texture);
}

int
main(void)
{
   static const struct {
      GLenum format;
      const char *name;
   } formats[] = {
      { GL_DEPTH_COMPONENT16, "16 bits" },
      { GL_DEPTH_COMPONENT24, "24 bits" },
      { GL_DEPTH_COMPONENT32, "32 bits" },
      { GL_DEPTH_COMPONENT32F, "float" },
   };

   core_begin();
   /* Depths of 0.95 and 0.05. */
   const GLuint steps = PROGRAM(.vs = vs,
                                .fs = "layout(binding = 0) uniform sampler2D far;\n"
                                      "out vec4 color;\n"
                                      "void main() {\n"
                                      "   ivec2 p = ivec2(gl_FragCoord.xy);\n"
                                      "   gl_FragDepth = texelFetch(far, p, 0).x * 0.9 + 0.05;\n"
                                      "   color = vec4(0.0);\n"
                                      "}\n");
   const GLuint plain = PROGRAM(.vs = vs, .fs = "layout(location = 1) uniform float number;\n"
                                                "out vec4 color;\n"
                                                "void main() { color = vec4(number); }\n");
   glEnable(GL_DEPTH_TEST);
   for (unsigned i = 0; i < sizeof formats / sizeof formats[0]; i++) {
      for (unsigned pattern = 0; pattern < 16; pattern++)
         test(formats[i].format, formats[i].name, pattern, steps, plain);
   }
   return core_end("depth blocks");
}
