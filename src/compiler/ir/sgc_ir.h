/* SPDX-License-Identifier: MIT */
/*
 * The compiler's intermediate representation (IR): sgpu instructions on virtual registers, in a
 * list of blocks. The IR is not in SSA form.
 *
 * A virtual register is an operand of file TEMP with any index. It has up to four components, each
 * of which can be written by several instructions, e.g. because of write masks or copies for phis.
 * After register allocation, the same operands are machine registers. Two files only exist in the
 * IR:
 *
 *    IMM     a literal: imm[c] is the value of component c
 *    ARRAY   element `index` of array `array`; with rel, A0.relcomp is added to the index
 *
 * Blocks are executed in list order, apart from jumps. Control flow uses the hardware's
 * synchronization stack (BRA, SSY, SYNC, PBK, BRK, PCNT, CONT). Each lane has separate registers,
 * so data flow analysis follows the control flow of a single lane, given by succ[].
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
   bool rel;        /* set if A0.relcomp is added to the index */
   uint8_t relcomp;
   uint16_t array;  /* SGC_FILE_ARRAY: index into sgc_program::arrays */
   int32_t index;   /* index of the register in its file, or of the array element */
   uint32_t imm[4]; /* SGC_FILE_IMM: value of each component, before the swizzle */
};

struct sgc_dst {
   uint8_t file; /* enum sgpu_file, or SGC_FILE_ARRAY */
   uint8_t mask; /* write mask */
   bool rel;     /* set if A0.relcomp is added to the index */
   uint8_t relcomp;
   uint16_t array; /* SGC_FILE_ARRAY: index into sgc_program::arrays */
   int32_t index;  /* index of the register in its file, or of the array element */
};

struct sgc_block;

struct sgc_instr {
   struct list_head link;

   enum sgpu_opcode op;
   bool sat;  /* set to clamp the result to [0, 1] */
   bool zmul; /* set if a multiplication returns 0 for 0 * x, even if x is infinity or NaN */
   struct sgpu_guard guard;
   struct sgc_dst dst; /* stores only use the write mask */
   struct sgc_src src[3];

   uint8_t cond; /* enum sgpu_cond, for comparisons */
   bool urel;    /* set if A0.urelcomp is added to `unit` and `sampler` */
   uint8_t urelcomp;
   bool oreg; /* TG4: set if src[1].zw contains the texel offsets */

   struct sgc_block *target; /* branch target, or NULL */
   /* unit: index of the texture unit, constant bank, buffer, image, or per-vertex input or output;
    * sampler: index of the sampler
    */
   uint8_t unit, sampler;
   uint8_t tex_target; /* enum sgpu_tex_target */
   bool shadow;        /* set if the texture operation compares with a reference value */
   uint8_t gcomp;      /* TG4: component to gather */
   int8_t off[3];      /* texel offsets from -8 to 7 */
   uint32_t offset;    /* memory operations: constant part of the address, in bytes */
   uint8_t aop;        /* enum sgpu_atomic */
   /* Set if no access to buffers, images or shared memory may be moved across this instruction,
    * because there is a barrier before it.
    */
   bool fence;
   /* Reductions only. reduction: enum sgpu_reduction; cluster: log2 of the cluster size in lanes.
    */
   uint8_t reduction, cluster;

   unsigned ip; /* index of the instruction in the program; only valid in passes that set it */
};

/* The components of a register that are live at some point of the program, i.e. that may still be
 * read later.
 */
struct sgc_live_reg {
   unsigned reg;
   uint8_t mask; /* bitmask of the live components */
};

struct sgc_block {
   struct list_head link;
   struct list_head instrs;
   unsigned index;             /* index of the block in the list */
   unsigned loop_depth;        /* number of loops that contain the block */
   struct sgc_block *succ[2];  /* blocks that a lane can execute next, or NULL */
   struct util_dynarray preds; /* array of predecessors (struct sgc_block *) */

   /* Arrays of struct sgc_live_reg: the registers that are live at the start and at the end of the
    * block. sgc_compute_liveness() fills in both arrays.
    */
   struct util_dynarray live_in, live_out;
};

/* An array of vec4 elements in registers. */
struct sgc_array {
   unsigned size; /* number of elements, each of which takes one register */
   unsigned base; /* index of the first machine register, set by register allocation */
};

struct sgc_program {
   struct sgpu_shader *shader;
   gl_shader_stage stage;
   unsigned debug;    /* bitmask of enum sgpu_compiler_debug */
   bool validate;     /* set to call sgc_validate() after each pass */
   bool vp1;          /* set to compile for the base profile */
   bool no_schedule;  /* set to skip scheduling, which increases register pressure */
   bool asks_for_nan; /* set if signs of zeros and NaNs count: isnan(), ldexp() */
   bool zmul;         /* value of sgc_instr::zmul for all instructions that support it */

   struct list_head blocks;
   unsigned num_blocks;

