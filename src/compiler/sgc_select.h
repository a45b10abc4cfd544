/* SPDX-License-Identifier: MIT */
/*
 * Instruction selection, internal interface: two walks over SSA NIR.
 *
 * The plan goes backwards from the instructions with side effects.  It decides
 * for every NIR instruction which machine operation it becomes, with which
 * operands, and which values are folded into their users (source modifiers,
 * swizzles, saturation, products of sums, the composite operations), and the
 * location of each value: a register, components of the vector that it is a
 * part of, or an output.  All of it is recorded in a sgc_plan.
 *
 * The emission goes forwards and writes the recorded operations.  It reads
 * values through recorded operands only, so that it cannot read a value that
 * the plan did not mark as needed.
 *
 * Each class of instructions has both walks in one file:
 *
 *    sgc_select.c           emission of blocks and control flow, the entry point
 *    sgc_plan.c             the backward walk; recording operands; conditions, phis
 *    sgc_plan_alu.c         arithmetic, backwards
 *    sgc_plan_locations.c   vectors and outputs that are computed in place
 *    sgc_match.c            composite operations (LIT, EXP, LOG, DST), ..
 *    sgc_pattern.c          .. and their expressions
 *    sgc_alu_info.c         the table of NIR's arithmetic
 *    sgc_select_alu.c       arithmetic, forwards; conditions
 *    sgc_select_wide.c      64-bit arithmetic
 *    sgc_select_intrinsic.c the table of intrinsics; memory, discard, geometry
 *    sgc_select_io.c        inputs, outputs, uniforms, system values
 *    sgc_select_subgroup.c  votes, ballots, reductions; the clock
 *    sgc_select_tess.c      outputs of patches and of their vertices
 *    sgc_select_tex.c       texture operations
 *    sgc_select_memory.c    storage buffers, shared memory, barriers
 *    sgc_select_image.c     images
 *    sgc_interface.c        registers of the shader's inputs and outputs
 *    sgc_operand.c          sources of NIR and of the machine
 *    sgc_operand_parts.c    .. that several sources of NIR make up
 */
#ifndef SGC_SELECT_H
#define SGC_SELECT_H

#include "sgc_builder.h"

struct sgc_index;

/* A NIR operand, seen through moves, negations and absolute values:
 * component swizzle[i] of a value or of an array element, or a literal.  A value of
 * 64 bits has two components (words) here, low word first, and so has an operand.
 */
struct sgc_operand {
   nir_ssa_def *def;
   const nir_reg_src *array;      /* instead of def: an array element .. */
   const struct sgc_index *index; /* .. and its variable index, or NULL */
   uint8_t swizzle[4];
   uint8_t num;   /* positions in use */
   uint8_t view;  /* SGPU_SWIZZLE that the user applies */
   bool neg, abs; /* of a double: of its high word */
   bool literal;
   uint32_t imm[4]; /* by position, modifiers applied */
};

/* A variable index as A0.comp + offset, constants of sums taken out. */
struct sgc_index {
   nir_ssa_def *def; /* NULL: constant */
   uint8_t comp;
   bool floor;               /* def is a float whose floor is the index */
   int bias;                 /* added before it goes to A0 */
   int offset;               /* added to A0, -512 to 511 */
   struct sgc_operand value; /* def.comp as an operand */
};

/* The location of a value: component i in component comp[i] of a register. */
struct sgc_location {
   bool valid;
   uint8_t file; /* TEMP or OUTPUT */
   int index;
   uint8_t comp[4];
};

/* A composite operation (LIT, EXP, LOG, DST): writes components of the vector
 * `at`, or a register whose components are the members.
 */
struct sgc_group {
   enum sgpu_opcode op;
   bool vector;
   bool used;         /* false: its members are no gain so far */
   nir_alu_instr *at; /* scalars: emitted in front of this */
   uint8_t mask;
   struct sgc_operand bound[2][4]; /* by source and position */
   uint8_t bound_mask[2];
   nir_ssa_def *member[4]; /* of scalars, by component */
   int reg;
   struct sgc_group *next; /* that is emitted at the same place */
};

