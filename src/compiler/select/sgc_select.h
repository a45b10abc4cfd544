/* SPDX-License-Identifier: MIT */
/*
 * Instruction selection, internal interface. It makes two passes over SSA NIR.
 *
 * Planning walks backwards from instructions with side effects. For each NIR instruction, it
 * records in a sgc_plan:
 *
 *    - the hardware opcode and its operands
 *    - values that are folded into their users: source modifiers, swizzles, saturation,
 *      multiply-add, composite operations
 *    - the location that the value is computed in: a register, components of the vector that it's
 *      part of, or an output
 *
 * Emission walks forwards and emits the planned operations. It only reads values through recorded
 * operands, so it can't read a value that planning didn't mark as needed.
 *
 * Apart from ALU instructions, both phases for an instruction class are in the same file:
 *
 *    sgc_select.c           entry point; emission of blocks and control flow
 *    sgc_plan.c             planning; planning of conditions and phis
 *    sgc_plan_operand.c     operand planning
 *    sgc_plan_alu.c         ALU planning
 *    sgc_plan_locations.c   parts of vectors and outputs that are computed in place
 *    sgc_match.c            composite operations (LIT, EXP, LOG, DST)
 *    sgc_pattern.c          patterns for composite operations
 *    sgc_alu_info.c         table of NIR ALU opcodes
 *    sgc_wide_info.c        table of 64-bit NIR ALU opcodes
 *    sgc_select_alu.c       ALU and condition emission
 *    sgc_select_wide.c      64-bit ALU
 *    sgc_select_intrinsic.c table of intrinsics; constants, scratch, discard, geometry
 *    sgc_select_array.c     local arrays, i.e. NIR registers
 *    sgc_load_operand.c     inputs, uniforms and system values used as operands
 *    sgc_select_io.c        output stores; inputs that need an instruction
 *    sgc_select_pixel.c     framebuffer fetch, interlock, derivatives
 *    sgc_select_subgroup.c  votes, ballots, reductions; shader clock
 *    sgc_select_tess.c      per-patch and per-vertex tessellation outputs
 *    sgc_select_tex.c       texture operations
 *    sgc_select_memory.c    SSBOs, shared memory, barriers
 *    sgc_select_image.c     images
 *    sgc_interface.c        register assignment for shader inputs and outputs
 *    sgc_chase.c            resolves a NIR source to the value it reads
 *    sgc_operand.c          turns that value into a hardware source
 *    sgc_operand_parts.c    hardware sources that combine several NIR sources
 */
#ifndef SGC_SELECT_H
#define SGC_SELECT_H

#include "ir/sgc_builder.h"
#include "select/sgc_alu_info.h"

struct sgc_index;

/* An operand, i.e. the value that a NIR source reads after looking through moves, negations and
 * absolute values. Position i is component swizzle[i] of a value, or a literal. A 64-bit scalar has
 * two components, low word first.
 */
struct sgc_operand {
   nir_def *def; /* value, valid if `literal` is not set */
   uint8_t swizzle[4];
   uint8_t num;     /* number of positions in use */
   uint8_t view;    /* SGPU_SWIZZLE() that the user applies to the positions */
   bool neg, abs;   /* source modifiers; for doubles, they apply to the high word */
   bool literal;    /* set if the operand is the literal `imm` */
   uint32_t imm[4]; /* value of the literal in each position, with modifiers already applied */
};

/* An indirect index of the form A0.comp + offset, where A0.comp is loaded with value + bias.
 * Constants added to the index in NIR are folded into `offset` or `bias`.
 */
struct sgc_index {
   nir_def *def;             /* variable part of the index, or NULL if it's constant */
   uint8_t comp;             /* component of `def` */
   bool floor;               /* set if `def` is a float; the index is then its floor */
   int bias;                 /* constant that is added before A0 is loaded */
   int offset;               /* constant in the operand, from -512 to 511 unless `def` is NULL */
   struct sgc_operand value; /* component `comp` of `def`, as an operand */
};

/* The register that a value is computed in. Component i of the value is component comp[i] of the
 * register.
 */
struct sgc_location {
   bool valid;   /* set if the value has a location */
   uint8_t file; /* SGPU_FILE_TEMP or SGPU_FILE_OUTPUT */
   int index;    /* register index */
   uint8_t comp[4];
};

