/* SPDX-License-Identifier: MIT */
/*
 * Programs as the streaming multiprocessors execute them: where each scalar operation
 * executes, which registers and constants it needs.  Made once for a work and the parameters,
 * read-only, shared by all multiprocessors.
 */
#ifndef SGT_SM_CODE_H
#define SGT_SM_CODE_H

#include "trace/sgt_const_lines.h"
#include "params/sgt_sm_params.h"
#include "trace/sgt_work.h"

/* Units that operations wait for. */
enum sgt_sm_unit {
   SGT_SM_UNIT_ALU,
   SGT_SM_UNIT_MUL, /* the MAD units, or the SFU's multipliers */
   SGT_SM_UNIT_SFU,
   SGT_SM_UNIT_INTERP, /* the SFU's interpolators */
   SGT_SM_UNIT_TEXTURE,
   SGT_SM_UNIT_MEMORY,
   SGT_SM_UNIT_SHARED,
   SGT_SM_UNIT_CONST, /* loads through the constant cache */
   SGT_SM_UNIT_CONTROL,
   SGT_SM_UNITS,
};

#define SGT_SM_MAX_SOURCES 17 /* three vectors, a predicate, the components of A0 */

struct sgt_sm_op {
   uint8_t unit;  /* enum sgt_sm_unit */
   uint8_t flags; /* SGT_SM_OP_* */
   uint8_t extra; /* cycles of conflicts in the register file */
   uint8_t num_src, dsts, num_consts;
   uint16_t dst; /* the first of `dsts` */
   uint16_t src[SGT_SM_MAX_SOURCES];
   uint16_t consts[3]; /* lines of 64 bytes of the constants that the instruction names */
};
#define SGT_SM_OP_ACCESS 1u   /* takes the next access of its warp */
#define SGT_SM_OP_LAST 2u     /* the last of its instruction */
#define SGT_SM_OP_ALL 4u      /* waits for all results of the warp */
#define SGT_SM_OP_FENCE 8u    /* the warp's next operation does so */
#define SGT_SM_OP_BARRIER 16u /* the warp waits for its workgroup */

struct sgt_sm_program {
   const struct sgt_program *program;
   struct sgt_sm_op *ops; /* as program->uops */
   uint32_t num_ops;
   struct sgt_sm_op *prologue; /* no program fetches it */
   uint32_t num_prologue;
   uint64_t address;   /* of its first operation */
   uint8_t warp_class; /* enum sgt_sm_class */
};

struct sgt_sm_code {
   const struct sgt_work *work;
   struct sgt_sm_params params;
   struct sgt_sm_program *programs; /* as work->programs */
   uint32_t num_programs;
   struct sgt_const_lines constants; /* with const_scope SGT_CONST_VERSION */
   uint32_t max_lines;               /* of an access */
   uint64_t scratch_bytes; /* of a warp's scratch memory, of the program that has the most */
};

/* Addresses of programs, constants and scratch memory, above those of the device and below the
 * 2^40 bytes that the partitions of a chip can have.
 */
#define SGT_SM_CODE_ADDRESS (1ull << 38)
#define SGT_SM_CONST_ADDRESS (2ull << 38)
#define SGT_SM_SCRATCH_ADDRESS (3ull << 38)

/* The work stays.  False: no memory, or the work has what this machine has not; a message. */
bool sgt_sm_code_init(struct sgt_sm_code *code, const struct sgt_work *work,
                      const struct sgt_sm_params *params, char *error, size_t error_size);
void sgt_sm_code_finish(struct sgt_sm_code *code);

/* Operations of a run.  Those of folded instructions are none. */
struct sgt_sm_range {
   uint32_t begin, end;
};
struct sgt_sm_range sgt_sm_code_run(const struct sgt_sm_program *program,
                                    const struct sgt_run *run);

/* The address of a line of the constants of a warp. */
uint64_t sgt_sm_const_address(const struct sgt_sm_code *code, const struct sgt_warp *warp,
                              uint32_t line);

/* The address of a line of an access of the warp in a slot of a multiprocessor. */
uint64_t sgt_sm_line_address(const struct sgt_sm_code *code, uint32_t sm, uint32_t slot,
                             sgt_line line);

/* Cycles that an operation of `rate` lanes an SP clock takes its unit. */
static inline uint32_t
sgt_sm_cycles(uint32_t rate)
{
   return (32 + 2 * rate - 1) / (2 * rate);
}

#endif
