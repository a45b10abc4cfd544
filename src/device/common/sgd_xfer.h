/* SPDX-License-Identifier: MIT */
/*
 * Clears, copies, blits and fills in resolved form, as the copy engine takes them.
 */
#ifndef SGD_XFER_H
#define SGD_XFER_H

#include "common/sgd_state.h"
#include "util/macros.h"

enum sgd_xfer_kind {
   SGD_XFER_CLEAR, /* CLEAR of a framebuffer, or CLEAR SURFACE of one surface */
   SGD_XFER_COPY_SURFACE,
   SGD_XFER_BLIT,
   SGD_XFER_RESOLVE, /* resolve of a fast clear */
   SGD_XFER_COPY_BUFFER,
   SGD_XFER_FILL_BUFFER,
};

/* Transfers between buffers are divided into spans of SGD_XFER_SPAN bytes. For them, x0
 * and x1 of rect are byte offsets / SGD_XFER_SPAN, and y is 0..1.
 */
#define SGD_XFER_SPAN (64 * 1024)

struct sgd_xfer {
   enum sgd_xfer_kind kind;
   struct SGPU_RECT rect; /* rectangle of the destination, already clipped */
   unsigned layers;       /* number of layers of the destination */
   union {
      struct {
         struct sgd_surface color[SGD_MAX_COLORS];
         struct sgd_surface zs;
         uint32_t color_value[4]; /* clear value, as in CLEAR */
         double depth;            /* clear value of depth */
         uint8_t stencil;         /* clear value of stencil */
         uint8_t colors;          /* bit mask of elements of color[] to clear */
         bool clear_depth, clear_stencil;
      } clear;
      struct {
         struct sgd_surface src, dst;
         int32_t shift_x, shift_y; /* source minus destination coordinates, in elements */
         uint16_t contents;        /* number of the destination's contents, or 0 */
      } copy;
      struct {
         struct sgd_surface src, dst;
         struct SGPU_BLIT packet;
      } blit;
      struct sgd_surface resolve;
      struct {
         struct sgd_span src, dst; /* spans of equal size that do not overlap; a fill has no src */
         uint32_t pattern[4];
         uint32_t pattern_size; /* size of the pattern in bytes */
      } buffer;
   } u;
};

/* In each direction, a blit maps destination d0..d1 to source s0..s1, which may be
 * mirrored. These functions return the number of texels per pixel, and the source
 * position of the centre of a pixel.
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

/* Returns the largest integer not above v, clamped to the range of coordinates. */
static inline int32_t
sgd_floor_to_int(double v)
{
   v = CLAMP(v, -0x1p30, 0x1p30);
   const int32_t i = (int32_t)v;
   return i - (v < (double)i);
}

#endif
