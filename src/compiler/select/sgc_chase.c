/* SPDX-License-Identifier: MIT */
/*
 * Finds the value that a NIR source actually reads, by looking through moves, swizzles, negations
 * and constants added to indices.
 */

#include "select/sgc_select.h"

/* Makes the operand read `src` directly instead of a copy of `src`. */
static void
compose(struct sgc_operand *o, const nir_alu_src *src, unsigned n)
{
   o->def = src->src.ssa;
   for (unsigned i = 0; i < n; i++) {
      if (o->def->bit_size == 64)
         o->swizzle[i] = 2 * src->swizzle[o->swizzle[i] / 2] + o->swizzle[i] % 2;
      else
         o->swizzle[i] = src->swizzle[o->swizzle[i]];
   }
}

/* Like compose(), but for an operand that reads word 0 or 1 of the 64-bit `src`. */
static void
compose_word(struct sgc_operand *o, const nir_alu_src *src, unsigned n, unsigned word)
{
   o->def = src->src.ssa;
   for (unsigned i = 0; i < n; i++)
      o->swizzle[i] = 2 * src->swizzle[o->swizzle[i]] + word;
}

/* Looks through a vector, or a double that is packed from two words. If all positions of the
 * operand read the same value, makes the operand read this value and returns true. Otherwise,
 * returns false, but if all positions are constant, turns the operand into a literal.
 */
static bool
chase_parts(struct sgc_operand *o, const nir_alu_instr *alu, unsigned n)
{
   const nir_def *def = alu->src[o->swizzle[0]].src.ssa;
   bool same = true, constant = true;

   for (unsigned i = 0; i < n; i++) {
      const nir_alu_src *part = &alu->src[o->swizzle[i]];
      const nir_scalar s = nir_scalar_resolved(part->src.ssa, part->swizzle[0]);
      constant &= nir_scalar_is_const(s);
      same &= part->src.ssa == def;
      if (nir_scalar_is_const(s))
         o->imm[i] = nir_scalar_as_uint(s);
   }
   if (constant) {
      o->literal = true;
      return false;
   }
   if (!same)
      return false;
   o->def = (nir_def *)def;
   for (unsigned i = 0; i < n; i++)
      o->swizzle[i] = alu->src[o->swizzle[i]].swizzle[0];
   return true;
}

void
sgc_chase(struct sgc_operand *o, nir_def *def, const uint8_t *swizzle, unsigned n, bool mods)
{
   const bool wide = def->bit_size == 64;
   /* Only fold fneg and fabs of this bit size. A modifier of a double can't be applied to its
    * individual words, and a modifier of a float can't be applied to a double.
    */
   unsigned mod_bits = mods ? def->bit_size : 0;

   n = MIN2(wide ? 2 * n : n, 4);
   memset(o, 0, sizeof(*o));
   o->def = def;
   o->num = n;
   o->view = SGPU_SWIZZLE_XYZW;
   for (unsigned i = 0; i < n; i++) {
      const unsigned at = wide ? i / 2 : i;
      const unsigned from = swizzle ? swizzle[at] : at;
      o->swizzle[i] = wide ? 2 * from + i % 2 : from;
   }

   bool more = true;
   while (more) {
      more = false;
      if (o->def->parent_instr->type != nir_instr_type_alu)
         break;
      const nir_alu_instr *alu = nir_instr_as_alu(o->def->parent_instr);
      switch (alu->op) {
      case nir_op_mov:
         compose(o, &alu->src[0], n);
         more = true;
         break;
      case nir_op_fneg:
      case nir_op_fabs:
         if (alu->def.bit_size != mod_bits)
            break;
         if (alu->op == nir_op_fneg && !o->abs)
            o->neg = !o->neg;
         if (alu->op == nir_op_fabs)
            o->abs = true;
         compose(o, &alu->src[0], n);
         more = true;
         break;
      case nir_op_vec2:
      case nir_op_vec3:
      case nir_op_vec4:
         if (alu->def.bit_size == 32)
            more = chase_parts(o, alu, n);
         break;
      case nir_op_unpack_64_2x32_split_x:
      case nir_op_unpack_64_2x32_split_y:
         compose_word(o, &alu->src[0], n, alu->op == nir_op_unpack_64_2x32_split_y);
         mod_bits = 0;
         more = true;
         break;
      case nir_op_pack_64_2x32_split:
         if (alu->def.num_components == 1)
            more = chase_parts(o, alu, n);
         mod_bits = 0;
         break;
      default:
         break;
      }
   }

   if (o->def->parent_instr->type == nir_instr_type_load_const) {
      nir_load_const_instr *load = nir_instr_as_load_const(o->def->parent_instr);
      o->literal = true;
      for (unsigned i = 0; i < n; i++) {
         const unsigned at = o->swizzle[i];
         o->imm[i] = o->def->bit_size == 64 ? (uint32_t)(load->value[at / 2].u64 >> 32 * (at % 2))
                                            : load->value[at].u32;
      }
   } else if (o->def->parent_instr->type == nir_instr_type_undef) {
      o->literal = true;
   }
   if (o->literal) {
      for (unsigned i = 0; i < 4; i++) {
         if (i >= n)
            o->imm[i] = o->imm[n - 1];
         if (wide && i % 2 == 0)
            continue;
         if (o->abs)
            o->imm[i] &= 0x7fffffff;
         if (o->neg)
            o->imm[i] ^= 0x80000000;
      }
      o->abs = o->neg = false;
   }
   for (unsigned i = n; i < 4; i++)
      o->swizzle[i] = o->swizzle[n - 1];
}

