/* SPDX-License-Identifier: MIT */
/*
 * Input assembler, inside: a strip (or list, fan, loop, polygon) of a batch
 * between restarts.
 */
#ifndef SGD_IA_STRIP_H
#define SGD_IA_STRIP_H

#include "front/sgd_front.h"

/* A strip, or what a batch has of it: vertices v[0..n). */
struct sgd_ia_strip {
   const uint16_t *v;
   unsigned n;
   bool begins, ends;         /* its begin and end are in this batch */
   uint16_t hub;              /* first vertex of the whole strip */
};

/* Its primitives to the geometry unit. */
void sgd_ia_assemble_geometry(struct sgd_front *f, const struct sgd_ia_strip *s);

#endif
