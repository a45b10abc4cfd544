/* SPDX-License-Identifier: MIT */
/*
 * Tests the level of detail of each pixel against the equations of OpenGL 2.1, 3.8.8: rho is the
 * length of the longer of the two derivatives in texels, and lambda is its log2.  All texels of a
 * level have the number of the level as their value, so that trilinear filtering returns lambda,
 * rounded to 8 fractional bits (docs/texture.md).
 */
#include <math.h>

#include "check.h"
#include "pbuffer.h"

#define SIZE 32
#define LEVELS 11 /* number of levels of a 1024x1024 texture */

/* Tolerance of lambda.  Coordinates are up to 14 texture widths from 0 and have steps of 2^-20;
 * derivatives are differences of them and at least 2^-10.  Rounding to fractional bits changes
 * lambda by at most half a step.
 */
static const double most = 1e-4 + 0.5 / 256;

int
main(void)
{
   static float texels[1024 * 1024], pixels[SIZE][SIZE][4];
   GLuint texture;
   double worst = 0;

   REQUIRE(test_pbuffer(SIZE, SIZE));
   GLuint program = test_program("#version 130\n"
                                 "out vec2 t; uniform mat2 m;\n"
                                 "void main() {\n"
                                 "   gl_Position = gl_Vertex;\n"
                                 "   t = m * (gl_Vertex.xy * 16.0);\n"
                                 "}\n",
                                 "#version 130\n"
                                 "in vec2 t; uniform sampler2D s;\n"
                                 "out vec4 colour;\n"
                                 "void main() { colour = texture(s, t); }\n");

   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   for (int level = 0; level < LEVELS; level++) {
      const int size = 1024 >> level;
      for (int i = 0; i < size * size; i++)
         texels[i] = (float)level;
      glTexImage2D(GL_TEXTURE_2D, level, GL_R32F, size, size, 0, GL_RED, GL_FLOAT, texels);
   }
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);

   new_framebuffer();
   attach_renderbuffer(GL_COLOR_ATTACHMENT0, GL_RGBA32F, 0, SIZE, SIZE);
   CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE, "incomplete");
   glUseProgram(program);

   /* There are from 1.01 to 900 texels per pixel.  The longer derivative is along x or y, and the
    * other one is up to 8 times shorter.  Both are rotated.
    */
   for (int i = 0; i < 400; i++) {
      const double rho = 1.01 * pow(2.0, i / 400.0 * 9.8), angle = i * 0.37;
      const double shorter = rho / (1.0 + i % 8);
      const double along_x = i & 1 ? shorter : rho, along_y = i & 1 ? rho : shorter;
      const GLfloat m[4] = { (float)(along_x * cos(angle) / 1024),
                             (float)(along_x * sin(angle) / 1024),
                             (float)(along_y * -sin(angle) / 1024),
                             (float)(along_y * cos(angle) / 1024) };

      glUniformMatrix2fv(glGetUniformLocation(program, "m"), 1, GL_FALSE, m);
      glRectf(-1, -1, 1, 1);
      glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_FLOAT, pixels);
      for (int y = 0; y < SIZE; y++) {
         for (int x = 0; x < SIZE; x++) {
            const double off = fabs(pixels[y][x][0] - log2(rho));
            if (off > worst)
               worst = off;
            CHECK(off <= most, "%f texels a pixel: lambda is %f, not %f", rho,
                  (double)pixels[y][x][0], log2(rho));
         }
      }
   }
   printf("lambda is off by up to %.5f\n", worst);
   return test_end();
}
