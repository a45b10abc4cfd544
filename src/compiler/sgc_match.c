/* SPDX-License-Identifier: MIT */
/*
 * Recognition of the composite operations: LIT, EXP, LOG, DST.
 *
 * The table says for each component of a result by which expression of NIR it
 * may come.  In an expression, operations have NIR's names, numbers are
 * literals, {p|q} is the first that fits, and a letter with a component (ax,
 * bw, or a alone where the source is a scalar) is that position of a source;
 * -ax is its negation, ax:128 a literal of at most that magnitude.
 *
 * A vector is matched as a whole: components that fit at their own position
 * are written by one operation.  Scalars that belong to the same operation
 * (same block, same sources) become members of a group, which is emitted once.
 * Only key components make a group worth while; the others join.
 */

#include <stdlib.h>

#include "sgc_select.h"

#define LIT_POWER \
   "(fexp2 (fmul (flog2 {(fmax ay 0)|ay})" \
   " {(fmax (fmin aw 128) -128)|(fmin (fmax aw -128) 128)|aw:128}))"

static const struct pattern {
   enum sgpu_opcode op;
   uint8_t comp;
   uint8_t cost;         /* instructions that it stands for */
   bool key;
   bool inexact;         /* not for values that must be computed as written */
   const char *expr;
} patterns[] = {
   { SGPU_OP_LIT, 2, 6, true, true,
     "{(b32csel {(fge32 0 ax)|(fge32 -ax 0)} 0 " LIT_POWER ")"
     "|(b32csel {(flt32 0 ax)|(flt32 -ax 0)} " LIT_POWER " 0)"
     "|(fmul {(slt 0 ax)|(slt -ax 0)|(b2f32 {(flt32 0 ax)|(flt32 -ax 0)})} " LIT_POWER ")}" },
   { SGPU_OP_LIT, 1, 1, false, false, "(fmax ax 0)" },
   { SGPU_OP_LIT, 0, 1, false, false, "1" },
   { SGPU_OP_LIT, 3, 1, false, false, "1" },

   { SGPU_OP_LOG, 1, 4, true, true,
     "(fmul a {(fexp2 (fneg (ffloor (flog2 a))))|(frcp (fexp2 (ffloor (flog2 a))))})" },
   { SGPU_OP_LOG, 0, 2, true, true, "(ffloor (flog2 a))" },
   { SGPU_OP_LOG, 2, 1, false, true, "(flog2 a)" },
   { SGPU_OP_LOG, 3, 1, false, false, "1" },

   { SGPU_OP_EXP, 0, 2, true, false, "(fexp2 (ffloor a))" },
   { SGPU_OP_EXP, 1, 1, false, false, "{(ffract a)|(fadd a (fneg (ffloor a)))}" },
   { SGPU_OP_EXP, 2, 1, false, false, "(fexp2 a)" },
   { SGPU_OP_EXP, 3, 1, false, false, "1" },

   { SGPU_OP_DST, 1, 1, true, false, "(fmul ay by)" },
   { SGPU_OP_DST, 0, 1, false, false, "1" },
   { SGPU_OP_DST, 2, 1, false, false, "az" },
   { SGPU_OP_DST, 3, 1, false, false, "bw" },
};

struct match {
   enum sgpu_opcode op;
   bool swap;            /* try commuted operands first */
   bool inexact;
   struct sgc_operand bound[2][4];
   uint8_t bound_mask[2];
};

static bool
same_scalar(const struct sgc_operand *a, const struct sgc_operand *b)
{
   if (a->literal || b->literal)
      return a->literal && b->literal && a->imm[0] == b->imm[0];
   return a->def == b->def && a->swizzle[0] == b->swizzle[0] && a->neg == b->neg &&
          a->abs == b->abs;
}

/* Whether two positions of a source can be one operand. */
static bool
same_register(const struct sgc_operand *a, const struct sgc_operand *b)
{
   if (a->literal || b->literal)
      return a->literal && b->literal;
   return a->def == b->def && a->neg == b->neg && a->abs == b->abs;
}

