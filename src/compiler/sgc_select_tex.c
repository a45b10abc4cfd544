/* SPDX-License-Identifier: MIT */
/*
 * Selection of texture operations.
 *
 * src0 holds the coordinates, with the reference value in w; src1 the level,
 * bias, sample or gradients (what goes where: TEX_OPS in src/isa/sgpu_isa.py).
 * An operand that comes from one register is used as it is, else it is put
 * together.
 */

#include "sgc_select.h"

static int
target_of(const nir_tex_instr *tex)
{
   switch (tex->sampler_dim) {
   case GLSL_SAMPLER_DIM_1D:
      return tex->is_array ? SGPU_TEX_TARGET_1D_ARRAY : SGPU_TEX_TARGET_1D;
   case GLSL_SAMPLER_DIM_2D:
   case GLSL_SAMPLER_DIM_EXTERNAL:
      return tex->is_array ? SGPU_TEX_TARGET_2D_ARRAY : SGPU_TEX_TARGET_2D;
   case GLSL_SAMPLER_DIM_3D:
      return SGPU_TEX_TARGET_3D;
   case GLSL_SAMPLER_DIM_CUBE:
      return tex->is_array ? SGPU_TEX_TARGET_CUBE_ARRAY : SGPU_TEX_TARGET_CUBE;
   case GLSL_SAMPLER_DIM_RECT:
      return SGPU_TEX_TARGET_RECT;
   case GLSL_SAMPLER_DIM_BUF:
      return SGPU_TEX_TARGET_BUFFER;
   case GLSL_SAMPLER_DIM_MS:
      return tex->is_array ? SGPU_TEX_TARGET_2D_MS_ARRAY : SGPU_TEX_TARGET_2D_MS;
   default:
      return -1;
   }
}

/* An operand under construction: position i is the scalar piece[i]. */
struct build {
   struct sgc_src piece[4];
   unsigned mask;
};

static void
put(struct build *build, unsigned pos, struct sgc_src src, unsigned n)
{
   for (unsigned i = 0; i < n; i++) {
      build->piece[pos + i] = sgc_comp(src, i);
      build->mask |= 1u << (pos + i);
   }
}

static bool
same_kind(const struct sgc_src *a, const struct sgc_src *b)
{
   if (a->file == SGC_FILE_IMM || b->file == SGC_FILE_IMM)
      return a->file == b->file;
   return sgc_same_operand(a, b) && a->neg == b->neg && a->abs == b->abs;
}

static struct sgc_src
finish(struct sgc_select *sel, struct build *build)
{
   if (!build->mask)
      return sgc_none();

   const unsigned first = ffs(build->mask) - 1;
   bool same = true;
   u_foreach_bit(i, build->mask)
      same &= same_kind(&build->piece[i], &build->piece[first]);
   if (same) {
      struct sgc_src src = build->piece[first];
      unsigned swizzle = 0;
      for (unsigned i = 0; i < 4; i++) {
         const unsigned from = build->mask & (1u << i) ? i : first;
         const unsigned comp = build->piece[from].swizzle & 3;
         src.imm[i] = build->piece[from].imm[comp];
         swizzle |= (src.file == SGC_FILE_IMM ? i : comp) << (2 * i);
      }
      src.swizzle = swizzle;
      return src;
   }

   const unsigned reg = sgc_new_reg(sel->p);
   unsigned done = 0;
   u_foreach_bit(i, build->mask) {
      if (done & (1u << i))
         continue;
      struct sgc_src src = build->piece[i];
      unsigned swizzle = sgpu_swizzle_replicate(src.swizzle & 3);
      unsigned mask = 0;
      uint32_t imm[4];
      for (unsigned j = 0; j < 4; j++)
         imm[j] = src.imm[src.swizzle & 3];
      for (unsigned j = i; j < 4; j++) {
         if (!(build->mask & ~done & (1u << j)) || !same_kind(&build->piece[j], &src))
            continue;
         const unsigned comp = build->piece[j].swizzle & 3;
         mask |= 1u << j;
         imm[j] = build->piece[j].imm[comp];
         swizzle = (swizzle & ~(3u << (2 * j))) | comp << (2 * j);
      }
      if (src.file == SGC_FILE_IMM) {
         memcpy(src.imm, imm, sizeof(imm));
         swizzle = SGPU_SWIZZLE_XYZW;
      }
      src.swizzle = swizzle;
      sgc_mov_to(&sel->b, sgc_dst_reg(reg, mask), src);
      done |= mask;
   }
   return sgc_reg(reg);
}

static enum sgpu_opcode
opcode_of(nir_texop op)
{
   switch (op) {
   case nir_texop_tex:
      return SGPU_OP_TEX;
   case nir_texop_txb:
      return SGPU_OP_TXB;
   case nir_texop_txl:
      return SGPU_OP_TXL;
   case nir_texop_txd:
      return SGPU_OP_TXD;
   case nir_texop_txf:
   case nir_texop_txf_ms:
      return SGPU_OP_TXF;
   case nir_texop_tg4:
      return SGPU_OP_TG4;
   case nir_texop_txs:
   case nir_texop_query_levels:
      return SGPU_OP_TXQ;
   case nir_texop_lod:
      return SGPU_OP_LODQ;
   case nir_texop_texture_samples:
      return SGPU_OP_TXQS;
   default:
      return SGPU_OP_NOP;
   }
}

