/* SPDX-License-Identifier: MIT */
/*
 * Coalescing: merges both registers of a plain MOV if they don't interfere, which makes the MOV
 * redundant. Two registers interfere if both are live at some point with different contents. This
 * removes most copies for phis.
 *
 * Interference is computed for whole registers. Components stay in place in the merged register (x
 * is merged with x), unless all results can be moved to other components.
 *
 * The interference graph only has the registers of plain MOVs. A node represents registers that
 * have been merged, and has the neighbours of all of them. When two nodes are merged, the one with
 * fewer neighbours is added to the other.
 */

#include "ir/sgc_ir.h"
#include "util/hash_table.h"
#include "util/set.h"

#define NO_NODE UINT32_MAX

struct node {
   unsigned parent; /* index of the node that this node was merged into, or of this node itself */
   /* Indices of the neighbouring nodes. Some of those may have been merged into other nodes since.
    */
   struct util_dynarray neighbours;
};

struct coalesce {
   struct sgc_program *p;
   unsigned n; /* number of registers */
   /* for each register, its index into `nodes`, or NO_NODE if no plain MOV uses it */
   unsigned *node_of;
   struct node *nodes;
   unsigned num_nodes;
   /* Set of edge_key() for all pairs of neighbouring nodes. Only valid for nodes that haven't been
    * merged into others.
    */
   struct set *edges;
   unsigned *parent; /* for each register, the register that it was merged into, or itself */
   /* map[r][c]: component of parent[r] that component c of register r has become */
   uint8_t (*map)[4];
   uint8_t *comps; /* bitmask of the used components of each register */
   bool *fixed;    /* set for registers with a result that can't be moved to other components */
};

static bool
is_plain_copy(const struct sgc_instr *instr)
{
   return instr->op == SGPU_OP_MOV && !instr->sat && !instr->guard.en &&
          instr->dst.file == SGPU_FILE_TEMP && instr->src[0].file == SGPU_FILE_TEMP &&
          !instr->src[0].rel && !instr->src[0].neg && !instr->src[0].abs;
}

/* Returns the key of the edge between nodes a and b. Node indices must be below 2^31. Keys are odd,
 * so they never equal NULL or the aligned pointer that struct set uses for deleted entries.
 */
static const void *
edge_key(unsigned a, unsigned b)
{
   return (const void *)(uintptr_t)((uint64_t)MAX2(a, b) << 32 | MIN2(a, b) << 1 | 1);
}

static uint32_t
hash_edge(const void *key)
{
   const uint64_t k = (uint64_t)(uintptr_t)key * 0x9e3779b97f4a7c15ull;
   return (uint32_t)(k >> 32);
}

static bool
same_edge(const void *a, const void *b)
{
   return a == b;
}

static void
add_interference(struct coalesce *c, unsigned a, unsigned b)
{
   bool found;

   c->p->work++;
   if (a == b)
      return;
   struct set_entry *entry = _mesa_set_search_or_add(c->edges, edge_key(a, b), &found);
   if (!entry)
      sgc_out_of_memory(c->p);
   if (found)
      return;
   sgc_append(c->p, &c->nodes[a].neighbours, unsigned, b);
   sgc_append(c->p, &c->nodes[b].neighbours, unsigned, a);
}

static unsigned
find_node(struct coalesce *c, unsigned node)
{
   while (c->nodes[node].parent != node) {
      const unsigned parent = c->nodes[node].parent;
      c->nodes[node].parent = c->nodes[parent].parent;
      node = parent;
   }
   return node;
}

static unsigned
node_of(struct coalesce *c, unsigned reg)
{
   return find_node(c, c->node_of[reg]);
}

static void
add_node(struct coalesce *c, unsigned reg)
{
   if (c->node_of[reg] == NO_NODE)
      c->node_of[reg] = c->num_nodes++;
}

static void
make_nodes(struct coalesce *c)
{
   memset(c->node_of, 0xff, c->n * sizeof(*c->node_of));
   sgc_foreach_block(c->p, block) {
      sgc_foreach_instr(block, instr) {
         if (!is_plain_copy(instr))
            continue;
         add_node(c, instr->dst.index);
         add_node(c, instr->src[0].index);
      }
   }
   c->nodes = sgc_zalloc_array(c->p, c, struct node, c->num_nodes);
   for (unsigned n = 0; n < c->num_nodes; n++) {
      c->nodes[n].parent = n;
      util_dynarray_init(&c->nodes[n].neighbours, c->nodes);
   }
}

/* Returns true if two registers, or any registers merged with them, interfere. */
static bool
interfere(struct coalesce *c, unsigned a, unsigned b)
{
   return _mesa_set_search(c->edges, edge_key(node_of(c, a), node_of(c, b)));
}

