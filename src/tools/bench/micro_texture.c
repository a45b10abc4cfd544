/* SPDX-License-Identifier: MIT */
/* Micro-benchmarks of the texture units: filters and formats.
 *
 * In each level of the texture, red is proportional to s and green to t.  A filter that averages
 * texels does not change this texture, so the expected color of a pixel depends only on its
 * coordinates, for all filters.
 */
#include <math.h>
#include <stdlib.h>

#include "bench_micro.h"

#ifndef GL_TEXTURE_MAX_ANISOTROPY_EXT
#define GL_TEXTURE_MAX_ANISOTROPY_EXT 0x84FE
#endif

#define LAYERS 4
#define SIZE 1024 /* width and height of the texture in texels */
#define BORDER 24 /* width in pixels of the target's border that is not compared */

enum filter { NEAREST, BILINEAR, TRILINEAR, ANISO };
/* DXT1 and DXT5 are the last formats. */
enum format {
   RGBA8,
   SRGB8,
   RGB565,
   RGBA16F,
   R8,
   R16,
   RG16,
   R16F,
   R32F,
   RG32F,
   RGBA32F,
   DXT1,
   DXT5
};

/* Fraction of the texture that is visible, in s and t.  A pixel covers half a texel for NEAREST and
 * BILINEAR, 1.4 texels for TRILINEAR, and 2 by 0.25 texels for ANISO, which is an anisotropy of 8.
 */
static const float spans[][2] = {
   [NEAREST] = { 0.25f, 0.25f },
   [BILINEAR] = { 0.25f, 0.25f },
   [TRILINEAR] = { 0.7f, 0.7f },
   [ANISO] = { 1.0f, 0.125f },
};
/* bytes: size of a texel in bytes; tolerance: maximum error of a color component in units of 1/255;
 * red: set if green is always 0
 */
static const struct {
   float bytes;
   int tolerance;
   bool red;
} formats[] = {
   [RGBA8] = { 4, 2 },   [SRGB8] = { 4, 3 },  [RGB565] = { 2, 6 },   [RGBA16F] = { 8, 2 },
   [R8] = { 1, 2, 1 },   [R16] = { 2, 2, 1 }, [RG16] = { 4, 2 },     [R16F] = { 2, 2, 1 },
   [R32F] = { 4, 2, 1 }, [RG32F] = { 8, 2 },  [RGBA32F] = { 16, 2 }, [DXT1] = { 0.5f, 7 },
   [DXT5] = { 1, 7 },
};

static unsigned
to_565(int r, int g)
{
   return (unsigned)((r * 31 + 127) / 255) << 11 | (unsigned)((g * 63 + 127) / 255) << 5;
}

/* Writes a texel, or a block of 4x4 texels, with the color at s and t.  Returns the number of bytes
 * written.
 */
static unsigned
texel(enum format format, float s, float t, uint8_t *to)
{
   const int r = (int)(s * 255.0f + 0.5f), g = (int)(t * 255.0f + 0.5f);
   const unsigned half = to_565(r, g);

   switch (format) {
   case RGBA8:
   case SRGB8:
      to[0] = (uint8_t)r, to[1] = (uint8_t)g, to[2] = 0, to[3] = 255;
      return 4;
   case RGB565:
      to[0] = half & 255, to[1] = (uint8_t)(half >> 8);
      return 2;
   case RGBA16F:
   case R8:
   case R16:
   case RG16:
   case R16F:
   case R32F:
   case RG32F:
   case RGBA32F: {
      float *f = (float *)to;
      f[0] = s, f[1] = t, f[2] = 0.0f, f[3] = 1.0f;
      return 16;
   }
   default: {
      /* Use the same color for both endpoints.  In DXT5 blocks, all texels use the first alpha
       * value, which is 255.
       */
      const unsigned first = format == DXT5 ? 8 : 0;
      for (unsigned i = 0; i < first + 8; i++)
         to[i] = 0;
      if (first)
         to[0] = to[1] = 255;
      to[first] = to[first + 2] = half & 255;
      to[first + 1] = to[first + 3] = (uint8_t)(half >> 8);
      return first + 8;
   }
   }
}

static void
upload(enum format format)
{
   static const GLenum internal[] = {
      [RGBA8] = GL_RGBA8,
      [SRGB8] = GL_SRGB8_ALPHA8,
      [RGB565] = GL_RGB565,
      [RGBA16F] = GL_RGBA16F,
      [R8] = GL_R8,
      [R16] = GL_R16,
      [RG16] = GL_RG16,
      [R16F] = GL_R16F,
      [R32F] = GL_R32F,
      [RG32F] = GL_RG32F,
      [RGBA32F] = GL_RGBA32F,
      [DXT1] = GL_COMPRESSED_RGB_S3TC_DXT1_EXT,
      [DXT5] = GL_COMPRESSED_RGBA_S3TC_DXT5_EXT,
   };
   const int block = format >= DXT1 ? 4 : 1;
   uint8_t *data = bench_alloc(SIZE * SIZE * 16);

   for (int level = 0, size = SIZE; size; level++, size /= 2) {
      const int blocks = (size + block - 1) / block;
      size_t used = 0;
      for (int y = 0; y < blocks; y++) {
         for (int x = 0; x < blocks; x++)
            used += texel(format, ((float)x + 0.5f) / (float)blocks,
                          ((float)y + 0.5f) / (float)blocks, data + used);
      }
      if (block == 4)
         glCompressedTexImage2D(GL_TEXTURE_2D, level, internal[format], size, size, 0,
                                (GLsizei)used, data);
      else
         glTexImage2D(GL_TEXTURE_2D, level, (GLint)internal[format], size, size, 0,
                      format == RGB565 ? GL_RGB : GL_RGBA,
                      format == RGB565    ? GL_UNSIGNED_SHORT_5_6_5
                      : format >= RGBA16F ? GL_FLOAT
                                          : GL_UNSIGNED_BYTE,
                      data);
   }
   free(data);
}

