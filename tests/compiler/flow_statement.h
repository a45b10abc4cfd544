/* SPDX-License-Identifier: MIT */
/*
 * Random structured programs, internal interface: statements.
 */
#ifndef FLOW_STATEMENT_H
#define FLOW_STATEMENT_H

#include "flow_code.h"

enum value_kind { VAR, INPUT, UNIFORM, IMMEDIATE, SHORT_ARRAY, LONG_ARRAY, NUM_VALUE_KINDS };

/* An operand, which is a vector of four components.  The components of a variable repeat after its
 * last one.
 */
struct value {
   enum value_kind kind;
   /* Number of the variable, input or uniform; for arrays, of the variable whose x is the index. */
   unsigned index;
   uint32_t immediate;
   uint8_t swizzle[4];
};

enum operation { ADD, SUB, MUL, XOR, AND, SHIFT, MIN, SELECT_LESS, COPY, NUM_OPERATIONS };

enum kind { ASSIGN, STORE_SHORT, STORE_LONG, IF, LOOP, BREAK, CONTINUE, RETURN, DISCARD };

struct statement {
   enum kind kind;
   struct statement *next;

   /* Assignments and stores compute operation(a, b).  Conditions compare a.x < b.x, unsigned. */
   enum operation operation;
   struct value a, b;
   unsigned var;
   unsigned mask;
   /* The condition is uniform. */
   bool uniform;

   /* Then and else part of an if; body of a loop. */
   struct statement *body[2];
   /* Index of a loop's counter: the nesting depth. */
   unsigned counter;
   /* A loop has a.x % bound + 1 iterations. */
   unsigned bound;
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
