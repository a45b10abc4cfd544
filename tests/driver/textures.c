/* SPDX-License-Identifier: MIT */
/*
 * Tests textures beyond OpenGL 2.1 (EXT_texture_array, EXT_gpu_shader4, EXT_texture_integer,
 * EXT_texture_buffer_object): layers, texel fetches, integers, buffers that get new contents while
 * they are bound, textures that are drawn to while they are sampled, and views.  All results are
 * exact.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "pbuffer.h"

#define SIZE 16
#define LAYERS 20

static GLubyte back[SIZE][SIZE][4];

static void
use_program(const char *source)
{
   glUseProgram(test_program(NULL, source));
}

static void
draw(void)
{
   glRectf(-1, -1, 1, 1);
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, back);
}

/* Tests an array texture.  Each row of pixels shows a layer; rows beyond the last layer show the
 * last one.
 */
static void
test_array(void)
{
   static const char *const source =
      "#extension GL_EXT_gpu_shader4 : require\n"
      "uniform sampler2DArray image;\n"
      "void main() {\n"
      "   gl_FragColor = texture2DArray(image, vec3(0.5, 0.5, floor(gl_FragCoord.y) * 2.0));\n"
      "   gl_FragColor.b = float(textureSize2DArray(image, 1).z) / 255.0;\n"
      "}\n";
   GLubyte texels[LAYERS][2][2][4];

   for (int i = 0; i < LAYERS; i++) {
      for (int j = 0; j < 4; j++)
         memcpy(texels[i][j / 2][j % 2], (GLubyte[4]){ i * 10, 255 - i, 0, 255 }, 4);
   }
   glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA8, 2, 2, LAYERS, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                texels);
   glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_NEAREST);
   /* The last level has fewer texels than the array has layers. */
   glGenerateMipmap(GL_TEXTURE_2D_ARRAY);
   use_program(source);
   draw();
   for (int y = 0; y < SIZE; y++) {
      const int layer = y * 2 < LAYERS ? y * 2 : LAYERS - 1;
      const GLubyte *p = back[y][5];
      CHECK(p[0] == layer * 10 && p[1] == 255 - layer && p[2] == LAYERS, "layer %d: %u %u %u",
            layer, p[0], p[1], p[2]);
   }
}

static void
test_integers(void)
{
   static const char *const source =
      "#extension GL_EXT_gpu_shader4 : require\n"
      "uniform usampler2D image;\n"
      "void main() {\n"
      "   uvec4 t = texelFetch2D(image, ivec2(gl_FragCoord.xy), 0);\n"
      "   gl_FragColor = vec4(t >> 24u) / 255.0;\n"
      "}\n";
   GLuint texels[SIZE][SIZE][4];

   for (int i = 0; i < SIZE * SIZE * 4; i++)
      ((GLuint *)texels)[i] = (GLuint)(i * 7 % 256) << 24 | i;
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32UI, SIZE, SIZE, 0, GL_RGBA_INTEGER, GL_UNSIGNED_INT,
                texels);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   use_program(source);
   draw();
   for (int i = 0; i < SIZE * SIZE * 4; i++)
      CHECK(((GLubyte *)back)[i] == i * 7 % 256, "component %d", i);
}

/* Tests a buffer texture whose contents change between draws without a wait.  The last element of
 * the view lies inside of the buffer, and the next one reads as zero.
 */
static void
test_buffer(void)
{
   static const char *const source =
      "#extension GL_EXT_gpu_shader4 : require\n"
      "uniform samplerBuffer image;\n"
      "void main() {\n"
      "   gl_FragColor = texelFetchBuffer(image, int(gl_FragCoord.x));\n"
      "   gl_FragColor.b = float(textureSizeBuffer(image)) / 255.0;\n"
      "}\n";
   enum { COUNT = SIZE - 2 };
   GLubyte texels[COUNT][4];
   GLuint buffer;

   glGenBuffers(1, &buffer);
   glBindBuffer(GL_TEXTURE_BUFFER, buffer);
   glBufferData(GL_TEXTURE_BUFFER, sizeof texels, NULL, GL_STREAM_DRAW);
   glTexBufferEXT(GL_TEXTURE_BUFFER, GL_RGBA8, buffer);
   use_program(source);
   glEnable(GL_SCISSOR_TEST);
   for (int y = 0; y < SIZE; y++) {
      for (int x = 0; x < COUNT; x++)
         memcpy(texels[x], (GLubyte[4]){ x * 16 + y, 200 - y, 0, 255 }, 4);
      glBufferData(GL_TEXTURE_BUFFER, sizeof texels, texels, GL_STREAM_DRAW);
      glScissor(0, y, SIZE, 1);
      glRectf(-1, -1, 1, 1);
   }
   glDisable(GL_SCISSOR_TEST);
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, back);
   for (int y = 0; y < SIZE; y++) {
      for (int x = 0; x < SIZE; x++) {
         const GLubyte *p = back[y][x];
         const bool inside = x < COUNT;
         CHECK(p[0] == (inside ? x * 16 + y : 0) && p[1] == (inside ? 200 - y : 0) && p[2] == COUNT,
               "%d, %d: %u %u %u", x, y, p[0], p[1], p[2]);
      }
   }
}

