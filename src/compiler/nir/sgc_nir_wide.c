/* SPDX-License-Identifier: MIT */
/*
 * NIR passes that lower 64-bit values to what instruction selection supports: scalars that are
 * results of pair operations or of pack_64_2x32_split.
 */

#include "compiler/nir/nir_builder.h"
#include "ir/sgc_ir.h"

static bool
is_wide_alu(const nir_alu_instr *alu)
{
   bool wide = alu->def.bit_size == 64;
   for (unsigned i = 0; i < nir_op_infos[alu->op].num_inputs; i++)
      wide |= nir_src_bit_size(alu->src[i].src) == 64;
   return wide;
}

bool
sgc_nir_is_wide(const nir_instr *instr)
{
   return instr->type == nir_instr_type_alu && is_wide_alu(nir_instr_as_alu(instr));
}

bool
sgc_nir_has_wide(nir_shader *nir)
{
   nir_foreach_block(block, nir_shader_get_entrypoint(nir)) {
      nir_foreach_instr(instr, block) {
         nir_def *def = nir_instr_def(instr);
         if (sgc_nir_is_wide(instr) || (def && def->bit_size == 64))
            return true;
      }
   }
   nir_foreach_variable_with_modes(var, nir, nir_var_shader_in | nir_var_shader_out) {
      if (glsl_type_is_64bit(glsl_without_array(var->type)))
         return true;
   }
   return false;
}

/*
 * Division and square root. These passes do the same as the NIR options lower_fdiv and lower_fsqrt,
 * but only for 32-bit floats. Division becomes a multiplication by the reciprocal, and a square
 * root in a vertex shader becomes the reciprocal of RSQ. Doubles are left alone, because the
 * hardware has correctly rounded operations for them.
 */

static nir_def *
lower_quotient(nir_builder *b, nir_instr *instr, void *data)
{
   nir_alu_instr *alu = nir_instr_as_alu(instr);
   b->exact = alu->exact;
   nir_def *x = nir_ssa_for_alu_src(b, alu, 0);
   nir_def *r = alu->op == nir_op_fsqrt
                   ? nir_frcp(b, nir_frsq(b, x))
                   : nir_fmul(b, x, nir_frcp(b, nir_ssa_for_alu_src(b, alu, 1)));
   b->exact = false;
   return r;
}

static bool
is_float(const nir_alu_instr *alu)
{
   return alu->def.bit_size != 64;
}

static bool
is_quotient(const nir_instr *instr, const void *data)
{
   return instr->type == nir_instr_type_alu && nir_instr_as_alu(instr)->op == nir_op_fdiv &&
          is_float(nir_instr_as_alu(instr));
}

static bool
is_root(const nir_instr *instr, const void *data)
{
   return instr->type == nir_instr_type_alu && nir_instr_as_alu(instr)->op == nir_op_fsqrt &&
          is_float(nir_instr_as_alu(instr));
}

bool
sgc_nir_lower_fdiv(nir_shader *nir)
{
   return nir_shader_lower_instructions(nir, is_quotient, lower_quotient, NULL);
}

bool
sgc_nir_lower_fsqrt(nir_shader *nir)
{
   return nir_shader_lower_instructions(nir, is_root, lower_quotient, NULL);
}

/*
 * Arithmetic
 */

/* Returns 1 / sqrt(x) for doubles. The quotient r = 1 / sqrt(x) is rounded twice and has an error
 * of less than 1.5 ULP. A single third-order step, r + r (e / 2 + 3/8 e^2) with e = 1 - x r^2,
 * reduces the error before the last rounding to less than 2^-50 ULP. e is accurate because x r is
 * computed as a sum of two doubles. For zeros, infinities and NaN, e is NaN and is replaced with 1,
 * which leaves r unchanged (infinite, 0 or NaN).
 */
static nir_def *
inverse_root(nir_builder *b, nir_def *x)
{
   nir_def *one = nir_imm_double(b, 1.0);

   b->exact = true;
   nir_def *r = nir_fdiv(b, one, nir_fsqrt(b, x));
   nir_def *minus_r = nir_fneg(b, r);
   nir_def *high = nir_fmul(b, x, r);
   nir_def *low = nir_ffma(b, x, r, nir_fneg(b, high));
   nir_def *e = nir_ffma(b, minus_r, low, nir_ffma(b, minus_r, high, one));
   e = nir_fmin(b, e, one);
   nir_def *step = nir_fmul(b, e, nir_ffma(b, nir_imm_double(b, 0.375), e, nir_imm_double(b, 0.5)));
   return nir_ffma(b, r, step, r);
}

static nir_def *
lower_alu(nir_builder *b, nir_instr *instr, void *data)
{
   nir_alu_instr *alu = nir_instr_as_alu(instr);
   nir_def *zero = nir_imm_int(b, 0);
   nir_def *x = nir_ssa_for_alu_src(b, alu, 0);
   nir_def *r = NULL;

   b->exact = alu->exact;
   switch (alu->op) {
   case nir_op_frcp:
      r = nir_fdiv(b, nir_imm_double(b, 1.0), x);
      break;
   case nir_op_frsq:
      r = inverse_root(b, x);
      break;
   case nir_op_fsat:
      r = nir_fmin(b, nir_fmax(b, x, nir_imm_double(b, 0.0)), nir_imm_double(b, 1.0));
      break;
   case nir_op_fisfinite:
      r = nir_flt(b, nir_fabs(b, x), nir_imm_double(b, INFINITY));
      break;
   case nir_op_b2f64:
      r = nir_pack_64_2x32_split(b, zero, nir_bcsel(b, x, nir_imm_int(b, 0x3ff00000), zero));
      break;
   case nir_op_b2i64:
      r = nir_pack_64_2x32_split(b, nir_b2i32(b, x), zero);
      break;
   case nir_op_u2u64:
      r = nir_pack_64_2x32_split(b, x, zero);
      break;
   case nir_op_i2i64:
      r = nir_pack_64_2x32_split(b, x, nir_ishr_imm(b, x, 31));
      break;
   case nir_op_u2u32:
   case nir_op_i2i32:
      r = nir_unpack_64_2x32_split_x(b, x);
      break;
   case nir_op_pack_64_2x32:
      r = nir_pack_64_2x32_split(b, nir_channel(b, x, 0), nir_channel(b, x, 1));
      break;
   case nir_op_unpack_64_2x32:
      r = nir_vec2(b, nir_unpack_64_2x32_split_x(b, x), nir_unpack_64_2x32_split_y(b, x));
      break;
   default:
      unreachable("not chosen by is_lowered");
   }
   b->exact = false;
   return r;
}

static bool
is_lowered(const nir_instr *instr, const void *data)
{
   if (!sgc_nir_is_wide(instr))
      return false;
   const nir_alu_instr *alu = nir_instr_as_alu(instr);
   switch (alu->op) {
   case nir_op_frcp:
   case nir_op_frsq:
   case nir_op_fsat:
   case nir_op_fisfinite:
   case nir_op_b2f64:
   case nir_op_b2i64:
   case nir_op_u2u32:
   case nir_op_i2i32:
   case nir_op_pack_64_2x32:
   case nir_op_unpack_64_2x32:
      return true;
   case nir_op_u2u64:
   case nir_op_i2i64:
      return nir_src_bit_size(alu->src[0].src) == 32;
   default:
      return false;
   }
}

bool
sgc_nir_lower_wide_alu(nir_shader *nir)
{
   return nir_shader_lower_instructions(nir, is_lowered, lower_alu, NULL);
}
