/* SPDX-License-Identifier: MIT */
/*
 * Input assembler, internal: a strip, list, fan, loop or polygon of a batch, delimited by
 * restarts.
 */
#ifndef SGD_IA_STRIP_H
#define SGD_IA_STRIP_H

#include <stdbool.h>
#include <stdint.h>

#include "common/sgd_arch.h"

struct sgd_front;

/* The part of a strip inside the batch, with vertices v[0] to v[n - 1]. */
struct sgd_ia_strip {
   const uint16_t *v;
   unsigned n;
   bool begins, ends; /* the strip starts in this batch; the strip ends in this batch */
   uint16_t hub;      /* first vertex of the whole strip */
};

/* Passes the primitives of a strip to the stage f->second. */
void sgd_ia_assemble_stage(struct sgd_front *f, const struct sgd_ia_strip *s);

#endif
