/* SPDX-License-Identifier: MIT */
/*
 * The compiler's intermediate representation: sgpu instructions over virtual
 * registers, in a list of blocks.
 *
 * A virtual register is file TEMP with any index; it has up to four
 * components, each of which may be written by several instructions (write
 * masks, copies for phis).  After register allocation the same operands are
 * the machine's registers.  Two files exist here alone:
 *
 *    IMM     a literal: imm[c] is the value of component c
 *    ARRAY   element `index` (with rel: plus A0.relcomp) of array `array`
 *
 * Blocks are laid out in list order.  Control flow uses the machine's
 * synchronization stack (BRA, SSY, SYNC, PBK, BRK, PCNT, CONT).  Every lane has
 * its own registers, so data flow follows a single lane: succ[] has the blocks
 * that can follow in a lane.
 */
#ifndef SGC_IR_H
#define SGC_IR_H

#include <setjmp.h>

#include "compiler/nir/nir.h"
#include "sgpu_compiler.h"
#include "sgpu_isa.h"
#include "util/bitset.h"
#include "util/list.h"
#include "util/ralloc.h"
#include "util/u_math.h"
#include "util/u_dynarray.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SGC_FILE_IMM 8
#define SGC_FILE_ARRAY 9

struct sgc_src {
   uint8_t file; /* enum sgpu_file, or SGC_FILE_* */
   uint8_t swizzle;
   bool neg, abs; /* neg after abs */
   bool rel;
   uint8_t relcomp;
   uint16_t array;
   int32_t index;
   uint32_t imm[4];
};

struct sgc_dst {
   uint8_t file;
   uint8_t mask;
   bool rel;
   uint8_t relcomp;
   uint16_t array;
   int32_t index;
};

struct sgc_block;

struct sgc_instr {
   struct list_head link;

   enum sgpu_opcode op;
   bool sat;
   bool zmul;
   struct sgpu_guard guard;
   struct sgc_dst dst; /* of stores: the write mask alone */
   struct sgc_src src[3];

   uint8_t cond;
   bool urel;
   uint8_t urelcomp;
   bool oreg;

   struct sgc_block *target; /* of branches */
   uint8_t unit, sampler;
   uint8_t tex_target;
   bool shadow;
   uint8_t gcomp;
   int8_t off[3];
   uint32_t offset;
   uint8_t aop; /* enum sgpu_atomic */
   bool fence;  /* of memory: earlier accesses stay before it, later ones behind it */
   uint8_t reduction, cluster;

   unsigned ip; /* scratch of passes */
};

/* A register, and those of its components that some path reads from there on. */
struct sgc_live_reg {
   unsigned reg;
   uint8_t mask;
};

struct sgc_block {
   struct list_head link;
   struct list_head instrs;
   unsigned index;
   unsigned loop_depth;
   struct sgc_block *succ[2];
   struct util_dynarray preds; /* struct sgc_block * */

   /* By sgc_compute_liveness: struct sgc_live_reg. */
   struct util_dynarray live_in, live_out;
};

/* A temporary array; its first machine register, by allocation. */
struct sgc_array {
   unsigned size;
   unsigned base;
};

struct sgc_program {
   struct sgpu_shader *shader;
   gl_shader_stage stage;
   unsigned debug; /* enum sgpu_compiler_debug */
   bool validate;
   bool vp1; /* compiled for the base profile */
   bool no_schedule;
   bool asks_for_nan; /* has isnan() or the like */
   bool zmul;         /* products have the zmul bit */

   struct list_head blocks;
   unsigned num_blocks;

   unsigned num_regs; /* virtual, or after allocation machine registers */
   bool allocated;
   unsigned num_temps; /* machine registers, by allocation */

   unsigned num_arrays;
   struct sgc_array *arrays;

   unsigned first_spill_reg; /* registers from here on come from spilling */
   unsigned scratch_size;    /* bytes a lane */
   unsigned num_loops;

