/* SPDX-License-Identifier: MIT */
/*
 * Random structured programs, internal interface: statements.
 */
#ifndef FLOW_STATEMENT_H
#define FLOW_STATEMENT_H

#include "flow_code.h"

enum value_kind { VAR, INPUT, UNIFORM, IMMEDIATE, SHORT_ARRAY, LONG_ARRAY, NUM_VALUE_KINDS };

/* A vector of four: a variable's components repeat past its last. */
struct value {
   enum value_kind kind;
   unsigned index; /* of arrays: the variable whose x is the index */
   uint32_t immediate;
   uint8_t swizzle[4];
};

enum operation { ADD, SUB, MUL, XOR, AND, SHIFT, MIN, SELECT_LESS, COPY, NUM_OPERATIONS };

enum kind { ASSIGN, STORE_SHORT, STORE_LONG, IF, LOOP, BREAK, CONTINUE, RETURN, DISCARD };

struct statement {
   enum kind kind;
   struct statement *next;

   /* assignments and stores: operation(a, b); conditions: a.x < b.x, unsigned */
   enum operation operation;
   struct value a, b;
   unsigned var;
   unsigned mask;
   bool uniform; /* the condition is */

   struct statement *body[2]; /* then and else; loop */
   unsigned counter;          /* of loops, by nesting */
   unsigned bound;            /* a.x % bound + 1 turns */
};

struct flow_program {
   gl_shader_stage stage;
   unsigned features;
   struct statement *body;
};

#define FLOW_COUNTERS 3

static inline unsigned
components(unsigned var)
{
   return var % 4 + 1;
}

#endif
