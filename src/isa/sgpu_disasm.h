/* SPDX-License-Identifier: MIT */

/* Disassembler: prints instructions and programs in the assembler's text form, which assembles to
 * the same words again.
 */

#ifndef SGPU_DISASM_H
#define SGPU_DISASM_H

#include <stdio.h>

#include "sgpu_program.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SGPU_DISASM_MAX 256 /* maximum text size of an instruction in bytes, including the NUL */

/* Prints a legal instruction with its semicolon but without a newline. Prints the branch target as
 * a number. Returns the length of the text.
 */
unsigned sgpu_disasm_instr(const struct sgpu_instr *instr, enum sgpu_stage stage, bool vp1,
                           char out[SGPU_DISASM_MAX]);

/* Returns the text of a whole program, from header to END, allocated with malloc(). Returns NULL if
 * an instruction does not decode or an allocation fails. Does not need the results of
 * sgpu_program_gather().
 */
char *sgpu_disasm_program(const struct sgpu_program *program);

/* Prints a whole program to a file. Prints words that don't decode as comments. */
void sgpu_disasm_print(FILE *fp, const struct sgpu_program *program);

#ifdef __cplusplus
}
#endif

#endif /* SGPU_DISASM_H */
