/* SPDX-License-Identifier: MIT */
/*
 * The compiler's intermediate representation (IR): sgpu instructions on virtual registers, in a
 * list of blocks.  The IR is not in SSA form.
 *
 * A virtual register is file TEMP with any index.  It has up to four components, and several
 * instructions may write each of them (with write masks, or as copies for phis).  After register
 * allocation, the same operands name machine registers.  Two files exist only in the IR:
 *
 *    IMM     a literal: imm[c] is the value of component c
 *    ARRAY   element `index` of array `array`; with rel, A0.relcomp is added to the index
 *
 * The program contains the blocks in the order of the list.  Control flow uses the machine's
 * synchronization stack (BRA, SSY, SYNC, PBK, BRK, PCNT, CONT).  Each lane has separate
 * registers, so data flow analysis follows the control flow of a single lane, given by succ[].
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
   uint8_t file;    /* enum sgpu_file, or SGC_FILE_* */
   uint8_t swizzle; /* SGPU_SWIZZLE() */
   bool neg, abs;   /* source modifiers; abs is applied before neg */
   bool rel;        /* A0.relcomp is added to the index */
   uint8_t relcomp;
   uint16_t array;  /* for SGC_FILE_ARRAY: index in sgc_program::arrays */
   int32_t index;   /* index of the register in its file, or of the array's element */
   uint32_t imm[4]; /* for SGC_FILE_IMM: values of the components, before the swizzle */
};

struct sgc_dst {
   uint8_t file; /* enum sgpu_file, or SGC_FILE_ARRAY */
   uint8_t mask; /* write mask */
   bool rel;     /* A0.relcomp is added to the index */
   uint8_t relcomp;
   uint16_t array; /* for SGC_FILE_ARRAY: index in sgc_program::arrays */
   int32_t index;  /* index of the register in its file, or of the array's element */
};

struct sgc_block;

struct sgc_instr {
   struct list_head link;

   enum sgpu_opcode op;
   bool sat;  /* the result is clamped to 0..1 */
   bool zmul; /* in products, 0 times any value is 0 */
   struct sgpu_guard guard;
   struct sgc_dst dst; /* for stores: only the write mask is used */
   struct sgc_src src[3];

   uint8_t cond; /* enum sgpu_cond, for comparisons */
   bool urel;    /* A0.urelcomp is added to `unit` and `sampler` */
   uint8_t urelcomp;
   bool oreg; /* for TG4: the texel offsets are src[1].zw */

   struct sgc_block *target; /* branch target, or NULL */
   /* The unit is the index of a texture unit, constant bank, buffer, image, or input or output of
    * vertices.
    */
   uint8_t unit, sampler;
   uint8_t tex_target; /* enum sgpu_tex_target */
   bool shadow;        /* the texture operation compares with a reference value */
   uint8_t gcomp;      /* for TG4: component to gather */
   int8_t off[3];      /* texel offsets, -8 to 7 */
   uint32_t offset;    /* for memory operations: constant part of the address, in bytes */
   uint8_t aop;        /* enum sgpu_atomic */
   /* Set for an access of a buffer, an image or shared memory if no other such access may move
    * across it.
    */
   bool fence;
   /* For reductions: enum sgpu_reduction, and log2 of the number of lanes in a cluster. */
   uint8_t reduction, cluster;

   unsigned ip; /* number of the instruction in the program, for the pass that sets it */
};

/* The live components of a register at some place: those that may be read later. */
struct sgc_live_reg {
   unsigned reg;
   uint8_t mask; /* bit mask of the live components */
};

struct sgc_block {
   struct list_head link;
   struct list_head instrs;
   unsigned index;             /* index of the block in the list */
   unsigned loop_depth;        /* number of loops that contain the block */
   struct sgc_block *succ[2];  /* blocks that can follow in a lane, or NULL */
   struct util_dynarray preds; /* predecessors: struct sgc_block * */

   /* Registers that are live at the start and at the end of the block: struct sgc_live_reg.  Set
    * by sgc_compute_liveness().
    */
   struct util_dynarray live_in, live_out;
};

/* An array of vec4 elements in registers. */
struct sgc_array {
   unsigned size; /* number of elements, each one register */
   unsigned base; /* index of the first machine register, set by register allocation */
};

struct sgc_program {
   struct sgpu_shader *shader;
   gl_shader_stage stage;
   unsigned debug;    /* enum sgpu_compiler_debug */
   bool validate;     /* call sgc_validate() after each pass */
   bool vp1;          /* compile for the base profile */
   bool no_schedule;  /* skip scheduling, which needs more registers */
   bool asks_for_nan; /* the shader tests values for NaN, as isnan() does */
   bool zmul;         /* value of the zmul bit of all instructions that have one */

