/* SPDX-License-Identifier: MIT */
/*
 * The input of a vertex engine: programs, and vertices as writes of attributes.
 *
 * A write of attribute 0 completes a vertex and runs the program on it (Lindholm 2001, 3.5, 4.2).
 */
#ifndef SGT_VERTEX_STREAM_H
#define SGT_VERTEX_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sgpu_program.h"

struct sgt_program;
struct sgt_work;

/* Limits of the engine (Lindholm 2001, 3.4 to 3.6). */
#define SGT_VERTEX_ATTRIBUTES 16
#define SGT_VERTEX_INSTRUCTIONS 128 /* of a program; it also has 96 constants and 12 temporaries */

/* The 17 operations of Table 2, in the order of enum sgpu_opcode from ARL on. One more index counts
 * all other operations.
 */
#define SGT_VERTEX_FIRST_OPCODE SGPU_OP_ARL
#define SGT_VERTEX_OPCODES (SGPU_OP_LIT - SGPU_OP_ARL + 1)
#define SGT_VERTEX_OTHER SGT_VERTEX_OPCODES

/* Classes of operations, as in sections 3.7.3 and 4.3. */
enum sgt_vertex_class {
   SGT_VERTEX_MOVE,    /* MOV, MUL, ADD, MAD */
   SGT_VERTEX_DOT,     /* DP3, DP4 */
   SGT_VERTEX_COMPARE, /* other operations of the vector unit: ARL, DST, MIN, MAX, SLT, SGE */
   SGT_VERTEX_SPECIAL, /* operations of the special function unit: RCP, RSQ, EXP, LOG, LIT */
   SGT_VERTEX_BEYOND,  /* operations that are not in the instruction set of 2001 */
   SGT_VERTEX_CLASSES,
};
extern const char *const sgt_vertex_class_names[SGT_VERTEX_CLASSES];

struct sgt_vertex_program {
   bool base;             /* belongs to the base profile */
   uint16_t inputs;       /* bit n: the program reads v[n] */
   uint32_t outputs;      /* number of output vectors, at least 1 */
   uint32_t instructions; /* number of instructions of the program, at least 1 */
   /* Number of instructions by operation, each counted once. */
   uint32_t opcodes[SGT_VERTEX_OPCODES + 1];
   /* Number of MUL and MAD that belong to a matrix-vector product by columns. They multiply a
    * constant by one component of a register whose components x, y and z are all used like this. By
    * rows, the product has the same number of DP3 or DP4.
    */
   uint32_t columns;
};

/* Returns the class of opcodes[i]. */
enum sgt_vertex_class sgt_vertex_class_of(unsigned i);

struct sgt_vertex {
   uint32_t program;
   uint32_t instructions; /* number of instructions that the vertex executes, at least 1 */
   uint32_t num_writes;   /* number of writes; the last one, and no other, is of attribute 0 */
};

struct sgt_vertex_stream {
   struct sgt_vertex_program *programs;
   struct sgt_vertex *vertices;
   uint8_t *writes; /* numbers of the attributes, vertex by vertex */
   uint64_t num_programs, num_vertices, num_writes;
   uint64_t instructions; /* sum over the vertices */
   /* Number of executed instructions by operation, as in sgt_vertex_program::opcodes. */
   uint64_t opcodes[SGT_VERTEX_OPCODES + 1];
   uint64_t base_vertices; /* number of vertices whose program belongs to the base profile */
   uint64_t room_programs, room_vertices, room_writes;
};

/* Fills in the description of a program that has passed sgpu_program_gather(). Returns false if it
 * is not a vertex program.
 */
bool sgt_vertex_program_describe(struct sgt_vertex_program *p, const struct sgpu_program *program);
/* Does the same for a decomposed program, except for `columns`. */
bool sgt_vertex_program_cracked(struct sgt_vertex_program *p, const struct sgt_program *program);

void sgt_vertex_stream_init(struct sgt_vertex_stream *s);
void sgt_vertex_stream_finish(struct sgt_vertex_stream *s);
/* Adds a program. This and the following functions return false if out of memory. */
bool sgt_vertex_stream_program(struct sgt_vertex_stream *s, const struct sgt_vertex_program *p);
/* Adds a vertex that executes each instruction of the latest program once. `writes` contains
 * attributes from 1 to SGT_VERTEX_ATTRIBUTES - 1, in order. The write of attribute 0 is added.
 */
bool sgt_vertex_stream_add(struct sgt_vertex_stream *s, const uint8_t *writes, uint32_t num);
/* Does the same with the attributes of a bit mask, in ascending order. */
bool sgt_vertex_stream_add_mask(struct sgt_vertex_stream *s, uint16_t attributes);

/* Adds the vertices of all vertex warps. A vertex writes the attributes that its program reads, and
 * executes the instructions of the runs of its lane. Returns false with a message if out of memory,
 * or if a program reads attributes from 16 on.
 */
bool sgt_vertex_stream_add_work(struct sgt_vertex_stream *s, const struct sgt_work *work,
                                char *error, size_t error_size);

#endif
