/* SPDX-License-Identifier: MIT */
/*
 * Every function of GL/osmesa.h: what it returns, its errors, and calls without a context.
 */
#include <math.h>

#include "osmesa_test.h"

#define WIDTH 24
#define HEIGHT 16

static uint32_t memory[HEIGHT * WIDTH], other[HEIGHT * WIDTH];

static void
test_attributes(void)
{
   static const struct {
      int list[9];
      bool valid;
      int version; /* lowest version of GL, times 10 */
      bool core;
   } cases[] = {
      { { 0 }, true, 10, false },
      { { OSMESA_FORMAT, OSMESA_BGRA }, true, 10, false },
      { { OSMESA_FORMAT, 0x7777 }, false, 0, false },
      { { OSMESA_FORMAT, OSMESA_COLOR_INDEX }, false, 0, false },
      { { OSMESA_DEPTH_BITS, -1 }, false, 0, false },
      { { OSMESA_STENCIL_BITS, -1 }, false, 0, false },
      { { OSMESA_ACCUM_BITS, -1 }, false, 0, false },
      { { OSMESA_PROFILE, 0 }, false, 0, false },
      { { OSMESA_CONTEXT_MAJOR_VERSION, 0 }, false, 0, false },
      { { OSMESA_CONTEXT_MINOR_VERSION, -1 }, false, 0, false },
      { { OSMESA_CONTEXT_MAJOR_VERSION, 5 }, false, 0, false },
      { { 0x9999, 1 }, false, 0, false },
      { { OSMESA_PROFILE, OSMESA_CORE_PROFILE }, true, 32, true },
      { { OSMESA_PROFILE, OSMESA_CORE_PROFILE, OSMESA_CONTEXT_MAJOR_VERSION, 3,
          OSMESA_CONTEXT_MINOR_VERSION, 3 },
        true,
        33,
        true },
      { { OSMESA_PROFILE, OSMESA_CORE_PROFILE, OSMESA_CONTEXT_MAJOR_VERSION, 4,
          OSMESA_CONTEXT_MINOR_VERSION, 6 },
        true,
        46,
        true },
      { { OSMESA_PROFILE, OSMESA_COMPAT_PROFILE, OSMESA_CONTEXT_MAJOR_VERSION, 4,
          OSMESA_CONTEXT_MINOR_VERSION, 6 },
        true,
        46,
        false },
      { { OSMESA_CONTEXT_MAJOR_VERSION, 4, OSMESA_CONTEXT_MINOR_VERSION, 7 }, false, 0, false },
   };

   for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
      OSMesaContext context = OSMesaCreateContextAttribs(cases[i].list, NULL);
      GLint major = 0, minor = 0, profile = 0;

      CHECK(!!context == cases[i].valid, "list %u: %p", i, (void *)context);
      if (!context)
         continue;
      test_bind(context, memory, GL_UNSIGNED_BYTE, WIDTH, HEIGHT);
      glGetIntegerv(GL_MAJOR_VERSION, &major);
      glGetIntegerv(GL_MINOR_VERSION, &minor);
      glGetIntegerv(GL_CONTEXT_PROFILE_MASK, &profile);
      CHECK(major * 10 + minor >= cases[i].version, "list %u: version %i.%i", i, major, minor);
      CHECK(profile ==
               (cases[i].core ? GL_CONTEXT_CORE_PROFILE_BIT : GL_CONTEXT_COMPATIBILITY_PROFILE_BIT),
            "list %u: profile %i", i, profile);
      CHECK(!strncmp((const char *)glGetString(GL_RENDERER), "sgpu", 4), "%s",
            glGetString(GL_RENDERER));
      test_clear(1, 2, 3);
      OSMesaDestroyContext(context);
   }
   OSMesaContext context = OSMesaCreateContextAttribs(NULL, NULL);
   CHECK(context, "no list");
   OSMesaDestroyContext(context);
   OSMesaDestroyContext(NULL);
}