   struct list_head blocks;
   unsigned num_blocks;

   unsigned num_regs;  /* number of virtual registers; SGPU_TEMP_SIZE after allocation */
   bool allocated;     /* registers have been allocated */
   unsigned num_temps; /* number of machine registers in use, set by allocation */

   unsigned num_arrays;
   struct sgc_array *arrays;

   unsigned first_spill_reg; /* registers from this index on result from spills; keep them */
   unsigned scratch_size;    /* scratch memory in bytes per lane */
   unsigned num_loops;

   unsigned num_user_constants; /* number of constants c[] that are in bank 0; literals follow */
   unsigned num_literals;       /* number of literal registers, each a vec4 */
   uint32_t (*literals)[4];     /* values of the literal registers, by component */

   uint64_t work; /* number of steps that the passes made, a measure of compile time */

   const char *error;      /* first reason why this program cannot be compiled, or NULL */
   jmp_buf *out_of_memory; /* where sgc_out_of_memory() jumps to */
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

/* Returns a literal with the same value in all components. */
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

/* Returns `src` with another swizzle applied to its result. */
static inline struct sgc_src
sgc_swizzle(struct sgc_src src, unsigned swizzle)
{
   src.swizzle = sgpu_swizzle_compose(src.swizzle, swizzle);
   return src;
}

/* Returns component c of `src`, replicated to all four positions. */
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
/* Creates a block that is not in the program's list yet. */
struct sgc_block *sgc_block_create(struct sgc_program *p);
void sgc_block_append(struct sgc_program *p, struct sgc_block *block);
void sgc_add_edge(struct sgc_program *p, struct sgc_block *from, struct sgc_block *to);
struct sgc_instr *sgc_instr_create(struct sgc_program *p, enum sgpu_opcode op);
void sgc_instr_remove(struct sgc_instr *instr);
unsigned sgc_new_array(struct sgc_program *p, unsigned size);

/* Converts the instruction to the structure of the ISA library.  Indices of virtual registers are
 * truncated, so before allocation the result is only good for queries of other fields.
 */
struct sgpu_instr sgc_instr_isa(const struct sgc_instr *instr);

/* Returns whether source s can have the modifiers neg and abs. */
bool sgc_src_takes_mods(const struct sgc_instr *instr, unsigned s);
/* Returns the bit mask of the register's components that source s reads. */
unsigned sgc_src_read_mask(const struct sgc_instr *instr, unsigned s);
/* Returns the bit mask of the positions of source s that the operation uses.  The swizzle maps
 * positions to components of the register.
 */
unsigned sgc_src_positions(const struct sgc_instr *instr, unsigned s);

/* Returns whether component c of the result depends only on position c of the sources. */
bool sgc_is_componentwise(const struct sgc_instr *instr);
/* Returns whether the operation has one result, which is written to all components. */
bool sgc_is_replicating(const struct sgc_instr *instr);
/* Returns whether this is a pair operation that writes only xy or only zw.  A 64-bit result can
 * be moved to the other pair.
 */
bool sgc_is_one_pair(const struct sgc_instr *instr);
/* Returns whether each component of the result can be moved to any other component. */
bool sgc_can_move_result(const struct sgc_instr *instr);

/* Changes the write mask and the swizzles so that component c of the result is written to
 * component map[c].  Either sgc_can_move_result() must be true, or sgc_is_one_pair() with a map
 * from pairs to pairs.
 */
void sgc_move_result(struct sgc_instr *instr, const uint8_t map[4]);

/* Returns whether two sources read the same register or literal.  Ignores swizzles and modifiers.
 */
bool sgc_same_operand(const struct sgc_src *a, const struct sgc_src *b);

/* Records why the program cannot be compiled.  Later errors are ignored. */
void sgc_error(struct sgc_program *p, const char *reason);
void sgc_errorf(struct sgc_program *p, const char *format, ...) PRINTFLIKE(2, 3);

/*
 * Memory.  The compiler's allocation functions do not return on failure: they end the compilation
 * with the error SGC_OUT_OF_MEMORY.  The program's ralloc context is then freed, so all memory
 * contexts must be children of it.
 */

#define SGC_OUT_OF_MEMORY "out of memory"

NORETURN void sgc_out_of_memory(struct sgc_program *p);
/* Allocates zeroed memory for `count` items of `size` bytes. */
void *sgc_alloc(struct sgc_program *p, void *mem_ctx, size_t size, size_t count);
/* Grows `array`, which may be NULL, to `count` items of `size` bytes.  New items are undefined. */
void *sgc_realloc(struct sgc_program *p, void *mem_ctx, void *array, size_t size, size_t count);
/* Returns NULL on failure.  Only the two functions above call it.  A test replaces it. */
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
 * Passes, called by the table in sgc_compile.c.  Each returns whether it changed the program.
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
 * Utilities for passes
 */

/* Sets live_in and live_out of all blocks. */
void sgc_compute_liveness(struct sgc_program *p);

/* The set of registers that are live at one place of the program, in any order. */
struct sgc_live {
   unsigned num, num_components; /* number of live registers, and of their live components */
   unsigned *regs;               /* the live registers */
   unsigned *place;              /* by register: its index in `regs`, if it is live */
   uint8_t *mask;                /* by register: bit mask of live components; 0 if not live */
};

/* Creates an empty set for registers below p->num_regs. */
struct sgc_live *sgc_live_create(struct sgc_program *p, void *mem_ctx);
/* Sets the live registers to those of an array: live_in or live_out of a block. */
void sgc_live_start(struct sgc_live *live, const struct util_dynarray *regs);
/* Moves the place from after the instruction to before it. */
void sgc_live_step(struct sgc_live *live, const struct sgc_instr *instr);
/* Sets the live components of one register. */
void sgc_live_set(struct sgc_live *live, unsigned reg, unsigned mask);

/* Spills `count` registers to scratch memory.  Each instruction that uses one of them gets a new
 * virtual register for it, with a load before or a store after the instruction.
 */
void sgc_spill(struct sgc_program *p, const unsigned *regs, unsigned count);
/* Spills registers so that nowhere more than `most` components are live.  If it must spill, it
 * leaves 1/16 of them free.  If the registers have more than `edges` interferences, the limit is
 * reduced in proportion, but to no less than `least` components.
 */
void sgc_limit_live(struct sgc_program *p, unsigned most, unsigned least, uint64_t edges);
/* Returns copies of all instructions in program order, for sgc_check_allocation(). */
struct sgc_instr *sgc_record_operands(struct sgc_program *p, void *mem_ctx, unsigned *count);
/* Compares the allocated program with the `count` instructions from before, which use `num_regs`
 * virtual registers.  Returns the first error, or NULL.
 */
const char *sgc_check_allocation(struct sgc_program *p, const struct sgc_instr *before,
                                 unsigned count, unsigned num_regs);

/* Returns the first violation of an invariant, or NULL.  *where is the instruction that violates
 * it, or NULL if the error is not at one instruction.
 */
const char *sgc_validate(struct sgc_program *p, const struct sgc_instr **where);

void sgc_print_instr(FILE *fp, const struct sgc_instr *instr);
void sgc_print_program(FILE *fp, struct sgc_program *p);

/*
 * NIR lowering and instruction selection
 */

/* Lowers a finalized shader to the form of NIR that sgc_select() takes.  Returns whether the
 * shader tests values for NaN.
 */
bool sgc_lower_nir(nir_shader *nir, unsigned debug);
bool sgc_nir_bound_uniforms(nir_shader *nir);
bool sgc_nir_lower_ubo(nir_shader *nir);
bool sgc_nir_lower_memory(nir_shader *nir);
bool sgc_nir_lower_float_swaps(nir_shader *nir);
/* Merges accesses of adjacent words into vector accesses. */
bool sgc_nir_join_memory(nir_shader *nir);
bool sgc_nir_lower_handles(nir_shader *nir);
bool sgc_nir_lower_subgroups(nir_shader *nir);
/* Returns whether this is an ALU instruction with a 64-bit source or result. */
bool sgc_nir_is_wide(const nir_instr *instr);
/* Returns whether the shader has any 64-bit values. */
bool sgc_nir_has_wide(nir_shader *nir);
bool sgc_nir_lower_fdiv(nir_shader *nir);
/* Must run after nir_opt_algebraic, which would undo it. */
bool sgc_nir_lower_fsqrt(nir_shader *nir);
bool sgc_nir_lower_wide_memory(nir_shader *nir);
/* Takes 64-bit scalars.  Must run before booleans are lowered to 32 bits. */
bool sgc_nir_lower_wide_alu(nir_shader *nir);
bool sgc_nir_lower_tess_eval(nir_shader *nir);
extern const nir_shader_compiler_options sgc_nir_options, sgc_nir_vertex_options;

/* Selects instructions: fills the program, and the interface of its shader. */
void sgc_select(struct sgc_program *p, nir_shader *nir, const struct sgpu_shader_key *key);

#ifdef __cplusplus
}
#endif
#endif
