/* SPDX-License-Identifier: MIT */
/*
 * Translator: intermediate representation between a program's instructions and machine code. A
 * region is a part of a program without control flow. Its nodes are the values of one eight-lane
 * chunk, in SSA form.
 */
#ifndef SGD_IR_H
#define SGD_IR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shader/translate/sgd_x86_ops.h"

enum sgd_ir_kind {
   SGD_IR_OP,    /* vector instruction */
   SGD_IR_CANON, /* src[0], with each NaN replaced by src[1], the canonical NaN */
   SGD_IR_FREE,  /* src[0]; its NaNs may have any payload and sign, so that no code is needed */
   /* the words at the byte offsets src[0] (signed) from the address at byte offset `where` of the
    * register file
    */
   SGD_IR_GATHER,
   SGD_IR_UNIFORM, /* a word that all lanes of the register file have, loaded from one of them */
   SGD_IR_LOAD,    /* the lanes of a chunk, loaded from the register file */
   SGD_IR_SPLAT,   /* a word of the register file, broadcast to all lanes */
   SGD_IR_SAME,    /* the first of eight equal words of the register file, in all lanes */
   SGD_IR_CONST,   /* constant vector */
   SGD_IR_PRED,    /* the lane mask of a predicate, expanded to a vector mask */
   SGD_IR_KEEP,    /* in masked code, a mask of the lanes that must keep their registers */
};

/* Properties that a value is known to have in every lane. */
enum sgd_ir_fact {
   SGD_FACT_FLUSHED = 1 << 0,  /* not subnormal if interpreted as a float */
   SGD_FACT_NUMBER = 1 << 1,   /* not NaN */
   SGD_FACT_CANON = 1 << 2,    /* if NaN, then the canonical NaN, 0x7fc00000 */
   SGD_FACT_POSITIVE = 1 << 3, /* not NaN and not negative, but possibly -0 */
   SGD_FACT_MASK = 1 << 4,     /* 0 or ~0 */
   /* result of an operation that treats NaNs as described for SGD_NAN_BLIND */
   SGD_FACT_BLIND = 1 << 5,
};

struct sgd_ir_node {
   uint8_t kind;
   uint8_t op, imm; /* operation and immediate; only for OP nodes */
   /* mask of the value's properties (enum sgd_ir_fact), derived from the other members */
   uint8_t facts;
   bool exact;      /* set if the payload and sign of NaNs matter to the users */
   uint16_t instr;  /* index of the instruction that has made the node first */
   uint16_t src[3]; /* source nodes of an OP, CANON, FREE or GATHER node */
   /* byte offset in the register file (LOAD, UNIFORM, SPLAT, SAME and PRED; LOAD also in the scratch memory
    * behind it), or index of the constant (CONST)
    */
   uint32_t where;
   uint32_t uses; /* number of live nodes and stores that use the value, or 0 if the node is dead */
};

/* A store of a region's result to the lanes at byte offset `offset` of the register file, or to the
 * predicate at this offset.
 */
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
   /* Hash table of the nodes with open addressing. Each slot has the index of a node plus one, or 0
    * if the slot is free.
    */
   uint16_t hash[2 * SGD_IR_MAX_NODES];
   uint16_t instr; /* index of the instruction whose nodes are being made */
   bool full;      /* set if a limit has been exceeded, in which case the contents are invalid */
};

/* Immediate of a VPSHUFB node whose bytes come from the same lane of the first source, or from a
 * table that all lanes have.
 */
#define SGD_IR_IN_LANES 1

/* Index of a constant that exists in every region. Its lane l has the value 1 << l. */
#define SGD_IR_LANE_BITS 0

void sgd_ir_init(struct sgd_ir *ir);

/* Returns the LOAD node that reads from the given register file offset, or -1. */
int sgd_ir_find_load(const struct sgd_ir *ir, uint32_t offset);

/* Returns true if the node is a constant that has this word in all lanes. */
bool sgd_ir_is_word(const struct sgd_ir *ir, uint16_t node, uint32_t word);

/* The following functions return a node with the given contents, which can be an existing node.
 * sgd_ir_op() may return a simpler node that has the same bits (see sgd_ir_fold.h).
 */
uint16_t sgd_ir_op(struct sgd_ir *ir, enum sgd_x86_op op, unsigned imm, uint16_t a, uint16_t b,
                   uint16_t c);
uint16_t sgd_ir_free(struct sgd_ir *ir, uint16_t node);
uint16_t sgd_ir_gather(struct sgd_ir *ir, uint16_t offsets, uint32_t base);
uint16_t sgd_ir_leaf(struct sgd_ir *ir, enum sgd_ir_kind kind, uint32_t where);
/* vector of four words, repeated */
uint16_t sgd_ir_const(struct sgd_ir *ir, const uint32_t words[4]);
uint16_t sgd_ir_word(struct sgd_ir *ir, uint32_t word); /* one word, broadcast to all lanes */
void sgd_ir_store(struct sgd_ir *ir, uint32_t offset, uint16_t value, bool pred);

/* Finds the live nodes. If all users of a value ignore the payload of NaNs, also removes the node
 * that makes its NaNs canonical. Must be called after the last store.
 */
void sgd_ir_optimize(struct sgd_ir *ir);

/* Builds a region that processes two vectors instead of one. `ir` must be optimized. A vector has
 * the lanes of `chunks` chunks, one or two, which start SGD_IR_CHUNK bytes after one another.
 * Corresponding nodes of both vectors are adjacent, and nodes that depend only on constants are
 * shared. to[n] is set to the first vector's copy of node n if node n has uses.
 */
#define SGD_IR_CHUNK 32
void sgd_ir_pair(struct sgd_ir *pair, const struct sgd_ir *ir, unsigned chunks, uint16_t *to);

/* Copies a region, which must be optimized, with its nodes in another order. `order` has the `count`
 * nodes that remain, sources before their users.
 */
void sgd_ir_permute(struct sgd_ir *to, const struct sgd_ir *from, const uint16_t *order,
                    uint32_t count);

/* Returns the words of a constant node, or NULL if the node is not a constant. */
static inline const uint32_t *
sgd_ir_words(const struct sgd_ir *ir, uint16_t node)
{
   const struct sgd_ir_node *n = &ir->nodes[node];
   return n->kind == SGD_IR_CONST ? ir->consts[n->where] : NULL;
}

/* Returns the number of source nodes of a node. */
static inline unsigned
sgd_ir_num_srcs(const struct sgd_ir_node *n)
{
   switch ((enum sgd_ir_kind)n->kind) {
   case SGD_IR_OP:
      return sgd_x86_info[n->op].num_srcs;
   case SGD_IR_CANON:
      return 2;
   case SGD_IR_FREE:
   case SGD_IR_GATHER:
      return 1;
   default:
      return 0;
   }
}

#endif
