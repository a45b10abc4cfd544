/* SPDX-License-Identifier: MIT */
/*
 * Programs in the form that timing models use: operands of each instruction, and the scalar
 * operations that a machine without vector units issues for the instruction.
 *
 * A program is created once from the device's binary and is read-only afterwards. Instructions have
 * the same indices as in the binary, so that runs (sgt_work.h) apply to both forms.
 * src/isa/sgpu_scalar.py defines the scalar operations of each opcode.
 */
#ifndef SGT_PROGRAM_H
#define SGT_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "sgpu_program.h"

/* Execution unit of an operation. */
enum sgt_pipe {
   SGT_PIPE_ALU,     /* multiply-add units */
   SGT_PIPE_SFU,     /* special functions */
   SGT_PIPE_INTERP,  /* interpolation of one component of an input */
   SGT_PIPE_TEXTURE, /* texture unit */
   SGT_PIPE_MEMORY,  /* loads, stores and atomics of buffers, images, targets and scratch */
   /* accesses to on-chip memory: shared memory, and inputs and outputs of vertices and patches */
   SGT_PIPE_SHARED,
   SGT_PIPE_CONST,   /* LDC: constant loads with a computed address */
   SGT_PIPE_CONTROL, /* jumps, barriers, EXIT, kill, NOP */
   SGT_PIPE_COUNT,
};

/* Indices of scalar registers. A scalar register is a 32-bit component of a register of the ISA. */
#define SGT_REG_TEMP 0 /* R[index].component has the index SGT_REG_TEMP + 4 * index + component */
#define SGT_REG_ADDR (SGT_REG_TEMP + 4 * SGPU_TEMP_SIZE)
#define SGT_REG_PRED (SGT_REG_ADDR + 4)
#define SGT_REG_INNER (SGT_REG_PRED + 4 * SGPU_PRED_SIZE)
/* maximum number of inner registers, which pass values between the operations of an instruction */
#define SGT_REG_INNERS 16
#define SGT_REG_COUNT (SGT_REG_INNER + SGT_REG_INNERS)
/* Register index for operands that need no dependency check: inputs, constants, outputs, and unused
 * operands.
 */
#define SGT_REG_NONE UINT16_MAX

/* A scalar operation. */
struct sgt_uop {
   uint8_t pipe;    /* enum sgt_pipe */
   uint8_t flags;   /* SGT_UOP_* */
   uint16_t dst;    /* first of the `dsts` destination registers */
   uint16_t src[3]; /* scalar registers */
   /* Number of consecutive destination registers. This is 0 if the operation has no result. It can
    * only be greater than 1 for texture instructions and loads.
    */
   uint8_t dsts;
   /* bits 2n and 2n + 1: number of registers after src[n] that source n also reads */
   uint8_t more;
   uint32_t instr; /* index of the instruction */
};
#define SGT_UOP_CONST 1u /* reads a directly addressed constant */
#define SGT_UOP_ACCESS \
   2u /* has an entry in the accesses of the warp, and is the last operation of its instruction */
#define SGT_UOP_LAST 4u /* last operation of its instruction */
#define SGT_UOP_ANY \
   8u /* uses relative addressing of temporaries, so it must wait for all earlier operations of the
       * warp, and all later operations must wait for it */

/* Returns the number of consecutive registers that source n reads, starting at src[n]. A vector
 * with gaps, e.g. .xw, also reads the registers in between.
 */
static inline uint32_t
sgt_uop_reads(const struct sgt_uop *uop, unsigned n)
{
   return uop->src[n] == SGT_REG_NONE ? 0 : 1 + (uop->more >> (2 * n) & 3);
}

struct sgt_operand {
   uint8_t file;  /* enum sgpu_file */
   uint8_t mask;  /* bitmask of components; for sources, after the swizzle has been applied */
   int16_t index; /* register index, which can be negative if `relative` is true */
   bool relative; /* set if A0 is added to the index */
};

struct sgt_instr {
   uint16_t opcode;           /* enum sgpu_opcode */
   uint8_t pipe;              /* enum sgt_pipe */
   uint8_t flags;             /* SGT_INSTR_* */
   struct sgt_operand dst;    /* the file is SGPU_FILE_NONE if there is no destination */
   struct sgt_operand src[3]; /* the file is SGPU_FILE_NONE for unused sources */
   /* Scalar register of the predicate that guards the instruction (SGT_REG_PRED or higher), or
    * SGT_REG_NONE if there is no guard. All operations of the instruction wait for this register.
    */
   uint16_t guard;
   /* Bitmask of the A0 components that the instruction uses for relative addressing. All operations
    * of the instruction wait for these components.
    */
   uint8_t address;
   uint8_t latency;    /* latency from issue to use of the result, in cycles (sgpu_opcodes.py) */
   uint32_t first_uop; /* index of the first operation in program->uops */
   /* Number of scalar operations, or 0 if a scalar machine does not need the instruction. */
   uint16_t num_uops;
};
/* each execution by a warp has an entry in the accesses of the warp (struct sgt_access) */
#define SGT_INSTR_ACCESS 1u
#define SGT_INSTR_BARRIER 2u /* BAR */
#define SGT_INSTR_JUMP 4u    /* can change the program counter or the active lanes of a warp */
#define SGT_INSTR_END 8u     /* EXIT; a program also ends after its last instruction */
#define SGT_INSTR_CONST 16u  /* reads a directly addressed constant (file CONST) */
#define SGT_INSTR_VP1 32u    /* belongs to the base profile (Lindholm 2001, Table 2) */

struct sgt_program {
   enum sgpu_stage stage;
   bool vp1;
   uint32_t num_instrs, num_uops;
   struct sgt_instr *instrs;
   struct sgt_uop *uops;
   uint32_t num_temps; /* number of vec4 temporaries per lane */
   /* Number of scalar registers per lane: the used components of temporaries, plus the maximum
    * number of inner registers of an instruction.
    */
   uint32_t num_scalars;
   /* for each input v[n], a bitmask of the components that the program reads */
   uint8_t inputs[SGPU_INPUT_SIZE];
   uint32_t num_inputs;  /* total number of input components that the program reads */
   uint32_t num_outputs; /* total number of output components that the program writes */
   uint32_t scratch;     /* scratch memory per lane, in bytes */
   uint64_t hash;        /* hash of the device's binary */
};

/* Creates a program from a device program that has passed sgpu_program_gather(). Returns NULL if
 * allocation fails.
 */
struct sgt_program *sgt_program_create(const struct sgpu_program *program);
void sgt_program_destroy(struct sgt_program *program);

#endif
