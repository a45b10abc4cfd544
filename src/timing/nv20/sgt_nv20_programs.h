/* SPDX-License-Identifier: MIT */
/*
 * Programs of the base profile, for measurements of the vertex engine of 2001.
 */
#ifndef SGT_NV20_PROGRAMS_H
#define SGT_NV20_PROGRAMS_H

#include "nv20/sgt_vertex_stream.h"

struct sgt_nv20_text {
   const char *name, *text;
};

/*
 * transform   position by a matrix, colour and a texture coordinate moved
 * lit         LIT of v[COL0] (N.L, N.H, -, power) to o[COL0]
 * lit-long    the same, to the bit, of other operations
 * light       transform, and a light with diffuse and specular terms
 * skin        two matrices by index, weighted, and the light
 */
extern const struct sgt_nv20_text sgt_nv20_texts[]; /* NULL at the end */

/* Assembles a text.  The caller calls sgpu_program_finish.  False: there is none of the name,
 * or out of memory.
 */
bool sgt_nv20_assemble(const char *name, struct sgpu_program *program);

#endif