   unsigned num_user_constants; /* c[0..] that belong to constant bank 0 */
   unsigned num_literals;
   uint32_t (*literals)[4];

   uint64_t work; /* steps of the passes, a measure of time */

   const char *error;      /* first reason why this program cannot be compiled */
   jmp_buf *out_of_memory; /* where sgc_out_of_memory() returns to */
};

#define sgc_foreach_block(program, block) \
   list_for_each_entry(struct sgc_block, block, &(program)->blocks, link)
#define sgc_foreach_block_rev(program, block) \
   list_for_each_entry_rev(struct sgc_block, block, &(program)->blocks, link)
#define sgc_foreach_instr(block, instr) \
   list_for_each_entry(struct sgc_instr, instr, &(block)->instrs, link)
#define sgc_foreach_instr_rev(block, instr) \
   list_for_each_entry_rev(struct sgc_instr, instr, &(block)->instrs, link)
#define sgc_foreach_instr_safe(block, instr) \
   list_for_each_entry_safe(struct sgc_instr, instr, &(block)->instrs, link)
#define sgc_foreach_instr_rev_safe(block, instr) \
   list_for_each_entry_safe_rev(struct sgc_instr, instr, &(block)->instrs, link)
#define sgc_foreach_pred(block, pred) \
   util_dynarray_foreach(&(block)->preds, struct sgc_block *, pred)
#define sgc_foreach_src(instr, s) for (unsigned s = 0; s < sgc_info(instr)->num_srcs; s++)

static inline const struct sgpu_opcode_info *
sgc_info(const struct sgc_instr *instr)
{
   return sgpu_opcode_info(instr->op);
}

/*
 * Operands
 */

static inline struct sgc_src
sgc_src_make(unsigned file, int index)
{
   return (struct sgc_src){ .file = file, .index = index, .swizzle = SGPU_SWIZZLE_XYZW };
}

static inline struct sgc_src
sgc_none(void)
{
   return (struct sgc_src){ .file = SGPU_FILE_NONE };
}

static inline struct sgc_src
sgc_reg(unsigned index)
{
   return sgc_src_make(SGPU_FILE_TEMP, index);
}

/* The same value in all components. */
static inline struct sgc_src
sgc_imm(uint32_t value)
{
   struct sgc_src src = sgc_src_make(SGC_FILE_IMM, 0);
   for (unsigned c = 0; c < 4; c++)
      src.imm[c] = value;
   return src;
}

static inline struct sgc_src
sgc_immf(float value)
{
   return sgc_imm(fui(value));
}

static inline struct sgc_src
sgc_neg(struct sgc_src src)
{
   src.neg = !src.neg;
   return src;
}

static inline struct sgc_src
sgc_abs(struct sgc_src src)
{
   src.abs = true;
   src.neg = false;
   return src;
}

/* Reads `src` through a further swizzle. */
static inline struct sgc_src
sgc_swizzle(struct sgc_src src, unsigned swizzle)
{
   src.swizzle = sgpu_swizzle_compose(src.swizzle, swizzle);
   return src;
}

/* Component c of `src`, repeated. */
static inline struct sgc_src
sgc_comp(struct sgc_src src, unsigned c)
{
   return sgc_swizzle(src, sgpu_swizzle_replicate(c));
}

static inline struct sgc_dst
sgc_dst_make(unsigned file, int index, unsigned mask)
{
   return (struct sgc_dst){ .file = file, .index = index, .mask = mask };
}

static inline struct sgc_dst
sgc_dst_none(void)
{
   return (struct sgc_dst){ .file = SGPU_FILE_NONE };
}

static inline struct sgc_dst
sgc_dst_reg(unsigned index, unsigned mask)
{
   return sgc_dst_make(SGPU_FILE_TEMP, index, mask);
}

static inline unsigned
sgc_new_reg(struct sgc_program *p)
{
   return p->num_regs++;
}

