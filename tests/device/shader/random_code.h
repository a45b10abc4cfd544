/* SPDX-License-Identifier: MIT */
/*
 * Tests of the shader cores: random instructions on a small set of registers, and the warps that
 * run them.
 */
#ifndef RANDOM_CODE_H
#define RANDOM_CODE_H

#include "machine.h"

#define NUM_R 8        /* number of temporaries in use */
#define BANK_BYTES 172 /* size of bank 0 in bytes, which ends inside c[10] */
#define LITERAL_BASE 16
#define NUM_LITERALS 4
#define SCRATCH 64

/* Loads R0..R7 from v0..v7, A0 from v8, P0..P3 from v9..v12. */
void random_prelude(struct code *code);

/* Copies R0..R7 to COLR0..7. */
void random_epilogue(struct code *code);

/* Returns a random operation with an expression, LDC, LDL or STL, with random legal operands. If
 * `quads`, this includes operations over quads.
 */
struct sgpu_instr random_instr(struct rng *r, bool quads);
struct sgpu_instr random_operands(struct rng *r, enum sgpu_opcode op);
/* Returns whether an operation depends on and changes registers of the warp only. Excludes control
 * flow, textures, vertices of other stages, shared memory and the count of instructions.
 */
bool stays_in_warp(enum sgpu_opcode op);

/* Fills inputs and banks. If `whole`, only whole quads are active. */
void random_warp(struct rng *r, struct warp *warp, bool whole);

/* Makes a pixel program with branches, loops, early ends and killed pixels. */
void random_program(struct rng *r, struct code *code);
/* Makes a pixel program that is one loop without branches, which lanes leave after v14.x rounds. */
void random_loop(struct rng *r, struct code *code);
/* Fills the inputs that limit the program's loops. */
void random_rounds(struct rng *r, struct warp *warp);

/* Returns a hash of the outputs of some lanes. */
uint64_t hash_outputs(const struct sgd_vec out[64], uint32_t lanes);

/* Runs the program on all levels and on the reference machine and compares COLR0..7 of live lanes.
 * If these differ, prints the program and fails.
 */
void check_code(struct test_worker *tw, const struct code *code, struct warp *warp, bool lockstep);

void print_code(const struct code *code);

#endif
