/* SPDX-License-Identifier: MIT */
/*
 * Patterns of NIR expressions that compute a component of a composite operation (LIT, EXP, LOG or
 * DST).
 */
#ifndef SGC_PATTERN_H
#define SGC_PATTERN_H

#include "compiler/nir/nir.h"
#include "sgpu_isa.h"

enum sgc_pattern_kind {
   SGC_PATTERN_OPERATION, /* NIR operation `op` with the sources args[] */
   SGC_PATTERN_CHOICE,    /* alternatives args[]; the first one that matches is taken */
   SGC_PATTERN_VARIABLE,  /* any value; it becomes position `pos` of source `src` */
   SGC_PATTERN_NUMBER,    /* the literal `value` */
};

#define SGC_PATTERN_MAX_ARGS 3

struct sgc_pattern_node {
   enum sgc_pattern_kind kind;
   nir_op op;
   unsigned num_args;
   const struct sgc_pattern_node *args[SGC_PATTERN_MAX_ARGS];
   uint8_t src, pos;
   bool neg;     /* for variables: the value is the negation of the source */
   bool limited; /* for variables: the value must be a literal with a magnitude up to `value` */
   float value;  /* for numbers: the number */
};

struct sgc_pattern {
   enum sgpu_opcode op; /* composite operation */
   uint8_t comp;        /* component of the operation's result that the expression computes */
   uint8_t cost;        /* number of instructions that the operation replaces */
   /* The operation is worth using for this component.  Components that are not keys are only added
    * to an operation that has a key.
    */
   bool key;
   bool inexact;     /* the result may differ, so the pattern must not match exact NIR */
   const char *text; /* the expression, in the syntax that sgc_pattern.c describes */
   const struct sgc_pattern_node *root; /* the parsed expression */
};

/* Returns all patterns, and their number in *count.  They are parsed at the first call. */
const struct sgc_pattern *sgc_patterns(unsigned *count);

#endif
