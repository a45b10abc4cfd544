/* SPDX-License-Identifier: MIT */
/*
 * Translator: encoder for x86-64 instructions, mainly on vectors of 256 bits (Intel SDM 2A, section
 * 2.3), or of 512 bits (section 2.7).
 */
#ifndef SGD_X86_H
#define SGD_X86_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shader/program/sgd_translation.h"
#include "shader/translate/sgd_x86_ops.h"

/* Encoding of the general-purpose registers. */
enum {
   SGD_RAX,
   SGD_RCX,
   SGD_RDX,
   SGD_RBX,
   SGD_RSP,
   SGD_RBP,
   SGD_RSI,
   SGD_RDI,
   SGD_R8,
   SGD_R9,
   SGD_R10,
   SGD_R11,
   SGD_R12,
   SGD_R13,
   SGD_R14,
   SGD_R15
};

/* Conditions of jumps, encoded as in the low bits of the opcode. */
enum sgd_x86_cond {
   SGD_X86_B = 2,
   SGD_X86_AE = 3,
   SGD_X86_E = 4,
   SGD_X86_NE = 5,
   SGD_X86_ALWAYS = 16
};

/* The last operand of an instruction, which is a vector register or in memory. */
struct sgd_x86_rm {
   enum { SGD_RM_REG, SGD_RM_MEM, SGD_RM_CONST } kind;
   uint8_t reg; /* register (REG), or base register of the address (MEM) */
   /* displacement (MEM), or index of a 32-byte constant that is stored after the code (CONST) */
   int32_t disp;
};

struct sgd_x86_fixup {
   /* code offset of the displacement (at), and of the end of its instruction (end) */
   uint32_t at, end;
   uint32_t number;
};

struct sgd_x86 {
   /* places in ascending order, for the profiler; only recorded if `wants_places` is set */
   struct sgd_code_place *places;
   uint32_t num_places, place_room;
   bool wants_places;
   uint8_t *code;
   size_t size, room;
   struct sgd_x86_fixup *fixups;
   size_t num_fixups, fixup_room;
   bool out_of_memory;
   bool dry;    /* set during a dry run, which emits no code */
   bool avx512; /* the host level has AVX-512. Constants are stored twice, as 64 bytes */
   /* Vectors have 16 lanes, and there are 32 vector registers. Only set if avx512 is. */
   bool wide;
};

/* Returns the number of chunks of eight lanes in a vector. */
static inline unsigned
sgd_x86_chunks(const struct sgd_x86 *x)
{
   return x->wide ? 2 : 1;
}

void sgd_x86_init(struct sgd_x86 *x);
void sgd_x86_finish(struct sgd_x86 *x);
/* Called before code of an instruction is appended, or with SGD_X86_NO_INSTR for other code. */
#define SGD_X86_NO_INSTR UINT32_MAX
void sgd_x86_begin_instr(struct sgd_x86 *x, uint32_t instr);

static inline struct sgd_x86_rm
sgd_rm_reg(unsigned reg)
{
   return (struct sgd_x86_rm){ SGD_RM_REG, reg, 0 };
}

static inline struct sgd_x86_rm
sgd_rm_mem(unsigned base, int32_t disp)
{
   return (struct sgd_x86_rm){ SGD_RM_MEM, base, disp };
}

static inline struct sgd_x86_rm
sgd_rm_const(unsigned number)
{
   return (struct sgd_x86_rm){ SGD_RM_CONST, 0, number };
}

/* Appends d = op(a, b, c). The form of the operation determines which operands it has. `rm` is the
 * operand that can be in memory: b in RVM, RVMI and RVMR, and a in RM and RMI. In VMI, `rm` is the
 * source register.
 */
void sgd_x86_vector(struct sgd_x86 *x, enum sgd_x86_op op, unsigned imm, unsigned d, unsigned a,
                    struct sgd_x86_rm rm, unsigned c);

