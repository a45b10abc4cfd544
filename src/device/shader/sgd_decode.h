/* SPDX-License-Identifier: MIT */
/*
 * Shader core, decoded programs: the interpreter's instructions.  The decoder
 * decides everything that can be decided once: the handler, the address of
 * each component of each operand, an order in which components can be written
 * without overwriting a source.
 *
 * Operands and results are byte offsets into the register file of a warp
 * (struct sgd_file_layout).  An operand that needs work first (relative
 * addressing, a modifier that the handler does not apply, a constant that it cannot
 * broadcast) is computed into the file's operand slots, and the offset names
 * the slot.
 */
#ifndef SGD_DECODE_H
#define SGD_DECODE_H

#include "sgd_shader.h"

enum sgd_ins_kind {
   SGD_INS_ALU,  /* to registers */
   SGD_INS_PRED, /* to predicates */
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
   SGD_INS_STORAGE, /* on buffers and shared memory */
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

/* Without flags, an ALU instruction is its handler and nothing else, provided
 * that no lane's registers have to be kept.
 */
enum sgd_ins_flags {
   SGD_INS_GUARD = 1 << 0,
   SGD_INS_GUARD_NOT = 1 << 1,
   SGD_INS_LOAD = 1 << 2, /* sources to compute into operand slots */
   SGD_INS_SAT = 1 << 3,
   SGD_INS_HAZARD = 1 << 4, /* the result overwrites sources still to be read */
   SGD_INS_REL_DST = 1 << 5,
   SGD_INS_QUAD = 1 << 6, /* reads other lanes */
};

/* One component of the result with the components of the sources that make it.
 * Operations on whole vectors use a and b by position of the source instead,
 * and d by component of the result in order.
 */
struct sgd_comp {
   uint32_t d, a, b, c;
};

struct sgd_ins {
   uint8_t kind;  /* enum sgd_ins_kind */
   uint8_t flags; /* enum sgd_ins_flags */
   uint8_t num_comps;
   uint8_t guard; /* 4 * register + component */
   uint16_t handler;
   uint16_t run; /* instructions from here on without flags, this one included */
   struct sgd_comp comp[4];
   uint8_t dcomp[4];                  /* which component of the result comp[n].d is */
   uint8_t load[3];                   /* positions of each source to load */
   uint8_t mask;                      /* write mask */
   uint32_t and_mask[3], xor_mask[3]; /* modifiers, for handlers that know them */
   uint32_t reg;                      /* offset of the destination register */
   uint32_t target; /* branches; TEX: index into code->tex; EMITV, CUT: the stream;
                               * IPA: components of the input */
   /* 1 plus the number of the region that begins here; 0: none.  The translator may write it
    * while the interpreter reads the rest.
    */
   uint32_t native;
};

/* The interpreter's form of a program. */
struct sgd_interp {
   struct sgd_code code;     /* first member */
   struct sgd_ins *ins;      /* num_instrs, and END */
   struct sgpu_instr *instr; /* num_instrs; sources in the order of comp[] */
   struct sgd_tex_op *tex;
   struct sgd_translation *translation; /* NULL: there is none */
   struct sgd_heat *heat;               /* of programs that sgd_warm_up runs, or NULL */
};

/* Word `comp` of c[c], a literal: c is at least shader->literal_base. */
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

/* Where position `p` of source s is computed to. */
static inline uint32_t
sgd_operand_offset(const struct sgd_file_layout *layout, unsigned s, unsigned p)
{
   return layout->operand + s * (uint32_t)sizeof(struct sgd_vec) +
          p * (uint32_t)sizeof(uint32_t[SGD_WARP]);
}

/* The interpreter's form of a checked program, or NULL without memory. */
struct sgpu_program;
struct sgd_code *sgd_decode(const struct sgpu_program *program, sgd_execute_fn *interpret);

/* Finds the components to preset: those that some path reads, or leaves as a
 * result, without having written them.
 */
bool sgd_find_presets(const struct sgpu_program *program, struct sgd_interp *interp);

/* Handlers (gen_interp.py): one per operation, condition and zmul bit, with
 * variants for sources that are constants and for modifiers.
 */
struct sgd_variant {
   uint16_t opcode;
   uint8_t zmul, cond;
   uint8_t consts; /* bit s: source s is a broadcast constant */
   bool mods;      /* and_mask and xor_mask are applied */
   bool sat;
   uint16_t handler;
};

extern const struct sgd_variant sgd_variants[];
extern const unsigned sgd_num_variants;

/* Operations whose first two sources may change places. */
bool sgd_op_commutes(unsigned opcode);

#endif
