/* SPDX-License-Identifier: MIT */
/* Converts rows of surfaces to RGBA. */
#include "cap_rows.h"

#include <stdlib.h>
#include <string.h>

#include "sgpu_formats_pipe.h"
#include "util/format/u_format.h"

/* Reads the values of a row: one per pixel for depth and stencil, four per pixel for integer
 * formats.
 */
static void
get_values(const struct cap_rows *r, uint32_t y)
{
   const uint8_t *row = r->rows + (size_t)y * r->pitch;
   uint8_t *bytes = (uint8_t *)r->values;
   uint32_t *ints = (uint32_t *)r->values;

   switch (r->kind) {
   case CAP_ROWS_DEPTH:
      r->unpack->unpack_z_float(r->values, 0, row, 0, r->width, 1);
      break;
   case CAP_ROWS_STENCIL:
      r->unpack->unpack_s_8uint(bytes, 0, row, 0, r->width, 1);
      for (uint32_t i = r->width; i-- > 0;)
         r->values[i] = bytes[i];
      break;
   default:
      util_format_unpack_rgba(r->format, ints, row, r->width);
      const bool is_signed = util_format_is_pure_sint(r->format);
      for (size_t i = 0; i < (size_t)r->width * 4; i++)
         r->values[i] = is_signed ? (float)(int32_t)ints[i] : (float)ints[i];
   }
}

/* Computes the scale at which the lowest value of the surface becomes black and the highest value
 * becomes white.
 */
static void
find_range(struct cap_rows *r)
{
   const unsigned stride = r->kind == CAP_ROWS_INTEGER ? 4 : 1;
   const unsigned channels = r->kind == CAP_ROWS_INTEGER ? 3 : 1;
   float low = 0, high = 0;
   bool any = false;

   for (uint32_t y = 0; y < r->height; y++) {
      get_values(r, y);
      for (size_t i = 0; i < (size_t)r->width * stride; i++) {
         const float v = r->values[i];
         if (i % stride >= channels || v - v != 0)
            continue;
         low = any && low < v ? low : v;
         high = any && high > v ? high : v;
         any = true;
      }
   }
   r->low = low;
   r->scale = high > low ? 255 / (high - low) : 0;
}

bool
cap_rows_begin(struct cap_rows *r, enum sgpu_format format, uint32_t width, uint32_t height,
               const uint8_t *rows, uint32_t pitch)
{
   const enum pipe_format pipe = sgpu_format_to_pipe(format);
   const struct util_format_unpack_description *unpack = util_format_unpack_description(pipe);

   memset(r, 0, sizeof *r);
   if (pipe == PIPE_FORMAT_NONE || !unpack || !width || !height ||
       (uint64_t)width * height > CAP_MAX_PIXELS)
      return false;
   r->width = width;
   r->height = height;
   r->pitch = pitch;
   r->rows = rows;
   r->unpack = unpack;

   const struct util_format_description *desc = util_format_description(pipe);
   r->kind = util_format_has_depth(desc)                     ? CAP_ROWS_DEPTH
             : desc->colorspace == UTIL_FORMAT_COLORSPACE_ZS ? CAP_ROWS_STENCIL
             : util_format_is_pure_integer(pipe)             ? CAP_ROWS_INTEGER
                                                             : CAP_ROWS_COLOR;
   /* Read sRGB formats without conversion, since the PNG file stores sRGB values. */
   r->format = r->kind == CAP_ROWS_COLOR ? util_format_linear(pipe) : pipe;
   r->block_rows = desc->block.height;
   r->block_at = UINT32_MAX;
   if (r->block_rows > 1)
      return (r->block = malloc((size_t)width * 4 * r->block_rows)) != NULL;
   if (r->kind == CAP_ROWS_COLOR)
      return true;
   r->values = malloc((size_t)width * 4 * sizeof *r->values);
   if (!r->values)
      return false;
   find_range(r);
   return true;
}

static uint8_t
scaled(const struct cap_rows *r, float v)
{
   return v - v != 0 ? 255 : (uint8_t)((v - r->low) * r->scale);
}

/* Reads a row of pixels from the row of blocks that was decoded last. */
static void
get_compressed(struct cap_rows *r, uint32_t y, uint8_t *rgba)
{
   const uint32_t at = y / r->block_rows, first = at * r->block_rows;
   const uint32_t left = r->height - first;

   if (at != r->block_at)
      util_format_read_4ub(r->format, r->block, r->width * 4, r->rows + (size_t)at * r->pitch,
                           r->pitch, 0, 0, r->width, left < r->block_rows ? left : r->block_rows);
   r->block_at = at;
   memcpy(rgba, r->block + (size_t)(y - first) * r->width * 4, (size_t)r->width * 4);
}

void
cap_rows_get(struct cap_rows *r, uint32_t y, uint8_t *rgba)
{
   if (r->block) {
      get_compressed(r, y, rgba);
      return;
   }
   if (r->kind == CAP_ROWS_COLOR) {
      util_format_read_4ub(r->format, rgba, r->width * 4, r->rows + (size_t)y * r->pitch, r->pitch,
                           0, 0, r->width, 1);
      return;
   }
   const bool color = r->kind == CAP_ROWS_INTEGER;
   get_values(r, y);
   for (uint32_t x = 0; x < r->width; x++) {
      for (unsigned c = 0; c < 3; c++)
         rgba[x * 4 + c] = scaled(r, r->values[color ? x * 4 + c : x]);
      rgba[x * 4 + 3] = 255;
   }
}

void
cap_rows_end(struct cap_rows *r)
{
   free(r->values);
   free(r->block);
   memset(r, 0, sizeof *r);
}