static void
prepare_texture(const struct micro *micro)
{
   static const GLint min[] = { [NEAREST] = GL_NEAREST,
                                [BILINEAR] = GL_LINEAR,
                                [TRILINEAR] = GL_LINEAR_MIPMAP_LINEAR,
                                [ANISO] = GL_LINEAR_MIPMAP_LINEAR };
   const enum filter filter = (enum filter)micro->variant;
   GLuint texture, program;

   micro_target(false);
   micro_prepare_cover();
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
   upload((enum format)micro->format);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, min[filter]);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER,
                   filter == NEAREST ? GL_NEAREST : GL_LINEAR);
   if (filter == ANISO)
      glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MAX_ANISOTROPY_EXT, 8.0f);
   program = bench_draw_program(
      MICRO_COVER, "uniform sampler2D image; uniform vec2 span; in vec2 at; out vec4 result;\n"
                   "void main() { result = texture(image, at * span); }\n");
   glUseProgram(program);
   glUniform2fv(glGetUniformLocation(program, "span"), 1, spans[filter]);
}

static void
frame_texture(const struct micro *micro)
{
   (void)micro;
   micro_cover(LAYERS);
}

static bool
check_texture(const struct micro *micro)
{
   const float *span = spans[micro->variant];
   const int tolerance = formats[micro->format].tolerance;
   unsigned bad = 0;

   frame_texture(micro);
   const uint8_t *pixels = micro_read();
   for (int y = BORDER; y < MICRO_SIDE - BORDER; y++) {
      for (int x = BORDER; x < MICRO_SIDE - BORDER; x++) {
         const uint8_t *pixel = pixels + 4 * (y * MICRO_SIDE + x);
         for (int c = 0; c < 2; c++) {
            if (c && formats[micro->format].red)
               continue;
            float value = ((float)(c ? y : x) + 0.5f) / MICRO_SIDE * span[c];
            if (micro->format == SRGB8)
               value = value <= 0.04045f ? value / 12.92f : powf((value + 0.055f) / 1.055f, 2.4f);
            bad += abs(pixel[c] - (int)(value * 255.0f + 0.5f)) > tolerance;
         }
         bad += pixel[2] != 0 || pixel[3] != 255;
      }
   }
   return bad == 0;
}

/* `texels` is the visible fraction of the texture.  For each layer, a frame reads the visible
 * texels once and writes all pixels.
 */
#define ONE(filter_name, format_name, filter_kind, format_kind, texels, each)                  \
   {                                                                                           \
      .name = "texture-" filter_name "-" format_name,                                          \
      .text = "4 layers of " filter_name " texels of " format_name, .unit = "texels filtered", \
      .work = (double)LAYERS * MICRO_SIDE * MICRO_SIDE,                                        \
      .bytes = LAYERS * ((double)MICRO_SIDE * MICRO_SIDE * 4 + (texels)*SIZE * SIZE * (each)), \
      .prepare = prepare_texture, .frame = frame_texture, .check = check_texture,              \
      .variant = filter_kind, .format = format_kind                                            \
   }
#define FORMATS(filter_name, kind, texels)                   \
   ONE(filter_name, "rgba8", kind, RGBA8, texels, 4),        \
      ONE(filter_name, "srgb8", kind, SRGB8, texels, 4),     \
      ONE(filter_name, "565", kind, RGB565, texels, 2),      \
      ONE(filter_name, "rgba16f", kind, RGBA16F, texels, 8), \
      ONE(filter_name, "dxt1", kind, DXT1, texels, 0.5),     \
      ONE(filter_name, "dxt5", kind, DXT5, texels, 1)

const struct micro micro_textures[] = {
   FORMATS("nearest", NEAREST, 1.0 / 16),
   FORMATS("bilinear", BILINEAR, 1.0 / 16),
   ONE("bilinear", "r8", BILINEAR, R8, 1.0 / 16, 1),
   ONE("bilinear", "r16", BILINEAR, R16, 1.0 / 16, 2),
   ONE("bilinear", "rg16", BILINEAR, RG16, 1.0 / 16, 4),
   ONE("bilinear", "r16f", BILINEAR, R16F, 1.0 / 16, 2),
   ONE("bilinear", "r32f", BILINEAR, R32F, 1.0 / 16, 4),
   ONE("bilinear", "rg32f", BILINEAR, RG32F, 1.0 / 16, 8),
   ONE("bilinear", "rgba32f", BILINEAR, RGBA32F, 1.0 / 16, 16),
   FORMATS("trilinear", TRILINEAR, 0.49 * 1.25),
   FORMATS("aniso8", ANISO, 0.125),
};
const unsigned micro_texture_count = sizeof(micro_textures) / sizeof(micro_textures[0]);
