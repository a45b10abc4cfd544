/* SPDX-License-Identifier: MIT */
/*
 * Texture operations.
 *
 * src0 contains the coordinates, with the shadow comparator in w. src1 contains the LOD, bias,
 * sample index or gradients. See TEX_OPS in src/isa/sgpu_isa.py for the exact layout.
 */

#include "select/sgc_select.h"

int
sgc_tex_target(enum glsl_sampler_dim dim, bool is_array)
{
   switch (dim) {
   case GLSL_SAMPLER_DIM_1D:
      return is_array ? SGPU_TEX_TARGET_1D_ARRAY : SGPU_TEX_TARGET_1D;
   case GLSL_SAMPLER_DIM_2D:
   case GLSL_SAMPLER_DIM_EXTERNAL:
      return is_array ? SGPU_TEX_TARGET_2D_ARRAY : SGPU_TEX_TARGET_2D;
   case GLSL_SAMPLER_DIM_3D:
      return SGPU_TEX_TARGET_3D;
   case GLSL_SAMPLER_DIM_CUBE:
      return is_array ? SGPU_TEX_TARGET_CUBE_ARRAY : SGPU_TEX_TARGET_CUBE;
   case GLSL_SAMPLER_DIM_RECT:
      return SGPU_TEX_TARGET_RECT;
   case GLSL_SAMPLER_DIM_BUF:
      return SGPU_TEX_TARGET_BUFFER;
   case GLSL_SAMPLER_DIM_MS:
      return is_array ? SGPU_TEX_TARGET_2D_MS_ARRAY : SGPU_TEX_TARGET_2D_MS;
   default:
      return -1;
   }
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

/*
 * Planning
 */

/* Plan for a texture operation. */
struct sgc_tex_plan {
   enum sgpu_opcode op;
   int target;    /* enum sgpu_tex_target */
   int8_t off[3]; /* constant texel offsets */
   bool oreg;     /* set if src1.zw contains the texel offsets */
   bool handle;   /* set if the plan's index is a bindless handle */
   /* Use of each NIR source: it can be unused, part of a hardware source, or the texture index. */
   struct role {
      enum { ROLE_NONE, ROLE_OPERAND, ROLE_INDEX } kind;
      uint8_t planned;     /* index into sgc_plan::srcs */
      uint8_t src, pos, n; /* the value is in positions pos to pos + n - 1 of src0 or src1 */
   } * roles;
};

struct planning {
   struct sgc_select *sel;
   struct sgc_plan *plan;
   bool integer; /* set if the sources are integers, which don't support modifiers */
};

/* Plans NIR source s as n positions of hardware source `src`, starting at position `pos`. */
static void
place(struct planning *c, const nir_tex_instr *tex, unsigned s, unsigned src, unsigned pos,
      unsigned n)
{
   const bool mods = !c->integer && nir_tex_instr_src_type(tex, s) == nir_type_float;

   c->plan->tex->roles[s] = (struct role){
      .kind = ROLE_OPERAND,
      .planned = c->plan->num_srcs,
      .src = src,
      .pos = pos,
      .n = n,
   };
   sgc_plan_src(c->sel, c->plan, tex->src[s].src, nir_tex_instr_src_size(tex, s), mods);
}

static void
plan_offset(struct planning *c, const nir_tex_instr *tex, unsigned s)
{
   struct sgc_tex_plan *plan = c->plan->tex;
   const nir_src src = tex->src[s].src;
   const unsigned n = sgpu_tex_target_infos[plan->target].offsets;

   if (nir_src_is_const(src)) {
      bool small = true;
      for (unsigned i = 0; i < n; i++) {
         const int value = nir_src_comp_as_int(src, i);
         small &= value >= -8 && value <= 7;
      }
      if (small) {
         for (unsigned i = 0; i < n; i++)
            plan->off[i] = nir_src_comp_as_int(src, i);
         return;
      }
   }
   if (plan->op != SGPU_OP_TG4) {
      sgc_error(c->sel->p, "a texel offset that is not a small constant");
      return;
   }
   plan->oreg = true;
   place(c, tex, s, 1, 2, n);
}

static void
plan_source(struct planning *c, const nir_tex_instr *tex, unsigned s)
{
   struct sgc_tex_plan *plan = c->plan->tex;
   const unsigned n = nir_tex_instr_src_size(tex, s);
   const bool levels = sgpu_tex_target_infos[plan->target].levels;

   switch (tex->src[s].src_type) {
   case nir_tex_src_coord:
      place(c, tex, s, 0, 0, n);
      break;
   case nir_tex_src_comparator:
      if (plan->target == SGPU_TEX_TARGET_CUBE_ARRAY)
         place(c, tex, s, 1, 1, 1);
      else
         place(c, tex, s, 0, 3, 1);
      break;
   case nir_tex_src_bias:
   case nir_tex_src_ms_index:
      place(c, tex, s, 1, 0, 1);
      break;
   case nir_tex_src_lod:
      if (plan->op == SGPU_OP_TXQ) {
         if (levels)
            place(c, tex, s, 0, 0, 1);
      } else if (plan->op != SGPU_OP_TXF || levels) {
         place(c, tex, s, 1, 0, 1);
      }
      break;
   case nir_tex_src_ddx:
      place(c, tex, s, 1, 0, n);
      break;
   case nir_tex_src_ddy:
      place(c, tex, s, 1, 2, n);
      break;
   case nir_tex_src_offset:
      plan_offset(c, tex, s);
      break;
   case nir_tex_src_texture_offset:
      plan->roles[s].kind = ROLE_INDEX;
      c->plan->index = sgc_plan_index(c->sel, tex->src[s].src);
      break;
   case nir_tex_src_texture_handle:
      plan->handle = true;
      plan->roles[s].kind = ROLE_INDEX;
      c->plan->index = sgc_plan_index(c->sel, tex->src[s].src);
      break;
   case nir_tex_src_sampler_offset:
      /* GLSL uses the same index for the texture and the sampler. */
      break;
   default:
      sgc_error(c->sel->p, "unhandled texture source");
      break;
   }
}

void
sgc_plan_tex(struct sgc_select *sel, nir_tex_instr *tex)
{
   if (!sgc_is_needed(sel, &tex->def))
      return;

   const enum sgpu_opcode op = opcode_of(tex->op);
   const int target = sgc_tex_target(tex->sampler_dim, tex->is_array);
   if (op == SGPU_OP_NOP || target < 0) {
      sgc_error(sel->p, "unhandled texture operation");
      return;
   }

   struct planning c = {
      .sel = sel,
      .plan = sgc_plan_of(sel, &tex->instr),
      .integer = op == SGPU_OP_TXF || op == SGPU_OP_TXQ,
   };
   sgc_plan_begin(sel, c.plan, tex->num_srcs);
   struct sgc_tex_plan *plan = c.plan->tex = sgc_zalloc(sel->p, sel, struct sgc_tex_plan);
   plan->op = op;
   plan->target = target;
   plan->roles = sgc_zalloc_array(sel->p, sel, struct role, tex->num_srcs);
   for (unsigned s = 0; s < tex->num_srcs; s++)
      plan_source(&c, tex, s);
}

/*
 * Emission
 */

/* Adds an index to the unit and sampler of an instruction, using A0 if it isn't constant. */
static void
set_relative_unit(struct sgc_select *sel, struct sgc_instr *instr, struct sgc_index index)
{
   const bool sampler = sgpu_tex_op_info(instr->op)->sampler;
   int back = instr->unit, room = SGPU_MAX_TEXTURES - 1 - instr->unit;
   if (sampler) {
      back = MIN2(back, instr->sampler);
      room = MIN2(room, SGPU_MAX_SAMPLERS - 1 - instr->sampler);
   }
   const int moved = sgc_fit_index(&index, 0, -back, room);

   instr->unit += moved;
   if (sampler)
      instr->sampler += moved;
   if (sgc_is_relative(&index)) {
      instr->urelcomp = sgc_load_address(sel, &index);
      instr->urel = true;
   }
}

/* Makes an instruction use a bindless handle as its unit. A constant is never a valid handle, so
 * use the last unit in this case, which is never bound.
 */
static void
set_handle(struct sgc_select *sel, struct sgc_instr *instr, struct sgc_index index)
{
   instr->unit = index.def ? 0 : SGPU_MAX_TEXTURES - 1;
   instr->sampler = 0;
   if (index.def) {
      index.bias += index.offset;
      index.offset = 0;
      instr->urelcomp = sgc_load_address(sel, &index);
      instr->urel = true;
   }
}

void
sgc_select_tex(struct sgc_select *sel, nir_tex_instr *tex)
{
   struct sgc_plan *plan = sgc_plan_of(sel, &tex->instr);
   if (plan->kind != SGC_PLAN_EMIT)
      return;

   const enum sgpu_opcode op = plan->tex->op;
   const struct sgpu_tex_op_info *info = sgpu_tex_op_info(op);
   struct sgc_instr *instr = sgc_instr_create(sel->p, op);
   instr->tex_target = plan->tex->target;
   instr->unit = tex->texture_index;
   if (info->sampler)
      instr->sampler = tex->sampler_index;
   instr->shadow = tex->is_shadow && info->shadow;
   if (op == SGPU_OP_TG4 && !instr->shadow)
      instr->gcomp = tex->component;
   memcpy(instr->off, plan->tex->off, sizeof(instr->off));
   instr->oreg = plan->tex->oreg;

   struct sgc_parts src[2] = { 0 };
   sgc_prepare_relative(sel, plan);
   for (unsigned s = 0; s < tex->num_srcs; s++) {
      const struct role *role = &plan->tex->roles[s];
      if (role->kind == ROLE_OPERAND)
         sgc_put(&src[role->src], role->pos, sgc_planned_src(sel, plan, role->planned), role->n);
      else if (role->kind == ROLE_INDEX && plan->tex->handle)
         set_handle(sel, instr, *plan->index);
      else if (role->kind == ROLE_INDEX)
         set_relative_unit(sel, instr, *plan->index);
   }

   /* The level defaults to 0. TXQ reads a level even if it queries the number of levels. */
   const bool levels = sgpu_tex_target_infos[plan->tex->target].levels;
   if (info->level0 && levels && !src[0].mask)
      sgc_put(&src[0], 0, sgc_imm(0), 1);
   if (info->level1 && levels && !src[1].mask)
      sgc_put(&src[1], 0, sgc_imm(0), 1);
   if (tex->op == nir_texop_query_levels) {
      const unsigned reg = sgc_new_reg(sel->p);
      instr->dst = sgc_dst_reg(reg, 1u << 3);
      instr->src[0] = sgc_join(sel, &src[0]);
      list_addtail(&instr->link, sel->b.before);
      sgc_mov_to(&sel->b, sgc_value_dst(sel, &tex->def), sgc_comp(sgc_reg(reg), 3));
   } else {
      instr->src[0] = sgc_join(sel, &src[0]);
      instr->src[1] = sgc_join(sel, &src[1]);
      instr->dst = sgc_value_dst(sel, &tex->def);
      list_addtail(&instr->link, sel->b.before);
   }
   sel->address_busy = 0;
   sel->keep_relative = false;
}
