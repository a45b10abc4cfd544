/* SPDX-License-Identifier: MIT */
/*
 * Instruction selection, internal interface: two walks over SSA NIR.
 *
 * Planning walks backwards from the instructions with side effects.  For each NIR instruction it
 * records in a sgc_plan:
 *
 *    - the machine operation and its operands
 *    - values that are folded into their users: source modifiers, swizzles, saturation, products
 *      in sums, composite operations
 *    - the location in which the value is computed: a register, components of the vector that the
 *      value is a part of, or an output
 *
 * Emission walks forwards and emits the recorded operations.  It reads values only through
 * recorded operands, so it cannot read a value that planning has not marked as needed.
 *
 * Each class of instructions has both walks in one file, except arithmetic:
 *
 *    sgc_select.c           entry point; emission of blocks and control flow
 *    sgc_plan.c             planning; planning of conditions and phis
 *    sgc_plan_operand.c     recording of operands
 *    sgc_plan_alu.c         planning of arithmetic
 *    sgc_plan_locations.c   parts of vectors, and outputs, that are computed in place
 *    sgc_match.c            composite operations (LIT, EXP, LOG, DST)
 *    sgc_pattern.c          the patterns of composite operations
 *    sgc_alu_info.c         the table from NIR's arithmetic to operations
 *    sgc_wide_info.c        the table from NIR's 64-bit arithmetic to operations
 *    sgc_select_alu.c       emission of arithmetic and conditions
 *    sgc_select_wide.c      64-bit arithmetic
 *    sgc_select_intrinsic.c the table of intrinsics; constants, scratch, discard, geometry
 *    sgc_load_operand.c     inputs, uniforms and system values that users read as operands
 *    sgc_select_io.c        stores to outputs; inputs that need an instruction
 *    sgc_select_pixel.c     loads of target pixels, interlock
 *    sgc_select_subgroup.c  votes, ballots, reductions; the clock
 *    sgc_select_tess.c      outputs of patches and of their vertices
 *    sgc_select_tex.c       texture operations
 *    sgc_select_memory.c    storage buffers, shared memory, barriers
 *    sgc_select_image.c     images
 *    sgc_interface.c        assignment of registers to the shader's inputs and outputs
 *    sgc_chase.c            from a NIR source to the value that it reads
 *    sgc_operand.c          from that value to the machine's source
 *    sgc_operand_parts.c    machine sources that combine several NIR sources
 */
#ifndef SGC_SELECT_H
#define SGC_SELECT_H

#include "ir/sgc_builder.h"

struct sgc_index;

/* A NIR operand, seen through moves, negations and absolute values.  Position i is component
 * swizzle[i] of an SSA value or of an array element, or it is a literal.  A 64-bit scalar has two
 * components, the low word first.
 */
struct sgc_operand {
   nir_ssa_def *def;              /* SSA value, if neither `array` nor `literal` is set */
   const nir_reg_src *array;      /* array element, or NULL */
   const struct sgc_index *index; /* variable index of the array element, or NULL */
   uint8_t swizzle[4];
   uint8_t num;     /* number of positions in use */
   uint8_t view;    /* SGPU_SWIZZLE() that the user applies to the positions */
   bool neg, abs;   /* source modifiers; those of a double concern its high word */
   bool literal;    /* the operand is `imm` */
   uint32_t imm[4]; /* literal values by position, with the modifiers applied */
};

/* A variable index, in the form A0.comp + offset.  A0.comp is loaded with (value + bias).
 * Constants that NIR adds to the index are part of `offset` or `bias`.
 */
struct sgc_index {
   nir_ssa_def *def;         /* variable part of the index, or NULL if it is constant */
   uint8_t comp;             /* component of `def` */
   bool floor;               /* `def` is a float, and its floor is the index */
   int bias;                 /* constant that is added before A0 is loaded */
   int offset;               /* constant in the operand, -512 to 511 unless `def` is NULL */
   struct sgc_operand value; /* component `comp` of `def`, as an operand */
};

