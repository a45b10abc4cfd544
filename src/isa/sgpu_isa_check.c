/* SPDX-License-Identifier: MIT */

/* Decides which instructions are legal, in general and in the base profile. The packer, unpacker,
 * assembler and compiler use these functions.
 */

#include <stddef.h>

#include "sgpu_isa.h"

static bool
src_is_zero(const struct sgpu_src *src)
{
   return src->file == 0 && src->swizzle == 0 && src->index == 0 && !src->neg && !src->abs &&
          !src->rel && src->relcomp == 0;
}

/* Returns true if the source has file NONE and all other fields are 0. */
static bool
src_is_none(const struct sgpu_src *src)
{
   return src->file == SGPU_FILE_NONE && src->swizzle == 0 && src->index == 0 && !src->neg &&
          !src->abs && !src->rel && src->relcomp == 0;
}

static const char *
check_guard(const struct sgpu_opcode_info *info, const struct sgpu_guard *guard)
{
   if (!guard->en)
      return guard->not || guard->reg || guard->comp ? "guard fields without a guard" : NULL;
   if (info->flags & SGPU_OPF_NOGUARD)
      return "the operation takes no guard";
   if (guard->reg >= SGPU_PRED_SIZE || guard->comp > 3)
      return "guard out of range";
   return NULL;
}

static const char *
check_dst(const struct sgpu_opcode_info *info, const struct sgpu_dst *dst)
{
   if (!(info->flags & SGPU_OPF_DST)) {
      if ((dst->file != SGPU_FILE_NONE && dst->file != 0) || dst->index || dst->rel || dst->relcomp)
         return "the operation has no destination";
      if (!(info->flags & SGPU_OPF_WMASK))
         return dst->mask ? "the operation has no write mask" : NULL;
      if (dst->mask == 0 || dst->mask > 15)
         return "empty write mask";
      return NULL;
   }

   if (dst->file == SGPU_FILE_NONE && (info->flags & SGPU_OPF_OPTDST))
      return dst->index || dst->mask || dst->rel || dst->relcomp
                ? "an absent destination must be zero"
                : NULL;

   unsigned size;
   switch (dst->file) {
   case SGPU_FILE_TEMP:
   case SGPU_FILE_OUTPUT:
      if (info->dst_type == SGPU_TYPE_PRED)
         return "the destination must be a predicate";
      if (info->dst_type == SGPU_TYPE_ADDR)
         return "the destination must be the address register";
      size = dst->file == SGPU_FILE_TEMP ? SGPU_TEMP_SIZE : SGPU_OUTPUT_SIZE;
      break;
   case SGPU_FILE_ADDR:
      if (info->dst_type != SGPU_TYPE_ADDR)
         return "only ARL and ARI write the address register";
      size = SGPU_ADDR_SIZE;
      break;
   case SGPU_FILE_PRED:
      if (info->dst_type != SGPU_TYPE_PRED)
         return "only comparisons into predicates write predicates";
      size = SGPU_PRED_SIZE;
      break;
   default:
      return "the destination's file cannot be written";
   }

   if (dst->index >= size)
      return "destination index beyond the file";
   if (dst->mask == 0 || dst->mask > 15)
      return "empty write mask";
   if (sgpu_type_is_wide(info->dst_type) && (dst->mask & 5) != (dst->mask >> 1 & 5))
      return "a 64-bit result takes whole pairs of components";
   if (!dst->rel)
      return dst->relcomp ? "address component without relative addressing" : NULL;
   if (info->dst_type == SGPU_TYPE_PRED || info->dst_type == SGPU_TYPE_ADDR)
      return "the destination's file takes no relative addressing";
   if (dst->relcomp > 3)
      return "address component out of range";
   return NULL;
}

