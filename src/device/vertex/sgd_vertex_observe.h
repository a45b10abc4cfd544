/* SPDX-License-Identifier: MIT */
/*
 * Vertex stage, observation of work.  Only in the observed level; without effect if work is not
 * observed.
 */
#ifndef SGD_VERTEX_OBSERVE_H
#define SGD_VERTEX_OBSERVE_H

#include "sgd_arch.h"

struct sgd_front;

/* The input assembler reads the indices of the batch up to the first of vertex `end`. */
void sgd_vertex_observe_indices(const struct sgd_front *f, unsigned end);

#endif
