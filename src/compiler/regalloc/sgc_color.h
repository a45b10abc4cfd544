/* SPDX-License-Identifier: MIT */
/*
 * Graph colouring for register allocation.
 */
#ifndef SGC_COLOR_H
#define SGC_COLOR_H

#include "ir/sgc_ir.h"

/* Register classes. The class of a node determines which sets of components (bitmasks) it can be
 * assigned: all sets of `size` components, only the set `set`, or the pairs xy and zw.
 */
static inline unsigned
sgc_class_by_size(unsigned size)
{
   return size - 1;
}

static inline unsigned
sgc_class_by_set(unsigned set)
{
   return 4 + set - 1;
}

#define SGC_PAIR_CLASS (4 + 15)
#define SGC_NUM_CLASSES (SGC_PAIR_CLASS + 1)

/* An interference graph.  Its nodes are virtual registers. */
struct sgc_graph {
   struct sgc_program *p;
   unsigned num;   /* number of nodes */
   uint8_t *class; /* register class of each node, set by the caller before colouring */

   struct util_dynarray edges; /* array of struct sgc_edge, only used until sgc_graph_finish() */
   /* The neighbours of node n are neighbour[first[n]] to neighbour[first[n + 1] - 1]. Only valid
    * after sgc_graph_finish().
    */
   unsigned *first, *neighbour;
};

struct sgc_edge {
   unsigned a, b; /* nodes */
};

/* A colour: a hardware register and a set of its components. */
struct sgc_color {
   uint16_t reg;
   uint8_t set; /* bitmask of components, or 0 if the node is uncoloured */
};

/* Creates a graph with one node per virtual register and no edges. */
struct sgc_graph *sgc_graph_create(struct sgc_program *p, void *mem_ctx);
/* Adds an edge between two nodes that interfere, i.e. that can't share components. Adding an edge
 * twice is harmless.
 */
void sgc_graph_add(struct sgc_graph *g, unsigned a, unsigned b);
/* Builds the neighbour lists. Must be called after all edges have been added. */
void sgc_graph_finish(struct sgc_graph *g);

/* Colours all nodes using `size` hardware registers. Returns false if that isn't possible, and sets
 * *failed to the node that couldn't be coloured. In that case, only the nodes that precede it in
 * the colouring order have a colour.
 */
bool sgc_graph_color(const struct sgc_graph *g, unsigned size, struct sgc_color *colors,
                     unsigned *failed);

/* Estimates the benefit of spilling a node: the number of its colours that its neighbours can
 * block, relative to the number of all its colours. This is only useful for comparing nodes.
 */
float sgc_graph_benefit(const struct sgc_graph *g, unsigned size, unsigned node);

#endif
