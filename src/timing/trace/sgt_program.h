/* SPDX-License-Identifier: MIT */
/*
 * Programs as timing models read them: operands of each instruction, and the scalar
 * operations that a machine without vectors issues for it.
 *
 * A program is made once from the device's binary and is read-only.  Instructions keep their
 * numbers, so a run (sgt_work.h) names both.  src/isa/sgpu_scalar.py says what each opcode
 * becomes.
 */
#ifndef SGT_PROGRAM_H
#define SGT_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "sgpu_program.h"

/* Where an operation executes. */
enum sgt_pipe {
   SGT_PIPE_ALU,     /* the multiply-add units */
   SGT_PIPE_SFU,     /* special functions */
   SGT_PIPE_INTERP,  /* interpolation of an input, a component of it */
   SGT_PIPE_TEXTURE, /* the texture unit */
   SGT_PIPE_MEMORY,  /* loads, stores and atomics of buffers, images, targets, scratch */
   SGT_PIPE_SHARED,  /* the same of memory on the chip: LDS, and the stages' vertices and patches */
   SGT_PIPE_CONST,   /* LDC: the constant cache by an address */
   SGT_PIPE_CONTROL, /* jumps, barriers, ends, kills, NOP */
   SGT_PIPE_COUNT,
};

/* Scalar registers: a component of a register of 32 bits each. */
#define SGT_REG_TEMP 0 /* 4 * index + component */
#define SGT_REG_ADDR (SGT_REG_TEMP + 4 * SGPU_TEMP_SIZE)
#define SGT_REG_PRED (SGT_REG_ADDR + 4)
#define SGT_REG_INNER (SGT_REG_PRED + 4 * SGPU_PRED_SIZE)
#define SGT_REG_INNERS 16 /* values between the operations of one instruction */
#define SGT_REG_COUNT (SGT_REG_INNER + SGT_REG_INNERS)
#define SGT_REG_NONE UINT16_MAX /* inputs that are there, constants, outputs, nothing */

/* A scalar operation. */
struct sgt_uop {
   uint8_t pipe;    /* enum sgt_pipe */
   uint8_t flags;   /* SGT_UOP_* */
   uint16_t dst;    /* scalar register, the first of `dsts` */
   uint16_t src[3]; /* scalar registers */
   uint8_t dsts;    /* registers from dst on: 0 without one, more than 1 of textures and loads */
   uint8_t more;    /* registers that it reads behind src[n]: bits 2n and 2n + 1 */
   uint32_t instr;  /* number of its instruction */
};
#define SGT_UOP_CONST 1u /* reads a constant that the instruction names */
#define SGT_UOP_ACCESS \
   2u                   /* has an entry in the accesses of its warp: the last of its instruction */
#define SGT_UOP_LAST 4u /* the last of its instruction */
#define SGT_UOP_ANY \
   8u /* addresses temporaries relatively: waits for all of the warp's operations, and later ones
       * wait for it */

/* Registers from src[n] on that it reads.  Vectors with gaps, as of xw, read and write the
 * registers between as well.
 */
static inline uint32_t
sgt_uop_reads(const struct sgt_uop *uop, unsigned n)
{
   return uop->src[n] == SGT_REG_NONE ? 0 : 1 + (uop->more >> (2 * n) & 3);
}

struct sgt_operand {
   uint8_t file;  /* enum sgpu_file */
   uint8_t mask;  /* components, of sources behind the swizzle */
   int16_t index; /* below 0 where it is relative alone */
   bool relative; /* + A0 */
};

struct sgt_instr {
   uint16_t opcode;           /* enum sgpu_opcode */
   uint8_t pipe;              /* enum sgt_pipe */
   uint8_t flags;             /* SGT_INSTR_* */
   struct sgt_operand dst;    /* file NONE: there is none */
   struct sgt_operand src[3]; /* file NONE: likewise */
   uint16_t guard;            /* scalar register from SGT_REG_PRED on, or SGT_REG_NONE: all of its
                               * operations wait for it */
   uint8_t address;           /* components of A0 that it addresses with: likewise */
   uint8_t latency;           /* of sgpu_opcodes.py, in cycles: issue to use */
   uint32_t first_uop;        /* in program->uops */
   uint16_t num_uops;         /* 0 with SGPU_KIND_CTL operations that a scalar machine folds */
};
#define SGT_INSTR_ACCESS 1u  /* has an entry in the accesses of its warp */
#define SGT_INSTR_BARRIER 2u /* BAR */
#define SGT_INSTR_JUMP 4u    /* may change where or for which lanes the warp goes on */
#define SGT_INSTR_END 8u     /* EXIT; the program's end is one too */
#define SGT_INSTR_CONST 16u  /* reads constants that it names: `file` CONST */
#define SGT_INSTR_VP1 32u    /* of the base profile (Lindholm 2001, Table 2) */

struct sgt_program {
   enum sgpu_stage stage;
   bool vp1;
   uint32_t num_instrs, num_uops;
   struct sgt_instr *instrs;
   struct sgt_uop *uops;
   uint32_t num_temps;              /* vec4 registers of a lane */
   uint32_t num_scalars;            /* scalar registers of a lane: components of temporaries that
                                     * are used, and the most inner ones of an instruction */
   uint8_t inputs[SGPU_INPUT_SIZE]; /* components of v[n] that are read */
   uint32_t num_inputs;             /* their sum */
   uint32_t num_outputs;            /* components of o[n] that are written */
   uint32_t scratch;                /* bytes of a lane */
   uint64_t hash;                   /* of the binary */
};

/* The program's instructions, cracked.  NULL: out of memory.  `program` has passed
 * sgpu_program_gather.
 */
struct sgt_program *sgt_program_create(const struct sgpu_program *program);
void sgt_program_destroy(struct sgt_program *program);

#endif
