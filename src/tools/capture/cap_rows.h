/* SPDX-License-Identifier: MIT */
/* Converts a linear surface to RGBA row by row, so that no memory is needed for a second copy of a
 * large surface.
 */
#ifndef CAP_ROWS_H
#define CAP_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "sgpu_formats.h"

/* Maximum number of pixels in a picture.  The largest surface has this many pixels. */
#define CAP_MAX_PIXELS (UINT64_C(1) << 28)

struct util_format_unpack_description;

struct cap_rows {
   uint32_t width, height, pitch; /* width and height in pixels, row pitch in bytes */
   const uint8_t *rows;
   int format; /* enum pipe_format */
   enum cap_rows_kind { CAP_ROWS_COLOR, CAP_ROWS_DEPTH, CAP_ROWS_STENCIL, CAP_ROWS_INTEGER } kind;
   const struct util_format_unpack_description *unpack;
   float *values; /* memory for the values of one row; unused for colors */
   /* low: value that is shown as black; scale: 255 / (value shown as white - low); unused for
    * colors
    */
   float low, scale;
   uint8_t *block; /* decoded pixels of one row of blocks, for compressed formats */
   /* block_rows: height of a block in pixels; block_at: index of the row of blocks in `block` */
   uint32_t block_rows, block_at;
};

/* Starts the conversion.  Returns false if the format can't be shown, if there are no pixels or
 * more than CAP_MAX_PIXELS, or on allocation failure. cap_rows_end() need not be called after a
 * failure.
 */
bool cap_rows_begin(struct cap_rows *r, enum sgpu_format format, uint32_t width, uint32_t height,
                    const uint8_t *rows, uint32_t pitch);
/* Writes row `y` to `rgba`.  Depth, stencil and integer values are scaled according to the lowest
 * and highest value in the surface.
 */
void cap_rows_get(struct cap_rows *r, uint32_t y, uint8_t *rgba);
void cap_rows_end(struct cap_rows *r);

#endif
