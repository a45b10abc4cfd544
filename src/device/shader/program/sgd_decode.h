/* SPDX-License-Identifier: MIT */
/*
 * Programs: decoded programs, which the interpreter executes and the translator compiles. The
 * decoder makes all decisions that don't depend on data: the handler, the address of each operand
 * component, and an order of the components in which no source is overwritten before it is read.
 *
 * Operands and results are byte offsets into the register file of a warp (struct sgd_file_layout).
 * Operands with relative addressing, with a modifier that the handler doesn't apply, or with a
 * constant that the handler can't broadcast are first copied to an operand slot of the register
 * file.
 */
#ifndef SGD_DECODE_H
#define SGD_DECODE_H

#include "shader/program/sgd_code.h"
#include "common/sgd_shader.h"

enum sgd_ins_kind {
   SGD_INS_ALU,  /* arithmetic with a register result */
   SGD_INS_PRED, /* arithmetic with a predicate result */
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
   SGD_INS_STORAGE, /* storage buffers and shared memory */
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
   SGD_INS_END, /* follows the last instruction */
};

/* Flags of an instruction. If no flag is set, and no inactive lane needs its registers, an ALU
 * instruction is executed by a call of its handler.
 */
enum sgd_ins_flags {
   SGD_INS_GUARD = 1 << 0,
   SGD_INS_GUARD_NOT = 1 << 1,
   SGD_INS_LOAD = 1 << 2, /* some sources must be evaluated to operand slots first */
   SGD_INS_SAT = 1 << 3,
   SGD_INS_HAZARD = 1 << 4, /* the result would overwrite sources before they are read */
   SGD_INS_REL_DST = 1 << 5,
   SGD_INS_QUAD = 1 << 6, /* the instruction reads other lanes of the quad */
};

/* Byte offset of a result component (d), and of the source components from which it is computed (a,
 * b, c). In operations on whole vectors, a, b and c are indexed by source position instead, and
 * only d by result component.
 */
struct sgd_comp {
   uint32_t d, a, b, c;
};

struct sgd_ins {
   uint8_t kind;  /* instruction kind (enum sgd_ins_kind) */
   uint8_t flags; /* bitmask of enum sgd_ins_flags */
   uint8_t num_comps;
   uint8_t guard; /* index of the guard predicate, which is 4 * register + component */
   uint16_t handler;
   /* number of instructions, starting at this one, for which it is sufficient to call their
    * handlers
    */
   uint16_t run;
   struct sgd_comp comp[4];
   uint8_t dcomp[4]; /* index of the result component that comp[n].d belongs to */
   /* mask of the positions of each source that must be evaluated to operand slots */
   uint8_t load[3];
   uint8_t mask;                      /* write mask of the destination */
   uint32_t and_mask[3], xor_mask[3]; /* modifiers of each source, if the handler applies them */
   uint32_t reg;                      /* byte offset of the destination register */
   /* Target of a branch, index in sgd_interp.tex (for TEX), vertex stream (for EMITV and CUT), or
    * mask of the input components (for IPAx).
    */
   uint32_t target;
   /* Index of the translated region that starts at this instruction, plus one, or 0 if there is
    * none. The translator may write this member while the interpreter reads the other members.
    */
   uint32_t native;
};

/* Program in the interpreter's representation. */
struct sgd_decoded {
   struct sgd_code code; /* base class, which must be the first member */
   struct sgd_ins *ins;  /* num_instrs instructions, followed by SGD_INS_END */
   /* the num_instrs unpacked instructions, with their sources in the same order as in
    * sgd_ins.comp[]
    */
   struct sgpu_instr *instr;
   struct sgd_tex_op *tex;
   /* Lookups that can have machine code: the texture and the sampler in struct sgd_env, and the kind
    * (enum sgd_lookup_kind). Each has a struct sgd_lookup in the register file.
    */
   struct sgd_lookup_use {
      uint8_t unit, sampler, kind;
   } lookup[SGD_MAX_LOOKUPS];
   unsigned num_lookups;
   /* machine code of the program, or NULL if it has not been translated */
   struct sgd_translation *translation;
   struct sgd_heat *heat; /* counts the instructions that sgd_warm_up() issues; may be NULL */
};

/* Returns component `comp` of literal c[c], where c must be at least shader->literal_base. */
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

/* Returns the byte offset of the operand slot for position p of source s. */
static inline uint32_t
sgd_operand_offset(const struct sgd_file_layout *layout, unsigned s, unsigned p)
{
   return layout->operand + s * (uint32_t)sizeof(struct sgd_vec) +
          p * (uint32_t)sizeof(uint32_t[SGD_WARP]);
}

/* Decodes a validated program. Returns NULL if an allocation fails. */
struct sgpu_program;
struct sgd_code *sgd_decode(const struct sgpu_program *program, sgd_execute_fn *interpret);

/* Finds the register components that must be initialized before the first instruction. These are
 * components that the program can read, or leave as a result, before it has written them. Returns
 * false if an allocation fails.
 */
bool sgd_find_presets(const struct sgpu_program *program, struct sgd_decoded *decoded);

/* An instruction handler, which gen_interp.py generates. There is a handler for each operation,
 * condition and zmul bit, and there are variants for constant sources and for source modifiers.
 */
struct sgd_variant {
   uint16_t opcode;
   uint8_t zmul, cond;
   /* mask of the sources that must be constants, which the handler broadcasts to all lanes */
   uint8_t consts;
   bool mods; /* set if the handler applies and_mask and xor_mask to the sources */
   bool sat;
   uint16_t handler;
};

extern const struct sgd_variant sgd_variants[];
extern const unsigned sgd_num_variants;

/* Returns true if the first two sources of an operation can be swapped without changing the result.
 */
bool sgd_op_commutes(unsigned opcode);

#endif
