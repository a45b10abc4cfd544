/* SPDX-License-Identifier: MIT */

/* A program: header, instructions and literals. The compiler and the assembler produce programs,
 * and the device checks them. sgpu_program_info describes properties derived from the instructions.
 */

#ifndef SGPU_PROGRAM_H
#define SGPU_PROGRAM_H

#include <stddef.h>

#include "sgpu_isa.h"
#include "sgpu_packets.h" /* enum sgpu_stage */

#ifdef __cplusplus
extern "C" {
#endif

/* Program properties that sgpu_program_gather() derives. */
struct sgpu_program_info {
   uint32_t num_temps; /* index of the highest R register used, plus 1 */
   /* bitmask of the inputs v[n] that are read; a relative read sets all bits */
   uint32_t inputs_read;
   /* for each input v[n], mask of the components that are read */
   uint8_t input_mask[SGPU_INPUT_SIZE];
   /* bitmask of the outputs o[n] that are written; a relative write sets its whole range */
   uint64_t outputs_written;
   /* for each output o[n], mask of the components that are written */
   uint8_t output_mask[SGPU_OUTPUT_SIZE];
   /* bitmask of the system values SGPU_SYS_* that are read */
   uint32_t sysvals_read;
   uint8_t sysval_mask[SGPU_NUM_SYSVALS];
   /* bitmask of the textures tex[n] in use; a relative unit sets all bits from its index on */
   uint32_t textures[SGPU_MAX_TEXTURES / 32];
   uint32_t samplers;
   uint32_t banks; /* bitmask of the constant banks cb[n] that LDC reads */
   /* bitmasks of the storage buffers buf[n] in use; a relative unit sets all bits */
   uint32_t buffers_read, buffers_written;
   /* bitmasks of the images img[n] in use; a relative unit sets all bits */
   uint32_t images_read, images_written;
   /* highest index of a constant c[n] below the literals that an instruction names, plus 1 */
   uint32_t num_constants;
   /* bytes of scratch memory per lane that absolute addresses access */
   uint32_t scratch_used;
   bool relative_temps, relative_inputs, relative_outputs, relative_constants;
   bool dynamic_scratch;   /* LDL or STL has an address in a register */
   bool uses_derivatives;  /* needs helper lanes for DDX, DDY or an implicit level of detail */
   bool interpolates;      /* contains IPAC, IPAO or IPAS instructions */
   bool relative_textures; /* uses relative texture units, which may also address handles */
   bool reads_clock;       /* contains CLK instructions */
   bool reads_warp;        /* results depend on other lanes of the warp */
   bool uses_kill;         /* contains KIL or DMT instructions */
   bool has_barrier;       /* contains BAR instructions */
   uint8_t vertex_streams; /* bitmask of vertex streams that EMITV writes */
   /* bitmask of the outputs o[n] that LDO reads; a relative unit sets all bits */
   uint64_t outputs_loaded;
   uint16_t targets_read; /* bitmask of render targets that LDT reads */
   uint32_t num_loops;    /* number of PBK instructions */
   /* contains BRA, SSY, PBK or PCNT; otherwise, a warp issues each instruction once */
   bool branches;
   uint32_t max_stack_depth; /* maximum number of entries on the synchronization stack */
};

struct sgpu_program {
   enum sgpu_stage stage;
   bool vp1;              /* the program belongs to the base profile */
   uint32_t num_temps;    /* number of temporaries, or 0 to use info.num_temps */
   uint32_t scratch_size; /* scratch memory per lane in bytes, or 0 to use info.scratch_used */
   uint32_t literal_base; /* index n of the first literal in the constants c[n] */
   uint32_t num_literals;
   uint32_t (*literals)[4];
   uint32_t num_instrs;
   uint32_t (*instrs)[4];

   struct sgpu_program_info info; /* properties that sgpu_program_gather() sets */
};

/* Checks the whole program and sets `info`. Also sets num_temps and scratch_size if they are 0.
 * Every instruction must decode and obey the limits of the stage and of the register files, and
 * with vp1 those of the base profile. Branch targets must be inside the program. The
 * synchronization stack must be the same on all paths to an instruction, and empty at the end.
 * Returns NULL on success. Otherwise, returns a static error message and sets *where to the index
 * of the instruction, or to num_instrs if the error concerns the whole program.
 */
const char *sgpu_program_gather(struct sgpu_program *program, uint32_t *where);

/* Returns true if the stage has vertex outputs (SGPU_VO_*). */
static inline bool
sgpu_stage_makes_vertices(enum sgpu_stage stage)
{
   return stage <= SGPU_STAGE_GEOMETRY;
}

/* Returns true if the stage reads vertices of primitives with LDV instead of INPUT registers. */
static inline bool
sgpu_stage_reads_vertices(enum sgpu_stage stage)
{
   return stage > SGPU_STAGE_VERTEX && stage <= SGPU_STAGE_GEOMETRY;
}

/* Returns the lower-case name of the stage for messages. */
const char *sgpu_stage_name(enum sgpu_stage stage);

/* Finds the range [*first, *first + *count) of outputs that a relative write to o[index] can
 * address. Returns false if there is no such range.
 */
bool sgpu_output_run(enum sgpu_stage stage, unsigned index, unsigned *first, unsigned *count);

/* Frees the instructions and literals, which must have been allocated with malloc(), and clears the
 * structure.
 */
void sgpu_program_finish(struct sgpu_program *program);

/* Returns the serialized program: magic, version, checksum, header, literals and instructions, all
 * little endian. Allocates the memory with malloc(). Returns NULL on allocation failure.
 */
void *sgpu_program_serialize(const struct sgpu_program *program, size_t *size);

/* Parses a serialized program and calls sgpu_program_gather(). Returns NULL on success. Otherwise,
 * returns a static error message and clears *program.
 */
const char *sgpu_program_deserialize(const void *data, size_t size, struct sgpu_program *program);

#ifdef __cplusplus
}
#endif

#endif /* SGPU_PROGRAM_H */
