/* SPDX-License-Identifier: MIT */
/*
 * Places literals in the CONST index space behind the user's constants.  Equal
 * values share a component; the values of an operand share a register; otherwise
 * components fill up in order.
 */

#include "sgc_ir.h"

struct pool {
   struct sgc_program *p;
   uint8_t *used; /* components in use, by register */
};

static int
find(const struct pool *pool, unsigned reg, uint32_t value)
{
   u_foreach_bit(c, pool->used[reg]) {
      if (pool->p->literals[reg][c] == value)
         return c;
   }
   return -1;
}

/* The values of an operand, each once. */
static unsigned
distinct(const struct sgc_src *src, unsigned positions, uint32_t values[4])
{
   unsigned n = 0;
   u_foreach_bit(pos, positions) {
      const uint32_t value = src->imm[sgpu_swizzle_get(src->swizzle, pos)];
      bool known = false;
      for (unsigned i = 0; i < n; i++)
         known |= values[i] == value;
      if (!known)
         values[n++] = value;
   }
   return n;
}

static unsigned
missing(const struct pool *pool, unsigned reg, const uint32_t *values, unsigned n)
{
   unsigned count = 0;
   for (unsigned i = 0; i < n; i++)
      count += find(pool, reg, values[i]) < 0;
   return count;
}

/* A register that has, or can take, all the values. */
static unsigned
place(struct pool *pool, const uint32_t *values, unsigned n)
{
   struct sgc_program *p = pool->p;
   unsigned best = p->num_literals, best_missing = n;

   for (unsigned reg = 0; reg < p->num_literals; reg++) {
      const unsigned m = missing(pool, reg, values, n);
      if (util_bitcount(pool->used[reg]) + m > 4)
         continue;
      if (m < best_missing || (best == p->num_literals && m <= best_missing)) {
         best = reg;
         best_missing = m;
      }
   }
   if (best == p->num_literals) {
      p->literals = sgc_realloc(p, p, p->literals, sizeof(*p->literals), p->num_literals + 1);
      memset(p->literals[best], 0, sizeof(p->literals[best]));
      pool->used = sgc_realloc(p, p, pool->used, sizeof(*pool->used), p->num_literals + 1);
      pool->used[best] = 0;
      p->num_literals++;
   }
   for (unsigned i = 0; i < n; i++) {
      if (find(pool, best, values[i]) >= 0)
         continue;
      const unsigned c = ffs(~pool->used[best]) - 1;
      pool->used[best] |= 1u << c;
      p->literals[best][c] = values[i];
   }
   return best;
}

static void
place_source(struct pool *pool, struct sgc_instr *instr, unsigned s)
{
   struct sgc_src *src = &instr->src[s];
   const unsigned positions = sgc_src_positions(instr, s);
   uint32_t values[4] = { 0 };

   assert(positions);
   unsigned n = distinct(src, positions, values);
   const unsigned reg = place(pool, values, n);
   const unsigned first = ffs(positions) - 1;
   unsigned swizzle = 0;
   for (unsigned pos = 0; pos < 4; pos++) {
      const unsigned from = positions & (1u << pos) ? pos : first;
      const uint32_t value = src->imm[sgpu_swizzle_get(src->swizzle, from)];
      swizzle |= find(pool, reg, value) << (2 * pos);
   }
   src->file = SGPU_FILE_CONST;
   src->index = pool->p->num_user_constants + reg;
   src->swizzle = swizzle;
   memset(src->imm, 0, sizeof(src->imm));
}

/* Negative values as the negation of positive ones, so that +1 and -1 share a
 * component.
 */
static void
normalize_sign(struct sgc_instr *instr, unsigned s)
{
   struct sgc_src *src = &instr->src[s];
   const unsigned positions = sgc_src_positions(instr, s);
   bool all = true;

   if (!sgc_src_takes_mods(instr, s) || sgc_info(instr)->src_type[s] != SGPU_TYPE_FLOAT)
      return;
   u_foreach_bit(pos, positions)
      all &= src->imm[sgpu_swizzle_get(src->swizzle, pos)] >> 31;
   if (!all || src->neg || src->abs)
      return;
   for (unsigned c = 0; c < 4; c++)
      src->imm[c] &= 0x7fffffff;
   src->neg = true;
}

bool
sgc_place_literals(struct sgc_program *p)
{
   struct pool pool = { .p = p };

   /* Wide operands first, since their values must stay together. */
   for (unsigned n = 4; n >= 1; n--) {
      sgc_foreach_block(p, block) {
         sgc_foreach_instr(block, instr) {
            sgc_foreach_src(instr, s) {
               uint32_t values[4];
               if (instr->src[s].file != SGC_FILE_IMM)
                  continue;
               if (n == 4)
                  normalize_sign(instr, s);
               if (distinct(&instr->src[s], sgc_src_positions(instr, s), values) == n)
                  place_source(&pool, instr, s);
            }
         }
      }
   }
   ralloc_free(pool.used);

   if (p->num_user_constants + p->num_literals > (p->vp1 ? SGPU_VP1_CONSTANTS : SGPU_CONST_SIZE))
      sgc_error(p, p->vp1 ? "more than 96 constants" : "more constants than c[] has");
   return p->num_literals > 0;
}
