/* SPDX-License-Identifier: MIT */
/*
 * Translator: the parts of x86-64 instructions.
 */
#ifndef SGD_X86_ENCODE_H
#define SGD_X86_ENCODE_H

#include "shader/translate/sgd_x86.h"

void sgd_x86_bytes(struct sgd_x86 *x, const void *bytes, size_t count);
void sgd_x86_byte(struct sgd_x86 *x, unsigned value);
void sgd_x86_word(struct sgd_x86 *x, uint32_t value);

/* Appends the ModRM byte, the SIB byte and the displacement of an operand. */
void sgd_x86_modrm(struct sgd_x86 *x, unsigned reg, struct sgd_x86_rm rm);

/* Appends an instruction with operands reg and rm. Adds a REX prefix if one is necessary. */
void sgd_x86_general(struct sgd_x86 *x, bool wide, unsigned opcode, unsigned reg,
                     struct sgd_x86_rm rm);

#endif
