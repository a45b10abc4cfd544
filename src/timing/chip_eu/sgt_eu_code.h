/* SPDX-License-Identifier: MIT */
/*
 * Programs in the form that the pre-decoders of the execution unit use.
 */
#ifndef SGT_EU_CODE_H
#define SGT_EU_CODE_H

#include "chip_eu/sgt_eu.h"

/* Numbers of registers whose results a thread can wait for. Components of a vec4 register are not
 * distinguished.
 */
#define SGT_EU_REG_ADDR SGPU_TEMP_SIZE
#define SGT_EU_REG_PRED (SGPU_TEMP_SIZE + SGPU_ADDR_SIZE)
#define SGT_EU_NUM_REGS (SGT_EU_REG_PRED + SGPU_PRED_SIZE)
#define SGT_EU_REG_NONE UINT16_MAX

enum sgt_eu_class {
   /* ALU instructions, and instructions that read operands for texture, memory or output */
   SGT_EU_CLASS_ALU,
   SGT_EU_CLASS_SFU,     /* special functions, which use an ALU */
   SGT_EU_CLASS_CONTROL, /* control flow, which the thread controller executes */
};

/* A decoded instruction. */
struct sgt_eu_op {
   uint8_t class;  /* class, enum sgt_eu_class */
   uint8_t pipe;   /* pipe, enum sgt_pipe */
   uint8_t flags;  /* SGT_EU_OP_* */
   uint8_t consts; /* number of different constants that it reads */
   uint8_t attrs;  /* number of different inputs that it reads */
   uint8_t regs;   /* number of different temporaries that it reads */
   /* cycles that reading them takes: the maximum number of registers in one bank, or 0 */
   uint8_t reg_cycles;
   uint8_t num_waits;       /* number of elements of waits[] */
   uint16_t const_index[3]; /* index of each constant in bank 0 */
   uint16_t waits[8];       /* registers whose results it waits for */
   uint16_t write;          /* register that it writes, or SGT_EU_REG_NONE */
};
#define SGT_EU_OP_ACCESS 1u   /* accesses memory or textures (SGT_INSTR_ACCESS) */
#define SGT_EU_OP_OUTPUT 2u   /* uses an entry of the output buffer */
#define SGT_EU_OP_ALL 4u      /* waits for all results of the thread */
#define SGT_EU_OP_JUMP 8u     /* the next instruction is known only after this one has executed */
#define SGT_EU_OP_BARRIER 16u /* waits at a barrier */
#define SGT_EU_OP_FUSES 32u   /* may be fused with the next instruction */
#define SGT_EU_OP_LOAD 64u    /* LDC, whose constants are an access of the warp */
#define SGT_EU_OP_LATE 128u   /* inputs are requested after the registers are read */

struct sgt_eu_code {
   const struct sgt_program *program;
   struct sgt_eu_op *ops; /* decoded instructions */
   uint32_t *accesses;    /* [num + 1]: number of access instructions before each instruction */
   uint32_t num;          /* number of instructions */
   uint32_t inputs;       /* number of different inputs v[n] */
   uint64_t address;      /* address of the program in memory */
   bool barrier;          /* the program has a barrier */
   bool interpolates;     /* inputs pass through the interpolator */
};

/* Decodes a program. `number` is its index in the work, and `banks` the number of banks of a
 * register file. Returns false if out of memory.
 */
bool sgt_eu_code_init(struct sgt_eu_code *code, const struct sgt_program *program, uint32_t number,
                      uint32_t banks);
void sgt_eu_code_finish(struct sgt_eu_code *code);

/* Returns true if instruction `b`, which follows `a`, only moves or sends the result of `a`. */
bool sgt_eu_fuses(const struct sgt_instr *a, const struct sgt_instr *b);

#endif
