/* SPDX-License-Identifier: MIT */
/*
 * Programs as the pre-decoders of the execution unit see them.
 */
#ifndef SGT_EU_CODE_H
#define SGT_EU_CODE_H

#include "chip_eu/sgt_eu.h"

/* Registers whose results a thread waits for: vec4 registers as a whole. */
#define SGT_EU_REG_ADDR SGPU_TEMP_SIZE
#define SGT_EU_REG_PRED (SGPU_TEMP_SIZE + SGPU_ADDR_SIZE)
#define SGT_EU_NUM_REGS (SGT_EU_REG_PRED + SGPU_PRED_SIZE)
#define SGT_EU_REG_NONE UINT16_MAX

enum sgt_eu_class {
   SGT_EU_CLASS_ALU,     /* also what reads operands for texture, memory or output */
   SGT_EU_CLASS_SFU,     /* on an ALU */
   SGT_EU_CLASS_CONTROL, /* in the thread controller */
};

struct sgt_eu_op {
   uint8_t class;      /* enum sgt_eu_class */
   uint8_t pipe;       /* enum sgt_pipe */
   uint8_t flags;      /* SGT_EU_OP_* */
   uint8_t consts;     /* different ones that it names */
   uint8_t attrs;      /* different inputs */
   uint8_t regs;       /* different temporaries that it reads */
   uint8_t reg_cycles; /* of its register file: the most in one bank, 0: none */
   uint8_t num_waits;
   uint16_t const_index[3];
   uint16_t waits[8]; /* registers that it reads */
   uint16_t write;    /* SGT_EU_REG_NONE: none */
};
#define SGT_EU_OP_ACCESS 1u /* SGT_INSTR_ACCESS */
#define SGT_EU_OP_OUTPUT 2u /* takes an entry of the output buffer */
#define SGT_EU_OP_ALL 4u    /* waits for all results of the thread */
#define SGT_EU_OP_JUMP 8u   /* the next instruction is known when it has executed */
#define SGT_EU_OP_BARRIER 16u
#define SGT_EU_OP_FUSES 32u /* may be one with the next instruction */
#define SGT_EU_OP_LOAD 64u  /* LDC: its constants are an access */
#define SGT_EU_OP_LATE 128u /* inputs are requested when the registers are there */

struct sgt_eu_code {
   const struct sgt_program *program;
   struct sgt_eu_op *ops;
   uint32_t *accesses; /* of instructions before this one; [num_instrs + 1] */
   uint32_t num;
   uint32_t inputs; /* different v[n] */
   uint64_t address;
   bool barrier;
   bool interpolates; /* its inputs go through the interpolator */
};

/* `number`: of the program in the work.  False: no memory. */
bool sgt_eu_code_init(struct sgt_eu_code *code, const struct sgt_program *program, uint32_t number,
                      uint32_t banks);
void sgt_eu_code_finish(struct sgt_eu_code *code);

/* Whether `b`, behind `a`, does nothing but move or send the result of `a`. */
bool sgt_eu_fuses(const struct sgt_instr *a, const struct sgt_instr *b);

#endif
