/* SPDX-License-Identifier: MIT */
/*
 * Work: the instructions and memory accesses that the programs of a trace have executed, warp by
 * warp.
 *
 * The functional device determines which lanes form a warp, and which path a warp takes through its
 * program. Models only determine when an instruction executes, not what it does.
 */
#ifndef SGT_WORK_H
#define SGT_WORK_H

#include "trace/sgt_program.h"
#include "trace/sgt_trace.h"

/* The instructions from pc to pc + count - 1, which the same lanes have executed in sequence. */
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

/* A memory access by an executed instruction with the flag SGT_INSTR_ACCESS. The accesses of a warp
 * are in execution order. If the guard disables all lanes, there is an access with 0 lanes.
 */
struct sgt_access {
   uint64_t first_line; /* index in work->lines of the first line */
   uint16_t num_lines;
   uint8_t kind;  /* enum sgt_access_kind */
   uint8_t lanes; /* number of active lanes; for textures, all lanes of active quads */
   /* Amount of work, which depends on the kind. TEXTURE: number of bilinear samples (2x2 texels)
    * over all active lanes, or 0 for size queries. SHARED: number of cycles with bank conflicts,
    * i.e. the maximum number of different words that the lanes of a half-warp access in one of 16
    * banks, summed over both half-warps; for atomics, equal words count as different. ATOMIC:
    * maximum number of lanes with the same address.
    */
   uint16_t work;
   /* TEXTURE: texel size in bytes or, for compressed formats, block size in bytes divided by 16,
    * but at least 1. Other kinds: access size per lane in bytes.
    */
   uint8_t bytes;
   uint8_t pad;
};

/* A 64-byte line of memory that an access touches. If several quads touch the line, each of them
 * has a separate entry. The entries are sorted by quad. Addresses of scratch memory are SGT_SCRATCH
 * plus the offset in the warp's scratch memory, where the words of the 32 lanes are interleaved.
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

/* A quad of a pixel warp, i.e. lanes 4n to 4n + 3 of the warp. */
struct sgt_quad {
   uint16_t x, y;   /* position of the top left pixel */
   uint32_t item;   /* index of the primitive in trace->items */
   uint8_t covered; /* bitmask of the pixels that the lanes of the warp cover */
   /* Bitmask of the pixels that are written, i.e. have passed the shader and the late tests. */
   uint8_t kept;
};

struct sgt_warp {
   uint32_t operation; /* index in trace->operations */
   uint32_t program;   /* index in work->programs */
   uint32_t lanes;     /* bitmask of the initially active lanes, including helper lanes */
   /* An index that depends on the kind of warp. Compute: index of the workgroup. Vertex, evaluation
    * and geometry warps: index of the batch in the draw. Pixel warps: index of the tile list.
    * Tessellation control warps: number of patches in the warp instead of an index.
    */
   uint32_t group;
   uint32_t first_run, num_runs;        /* range in work->runs */
   uint32_t first_access, num_accesses; /* range in work->accesses */
   uint32_t first_quad, num_quads;      /* range in work->quads, for pixel warps */
   /* Range in work->lines of the memory that the input assembler reads for the warp. */
   uint64_t first_fetch;
   uint32_t num_fetch;
   /* Vertex warps: number of components that the input assembler fetches per vertex. */
   uint32_t attributes;
};

#define SGT_STAGES (SGPU_STAGE_COMPUTE + 1)
#define SGT_CONST_LINE_BYTES 64

/* Constants that a stage of an operation can read from one bank. A context is the sequence of
 * constants that one program reads from a bank over all of its operations. Each change of the
 * constants increments the version. Operations with the same context and version read the same
 * constants.
 */
struct sgt_constants {
   uint32_t context; /* index of the context, which is unique in the struct sgt_work */
   uint32_t version; /* number of the version in the context, starting at 0 */
   uint32_t bytes;   /* size of the constants in bytes */
   uint8_t stage;    /* enum sgpu_stage */
   /* Bank index. Programs access constants of bank 0 directly, and load constants of other banks.
    */
   uint8_t bank;
   uint16_t pad;
   /* Range in work->changed of the lines that have changed since the context's previous operation,
    * in ascending order. Empty if the version is the same, and in the first operation of the
    * context.
    */
   uint32_t first_changed, num_changed;
};