static inline unsigned
sgc_mask(unsigned num_components)
{
   return (1u << num_components) - 1;
}

/*
 * sgc_ir.c
 */

struct sgc_program *sgc_program_create(void *mem_ctx, gl_shader_stage stage);
struct sgc_block *sgc_block_create(struct sgc_program *p); /* not in the list yet */
void sgc_block_append(struct sgc_program *p, struct sgc_block *block);
void sgc_add_edge(struct sgc_program *p, struct sgc_block *from, struct sgc_block *to);
struct sgc_instr *sgc_instr_create(struct sgc_program *p, enum sgpu_opcode op);
void sgc_instr_remove(struct sgc_instr *instr);
unsigned sgc_new_array(struct sgc_program *p, unsigned size);

/* The instruction as the ISA's structure, with indices truncated to its fields;
 * for queries and, after allocation, for encoding.
 */
struct sgpu_instr sgc_instr_isa(const struct sgc_instr *instr);

/* Whether source s takes a sign and an absolute value. */
bool sgc_src_takes_mods(const struct sgc_instr *instr, unsigned s);
/* Components of the register that source s reads. */
unsigned sgc_src_read_mask(const struct sgc_instr *instr, unsigned s);
/* Positions of source s that are read, before its swizzle. */
unsigned sgc_src_positions(const struct sgc_instr *instr, unsigned s);

/* Whether the components of the result may be written anywhere: component c depends
 * on position c of the sources alone, or is the same as all others.
 */
bool sgc_is_componentwise(const struct sgc_instr *instr);
bool sgc_is_replicating(const struct sgc_instr *instr);
/* Whether it is a pair operation with a result in xy or zw alone; a 64-bit result may
 * go to the other pair.
 */
bool sgc_is_one_pair(const struct sgc_instr *instr);
/* Whether each component of the result may go to any component. */
bool sgc_can_move_result(const struct sgc_instr *instr);

/* Moves the result's component c to map[c], where sgc_can_move_result() or
 * sgc_is_one_pair() allow it.
 */
void sgc_move_result(struct sgc_instr *instr, const uint8_t map[4]);

/* Except for swizzle and modifiers. */
bool sgc_same_operand(const struct sgc_src *a, const struct sgc_src *b);

/* The first error is the program's. */
void sgc_error(struct sgc_program *p, const char *reason);
void sgc_errorf(struct sgc_program *p, const char *format, ...) PRINTFLIKE(2, 3);

/*
 * Memory.  Allocations of the compiler's own do not return when they fail: they
 * end the compilation with the error SGC_OUT_OF_MEMORY, and with it everything
 * below the program's ralloc context goes.  So all contexts are below it.
 */

#define SGC_OUT_OF_MEMORY "out of memory"

NORETURN void sgc_out_of_memory(struct sgc_program *p);
/* Zeroed memory; array is NULL, or is grown with its contents. */
void *sgc_alloc(struct sgc_program *p, void *mem_ctx, size_t size, size_t count);
void *sgc_realloc(struct sgc_program *p, void *mem_ctx, void *array, size_t size, size_t count);
/* NULL on failure.  The two functions above call it; a test replaces it. */
void *sgc_try_alloc(void *mem_ctx, void *array, size_t bytes);

#define sgc_zalloc(p, mem_ctx, type) ((type *)sgc_alloc(p, mem_ctx, sizeof(type), 1))
#define sgc_zalloc_array(p, mem_ctx, type, count) \
   ((type *)sgc_alloc(p, mem_ctx, sizeof(type), count))
#define sgc_append(p, array, type, value)               \
   do {                                                 \
      type *slot_ = util_dynarray_grow(array, type, 1); \
      if (!slot_)                                       \
         sgc_out_of_memory(p);                          \
      *slot_ = (value);                                 \
   } while (0)

/*
 * The passes, in the order of the table in sgc_compile.c
 */