/* Depth, stencil and accumulation buffers, and the copy of the depth buffer. */
static void
test_buffers(void)
{
   static const struct {
      int wanted[3]; /* bits of depth, stencil and accumulation */
      int got[3];
      int bytes;
   } cases[] = {
      { { 0, 0, 0 }, { 0, 0, 0 }, 0 },   { { 1, 0, 0 }, { 16, 0, 0 }, 2 },
      { { 16, 0, 0 }, { 16, 0, 0 }, 2 }, { { 24, 0, 0 }, { 24, 0, 0 }, 4 },
      { { 32, 0, 0 }, { 24, 0, 0 }, 4 }, { { 24, 8, 16 }, { 24, 8, 16 }, 4 },
      { { 16, 8, 0 }, { 24, 8, 0 }, 4 }, { { 0, 8, 0 }, { 0, 8, 0 }, 0 },
      { { 0, 0, 16 }, { 0, 0, 16 }, 0 },
   };

   for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
      const int *wanted = cases[i].wanted, *got = cases[i].got;
      OSMesaContext context = OSMesaCreateContextExt(OSMESA_RGBA, wanted[0], wanted[1], wanted[2],
                                                     NULL);
      GLint bits[3], width = 1, height = 1, bytes = 1;
      void *buffer = &bits;

      CHECK(!OSMesaGetDepthBuffer(context, &width, &height, &bytes, &buffer) && !buffer && !width,
            "no memory yet");
      test_bind(context, memory, GL_UNSIGNED_BYTE, WIDTH, HEIGHT);
      glGetIntegerv(GL_DEPTH_BITS, &bits[0]);
      glGetIntegerv(GL_STENCIL_BITS, &bits[1]);
      glGetIntegerv(GL_ACCUM_RED_BITS, &bits[2]);
      CHECK(!memcmp(bits, got, sizeof bits), "case %u: %i %i %i", i, bits[0], bits[1], bits[2]);
      CHECK(OSMesaGetDepthBuffer(context, &width, &height, &bytes, &buffer) == !!cases[i].bytes,
            "case %u", i);
      CHECK(bytes == cases[i].bytes && width == (bytes ? WIDTH : 0), "case %u: %i bytes", i, bytes);
      if (bytes) {
         const unsigned one = bytes == 2 ? 0xffff : 0xffffff;

         /* Rows of the depth buffer always begin at the bottom. */
         OSMesaPixelStore(OSMESA_Y_UP, 0);
         OSMesaPixelStore(OSMESA_ROW_LENGTH, WIDTH);
         glClearDepth(1);
         glClearStencil(0xa5);
         glClear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
         glEnable(GL_SCISSOR_TEST);
         glScissor(2, 1, 1, 1);
         glClearDepth(0);
         glDrawBuffer(GL_NONE);
         glClear(GL_DEPTH_BUFFER_BIT);
         glFinish();
         unsigned bad = 0;
         for (int p = 0; p < WIDTH * HEIGHT; p++) {
            const unsigned value = bytes == 2 ? ((uint16_t *)buffer)[p] : ((uint32_t *)buffer)[p];
            bad += value != (p == WIDTH + 2 ? 0 : one);
         }
         CHECK(bad == 0, "case %u: %u depths", i, bad);
         /* the copy after a change of the size */
         test_bind(context, other, GL_UNSIGNED_BYTE, 3, 2);
         glDisable(GL_SCISSOR_TEST);
         glClear(GL_DEPTH_BUFFER_BIT);
         CHECK(OSMesaGetDepthBuffer(context, &width, &height, &bytes, &buffer) && width == 3 &&
                  height == 2 && ((uint16_t *)buffer)[0] == 0,
               "%i x %i", width, height);
      }
      if (got[2]) {
         glClearColor(0.25, 0.5, 1, 1);
         glDrawBuffer(GL_FRONT);
         glClear(GL_COLOR_BUFFER_BIT);
         glAccum(GL_LOAD, 1);
         glAccum(GL_RETURN, 0.5);
         uint8_t pixel[4];
         glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
         CHECK(abs(pixel[0] - 32) <= 1 && abs(pixel[1] - 64) <= 1 && abs(pixel[2] - 128) <= 1,
               "%u %u %u", pixel[0], pixel[1], pixel[2]);
      }
      CHECK(glGetError() == GL_NO_ERROR, "case %u: an error of GL", i);
      OSMesaDestroyContext(context);
   }
}

