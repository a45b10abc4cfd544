/* SPDX-License-Identifier: MIT */
/*
 * Programs: the part of the decoder for instructions whose operands differ from those of
 * arithmetic.
 */
#include <string.h>

#include "shader/program/sgd_decoder.h"

/* Sets the sources of an image operation. They are whole vectors, either registers or copies in
 * operand slots.
 */
static void
whole_vectors(struct sgd_decoder *d, const struct sgpu_instr *instr, struct sgd_ins *ins)
{
   const struct sgpu_opcode_info *info = sgpu_opcode_info(instr->opcode);

   for (unsigned s = 0; s < 2; s++) {
      const struct sgpu_src *src = &instr->src[s];
      const unsigned positions = sgpu_src_read_positions(info, instr, s);
      bool direct = sgd_is_register(src) && !sgd_has_mods(src);
      for (unsigned p = 0; p < 4; p++)
         direct &= !(positions & (1 << p)) || sgpu_swizzle_get(src->swizzle, p) == p;
      uint32_t offset = sgd_operand_slot(d, s, 0);
      if (positions && direct) {
         offset = sgd_reg_offset(&d->code->layout, src->file, (unsigned)src->index, 0);
      } else if (positions) {
         ins->load[s] = positions;
         ins->flags |= SGD_INS_LOAD;
      }
      if (s == 0)
         ins->comp[0].a = offset;
      else
         ins->comp[0].b = offset;
   }
}

/* Sets the sources of a texture operation. They are separate components, either of registers or of
 * copies in operand slots.
 */
static void
component_lanes(struct sgd_decoder *d, const struct sgpu_instr *instr, struct sgd_ins *ins)
{
   const struct sgpu_opcode_info *info = sgpu_opcode_info(instr->opcode);

   for (unsigned s = 0; s < 2; s++) {
      const struct sgpu_src *src = &instr->src[s];
      const unsigned positions = sgpu_src_read_positions(info, instr, s);
      const bool direct = sgd_is_register(src) && !sgd_has_mods(src);
      for (unsigned p = 0; p < 4; p++) {
         const uint32_t offset = positions & (1 << p)
                                    ? sgd_decode_operand(d, instr, ins, s, p, direct)
                                    : sgd_operand_slot(d, s, p);
         if (s == 0)
            ins->comp[p].a = offset;
         else
            ins->comp[p].b = offset;
      }
   }
}

void
sgd_decode_texture(struct sgd_decoder *d, struct sgpu_instr *instr, struct sgd_ins *ins)
{
   const struct sgpu_opcode_info *info = sgpu_opcode_info(instr->opcode);
   struct sgd_tex_op *op = &d->decoded->tex[d->num_tex];
   ins->target = d->num_tex++;
   op->op = instr->opcode;
   op->target = instr->tex_target;
   op->shadow = instr->shadow;
   op->reg_offset = instr->oreg;
   op->gather_comp = instr->gcomp;
   memcpy(op->offset, instr->off, sizeof(op->offset));
   op->mask = instr->dst.mask;
   sgd_tex_op_prepare(op);
   op->unit = instr->unit;
   op->sampler = instr->sampler;
   op->relative = instr->urel;
   op->direct = !op->relative && op->unit < SGD_MAX_TEXTURES && op->sampler < SGD_MAX_SAMPLERS;
   op->src1 = sgpu_src_read_positions(info, instr, 1) != 0;

   sgd_set_destination(d, instr, ins);
   if (info->flags & SGPU_OPF_QUAD)
      ins->flags |= SGD_INS_QUAD;
   component_lanes(d, instr, ins);
   op->quick = op->plain && op->direct &&
               !(ins->flags & (SGD_INS_GUARD | SGD_INS_REL_DST | SGD_INS_LOAD));
   op->lookup = (uint8_t)sgd_decode_lookup(d, instr, false);
}

/* Decodes an image operation. If the operation has no result, the instruction has no components and
 * an empty write mask.
 */
