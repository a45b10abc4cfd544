/* SPDX-License-Identifier: MIT */
/*
 * Translator: decides which regions can process vectors of 16 lanes.
 */
#ifndef SGD_IR_WIDE_H
#define SGD_IR_WIDE_H

#include "shader/translate/sgd_ir.h"

/* Immediates of VPERM2I128 that put the first or the second parts of 128 bits of two vectors side
 * by side. They are the only ones with a wide form (VSHUFI64X2).
 */
#define SGD_IR_WIDE_EVEN 0x20
#define SGD_IR_WIDE_ODD 0x31

/* Returns true if operations on 16 lanes (x86_ops.py) have the same results as those on twice eight
 * lanes, for all values of the region. `ir` must be optimized.
 */
bool sgd_ir_can_be_wide(const struct sgd_ir *ir);

#endif
