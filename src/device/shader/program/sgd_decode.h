/* SPDX-License-Identifier: MIT */
/*
 * Programs: decoded programs, which the interpreter executes and the translator reads.  The decoder
 * makes all decisions that do not depend on data: the handler, the address of each component of
 * each operand, and an order in which components can be written without overwriting a source.
 *
 * Operands and results are byte offsets in the register file of a warp (struct sgd_file_layout).
 * An operand that is not directly usable (because of relative addressing, a modifier that the
 * handler does not apply, or a constant that it cannot broadcast) is first computed into an operand
 * slot of the register file, and the offset is that of the slot.
 */
#ifndef SGD_DECODE_H
#define SGD_DECODE_H

#include "shader/program/sgd_code.h"
#include "common/sgd_shader.h"

enum sgd_ins_kind {
   SGD_INS_ALU,  /* arithmetic with a result in registers */
   SGD_INS_PRED, /* arithmetic with a result in predicates */
   SGD_INS_TEX,
   SGD_INS_LDC,
   SGD_INS_LDL,
   SGD_INS_STL,
   SGD_INS_LDV,
   SGD_INS_LDO,
   SGD_INS_LDP,
   SGD_INS_STP,
   SGD_INS_LDT,
   SGD_INS_IPA,
   SGD_INS_SUBGROUP,
   SGD_INS_CLK,
   SGD_INS_STORAGE, /* buffers and shared memory */
   SGD_INS_IMAGE,
   SGD_INS_BAR,
   SGD_INS_EMIT,
   SGD_INS_CUT,
   SGD_INS_NOP,
   SGD_INS_BRA,
   SGD_INS_SSY,
   SGD_INS_SYNC,
   SGD_INS_PBK,
   SGD_INS_BRK,
   SGD_INS_PCNT,
   SGD_INS_CONT,
   SGD_INS_EXIT,
   SGD_INS_KIL,
   SGD_INS_DMT,
   SGD_INS_END, /* after the last instruction */
};

/* Without flags, if no lane's registers must be kept, an ALU instruction is just its handler. */
enum sgd_ins_flags {
   SGD_INS_GUARD = 1 << 0,
   SGD_INS_GUARD_NOT = 1 << 1,
   SGD_INS_LOAD = 1 << 2, /* some sources must be computed into operand slots */
   SGD_INS_SAT = 1 << 3,
   SGD_INS_HAZARD = 1 << 4, /* the result overwrites sources before all are read */
   SGD_INS_REL_DST = 1 << 5,
   SGD_INS_QUAD = 1 << 6, /* reads other lanes of the quad */
};

/* Offsets of a component of the result, and of the source components that it is computed from.
 * Operations on whole vectors instead have a and b by position in the source, and d by component of
 * the result.
 */
struct sgd_comp {
   uint32_t d, a, b, c;
};

struct sgd_ins {
   uint8_t kind;  /* enum sgd_ins_kind */
   uint8_t flags; /* enum sgd_ins_flags */
   uint8_t num_comps;
   uint8_t guard; /* predicate of the guard: 4 * register + component */
   uint16_t handler;
   uint16_t run; /* number of instructions from this one on that consist only of their handlers */
   struct sgd_comp comp[4];
   uint8_t dcomp[4];                  /* component of the result that comp[n].d is */
   uint8_t load[3];                   /* mask of positions to load, for each source */
   uint8_t mask;                      /* write mask */
   uint32_t and_mask[3], xor_mask[3]; /* modifiers, for handlers that apply them */
   uint32_t reg;                      /* offset of the destination register */
   /* branches: target; TEX: index in `tex`; EMITV, CUT: vertex stream; IPA: input components */
   uint32_t target;
   /* 1 plus the index of the region that starts here, or 0.  The translator may write this member
    * while the interpreter reads the others.
    */
   uint32_t native;
};

/* The interpreter's form of a program. */
struct sgd_interp {
   struct sgd_code code;     /* must be the first member */
   struct sgd_ins *ins;      /* num_instrs instructions and END */
   struct sgpu_instr *instr; /* num_instrs instructions, with sources in the order of comp[] */
   struct sgd_tex_op *tex;
   struct sgd_translation *translation; /* NULL if the program is not translated */
   struct sgd_heat *heat;               /* counts instructions in sgd_warm_up(), or NULL */
};

/* Returns word `comp` of the literal c[c].  c must be at least shader->literal_base. */
static inline uint32_t
sgd_literal_word(const struct sgd_shader *shader, uint32_t c, unsigned comp)
{
   const uint32_t literal = c - shader->literal_base;
   return literal < shader->num_literals
             ? shader->words[4 * ((size_t)shader->num_instrs + literal) + comp]
             : 0;
}

static inline uint32_t
sgd_reg_offset(const struct sgd_file_layout *layout, enum sgpu_file file, unsigned index,
               unsigned comp)
{
   return layout->base[file] + index * (uint32_t)sizeof(struct sgd_vec) +
          comp * (uint32_t)sizeof(uint32_t[SGD_WARP]);
}

/* Returns the offset of the operand slot for position p of source s. */
static inline uint32_t
sgd_operand_offset(const struct sgd_file_layout *layout, unsigned s, unsigned p)
{
   return layout->operand + s * (uint32_t)sizeof(struct sgd_vec) +
          p * (uint32_t)sizeof(uint32_t[SGD_WARP]);
}

/* Returns the interpreter's form of a checked program, or NULL if out of memory. */
struct sgpu_program;
struct sgd_code *sgd_decode(const struct sgpu_program *program, sgd_execute_fn *interpret);

/* Finds the components to preset: those that a path reads, or leaves as a result, without writing
 * them before.  Returns false if out of memory.
 */
bool sgd_find_presets(const struct sgpu_program *program, struct sgd_interp *interp);

/* Handlers (gen_interp.py): one for each operation, condition and zmul bit, with variants for
 * constant sources and for modifiers.
 */
struct sgd_variant {
   uint16_t opcode;
   uint8_t zmul, cond;
   uint8_t consts; /* bit s is set if source s must be a broadcast constant */
   bool mods;      /* applies and_mask and xor_mask */
   bool sat;
   uint16_t handler;
};

extern const struct sgd_variant sgd_variants[];
extern const unsigned sgd_num_variants;

/* Returns true if the first two sources of an operation may be swapped. */
bool sgd_op_commutes(unsigned opcode);

#endif
