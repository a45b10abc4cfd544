/* SPDX-License-Identifier: MIT */
/*
 * Translator: replaces operations with simpler ones that yield the same bits.
 */
#ifndef SGD_IR_FOLD_H
#define SGD_IR_FOLD_H

#include <stdint.h>

#include "shader/translate/sgd_ir.h"

/* Returns a simpler node that yields the same bits as operation n, or SGD_IR_NONE. If n is
 * commutative, also puts its sources in canonical order: a constant becomes the second source, and
 * if there is no constant, the older node becomes the first source.
 */
uint16_t sgd_ir_fold(struct sgd_ir *ir, struct sgd_ir_node *n);

/* Returns the immediate with which VCMPPS does the same comparison if its sources are swapped. */
unsigned sgd_ir_swapped_comparison(unsigned imm);

#endif