/* The place where a value is computed: its component i is component comp[i] of a register. */
struct sgc_location {
   bool valid;   /* the value has a location */
   uint8_t file; /* SGPU_FILE_TEMP or SGPU_FILE_OUTPUT */
   int index;    /* index of the register in the file */
   uint8_t comp[4];
};

/* A composite operation (LIT, EXP, LOG, DST) that replaces NIR instructions.  It writes either
 * components of the vector `at`, or a register whose components are the values of scalar
 * instructions, the members of the group.
 */
struct sgc_group {
   enum sgpu_opcode op;
   bool vector;       /* the operation writes components of a vector */
   bool used;         /* the operation is emitted; without a key component it is not worth it */
   nir_alu_instr *at; /* the vector; for scalars, the instruction to emit the operation before */
   uint8_t mask;      /* write mask */
   struct sgc_operand bound[2][4]; /* scalar operands, by source and position */
   uint8_t bound_mask[2];          /* by source: bit mask of positions that have an operand */
   nir_ssa_def *member[4];         /* scalars by component, or NULL */
   int reg;                        /* for scalars: virtual register of the result */
   struct sgc_group *next;         /* next group to emit before the same instruction, or NULL */
};

enum sgc_plan_kind {
   SGC_PLAN_NONE,     /* emit nothing: the value is unused, or its users read it as an operand */
   SGC_PLAN_EMIT,     /* emit the operation of the plan */
   SGC_PLAN_SAT,      /* fsat: emit the operation of `inner`, with saturation */
   SGC_PLAN_FOLDED,   /* the instruction is the `inner` of an SGC_PLAN_SAT, which emits it */
   SGC_PLAN_MEMBER,   /* the operation of `group` computes the value */
   SGC_PLAN_IN_PLACE, /* emit nothing for this store: its value is computed in the output */
};

/* The decisions for one NIR instruction, or for the if that follows a block. */
struct sgc_plan {
   enum sgc_plan_kind kind;

   /* arithmetic and conditions */
   uint16_t op;  /* enum sgpu_opcode */
   uint8_t cond; /* enum sgpu_cond */
   /* Bit masks of sources with modifiers that the NIR operation itself needs, such as fsub.  They
    * are applied after the modifiers of the operands.
    */
   uint8_t neg, abs;
   bool sat;                /* clamp the result to 0..1 */
   bool invert;             /* for conditions: the condition is the complement of the predicate */
   uint8_t done_mask;       /* for vectors: components that other instructions write in place */
   struct sgc_group *group; /* for vectors and members: the composite operation, or NULL */
   struct sgc_group *first; /* list of scalar groups to emit before this instruction */
   struct sgc_plan *inner;  /* for SGC_PLAN_SAT: plan of the instruction that is saturated */
   nir_ssa_def *inner_def;  /* for SGC_PLAN_SAT: result of that instruction */

   /* operands, in the order of emission */
   unsigned num_srcs;
   struct sgc_operand *srcs;
   uint32_t read;           /* bit mask of srcs that emission has read */
   struct sgc_index *index; /* index of an input, output, constant, bank, unit or binding */
   uint32_t offset;         /* for memory: constant that is added to the address, in bytes */

   unsigned phi_reg;         /* for phis: register that predecessors copy to, plus 1; 0 if none */
   struct sgc_tex_plan *tex; /* for texture operations */
};

#define SGC_OPEN_GROUPS 64
#define SGC_GROUP_OPS 4 /* LIT, LOG, EXP, DST */

struct sgc_select {
   struct sgc_program *p;
   nir_shader *nir;
   nir_function_impl *impl;
   const struct sgpu_shader_key *key;
   bool opt; /* optimize */

   struct sgc_plan *plans; /* by nir_instr index; for an if, by end_ip of the block before it */

   /* by nir_ssa_def index */
   BITSET_WORD *needed; /* bit set: some operand reads the value */
   struct sgc_location *locations;

   struct util_dynarray groups; /* all composite operations: struct sgc_group * */
   /* For each composite operation, a ring of the latest groups that scalar instructions of
    * `open_block` may join: `num` groups, and the index at which to put the next one.
    */
   struct sgc_open_groups {
      unsigned num, next;
      struct sgc_group *group[SGC_OPEN_GROUPS];
   } open[SGC_GROUP_OPS];
   const nir_block *open_block;