void sgd_x86_load(struct sgd_x86 *x, unsigned d, struct sgd_x86_rm rm);  /* VMOVUPS */
void sgd_x86_store(struct sgd_x86 *x, struct sgd_x86_rm rm, unsigned s); /* VMOVUPS */
void sgd_x86_splat(struct sgd_x86 *x, unsigned d, struct sgd_x86_rm rm); /* VBROADCASTSS */
void sgd_x86_splat_byte(struct sgd_x86 *x, unsigned d, struct sgd_x86_rm rm);
/* Stores the sign bits of the lanes in s at rm: a byte, or 16 bits if vectors are wide. */
void sgd_x86_store_signs(struct sgd_x86 *x, struct sgd_x86_rm rm, unsigned s);
/* Expands 16 bits at rm to a vector mask. Vectors must be wide. */
void sgd_x86_load_signs(struct sgd_x86 *x, unsigned d, struct sgd_x86_rm rm);
/* Sets d to a, with NaNs replaced by `nan`. d must differ from the other registers. */
void sgd_x86_canon(struct sgd_x86 *x, unsigned d, unsigned a, struct sgd_x86_rm nan);

/* Loads the sign bits of the eight lanes in s to a general-purpose register. */
void sgd_x86_signs(struct sgd_x86 *x, unsigned reg, unsigned s);
/* Loads the word at base + 4 * index + disp of each lane for which the sign of `mask` is set, and
 * keeps the other lanes of d. Clears `mask`. The three vector registers must differ. VPGATHERDD.
 */
void sgd_x86_gather(struct sgd_x86 *x, unsigned d, unsigned base, unsigned index, int32_t disp,
                    unsigned mask);
/* Loads the words at base + index of all lanes. `base` is rax to rdi, but not rsp or rbp. `mask` is a
 * register that is overwritten, unless vectors are wide. The vector registers must differ.
 */
void sgd_x86_gather_all(struct sgd_x86 *x, unsigned d, unsigned base, unsigned index,
                        unsigned mask);
void sgd_x86_zero_upper(struct sgd_x86 *x);

/* Shifts the register `reg` (r8 to r15) right by 8 bits, and inserts the sign bits of the eight
 * lanes in s as its top 8 bits. If vectors are wide, there are 16 lanes and bits.
 */
void sgd_x86_push_signs(struct sgd_x86 *x, unsigned reg, unsigned s);
/* Like sgd_x86_push_signs(), but inserts zeros. */
void sgd_x86_push_zeros(struct sgd_x86 *x, unsigned reg);
/* sgd_x86_end_pushes() must be called after the loop in which sgd_x86_push_signs() was used. `count`
 * is the register with the number of chunks. Sets ecx. After that, sgd_x86_store_pushed() shifts the
 * sign bits down to bit 0, and stores 32 bits to [base + disp]. If `exec` is a register, only the
 * bits of the mask at [exec] are stored.
 */
#define SGD_X86_NO_REG 16
void sgd_x86_end_pushes(struct sgd_x86 *x, unsigned count);
void sgd_x86_store_pushed(struct sgd_x86 *x, unsigned base, int32_t disp, unsigned reg,
                          unsigned exec);

/* Emit the prologue and the epilogue of a function that needs stack slots for `slots` vectors. */
void sgd_x86_enter(struct sgd_x86 *x, unsigned slots);
void sgd_x86_leave(struct sgd_x86 *x, unsigned slots);
void sgd_x86_copy(struct sgd_x86 *x, unsigned to, unsigned from);
void sgd_x86_add(struct sgd_x86 *x, unsigned reg, int8_t value);
/* Decrements a counter, and jumps to the code offset `place` unless the counter has become 0. */
void sgd_x86_loop(struct sgd_x86 *x, unsigned counter, size_t place);

/* Instructions on general-purpose registers. They are 64-bit unless the name of the function
 * contains 32. The base of a memory operand must not be rsp or r12.
 */
