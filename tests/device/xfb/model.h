/* SPDX-License-Identifier: MIT */
/*
 * Model of transform feedback by the OpenGL 4.6 specification (compatibility profile): sections
 * 10.1 (primitive types), 13.3 (transform feedback) and 13.4 (queries). It takes draws and
 * primitives one after the other, and shares no code with the device.
 */
#ifndef XFB_MODEL_H
#define XFB_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "sgpu_packets.h"

#define MODEL_BUFFERS 4
#define MODEL_ELEMENTS 16
#define MODEL_OUTPUTS 7 /* number of outputs: HPOS, GEN0 to GEN5 */

/* Outputs of a vertex after its program, as bits of the components. */
struct model_vertex {
   uint32_t o[MODEL_OUTPUTS][4];
};

struct model_element {
   unsigned output, first, components, buffer, offset; /* offset in the vertex, in words */
   unsigned stream;
};

struct model_buffer {
   bool bound;
   uint8_t *data;
   uint64_t size;     /* size of the buffer, in bytes */
   uint64_t *counter; /* number of bytes written to the buffer */
   unsigned stride;   /* size of a recorded vertex, in words */
};

struct model {
   struct model_element element[MODEL_ELEMENTS];
   unsigned num_elements;
   struct model_buffer buffer[MODEL_BUFFERS];
   bool flatshade_first;
   unsigned stream; /* number of the vertex stream that the vertices belong to */
   uint64_t generated, needed, written;
};

/* Records the vertices of one strip, list, loop, fan or polygon, which a restart or the end of the
 * draw ends.
 */
void model_strip(struct model *m, enum sgpu_primitive type, const struct model_vertex *v,
                 unsigned n);

#endif
