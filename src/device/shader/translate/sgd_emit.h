/* SPDX-License-Identifier: MIT */
/*
 * Translator: emits the machine code of a region.
 */
#ifndef SGD_EMIT_H
#define SGD_EMIT_H

#include "shader/translate/sgd_ir.h"
#include "shader/translate/sgd_x86.h"

/* Appends a function of type sgd_native_fn to the code, which executes the region for all lanes,
 * eight at a time.  With `masked`, lanes can keep their registers. *pinned is the number of
 * constants that stay in registers during the loop; if it is SGD_EMIT_ANY, it is chosen and
 * returned.  Returns false if out of memory.
 */
#define SGD_EMIT_ANY UINT32_MAX
bool sgd_emit(struct sgd_x86 *x, const struct sgd_ir *ir, bool masked, unsigned *pinned);

#endif
