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
   SGC_PATTERN_CHOICE,    /* args[] are alternatives; the first one that matches is used */
   SGC_PATTERN_VARIABLE,  /* any value, which is bound to position `pos` of source `src` */
   SGC_PATTERN_NUMBER,    /* literal `value` */
};

#define SGC_PATTERN_MAX_ARGS 3

struct sgc_pattern_node {
   enum sgc_pattern_kind kind;
   nir_op op;
   unsigned num_args;
   const struct sgc_pattern_node *args[SGC_PATTERN_MAX_ARGS];
   uint8_t src, pos;
   bool neg; /* variables: set if the value is the negation of the source */
   /* variables: set if the value must be a literal with a magnitude of at most `value` */
   bool limited;
   float value; /* value of a number, or maximum magnitude of a limited variable */
};

struct sgc_pattern {
   enum sgpu_opcode op; /* composite operation */
   uint8_t comp;        /* result component that the expression computes */
   uint8_t cost;        /* number of NIR instructions that the pattern replaces */
   /* Set if this component alone makes the composite operation worthwhile. The other components are
    * only added to operations that already have a key component.
    */
   bool key;
   /* Set if the composite operation can return a different result. In this case, don't match exact
    * NIR instructions.
    */
   bool inexact;
   const char *text;                    /* expression in the syntax of sgc_pattern.c */
   const struct sgc_pattern_node *root; /* parsed expression */
};

/* Returns the array of all patterns and sets *count to its size. The first call parses the
 * patterns.
 */
const struct sgc_pattern *sgc_patterns(unsigned *count);

#endif