/* A composite operation (LIT, EXP, LOG, DST) that replaces several NIR instructions. It writes
 * either components of the vector `at`, or a register that contains the values of scalar
 * instructions, which are the members of the group.
 */
struct sgc_group {
   enum sgpu_opcode op;
   bool vector; /* set if the operation writes components of a vector */
   /* Set if the operation will be emitted. That is only worthwhile if it has a key component. */
   bool used;
   /* the vector or, for scalars, the instruction that the operation is emitted before */
   nir_alu_instr *at;
   uint8_t mask;                   /* writemask */
   struct sgc_operand bound[2][4]; /* scalar operands, indexed by source and position */
   /* for each source, a bitmask of the positions that have an operand */
   uint8_t bound_mask[2];
   /* for each component of the result, the scalar that it contains, or NULL */
   nir_def *member[4];
   int reg;                /* scalars only: virtual register of the result */
   struct sgc_group *next; /* next group that is emitted before the same instruction, or NULL */
};

enum sgc_plan_kind {
   SGC_PLAN_NONE,     /* emit nothing: the value is unused or read as an operand */
   SGC_PLAN_EMIT,     /* emit the planned operation */
   SGC_PLAN_SAT,      /* fsat: emit the operation of `inner` with saturation */
   SGC_PLAN_FOLDED,   /* emit nothing: this is the `inner` of an SGC_PLAN_SAT */
   SGC_PLAN_MEMBER,   /* emit nothing: the operation of `group` computes the value */
   SGC_PLAN_IN_PLACE, /* emit nothing: the stored value is computed directly in the output */
};

/* The plan for a NIR instruction, or for the condition of the if that follows a block. */
struct sgc_plan {
   enum sgc_plan_kind kind;

   /* ALU and conditions */
   uint16_t op;  /* enum sgpu_opcode */
   uint8_t cond; /* enum sgpu_cond */
   /* Bitmasks of sources that need a modifier because of the NIR opcode itself, e.g. fsub. They're
    * applied on top of the modifiers of the operands.
    */
   uint8_t neg, abs;
   bool sat;          /* set to clamp the result to [0, 1] */
   bool invert;       /* conditions: inverted predicate */
   uint8_t done_mask; /* vectors: bitmask of components that other instructions write in place */
   struct sgc_group *group; /* vectors and members: group that computes the value, or NULL */
   struct sgc_group *first; /* list of the scalar groups that are emitted before this instruction */
   struct sgc_plan *inner;  /* SGC_PLAN_SAT: plan of the saturated instruction */
   nir_def *inner_def;      /* SGC_PLAN_SAT: result of that instruction */

   /* operands, in emission order */
   unsigned num_srcs;
   struct sgc_operand *srcs;
   uint32_t read; /* bitmask of the operands in srcs[] that emission has read */
   /* index of the input, output, constant, bank, unit or binding that is accessed */
   struct sgc_index *index;
   uint32_t offset; /* memory: constant that is added to the address, in bytes */

   /* phis: 1 + index of the register that the predecessors copy to, or 0 */
   unsigned phi_reg;
   struct sgc_tex_plan *tex; /* texture operations only */
};

#define SGC_OPEN_GROUPS 64
#define SGC_GROUP_OPS 4 /* LIT, LOG, EXP, DST */

/* Where the device interpolates an input before the program runs. */
enum sgc_place {
   SGC_PLACE_PIXEL,
   SGC_PLACE_SAMPLE,
   SGC_PLACE_CENTROID,
   SGC_PLACE_OTHER, /* for loads: the program computes the interpolation */
};

struct sgc_select {
   struct sgc_program *p;
   nir_shader *nir;
   nir_function_impl *impl;
   const struct sgpu_shader_key *key;
   bool opt; /* enable optimizations */

   /* Plans, indexed by nir_instr::index. The plan for the condition of an if has the index end_ip
    * of the preceding block.
    */
   struct sgc_plan *plans;

   /* by nir_def index */
   BITSET_WORD *needed; /* bitset of the values that some operand reads */
   struct sgc_location *locations;

   struct util_dynarray groups; /* array of struct sgc_group *: all composite operations */
   /* For each composite operation, a ring buffer of the most recent groups in `open_block`, which
    * more scalar instructions can join. num: number of groups; next: index of the next insertion.
    */
   struct sgc_open_groups {
      unsigned num, next;
      struct sgc_group *group[SGC_OPEN_GROUPS];
   } open[SGC_GROUP_OPS];
   const nir_block *open_block;