void
sgd_decode_image(struct sgd_decoder *d, struct sgpu_instr *instr, struct sgd_ins *ins)
{
   if (instr->dst.file != SGPU_FILE_NONE)
      sgd_set_destination(d, instr, ins);
   whole_vectors(d, instr, ins);
}

/* Decodes an operation on storage buffers or shared memory. comp[0].a is the address, and comp[].b
 * are the data components.
 */
void
sgd_decode_storage(struct sgd_decoder *d, struct sgpu_instr *instr, struct sgd_ins *ins)
{
   const struct sgpu_opcode_info *info = sgpu_opcode_info(instr->opcode);

   if (info->flags & SGPU_OPF_WMASK)
      ins->mask = instr->dst.mask;
   else if (instr->dst.file != SGPU_FILE_NONE)
      sgd_set_destination(d, instr, ins);
   if (info->num_srcs > 0 && instr->src[0].file != SGPU_FILE_NONE)
      ins->comp[0].a = sgd_decode_operand(d, instr, ins, 0, 0, sgd_is_register(&instr->src[0]));
   const unsigned positions = sgpu_src_read_positions(info, instr, 1);
   for (unsigned c = 0; c < 4; c++) {
      if (positions & (1 << c))
         ins->comp[c].b = sgd_decode_operand(d, instr, ins, 1, c, sgd_is_register(&instr->src[1]));
   }
}

void
sgd_decode_memory(struct sgd_decoder *d, struct sgpu_instr *instr, struct sgd_ins *ins)
{
   const bool store = instr->opcode == SGPU_OP_STL || instr->opcode == SGPU_OP_STP;
   if (store)
      ins->mask = instr->dst.mask;
   else
      sgd_set_destination(d, instr, ins);
   if (instr->src[0].file != SGPU_FILE_NONE)
      ins->comp[0].a = sgd_decode_operand(d, instr, ins, 0, 0, sgd_is_register(&instr->src[0]));
   if (store) {
      for (unsigned c = 0; c < 4; c++) {
         if (ins->mask & (1 << c))
            ins->comp[c].b = sgd_decode_operand(d, instr, ins, 1, c,
                                                sgd_is_register(&instr->src[1]));
      }
   }
}

/* Decodes an interpolation. The position is in comp[0].a and comp[0].b. The interpreter gets the
 * input from the unpacked instruction.
 */
void
sgd_decode_interpolation(struct sgd_decoder *d, struct sgpu_instr *instr, struct sgd_ins *ins)
{
   const struct sgpu_opcode_info *info = sgpu_opcode_info(instr->opcode);
   const unsigned positions = sgpu_src_read_positions(info, instr, 1);
   const bool direct = sgd_is_register(&instr->src[1]) && !sgd_has_mods(&instr->src[1]);

   sgd_set_destination(d, instr, ins);
   ins->target = sgpu_src_read_mask(info, instr, 0);
   if (positions & 1)
      ins->comp[0].a = sgd_decode_operand(d, instr, ins, 1, 0, direct);
   if (positions & 2)
      ins->comp[0].b = sgd_decode_operand(d, instr, ins, 1, 1, direct);
   if (instr->sat)
      ins->flags |= SGD_INS_SAT;
}

/* Decodes a subgroup operation. Its sources are registers, or copies in operand slots. */
void
sgd_decode_subgroup(struct sgd_decoder *d, const struct sgpu_instr *instr, struct sgd_ins *ins)
{
   const struct sgpu_opcode_info *info = sgpu_opcode_info(instr->opcode);

   sgd_set_destination(d, instr, ins);
   for (unsigned s = 0; s < info->num_srcs; s++) {
      const bool direct = sgd_is_register(&instr->src[s]) && !sgd_has_mods(&instr->src[s]);
      for (unsigned n = 0; n < ins->num_comps; n++) {
         const uint32_t offset = sgd_decode_operand(d, instr, ins, s, ins->dcomp[n], direct);
         if (s == 0)
            ins->comp[n].a = offset;
         else
            ins->comp[n].b = offset;
      }
   }
}
