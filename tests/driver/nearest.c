/* SPDX-License-Identifier: MIT */
/*
 * Tests NEAREST filtering of a square of 320 pixels with a texture of 512 texels.  Every fifth
 * pixel centre in x and in y lies exactly between two texels.  There, the texel depends on the last
 * bit of the interpolated coordinate, which GL leaves open (GL 2.1, section 2.1.1: about 1 part in
 * 10^5; section 3.8.8 takes the floor of it), so either neighbour is correct.  All other pixels
 * have only one correct texel.  The glmark2 scene `texture` starts like this; it is the only reason
 * why its first frame differs from that of other drivers.
 */
#include "gles.h"

#define SIZE 320
#define TEXELS 512

static const char vertex[] =
   "attribute vec4 position;\n"
   "varying vec2 at;\n"
   "void main() { gl_Position = position; at = position.xy * 0.5 + 0.5; }";
static const char fragment[] = "precision highp float; uniform sampler2D image; varying vec2 at;\n"
                               "void main() { gl_FragColor = texture2D(image, at); }";

static unsigned char texels[TEXELS][TEXELS][4], pixels[SIZE][SIZE][4];

/* Returns true if pixel p may show texel t.  Its centre, p + 0.5 pixels, is at (16 p + 8) / 10
 * texels.
 */
static int
right(int p, int t)
{
   const int tenths = 16 * p + 8;
   return t == tenths / 10 || (tenths % 10 == 0 && t == tenths / 10 - 1);
}

int
main(void)
{
   GLuint target, image;
   EGLDisplay display = test_display();
   test_current(display, test_context(display, EGL_NO_CONTEXT));
   test_target(SIZE, &target);
   glUseProgram(test_program(vertex, fragment));

   for (int y = 0; y < TEXELS; y++) {
      for (int x = 0; x < TEXELS; x++) {
         texels[y][x][0] = x & 255;
         texels[y][x][1] = x >> 8;
         texels[y][x][2] = y & 255;
         texels[y][x][3] = y >> 8;
      }
   }
   glGenTextures(1, &image);
   glBindTexture(GL_TEXTURE_2D, image);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, TEXELS, TEXELS, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   test_fill();
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);

   int ties = 0;
   for (int y = 0; y < SIZE; y++) {
      for (int x = 0; x < SIZE; x++) {
         const unsigned char *p = pixels[y][x];
         const int tx = p[0] | p[1] << 8, ty = p[2] | p[3] << 8;
         if (!right(x, tx) || !right(y, ty)) {
            fprintf(stderr, "pixel %d,%d shows texel %d,%d\n", x, y, tx, ty);
            return 1;
         }
         ties += (16 * x + 8) % 10 == 0 || (16 * y + 8) % 10 == 0;
      }
   }
   printf("every pixel shows a nearest texel; %d of %d have two\n", ties, SIZE * SIZE);
   return 0;
}