   /* for the result of each decl_reg, the index into sgc_program::arrays */
   unsigned *arrays;

   /* emission */
   struct sgc_builder b;
   struct sgc_block *block;                    /* current block */
   struct sgc_block *loop_end, *loop_continue; /* break and continue targets, or NULL */
   bool in_loop;
   /* number of conditions so far, which determines the next predicate register */
   unsigned next_pred;
   /* Set if there was a barrier, so that the next memory access needs the fence bit. */
   bool fence;

   /* Current contents of the components of A0. The fields match those of sgc_index. */
   struct sgc_address {
      bool valid;
      nir_def *def;
      uint8_t comp;
      bool floor;
      int bias;
      unsigned used; /* value of address_clock at the last use */
   } address[4];
   unsigned address_clock; /* number of address uses so far */
   unsigned address_busy;  /* bitmask of the A0 components that the current instruction uses */
   bool keep_relative;     /* set to copy operands that use A0 to registers first */

   /* interface */
   /* For each attribute or varying slot, 1 + index into v[], or 0. The second array is for the second
    * halves of attributes with two slots (dvec3 and dvec4).
    */
   uint8_t input_reg[2][64];
   uint8_t input_place[64];   /* fragment shaders: enum sgc_place of each slot */
   uint8_t input_mode[64];    /* fragment shaders: 1 + enum glsl_interp_mode of each slot, or 0 */
   uint64_t inputs_used;      /* bitmask of the registers v[] or va[] in use */
   uint8_t output_reg[64];    /* for each varying slot, 1 + index into o[], or 0 */
   uint8_t output_stores[64]; /* for each o[], the number of stores that can write it */
   bool output_relative;      /* set if some outputs are indirectly indexed */
};

/* Returns the size of a value in 32-bit words. */
static inline unsigned
sgc_num_words(const nir_def *def)
{
   return def->bit_size == 64 ? 2 * def->num_components : def->num_components;
}

/* Returns true for vec2, vec3 and vec4. Unlike nir_op_is_vec(), this excludes nir_op_mov. */
static inline bool
sgc_op_is_vec(nir_op op)
{
   return op == nir_op_vec2 || op == nir_op_vec3 || op == nir_op_vec4;
}

/*
 * sgc_chase.c
 */

/* Sets *o to an operand that reads n components of `def` with the given swizzle (NULL for
 * identity). If `mods` is set, the user of the operand supports the neg and abs modifiers, so fneg
 * and fabs can be folded into the operand.
 */
void sgc_chase(struct sgc_operand *o, nir_def *def, const uint8_t *swizzle, unsigned n, bool mods);
/* Sets *o to an operand that reads n components of source s of `alu`. */
void sgc_chase_alu(struct sgc_operand *o, const nir_alu_instr *alu, unsigned s, unsigned n);
/* Splits an index into a variable and a constant part. */
struct sgc_index sgc_chase_index(nir_def *def);
/* Adds modulo 2^32, like NIR does. */
static inline int
sgc_index_add(int a, uint32_t b)
{
   return (int)((uint32_t)a + b);
}

/*
 * sgc_operand.c
 */

/* Decides whether operands that use A0 must be copied to registers, and sets keep_relative
 * accordingly. Must be called before any operand of the plan is read.
 */
void sgc_prepare_relative(struct sgc_select *sel, const struct sgc_plan *plan);
/* Returns the destination for a value. Allocates a location if the value doesn't have one yet. */
struct sgc_dst sgc_value_dst(struct sgc_select *sel, nir_def *def);
/* Returns the hardware source for an operand. May emit instructions that load A0 or that copy the
 * operand to a register.
 */
struct sgc_src sgc_operand_src(struct sgc_select *sel, const struct sgc_operand *o);
/* Returns the hardware source for operand s of the plan, and marks it as read. */
struct sgc_src sgc_planned_src(struct sgc_select *sel, struct sgc_plan *plan, unsigned s);
/* Returns operand s of the plan, which is an address, as a hardware source. If the address is a
 * small constant, stores it in *offset instead, and returns a source with the file SGPU_FILE_NONE.
 * Otherwise, sets *offset to 0.
 */
struct sgc_src sgc_planned_address(struct sgc_select *sel, struct sgc_plan *plan, unsigned s,
                                   uint32_t *offset);
