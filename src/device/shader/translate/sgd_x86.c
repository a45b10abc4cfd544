/* SPDX-License-Identifier: MIT */
/*
 * Translator: x86-64 encoder of instructions on vectors. sgd_x86_general.c has all others.
 */
#include "shader/translate/sgd_x86.h"

#include <stdlib.h>
#include <string.h>

#include "shader/translate/sgd_x86_encode.h"
#include "util/macros.h"

void
sgd_x86_init(struct sgd_x86 *x)
{
   *x = (struct sgd_x86){ 0 };
}

void
sgd_x86_finish(struct sgd_x86 *x)
{
   free(x->code);
   free(x->fixups);
   free(x->places);
   *x = (struct sgd_x86){ 0 };
}

void
sgd_x86_begin_instr(struct sgd_x86 *x, uint32_t instr)
{
   if (!x->wants_places || x->dry || (x->num_places && x->places[x->num_places - 1].instr == instr))
      return;
   if (x->num_places == x->place_room) {
      const uint32_t room = MAX2(64, 2 * x->place_room);
      struct sgd_code_place *places = realloc(x->places, room * sizeof(*places));
      if (!places)
         return;
      x->places = places;
      x->place_room = room;
   }
   x->places[x->num_places++] = (struct sgd_code_place){ (uint32_t)x->size, instr };
}

void
sgd_x86_bytes(struct sgd_x86 *x, const void *bytes, size_t count)
{
   if (x->dry)
      return;
   if (x->size + count > x->room) {
      const size_t room = MAX2(4096, 2 * (x->size + count));
      uint8_t *code = realloc(x->code, room);
      if (!code) {
         x->out_of_memory = true;
         return;
      }
      x->code = code;
      x->room = room;
   }
   memcpy(x->code + x->size, bytes, count);
   x->size += count;
}

void
sgd_x86_byte(struct sgd_x86 *x, unsigned value)
{
   const uint8_t b = value;
   sgd_x86_bytes(x, &b, 1);
}

void
sgd_x86_word(struct sgd_x86 *x, uint32_t value)
{
   sgd_x86_bytes(x, &value, 4);
}

void
sgd_x86_fix(struct sgd_x86 *x, uint32_t number)
{
   if (x->dry)
      return;
   if (x->num_fixups == x->fixup_room) {
      const size_t room = MAX2(64, 2 * x->fixup_room);
      struct sgd_x86_fixup *fixups = realloc(x->fixups, room * sizeof(*fixups));
      if (!fixups) {
         x->out_of_memory = true;
         return;
      }
      x->fixups = fixups;
      x->fixup_room = room;
   }
   x->fixups[x->num_fixups++] = (struct sgd_x86_fixup){ .at = x->size, .number = number };
   sgd_x86_word(x, 0);
}

void
sgd_x86_modrm(struct sgd_x86 *x, unsigned reg, struct sgd_x86_rm rm)
{
   const unsigned r = (reg & 7) << 3;
   switch (rm.kind) {
   case SGD_RM_REG:
      sgd_x86_byte(x, 0xc0 | r | (rm.reg & 7));
      break;
   case SGD_RM_CONST:
      sgd_x86_byte(x, r | 5);
      sgd_x86_fix(x, rm.disp);
      break;
   case SGD_RM_MEM: {
      const bool near = rm.disp >= -128 && rm.disp < 128;
      sgd_x86_byte(x, (near ? 0x40 : 0x80) | r | (rm.reg & 7));
      if ((rm.reg & 7) == SGD_RSP)
         sgd_x86_byte(x, 0x24);
      if (near)
         sgd_x86_byte(x, (uint8_t)rm.disp);
      else
         sgd_x86_word(x, rm.disp);
      break;
   }
   }
}

void
sgd_x86_vex(struct sgd_x86 *x, struct sgd_x86_prefix v, unsigned reg, unsigned vvvv,
            struct sgd_x86_rm rm)
{
   const unsigned r = reg & 8 ? 0 : 0x80;
   const unsigned b = rm.kind != SGD_RM_CONST && (rm.reg & 8) ? 0 : 0x20;
   const unsigned last = (~vvvv & 15) << 3 | v.large << 2 | v.pp;
   if (v.map == 1 && !v.w && b) {
      sgd_x86_byte(x, 0xc5);
      sgd_x86_byte(x, r | last);
   } else {
      sgd_x86_byte(x, 0xc4);
      sgd_x86_byte(x, r | 0x40 | b | v.map);
      sgd_x86_byte(x, v.w << 7 | last);
   }
   sgd_x86_byte(x, v.opcode);
   sgd_x86_modrm(x, reg, rm);
}