static const char *
check_src(const struct sgpu_opcode_info *info, const struct sgpu_instr *instr, unsigned s)
{
   const struct sgpu_src *src = &instr->src[s];
   unsigned size;
   bool rel_ok = true;
   switch (src->file) {
   case SGPU_FILE_TEMP:
      size = SGPU_TEMP_SIZE;
      break;
   case SGPU_FILE_INPUT:
      size = SGPU_INPUT_SIZE;
      break;
   case SGPU_FILE_CONST:
      size = SGPU_CONST_SIZE;
      break;
   case SGPU_FILE_SYS:
      size = SGPU_NUM_SYSVALS;
      rel_ok = false;
      break;
   case SGPU_FILE_ADDR:
      if (info->src_type[s] == SGPU_TYPE_FLOAT)
         return "the address register is no float source";
      size = SGPU_ADDR_SIZE;
      rel_ok = false;
      break;
   case SGPU_FILE_NONE:
      return "source is missing";
   default:
      return "the source's file cannot be read";
   }

   if (src->rel) {
      if (!rel_ok)
         return "the source's file takes no relative addressing";
      if (src->relcomp > 3)
         return "address component out of range";
      if (src->index < -512 || src->index > 511)
         return "relative offset beyond -512 to 511";
      if (src->index >= (int)size)
         return "source index beyond the file";
   } else {
      if (src->relcomp)
         return "address component without relative addressing";
      if (src->index < 0 || src->index >= (int)size)
         return "source index beyond the file";
   }

   if ((src->neg || src->abs) && !sgpu_src_takes_mods(info, instr, s))
      return "the source takes no modifiers";
   if ((info->src_scalar & (1u << s)) && !sgpu_swizzle_is_scalar(src->swizzle))
      return "the source is a scalar: its swizzle must repeat one component";
   return NULL;
}

static const char *
check_srcs(const struct sgpu_opcode_info *info, const struct sgpu_instr *instr)
{
   for (unsigned s = 0; s < 3; s++) {
      const struct sgpu_src *src = &instr->src[s];
      if (src->file == SGPU_FILE_NONE && !src_is_none(src))
         return "an absent source must be zero";
      if (s >= info->num_srcs) {
         if (!src_is_none(src) && !src_is_zero(src))
            return "too many sources";
         continue;
      }
      if (src->file == SGPU_FILE_NONE && s == 0 && (info->flags & SGPU_OPF_OPTADDR))
         continue;
      if (info->kind == SGPU_KIND_TEX && sgpu_src_read_positions(info, instr, s) == 0) {
         if (src->file != SGPU_FILE_NONE)
            return "the operation takes no such source with this target";
         continue;
      }
      const char *error = check_src(info, instr, s);
      if (error)
         return error;
      if (info->kind == SGPU_KIND_IPA && s == 0 && src->file != SGPU_FILE_INPUT)
         return "the first source must be an input";
   }
   return NULL;
}

static const char *
check_mod(const struct sgpu_opcode_info *info, const struct sgpu_instr *instr)
{
   if (instr->cond && info->mod != SGPU_MOD_COND)
      return "the operation takes no condition";
   if (instr->cond > 7)
      return "condition out of range";
   if (info->mod != SGPU_MOD_RES)
      return instr->urel || instr->urelcomp || instr->oreg ? "the operation has no resource" : NULL;
   if (!instr->urel && instr->urelcomp)
      return "address component without relative addressing";
   if (instr->urelcomp > 3)
      return "address component out of range";
   if (info->kind == SGPU_KIND_MEM && instr->unit >= sgpu_mem_info(instr->opcode)->units)
      return sgpu_mem_info(instr->opcode)->beyond;
   if (info->kind == SGPU_KIND_TEX && instr->unit >= SGPU_MAX_TEXTURES)
      return "texture unit beyond 127";
   if (info->kind == SGPU_KIND_IMG && instr->unit >= SGPU_MAX_IMAGES)
      return "image beyond 31";
   if (instr->oreg && instr->opcode != SGPU_OP_TG4)
      return "only TG4 takes offsets from a register";
   return NULL;
}

