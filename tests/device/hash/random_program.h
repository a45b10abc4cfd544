/* SPDX-License-Identifier: MIT */
/*
 * Random programs that end: legal instructions of every kind, in nested
 * branches and loops.
 */
#ifndef RANDOM_PROGRAM_H
#define RANDOM_PROGRAM_H

#include "isa_random.h"
#include "sgpu_program.h"

#define RANDOM_PROGRAM_MAX 512
#define RANDOM_PROGRAM_TEMPS 32
#define RANDOM_PROGRAM_SCRATCH 128

/* The constants that programs read: c[n] has the number in x. */
enum {
   RANDOM_PROGRAM_ZERO = 60,
   RANDOM_PROGRAM_ONE = 61,
   RANDOM_PROGRAM_LOOPS = 62, /* repetitions of a loop, as a float */
};

/* Vertex programs pass v[0] on as position and write GEN0 to GEN2, pixel
 * programs COLR0; geometry programs emit the vertices of a triangle at the end,
 * and others before; tessellation programs pass a vertex on, and control programs store
 * levels; compute programs have no outputs.  Texture units and samplers are below
 * num_textures; none: no texture instructions.  Returns the number of instructions.
 */
unsigned random_program(struct isa_random *r, enum sgpu_stage stage, unsigned num_textures,
                        struct sgpu_instr *instrs);

/* An operation on buffers, images or shared memory, or in compute programs a barrier; of
 * bindings below 8, mostly.
 */
struct sgpu_instr random_memory(struct isa_random *r, enum sgpu_stage stage);

#endif
