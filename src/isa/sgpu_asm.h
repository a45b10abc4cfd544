/* SPDX-License-Identifier: MIT */

/*
 * Assembler: text to programs. The grammar is in docs/isa.md.
 */

#ifndef SGPU_ASM_H
#define SGPU_ASM_H

#include "sgpu_program.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The first error. Lines and columns count from 1. */
struct sgpu_asm_error {
   unsigned line, column;
   char text[120];
};

/* Assembles a whole program and checks it with sgpu_program_gather. `text` needs no
 * terminating NUL. On failure *program is cleared.
 */
bool sgpu_asm_program(const char *text, size_t length, struct sgpu_program *program,
                      struct sgpu_asm_error *error);

/* One instruction; its branch target must be a number. */
bool sgpu_asm_instr(const char *text, size_t length, enum sgpu_stage stage, bool vp1,
                    struct sgpu_instr *instr, struct sgpu_asm_error *error);

#ifdef __cplusplus
}
#endif

#endif /* SGPU_ASM_H */
