/* SPDX-License-Identifier: MIT */
/*
 * Operands for selection.  Planning looks through moves, swizzles and sign changes to find the
 * value that a NIR source reads.  Emission makes machine sources from these operands.
 *
 * The search never looks through instructions that read NIR registers (arrays), because a register
 * may be written between that instruction and the user.
 */

#include "sgc_select.h"

static bool
is_ssa_alu(const nir_ssa_def *def, nir_alu_instr **alu)
{
   if (def->parent_instr->type != nir_instr_type_alu)
      return false;
   *alu = nir_instr_as_alu(def->parent_instr);
   for (unsigned i = 0; i < nir_op_infos[(*alu)->op].num_inputs; i++) {
      if (!(*alu)->src[i].src.is_ssa)
         return false;
   }
   return true;
}

nir_ssa_scalar
sgc_chase_movs(nir_ssa_scalar s)
{
   nir_alu_instr *alu;

   while (is_ssa_alu(s.def, &alu)) {
      if (alu->op == nir_op_mov)
         s = (nir_ssa_scalar){ alu->src[0].src.ssa, alu->src[0].swizzle[s.comp] };
      else if (sgc_op_is_vec(alu->op))
         s = (nir_ssa_scalar){ alu->src[s.comp].src.ssa, alu->src[s.comp].swizzle[0] };
      else
         break;
   }
   return s;
}

/* Replaces the operand's value, which is a copy of `src`, with that of `src`. */
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

/* The same for a value that is word 0 or 1 of a 64-bit `src`. */
static void
compose_word(struct sgc_operand *o, const nir_alu_src *src, unsigned n, unsigned word)
{
   o->def = src->src.ssa;
   for (unsigned i = 0; i < n; i++)
      o->swizzle[i] = 2 * src->swizzle[o->swizzle[i]] + word;
}

/* Looks through a vector, or through a double that is made of two words.  Returns true if all
 * positions of the operand come from one value, which becomes the operand's value.  If all are
 * constant, makes the operand a literal and returns false.
 */
static bool
chase_parts(struct sgc_operand *o, const nir_alu_instr *alu, unsigned n)
{
   const nir_ssa_def *def = alu->src[o->swizzle[0]].src.ssa;
   bool same = true, constant = true;

   for (unsigned i = 0; i < n; i++) {
      const nir_alu_src *part = &alu->src[o->swizzle[i]];
      const nir_ssa_scalar s = sgc_chase_movs((nir_ssa_scalar){ part->src.ssa, part->swizzle[0] });
      constant &= nir_ssa_scalar_is_const(s);
      same &= part->src.ssa == def;
      if (nir_ssa_scalar_is_const(s))
         o->imm[i] = nir_ssa_scalar_as_uint(s);
   }
   if (constant) {
      o->literal = true;
      return false;
   }
   if (!same)
      return false;
   o->def = (nir_ssa_def *)def;
   for (unsigned i = 0; i < n; i++)
      o->swizzle[i] = alu->src[o->swizzle[i]].swizzle[0];
   return true;
}

void
sgc_chase(struct sgc_operand *o, nir_ssa_def *def, const uint8_t *swizzle, unsigned n, bool mods)
{
   const bool wide = def->bit_size == 64;
   /* Size of values behind fneg and fabs.  A modifier of a double cannot be applied to its words,
    * and a modifier of a float not to a double.
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
      nir_alu_instr *alu;
      more = false;
      if (!is_ssa_alu(o->def, &alu))
         break;
      switch (alu->op) {
      case nir_op_mov:
         compose(o, &alu->src[0], n);
         more = true;
         break;
      case nir_op_fneg:
      case nir_op_fabs:
         if (alu->dest.dest.ssa.bit_size != mod_bits)
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
         if (alu->dest.dest.ssa.bit_size == 32)
            more = chase_parts(o, alu, n);
         break;
      case nir_op_unpack_64_2x32_split_x:
      case nir_op_unpack_64_2x32_split_y:
         compose_word(o, &alu->src[0], n, alu->op == nir_op_unpack_64_2x32_split_y);
         mod_bits = 0;
         more = true;
         break;
      case nir_op_pack_64_2x32_split:
         if (alu->dest.dest.ssa.num_components == 1)
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
   } else if (o->def->parent_instr->type == nir_instr_type_ssa_undef) {
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

/* Returns whether source s of an instruction takes the modifiers neg and abs.  Vectors become
 * moves, which take them.  An operation without a row in the table can only be a part of others,
 * whose float sources take them.
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
   /* 64-bit sources take modifiers only in pair operations. */
   return isa->src_mods & (1u << s) &&
          (nir_src_bit_size(alu->src[s].src) == 32 || isa->kind == SGPU_KIND_PAIR);
}