/* Tests integer buffer formats with alpha, luminance and intensity.  Each of red, green, blue and
 * alpha is the first or second component of the element, 0, or 1.
 */
static void
test_buffer_formats(void)
{
   static const char *const types[] = { "u", "i" };
   static const struct {
      GLenum formats[2][3]; /* unsigned and signed formats with 8, 16 and 32 bits */
      unsigned components;
      const char *gives;
   } tests[] = {
      { { { GL_ALPHA8UI_EXT, GL_ALPHA16UI_EXT, GL_ALPHA32UI_EXT },
          { GL_ALPHA8I_EXT, GL_ALPHA16I_EXT, GL_ALPHA32I_EXT } },
        1,
        "000x" },
      { { { GL_LUMINANCE8UI_EXT, GL_LUMINANCE16UI_EXT, GL_LUMINANCE32UI_EXT },
          { GL_LUMINANCE8I_EXT, GL_LUMINANCE16I_EXT, GL_LUMINANCE32I_EXT } },
        1,
        "xxx1" },
      { { { GL_LUMINANCE_ALPHA8UI_EXT, GL_LUMINANCE_ALPHA16UI_EXT, GL_LUMINANCE_ALPHA32UI_EXT },
          { GL_LUMINANCE_ALPHA8I_EXT, GL_LUMINANCE_ALPHA16I_EXT, GL_LUMINANCE_ALPHA32I_EXT } },
        2,
        "xxxy" },
      { { { GL_INTENSITY8UI_EXT, GL_INTENSITY16UI_EXT, GL_INTENSITY32UI_EXT },
          { GL_INTENSITY8I_EXT, GL_INTENSITY16I_EXT, GL_INTENSITY32I_EXT } },
        1,
        "xxxx" },
   };

   for (unsigned is_signed = 0; is_signed < 2; is_signed++) {
      /* A signed element contains the negated value of the unsigned one. */
      char source[300];
      snprintf(source, sizeof source,
               "#extension GL_EXT_gpu_shader4 : require\n"
               "uniform %ssamplerBuffer image;\n"
               "void main() {\n"
               "   vec4 t = vec4(texelFetchBuffer(image, int(gl_FragCoord.x)));\n"
               "   gl_FragColor = (t * %s + 10.0) / 255.0;\n"
               "}\n",
               types[is_signed], is_signed ? "-1.0" : "1.0");
      use_program(source);
      for (unsigned i = 0; i < 12; i++) {
         const unsigned size = i % 3, components = tests[i / 3].components;
         const char *gives = tests[i / 3].gives;
         GLubyte data[SIZE * 2 * 4] = { 0 };
         GLuint buffer;

         for (unsigned e = 0; e < SIZE * components; e++) {
            const int value = is_signed ? -(int)(e + 1) : (int)(e + 1);
            memcpy(data + (e << size), &value, 1 << size);
         }
         glGenBuffers(1, &buffer);
         glBindBuffer(GL_TEXTURE_BUFFER, buffer);
         glBufferData(GL_TEXTURE_BUFFER, SIZE * components << size, data, GL_STREAM_DRAW);
         glTexBufferEXT(GL_TEXTURE_BUFFER, tests[i / 3].formats[is_signed][size], buffer);
         draw();
         for (int x = 0; x < SIZE; x++) {
            for (int c = 0; c < 4; c++) {
               const int first = x * (int)components + 1;
               const int one = is_signed ? -1 : 1;
               const int wanted = 10 + (gives[c] == 'x'   ? first
                                        : gives[c] == 'y' ? first + 1
                                        : gives[c] == '1' ? one
                                                          : 0);
               CHECK(back[3][x][c] == wanted, "%s, %d bits, %s, element %d: %u, not %d", gives,
                     8 << size, types[is_signed], x, back[3][x][c], wanted);
            }
         }
         glDeleteBuffers(1, &buffer);
      }
   }
}

/* Tests a texture that is target and source at once.  Each draw copies from the half that the
 * previous draw wrote to the other half, moved by a row.  A draw's tiles must not start before the
 * previous draw's tiles have ended.
 */
