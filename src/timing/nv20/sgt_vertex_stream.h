/* SPDX-License-Identifier: MIT */
/*
 * Input of a vertex engine: programs, and vertices as a sequence of attribute writes.
 *
 * A write of attribute 0 completes a vertex and starts the program for it (Lindholm 2001, 3.5,
 * 4.2).
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
/* maximum length of a program; other limits are 96 constants and 12 temporaries */
#define SGT_VERTEX_INSTRUCTIONS 128

/* Indices of arrays that count instructions. The 17 operations of Table 2 come first, in the order
 * of enum sgpu_opcode from ARL on. The last index is for all other operations.
 */
#define SGT_VERTEX_FIRST_OPCODE SGPU_OP_ARL
#define SGT_VERTEX_OPCODES (SGPU_OP_LIT - SGPU_OP_ARL + 1)
#define SGT_VERTEX_OTHER SGT_VERTEX_OPCODES

/* Classes of operations according to Lindholm 2001, sections 3.7.3 and 4.3. */
enum sgt_vertex_class {
   SGT_VERTEX_MOVE,    /* MOV, MUL, ADD, MAD */
   SGT_VERTEX_DOT,     /* DP3, DP4 */
   SGT_VERTEX_COMPARE, /* other operations of the vector unit: ARL, DST, MIN, MAX, SLT, SGE */
   SGT_VERTEX_SPECIAL, /* operations of the special function unit: RCP, RSQ, EXP, LOG, LIT */
   SGT_VERTEX_BEYOND,  /* operations that are not part of the instruction set of 2001 */
   SGT_VERTEX_CLASSES,
};
extern const char *const sgt_vertex_class_names[SGT_VERTEX_CLASSES];

struct sgt_vertex_program {
   bool base;             /* true if the program only uses the base profile */
   uint16_t inputs;       /* bitmask of the inputs v[n] that the program reads */
   uint32_t outputs;      /* number of output vectors, which is at least 1 */
   uint32_t instructions; /* number of instructions in the program, which is at least 1 */
   /* Static number of instructions of each operation. */
   uint32_t opcodes[SGT_VERTEX_OPCODES + 1];
   /* Number of MUL and MAD instructions that compute a matrix-vector product column by column. They
    * multiply a constant by one component of a register, and there are such instructions for each
    * of the components x, y and z. Computed row by row, the product would take the same number of
    * DP3 or DP4 instructions.
    */
   uint32_t columns;
};

/* Returns the class of the operation with index i in `opcodes`. */
enum sgt_vertex_class sgt_vertex_class_of(unsigned i);

struct sgt_vertex {
   uint32_t program;
   uint32_t instructions; /* number of instructions that the vertex executes, which is at least 1 */
   /* number of attribute writes, of which only the last one writes attribute 0 */
   uint32_t num_writes;
};

struct sgt_vertex_stream {
   struct sgt_vertex_program *programs;
   struct sgt_vertex *vertices;
   uint8_t *writes; /* attribute index of each write, vertex by vertex */
   uint64_t num_programs, num_vertices, num_writes;
   uint64_t instructions; /* number of executed instructions, summed over all vertices */
   /* Number of executed instructions of each operation, indexed like sgt_vertex_program::opcodes.
    */
   uint64_t opcodes[SGT_VERTEX_OPCODES + 1];
   uint64_t base_vertices; /* number of vertices whose program only uses the base profile */
   uint64_t room_programs, room_vertices, room_writes;
};

/* Fills in *p from a program that has passed sgpu_program_gather(). Returns false if the program is
 * not a vertex shader.
 */
bool sgt_vertex_program_describe(struct sgt_vertex_program *p, const struct sgpu_program *program);
/* Fills in *p, except for `columns`, from a program of a struct sgt_work. */
bool sgt_vertex_program_cracked(struct sgt_vertex_program *p, const struct sgt_program *program);

void sgt_vertex_stream_init(struct sgt_vertex_stream *s);
void sgt_vertex_stream_finish(struct sgt_vertex_stream *s);
/* Adds a program. Like the following functions, returns false if allocation fails. */
bool sgt_vertex_stream_program(struct sgt_vertex_stream *s, const struct sgt_vertex_program *p);
/* Adds a vertex that executes each instruction of the last added program once. `writes` contains
 * the indices of the written attributes, from 1 to SGT_VERTEX_ATTRIBUTES - 1, in the order of the
 * writes. A write of attribute 0 is appended.
 */
bool sgt_vertex_stream_add(struct sgt_vertex_stream *s, const uint8_t *writes, uint32_t num);
/* Like sgt_vertex_stream_add(), but writes the attributes of a bitmask in ascending order. */
bool sgt_vertex_stream_add_mask(struct sgt_vertex_stream *s, uint16_t attributes);

/* Adds the vertices of all vertex warps in `work`. Each vertex writes the attributes that its
 * program reads, and executes the instructions that its lane has executed. Returns false and writes
 * a message if allocation fails or if a program reads an attribute with index 16 or higher.
 */
bool sgt_vertex_stream_add_work(struct sgt_vertex_stream *s, const struct sgt_work *work,
                                char *error, size_t error_size);

#endif
