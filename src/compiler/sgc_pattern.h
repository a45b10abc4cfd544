/* SPDX-License-Identifier: MIT */
/*
 * The expressions by which the composite operations (LIT, EXP, LOG, DST) are
 * recognized, one for each component of a result.
 */
#ifndef SGC_PATTERN_H
#define SGC_PATTERN_H

#include "compiler/nir/nir.h"
#include "sgpu_isa.h"

enum sgc_pattern_kind {
   SGC_PATTERN_OPERATION, /* op of args[0..num_args - 1] */
   SGC_PATTERN_CHOICE,    /* the first of the args that matches */
   SGC_PATTERN_VARIABLE,  /* position `pos` of source `src` */
   SGC_PATTERN_NUMBER,
};

#define SGC_PATTERN_MAX_ARGS 3

struct sgc_pattern_node {
   enum sgc_pattern_kind kind;
   nir_op op;
   unsigned num_args;
   const struct sgc_pattern_node *args[SGC_PATTERN_MAX_ARGS];
   uint8_t src, pos;
   bool neg;     /* of a variable: its negation */
   bool limited; /* of a variable: a literal of at most this magnitude */
   float value;  /* of a number or limit */
};

struct sgc_pattern {
   enum sgpu_opcode op;
   uint8_t comp;
   uint8_t cost; /* instructions that it stands for */
   bool key;     /* makes the operation worthwhile; the others join it */
   bool inexact; /* not for values that must be computed as written */
   const char *text;
   const struct sgc_pattern_node *root;
};

/* All patterns, parsed once in a process; *count is their number. */
const struct sgc_pattern *sgc_patterns(unsigned *count);

#endif
