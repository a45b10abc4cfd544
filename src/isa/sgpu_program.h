/* SPDX-License-Identifier: MIT */

/*
 * A program: header, instructions and literals. Compiler and assembler make it, the
 * device checks it. sgpu_program_info has facts derived from the instructions.
 */

#ifndef SGPU_PROGRAM_H
#define SGPU_PROGRAM_H

#include <stddef.h>

#include "sgpu_isa.h"
#include "sgpu_packets.h" /* enum sgpu_stage */

#ifdef __cplusplus
extern "C" {
#endif

/* Derived by sgpu_program_gather. */
struct sgpu_program_info {
   uint32_t num_temps;                    /* highest R used, plus 1 */
   uint32_t inputs_read;                  /* bit n: v[n]; a relative read sets all bits */
   uint8_t input_mask[SGPU_INPUT_SIZE];   /* components of v[n] */
   uint64_t outputs_written;              /* bit n: o[n]; a relative write sets its range */
   uint8_t output_mask[SGPU_OUTPUT_SIZE]; /* components of o[n] */
   uint32_t sysvals_read;                 /* bit SGPU_SYS_* */
   uint8_t sysval_mask[SGPU_NUM_SYSVALS];
   uint32_t textures[SGPU_MAX_TEXTURES / 32]; /* bit n: tex[n]; from the first on with a
                                                 * relative unit */
   uint32_t samplers;
   uint32_t banks;                         /* bit n: cb[n] by LDC */
   uint32_t buffers_read, buffers_written; /* bit n: buf[n]; all bits with a relative unit */
   uint32_t images_read, images_written;   /* bit n: img[n]; likewise */
   uint32_t num_constants;                 /* highest c named below the literals, plus 1 */
   uint32_t scratch_used;                  /* bytes per lane that absolute accesses reach */
   bool relative_temps, relative_inputs, relative_outputs, relative_constants;
   bool dynamic_scratch;     /* LDL, STL with an address from a register */
   bool uses_derivatives;    /* needs helper lanes: DDX.., implicit level of detail */
   bool interpolates;        /* IPAC, IPAO, IPAS */
   bool relative_textures;   /* and so perhaps handles */
   bool reads_clock;         /* CLK */
   bool reads_warp;          /* what it computes depends on the other lanes of its warp */
   bool uses_kill;           /* KIL, DMT */
   bool has_barrier;         /* BAR */
   uint8_t vertex_streams;   /* bit n: EMITV to vertex stream n */
   uint64_t outputs_loaded;  /* bit n: o[n] by LDO; all of them with a relative unit */
   uint16_t targets_read;    /* bit n: LDT of target n */
   uint32_t num_loops;       /* PBK */
   bool branches;            /* BRA, SSY, PBK, PCNT: else a warp issues each instruction once */
   uint32_t max_stack_depth; /* entries of the synchronization stack */
};

struct sgpu_program {
   enum sgpu_stage stage;
   bool vp1;              /* base profile */
   uint32_t num_temps;    /* 0: info.num_temps */
   uint32_t scratch_size; /* bytes per lane; 0: info.scratch_used */
   uint32_t literal_base; /* c[literal_base] is the first literal */
   uint32_t num_literals;
   uint32_t (*literals)[4];
   uint32_t num_instrs;
   uint32_t (*instrs)[4];

   struct sgpu_program_info info; /* set by sgpu_program_gather */
};

/*
 * Checks the whole program and sets `info`, and num_temps and scratch_size if
 * they are 0. The checks: every instruction decodes and obeys the limits of stage
 * and register files, and with vp1 of the base profile; branch targets are
 * inside the program; the synchronization stack is the same along all paths to
 * an instruction, and empty at the end. Returns NULL, or a static text and the instruction in *where (num_instrs: the whole
 * program).
 */
const char *sgpu_program_gather(struct sgpu_program *program, uint32_t *where);

/* The stage's outputs are those of vertices: SGPU_VO_*. */
static inline bool
sgpu_stage_makes_vertices(enum sgpu_stage stage)
{
   return stage <= SGPU_STAGE_GEOMETRY;
}

/* The stage reads the vertices of primitives by LDV, and has no INPUT registers. */
static inline bool
sgpu_stage_reads_vertices(enum sgpu_stage stage)
{
   return stage > SGPU_STAGE_VERTEX && stage <= SGPU_STAGE_GEOMETRY;
}

/* The name for people, in lower case. */
const char *sgpu_stage_name(enum sgpu_stage stage);

/* The range of outputs that a relative write to o[index] may address, as [*first,
 * *first + *count); false if there is none.
 */
bool sgpu_output_run(enum sgpu_stage stage, unsigned index, unsigned *first, unsigned *count);

/* Frees instructions and literals, which malloc allocated, and clears the structure. */
void sgpu_program_finish(struct sgpu_program *program);

/*
 * The program as bytes: magic, version, header, literals, instructions, little
 * endian, with a checksum. Returns memory allocated with malloc, or NULL.
 */
void *sgpu_program_serialize(const struct sgpu_program *program, size_t *size);

/* Reads such bytes and calls sgpu_program_gather. Returns NULL, or a static error
 * text with *program cleared.
 */
const char *sgpu_program_deserialize(const void *data, size_t size, struct sgpu_program *program);

#ifdef __cplusplus
}
#endif

#endif /* SGPU_PROGRAM_H */
