/* SPDX-License-Identifier: MIT */
/*
 * Scenes of images: conversions and compression on the CPU, filters and blending on the device.
 */
#include "picture.h"

#define SIZE 32

/* Float colours from -0.25 to 1.5, and some that are large, tiny or -0. */
static void
float_texels(float texels[SIZE][SIZE][4])
{
   static const float odd[] = { 1e9f, -1e9f, 1e-9f, -0.0f, 65504, 70000, 6e-8f, 1e-40f };

   for (int y = 0; y < SIZE; y++)
      for (int x = 0; x < SIZE; x++)
         for (int c = 0; c < 4; c++)
            texels[y][x][c] = x == 5 ? odd[y % 8]
                                     : picture_noise(x + c * SIZE, y) * (1.75f / 255) - 0.25f;
}

static void
byte_texels(uint8_t texels[SIZE][SIZE][4])
{
   for (int y = 0; y < SIZE; y++)
      for (int x = 0; x < SIZE; x++) {
         texels[y][x][0] = x * 8;
         texels[y][x][1] = y * 8;
         texels[y][x][2] = picture_noise(x, y);
         texels[y][x][3] = (x + y) * 4;
      }
}

/* Adds the texels of the texture, in three types. */
static void
add_texture(GLenum target, GLenum format)
{
   static float floats[SIZE * SIZE * 4];
   static uint16_t words[SIZE * SIZE * 4];
   static uint8_t bytes[SIZE * SIZE * 4];

   glGetTexImage(target, 0, format, GL_FLOAT, floats);
   picture_add(floats, sizeof floats);
   glGetTexImage(target, 0, format, GL_UNSIGNED_SHORT, words);
   picture_add(words, sizeof words);
   glGetTexImage(target, 0, format, GL_BYTE, bytes);
   picture_add(bytes, sizeof bytes);
}

static void
conversions(void)
{
   static const GLenum formats[] = {
      GL_RGBA8,    GL_SRGB8_ALPHA8,   GL_RGBA8_SNORM, GL_RGBA16, GL_RGBA16F,
      GL_RGB10_A2, GL_R11F_G11F_B10F, GL_RGB9_E5,     GL_RGB565, GL_RGBA4,
      GL_RGB5_A1,  GL_RGBA16_SNORM,   GL_RGBA32F,
   };
   static float texels[SIZE][SIZE][4];
   static uint8_t bytes[SIZE][SIZE][4];
   GLuint texture;

   float_texels(texels);
   byte_texels(bytes);
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   for (unsigned i = 0; i < sizeof formats / sizeof *formats; i++) {
      glTexImage2D(GL_TEXTURE_2D, 0, formats[i], SIZE, SIZE, 0, GL_RGBA, GL_FLOAT, texels);
      add_texture(GL_TEXTURE_2D, GL_RGBA);
      glTexImage2D(GL_TEXTURE_2D, 0, formats[i], SIZE, SIZE, 0, GL_BGRA,
                   GL_UNSIGNED_INT_8_8_8_8_REV, bytes);
      add_texture(GL_TEXTURE_2D, GL_BGRA);
      glTexImage2D(GL_TEXTURE_2D, 0, formats[i], SIZE, SIZE, 0, GL_RGBA, GL_HALF_FLOAT, texels);
      add_texture(GL_TEXTURE_2D, GL_RGBA);
   }
}

static void
compression(void)
{
   static const GLenum formats[] = {
      GL_COMPRESSED_RGB_S3TC_DXT1_EXT,        GL_COMPRESSED_RGBA_S3TC_DXT3_EXT,
      GL_COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT, GL_COMPRESSED_RED_RGTC1,
      GL_COMPRESSED_SIGNED_RG_RGTC2,          GL_COMPRESSED_RGBA_BPTC_UNORM,
      GL_COMPRESSED_RGB_BPTC_SIGNED_FLOAT,    GL_COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT,
   };
   static float texels[SIZE][SIZE][4];
   static uint8_t bytes[SIZE][SIZE][4], blocks[SIZE * SIZE];
   GLuint texture;

   float_texels(texels);
   byte_texels(bytes);
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   for (unsigned i = 0; i < sizeof formats / sizeof *formats; i++) {
      GLint size = 0;
      if (i < 6)
         glTexImage2D(GL_TEXTURE_2D, 0, formats[i], SIZE, SIZE, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                      bytes);
      else
         glTexImage2D(GL_TEXTURE_2D, 0, formats[i], SIZE, SIZE, 0, GL_RGBA, GL_FLOAT, texels);
      glGetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_COMPRESSED_IMAGE_SIZE, &size);
      REQUIRE(size <= (int)sizeof blocks);
      glGetCompressedTexImage(GL_TEXTURE_2D, 0, blocks);
      picture_add(blocks, size);
      add_texture(GL_TEXTURE_2D, GL_RGBA);
   }
}

