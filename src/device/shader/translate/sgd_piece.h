/* SPDX-License-Identifier: MIT */
/*
 * Translator: pieces, the machine code of one component of an operation for a chunk of lanes, in
 * SSA form.  extract_pieces.py extracts them from the compiled expressions of the opcode table, so
 * they have the same bits as the interpreter by construction.
 */
#ifndef SGD_PIECE_H
#define SGD_PIECE_H

#include <stdint.h>

#include "shader/translate/sgd_x86_ops.h"

/* First references of constants and of results of instructions; inputs start at 0. */
#define SGD_PIECE_CONST 16
#define SGD_PIECE_INS 64

#define SGD_PIECE_INPUTS 8
#define SGD_PIECE_CONSTS (SGD_PIECE_INS - SGD_PIECE_CONST)

/* Position that stands for the component of the result. */
#define SGD_PIECE_SAME 4
/* sgd_piece_input.lanes if each lane reads itself. */
#define SGD_PIECE_OWN 0xe4
/* Opcode of the piece that clamps a result. */
#define SGD_PIECE_SAT 0xffff

struct sgd_piece_ins {
   uint8_t op; /* enum sgd_x86_op */
   uint8_t imm;
   uint8_t src[3];
};

struct sgd_piece_input {
   uint8_t source, position; /* source operand, and position in it after the swizzle */
   uint8_t lanes; /* lane of the quad that each lane reads, as the immediate of VPERMILPS */
};

struct sgd_piece {
   uint16_t opcode;
   uint8_t zmul, cond;
   uint8_t components; /* mask of the result's components that the piece can compute */
   uint8_t num_inputs;
   struct sgd_piece_input inputs[SGD_PIECE_INPUTS];
   uint8_t num_ins;
   uint8_t result;
   const struct sgd_piece_ins *ins;
   uint8_t consts[SGD_PIECE_CONSTS]; /* indices in sgd_piece_consts */
};

/* Constants of all pieces; each is repeated in each 128 bits of a vector. */
extern const uint32_t sgd_piece_consts[][4];
extern const struct sgd_piece sgd_pieces[];
extern const unsigned sgd_num_pieces;

#endif
