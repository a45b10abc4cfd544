/* SPDX-License-Identifier: MIT */

/*
 * Random valid instructions.  They are made from the info tables, independently of
 * sgpu_instr_check.
 */

#include "isa_random.h"

uint32_t
isa_random_below(struct isa_random *r, uint32_t end)
{
   r->state ^= r->state << 13;
   r->state ^= r->state >> 7;
   r->state ^= r->state << 17;
   return (uint32_t)(((r->state >> 32) * end) >> 32);
}

static bool
coin(struct isa_random *r)
{
   return isa_random_below(r, 2);
}

unsigned
isa_random_opcode(struct isa_random *r)
{
   for (;;) {
      const unsigned opcode = isa_random_below(r, SGPU_NUM_OPCODES);
      if (sgpu_opcode_infos[opcode].name)
         return opcode;
   }
}

static uint8_t
random_swizzle(struct isa_random *r, bool scalar)
{
   switch (scalar ? 0 : isa_random_below(r, 3)) {
   case 0:
      return (uint8_t)sgpu_swizzle_replicate(isa_random_below(r, 4));
   case 1:
      return SGPU_SWIZZLE_XYZW;
   default:
      return (uint8_t)isa_random_below(r, 256);
   }
}

static struct sgpu_src
random_src(struct isa_random *r, const struct sgpu_opcode_info *info, unsigned s)
{
   /* VIEW came later than the hashes of scenes with random programs, which don't read it. */
   static const struct {
      uint8_t file;
      uint16_t size;
      bool rel;
   } files[] = {
      { SGPU_FILE_TEMP, 256, true },   { SGPU_FILE_INPUT, 32, true },
      { SGPU_FILE_CONST, 1024, true }, { SGPU_FILE_SYS, SGPU_SYS_VIEW, false },
      { SGPU_FILE_ADDR, 1, false },
   };
   const unsigned f = info->kind == SGPU_KIND_IPA && s == 0
                         ? 1
                         : isa_random_below(r, info->src_type[s] == SGPU_TYPE_FLOAT ? 4 : 5);
   struct sgpu_src src = { .file = files[f].file };
   src.swizzle = random_swizzle(r, info->src_scalar & (1u << s));
   src.rel = files[f].rel && coin(r);
   if (src.rel) {
      const uint32_t above = files[f].size > 512 ? 512 : files[f].size;
      src.relcomp = (uint8_t)isa_random_below(r, 4);
      src.index = (int16_t)((int)isa_random_below(r, 512 + above) - 512);
   } else {
      src.index = (int16_t)isa_random_below(r, files[f].size);
   }
   if (info->src_mods & (1u << s)) {
      src.neg = coin(r);
      src.abs = coin(r);
   }
   return src;
}

static struct sgpu_dst
random_dst(struct isa_random *r, const struct sgpu_opcode_info *info)
{
   static const uint8_t pairs[] = { 3, 12, 15 };
   if ((info->flags & SGPU_OPF_OPTDST) && coin(r))
      return (struct sgpu_dst){ .file = SGPU_FILE_NONE };
   struct sgpu_dst dst = { .mask = sgpu_type_is_wide(info->dst_type)
                                      ? pairs[isa_random_below(r, 3)]
                                      : (uint8_t)(1 + isa_random_below(r, 15)) };
   if (info->dst_type == SGPU_TYPE_PRED) {
      dst.file = SGPU_FILE_PRED;
      dst.index = (uint8_t)isa_random_below(r, 4);
   } else if (info->dst_type == SGPU_TYPE_ADDR) {
      dst.file = SGPU_FILE_ADDR;
   } else {
      dst.file = coin(r) ? SGPU_FILE_TEMP : SGPU_FILE_OUTPUT;
      dst.index = (uint8_t)isa_random_below(r, dst.file == SGPU_FILE_TEMP ? 256 : 64);
      dst.rel = coin(r);
      dst.relcomp = dst.rel ? (uint8_t)isa_random_below(r, 4) : 0;
   }
   return dst;
}

static void
random_tex(struct isa_random *r, struct sgpu_instr *i)
{
   const struct sgpu_tex_op_info *op = sgpu_tex_op_info(i->opcode);
   do {
      i->tex_target = (uint8_t)isa_random_below(r, SGPU_NUM_TEX_TARGETS);
   } while (!(op->targets & (1u << i->tex_target)));

   const struct sgpu_tex_target_info *target = &sgpu_tex_target_infos[i->tex_target];
   i->unit = (uint8_t)isa_random_below(r, SGPU_MAX_TEXTURES);
   i->sampler = op->sampler ? (uint8_t)isa_random_below(r, SGPU_MAX_SAMPLERS) : 0;
   i->shadow = op->shadow && target->shadow && coin(r);
   if (i->opcode == SGPU_OP_TG4) {
      i->gcomp = i->shadow ? 0 : (uint8_t)isa_random_below(r, 4);
      i->oreg = target->offsets && coin(r);
   }
   for (unsigned c = 0; op->offsets && !i->oreg && c < target->offsets; c++)
      i->off[c] = coin(r) ? (int8_t)((int)isa_random_below(r, 16) - 8) : 0;
}