void sgd_x86_push(struct sgd_x86 *x, unsigned reg);
void sgd_x86_pop(struct sgd_x86 *x, unsigned reg);
void sgd_x86_set(struct sgd_x86 *x, unsigned reg, uint64_t value);
void sgd_x86_copy32(struct sgd_x86 *x, unsigned to, unsigned from);
void sgd_x86_get(struct sgd_x86 *x, unsigned reg, unsigned base, int32_t disp);
void sgd_x86_get32(struct sgd_x86 *x, unsigned reg, unsigned base, int32_t disp);
void sgd_x86_put(struct sgd_x86 *x, unsigned base, int32_t disp, unsigned reg);
void sgd_x86_put32(struct sgd_x86 *x, unsigned base, int32_t disp, unsigned reg);
/* Accesses to [base + 8 * index + disp]. All registers must be rax to rdi, and index not rsp. */
void sgd_x86_get32_at(struct sgd_x86 *x, unsigned reg, unsigned base, unsigned index, int8_t disp);
void sgd_x86_put32_at(struct sgd_x86 *x, unsigned base, unsigned index, int8_t disp, unsigned reg);
void sgd_x86_put32_at_value(struct sgd_x86 *x, unsigned base, unsigned index, int8_t disp,
                            uint32_t value);
/* Sets the register to the address of a code offset. */
void sgd_x86_place(struct sgd_x86 *x, unsigned reg, size_t place);
/* Adds to the 64-bit word at [base + disp]. */
void sgd_x86_add_at(struct sgd_x86 *x, unsigned base, int32_t disp, int32_t value);
void sgd_x86_subtract(struct sgd_x86 *x, unsigned reg, unsigned with);
void sgd_x86_add_to(struct sgd_x86 *x, unsigned reg, unsigned with);
void sgd_x86_mul(struct sgd_x86 *x, unsigned to, unsigned from, int32_t value);
void sgd_x86_mul32(struct sgd_x86 *x, unsigned to, unsigned from, int8_t value);
/* sets `to` to the number of the lowest bit in `from`; both must be eax to edi */
void sgd_x86_lowest_bit(struct sgd_x86 *x, unsigned to, unsigned from);
void sgd_x86_xor32(struct sgd_x86 *x, unsigned reg, unsigned with);
void sgd_x86_and32_value(struct sgd_x86 *x, unsigned reg, uint32_t value);
void sgd_x86_add_long(struct sgd_x86 *x, unsigned reg, int32_t value);
/* The following instructions set the flags. sgd_x86_not_and32() computes reg &= with, or reg = ~reg
 * & with if `invert` is set.
 */
void sgd_x86_not_and32(struct sgd_x86 *x, unsigned reg, unsigned with, bool invert);
void sgd_x86_compare(struct sgd_x86 *x, unsigned a, unsigned b);
void sgd_x86_test32(struct sgd_x86 *x, unsigned reg);
void sgd_x86_add32(struct sgd_x86 *x, unsigned reg, int8_t value);
void sgd_x86_add32_value(struct sgd_x86 *x, unsigned reg, uint32_t value);
void sgd_x86_shift_right32(struct sgd_x86 *x, unsigned reg, unsigned bits);
void sgd_x86_compare32_at(struct sgd_x86 *x, unsigned reg, unsigned base, int32_t disp);
void sgd_x86_compare32_value(struct sgd_x86 *x, unsigned reg, uint32_t value);
/* compare the byte or the 16-bit word at [base + disp] with 0 */
void sgd_x86_test_byte(struct sgd_x86 *x, unsigned base, int32_t disp);
void sgd_x86_test_word(struct sgd_x86 *x, unsigned base, int32_t disp);
void sgd_x86_ret(struct sgd_x86 *x);

/* sgd_x86_call_at() calls the function whose address is stored at [base + disp]. sgd_x86_call()
 * calls the function at a code offset. sgd_x86_jump_to() jumps to the address in a register.
 */
void sgd_x86_call_at(struct sgd_x86 *x, unsigned base, int32_t disp);
void sgd_x86_call(struct sgd_x86 *x, size_t place);
void sgd_x86_jump_to(struct sgd_x86 *x, unsigned reg);
/* Appends a jump and returns a handle, which the caller passes to sgd_x86_land() to set the target.
 */
size_t sgd_x86_jump(struct sgd_x86 *x, enum sgd_x86_cond cond);
void sgd_x86_land(struct sgd_x86 *x, size_t jump, size_t place);

/* Appends the constants after the code, and inserts their addresses in the instructions that use
 * them. Must be called after the last instruction.
 */
void sgd_x86_place_consts(struct sgd_x86 *x, const uint32_t (*consts)[8], unsigned num);

#endif