void
sgc_chase_alu(struct sgc_operand *o, const nir_alu_instr *alu, unsigned s, unsigned n)
{
   if (alu->src[s].src.is_ssa) {
      sgc_chase(o, alu->src[s].src.ssa, alu->src[s].swizzle, n, takes_mods(alu, s));
      return;
   }
   memset(o, 0, sizeof(*o));
   o->array = &alu->src[s].src.reg;
   o->num = n;
   o->view = SGPU_SWIZZLE_XYZW;
   for (unsigned i = 0; i < 4; i++)
      o->swizzle[i] = alu->src[s].swizzle[MIN2(i, n - 1)];
}

/*
 * Addresses
 */

/* Adds modulo 2^32, as NIR does. */
static int
add_wrapped(int a, uint32_t b)
{
   return (int)((uint32_t)a + b);
}

struct sgc_index
sgc_chase_index(nir_ssa_def *def)
{
   struct sgc_index index = { 0 };
   nir_ssa_scalar s = sgc_chase_movs((nir_ssa_scalar){ def, 0 });

   for (;;) {
      if (nir_ssa_scalar_is_const(s)) {
         index.offset = add_wrapped(index.offset, nir_ssa_scalar_as_uint(s));
         index.def = NULL;
         return index;
      }
      if (nir_ssa_scalar_is_alu(s) && nir_ssa_scalar_alu_op(s) == nir_op_iadd) {
         nir_ssa_scalar x = sgc_chase_movs(nir_ssa_scalar_chase_alu_src(s, 0));
         nir_ssa_scalar y = sgc_chase_movs(nir_ssa_scalar_chase_alu_src(s, 1));
         if (nir_ssa_scalar_is_const(x)) {
            const nir_ssa_scalar t = x;
            x = y;
            y = t;
         }
         if (nir_ssa_scalar_is_const(y)) {
            index.offset = add_wrapped(index.offset, nir_ssa_scalar_as_uint(y));
            s = x;
            continue;
         }
      }
      break;
   }

   if (nir_ssa_scalar_is_alu(s) && nir_ssa_scalar_alu_op(s) == nir_op_f2i32) {
      nir_ssa_scalar f = sgc_chase_movs(nir_ssa_scalar_chase_alu_src(s, 0));
      if (nir_ssa_scalar_is_alu(f) && nir_ssa_scalar_alu_op(f) == nir_op_ffloor) {
         s = nir_ssa_scalar_chase_alu_src(f, 0);
         index.floor = true;
      }
   }
   index.def = s.def;
   index.comp = s.comp;
   /* An offset that is too large for the operand becomes part of the address. */
   if (index.offset < -512 || index.offset > 511) {
      index.bias = index.offset;
      index.offset = 0;
   }
   sgc_chase(&index.value, index.def, &index.comp, 1, index.floor);
   return index;
}

int
sgc_fit_index(struct sgc_index *index, int base, int min, int max)
{
   const int sum = base + index->offset;
   const int part = sum >= min && sum <= max ? sum : base >= min && base <= max ? base : 0;

   index->bias = add_wrapped(index->bias, sum - part);
   if (!index->def && index->bias)
      index->bias = INT32_MIN / 2;
   index->offset = 0;
   return part;
}

bool
sgc_is_relative(const struct sgc_index *index)
{
   return index->def || index->bias;
}

unsigned
sgc_load_address(struct sgc_select *sel, const struct sgc_index *index)
{
   const unsigned count = sel->p->vp1 ? 1 : 4;
   unsigned best = 0;

   for (unsigned c = 0; c < count; c++) {
      struct sgc_address *a = &sel->address[c];
      if (a->valid && a->def == index->def && a->comp == index->comp && a->floor == index->floor &&
          a->bias == index->bias) {
         a->used = ++sel->address_clock;
         sel->address_busy |= 1u << c;
         return c;
      }
      const struct sgc_address *b = &sel->address[best];
      bool free = !(sel->address_busy & (1u << c));
      bool best_free = !(sel->address_busy & (1u << best));
      if ((free && !best_free) ||
          (free == best_free && (a->valid ? a->used : 0) < (b->valid ? b->used : 0)))
         best = c;
   }
   if (sel->address_busy & (1u << best))
      sgc_error(sel->p, "selection: an instruction with too many addresses");

   /* The value of the index may itself be read through A0.  Those components are free again after
    * the load.
    */
   const unsigned busy = sel->address_busy;
   struct sgc_src src = { 0 };
   if (index->def)
      src = sgc_operand_src(sel, &index->value);
   struct sgc_dst dst = sgc_dst_make(SGPU_FILE_ADDR, 0, 1u << best);
   if (!index->def) {
      sgc_ari_to(&sel->b, dst, sgc_imm(index->bias));
   } else if (index->bias) {
      if (index->floor)
         src = sgc_f2i(&sel->b, 1, sgc_flr(&sel->b, 1, src));
      /* Replicates the sum, because ARI reads the position of the component that it writes. */
      src = sgc_comp(sgc_iadd(&sel->b, 1, src, sgc_imm(index->bias)), 0);
      sgc_ari_to(&sel->b, dst, src);
   } else if (index->floor) {
      sgc_arl_to(&sel->b, dst, src);
   } else {
      sgc_ari_to(&sel->b, dst, src);
   }

   sel->address[best] = (struct sgc_address){
      .valid = true,
      .def = index->def,
      .comp = index->comp,
      .floor = index->floor,
      .bias = index->bias,
      .used = ++sel->address_clock,
   };
   sel->address_busy = busy | 1u << best;
   return best;
}

