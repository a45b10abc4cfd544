/* SPDX-License-Identifier: MIT */
/*
 * Shader core, the interpreter: shared by its files.
 */
#ifndef SGD_EXEC_H
#define SGD_EXEC_H

#include <string.h>

#include "sgd_arch.h"
#include "sgd_decode.h"
#include "sgd_lanes.h"
#include "sgd_worker.h"

/* Executes one instruction for all lanes.  Sources are in the register file m;
 * comp[].d is relative to dst: the file, or sgd_result_base().
 */
typedef void sgd_handler_fn(uint8_t *m, const struct sgd_ins *i, uint8_t *dst);
extern sgd_handler_fn *const sgd_handler_table[];

/* The 32 lanes at an offset. */
static inline uint32_t *
sgd_lanes(const uint8_t *base, uint32_t offset)
{
   return (uint32_t *)__builtin_assume_aligned(base + offset, 64);
}

static inline const struct sgd_interp *
sgd_interp(const struct sgd_warp *w)
{
   return (const struct sgd_interp *)w->code;
}

static inline uint8_t *
sgd_reg(const struct sgd_warp *w, enum sgpu_file file, unsigned index, unsigned comp)
{
   return w->file + sgd_reg_offset(&w->code->layout, file, index, comp);
}

/* A0.comp of the lanes. */
static inline const int32_t *
sgd_addr(const struct sgd_warp *w, unsigned comp)
{
   return (const int32_t *)sgd_reg(w, SGPU_FILE_ADDR, 0, comp);
}

/* The operand slot of source s. */
static inline struct sgd_vec *
sgd_operand(const struct sgd_warp *w, unsigned s)
{
   return (struct sgd_vec *)(w->file + sgd_operand_offset(&w->code->layout, s, 0));
}

/* The base to which the results of `i` are relative, so that they go to
 * core->result in place of its destination.
 */
static inline uint8_t *
sgd_result_base(const struct sgd_warp *w, const struct sgd_ins *i)
{
   return (uint8_t *)((uintptr_t)&w->worker->core->result - i->reg);
}

sgd_execute_fn sgd_interpret;
sgd_execute_fn sgd_warm_up;        /* and counts what the program issues, in its `heat` */
sgd_execute_fn sgd_run_translated; /* of programs that sgd_shader_translate has seen */

/* Computes the sources of i->load into operand slots, all lanes. */
void sgd_load_operands(struct sgd_warp *w, const struct sgd_ins *i);

/* Clamps the result's components at dst. */
void sgd_saturate(const struct sgd_ins *i, uint8_t *dst);

/* Copies core->result to the destination, for the lanes of mask. */
void sgd_merge(struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask);

/* Loads write all lanes at dst. */
void sgd_load_const(struct sgd_warp *w, const struct sgd_ins *i, uint8_t *dst);
void sgd_load_local(struct sgd_warp *w, const struct sgd_ins *i, uint8_t *dst);
void sgd_load_target(struct sgd_warp *w, const struct sgd_ins *i, uint8_t *dst);
void sgd_load_vertex(struct sgd_warp *w, const struct sgd_ins *i, uint8_t *dst);
void sgd_load_output(struct sgd_warp *w, const struct sgd_ins *i, uint8_t *dst);
void sgd_load_patch(struct sgd_warp *w, const struct sgd_ins *i, uint8_t *dst);
void sgd_store_local(struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask);
void sgd_store_patch(struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask);

/* Operations over the lanes of mask, which is not empty. */
void sgd_run_subgroup(struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask);
/* issued: instructions before this one. */
void sgd_run_clock(struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask, uint64_t issued);

void sgd_run_texture(struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask);
/* The same for machine code, with the lanes of the instruction's guard; counted. */
void sgd_native_texture(struct sgd_warp *w, const struct sgd_ins *i);
void sgd_run_storage(struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask);
void sgd_run_image(struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask);
void sgd_run_interpolation(struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask);

/* Lanes that must read as zero where an instruction looks at whole quads: those
 * of its quads that have ended or never ran.
 */
static inline uint32_t
sgd_absent_lanes(const struct sgd_warp *w)
{
   return sgd_whole_quads(w->exec) & ~w->running;
}

static inline unsigned
sgd_instr_index(const struct sgd_warp *w, const struct sgd_ins *i)
{
   return (unsigned)(i - sgd_interp(w)->ins);
}

static inline const struct sgpu_instr *
sgd_instr(const struct sgd_warp *w, const struct sgd_ins *i)
{
   return &sgd_interp(w)->instr[sgd_instr_index(w, i)];
}

/* The value of source s in an absent lane: zero with the source's modifiers. */
static inline uint32_t
sgd_absent_value(const struct sgd_warp *w, const struct sgd_ins *i, unsigned s)
{
   return sgd_instr(w, i)->src[s].neg ? 0x80000000u : 0;
}

/* Lanes that the host handles at once, as whole quads.  A load of such a piece that
 * was stored in such pieces needs no delay.
 */
#if defined(__AVX512F__)
#define SGD_CHUNK 16
#elif defined(__AVX2__)
#define SGD_CHUNK 8
#else
#define SGD_CHUNK 4
#endif
typedef uint32_t sgd_chunk __attribute__((vector_size(4 * SGD_CHUNK)));

/* The lanes of each quad of a chunk rearranged: a is the one that lane 0 gets. */
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

/* Lanes of `left` in which an index is that of the first of them. */
static inline uint32_t
sgd_same_lanes(const int32_t index[SGD_WARP], uint32_t left)
{
   const int32_t value = index[__builtin_ctz(left)];
   uint32_t same = 0;
   for (unsigned l = 0; l < SGD_WARP; l++)
      same |= index[l] == value ? sgd_lane_bit[l] : 0;
   return same & left;
}

#define SGD_ONE_BITS 0x3f800000u /* 1.0f */

/* A loop over the lanes that becomes vector code: lane l depends on nothing but
 * lane l.  Source and destination may be the same lanes, never shifted ones.
 */
#define SGD_EACH_LANE(l) SGD_IVDEP for (unsigned l = 0; l < SGD_WARP; l++)

/* One of two words; without the branch that a conditional load would be. */
static inline uint32_t
sgd_select(bool condition, uint32_t a, uint32_t b)
{
   const uint32_t mask = condition ? ~0u : 0;
   return (a & mask) | (b & ~mask);
}

/* A constant, or the lanes of a predicate. */
static inline uint32_t *
sgd_word(const uint8_t *base, uint32_t offset)
{
   return (uint32_t *)(base + offset);
}

/* Lanes for which an instruction has an effect. */
static inline uint32_t
sgd_guarded_lanes(const struct sgd_warp *w, const struct sgd_ins *i)
{
   if (!(i->flags & SGD_INS_GUARD))
      return w->exec;
   const uint32_t p = *sgd_word(w->file + SGD_FILE_PRED, sizeof(uint32_t) * i->guard);
   return w->exec & (i->flags & SGD_INS_GUARD_NOT ? ~p : p);
}

/* comp[0]'s result to the other components. */
static inline void
sgd_replicate(const struct sgd_ins *i, uint8_t *dst)
{
   for (unsigned n = 1; n < i->num_comps; n++)
      memcpy(dst + i->comp[n].d, dst + i->comp[0].d, sizeof(uint32_t[SGD_WARP]));
}

#endif
