/* SPDX-License-Identifier: MIT */
/*
 * Translator: derives the properties of the values in a region (enum sgd_ir_fact).
 */
#ifndef SGD_IR_FACTS_H
#define SGD_IR_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "shader/translate/sgd_ir.h"
#include "sgpu_fp.h"

/* Properties that are only meaningful if a value is a float. The value 0 has all of them. */
#define SGD_VALUE_FACTS (SGD_FACT_FLUSHED | SGD_FACT_NUMBER | SGD_FACT_CANON | SGD_FACT_POSITIVE)

/* Returns the properties of a node (mask of enum sgd_ir_fact). All other members of the node must
 * be set.
 */
uint8_t sgd_ir_facts(const struct sgd_ir *ir, const struct sgd_ir_node *n);

/* Returns true if a value is known to have all of the given properties. */
static inline bool
sgd_ir_has(const struct sgd_ir *ir, uint16_t node, uint8_t facts)
{
   return (ir->nodes[node].facts & facts) == facts;
}

/* Returns true if the word, interpreted as a float, is NaN. */
static inline bool
sgd_word_is_nan(uint32_t word)
{
   return (word & ~SGPU_FP_SIGN_BIT) > SGPU_FP_INF_BITS;
}

#endif
