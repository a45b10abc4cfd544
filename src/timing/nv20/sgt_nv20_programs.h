/* SPDX-License-Identifier: MIT */
/*
 * Shader programs in the base profile, to measure the vertex engine of 2001.
 */
#ifndef SGT_NV20_PROGRAMS_H
#define SGT_NV20_PROGRAMS_H

#include "nv20/sgt_vertex_stream.h"

struct sgt_nv20_text {
   const char *name, *text;
};

/* transform   position times a matrix; copies the colour and a texture coordinate
 * lit         LIT of v[COL0] (N.L, N.H, -, power) to o[COL0]
 * lit-long    the same result, bit by bit, without LIT
 * light       `transform` and a light with diffuse and specular terms
 * skin        weighted sum of two indexed matrices, and the light
 */
extern const struct sgt_nv20_text sgt_nv20_texts[]; /* the array ends with a NULL name */

/* Assembles the program with this name. The caller must call sgpu_program_finish(). Returns false
 * if there is no such program or if allocation fails.
 */
bool sgt_nv20_assemble(const char *name, struct sgpu_program *program);

#endif
