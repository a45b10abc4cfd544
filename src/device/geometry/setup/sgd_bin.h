/* SPDX-License-Identifier: MIT */
/*
 * Binning: appends the primitives of a batch to the lists of the tiles that they touch.
 */
#ifndef SGD_BIN_H
#define SGD_BIN_H

#include <stdbool.h>

#include "common/sgd_arch.h"

struct sgd_front;
struct sgd_prim;

/* Prepares binning for a batch. Returns false on allocation failure. */
bool sgd_bin_begin(struct sgd_front *f);
void sgd_bin_prim(struct sgd_front *f, struct sgd_prim *prim);

#endif