   /* by nir_register index: index in sgc_program::arrays, plus 1 */
   unsigned *arrays;

   /* emission */
   struct sgc_builder b;
   struct sgc_block *block;                    /* block that is being emitted */
   struct sgc_block *loop_end, *loop_continue; /* targets of break and continue, or NULL */
   bool in_loop;
   unsigned next_pred; /* number of conditions so far; selects the predicate of the next one */
   bool fence;         /* a barrier precedes the next memory access, which becomes a fence */

   /* contents of the components of A0 in this block: the floor, component and bias of sgc_index */
   struct sgc_address {
      bool valid;
      nir_ssa_def *def;
      uint8_t comp;
      bool floor;
      int bias;
      unsigned used; /* address_clock of the last use */
   } address[4];
   unsigned address_clock; /* number of uses of addresses so far */
   unsigned address_busy;  /* bit mask of components that the current instruction uses */
   bool keep_relative;     /* copy operands that use A0 to registers first */

   /* interface */
   uint8_t input_reg[64];     /* by attribute or varying slot: index of v[], plus 1; 0 if none */
   uint64_t inputs_used;      /* bit mask of the v[] or va[] in use */
   uint8_t output_reg[64];    /* by varying slot: index of o[], plus 1; 0 if none */
   uint8_t output_stores[64]; /* by index of o[]: number of stores that may write it */
   bool output_relative;      /* some outputs have a variable index */
};

/* Returns the number of 32-bit words of a value. */
static inline unsigned
sgc_num_words(const nir_ssa_def *def)
{
   return def->bit_size == 64 ? 2 * def->num_components : def->num_components;
}

/* Returns whether the operation makes a vector.  Unlike nir_op_is_vec(), excludes nir_op_mov. */
static inline bool
sgc_op_is_vec(nir_op op)
{
   return op == nir_op_vec2 || op == nir_op_vec3 || op == nir_op_vec4;
}

/*
 * sgc_chase.c
 */

/* Returns the source of the scalar behind moves and vectors.  Unlike nir_ssa_scalar_chase_movs(),
 * supports shaders with NIR registers: it stops at moves from them.
 */
nir_ssa_scalar sgc_chase_movs(nir_ssa_scalar s);
/* Makes an operand of n components of `def`, with `swizzle` (NULL: identity).  `mods`: the user
 * accepts the modifiers neg and abs, so the chase may look through fneg and fabs.
 */
void sgc_chase(struct sgc_operand *o, nir_ssa_def *def, const uint8_t *swizzle, unsigned n,
               bool mods);
/* Makes an operand of n components of source s of `alu`. */
void sgc_chase_alu(struct sgc_operand *o, const nir_alu_instr *alu, unsigned s, unsigned n);
/* Splits an index into a variable and a constant part. */
struct sgc_index sgc_chase_index(nir_ssa_def *def);
/* Adds modulo 2^32, as NIR does. */
static inline int
sgc_index_add(int a, uint32_t b)
{
   return (int)((uint32_t)a + b);
}

/*
 * sgc_operand.c
 */

/* Sets keep_relative; must be called before operands of the plan are read.  In sgc_select_alu.c. */
void sgc_prepare_relative(struct sgc_select *sel, const struct sgc_plan *plan);
/* Returns the destination that writes a value to its location, which is made if necessary. */
struct sgc_dst sgc_value_dst(struct sgc_select *sel, nir_ssa_def *def);
/* Returns the machine source for an operand.  May emit instructions that load A0 or copy. */
struct sgc_src sgc_operand_src(struct sgc_select *sel, const struct sgc_operand *o);
/* Returns the machine source for operand s of the plan, and marks it as read. */
struct sgc_src sgc_planned_src(struct sgc_select *sel, struct sgc_plan *plan, unsigned s);
/* Returns operand s of the plan, an address in bytes, as a source and a constant *offset.  One of
 * them is SGPU_FILE_NONE or 0.
 */
struct sgc_src sgc_planned_address(struct sgc_select *sel, struct sgc_plan *plan, unsigned s,
                                   uint32_t *offset);
