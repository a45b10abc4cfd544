/* SPDX-License-Identifier: MIT */
/*
 * Copy engine: blits, common to colours and depths.
 */
#ifndef SGD_BLIT_H
#define SGD_BLIT_H

#include "rop/sgd_codec.h"
#include "rop/sgd_depth_format.h"
#include "xfer/sgd_element.h"

struct sgd_blit {
   const struct sgd_surface *src, *dst;
   const struct SGPU_BLIT *p;
   double step_x, step_y, step_z; /* source texels a destination pixel */
   double source_z;               /* of the destination's layer */
   struct sgd_zs_format zs_src, zs_dst;
   struct sgd_codec from, to;
   bool is_int, linear;
   bool whole;       /* all bits of an element are written */
   uint8_t bits[16]; /* otherwise the bits that are written */
   bool bytes;       /* colours are means of bytes: sgd_blit_color.c */
   bool box;         /* sgd_blit_is_box */
   /* A texel of a compressed source's block; NULL: the source has pixels. */
   util_format_fetch_rgba_func_ptr decode;
};

/* The place of a pixel's centre in the source. */
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

/* Pixels are means of two by two texels, quads of the source, of four 8-bit channels. */
bool sgd_blit_is_box(const struct sgd_blit *b);
/* Such pixels of a whole block of the destination, from x, y on.  False, and nothing is done, where
 * texels lie outside of the source, or a fast clear has left them out.
 */
bool sgd_blit_box(const struct sgd_blit *b, int32_t x, int32_t y, uint32_t layer);
void sgd_blit_colors(const struct sgd_blit *b, const struct SGPU_RECT *rect, uint32_t layer);

#endif