static const char *
check_tex(const struct sgpu_instr *instr)
{
   const struct sgpu_tex_op_info *op = sgpu_tex_op_info(instr->opcode);
   if (instr->tex_target >= SGPU_NUM_TEX_TARGETS || !(op->targets & (1u << instr->tex_target)))
      return "the operation does not take this texture target";

   const struct sgpu_tex_target_info *target = &sgpu_tex_target_infos[instr->tex_target];
   if (instr->shadow && !op->shadow)
      return "the operation does not compare";
   if (instr->shadow && !target->shadow)
      return "the texture target has no comparison";
   if (instr->sampler && !op->sampler)
      return "the operation has no sampler";
   if (instr->sampler >= SGPU_MAX_SAMPLERS)
      return "sampler out of range";
   if (instr->gcomp && (instr->opcode != SGPU_OP_TG4 || instr->shadow))
      return "only TG4 without comparison has a component";
   if (instr->gcomp > 3)
      return "component out of range";

   for (unsigned i = 0; i < 3; i++) {
      if (instr->off[i] < -8 || instr->off[i] > 7)
         return "texel offset beyond -8 to 7";
      if (instr->off[i] && (!op->offsets || i >= target->offsets))
         return "the texture target does not take this offset";
      if (instr->off[i] && instr->oreg)
         return "two texel offsets";
   }
   if (instr->oreg && target->offsets == 0)
      return "the texture target does not take this offset";
   return NULL;
}

static const char *
check_payload(const struct sgpu_opcode_info *info, const struct sgpu_instr *instr)
{
   if (info->payload != SGPU_PAYLOAD_BRANCH) {
      if (instr->target)
         return "the operation has no branch target";
   } else if (instr->target > SGPU_MAX_INSTRUCTIONS) {
      return "branch target out of range";
   }

   if (info->payload != SGPU_PAYLOAD_TEX && (instr->sampler || instr->shadow || instr->gcomp ||
                                             instr->off[0] || instr->off[1] || instr->off[2]))
      return "the operation has no texture";
   if (info->payload == SGPU_PAYLOAD_IMAGE) {
      if (instr->tex_target >= SGPU_NUM_TEX_TARGETS ||
          !(SGPU_IMAGE_TARGETS & (1u << instr->tex_target)))
         return "the operation does not take this image target";
   } else if (info->payload != SGPU_PAYLOAD_TEX && instr->tex_target) {
      return "the operation has no texture";
   }
   if (instr->aop >= (info->flags & SGPU_OPF_ATOMIC ? SGPU_NUM_ATOMICS : 1))
      return info->flags & SGPU_OPF_ATOMIC ? "no such atomic operation"
                                           : "the operation is not atomic";
   if (instr->aop >= SGPU_NUM_WIDE_ATOMICS && sgpu_type_is_wide(info->dst_type))
      return "no such atomic operation on 64 bits";
   if (info->payload == SGPU_PAYLOAD_VERTEX_STREAM) {
      if (instr->unit >= SGPU_MAX_VERTEX_STREAMS)
         return "vertex stream beyond 3";
   } else if (info->payload == SGPU_PAYLOAD_FETCH) {
      if (instr->unit >= SGPU_MAX_TARGETS)
         return "target beyond 8";
   } else if (instr->unit && info->mod != SGPU_MOD_RES) {
      return "the operation has no resource";
   }
   if (info->payload != SGPU_PAYLOAD_REDUCE) {
      if (instr->reduction || instr->cluster)
         return "the operation is no reduction";
   } else if (instr->reduction >= SGPU_NUM_REDUCTIONS) {
      return "no such reduction";
   } else if (instr->cluster > 5) {
      return "a cluster of more than 32 lanes";
   }
   if (info->kind != SGPU_KIND_MEM || info->num_srcs == 0) {
      if (instr->offset)
         return "the operation has no memory offset";
   } else if (instr->offset > sgpu_max_offset(instr->opcode)) {
      return info->flags & SGPU_OPF_ATOMIC ? "memory offset beyond 20 bits"
                                           : "memory offset beyond 24 bits";
   }
   return info->payload == SGPU_PAYLOAD_TEX ? check_tex(instr) : NULL;
}