void
sgd_x86_end(struct sgd_x86 *x, struct sgd_x86_rm rm)
{
   if (rm.kind == SGD_RM_CONST && x->num_fixups)
      x->fixups[x->num_fixups - 1].end = x->size;
}

void
sgd_x86_vector(struct sgd_x86 *x, enum sgd_x86_op op, unsigned imm, unsigned d, unsigned a,
               struct sgd_x86_rm rm, unsigned c)
{
   if (x->dry)
      return;
   if (x->wide) {
      sgd_x86_wide_vector(x, op, imm, d, a, rm, c);
      return;
   }
   const struct sgd_x86_info *info = &sgd_x86_info[op];
   const struct sgd_x86_prefix v = { info->pp, info->map, info->opcode, info->w, 1 };
   switch ((enum sgd_x86_form)info->form) {
   case SGD_X86_RVM:
   case SGD_X86_RVMI:
   case SGD_X86_RVMR:
      sgd_x86_vex(x, v, d, a, rm);
      break;
   case SGD_X86_RM:
   case SGD_X86_RMI:
      sgd_x86_vex(x, v, d, 0, rm);
      break;
   case SGD_X86_VMI:
      sgd_x86_vex(x, v, info->ext, d, rm);
      break;
   case SGD_X86_MRI:
      sgd_x86_vex(x, v, rm.reg, 0, sgd_rm_reg(d));
      break;
   }
   if (info->form == SGD_X86_RVMR)
      sgd_x86_byte(x, c << 4);
   else if (info->form != SGD_X86_RVM && info->form != SGD_X86_RM)
      sgd_x86_byte(x, imm);
   sgd_x86_end(x, rm);
}

/* Appends an instruction with two operands. A memory operand of a wide vector has `bytes` bytes. */
static void
sized(struct sgd_x86 *x, unsigned pp, unsigned map, unsigned opcode, unsigned reg,
      struct sgd_x86_rm rm, unsigned bytes)
{
   if (x->dry)
      return;
   if (x->wide) {
      sgd_x86_wide_simple(x, pp, map, opcode, reg, rm, bytes);
      return;
   }
   sgd_x86_vex(x, (struct sgd_x86_prefix){ pp, map, opcode, 0, 1 }, reg, 0, rm);
   sgd_x86_end(x, rm);
}

static void
simple(struct sgd_x86 *x, unsigned pp, unsigned map, unsigned opcode, unsigned reg,
       struct sgd_x86_rm rm)
{
   sized(x, pp, map, opcode, reg, rm, 64);
}

void
sgd_x86_load(struct sgd_x86 *x, unsigned d, struct sgd_x86_rm rm)
{
   simple(x, 0, 1, 0x10, d, rm);
}

void
sgd_x86_store(struct sgd_x86 *x, struct sgd_x86_rm rm, unsigned s)
{
   simple(x, 0, 1, 0x11, s, rm);
}

void
sgd_x86_splat(struct sgd_x86 *x, unsigned d, struct sgd_x86_rm rm)
{
   sized(x, 1, 2, 0x18, d, rm, 4);
}

void
sgd_x86_splat_byte(struct sgd_x86 *x, unsigned d, struct sgd_x86_rm rm)
{
   sized(x, 1, 2, 0x78, d, rm, 1);
}

void
sgd_x86_canon(struct sgd_x86 *x, unsigned d, unsigned a, struct sgd_x86_rm nan)
{
   if (x->wide) {
      sgd_x86_wide_canon(x, d, a, nan);
      return;
   }
   sgd_x86_vector(x, SGD_VCMPPS, SGD_CMP_UNORD, d, a, sgd_rm_reg(a), 0);
   sgd_x86_vector(x, SGD_VBLENDVPS, 0, d, a, nan, d);
}