static void
test_barrier(void)
{
   static const char *const source =
      "#extension GL_EXT_gpu_shader4 : require\n"
      "uniform sampler2D image;\n"
      "void main() {\n"
      "   ivec2 at = ivec2(gl_FragCoord.xy) + ivec2(160, 1);\n"
      "   gl_FragColor = texelFetch2D(image, at % 320, 0) + 1.0 / 255.0;\n"
      "}\n";
   enum { WIDTH = 320, DRAWS = 40 };
   static GLubyte texels[WIDTH][WIDTH][4], old[WIDTH][WIDTH];
   PFNGLTEXTUREBARRIERNVPROC barrier = (PFNGLTEXTUREBARRIERNVPROC)eglGetProcAddress(
      "glTextureBarrierNV");
   GLuint texture, fbo;

   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   for (int i = 0; i < WIDTH * WIDTH; i++)
      memset(((GLubyte *)texels) + 4 * i, i * 7 % 200, 4);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, WIDTH, WIDTH, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   for (int i = 0; i < WIDTH * WIDTH; i++)
      ((GLubyte *)old)[i] = i * 7 % 200;

   glGenFramebuffersEXT(1, &fbo);
   glBindFramebufferEXT(GL_FRAMEBUFFER_EXT, fbo);
   glFramebufferTexture2DEXT(GL_FRAMEBUFFER_EXT, GL_COLOR_ATTACHMENT0_EXT, GL_TEXTURE_2D, texture,
                             0);
   glViewport(0, 0, WIDTH, WIDTH);
   use_program(source);
   glEnable(GL_SCISSOR_TEST);
   for (int i = 0; i < DRAWS; i++) {
      const int left = i % 2 * WIDTH / 2;
      glScissor(left, 0, WIDTH / 2, WIDTH);
      glRectf(-1, -1, 1, 1);
      barrier();
      for (int y = 0; y < WIDTH; y++) {
         for (int x = left; x < left + WIDTH / 2; x++)
            old[y][x] = old[(y + 1) % WIDTH][(x + WIDTH / 2) % WIDTH] + 1;
      }
   }
   glDisable(GL_SCISSOR_TEST);
   glReadPixels(0, 0, WIDTH, WIDTH, GL_RGBA, GL_UNSIGNED_BYTE, texels);
   for (int y = 0; y < WIDTH; y++) {
      for (int x = 0; x < WIDTH; x++)
         CHECK(texels[y][x][0] == old[y][x], "%d, %d: %u, not %u", x, y, texels[y][x][0],
               old[y][x]);
   }
   glBindFramebufferEXT(GL_FRAMEBUFFER_EXT, 0);
   glDeleteFramebuffersEXT(1, &fbo);
   glDeleteTextures(1, &texture);
   glViewport(0, 0, SIZE, SIZE);
}

/* Tests a view of one layer and level of an array, with another format. */
static void
test_view(void)
{
   static const char *const source =
      "#extension GL_EXT_gpu_shader4 : require\n"
      "uniform usampler2D image;\n"
      "void main() {\n"
      "   uint t = texelFetch2D(image, ivec2(gl_FragCoord.xy), 0).r;\n"
      "   gl_FragColor = vec4(t & 255u, t >> 8u & 255u, t >> 16u & 255u, t >> 24u) / 255.0;\n"
      "}\n";
   enum { BASE = 2 * SIZE };
   static GLubyte texels[BASE][BASE][4];
   PFNGLTEXTUREVIEWPROC view = (PFNGLTEXTUREVIEWPROC)eglGetProcAddress("glTextureView");
   GLuint textures[2];

   glGenTextures(2, textures);
   glBindTexture(GL_TEXTURE_2D_ARRAY, textures[0]);
   glTexStorage3D(GL_TEXTURE_2D_ARRAY, 3, GL_RGBA8, BASE, BASE, LAYERS);
   for (int level = 0; level < 3; level++) {
      for (int layer = 0; layer < LAYERS; layer++) {
         for (int i = 0; i < BASE * BASE; i++)
            memcpy(((GLubyte *)texels) + 4 * i, (GLubyte[4]){ i, i >> 8, layer, level }, 4);
         glTexSubImage3D(GL_TEXTURE_2D_ARRAY, level, 0, 0, layer, BASE >> level, BASE >> level, 1,
                         GL_RGBA, GL_UNSIGNED_BYTE, texels);
      }
   }
   view(textures[1], GL_TEXTURE_2D, textures[0], GL_R32UI, 1, 1, 13, 1);
   glBindTexture(GL_TEXTURE_2D, textures[1]);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   use_program(source);
   draw();
   for (int y = 0; y < SIZE; y++) {
      for (int x = 0; x < SIZE; x++) {
         const GLubyte *p = back[y][x];
         const int i = y * SIZE + x;
         CHECK(p[0] == i % 256 && p[1] == i >> 8 && p[2] == 13 && p[3] == 1, "%d, %d: %u %u %u %u",
               x, y, p[0], p[1], p[2], p[3]);
      }
   }
   glDeleteTextures(2, textures);
}

int
main(void)
{
   REQUIRE(test_pbuffer(SIZE, SIZE));

   GLuint textures[3];
   glGenTextures(3, textures);
   glBindTexture(GL_TEXTURE_2D, textures[0]);
   glBindTexture(GL_TEXTURE_2D_ARRAY, textures[1]);
   glBindTexture(GL_TEXTURE_BUFFER, textures[2]);
   glPixelStorei(GL_PACK_ALIGNMENT, 1);

   test_array();
   test_integers();
   test_buffer();
   test_buffer_formats();
   test_barrier();
   test_view();
   CHECK(glGetError() == GL_NO_ERROR, "GL error");

   eglTerminate(eglGetCurrentDisplay());
   return fails != 0;
}
