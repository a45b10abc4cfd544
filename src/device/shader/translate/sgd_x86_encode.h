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

/* Prefix and opcode of an instruction on vectors. */
struct sgd_x86_prefix {
   uint8_t pp, map, opcode, w;
   uint8_t large; /* L bit of a VEX prefix */
};

void sgd_x86_vex(struct sgd_x86 *x, struct sgd_x86_prefix v, unsigned reg, unsigned vvvv,
                 struct sgd_x86_rm rm);
/* Called at the end of an instruction. If the instruction has a fixup, records the end, to which
 * the displacement is relative.
 */
void sgd_x86_end(struct sgd_x86 *x, struct sgd_x86_rm rm);
/* Appends a displacement of 32 bits to the address of a constant. */
void sgd_x86_fix(struct sgd_x86 *x, uint32_t number);

/* The functions of sgd_x86.h for wide vectors (sgd_x86_wide.c). sgd_x86_wide_simple() appends an
 * instruction with two operands; a memory operand has `bytes` bytes.
 */
void sgd_x86_wide_vector(struct sgd_x86 *x, enum sgd_x86_op op, unsigned imm, unsigned d,
                         unsigned a, struct sgd_x86_rm rm, unsigned c);
void sgd_x86_wide_simple(struct sgd_x86 *x, unsigned pp, unsigned map, unsigned opcode,
                         unsigned reg, struct sgd_x86_rm rm, unsigned bytes);
void sgd_x86_wide_canon(struct sgd_x86 *x, unsigned d, unsigned a, struct sgd_x86_rm nan);
void sgd_x86_wide_gather_all(struct sgd_x86 *x, unsigned d, unsigned base, unsigned index);
/* Loads the sign bits of 16 lanes to a general-purpose register. */
void sgd_x86_wide_signs(struct sgd_x86 *x, unsigned reg, unsigned s);

/* Appends an instruction with operands reg and rm. Adds a REX prefix if one is necessary. */
void sgd_x86_general(struct sgd_x86 *x, bool wide, unsigned opcode, unsigned reg,
                     struct sgd_x86_rm rm);

#endif
