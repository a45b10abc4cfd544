/* SPDX-License-Identifier: MIT */
/*
 * Every format with every type: the memory that a picture is written to, and the picture that is
 * read from memory, compared with a conversion that is written down here.  Row lengths, rows from
 * the top, and bytes between the rows, which must stay as they were.
 */
#include <math.h>

#include "../driver/random.h"
#include "osmesa_test.h"

#define WIDTH 37
#define HEIGHT 11
#define MAX_ROW 45
#define GUARD 0xa5

static const struct {
   const char *name;
   int format;
   int order[4]; /* components in memory, where 0 is red and 3 is alpha */
   int components;
} formats[] = {
   { "RGBA", OSMESA_RGBA, { 0, 1, 2, 3 }, 4 }, { "BGRA", OSMESA_BGRA, { 2, 1, 0, 3 }, 4 },
   { "ARGB", OSMESA_ARGB, { 3, 0, 1, 2 }, 4 }, { "RGB", OSMESA_RGB, { 0, 1, 2 }, 3 },
   { "BGR", OSMESA_BGR, { 2, 1, 0 }, 3 },      { "RGB_565", OSMESA_RGB_565, { 0, 1, 2 }, 3 },
};
#define NUM_FORMATS (sizeof formats / sizeof *formats)

static const GLenum types[] = {
   GL_UNSIGNED_BYTE,          GL_UNSIGNED_SHORT, GL_FLOAT, GL_UNSIGNED_SHORT_5_6_5,
   GL_UNSIGNED_SHORT_4_4_4_4, GL_HALF_FLOAT,     GL_BYTE,  GL_INT,
};
#define NUM_TYPES (sizeof types / sizeof *types)

/* Returns whether the library must accept the pair. */
static bool
is_valid(unsigned f, GLenum type)
{
   if (formats[f].format == OSMESA_RGB_565)
      return type == GL_UNSIGNED_SHORT_5_6_5;
   return type == GL_UNSIGNED_BYTE || type == GL_UNSIGNED_SHORT || type == GL_FLOAT;
}

static unsigned
pixel_bytes(unsigned f, GLenum type)
{
   if (type == GL_UNSIGNED_SHORT_5_6_5)
      return 2;
   return formats[f].components * (type == GL_FLOAT ? 4 : type == GL_UNSIGNED_SHORT ? 2 : 1);
}

/* Returns a random value that a component of the type has exactly. */
static float
random_value(GLenum type, int component)
{
   switch (type) {
   case GL_UNSIGNED_BYTE:
      return (float)(below(256) / 255.0);
   case GL_UNSIGNED_SHORT:
      return (float)(below(65536) / 65535.0);
   case GL_UNSIGNED_SHORT_5_6_5:
      return component == 1 ? below(64) / 63.0f : below(32) / 31.0f;
   default:
      return ((int)below(65536) - 0x8000) / 1024.0f;
   }
}

/* Writes a pixel to memory. */
static void
encode(unsigned f, GLenum type, const float *rgba, uint8_t *to)
{
   if (type == GL_UNSIGNED_SHORT_5_6_5) {
      const uint16_t word = (uint16_t)(lrintf(rgba[0] * 31) << 11 | lrintf(rgba[1] * 63) << 5 |
                                       lrintf(rgba[2] * 31));
      memcpy(to, &word, 2);
      return;
   }
   for (int i = 0; i < formats[f].components; i++) {
      const float value = rgba[formats[f].order[i]];

      if (type == GL_UNSIGNED_BYTE) {
         to[i] = (uint8_t)lrintf(value * 255);
      } else if (type == GL_UNSIGNED_SHORT) {
         const uint16_t word = (uint16_t)lrintf(value * 65535);
         memcpy(to + i * 2, &word, 2);
      } else {
         memcpy(to + i * 4, &value, 4);
      }
   }
}

static float picture[HEIGHT][WIDTH][4], read_back[HEIGHT][WIDTH][4];
static uint8_t memory[HEIGHT * MAX_ROW * 16], expected[sizeof memory];

/* Makes a random picture.  Its memory goes to `expected`. */
static void
make_picture(unsigned f, GLenum type, unsigned row, bool y_up)
{
   const unsigned bytes = pixel_bytes(f, type);

   memset(expected, GUARD, sizeof expected);
   for (unsigned y = 0; y < HEIGHT; y++) {
      for (unsigned x = 0; x < WIDTH; x++) {
         for (int c = 0; c < 4; c++)
            picture[y][x][c] = c < formats[f].components ? random_value(type, c) : 1;
         encode(f, type, picture[y][x], expected + ((y_up ? y : HEIGHT - 1 - y) * row + x) * bytes);
      }
   }
}

