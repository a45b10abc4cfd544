/* SPDX-License-Identifier: MIT */
/*
 * Operand emission: turns planned operands into hardware sources, and loads A0 for indirect
 * accesses.
 */

#include "select/sgc_select.h"

int
sgc_fit_index(struct sgc_index *index, int base, int min, int max)
{
   const int sum = base + index->offset;
   const int part = sum >= min && sum <= max ? sum : base >= min && base <= max ? base : 0;

   index->bias = sgc_index_add(index->bias, sum - part);
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

   /* The instructions that compute the index may also use components of A0, but those are free
    * again after A0 has been loaded.
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
      /* ARI computes component c of A0 from position c of its source, so replicate the sum. */
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
 * Hardware operands
 */

/* Allocates a virtual register for a value that doesn't have a location yet. */
static void
new_location(struct sgc_select *sel, nir_def *def)
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

/* Returns a source that reads component i of the value in position i. */
static struct sgc_src
value_src(struct sgc_select *sel, nir_def *def)
{
   if (def->parent_instr->type == nir_instr_type_intrinsic) {
      nir_intrinsic_instr *intr = nir_instr_as_intrinsic(def->parent_instr);
      if (sgc_is_operand_load(sel, intr))
         return sgc_load_operand(sel, intr);
   }
   /* The instruction that defines the value may not have been emitted yet, since the phis of a loop
    * read values from the end of the loop.
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
sgc_value_dst(struct sgc_select *sel, nir_def *def)
{
   new_location(sel, def);
   const struct sgc_location *l = &sel->locations[def->index];
   unsigned mask = 0;
   for (unsigned i = 0; i < sgc_num_words(def); i++)
      mask |= 1u << l->comp[i];
   return sgc_dst_make(l->file, l->index, mask);
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

struct sgc_src
sgc_planned_address(struct sgc_select *sel, struct sgc_plan *plan, unsigned s, uint32_t *offset)
{
   const struct sgc_operand *o = &plan->srcs[s];

   *offset = 0;
   if (o->literal && o->imm[0] <= 0xffffff) {
      plan->read |= 1u << s;
      *offset = o->imm[0];
      return sgc_none();
   }
   return sgc_comp(sgc_planned_src(sel, plan, s), 0);
}
