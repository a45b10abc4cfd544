/* SPDX-License-Identifier: MIT */
/*
 * Translator: facts about the values in a region.
 */
#ifndef SGD_IR_FACTS_H
#define SGD_IR_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "shader/translate/sgd_ir.h"
#include "sgpu_fp.h"

/* Facts about a value as a float. All of them are true for 0. */
#define SGD_VALUE_FACTS (SGD_FACT_FLUSHED | SGD_FACT_NUMBER | SGD_FACT_CANON | SGD_FACT_POSITIVE)

/* Returns the facts (bitmask of enum sgd_ir_fact) about a node whose other members are set. */
uint8_t sgd_ir_facts(const struct sgd_ir *ir, const struct sgd_ir_node *n);

/* Returns true if all of the given facts are known to be true for a value. */
static inline bool
sgd_ir_has(const struct sgd_ir *ir, uint16_t node, uint8_t facts)
{
   return (ir->nodes[node].facts & facts) == facts;
}

/* Returns true if the word is a NaN when interpreted as a float. */
static inline bool
sgd_word_is_nan(uint32_t word)
{
   return (word & ~SGPU_FP_SIGN_BIT) > SGPU_FP_INF_BITS;
}

#endif