struct sgpu_instr
isa_random_instr(struct isa_random *r, unsigned opcode)
{
   const struct sgpu_opcode_info *info = sgpu_opcode_info(opcode);
   struct sgpu_instr i = sgpu_instr_init((enum sgpu_opcode)opcode);

   i.sat = (info->flags & SGPU_OPF_SAT) && coin(r);
   i.zmul = (info->flags & SGPU_OPF_ZMUL) && coin(r);
   if (!(info->flags & SGPU_OPF_NOGUARD) && coin(r)) {
      i.guard.en = true;
      i.guard.not = coin(r);
      i.guard.reg = (uint8_t)isa_random_below(r, 4);
      i.guard.comp = (uint8_t)isa_random_below(r, 4);
   }
   if (info->flags & SGPU_OPF_DST)
      i.dst = random_dst(r, info);
   if (info->flags & SGPU_OPF_WMASK)
      i.dst.mask = (uint8_t)(1 + isa_random_below(r, 15));

   if (info->mod == SGPU_MOD_COND)
      i.cond = (uint8_t)isa_random_below(r, 8);
   if (info->mod == SGPU_MOD_RES && coin(r)) {
      i.urel = true;
      i.urelcomp = (uint8_t)isa_random_below(r, 4);
   }
   if (info->payload == SGPU_PAYLOAD_BRANCH)
      i.target = isa_random_below(r, SGPU_MAX_INSTRUCTIONS + 1);
   if (info->kind == SGPU_KIND_MEM) {
      const unsigned units = sgpu_mem_info(opcode)->units;
      const uint32_t offsets = info->payload == SGPU_PAYLOAD_ATOMIC ? 1u << 20 : 1u << 24;
      i.unit = info->mod == SGPU_MOD_RES ? (uint8_t)isa_random_below(r, units) : 0;
      i.offset = info->num_srcs && coin(r) ? isa_random_below(r, offsets) : 0;
   }
   if (info->flags & SGPU_OPF_ATOMIC)
      i.aop = (uint8_t)isa_random_below(r, sgpu_atomic_words(opcode) == 2 ? SGPU_NUM_WIDE_ATOMICS
                                                                          : SGPU_NUM_ATOMICS);
   if (info->payload == SGPU_PAYLOAD_IMAGE) {
      i.unit = (uint8_t)isa_random_below(r, 32);
      do {
         i.tex_target = (uint8_t)isa_random_below(r, SGPU_NUM_TEX_TARGETS);
      } while (i.tex_target == SGPU_TEX_TARGET_CUBE || i.tex_target == SGPU_TEX_TARGET_CUBE_ARRAY);
   }
   if (info->payload == SGPU_PAYLOAD_REDUCE) {
      i.reduction = (uint8_t)isa_random_below(r, SGPU_NUM_REDUCTIONS);
      i.cluster = (uint8_t)isa_random_below(r, 6);
   }
   if (info->payload == SGPU_PAYLOAD_VERTEX_STREAM)
      i.unit = (uint8_t)isa_random_below(r, SGPU_MAX_VERTEX_STREAMS);
   if (info->payload == SGPU_PAYLOAD_FETCH)
      i.unit = (uint8_t)isa_random_below(r, SGPU_MAX_TARGETS);
   if (info->payload == SGPU_PAYLOAD_TEX)
      random_tex(r, &i);

   for (unsigned s = 0; s < info->num_srcs; s++) {
      if (info->kind == SGPU_KIND_TEX && sgpu_src_read_positions(info, &i, s) == 0)
         continue;
      if (s == 0 && (info->flags & SGPU_OPF_OPTADDR) && coin(r))
         continue;
      i.src[s] = random_src(r, info, s);
      if (!sgpu_src_takes_mods(info, &i, s))
         i.src[s].neg = i.src[s].abs = false;
   }
   return i;
}

struct sgpu_instr
isa_random_vp1(struct isa_random *r, unsigned opcode)
{
   const struct sgpu_opcode_info *info = sgpu_opcode_info(opcode);
   struct sgpu_instr i = sgpu_instr_init((enum sgpu_opcode)opcode);
   const bool arl = info->dst_type == SGPU_TYPE_ADDR;
   const int attribute = (int)isa_random_below(r, 16);
   const bool rel = coin(r);
   const int constant = rel ? (int)isa_random_below(r, 191) - 95 : (int)isa_random_below(r, 96);

   i.zmul = info->flags & SGPU_OPF_ZMUL;
   i.dst.file = arl ? SGPU_FILE_ADDR : coin(r) ? SGPU_FILE_TEMP : SGPU_FILE_OUTPUT;
   i.dst.index = (uint8_t)(arl ? 0 : isa_random_below(r, 12));
   i.dst.mask = (uint8_t)(arl ? 1 : 1 + isa_random_below(r, 15));
   for (unsigned s = 0; s < info->num_srcs; s++) {
      struct sgpu_src *src = &i.src[s];
      switch (isa_random_below(r, 3)) {
      case 0:
         src->file = SGPU_FILE_INPUT;
         src->index = (int16_t)attribute;
         break;
      case 1:
         src->file = SGPU_FILE_CONST;
         src->index = (int16_t)constant;
         src->rel = rel;
         break;
      default:
         src->file = SGPU_FILE_TEMP;
         src->index = (int16_t)isa_random_below(r, 12);
         break;
      }
      src->neg = coin(r) && (info->src_mods & (1u << s));
      src->swizzle = random_swizzle(r, arl || (info->src_scalar & (1u << s)));
   }
   return i;
}
