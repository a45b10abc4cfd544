/* SPDX-License-Identifier: MIT */
/*
 * Input assembler: reads the elements of a batch and assembles primitives.
 */
#ifndef SGD_IA_H
#define SGD_IA_H

#include "common/sgd_arch.h"

struct sgd_front;

/* Reads the elements of the batch and finds its unique vertices. */
void sgd_ia_read(struct sgd_front *f);
/* Assembles vertices into primitives, and passes the primitives to stage f->second if it exists.
 * Otherwise, passes them to transform feedback if f->xfb_pass is set, or to the clipper if not.
 */
void sgd_ia_assemble(struct sgd_front *f);

#endif