/* Returns true if source s of an instruction supports the neg and abs modifiers. 32-bit vectors
 * support them, because they become MOVs. Opcodes that aren't in the table can only be part of a
 * composite operation, so their float sources support modifiers, too.
 */
static bool
takes_mods(const nir_alu_instr *alu, unsigned s)
{
   const struct sgc_alu_info *row = sgc_alu_is_wide(alu) ? sgc_wide_info(alu)
                                                         : sgc_alu_info(alu->op);
   const struct sgpu_opcode_info *isa = sgpu_opcode_info(row->op);

   if (sgc_op_is_vec(alu->op))
      return nir_src_bit_size(alu->src[s].src) == 32;
   if (row->op == SGPU_OP_NOP)
      return nir_src_bit_size(alu->src[s].src) == 32 &&
             nir_alu_type_get_base_type(nir_op_infos[alu->op].input_types[s]) == nir_type_float;
   /* Only pair operations support modifiers on 64-bit sources. */
   return isa->src_mods & (1u << s) &&
          (nir_src_bit_size(alu->src[s].src) == 32 || isa->kind == SGPU_KIND_PAIR);
}

void
sgc_chase_alu(struct sgc_operand *o, const nir_alu_instr *alu, unsigned s, unsigned n)
{
   sgc_chase(o, alu->src[s].src.ssa, alu->src[s].swizzle, n, takes_mods(alu, s));
}

/*
 * Addresses
 */

struct sgc_index
sgc_chase_index(nir_def *def)
{
   struct sgc_index index = { 0 };
   nir_scalar s = nir_scalar_resolved(def, 0);

   for (;;) {
      if (nir_scalar_is_const(s)) {
         index.offset = sgc_index_add(index.offset, nir_scalar_as_uint(s));
         index.def = NULL;
         return index;
      }
      if (nir_scalar_is_alu(s) && nir_scalar_alu_op(s) == nir_op_iadd) {
         nir_scalar x = nir_scalar_chase_movs(nir_scalar_chase_alu_src(s, 0));
         nir_scalar y = nir_scalar_chase_movs(nir_scalar_chase_alu_src(s, 1));
         if (nir_scalar_is_const(x)) {
            const nir_scalar t = x;
            x = y;
            y = t;
         }
         if (nir_scalar_is_const(y)) {
            index.offset = sgc_index_add(index.offset, nir_scalar_as_uint(y));
            s = x;
            continue;
         }
      }
      break;
   }

   if (nir_scalar_is_alu(s) && nir_scalar_alu_op(s) == nir_op_f2i32) {
      nir_scalar f = nir_scalar_chase_movs(nir_scalar_chase_alu_src(s, 0));
      if (nir_scalar_is_alu(f) && nir_scalar_alu_op(f) == nir_op_ffloor) {
         s = nir_scalar_chase_alu_src(f, 0);
         index.floor = true;
      }
   }
   index.def = s.def;
   index.comp = s.comp;
   /* If the offset doesn't fit in the operand, add it to the value that is loaded into A0 instead.
    */
   if (index.offset < -512 || index.offset > 511) {
      index.bias = index.offset;
      index.offset = 0;
   }
   sgc_chase(&index.value, index.def, &index.comp, 1, index.floor);
   return index;
}
