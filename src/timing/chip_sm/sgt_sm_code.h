/* SPDX-License-Identifier: MIT */
/*
 * Programs that have been translated for the streaming multiprocessors: the unit, the registers and
 * the constants of each scalar operation. Each program is translated once per simulation. The
 * multiprocessors share the translated programs and only read them.
 */
#ifndef SGT_SM_CODE_H
#define SGT_SM_CODE_H

#include "trace/sgt_const_lines.h"
#include "params/sgt_sm_params.h"
#include "trace/sgt_work.h"

/* Units that execute operations. */
enum sgt_sm_unit {
   SGT_SM_UNIT_ALU,    /* the MAD units */
   SGT_SM_UNIT_MUL,    /* the MAD units, or the multipliers of the SFUs */
   SGT_SM_UNIT_SFU,    /* the special-function units (SFUs) */
   SGT_SM_UNIT_INTERP, /* the interpolators of the SFUs */
   SGT_SM_UNIT_TEXTURE,
   SGT_SM_UNIT_MEMORY,
   SGT_SM_UNIT_SHARED,
   SGT_SM_UNIT_CONST, /* loads through the constant cache */
   SGT_SM_UNIT_CONTROL,
   SGT_SM_UNITS,
};

/* Maximum number of source registers of an operation: three vectors of four components, a
 * predicate, and the four components of A0.
 */
#define SGT_SM_MAX_SOURCES 17

struct sgt_sm_op {
   uint8_t unit;  /* enum sgt_sm_unit */
   uint8_t flags; /* bitmask of SGT_SM_OP_* */
   uint8_t extra; /* number of extra cycles for bank conflicts in the register file */
   /* num_src: number of source registers
    * dsts: number of destination registers
    * num_consts: number of entries in `consts`
    */
   uint8_t num_src, dsts, num_consts;
   uint16_t dst;                     /* index of the first destination register */
   uint16_t src[SGT_SM_MAX_SOURCES]; /* indices of the source registers, without duplicates */
   /* indices of the 64-byte lines of bank 0 that hold the constants of this operation */
   uint16_t consts[3];
};
/* The operation performs the next recorded access (struct sgt_access) of its warp. */
#define SGT_SM_OP_ACCESS 1u
#define SGT_SM_OP_LAST 2u     /* This is the last operation of its instruction. */
#define SGT_SM_OP_ALL 4u      /* The operation waits for all earlier results of its warp. */
#define SGT_SM_OP_FENCE 8u    /* The next operation of the warp waits for all results. */
#define SGT_SM_OP_BARRIER 16u /* The warp waits for its workgroup after this operation. */

struct sgt_sm_program {
   const struct sgt_program *program;
   struct sgt_sm_op *ops; /* operations of the program, with the same indices as program->uops */
   uint32_t num_ops;
   /* operations that interpolate the inputs before the program runs, and don't need to be fetched
    */
   struct sgt_sm_op *prologue;
   uint32_t num_prologue;
   uint64_t address;   /* simulated address of the first operation */
   uint8_t warp_class; /* enum sgt_sm_class */
};

struct sgt_sm_code {
   const struct sgt_work *work;
   struct sgt_sm_params params;
   /* translated programs, with the same indices as work->programs */
   struct sgt_sm_program *programs;
   uint32_t num_programs;
   /* cache lines of the constants, if const_scope is SGT_CONST_VERSION */
   struct sgt_const_lines constants;
   uint32_t max_lines; /* maximum number of memory lines that an access touches */
   /* maximum size of a warp's scratch memory in bytes, for any of the programs */
   uint64_t scratch_bytes;
};

/* Simulated base addresses of programs, constants and scratch memory. They are above all addresses
 * that the device uses, and below 2^40, which is the limit of the memory partitions.
 */
#define SGT_SM_CODE_ADDRESS (1ull << 38)
#define SGT_SM_CONST_ADDRESS (2ull << 38)
#define SGT_SM_SCRATCH_ADDRESS (3ull << 38)

/* Translates all programs in `work`, which must outlive `code`. If memory runs out or the
 * multiprocessor does not support `work`, returns false and writes a message to `error`.
 */
bool sgt_sm_code_init(struct sgt_sm_code *code, const struct sgt_work *work,
                      const struct sgt_sm_params *params, char *error, size_t error_size);
void sgt_sm_code_finish(struct sgt_sm_code *code);

/* A half-open range of operations of a program. */
struct sgt_sm_range {
   uint32_t begin, end;
};
/* Returns the range of operations that implement a run of consecutive instructions. The range is
 * empty if none of the instructions has an operation, e.g. because all of them were folded.
 */
struct sgt_sm_range sgt_sm_code_run(const struct sgt_sm_program *program,
                                    const struct sgt_run *run);

/* Returns the simulated address of line number `line` of the warp's constants. */
uint64_t sgt_sm_const_address(const struct sgt_sm_code *code, const struct sgt_warp *warp,
                              uint32_t line);

/* Returns the simulated address of a memory line that an access touches. For scratch memory, the
 * address depends on the multiprocessor `sm` and on the `slot` of the warp.
 */
uint64_t sgt_sm_line_address(const struct sgt_sm_code *code, uint32_t sm, uint32_t slot,
                             sgt_line line);

/* Returns the number of cycles for which an operation occupies a unit that processes `rate` lanes
 * per SP clock.
 */
static inline uint32_t
sgt_sm_cycles(uint32_t rate)
{
   return (32 + 2 * rate - 1) / (2 * rate);
}

#endif
