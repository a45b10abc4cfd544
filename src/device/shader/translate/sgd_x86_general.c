/* SPDX-License-Identifier: MIT */
/*
 * Translator: x86-64 encoder of instructions on general-purpose registers.
 */
#include <string.h>

#include "shader/translate/sgd_x86.h"
#include "shader/translate/sgd_x86_encode.h"

void
sgd_x86_push(struct sgd_x86 *x, unsigned reg)
{
   if (reg & 8)
      sgd_x86_byte(x, 0x41);
   sgd_x86_byte(x, 0x50 | (reg & 7));
}

void
sgd_x86_pop(struct sgd_x86 *x, unsigned reg)
{
   if (reg & 8)
      sgd_x86_byte(x, 0x41);
   sgd_x86_byte(x, 0x58 | (reg & 7));
}

void
sgd_x86_set(struct sgd_x86 *x, unsigned reg, uint64_t value)
{
   const bool wide = value > UINT32_MAX;
   if (wide || reg & 8)
      sgd_x86_byte(x, 0x40 | (wide ? 8 : 0) | (reg & 8 ? 1 : 0));
   sgd_x86_byte(x, 0xb8 | (reg & 7)); /* MOV reg, imm */
   sgd_x86_bytes(x, &value, wide ? 8 : 4);
}

void
sgd_x86_copy32(struct sgd_x86 *x, unsigned to, unsigned from)
{
   sgd_x86_general(x, false, 0x8b, to, sgd_rm_reg(from));
}

void
sgd_x86_get(struct sgd_x86 *x, unsigned reg, unsigned base, int32_t disp)
{
   sgd_x86_general(x, true, 0x8b, reg, sgd_rm_mem(base, disp));
}

void
sgd_x86_get32(struct sgd_x86 *x, unsigned reg, unsigned base, int32_t disp)
{
   sgd_x86_general(x, false, 0x8b, reg, sgd_rm_mem(base, disp));
}

void
sgd_x86_put(struct sgd_x86 *x, unsigned base, int32_t disp, unsigned reg)
{
   sgd_x86_general(x, true, 0x89, reg, sgd_rm_mem(base, disp));
}

void
sgd_x86_put32(struct sgd_x86 *x, unsigned base, int32_t disp, unsigned reg)
{
   sgd_x86_general(x, false, 0x89, reg, sgd_rm_mem(base, disp));
}

/* Appends the opcode and the operands of an access to [base + 8 * index + disp]. */
static void
indexed(struct sgd_x86 *x, unsigned opcode, unsigned reg, unsigned base, unsigned index,
        int8_t disp)
{
   sgd_x86_byte(x, opcode);
   sgd_x86_byte(x, 0x44 | reg << 3);
   sgd_x86_byte(x, 0xc0 | index << 3 | base);
   sgd_x86_byte(x, (uint8_t)disp);
}

void
sgd_x86_get32_at(struct sgd_x86 *x, unsigned reg, unsigned base, unsigned index, int8_t disp)
{
   indexed(x, 0x8b, reg, base, index, disp);
}

void
sgd_x86_put32_at(struct sgd_x86 *x, unsigned base, unsigned index, int8_t disp, unsigned reg)
{
   indexed(x, 0x89, reg, base, index, disp);
}

void
sgd_x86_put32_at_value(struct sgd_x86 *x, unsigned base, unsigned index, int8_t disp,
                       uint32_t value)
{
   indexed(x, 0xc7, 0, base, index, disp);
   sgd_x86_word(x, value);
}

void
sgd_x86_add32_value(struct sgd_x86 *x, unsigned reg, uint32_t value)
{
   sgd_x86_general(x, false, 0x81, 0, sgd_rm_reg(reg));
   sgd_x86_word(x, value);
}

void
sgd_x86_shift_right32(struct sgd_x86 *x, unsigned reg, unsigned bits)
{
   sgd_x86_general(x, false, 0xc1, 5, sgd_rm_reg(reg));
   sgd_x86_byte(x, bits);
}

void
sgd_x86_mul(struct sgd_x86 *x, unsigned to, unsigned from, int32_t value)
{
   sgd_x86_general(x, true, 0x69, to, sgd_rm_reg(from));
   sgd_x86_word(x, (uint32_t)value);
}

void
sgd_x86_place(struct sgd_x86 *x, unsigned reg, size_t place)
{
   sgd_x86_byte(x, 0x48 | (reg & 8 ? 4 : 0));
   sgd_x86_byte(x, 0x8d); /* LEA reg, [rip + distance] */
   sgd_x86_byte(x, 0x05 | (reg & 7) << 3);
   sgd_x86_word(x, (uint32_t)(place - (x->size + 4)));
}

void
sgd_x86_test_byte(struct sgd_x86 *x, unsigned base, int32_t disp)
{
   sgd_x86_general(x, false, 0x80, 7, sgd_rm_mem(base, disp)); /* CMP byte [base + disp], 0 */
   sgd_x86_byte(x, 0);
}

