/* SPDX-License-Identifier: MIT */
/*
 * Vertex stage: records the index reads of the input assembler for the observer. The functions only
 * exist at the observed level (sgd_observe.h), and do nothing unless sgpu_observer.work is set.
 */
#ifndef SGD_VERTEX_OBSERVE_H
#define SGD_VERTEX_OBSERVE_H

#include "common/sgd_arch.h"

struct sgd_front;

/* Reports that the input assembler reads the batch's indices up to the first use of vertex `end`.
 */
void sgd_vertex_observe_indices(const struct sgd_front *f, unsigned end);

#endif