/* Pixel transfer, pixel zoom and bitmaps. */
static void
pixel_paths(void)
{
   static float texels[SIZE][SIZE][4], map[8] = { 0, 0.9f, 0.1f, 0.7f, 0.3f, 0.5f, 0.2f, 1 };
   static uint8_t bits[SIZE * SIZE / 8];

   float_texels(texels);
   for (unsigned i = 0; i < sizeof bits; i++)
      bits[i] = picture_noise(i, 1);
   picture_target(GL_RGBA16, 0, 0);
   glClear(GL_COLOR_BUFFER_BIT);
   glPixelTransferf(GL_RED_SCALE, 0.7f);
   glPixelTransferf(GL_GREEN_BIAS, 0.2f);
   glPixelTransferi(GL_MAP_COLOR, 1);
   glPixelMapfv(GL_PIXEL_MAP_B_TO_B, 8, map);
   glPixelZoom(1.3f, 1.7f);
   glWindowPos2i(3, 4);
   glDrawPixels(SIZE, SIZE, GL_RGBA, GL_FLOAT, texels);
   glPixelZoom(-0.9f, 0.8f);
   glWindowPos2i(90, 20);
   glCopyPixels(0, 0, 40, 40, GL_COLOR);
   glColor3f(1, 0.3f, 0.2f);
   glWindowPos2i(40, 8);
   glBitmap(SIZE, SIZE, 0, 0, 0, 0, bits);
   picture_add_pixels(GL_UNSIGNED_SHORT, 2);
   picture_add_pixels(GL_FLOAT, 4);
}

static void
filters(void)
{
   static const GLenum formats[] = {
      GL_RGBA8,   GL_SRGB8_ALPHA8, GL_RGBA16F,
      GL_RGBA32F, GL_RGB9_E5,      GL_COMPRESSED_RGBA_S3TC_DXT5_EXT
   };
   static const GLenum wraps[] = { GL_REPEAT,          GL_MIRRORED_REPEAT, GL_CLAMP_TO_EDGE,
                                   GL_CLAMP_TO_BORDER, GL_CLAMP,           GL_MIRROR_CLAMP_EXT };
   static const float border[] = { 0.9f, 0.1f, 0.4f, 0.6f };
   static float texels[SIZE][SIZE][4];
   static uint8_t bytes[SIZE][SIZE][4];
   GLuint texture;

   float_texels(texels);
   byte_texels(bytes);
   picture_target(GL_RGBA32F, 0, 0);
   glEnable(GL_TEXTURE_2D);
   glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_REPLACE);
   for (int i = 0; i < 6; i++) {
      glGenTextures(1, &texture);
      glBindTexture(GL_TEXTURE_2D, texture);
      if (formats[i] == GL_RGBA16F || formats[i] == GL_RGBA32F)
         glTexImage2D(GL_TEXTURE_2D, 0, formats[i], SIZE, SIZE, 0, GL_RGBA, GL_FLOAT, texels);
      else
         glTexImage2D(GL_TEXTURE_2D, 0, formats[i], SIZE, SIZE, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                      bytes);
      glGenerateMipmap(GL_TEXTURE_2D);
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, wraps[i]);
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, wraps[5 - i]);
      glTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, border);
      glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MAX_ANISOTROPY_EXT, i % 2 ? 8 : 1);
      glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_LOD_BIAS, i * 0.3f - 0.7f);
      glBegin(GL_TRIANGLE_STRIP);
      for (int k = 0; k < 4; k++) {
         const int x = k & 1, y = k >> 1;
         glTexCoord4f(x * 5.3f - 1, y * 3.1f - 1, 0, 1 + y * 2);
         glVertex2i(2 * x - 1, 2 * y - 1);
      }
      glEnd();
      picture_add_pixels(GL_FLOAT, 4);
   }
}

static void
blending(void)
{
   static const GLenum formats[] = { GL_RGBA8,          GL_SRGB8_ALPHA8, GL_RGBA16F, GL_RGBA32F,
                                     GL_R11F_G11F_B10F, GL_RGB10_A2,     GL_RGB565,  GL_RGBA16 };
   static const GLenum factors[] = { GL_SRC_ALPHA, GL_ONE_MINUS_DST_COLOR, GL_CONSTANT_COLOR,
                                     GL_SRC_ALPHA_SATURATE };
   static const GLenum equations[] = { GL_FUNC_ADD, GL_FUNC_REVERSE_SUBTRACT, GL_MAX,
                                       GL_FUNC_SUBTRACT };

   for (int i = 0; i < 8; i++) {
      picture_target(formats[i], 0, 0);
      glClearColor(0.3f, 0.5f, 0.7f, 0.9f);
      glClear(GL_COLOR_BUFFER_BIT);
      glEnable(GL_BLEND);
      glEnable(GL_DITHER);
      glEnable(GL_FRAMEBUFFER_SRGB);
      glBlendColor(0.11f, 0.22f, 0.33f, 0.44f);
      for (int k = 0; k < 4; k++) {
         glBlendFunc(factors[k], factors[(k + i) % 4]);
         glBlendEquation(equations[(k + i / 2) % 4]);
         glBegin(GL_TRIANGLES);
         for (int v = 0; v < 3; v++) {
            const float x = picture_noise(v, k) / 100.0f - 1,
                        y = picture_noise(v, k + 9) / 90.0f - 1;
            glColor4f(x, y, 0.6f, 0.4f + x * 0.3f);
            glVertex2f(x, y);
         }
         glEnd();
      }
      picture_add_pixels(GL_FLOAT, 4);
   }
}

const struct picture_scene picture_pixels[] = {
   { "conversions", conversions }, { "compression", compression }, { "pixel-paths", pixel_paths },
   { "filters", filters },         { "blending", blending },       { NULL },
};
