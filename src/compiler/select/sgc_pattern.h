/* SPDX-License-Identifier: MIT */
/*
 * Patterns for NIR expressions that compute one component of a composite operation (LIT, EXP, LOG
 * or DST).
 */
#ifndef SGC_PATTERN_H
#define SGC_PATTERN_H

#include "compiler/nir/nir.h"
#include "sgpu_isa.h"

enum sgc_pattern_kind {
   SGC_PATTERN_OPERATION, /* NIR opcode `op` with sources args[] */
   SGC_PATTERN_CHOICE,    /* alternatives args[], the first match wins */
   SGC_PATTERN_VARIABLE,  /* any value, bound to position `pos` of source `src` */
   SGC_PATTERN_NUMBER,    /* literal `value` */
};

#define SGC_PATTERN_MAX_ARGS 3

struct sgc_pattern_node {
   enum sgc_pattern_kind kind;
   nir_op op;
   unsigned num_args;
   const struct sgc_pattern_node *args[SGC_PATTERN_MAX_ARGS];
   uint8_t src, pos;
   bool neg; /* variables: whether the value is the negation of the source */
   /* variables: whether the value must be a literal with a magnitude of at most `value` */
   bool limited;
   float value; /* numbers: the literal; limited variables: the bound */
};

struct sgc_pattern {
   enum sgpu_opcode op; /* composite operation */
   uint8_t comp;        /* result component that the expression computes */
   uint8_t cost;        /* number of instructions that this replaces */
   /* Makes the composite operation worthwhile. Components that aren't keys are only added to
    * operations that have a key component.
    */
   bool key;
   /* whether the result can differ, so that exact NIR instructions must not be matched */
   bool inexact;
   const char *text;                    /* expression in the syntax of sgc_pattern.c */
   const struct sgc_pattern_node *root; /* parsed expression */
};

/* Returns all patterns and sets *count to their number. They're parsed on first use. */
const struct sgc_pattern *sgc_patterns(unsigned *count);

#endif