static void
merge_nodes(struct coalesce *c, unsigned a, unsigned b)
{
   a = node_of(c, a);
   b = node_of(c, b);
   if (c->nodes[a].neighbours.size < c->nodes[b].neighbours.size) {
      const unsigned swap = a;
      a = b;
      b = swap;
   }
   util_dynarray_foreach(&c->nodes[b].neighbours, unsigned, other)
      add_interference(c, a, find_node(c, *other));
   c->nodes[b].parent = a;
   util_dynarray_fini(&c->nodes[b].neighbours);
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

/* Returns the source register of a MOV if it has the same contents as the destination afterwards,
 * or -1 otherwise. A MOV of a vector must not swizzle it, but a register with a single component
 * can be copied to any component.
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

   find_components(c);
   sgc_compute_liveness(p);
   /* Only registers that have a node are kept in the live set. */
   struct sgc_live *live = sgc_live_create(p, c);
   sgc_foreach_block(p, block) {
      sgc_live_start(live, &block->live_out);
      for (unsigned i = live->num; i-- > 0;) {
         if (c->node_of[live->regs[i]] == NO_NODE)
            sgc_live_set(live, live->regs[i], 0);
      }
      sgc_foreach_instr_rev(block, instr) {
         const bool has_node = instr->dst.file == SGPU_FILE_TEMP &&
                               c->node_of[instr->dst.index] != NO_NODE;
         if (has_node) {
            const unsigned reg = instr->dst.index;
            const int shared = shared_after(c, instr);
            for (unsigned i = 0; i < live->num; i++) {
               if ((int)live->regs[i] != shared)
                  add_interference(c, c->node_of[reg], c->node_of[live->regs[i]]);
            }
         }
         if (has_node && !instr->guard.en) {
            const unsigned reg = instr->dst.index;
            sgc_live_set(live, reg, live->mask[reg] & ~instr->dst.mask);
         }
         sgc_foreach_src(instr, s) {
            const unsigned reg = instr->src[s].index;
            if (instr->src[s].file == SGPU_FILE_TEMP && c->node_of[reg] != NO_NODE)
               sgc_live_set(live, reg, live->mask[reg] | sgc_src_read_mask(instr, s));
         }
      }
   }
}

/* Returns the register that `reg` has been merged into, directly or through other registers. Sets
 * map[i] to the component of that register that component i has become. Also shortens the chain of
 * parents (path compression).
 */
static unsigned
resolve(struct coalesce *c, unsigned reg, uint8_t map[4])
{
   unsigned end = reg;

   for (unsigned i = 0; i < 4; i++)
      map[i] = i;
   while (c->parent[end] != end) {
      for (unsigned i = 0; i < 4; i++)
         map[i] = c->map[end][map[i]];
      end = c->parent[end];
      c->p->work++;
   }
   if (end != reg) {
      c->parent[reg] = end;
      memcpy(c->map[reg], map, 4);
   }
   return end;
}

static bool
try_merge(struct coalesce *c, const struct sgc_instr *mov)
{
   uint8_t dst_map[4], src_map[4], map[4] = { 0, 1, 2, 3 };
   const unsigned dst = resolve(c, mov->dst.index, dst_map);
   const unsigned src = resolve(c, mov->src[0].index, src_map);

   if (dst == src || interfere(c, dst, src))
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
      /* Some components of the source would have to move. This requires that the MOV copies all of
       * them, each to a different component, and that all results in the source register can be
       * moved.
       */
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
   merge_nodes(c, dst, src);
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

/* Tries to merge the source and the destination of each MOV in the given blocks, which have the
 * same loop depth. Returns true if any were merged.
 */
static bool
merge_at(struct coalesce *c, struct util_dynarray *blocks)
{
   bool progress = false;

   util_dynarray_foreach(blocks, struct sgc_block *, block) {
      sgc_foreach_instr(*block, instr) {
         if (is_plain_copy(instr))
            progress |= try_merge(c, instr);
      }
   }
   return progress;
}

bool
sgc_coalesce(struct sgc_program *p)
{
   struct coalesce *c = sgc_zalloc(p, p, struct coalesce);
   unsigned max_depth = 0;
   bool progress = false;

   c->p = p;
   c->n = MAX2(p->num_regs, 1);
   c->node_of = sgc_zalloc_array(p, c, unsigned, c->n);
   c->edges = _mesa_set_create(c, hash_edge, same_edge);
   if (!c->edges)
      sgc_out_of_memory(p);
   c->parent = sgc_zalloc_array(p, c, unsigned, c->n);
   c->map = sgc_alloc(p, c, sizeof(*c->map), c->n);
   c->comps = sgc_zalloc_array(p, c, uint8_t, c->n);
   c->fixed = sgc_zalloc_array(p, c, bool, c->n);
   for (unsigned r = 0; r < c->n; r++)
      c->parent[r] = r;
   make_nodes(c);
   build(c);

   sgc_foreach_block(p, block)
      max_depth = MAX2(max_depth, block->loop_depth);
   struct util_dynarray *by_depth = sgc_zalloc_array(p, c, struct util_dynarray, max_depth + 1);
   for (unsigned d = 0; d <= max_depth; d++)
      util_dynarray_init(&by_depth[d], c);
   sgc_foreach_block(p, block)
      sgc_append(p, &by_depth[block->loop_depth], struct sgc_block *, block);
   for (int depth = max_depth; depth >= 0; depth--)
      progress |= merge_at(c, &by_depth[depth]);
   if (progress)
      rewrite(c);
   ralloc_free(c);
   return progress;
}
