/* SPDX-License-Identifier: MIT */

/*
 * Assembler: converts text to programs. docs/isa.md has the grammar.
 */

#ifndef SGPU_ASM_H
#define SGPU_ASM_H

#include "sgpu_program.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The first error in a text. Lines and columns are counted from 1. */
struct sgpu_asm_error {
   unsigned line, column;
   char text[120];
};

/* Assembles a whole program and checks it with sgpu_program_gather(). `text` need not be
 * NUL-terminated. Clears *program on failure.
 */
bool sgpu_asm_program(const char *text, size_t length, struct sgpu_program *program,
                      struct sgpu_asm_error *error);

/* Assembles a single instruction. A branch target must be a number, not a label. */
bool sgpu_asm_instr(const char *text, size_t length, enum sgpu_stage stage, bool vp1,
                    struct sgpu_instr *instr, struct sgpu_asm_error *error);

#ifdef __cplusplus
}
#endif

#endif /* SGPU_ASM_H */
