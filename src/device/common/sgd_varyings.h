/* SPDX-License-Identifier: MIT */
/*
 * Layout of the pixel program's inputs in the vertices and primitives of a draw.
 *
 * A component of a pixel program input is a plane (perspective or linear), a flat value,
 * or a constant. Planes come first: perspective planes, then planes that are linear in
 * the window, starting at `linear`. Both are padded to groups of four. Flat values
 * follow. Vertices have their values in this order.
 */
#ifndef SGD_VARYINGS_H
#define SGD_VARYINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/sgd_state.h"

#define SGD_MAX_PLANES (4 * SGD_MAX_VARYINGS + 8)
#define SGD_NO_PLANE 0xff

struct sgd_varying_ref {
   uint8_t input, comp;      /* v[input].comp of the pixel program */
   uint8_t output, out_comp; /* o[output].comp of the last stage before the clipper */
   bool used;                /* false if this element is padding */
   bool constant;            /* the program does not write it, so it is `value` */
   uint8_t point_coord;      /* on points: 1 is s, 2 is t, 3 is zero, 4 is one; 0: as on other
                              * primitives */
   uint32_t value;
};

#define SGD_NO_LANES 0xffff

struct sgd_varyings {
   unsigned linear;        /* number of the first linear plane */
   unsigned num_planes;    /* number of perspective and linear planes, including padding */
   unsigned num_flat;      /* number of flat values */
   unsigned num_constants; /* number of elements of constant[] */
   uint8_t plane[SGD_MAX_VARYINGS][4]; /* plane of v[n].comp, or SGD_NO_PLANE */
   unsigned prim_size; /* size in bytes of struct sgd_prim with its planes, a multiple of 16 */
   struct sgd_varying_ref ref[SGD_MAX_PLANES]; /* planes, followed by flat values */
   uint16_t lanes[SGD_MAX_PLANES]; /* bytes from the start of a warp's inputs to ref[]'s component;
                                    * SGD_NO_LANES for padding */
   struct {
      uint8_t input, comp;
      uint32_t value;
   } constant[4 * SGD_MAX_VARYINGS];
};

/* Sets lanes[] from ref[]. */
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