void
sgd_x86_store_signs(struct sgd_x86 *x, struct sgd_x86_rm rm, unsigned s)
{
   sgd_x86_signs(x, SGD_RAX, s);
   if (x->wide)
      sgd_x86_byte(x, 0x66);
   if (rm.reg & 8)
      sgd_x86_byte(x, 0x41);
   sgd_x86_byte(x, x->wide ? 0x89 : 0x88); /* MOV [rm], ax or al */
   sgd_x86_modrm(x, SGD_RAX, rm);
}

void
sgd_x86_general(struct sgd_x86 *x, bool wide, unsigned opcode, unsigned reg, struct sgd_x86_rm rm)
{
   const unsigned rex = (wide ? 8 : 0) | (reg & 8 ? 4 : 0) | (rm.reg & 8 ? 1 : 0);
   if (rex)
      sgd_x86_byte(x, 0x40 | rex);
   sgd_x86_byte(x, opcode);
   sgd_x86_modrm(x, reg, rm);
}

void
sgd_x86_push_signs(struct sgd_x86 *x, unsigned reg, unsigned s)
{
   const uint8_t bits = 8 * sgd_x86_chunks(x);
   sgd_x86_signs(x, SGD_RAX, s);
   sgd_x86_bytes(x, (const uint8_t[]){ 0xc1, 0xe0, 32 - bits }, 3); /* SHL eax, 32 - bits */
   sgd_x86_bytes(x, (const uint8_t[]){ 0x41, 0xc1, (uint8_t)(0xe8 | (reg & 7)), bits },
                 4); /* SHR reg, bits */
   sgd_x86_bytes(x, (const uint8_t[]){ 0x41, 0x09, (uint8_t)(0xc0 | (reg & 7)) },
                 3); /* OR reg, eax */
}

void
sgd_x86_push_zeros(struct sgd_x86 *x, unsigned reg)
{
   sgd_x86_bytes(x, (const uint8_t[]){ 0x41, 0xc1, (uint8_t)(0xe8 | (reg & 7)), 8 },
                 4); /* SHR reg, 8 */
}

void
sgd_x86_end_pushes(struct sgd_x86 *x, unsigned count)
{
   sgd_x86_copy(x, SGD_RCX, count);
   sgd_x86_bytes(x, (const uint8_t[]){ 0xf7, 0xd9 }, 2);    /* NEG ecx */
   sgd_x86_bytes(x, (const uint8_t[]){ 0xc1, 0xe1, 3 }, 3); /* SHL ecx, 3 */
}

void
sgd_x86_store_pushed(struct sgd_x86 *x, unsigned base, int32_t disp, unsigned reg, unsigned exec)
{
   sgd_x86_bytes(x, (const uint8_t[]){ 0x41, 0xd3, (uint8_t)(0xe8 | (reg & 7)) },
                 3); /* SHR reg, cl */
   if (exec != SGD_X86_NO_REG) {
      /* old ^ ((old ^ new) & exec) */
      sgd_x86_general(x, false, 0x33, reg, sgd_rm_mem(base, disp));
      sgd_x86_general(x, false, 0x23, reg, sgd_rm_mem(exec, 0));
      sgd_x86_general(x, false, 0x31, reg, sgd_rm_mem(base, disp));
      return;
   }
   sgd_x86_general(x, false, 0x89, reg, sgd_rm_mem(base, disp));
}

void
sgd_x86_enter(struct sgd_x86 *x, unsigned slots)
{
   if (!slots)
      return;
   sgd_x86_byte(x, 0x55);                                      /* PUSH rbp */
   sgd_x86_bytes(x, (const uint8_t[]){ 0x48, 0x89, 0xe5 }, 3); /* MOV rbp, rsp */
   sgd_x86_bytes(x, (const uint8_t[]){ 0x48, 0x81, 0xec }, 3); /* SUB rsp, imm */
   const uint8_t bytes = 32 * sgd_x86_chunks(x);
   sgd_x86_word(x, bytes * slots);
   sgd_x86_bytes(x, (const uint8_t[]){ 0x48, 0x83, 0xe4, (uint8_t)-bytes },
                 4); /* AND rsp, -bytes */
}

void
sgd_x86_leave(struct sgd_x86 *x, unsigned slots)
{
   if (slots)
      sgd_x86_byte(x, 0xc9); /* LEAVE */
   sgd_x86_zero_upper(x);
   sgd_x86_byte(x, 0xc3); /* RET */
}

