/* SPDX-License-Identifier: MIT */
/*
 * Copy engine: declarations that the files for blits share.
 */
#ifndef SGD_BLIT_H
#define SGD_BLIT_H

#include "pixel/rop/sgd_codec.h"
#include "pixel/rop/sgd_depth_format.h"
#include "xfer/sgd_element.h"

struct sgd_elements;

struct sgd_blit {
   const struct sgd_surface *src, *dst;
   const struct SGPU_BLIT *p;
   double step_x, step_y, step_z; /* source texels per destination pixel */
   double source_z;               /* z coordinate in the source for the destination layer */
   struct sgd_zs_format zs_src, zs_dst;
   struct sgd_codec from, to;
   bool is_int, linear;
   bool whole; /* true if the blit overwrites all bits of each destination element */
   /* If not `whole`, mask of the bits of an element that are overwritten. If elements have 1, 2, 4
    * or 8 bytes, it is repeated.
    */
   uint8_t bits[16];
   /* Elements are copied without conversion: formats are the same, and unpacking and packing an
    * element changes no bit.
    */
   bool raw;
   bool swaps;  /* both formats are four bytes, which change their places */
   bool bytes;  /* average the samples as bytes; see mean_of_bytes() */
   bool floats; /* average the samples of floats in the order of memory */
   bool box;    /* result of sgd_blit_is_box() */
   /* decodes a texel of a compressed source; NULL if it isn't compressed */
   util_format_fetch_rgba_func_ptr decode;
};

/* These return the position in the source for the center of a destination pixel. */
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

/* Returns true if each destination pixel is the average of 2x2 source texels that are adjacent in
 * memory, with four 8-bit channels each.
 */
bool sgd_blit_is_box(const struct sgd_blit *b);
/* Blits a complete block of 8x4 pixels, whose first pixel is (x, y). sgd_blit_is_box() must be
 * true. If some texels are outside the source, or not in memory after a fast clear, returns false
 * and does nothing.
 */
bool sgd_blit_box(const struct sgd_blit *b, int32_t x, int32_t y, uint32_t layer);
/* Averages the samples of a block of a float format. plane[n] has the elements of sample n. */
void sgd_blit_mean(const struct sgd_blit *b, const uint8_t *const *plane, struct sgd_elements *e);
/* Blits colors, and depth and stencil if `raw` is set. */
void sgd_blit_colors(const struct sgd_blit *b, const struct SGPU_RECT *rect, uint32_t layer);

#endif