/*
 * Machine operands
 */

/* Gives a value without a location a new virtual register. */
static void
new_location(struct sgc_select *sel, nir_ssa_def *def)
{
   struct sgc_location *l = &sel->locations[def->index];
   if (l->valid)
      return;
   l->valid = true;
   l->file = SGPU_FILE_TEMP;
   l->index = sgc_new_reg(sel->p);
   for (unsigned i = 0; i < 4; i++)
      l->comp[i] = MIN2(i, sgc_num_words(def) - 1u);
}

/* Returns a source that reads a value, with component i of the value at position i. */
static struct sgc_src
value_src(struct sgc_select *sel, nir_ssa_def *def)
{
   if (def->parent_instr->type == nir_instr_type_intrinsic) {
      nir_intrinsic_instr *intr = nir_instr_as_intrinsic(def->parent_instr);
      if (sgc_is_operand_load(intr))
         return sgc_load_operand(sel, intr);
   }
   /* The instruction that computes the value may not be emitted yet: phis of a loop read values of
    * its end.
    */
   if (!sgc_is_needed(sel, def) && !sgc_has_location(sel, def))
      sgc_error(sel->p, "selection: a value is read that the plan did not record");
   new_location(sel, def);

   const struct sgc_location *l = &sel->locations[def->index];
   assert(l->file == SGPU_FILE_TEMP && "outputs cannot be read");
   struct sgc_src src = sgc_reg(l->index);
   src.swizzle = SGPU_SWIZZLE(l->comp[0], l->comp[1], l->comp[2], l->comp[3]);
   return src;
}

struct sgc_dst
sgc_value_dst(struct sgc_select *sel, nir_ssa_def *def)
{
   new_location(sel, def);
   const struct sgc_location *l = &sel->locations[def->index];
   unsigned mask = 0;
   for (unsigned i = 0; i < sgc_num_words(def); i++)
      mask |= 1u << l->comp[i];
   return sgc_dst_make(l->file, l->index, mask);
}

static struct sgc_src
array_src(struct sgc_select *sel, const struct sgc_operand *o)
{
   struct sgc_src src = sgc_src_make(SGC_FILE_ARRAY, o->array->base_offset);
   src.array = sel->arrays[o->array->reg->index] - 1;
   if (o->index && o->index->def) {
      struct sgc_index index = *o->index;
      src.index = sgc_fit_index(&index, src.index, -512, sel->p->arrays[src.array].size - 1);
      src.relcomp = sgc_load_address(sel, &index);
      src.rel = true;
   } else if (o->index) {
      src.index += o->index->offset;
   }
   src.swizzle = SGPU_SWIZZLE(o->swizzle[0], o->swizzle[1], o->swizzle[2], o->swizzle[3]);
   return sgc_swizzle(src, o->view);
}

struct sgc_src
sgc_operand_src(struct sgc_select *sel, const struct sgc_operand *o)
{
   struct sgc_src src;

   if (o->literal) {
      src = sgc_src_make(SGC_FILE_IMM, 0);
      memcpy(src.imm, o->imm, sizeof(src.imm));
      return sgc_swizzle(src, o->view);
   }
   if (o->array)
      return array_src(sel, o);
   src = value_src(sel, o->def);
   src = sgc_swizzle(src, SGPU_SWIZZLE(o->swizzle[0], o->swizzle[1], o->swizzle[2], o->swizzle[3]));
   if (src.rel && sel->keep_relative) {
      src = sgc_mov(&sel->b, sgc_mask(o->num), src);
      sel->address_busy = 0;
   }
   src.abs = o->abs;
   src.neg = o->neg;
   return sgc_swizzle(src, o->view);
}

struct sgc_src
sgc_planned_src(struct sgc_select *sel, struct sgc_plan *plan, unsigned s)
{
   assert(s < plan->num_srcs && "an operand that the plan did not record");
   plan->read |= 1u << MIN2(s, 31);
   return sgc_operand_src(sel, &plan->srcs[s]);
}