/* Splits base + index into a constant between min and max, which is returned, and a remainder,
 * which is left in `index`. The constant is base + index->offset, just `base`, or 0. If the index
 * is constant and out of range, the remainder is a value that is out of range for all register
 * files and bindings.
 */
int sgc_fit_index(struct sgc_index *index, int base, int min, int max);
/* Returns true if the index left by sgc_fit_index() needs a component of A0. */
bool sgc_is_relative(const struct sgc_index *index);
/* Returns the component of A0 that contains the index. Loads the index if no component contains it
 * yet.
 */
unsigned sgc_load_address(struct sgc_select *sel, const struct sgc_index *index);

/*
 * sgc_operand_parts.c
 */

/* An operand that is assembled from scalars. Position i of the operand is piece[i]. */
struct sgc_parts {
   struct sgc_src piece[4];
   unsigned mask; /* bitmask of positions that are set */
};

/* Sets positions pos to pos + n - 1 to components 0 to n - 1 of src. */
void sgc_put(struct sgc_parts *parts, unsigned pos, struct sgc_src src, unsigned n);
/* Returns the assembled operand, whose file is SGPU_FILE_NONE if no position is set. */
struct sgc_src sgc_join(struct sgc_select *sel, const struct sgc_parts *parts);

/*
 * sgc_plan.c
 */

/* Plans the whole shader. */
void sgc_make_plan(struct sgc_select *sel);
/* Plans a comparison that writes the condition to a predicate. */
void sgc_plan_condition(struct sgc_select *sel, struct sgc_plan *plan, nir_src src);

/*
 * sgc_plan_operand.c
 */

/* Sets the plan's kind to SGC_PLAN_EMIT and allocates space for `count` operands. */
void sgc_plan_begin(struct sgc_select *sel, struct sgc_plan *plan, unsigned count);
/* Adds an operand to the plan and marks its value as needed. */
void sgc_plan_operand(struct sgc_select *sel, struct sgc_plan *plan, const struct sgc_operand *o);
void sgc_plan_src(struct sgc_select *sel, struct sgc_plan *plan, nir_src src, unsigned n,
                  bool mods);
void sgc_plan_alu_src(struct sgc_select *sel, struct sgc_plan *plan, const nir_alu_instr *alu,
                      unsigned s);
void sgc_plan_immediate(struct sgc_select *sel, struct sgc_plan *plan, uint32_t value);
/* Allocates an index and marks its variable part as needed. */
struct sgc_index *sgc_plan_index(struct sgc_select *sel, nir_src src);

/* Mark a value as needed because an operand reads it. */
void sgc_need(struct sgc_select *sel, const struct sgc_operand *o);
void sgc_need_def(struct sgc_select *sel, nir_def *def);
static inline bool
sgc_is_needed(const struct sgc_select *sel, const nir_def *def)
{
   return BITSET_TEST(sel->needed, def->index);
}

static inline struct sgc_plan *
sgc_plan_of(struct sgc_select *sel, const nir_instr *instr)
{
   return &sel->plans[instr->index];
}

static inline struct sgc_plan *
sgc_plan_of_def(struct sgc_select *sel, const nir_def *def)
{
   return sgc_plan_of(sel, def->parent_instr);
}

/* Returns the plan for the condition of the if that follows the block. */
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

/* Returns the only instruction that uses `def`, or NULL if there are several users or an if uses
 * it.
 */
nir_instr *sgc_single_user(const nir_def *def);
static inline bool
sgc_has_location(const struct sgc_select *sel, const nir_def *def)
{
   return sel->locations[def->index].valid;
}
/* If a vector is the only user of a value, makes the defining instruction write its components of
 * the vector in place. Sets the plan's done_mask to all of these components and the ones in `skip`.
 */
void sgc_locate_parts(struct sgc_select *sel, nir_alu_instr *vec, unsigned skip);
/* If the store is unconditional and the only user of its value, makes the defining instruction
 * write the output directly. Returns true on success.
 */
bool sgc_locate_in_output(struct sgc_select *sel, nir_intrinsic_instr *store);

/*
 * sgc_match.c
 */

/* Try to compute components of a vector, or a scalar, with a composite operation. Return true on
 * success.
 */
bool sgc_match_vector(struct sgc_select *sel, nir_alu_instr *vec);
bool sgc_match_scalar(struct sgc_select *sel, nir_alu_instr *alu);

/*
 * sgc_interface.c
 */

