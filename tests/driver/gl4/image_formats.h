/* SPDX-License-Identifier: MIT */
/*
 * The image formats (GL 4.5, table 8.26), with their conversions to and from the components that
 * shaders see.
 */
#ifndef TEST_IMAGE_FORMATS_H
#define TEST_IMAGE_FORMATS_H

#include <math.h>

#include "core.h"

enum kind { FLOATS, UNORM, SNORM, UINTS, SINTS };

struct format {
   /* Name of the format in GLSL. */
   const char *name;
   GLenum internal, format, type;
   enum kind kind;
   uint8_t components;
   /* Number of bits of each component, starting with the lowest bits of the texel. */
   uint8_t bits[4];
};

/* clang-format off */
static const struct format formats[] = {
   { "rgba32f", GL_RGBA32F, GL_RGBA, GL_FLOAT, FLOATS, 4, { 32, 32, 32, 32 } },
   { "rgba16f", GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT, FLOATS, 4, { 16, 16, 16, 16 } },
   { "rg32f", GL_RG32F, GL_RG, GL_FLOAT, FLOATS, 2, { 32, 32 } },
   { "rg16f", GL_RG16F, GL_RG, GL_HALF_FLOAT, FLOATS, 2, { 16, 16 } },
   { "r11f_g11f_b10f", GL_R11F_G11F_B10F, GL_RGB, GL_UNSIGNED_INT_10F_11F_11F_REV, FLOATS, 3, { 11, 11, 10 } },
   { "r32f", GL_R32F, GL_RED, GL_FLOAT, FLOATS, 1, { 32 } },
   { "r16f", GL_R16F, GL_RED, GL_HALF_FLOAT, FLOATS, 1, { 16 } },
   { "rgba16", GL_RGBA16, GL_RGBA, GL_UNSIGNED_SHORT, UNORM, 4, { 16, 16, 16, 16 } },
   { "rgb10_a2", GL_RGB10_A2, GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV, UNORM, 4, { 10, 10, 10, 2 } },
   { "rgba8", GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, UNORM, 4, { 8, 8, 8, 8 } },
   { "rg16", GL_RG16, GL_RG, GL_UNSIGNED_SHORT, UNORM, 2, { 16, 16 } },
   { "rg8", GL_RG8, GL_RG, GL_UNSIGNED_BYTE, UNORM, 2, { 8, 8 } },
   { "r16", GL_R16, GL_RED, GL_UNSIGNED_SHORT, UNORM, 1, { 16 } },
   { "r8", GL_R8, GL_RED, GL_UNSIGNED_BYTE, UNORM, 1, { 8 } },
   { "rgba16_snorm", GL_RGBA16_SNORM, GL_RGBA, GL_SHORT, SNORM, 4, { 16, 16, 16, 16 } },
   { "rgba8_snorm", GL_RGBA8_SNORM, GL_RGBA, GL_BYTE, SNORM, 4, { 8, 8, 8, 8 } },
   { "rg16_snorm", GL_RG16_SNORM, GL_RG, GL_SHORT, SNORM, 2, { 16, 16 } },
   { "rg8_snorm", GL_RG8_SNORM, GL_RG, GL_BYTE, SNORM, 2, { 8, 8 } },
   { "r16_snorm", GL_R16_SNORM, GL_RED, GL_SHORT, SNORM, 1, { 16 } },
   { "r8_snorm", GL_R8_SNORM, GL_RED, GL_BYTE, SNORM, 1, { 8 } },
   { "rgba32ui", GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT, UINTS, 4, { 32, 32, 32, 32 } },
   { "rgba16ui", GL_RGBA16UI, GL_RGBA_INTEGER, GL_UNSIGNED_SHORT, UINTS, 4, { 16, 16, 16, 16 } },
   { "rgb10_a2ui", GL_RGB10_A2UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT_2_10_10_10_REV, UINTS, 4, { 10, 10, 10, 2 } },
   { "rgba8ui", GL_RGBA8UI, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, UINTS, 4, { 8, 8, 8, 8 } },
   { "rg32ui", GL_RG32UI, GL_RG_INTEGER, GL_UNSIGNED_INT, UINTS, 2, { 32, 32 } },
   { "rg16ui", GL_RG16UI, GL_RG_INTEGER, GL_UNSIGNED_SHORT, UINTS, 2, { 16, 16 } },
   { "rg8ui", GL_RG8UI, GL_RG_INTEGER, GL_UNSIGNED_BYTE, UINTS, 2, { 8, 8 } },
   { "r32ui", GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, UINTS, 1, { 32 } },
   { "r16ui", GL_R16UI, GL_RED_INTEGER, GL_UNSIGNED_SHORT, UINTS, 1, { 16 } },
   { "r8ui", GL_R8UI, GL_RED_INTEGER, GL_UNSIGNED_BYTE, UINTS, 1, { 8 } },
   { "rgba32i", GL_RGBA32I, GL_RGBA_INTEGER, GL_INT, SINTS, 4, { 32, 32, 32, 32 } },
   { "rgba16i", GL_RGBA16I, GL_RGBA_INTEGER, GL_SHORT, SINTS, 4, { 16, 16, 16, 16 } },
   { "rgba8i", GL_RGBA8I, GL_RGBA_INTEGER, GL_BYTE, SINTS, 4, { 8, 8, 8, 8 } },
   { "rg32i", GL_RG32I, GL_RG_INTEGER, GL_INT, SINTS, 2, { 32, 32 } },
   { "rg16i", GL_RG16I, GL_RG_INTEGER, GL_SHORT, SINTS, 2, { 16, 16 } },
   { "rg8i", GL_RG8I, GL_RG_INTEGER, GL_BYTE, SINTS, 2, { 8, 8 } },
   { "r32i", GL_R32I, GL_RED_INTEGER, GL_INT, SINTS, 1, { 32 } },
   { "r16i", GL_R16I, GL_RED_INTEGER, GL_SHORT, SINTS, 1, { 16 } },
   { "r8i", GL_R8I, GL_RED_INTEGER, GL_BYTE, SINTS, 1, { 8 } },
};
/* clang-format on */
#define FORMATS (sizeof formats / sizeof formats[0])

