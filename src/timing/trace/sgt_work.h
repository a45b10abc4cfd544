/* SPDX-License-Identifier: MIT */
/*
 * Work: what programs did in the operations of a trace, warp by warp.
 *
 * The functional device decides which lanes form a warp, and which path a warp takes through its
 * program. Models decide when an instruction executes, not what it does.
 */
#ifndef SGT_WORK_H
#define SGT_WORK_H

#include "trace/sgt_program.h"
#include "trace/sgt_trace.h"

/* The instructions pc to pc + count - 1, executed in a row by the same lanes. */
struct sgt_run {
   uint32_t pc, count;
   uint32_t lanes;
};

enum sgt_access_kind {
   SGT_ACCESS_TEXTURE,
   SGT_ACCESS_LOAD, /* buffers, images, targets and scratch */
   SGT_ACCESS_STORE,
   SGT_ACCESS_ATOMIC,
   SGT_ACCESS_SHARED, /* on-chip memory */
   SGT_ACCESS_CONST,  /* LDC */
   SGT_ACCESS_KINDS,
};

/* The access of an instruction with SGT_INSTR_ACCESS that was issued, in the order of execution. It
 * has no lanes if the guard disabled all of them.
 */
struct sgt_access {
   uint64_t first_line; /* index in work->lines */
   uint16_t num_lines;
   uint8_t kind;  /* enum sgt_access_kind */
   uint8_t lanes; /* number of lanes that take part; for textures, of whole quads */
   /* The meaning depends on the kind. TEXTURE: number of bilinear samples (of 2x2 texels) over all
    * lanes that execute; 0 for size queries. SHARED: cycles of bank conflicts, that is, for each
    * half of the warp, the maximum number of different words that the lanes access in one of 16
    * banks, summed (for atomic operations, equal words also count). ATOMIC: maximum number of lanes
    * with the same address.
    */
   uint16_t work;
   /* TEXTURE: size of a texel in bytes, or, for compressed formats, size of a block divided by 16,
    * at least 1. Other kinds: size of a lane's access in bytes.
    */
   uint8_t bytes;
   uint8_t pad;
};

/* A line of 64 bytes that an access touches, repeated for each quad that touches it, and sorted by
 * quad. Lines of scratch memory start at SGT_SCRATCH plus the offset in the scratch memory of the
 * warp, in which the words of its 32 lanes are interleaved.
 */
#define SGT_SCRATCH (UINT64_C(1) << 62)
typedef uint64_t sgt_line;
#define SGT_LINE(address, quad) ((uint64_t)(address) >> 6 | (uint64_t)(quad) << 61)
static inline uint64_t
sgt_line_address(sgt_line line)
{
   return (line & ((1ull << 58) - 1)) << 6;
}
static inline uint32_t
sgt_line_quad(sgt_line line)
{
   return line >> 61;
}

/* A quad of a pixel warp: lanes 4n to 4n + 3 of the warp. */
struct sgt_quad {
   uint16_t x, y;   /* position of its first pixel */
   uint32_t item;   /* index in trace->items of its primitive */
   uint8_t covered; /* bit mask of its 4 pixels that lanes of the warp own */
   /* Bit mask of the pixels that the program and later tests leave to be written. */
   uint8_t kept;
};

struct sgt_warp {
   uint32_t operation; /* index in trace->operations */
   uint32_t program;   /* index in work->programs */
   uint32_t lanes;     /* mask of the lanes at the start, with helper lanes */
   /* A number within the operation. Compute: the workgroup. Vertex, evaluation and geometry warps:
    * the batch of the draw. Pixel warps: the tile list. Tessellation control: the number of patches
    * in the warp.
    */
   uint32_t group;
   uint32_t first_run, num_runs;        /* range in work->runs */
   uint32_t first_access, num_accesses; /* range in work->accesses */
   uint32_t first_quad, num_quads;      /* range in work->quads, for pixel warps */
   /* Range in work->lines that the input assembler reads for the warp. */
   uint64_t first_fetch;
   uint32_t num_fetch;
   /* Vertex warps: number of components per vertex that the input assembler fetches. */
   uint32_t attributes;
};

#define SGT_STAGES (SGPU_STAGE_COMPUTE + 1)
#define SGT_CONST_LINE_BYTES 64

/* Constants of a bank of a stage in an operation. A context is the sequence of constants that one
 * program reads from a bank in its operations. The version counts the changes: operations with the
 * same context and version read equal constants.
 */
