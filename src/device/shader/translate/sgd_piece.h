/* SPDX-License-Identifier: MIT */
/*
 * Translator: pieces. A piece is the machine code for one component of an operation and one chunk
 * of lanes, in SSA form. extract_pieces.py extracts pieces from the compiled expressions of the
 * opcode table, so they are bit-exact with the interpreter by construction.
 */
#ifndef SGD_PIECE_H
#define SGD_PIECE_H

#include <stdint.h>

#include "shader/translate/sgd_x86_ops.h"

/* Numbering of the operands in a piece: inputs start at 0, constants at SGD_PIECE_CONST, and
 * results of instructions at SGD_PIECE_INS.
 */
#define SGD_PIECE_CONST 16
#define SGD_PIECE_INS 64

#define SGD_PIECE_INPUTS 8
#define SGD_PIECE_CONSTS (SGD_PIECE_INS - SGD_PIECE_CONST)

/* Source position that stands for the component of the result. */
#define SGD_PIECE_SAME 4
/* Value of sgd_piece_input.lanes if each lane reads its own value. */
#define SGD_PIECE_OWN 0xe4
/* Pseudo-opcode of the piece that clamps a result to [0, 1]. */
#define SGD_PIECE_SAT 0xffff

struct sgd_piece_ins {
   uint8_t op; /* operation (enum sgd_x86_op) */
   uint8_t imm;
   uint8_t src[3];
};

struct sgd_piece_input {
   /* index of the source operand; position in the operand after the swizzle */
   uint8_t source, position;
   /* lane of the quad from which each lane reads, encoded as the immediate of VPERMILPS */
   uint8_t lanes;
};

struct sgd_piece {
   uint16_t opcode;
   uint8_t zmul, cond;
   uint8_t components; /* mask of the result components that the piece can compute */
   uint8_t num_inputs;
   struct sgd_piece_input inputs[SGD_PIECE_INPUTS];
   uint8_t num_ins;
   uint8_t result;
   const struct sgd_piece_ins *ins;
   uint8_t consts[SGD_PIECE_CONSTS]; /* index of each constant in sgd_piece_consts */
};

/* Constants of all pieces. Each constant has 128 bits, which are repeated to fill a vector. */
extern const uint32_t sgd_piece_consts[][4];
extern const struct sgd_piece sgd_pieces[];
extern const unsigned sgd_num_pieces;

#endif