static bool
bind(struct match *m, unsigned s, unsigned pos, const struct sgc_operand *o)
{
   if (m->bound_mask[s] & (1u << pos))
      return same_scalar(&m->bound[s][pos], o);
   if (m->op == SGPU_OP_DST) {
      u_foreach_bit(other, m->bound_mask[s]) {
         if (!same_register(&m->bound[s][other], o))
            return false;
      }
   }
   m->bound[s][pos] = *o;
   m->bound_mask[s] |= 1u << pos;
   return true;
}

static const char *
skip_space(const char *p)
{
   while (*p == ' ')
      p++;
   return p;
}

/* Past one expression. */
static const char *
skip(const char *p)
{
   unsigned depth = 0;

   p = skip_space(p);
   do {
      if (*p == '(' || *p == '{')
         depth++;
      if (*p == ')' || *p == '}')
         depth--;
      p++;
   } while (depth || !strchr(" ()|{}", *p));
   return p;
}

static const char *match_expr(struct match *m, const char *p, nir_ssa_def *def, uint8_t comp);

static const char *
match_op(struct match *m, const char *p, nir_ssa_def *def, uint8_t comp)
{
   struct sgc_operand o;
   sgc_chase(&o, def, &comp, 1, false);
   if (o.literal || o.def->parent_instr->type != nir_instr_type_alu)
      return NULL;

   const nir_alu_instr *alu = nir_instr_as_alu(o.def->parent_instr);
   const nir_op_info *info = &nir_op_infos[alu->op];
   const size_t length = strlen(info->name);
   if (strncmp(p, info->name, length) || p[length] != ' ')
      return NULL;
   if (m->inexact && alu->exact)
      return NULL;
   for (unsigned s = 0; s < info->num_inputs; s++) {
      if (!alu->src[s].src.is_ssa || info->input_sizes[s] != 0)
         return NULL;
   }
   p += length;

   const bool commutes = info->algebraic_properties & NIR_OP_IS_2SRC_COMMUTATIVE;
   const struct match saved = *m;
   for (unsigned attempt = 0; attempt < (commutes ? 2 : 1); attempt++) {
      const bool swapped = commutes && (attempt ^ m->swap);
      const char *q = p;
      *m = saved;
      for (unsigned s = 0; s < info->num_inputs && q; s++) {
         const nir_alu_src *src = &alu->src[swapped && s < 2 ? !s : s];
         q = match_expr(m, q, src->src.ssa, src->swizzle[o.swizzle[0]]);
      }
      if (q && *skip_space(q) == ')')
         return skip_space(q) + 1;
   }
   *m = saved;
   return NULL;
}

static const char *
match_choice(struct match *m, const char *p, nir_ssa_def *def, uint8_t comp)
{
   const struct match saved = *m;
   const char *end = skip(p - 1);

   for (;;) {
      if (match_expr(m, p, def, comp))
         return end;
      *m = saved;
      p = skip(p);
      if (*p != '|')
         return NULL;
      p++;
   }
}

static const char *
match_variable(struct match *m, const char *p, struct sgc_operand *o)
{
   if (*p == '-') {
      if (o->literal)
         o->imm[0] ^= 0x80000000;
      else
         o->neg = !o->neg;
      p++;
   }
   const unsigned s = *p++ - 'a';
   unsigned pos = 0;
   if (*p && strchr("xyzw", *p))
      pos = strchr("xyzw", *p++) - "xyzw";
   if (*p == ':') {
      char *end;
      const float limit = strtof(p + 1, &end);
      if (!o->literal || !(fabsf(uif(o->imm[0])) <= limit))
         return NULL;
      p = end;
   }
   /* LOG is of the absolute value. */
   if (m->op == SGPU_OP_LOG)
      o->neg = o->abs = false;
   return bind(m, s, pos, o) ? p : NULL;
}