/* Divides base + index into a constant part from min to max, which it returns, and the rest, which
 * stays in `index`.  The constant part is base + index->offset, `base` alone, or 0.  If the index is
 * a constant out of range, the rest is a value that is out of range of every register file and
 * binding.
 */
int sgc_fit_index(struct sgc_index *index, int base, int min, int max);
/* Returns whether the index that sgc_fit_index() has left needs a component of A0. */
bool sgc_is_relative(const struct sgc_index *index);
/* Returns the component of A0 that holds the index, and loads it if necessary. */
unsigned sgc_load_address(struct sgc_select *sel, const struct sgc_index *index);

/*
 * sgc_operand_parts.c
 */

/* An operand under construction: position i is the scalar piece[i]. */
struct sgc_parts {
   struct sgc_src piece[4];
   unsigned mask; /* bit mask of the positions that are set */
};

/* Sets positions pos to pos + n - 1 to components 0 to n - 1 of src. */
void sgc_put(struct sgc_parts *parts, unsigned pos, struct sgc_src src, unsigned n);
/* Returns the finished operand.  Its file is SGPU_FILE_NONE if no positions are set. */
struct sgc_src sgc_join(struct sgc_select *sel, const struct sgc_parts *parts);

/*
 * sgc_plan.c
 */

/* Plans all instructions of the shader. */
void sgc_make_plan(struct sgc_select *sel);
/* Records a comparison that writes the condition to a predicate. */
void sgc_plan_condition(struct sgc_select *sel, struct sgc_plan *plan, nir_src src);

/*
 * sgc_plan_operand.c
 */

/* Sets the kind of the plan to SGC_PLAN_EMIT, and allocates memory for `count` operands. */
void sgc_plan_begin(struct sgc_select *sel, struct sgc_plan *plan, unsigned count);
/* Records an operand and marks its value as needed. */
void sgc_plan_operand(struct sgc_select *sel, struct sgc_plan *plan, const struct sgc_operand *o);
void sgc_plan_src(struct sgc_select *sel, struct sgc_plan *plan, nir_src src, unsigned n,
                  bool mods);
void sgc_plan_alu_src(struct sgc_select *sel, struct sgc_plan *plan, const nir_alu_instr *alu,
                      unsigned s);
void sgc_plan_immediate(struct sgc_select *sel, struct sgc_plan *plan, uint32_t value);
/* Returns an index, and marks its variable part as needed. */
struct sgc_index *sgc_plan_index(struct sgc_select *sel, nir_src src);

/* Mark values as needed: an operand reads them. */
void sgc_need(struct sgc_select *sel, const struct sgc_operand *o);
void sgc_need_def(struct sgc_select *sel, nir_ssa_def *def);
static inline bool
sgc_is_needed(const struct sgc_select *sel, const nir_ssa_def *def)
{
   return BITSET_TEST(sel->needed, def->index);
}

static inline struct sgc_plan *
sgc_plan_of(struct sgc_select *sel, const nir_instr *instr)
{
   return &sel->plans[instr->index];
}

static inline struct sgc_plan *
sgc_plan_of_def(struct sgc_select *sel, const nir_ssa_def *def)
{
   return sgc_plan_of(sel, def->parent_instr);
}

/* Returns the plan of the condition of the if that follows the block. */
static inline struct sgc_plan *
sgc_plan_of_if_after(struct sgc_select *sel, const nir_block *block)
{
   return &sel->plans[block->end_ip];
}

/*
 * sgc_plan_alu.c
 */

void sgc_plan_alu(struct sgc_select *sel, nir_alu_instr *alu);

/*
 * sgc_plan_locations.c
 */

/* Returns the only instruction that reads `def`, or NULL if there are several or an if reads it. */
nir_instr *sgc_single_user(const nir_ssa_def *def);
static inline bool
sgc_has_location(const struct sgc_select *sel, const nir_ssa_def *def)
{
   return sel->locations[def->index].valid;
}
/* Makes instructions write components of a vector in place, if only this vector reads their
 * values.  Sets their bits in the plan's done_mask, in addition to those of `skip`.
 */