static void
test_current(void)
{
   OSMesaContext one = OSMesaCreateContext(OSMESA_RGBA, NULL);
   GLint width = 1, height, format, value;
   void *buffer;

   CHECK(!OSMesaGetColorBuffer(one, &width, &height, &format, &buffer) && !buffer && !width,
         "no memory yet");
   CHECK(!OSMesaMakeCurrent(NULL, memory, GL_UNSIGNED_BYTE, WIDTH, HEIGHT), "no context");
   CHECK(!OSMesaMakeCurrent(one, NULL, GL_UNSIGNED_BYTE, WIDTH, HEIGHT), "no memory");
   CHECK(!OSMesaMakeCurrent(one, memory, GL_UNSIGNED_BYTE, 0, HEIGHT), "no width");
   CHECK(!OSMesaMakeCurrent(one, memory, GL_UNSIGNED_BYTE, WIDTH, -1), "no height");
   CHECK(!OSMesaMakeCurrent(one, memory, GL_UNSIGNED_BYTE, 100000, 1), "too wide");
   CHECK(!OSMesaMakeCurrent(one, memory, GL_UNSIGNED_BYTE, 1, 100000), "too high");
   CHECK(!OSMesaGetCurrentContext(), "a context is current");
   /* Without a context, functions have no effect. */
   glClear(GL_COLOR_BUFFER_BIT);
   OSMesaPixelStore(OSMESA_Y_UP, 0);
   OSMesaColorClamp(GL_TRUE);
   value = 1;
   OSMesaGetIntegerv(OSMESA_WIDTH, &value);
   CHECK(value == 0, "%i", value);
   CHECK(OSMesaMakeCurrent(NULL, NULL, 0, 0, 0), "nothing to release");

   test_bind(one, memory, GL_UNSIGNED_BYTE, WIDTH, HEIGHT);
   CHECK(OSMesaGetCurrentContext() == one, "another context");
   static const GLint parameters[][2] = {
      { OSMESA_WIDTH, WIDTH },        { OSMESA_HEIGHT, HEIGHT },
      { OSMESA_FORMAT, OSMESA_RGBA }, { OSMESA_TYPE, GL_UNSIGNED_BYTE },
      { OSMESA_ROW_LENGTH, 0 },       { OSMESA_Y_UP, 1 },
      { OSMESA_MAX_WIDTH, 16384 },    { OSMESA_MAX_HEIGHT, 16384 },
   };
   for (unsigned i = 0; i < sizeof parameters / sizeof *parameters; i++) {
      OSMesaGetIntegerv(parameters[i][0], &value);
      CHECK(value == parameters[i][1], "parameter 0x%x: %i", parameters[i][0], value);
   }
   OSMesaPixelStore(OSMESA_ROW_LENGTH, 99);
   OSMesaPixelStore(OSMESA_ROW_LENGTH, -1);
   OSMesaGetIntegerv(OSMESA_ROW_LENGTH, &value);
   CHECK(value == 99, "%i", value);
   OSMesaPixelStore(OSMESA_ROW_LENGTH, 0);

   GLint viewport[4];
   glGetIntegerv(GL_VIEWPORT, viewport);
   CHECK(viewport[2] == WIDTH && viewport[3] == HEIGHT, "%i x %i", viewport[2], viewport[3]);

   /* The memory has the picture when GetColorBuffer returns. */
   glClearColor(1, 0, 0, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   CHECK(OSMesaGetColorBuffer(one, &width, &height, &format, &buffer) && width == WIDTH &&
            height == HEIGHT && format == OSMESA_RGBA && buffer == memory,
         "%i x %i", width, height);
   CHECK(memory[0] == test_rgb(255, 0, 0), "0x%x", memory[0]);

   /* A draw that waits when the memory changes belongs to the new memory. */
   memset(other, 0, sizeof other);
   glClearColor(0, 1, 0, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   test_bind(one, other, GL_UNSIGNED_BYTE, WIDTH, HEIGHT);
   glFinish();
   CHECK(memory[0] == test_rgb(255, 0, 0) && other[0] == test_rgb(0, 255, 0), "0x%x 0x%x",
         memory[0], other[0]);

   /* glFinish writes the picture also where a framebuffer object is bound. */
   glClearColor(0, 0, 1, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   new_framebuffer();
   attach_renderbuffer(GL_COLOR_ATTACHMENT0, GL_RGBA8, 0, 4, 4);
   test_clear(9, 9, 9);
   CHECK(other[0] == test_rgb(0, 0, 255), "0x%x", other[0]);
   glBindFramebuffer(GL_FRAMEBUFFER, 0);

   /* What a clear leaves is read from memory: a component, and the pixels outside of a scissor. */
   for (int way = 0; way < 3; way++) {
      OSMesaMakeCurrent(NULL, NULL, 0, 0, 0);
      for (int i = 0; i < WIDTH * HEIGHT; i++)
         other[i] = test_rgb(10, 20, 30);
      test_bind(one, other, GL_UNSIGNED_BYTE, WIDTH, HEIGHT);
      glColorMask(1, way != 0, 1, 1);
      glScissor(0, 0, 2, 2);
      if (way == 1)
         glEnable(GL_SCISSOR_TEST);
      test_clear(40, 50, 60);
      CHECK(other[0] == test_rgb(40, way ? 50 : 20, 60), "way %i: 0x%x", way, other[0]);
      CHECK(other[5] == (way == 1 ? test_rgb(10, 20, 30) : other[0]), "way %i: 0x%x", way,
            other[5]);
      glDisable(GL_SCISSOR_TEST);
      glColorMask(1, 1, 1, 1);
   }

   /* larger, smaller, another type */
   static uint16_t wide[4 * 64 * 64];
   test_bind(one, wide, GL_UNSIGNED_SHORT, 64, 64);
   test_clear(255, 51, 0);
   CHECK(wide[0] == 0xffff && wide[4 * 64 * 64 - 3] == 0x3333 && wide[3] == 0xffff, "0x%x 0x%x",
         wide[0], wide[4 * 64 * 64 - 3]);
   test_bind(one, memory, GL_UNSIGNED_BYTE, 5, 3);
   test_clear(0, 51, 0);
   CHECK(memory[14] == test_rgb(0, 51, 0) && memory[15] == test_rgb(255, 0, 0), "0x%x 0x%x",
         memory[14], memory[15]);

   /* A context that is destroyed while it is current does not write to memory, which the program
    * may have freed.
    */
   glClearColor(1, 1, 1, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   OSMesaDestroyContext(one);
   CHECK(memory[0] == test_rgb(0, 51, 0), "0x%x", memory[0]);
   CHECK(!OSMesaGetCurrentContext(), "a context is current");
   glClear(GL_COLOR_BUFFER_BIT);
}

/* Values outside of 0 to 1 in memory of floats.  A core profile never clamps them. */
static void
test_color_clamp(bool core)
{
   const int list[] = {
      OSMESA_PROFILE,
      core ? OSMESA_CORE_PROFILE : OSMESA_COMPAT_PROFILE,
      0,
   };
   static float floats[4 * 4];
   OSMesaContext context = OSMesaCreateContextAttribs(list, NULL);
   static const char *vertex = "#version 330\n"
                               "void main() { gl_Position = vec4(gl_VertexID % 2 * 4 - 1, "
                               "gl_VertexID / 2 * 4 - 1, 0, 1); }";
   static const char *fragment = "#version 330\nout vec4 c; void main() { c = vec4(2, -1, 0, 1); }";
   GLuint array;

   test_bind(context, floats, GL_FLOAT, 2, 2);
   glGenVertexArrays(1, &array);
   glBindVertexArray(array);
   glUseProgram(test_program(vertex, fragment));
   for (int on = 0; on < 3; on++) {
      const bool clamped = on == 1 && !core;

      if (on)
         OSMesaColorClamp(on == 1);
      glDrawArrays(GL_TRIANGLES, 0, 3);
      glFinish();
      CHECK(floats[0] == (clamped ? 1 : 2) && floats[1] == (clamped ? 0 : -1), "%i: %g %g", on,
            floats[0], floats[1]);
   }
   CHECK(glGetError() == GL_NO_ERROR, "an error of GL");
   OSMesaDestroyContext(context);
}

static void
test_postprocess(void)
{
   for (int celshade = 0; celshade < 2; celshade++) {
      OSMesaContext context = OSMesaCreateContext(OSMESA_RGBA, NULL);

      OSMesaPostprocess(context, "no such filter", 1);
      OSMesaPostprocess(context, celshade ? "pp_celshade" : "pp_nored", 1);
      OSMesaPostprocess(context, "pp_nogreen", !celshade);
      test_bind(context, memory, GL_UNSIGNED_BYTE, WIDTH, HEIGHT);
      OSMesaPostprocess(context, "pp_noblue", 1); /* too late */
      test_clear(200, 100, 50);
      if (!celshade)
         CHECK(memory[7] == test_rgb(0, 0, 50), "0x%x", memory[7]);
      else
         CHECK(memory[7] != test_rgb(200, 100, 50), "no filter");
      /* The filter reads the picture that GL has, and leaves it. */
      const uint32_t first = memory[7];
      uint8_t pixel[4];
      glReadPixels(3, 3, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
      CHECK(pixel[0] == 200 && pixel[1] == 100, "%u %u", pixel[0], pixel[1]);
      glEnable(GL_SCISSOR_TEST);
      glScissor(0, 0, 1, 1);
      test_clear(200, 100, 50);
      CHECK(memory[7] == first, "0x%x", memory[7]);
      /* another size */
      test_bind(context, other, GL_UNSIGNED_BYTE, 7, 5);
      glDisable(GL_SCISSOR_TEST);
      test_clear(200, 100, 50);
      CHECK(other[7] == first, "0x%x", other[7]);
      CHECK(glGetError() == GL_NO_ERROR, "an error of GL");
      OSMesaDestroyContext(context);
   }
}

static void
test_get_proc_address(void)
{
   static const struct {
      const char *name;
      OSMESAproc function;
   } own[] = {
#define OWN(name) { #name, (OSMESAproc)name }
      OWN(OSMesaColorClamp),        OWN(OSMesaCreateContext),  OWN(OSMesaCreateContextAttribs),
      OWN(OSMesaCreateContextExt),  OWN(OSMesaDestroyContext), OWN(OSMesaGetColorBuffer),
      OWN(OSMesaGetCurrentContext), OWN(OSMesaGetDepthBuffer), OWN(OSMesaGetIntegerv),
      OWN(OSMesaGetProcAddress),    OWN(OSMesaMakeCurrent),    OWN(OSMesaPixelStore),
      OWN(OSMesaPostprocess),
   };
   OSMesaContext context = test_context(memory, WIDTH, HEIGHT);

   for (unsigned i = 0; i < sizeof own / sizeof *own; i++)
      CHECK(OSMesaGetProcAddress(own[i].name) == own[i].function, "%s", own[i].name);
   CHECK(!OSMesaGetProcAddress("glNoSuchFunction"), "a function that does not exist");
   CHECK(!OSMesaGetProcAddress("OSMesaNoSuchFunction"), "a function that does not exist");
   CHECK(!OSMesaGetProcAddress("eglInitialize"), "a function of EGL");
   void(APIENTRY * color)(GLfloat, GLfloat, GLfloat, GLfloat) = (void(
      APIENTRY *)(GLfloat, GLfloat, GLfloat, GLfloat))OSMesaGetProcAddress("glClearColor");
   GLenum(APIENTRY * status)(GLuint, GLenum) = (GLenum(
      APIENTRY *)(GLuint, GLenum))OSMesaGetProcAddress("glCheckNamedFramebufferStatus");
   color(0, 1, 1, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   glFinish();
   CHECK(memory[0] == test_rgb(0, 255, 255), "0x%x", memory[0]);
   CHECK(status(0, GL_DRAW_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE, "incomplete");
   OSMesaDestroyContext(context);
}

int
main(void)
{
   CHECK(!OSMesaGetCurrentContext(), "a context is current");
   test_attributes();
   test_buffers();
   test_current();
   test_color_clamp(false);
   test_color_clamp(true);
   test_postprocess();
   test_get_proc_address();
   return fails != 0;
}
