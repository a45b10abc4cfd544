/* SPDX-License-Identifier: MIT */
/*
 * Tests every image format with every access: loads and stores with and without a format qualifier,
 * in compute and fragment shaders.  The test fills and reads textures as raw texels.
 */
#include "image_formats.h"

#define W 16u
#define H 4u
#define TEXELS (W * H)

static GLuint
make_texture(const struct format *f, const uint8_t *texels)
{
   GLuint texture;

   glCreateTextures(GL_TEXTURE_2D, 1, &texture);
   glTextureStorage2D(texture, 1, f->internal, W, H);
   glTextureSubImage2D(texture, 0, 0, 0, W, H, f->format, f->type, texels);
   return texture;
}

/* Returns true if the floats with these bits are equal or adjacent. */
static bool
close_floats(uint32_t a, uint32_t b)
{
   return a - b + 1 <= 2 || (bits_float(a) == 0 && bits_float(b) == 0);
}

static const char *
access_head(const struct format *f, const char *access, bool formatless)
{
   const char *p = format_prefix(f);

   return text("#extension GL_EXT_shader_image_load_formatted : enable\n"
               "layout(%sbinding = 0) uniform %s %simage2D img;\n"
               "layout(std430, binding = 0) buffer B { %svec4 b[]; };\n",
               formatless ? "" : text("%s, ", f->name), access, p, *p ? p : "");
}

static GLuint
access_program(const char *head, const char *body, bool fragment)
{
   if (fragment) {
      return PROGRAM(.head = head, .vs = FILL_VS,
                     .fs = text("void main() {\n"
                                "   ivec2 p = ivec2(gl_FragCoord.xy); int i = p.y * 16 + p.x;\n"
                                "   %s\n"
                                "}\n",
                                body));
   }
   return PROGRAM(.head = head,
                  .cs =
                     text("layout(local_size_x = 16) in;\n"
                          "void main() {\n"
                          "   ivec2 p = ivec2(gl_GlobalInvocationID.xy); int i = p.y * 16 + p.x;\n"
                          "   %s\n"
                          "}\n",
                          body));
}

static void
run(bool fragment)
{
   if (fragment)
      glDrawArrays(GL_TRIANGLES, 0, 3);
   else
      glDispatchCompute(W / 16, H, 1);
}

static void
test_load(const struct format *f, bool formatless, bool fragment)
{
   const char *head = access_head(f, "readonly", formatless);
   const GLuint program = access_program(head, "b[i] = imageLoad(img, p);", fragment);
   const unsigned size = format_size(f);
   uint8_t texels[TEXELS * 16];
   uint32_t found[TEXELS][4], raw[TEXELS][4];

   for (unsigned i = 0; i < TEXELS; i++) {
      for (unsigned c = 0; c < f->components; c++)
         raw[i][c] = i < 2 ? (i ? format_decode(f, c, 0) : 0) : format_random(f, c);
      format_pack(f, raw[i], texels + i * size);
   }
   const GLuint texture = make_texture(f, texels);
   const GLuint buffer = core_storage(0, sizeof found, NULL);
   glBindImageTexture(0, texture, 0, GL_FALSE, 0, GL_READ_ONLY, f->internal);
   run(fragment);
   core_read(buffer, sizeof found, found);
   for (unsigned i = 0; i < TEXELS; i++) {
      for (unsigned c = 0; c < 4; c++) {
         const bool ints = f->kind == UINTS || f->kind == SINTS;
         const bool norm = f->kind == UNORM || f->kind == SNORM;
         const uint32_t expected = c < f->components ? format_decode(f, c, raw[i][c])
                                   : c < 3           ? 0
                                   : ints            ? 1
                                                     : float_bits(1.0f);
         CHECK(norm ? close_floats(found[i][c], expected) : found[i][c] == expected,
               "load %s%s%s: texel %u.%u of 0x%x is 0x%x, not 0x%x", f->name,
               formatless ? ", formatless" : "", fragment ? ", fragment" : "", i, c, raw[i][c],
               found[i][c], expected);
      }
   }
   glDeleteTextures(1, &texture);
   glDeleteBuffers(1, &buffer);
   glDeleteProgram(program);
}

/* Returns a random number to store, as the bits of a float or an integer, and in `expected` the two
 * raw components that may result.
 */
static uint32_t
random_value(const struct format *f, unsigned c, uint32_t expected[2])
{
   const uint32_t raw = format_random(f, c);
   const unsigned bits = f->bits[c];

   expected[0] = expected[1] = raw;
   if ((f->kind == UNORM || f->kind == SNORM) && core_random() % 4) {
      const float low = f->kind == UNORM ? 0.0f : -1.0f;
      const double max = format_mask(f->kind == UNORM ? bits : bits - 1);
      const float value = low - 0.25f + (1.5f - low) * (float)(core_random() & 0xffffff) / 0x1p24f;
      const double scaled = fmin(fmax(value, low), 1.0) * max;
      expected[0] = (uint32_t)(int32_t)floor(scaled + 0.49) & format_mask(bits);
      expected[1] = (uint32_t)(int32_t)floor(scaled + 0.51) & format_mask(bits);
      return float_bits(value);
   }
   if (f->kind == FLOATS && bits < 16 && core_random() % 4 == 0) {
      expected[0] = expected[1] = 0; /* the format has no negative numbers */
      return float_bits(-1.5f);
   }
   return format_decode(f, c, raw);
}

static void
test_store(const struct format *f, bool formatless, bool fragment)
{
   const char *head = access_head(f, "writeonly", formatless);
   const GLuint program = access_program(head, "imageStore(img, p, b[i]);", fragment);
   const unsigned size = format_size(f);
   uint8_t texels[TEXELS * 16] = { 0 };
   uint32_t values[TEXELS][4], expected[TEXELS][4][2];

   for (unsigned i = 0; i < TEXELS; i++) {
      for (unsigned c = 0; c < 4; c++)
         values[i][c] = c < f->components ? random_value(f, c, expected[i][c]) : 0x40000000;
   }
   const GLuint texture = make_texture(f, texels);
   const GLuint buffer = core_storage(0, sizeof values, values);
   glBindImageTexture(0, texture, 0, GL_FALSE, 0, GL_WRITE_ONLY, f->internal);
   run(fragment);
   glMemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT);
   glGetTextureImage(texture, 0, f->format, f->type, sizeof texels, texels);
   for (unsigned i = 0; i < TEXELS; i++) {
      uint32_t found[4];
      format_unpack(f, texels + i * size, found);
      for (unsigned c = 0; c < f->components; c++) {
         const uint32_t *e = expected[i][c];
         CHECK(found[c] == e[0] || found[c] == e[1],
               "store %s%s%s: texel %u.%u of 0x%x is 0x%x, not 0x%x", f->name,
               formatless ? ", formatless" : "", fragment ? ", fragment" : "", i, c, values[i][c],
               found[c], e[0]);
      }
   }
   glDeleteTextures(1, &texture);
   glDeleteBuffers(1, &buffer);
   glDeleteProgram(program);
}

int
main(void)
{
   GLuint target;

   core_begin();
   core_target(GL_RGBA8, W, H, &target);
   const bool formatless = core_extension("GL_EXT_shader_image_load_formatted");
   for (unsigned i = 0; i < FORMATS; i++) {
      test_load(&formats[i], false, false);
      test_load(&formats[i], formatless, true);
      test_store(&formats[i], true, false);
      test_store(&formats[i], false, true);
   }
   return core_end("image formats");
}
