/* SPDX-License-Identifier: MIT */
/*
 * Translator: orders the nodes of a region so that few values are live at a time.
 */
#ifndef SGD_IR_ORDER_H
#define SGD_IR_ORDER_H

#include "shader/translate/sgd_ir.h"

/* Orders the nodes of a region, which must be optimized. Nodes without uses are removed, except for
 * KEEP. Does nothing if an allocation fails.
 */
void sgd_ir_order(struct sgd_ir *ir);

#endif
