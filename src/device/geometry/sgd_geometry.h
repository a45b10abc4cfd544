/* SPDX-License-Identifier: MIT */
/*
 * Geometry unit: runs the geometry program for the primitives that the input
 * assembler hands over, 32 runs a warp, and hands on what it emits, in order.
 */
#ifndef SGD_GEOMETRY_H
#define SGD_GEOMETRY_H

#include "sgd_arch.h"
#include "sgd_shader.h"

struct sgd_front;

/* Memory of the vertices that one warp may emit, unless a lane alone needs more:
 * where 32 lanes do not fit, a warp has fewer.
 */
#define SGD_GEOMETRY_STORE (2 << 20)

struct sgd_geometry {
   struct sgd_stage_io io;
   const struct sgd_shader *program;
   enum sgpu_primitive output;
   unsigned max_vertices;           /* of a lane */
   unsigned invocations;
   unsigned lanes;                  /* of a warp */

   /* the warp that is being filled: lanes [0, count) */
   unsigned count;
   uint32_t primitive_id[SGD_WARP], invocation[SGD_WARP];

   /* what it emits: vertex n of lane l is number l * max_vertices + n */
   uint8_t *store;                  /* struct sgd_vertex, f->stride bytes each */
   size_t store_size;
   uint8_t *tag;                    /* of each vertex: its stream, and SGD_GEOMETRY_CUT */
   size_t tag_size;
   uint32_t *id;                    /* and the number of its primitive */
   size_t id_size;
   uint16_t num[SGD_WARP];          /* vertices of all streams */
   uint16_t latest[SGPU_MAX_STREAMS][SGD_WARP];      /* of a stream, plus 1; 0: none */
};

/* The strip ends with this vertex. */
#define SGD_GEOMETRY_CUT 0x80

/* What the batch's state needs; f->stride is known.  False without memory. */
bool sgd_geometry_begin(struct sgd_front *f);
/* The program is to run for a primitive, its vertices in the order of gl_in. */
void sgd_geometry_primitive(struct sgd_front *f, const uint16_t *vertex, uint32_t id);
/* Runs the primitives that are left.  Sets f->geometry_stopped without memory. */
void sgd_geometry_flush(struct sgd_front *f);

void sgd_geometry_free(struct sgd_geometry *g);

#endif
