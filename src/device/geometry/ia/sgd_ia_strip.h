/* SPDX-License-Identifier: MIT */
/*
 * Input assembler, internal: one strip, list, fan, loop or polygon of a batch. Restart indices
 * separate them.
 */
#ifndef SGD_IA_STRIP_H
#define SGD_IA_STRIP_H

#include <stdbool.h>
#include <stdint.h>

#include "common/sgd_arch.h"

struct sgd_front;

/* The part of a strip that is in the batch, with vertices v[0] to v[n - 1]. */
struct sgd_ia_strip {
   const uint16_t *v;
   unsigned n;
   /* begins: true if the strip starts in this batch; ends: true if it ends in this batch */
   bool begins, ends;
   uint16_t hub; /* first vertex of the whole strip */
};

/* Passes the primitives of a strip to the stage f->second. */
void sgd_ia_assemble_stage(struct sgd_front *f, const struct sgd_ia_strip *s);

#endif
