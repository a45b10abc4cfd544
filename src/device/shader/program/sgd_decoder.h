/* SPDX-License-Identifier: MIT */
/*
 * Programs: internal header of the decoder.
 */
#ifndef SGD_DECODER_H
#define SGD_DECODER_H

#include "shader/program/sgd_decode.h"
#include "sgpu_program.h"
#include "util/macros.h"

struct sgd_decoder {
   const struct sgpu_program *program;
   struct sgd_decoded *decoded;
   struct sgd_code *code; /* always &decoded->code */
   /* register file slot of each constant, plus one, or 0 if the constant has no slot */
   uint16_t const_slot[SGPU_CONST_SIZE];
   unsigned num_tex;
   unsigned num_operands; /* number of operand slots that the program needs */
};

static inline bool
sgd_is_direct_const(const struct sgpu_src *src)
{
   return src->file == SGPU_FILE_CONST && !src->rel;
}

static inline bool
sgd_is_register(const struct sgpu_src *src)
{
   return src->file != SGPU_FILE_CONST && src->file != SGPU_FILE_NONE && !src->rel;
}

static inline bool
sgd_has_mods(const struct sgpu_src *src)
{
   return src->neg || src->abs;
}

/* Reserves the operand slot for a position of source s, and returns its byte offset. */
static inline uint32_t
sgd_operand_slot(struct sgd_decoder *d, unsigned s, unsigned position)
{
   d->num_operands = MAX2(d->num_operands, s + 1);
   return sgd_operand_offset(&d->code->layout, s, position);
}

/* Returns the byte offset of a source component, which is at `position` after the swizzle of source
 * s. Unless `direct` is set, the interpreter evaluates the source to an operand slot, and the
 * offset of the slot is returned.
 */
static inline uint32_t
sgd_decode_operand(struct sgd_decoder *d, const struct sgpu_instr *instr, struct sgd_ins *ins,
                   unsigned s, unsigned position, bool direct)
{
   const struct sgpu_src *src = &instr->src[s];
   const unsigned comp = sgpu_swizzle_get(src->swizzle, position);
   if (direct && sgd_is_direct_const(src)) {
      return d->code->layout.base[SGPU_FILE_CONST] + 16 * (d->const_slot[src->index] - 1u) +
             4 * comp;
   }
   if (direct)
      return sgd_reg_offset(&d->code->layout, src->file, (unsigned)src->index, comp);
   ins->load[s] |= 1 << position;
   ins->flags |= SGD_INS_LOAD;
   return sgd_operand_slot(d, s, position);
}

static inline void
sgd_set_destination(const struct sgd_decoder *d, const struct sgpu_instr *instr,
                    struct sgd_ins *ins)
{
   ins->mask = instr->dst.mask;
   const bool pred = instr->dst.file == SGPU_FILE_PRED;
   ins->reg = pred ? SGD_FILE_PRED + instr->dst.index * (uint32_t)sizeof(uint32_t[4])
                   : sgd_reg_offset(&d->code->layout, instr->dst.file, instr->dst.index, 0);
   const uint32_t stride = pred ? sizeof(uint32_t) : sizeof(uint32_t[SGD_WARP]);
   for (unsigned c = 0; c < 4; c++) {
      if (instr->dst.mask & (1 << c)) {
         ins->comp[ins->num_comps].d = ins->reg + c * stride;
         ins->dcomp[ins->num_comps++] = c;
      }
   }
   if (instr->dst.rel)
      ins->flags |= SGD_INS_REL_DST;
}

/* Returns the index of the instruction's lookup in decoded->lookup. Adds it if there is none yet and
 * `add` is set. Returns SGD_NO_LOOKUP if it has none.
 */
unsigned sgd_decode_lookup(struct sgd_decoder *d, const struct sgpu_instr *instr, bool add);

/* Decoders for all instructions except for arithmetic and control flow (sgd_decode_kinds.c). */
void sgd_decode_texture(struct sgd_decoder *d, struct sgpu_instr *instr, struct sgd_ins *ins);
void sgd_decode_image(struct sgd_decoder *d, struct sgpu_instr *instr, struct sgd_ins *ins);
void sgd_decode_storage(struct sgd_decoder *d, struct sgpu_instr *instr, struct sgd_ins *ins);
void sgd_decode_memory(struct sgd_decoder *d, struct sgpu_instr *instr, struct sgd_ins *ins);
void sgd_decode_interpolation(struct sgd_decoder *d, struct sgpu_instr *instr, struct sgd_ins *ins);
void sgd_decode_subgroup(struct sgd_decoder *d, const struct sgpu_instr *instr,
                         struct sgd_ins *ins);

#endif
