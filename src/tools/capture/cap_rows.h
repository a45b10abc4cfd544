/* SPDX-License-Identifier: MIT */
/*
 * Rows of pixels as RGBA, one at a time, so that a picture takes no memory beside the
 * surface.
 */
#ifndef CAP_ROWS_H
#define CAP_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "sgpu_formats.h"

/* Pixels of the largest picture: those of the largest surface. */
#define CAP_MAX_PIXELS (UINT64_C(1) << 28)

struct util_format_unpack_description;

struct cap_rows {
   uint32_t width, height, pitch; /* pitch: bytes */
   const uint8_t *rows;
   int format; /* enum pipe_format */
   enum cap_rows_kind { CAP_ROWS_COLOR, CAP_ROWS_DEPTH, CAP_ROWS_STENCIL, CAP_ROWS_INTEGER } kind;
   const struct util_format_unpack_description *unpack;
   float *values;    /* of one row, four a pixel; not of colours */
   float low, scale; /* of values */
   uint8_t *block;   /* decoded rows of one row of blocks; only of compressed formats */
   uint32_t block_rows, block_at;
};

/* Pixels of a linear format.  False if it has no picture, there are no pixels or more
 * than CAP_MAX_PIXELS, or memory is out; then there is nothing to end.
 */
bool cap_rows_begin(struct cap_rows *r, enum sgpu_format format, uint32_t width, uint32_t height,
                    const uint8_t *rows, uint32_t pitch);
/* Writes the width * 4 bytes of row `y`.  Values that are no colours are scaled to their
 * range in the picture.
 */
void cap_rows_get(struct cap_rows *r, uint32_t y, uint8_t *rgba);
void cap_rows_end(struct cap_rows *r);

#endif
