/* SPDX-License-Identifier: MIT */
/*
 * Recognizes the composite operations LIT, EXP, LOG and DST, using the patterns from sgc_pattern.c.
 *
 * The components of a vector are matched together, and a single operation computes all components
 * that match the pattern for their position. Scalars in the same block that have the same sources
 * are collected in groups, with one operation per group. A group is only used if one of its
 * components is a key of the operation.
 */

#include "select/sgc_pattern.h"
#include "select/sgc_select.h"

struct match {
   enum sgpu_opcode op; /* composite operation */
   bool swap;           /* set to try commuted operands before the original order */
   bool inexact;        /* don't match exact instructions */
   /* operands that variables are bound to, indexed by source and position */
   struct sgc_operand bound[2][4];
   uint8_t bound_mask[2]; /* for each source, a bitmask of the positions that are bound */
};

static bool
same_scalar(const struct sgc_operand *a, const struct sgc_operand *b)
{
   if (a->literal || b->literal)
      return a->literal && b->literal && a->imm[0] == b->imm[0];
   return a->def == b->def && a->swizzle[0] == b->swizzle[0] && a->neg == b->neg &&
          a->abs == b->abs;
}

/* Returns true if a single hardware operand can supply both values, at different positions. */
static bool
same_register(const struct sgc_operand *a, const struct sgc_operand *b)
{
   if (a->literal || b->literal)
      return a->literal && b->literal;
   return a->def == b->def && a->neg == b->neg && a->abs == b->abs;
}

/* Binds position `pos` of source `s`, a variable of the pattern, to an operand. Returns false if
 * the variable is already bound to a different value. For DST, all positions of a source must also
 * be in the same register.
 */
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

static bool match_node(struct match *m, const struct sgc_pattern_node *node, nir_def *def,
                       uint8_t comp);

static bool
match_operation(struct match *m, const struct sgc_pattern_node *node, nir_def *def, uint8_t comp)
{
   struct sgc_operand o;
   sgc_chase(&o, def, &comp, 1, false);
   if (o.literal || o.def->bit_size != 32 || o.def->parent_instr->type != nir_instr_type_alu)
      return false;

   const nir_alu_instr *alu = nir_instr_as_alu(o.def->parent_instr);
   const nir_op_info *info = &nir_op_infos[alu->op];
   if (alu->op != node->op || (m->inexact && alu->exact) || alu->def.bit_size != 32)
      return false;
   for (unsigned s = 0; s < info->num_inputs; s++) {
      if (info->input_sizes[s] != 0)
         return false;
   }

   const bool commutes = info->algebraic_properties & NIR_OP_IS_2SRC_COMMUTATIVE;
   const struct match saved = *m;
   for (unsigned attempt = 0; attempt < (commutes ? 2 : 1); attempt++) {
      const bool swapped = commutes && (attempt ^ m->swap);
      bool ok = true;
      *m = saved;
      for (unsigned s = 0; s < info->num_inputs && ok; s++) {
         const nir_alu_src *src = &alu->src[swapped && s < 2 ? !s : s];
         ok = match_node(m, node->args[s], src->src.ssa, src->swizzle[o.swizzle[0]]);
      }
      if (ok)
         return true;
   }
   *m = saved;
   return false;
}

static bool
match_choice(struct match *m, const struct sgc_pattern_node *node, nir_def *def, uint8_t comp)
{
   const struct match saved = *m;

   for (unsigned i = 0; i < node->num_args; i++) {
      if (match_node(m, node->args[i], def, comp))
         return true;
      *m = saved;
   }
   return false;
}

static bool
match_variable(struct match *m, const struct sgc_pattern_node *node, struct sgc_operand *o)
{
   if (node->neg) {
      if (o->literal)
         o->imm[0] ^= 0x80000000;
      else
         o->neg = !o->neg;
   }
   if (node->limited && (!o->literal || !(fabsf(uif(o->imm[0])) <= node->value)))
      return false;
   /* LOG uses the absolute value of its source, so ignore modifiers. */
   if (m->op == SGPU_OP_LOG)
      o->neg = o->abs = false;
   return bind(m, node->src, node->pos, o);
}

/* Matches component `comp` of `def` against a node of a pattern. On success, returns true and binds
 * the variables in the node.
 */
static bool
match_node(struct match *m, const struct sgc_pattern_node *node, nir_def *def, uint8_t comp)
{
   struct sgc_operand o;

   if (def->bit_size != 32)
      return false;
   switch (node->kind) {
   case SGC_PATTERN_OPERATION:
      return match_operation(m, node, def, comp);
   case SGC_PATTERN_CHOICE:
      return match_choice(m, node, def, comp);
   case SGC_PATTERN_VARIABLE:
      sgc_chase(&o, def, &comp, 1, true);
      return match_variable(m, node, &o);
   case SGC_PATTERN_NUMBER:
      sgc_chase(&o, def, &comp, 1, true);
      return o.literal && uif(o.imm[0]) == node->value;
   }
   unreachable("kind of a pattern's node");
}

static bool
match_pattern(struct match *m, const struct sgc_pattern *pattern, nir_def *def, unsigned comp)
{
   const struct match saved = *m;
   m->inexact = pattern->inexact;
   if (match_node(m, pattern->root, def, comp))
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
   struct sgc_group *group = sgc_zalloc(sel->p, sel, struct sgc_group);
   group->op = op;
   group->at = at;
   memcpy(group->bound, m->bound, sizeof(group->bound));
   memcpy(group->bound_mask, m->bound_mask, sizeof(group->bound_mask));
   sgc_append(sel->p, &sel->groups, struct sgc_group *, group);
   return group;
}