/* Returns the size of a texel in bytes. */
static inline unsigned
format_size(const struct format *f)
{
   return (f->bits[0] + f->bits[1] + f->bits[2] + f->bits[3]) / 8;
}

static inline uint32_t
float_bits(float f)
{
   uint32_t u;

   memcpy(&u, &f, 4);
   return u;
}

static inline float
bits_float(uint32_t u)
{
   float f;

   memcpy(&f, &u, 4);
   return f;
}

/* Returns the value of a small float without a sign that has 5 exponent bits and `mantissa_bits`
 * bits of mantissa.
 */
static inline float
small_float(uint32_t raw, unsigned mantissa_bits)
{
   const int exponent = raw >> mantissa_bits & 31;
   const float m = (float)(raw & ((1u << mantissa_bits) - 1)) / (float)(1u << mantissa_bits);

   if (exponent == 31)
      return m ? NAN : INFINITY;
   return exponent ? ldexpf(1.0f + m, exponent - 15) : ldexpf(m, -14);
}

static inline uint32_t
format_mask(unsigned bits)
{
   return bits == 32 ? ~0u : (1u << bits) - 1;
}

/* Returns the value that imageLoad returns for a stored component: the bits of a float, or an
 * integer.
 */
static inline uint32_t
format_decode(const struct format *f, unsigned c, uint32_t raw)
{
   const unsigned bits = f->bits[c];
   const int32_t extended = (int32_t)(raw << (32 - bits)) >> (32 - bits);

   switch (f->kind) {
   case FLOATS:
      if (bits == 32)
         return raw;
      if (bits == 16)
         return float_bits(small_float(raw & 0x7fff, 10)) | (raw & 0x8000) << 16;
      return float_bits(small_float(raw, bits - 5));
   case UNORM:
      return float_bits((float)((double)raw / format_mask(bits)));
   case SNORM:
      return float_bits((float)fmax(-1.0, (double)extended / format_mask(bits - 1)));
   case UINTS:
      return raw;
   default:
      return (uint32_t)extended;
   }
}

/* Returns random bits of a stored component. */
static inline uint32_t
format_random(const struct format *f, unsigned c)
{
   const unsigned bits = f->bits[c];

   for (;;) {
      const uint32_t raw = core_random() & format_mask(bits);
      if (f->kind == SNORM && raw == 1u << (bits - 1)) /* the second code of -1 */
         continue;
      if (f->kind == FLOATS) { /* no NaN and no infinity, and no subnormal 32-bit float */
         const uint32_t value = format_decode(f, c, raw), exponent = value >> 23 & 255;
         if (exponent == 255 || (bits == 32 && !exponent))
            continue;
      }
      return raw;
   }
}

static inline void
format_pack(const struct format *f, const uint32_t raw[4], uint8_t *texel)
{
   unsigned bit = 0;

   memset(texel, 0, format_size(f));
   for (unsigned c = 0; c < f->components; c++) {
      for (unsigned i = 0; i < f->bits[c]; i++, bit++)
         texel[bit / 8] |= (raw[c] >> i & 1) << bit % 8;
   }
}

static inline void
format_unpack(const struct format *f, const uint8_t *texel, uint32_t raw[4])
{
   unsigned bit = 0;

   memset(raw, 0, 16);
   for (unsigned c = 0; c < f->components; c++) {
      for (unsigned i = 0; i < f->bits[c]; i++, bit++)
         raw[c] |= (uint32_t)(texel[bit / 8] >> bit % 8 & 1) << i;
   }
}

/* Returns the prefix of GLSL types: "u", "i" or "". */
static inline const char *
format_prefix(const struct format *f)
{
   return f->kind == UINTS ? "u" : f->kind == SINTS ? "i" : "";
}

#endif
