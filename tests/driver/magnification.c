/* SPDX-License-Identifier: MIT */
/*
 * Tests that the switch between magnification and minification is at level of detail 0 for every
 * pair of filters, as in other drivers.  (OpenGL 2.1, 3.8.9, has 1/2 for a linear magnification
 * filter with a nearest minification filter with mipmaps; OpenGL ES 3.0, 3.8.11, allows 0.)
 *
 * Columns of level 0 are black and white alternately, and all of level 1 is 0.5.  A pixel shows a
 * column, the mean of the levels, or only level 1, unless a linear filter mixes columns.
 */
#include <math.h>

#include "gles.h"

#define SIZE 64

static const char vertex[] = "attribute vec4 position; uniform float scale; varying vec2 at;\n"
                             "void main() { gl_Position = position; at = position.xy * scale; }";
static const char fragment[] = "precision highp float; uniform sampler2D image; varying vec2 at;\n"
                               "void main() { gl_FragColor = texture2D(image, at); }";

/* Returns true if the value is a column of 0 or 1, mixed with the given share of level 1's 0.5.
 * The tolerance of 12 covers the error of llvmpipe's logarithm.
 */
static int
is_column(int value, double share)
{
   const double low = 127.5 * share, high = 255 - low;
   return fabs(value - low) <= 12 || fabs(value - high) <= 12;
}

int
main(void)
{
   static unsigned char texels[SIZE][SIZE], pixels[SIZE][SIZE][4];
   static const GLenum mipmaps[] = { GL_NEAREST,
                                     GL_LINEAR,
                                     GL_NEAREST_MIPMAP_NEAREST,
                                     GL_LINEAR_MIPMAP_NEAREST,
                                     GL_NEAREST_MIPMAP_LINEAR,
                                     GL_LINEAR_MIPMAP_LINEAR };
   GLuint target, image;
   EGLDisplay display = test_display();
   test_current(display, test_context(display, EGL_NO_CONTEXT));
   test_target(SIZE, &target);
   const GLuint program = test_program(vertex, fragment);
   glUseProgram(program);

   glGenTextures(1, &image);
   glBindTexture(GL_TEXTURE_2D, image);
   for (int level = 0; SIZE >> level; level++) {
      for (int y = 0; y < SIZE; y++) {
         for (int x = 0; x < SIZE; x++)
            texels[y][x] = level ? 128 : x & 1 ? 255 : 0;
      }
      glTexImage2D(GL_TEXTURE_2D, level, GL_LUMINANCE, SIZE >> level, SIZE >> level, 0,
                   GL_LUMINANCE, GL_UNSIGNED_BYTE, texels);
   }

   int fails = 0;
   for (int i = 0; i < 12; i++) {
      const GLenum mag = i & 1 ? GL_LINEAR : GL_NEAREST, min = mipmaps[i / 2];
      const int trilinear = min == GL_NEAREST_MIPMAP_LINEAR || min == GL_LINEAR_MIPMAP_LINEAR;
      const int linear = min == GL_LINEAR || min == GL_LINEAR_MIPMAP_NEAREST ||
                         min == GL_LINEAR_MIPMAP_LINEAR;
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, mag);
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, min);
      for (int eighths = -3; eighths <= 3; eighths++) {
         const double lod = eighths / 8.0;
         if (eighths == 0)
            continue;
         glUniform1f(glGetUniformLocation(program, "scale"), (float)(exp2(lod) / 2));
         test_fill();
         glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);

         int mixed = 0;
         for (int y = 0; y < SIZE; y++) {
            for (int x = 0; x < SIZE; x++)
               mixed += !is_column(pixels[y][x][0], lod > 0 && trilinear ? lod : 0);
         }
         /* With a linear filter, most pixels mix columns, except for a few at the centres of
          * columns.
          */
         const int wanted = lod > 0 ? linear : mag == GL_LINEAR;
         if (wanted ? mixed < SIZE * SIZE / 2 : mixed > 0) {
            fprintf(stderr, "filters %x and %x, level of detail %g: %d pixels mix columns\n", mag,
                    min, lod, mixed);
            fails++;
         }
      }
   }
   printf("%d of 72 are wrong\n", fails);
   return fails != 0;
}
