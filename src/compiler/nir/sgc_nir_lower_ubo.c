/* SPDX-License-Identifier: MIT */
/*
 * NIR pass: lowers loads from constant bank 0 to load_uniform of a whole vec4 slot, which has
 * offsets in slots instead of bytes. Instruction selection turns these loads into operands c[n] and
 * c[A0.x + n]. Since that takes no instruction, loading all components of a slot is free.
 *
 * Unaligned loads, and loads that may read slots beyond the user constants of the CONST file,
 * remain load_ubo and become LDC.
 *
 * A byte offset can overflow 32 bits even if the slot index doesn't. The slot is only offset / 16
 * if no constant in the offset has overflowed. sgc_nir_bound_uniforms() protects indices for which
 * that could happen.
 */

#include "compiler/nir/nir_builder.h"
#include "ir/sgc_ir.h"

/* Number of slots in the CONST file that uniforms can use. The rest of the file is for literals. */
#define MAX_SLOTS 896
/* Maximum depth of the expression trees that wraps() analyzes. */
#define MAX_DEPTH 8

/* nir_opt_algebraic can distribute a multiplication by `factor` over the operations that compute s.
 * Returns true if a constant could overflow as a result.
 */
static bool
wraps(nir_scalar s, int64_t factor, unsigned depth)
{
   if (factor != (int32_t)factor || depth > MAX_DEPTH)
      return true;
   if (nir_scalar_is_const(s)) {
      const int64_t value = factor * (int32_t)nir_scalar_as_uint(s);
      return value != (int32_t)value;
   }
   if (!nir_scalar_is_alu(s))
      return false;

   const nir_op op = nir_scalar_alu_op(s);
   if (op != nir_op_mov && op != nir_op_iadd && op != nir_op_isub && op != nir_op_ineg &&
       op != nir_op_imul && op != nir_op_ishl && op != nir_op_iand)
      return false;
   nir_scalar x = nir_scalar_chase_alu_src(s, 0);
   if (op == nir_op_mov || op == nir_op_ineg)
      return wraps(x, factor, depth + 1);
   nir_scalar y = nir_scalar_chase_alu_src(s, 1);
   if (op == nir_op_iadd || op == nir_op_isub)
      return wraps(x, factor, depth + 1) || wraps(y, factor, depth + 1);
   if (op != nir_op_ishl && nir_scalar_is_const(x)) {
      const nir_scalar t = x;
      x = y;
      y = t;
   }
   if (!nir_scalar_is_const(y))
      return false;
   const uint32_t value = nir_scalar_as_uint(y);
   switch (op) {
   case nir_op_iand:
      return wraps(y, factor, depth + 1);
   case nir_op_ishl:
      return wraps(x, factor * (INT64_C(1) << (value & 31)), depth + 1);
   default:
      return wraps(x, factor * (int32_t)value, depth + 1);
   }
}

static bool
bound_index(nir_builder *b, nir_intrinsic_instr *load, void *data)
{
   if (load->intrinsic != nir_intrinsic_load_uniform || nir_src_is_const(load->src[0]) ||
       !wraps(nir_get_scalar(load->src[0].ssa, 0), 16, 0))
      return false;

   b->cursor = nir_before_instr(&load->instr);
   nir_src_rewrite(&load->src[0], nir_umin_imm(b, load->src[0].ssa, INT32_MAX / 16));
   return true;
}

bool
sgc_nir_bound_uniforms(nir_shader *nir)
{
   return nir_shader_intrinsics_pass(nir, bound_index, nir_metadata_control_flow, NULL);
}

static bool
allow_speculation(nir_builder *b, nir_intrinsic_instr *load, void *data)
{
   if (load->intrinsic != nir_intrinsic_load_ubo)
      return false;
   nir_intrinsic_set_access(load, nir_intrinsic_access(load) | ACCESS_CAN_SPECULATE);
   return true;
}

