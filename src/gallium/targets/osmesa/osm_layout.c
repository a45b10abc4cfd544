/* SPDX-License-Identifier: MIT */
#include "osm_layout.h"

#include <string.h>

#include "GL/osmesa.h"
#include "util/format/u_format.h"
#include "util/macros.h"

#ifndef GL_UNSIGNED_SHORT_5_6_5
#define GL_UNSIGNED_SHORT_5_6_5 0x8363
#endif

/* The color buffer's formats by type: with alpha, and without. */
static const struct {
   unsigned type;
   uint8_t component_bytes;
   enum pipe_format rgba, rgbx;
} types[] = {
   { GL_UNSIGNED_BYTE, 1, PIPE_FORMAT_R8G8B8A8_UNORM, PIPE_FORMAT_R8G8B8X8_UNORM },
   { GL_UNSIGNED_SHORT, 2, PIPE_FORMAT_R16G16B16A16_UNORM, PIPE_FORMAT_R16G16B16X16_UNORM },
   { GL_FLOAT, 4, PIPE_FORMAT_R32G32B32A32_FLOAT, PIPE_FORMAT_R32G32B32X32_FLOAT },
};

/* Orders of components for formats other than OSMESA_RGB_565. */
static const struct {
   int format;
   enum osm_order order;
   uint8_t components;
} orders[] = {
   { OSMESA_RGBA, OSM_ORDER_SAME, 4 }, { OSMESA_BGRA, OSM_ORDER_BGRA, 4 },
   { OSMESA_ARGB, OSM_ORDER_ARGB, 4 }, { OSMESA_RGB, OSM_ORDER_RGB, 3 },
   { OSMESA_BGR, OSM_ORDER_BGR, 3 },
};

bool
osm_layout_init(struct osm_layout *layout, int format, unsigned type)
{
   *layout = (struct osm_layout){ 0 };
   if (format == OSMESA_RGB_565 && type == GL_UNSIGNED_SHORT_5_6_5) {
      layout->target = PIPE_FORMAT_B5G6R5_UNORM;
   } else if (format == OSMESA_BGRA && type == GL_UNSIGNED_BYTE) {
      layout->target = PIPE_FORMAT_B8G8R8A8_UNORM;
   } else {
      for (unsigned t = 0; t < ARRAY_SIZE(types); t++) {
         for (unsigned o = 0; o < ARRAY_SIZE(orders); o++) {
            if (types[t].type == type && orders[o].format == format) {
               layout->target = orders[o].components == 4 ? types[t].rgba : types[t].rgbx;
               layout->order = orders[o].order;
               layout->components = orders[o].components;
               layout->component_bytes = types[t].component_bytes;
            }
         }
      }
   }
   if (layout->target == PIPE_FORMAT_NONE)
      return false;
   layout->target_bytes = util_format_get_blocksize(layout->target);
   if (layout->order == OSM_ORDER_SAME) {
      layout->component_bytes = layout->target_bytes;
      layout->components = 1;
   }
   return true;
}

/* Functions for components of one type.  `one` is the value of a component that is 1.  Component i
 * of a pixel in memory is component o[i] of the color buffer's pixel.
 */
#define CONVERSIONS(type, one)                                                                  \
   static ALWAYS_INLINE void store_##type(type *restrict memory, const type *restrict target,   \
                                          unsigned width, unsigned n, const unsigned *o)        \
   {                                                                                            \
      for (unsigned x = 0; x < width; x++) {                                                    \
         for (unsigned i = 0; i < n; i++)                                                       \
            memory[x * n + i] = target[x * 4 + o[i]];                                           \
      }                                                                                         \
   }                                                                                            \
   static ALWAYS_INLINE void load_##type(type *restrict target, const type *restrict memory,    \
                                         unsigned width, unsigned n, const unsigned *o)         \
   {                                                                                            \
      for (unsigned x = 0; x < width; x++) {                                                    \
         if (n == 3)                                                                            \
            target[x * 4 + 3] = one;                                                            \
         for (unsigned i = 0; i < n; i++)                                                       \
            target[x * 4 + o[i]] = memory[x * n + i];                                           \
      }                                                                                         \
   }                                                                                            \
   static void convert_##type(enum osm_order order, bool load, void *to, const void *from,      \
                              unsigned width)                                                   \
   {                                                                                            \
      static const unsigned rgb[] = { 0, 1, 2 }, bgr[] = { 2, 1, 0 }, bgra[] = { 2, 1, 0, 3 },  \
                            argb[] = { 3, 0, 1, 2 };                                            \
                                                                                                \
      switch (order) {                                                                          \
      case OSM_ORDER_RGB:                                                                       \
         load ? load_##type(to, from, width, 3, rgb) : store_##type(to, from, width, 3, rgb);   \
         break;                                                                                 \
      case OSM_ORDER_BGR:                                                                       \
         load ? load_##type(to, from, width, 3, bgr) : store_##type(to, from, width, 3, bgr);   \
         break;                                                                                 \
      case OSM_ORDER_BGRA:                                                                      \
         load ? load_##type(to, from, width, 4, bgra) : store_##type(to, from, width, 4, bgra); \
         break;                                                                                 \
      case OSM_ORDER_ARGB:                                                                      \
         load ? load_##type(to, from, width, 4, argb) : store_##type(to, from, width, 4, argb); \
         break;                                                                                 \
      default:                                                                                  \
         unreachable("pixels of the same layout are copied");                                   \
      }                                                                                         \
   }

/* OSM_ORDER_ARGB of bytes, a word at a time.  Rotates by `left` bits. */
static void
rotate(uint8_t *restrict to, const uint8_t *restrict from, unsigned width, unsigned left)
{
   for (unsigned x = 0; x < width; x++) {
      uint32_t word;

      memcpy(&word, from + x * 4, 4);
      word = word << left | word >> (32 - left);
      memcpy(to + x * 4, &word, 4);
   }
}

CONVERSIONS(uint8_t, UINT8_MAX)
CONVERSIONS(uint16_t, UINT16_MAX)
CONVERSIONS(float, 1.0f)

static void
convert(const struct osm_layout *layout, bool load, void *to, const void *from, unsigned width)
{
   if (layout->order == OSM_ORDER_SAME)
      memcpy(to, from, (size_t)width * layout->target_bytes);
   else if (layout->component_bytes == 1 && layout->order == OSM_ORDER_ARGB)
      rotate(to, from, width, load ? 24 : 8);
   else if (layout->component_bytes == 1)
      convert_uint8_t(layout->order, load, to, from, width);
   else if (layout->component_bytes == 2)
      convert_uint16_t(layout->order, load, to, from, width);
   else
      convert_float(layout->order, load, to, from, width);
}

void
osm_layout_store(const struct osm_layout *layout, void *memory, const void *target, unsigned width)
{
   convert(layout, false, memory, target, width);
}

void
osm_layout_load(const struct osm_layout *layout, void *target, const void *memory, unsigned width)
{
   convert(layout, true, target, memory, width);
}
