/* SPDX-License-Identifier: MIT */
/*
 * Converts a linear surface to RGBA one row at a time, so that writing a large picture needs
 * no memory for a second copy of the surface.
 */
#ifndef CAP_ROWS_H
#define CAP_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "sgpu_formats.h"

/* Maximum number of pixels in a picture; the largest surface has as many. */
#define CAP_MAX_PIXELS (UINT64_C(1) << 28)

struct util_format_unpack_description;

struct cap_rows {
   uint32_t width, height, pitch; /* width and height in pixels, pitch in bytes */
   const uint8_t *rows;
   int format; /* enum pipe_format */
   enum cap_rows_kind { CAP_ROWS_COLOR, CAP_ROWS_DEPTH, CAP_ROWS_STENCIL, CAP_ROWS_INTEGER } kind;
   const struct util_format_unpack_description *unpack;
   float *values;    /* memory for the values of one row; unused for colours */
   float low, scale; /* black is `low`, white is low + 255 / scale; unused for colours */
   uint8_t *block;   /* decoded pixels of one row of blocks, for compressed formats */
   /* Number of pixel rows in a block; number of the row of blocks in `block`. */
   uint32_t block_rows, block_at;
};

/* Starts the conversion.  Returns false if the format cannot be shown, if there are no pixels
 * or more than CAP_MAX_PIXELS, or if memory runs out; cap_rows_end() is not needed then.
 */
bool cap_rows_begin(struct cap_rows *r, enum sgpu_format format, uint32_t width, uint32_t height,
                    const uint8_t *rows, uint32_t pitch);
/* Writes row `y`.  Depth, stencil and integers are scaled to their range in the surface. */
void cap_rows_get(struct cap_rows *r, uint32_t y, uint8_t *rgba);
void cap_rows_end(struct cap_rows *r);

#endif
