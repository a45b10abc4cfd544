/* SPDX-License-Identifier: MIT */
/*
 * Input assembler, inside: a strip (or list, fan, loop, polygon) of a batch
 * between restarts.
 */
#ifndef SGD_IA_STRIP_H
#define SGD_IA_STRIP_H

#include <stdbool.h>
#include <stdint.h>

#include "sgd_arch.h"

struct sgd_front;

/* The part of a strip that is in the batch: vertices v[0..n). */
struct sgd_ia_strip {
   const uint16_t *v;
   unsigned n;
   bool begins, ends; /* the strip begins, ends in this batch */
   uint16_t hub;      /* first vertex of the whole strip */
};

/* Its primitives to the stage f->second. */
void sgd_ia_assemble_stage(struct sgd_front *f, const struct sgd_ia_strip *s);

#endif
