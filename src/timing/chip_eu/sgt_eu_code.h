/* SPDX-License-Identifier: MIT */
/*
 * Programs that have been decoded for the pre-decoders of the execution unit.
 */
#ifndef SGT_EU_CODE_H
#define SGT_EU_CODE_H

#include "chip_eu/sgt_eu.h"

/* Indices of the registers in the scoreboard of a thread. The components of a vec4 register share
 * an index.
 */
#define SGT_EU_REG_ADDR SGPU_TEMP_SIZE
#define SGT_EU_REG_PRED (SGPU_TEMP_SIZE + SGPU_ADDR_SIZE)
#define SGT_EU_NUM_REGS (SGT_EU_REG_PRED + SGPU_PRED_SIZE)
#define SGT_EU_REG_NONE UINT16_MAX

enum sgt_eu_class {
   /* arithmetic, and instructions that read the operands of texture accesses, memory accesses or
    * outputs
    */
   SGT_EU_CLASS_ALU,
   SGT_EU_CLASS_SFU,     /* special functions, which execute on an ALU */
   SGT_EU_CLASS_CONTROL, /* control flow, which the thread controller executes */
};

/* A decoded instruction. */
struct sgt_eu_op {
   uint8_t class;  /* enum sgt_eu_class */
   uint8_t pipe;   /* enum sgt_pipe */
   uint8_t flags;  /* bitmask of SGT_EU_OP_* */
   uint8_t consts; /* number of distinct constants that the instruction reads */
   uint8_t attrs;  /* number of distinct inputs that the instruction reads */
   uint8_t regs;   /* number of distinct temporaries that the instruction reads */
   /* number of cycles that it takes to read the temporaries: the maximum number in the same bank */
   uint8_t reg_cycles;
   uint8_t num_waits;       /* number of entries in waits[] */
   uint16_t const_index[3]; /* indices of the constants in constant bank 0 */
   uint16_t waits[8];       /* registers whose pending results the instruction waits for */
   uint16_t write;          /* register that the instruction writes, or SGT_EU_REG_NONE */
};
#define SGT_EU_OP_ACCESS 1u   /* access to memory or textures (SGT_INSTR_ACCESS) */
#define SGT_EU_OP_OUTPUT 2u   /* needs an entry in the output buffer */
#define SGT_EU_OP_ALL 4u      /* waits for all pending results of the thread */
#define SGT_EU_OP_JUMP 8u     /* the next instruction is not known until this one has executed */
#define SGT_EU_OP_BARRIER 16u /* waits at a barrier */
#define SGT_EU_OP_FUSES 32u   /* can be fused with the next instruction */
#define SGT_EU_OP_LOAD 64u    /* LDC, whose constants are listed as an access of the warp */
#define SGT_EU_OP_LATE 128u   /* requests its inputs after reading its registers */

struct sgt_eu_code {
   const struct sgt_program *program;
   struct sgt_eu_op *ops; /* decoded instructions, followed by an unused entry */
   uint32_t *accesses;    /* [num + 1]: number of access instructions before each instruction */
   uint32_t num;          /* number of instructions */
   uint32_t inputs;       /* number of distinct inputs v[n] */
   uint64_t address;      /* simulated address of the program */
   bool barrier;          /* true if the program contains a barrier */
   bool interpolates;     /* true if the inputs pass through the interpolator */
};

/* Decodes a program. `number` is the index of the program in work->programs. `banks` is the number
 * of banks of a register file. Returns false on allocation failure.
 */
bool sgt_eu_code_init(struct sgt_eu_code *code, const struct sgt_program *program, uint32_t number,
                      uint32_t banks);
void sgt_eu_code_finish(struct sgt_eu_code *code);

/* Returns true if instruction `a` can be fused with its successor `b`, i.e. if `b` just moves or
 * sends the result of `a`.
 */
bool sgt_eu_fuses(const struct sgt_instr *a, const struct sgt_instr *b);

#endif
