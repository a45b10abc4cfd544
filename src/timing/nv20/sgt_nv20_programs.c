/* SPDX-License-Identifier: MIT */
/*
 * Shader programs in the base profile that are used to measure the vertex engine of 2001.
 */
#include "nv20/sgt_nv20_programs.h"

#include <string.h>

#include "sgpu_asm.h"

#define TRANSFORM(v)               \
   "DP4 o[HPOS].x, c[0], " v ";\n" \
   "DP4 o[HPOS].y, c[1], " v ";\n" \
   "DP4 o[HPOS].z, c[2], " v ";\n" \
   "DP4 o[HPOS].w, c[3], " v ";\n"

/* c[4..6] are the rows of the normal matrix. c[7] and c[8] are the light vector and the half-angle
 * vector. c[9].w is the specular exponent. c[10..12] are the ambient, diffuse and specular colors.
 */
#define LIGHT(n)                         \
   "DP3 R0.x, c[4], " n ";\n"            \
   "DP3 R0.y, c[5], " n ";\n"            \
   "DP3 R0.z, c[6], " n ";\n"            \
   "DP3 R0.w, R0, R0;\n"                 \
   "RSQ R0.w, R0.w;\n"                   \
   "MUL R0.xyz, R0, R0.w;\n"             \
   "DP3 R1.x, R0, c[7];\n"               \
   "DP3 R1.y, R0, c[8];\n"               \
   "MOV R1.w, c[9].w;\n"                 \
   "LIT R2, R1;\n"                       \
   "MOV R3, c[10];\n"                    \
   "MAD R3, R2.y, c[11], R3;\n"          \
   "MAD o[COL0].xyz, R2.z, c[12], R3;\n" \
   "MOV o[COL0].w, c[11].w;\n"

const struct sgt_nv20_text sgt_nv20_texts[] = {
   { "transform", "!!VP1.0\n" TRANSFORM("v[OPOS]") "MOV o[COL0], v[COL0];\n"
                                                   "MOV o[TEX0], v[TEX0];\n"
                                                   "END\n" },
   { "lit", "!!VP1.0\n"
            "LIT o[COL0], v[COL0];\n"
            "END\n" },
   /* c[0] = (0, 1, -128, 128) */
   { "lit-long", "!!VP1.0\n"
                 "DEF c[0] = { 0.0, 1.0, -128.0, 128.0 };\n"
                 "MAX R0.xy, v[COL0], c[0].x;\n"
                 "MAX R0.w, v[COL0].w, c[0].z;\n"
                 "MIN R0.w, R0.w, c[0].w;\n"
                 "LOG R1.z, R0.y;\n"
                 "MUL R1.w, R1.z, R0.w;\n"
                 "EXP R1.z, R1.w;\n"
                 "SLT R1.x, c[0].x, R0.x;\n"
                 "MUL o[COL0].z, R1.z, R1.x;\n"
                 "MOV o[COL0].y, R0.x;\n"
                 "MOV o[COL0].xw, c[0].y;\n"
                 "END\n" },
   { "light", "!!VP1.0\n" TRANSFORM("v[OPOS]") LIGHT("v[NRML]") "MOV o[TEX0], v[TEX0];\nEND\n" },
   { "skin", "!!VP1.0\n"
             "ARL A0.x, v[WGHT].y;\n"
             "DP4 R4.x, c[A0.x + 20], v[OPOS];\n"
             "DP4 R4.y, c[A0.x + 21], v[OPOS];\n"
             "DP4 R4.z, c[A0.x + 22], v[OPOS];\n"
             "ARL A0.x, v[WGHT].z;\n"
             "DP4 R5.x, c[A0.x + 20], v[OPOS];\n"
             "DP4 R5.y, c[A0.x + 21], v[OPOS];\n"
             "DP4 R5.z, c[A0.x + 22], v[OPOS];\n"
             "ADD R6.xyz, R4, -R5;\n"
             "MAD R6.xyz, R6, v[WGHT].x, R5;\n"
             "MOV R6.w, c[13].w;\n" TRANSFORM("R6") LIGHT("v[NRML]") "MOV o[TEX0], v[TEX0];\n"
                                                                     "END\n" },
   { NULL, NULL },
};

bool
sgt_nv20_assemble(const char *name, struct sgpu_program *program)
{
   struct sgpu_asm_error error;

   for (const struct sgt_nv20_text *t = sgt_nv20_texts; t->name; t++) {
      if (!strcmp(t->name, name))
         return sgpu_asm_program(t->text, strlen(t->text), program, &error);
   }
   memset(program, 0, sizeof(*program));
   return false;
}
