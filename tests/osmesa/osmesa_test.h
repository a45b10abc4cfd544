/* SPDX-License-Identifier: MIT */
/*
 * For tests of libOSMesa: checks, and contexts with memory.
 */
#ifndef OSMESA_TEST_H
#define OSMESA_TEST_H

#include "../driver/check.h"

#include <stdint.h>
#include <string.h>

#include <GL/osmesa.h>

/* Makes the context current with `memory` of `width` x `height` pixels.  Ends the test if that
 * fails.
 */
static inline void
test_bind(OSMesaContext context, void *memory, GLenum type, int width, int height)
{
   REQUIRE(context && OSMesaMakeCurrent(context, memory, type, width, height));
}

/* Creates a context of the RGBA format with memory of bytes. */
static inline OSMesaContext
test_context(void *memory, int width, int height)
{
   OSMesaContext context = OSMesaCreateContext(OSMESA_RGBA, NULL);

   test_bind(context, memory, GL_UNSIGNED_BYTE, width, height);
   return context;
}

/* Clears to a color of 8 bits per component, with alpha 255, and waits for the result. */
static inline void
test_clear(unsigned red, unsigned green, unsigned blue)
{
   glClearColor(red / 255.0f, green / 255.0f, blue / 255.0f, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   glFinish();
}

/* Returns a pixel of OSMESA_RGBA bytes with alpha 255, as a word in memory. */
static inline uint32_t
test_rgb(unsigned red, unsigned green, unsigned blue)
{
   const uint8_t bytes[] = { red, green, blue, 255 };
   uint32_t word;

   memcpy(&word, bytes, sizeof word);
   return word;
}

#endif
