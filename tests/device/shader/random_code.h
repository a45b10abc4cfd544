/* SPDX-License-Identifier: MIT */
/*
 * Tests of the shader cores: random instructions over a small set of registers,
 * and the warps that run them.
 */
#ifndef RANDOM_CODE_H
#define RANDOM_CODE_H

#include "machine.h"

#define NUM_R 8        /* temporaries in use */
#define BANK_BYTES 172 /* of bank 0: ends inside c[10] */
#define LITERAL_BASE 16
#define NUM_LITERALS 4
#define SCRATCH 64

/* R0..R7 from v0..v7, A0 from v8, P0..P3 from v9..v12. */
void random_prelude(struct code *code);

/* R0..R7 to COLR0..7. */
void random_epilogue(struct code *code);

/* Any operation with an expression (`quads`: those over quads, too), LDC, LDL
 * or STL, with any operands that it takes.
 */
struct sgpu_instr random_instr(struct rng *r, bool quads);
struct sgpu_instr random_operands(struct rng *r, enum sgpu_opcode op);
/* Without control flow, textures, other stages' vertices, memory that others see, and
 * the count of instructions.
 */
bool stays_in_warp(enum sgpu_opcode op);

/* Inputs and banks; `whole` activates whole quads alone. */
void random_warp(struct rng *r, struct warp *warp, bool whole);

/* A pixel program with branches, loops, early ends and lost pixels. */
void random_program(struct rng *r, struct code *code);
/* The inputs that bound its loops. */
void random_rounds(struct rng *r, struct warp *warp);

/* The outputs of lanes of `lanes`, as a hash. */
uint64_t hash_outputs(const struct sgd_vec out[64], uint32_t lanes);

/* Runs on all levels and on the second machine and compares COLR0..7 of the
 * live lanes; prints the program and fails where they differ.
 */
void check_code(struct test_worker *tw, const struct code *code, struct warp *warp, bool lockstep);

void print_code(const struct code *code);

#endif
