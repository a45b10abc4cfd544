/* SPDX-License-Identifier: MIT */

/*
 * A program: header, instructions and literals. The compiler and the assembler make
 * programs, and the device checks them. sgpu_program_info has facts derived from the
 * instructions.
 */

#ifndef SGPU_PROGRAM_H
#define SGPU_PROGRAM_H

#include <stddef.h>

#include "sgpu_isa.h"
#include "sgpu_packets.h" /* enum sgpu_stage */

#ifdef __cplusplus
extern "C" {
#endif

/* Facts that sgpu_program_gather() derives. */
struct sgpu_program_info {
   uint32_t num_temps;                    /* highest R used, plus 1 */
   uint32_t inputs_read;                  /* bit n: v[n]; a relative read sets all bits */
   uint8_t input_mask[SGPU_INPUT_SIZE];   /* components of v[n] that are read */
   uint64_t outputs_written;              /* bit n: o[n]; a relative write sets its range */
   uint8_t output_mask[SGPU_OUTPUT_SIZE]; /* components of o[n] that are written */
   uint32_t sysvals_read;                 /* bit SGPU_SYS_* is set for each preset that is read */
   uint8_t sysval_mask[SGPU_NUM_SYSVALS];
   uint32_t textures[SGPU_MAX_TEXTURES / 32]; /* bit n: tex[n]; with a relative unit, all bits
                                               * starting at its number */
   uint32_t samplers;
   uint32_t banks;                         /* bit n: cb[n], read by LDC */
   uint32_t buffers_read, buffers_written; /* bit n: buf[n]; all bits with a relative unit */
   uint32_t images_read, images_written;   /* bit n: img[n]; all bits with a relative unit */
   uint32_t num_constants;                 /* highest c below the literals that is named, plus 1 */
   uint32_t scratch_used;                  /* bytes per lane that absolute accesses reach */
   bool relative_temps, relative_inputs, relative_outputs, relative_constants;
   bool dynamic_scratch;     /* LDL or STL with an address from a register */
   bool uses_derivatives;    /* needs helper lanes: DDX, DDY or an implicit level of detail */
   bool interpolates;        /* has IPAC, IPAO or IPAS */
   bool relative_textures;   /* indexes texture units, so it may also use handles */
   bool reads_clock;         /* has CLK */
   bool reads_warp;          /* results depend on other lanes of the warp */
   bool uses_kill;           /* has KIL or DMT */
   bool has_barrier;         /* has BAR */
   uint8_t vertex_streams;   /* bit n: EMITV to vertex stream n */
   uint64_t outputs_loaded;  /* bit n: o[n], read by LDO; all bits with a relative unit */
   uint16_t targets_read;    /* bit n: LDT of target n */
   uint32_t num_loops;       /* number of PBK */
   bool branches;            /* has BRA, SSY, PBK or PCNT; if not set, a warp issues each
                              * instruction once */
   uint32_t max_stack_depth; /* maximum number of entries in the synchronization stack */
};

struct sgpu_program {
   enum sgpu_stage stage;
   bool vp1;              /* the program is in the base profile */
   uint32_t num_temps;    /* number of temporaries; 0: info.num_temps */
   uint32_t scratch_size; /* bytes per lane; 0: info.scratch_used */
   uint32_t literal_base; /* c[literal_base] is the first literal */
   uint32_t num_literals;
   uint32_t (*literals)[4];
   uint32_t num_instrs;
   uint32_t (*instrs)[4];

   struct sgpu_program_info info; /* facts that sgpu_program_gather() sets */
};

/*
 * Checks the whole program and sets `info`, and also num_temps and scratch_size if they
 * are 0. Every instruction must decode and obey the limits of the stage and of the
 * register files, and with vp1 those of the base profile. Branch targets must be inside
 * the program. The synchronization stack must be the same on all paths to an instruction,
 * and empty at the end. Returns NULL, or a static error message and the instruction in
 * *where (num_instrs for the whole program).
 */
const char *sgpu_program_gather(struct sgpu_program *program, uint32_t *where);

/* Returns true if the stage's outputs are those of vertices: SGPU_VO_*. */
static inline bool
sgpu_stage_makes_vertices(enum sgpu_stage stage)
{
   return stage <= SGPU_STAGE_GEOMETRY;
}

/* Returns true if the stage reads the vertices of primitives by LDV, and so has no INPUT
 * registers.
 */
static inline bool
sgpu_stage_reads_vertices(enum sgpu_stage stage)
{
   return stage > SGPU_STAGE_VERTEX && stage <= SGPU_STAGE_GEOMETRY;
}

/* Returns the stage's name for messages, in lower case. */
const char *sgpu_stage_name(enum sgpu_stage stage);

/* Finds the range of outputs that a relative write to o[index] may address, [*first,
 * *first + *count). Returns false if there is none.
 */
bool sgpu_output_run(enum sgpu_stage stage, unsigned index, unsigned *first, unsigned *count);

/* Frees instructions and literals, which must be allocated by malloc(), and clears the
 * structure.
 */
void sgpu_program_finish(struct sgpu_program *program);

/*
 * Returns the program as bytes: magic, version, checksum, header, literals, instructions,
 * all little endian. The memory is allocated by malloc(). Returns NULL if out of memory.
 */
void *sgpu_program_serialize(const struct sgpu_program *program, size_t *size);

/* Reads the bytes of a serialized program and calls sgpu_program_gather(). Returns NULL,
 * or a static error message and clears *program.
 */
const char *sgpu_program_deserialize(const void *data, size_t size, struct sgpu_program *program);

#ifdef __cplusplus
}
#endif

#endif /* SGPU_PROGRAM_H */
