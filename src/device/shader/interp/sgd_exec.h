/* SPDX-License-Identifier: MIT */
/*
 * Shader core: internal header of the interpreter.
 */
#ifndef SGD_EXEC_H
#define SGD_EXEC_H

#include <string.h>

#include "common/sgd_arch.h"
#include "shader/program/sgd_decode.h"
#include "common/sgd_lanes.h"
#include "common/sgd_worker.h"

/* Executes an instruction for all 32 lanes. m is the register file from which the sources are read.
 * The offsets comp[].d are relative to dst, which is the register file or sgd_result_base().
 */
typedef void sgd_handler_fn(uint8_t *m, const struct sgd_ins *i, uint8_t *dst);
extern sgd_handler_fn *const sgd_handler_table[];

/* Returns the 32 lanes of a register component, at a byte offset from the base. */
static inline uint32_t *
sgd_lanes(const uint8_t *base, uint32_t offset)
{
   return (uint32_t *)__builtin_assume_aligned(base + offset, 64);
}

static inline const struct sgd_decoded *
sgd_decoded(const struct sgd_warp *w)
{
   return (const struct sgd_decoded *)w->code;
}

static inline uint8_t *
sgd_reg(const struct sgd_warp *w, enum sgpu_file file, unsigned index, unsigned comp)
{
   return w->file + sgd_reg_offset(&w->code->layout, file, index, comp);
}

/* Returns component `comp` of the address register A0 for all lanes. */
static inline const int32_t *
sgd_addr(const struct sgd_warp *w, unsigned comp)
{
   return (const int32_t *)sgd_reg(w, SGPU_FILE_ADDR, 0, comp);
}

/* Returns the slot in the register file for the evaluated source s. */
static inline struct sgd_vec *
sgd_operand(const struct sgd_warp *w, unsigned s)
{
   return (struct sgd_vec *)(w->file + sgd_operand_offset(&w->code->layout, s, 0));
}

/* Returns a base pointer for which the offsets comp[].d of instruction i are in core->result. */
static inline uint8_t *
sgd_result_base(const struct sgd_warp *w, const struct sgd_ins *i)
{
   return (uint8_t *)((uintptr_t)&w->worker->core->result - i->reg);
}

sgd_execute_fn sgd_interpret;
/* Like sgd_interpret(), but also adds the number of issued instructions to sgd_interp.heat. */
sgd_execute_fn sgd_warm_up;
/* Runs a program that the translator has compiled to machine code. */
sgd_execute_fn sgd_run_translated;

/* Evaluates the sources in i->load for all lanes, and stores their values in the operand slots. */
void sgd_load_operands(struct sgd_warp *w, const struct sgd_ins *i);

/* Clamps the result of an instruction, which is at dst, to [0, 1]. */
void sgd_saturate(const struct sgd_ins *i, uint8_t *dst);

/* Copies the lanes in `mask` of the result from core->result to the destination register. */
void sgd_merge(struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask);

/* The load functions write the results of all lanes to dst. Those with a mask, which must be
 * nonzero, need not compute the results of other lanes.
 */
void sgd_load_const(struct sgd_warp *w, const struct sgd_ins *i, uint8_t *dst, uint32_t mask);
void sgd_load_local(struct sgd_warp *w, const struct sgd_ins *i, uint8_t *dst, uint32_t mask);
void sgd_load_target(struct sgd_warp *w, const struct sgd_ins *i, uint8_t *dst);
void sgd_load_vertex(struct sgd_warp *w, const struct sgd_ins *i, uint8_t *dst);
void sgd_load_output(struct sgd_warp *w, const struct sgd_ins *i, uint8_t *dst);
void sgd_load_patch(struct sgd_warp *w, const struct sgd_ins *i, uint8_t *dst);
void sgd_store_local(struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask);
void sgd_store_patch(struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask);

/* Executes a subgroup operation over the lanes in `mask`, which must be nonzero. */
void sgd_run_subgroup(struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask);
/* Executes the instruction CLK. `issued` is the number of instructions that the warp has issued
 * before it.
 */
void sgd_run_clock(struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask, uint64_t issued);

void sgd_run_texture(struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask);
/* Like sgd_run_texture(), but called by machine code. Also evaluates the guard and counts the
 * operation.
 */
void sgd_native_texture(struct sgd_warp *w, const struct sgd_ins *i);
/* Counts a texture operation for the profiler. */
void sgd_count_texture(struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask);
void sgd_run_storage(struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask);
void sgd_run_image(struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask);
void sgd_run_interpolation(struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask);

/* Returns the lanes that operations over quads must treat as zero. These lanes have ended or never
 * ran, but other lanes of their quads are executing.
 */
