/* SPDX-License-Identifier: MIT */
/*
 * Translator: machine code of a region.
 */
#ifndef SGD_EMIT_H
#define SGD_EMIT_H

#include "sgd_ir.h"
#include "sgd_x86.h"

/* Appends a function of sgd_native_fn's type to the code: the region for all lanes, eight at a
 * time; with `masked`, lanes that keep their registers do.  *pinned is the number of
 * constants that registers keep over the loop; SGD_EMIT_ANY: to be chosen, and told.  False without
 * memory.
 */
#define SGD_EMIT_ANY UINT32_MAX
bool sgd_emit(struct sgd_x86 *x, const struct sgd_ir *ir, bool masked, unsigned *pinned);

#endif
