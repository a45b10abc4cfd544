/* SPDX-License-Identifier: MIT */
/*
 * Translator: x86-64 encoder.
 */
#include "shader/translate/sgd_x86.h"

#include <stdlib.h>
#include <string.h>

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

static void
put(struct sgd_x86 *x, const void *bytes, size_t count)
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

static void
byte(struct sgd_x86 *x, unsigned value)
{
   const uint8_t b = value;
   put(x, &b, 1);
}

static void
word(struct sgd_x86 *x, uint32_t value)
{
   put(x, &value, 4);
}

static void
fix(struct sgd_x86 *x, uint32_t number)
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
   word(x, 0);
}

/* Appends the ModRM byte, the SIB byte and the displacement of an operand. */
static void
modrm(struct sgd_x86 *x, unsigned reg, struct sgd_x86_rm rm)
{
   const unsigned r = (reg & 7) << 3;
   switch (rm.kind) {
   case SGD_RM_REG:
      byte(x, 0xc0 | r | (rm.reg & 7));
      break;
   case SGD_RM_CONST:
      byte(x, r | 5);
      fix(x, rm.disp);
      break;
   case SGD_RM_MEM: {
      const bool near = rm.disp >= -128 && rm.disp < 128;
      byte(x, (near ? 0x40 : 0x80) | r | (rm.reg & 7));
      if ((rm.reg & 7) == SGD_RSP)
         byte(x, 0x24);
      if (near)
         byte(x, (uint8_t)rm.disp);
      else
         word(x, rm.disp);
      break;
   }
   }
}

struct vex {
   uint8_t pp, map, opcode, w, wide;
};

static void
vex(struct sgd_x86 *x, struct vex v, unsigned reg, unsigned vvvv, struct sgd_x86_rm rm)
{
   const unsigned r = reg & 8 ? 0 : 0x80;
   const unsigned b = rm.kind != SGD_RM_CONST && (rm.reg & 8) ? 0 : 0x20;
   const unsigned last = (~vvvv & 15) << 3 | v.wide << 2 | v.pp;
   if (v.map == 1 && !v.w && b) {
      byte(x, 0xc5);
      byte(x, r | last);
   } else {
      byte(x, 0xc4);
      byte(x, r | 0x40 | b | v.map);
      byte(x, v.w << 7 | last);
   }
   byte(x, v.opcode);
   modrm(x, reg, rm);
}

/* Called at the end of an instruction. If the instruction has a fixup, records the end, to which
 * the displacement is relative.
 */
static void
end(struct sgd_x86 *x, struct sgd_x86_rm rm)
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
   const struct sgd_x86_info *info = &sgd_x86_info[op];
   const struct vex v = { info->pp, info->map, info->opcode, info->w, 1 };
   switch ((enum sgd_x86_form)info->form) {
   case SGD_X86_RVM:
   case SGD_X86_RVMI:
   case SGD_X86_RVMR:
      vex(x, v, d, a, rm);
      break;
   case SGD_X86_RM:
   case SGD_X86_RMI:
      vex(x, v, d, 0, rm);
      break;
   case SGD_X86_VMI:
      vex(x, v, info->ext, d, rm);
      break;
   case SGD_X86_MRI:
      vex(x, v, rm.reg, 0, sgd_rm_reg(d));
      break;
   }
   if (info->form == SGD_X86_RVMR)
      byte(x, c << 4);
   else if (info->form != SGD_X86_RVM && info->form != SGD_X86_RM)
      byte(x, imm);
   end(x, rm);
}

static void
simple(struct sgd_x86 *x, unsigned pp, unsigned map, unsigned opcode, unsigned reg,
       struct sgd_x86_rm rm)
{
   if (x->dry)
      return;
   vex(x, (struct vex){ pp, map, opcode, 0, 1 }, reg, 0, rm);
   end(x, rm);
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
   simple(x, 1, 2, 0x18, d, rm);
}

void
sgd_x86_splat_byte(struct sgd_x86 *x, unsigned d, struct sgd_x86_rm rm)
{
   simple(x, 1, 2, 0x78, d, rm);
}

void
sgd_x86_store_signs(struct sgd_x86 *x, struct sgd_x86_rm rm, unsigned s)
{
   simple(x, 0, 1, 0x50, SGD_RAX, sgd_rm_reg(s)); /* VMOVMSKPS eax */
   if (rm.reg & 8)
      byte(x, 0x41);
   byte(x, 0x88); /* MOV [rm], al */
   modrm(x, SGD_RAX, rm);
}