enum sgc_plan_kind {
   SGC_PLAN_NONE, /* emits nothing: unused, or read by its users as an operand */
   SGC_PLAN_EMIT,
   SGC_PLAN_SAT,      /* fsat: emits the plan `inner`, saturated */
   SGC_PLAN_FOLDED,   /* emitted by the SGC_PLAN_SAT that reads it */
   SGC_PLAN_MEMBER,   /* computed by its group's operation */
   SGC_PLAN_IN_PLACE, /* a store whose value is computed in the output */
};

/* The plan's decision for one NIR instruction, or for the if after a block. */
struct sgc_plan {
   enum sgc_plan_kind kind;

   /* arithmetic and conditions */
   uint16_t op;
   uint8_t cond;
   uint8_t neg, abs; /* masks: modifiers of the sources themselves */
   bool sat;
   bool invert;             /* of conditions: the guard is the complement */
   uint8_t done_mask;       /* of vectors: components written by others */
   struct sgc_group *group; /* of vectors and members */
   struct sgc_group *first; /* of groups of scalars that are emitted before this instruction */
   struct sgc_plan *inner;
   nir_ssa_def *inner_def;

   /* operands, in the order of emission */
   unsigned num_srcs;
   struct sgc_operand *srcs;
   uint32_t read;           /* srcs that the emission has read */
   struct sgc_index *index; /* of inputs, outputs, constants, banks, units, bindings */
   uint32_t offset;         /* of memory: bytes, added to the address */

   unsigned phi_reg; /* of phis: the copies' register, plus 1 */
   struct sgc_tex_plan *tex;
};

#define SGC_OPEN_GROUPS 64
#define SGC_GROUP_OPS 4 /* LIT, LOG, EXP, DST */

struct sgc_select {
   struct sgc_program *p;
   nir_shader *nir;
   nir_function_impl *impl;
   const struct sgpu_shader_key *key;
   bool opt;

   struct sgc_plan *plans; /* by nir_instr index; of ifs: nir_block end_ip */

   /* by nir_ssa_def index */
   BITSET_WORD *needed; /* some operand reads it */
   struct sgc_location *locations;

   struct util_dynarray groups; /* struct sgc_group * */
   /* The latest groups of scalars by operation, that instructions of open_block may join. */
   struct sgc_open_groups {
      unsigned num, next;
      struct sgc_group *group[SGC_OPEN_GROUPS];
   } open[SGC_GROUP_OPS];
   const nir_block *open_block;

   /* arrays by nir_register index, plus 1 */
   unsigned *arrays;

   /* emission */
   struct sgc_builder b;
   struct sgc_block *block;
   struct sgc_block *loop_end, *loop_continue;
   bool in_loop;
   unsigned next_pred;
   bool fence; /* the next access of memory comes after all earlier ones */

   /* The contents of A0's components in this block. */
   struct sgc_address {
      bool valid;
      nir_ssa_def *def;
      uint8_t comp;
      bool floor;
      int bias;
      unsigned used; /* time of last use */
   } address[4];
   unsigned address_clock;
   unsigned address_busy; /* components that this instruction's operands use */
   bool keep_relative;    /* operands with A0 go through a register */

   /* interface */
   uint8_t input_reg[64];     /* v[] by attribute or varying slot, plus 1 */
   uint64_t inputs_used;      /* bit n: v[n], va[n] */
   uint8_t output_reg[64];    /* o[] by slot, plus 1 */
   uint8_t output_stores[64]; /* number of stores that may reach o[n] */
   bool output_relative;
};

/* Components of 32 bits. */
static inline unsigned
sgc_num_words(const nir_ssa_def *def)
{
   return def->bit_size == 64 ? 2 * def->num_components : def->num_components;
}

/* Vectors of scalars; nir_op_is_vec() counts moves, too. */
static inline bool
sgc_op_is_vec(nir_op op)
{
   return op == nir_op_vec2 || op == nir_op_vec3 || op == nir_op_vec4;
}

/*
 * sgc_operand.c
 */

/* Looks through moves and vectors; nir_ssa_scalar_chase_movs() does not know of
 * sources in NIR registers.
 */