struct sgt_constants {
   uint32_t context; /* number of the context in the work */
   uint32_t version; /* number of the version in the context, from 0 */
   uint32_t bytes;   /* size of the constants in bytes */
   uint8_t stage;    /* enum sgpu_stage */
   /* Bank 0: constants that programs name; other banks: constants that programs load. */
   uint8_t bank;
   uint16_t pad;
   /* Range in work->changed, in ascending order: the lines that differ from those in the context's
    * previous operation. Empty if the version is the same, or in the first operation of the
    * context.
    */
   uint32_t first_changed, num_changed;
};

/* A range of changed lines of 64 bytes. */
struct sgt_changed {
   uint32_t first, count;
};

/* Warps and constants of an operation of the trace. */
struct sgt_operation_work {
   /* Range in work->warps. Vertex, tessellation and geometry warps come first, sorted by batch,
    * then pixel warps by batch and tile. Compute warps are sorted by workgroup.
    */
   uint32_t first_warp, num_warps;
   uint32_t group_bytes; /* compute: size of a workgroup's shared memory, in bytes */
   uint32_t group_warps; /* compute: number of warps in a workgroup */
   uint32_t vertices;    /* number of vertices that the input assembler reads */
   /* Range in work->constants, sorted by stage, then by bank. */
   uint32_t first_constants, num_constants;
};

struct sgt_work {
   struct sgt_program **programs;
   struct sgt_warp *warps;
   struct sgt_run *runs;
   struct sgt_access *accesses;
   struct sgt_quad *quads;
   sgt_line *lines;
   struct sgt_constants *constants;
   struct sgt_changed *changed;
   struct sgt_operation_work *operations; /* one for each operation of the trace */
   uint32_t num_programs, num_warps, num_runs, num_accesses, num_quads;
   uint32_t num_constants, num_changed;
   uint64_t num_lines;
   uint32_t num_operations;
   uint64_t hash; /* hash of the work, equal for every thread count, policy, host level and host */
};

void sgt_work_destroy(struct sgt_work *work);

/* Checks a work: all parts are in order and in range, runs stay inside their programs and use lanes
 * of their warps, and each instruction with an access has one of the right kind. Returns NULL, or a
 * static message.
 */
const char *sgt_work_check(const struct sgt_work *work);

/*
 * Makes a work by hand, for tests and microbenchmarks:
 *
 *    b = sgt_work_builder_create();
 *    p = sgt_work_builder_program(b, program);          takes ownership of the program
 *    sgt_work_builder_operation(b, group_bytes, group_warps);
 *    sgt_work_builder_constants(b, &constants);         of the latest operation
 *    sgt_work_builder_changed(b, first, count);         lines of the latest constants
 *    sgt_work_builder_warp(b, p, lanes, group);
 *    sgt_work_builder_run(b, pc, count, lanes);         of the latest warp
 *    sgt_work_builder_access(b, &access, lines, num);
 *    work = sgt_work_builder_finish(b);                 NULL if out of memory
 *    sgt_work_builder_destroy(b);
 *
 * A warp without runs executes its whole program once, from start to end.
 */
struct sgt_work_builder;
struct sgt_work_builder *sgt_work_builder_create(void);
void sgt_work_builder_destroy(struct sgt_work_builder *b);
uint32_t sgt_work_builder_program(struct sgt_work_builder *b, struct sgt_program *program);
void sgt_work_builder_operation(struct sgt_work_builder *b, uint32_t group_bytes,
                                uint32_t group_warps);
/* Adds to the number of vertices that the input assembler reads for the latest operation. */
void sgt_work_builder_vertices(struct sgt_work_builder *b, uint32_t vertices);
/* Adds constants to the latest operation. The builder sets first_changed and num_changed. */
void sgt_work_builder_constants(struct sgt_work_builder *b, const struct sgt_constants *constants);
void sgt_work_builder_changed(struct sgt_work_builder *b, uint32_t first, uint32_t count);
void sgt_work_builder_warp(struct sgt_work_builder *b, uint32_t program, uint32_t lanes,
                           uint32_t group);
void sgt_work_builder_run(struct sgt_work_builder *b, uint32_t pc, uint32_t count, uint32_t lanes);
/* Adds an access with `num` lines to the latest warp. The builder sets first_line and num_lines. */
void sgt_work_builder_access(struct sgt_work_builder *b, const struct sgt_access *access,
                             const sgt_line *lines, uint32_t num);
void sgt_work_builder_quad(struct sgt_work_builder *b, const struct sgt_quad *quad);
/* Adds the lines that the input assembler reads for the latest warp. */
void sgt_work_builder_fetch(struct sgt_work_builder *b, const sgt_line *lines, uint32_t num,
                            uint32_t attributes);
/* Returns the size in bytes of the builder's large arrays. */
uint64_t sgt_work_builder_bytes(const struct sgt_work_builder *b);
struct sgt_work *sgt_work_builder_finish(struct sgt_work_builder *b);

#endif