void sgc_locate_parts(struct sgc_select *sel, nir_alu_instr *vec, unsigned skip);
/* Makes the instruction that computes a store's value write it to the output, if nothing else
 * reads the value and the store is executed unconditionally.  Returns whether it did that.
 */
bool sgc_locate_in_output(struct sgc_select *sel, nir_intrinsic_instr *store);

/*
 * sgc_match.c
 */

/* Try to use a composite operation for components of a vector, or for a scalar.  Return whether
 * they did that.
 */
bool sgc_match_vector(struct sgc_select *sel, nir_alu_instr *vec);
bool sgc_match_scalar(struct sgc_select *sel, nir_alu_instr *alu);

/*
 * sgc_interface.c
 */

/* Assigns registers to the inputs and outputs of the shader. */
void sgc_assign_interface(struct sgc_select *sel);
/* Returns the system value that holds an input of a pixel program, or -1 if the input is a
 * varying.  *comp is the first component.
 */
int sgc_sysval_of_varying(unsigned location, unsigned *comp);
/* Returns the index of the o[] that a store writes, or of its first slot if the offset is
 * variable.  Returns -1 if the machine has no such output.  *shift is the component of o[] that
 * holds the first component of the value.
 */
int sgc_output_index(struct sgc_select *sel, const nir_intrinsic_instr *store, unsigned *shift);
/* Returns whether this is a load_output or store_output of a per-patch output. */
bool sgc_is_patch_access(const struct sgc_select *sel, const nir_intrinsic_instr *intr);

/*
 * sgc_load_operand.c
 */

/* Returns whether this is a load that needs no instruction: users read its value as an operand. */
bool sgc_is_operand_load(const nir_intrinsic_instr *intr);
/* Returns the machine source for such a load. */
struct sgc_src sgc_load_operand(struct sgc_select *sel, nir_intrinsic_instr *intr);
/* Returns the v[] that an input load reads, with the first component of the load at position x. */
struct sgc_src sgc_input_operand(struct sgc_select *sel, nir_intrinsic_instr *intr);

/*
 * sgc_select_io.c
 */

/* Returns the load_barycentric intrinsic of a load_interpolated_input. */
static inline nir_intrinsic_instr *
sgc_barycentric_of(const nir_intrinsic_instr *load)
{
   return nir_instr_as_intrinsic(load->src[0].ssa->parent_instr);
}

void sgc_plan_store_output(struct sgc_select *sel, nir_intrinsic_instr *intr,
                           struct sgc_plan *plan);
void sgc_emit_store_output(struct sgc_select *sel, nir_intrinsic_instr *intr,
                           struct sgc_plan *plan);
/* sgc_select_tess.c */
void sgc_plan_load_patch(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan);
void sgc_emit_load_patch(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan);
void sgc_plan_store_patch(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan);
void sgc_emit_store_patch(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan);
void sgc_plan_load_vertex_output(struct sgc_select *sel, nir_intrinsic_instr *intr,
                                 struct sgc_plan *plan);
void sgc_emit_load_vertex_output(struct sgc_select *sel, nir_intrinsic_instr *intr,
                                 struct sgc_plan *plan);
void sgc_describe_tess(struct sgpu_shader *shader, const nir_shader *nir);

/* sgc_select_pixel.c */
void sgc_plan_load_target(struct sgc_select *sel, nir_intrinsic_instr *load, struct sgc_plan *plan);
void sgc_emit_load_target(struct sgc_select *sel, nir_intrinsic_instr *load, struct sgc_plan *plan);
void sgc_plan_interlock(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan);
void sgc_plan_load_vertex(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan);
void sgc_emit_load_vertex(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan);
void sgc_plan_interpolate(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan);
void sgc_emit_interpolate(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan);

/*
 * sgc_select_intrinsic.c
 */

void sgc_plan_intrinsic(struct sgc_select *sel, nir_intrinsic_instr *intr);
void sgc_select_intrinsic(struct sgc_select *sel, nir_intrinsic_instr *intr);

/*
 * sgc_alu_info.c
 */

/* The machine operation for a NIR operation.  The sources are those of NIR, and optionally a
 * literal after them.
 */
