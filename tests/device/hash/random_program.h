/* SPDX-License-Identifier: MIT */
/*
 * Random programs that end: legal instructions of every kind, in nested branches and loops.
 */
#ifndef RANDOM_PROGRAM_H
#define RANDOM_PROGRAM_H

#include "isa_random.h"
#include "sgpu_program.h"

#define RANDOM_PROGRAM_MAX 512
#define RANDOM_PROGRAM_TEMPS 32
#define RANDOM_PROGRAM_SCRATCH 128

/* Numbers of constants that programs read in component x. */
enum {
   RANDOM_PROGRAM_ZERO = 60,
   RANDOM_PROGRAM_ONE = 61,
   RANDOM_PROGRAM_LOOPS = 62, /* number of repetitions of a loop, as a float */
};

/* Makes a random program and returns its number of instructions. Texture units and samplers are
 * below num_textures; there are no texture instructions if that is 0.
 *
 * Vertex programs pass v[0] on as position and write GEN0 to GEN2; pixel programs write COLR0.
 * Geometry programs emit the vertices of a triangle at the end, and others before. Tessellation
 * programs pass a vertex on, and control programs store levels. Compute programs have no outputs.
 */
unsigned random_program(struct isa_random *r, enum sgpu_stage stage, unsigned num_textures,
                        struct sgpu_instr *instrs);

/* Returns an operation on buffers, images or shared memory, or in compute programs a barrier. Most
 * bindings are below 8.
 */
struct sgpu_instr random_memory(struct isa_random *r, enum sgpu_stage stage);

#endif