   /* number of virtual registers, or SGPU_TEMP_SIZE after register allocation */
   unsigned num_regs;
   bool allocated;     /* set once registers have been allocated */
   unsigned num_temps; /* number of machine registers in use, set by register allocation */

   unsigned num_arrays;
   struct sgc_array *arrays;

   /* Index of the first register that was created by spilling. This register and all later ones
    * must not be spilled again.
    */
   unsigned first_spill_reg;
   unsigned scratch_size; /* scratch memory per lane, in bytes */
   unsigned num_loops;

   /* number of constants in c[] (bank 0) that the shader itself uses; literals follow */
   unsigned num_user_constants;
   unsigned num_literals;   /* number of vec4 literal registers */
   uint32_t (*literals)[4]; /* component values of the literal registers */

   /* Number of steps that the passes have taken so far. This is a deterministic measure of compile
    * time.
    */
   uint64_t work;

   /* reason why this program can't be compiled, or NULL; only the first one is kept */
   const char *error;
   jmp_buf *out_of_memory; /* target of the longjmp() in sgc_out_of_memory() */
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

/* Returns `src` with `swizzle` applied on top of its current swizzle. */
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
/* Creates a block without adding it to the program. */
struct sgc_block *sgc_block_create(struct sgc_program *p);
void sgc_block_append(struct sgc_program *p, struct sgc_block *block);
void sgc_add_edge(struct sgc_program *p, struct sgc_block *from, struct sgc_block *to);
struct sgc_instr *sgc_instr_create(struct sgc_program *p, enum sgpu_opcode op);
void sgc_instr_remove(struct sgc_instr *instr);
unsigned sgc_new_array(struct sgc_program *p, unsigned size);

/* Converts an instruction to the ISA library's struct. Before register allocation, the register
 * indices in the result are invalid, since indices of virtual registers are truncated. Only use the
 * other fields in this case.
 */
struct sgpu_instr sgc_instr_isa(const struct sgc_instr *instr);

/* Returns true if source s supports the neg and abs modifiers. */
bool sgc_src_takes_mods(const struct sgc_instr *instr, unsigned s);
/* Returns a bitmask of the register components that source s reads. */
unsigned sgc_src_read_mask(const struct sgc_instr *instr, unsigned s);
/* Returns a bitmask of the positions of source s that the operation uses. The swizzle maps
 * positions to register components.
 */
unsigned sgc_src_positions(const struct sgc_instr *instr, unsigned s);

/* Returns true if component c of the result depends only on position c of each source. */
bool sgc_is_componentwise(const struct sgc_instr *instr);
/* Returns true if the operation has a single result, which is written to all components. */
bool sgc_is_replicating(const struct sgc_instr *instr);
/* Returns true if each component pair of the result depends only on this pair of each 64-bit source.
 */
bool sgc_is_pairwise(const struct sgc_instr *instr);
/* Returns true for operations on pairs that write a single pair of components, xy or zw. A 64-bit
 * result can be moved to the other pair.
 */
bool sgc_is_one_pair(const struct sgc_instr *instr);
/* Returns true if each component of the result can be moved to any other component. */
bool sgc_can_move_result(const struct sgc_instr *instr);

/* Changes the write mask and the swizzles such that component c of the result is written to
 * component map[c]. Either sgc_can_move_result() must be true, or sgc_is_one_pair() must be true
 * and map[] must map pairs to pairs.
 */
void sgc_move_result(struct sgc_instr *instr, const uint8_t map[4]);

/* Returns true if two sources read the same register or literal. Ignores swizzles and modifiers. */
bool sgc_same_operand(const struct sgc_src *a, const struct sgc_src *b);

/* Records the reason why the program can't be compiled. Only the first error is kept. */
void sgc_error(struct sgc_program *p, const char *reason);
void sgc_errorf(struct sgc_program *p, const char *format, ...) PRINTFLIKE(2, 3);

/*
 * Memory allocation. On failure, these functions don't return. Instead, compilation fails with the
 * error SGC_OUT_OF_MEMORY, and the program's ralloc context is freed. Therefore, all memory
 * contexts must be children of that context.
 */

#define SGC_OUT_OF_MEMORY "out of memory"

NORETURN void sgc_out_of_memory(struct sgc_program *p);
/* Allocates zeroed memory for `count` elements of `size` bytes. */
void *sgc_alloc(struct sgc_program *p, void *mem_ctx, size_t size, size_t count);
/* Grows `array`, which may be NULL, to `count` elements of `size` bytes. New elements are
 * uninitialized.
 */
void *sgc_realloc(struct sgc_program *p, void *mem_ctx, void *array, size_t size, size_t count);
/* Allocates or grows an array, and returns NULL on failure. Only the two functions above call this.
 * A test replaces it with a version that can fail.
 */
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
 * Passes, which sgpu_compile() runs in the order of the table in sgc_compile.c. A pass returns true
 * if it has changed the program.
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

/* Computes the arrays live_in and live_out of all blocks. */
void sgc_compute_liveness(struct sgc_program *p);

/* The set of registers that are live at some point of the program, in no particular order. */
struct sgc_live {
   /* num: number of live registers; num_components: number of live components */
   unsigned num, num_components;
   unsigned *regs;  /* the live registers */
   unsigned *place; /* position of each live register in `regs` */
   uint8_t *mask;   /* for each register, a bitmask of the live components, or 0 if it isn't live */
};

/* Creates an empty set that can contain any register below p->num_regs. */
struct sgc_live *sgc_live_create(struct sgc_program *p, void *mem_ctx);
/* Replaces the contents of the set with the registers in an array (live_in or live_out of a block).
 */
void sgc_live_start(struct sgc_live *live, const struct util_dynarray *regs);
/* Updates the set from the point after an instruction to the point before it. */
void sgc_live_step(struct sgc_live *live, const struct sgc_instr *instr);
/* Sets the live components of a single register. */
void sgc_live_set(struct sgc_live *live, unsigned reg, unsigned mask);

/* Spills `count` registers to scratch memory. In each instruction that uses one of them, the
 * register is replaced with a new virtual register, which is loaded before the instruction or
 * stored after it.
 */
void sgc_spill(struct sgc_program *p, const unsigned *regs, unsigned count);
/* Spills registers such that at most `most` components are live at any point. If this requires any
 * spills, leaves another 1/16 of the components free. If the registers have more than `edges`
 * interferences, reduces the limit in proportion, down to `least` components.
 */
void sgc_limit_live(struct sgc_program *p, unsigned most, unsigned least, uint64_t edges);
/* Returns a copy of all instructions in program order, for sgc_check_allocation(). */
struct sgc_instr *sgc_record_operands(struct sgc_program *p, void *mem_ctx, unsigned *count);
/* Checks the allocated program against the `count` instructions recorded before allocation, which
 * use `num_regs` virtual registers. Returns the first error, or NULL.
 */
const char *sgc_check_allocation(struct sgc_program *p, const struct sgc_instr *before,
                                 unsigned count, unsigned num_regs);

/* Returns the first violated invariant, or NULL. *where is set to the offending instruction, or
 * NULL if the error isn't specific to an instruction.
 */
const char *sgc_validate(struct sgc_program *p, const struct sgc_instr **where);

void sgc_print_instr(FILE *fp, const struct sgc_instr *instr);
void sgc_print_program(FILE *fp, struct sgc_program *p);

/*
 * NIR lowering and instruction selection
 */

/* Lowers a finalized shader to the form of NIR that sgc_select() expects. Returns true if the
 * shader tests values for NaN.
 */
bool sgc_lower_nir(nir_shader *nir, unsigned debug);
bool sgc_nir_bound_uniforms(nir_shader *nir);
/* Marks loads from constant banks as speculatable: beyond the end of a bank, they return 0. */
bool sgc_nir_speculate_ubo(nir_shader *nir);
bool sgc_nir_lower_ubo(nir_shader *nir);
/* Lowers load_local_invocation_index: invocation n is lane n % 32 of warp n / 32. */
bool sgc_nir_lower_local_index(nir_shader *nir);
/* If the layout of a compute shader is derivative_group_quadsNV, changes load_local_invocation_id and
 * load_local_invocation_index such that four consecutive lanes are a quad.
 */
bool sgc_nir_lower_quads(nir_shader *nir);
bool sgc_nir_lower_float_swaps(nir_shader *nir);
/* Merges accesses to adjacent words into vector accesses. */
bool sgc_nir_join_memory(nir_shader *nir);
bool sgc_nir_lower_functions(nir_shader *nir);
bool sgc_nir_lower_handles(nir_shader *nir);
bool sgc_nir_lower_subgroups(nir_shader *nir);
/* Returns true for ALU instructions with a 64-bit source or result. */
bool sgc_nir_is_wide(const nir_instr *instr);
/* Returns true if the shader has any 64-bit values. */
bool sgc_nir_has_wide(nir_shader *nir);
bool sgc_nir_lower_fdiv(nir_shader *nir);
/* Lowers fsqrt. Must run after nir_opt_algebraic, which would undo this lowering. */
bool sgc_nir_lower_fsqrt(nir_shader *nir);
/* Splits loads and stores of 64-bit values into accesses of at most four 32-bit words. */
bool sgc_nir_lower_wide_memory(nir_shader *nir);
/* Lowers 64-bit arithmetic that the hardware doesn't have. Expects 64-bit scalars. Must run before
 * booleans are lowered to 32 bits.
 */
bool sgc_nir_lower_wide_alu(nir_shader *nir);
bool sgc_nir_lower_tess_eval(nir_shader *nir);
extern const nir_shader_compiler_options sgc_nir_options, sgc_nir_vertex_options;

/* Performs instruction selection. Adds the blocks and instructions to the program, and describes
 * the shader's inputs and outputs in p->shader.
 */
void sgc_select(struct sgc_program *p, nir_shader *nir, const struct sgpu_shader_key *key);

#ifdef __cplusplus
}
#endif
#endif