static void
set_offset(struct sgc_select *sel, struct sgc_instr *instr, struct build *src1, nir_src src)
{
   const unsigned n = sgpu_tex_target_infos[instr->tex_target].offsets;

   if (nir_src_is_const(src)) {
      bool small = true;
      for (unsigned i = 0; i < n; i++) {
         int value = nir_src_comp_as_int(src, i);
         small &= value >= -8 && value <= 7;
      }
      if (small) {
         for (unsigned i = 0; i < n; i++)
            instr->off[i] = nir_src_comp_as_int(src, i);
         return;
      }
   }
   if (instr->op != SGPU_OP_TG4) {
      sgc_error(sel->p, "a texel offset that is no small constant");
      return;
   }
   instr->oreg = true;
   put(src1, 2, sgc_nir_operand(sel, src, nir_src_num_components(src), false), n);
}

/* A variable texture or sampler index counts for both, as the language has it. */
static void
set_relative_unit(struct sgc_select *sel, struct sgc_instr *instr, nir_src src)
{
   struct sgc_index index = sgc_chase_index(src.ssa, 0);
   if (index.bias) {
      index.offset = index.bias;
      index.bias = 0;
   }
   instr->unit += index.offset;
   if (sgpu_tex_op_info(instr->op)->sampler)
      instr->sampler += index.offset;
   if (index.def) {
      instr->urelcomp = sgc_load_address(sel, &index);
      instr->urel = true;
   }
}

void
sgc_select_tex(struct sgc_select *sel, nir_tex_instr *tex)
{
   if (!BITSET_TEST(sel->needed, tex->dest.ssa.index))
      return;

   const enum sgpu_opcode op = opcode_of(tex->op);
   const int target = target_of(tex);
   if (op == SGPU_OP_NOP || target < 0) {
      sgc_error(sel->p, "a texture operation that the machine has not");
      return;
   }

   const bool cube_array = target == SGPU_TEX_TARGET_CUBE_ARRAY;
   const bool integer = op == SGPU_OP_TXF || op == SGPU_OP_TXQ;
   struct sgc_instr *instr = sgc_instr_create(sel->p, op);
   instr->tex_target = target;
   instr->unit = tex->texture_index;
   if (sgpu_tex_op_info(op)->sampler)
      instr->sampler = tex->sampler_index;
   instr->shadow = tex->is_shadow && sgpu_tex_op_info(op)->shadow;
   if (op == SGPU_OP_TG4 && !instr->shadow)
      instr->gcomp = tex->component;

   struct build src0 = { 0 }, src1 = { 0 };
   for (unsigned s = 0; s < tex->num_srcs; s++) {
      const nir_src src = tex->src[s].src;
      const unsigned n = nir_tex_instr_src_size(tex, s);
      const bool mods = !integer && nir_tex_instr_src_type(tex, s) == nir_type_float;

      switch (tex->src[s].src_type) {
      case nir_tex_src_coord:
         put(&src0, 0, sgc_nir_operand(sel, src, n, mods), n);
         break;
      case nir_tex_src_comparator:
         put(cube_array ? &src1 : &src0, cube_array ? 1 : 3,
             sgc_nir_operand(sel, src, 1, mods), 1);
         break;
      case nir_tex_src_bias:
      case nir_tex_src_ms_index:
         put(&src1, 0, sgc_nir_operand(sel, src, 1, mods), 1);
         break;
      case nir_tex_src_lod:
         if (op == SGPU_OP_TXQ) {
            if (sgpu_tex_target_infos[target].levels)
               put(&src0, 0, sgc_nir_operand(sel, src, 1, mods), 1);
         } else if (op != SGPU_OP_TXF || sgpu_tex_target_infos[target].levels) {
            put(&src1, 0, sgc_nir_operand(sel, src, 1, mods), 1);
         }
         break;
      case nir_tex_src_ddx:
         put(&src1, 0, sgc_nir_operand(sel, src, n, mods), n);
         break;
      case nir_tex_src_ddy:
         put(&src1, 2, sgc_nir_operand(sel, src, n, mods), n);
         break;
      case nir_tex_src_offset:
         set_offset(sel, instr, &src1, src);
         break;
      case nir_tex_src_texture_offset:
         set_relative_unit(sel, instr, src);
         break;
      case nir_tex_src_sampler_offset:
         break;
      default:
         sgc_error(sel->p, "a texture source that the machine has not");
         break;
      }
   }

   /* A query for levels alone still names one. */
   const struct sgpu_tex_op_info *info = sgpu_tex_op_info(op);
   if (info->level0 && sgpu_tex_target_infos[target].levels && !src0.mask)
      put(&src0, 0, sgc_imm(0), 1);
   if (info->level1 && sgpu_tex_target_infos[target].levels && !src1.mask)
      put(&src1, 0, sgc_imm(0), 1);
   if (tex->op == nir_texop_query_levels) {
      const unsigned reg = sgc_new_reg(sel->p);
      instr->dst = sgc_dst_reg(reg, 1u << 3);
      instr->src[0] = finish(sel, &src0);
      list_addtail(&instr->link, sel->b.before);
      sgc_mov_to(&sel->b, sgc_value_dst(sel, &tex->dest.ssa), sgc_comp(sgc_reg(reg), 3));
   } else {
      instr->src[0] = finish(sel, &src0);
      instr->src[1] = finish(sel, &src1);
      instr->dst = sgc_value_dst(sel, &tex->dest.ssa);
      list_addtail(&instr->link, sel->b.before);
   }
   sel->address_busy = 0;
}
