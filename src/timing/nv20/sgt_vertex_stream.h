/* SPDX-License-Identifier: MIT */
/*
 * What a vertex engine is given: programs, and vertices as writes of attributes.
 *
 * A write of attribute 0 ends a vertex and runs the program on it (Lindholm 2001, 3.5, 4.2).
 */
#ifndef SGT_VERTEX_STREAM_H
#define SGT_VERTEX_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sgpu_program.h"

struct sgt_program;
struct sgt_work;

/* Lindholm 2001, 3.4 to 3.6. */
#define SGT_VERTEX_ATTRIBUTES 16
#define SGT_VERTEX_INSTRUCTIONS 128 /* of a program; 96 constants, 12 temporaries */

/* The 17 operations of Table 2, by enum sgpu_opcode from ARL on; then all others. */
#define SGT_VERTEX_FIRST_OPCODE SGPU_OP_ARL
#define SGT_VERTEX_OPCODES (SGPU_OP_LIT - SGPU_OP_ARL + 1)
#define SGT_VERTEX_OTHER SGT_VERTEX_OPCODES

/* Operations as 3.7.3 and 4.3 group them. */
enum sgt_vertex_class {
   SGT_VERTEX_MOVE,    /* MOV, MUL, ADD, MAD */
   SGT_VERTEX_DOT,     /* DP3, DP4 */
   SGT_VERTEX_COMPARE, /* the vector unit's others: ARL, DST, MIN, MAX, SLT, SGE */
   SGT_VERTEX_SPECIAL, /* the special function unit's: RCP, RSQ, EXP, LOG, LIT */
   SGT_VERTEX_BEYOND,  /* not of the instruction set of 2001 */
   SGT_VERTEX_CLASSES,
};
extern const char *const sgt_vertex_class_names[SGT_VERTEX_CLASSES];

struct sgt_vertex_program {
   bool base;             /* of the base profile */
   uint16_t inputs;       /* bit n: reads v[n] */
   uint32_t outputs;      /* vectors, at least 1 */
   uint32_t instructions; /* of a vertex that goes straight through it, at least 1 */
   uint32_t opcodes[SGT_VERTEX_OPCODES + 1]; /* of the program, each instruction once */
   /* Of these, MUL and MAD that are parts of a product of a matrix and a vector by columns: of a
    * constant and one component of a register, of which x, y and z are used like this.  By rows
    * the product takes as many DP3 or DP4.
    */
   uint32_t columns;
};

/* The class of opcodes[i]. */
enum sgt_vertex_class sgt_vertex_class_of(unsigned i);

struct sgt_vertex {
   uint32_t program;
   uint32_t instructions; /* that it executes, at least 1 */
   uint32_t num_writes;   /* attribute 0 is written last, and once */
};

struct sgt_vertex_stream {
   struct sgt_vertex_program *programs;
   struct sgt_vertex *vertices;
   uint8_t *writes; /* attributes, vertex by vertex */
   uint64_t num_programs, num_vertices, num_writes;
   uint64_t instructions; /* sum over vertices */
   /* Likewise by opcode, as sgt_vertex_program.opcodes, for vertices that go straight. */
   uint64_t opcodes[SGT_VERTEX_OPCODES + 1];
   uint64_t base_vertices; /* with programs of the base profile */
   uint64_t room_programs, room_vertices, room_writes;
};

/* What the engine sees of a program; it has passed sgpu_program_gather.  False: not a vertex
 * program.
 */
bool sgt_vertex_program_describe(struct sgt_vertex_program *p, const struct sgpu_program *program);
/* The same of a cracked program. */
bool sgt_vertex_program_cracked(struct sgt_vertex_program *p, const struct sgt_program *program);

void sgt_vertex_stream_init(struct sgt_vertex_stream *s);
void sgt_vertex_stream_finish(struct sgt_vertex_stream *s);
/* False: out of memory, also below. */
bool sgt_vertex_stream_program(struct sgt_vertex_stream *s, const struct sgt_vertex_program *p);
/* A vertex of the latest program that goes straight through it.  `writes`: attributes other
 * than 0, below SGT_VERTEX_ATTRIBUTES, in their order; the write of 0 is added.
 */
bool sgt_vertex_stream_add(struct sgt_vertex_stream *s, const uint8_t *writes, uint32_t num);
/* The same, with the attributes of a mask in rising order. */
bool sgt_vertex_stream_add_mask(struct sgt_vertex_stream *s, uint16_t attributes);

/* Adds the vertices of all vertex warps.  A vertex writes the attributes that its program
 * reads; it executes the instructions of the runs that its lane takes part in.  False, with a
 * message: out of memory, or a program reads attributes beyond the 16.
 */
bool sgt_vertex_stream_add_work(struct sgt_vertex_stream *s, const struct sgt_work *work,
                                char *error, size_t error_size);

#endif
