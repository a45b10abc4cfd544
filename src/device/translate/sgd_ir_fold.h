/* SPDX-License-Identifier: MIT */
/*
 * Translator: simpler operations with the same bits.
 */
#ifndef SGD_IR_FOLD_H
#define SGD_IR_FOLD_H

#include <stdint.h>

#include "sgd_ir.h"

/* A node with the bits of this operation that is simpler; SGD_IR_NONE: there is none.  Puts a
 * constant behind the other source where they commute, else the older node first.
 */
uint16_t sgd_ir_fold(struct sgd_ir *ir, struct sgd_ir_node *n);

/* A comparison by VCMPPS with its sources exchanged: the immediate. */
unsigned sgd_ir_swapped_comparison(unsigned imm);

#endif
