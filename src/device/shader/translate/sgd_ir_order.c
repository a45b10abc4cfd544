/* SPDX-License-Identifier: MIT */
/*
 * Translator: orders the nodes of a region so that few values are live at a time.
 *
 * Programs have their texture operations together, and what uses the results behind them. Here, nodes
 * get their places from the last one to the first one. Each time, the node comes next that makes the
 * fewest additional values live; of several, the one whose users got their places last, so that each
 * chain of nodes directly precedes what it is for.
 */
#include "shader/translate/sgd_ir_order.h"

#include <stdlib.h>

/* State of a node. */
struct order_node {
   uint32_t users; /* number of nodes that use the value and have no place yet */
   uint32_t since; /* number of nodes that had a place when the last user got one */
   bool live;      /* set if a user has a place */
};

struct order {
   const struct sgd_ir *ir;
   struct order_node *node;
   uint16_t *ready; /* nodes whose users all have a place */
   uint32_t num_ready;
   uint16_t *placed; /* nodes, in their new order from `first` on */
   uint32_t first, num_placed;
};

/* Returns true if the value takes no register until it is used. */
static bool
is_leaf(const struct sgd_ir_node *n)
{
   return !sgd_ir_num_srcs(n);
}

/* Returns true if source s is not also one of the sources before it. */
static bool
is_first(const struct sgd_ir_node *n, unsigned s)
{
   for (unsigned other = 0; other < s; other++)
      if (n->src[other] == n->src[s])
         return false;
   return true;
}

/* Returns the number of values that are live before the node, less that of those behind it. */
static int
cost(const struct order *o, uint16_t node)
{
   const struct sgd_ir_node *n = &o->ir->nodes[node];
   int more = o->node[node].live ? -1 : 0;
   for (unsigned s = 0; s < sgd_ir_num_srcs(n); s++)
      more += is_first(n, s) && !is_leaf(&o->ir->nodes[n->src[s]]) && !o->node[n->src[s]].live;
   return more;
}

static void
place(struct order *o, uint16_t node)
{
   const struct sgd_ir_node *n = &o->ir->nodes[node];

   o->placed[--o->first] = node;
   o->num_placed++;
   for (unsigned s = 0; s < sgd_ir_num_srcs(n); s++) {
      struct order_node *from = &o->node[n->src[s]];
      if (!is_first(n, s))
         continue;
      from->live = true;
      from->since = o->num_placed;
      if (!--from->users && !is_leaf(&o->ir->nodes[n->src[s]]))
         o->ready[o->num_ready++] = n->src[s];
   }
}

/* Removes the best node from the list of those that are ready. */
static uint16_t
take_best(struct order *o)
{
   uint32_t best = 0;
   int least = cost(o, o->ready[0]);
   for (uint32_t k = 1; k < o->num_ready; k++) {
      const uint16_t a = o->ready[k], b = o->ready[best];
      const uint32_t since = o->node[a].since, since_best = o->node[b].since;
      const int more = cost(o, a);
      if (more < least ||
          (more == least && (since > since_best || (since == since_best && a > b)))) {
         best = k;
         least = more;
      }
   }
   const uint16_t node = o->ready[best];
   o->ready[best] = o->ready[--o->num_ready];
   return node;
}

/* Counts the users of all nodes. */
static void
begin(struct order *o)
{
   for (uint32_t i = 0; i < o->ir->num_nodes; i++) {
      const struct sgd_ir_node *n = &o->ir->nodes[i];
      for (unsigned s = 0; n->uses && s < sgd_ir_num_srcs(n); s++)
         o->node[n->src[s]].users += is_first(n, s);
   }
   for (uint32_t i = 0; i < o->ir->num_nodes; i++) {
      const struct sgd_ir_node *n = &o->ir->nodes[i];
      if (n->uses && !is_leaf(n) && !o->node[i].users)
         o->ready[o->num_ready++] = (uint16_t)i;
   }
}

void
sgd_ir_order(struct sgd_ir *ir)
{
   const size_t num = ir->num_nodes;
   struct sgd_ir *ordered = malloc(sizeof(*ordered));
   struct order o = {
      .ir = ir,
      .node = calloc(num, sizeof(*o.node)),
      .ready = malloc(num * sizeof(*o.ready)),
      .placed = malloc(num * sizeof(*o.placed)),
      .first = (uint32_t)num,
   };
   if (ordered && o.node && o.ready && o.placed) {
      begin(&o);
      while (o.num_ready)
         place(&o, take_best(&o));
      for (uint32_t i = (uint32_t)num; i-- > 0;)
         if (is_leaf(&ir->nodes[i]) && (ir->nodes[i].uses || ir->nodes[i].kind == SGD_IR_KEEP))
            o.placed[--o.first] = (uint16_t)i;
      sgd_ir_permute(ordered, ir, o.placed + o.first, (uint32_t)num - o.first);
      if (!ordered->full)
         *ir = *ordered;
   }
   free(ordered);
   free(o.node);
   free(o.ready);
   free(o.placed);
}