struct sgc_alu_info {
   uint16_t op;      /* enum sgpu_opcode; SGPU_OP_NOP if the machine has no such operation */
   uint8_t cond;     /* enum sgpu_cond, for comparisons */
   uint8_t neg, abs; /* bit masks of the sources that get a modifier */
   bool sat;         /* clamp the result to 0..1 */
   bool has_imm;     /* the last source is the literal `imm` */
   uint32_t imm;
};
const struct sgc_alu_info *sgc_alu_info(nir_op op);
/* For a comparison of two sources, return the operation with the result 1.0 or 0.0, or with a
 * predicate as its result.  Return SGPU_OP_NOP if there is no such operation.
 */
enum sgpu_opcode sgc_compare_to_float(nir_op op);
enum sgpu_opcode sgc_compare_to_predicate(const nir_alu_instr *alu);
/* Returns whether the result can be written to any components of a register. */
bool sgc_alu_can_write_anywhere(const nir_alu_instr *alu);

/*
 * sgc_wide_info.c
 */

/* Returns whether the instruction has a 64-bit source or result. */
bool sgc_alu_is_wide(const nir_alu_instr *alu);
/* Returns the machine operation for such an instruction.  Its `op` is SGPU_OP_NOP if the machine
 * has none.
 */
const struct sgc_alu_info *sgc_wide_info(const nir_alu_instr *alu);

/*
 * sgc_select_alu.c
 */

void sgc_select_alu(struct sgc_select *sel, nir_alu_instr *alu);
/* Emits a comparison that sets a predicate.  Returns the guard for instructions that must be
 * executed if the condition is true.
 */
struct sgpu_guard sgc_select_condition(struct sgc_select *sel, struct sgc_plan *plan);

/*
 * sgc_select_memory.c
 */

void sgc_plan_memory(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan);
void sgc_emit_memory(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan);
/* Plans a size query of a buffer or image. */
void sgc_plan_size(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan);
void sgc_emit_buffer_size(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan);
void sgc_emit_barrier(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan);

/* The unit of a buffer or image, as in sgc_instr. */
struct sgc_binding {
   uint8_t unit;
   bool urel;
   uint8_t urelcomp;
};
/* Returns the unit for a binding, and loads A0 if its index is variable. */
struct sgc_binding sgc_load_binding(struct sgc_select *sel, const struct sgc_index *index);
/* Sets the unit (`binding` may be NULL) and the fence bit of a memory instruction. */
void sgc_finish_memory(struct sgc_select *sel, struct sgc_instr *instr,
                       const struct sgc_binding *binding);
/* Returns the enum sgpu_atomic for an intrinsic, or -1 if the machine has no such operation. */
int sgc_atomic_op(nir_intrinsic_op op);

/*
 * sgc_select_image.c
 */

void sgc_plan_image(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan);
void sgc_emit_image(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan);
void sgc_emit_image_size(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan);

/*
 * sgc_select_subgroup.c
 */

void sgc_plan_subgroup(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan);
void sgc_emit_subgroup(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan);
void sgc_emit_first_invocation(struct sgc_select *sel, nir_intrinsic_instr *intr,
                               struct sgc_plan *plan);
void sgc_emit_clock(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan);

/*
 * sgc_select_wide.c
 */

void sgc_plan_wide_alu(struct sgc_select *sel, nir_alu_instr *alu, struct sgc_plan *plan);
void sgc_emit_pack(struct sgc_select *sel, struct sgc_plan *plan, struct sgc_dst dst,
                   const struct sgc_location *at);
/* Returns source s for a pair operation with one result, from a source with the value at its first
 * positions.
 */
struct sgc_src sgc_pair_source(enum sgpu_opcode op, unsigned s, struct sgc_src src);

/*
 * sgc_select_tex.c
 */

/* Returns the enum sgpu_tex_target, or -1 if the machine has no such target. */
int sgc_tex_target(enum glsl_sampler_dim dim, bool is_array);

void sgc_plan_tex(struct sgc_select *sel, nir_tex_instr *tex);
void sgc_select_tex(struct sgc_select *sel, nir_tex_instr *tex);

#endif
