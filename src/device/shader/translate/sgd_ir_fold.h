/* SPDX-License-Identifier: MIT */
/*
 * Translator: replaces operations by simpler ones with the same bits.
 */
#ifndef SGD_IR_FOLD_H
#define SGD_IR_FOLD_H

#include <stdint.h>

#include "shader/translate/sgd_ir.h"

/* Returns a simpler node with the bits of this operation, or SGD_IR_NONE.  If its sources commute,
 * moves a constant to the second source.  If there is no constant, moves the older node to the
 * first source.
 */
uint16_t sgd_ir_fold(struct sgd_ir *ir, struct sgd_ir_node *n);

/* Returns the immediate of VCMPPS for the same comparison with its sources exchanged. */
unsigned sgd_ir_swapped_comparison(unsigned imm);

#endif
