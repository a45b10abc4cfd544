/* SPDX-License-Identifier: MIT */
/*
 * Coalescing: a plain MOV joins two registers that do not interfere, that is,
 * whose contents are never needed at the same time and different.  This removes
 * the copies of phis.
 *
 * Interference is between whole registers.  Components merge in place (x with x),
 * except that a scalar computed by operations that can write anywhere may take any
 * component.
 */

#include "sgc_ir.h"

struct coalesce {
   struct sgc_program *p;
   unsigned n;
   BITSET_WORD **interferes; /* by register */
   unsigned *parent;         /* the register that a register was merged into .. */
   uint8_t (*map)[4];        /* .. and the component that each component became */
   uint8_t *comps;           /* components in use */
   bool *fixed;              /* some result cannot move to other components */
};

static bool
is_plain_copy(const struct sgc_instr *instr)
{
   return instr->op == SGPU_OP_MOV && !instr->sat && !instr->guard.en &&
          instr->dst.file == SGPU_FILE_TEMP && instr->src[0].file == SGPU_FILE_TEMP &&
          !instr->src[0].rel && !instr->src[0].neg && !instr->src[0].abs;
}

static void
add_interference(struct coalesce *c, unsigned a, unsigned b)
{
   if (a != b) {
      BITSET_SET(c->interferes[a], b);
      BITSET_SET(c->interferes[b], a);
   }
}

static void
find_components(struct coalesce *c)
{
   sgc_foreach_block(c->p, block) {
      sgc_foreach_instr(block, instr) {
         if (instr->dst.file == SGPU_FILE_TEMP) {
            c->comps[instr->dst.index] |= instr->dst.mask;
            if (!sgc_can_move_result(instr))
               c->fixed[instr->dst.index] = true;
         }
         sgc_foreach_src(instr, s) {
            if (instr->src[s].file == SGPU_FILE_TEMP)
               c->comps[instr->src[s].index] |= sgc_src_read_mask(instr, s);
         }
      }
   }
}

/* The register with the same contents as the result after the instruction, or -1.
 * A scalar may come from another component; the components of a vector come from
 * their own, since a permutation is not the same contents.
 */
static int
shared_after(const struct coalesce *c, const struct sgc_instr *instr)
{
   if (!is_plain_copy(instr))
      return -1;
   const struct sgc_src *src = &instr->src[0];
   bool identity = true;
   u_foreach_bit(i, instr->dst.mask)
      identity &= sgpu_swizzle_get(src->swizzle, i) == i;
   return identity || util_bitcount(c->comps[src->index]) == 1 ? src->index : -1;
}

static void
build(struct coalesce *c)
{
   struct sgc_program *p = c->p;
   const unsigned words = BITSET_WORDS(4 * c->n);
   BITSET_WORD *live = sgc_zalloc_array(p, c, BITSET_WORD, words);

   find_components(c);
   sgc_compute_liveness(p);
   sgc_foreach_block(p, block) {
      memcpy(live, block->live_out, words * sizeof(*live));
      sgc_foreach_instr_rev(block, instr) {
         if (instr->dst.file == SGPU_FILE_TEMP) {
            const unsigned reg = instr->dst.index;
            const int shared = shared_after(c, instr);
            unsigned last = ~0u;
            unsigned bit;
            BITSET_FOREACH_SET(bit, live, 4 * c->n) {
               if (bit / 4 != last && (int)(bit / 4) != shared)
                  add_interference(c, reg, bit / 4);
               last = bit / 4;
            }
         }
         sgc_liveness_step(instr, live);
      }
   }
}

/* The register that `reg` has become, and in map its components. */
static unsigned
resolve(struct coalesce *c, unsigned reg, uint8_t map[4])
{
   for (unsigned i = 0; i < 4; i++)
      map[i] = i;
   while (c->parent[reg] != reg) {
      for (unsigned i = 0; i < 4; i++)
         map[i] = c->map[reg][map[i]];
      reg = c->parent[reg];
   }
   return reg;
}

