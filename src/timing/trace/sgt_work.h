/* SPDX-License-Identifier: MIT */
/*
 * Work: what programs did in the operations of a trace, warp by warp.
 *
 * The make-up of warps is the device's own, and so is the way that a warp takes through its
 * program.  Models decide when an instruction executes, not what it does.
 */
#ifndef SGT_WORK_H
#define SGT_WORK_H

#include "trace/sgt_program.h"
#include "trace/sgt_trace.h"

/* Instructions pc to pc + count - 1, one after the other, by the same lanes. */
struct sgt_run {
   uint32_t pc, count;
   uint32_t lanes;
};

enum sgt_access_kind {
   SGT_ACCESS_TEXTURE,
   SGT_ACCESS_LOAD, /* buffers, images, targets, scratch */
   SGT_ACCESS_STORE,
   SGT_ACCESS_ATOMIC,
   SGT_ACCESS_SHARED, /* memory on the chip */
   SGT_ACCESS_CONST,  /* LDC */
   SGT_ACCESS_KINDS,
};

/* Of an instruction with SGT_INSTR_ACCESS that was issued, in the order of execution; without
 * lanes where its guard left none.
 */
struct sgt_access {
   uint64_t first_line; /* in work->lines */
   uint16_t num_lines;
   uint8_t kind;  /* enum sgt_access_kind */
   uint8_t lanes; /* that take part; textures: whole quads */
   /* TEXTURE: bilinear samples of 2x2 texels over all lanes that execute, from 0 (size queries);
    * SHARED: the most different words of one bank, of 16 banks of words, for each half of the
    * warp, summed (of atomic operations: equal words too); ATOMIC: the most lanes with one
    * address.
    */
   uint16_t work;
   uint8_t
      bytes; /* TEXTURE: of a texel, blocks: of a block / 16, from 1; others: of a lane's access */
   uint8_t pad;
};

/* A line of 64 bytes that an access touches, once for each quad that touches it; by quad.  Scratch
 * memory is from SGT_SCRATCH on: offsets in that of the warp, words of its 32 lanes side by side.
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
   uint16_t x, y;   /* of its first pixel */
   uint32_t item;   /* in trace->items: its primitive */
   uint8_t covered; /* of its 4 pixels: those that the warp's lanes own */
   uint8_t kept;    /* those that the program and tests after it leave to be written */
};

struct sgt_warp {
   uint32_t operation; /* in trace->operations */
   uint32_t program;   /* in work->programs */
   uint32_t lanes;     /* at its start, helpers included */
   uint32_t group;     /* number in the operation: compute: the workgroup; others: the batch of the
                        * draw (vertex, evaluation, geometry) or the tile list (pixel);
                        * tessellation control: how many patches the warp has */
   uint32_t first_run, num_runs;        /* in work->runs */
   uint32_t first_access, num_accesses; /* in work->accesses */
   uint32_t first_quad, num_quads;      /* in work->quads: pixel warps */
   uint64_t first_fetch;                /* in work->lines: what the input assembler reads for it */
   uint32_t num_fetch;
   uint32_t attributes; /* vertex warps: components that the input assembler fetches a vertex */
};

#define SGT_STAGES (SGPU_STAGE_COMPUTE + 1)
#define SGT_CONST_LINE_BYTES 64

/* The constants of a stage of an operation.  A context is a program's constants: what its
 * operations read in turn.  They change with the version; equal ones have equal constants.
 */
struct sgt_constants {
   uint32_t context; /* number in the work */
   uint32_t version; /* of the context, 0 from its first operation on */
   uint32_t bytes;
   uint8_t stage; /* enum sgpu_stage */
   uint8_t bank;  /* 0: what programs name as constants; others: what they load from */
   uint16_t pad;
   uint32_t first_changed, num_changed; /* in work->changed: lines, in order, that the context's
                                         * operation before has others of; none: the same
                                         * version, or the first operation */
};

/* Lines of 64 bytes. */
struct sgt_changed {
   uint32_t first, count;
};

/* Of an operation of the trace. */
struct sgt_operation_work {
   uint32_t first_warp, num_warps; /* in work->warps: vertex, tessellation, geometry warps by batch,
                                    * then pixel warps by batch and tile, or compute warps by
                                    * group */
   uint32_t group_bytes;           /* compute: shared memory of a workgroup */
   uint32_t group_warps;
   uint32_t vertices;                       /* that the input assembler reads */
   uint32_t first_constants, num_constants; /* in work->constants: by stage, then by bank */
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
   struct sgt_operation_work *operations; /* of each operation of the trace */
   uint32_t num_programs, num_warps, num_runs, num_accesses, num_quads;
   uint32_t num_constants, num_changed;
   uint64_t num_lines;
   uint32_t num_operations;
   uint64_t hash; /* of all of it: equal for every thread count, policy, level and host */
};

void sgt_work_destroy(struct sgt_work *work);

/* What must hold of every work: parts in order and in range, runs inside their programs by lanes
 * of their warps, an access of the right kind for each instruction that has one.  NULL, or a
 * static text.
 */
const char *sgt_work_check(const struct sgt_work *work);

/*
 * A work by hand, for tests and microbenchmarks:
 *
 *    b = sgt_work_builder_create();
 *    p = sgt_work_builder_program(b, program);          takes the program
 *    sgt_work_builder_operation(b, group_bytes, group_warps);
 *    sgt_work_builder_constants(b, &constants);         of the latest operation
 *    sgt_work_builder_changed(b, first, count);         lines of the latest constants
 *    sgt_work_builder_warp(b, p, lanes, group);
 *    sgt_work_builder_run(b, pc, count, lanes);         of the latest warp
 *    sgt_work_builder_access(b, &access, lines);
 *    work = sgt_work_builder_finish(b);                 NULL: out of memory
 *    sgt_work_builder_destroy(b);
 *
 * Runs may be left out: the warp then has one, straight through its program.
 */
struct sgt_work_builder;
struct sgt_work_builder *sgt_work_builder_create(void);
void sgt_work_builder_destroy(struct sgt_work_builder *b);
uint32_t sgt_work_builder_program(struct sgt_work_builder *b, struct sgt_program *program);
void sgt_work_builder_operation(struct sgt_work_builder *b, uint32_t group_bytes,
                                uint32_t group_warps);
/* Of the latest operation, that the input assembler reads: added. */
void sgt_work_builder_vertices(struct sgt_work_builder *b, uint32_t vertices);
/* Without first_changed and num_changed. */
void sgt_work_builder_constants(struct sgt_work_builder *b, const struct sgt_constants *constants);
void sgt_work_builder_changed(struct sgt_work_builder *b, uint32_t first, uint32_t count);
void sgt_work_builder_warp(struct sgt_work_builder *b, uint32_t program, uint32_t lanes,
                           uint32_t group);
void sgt_work_builder_run(struct sgt_work_builder *b, uint32_t pc, uint32_t count, uint32_t lanes);
/* first_line and num_lines are the builder's for `num` lines. */
void sgt_work_builder_access(struct sgt_work_builder *b, const struct sgt_access *access,
                             const sgt_line *lines, uint32_t num);
void sgt_work_builder_quad(struct sgt_work_builder *b, const struct sgt_quad *quad);
/* Lines that the input assembler reads for the latest warp. */
void sgt_work_builder_fetch(struct sgt_work_builder *b, const sgt_line *lines, uint32_t num,
                            uint32_t attributes);
/* Bytes of memory that the builder holds. */
uint64_t sgt_work_builder_bytes(const struct sgt_work_builder *b);
struct sgt_work *sgt_work_builder_finish(struct sgt_work_builder *b);

#endif
