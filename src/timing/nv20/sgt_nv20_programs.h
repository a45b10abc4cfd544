/* SPDX-License-Identifier: MIT */
/*
 * Shader programs in the base profile that are used to measure the vertex engine of 2001.
 */
#ifndef SGT_NV20_PROGRAMS_H
#define SGT_NV20_PROGRAMS_H

#include "nv20/sgt_vertex_stream.h"

struct sgt_nv20_text {
   const char *name, *text;
};

/* transform   transforms the position by a matrix; copies the colour and a texture coordinate
 * lit         writes LIT of v[COL0] (N.L, N.H, -, power) to o[COL0]
 * lit-long    like lit with a bit-exact result, but doesn't use the LIT instruction
 * light       like transform, plus a light with diffuse and specular terms
 * skin        like light, after a transform by a weighted sum of two indexed matrices
 */
extern const struct sgt_nv20_text sgt_nv20_texts[]; /* the array ends with a NULL name */

/* Assembles the program with this name. The caller must free it with sgpu_program_finish(). Returns
 * false if there is no such program or if allocation fails.
 */
bool sgt_nv20_assemble(const char *name, struct sgpu_program *program);

#endif