/* Returns where the expression ends if it fits component comp of def. */
static const char *
match_expr(struct match *m, const char *p, nir_ssa_def *def, uint8_t comp)
{
   p = skip_space(p);
   if (*p == '(')
      return match_op(m, p + 1, def, comp);
   if (*p == '{')
      return match_choice(m, p + 1, def, comp);

   struct sgc_operand o;
   sgc_chase(&o, def, &comp, 1, true);
   if (*p == 'a' || *p == 'b' || (*p == '-' && (p[1] == 'a' || p[1] == 'b')))
      return match_variable(m, p, &o);

   char *end;
   const float value = strtof(p, &end);
   return o.literal && uif(o.imm[0]) == value ? end : NULL;
}

static bool
match_pattern(struct match *m, const struct pattern *pattern, nir_ssa_def *def, unsigned comp)
{
   const struct match saved = *m;
   m->inexact = pattern->inexact;
   if (match_expr(m, pattern->expr, def, comp))
      return true;
   *m = saved;
   return false;
}

static void
need_bound(struct sgc_select *sel, const struct sgc_group *group)
{
   for (unsigned s = 0; s < 2; s++) {
      u_foreach_bit(pos, group->bound_mask[s])
         sgc_need(sel, &group->bound[s][pos]);
   }
}

static struct sgc_group *
new_group(struct sgc_select *sel, enum sgpu_opcode op, nir_alu_instr *at, const struct match *m)
{
   struct sgc_group *group = rzalloc(sel, struct sgc_group);
   group->op = op;
   group->at = at;
   memcpy(group->bound, m->bound, sizeof(group->bound));
   memcpy(group->bound_mask, m->bound_mask, sizeof(group->bound_mask));
   util_dynarray_append(&sel->groups, struct sgc_group *, group);
   return group;
}

bool
sgc_match_vector(struct sgc_select *sel, nir_alu_instr *vec)
{
   static const enum sgpu_opcode ops[] = {
      SGPU_OP_LIT, SGPU_OP_LOG, SGPU_OP_EXP, SGPU_OP_DST
   };
   nir_ssa_def *def = &vec->dest.dest.ssa;
   const struct sgc_value *home = &sel->values[def->index];
   struct match best;
   unsigned best_score = 1, best_mask = 0;

   for (unsigned i = 0; i < def->num_components; i++) {
      if (!vec->src[i].src.is_ssa)
         return false;
   }

   for (unsigned attempt = 0; attempt < 2 * ARRAY_SIZE(ops); attempt++) {
      struct match m = { .op = ops[attempt / 2], .swap = attempt & 1 };
      unsigned score = 0, mask = 0;
      bool key = false;

      for (unsigned r = 0; r < ARRAY_SIZE(patterns); r++) {
         const struct pattern *pattern = &patterns[r];
         if (pattern->op != m.op)
            continue;
         for (unsigned i = 0; i < def->num_components; i++) {
            if (home->comp[i] != pattern->comp || (mask & (1u << i)) ||
                !match_pattern(&m, pattern, vec->src[i].src.ssa, vec->src[i].swizzle[0]))
               continue;
            mask |= 1u << i;
            score += pattern->cost;
            key |= pattern->key;
         }
      }
      if (key && score > best_score) {
         best = m;
         best_score = score;
         best_mask = mask;
      }
   }
   if (!best_mask)
      return false;

   struct sgc_group *group = new_group(sel, best.op, vec, &best);
   group->real = true;
   group->vector = true;
   u_foreach_bit(i, best_mask)
      group->mask |= 1u << home->comp[i];
   struct sgc_plan *plan = sgc_plan_of(sel, def);
   plan->group = group;
   plan->done_mask = best_mask;
   need_bound(sel, group);
   return true;
}

/*
 * Groups of scalars
 */

