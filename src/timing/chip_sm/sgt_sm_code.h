/* SPDX-License-Identifier: MIT */
/*
 * Programs as the streaming multiprocessors execute them: the unit, the registers and the constants
 * of each scalar operation. The code is made once from the work and the parameters. It is
 * read-only, and shared by all multiprocessors.
 */
#ifndef SGT_SM_CODE_H
#define SGT_SM_CODE_H

#include "trace/sgt_const_lines.h"
#include "params/sgt_sm_params.h"
#include "trace/sgt_work.h"

/* Units that execute operations. */
enum sgt_sm_unit {
   SGT_SM_UNIT_ALU,    /* the MAD units */
   SGT_SM_UNIT_MUL,    /* the MAD units, or the SFU's multipliers */
   SGT_SM_UNIT_SFU,    /* the special-function units */
   SGT_SM_UNIT_INTERP, /* the SFU's interpolators */
   SGT_SM_UNIT_TEXTURE,
   SGT_SM_UNIT_MEMORY,
   SGT_SM_UNIT_SHARED,
   SGT_SM_UNIT_CONST, /* loads through the constant cache */
   SGT_SM_UNIT_CONTROL,
   SGT_SM_UNITS,
};

/* Maximum number of source registers: three vectors, a predicate, and the components of A0. */
#define SGT_SM_MAX_SOURCES 17

struct sgt_sm_op {
   uint8_t unit;  /* enum sgt_sm_unit */
   uint8_t flags; /* SGT_SM_OP_* */
   uint8_t extra; /* additional cycles for bank conflicts in the register file */
   /* Numbers of source registers, of destination registers, and of elements of `consts`. */
   uint8_t num_src, dsts, num_consts;
   uint16_t dst;                     /* first destination register */
   uint16_t src[SGT_SM_MAX_SOURCES]; /* source registers, without duplicates */
   uint16_t consts[3]; /* indices in bank 0 of the lines of 64 bytes with named constants */
};
#define SGT_SM_OP_ACCESS 1u   /* performs the next access of its warp */
#define SGT_SM_OP_LAST 2u     /* is the last operation of its instruction */
#define SGT_SM_OP_ALL 4u      /* waits for all earlier results of the warp */
#define SGT_SM_OP_FENCE 8u    /* makes the next operation of the warp wait for all results */
#define SGT_SM_OP_BARRIER 16u /* makes the warp wait for its workgroup */

struct sgt_sm_program {
   const struct sgt_program *program;
   struct sgt_sm_op *ops; /* operations, with the same indices as program->uops */
   uint32_t num_ops;
   struct sgt_sm_op *prologue; /* operations before the program, which need no instruction fetch */
   uint32_t num_prologue;
   uint64_t address;   /* simulated address of the first operation */
   uint8_t warp_class; /* enum sgt_sm_class */
};

struct sgt_sm_code {
   const struct sgt_work *work;
   struct sgt_sm_params params;
   struct sgt_sm_program *programs; /* programs, with the same indices as work->programs */
   uint32_t num_programs;
   struct sgt_const_lines constants; /* lines of constants, if const_scope is SGT_CONST_VERSION */
   uint32_t max_lines;               /* largest number of lines of an access */
   uint64_t scratch_bytes; /* scratch memory of a warp in bytes, the maximum over all programs */
};

/* Simulated addresses of programs, constants and scratch memory. They are above the addresses of
 * the device, and below 2^40, the limit of the memory partitions.
 */
#define SGT_SM_CODE_ADDRESS (1ull << 38)
#define SGT_SM_CONST_ADDRESS (2ull << 38)
#define SGT_SM_SCRATCH_ADDRESS (3ull << 38)

/* Makes the code for a work, which must stay valid. On an error (out of memory, or work that the
 * machine does not support), returns false and writes a message to `error`.
 */
bool sgt_sm_code_init(struct sgt_sm_code *code, const struct sgt_work *work,
                      const struct sgt_sm_params *params, char *error, size_t error_size);
void sgt_sm_code_finish(struct sgt_sm_code *code);

/* A range of operations of a program, half open. */
struct sgt_sm_range {
   uint32_t begin, end;
};
/* Returns the operations of a run of instructions. It is empty if all instructions were folded. */
struct sgt_sm_range sgt_sm_code_run(const struct sgt_sm_program *program,
                                    const struct sgt_run *run);

/* Returns the simulated address of a line of the warp's constants. */
uint64_t sgt_sm_const_address(const struct sgt_sm_code *code, const struct sgt_warp *warp,
                              uint32_t line);

/* Returns the simulated address of a line of an access, by the warp in slot `slot` of
 * multiprocessor `sm`.
 */
uint64_t sgt_sm_line_address(const struct sgt_sm_code *code, uint32_t sm, uint32_t slot,
                             sgt_line line);

/* Returns the number of cycles that an operation occupies a unit of `rate` lanes per SP clock. */
static inline uint32_t
sgt_sm_cycles(uint32_t rate)
{
   return (32 + 2 * rate - 1) / (2 * rate);
}

#endif
