/* SPDX-License-Identifier: MIT */
/*
 * Input assembler: reads the elements of a batch and assembles primitives.
 */
#ifndef SGD_IA_H
#define SGD_IA_H

#include "common/sgd_arch.h"

struct sgd_front;

/* Reads the elements of the batch and finds its vertices. */
void sgd_ia_read(struct sgd_front *f);
/* Assembles vertices into primitives for the stage f->second if there is one. Otherwise, the
 * primitives are for xfb if f->xfb_pass is set, or for the clipper.
 */
void sgd_ia_assemble(struct sgd_front *f);

#endif