static bool
merge(struct match *m, const struct sgc_group *group)
{
   for (unsigned s = 0; s < 2; s++) {
      u_foreach_bit(pos, group->bound_mask[s]) {
         if (!bind(m, s, pos, &group->bound[s][pos]))
            return false;
      }
   }
   return true;
}

static bool
available_at(const struct match *m, const nir_alu_instr *at)
{
   for (unsigned s = 0; s < 2; s++) {
      u_foreach_bit(pos, m->bound_mask[s]) {
         const struct sgc_operand *o = &m->bound[s][pos];
         if (!o->literal && o->def->parent_instr->block == at->instr.block &&
             o->def->parent_instr->index >= at->instr.index)
            return false;
      }
   }
   return true;
}

/* Whether def is first read after `at`, which is in its block. */
static bool
read_after(struct sgc_select *sel, const nir_ssa_def *def, const nir_alu_instr *at,
           unsigned depth)
{
   nir_foreach_use(src, def) {
      const nir_instr *user = src->parent_instr;
      if (user->block != at->instr.block || user->type == nir_instr_type_phi ||
          user->index > at->instr.index)
         continue;
      if (user->type != nir_instr_type_alu || depth > 4)
         return false;
      const nir_alu_instr *alu = nir_instr_as_alu(user);
      if (!alu->dest.dest.is_ssa || BITSET_TEST(sel->needed, alu->dest.dest.ssa.index) ||
          !read_after(sel, &alu->dest.dest.ssa, at, depth + 1))
         return false;
   }
   return true;
}

/* From now on the members are components of the group's register. */
static void
make_real(struct sgc_select *sel, struct sgc_group *group)
{
   if (!group->real)
      group->reg = sgc_new_reg(sel->p);
   group->real = true;
   for (unsigned c = 0; c < 4; c++) {
      nir_ssa_def *def = group->member[c];
      if (!def)
         continue;
      struct sgc_plan *plan = sgc_plan_of(sel, def);
      struct sgc_value *v = &sel->values[def->index];
      plan->kind = SGC_PLAN_MEMBER;
      plan->group = group;
      group->mask |= 1u << c;
      if (!v->valid) {
         v->valid = true;
         v->file = SGPU_FILE_TEMP;
         v->index = group->reg;
         memset(v->comp, c, sizeof(v->comp));
      }
   }
   need_bound(sel, group);
}

bool
sgc_match_scalar(struct sgc_select *sel, nir_alu_instr *alu)
{
   nir_ssa_def *def = &alu->dest.dest.ssa;
   const struct pattern *pattern = NULL;
   struct match m;

   if (def->num_components != 1 || def->bit_size != 32)
      return false;
   for (unsigned r = 0; r < ARRAY_SIZE(patterns); r++) {
      m = (struct match){ .op = patterns[r].op };
      if (patterns[r].op != SGPU_OP_DST && patterns[r].expr[0] != '1' &&
          match_pattern(&m, &patterns[r], def, 0)) {
         pattern = &patterns[r];
         break;
      }
   }
   if (!pattern)
      return false;

   struct sgc_group *group = NULL;
   util_dynarray_foreach(&sel->groups, struct sgc_group *, other) {
      struct sgc_group *g = *other;
      struct match both = m;
      if (g->vector || g->op != m.op || g->at->instr.block != alu->instr.block ||
          g->member[pattern->comp] || !merge(&both, g))
         continue;
      const bool up = available_at(&both, alu);
      if (!up && !read_after(sel, def, g->at, 0))
         continue;
      if (up)
         g->at = alu;
      memcpy(g->bound, both.bound, sizeof(g->bound));
      memcpy(g->bound_mask, both.bound_mask, sizeof(g->bound_mask));
      group = g;
      break;
   }
   if (!group)
      group = new_group(sel, m.op, alu, &m);

   group->member[pattern->comp] = def;
   if (!group->real && !pattern->key)
      return false;
   make_real(sel, group);
   return true;
}