nir_ssa_scalar sgc_chase_movs(nir_ssa_scalar s);
/* n components of def; mods: the user takes sign modifiers. */
void sgc_chase(struct sgc_operand *o, nir_ssa_def *def, const uint8_t *swizzle, unsigned n,
               bool mods);
/* Source s of alu, which takes modifiers if it is a float. */
void sgc_chase_alu(struct sgc_operand *o, const nir_alu_instr *alu, unsigned s, unsigned n);
struct sgc_index sgc_chase_index(nir_ssa_def *def);

/* sgc_select_alu.c: before the plan's operands are read; sets keep_relative. */
void sgc_prepare_relative(struct sgc_select *sel, const struct sgc_plan *plan);
struct sgc_dst sgc_value_dst(struct sgc_select *sel, nir_ssa_def *def);
struct sgc_src sgc_operand_src(struct sgc_select *sel, const struct sgc_operand *o);
/* Operand s of the plan as a source of the machine. */
struct sgc_src sgc_planned_src(struct sgc_select *sel, struct sgc_plan *plan, unsigned s);
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
   unsigned mask;
};

/* Positions pos to pos + n - 1 are components 0 to n - 1 of src. */
void sgc_put(struct sgc_parts *parts, unsigned pos, struct sgc_src src, unsigned n);
/* The operand; absent if it has no positions. */
struct sgc_src sgc_join(struct sgc_select *sel, const struct sgc_parts *parts);

/*
 * sgc_plan.c
 */

void sgc_make_plan(struct sgc_select *sel);

/* Room for `count` operands; the plan's kind becomes SGC_PLAN_EMIT. */
void sgc_plan_begin(struct sgc_select *sel, struct sgc_plan *plan, unsigned count);
/* Records an operand and marks its value as needed. */
void sgc_plan_operand(struct sgc_select *sel, struct sgc_plan *plan, const struct sgc_operand *o);
void sgc_plan_src(struct sgc_select *sel, struct sgc_plan *plan, nir_src src, unsigned n,
                  bool mods);
void sgc_plan_alu_src(struct sgc_select *sel, struct sgc_plan *plan, const nir_alu_instr *alu,
                      unsigned s);
void sgc_plan_immediate(struct sgc_select *sel, struct sgc_plan *plan, uint32_t value);
struct sgc_index *sgc_plan_index(struct sgc_select *sel, nir_src src);
/* Records a comparison with a predicate as its result. */
void sgc_plan_condition(struct sgc_select *sel, struct sgc_plan *plan, nir_src src);

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

/* The condition of the if that follows the block. */
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

/* The only reader of def, or NULL. */
nir_instr *sgc_single_user(const nir_ssa_def *def);
bool sgc_has_location(const struct sgc_select *sel, const nir_ssa_def *def);
/* Gives values that are read by this vector only the location of its components.
 * `skip` and the plan's done_mask are masks of the vector's components.
 */
void sgc_locate_parts(struct sgc_select *sel, nir_alu_instr *vec, unsigned skip);
/* Gives a store's value the location of the output if nothing else reads it and
 * the store always happens; returns whether it did.
 */
bool sgc_locate_in_output(struct sgc_select *sel, nir_intrinsic_instr *store);

/*
 * sgc_match.c
 */

bool sgc_match_vector(struct sgc_select *sel, nir_alu_instr *vec);
bool sgc_match_scalar(struct sgc_select *sel, nir_alu_instr *alu);

/*
 * sgc_interface.c
 */

void sgc_assign_interface(struct sgc_select *sel);
/* The system value that holds a pixel input, and its component; -1: none. */
int sgc_sysval_of_varying(unsigned location, unsigned *comp);

/*
 * sgc_select_io.c
 */

/* Loads that their users read as an operand. */
bool sgc_is_operand_load(const nir_intrinsic_instr *intr);
struct sgc_src sgc_load_operand(struct sgc_select *sel, nir_intrinsic_instr *intr);
/* The load_barycentric intrinsic of a load_interpolated_input. */
static inline nir_intrinsic_instr *
sgc_barycentric_of(const nir_intrinsic_instr *load)
{
   return nir_instr_as_intrinsic(load->src[0].ssa->parent_instr);
}
/* o[] of a store (of its first slot when the offset varies), or -1 when the
 * machine has none; its components move up by *shift.
 */
