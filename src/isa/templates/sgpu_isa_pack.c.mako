/* SPDX-License-Identifier: MIT */

/*
 * Converts instructions to words and back. src/isa/gen_isa.py generates this file. It
 * contains only the places of fields; sgpu_instr_check() decides which instructions are legal.
 */

#include <stddef.h>
#include <string.h>

#include "sgpu_isa.h"

% for name, (first, size) in isa.FIELDS.items():
% if not name.startswith('rsvd'):
#define ${name.upper()} ${first}, ${size}
% endif
% endfor
% for group in list(isa.MODS.values()):
% for name, (first, size) in group.items():
#define MOD_${name.upper()} ${isa.FIELDS['mod'][0] + first}, ${size}
% endfor
% endfor
% for cls, group in isa.PAYLOADS.items():
% for name, (first, size) in group.items():
#define ${cls.upper()}_${name.upper()} ${isa.FIELDS['payload'][0] + first}, ${size}
% endfor
% endfor
% for name, (first, size) in isa.SRC_FIELDS.items():
#define SRC_${name.upper()} ${first}, ${size}
% endfor

static const uint8_t src_first[3] = { ${', '.join(str(isa.FIELDS[s][0]) for s in SOURCES)} };

static uint32_t
get(const uint32_t words[4], unsigned first, unsigned size)
{
   return (words[first / 32] >> (first % 32)) & (size == 32 ? ~0u : (1u << size) - 1);
}

static int32_t
get_signed(const uint32_t words[4], unsigned first, unsigned size)
{
   const uint32_t sign = 1u << (size - 1);
   return (int32_t)((get(words, first, size) ^ sign) - sign);
}

static void
put(uint32_t words[4], unsigned first, unsigned size, uint32_t value)
{
   const uint32_t mask = size == 32 ? ~0u : (1u << size) - 1;
   words[first / 32] |= (value & mask) << (first % 32);
}

static void
put_src(uint32_t words[4], unsigned s, const struct sgpu_src *src)
{
   uint32_t bits[4] = { 0 };
   put(bits, SRC_FILE, src->file);
   if (src->file != SGPU_FILE_NONE) {
      put(bits, SRC_INDEX, (uint32_t)src->index);
      put(bits, SRC_SWIZZLE, src->swizzle);
      put(bits, SRC_NEG, src->neg);
      put(bits, SRC_ABS, src->abs);
      put(bits, SRC_REL, src->rel);
      put(bits, SRC_RELCOMP, src->relcomp);
   }
   words[src_first[s] / 32] |= bits[0] << (src_first[s] % 32);
}

static void
get_src(const uint32_t words[4], unsigned s, struct sgpu_src *src)
{
   const uint32_t bits[4] = { words[src_first[s] / 32] >> (src_first[s] % 32) };
   src->file = get(bits, SRC_FILE);
   src->swizzle = get(bits, SRC_SWIZZLE);
   src->neg = get(bits, SRC_NEG);
   src->abs = get(bits, SRC_ABS);
   src->rel = get(bits, SRC_REL);
   src->relcomp = get(bits, SRC_RELCOMP);
   src->index = src->rel ? get_signed(bits, SRC_INDEX) : (int32_t)get(bits, SRC_INDEX);
}

const char *
sgpu_instr_pack(const struct sgpu_instr *instr, uint32_t out[4])
{
   const char *error = sgpu_instr_check(instr);
   if (error)
      return error;

   const struct sgpu_opcode_info *info = sgpu_opcode_info(instr->opcode);
   uint32_t w[4] = { 0 };
   put(w, OPCODE, instr->opcode);
   put(w, SAT, instr->sat);
   put(w, ZMUL, instr->zmul);
   put(w, GUARD, instr->guard.en);
   put(w, GUARD_NOT, instr->guard.not);
   put(w, GUARD_REG, instr->guard.reg);
   put(w, GUARD_COMP, instr->guard.comp);
   if (info->flags & SGPU_OPF_DST) {
      put(w, DST_FILE, instr->dst.file);
      put(w, DST_INDEX, instr->dst.index);
      put(w, DST_REL, instr->dst.rel);
      put(w, DST_RELCOMP, instr->dst.relcomp);
   }
   put(w, DST_MASK, instr->dst.mask);
   for (unsigned s = 0; s < info->num_srcs; s++)
      put_src(w, s, &instr->src[s]);

   switch ((enum sgpu_mod_class)info->mod) {
   case SGPU_MOD_NONE:
      break;
   case SGPU_MOD_COND:
      put(w, MOD_COND, instr->cond);
      break;
   case SGPU_MOD_RES:
      put(w, MOD_UREL, instr->urel);
      put(w, MOD_URELCOMP, instr->urelcomp);
      put(w, MOD_OREG, instr->oreg);
      break;
   }

   switch ((enum sgpu_payload_class)info->payload) {
   case SGPU_PAYLOAD_NONE:
      break;
   case SGPU_PAYLOAD_BRANCH:
      put(w, BRANCH_TARGET, instr->target);
      break;
   case SGPU_PAYLOAD_TEX:
      put(w, TEX_UNIT, instr->unit);
      put(w, TEX_SAMPLER, instr->sampler);
      put(w, TEX_TARGET, instr->tex_target);
      put(w, TEX_SHADOW, instr->shadow);
      put(w, TEX_GCOMP, instr->gcomp);
      put(w, TEX_OFFX, (uint32_t)instr->off[0]);
      put(w, TEX_OFFY, (uint32_t)instr->off[1]);
      put(w, TEX_OFFZ, (uint32_t)instr->off[2]);
      break;
   case SGPU_PAYLOAD_MEM:
      put(w, MEM_UNIT, instr->unit);
      put(w, MEM_OFFSET, instr->offset);
      break;
   case SGPU_PAYLOAD_VERTEX_STREAM:
      put(w, VERTEX_STREAM_UNIT, instr->unit);
      break;
   case SGPU_PAYLOAD_FETCH:
      put(w, FETCH_UNIT, instr->unit);
      break;
   case SGPU_PAYLOAD_ATOMIC:
      put(w, ATOMIC_UNIT, instr->unit);
      put(w, ATOMIC_AOP, instr->aop);
      put(w, ATOMIC_OFFSET, instr->offset);
      break;
   case SGPU_PAYLOAD_IMAGE:
      put(w, IMAGE_UNIT, instr->unit);
      put(w, IMAGE_TARGET, instr->tex_target);
      put(w, IMAGE_AOP, instr->aop);
      break;
   case SGPU_PAYLOAD_REDUCE:
      put(w, REDUCE_OP, instr->reduction);
      put(w, REDUCE_CLUSTER, instr->cluster);
      break;
   }

   memcpy(out, w, sizeof(w));
   return NULL;
}