/* Shifts the register right by 8 bits, and inserts al as its top 8 bits. */
static void
push_al(struct sgd_x86 *x, unsigned reg)
{
   put(x, (const uint8_t[]){ 0xc1, 0xe0, 24 }, 3);                             /* SHL eax, 24 */
   put(x, (const uint8_t[]){ 0x41, 0xc1, (uint8_t)(0xe8 | (reg & 7)), 8 }, 4); /* SHR reg, 8 */
   put(x, (const uint8_t[]){ 0x41, 0x09, (uint8_t)(0xc0 | (reg & 7)) }, 3);    /* OR reg, eax */
}

void
sgd_x86_push_signs(struct sgd_x86 *x, unsigned reg, unsigned s)
{
   simple(x, 0, 1, 0x50, SGD_RAX, sgd_rm_reg(s)); /* VMOVMSKPS eax */
   push_al(x, reg);
}

void
sgd_x86_push_byte(struct sgd_x86 *x, unsigned reg, struct sgd_x86_rm rm)
{
   if (rm.reg & 8)
      byte(x, 0x41);
   byte(x, 0x8a); /* MOV al, [rm] */
   modrm(x, SGD_RAX, rm);
   push_al(x, reg);
}

void
sgd_x86_store_pushed(struct sgd_x86 *x, struct sgd_x86_rm rm, unsigned reg, unsigned count)
{
   sgd_x86_copy(x, SGD_RCX, count);
   put(x, (const uint8_t[]){ 0xf7, 0xd9 }, 2);                              /* NEG ecx */
   put(x, (const uint8_t[]){ 0xc1, 0xe1, 3 }, 3);                           /* SHL ecx, 3 */
   put(x, (const uint8_t[]){ 0x41, 0xd3, (uint8_t)(0xe8 | (reg & 7)) }, 3); /* SHR reg, cl */
   put(x, (const uint8_t[]){ 0x44, 0x89 }, 2);                              /* MOV [rm], reg */
   modrm(x, reg, rm);
}

void
sgd_x86_enter(struct sgd_x86 *x, unsigned slots)
{
   if (!slots)
      return;
   byte(x, 0x55);                                    /* PUSH rbp */
   put(x, (const uint8_t[]){ 0x48, 0x89, 0xe5 }, 3); /* MOV rbp, rsp */
   put(x, (const uint8_t[]){ 0x48, 0x81, 0xec }, 3); /* SUB rsp, imm */
   word(x, 32 * slots);
   put(x, (const uint8_t[]){ 0x48, 0x83, 0xe4, 0xe0 }, 4); /* AND rsp, -32 */
}

void
sgd_x86_leave(struct sgd_x86 *x, unsigned slots)
{
   if (slots)
      byte(x, 0xc9);                                 /* LEAVE */
   put(x, (const uint8_t[]){ 0xc5, 0xf8, 0x77 }, 3); /* VZEROUPPER */
   byte(x, 0xc3);                                    /* RET */
}

void
sgd_x86_copy(struct sgd_x86 *x, unsigned to, unsigned from)
{
   byte(x, 0x48 | (from & 8 ? 4 : 0) | (to & 8 ? 1 : 0));
   byte(x, 0x89);
   byte(x, 0xc0 | (from & 7) << 3 | (to & 7));
}

void
sgd_x86_add(struct sgd_x86 *x, unsigned reg, int8_t value)
{
   byte(x, 0x48 | (reg & 8 ? 1 : 0));
   byte(x, 0x83);
   byte(x, 0xc0 | (reg & 7));
   byte(x, (uint8_t)value);
}

void
sgd_x86_loop(struct sgd_x86 *x, unsigned counter, size_t place)
{
   byte(x, 0xff); /* DEC counter (this encoding supports only eax to edi) */
   byte(x, 0xc8 | (counter & 7));
   byte(x, 0x0f); /* JNZ */
   byte(x, 0x85);
   word(x, (uint32_t)(place - (x->size + 4)));
}

/* Appends an instruction with operands reg and rm. Adds a REX prefix if one is necessary. */
static void
general(struct sgd_x86 *x, bool wide, unsigned opcode, unsigned reg, struct sgd_x86_rm rm)
{
   const unsigned rex = (wide ? 8 : 0) | (reg & 8 ? 4 : 0) | (rm.reg & 8 ? 1 : 0);
   if (rex)
      byte(x, 0x40 | rex);
   byte(x, opcode);
   modrm(x, reg, rm);
}

