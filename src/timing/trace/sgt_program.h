/* SPDX-License-Identifier: MIT */
/*
 * Programs as timing models read them: the operands of each instruction, and the scalar operations
 * that a machine without vector units issues for it.
 *
 * A program is made once from the device's binary and is read-only. Instructions keep their
 * numbers, so runs (sgt_work.h) refer to both forms. src/isa/sgpu_scalar.py defines the scalar
 * operations of each opcode.
 */
#ifndef SGT_PROGRAM_H
#define SGT_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "sgpu_program.h"

/* Unit that executes an operation. */
enum sgt_pipe {
   SGT_PIPE_ALU,     /* multiply-add units */
   SGT_PIPE_SFU,     /* special functions */
   SGT_PIPE_INTERP,  /* interpolation of one component of an input */
   SGT_PIPE_TEXTURE, /* texture unit */
   SGT_PIPE_MEMORY,  /* loads, stores and atomics of buffers, images, targets and scratch */
   /* Accesses to on-chip memory: LDS, and the vertices and patches of stages. */
   SGT_PIPE_SHARED,
   SGT_PIPE_CONST,   /* LDC: loads from the constant cache with a computed address */
   SGT_PIPE_CONTROL, /* jumps, barriers, ends, kills, NOP */
   SGT_PIPE_COUNT,
};

/* Numbers of scalar registers. A scalar register is a 32-bit component of a register of the ISA. */
#define SGT_REG_TEMP 0 /* plus 4 * index + component */
#define SGT_REG_ADDR (SGT_REG_TEMP + 4 * SGPU_TEMP_SIZE)
#define SGT_REG_PRED (SGT_REG_ADDR + 4)
#define SGT_REG_INNER (SGT_REG_PRED + 4 * SGPU_PRED_SIZE)
#define SGT_REG_INNERS 16 /* values that are passed between the operations of an instruction */
#define SGT_REG_COUNT (SGT_REG_INNER + SGT_REG_INNERS)
/* Operand that no operation waits for: input, constant, output or none. */
#define SGT_REG_NONE UINT16_MAX

/* A scalar operation. */
struct sgt_uop {
   uint8_t pipe;    /* enum sgt_pipe */
   uint8_t flags;   /* SGT_UOP_* */
   uint16_t dst;    /* scalar register, the first of `dsts` registers */
   uint16_t src[3]; /* scalar registers */
   /* Number of registers from dst on: 0 if none; more than 1 for textures and loads. */
   uint8_t dsts;
   uint8_t more;   /* bits 2n and 2n + 1: number of registers after src[n] that are also read */
   uint32_t instr; /* number of the instruction */
};
#define SGT_UOP_CONST 1u /* reads a constant that the instruction names */
#define SGT_UOP_ACCESS \
   2u /* has an entry in the accesses of the warp; last operation of its instruction */
#define SGT_UOP_LAST 4u /* last operation of its instruction */
#define SGT_UOP_ANY \
   8u /* addresses temporaries relatively: waits for all earlier operations of the warp, and all
       * later operations wait for it */

/* Returns the number of registers from src[n] on that the operation reads. Vectors with gaps, such
 * as .xw, also read and write the registers in between.
 */
static inline uint32_t
sgt_uop_reads(const struct sgt_uop *uop, unsigned n)
{
   return uop->src[n] == SGT_REG_NONE ? 0 : 1 + (uop->more >> (2 * n) & 3);
}

struct sgt_operand {
   uint8_t file;  /* enum sgpu_file */
   uint8_t mask;  /* mask of components; for sources, after the swizzle */
   int16_t index; /* can be negative if `relative` */
   bool relative; /* the index is relative to A0 */
};

struct sgt_instr {
   uint16_t opcode;           /* enum sgpu_opcode */
   uint8_t pipe;              /* enum sgt_pipe */
   uint8_t flags;             /* SGT_INSTR_* */
   struct sgt_operand dst;    /* file SGPU_FILE_NONE if there is none */
   struct sgt_operand src[3]; /* file SGPU_FILE_NONE if there is none */
   /* Scalar register of the guard, from SGT_REG_PRED on, or SGT_REG_NONE. All operations of the
    * instruction wait for it.
    */
   uint16_t guard;
   /* Mask of the components of A0 that it addresses with; all operations wait for them. */
   uint8_t address;
   uint8_t latency;    /* cycles from issue to use of the result (sgpu_opcodes.py) */
   uint32_t first_uop; /* index in program->uops */
   /* Number of operations. 0 for control operations that a scalar machine does without. */
   uint16_t num_uops;
};
#define SGT_INSTR_ACCESS 1u  /* has an entry in the accesses of the warp */
#define SGT_INSTR_BARRIER 2u /* BAR */
#define SGT_INSTR_JUMP 4u    /* can change the program counter or the active lanes of the warp */
#define SGT_INSTR_END 8u     /* EXIT; the end of the program is also an end */
#define SGT_INSTR_CONST 16u  /* reads constants that it names: a source has the file CONST */
#define SGT_INSTR_VP1 32u    /* operation of the base profile (Lindholm 2001, Table 2) */

struct sgt_program {
   enum sgpu_stage stage;
   bool vp1;
   uint32_t num_instrs, num_uops;
   struct sgt_instr *instrs;
   struct sgt_uop *uops;
   uint32_t num_temps; /* number of vec4 registers per lane */
   /* Number of scalar registers per lane: the components of temporaries that are used, and the
    * maximum number of inner registers of an instruction.
    */
   uint32_t num_scalars;
   uint8_t inputs[SGPU_INPUT_SIZE]; /* masks of the components of v[n] that are read */
   uint32_t num_inputs;             /* number of these components */
   uint32_t num_outputs;            /* number of components of o[n] that are written */
   uint32_t scratch;                /* size of scratch memory per lane, in bytes */
   uint64_t hash;                   /* hash of the binary */
};

/* Decomposes the instructions of a program that has passed sgpu_program_gather(). Returns NULL if
 * out of memory.
 */
struct sgt_program *sgt_program_create(const struct sgpu_program *program);
void sgt_program_destroy(struct sgt_program *program);

#endif