/* Assigns registers to the inputs and outputs of the shader. */
void sgc_assign_interface(struct sgc_select *sel);
/* Returns the system value that contains a fragment shader input, and sets *comp to the first
 * component. Returns -1 if the input is a varying.
 */
int sgc_sysval_of_varying(unsigned location, unsigned *comp);
/* Returns the index into o[] for a store, or the index of its first slot if the store is indirect.
 * Returns -1 if the hardware doesn't have this output. Sets *shift to the component of o[] that the
 * first component of the value is stored to.
 */
int sgc_output_index(struct sgc_select *sel, const nir_intrinsic_instr *store, unsigned *shift);
/* Returns where a load_interpolated_input interpolates the input: the place of its slots if loads can
 * read the result of the interpolation as an operand, and SGC_PLACE_OTHER if the load needs an
 * instruction.
 */
enum sgc_place sgc_place_of(const struct sgc_select *sel, const nir_intrinsic_instr *load);
/* Returns true for load_output and store_output intrinsics that access a per-patch output. */
bool sgc_is_patch_access(const struct sgc_select *sel, const nir_intrinsic_instr *intr);

/*
 * sgc_load_operand.c
 */

/* Returns true if a load doesn't need an instruction because its users read it as an operand. */
bool sgc_is_operand_load(const struct sgc_select *sel, const nir_intrinsic_instr *intr);
/* Returns the hardware source for a load that sgc_is_operand_load() accepts. */
struct sgc_src sgc_load_operand(struct sgc_select *sel, nir_intrinsic_instr *intr);
/* Returns the v[] operand that an input load reads. The first loaded component is in position x. */
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
void sgc_plan_derivative(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan);
void sgc_emit_derivative(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan);
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
 * sgc_select_array.c
 */

/* Creates the arrays of the program. */
void sgc_make_arrays(struct sgc_select *sel);
void sgc_plan_load_array(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan);
void sgc_emit_load_array(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan);
void sgc_plan_store_array(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan);
void sgc_emit_store_array(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan);

/*
 * sgc_select_alu.c
 */

/* Swizzles a source of a componentwise operation whose n-component result is written to the
 * location `at`. Position i of the source moves to position at->comp[i], where result component i
 * is.
 */
struct sgc_src sgc_spread(struct sgc_src src, const struct sgc_location *at, unsigned n);
void sgc_select_alu(struct sgc_select *sel, nir_alu_instr *alu);
/* Emits a comparison that writes a predicate. Returns a guard for instructions that must only
 * execute if the condition is true.
 */
struct sgpu_guard sgc_select_condition(struct sgc_select *sel, struct sgc_plan *plan);

/*
 * sgc_select_memory.c
 */

void sgc_plan_memory(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan);
void sgc_emit_memory(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan);
/* Plans a buffer or image size query. */
void sgc_plan_size(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan);
void sgc_emit_buffer_size(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan);
void sgc_emit_barrier(struct sgc_select *sel, nir_intrinsic_instr *intr, struct sgc_plan *plan);

/* Unit index of a buffer or image. The members are the same as in struct sgc_instr. */
struct sgc_binding {
   uint8_t unit;
   bool urel;
   uint8_t urelcomp;
};
/* Returns the unit of a buffer or image with the given index. Loads A0 if the index isn't constant.
 */
struct sgc_binding sgc_load_binding(struct sgc_select *sel, const struct sgc_index *index);
/* Sets the unit and the fence bit of a memory instruction. `binding` is NULL if the instruction has
 * no unit.
 */
void sgc_finish_memory(struct sgc_select *sel, struct sgc_instr *instr,
                       const struct sgc_binding *binding);
/* Sets the atomic operation of a memory instruction. */
void sgc_set_atomic_op(struct sgc_select *sel, struct sgc_instr *instr,
                       const nir_intrinsic_instr *intr);

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
/* Returns source s of a pair operation, given a source that contains the value in its first
 * positions.
 */
struct sgc_src sgc_pair_source(enum sgpu_opcode op, unsigned s, struct sgc_src src);

/*
 * sgc_select_tex.c
 */

/* Returns the enum sgpu_tex_target for a sampler dimension, or -1 if it's unsupported. */
int sgc_tex_target(enum glsl_sampler_dim dim, bool is_array);

void sgc_plan_tex(struct sgc_select *sel, nir_tex_instr *tex);
void sgc_select_tex(struct sgc_select *sel, nir_tex_instr *tex);

#endif