void
sgd_x86_push(struct sgd_x86 *x, unsigned reg)
{
   if (reg & 8)
      byte(x, 0x41);
   byte(x, 0x50 | (reg & 7));
}

void
sgd_x86_pop(struct sgd_x86 *x, unsigned reg)
{
   if (reg & 8)
      byte(x, 0x41);
   byte(x, 0x58 | (reg & 7));
}

void
sgd_x86_set(struct sgd_x86 *x, unsigned reg, uint64_t value)
{
   const bool wide = value > UINT32_MAX;
   if (wide || reg & 8)
      byte(x, 0x40 | (wide ? 8 : 0) | (reg & 8 ? 1 : 0));
   byte(x, 0xb8 | (reg & 7)); /* MOV reg, imm */
   put(x, &value, wide ? 8 : 4);
}

void
sgd_x86_copy32(struct sgd_x86 *x, unsigned to, unsigned from)
{
   general(x, false, 0x8b, to, sgd_rm_reg(from));
}

void
sgd_x86_get(struct sgd_x86 *x, unsigned reg, unsigned base, int32_t disp)
{
   general(x, true, 0x8b, reg, sgd_rm_mem(base, disp));
}

void
sgd_x86_get32(struct sgd_x86 *x, unsigned reg, unsigned base, int32_t disp)
{
   general(x, false, 0x8b, reg, sgd_rm_mem(base, disp));
}

void
sgd_x86_put(struct sgd_x86 *x, unsigned base, int32_t disp, unsigned reg)
{
   general(x, true, 0x89, reg, sgd_rm_mem(base, disp));
}

void
sgd_x86_add_long(struct sgd_x86 *x, unsigned reg, int32_t value)
{
   if (value >= -128 && value < 128) {
      sgd_x86_add(x, reg, (int8_t)value);
      return;
   }
   general(x, true, 0x81, 0, sgd_rm_reg(reg));
   word(x, value);
}

void
sgd_x86_not_and32(struct sgd_x86 *x, unsigned reg, unsigned with, bool invert)
{
   if (invert)
      general(x, false, 0xf7, 2, sgd_rm_reg(reg));
   general(x, false, 0x23, reg, sgd_rm_reg(with));
}

void
sgd_x86_and(struct sgd_x86 *x, unsigned reg, unsigned base, int32_t disp)
{
   general(x, true, 0x23, reg, sgd_rm_mem(base, disp));
}

void
sgd_x86_compare(struct sgd_x86 *x, unsigned a, unsigned b)
{
   general(x, true, 0x3b, a, sgd_rm_reg(b));
}

void
sgd_x86_test32(struct sgd_x86 *x, unsigned reg)
{
   general(x, false, 0x85, reg, sgd_rm_reg(reg));
}

void
sgd_x86_ret(struct sgd_x86 *x)
{
   byte(x, 0xc3);
}

void
sgd_x86_call_at(struct sgd_x86 *x, unsigned base, int32_t disp)
{
   general(x, false, 0xff, 2, sgd_rm_mem(base, disp));
}

void
sgd_x86_call(struct sgd_x86 *x, size_t place)
{
   byte(x, 0xe8);
   word(x, (uint32_t)(place - (x->size + 4)));
}

void
sgd_x86_jump_to(struct sgd_x86 *x, unsigned reg)
{
   general(x, false, 0xff, 4, sgd_rm_reg(reg));
}

size_t
sgd_x86_jump(struct sgd_x86 *x, enum sgd_x86_cond cond)
{
   if (cond == SGD_X86_ALWAYS) {
      byte(x, 0xe9);
   } else {
      byte(x, 0x0f);
      byte(x, 0x80 | cond);
   }
   word(x, 0);
   return x->size;
}

void
sgd_x86_land(struct sgd_x86 *x, size_t jump, size_t place)
{
   const uint32_t distance = place - jump;
   if (!x->out_of_memory && !x->dry)
      memcpy(x->code + jump - 4, &distance, 4);
}

void
sgd_x86_place_consts(struct sgd_x86 *x, const uint32_t (*consts)[8], unsigned num)
{
   while (x->size % 32)
      byte(x, 0xcc);
   const size_t first = x->size;
   put(x, consts, 32 * (size_t)num);
   if (x->out_of_memory)
      return;
   for (size_t i = 0; i < x->num_fixups; i++) {
      const struct sgd_x86_fixup *f = &x->fixups[i];
      const uint32_t distance = first + 32 * f->number - f->end;
      memcpy(x->code + f->at, &distance, 4);
   }
   x->num_fixups = 0;
}
