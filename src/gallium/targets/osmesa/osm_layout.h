/* SPDX-License-Identifier: MIT */
/* Layouts of pixels in the application's memory, and their conversion. */
#ifndef OSM_LAYOUT_H
#define OSM_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "util/format/u_formats.h"

enum osm_order {
   OSM_ORDER_SAME, /* the layout of the color buffer */
   OSM_ORDER_RGB,
   OSM_ORDER_BGR,
   OSM_ORDER_BGRA,
   OSM_ORDER_ARGB,
};

struct osm_layout {
   enum pipe_format target; /* format of the color buffer */
   enum osm_order order;    /* order of the components in memory */
   uint8_t component_bytes; /* bytes per component, or per pixel of OSM_ORDER_SAME */
   uint8_t components;      /* number of components of a pixel in memory, 1 for OSM_ORDER_SAME */
   uint8_t target_bytes;    /* bytes per pixel of the color buffer */
};

/* Sets *layout for a format of GL/osmesa.h and a GL type.  Returns false if the pair is not
 * supported.
 */
bool osm_layout_init(struct osm_layout *layout, int format, unsigned type);

/* Returns the number of bytes of a pixel in memory. */
static inline unsigned
osm_layout_bytes(const struct osm_layout *layout)
{
   return layout->components * layout->component_bytes;
}

/* Convert a row of `width` pixels from the color buffer to memory, and from memory to the color
 * buffer.  The second function sets components of the color buffer that the memory lacks to 1.
 */
void osm_layout_store(const struct osm_layout *layout, void *memory, const void *target,
                      unsigned width);
void osm_layout_load(const struct osm_layout *layout, void *target, const void *memory,
                     unsigned width);

#endif
