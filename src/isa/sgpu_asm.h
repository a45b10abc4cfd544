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

/* The first error of a text. Lines and columns count from 1. */
struct sgpu_asm_error {
   unsigned line, column;
   char text[120];
};

/* Assembles a whole program and checks it with sgpu_program_gather(). `text` needs no
 * terminating NUL. Clears *program on failure.
 */
bool sgpu_asm_program(const char *text, size_t length, struct sgpu_program *program,
                      struct sgpu_asm_error *error);

/* Assembles one instruction. Its branch target must be a number. */
bool sgpu_asm_instr(const char *text, size_t length, enum sgpu_stage stage, bool vp1,
                    struct sgpu_instr *instr, struct sgpu_asm_error *error);

#ifdef __cplusplus
}
#endif

#endif /* SGPU_ASM_H */
