/* SPDX-License-Identifier: MIT */
/*
 * Copy engine: blits, declarations for color and depth.
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
   double source_z;               /* position of the destination's layer in the source */
   struct sgd_zs_format zs_src, zs_dst;
   struct sgd_codec from, to;
   bool is_int, linear;
   bool whole;       /* all bits of an element are written */
   uint8_t bits[16]; /* mask of the bits that are written, if not all */
   bool bytes;       /* colors are means of bytes, see mean_of_bytes() */
   bool box;         /* see sgd_blit_is_box() */
   /* function that decodes a texel of a compressed source, or NULL */
   util_format_fetch_rgba_func_ptr decode;
};

/* Return the position of a pixel's center in the source. */
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

/* Returns true if pixels are means of 2x2 texels, quads of the source, with four 8-bit channels. */
bool sgd_blit_is_box(const struct sgd_blit *b);
/* Blits a whole block of the destination from (x, y) on, if sgd_blit_is_box().  Returns false
 * without effect if texels are outside of the source, or not in memory because of a fast clear.
 */
bool sgd_blit_box(const struct sgd_blit *b, int32_t x, int32_t y, uint32_t layer);
void sgd_blit_colors(const struct sgd_blit *b, const struct SGPU_RECT *rect, uint32_t layer);

#endif
