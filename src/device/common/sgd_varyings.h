/* SPDX-License-Identifier: MIT */
/*
 * Layout of the pixel program's inputs in the vertices and primitives of a draw. Each component of
 * an input is a plane (perspective or linear), a flat value, or a constant. Perspective planes come
 * first, then the planes that are linear in window space, starting at index `linear`. Both groups
 * are padded to a multiple of four. Flat values follow. Vertices store their values in the same
 * order.
 */
#ifndef SGD_VARYINGS_H
#define SGD_VARYINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/sgd_state.h"

#define SGD_MAX_PLANES (4 * SGD_MAX_VARYINGS + 8)
#define SGD_NO_PLANE 0xff

struct sgd_varying_ref {
   uint8_t input, comp; /* v[input].comp of the pixel program */
   /* the component is o[output].comp of the last stage before the clipper */
   uint8_t output, out_comp;
   bool used; /* false for padding */
   /* set if the last stage doesn't write the component, which then always equals `value` */
   bool constant;
   /* Value that replaces the component if the primitive is a point: 1 for point coordinate s, 2 for
    * t, 3 for the constant 0, 4 for the constant 1. 0 if the component is not replaced.
    */
   uint8_t point_coord;
   uint32_t value;
};

#define SGD_NO_LANES 0xffff

struct sgd_varyings {
   unsigned linear;        /* index of the first linear plane */
   unsigned num_planes;    /* number of perspective and linear planes, including padding */
   unsigned num_flat;      /* number of flat values */
   unsigned num_constants; /* number of elements of constant[] */
   /* index of the plane of component v[n].comp, or SGD_NO_PLANE */
   uint8_t plane[SGD_MAX_VARYINGS][4];
   unsigned prim_size; /* size in bytes of struct sgd_prim with its planes, a multiple of 16 */
   /* the components of all planes, followed by the components of all flat values */
   struct sgd_varying_ref ref[SGD_MAX_PLANES];
   /* byte offset of each component of ref[] in the inputs of a warp, or SGD_NO_LANES for padding */
   uint16_t lanes[SGD_MAX_PLANES];
   struct {
      uint8_t input, comp;
      uint32_t value;
   } constant[4 * SGD_MAX_VARYINGS];
};

/* Computes lanes[] from ref[]. */
static inline void
sgd_varyings_find_lanes(struct sgd_varyings *v)
{
   for (unsigned k = 0; k < v->num_planes + v->num_flat; k++) {
      const struct sgd_varying_ref *ref = &v->ref[k];
      const unsigned row = 4 * ref->input + ref->comp;
      v->lanes[k] = ref->used ? row * SGD_WARP * sizeof(uint32_t) : SGD_NO_LANES;
   }
}

#endif