bool sgc_opt_copy_prop(struct sgc_program *p);
bool sgc_opt_dce(struct sgc_program *p);
bool sgc_coalesce(struct sgc_program *p);
bool sgc_lower_vp1(struct sgc_program *p);
bool sgc_lower_vp1_operands(struct sgc_program *p);
bool sgc_schedule(struct sgc_program *p);
bool sgc_place_literals(struct sgc_program *p);
bool sgc_allocate(struct sgc_program *p);
bool sgc_encode(struct sgc_program *p);

/*
 * Tools of the passes
 */

void sgc_compute_liveness(struct sgc_program *p);

/* The registers that are live at a place, in any order. */
struct sgc_live {
   unsigned num, num_components;
   unsigned *regs;
   unsigned *place; /* in regs, by register */
   uint8_t *mask;   /* components, by register; 0: not live */
};

/* For registers below p->num_regs; none is live. */
struct sgc_live *sgc_live_create(struct sgc_program *p, void *mem_ctx);
/* To an end of a block: its live_in or live_out. */
void sgc_live_start(struct sgc_live *live, const struct util_dynarray *regs);
/* From after the instruction to before it. */
void sgc_live_step(struct sgc_live *live, const struct sgc_instr *instr);
void sgc_live_set(struct sgc_live *live, unsigned reg, unsigned mask);

/* One round of spilling: every use of one of the registers, which are `count`, gets a
 * register of its own.
 */
void sgc_spill(struct sgc_program *p, const unsigned *regs, unsigned count);
/* Spills, where more components are live than the `most` that there are; then a few places
 * remain free.  In a program so large that its registers have more than `edges` interferences,
 * fewer may be live, but `least` always.
 */
void sgc_limit_live(struct sgc_program *p, unsigned most, unsigned least, uint64_t edges);
struct sgc_instr *sgc_record_operands(struct sgc_program *p, void *mem_ctx, unsigned *count);
const char *sgc_check_allocation(struct sgc_program *p, const struct sgc_instr *before,
                                 unsigned count, unsigned num_regs);

/* NULL, or the error; *where is the instruction. */
const char *sgc_validate(struct sgc_program *p, const struct sgc_instr **where);

void sgc_print_instr(FILE *fp, const struct sgc_instr *instr);
void sgc_print_program(FILE *fp, struct sgc_program *p);

/*
 * From NIR
 */

/* From a finalized shader to the NIR for selection; returns whether the shader looks
 * for NaNs.
 */
bool sgc_lower_nir(nir_shader *nir, unsigned debug);
bool sgc_nir_bound_uniforms(nir_shader *nir);
bool sgc_nir_lower_ubo(nir_shader *nir);
bool sgc_nir_lower_memory(nir_shader *nir);
bool sgc_nir_lower_float_swaps(nir_shader *nir);
/* Makes one access of several that are neighbours. */
bool sgc_nir_join_memory(nir_shader *nir);
bool sgc_nir_lower_handles(nir_shader *nir);
bool sgc_nir_lower_subgroups(nir_shader *nir);
/* sgc_nir_wide.c */
bool sgc_nir_is_wide(const nir_instr *instr); /* arithmetic with 64-bit values */
bool sgc_nir_has_wide(nir_shader *nir);
bool sgc_nir_lower_fdiv(nir_shader *nir);
bool sgc_nir_lower_fsqrt(nir_shader *nir); /* after nir_opt_algebraic, which undoes it */
bool sgc_nir_lower_wide_memory(nir_shader *nir);
bool sgc_nir_lower_wide_alu(nir_shader *nir); /* scalars, before booleans are words */
bool sgc_nir_lower_tess_eval(nir_shader *nir);
extern const nir_shader_compiler_options sgc_nir_options, sgc_nir_vertex_options;

/* Instruction selection: fills the program and the shader's interface. */
void sgc_select(struct sgc_program *p, nir_shader *nir, const struct sgpu_shader_key *key);

#ifdef __cplusplus
}
#endif
#endif
