/* SPDX-License-Identifier: MIT */
/*
 * Graph colouring for register allocation.
 */
#ifndef SGC_COLOR_H
#define SGC_COLOR_H

#include "ir/sgc_ir.h"

/* Register classes.  A class is the list of component sets (bit masks) that a node may get: all
 * sets with `size` components, only the set `set`, or the pairs xy and zw.
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

   struct util_dynarray edges; /* struct sgc_edge, until sgc_graph_finish() */
   /* The neighbours of node n are neighbour[first[n]] to neighbour[first[n + 1] - 1].  Valid after
    * sgc_graph_finish().
    */
   unsigned *first, *neighbour;
};

struct sgc_edge {
   unsigned a, b; /* nodes */
};

/* A colour: a machine register and a set of its components. */
struct sgc_color {
   uint16_t reg;
   uint8_t set; /* bit mask of components; 0: the node has no colour */
};

/* Creates a graph with a node for each virtual register, and without edges. */
struct sgc_graph *sgc_graph_create(struct sgc_program *p, void *mem_ctx);
/* Adds an edge: nodes a and b must not share components.  An edge may be added several times. */
void sgc_graph_add(struct sgc_graph *g, unsigned a, unsigned b);
/* Makes the lists of neighbours, after all edges have been added. */
void sgc_graph_finish(struct sgc_graph *g);

/* Colours all nodes with `size` machine registers.  Returns false if that is not possible.  Then
 * *failed is the node that got no colour, and only the nodes before it in the colouring order
 * have one.
 */
bool sgc_graph_color(const struct sgc_graph *g, unsigned size, struct sgc_color *colors,
                     unsigned *failed);

/* Returns an estimate of what spilling the node gains: the number of its conflicts with
 * neighbours, relative to the number of its possible colours.  Only comparisons of it make sense.
 */
float sgc_graph_benefit(const struct sgc_graph *g, unsigned size, unsigned node);

#endif