const char *
sgpu_instr_check(const struct sgpu_instr *instr)
{
   if (instr->opcode >= SGPU_NUM_OPCODES || !sgpu_opcode_infos[instr->opcode].name)
      return "unknown opcode";

   const struct sgpu_opcode_info *info = sgpu_opcode_info(instr->opcode);
   if (instr->sat && !(info->flags & SGPU_OPF_SAT))
      return "the result cannot be saturated";
   if (instr->zmul && !(info->flags & SGPU_OPF_ZMUL))
      return "the operation has no 0-times rule";

   const char *error = check_guard(info, &instr->guard);
   if (!error)
      error = check_dst(info, &instr->dst);
   /* Check the modifiers and the payload first, because they determine which sources the
    * instruction has.
    */
   if (!error)
      error = check_mod(info, instr);
   if (!error)
      error = check_payload(info, instr);
   if (!error)
      error = check_srcs(info, instr);
   return error;
}

/* Instructions of the base profile may read only one register of each file, but in several sources.
 * Returns true if both sources read the same register.
 */
static bool
same_register(const struct sgpu_src *a, const struct sgpu_src *b)
{
   return a->index == b->index && a->rel == b->rel && a->relcomp == b->relcomp;
}

static const char *
check_vp1_src(const struct sgpu_src *src)
{
   if (src->abs)
      return "vp1: no absolute value";
   if (src->rel) {
      if (src->file != SGPU_FILE_CONST)
         return "vp1: only constants take relative addressing";
      if (src->relcomp != 0)
         return "vp1: A0.x is the only address component";
      if (src->index <= -SGPU_VP1_CONSTANTS || src->index >= SGPU_VP1_CONSTANTS)
         return "vp1: relative offset beyond -95 to 95";
      return NULL;
   }
   switch (src->file) {
   case SGPU_FILE_TEMP:
      return src->index >= SGPU_VP1_TEMPS ? "vp1: temporaries are R0 to R11" : NULL;
   case SGPU_FILE_INPUT:
      return src->index >= SGPU_VP1_INPUTS ? "vp1: attributes are v[0] to v[15]" : NULL;
   case SGPU_FILE_CONST:
      return src->index >= SGPU_VP1_CONSTANTS ? "vp1: constants are c[0] to c[95]" : NULL;
   default:
      return "vp1: sources are attributes, constants and temporaries";
   }
}

const char *
sgpu_instr_check_vp1(const struct sgpu_instr *instr)
{
   const struct sgpu_opcode_info *info = sgpu_opcode_info(instr->opcode);
   if (!(info->flags & SGPU_OPF_VP1))
      return "vp1: not one of the 17 operations";
   if (instr->guard.en)
      return "vp1: no guards";
   if (instr->sat)
      return "vp1: no saturation";
   if ((info->flags & SGPU_OPF_ZMUL) && !instr->zmul)
      return "vp1: 0 times anything must be 0";

   const struct sgpu_dst *dst = &instr->dst;
   if (dst->rel)
      return "vp1: only constants take relative addressing";
   if (dst->file == SGPU_FILE_TEMP && dst->index >= SGPU_VP1_TEMPS)
      return "vp1: temporaries are R0 to R11";
   if (dst->file == SGPU_FILE_OUTPUT && dst->index >= SGPU_VP1_OUTPUTS)
      return "vp1: outputs are HPOS to TEX7";
   if (dst->file == SGPU_FILE_ADDR) {
      if (dst->mask != SGPU_MASK_X)
         return "vp1: A0.x is the only address component";
      if (!sgpu_swizzle_is_scalar(instr->src[0].swizzle))
         return "vp1: ARL takes a scalar";
   }

   const struct sgpu_src *input = NULL, *constant = NULL;
   for (unsigned s = 0; s < info->num_srcs; s++) {
      const struct sgpu_src *src = &instr->src[s];
      const char *error = check_vp1_src(src);
      if (error)
         return error;
      if (src->file == SGPU_FILE_INPUT) {
         if (input && !same_register(input, src))
            return "vp1: one attribute an instruction";
         input = src;
      } else if (src->file == SGPU_FILE_CONST) {
         if (constant && !same_register(constant, src))
            return "vp1: one constant an instruction";
         constant = src;
      }
   }
   return NULL;
}
