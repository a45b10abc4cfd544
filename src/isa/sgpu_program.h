/* SPDX-License-Identifier: MIT */

/*
 * A program: its header, instructions and literals, as compiler and assembler
 * make it and the device checks it; and the facts that follow from its
 * instructions.
 */

#ifndef SGPU_PROGRAM_H
#define SGPU_PROGRAM_H

#include <stddef.h>

#include "sgpu_isa.h"
#include "sgpu_packets.h"   /* enum sgpu_stage */

#ifdef __cplusplus
extern "C" {
#endif

/* What sgpu_program_gather derives. */
struct sgpu_program_info {
   uint32_t num_temps;               /* highest R named, plus 1 */
   uint32_t inputs_read;             /* bit n: v[n]; all of them with a relative read */
   uint8_t input_mask[SGPU_INPUT_SIZE];      /* components of v[n] */
   uint64_t outputs_written;         /* bit n: o[n]; whole runs with a relative write */
   uint8_t output_mask[SGPU_OUTPUT_SIZE];    /* components of o[n] */
   uint32_t sysvals_read;            /* bit SGPU_SYS_* */
   uint8_t sysval_mask[SGPU_NUM_SYSVALS];
   uint32_t textures[SGPU_MAX_TEXTURES / 32];   /* bit n: tex[n]; from the first on with a
                                                 * relative unit */
   uint32_t samplers;
   uint32_t banks;                   /* bit n: cb[n] by LDC */
   uint32_t num_constants;           /* highest c named below the literals, plus 1 */
   uint32_t scratch_used;            /* bytes a lane that absolute accesses reach */
   bool relative_temps, relative_inputs, relative_outputs, relative_constants;
   bool dynamic_scratch;             /* LDL, STL with an address from a register */
   bool uses_derivatives;            /* needs helper lanes: DDX.., implicit level of detail */
   bool interpolates;                /* IPAC, IPAO, IPAS */
   bool uses_kill;                   /* KIL, DMT */
   uint8_t vertex_streams;           /* bit n: EMITV to vertex stream n */
   uint32_t num_loops;               /* PBK */
   uint32_t max_stack_depth;         /* entries of the synchronization stack */
};

struct sgpu_program {
   enum sgpu_stage stage;
   bool vp1;                         /* base profile */
   uint32_t num_temps;               /* 0: as many as are named */
   uint32_t scratch_size;            /* bytes a lane; 0: as much as absolute accesses reach */
   uint32_t literal_base;            /* c[literal_base] is the first literal */
   uint32_t num_literals;
   uint32_t (*literals)[4];
   uint32_t num_instrs;
   uint32_t (*instrs)[4];

   struct sgpu_program_info info;    /* by sgpu_program_gather */
};

/*
 * Checks the whole program and fills in `info`, and num_temps and scratch_size
 * where they are 0: every instruction decodes; stage, file sizes and limits
 * are kept, with vp1 the base profile's; branch targets are inside the
 * program; the synchronization stack is the same along all paths to an
 * instruction, empty at the end, and no deeper than SGPU_MAX_STACK. Returns
 * NULL, or a static text and in *where the instruction (num_instrs: the
 * program as a whole).
 */
const char *sgpu_program_gather(struct sgpu_program *program, uint32_t *where);

/* The run of outputs that a relative write to o[index] may move in, as [*first,
 * *first + *count); false where there is none.
 */
bool sgpu_output_run(enum sgpu_stage stage, unsigned index, unsigned *first, unsigned *count);

/* Frees instructions and literals that malloc made, and clears the structure. */
void sgpu_program_finish(struct sgpu_program *program);

/*
 * The program as bytes: magic, version, header, literals, instructions, little
 * endian, with a checksum. Returns malloc'ed memory or NULL.
 */
void *sgpu_program_serialize(const struct sgpu_program *program, size_t *size);

/* Reads such bytes and gathers. Returns NULL or a static error text, with
 * *program cleared.
 */
const char *sgpu_program_deserialize(const void *data, size_t size, struct sgpu_program *program);

#ifdef __cplusplus
}
#endif

#endif /* SGPU_PROGRAM_H */
