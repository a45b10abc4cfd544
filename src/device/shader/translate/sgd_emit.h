/* SPDX-License-Identifier: MIT */
/*
 * Translator: emits the machine code of a region.
 */
#ifndef SGD_EMIT_H
#define SGD_EMIT_H

#include "shader/translate/sgd_ir.h"
#include "shader/translate/sgd_x86.h"

/* Emits a function of type sgd_native_fn that executes the region for all lanes, eight at a time.
 * If `masked` is set, the function supports lanes that keep their registers, and *pinned is the
 * number of constants to keep in registers during the loop, or SGD_EMIT_ANY. Otherwise, the best
 * number for vectors of eight lanes is stored in *pinned, unless the function has larger ones.
 * Returns false if an allocation fails.
 */
#define SGD_EMIT_ANY UINT32_MAX
bool sgd_emit(struct sgd_x86 *x, const struct sgd_ir *ir, bool masked, unsigned *pinned);

/* Emits a function of type sgd_loop_fn for a loop whose body is the region, and which lanes leave
 * where the predicate that the region stores is true, or false if `invert` is set. The region must
 * store one predicate, and load none. Returns false if an allocation fails or if the loop is too
 * large.
 */
bool sgd_emit_loop(struct sgd_x86 *x, struct sgd_ir *ir, bool invert);

#endif
