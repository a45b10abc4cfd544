/* SPDX-License-Identifier: MIT */

/*
 * Disassembler: prints instructions and programs in the assembler's text form. The
 * text assembles to the same words.
 */

#ifndef SGPU_DISASM_H
#define SGPU_DISASM_H

#include <stdio.h>

#include "sgpu_program.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SGPU_DISASM_MAX 256 /* longest instruction, with its NUL */

/* One legal instruction with its semicolon, without a line feed; the branch
 * target as a number. Returns the length.
 */
unsigned sgpu_disasm_instr(const struct sgpu_instr *instr, enum sgpu_stage stage, bool vp1,
                           char out[SGPU_DISASM_MAX]);

/* The whole program, header to END, allocated with malloc; NULL if an instruction
 * does not decode or memory runs out. The program need not have been gathered.
 */
char *sgpu_disasm_program(const struct sgpu_program *program);

/* The same to a file; words that do not decode become comments. */
void sgpu_disasm_print(FILE *fp, const struct sgpu_program *program);

#ifdef __cplusplus
}
#endif

#endif /* SGPU_DISASM_H */