bool
sgc_nir_speculate_ubo(nir_shader *nir)
{
   return nir_shader_intrinsics_pass(nir, allow_speculation, nir_metadata_all, NULL);
}

/* Returns s / 16, or NULL if that would take a division or a right shift. */
static nir_def *
divide_by_16(nir_builder *b, nir_scalar s)
{
   if (nir_scalar_is_const(s)) {
      uint32_t value = nir_scalar_as_uint(s);
      return value % 16 ? NULL : nir_imm_int(b, (int32_t)value / 16);
   }
   if (!nir_scalar_is_alu(s))
      return NULL;

   nir_scalar src0 = nir_scalar_chase_alu_src(s, 0);
   switch (nir_scalar_alu_op(s)) {
   case nir_op_mov:
      return divide_by_16(b, src0);
   case nir_op_ishl: {
      nir_scalar src1 = nir_scalar_chase_alu_src(s, 1);
      if (!nir_scalar_is_const(src1))
         return NULL;
      unsigned shift = nir_scalar_as_uint(src1) & 31;
      return shift < 4 ? NULL : nir_ishl_imm(b, nir_channel(b, src0.def, src0.comp), shift - 4);
   }
   case nir_op_imul:
   case nir_op_amul: {
      nir_scalar src1 = nir_scalar_chase_alu_src(s, 1);
      if (!nir_scalar_is_const(src1) || nir_scalar_as_uint(src1) % 16)
         return NULL;
      return nir_imul_imm(b, nir_channel(b, src0.def, src0.comp), nir_scalar_as_uint(src1) / 16);
   }
   case nir_op_iadd: {
      nir_def *x = divide_by_16(b, src0);
      nir_def *y = x ? divide_by_16(b, nir_scalar_chase_alu_src(s, 1)) : NULL;
      return y ? nir_iadd(b, x, y) : NULL;
   }
   default:
      return NULL;
   }
}

static bool
lower_load(nir_builder *b, nir_intrinsic_instr *load, void *data)
{
   if (load->intrinsic != nir_intrinsic_load_ubo || load->def.bit_size != 32 ||
       !nir_src_is_const(load->src[0]) || nir_src_as_uint(load->src[0]) != 0)
      return false;

   b->cursor = nir_before_instr(&load->instr);

   unsigned base, range, component;
   nir_def *offset;
   if (nir_src_is_const(load->src[1])) {
      uint32_t byte = nir_src_as_uint(load->src[1]);
      base = byte / 16;
      range = 1;
      component = byte / 4 % 4;
      offset = nir_imm_int(b, 0);
      if (byte % 4)
         return false;
   } else {
      if (nir_intrinsic_align_mul(load) < 16 || nir_intrinsic_align_offset(load) % 4)
         return false;
      component = nir_intrinsic_align_offset(load) % 16 / 4;
      nir_def *bytes = load->src[1].ssa;
      if (component)
         bytes = nir_iadd_imm(b, bytes, -4 * (int)component);
      offset = divide_by_16(b, nir_get_scalar(bytes, 0));
      if (!offset)
         offset = nir_ushr_imm(b, bytes, 4);
      base = 0;
      range = b->shader->num_uniforms;
      if (nir_intrinsic_range(load) != ~0u)
         range = DIV_ROUND_UP(nir_intrinsic_range_base(load) + nir_intrinsic_range(load), 16);
   }
   if (base + range > MAX_SLOTS || component + load->num_components > 4)
      return false;

   nir_def *slot = nir_load_uniform(b, 4, 32, offset, .base = base, .range = range,
                                    .dest_type = nir_type_float32);
   nir_def *value = nir_channels(b, slot, sgc_mask(load->num_components) << component);
   nir_def_replace(&load->def, value);
   return true;
}

bool
sgc_nir_lower_ubo(nir_shader *nir)
{
   return nir_shader_intrinsics_pass(nir, lower_load, nir_metadata_control_flow, NULL);
}
