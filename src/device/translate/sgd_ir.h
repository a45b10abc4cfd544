/* SPDX-License-Identifier: MIT */
/*
 * Translator: the form between a program's instructions and machine code.  A region is a piece
 * of a program without control flow; its nodes are values of one chunk of lanes, in SSA form.
 */
#ifndef SGD_IR_H
#define SGD_IR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sgd_x86_ops.h"

enum sgd_ir_kind {
   SGD_IR_OP,    /* a vector instruction */
   SGD_IR_CANON, /* src[0], NaNs replaced by src[1] */
   SGD_IR_FREE,  /* src[0], or another NaN where it is one: no code of its own */
   SGD_IR_LOAD,  /* lanes of the register file */
   SGD_IR_SPLAT, /* a word of the register file for all lanes */
   SGD_IR_CONST, /* a vector */
   SGD_IR_PRED,  /* a predicate as a mask */
   SGD_IR_KEEP,  /* of masked code: ~0 in lanes that keep their registers */
};

/* What is known of a value, of each lane. */
enum sgd_ir_fact {
   SGD_FACT_FLUSHED = 1 << 0,  /* as a float, no subnormal */
   SGD_FACT_NUMBER = 1 << 1,   /* no NaN */
   SGD_FACT_CANON = 1 << 2,    /* no NaN but 0x7fc00000 */
   SGD_FACT_POSITIVE = 1 << 3, /* a NUMBER, not below zero; -0 is possible */
   SGD_FACT_MASK = 1 << 4,     /* 0 or ~0 */
   SGD_FACT_BLIND = 1 << 5,    /* of the operation, whose result it is: as SGD_NAN_BLIND */
};

struct sgd_ir_node {
   uint8_t kind;
   uint8_t op, imm; /* OP */
   uint8_t facts;   /* enum sgd_ir_fact; follow from the others */
   bool exact;      /* the payload and sign of a NaN matter */
   uint16_t src[3]; /* OP, CANON, FREE: nodes */
   uint32_t where;  /* LOAD, SPLAT, PRED: offset in the file; CONST: number */
   uint32_t uses;   /* by nodes and stores that are used; 0: dead */
};

/* A result: lanes at `offset`, or of a predicate. */
struct sgd_ir_store {
   uint32_t offset;
   uint16_t value;
   bool pred;
};

#define SGD_IR_NONE UINT16_MAX /* no node */

#define SGD_IR_MAX_NODES 4096
#define SGD_IR_MAX_CONSTS 256
#define SGD_IR_MAX_STORES 1024

struct sgd_ir {
   struct sgd_ir_node nodes[SGD_IR_MAX_NODES];
   uint32_t num_nodes;
   uint32_t consts[SGD_IR_MAX_CONSTS][8];
   uint32_t num_consts;
   struct sgd_ir_store stores[SGD_IR_MAX_STORES];
   uint32_t num_stores;
   uint16_t hash[2 * SGD_IR_MAX_NODES]; /* nodes, plus 1 */
   bool full;                           /* a limit was met: what was made is not valid */
};

/* The constant that every region has: bit l in lane l. */
#define SGD_IR_LANE_BITS 0

void sgd_ir_init(struct sgd_ir *ir);

/* The LOAD of a place; -1: there is none. */
int sgd_ir_find_load(const struct sgd_ir *ir, uint32_t offset);

/* Whether a node has this word in all lanes. */
bool sgd_ir_is_word(const struct sgd_ir *ir, uint16_t node, uint32_t word);

/* A node of these contents; an old one where there is one.  That of an operation may be a
 * simpler one with the same bits (sgd_ir_fold.h).
 */
uint16_t sgd_ir_op(struct sgd_ir *ir, enum sgd_x86_op op, unsigned imm, uint16_t a, uint16_t b,
                   uint16_t c);
uint16_t sgd_ir_free(struct sgd_ir *ir, uint16_t node);
uint16_t sgd_ir_leaf(struct sgd_ir *ir, enum sgd_ir_kind kind, uint32_t where);
uint16_t sgd_ir_const(struct sgd_ir *ir, const uint32_t words[4]); /* repeated */
uint16_t sgd_ir_word(struct sgd_ir *ir, uint32_t word);            /* for all lanes */
void sgd_ir_store(struct sgd_ir *ir, uint32_t offset, uint16_t value, bool pred);

/* After the last store: finds what is used, and removes the replacement of NaNs where only
 * instructions that ignore their payload see the value.
 */
void sgd_ir_optimize(struct sgd_ir *ir);

/* Two chunks of an optimized region at once, the second one SGD_IR_CHUNK bytes behind the first.
 * Each node stands beside the same one of the other chunk; constants, and what follows from them
 * alone, are there once.  to[n]: the first chunk's node of node n, if that has uses.
 */
#define SGD_IR_CHUNK 32
void sgd_ir_pair(struct sgd_ir *pair, const struct sgd_ir *ir, uint16_t *to);

/* The four words of a constant, which repeat; NULL of other nodes. */
static inline const uint32_t *
sgd_ir_words(const struct sgd_ir *ir, uint16_t node)
{
   const struct sgd_ir_node *n = &ir->nodes[node];
   return n->kind == SGD_IR_CONST ? ir->consts[n->where] : NULL;
}

/* Number of sources of a node. */
static inline unsigned
sgd_ir_num_srcs(const struct sgd_ir_node *n)
{
   switch ((enum sgd_ir_kind)n->kind) {
   case SGD_IR_OP:
      return sgd_x86_info[n->op].num_srcs;
   case SGD_IR_CANON:
      return 2;
   case SGD_IR_FREE:
      return 1;
   default:
      return 0;
   }
}

#endif