/* A range of changed 64-byte lines. */
struct sgt_changed {
   uint32_t first, count;
};

/* The warps and constants of an operation of the trace. */
struct sgt_operation_work {
   /* Range in work->warps. Vertex, tessellation and geometry warps come first, sorted by batch,
    * followed by pixel warps, sorted by batch and tile. Compute warps are sorted by workgroup.
    */
   uint32_t first_warp, num_warps;
   uint32_t group_bytes; /* compute: shared memory per workgroup, in bytes */
   uint32_t group_warps; /* compute: number of warps per workgroup */
   uint32_t vertices;    /* number of vertices that the input assembler reads */
   /* Range in work->constants, sorted by stage and then by bank. */
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
   struct sgt_operation_work *operations; /* one element for each operation of the trace */
   uint32_t num_programs, num_warps, num_runs, num_accesses, num_quads;
   uint32_t num_constants, num_changed;
   uint64_t num_lines;
   uint32_t num_operations;
   /* Hash of the contents. It doesn't depend on the thread count, the scheduling policy, the host
    * or its instruction set level.
    */
   uint64_t hash;
};

void sgt_work_destroy(struct sgt_work *work);

/* Validates a struct sgt_work. Ranges must be in order and in bounds. Runs must stay inside their
 * programs and only use lanes of their warps. Each execution of an instruction with a memory access
 * must have an access of the correct kind. Returns NULL if everything is valid, or a static
 * message.
 */
const char *sgt_work_check(const struct sgt_work *work);

/*
 * Builds a work by hand, for tests and microbenchmarks:
 *
 *    b = sgt_work_builder_create();
 *    p = sgt_work_builder_program(b, program);          takes ownership of the program
 *    sgt_work_builder_operation(b, group_bytes, group_warps);
 *    sgt_work_builder_constants(b, &constants);         for the last operation
 *    sgt_work_builder_changed(b, first, count);         changed lines of the last constants
 *    sgt_work_builder_warp(b, p, lanes, group);
 *    sgt_work_builder_run(b, pc, count, lanes);         for the last warp
 *    sgt_work_builder_access(b, &access, lines, num);
 *    work = sgt_work_builder_finish(b);                 NULL if an allocation failed
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
/* Increases the number of vertices that the input assembler reads for the current operation. */
void sgt_work_builder_vertices(struct sgt_work_builder *b, uint32_t vertices);
/* Adds constants to the current operation. The builder fills in first_changed and num_changed. */
void sgt_work_builder_constants(struct sgt_work_builder *b, const struct sgt_constants *constants);
void sgt_work_builder_changed(struct sgt_work_builder *b, uint32_t first, uint32_t count);
void sgt_work_builder_warp(struct sgt_work_builder *b, uint32_t program, uint32_t lanes,
                           uint32_t group);
void sgt_work_builder_run(struct sgt_work_builder *b, uint32_t pc, uint32_t count, uint32_t lanes);
/* Adds an access with `num` lines to the last warp. The builder fills in first_line and num_lines.
 */
void sgt_work_builder_access(struct sgt_work_builder *b, const struct sgt_access *access,
                             const sgt_line *lines, uint32_t num);
void sgt_work_builder_quad(struct sgt_work_builder *b, const struct sgt_quad *quad);
/* Adds lines that the input assembler reads for the last warp. */
void sgt_work_builder_fetch(struct sgt_work_builder *b, const sgt_line *lines, uint32_t num,
                            uint32_t attributes);
/* Returns the size of the builder's large arrays in bytes. */
uint64_t sgt_work_builder_bytes(const struct sgt_work_builder *b);
struct sgt_work *sgt_work_builder_finish(struct sgt_work_builder *b);

#endif
