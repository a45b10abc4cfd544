/* SPDX-License-Identifier: MIT */
/*
 * Transfers (clears, copies, blits and fills) with resolved addresses, the input of the copy
 * engine.
 */
#ifndef SGD_XFER_H
#define SGD_XFER_H

#include "common/sgd_state.h"
#include "util/macros.h"

enum sgd_xfer_kind {
   SGD_XFER_CLEAR, /* CLEAR of the framebuffer, or CLEAR SURFACE of a single surface */
   SGD_XFER_COPY_SURFACE,
   SGD_XFER_BLIT,
   SGD_XFER_RESOLVE, /* resolves a fast clear */
   SGD_XFER_COPY_BUFFER,
   SGD_XFER_FILL_BUFFER,
};

/* Transfers between buffers are divided into spans of SGD_XFER_SPAN bytes. Their rectangle counts
 * these spans in x, and has a height of 1.
 */
#define SGD_XFER_SPAN (64 * 1024)

struct sgd_xfer {
   enum sgd_xfer_kind kind;
   struct SGPU_RECT rect; /* destination rectangle, already clipped */
   unsigned layers;       /* number of destination layers */
   union {
      struct {
         struct sgd_surface color[SGD_MAX_COLORS];
         struct sgd_surface zs;
         uint32_t color_value[4]; /* clear colour, as in CLEAR */
         double depth;            /* clear depth */
         uint8_t stencil;         /* clear stencil */
         uint8_t colors;          /* bitmask of the elements of color[] to clear */
         bool clear_depth, clear_stencil;
      } clear;
      struct {
         struct sgd_surface src, dst;
         /* source coordinates minus the destination coordinates, in elements */
         int32_t shift_x, shift_y;
         /* ID of the destination's contents (COPY SURFACE, Contents), or 0 */
         uint16_t contents;
      } copy;
      struct {
         struct sgd_surface src, dst;
         struct SGPU_BLIT packet;
      } blit;
      struct sgd_surface resolve;
      struct {
         /* memory ranges of equal size that don't overlap; src is unused for fills */
         struct sgd_span src, dst;
         uint32_t pattern[4];
         uint32_t pattern_size; /* size of the pattern in bytes */
      } buffer;
   } u;
};

/* A blit maps the destination range d0..d1 to the source range s0..s1 in each direction. The source
 * range may be mirrored. sgd_blit_step() returns the number of source texels per pixel, and
 * sgd_blit_place() the source position of a pixel's centre.
 */
static inline double
sgd_blit_step(int32_t d0, int32_t d1, double s0, double s1)
{
   return (s1 - s0) / ((double)d1 - d0);
}

static inline double
sgd_blit_place(int32_t pixel, int32_t d0, double s0, double step)
{
   return s0 + (pixel + 0.5 - d0) * step;
}

/* Returns v rounded down to an integer. v is first clamped to +/-2^30, the range of coordinates. */
static inline int32_t
sgd_floor_to_int(double v)
{
   v = CLAMP(v, -0x1p30, 0x1p30);
   const int32_t i = (int32_t)v;
   return i - (v < (double)i);
}

#endif