/* Checks that GL reads the picture. */
static void
check_read(unsigned f, GLenum type, const char *what)
{
   unsigned bad = 0;

   glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_FLOAT, read_back);
   for (unsigned y = 0; y < HEIGHT; y++) {
      for (unsigned x = 0; x < WIDTH; x++) {
         for (int c = 0; c < 4; c++)
            bad += fabsf(picture[y][x][c] - read_back[y][x][c]) > 1e-6f;
      }
   }
   CHECK(bad == 0,
         "%s, type 0x%x, %s: %u components differ; the first pixel is %g %g %g %g, not "
         "%g %g %g %g",
         formats[f].name, type, what, bad, read_back[0][0][0], read_back[0][0][1],
         read_back[0][0][2], read_back[0][0][3], picture[0][0][0], picture[0][0][1],
         picture[0][0][2], picture[0][0][3]);
}

static void
check_memory(unsigned f, GLenum type, const char *what)
{
   for (unsigned i = 0; i < sizeof memory; i++) {
      if (memory[i] != expected[i]) {
         CHECK(false, "%s, type 0x%x, %s: byte %u is 0x%x, not 0x%x", formats[f].name, type, what,
               i, memory[i], expected[i]);
         return;
      }
   }
}

static void
test_pair(unsigned f, GLenum type, unsigned row, bool y_up)
{
   OSMesaContext context = OSMesaCreateContext(formats[f].format, NULL);
   GLint value;

   memset(memory, GUARD, sizeof memory);
   if (!is_valid(f, type)) {
      CHECK(!OSMesaMakeCurrent(context, memory, type, WIDTH, HEIGHT), "%s, type 0x%x",
            formats[f].name, type);
      CHECK(OSMesaGetCurrentContext() == NULL, "after a call that failed");
      OSMesaDestroyContext(context);
      return;
   }
   test_bind(context, memory, type, WIDTH, HEIGHT);
   OSMesaPixelStore(OSMESA_ROW_LENGTH, row == WIDTH ? 0 : row);
   OSMesaPixelStore(OSMESA_Y_UP, y_up);

   OSMesaGetIntegerv(OSMESA_FORMAT, &value);
   CHECK(value == formats[f].format, "0x%x", value);
   OSMesaGetIntegerv(OSMESA_TYPE, &value);
   CHECK(value == (GLint)type, "0x%x", value);
   glGetIntegerv(GL_ALPHA_BITS, &value);
   CHECK((value > 0) == (formats[f].components == 4), "%s: %i bits of alpha", formats[f].name,
         value);
   glGetIntegerv(GL_GREEN_BITS, &value);
   CHECK(value == (type == GL_UNSIGNED_BYTE    ? 8
                   : type == GL_UNSIGNED_SHORT ? 16
                   : type == GL_FLOAT          ? 32
                                               : 6),
         "type 0x%x: %i bits", type, value);

   /* from GL to memory */
   make_picture(f, type, row, y_up);
   glClampColor(GL_CLAMP_FRAGMENT_COLOR, GL_FALSE);
   glClampColor(GL_CLAMP_READ_COLOR, GL_FALSE);
   glWindowPos2i(0, 0);
   glDrawPixels(WIDTH, HEIGHT, GL_RGBA, GL_FLOAT, picture);
   CHECK(memory[0] == GUARD, "the memory was written before glFinish");
   glFinish();
   check_memory(f, type, "written");
   check_read(f, type, "written");

   /* from memory to GL: another address, and what the program writes before it binds again */
   make_picture(f, type, row, y_up);
   OSMesaMakeCurrent(NULL, NULL, 0, 0, 0);
   memcpy(memory, expected, sizeof memory);
   test_bind(context, memory, type, WIDTH, HEIGHT);
   check_read(f, type, "read");
   glEnable(GL_SCISSOR_TEST);
   glScissor(3, 2, 1, 1);
   glClearColor(0, 0, 0, 0);
   glClear(GL_COLOR_BUFFER_BIT);
   glFlush();
   memset(picture[2][3], 0, sizeof picture[2][3]);
   if (formats[f].components < 4)
      picture[2][3][3] = 1;
   encode(f, type, picture[2][3],
          expected + ((y_up ? 2 : HEIGHT - 3) * row + 3) * pixel_bytes(f, type));
   check_memory(f, type, "changed");
   CHECK(glGetError() == GL_NO_ERROR, "an error of GL");
   OSMesaDestroyContext(context);
}

int
main(void)
{
   CHECK(!OSMesaCreateContext(OSMESA_COLOR_INDEX, NULL), "color indices");
   CHECK(!OSMesaCreateContext(0x3, NULL), "no format");
   for (unsigned f = 0; f < NUM_FORMATS; f++) {
      for (unsigned t = 0; t < NUM_TYPES; t++) {
         test_pair(f, types[t], WIDTH, true);
         test_pair(f, types[t], MAX_ROW, true);
         test_pair(f, types[t], WIDTH, false);
         test_pair(f, types[t], MAX_ROW - 1, false);
      }
   }
   return fails != 0;
}
