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

#define SGPU_DISASM_MAX 256 /* maximum length of an instruction, including its NUL */

/* Prints one legal instruction with its semicolon, without a line feed. The branch target
 * is a number. Returns the length.
 */
unsigned sgpu_disasm_instr(const struct sgpu_instr *instr, enum sgpu_stage stage, bool vp1,
                           char out[SGPU_DISASM_MAX]);

/* Returns the text of a whole program, from header to END, allocated with malloc(), or
 * NULL if an instruction does not decode or if out of memory. sgpu_program_gather() need
 * not have been called.
 */
char *sgpu_disasm_program(const struct sgpu_program *program);

/* Prints a whole program to a file. Words that do not decode become comments. */
void sgpu_disasm_print(FILE *fp, const struct sgpu_program *program);

#ifdef __cplusplus
}
#endif

#endif /* SGPU_DISASM_H */
