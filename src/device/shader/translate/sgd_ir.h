/* SPDX-License-Identifier: MIT */
/*
 * Translator: the intermediate representation between a program's instructions and machine code.  A
 * region is a part of a program without control flow.  Its nodes are values of one chunk of lanes,
 * in SSA form.
 */
#ifndef SGD_IR_H
#define SGD_IR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shader/translate/sgd_x86_ops.h"

enum sgd_ir_kind {
   SGD_IR_OP,    /* a vector instruction */
   SGD_IR_CANON, /* src[0] with NaNs replaced by src[1] */
   SGD_IR_FREE,  /* src[0], or any NaN if src[0] is NaN; emits no code */
   SGD_IR_LOAD,  /* a chunk of lanes in the register file */
   SGD_IR_SPLAT, /* one word of the register file, for all lanes */
   SGD_IR_CONST, /* a constant vector */
   SGD_IR_PRED,  /* a predicate, as a mask */
   SGD_IR_KEEP,  /* masked code: ~0 for lanes that keep their registers */
};

/* Facts that hold for a value in each lane. */
enum sgd_ir_fact {
   SGD_FACT_FLUSHED = 1 << 0,  /* not subnormal, as a float */
   SGD_FACT_NUMBER = 1 << 1,   /* not NaN */
   SGD_FACT_CANON = 1 << 2,    /* not NaN, or the NaN 0x7fc00000 */
   SGD_FACT_POSITIVE = 1 << 3, /* a NUMBER that is not below zero; may be -0 */
   SGD_FACT_MASK = 1 << 4,     /* 0 or ~0 */
   SGD_FACT_BLIND = 1 << 5,    /* the operation that computes it is like SGD_NAN_BLIND */
};

struct sgd_ir_node {
   uint8_t kind;
   uint8_t op, imm; /* of an OP */
   uint8_t facts;   /* enum sgd_ir_fact; determined by the other members */
   bool exact;      /* the payload and sign of a NaN matter */
   uint16_t src[3]; /* source nodes of OP, CANON and FREE */
   uint32_t where;  /* LOAD, SPLAT, PRED: offset in the register file; CONST: index */
   uint32_t uses;   /* number of live nodes and stores that use the value; 0 if dead */
};

/* A result: stores a value to the lanes at `offset`, or to a predicate. */
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
   uint16_t hash[2 * SGD_IR_MAX_NODES]; /* index of a node plus 1, or 0 */
   bool full;                           /* a limit was exceeded; the contents are not valid */
};

/* Index of a constant that every region has: bit l in lane l. */
#define SGD_IR_LANE_BITS 0

void sgd_ir_init(struct sgd_ir *ir);

/* Returns the LOAD of an offset, or -1. */
int sgd_ir_find_load(const struct sgd_ir *ir, uint32_t offset);

/* Returns true if a node is this word in all lanes. */
bool sgd_ir_is_word(const struct sgd_ir *ir, uint16_t node, uint32_t word);

/* Return a node with these contents, which is an existing one if there is one.  sgd_ir_op() may
 * return a simpler node with the same bits (sgd_ir_fold.h).
 */
uint16_t sgd_ir_op(struct sgd_ir *ir, enum sgd_x86_op op, unsigned imm, uint16_t a, uint16_t b,
                   uint16_t c);
uint16_t sgd_ir_free(struct sgd_ir *ir, uint16_t node);
uint16_t sgd_ir_leaf(struct sgd_ir *ir, enum sgd_ir_kind kind, uint32_t where);
uint16_t sgd_ir_const(struct sgd_ir *ir, const uint32_t words[4]); /* four words, repeated */
uint16_t sgd_ir_word(struct sgd_ir *ir, uint32_t word);            /* one word for all lanes */
void sgd_ir_store(struct sgd_ir *ir, uint32_t offset, uint16_t value, bool pred);

/* Must be called after the last store.  Finds the nodes that are used, and removes replacements of
 * NaNs if only instructions that ignore the payload of NaNs use the value.
 */
void sgd_ir_optimize(struct sgd_ir *ir);

/* Builds a region that processes two chunks of an optimized region, the second one SGD_IR_CHUNK
 * bytes after the first.  Corresponding nodes of both chunks are adjacent; constants and nodes that
 * depend only on constants are shared.  to[n] is the first chunk's node for node n, if n has uses.
 */
#define SGD_IR_CHUNK 32
void sgd_ir_pair(struct sgd_ir *pair, const struct sgd_ir *ir, uint16_t *to);

/* Returns the four words of a constant, which repeat, or NULL for other nodes. */
static inline const uint32_t *
sgd_ir_words(const struct sgd_ir *ir, uint16_t node)
{
   const struct sgd_ir_node *n = &ir->nodes[node];
   return n->kind == SGD_IR_CONST ? ir->consts[n->where] : NULL;
}

/* Returns the number of sources of a node. */
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