void
sgd_x86_test_word(struct sgd_x86 *x, unsigned base, int32_t disp)
{
   sgd_x86_byte(x, 0x66);
   sgd_x86_general(x, false, 0x83, 7, sgd_rm_mem(base, disp)); /* CMP word [base + disp], 0 */
   sgd_x86_byte(x, 0);
}

void
sgd_x86_add32(struct sgd_x86 *x, unsigned reg, int8_t value)
{
   sgd_x86_general(x, false, 0x83, 0, sgd_rm_reg(reg));
   sgd_x86_byte(x, (uint8_t)value);
}

void
sgd_x86_and32_value(struct sgd_x86 *x, unsigned reg, uint32_t value)
{
   sgd_x86_general(x, false, 0x81, 4, sgd_rm_reg(reg));
   sgd_x86_word(x, value);
}

void
sgd_x86_subtract(struct sgd_x86 *x, unsigned reg, unsigned with)
{
   sgd_x86_general(x, true, 0x2b, reg, sgd_rm_reg(with));
}

void
sgd_x86_add_to(struct sgd_x86 *x, unsigned reg, unsigned with)
{
   sgd_x86_general(x, true, 0x03, reg, sgd_rm_reg(with));
}

void
sgd_x86_mul32(struct sgd_x86 *x, unsigned to, unsigned from, int8_t value)
{
   sgd_x86_general(x, false, 0x6b, to, sgd_rm_reg(from));
   sgd_x86_byte(x, (uint8_t)value);
}

void
sgd_x86_lowest_bit(struct sgd_x86 *x, unsigned to, unsigned from)
{
   sgd_x86_bytes(x, (const uint8_t[]){ 0xf3, 0x0f, 0xbc, (uint8_t)(0xc0 | to << 3 | from) },
                 4); /* TZCNT */
}

void
sgd_x86_xor32(struct sgd_x86 *x, unsigned reg, unsigned with)
{
   sgd_x86_general(x, false, 0x33, reg, sgd_rm_reg(with));
}

void
sgd_x86_compare32_at(struct sgd_x86 *x, unsigned reg, unsigned base, int32_t disp)
{
   sgd_x86_general(x, false, 0x3b, reg, sgd_rm_mem(base, disp));
}

void
sgd_x86_compare32_value(struct sgd_x86 *x, unsigned reg, uint32_t value)
{
   sgd_x86_general(x, false, 0x81, 7, sgd_rm_reg(reg));
   sgd_x86_word(x, value);
}

void
sgd_x86_add_long(struct sgd_x86 *x, unsigned reg, int32_t value)
{
   if (value >= -128 && value < 128) {
      sgd_x86_add(x, reg, (int8_t)value);
      return;
   }
   sgd_x86_general(x, true, 0x81, 0, sgd_rm_reg(reg));
   sgd_x86_word(x, value);
}

void
sgd_x86_add_at(struct sgd_x86 *x, unsigned base, int32_t disp, int32_t value)
{
   sgd_x86_general(x, true, 0x81, 0, sgd_rm_mem(base, disp));
   sgd_x86_word(x, (uint32_t)value);
}

void
sgd_x86_not_and32(struct sgd_x86 *x, unsigned reg, unsigned with, bool invert)
{
   if (invert)
      sgd_x86_general(x, false, 0xf7, 2, sgd_rm_reg(reg));
   sgd_x86_general(x, false, 0x23, reg, sgd_rm_reg(with));
}

void
sgd_x86_compare(struct sgd_x86 *x, unsigned a, unsigned b)
{
   sgd_x86_general(x, true, 0x3b, a, sgd_rm_reg(b));
}

void
sgd_x86_test32(struct sgd_x86 *x, unsigned reg)
{
   sgd_x86_general(x, false, 0x85, reg, sgd_rm_reg(reg));
}

void
sgd_x86_ret(struct sgd_x86 *x)
{
   sgd_x86_byte(x, 0xc3);
}

void
sgd_x86_call_at(struct sgd_x86 *x, unsigned base, int32_t disp)
{
   sgd_x86_general(x, false, 0xff, 2, sgd_rm_mem(base, disp));
}

void
sgd_x86_call(struct sgd_x86 *x, size_t place)
{
   sgd_x86_byte(x, 0xe8);
   sgd_x86_word(x, (uint32_t)(place - (x->size + 4)));
}

void
sgd_x86_jump_to(struct sgd_x86 *x, unsigned reg)
{
   sgd_x86_general(x, false, 0xff, 4, sgd_rm_reg(reg));
}

size_t
sgd_x86_jump(struct sgd_x86 *x, enum sgd_x86_cond cond)
{
   if (cond == SGD_X86_ALWAYS) {
      sgd_x86_byte(x, 0xe9);
   } else {
      sgd_x86_byte(x, 0x0f);
      sgd_x86_byte(x, 0x80 | cond);
   }
   sgd_x86_word(x, 0);
   return x->size;
}

void
sgd_x86_land(struct sgd_x86 *x, size_t jump, size_t place)
{
   const uint32_t distance = place - jump;
   if (!x->out_of_memory && !x->dry)
      memcpy(x->code + jump - 4, &distance, 4);
}