const char *
sgpu_instr_unpack(const uint32_t in[4], struct sgpu_instr *out)
{
   const unsigned opcode = get(in, OPCODE);
   const struct sgpu_opcode_info *info = sgpu_opcode_info(opcode);
   if (!info->name)
      return "unknown opcode";
   for (unsigned i = 0; i < 4; i++) {
      if (in[i] & ~info->used[i])
         return "bits are set that the operation does not use";
   }

   struct sgpu_instr instr = sgpu_instr_init((enum sgpu_opcode)opcode);
   instr.sat = get(in, SAT);
   instr.zmul = get(in, ZMUL);
   instr.guard.en = get(in, GUARD);
   instr.guard.not = get(in, GUARD_NOT);
   instr.guard.reg = get(in, GUARD_REG);
   instr.guard.comp = get(in, GUARD_COMP);
   if (info->flags & SGPU_OPF_DST) {
      instr.dst.file = get(in, DST_FILE);
      instr.dst.index = get(in, DST_INDEX);
      instr.dst.rel = get(in, DST_REL);
      instr.dst.relcomp = get(in, DST_RELCOMP);
   }
   instr.dst.mask = get(in, DST_MASK);
   for (unsigned s = 0; s < info->num_srcs; s++)
      get_src(in, s, &instr.src[s]);

   switch ((enum sgpu_mod_class)info->mod) {
   case SGPU_MOD_NONE:
      break;
   case SGPU_MOD_COND:
      instr.cond = get(in, MOD_COND);
      break;
   case SGPU_MOD_RES:
      instr.urel = get(in, MOD_UREL);
      instr.urelcomp = get(in, MOD_URELCOMP);
      instr.oreg = get(in, MOD_OREG);
      break;
   }

   switch ((enum sgpu_payload_class)info->payload) {
   case SGPU_PAYLOAD_NONE:
      break;
   case SGPU_PAYLOAD_BRANCH:
      instr.target = get(in, BRANCH_TARGET);
      break;
   case SGPU_PAYLOAD_TEX:
      instr.unit = get(in, TEX_UNIT);
      instr.sampler = get(in, TEX_SAMPLER);
      instr.tex_target = get(in, TEX_TARGET);
      instr.shadow = get(in, TEX_SHADOW);
      instr.gcomp = get(in, TEX_GCOMP);
      instr.off[0] = get_signed(in, TEX_OFFX);
      instr.off[1] = get_signed(in, TEX_OFFY);
      instr.off[2] = get_signed(in, TEX_OFFZ);
      break;
   case SGPU_PAYLOAD_MEM:
      instr.unit = get(in, MEM_UNIT);
      instr.offset = get(in, MEM_OFFSET);
      break;
   case SGPU_PAYLOAD_VERTEX_STREAM:
      instr.unit = get(in, VERTEX_STREAM_UNIT);
      break;
   case SGPU_PAYLOAD_FETCH:
      instr.unit = get(in, FETCH_UNIT);
      break;
   case SGPU_PAYLOAD_ATOMIC:
      instr.unit = get(in, ATOMIC_UNIT);
      instr.aop = get(in, ATOMIC_AOP);
      instr.offset = get(in, ATOMIC_OFFSET);
      break;
   case SGPU_PAYLOAD_IMAGE:
      instr.unit = get(in, IMAGE_UNIT);
      instr.tex_target = get(in, IMAGE_TARGET);
      instr.aop = get(in, IMAGE_AOP);
      break;
   case SGPU_PAYLOAD_REDUCE:
      instr.reduction = get(in, REDUCE_OP);
      instr.cluster = get(in, REDUCE_CLUSTER);
      break;
   }

   const char *error = sgpu_instr_check(&instr);
   if (error)
      return error;

   *out = instr;
   return NULL;
}
