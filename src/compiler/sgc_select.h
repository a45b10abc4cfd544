/* SPDX-License-Identifier: MIT */
/*
 * Instruction selection, inside: two walks over SSA NIR.
 *
 * The plan (sgc_plan.c, sgc_match.c) goes backwards from what has effects.  It
 * finds which values are needed in a register of their own, what is folded
 * into its user (source modifiers, swizzles, saturate, products of sums, the
 * machine's composite operations), and where each value lives: a register of
 * its own, some components of the vector that it is a part of, or an output.
 *
 * The emission (sgc_select*.c) goes forwards and writes the instructions.
 */
#ifndef SGC_SELECT_H
#define SGC_SELECT_H

#include "sgc_builder.h"

/* An operand as NIR has it, behind moves, negations and absolute values:
 * component swizzle[i] of def, or a literal.
 */
struct sgc_operand {
   nir_ssa_def *def;
   uint8_t swizzle[4];
   bool neg, abs;
   bool literal;
   uint32_t imm[4];      /* by position, modifiers done */
};

/* Where a value lives: component i in component comp[i] of a register. */
struct sgc_value {
   bool valid;
   uint8_t file;         /* TEMP or OUTPUT */
   int index;
   uint8_t comp[4];
};

/* What an instruction of NIR has become in the plan. */
enum sgc_plan_kind {
   SGC_PLAN_NONE,        /* not needed, or folded into its users */
   SGC_PLAN_PLAIN,       /* emitted as it is */
   SGC_PLAN_SAT,         /* fsat: its source's operation, saturated */
   SGC_PLAN_MAD,         /* fadd or iadd with the product at source `factor` */
   SGC_PLAN_MEMBER,      /* computed by its group's operation */
};

/* A composite operation (LIT, EXP, LOG, DST). */
struct sgc_group {
   enum sgpu_opcode op;
   bool real;            /* false: so far only parts that are no gain alone */
   nir_alu_instr *at;    /* emitted in front of this, or as part of this vector */
   bool vector;          /* writes straight into the vector `at` */
   uint8_t mask;
   struct sgc_operand bound[2][4];   /* by source and position */
   uint8_t bound_mask[2];
   nir_ssa_def *member[4];
   int reg;
};

struct sgc_plan {
   enum sgc_plan_kind kind;
   uint8_t factor;
   uint8_t done_mask;    /* of a vector: components that others write */
   struct sgc_group *group;
};

struct sgc_select {
   struct sgc_program *p;
   nir_shader *nir;
   nir_function_impl *impl;
   const struct sgpu_shader_key *key;
   bool opt;

   /* by nir_ssa_def index */
   BITSET_WORD *needed;
   struct sgc_plan *plan;
   struct sgc_value *values;

   struct util_dynarray groups;       /* struct sgc_group * */

   /* arrays by nir_register index, plus 1 */
   unsigned *arrays;

   /* emission */
   struct sgc_builder b;
   struct sgc_block *block;
   struct sgc_block *loop_end, *loop_continue;
   bool in_loop;
   unsigned next_pred;

   /* What the components of A0 hold in this block. */
   struct sgc_address {
      bool valid;
      nir_ssa_def *def;
      uint8_t comp;
      bool floor;
      int bias;
      unsigned used;                  /* time of last use */
   } address[4];
   unsigned address_clock;
   unsigned address_busy;             /* components that this instruction's operands use */
   bool keep_relative;                /* operands with A0 go through a register */

   /* interface */
   uint8_t input_reg[64];             /* v[] by attribute or varying slot, plus 1 */
   uint64_t inputs_used;              /* bit n: v[n], va[n] */
   uint8_t output_reg[64];            /* o[] by slot, plus 1 */
   uint8_t output_stores[64];         /* number of stores that may reach o[n] */
   bool output_relative;
};

/* Vectors of scalars; NIR's own question counts moves, too. */
static inline bool
sgc_op_is_vec(nir_op op)
{
   return op == nir_op_vec2 || op == nir_op_vec3 || op == nir_op_vec4;
}

/* sgc_operand.c */
/* Behind moves and vectors; unlike NIR's own, it knows of sources in registers. */
nir_ssa_scalar sgc_chase_movs(nir_ssa_scalar s);
void sgc_chase(struct sgc_operand *o, nir_ssa_def *def, const uint8_t *swizzle, unsigned n,
               bool mods);
void sgc_chase_alu(struct sgc_operand *o, const nir_alu_instr *alu, unsigned s, unsigned n,
                   bool mods);
