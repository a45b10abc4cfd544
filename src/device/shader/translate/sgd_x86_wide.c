/* SPDX-License-Identifier: MIT */
/*
 * Translator: x86-64 encoder of instructions on vectors of 512 bits, in EVEX encoding (Intel SDM 2A,
 * section 2.7). Comparisons and blends use mask register k1.
 */
#include "shader/translate/sgd_ir_wide.h"
#include "shader/translate/sgd_x86.h"
#include "shader/translate/sgd_x86_encode.h"
#include "util/macros.h"

#define MASK 1 /* k1 */
#define VECTOR_BYTES 64

/* Prefixes (pp) and opcode maps */
enum { PP_NONE, PP_66, PP_F3 };
enum { MAP_0F = 1, MAP_0F38, MAP_0F3A };

/* Appends the ModRM byte and the address. Displacements of 8 bits count in units of `bytes`. */
static void
address(struct sgd_x86 *x, unsigned reg, struct sgd_x86_rm rm, int32_t bytes)
{
   const unsigned r = (reg & 7) << 3;
   if (rm.kind == SGD_RM_REG) {
      sgd_x86_byte(x, 0xc0 | r | (rm.reg & 7));
      return;
   }
   if (rm.kind == SGD_RM_CONST) {
      sgd_x86_byte(x, r | 5);
      sgd_x86_fix(x, rm.disp);
      return;
   }
   const int32_t units = rm.disp / bytes;
   const bool near = rm.disp % bytes == 0 && units >= -128 && units < 128;
   sgd_x86_byte(x, (near ? 0x40 : 0x80) | r | (rm.reg & 7));
   if ((rm.reg & 7) == SGD_RSP)
      sgd_x86_byte(x, 0x24);
   if (near)
      sgd_x86_byte(x, (uint8_t)units);
   else
      sgd_x86_word(x, rm.disp);
}

/* Appends an instruction without immediate. `mask` is a mask register, or 0 for all lanes. A memory
 * operand has `bytes` bytes.
 */
static void
evex(struct sgd_x86 *x, struct sgd_x86_prefix v, unsigned reg, unsigned vvvv, struct sgd_x86_rm rm,
     unsigned mask, int32_t bytes)
{
   const unsigned base = rm.kind == SGD_RM_CONST ? 0 : rm.reg;
   /* The X bit extends the number of a register, and has no meaning without an index register. */
   const bool high = rm.kind == SGD_RM_REG && base & 16;
   sgd_x86_byte(x, 0x62);
   sgd_x86_byte(x, (reg & 8 ? 0 : 0x80) | (high ? 0 : 0x40) | (base & 8 ? 0 : 0x20) |
                      (reg & 16 ? 0 : 0x10) | v.map);
   sgd_x86_byte(x, v.w << 7 | (~vvvv & 15) << 3 | 4 | v.pp);
   sgd_x86_byte(x, 2 << 5 | (vvvv & 16 ? 0 : 8) | mask); /* 512 bits */
   sgd_x86_byte(x, v.opcode);
   address(x, reg, rm, bytes);
}

/* Elements of a mask */
enum element { LANES, LANES_64, BYTES };

/* Sets k1 to the sign bits of the elements of s: VPMOVD2M, VPMOVQ2M, VPMOVB2M. */
static void
to_mask(struct sgd_x86 *x, unsigned s, enum element element)
{
   const struct sgd_x86_prefix v = { PP_F3, MAP_0F38, element == BYTES ? 0x29 : 0x39,
                                     element == LANES_64 };
   evex(x, v, MASK, 0, sgd_rm_reg(s), 0, VECTOR_BYTES);
}

/* Expands k1 to a vector: VPMOVM2D, VPMOVM2Q, VPMOVM2B. */
static void
from_mask(struct sgd_x86 *x, unsigned d, enum element element)
{
   const struct sgd_x86_prefix v = { PP_F3, MAP_0F38, element == BYTES ? 0x28 : 0x38,
                                     element == LANES_64 };
   evex(x, v, d, 0, sgd_rm_reg(MASK), 0, VECTOR_BYTES);
}

/* Sets d to rm in the elements of k1, and to a elsewhere: VBLENDMPS, VBLENDMPD, VPBLENDMB. */
static void
blend(struct sgd_x86 *x, unsigned d, unsigned a, struct sgd_x86_rm rm, enum element element)
{
   const struct sgd_x86_prefix v = { PP_66, MAP_0F38, element == BYTES ? 0x66 : 0x65,
                                     element == LANES_64 };
   evex(x, v, d, a, rm, MASK, VECTOR_BYTES);
   sgd_x86_end(x, rm);
}

