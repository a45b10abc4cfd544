/* SPDX-License-Identifier: MIT */
/*
 * Translator: the form between a program's instructions and machine code.  A region is a piece
 * of a program without control flow; its nodes are values of one chunk of lanes, in SSA form.
 */
#ifndef SGD_IR_H
#define SGD_IR_H

#include <stdbool.h>
#include <stdint.h>

#include "sgd_x86_ops.h"

enum sgd_ir_kind {
   SGD_IR_OP,    /* a vector instruction */
   SGD_IR_CANON, /* src[0], NaNs replaced by src[1] */
   SGD_IR_LOAD,  /* lanes of the register file */
   SGD_IR_SPLAT, /* a word of the register file for all lanes */
   SGD_IR_CONST, /* a vector */
   SGD_IR_PRED,  /* a predicate as a mask */
   SGD_IR_KEEP,  /* of masked code: ~0 in lanes that keep their registers */
};

struct sgd_ir_node {
   uint8_t kind;
   uint8_t op, imm; /* OP */
   bool exact;      /* the payload and sign of a NaN matter */
   uint16_t src[3]; /* OP, CANON: nodes */
   uint32_t where;  /* LOAD, SPLAT, PRED: offset in the file; CONST: number */
   uint32_t uses;   /* by nodes and stores that are used; 0: dead */
};

/* A result: lanes at `offset`, or of a predicate. */
struct sgd_ir_store {
   uint32_t offset;
   uint16_t value;
   bool pred;
};

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

/* The node of these contents; an old one where there is one. */
uint16_t sgd_ir_op(struct sgd_ir *ir, enum sgd_x86_op op, unsigned imm, uint16_t a, uint16_t b,
                   uint16_t c);
uint16_t sgd_ir_leaf(struct sgd_ir *ir, enum sgd_ir_kind kind, uint32_t where);
uint16_t sgd_ir_const(struct sgd_ir *ir, const uint32_t words[4]); /* repeated */
uint16_t sgd_ir_word(struct sgd_ir *ir, uint32_t word);            /* for all lanes */
void sgd_ir_store(struct sgd_ir *ir, uint32_t offset, uint16_t value, bool pred);

/* After the last store: finds what is used, and removes the replacement of NaNs where only
 * instructions that ignore their payload see the value.
 */
void sgd_ir_optimize(struct sgd_ir *ir);

/* Number of sources of a node. */
static inline unsigned
sgd_ir_num_srcs(const struct sgd_ir_node *n)
{
   return n->kind == SGD_IR_OP ? sgd_x86_info[n->op].num_srcs : n->kind == SGD_IR_CANON ? 2 : 0;
}

#endif