static bool
try_merge(struct coalesce *c, const struct sgc_instr *mov)
{
   uint8_t dst_map[4], src_map[4], map[4] = { 0, 1, 2, 3 };
   const unsigned dst = resolve(c, mov->dst.index, dst_map);
   const unsigned src = resolve(c, mov->src[0].index, src_map);

   if (dst == src || BITSET_TEST(c->interferes[dst], src))
      return false;

   bool identity = true;
   unsigned from = 0;
   u_foreach_bit(i, mov->dst.mask) {
      const unsigned d = dst_map[i];
      const unsigned s = src_map[sgpu_swizzle_get(mov->src[0].swizzle, i)];
      identity &= d == s;
      from |= 1u << s;
      map[s] = d;
   }
   if (!identity) {
      /* All components, to as many others, if all results can move. */
      if (from != c->comps[src] || util_bitcount(from) != util_bitcount(mov->dst.mask) ||
          c->fixed[src])
         return false;
   }

   c->parent[src] = dst;
   memcpy(c->map[src], map, sizeof(map));
   unsigned comps = 0;
   u_foreach_bit(i, c->comps[src])
      comps |= 1u << map[i];
   c->comps[dst] |= comps;
   c->fixed[dst] |= c->fixed[src];
   for (unsigned r = 0; r < c->n; r++) {
      if (BITSET_TEST(c->interferes[src], r))
         add_interference(c, dst, r);
   }
   return true;
}

static void
rewrite(struct coalesce *c)
{
   sgc_foreach_block(c->p, block) {
      sgc_foreach_instr_safe(block, instr) {
         uint8_t map[4];
         sgc_foreach_src(instr, s) {
            struct sgc_src *src = &instr->src[s];
            if (src->file != SGPU_FILE_TEMP)
               continue;
            src->index = resolve(c, src->index, map);
            unsigned swizzle = 0;
            for (unsigned pos = 0; pos < 4; pos++)
               swizzle |= map[sgpu_swizzle_get(src->swizzle, pos)] << (2 * pos);
            src->swizzle = swizzle;
         }
         if (instr->dst.file == SGPU_FILE_TEMP) {
            instr->dst.index = resolve(c, instr->dst.index, map);
            bool identity = true;
            u_foreach_bit(i, instr->dst.mask)
               identity &= map[i] == i;
            if (!identity)
               sgc_move_result(instr, map);
         }
         if (is_plain_copy(instr) && instr->dst.index == instr->src[0].index) {
            bool same = true;
            u_foreach_bit(i, instr->dst.mask)
               same &= sgpu_swizzle_get(instr->src[0].swizzle, i) == i;
            if (same)
               sgc_instr_remove(instr);
         }
      }
   }
}

bool
sgc_coalesce(struct sgc_program *p)
{
   struct coalesce *c = sgc_zalloc(p, p, struct coalesce);
   unsigned max_depth = 0;
   bool progress = false;

   c->p = p;
   c->n = MAX2(p->num_regs, 1);
   c->interferes = sgc_zalloc_array(p, c, BITSET_WORD *, c->n);
   c->parent = sgc_zalloc_array(p, c, unsigned, c->n);
   c->map = sgc_alloc(p, c, sizeof(*c->map), c->n);
   c->comps = sgc_zalloc_array(p, c, uint8_t, c->n);
   c->fixed = sgc_zalloc_array(p, c, bool, c->n);
   for (unsigned r = 0; r < c->n; r++) {
      c->interferes[r] = sgc_zalloc_array(p, c, BITSET_WORD, BITSET_WORDS(c->n));
      c->parent[r] = r;
   }
   build(c);

   sgc_foreach_block(p, block)
      max_depth = MAX2(max_depth, block->loop_depth);
   for (int depth = max_depth; depth >= 0; depth--) {
      sgc_foreach_block(p, block) {
         if ((int)block->loop_depth != depth)
            continue;
         sgc_foreach_instr(block, instr) {
            if (is_plain_copy(instr))
               progress |= try_merge(c, instr);
         }
      }
   }
   if (progress)
      rewrite(c);
   ralloc_free(c);
   return progress;
}