void
sgd_x86_wide_vector(struct sgd_x86 *x, enum sgd_x86_op op, unsigned imm, unsigned d, unsigned a,
                    struct sgd_x86_rm rm, unsigned c)
{
   const struct sgd_x86_info *info = &sgd_x86_info[op];
   const struct sgd_x86_prefix v = { info->pp, info->map, info->wide_opcode, info->wide_w };
   const bool compares = info->wide == SGD_WIDE_COMPARE || info->wide == SGD_WIDE_BYTE_COMPARE;
   const bool bytes = info->wide == SGD_WIDE_BYTE_COMPARE || info->wide == SGD_WIDE_BYTE_BLEND;
   const enum element element = bytes ? BYTES : info->wide_w ? LANES_64 : LANES;
   const int32_t size = info->wide == SGD_WIDE_HALF ? VECTOR_BYTES / 2 : VECTOR_BYTES;
   const unsigned result = compares ? MASK : d;
   switch ((enum sgd_x86_form)info->form) {
   case SGD_X86_RVMR:
      to_mask(x, c, element);
      blend(x, d, a, rm, element);
      return;
   case SGD_X86_RVM:
   case SGD_X86_RVMI:
      evex(x, v, result, a, rm, 0, size);
      break;
   case SGD_X86_RM:
   case SGD_X86_RMI:
      evex(x, v, result, 0, rm, 0, size);
      break;
   case SGD_X86_VMI:
      evex(x, v, info->ext, d, rm, 0, size);
      break;
   case SGD_X86_MRI:
      evex(x, v, rm.reg, 0, sgd_rm_reg(d), 0, size);
      break;
   }
   /* The parts 0 and 2 of both sources, or 1 and 3. */
   if (info->wide == SGD_WIDE_PARTS)
      sgd_x86_byte(x, imm == SGD_IR_WIDE_EVEN ? 0x88 : 0xdd);
   else if (info->form != SGD_X86_RVM && info->form != SGD_X86_RM)
      sgd_x86_byte(x, imm);
   sgd_x86_end(x, rm);
   if (compares)
      from_mask(x, d, element);
}

void
sgd_x86_wide_simple(struct sgd_x86 *x, unsigned pp, unsigned map, unsigned opcode, unsigned reg,
                    struct sgd_x86_rm rm, unsigned bytes)
{
   evex(x, (struct sgd_x86_prefix){ pp, map, opcode, 0 }, reg, 0, rm, 0, (int32_t)bytes);
   sgd_x86_end(x, rm);
}

void
sgd_x86_wide_canon(struct sgd_x86 *x, unsigned d, unsigned a, struct sgd_x86_rm nan)
{
   if (x->dry)
      return;
   evex(x, (struct sgd_x86_prefix){ PP_NONE, MAP_0F, 0xc2, 0 }, MASK, a, sgd_rm_reg(a), 0,
        VECTOR_BYTES); /* VCMPPS */
   sgd_x86_byte(x, SGD_CMP_UNORD);
   blend(x, d, a, nan, LANES);
}

void
sgd_x86_wide_gather_all(struct sgd_x86 *x, unsigned d, unsigned base, unsigned index)
{
   sgd_x86_bytes(x, (const uint8_t[]){ 0xc5, 0xf4, 0x46, 0xc9 }, 4); /* KXNORW k1, k1, k1 */
   sgd_x86_byte(x, 0x62);
   sgd_x86_byte(x, (d & 8 ? 0 : 0x80) | (index & 8 ? 0 : 0x40) | 0x20 | (d & 16 ? 0 : 0x10) |
                      MAP_0F38);
   sgd_x86_byte(x, 0x7c | PP_66); /* W0 */
   sgd_x86_byte(x, 2 << 5 | (index & 16 ? 0 : 8) | MASK);
   sgd_x86_byte(x, 0x90); /* VPGATHERDD */
   sgd_x86_byte(x, 4 | (d & 7) << 3);
   sgd_x86_byte(x, (index & 7) << 3 | base);
}

void
sgd_x86_wide_signs(struct sgd_x86 *x, unsigned reg, unsigned s)
{
   if (x->dry)
      return;
   to_mask(x, s, LANES);
   sgd_x86_vex(x, (struct sgd_x86_prefix){ PP_NONE, MAP_0F, 0x93, 0 }, reg, 0,
               sgd_rm_reg(MASK)); /* KMOVW reg, k1 */
}

void
sgd_x86_load_signs(struct sgd_x86 *x, unsigned d, struct sgd_x86_rm rm)
{
   if (x->dry)
      return;
   sgd_x86_vex(x, (struct sgd_x86_prefix){ PP_NONE, MAP_0F, 0x90, 0 }, MASK, 0,
               rm); /* KMOVW k1, rm */
   from_mask(x, d, LANES);
}