bool
sgc_match_vector(struct sgc_select *sel, nir_alu_instr *vec)
{
   static const enum sgpu_opcode ops[] = { SGPU_OP_LIT, SGPU_OP_LOG, SGPU_OP_EXP, SGPU_OP_DST };
   nir_def *def = &vec->def;
   const struct sgc_location *at = &sel->locations[def->index];
   unsigned num_patterns;
   const struct sgc_pattern *patterns = sgc_patterns(&num_patterns);
   struct match best;
   unsigned best_score = 1, best_mask = 0;

   for (unsigned attempt = 0; attempt < 2 * ARRAY_SIZE(ops); attempt++) {
      struct match m = { .op = ops[attempt / 2], .swap = attempt & 1 };
      unsigned score = 0, mask = 0;
      bool key = false;

      for (unsigned r = 0; r < num_patterns; r++) {
         const struct sgc_pattern *pattern = &patterns[r];
         if (pattern->op != m.op)
            continue;
         for (unsigned i = 0; i < def->num_components; i++) {
            if (at->comp[i] != pattern->comp || (mask & (1u << i)) ||
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
   group->used = true;
   group->vector = true;
   u_foreach_bit(i, best_mask)
      group->mask |= 1u << at->comp[i];
   struct sgc_plan *plan = sgc_plan_of_def(sel, def);
   plan->group = group;
   plan->done_mask = best_mask;
   need_bound(sel, group);
   return true;
}

/*
 * Groups of scalars
 */

/* Merges the operands of a group into a match. Returns false if a variable would be bound to two
 * different values.
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

/* Returns true if all operands of the match are computed before instruction `at`. */
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

/* Returns true if no emitted instruction reads `def` before `at`, which is in the same block. Users
 * of `def` that aren't marked as needed yet can only be folded into their own users, so check those
 * instead.
 */
static bool
read_after(struct sgc_select *sel, const nir_def *def, const nir_alu_instr *at, unsigned depth)
{
   nir_foreach_use(src, def) {
      const nir_instr *user = nir_src_parent_instr(src);
      if (user->block != at->instr.block || user->type == nir_instr_type_phi ||
          user->index > at->instr.index)
         continue;
      if (user->type != nir_instr_type_alu || depth > 4)
         return false;
      const nir_alu_instr *alu = nir_instr_as_alu(user);
      if (BITSET_TEST(sel->needed, alu->def.index) || !read_after(sel, &alu->def, at, depth + 1))
         return false;
   }
   return true;
}

/* Marks all members of the group as computed by its operation. A member that doesn't have a
 * location yet becomes a component of the group's register.
 */
static void
use_group(struct sgc_select *sel, struct sgc_group *group)
{
   if (!group->used)
      group->reg = sgc_new_reg(sel->p);
   group->used = true;
   for (unsigned c = 0; c < 4; c++) {
      nir_def *def = group->member[c];
      if (!def)
         continue;
      struct sgc_plan *plan = sgc_plan_of_def(sel, def);
      struct sgc_location *l = &sel->locations[def->index];
      plan->kind = SGC_PLAN_MEMBER;
      plan->group = group;
      group->mask |= 1u << c;
      if (!l->valid) {
         l->valid = true;
         l->file = SGPU_FILE_TEMP;
         l->index = group->reg;
         memset(l->comp, c, sizeof(l->comp));
      }
   }
   need_bound(sel, group);
}

static struct sgc_open_groups *
open_groups(struct sgc_select *sel, enum sgpu_opcode op, const nir_block *block)
{
   if (sel->open_block != block)
      memset(sel->open, 0, sizeof(sel->open));
   sel->open_block = block;
   switch (op) {
   case SGPU_OP_LIT:
      return &sel->open[0];
   case SGPU_OP_LOG:
      return &sel->open[1];
   case SGPU_OP_EXP:
      return &sel->open[2];
   case SGPU_OP_DST:
      return &sel->open[3];
   default:
      unreachable("no composite operation");
   }
}

/* Returns the i-th oldest group in the ring buffer. */
static struct sgc_group *
open_group(const struct sgc_open_groups *open, unsigned i)
{
   return open->group[open->num < SGC_OPEN_GROUPS ? i : (open->next + i) % SGC_OPEN_GROUPS];
}

static void
add_open(struct sgc_open_groups *open, struct sgc_group *group)
{
   open->group[open->next] = group;
   open->next = (open->next + 1) % SGC_OPEN_GROUPS;
   open->num = MIN2(open->num + 1, SGC_OPEN_GROUPS);
}

bool
sgc_match_scalar(struct sgc_select *sel, nir_alu_instr *alu)
{
   nir_def *def = &alu->def;
   unsigned num_patterns;
   const struct sgc_pattern *patterns = sgc_patterns(&num_patterns);
   const struct sgc_pattern *pattern = NULL;
   struct match m;

   if (def->num_components != 1 || def->bit_size != 32)
      return false;
   for (unsigned r = 0; r < num_patterns; r++) {
      m = (struct match){ .op = patterns[r].op };
      if (patterns[r].op != SGPU_OP_DST && patterns[r].root->kind != SGC_PATTERN_NUMBER &&
          match_pattern(&m, &patterns[r], def, 0)) {
         pattern = &patterns[r];
         break;
      }
   }
   if (!pattern)
      return false;

   struct sgc_group *group = NULL;
   struct sgc_open_groups *open = open_groups(sel, m.op, alu->instr.block);
   for (unsigned i = 0; i < open->num; i++) {
      struct sgc_group *g = open_group(open, i);
      struct match both = m;
      sel->p->work++;
      if (g->member[pattern->comp] || !merge(&both, g))
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
   if (!group) {
      group = new_group(sel, m.op, alu, &m);
      add_open(open, group);
   }

   group->member[pattern->comp] = def;
   if (!group->used && !pattern->key)
      return false;
   use_group(sel, group);
   return true;
}