static inline uint32_t
sgd_absent_lanes(const struct sgd_warp *w)
{
   return sgd_whole_quads(w->exec) & ~w->running;
}

static inline unsigned
sgd_instr_index(const struct sgd_warp *w, const struct sgd_ins *i)
{
   return (unsigned)(i - sgd_decoded(w)->ins);
}

static inline const struct sgpu_instr *
sgd_instr(const struct sgd_warp *w, const struct sgd_ins *i)
{
   return &sgd_decoded(w)->instr[sgd_instr_index(w, i)];
}

/* Returns the value that source s has in an absent lane: 0, with the modifiers of the source
 * applied.
 */
static inline uint32_t
sgd_absent_value(const struct sgd_warp *w, const struct sgd_ins *i, unsigned s)
{
   return sgd_instr(w, i)->src[s].neg ? 0x80000000u : 0;
}

/* Number of lanes in a host vector, which is a multiple of four, so that it has whole quads. Stores
 * use the same vector size as the loads that follow, because other sizes cause stalls.
 */
#if defined(__AVX512F__)
#define SGD_CHUNK 16
#elif defined(__AVX2__)
#define SGD_CHUNK 8
#else
#define SGD_CHUNK 4
#endif
typedef uint32_t sgd_chunk __attribute__((vector_size(4 * SGD_CHUNK)));

/* Shuffles the lanes of each quad in a host vector: lane 0 gets lane a, lane 1 gets lane b, and so
 * on.
 */
#define SGD_QUAD_AT(k, a, b, c, d) k + a, k + b, k + c, k + d
#if SGD_CHUNK == 16
#define SGD_QUAD_SHUFFLE(v, a, b, c, d)                                                  \
   __builtin_shufflevector(v, v, SGD_QUAD_AT(0, a, b, c, d), SGD_QUAD_AT(4, a, b, c, d), \
                           SGD_QUAD_AT(8, a, b, c, d), SGD_QUAD_AT(12, a, b, c, d))
#elif SGD_CHUNK == 8
#define SGD_QUAD_SHUFFLE(v, a, b, c, d) \
   __builtin_shufflevector(v, v, SGD_QUAD_AT(0, a, b, c, d), SGD_QUAD_AT(4, a, b, c, d))
#else
#define SGD_QUAD_SHUFFLE(v, a, b, c, d) __builtin_shufflevector(v, v, SGD_QUAD_AT(0, a, b, c, d))
#endif

extern const uint32_t sgd_lane_bit[SGD_WARP];

/* Returns the lanes in `left` whose index equals the index of the first lane in `left`. */
static inline uint32_t
sgd_same_lanes(const int32_t index[SGD_WARP], uint32_t left)
{
   const int32_t value = index[__builtin_ctz(left)];
   uint32_t same = 0;
   for (unsigned l = 0; l < SGD_WARP; l++)
      same |= index[l] == value ? sgd_lane_bit[l] : 0;
   return same & left;
}

#define SGD_ONE_BITS 0x3f800000u /* bit pattern of 1.0f */

/* Loop over all lanes that the compiler can vectorize. Iteration l must access only lane l. Source
 * and destination must be the same, or must not overlap.
 */
#define SGD_EACH_LANE(l) SGD_IVDEP for (unsigned l = 0; l < SGD_WARP; l++)

/* Selects a or b without a branch. For a conditional expression, the compiler may generate a branch
 * if the operands are loads.
 */
static inline uint32_t
sgd_select(bool condition, uint32_t a, uint32_t b)
{
   const uint32_t mask = condition ? ~0u : 0;
   return (a & mask) | (b & ~mask);
}

/* Returns the word at a byte offset of the register file. It is a constant, or the lane mask of a
 * predicate.
 */
static inline uint32_t *
sgd_word(const uint8_t *base, uint32_t offset)
{
   return (uint32_t *)(base + offset);
}

/* Returns the executing lanes whose guard is true. */
static inline uint32_t
sgd_guarded_lanes(const struct sgd_warp *w, const struct sgd_ins *i)
{
   if (!(i->flags & SGD_INS_GUARD))
      return w->exec;
   const uint32_t p = *sgd_word(w->file + SGD_FILE_PRED, sizeof(uint32_t) * i->guard);
   return w->exec & (i->flags & SGD_INS_GUARD_NOT ? ~p : p);
}

/* Copies the first component of the result to all other components. */
static inline void
sgd_replicate(const struct sgd_ins *i, uint8_t *dst)
{
   for (unsigned n = 1; n < i->num_comps; n++)
      memcpy(dst + i->comp[n].d, dst + i->comp[0].d, sizeof(uint32_t[SGD_WARP]));
}

#endif
