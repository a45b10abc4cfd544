/* SPDX-License-Identifier: MIT */
/*
 * Translator: what is known of the values of a region, and operations that this makes simpler.
 */
#ifndef SGD_IR_FOLD_H
#define SGD_IR_FOLD_H

#include <stdbool.h>
#include <stdint.h>

#include "sgd_ir.h"

/* The facts of a node whose other members are set (enum sgd_ir_fact). */
uint8_t sgd_ir_facts(const struct sgd_ir *ir, const struct sgd_ir_node *n);

/* A node with the bits of this operation that is simpler; SGD_IR_NONE: there is none.  Puts a
 * constant behind the other source where they commute, else the older node first.
 */
uint16_t sgd_ir_fold(struct sgd_ir *ir, struct sgd_ir_node *n);

/* A comparison by VCMPPS with its sources exchanged: the immediate. */
unsigned sgd_ir_swapped_comparison(unsigned imm);

#endif
