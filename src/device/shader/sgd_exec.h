/* SPDX-License-Identifier: MIT */
/*
 * Shader core, inside one host level: what the interpreter's files share.
 */
#ifndef SGD_EXEC_H
#define SGD_EXEC_H

#include <string.h>

#include "sgd_arch.h"
#include "sgd_decode.h"

#define sgd_handler_table  SGD_FN(sgd_handler_table)
#define sgd_load_operands  SGD_FN(sgd_load_operands)
#define sgd_merge          SGD_FN(sgd_merge)
#define sgd_saturate       SGD_FN(sgd_saturate)
#define sgd_load_const     SGD_FN(sgd_load_const)
#define sgd_load_local     SGD_FN(sgd_load_local)
#define sgd_store_local    SGD_FN(sgd_store_local)
#define sgd_load_vertex    SGD_FN(sgd_load_vertex)
#define sgd_run_texture    SGD_FN(sgd_run_texture)
#define sgd_run_interpolation SGD_FN(sgd_run_interpolation)
#define sgd_lane_bit       SGD_FN(sgd_lane_bit)

typedef void sgd_handler_fn(uint8_t *m, const struct sgd_ins *i, uint8_t *dst);
extern sgd_handler_fn *const sgd_handler_table[];

/* Entries of the synchronization stack. */
enum sgd_entry_kind {
   SGD_ENTRY_PENDING,
   SGD_ENTRY_MEET,
   SGD_ENTRY_BREAK,
   SGD_ENTRY_CONTINUE,
};

struct sgd_entry {
   uint32_t lanes;
   uint32_t target : 24;
   uint32_t kind : 8;
};

/* Entries that the program names, and one pending side for each lane but one. */
#define SGD_STACK_SIZE (SGPU_MAX_STACK + SGD_WARP)

/* A warp in execution. */
struct sgd_warp {
   struct sgd_machine *m;
   struct sgd_worker *worker;
   const struct sgd_shader *shader;
   const struct sgd_code *code;
   const struct sgd_env *env;
   uint32_t exec;      /* lanes that take part now */
   uint32_t running;   /* lanes that have not ended */
   uint32_t keep;      /* lanes whose registers mean something: not those that were killed */
   uint32_t live;      /* lanes that own a pixel */
   unsigned depth;
   struct sgd_entry stack[SGD_STACK_SIZE];
};

/* Brings the sources of i->load into machine->operand[], all lanes. */
void sgd_load_operands(struct sgd_warp *w, const struct sgd_ins *i);

/* Clamps the result's components at dst. */
void sgd_saturate(const struct sgd_ins *i, uint8_t *dst);

/* machine->result to the destination, for the lanes of mask. */
void sgd_merge(struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask);

/* LDC, LDL and LDV write all lanes at dst. */
void sgd_load_const(struct sgd_warp *w, const struct sgd_ins *i, uint8_t *dst);
void sgd_load_local(struct sgd_warp *w, const struct sgd_ins *i, uint8_t *dst);
void sgd_load_vertex(struct sgd_warp *w, const struct sgd_ins *i, uint8_t *dst);
void sgd_store_local(struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask);

void sgd_run_texture(struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask);
void sgd_run_interpolation(struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask);

/* Lanes of the quads of `lanes`. */
static inline uint32_t
sgd_whole_quads(uint32_t lanes)
{
   lanes |= lanes >> 1;
   lanes |= lanes >> 2;
   return (lanes & 0x11111111u) * 15;
}

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
   return (unsigned)(i - w->code->ins);
}

/* What source s is in such a lane: modifiers come after. */
static inline uint32_t
sgd_absent_value(const struct sgd_warp *w, const struct sgd_ins *i, unsigned s)
{
   return w->code->instr[sgd_instr_index(w, i)].src[s].neg ? 0x80000000u : 0;
}

/* Lanes that the host handles at once, as whole quads.  What is stored in such
 * pieces can be loaded in such pieces without delay.
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
#define SGD_QUAD_SHUFFLE(v, a, b, c, d)                                                          \
   __builtin_shufflevector(v, v, SGD_QUAD_AT(0, a, b, c, d), SGD_QUAD_AT(4, a, b, c, d),         \
                           SGD_QUAD_AT(8, a, b, c, d), SGD_QUAD_AT(12, a, b, c, d))
#elif SGD_CHUNK == 8
#define SGD_QUAD_SHUFFLE(v, a, b, c, d)                                                          \
   __builtin_shufflevector(v, v, SGD_QUAD_AT(0, a, b, c, d), SGD_QUAD_AT(4, a, b, c, d))
#else
#define SGD_QUAD_SHUFFLE(v, a, b, c, d)                                                          \
   __builtin_shufflevector(v, v, SGD_QUAD_AT(0, a, b, c, d))
#endif

extern const uint32_t sgd_lane_bit[SGD_WARP];

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

/* The 32 lanes at an offset. */
static inline uint32_t *
sgd_lanes(const uint8_t *base, uint32_t offset)
{
   return (uint32_t *)__builtin_assume_aligned(base + offset, 64);
}

/* A constant, or the lanes of a predicate. */
static inline uint32_t *
sgd_word(const uint8_t *base, uint32_t offset)
{
   return (uint32_t *)(base + offset);
}

/* comp[0]'s result to the other components. */
static inline void
sgd_replicate(const struct sgd_ins *i, uint8_t *dst)
{
   for (unsigned n = 1; n < i->num_comps; n++)
      memcpy(dst + i->comp[n].d, dst + i->comp[0].d, sizeof(uint32_t[SGD_WARP]));
}

#endif