int sgc_output_index(struct sgc_select *sel, const nir_intrinsic_instr *store, unsigned *shift);

void sgc_plan_store_output(struct sgc_select *sel, nir_intrinsic_instr *intr,
                           struct sgc_plan *plan);
void sgc_emit_store_output(struct sgc_select *sel, nir_intrinsic_instr *intr,
                           struct sgc_plan *plan);
/* sgc_select_tess.c */
/* load_output, store_output of a patch's own outputs. */
bool sgc_is_patch_access(const struct sgc_select *sel, const nir_intrinsic_instr *intr);
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
/* A recorded address in bytes as a register and a constant offset. */
struct sgc_src sgc_planned_address(struct sgc_select *sel, struct sgc_plan *plan, unsigned s,
                                   uint32_t *offset);

/*
 * sgc_alu_info.c
 */

/* A NIR operation as one of the machine: the sources are NIR's, with modifiers
 * of their own, and perhaps a last one that is a literal.  op 0: there is none.
 */
struct sgc_alu_info {
   uint16_t op;
   uint8_t cond;
   uint8_t neg, abs; /* masks of sources */
   bool sat;
   bool has_imm;
   uint32_t imm;
};
const struct sgc_alu_info *sgc_alu_info(nir_op op);
/* For a comparison of two sources, the machine's with the result 1.0 or 0.0, or a
 * predicate; SGPU_OP_NOP: there is none.
 */
enum sgpu_opcode sgc_compare_to_float(nir_op op);
enum sgpu_opcode sgc_compare_to_predicate(const nir_alu_instr *alu);
/* Whether the result may go to any components of a register. */
bool sgc_alu_can_write_anywhere(const nir_alu_instr *alu);

/*
 * sgc_select_alu.c
 */

void sgc_select_alu(struct sgc_select *sel, nir_alu_instr *alu);
/* Sets a predicate to the condition; the guard holds where it does. */
struct sgpu_guard sgc_select_condition(struct sgc_select *sel, struct sgc_plan *plan);

/*
 * sgc_select_memory.c
 */

void sgc_plan_memory(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan);
void sgc_emit_memory(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan);
/* Of buffers and images. */
void sgc_plan_size(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan);
void sgc_emit_buffer_size(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan);
void sgc_emit_barrier(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan);

/* A binding as the instruction's unit; loads its address first. */
struct sgc_binding {
   uint8_t unit;
   bool urel;
   uint8_t urelcomp;
};
struct sgc_binding sgc_load_binding(struct sgc_select *sel, const struct sgc_index *index);
/* Gives an instruction on memory its binding and its place among the barriers. */
void sgc_finish_memory(struct sgc_select *sel, struct sgc_instr *instr,
                       const struct sgc_binding *binding);
/* The machine's operation of an atomic intrinsic; -1: it is none, or has none. */
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

bool sgc_alu_is_wide(const nir_alu_instr *alu);
/* Of an operation with 64-bit values; op 0: there is none. */
const struct sgc_alu_info *sgc_wide_info(const nir_alu_instr *alu);
void sgc_plan_wide_alu(struct sgc_select *sel, nir_alu_instr *alu, struct sgc_plan *plan);
void sgc_emit_pack(struct sgc_select *sel, struct sgc_plan *plan, struct sgc_dst dst,
                   const struct sgc_location *at);
/* Source s of a pair operation with one result, from the value at src. */
struct sgc_src sgc_pair_source(enum sgpu_opcode op, unsigned s, struct sgc_src src);

/*
 * sgc_select_tex.c
 */

/* enum sgpu_tex_target, or -1. */
int sgc_tex_target(enum glsl_sampler_dim dim, bool is_array);

void sgc_plan_tex(struct sgc_select *sel, nir_tex_instr *tex);
void sgc_select_tex(struct sgc_select *sel, nir_tex_instr *tex);

#endif