bool sgc_alu_takes_mods(const nir_alu_instr *alu, unsigned s);
/* A value as a source, its register's components in place. */
struct sgc_src sgc_value_src(struct sgc_select *sel, nir_ssa_def *def);
struct sgc_src sgc_operand_src(struct sgc_select *sel, const struct sgc_operand *o, unsigned n);
struct sgc_src sgc_alu_operand(struct sgc_select *sel, const nir_alu_instr *alu, unsigned s,
                               unsigned n, bool mods);
/* A plain NIR source of n components; mods: the operation takes modifiers. */
struct sgc_src sgc_nir_operand(struct sgc_select *sel, nir_src src, unsigned n, bool mods);
struct sgc_dst sgc_value_dst(struct sgc_select *sel, nir_ssa_def *def);

/* An index as A0.comp + offset; what it is behind sums with constants. */
struct sgc_index {
   nir_ssa_def *def;     /* NULL: constant */
   uint8_t comp;
   bool floor;           /* def is a float whose floor is the index */
   int bias;             /* added before it goes to A0 */
   int offset;           /* added to A0, -512 to 511 */
};
struct sgc_index sgc_chase_index(nir_ssa_def *def, unsigned comp);
unsigned sgc_load_address(struct sgc_select *sel, const struct sgc_index *index);

/* sgc_plan.c */
void sgc_make_plan(struct sgc_select *sel);
void sgc_need(struct sgc_select *sel, const struct sgc_operand *o);
static inline bool
sgc_is_needed(const struct sgc_select *sel, const nir_ssa_def *def)
{
   return BITSET_TEST(sel->needed, def->index);
}
static inline struct sgc_plan *
sgc_plan_of(struct sgc_select *sel, const nir_ssa_def *def)
{
   return &sel->plan[def->index];
}

/* sgc_plan_homes.c */
/* The only reader of def, or NULL. */
nir_instr *sgc_single_user(const nir_ssa_def *def);
bool sgc_has_home(const struct sgc_select *sel, const nir_ssa_def *def);
/* Components of a vector that come from values of their own are made in place,
 * where such a value is not part of anything else; `skip` and what is done are
 * masks of the vector's components.
 */
void sgc_give_homes(struct sgc_select *sel, nir_alu_instr *vec, unsigned skip);
/* A store's value is written to the output directly when nothing else reads it
 * and the store always happens.
 */
void sgc_give_output(struct sgc_select *sel, nir_intrinsic_instr *store);

/* sgc_match.c */
bool sgc_match_vector(struct sgc_select *sel, nir_alu_instr *vec);
bool sgc_match_scalar(struct sgc_select *sel, nir_alu_instr *alu);

/* sgc_select_io.c */
void sgc_assign_interface(struct sgc_select *sel);
/* The system value that a pixel input is, and its component; -1: none. */
int sgc_sysval_of_varying(unsigned location, unsigned *comp);
int sgc_output_index(struct sgc_select *sel, const nir_intrinsic_instr *store, unsigned *shift);
void sgc_select_intrinsic(struct sgc_select *sel, nir_intrinsic_instr *intr);
/* Loads that are operands of their users. */
bool sgc_is_operand_load(const nir_intrinsic_instr *intr);
struct sgc_src sgc_load_operand(struct sgc_select *sel, nir_intrinsic_instr *intr);
/* Where load_interpolated_input takes its values: a load_barycentric intrinsic. */
static inline nir_intrinsic_instr *
sgc_place_of(const nir_intrinsic_instr *load)
{
   return nir_instr_as_intrinsic(load->src[0].ssa->parent_instr);
}

/* sgc_alu_info.c */
/* The operation of the machine with the same sources; op 0: there is none. */
struct sgc_alu_info {
   uint16_t op;
   uint8_t cond;
};
const struct sgc_alu_info *sgc_alu_info(nir_op op);
/* Whether the result may go to any components of a register. */
bool sgc_alu_can_write_anywhere(const nir_alu_instr *alu);

/* sgc_select_alu.c */
void sgc_select_alu(struct sgc_select *sel, nir_alu_instr *alu);
/* Sets a predicate to the condition; the guard holds where it does. */
struct sgpu_guard sgc_select_condition(struct sgc_select *sel, nir_src src);

/* sgc_select_tex.c */
void sgc_select_tex(struct sgc_select *sel, nir_tex_instr *tex);

#endif