void
sgd_x86_copy(struct sgd_x86 *x, unsigned to, unsigned from)
{
   sgd_x86_byte(x, 0x48 | (from & 8 ? 4 : 0) | (to & 8 ? 1 : 0));
   sgd_x86_byte(x, 0x89);
   sgd_x86_byte(x, 0xc0 | (from & 7) << 3 | (to & 7));
}

void
sgd_x86_add(struct sgd_x86 *x, unsigned reg, int8_t value)
{
   sgd_x86_byte(x, 0x48 | (reg & 8 ? 1 : 0));
   sgd_x86_byte(x, 0x83);
   sgd_x86_byte(x, 0xc0 | (reg & 7));
   sgd_x86_byte(x, (uint8_t)value);
}

void
sgd_x86_loop(struct sgd_x86 *x, unsigned counter, size_t place)
{
   sgd_x86_byte(x, 0xff); /* DEC counter (this encoding supports only eax to edi) */
   sgd_x86_byte(x, 0xc8 | (counter & 7));
   sgd_x86_byte(x, 0x0f); /* JNZ */
   sgd_x86_byte(x, 0x85);
   sgd_x86_word(x, (uint32_t)(place - (x->size + 4)));
}

void
sgd_x86_signs(struct sgd_x86 *x, unsigned reg, unsigned s)
{
   if (x->wide)
      sgd_x86_wide_signs(x, reg, s);
   else
      simple(x, 0, 1, 0x50, reg, sgd_rm_reg(s)); /* VMOVMSKPS */
}

void
sgd_x86_gather(struct sgd_x86 *x, unsigned d, unsigned base, unsigned index, int32_t disp,
               unsigned mask)
{
   sgd_x86_byte(x, 0xc4);
   sgd_x86_byte(x, (d & 8 ? 0 : 0x80) | (index & 8 ? 0 : 0x40) | (base & 8 ? 0 : 0x20) | 2);
   sgd_x86_byte(x, (~mask & 15) << 3 | 5); /* W0, 256 bits, prefix 66 */
   sgd_x86_byte(x, 0x90);
   sgd_x86_byte(x, 0x84 | (d & 7) << 3);
   sgd_x86_byte(x, 0x80 | (index & 7) << 3 | (base & 7)); /* 4 bytes for each index */
   sgd_x86_word(x, (uint32_t)disp);
}

void
sgd_x86_gather_all(struct sgd_x86 *x, unsigned d, unsigned base, unsigned index, unsigned mask)
{
   /* The instruction merges its result with d, so d must not depend on earlier instructions. */
   sgd_x86_vector(x, SGD_VPXOR, 0, d, d, sgd_rm_reg(d), 0);
   if (x->wide) {
      sgd_x86_wide_gather_all(x, d, base, index);
      return;
   }
   sgd_x86_vector(x, SGD_VPCMPEQD, 0, mask, mask, sgd_rm_reg(mask), 0);
   sgd_x86_byte(x, 0xc4);
   sgd_x86_byte(x, (d & 8 ? 0 : 0x80) | (index & 8 ? 0 : 0x40) | 0x20 | 2);
   sgd_x86_byte(x, (~mask & 15) << 3 | 5); /* W0, 256 bits, prefix 66 */
   sgd_x86_byte(x, 0x90);
   sgd_x86_byte(x, 4 | (d & 7) << 3);
   sgd_x86_byte(x, (index & 7) << 3 | base);
}

void
sgd_x86_zero_upper(struct sgd_x86 *x)
{
   sgd_x86_bytes(x, (const uint8_t[]){ 0xc5, 0xf8, 0x77 }, 3); /* VZEROUPPER */
}

void
sgd_x86_place_consts(struct sgd_x86 *x, const uint32_t (*consts)[8], unsigned num)
{
   const unsigned copies = x->avx512 ? 2 : 1, bytes = 32 * copies;
   while (x->size % bytes && !x->out_of_memory)
      sgd_x86_byte(x, 0xcc);
   const size_t first = x->size;
   for (unsigned n = 0; n < copies * num; n++)
      sgd_x86_bytes(x, consts[n / copies], 32);
   if (x->out_of_memory)
      return;
   for (size_t i = 0; i < x->num_fixups; i++) {
      const struct sgd_x86_fixup *f = &x->fixups[i];
      const uint32_t distance = first + bytes * f->number - f->end;
      memcpy(x->code + f->at, &distance, 4);
   }
   x->num_fixups = 0;
}
