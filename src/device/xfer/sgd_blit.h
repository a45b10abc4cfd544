/* SPDX-License-Identifier: MIT */
/*
 * Copy engine: internal declarations for color and depth blits.
 */
#ifndef SGD_BLIT_H
#define SGD_BLIT_H

#include "pixel/rop/sgd_codec.h"
#include "pixel/rop/sgd_depth_format.h"
#include "xfer/sgd_element.h"

struct sgd_blit {
   const struct sgd_surface *src, *dst;
   const struct SGPU_BLIT *p;
   double step_x, step_y, step_z; /* source texels per destination pixel */
   double source_z;               /* source z coordinate of the destination layer */
   struct sgd_zs_format zs_src, zs_dst;
   struct sgd_codec from, to;
   bool is_int, linear;
   bool whole;       /* all bits of each destination element are written */
   uint8_t bits[16]; /* mask of the bits to write, if `whole` is false */
   bool bytes;       /* colors are averages of bytes, see mean_of_bytes() */
   bool box;         /* result of sgd_blit_is_box() */
   /* function that decodes a texel of a compressed source, or NULL */
   util_format_fetch_rgba_func_ptr decode;
};

/* Return the source position of a destination pixel's center. */
static inline double
sgd_blit_x(const struct sgd_blit *b, int32_t x)
{
   return sgd_blit_place(x, b->p->destination_rect.x0, b->p->source_rect.x0, b->step_x);
}

static inline double
sgd_blit_y(const struct sgd_blit *b, int32_t y)
{
   return sgd_blit_place(y, b->p->destination_rect.y0, b->p->source_rect.y0, b->step_y);
}

/* Returns true if each destination pixel is the average of a 2x2 quad of source texels with four
 * 8-bit channels.
 */
bool sgd_blit_is_box(const struct sgd_blit *b);
/* Blits a whole block of the destination, starting at (x, y). Requires sgd_blit_is_box(). Returns
 * false without any effect if texels are outside the source, or not in memory because of a fast
 * clear.
 */
bool sgd_blit_box(const struct sgd_blit *b, int32_t x, int32_t y, uint32_t layer);
void sgd_blit_colors(const struct sgd_blit *b, const struct SGPU_RECT *rect, uint32_t layer);

#endif
